"""A caller's own model may do anything; no operation is lost by it."""

from __future__ import annotations

from typing import Any

import pytest

from perdure import Memory
from perdure.errors import ProviderError, SettingsError
from perdure.models import Completion
from perdure.providers.fakes import HashEmbedder


class Own:
    model = "own"

    def __init__(self, reply: Any) -> None:
        self.reply = reply

    def complete(self, prompts: Any) -> Any:
        if isinstance(self.reply, BaseException):
            raise self.reply
        return self.reply


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (KeyError("x"), "KeyError"),
        (ZeroDivisionError(), "ZeroDivisionError"),
        (None, "expected a list of 1 Completion"),
        ([], "expected a list of 1 Completion"),
        (["text"], "expected a list of 1 Completion"),
        ([Completion("a"), Completion("b")], "expected a list of 1 Completion"),
    ],
)
def test_a_model_that_misbehaves_fails_the_extraction_and_keeps_the_messages(reply: Any, said: str) -> None:
    memory = Memory(":memory:", embedder="none", llm=Own(reply))

    result = memory.add("I like tea.", user="ana")

    assert (result.status, [warning.code for warning in result.warnings]) == ("failed", ["extraction_failed"])
    assert said in result.warnings[0].detail
    assert memory.messages(user="ana").total == 1


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_a_wish_to_stop_is_no_failure_of_the_model(stop: type[BaseException]) -> None:
    with pytest.raises(stop):
        Memory(":memory:", embedder="none", llm=Own(stop())).add("I like tea.", user="ana")


@pytest.mark.parametrize("llm", [object(), 7, lambda prompts: [], Own])
def test_an_object_that_is_no_model_is_refused_at_once(llm: Any) -> None:
    if llm is Own:
        llm = type("Nameless", (), {"complete": lambda self, prompts: []})()
    with pytest.raises(SettingsError, match="complete"):
        Memory(":memory:", embedder="none", llm=llm)


def test_an_object_that_is_no_embedder_is_refused_at_once() -> None:
    with pytest.raises(SettingsError, match="covers"):
        Memory(":memory:", embedder=object())  # type: ignore[arg-type]


def test_vectors_of_another_shape_are_refused() -> None:
    embedder = HashEmbedder(64)
    memory = Memory(":memory:", embedder=embedder)
    embedder.embed = lambda texts, role: None  # type: ignore[method-assign,assignment,return-value]

    with pytest.raises(ProviderError, match="expected an array"):
        memory.add("I like tea.", user="ana")


def test_closing_a_memory_leaves_the_callers_own_model_open() -> None:
    own: Any = Own([])
    own.close = lambda: pytest.fail("closed")

    Memory(":memory:", embedder="none", llm=own).close()
