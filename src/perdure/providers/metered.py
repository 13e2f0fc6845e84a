"""A language model whose calls are counted in the store, held to a daily budget, and not repeated.

A call is counted before it is made, with its prompt estimated, so that no two processes spend the same rest of a
budget; what it really took is set right afterwards.  A call that has begun is finished: the last one of a day may go
beyond the budget by its completion.

Completions are remembered in this process alone.  A file would keep facts that were erased from the store, and the
calls that come again do so within one process: a retry after the second of two calls failed, and a question asked
twice of the same evidence.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import astuple, replace
from datetime import UTC, datetime, time, timedelta

from perdure.errors import Forbidden
from perdure.models import Completion, Prompt, Usage
from perdure.ports import LLM, Clock, Store
from perdure.text import count_tokens, digest

IMAGE_TOKENS = 1_000  # chosen: what a picture takes before the endpoint has counted it


class MeteredLLM:
    """An LLM like the one within, whose `complete` may also raise Forbidden: the day's budget is used up.

    remembered: how many completions are kept, the least recently used dropped; 0 for none.  Never kept: an error, a
    reply that was cut, a repair, and the reply that a repair was asked for.
    """

    def __init__(
        self,
        llm: LLM,
        store: Store,
        clock: Clock,
        *,
        calls_at_most: int | None = None,
        tokens_at_most: int | None = None,
        remembered: int = 0,
    ) -> None:
        self._llm = llm
        self._store = store
        self._clock = clock
        self._calls_at_most = calls_at_most
        self._tokens_at_most = tokens_at_most
        self._memo = _Memo(remembered)

    @property
    def model(self) -> str:
        """The name of the model within."""
        return self._llm.model

    @property
    def can_see(self) -> bool:
        """Whether pictures can be shown to the model within."""
        return bool(getattr(self._llm, "can_see", False))

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return one completion per prompt, in order; a remembered one costs nothing and says so."""
        known = [self._memo.get(prompt) for prompt in prompts]
        fresh = [prompt for prompt, held in zip(prompts, known, strict=True) if held is None]
        asked = iter(self._ask(fresh) if fresh else ())
        return [next(asked) if held is None else held for held in known]

    def forget(self) -> None:
        """Forget every completion that is remembered: one may say what was erased."""
        self._memo.clear()

    def _ask(self, prompts: Sequence[Prompt]) -> list[Completion]:
        now = self._clock.now()
        expected = [_prompt_tokens(prompt) for prompt in prompts]
        reserved = Usage(llm_calls=len(prompts), prompt_tokens=sum(expected))
        self._reserve(reserved, now)
        spent = Usage()
        try:
            completions = self._llm.complete(prompts)
            for completion, tokens in zip(completions, expected, strict=True):
                spent += _spent(completion, tokens)
        finally:  # a call that failed counts as a call, and its prompt as not read
            self._count(replace(spent, prompt_tokens=spent.prompt_tokens - reserved.prompt_tokens), now)
        for prompt, completion in zip(prompts, completions, strict=True):
            self._memo.put(prompt, completion)
        return completions

    def _reserve(self, usage: Usage, now: datetime) -> None:
        is_within = self._store.spend(
            day(now),
            self.model,
            usage,
            calls_at_most=self._calls_at_most,
            tokens_at_most=self._tokens_at_most,
        )
        if is_within:
            return
        until = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
        limits = [
            f"{limit:,} {what}"
            for limit, what in ((self._calls_at_most, "calls"), (self._tokens_at_most, "tokens"))
            if limit is not None
        ]
        raise Forbidden(
            f"the store's budget of {' and '.join(limits)} a day does not reach for this call of the language model; "
            f"it begins anew at {until.isoformat()}, or raise daily_call_budget or daily_token_budget",
            until=until,
        )

    def _count(self, usage: Usage, now: datetime) -> None:
        self._store.spend(day(now), self.model, usage)


class _Memo:
    """Completions by everything that a model was asked, in this process; threads may share it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()  # guards the dict below
        self._held: OrderedDict[str, Completion] = OrderedDict()

    def get(self, prompt: Prompt) -> Completion | None:
        """Return what was said to this prompt, or None.  A repair makes the reply that it repairs forgotten."""
        if not self._size:
            return None
        with self._lock:
            if _is_repair(prompt):
                self._held.pop(_key(replace(prompt, turns=prompt.turns[:1])), None)
                return None
            key = _key(prompt)
            held = self._held.get(key)
            if held is not None:
                self._held.move_to_end(key)
            return held

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._held.clear()

    def put(self, prompt: Prompt, completion: Completion) -> None:
        """Remember a completion, if it is one to be trusted again."""
        if not self._size or _is_repair(prompt) or completion.is_truncated:
            return
        with self._lock:
            self._held[_key(prompt)] = replace(completion, prompt_tokens=0, completion_tokens=0, is_remembered=True)
            while len(self._held) > self._size:
                self._held.popitem(last=False)


def _is_repair(prompt: Prompt) -> bool:
    return any(turn.role == "assistant" for turn in prompt.turns)


def _key(prompt: Prompt) -> str:
    return digest(json.dumps(astuple(prompt), sort_keys=True, default=str))


def day(now: datetime) -> str:
    """Return the day (UTC) that a moment is counted to."""
    return now.astimezone(UTC).date().isoformat()


def _prompt_tokens(prompt: Prompt) -> int:
    tools = "".join(tool.name + tool.description + json.dumps(tool.schema) for tool in prompt.tools)
    shown = IMAGE_TOKENS * len(prompt.images)
    return shown + count_tokens(prompt.system + tools + "\n".join(turn.content for turn in prompt.turns))


def _spent(completion: Completion, expected: int) -> Usage:
    """Return the tokens of a call: as the endpoint counted them, else as estimated."""
    said = completion.text + "".join(call.arguments for call in completion.calls)
    return Usage(
        prompt_tokens=completion.prompt_tokens or expected,
        completion_tokens=completion.completion_tokens or count_tokens(said),
    )
