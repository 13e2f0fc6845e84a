"""perdure itself, through its verbs: add a session, search, pack; under each policy, or verbatim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from perdure.errors import ProviderError
from perdure.evaluation.conversation import Conversation, Turn
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.memory import Memory
from perdure.models import GraphMode, Hit, Include, MemoryRecord, Policy, SearchResult
from perdure.ports import LLM, Embedder
from perdure.providers.fakes import CountingIds, FixedClock
from perdure.read.pack import entry, pack
from perdure.settings import Settings

Writes = Policy | Literal["verbatim"]
Shows = Literal["found", "all"]
PAGE = 1000  # memories of one listing


class Remembering:
    """A memory of its own for each conversation, in a file: one store for both speakers, sessions added in order.

    The paper gives each speaker a store and shows both; here facts name their speaker instead.
    policy: as `Memory` has it, or "verbatim": messages are stored and nothing is extracted.
    Clock and ids repeat, so that after a kill the same prompts come again.
    shows: "found" (what a search returns, packed), or "all" (every memory, whatever is asked).
    """

    def __init__(
        self,
        name: str,
        *,
        policy: Writes,
        embedder: Embedder | None,
        llm: LLM | None,
        settings: Settings,
        count: Callable[[str], int],
        budget_tokens: int,
        include: Sequence[Include] = ("memories", "messages"),
        shows: Shows = "found",
    ) -> None:
        self.name = name
        self._k: int | None = None  # in place of the run's, in a study of k
        self._graph: GraphMode = "joint"
        self._policy = policy
        self._embedder = embedder
        self._llm = None if policy == "verbatim" else llm
        self._settings = replace(settings, jobs="manual", remembered_completions=0, llm=None)
        self._count = count
        self._budget_tokens = budget_tokens
        self._include = tuple(include)
        self._shows = shows
        self._memory: Memory | None = None
        self._clock = FixedClock()
        self._run = ""
        self._all: Retrieved | None = None
        self._files: TemporaryDirectory[str] | None = None

    def vary(
        self, name: str, *, k: int | None = None, graph: GraphMode | None = None, include: Sequence[Include] = ()
    ) -> None:
        """Change what is given before anything is taken in, and the name with it."""
        self.name = name
        self._k = k
        self._graph = graph or self._graph
        self._include = tuple(include) or self._include

    def ingest(self, conversation: Conversation) -> None:
        """Add the conversation, session by session, and let the jobs of each be done.

        Raises ProviderError where a session could not be extracted whole, Forbidden where a budget is used up.
        """
        self.reset()
        self._clock.move(conversation.now)
        self._run = conversation.id
        memory = self._opened()
        for session, turns in groupby(conversation.turns, key=lambda turn: turn.session):
            result = memory.add([_given(turn) for turn in turns], run=self._run, infer=self._policy != "verbatim")
            if result.status != "done":
                why = result.warnings[-1].detail if result.warnings else result.status
                raise ProviderError(f"{self.name} could not take in session {session} of {conversation.id}: {why}")
            memory.flush()

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return what a search of k hits finds for each question, by the turns that the hits come from."""
        if self._shows == "all":
            self._all = self._all or self._everything()
            return [self._all] * len(questions)
        found = self._opened().search(questions, run=self._run, k=self._k or k, include=self._include, validity="all")
        return [self._packed(result) for result in found]

    def _packed(self, result: SearchResult) -> Retrieved:
        """Return what of a result fits the budget, in the order of its rank."""
        packed = pack(result.hits, budget_tokens=self._budget_tokens, count=self._count, now=self._clock.now())
        kept = {hit.id for hit in packed.hits}
        return Retrieved(_sources([hit for hit in result if hit.id in kept]), result.confidence, packed.text)

    def held(self) -> Held:
        """Return the memories that hold now."""
        records = self._records()
        return Held(len(records), self._count("\n".join(record.text for record in records)))

    def reset(self) -> None:
        """Close the memory."""
        if self._memory is not None:
            self._memory.close()
            self._memory = self._all = None
        if self._files is not None:
            self._files.cleanup()
            self._files = None

    def _opened(self) -> Memory:
        if self._memory is not None:
            return self._memory
        policy: Policy = "consolidate" if self._policy == "verbatim" else self._policy
        self._files = TemporaryDirectory(prefix="perdure-eval-")
        self._memory = Memory(
            Path(self._files.name) / "memory.db",
            llm=self._llm,
            embedder=self._embedder or "none",
            policy=policy,
            graph=self._graph,
            tenant="evaluation",
            clock=self._clock,
            ids=CountingIds(),
            settings=self._settings,
        )
        return self._memory

    def _records(self) -> list[MemoryRecord]:
        memory, cursor, found = self._opened(), None, list[MemoryRecord]()
        while True:
            page = memory.list(run=self._run, order="valid", limit=PAGE, cursor=cursor)
            found.extend(page.items)
            cursor = page.cursor
            if cursor is None:
                return found

    def _everything(self) -> Retrieved:
        records = self._records()
        turns = dict.fromkeys(source.message_id for r in records for source in r.sources if source.message_id)
        now = self._clock.now()
        hits = [Hit("memory", r.id, r.text, 0.0, r.valid_from or r.recorded_at, memory=r) for r in records]
        return Retrieved(tuple(turns), None, "\n".join(entry(hit, now=now) for hit in hits), is_ranked=False)


def _given(turn: Turn) -> dict[str, object]:
    named = {} if turn.speaker == turn.role else {"name": turn.speaker}
    return {"role": turn.role, "content": turn.text, "at": turn.at, "id": turn.id, **named}


def _sources(hits: Sequence[Hit]) -> tuple[str, ...]:
    """Return the turns behind the hits, each once: a message's own, a memory's sources."""
    found: dict[str, None] = {}
    for hit in hits:
        if hit.message is not None:
            found[hit.message.public_id] = None
        elif hit.memory is not None:
            found.update(dict.fromkeys(source.message_id for source in hit.memory.sources if source.message_id))
    return tuple(found)
