"""graphiti-core as its package has it, over Kuzu in a file: the extra `graphiti`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perdure.errors import BadCompletion
from perdure.evaluation.conversation import Conversation
from perdure.evaluation.systems.packaged import Asked, Count, dated, imported, sessions, vectors
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.evaluation.systems.transcript import line
from perdure.models import Role
from perdure.ports import LLM, Embedder
from perdure.prompts.lenient import values
from perdure.when import describe


class Graphiti:
    """A session is an episode at its own time; facts are found by its search of edges, with the run's k.

    Its reranker is a model that scores pairs, which that search does not use.  It keeps no source of a fact finer than
    an episode.
    """

    name = "graphiti"

    def __init__(self, embedder: Embedder, llm: LLM, count: Count) -> None:
        os.environ.setdefault("GRAPHITI_TELEMETRY_ENABLED", "false")  # else it reports home
        self._make = imported("graphiti_core", system="graphiti").Graphiti
        self._driver_of = imported("graphiti_core.driver.kuzu_driver", system="graphiti").KuzuDriver
        self._indices = imported("graphiti_core.graph_queries", system="graphiti").get_fulltext_indices
        self._episode = imported("graphiti_core.nodes", system="graphiti").EpisodeType.message
        self._asked = Asked(llm, "graphiti-core")
        self._clients = {
            "llm_client": _model(self._asked),
            "embedder": _embedder(embedder),
            "cross_encoder": _reranker(),
        }
        self._count = count
        self._runner: asyncio.Runner | None = None
        self._files: TemporaryDirectory[str] | None = None
        self._graph: Any = None
        self._facts: dict[str, str] = {}

    def ingest(self, conversation: Conversation) -> None:
        """Add an episode for each session.  Raises what the run's model raises."""
        self.reset()
        self._asked.forget()
        self._runner = asyncio.Runner()
        self._files = TemporaryDirectory(prefix="perdure-eval-graphiti-")
        driver = self._driver_of(db=str(Path(self._files.name) / "graph"))
        self._graph = self._make(graph_driver=driver, max_coroutines=1, **self._clients)
        for query in self._indices(driver.provider):  # its own set-up leaves out what its search needs of Kuzu
            self._run(driver.execute_query(query))
        for number, turns in enumerate(sessions(conversation)):
            added = self._run(
                self._graph.add_episode(
                    name=f"session {number}",
                    episode_body="\n".join(line(turn) for turn in turns),
                    source_description="a conversation",
                    reference_time=turns[0].at,
                    source=self._episode,
                )
            )
            self._facts.update((edge.uuid, edge.fact) for edge in added.edges)

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the k facts that it finds for each question, each with the day from which it holds."""
        return [self._one(question, k) for question in questions]

    def _one(self, question: str, k: int) -> Retrieved:
        found = self._run(self._graph.search(question, num_results=k))
        context = dated((describe(edge.valid_at, "day") if edge.valid_at else "", edge.fact) for edge in found)
        return Retrieved((), None, context, is_ranked=False)

    def held(self) -> Held:
        """Return the facts that it wrote."""
        return Held(len(self._facts), self._count("\n".join(self._facts.values())))

    def reset(self) -> None:
        """Close the graph and remove its files."""
        self._facts = {}
        if self._runner is not None:
            if self._graph is not None:
                self._runner.run(self._graph.close())
            self._runner.close()
            self._graph = self._runner = None
        if self._files is not None:
            self._files.cleanup()
            self._files = None

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        assert self._runner is not None  # noqa: S101 - a conversation has been taken in
        try:
            done = self._runner.run(work)
        except ValueError as err:  # pydantic's are: a reply is not of the form that was asked for
            raise self._asked.failure or BadCompletion(f"graphiti-core could not go on: {err}") from err
        if self._asked.failure is not None:
            raise self._asked.failure
        return done


def _model(asked: Asked) -> Any:
    """Return the run's model as Graphiti knows one; the form of the reply stands in what is asked."""
    base = imported("graphiti_core.llm_client.client", system="graphiti").LLMClient

    class Model(base):  # type: ignore[misc, valid-type]
        async def _generate_response(self, messages: Iterable[Any], *_: Any, **__: Any) -> Mapping[str, Any]:
            reply = asked.ask([(one.role, one.content) for one in messages])
            for found in values(reply.text):
                if isinstance(found.value, dict):
                    return found.value
            raise BadCompletion("a reply to graphiti-core holds no JSON object; another model may do better")

    return Model(None)


def _embedder(embedder: Embedder) -> Any:
    base = imported("graphiti_core.embedder.client", system="graphiti").EmbedderClient

    class Vectors(base):  # type: ignore[misc, valid-type]
        async def create(self, input_data: Any) -> list[float]:
            text = input_data if isinstance(input_data, str) else next(iter(input_data))
            return vectors(embedder, [str(text)], Role.QUERY)[0]

        async def create_batch(self, input_data_list: list[str]) -> list[list[float]]:
            return vectors(embedder, input_data_list, Role.DOCUMENT)

    return Vectors()


def _reranker() -> Any:
    base = imported("graphiti_core.cross_encoder.client", system="graphiti").CrossEncoderClient

    class AsFound(base):  # type: ignore[misc, valid-type]
        async def rank(self, query: str, passages: list[str]) -> list[tuple[str, float]]:
            return [(passage, 1 / place) for place, passage in enumerate(passages, 1)]

    return AsFound()
