"""RAG over the raw conversation: chunks of at most so many tokens, the nearest one or two before the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perdure.evaluation.conversation import Conversation, Turn
from perdure.evaluation.systems.dense import DenseIndex
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.evaluation.systems.transcript import line, transcript
from perdure.ports import Embedder

CHUNK_SIZES = (128, 256, 512, 1024, 2048, 4096, 8192)  # Mem0 paper, section 3.3 and Table 2
CUT_OFFS = (1, 2)


class Rag:
    """Chunks of whole turns, at most `chunk_tokens` each (a longer turn is a chunk), ranked by cosine.

    The paper cuts anywhere, within turns too; whole turns give every chunk its evidence, and each line its date.
    `chunks` of them are shown, whatever k is.  The packaged embedder reads the first 256 tokens of a chunk alone:
    larger chunks are fair only with an embedder that reads them whole.
    """

    def __init__(self, embedder: Embedder, count: Callable[[str], int], *, chunk_tokens: int, chunks: int) -> None:
        self.name = f"rag-{chunk_tokens}x{chunks}"
        self._embedder = embedder
        self._count = count
        self._chunk_tokens = chunk_tokens
        self._shown = chunks
        self._chunks: list[list[Turn]] = []
        self._index = DenseIndex(embedder, [])

    def ingest(self, conversation: Conversation) -> None:
        """Cut and embed the conversation."""
        self._chunks = cut(conversation.turns, self._count, chunk_tokens=self._chunk_tokens)
        self._index = DenseIndex(self._embedder, [transcript(chunk) for chunk in self._chunks])

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the turns of the nearest chunks for each question; the context has them in the order of the talk."""
        return [self._one(question) for question in questions]

    def _one(self, question: str) -> Retrieved:
        nearest = self._index.rank(question, k=self._shown)
        turns = [turn.id for place, _ in nearest for turn in self._chunks[place]]
        context = "\n\n".join(transcript(self._chunks[place]) for place in sorted(place for place, _ in nearest))
        return Retrieved(tuple(turns), nearest[0][1] if nearest else None, context)

    def held(self) -> Held:
        """Return nothing: it keeps no facts of its own."""
        return Held()

    def reset(self) -> None:
        """Forget the conversation."""
        self._chunks, self._index = [], DenseIndex(self._embedder, [])


def cut(turns: Sequence[Turn], count: Callable[[str], int], *, chunk_tokens: int) -> list[list[Turn]]:
    """Return the turns in runs whose lines take at most so many tokens together, in order; none is empty."""
    chunks: list[list[Turn]] = []
    size = 0
    for turn in turns:
        tokens = count(line(turn) + "\n")
        if not chunks or size + tokens > chunk_tokens:
            chunks.append([])
            size = 0
        chunks[-1].append(turn)
        size += tokens
    return chunks
