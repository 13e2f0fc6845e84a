"""What models really answer, kind by kind: right facts are kept, or the outcome has a name; see tests/recorded/replies.

Each reply goes through Memory twice, as the answer and as its repair.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perdure import Memory
from perdure.models import Completion, OperationResult, Prompt, ToolCall
from perdure.providers.fakes import FixedClock, ScriptedLLM
from tests import make

REPLIES = sorted((Path(__file__).parents[1] / "recorded" / "replies").glob("*.json"))
SAID = "I live in Lyon with my brother Théo. I am allergic to peanuts."
HELD = ("Ana lives in Lyon", "Ana has a dog called Rex")
NEW = ("Ana lives in Nice", "Ana's dog Rex is a beagle")
NOTHING = {"extract": {"facts": []}, "decide": {"decisions": [{"fact": n, "event": "ADD"} for n in (1, 2)]}}


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def completion(recorded: dict[str, Any]) -> Completion:
    calls = tuple(ToolCall(call["name"], call["arguments"]) for call in recorded.get("calls", ()))
    return Completion("\n".join(recorded.get("text", ())), calls, is_truncated=recorded.get("is_truncated", False))


def added(script: Callable[[Prompt], Any], step: str) -> tuple[Memory, OperationResult]:
    """A memory that was asked to learn with this script, and what came of it."""
    llm = ScriptedLLM(script)
    memory = Memory(
        ":memory:",
        llm=llm,
        embedder="none",
        clock=FixedClock(make.AT),
        settings={"jobs": "manual"},
        policy="consolidate",
    )
    if step == "extract":
        return memory, memory.add(SAID, user="ana")
    for text in HELD:
        memory.add(facts=[text], user="ana")
    return memory, memory.add(facts=list(NEW), user="ana")


def texts(memory: Memory) -> list[str]:
    return sorted(record.text for record in memory.list(user="ana").items)


def test_there_are_forty_kinds_of_bad_reply_and_more() -> None:
    assert len(REPLIES) >= 40


@pytest.mark.parametrize("path", [p for p in REPLIES if "holds" in read(p)], ids=lambda path: path.stem)
def test_the_right_items_of_a_reply_are_kept_without_a_repair(path: Path) -> None:
    recorded = read(path)
    calls: list[Prompt] = []

    def script(prompt: Prompt) -> Any:
        calls.append(prompt)
        return completion(recorded)

    memory, result = added(script, recorded["step"])

    assert texts(memory) == recorded["holds"]
    assert sorted(warning.code for warning in result.warnings) == recorded["warnings"]
    assert (result.status, len(calls)) == ("done", 1)
    assert recorded["holds"] or result.warnings or recorded["text"] == ['{"facts": []}']


@pytest.mark.parametrize("path", [p for p in REPLIES if "outcome" in read(p)], ids=lambda path: path.stem)
def test_a_reply_that_cannot_be_read_is_repaired_once_then_named_and_retried(path: Path) -> None:
    recorded = read(path)
    step = recorded["step"]
    replies: list[Any] = [completion(recorded)] * 2
    repairs: list[bool] = []

    def script(prompt: Prompt) -> Any:
        repairs.append(len(prompt.turns) > 1)
        if replies:
            return replies.pop()
        return (
            NOTHING["decide"]
            if step == "decide"
            else {"facts": [{"text": "Ana lives in Lyon", "quote": "I live in Lyon"}]}
        )

    memory, result = added(script, step)

    assert (result.status, [w.code for w in result.warnings]) == ("failed", [recorded["outcome"]])
    assert repairs == [False, True]
    assert texts(memory) == ([] if step == "extract" else sorted(HELD))
    assert len(memory.messages(user="ana").items) == (1 if step == "extract" else 0)
    if step == "extract":
        assert memory.retry(result.operation_id).status == "done"
        assert texts(memory) == ["Ana lives in Lyon"]
        assert repairs == [False, True, False]


@pytest.mark.parametrize("path", [p for p in REPLIES if "outcome" in read(p)], ids=lambda path: path.stem)
def test_a_right_reply_after_a_bad_one_is_taken(path: Path) -> None:
    recorded = read(path)
    step = recorded["step"]

    def script(prompt: Prompt) -> Any:
        return NOTHING[step] if len(prompt.turns) > 1 else completion(recorded)

    memory, result = added(script, step)

    assert (result.status, result.warnings) == ("done", ())
    assert texts(memory) == ([] if step == "extract" else sorted([*HELD, *NEW]))
