"""prompt_size="short": the prompts for models that lose their way in long ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perdure import Memory, prompts
from perdure.errors import SettingsError
from perdure.models import Prompt
from perdure.providers.fakes import FixedClock, ScriptedLLM
from perdure.settings import Settings
from perdure.write import decide, extract
from tests import make
from tests.conversation import shown_numbers


def memory(script: Any, **settings: Any) -> tuple[Memory, ScriptedLLM]:
    llm = ScriptedLLM(script)
    given = {"jobs": "manual", "prompt_size": "short", **settings}
    return Memory(":memory:", llm=llm, embedder="none", clock=FixedClock(make.AT), settings=given), llm


def tokens(name: str, tool: Any) -> int:
    encoding = pytest.importorskip("bpe_openai").get_encoding("cl100k_base")
    template = prompts.load(name)
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema, "strict": True}
    return len(
        encoding.encode(template.system + template.user + json.dumps({"type": "function", "function": function}))
    )


def test_both_short_prompts_with_their_tools_take_at_most_700_tokens() -> None:
    short = tokens("extract_short", extract.SHORT_TOOL) + tokens("decide_short", decide.SHORT_TOOL)

    assert short <= 700
    assert short < 0.6 * (tokens("extract", extract.TOOL) + tokens("decide", decide.TOOL))


@pytest.mark.parametrize(("full", "short"), [(extract.TOOL, extract.SHORT_TOOL), (decide.TOOL, decide.SHORT_TOOL)])
def test_the_short_tools_have_the_full_ones_name_and_some_of_their_fields(full: Any, short: Any) -> None:
    def fields(tool: Any) -> set[str]:
        [listed] = tool.schema["properties"].values()
        assert list(listed["items"]["properties"]) == listed["items"]["required"]
        return set(listed["items"]["required"])

    assert short.name == full.name
    assert fields(short) < fields(full)


def test_a_short_prompt_finds_source_date_and_speaker_by_the_quote() -> None:
    said = {
        "text": "Ana ran a marathon on 7 May 2024",
        "quote": "I ran a marathon",
        "event_from": "2024-05-07",
        "ends": False,
    }
    one, llm = memory([{"facts": [said]}])

    result = one.add(
        [("user", "Hello!"), ("assistant", "Hi."), ("user", "Yesterday I ran a marathon.")][2:], user="ana"
    )
    [held] = one.list(user="ana").items

    assert llm.prompts[0].name == "extract_short"
    assert (result.status, result.warnings) == ("done", ())
    assert held.sources[0].quote == "I ran a marathon"
    assert held.event_from is not None
    assert held.event_from.date().isoformat() == "2024-05-07"
    assert held.time_precision == "day"


def test_a_short_decision_ends_corrects_and_merges() -> None:
    facts = ["Ana lives in Lyon", "Theo Roy is a brother", "The dog Rex barks"]

    def settle(prompt: Prompt) -> Any:
        number = shown_numbers(prompt)
        return {"decisions": [
            {"fact": 1, "event": "DELETE", "memory": number[facts[0]], "effect": "change", "text": None},
            {"fact": 2, "event": "DELETE", "memory": number[facts[1]], "effect": "correction", "text": None},
            {"fact": 3, "event": "UPDATE", "memory": number[facts[2]], "effect": None, "text": "The dog Rex barks, a beagle"},
        ]}  # fmt: skip

    one, llm = memory(settle)
    for fact in facts:
        one.add(facts=[fact], user="ana")

    one.add(facts=["Ana lives in Nice", "Leo Roy is a brother", "The dog Rex is a beagle"], user="ana")

    assert [prompt.name for prompt in llm.prompts] == ["decide_short"]
    assert sorted(m.text for m in one.list(user="ana").items) == [
        "Ana lives in Nice", "Leo Roy is a brother", "The dog Rex barks, a beagle",
    ]  # fmt: skip
    assert [m.text for m in one.list(user="ana", validity="ended").items] == ["Ana lives in Lyon"]


def test_the_full_prompts_are_the_default_and_another_size_is_refused() -> None:
    asked: list[Prompt] = []
    one, _ = memory(lambda prompt: asked.append(prompt) or {"facts": []}, prompt_size="full")
    one.add("I live in Lyon.", user="ana")

    assert [prompt.name for prompt in asked] == ["extract"]
    assert Settings().prompt_size == "full"
    with pytest.raises(SettingsError, match="short"):
        Settings.load(prompt_size="tiny", environment={})


def test_a_short_prompt_of_the_users_own_replaces_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "extract_short.md").write_text("MINE $instructions\n---\n$summary $window $exchange", encoding="utf-8")
    one, llm = memory([{"facts": []}], prompts=str(tmp_path))

    one.add("I live in Lyon.", user="ana", instructions="Only homes.")

    assert llm.prompts[0].system.startswith("MINE")
    assert "Only homes." in llm.prompts[0].system
