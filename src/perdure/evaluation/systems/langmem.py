"""langmem as its package has it: its store manager over LangGraph's store in memory; the extra `langmem`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from perdure.errors import BadCompletion
from perdure.evaluation.conversation import Conversation
from perdure.evaluation.systems.packaged import Asked, Count, dated, imported, sessions, vectors
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.evaluation.systems.transcript import line
from perdure.models import Completion, Json, Role, Tool
from perdure.ports import LLM, Embedder
from perdure.prompts.lenient import values
from perdure.when import describe

_ALL = 10_000  # memories of one listing: more than any conversation yields (chosen)
_NOTHING = Tool(  # a prompt with tools must call one, and langmem lets a model call none
    "nothing",
    "Call this where none of the others is to be called.",
    {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
)


class LangMem:
    """Sessions given to the manager in order, each line with its date and speaker; the store's search, with k.

    It may search with its model before it asks; here questions are the queries, as for everybody.  It keeps no source
    of a memory that a turn could be found by; the day of a memory is that of the session that wrote it last.
    """

    name = "langmem"

    def __init__(self, embedder: Embedder, llm: LLM, count: Count) -> None:
        self._make = imported("langmem", system="langmem").create_memory_store_manager
        self._store_of = imported("langgraph.store.memory", system="langmem").InMemoryStore
        self._asked = Asked(llm, "langmem")
        self._chat = _chat(self._asked)
        self._index = {
            "dims": embedder.dimensions,
            "embed": _embeddings(embedder),
            "fields": ["content.content"],
        }
        self._count = count
        self._store: Any = None
        self._space: tuple[str, ...] = ()
        self._days: dict[str, str] = {}

    def ingest(self, conversation: Conversation) -> None:
        """Give the conversation to the manager, session by session.  Raises what the run's model raises."""
        self.reset()
        self._asked.forget()
        self._space = ("memories", conversation.id)
        self._store = self._store_of(index=self._index)
        manager = self._make(self._chat, namespace=self._space, store=self._store)
        for turns in sessions(conversation):
            messages = [{"role": turn.role, "content": line(turn)} for turn in turns]
            try:
                written = manager.invoke({"messages": messages})
            except RecursionError as err:  # LangGraph's own: it asked for the same correction again and again
                raise self._asked.failure or BadCompletion(
                    f"langmem could not take in {conversation.id}: {err}"
                ) from err
            if self._asked.failure is not None:
                raise self._asked.failure
            self._days.update((one["key"], describe(turns[0].at, "day")) for one in written)

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the k memories nearest to each question, each with its day."""
        return [self._one(question, k) for question in questions]

    def _one(self, question: str, k: int) -> Retrieved:
        found = self._store.search(self._space, query=question, limit=k)
        context = dated((self._days.get(one.key, ""), _text(one.value)) for one in found)
        sure = found[0].score if found else None
        return Retrieved((), None if sure is None else float(sure), context, is_ranked=False)

    def held(self) -> Held:
        """Return what the store holds of the conversation."""
        found = self._store.search(self._space, limit=_ALL)
        return Held(len(found), self._count("\n".join(_text(one.value) for one in found)))

    def reset(self) -> None:
        """Forget the conversation."""
        self._store = None
        self._days = {}


def _text(value: Json) -> str:
    content = value["content"]
    return str(content["content"]) if isinstance(content, dict) and "content" in content else json.dumps(content)


def _embeddings(embedder: Embedder) -> Any:
    """Return the run's embedder as LangChain knows one."""
    base = imported("langchain_core.embeddings", system="langmem").Embeddings

    class Embeddings(base):  # type: ignore[misc, valid-type]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return vectors(embedder, texts, Role.DOCUMENT)

        def embed_query(self, text: str) -> list[float]:
            return vectors(embedder, [text], Role.QUERY)[0]

    return Embeddings()


def _chat(asked: Asked) -> Any:
    """Return the run's model as LangChain knows one."""
    models = imported("langchain_core.language_models.chat_models", system="langmem")
    messages = imported("langchain_core.messages", system="langmem")
    outputs = imported("langchain_core.outputs", system="langmem")
    converted = imported("langchain_core.utils.function_calling", system="langmem").convert_to_openai_tool

    class Chat(models.BaseChatModel):  # type: ignore[misc, name-defined]
        @property
        def _llm_type(self) -> str:
            return "perdure"

        def bind_tools(self, tools: Sequence[Any], *, tool_choice: str | None = None, **more: Any) -> Any:
            return self.bind(tools=[converted(tool)["function"] for tool in tools], must=bool(tool_choice))

        def _generate(self, said: list[Any], stop: Any = None, run_manager: Any = None, **bound: Any) -> Any:
            tools = [Tool(t["name"], t.get("description", ""), t["parameters"]) for t in bound.get("tools", ())]
            if tools and not bound["must"]:
                tools.append(_NOTHING)
            reply = asked.ask([_said(one) for one in said], tools)
            message = messages.AIMessage(content=reply.text, tool_calls=_calls(reply))
            return outputs.ChatResult(generations=[outputs.ChatGeneration(message=message)])

    return Chat()


def _said(message: Any) -> tuple[str, str]:
    """Return a message of LangChain's as (role, text); calls that were made before are written out."""
    role = {"system": "system", "ai": "assistant"}.get(message.type, "user")
    calls = [json.dumps({"name": call["name"], **call["args"]}) for call in getattr(message, "tool_calls", ())]
    return role, "\n".join([*filter(None, [str(message.content)]), *calls])


def _calls(reply: Completion) -> list[dict[str, Any]]:
    """Return the calls of a reply as LangChain has them; arguments that are no JSON are as good as none."""
    found: list[dict[str, Any]] = []
    for number, call in enumerate(reply.calls):
        given = next((one.value for one in values(call.arguments) if isinstance(one.value, dict)), {})
        if call.name != _NOTHING.name:
            found.append({"name": call.name, "args": given, "id": f"call-{number}", "type": "tool_call"})
    return found
