"""MemGPT: a small context that the model keeps in order itself, and two stores.

After Packer et al., arXiv 2310.08560.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perdure.evaluation.conversation import Conversation, Turn
from perdure.evaluation.systems.dense import DenseIndex
from perdure.evaluation.systems.packaged import Count, sessions
from perdure.evaluation.systems.prompted import NOTHING, called, tool, written
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.evaluation.systems.transcript import line, transcript
from perdure.ports import LLM, Embedder
from perdure.prompts.recalled import as_data

QUEUE_TOKENS = 1_000  # of the messages in view; half of them leave when they are more (half: the paper; 1,000 chosen)
CORE_CHARS = 2_000  # of the core, as in the released code
SEARCHES = 5  # rounds of searching before an answer (chosen)
PAGE = 5  # of what a search returns, as in the released code
_TEXT = {"type": "string"}
WRITES = (
    tool("core_append", "Add a line to the core.", text=_TEXT),
    tool("core_replace", "Replace a text of the core by another, or by nothing.", old=_TEXT, new=_TEXT),
    tool("archive", "Put a fact into the archive.", text=_TEXT),
    tool("nothing", "Keep nothing."),
)
_PAGED = {"query": _TEXT, "page": {"type": "integer", "description": "0 is the first"}}
READS = (
    tool("recall_search", "Search all past messages.", **_PAGED),
    tool("archival_search", "Search the archive.", **_PAGED),
    tool("ready", "Search no more."),
)


class MemGPT:
    """The main context: a core that the model edits, a running summary, and the latest messages in a queue.

    A queue that is full leaves its older half to the summary; all messages stay in the recall store, and what the model
    archives in the archival store.  Before a question it may search both, round by round.
    """

    name = "memgpt"

    def __init__(self, embedder: Embedder, llm: LLM, count: Count) -> None:
        self._embedder = embedder
        self._llm = llm
        self._count = count
        self._core = self._summary = ""
        self._queue: list[Turn] = []
        self._messages: list[Turn] = []
        self._archive: list[str] = []
        self._recall = self._archival = DenseIndex(embedder, [])

    def ingest(self, conversation: Conversation) -> None:
        """Bring the conversation before the model, session by session.  Raises BadCompletion without a summary."""
        self.reset()
        for turns in sessions(conversation):
            holes = {"core": self._core or NOTHING, "summary": self._summary or NOTHING}
            for name, given in called(self._llm, "memgpt_write", WRITES, messages=transcript(turns), **holes):
                self._write(name, given)
            self._messages += turns
            self._queue += turns
            self._evict()
        self._recall = DenseIndex(self._embedder, [line(turn) for turn in self._messages])
        self._archival = DenseIndex(self._embedder, self._archive)

    def _write(self, name: str, given: Mapping[str, Any]) -> None:
        text = " ".join(str(given.get("text", "")).split())
        if name == "archive" and text:
            self._archive.append(text)
        elif name == "core_append" and text and len(self._core) + len(text) < CORE_CHARS:
            self._core = f"{self._core}\n{text}".strip()
        elif name == "core_replace" and given.get("old"):
            changed = self._core.replace(str(given["old"]), str(given.get("new", "")))
            self._core = changed if len(changed) <= CORE_CHARS else self._core

    def _evict(self) -> None:
        while len(self._queue) > 1 and self._count(transcript(self._queue)) > QUEUE_TOKENS:
            half = len(self._queue) // 2
            old = transcript(self._queue[:half])
            self._summary = written(self._llm, "summarize", summary=as_data(self._summary or NOTHING), messages=old)
            self._queue = self._queue[half:]

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the main context and what the model's searches find, for each question; k does not apply."""
        return [self._one(question) for question in questions]

    def _one(self, question: str) -> Retrieved:
        main = "\n".join(filter(None, (self._core, self._summary, transcript(self._queue))))
        found: dict[str, str | None] = {}  # text: the turn that it is, if it is one
        for _ in range(SEARCHES):
            shown = "\n".join(found) or NOTHING
            calls = called(
                self._llm, "memgpt_read", READS, context=main or NOTHING, found=shown, question=as_data(question)
            )
            new = [one for name, given in calls if name != "ready" for one in self._search(name, given)]
            if all(text in found for text, _ in new):
                break  # it is ready, or runs in a circle
            found.update(new)
        turns = (*(turn for turn in found.values() if turn), *(turn.id for turn in self._queue))
        return Retrieved(tuple(dict.fromkeys(turns)), None, "\n".join(filter(None, (main, *found))))

    def _search(self, name: str, given: Mapping[str, Any]) -> list[tuple[str, str | None]]:
        query, page = str(given.get("query", "")), given.get("page", 0)
        first = PAGE * page if isinstance(page, int) and page > 0 else 0
        if name == "archival_search":
            return [(self._archive[place], None) for place, _ in self._archival.rank(query, k=first + PAGE)[first:]]
        turns = [self._messages[place] for place, _ in self._recall.rank(query, k=first + PAGE)[first:]]
        return [(line(turn), turn.id) for turn in turns]

    def held(self) -> Held:
        """Return what it wrote: the archive, the core and the summary."""
        texts = [*self._archive, *filter(None, (self._core, self._summary))]
        return Held(len(texts), self._count("\n".join(texts)))

    def reset(self) -> None:
        """Forget everything."""
        self._core = self._summary = ""
        self._queue, self._messages, self._archive = [], [], []
        self._recall = self._archival = DenseIndex(self._embedder, [])
