"""LoCoMo's own retrieval: the observations that ship with it, each with the turn it comes from, ranked by cosine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from perdure.errors import InputError
from perdure.evaluation.conversation import Conversation
from perdure.evaluation.datasets.files import data_folder, read_lines, shaped
from perdure.evaluation.datasets.locomo import SOURCE, parse_time
from perdure.evaluation.systems.dense import DenseIndex
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.ports import Embedder
from perdure.when import describe


class Observations:
    """Facts that a model wrote from each session for the authors of LoCoMo; nothing is extracted here."""

    name = "observations"

    def __init__(self, embedder: Embedder, count: Callable[[str], int], path: Path | None = None) -> None:
        path = path or data_folder() / "facts_locomo" / "locomo_observations.dev.jsonl.gz"
        rows = read_lines(path, source=SOURCE)
        self._all: dict[str, list[tuple[str, str]]] = {}

        def take() -> None:
            for row in rows:
                text = f"{describe(parse_time(row['date_time']), 'day')}: {row['fact']}"
                evidence = row["evidence"]
                self._all.setdefault(row["sample_id"], []).append(
                    (text, evidence if isinstance(evidence, str) else evidence[0])
                )

        shaped(path, "LoCoMo's observations", take)
        self._embedder = embedder
        self._count = count
        self._facts: list[tuple[str, str]] = []
        self._index = DenseIndex(embedder, [])

    def ingest(self, conversation: Conversation) -> None:
        """Embed the observations of this conversation.  Raises InputError where there are none."""
        if conversation.id not in self._all:
            raise InputError(
                f"there are no observations of {conversation.id}; only LoCoMo's own conversations have some"
            )
        self._facts = self._all[conversation.id]
        self._index = DenseIndex(self._embedder, [text for text, _ in self._facts])

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the k nearest observations for each question, by the turns that they name."""
        return [self._one(question, k) for question in questions]

    def _one(self, question: str, k: int) -> Retrieved:
        nearest = self._index.rank(question, k=k)
        turns = dict.fromkeys(self._facts[place][1] for place, _ in nearest)
        context = "\n".join(self._facts[place][0] for place in sorted(place for place, _ in nearest))
        return Retrieved(tuple(turns), nearest[0][1] if nearest else None, context)

    def held(self) -> Held:
        """Return the observations of the conversation."""
        return Held(len(self._facts), self._count("\n".join(text for text, _ in self._facts)))

    def reset(self) -> None:
        """Forget the conversation."""
        self._facts, self._index = [], DenseIndex(self._embedder, [])
