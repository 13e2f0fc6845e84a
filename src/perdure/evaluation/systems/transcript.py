"""How a conversation is written out for a model: a line a turn, dated in the form that perdure's own contexts have.

Another form of the dates would cost the others gold-token coverage, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from perdure.evaluation.conversation import Turn
from perdure.text import spoken
from perdure.when import describe


def line(turn: Turn) -> str:
    """Return a turn on one line.

    >>> from datetime import UTC, datetime
    >>> line(Turn("1", "Ana", "I moved.", datetime(2024, 5, 8, 9, 5, tzinfo=UTC)))
    '8 May 2024 09:05 Ana: I moved.'
    """
    said = " ".join(spoken(turn.speaker, turn.text).split())
    return f"{describe(turn.at, 'day')} {turn.at:%H:%M} {said}"


def transcript(turns: Sequence[Turn]) -> str:
    """Return the turns, a line each, in order."""
    return "\n".join(line(turn) for turn in turns)
