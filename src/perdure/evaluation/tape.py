"""A language model whose replies are written to a file as they come, so that no call is ever paid twice.

A run that was killed asks everything again and gets from the tape what was already said; only what is new is asked.
That needs systems that ask the same thing again: same conversation, same clock, same ids, same order.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, astuple, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from perdure.errors import Forbidden, InputError
from perdure.models import Completion, Prompt, ToolCall, Usage
from perdure.ports import LLM
from perdure.providers.prices import Price, usage_cost
from perdure.text import count_tokens


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may cost in all, its earlier parts included, and how fast it may ask.  None: no limit."""

    tokens: int | None = None
    usd: float | None = None
    calls_per_minute: float | None = None


class Tape:
    """The file of replies.

    A line that a kill cut short is dropped.  Raises InputError where the file is damaged elsewhere.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()  # guards the three below and the file
        self._said: dict[str, Completion] = {}
        self._ms: dict[str, float] = {}
        self._spent: dict[str, Usage] = {}
        self._read()

    @property
    def spent(self) -> dict[str, Usage]:
        """What each model took, in all parts of the run."""
        with self._lock:
            return dict(self._spent)

    def get(self, key: str) -> Completion | None:
        """Return what was said, or None."""
        with self._lock:
            return self._said.get(key)

    def took(self, key: str) -> float:
        """Return how many milliseconds the call took when it was made."""
        with self._lock:
            return self._ms[key]

    def put(self, key: str, prompt: Prompt, model: str, completion: Completion, ms: float) -> None:
        """Write a reply down, to the disk, before anybody uses it."""
        row = {
            "key": key,
            "asked": model,
            "ms": round(ms, 1),
            "prompt": prompt.name,
            "hash": prompt.hash,
            **asdict(completion),
        }
        with self._lock:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")  # escaped: a reply may hold half a character
                file.flush()
                os.fsync(file.fileno())
            self._take(row)

    def _read(self) -> None:
        if not self._path.exists():
            return
        raw = self._path.read_bytes()
        whole, _, rest = raw.rpartition(b"\n")
        if rest:
            os.truncate(self._path, len(raw) - len(rest))
        try:
            for line in whole.splitlines():
                self._take(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as err:
            raise InputError(
                f"{self._path} is damaged: {err}; take the broken line out, or begin in another folder"
            ) from err

    def _take(self, row: Mapping[str, Any]) -> None:
        calls = tuple(ToolCall(**call) for call in row["calls"])
        named = {name: row[name] for name in ("text", "model", "prompt_tokens", "completion_tokens", "is_truncated")}
        completion = Completion(calls=calls, **named)
        self._said[row["key"]] = completion
        self._ms[row["key"]] = row["ms"]
        used = Usage(1, completion.prompt_tokens, completion.completion_tokens)
        self._spent[row["asked"]] = self._spent.get(row["asked"], Usage()) + used


class TapedLLM:
    """A model behind a tape.  `complete` may also raise Forbidden: the run's budget is used up.

    `repetition` tells apart the runs of a question that is asked several times on purpose, such as a judge's.
    `usage` counts what was said to this object, remembered or not: what it would cost alone.
    """

    def __init__(
        self,
        llm: LLM,
        tape: Tape,
        *,
        limits: Limits | None = None,
        prices: Mapping[str, Price] | None = None,
        concurrency: int = 1,
        repetition: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.usage = Usage()
        self.waited_ms = (0.0, 0.0)  # by this object: in `complete`, and what the same calls took when they were made
        self._llm = llm
        self._tape = tape
        self._limits = limits or Limits()
        self._prices = prices or {}
        self._concurrency = concurrency
        self._repetition = repetition
        self._clock = clock
        self._sleep = sleep
        self._pace = threading.Lock()  # guards the next line
        self._free_at = 0.0

    @property
    def model(self) -> str:
        """The name of the model within."""
        return self._llm.model

    def repeated(self, repetition: int) -> TapedLLM:
        """Return the same model for another repetition of the same questions."""
        return TapedLLM(
            self._llm, self._tape, limits=self._limits, prices=self._prices, concurrency=self._concurrency,
            repetition=repetition, clock=self._clock, sleep=self._sleep,
        )  # fmt: skip

    def took(self, prompt: Prompt) -> float:
        """Return how many milliseconds the model took for a prompt that `complete` has answered, whenever it was."""
        return self._tape.took(self._key(prompt))

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return one completion per prompt, in order; each new one is on the disk before the next is asked for."""
        begun = self._clock()
        keys = [self._key(prompt) for prompt in prompts]
        asked = dict(zip(keys, prompts, strict=True))  # an equal prompt is asked once
        if self._concurrency > 1 and len(asked) > 1:
            with ThreadPoolExecutor(self._concurrency) as threads:
                said = list(threads.map(self._one, asked.keys(), asked.values()))
        else:
            said = [self._one(key, prompt) for key, prompt in asked.items()]
        of = dict(zip(asked, said, strict=True))
        found = [of[key] for key in keys]
        for completion in found:
            self.usage += Usage(1, completion.prompt_tokens, completion.completion_tokens)
        now, then = self.waited_ms
        self.waited_ms = (now + 1000 * (self._clock() - begun), then + sum(map(self._tape.took, asked)))
        return found

    def charged(self, other: TapedLLM, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return another's completions; what they took counts with this one's calls."""
        before, (now, then) = other.usage, other.waited_ms
        found = other.complete(prompts)
        used, waited = other.usage, other.waited_ms
        self.usage += Usage(
            used.llm_calls - before.llm_calls,
            used.prompt_tokens - before.prompt_tokens,
            used.completion_tokens - before.completion_tokens,
        )
        self.waited_ms = (self.waited_ms[0] + waited[0] - now, self.waited_ms[1] + waited[1] - then)
        return found

    def _one(self, key: str, prompt: Prompt) -> Completion:
        held = self._tape.get(key)
        if held is not None:
            return held
        self._check()
        self._wait()
        begun = self._clock()
        [completion] = self._llm.complete([prompt])
        completion = _counted(prompt, completion)
        self._tape.put(key, prompt, self.model, completion, 1000 * (self._clock() - begun))
        return completion

    def _key(self, prompt: Prompt) -> str:
        asked = json.dumps([self.model, self._repetition, astuple(prompt)], sort_keys=True, default=str)
        return sha256(asked.encode()).hexdigest()[:32]

    def _check(self) -> None:
        spent = self._tape.spent
        total = sum(spent.values(), Usage())
        tokens = total.prompt_tokens + total.completion_tokens
        if self._limits.tokens is not None and tokens >= self._limits.tokens:
            raise Forbidden(
                f"the run has used {tokens:,} tokens of {self._limits.tokens:,}; what was said is kept: go on with "
                "--resume and a higher --max-tokens"
            )
        if self._limits.usd is None:
            return
        costs = [usage_cost(usage, model, self._prices) for model, usage in {self.model: Usage(), **spent}.items()]
        if any(cost is None for cost in costs):
            raise Forbidden(
                f"the price of {self.model} is not known, so that a budget in dollars cannot be kept; name it in the "
                "file of the setting 'prices', or give --max-tokens instead"
            )
        cost = sum(cost for cost in costs if cost is not None)
        if cost >= self._limits.usd:
            raise Forbidden(
                f"the run has cost {cost:.2f} of {self._limits.usd:.2f} dollars; what was said is kept: go on with "
                "--resume and a higher --max-usd"
            )

    def _wait(self) -> None:
        """Wait until the next call is due, where the pace is limited."""
        if not self._limits.calls_per_minute:
            return
        with self._pace:
            now = self._clock()
            at = max(now, self._free_at)
            self._free_at = at + 60 / self._limits.calls_per_minute
        if at > now:
            self._sleep(at - now)


def _counted(prompt: Prompt, completion: Completion) -> Completion:
    """Return the completion with its tokens, estimated where the endpoint did not count them."""
    if completion.prompt_tokens and completion.completion_tokens:
        return completion
    asked = prompt.system + "\n".join(turn.content for turn in prompt.turns)
    said = completion.text + "".join(call.arguments for call in completion.calls)
    return Completion(
        completion.text,
        completion.calls,
        completion.model,
        completion.prompt_tokens or count_tokens(asked),
        completion.completion_tokens or count_tokens(said),
        completion.is_truncated,
    )
