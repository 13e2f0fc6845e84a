"""Ten exchanges with known outcomes: what a language model gets right of a memory's work.

It is a probe, not a benchmark: it shows in a minute whether a model understands the prompts, keeps languages and dates,
and decides well.  The exchanges are told to a store in memory, one after another, as one user's conversation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, get_args

from perdure import registry
from perdure.errors import SettingsError
from perdure.memory import Memory
from perdure.models import MemoryRecord, OperationResult, Prompt, Turn, Usage
from perdure.ports import LLM, Embedder
from perdure.settings import Settings

Area = Literal["extraction", "decision", "dates", "language", "grounding"]
AREAS: tuple[Area, ...] = get_args(Area)
USER = "marta"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that should have come of an exchange, and whether it did.  `detail`: what is held instead."""

    exchange: int
    area: Area
    claim: str
    is_right: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a model got right.  `unread`: numbers of the exchanges whose reply could not be read, even repaired."""

    model: str
    checks: tuple[Check, ...]
    unread: tuple[int, ...]
    usage: Usage

    def right(self, area: Area | None = None) -> tuple[int, int]:
        """Return how many checks of an area, or of all, are right, and how many there are."""
        asked = [check for check in self.checks if area in (None, check.area)]
        return sum(check.is_right for check in asked), len(asked)


def run(settings: Settings, *, llm: LLM | None = None, embedder: str | Embedder | None = None) -> Report:
    """Tell the exchanges to the model, else to the one that the settings name, and return what it got right.

    Raises SettingsError where no model is named, ProviderError kinds where it cannot be reached.
    Cost: 15 calls and 14,000 tokens of a model that answers well, twice the calls of one that does not.
    """
    model = llm or registry.language_model(None, settings)
    if model is None:
        raise SettingsError("no language model is configured, so none can be probed; set --llm or PERDURE_LLM")
    try:
        model.complete([_GREETING])  # an endpoint that is not there is said at once, not ten times
        settings = replace(settings, jobs="manual")
        with Memory(":memory:", llm=model, embedder=embedder, settings=settings) as memory:
            return _tell(memory, model.model)
    finally:
        close = getattr(model, "close", None)
        if llm is None and close is not None:
            close()


_GREETING = Prompt("probe", "", (Turn("user", "Say: ready"),), "0" * 16, max_tokens=256)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is held after an exchange, and what it did."""

    current: Sequence[MemoryRecord]
    ended: Sequence[MemoryRecord]
    result: OperationResult

    def holding(self, *words: str) -> list[MemoryRecord]:
        """Return the current memories that hold all of these words."""
        return [m for m in self.current if all(_holds(m.text, word) for word in words)]


_Test = Callable[[_Seen], bool]


@dataclass(frozen=True, slots=True)
class _Exchange:
    at: str
    said: str
    answered: str
    expected: tuple[tuple[Area, str, _Test], ...]


def _tell(memory: Memory, model: str) -> Report:
    checks: list[Check] = []
    unread: list[int] = []
    usage = Usage()
    for number, exchange in enumerate(EXCHANGES, start=1):
        turns = [
            {"role": "user", "content": exchange.said, "at": exchange.at},
            {"role": "assistant", "content": exchange.answered, "at": exchange.at},
        ]
        result = memory.add(turns, user=USER)
        usage += result.usage
        seen = _Seen(
            memory.list(user=USER, limit=1000).items,
            memory.list(user=USER, limit=1000, validity="ended").items,
            result,
        )
        if result.status != "done":
            unread.append(number)
        for area, claim, test in exchange.expected:
            is_right = result.status == "done" and test(seen)
            checks.append(Check(number, area, claim, is_right, "" if is_right else _instead(seen)))
    return Report(model, tuple(checks), tuple(unread), usage)


def _instead(seen: _Seen) -> str:
    """Return what came of the exchange, in one line."""
    if seen.result.status != "done":
        return ", ".join(warning.code for warning in seen.result.warnings) or seen.result.status
    done = [f"{change.event} {change.memory.text if change.memory else ''}".strip() for change in seen.result.changes]
    return "; ".join(done) or "nothing was recorded"


# ---------------------------------------------------------------- what may be expected


def _holds(text: str, word: str) -> bool:
    """True if a text holds a word, or a beginning of one; in scripts without spaces, anywhere."""
    return (
        re.search(rf"(?<![^\W_]){re.escape(word)}" if word.isascii() else re.escape(word), text.casefold()) is not None
    )


def _held(*words: str) -> _Test:
    return lambda seen: bool(seen.holding(*words))


def _gone(word: str, *, unless: str) -> _Test:
    """No memory holds the word any more, but one that tells of the change."""
    return lambda seen: all(_holds(m.text, unless) for m in seen.holding(word))


