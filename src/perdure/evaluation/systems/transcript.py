"""How a conversation is written out for a model: dated lines, the same for every system that shows raw turns."""

from __future__ import annotations

from collections.abc import Sequence

from perdure.evaluation.conversation import Turn
from perdure.text import spoken


def line(turn: Turn) -> str:
    """Return a turn on one line.

    >>> from datetime import UTC, datetime
    >>> line(Turn("1", "Ana", "I moved.", datetime(2024, 5, 8, 9, 5, tzinfo=UTC)))
    '2024-05-08 09:05 Ana: I moved.'
    """
    return f"{turn.at:%Y-%m-%d %H:%M} {' '.join(spoken(turn.speaker, turn.text).split())}"


def transcript(turns: Sequence[Turn]) -> str:
    """Return the turns, a line each, in order."""
    return "\n".join(line(turn) for turn in turns)
