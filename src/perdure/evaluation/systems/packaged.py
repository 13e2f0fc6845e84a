"""What systems that run in their own packages share: the import, the run's model in their place of one, their embedder.

The package's code decides what is asked and kept; the run's model answers, through the tape, so that its calls are
counted as everybody's are and none is paid twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from itertools import groupby
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from perdure.errors import PerdureError, SettingsError
from perdure.evaluation.conversation import Conversation, Turn
from perdure.models import Completion, Prompt, Role, Tool, ToolCall
from perdure.models import Turn as Said
from perdure.ports import LLM, Embedder

Count = Callable[[str], int]

_UUID = re.compile(r"(?<![0-9a-f])[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}(?![0-9a-f])")


def imported(module: str, *, system: str) -> Any:
    """Return a module of a system's package, whose extra has the system's name.  Raises SettingsError without it."""
    try:
        return import_module(module)
    except ImportError as err:
        raise SettingsError(
            f"{system} runs in its own package, and {module} cannot be imported: {err}; "
            f"pip install 'perdure[{system}]', or leave {system} out"
        ) from err


def sessions(conversation: Conversation) -> Iterable[list[Turn]]:
    """Return the turns of each session, in order: what every system is given at a time."""
    for _, turns in groupby(conversation.turns, key=lambda turn: turn.session):
        yield list(turns)


class Asked:
    """A model that a package asks, in place of the client that it would make.

    failure: what the model raised; packages take it for a reply that wants mending, or wrap it, so nothing is asked
    after it.
    Ids that the package drew are replaced in what is asked by ids that depend on their order alone, and put back in
    what is said: asked again after a kill, the prompts are the same.
    """

    def __init__(self, llm: LLM, package: str) -> None:
        self._llm = llm
        self._name = package
        self._hash = sha256(f"{package} {version(package)}".encode()).hexdigest()[:16]
        self.failure: PerdureError | None = None
        self._given: dict[str, str] = {}  # what the package drew: what the model sees
        self._drawn: dict[str, str] = {}  # and back

    def forget(self) -> None:
        """Begin anew, with another conversation."""
        self.failure = None
        self._given.clear()
        self._drawn.clear()

    def ask(self, said: Sequence[tuple[str, str]], tools: Sequence[Tool] = ()) -> Completion:
        """Return the reply to (role, content) pairs; what is of the system or a tool goes where a `Prompt` has it."""
        system = "\n\n".join(self._hidden(content) for role, content in said if role == "system")
        turns = tuple(
            Said("assistant" if role == "assistant" else "user", self._hidden(content))
            for role, content in said
            if role != "system"
        )
        if self.failure is not None:
            raise self.failure
        try:
            [reply] = self._llm.complete([Prompt(self._name, system, turns, self._hash, tuple(tools))])
        except PerdureError as err:
            self.failure = err
            raise
        calls = tuple(ToolCall(call.name, self._shown(call.arguments)) for call in reply.calls)
        return replace(reply, text=self._shown(reply.text), calls=calls)

    def _hidden(self, text: str) -> str:
        return _UUID.sub(self._number, text)

    def _number(self, found: re.Match[str]) -> str:
        drawn = found[0]
        if drawn not in self._given:
            given = uuid5(NAMESPACE_OID, str(len(self._given)))
            self._given[drawn] = str(given) if found[1] else given.hex
            self._drawn[self._given[drawn]] = drawn
        return self._given[drawn]

    def _shown(self, text: str) -> str:
        return _UUID.sub(lambda found: self._drawn.get(found[0], found[0]), text)


def vectors(embedder: Embedder, texts: Sequence[str], role: Role) -> list[list[float]]:
    """Return the embeddings as the lists that packages expect."""
    return embedder.embed(texts, role).tolist() if texts else []


def dated(found: Iterable[tuple[str, str]]) -> str:
    """Return memories, each with its date, a line each, in the order in which they were found.

    >>> dated([("8 May 2024", "Ana lives in Graz."), ("", "Ben sails.")])
    '8 May 2024: Ana lives in Graz.\\nBen sails.'
    """
    return "\n".join(": ".join(filter(None, (date, " ".join(text.split())))) for date, text in found)