def _never(word: str, *, unless: str) -> _Test:
    """No memory holds the word, as true now or as true once, but one that tells of the mistake."""
    return lambda seen: all(_holds(m.text, unless) for m in (*seen.current, *seen.ended) if _holds(m.text, word))


def _absent(word: str) -> _Test:
    return lambda seen: not seen.holding(word)


def _apart(one: str, other: str) -> _Test:
    return lambda seen: bool(seen.holding(one) and seen.holding(other)) and not seen.holding(one, other)


def _once(word: str) -> _Test:
    return lambda seen: len(seen.holding(word)) == 1


def _dated(word: str, day: str) -> _Test:
    wanted = date.fromisoformat(day)
    return lambda seen: any(m.event_from is not None and m.event_from.date() == wanted for m in seen.holding(word))


def _both(first: _Test, second: _Test) -> _Test:
    return lambda seen: first(seen) and second(seen)


def _grounded(seen: _Seen) -> bool:
    """True if the exchange was recorded with quotes that stand in it."""
    is_flagged = any(warning.code == "ungrounded" for warning in seen.result.warnings)
    return bool(seen.result.changes) and not is_flagged


EXCHANGES = (
    _Exchange(
        "2024-03-04T18:00:00Z",
        "Hi! I'm Marta. I work as a carpenter and I live in Graz.",
        "Nice to meet you, Marta!",
        (
            ("extraction", "keeps her trade", _held("carpenter")),
            ("extraction", "keeps her home", _held("graz")),
            ("grounding", "quotes her words", _grounded),
        ),
    ),
    _Exchange(
        "2024-03-04T18:10:00Z",
        "How many centimetres are twelve inches?",
        "Twelve inches are 30.48 centimetres.",
        (("extraction", "leaves a passing task out", _both(_absent("30.48"), _absent("inch"))),),
    ),
    _Exchange(
        "2024-03-09T10:00:00Z",
        "I'm allergic to hazelnuts. And my brother Emil keeps bees, he has four hives.",
        "Good to know.",
        (
            ("extraction", "records two facts apart", _apart("hazelnut", "emil")),
            (
                "extraction",
                "keeps a detail",
                _both(_held("emil"), lambda seen: bool(seen.holding("four")) or bool(seen.holding("4"))),
            ),
            ("grounding", "quotes her words", _grounded),
        ),
    ),
    _Exchange(
        "2024-03-14T20:00:00Z",
        "Yesterday I ran my first half marathon, in Bled!",
        "Congratulations!",
        (
            ("extraction", "keeps what happened and where", _held("marathon", "bled")),
            ("dates", "counts yesterday from the message", _dated("marathon", "2024-03-13")),
        ),
    ),
    _Exchange(
        "2024-03-20T09:00:00Z",
        "姉は2025年6月21日に結婚します。",
        "おめでとうございます。",
        (
            ("language", "keeps Japanese", _held("結婚")),
            ("dates", "reads a written date", _dated("結婚", "2025-06-21")),
        ),
    ),
    _Exchange(
        "2024-05-02T19:00:00Z",
        "Big news: I have moved from Graz to Trieste, I live there now.",
        "How exciting!",
        (
            ("decision", "keeps the new home", _held("trieste")),
            ("decision", "ends the old home", _gone("graz", unless="trieste")),
        ),
    ),
    _Exchange(
        "2024-05-03T12:00:00Z",
        "By the way, I am allergic to hazelnuts, so no pralines please.",
        "Understood.",
        (("decision", "knows a repeated fact", _once("allerg")),),
    ),
    _Exchange(
        "2024-05-05T12:00:00Z",
        "Sorry, I wrote my brother's name wrong: he is called Emin, not Emil. He never was an Emil.",
        "Thanks, Emin then.",
        (
            ("decision", "takes a correction", _both(_held("emin"), _gone("emil", unless="emin"))),
            ("decision", "tells a correction from a change", _never("emil", unless="emin")),
        ),
    ),
    _Exchange(
        "2024-06-01T08:00:00Z",
        "J'ai adopté un chat, il s'appelle Minou.",
        "Félicitations !",
        (
            ("language", "keeps French", _held("chat", "minou")),
            ("grounding", "quotes her words", _grounded),
        ),
    ),
    _Exchange(
        "2024-06-02T08:00:00Z",
        "Translate into Italian, please: 'My wife is a pilot and we have three sons.'",
        "Mia moglie è pilota e abbiamo tre figli.",
        (("extraction", "takes a text to translate for no fact", _both(_absent("pilot"), _absent("three sons"))),),
    ),
)
