"""mem0ai as its package has it, with its embedded store: the extra `mem0`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from perdure.errors import ProviderError
from perdure.evaluation.conversation import Conversation
from perdure.evaluation.systems.packaged import Asked, Count, dated, imported, sessions, vectors
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.evaluation.systems.transcript import line
from perdure.models import Role
from perdure.ports import LLM, Embedder
from perdure.when import describe

_DATES = re.compile(r"(## (?:Observation|Current) Date\n)\S+")
_ALL = 10_000  # memories of one listing: more than any conversation yields (chosen)


class Mem0:
    """Sessions added in order, each line with its date and speaker; search as it is by default, with the run's k.

    Its keyword channel and entity boosts come with more packages (fastembed, spaCy); where they are not installed it
    searches by vectors alone.  Left to itself it takes today for the day of every conversation; it is told the
    session's, as its hosted service would be.  It keeps no source of a memory that a turn could be found by.
    """

    name = "mem0"

    def __init__(self, embedder: Embedder, llm: LLM, count: Count) -> None:
        os.environ.setdefault("MEM0_TELEMETRY", "False")  # else it reports home, from the import on
        self._make = imported("mem0", system="mem0").Memory.from_config
        self._failure = imported("mem0.exceptions", system="mem0").LLMError
        self._embedder = embedder
        self._asked = Asked(llm, "mem0ai")
        self._count = count
        self._memory: Any = None
        self._files: TemporaryDirectory[str] | None = None
        self._scope: dict[str, str] = {}
        self._today = ""

    def ingest(self, conversation: Conversation) -> None:
        """Add the conversation, session by session.  Raises what the run's model raises."""
        self.reset()
        self._asked.forget()
        self._scope = {"user_id": conversation.id}
        self._memory = self._opened()
        for turns in sessions(conversation):
            messages = [{"role": turn.role, "content": line(turn)} for turn in turns]
            self._today = turns[0].at.date().isoformat()
            try:
                self._memory.add(messages, **self._scope, metadata={"day": describe(turns[0].at, "day")})
            except self._failure as err:
                raise self._asked.failure or ProviderError(f"mem0 could not take in {conversation.id}: {err}") from err

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the k memories that it finds for each question, each with its session's day."""
        return [self._one(question, k) for question in questions]

    def _one(self, question: str, k: int) -> Retrieved:
        found = self._memory.search(question, filters=dict(self._scope), top_k=k)["results"]
        context = dated((one["metadata"]["day"], one["memory"]) for one in found)
        return Retrieved((), float(found[0]["score"]) if found else None, context, is_ranked=False)

    def held(self) -> Held:
        """Return its memories of the conversation."""
        found = self._memory.get_all(filters=dict(self._scope), top_k=_ALL)["results"]
        return Held(len(found), self._count("\n".join(one["memory"] for one in found)))

    def reset(self) -> None:
        """Close its store and remove its files."""
        if self._memory is not None:
            self._memory.vector_store.client.close()
            self._memory.close()
            self._memory = None
        if self._files is not None:
            self._files.cleanup()
            self._files = None

    def _opened(self) -> Any:
        self._files = TemporaryDirectory(prefix="perdure-eval-mem0-")
        folder = Path(self._files.name)
        dimensions = self._embedder.dimensions
        qdrant = {"path": str(folder / "qdrant"), "embedding_model_dims": dimensions, "on_disk": True}
        memory = self._make(
            {
                "vector_store": {"provider": "qdrant", "config": qdrant},
                "llm": {"provider": "openai", "config": {"api_key": "none"}},  # made, and never asked
                "embedder": {"provider": "openai", "config": {"api_key": "none", "embedding_dims": dimensions}},
                "history_db_path": str(folder / "history.db"),
            }
        )
        memory.llm = SimpleNamespace(generate_response=self._say, config=memory.llm.config)
        memory.embedding_model = SimpleNamespace(
            embed=lambda text, action=None: self._embed([text], action)[0],
            embed_batch=self._embed,
            config=SimpleNamespace(embedding_dims=dimensions),
        )
        return memory

    def _embed(self, texts: Sequence[str], action: str | None = None) -> list[list[float]]:
        return vectors(self._embedder, texts, Role.QUERY if action == "search" else Role.DOCUMENT)

    def _say(self, messages: Sequence[dict[str, str]], **_: Any) -> str:
        said = [(message["role"], message["content"]) for message in messages]
        return self._asked.ask([(role, _DATES.sub(rf"\g<1>{self._today}", text)) for role, text in said]).text
