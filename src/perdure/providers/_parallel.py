"""Several prompts at once, for the model clients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from perdure.models import Completion, Prompt


def in_order(ask: Callable[[Prompt], Completion], prompts: Sequence[Prompt], *, concurrency: int) -> list[Completion]:
    """Return what `ask` says to each prompt, in order; the first error stops those not yet begun."""
    if len(prompts) < 2 or concurrency < 2:
        return [ask(prompt) for prompt in prompts]
    pool = ThreadPoolExecutor(min(concurrency, len(prompts)), thread_name_prefix="perdure-llm")
    try:
        return list(pool.map(ask, prompts))
    finally:
        pool.shutdown(cancel_futures=True)
