"""Public doubles: a scripted model, an embedder of hashes, a clock and ids that repeat.

They are for tests, yours included, and hold to the contracts of `ports`.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from perdure.errors import ProviderError
from perdure.models import Completion, Prompt, Role, ToolCall
from perdure.text import count_tokens, terms

if TYPE_CHECKING:
    from perdure.models import FloatArray

Reply = str | Mapping[str, Any] | Completion | Exception
Script = Sequence[Reply] | Callable[[Prompt], Reply]


class ScriptedLLM:
    """A model that says what the script says, and keeps every prompt it was given in `prompts`.

    The script is a list of replies, one per prompt in order, or a function of the prompt.
    A mapping becomes a call of the prompt's first tool (or of the tool named under "tool", with "arguments");
    a string becomes plain text; a Completion is given as it is; an exception is raised.
    Raises ProviderError when a list has run out.
    """

    def __init__(self, script: Script, *, model: str = "scripted") -> None:
        self.model = model
        self.prompts: list[Prompt] = []
        self._next = script if callable(script) else self._from(iter(script))

    @staticmethod
    def _from(replies: Any) -> Callable[[Prompt], Reply]:
        def following(prompt: Prompt) -> Reply:
            try:
                reply: Reply = next(replies)
            except StopIteration:
                raise ProviderError(f"the script has no reply left for the prompt {prompt.name!r}") from None
            return reply

        return following

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return the script's replies, with token counts by the estimator of `text`."""
        return [self._one(prompt) for prompt in prompts]

    def _one(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        reply = self._next(prompt)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Completion):
            return reply
        asked = prompt.system + "".join(turn.content for turn in prompt.turns)
        asked += "".join(tool.description + json.dumps(tool.schema) for tool in prompt.tools)
        text = ""
        calls: tuple[ToolCall, ...] = ()
        if isinstance(reply, str):
            text = reply
        elif set(reply) == {"tool", "arguments"}:
            calls = (ToolCall(reply["tool"], json.dumps(reply["arguments"])),)
        else:
            calls = (ToolCall(prompt.tools[0].name, json.dumps(dict(reply))),)
        said = text + "".join(call.arguments for call in calls)
        return Completion(text, calls, self.model, count_tokens(asked), count_tokens(said))


class HashEmbedder:
    """An embedder without weights: each sparse term adds one of ±1 in a place given by its hash.

    The cosine of two texts is then about their share of common terms: equal texts have 1, texts without a common
    term about 0.  Repeatable on every machine.  It covers every script.
    """

    def __init__(self, dimensions: int = 256, *, floor: float = 0.3) -> None:
        self.model = f"hash-{dimensions}"
        self.dimensions = dimensions
        self.floor = floor

    def covers(self, text: str) -> bool:
        """Return True: hashes know no script."""
        return True

    def embed(self, texts: Sequence[str], role: Role) -> FloatArray:
        """Return shape (len(texts), dimensions), float32, unit rows; the first axis for a text without terms."""
        import numpy as np

        matrix = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(matrix, texts, strict=True):
            for term, frequency in terms(text).items():
                number = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "big")
                row[number // 2 % self.dimensions] += (1 if number % 2 else -1) * math.sqrt(frequency)
            length = float(np.linalg.norm(row))
            if length == 0.0:
                row[0] = length = 1.0
            np.divide(row, length, out=row)
        return matrix


class FixedClock:
    """A clock that stands where it was set until it is moved."""

    def __init__(self, at: datetime = datetime(2024, 1, 1, tzinfo=UTC)) -> None:
        self.at = at

    def now(self) -> datetime:
        """Return the time it was set to."""
        return self.at

    def move(self, by: timedelta | datetime) -> None:
        """Move by a duration, or to a time."""
        self.at = by if isinstance(by, datetime) else self.at + by


class CountingIds:
    """Ids in order: id-1, id-2, ..."""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix = prefix
        self._numbers = itertools.count(1)

    def new(self) -> str:
        """Return the next id."""
        return f"{self._prefix}-{next(self._numbers)}"
