"""MemoryBank: turns and summaries of days that fade as Ebbinghaus has it.  After Zhong et al., arXiv 2305.10250."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby

from perdure.evaluation.conversation import Conversation
from perdure.evaluation.systems.dense import DenseIndex
from perdure.evaluation.systems.packaged import Count
from perdure.evaluation.systems.prompted import written
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.evaluation.systems.transcript import line, transcript
from perdure.ports import LLM, Embedder
from perdure.when import describe

RECALLED = 3  # pieces that a turn calls to mind while the conversation goes on (chosen)
STRENGTH_DAYS = 5.0  # of one unit of strength: the released code has exp(-t / 5S), t in days
_DAY_S = 86_400.0


@dataclass(slots=True)
class _Piece:
    """A turn, or the summary of a day (without an id), how often it was recalled, and when last."""

    text: str
    turn: str | None
    recalled_at: datetime
    strength: int = 1

    def retention(self, now: datetime) -> float:
        """Return e^(-t/S), the share that is remembered."""
        days = max(0.0, (now - self.recalled_at).total_seconds() / _DAY_S)
        return math.exp(-days / (STRENGTH_DAYS * self.strength))

    def is_kept(self, now: datetime) -> bool:
        """True if it is remembered: the paper draws; here the text is the lot, so that a run can be repeated."""
        lot = int.from_bytes(sha256(f"{self.turn} {self.text}".encode("utf-8", "surrogatepass")).digest()[:8], "big")
        return lot / 2**64 < self.retention(now)


class MemoryBank:
    """A summary of each day, one of all with what each person is like, and pieces found by cosine.

    Each turn calls the nearest pieces of earlier days to mind, which strengthens them; at the end of the conversation
    what has faded is forgotten.  The last day's pieces have not faded.
    """

    name = "memorybank"

    def __init__(self, embedder: Embedder, llm: LLM, count: Count) -> None:
        self._embedder = embedder
        self._llm = llm
        self._count = count
        self._pieces: list[_Piece] = []
        self._portrait = ""
        self._index = DenseIndex(embedder, [])

    def ingest(self, conversation: Conversation) -> None:
        """Store every day, sum it up, and forget.  Raises BadCompletion where a summary is missing."""
        self.reset()
        days: list[str] = []
        for _, grouped in groupby(conversation.turns, key=lambda turn: turn.at.date()):
            turns = list(grouped)
            self._recall([(turn.text, turn.at) for turn in turns])
            summary = written(self._llm, "memorybank_day", lines=transcript(turns))
            days.append(f"{describe(turns[0].at, 'day')}: {' '.join(summary.split())}")
            self._pieces += [_Piece(line(turn), turn.id, turn.at) for turn in turns]
            self._pieces.append(_Piece(days[-1], None, turns[-1].at))
            self._index = DenseIndex(self._embedder, [piece.text for piece in self._pieces])
        self._portrait = written(self._llm, "memorybank_all", summaries="\n".join(days))
        self._pieces = [piece for piece in self._pieces if piece.is_kept(conversation.now)]
        self._index = DenseIndex(self._embedder, [piece.text for piece in self._pieces])

    def _recall(self, said: Sequence[tuple[str, datetime]]) -> None:
        """Strengthen what each turn calls to mind."""
        for text, at in said:
            for place, _ in self._index.rank(text, k=RECALLED):
                piece = self._pieces[place]
                if piece.is_kept(at):
                    piece.strength += 1
                    piece.recalled_at = at

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the summary of all and the k nearest pieces that are remembered, for each question."""
        return [self._one(question, k) for question in questions]

    def _one(self, question: str, k: int) -> Retrieved:
        nearest = self._index.rank(question, k=k)
        pieces = [self._pieces[place] for place, _ in nearest]
        context = "\n".join([self._portrait, *(piece.text for piece in pieces)])
        turns = tuple(piece.turn for piece in pieces if piece.turn is not None)
        return Retrieved(turns, nearest[0][1] if nearest else None, context)

    def held(self) -> Held:
        """Return what it wrote and still remembers: the summaries."""
        texts = [piece.text for piece in self._pieces if piece.turn is None]
        texts += [self._portrait] if self._portrait else []
        return Held(len(texts), self._count("\n".join(texts)))

    def reset(self) -> None:
        """Forget everything."""
        self._pieces, self._portrait = [], ""
        self._index = DenseIndex(self._embedder, [])
