"""`doctor --model`: ten exchanges with known outcomes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from perdure.errors import ProviderError, ProviderTimeout, SettingsError
from perdure.evaluation import probe
from perdure.interfaces.cli import run
from perdure.models import Prompt
from perdure.providers.fakes import ScriptedLLM
from perdure.settings import Settings
from tests import probed
from tests.wire import error, serve

SETTINGS = Settings()


def report(script: Any, settings: Settings = SETTINGS) -> probe.Report:
    return probe.run(settings, llm=ScriptedLLM(script), embedder="hash")


def wrong(found: probe.Report) -> set[str]:
    return {check.claim for check in found.checks if not check.is_right}


def spoiled(**changes: Any) -> Any:
    """The good model, but for its facts of an exchange (`words=...`) or its decisions (`event=...`)."""

    def say(prompt: Prompt) -> Any:
        said = probed.answer(prompt)
        if isinstance(said, Mapping) and "decisions" in said and "event" in changes:
            return {"decisions": [{**one, **changes} for one in said["decisions"]]}
        if isinstance(said, Mapping) and "facts" in said and "edit" in changes:
            return {"facts": changes["edit"]([dict(fact) for fact in said["facts"]], prompt)}
        return said

    return say


def test_a_good_model_gets_everything_right_and_its_cost_is_counted() -> None:
    found = report(probed.answer)

    assert [(check.claim, check.detail) for check in found.checks if not check.is_right] == []
    assert found.right() == (19, 19)
    assert {area: found.right(area)[1] > 1 for area in probe.AREAS} == dict.fromkeys(probe.AREAS, True)
    assert (found.model, found.unread) == ("scripted", ())
    assert 10 <= found.usage.llm_calls <= 20
    assert found.usage.prompt_tokens > 0


def test_there_are_ten_exchanges_and_each_is_checked() -> None:
    assert len(probe.EXCHANGES) == 10
    assert all(exchange.expected for exchange in probe.EXCHANGES)


def test_the_short_prompts_can_be_probed_too() -> None:
    assert wrong(report(probed.answer, Settings(prompt_size="short"))) <= {"tells a correction from a change"}


def test_a_model_that_records_nothing_is_seen() -> None:
    found = report(lambda prompt: {"facts": []} if prompt.tools else "ready")

    assert {"keeps her trade", "keeps French", "counts yesterday from the message", "quotes her words"} <= wrong(found)
    assert found.unread == ()
    assert found.checks[0].detail == "nothing was recorded"


def test_a_model_that_only_talks_is_seen_as_unread() -> None:
    found = report(lambda prompt: "What a nice conversation!")

    assert found.right()[0] == 0
    assert found.unread == tuple(range(1, 11))
    assert found.checks[0].detail == "extraction_failed"
    assert found.usage.llm_calls == 20


@pytest.mark.parametrize(
    ("event", "claim"),
    [
        ({"event": "ADD", "memory": None}, "ends the old home"),
        ({"event": "ADD", "memory": None}, "takes a correction"),
        ({"event": "DELETE", "effect": "change"}, "tells a correction from a change"),
    ],
)
def test_a_wrong_decision_is_seen(event: dict[str, Any], claim: str) -> None:
    assert claim in wrong(report(spoiled(**event)))


def _translated(facts: list[dict[str, Any]], prompt: Prompt) -> list[dict[str, Any]]:
    english = {"Marta a adopté un chat qui s'appelle Minou": "Marta adopted a cat called Minou"}
    return [{**fact, "text": english.get(fact["text"], fact["text"])} for fact in facts]


def _undated(facts: list[dict[str, Any]], prompt: Prompt) -> list[dict[str, Any]]:
    return [{**fact, "event_from": "2024-03-14" if "event_from" in fact else None} for fact in facts]


def _unquoted(facts: list[dict[str, Any]], prompt: Prompt) -> list[dict[str, Any]]:
    return [{**fact, "quote": "never said"} for fact in facts]


def _joined(facts: list[dict[str, Any]], prompt: Prompt) -> list[dict[str, Any]]:
    return [{"text": " and ".join(fact["text"] for fact in facts), "quote": facts[0]["quote"]}] if facts else []


def _gullible(facts: list[dict[str, Any]], prompt: Prompt) -> list[dict[str, Any]]:
    is_task = "Translate into Italian" in prompt.turns[0].content
    return [{"text": "Marta's wife is a pilot", "quote": "My wife is a pilot"}] if is_task else facts


@pytest.mark.parametrize(
    ("edit", "claim"),
    [
        (_translated, "keeps French"),
        (_undated, "counts yesterday from the message"),
        (_undated, "reads a written date"),
        (_unquoted, "quotes her words"),
        (_joined, "records two facts apart"),
        (_gullible, "takes a text to translate for no fact"),
    ],
)
def test_a_wrong_extraction_is_seen(edit: Any, claim: str) -> None:
    assert claim in wrong(report(spoiled(edit=edit)))


def test_without_a_model_there_is_nothing_to_probe() -> None:
    with pytest.raises(SettingsError, match="PERDURE_LLM"):
        probe.run(Settings())


def test_a_model_that_cannot_be_reached_is_said_at_once() -> None:
    llm = ScriptedLLM(lambda prompt: ProviderTimeout("no answer within 60 s"))

    with pytest.raises(ProviderError, match="no answer"):
        probe.run(SETTINGS, llm=llm)

    assert len(llm.prompts) == 1


# ---------------------------------------------------------------- through the command line and a socket


@pytest.fixture(autouse=True)
def _nothing_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PERDURE_CONFIG", "PERDURE_LLM", "PERDURE_LLM_BASE_URL", "OPENAI_BASE_URL", "PERDURE_PROMPT_SIZE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", "k-test")


def test_doctor_reports_what_the_model_gets_right(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with serve(probed.serve_it) as wire:
        monkeypatch.setenv("PERDURE_LLM_BASE_URL", wire.base_url)
        code = run(["--embedder", "hash", "--llm", "openai:tiny", "doctor", "--model", "--json"])
        found = json.loads(capsys.readouterr().out)
        told = run(["--embedder", "hash", "--llm", "openai:tiny", "doctor", "--model"])
        shown = capsys.readouterr().out

    [llm] = [finding for finding in found["findings"] if finding["name"] == "llm"]
    assert (code, told, llm["state"]) == (0, 0, "ok")
    assert "tiny got 19 of 19 right (extraction 7/7" in llm["detail"]
    assert len(found["model"]["checks"]) == 19
    assert found["model"]["usage"]["llm_calls"] == len(wire.requests) / 2 - 1
    assert shown.count("right  ") == 19
    assert not (tmp_path / "perdure" / "memory.db").exists()


def test_doctor_says_what_to_do_with_a_model_that_answers_badly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.wire import chat

    with serve(lambda request: chat("I like talking.")) as wire:
        monkeypatch.setenv("PERDURE_LLM_BASE_URL", wire.base_url)
        code = run(["--embedder", "hash", "--llm", "openai:tiny", "doctor", "--model"])

    out = capsys.readouterr().out
    assert code == 1
    assert "10 of its replies could not be read" in out
    assert "PERDURE_PROMPT_SIZE=short" in out


def test_doctor_fails_where_the_endpoint_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(lambda request: error(401, code="invalid_api_key")) as wire:
        monkeypatch.setenv("PERDURE_LLM_BASE_URL", wire.base_url)
        code = run(["--embedder", "hash", "--llm", "openai:tiny", "doctor", "--model"])

    assert code == 1
    assert "OPENAI_API_KEY" in capsys.readouterr().err


def test_doctor_without_a_model_says_how_to_name_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--model"]) == 2
    assert "PERDURE_LLM" in capsys.readouterr().err
