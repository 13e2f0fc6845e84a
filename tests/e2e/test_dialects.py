"""Each endpoint's own wire format, replayed through a socket; see tests/recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.wire import Answer, Request, Wire, serve

from perdure import Memory, errors, registry
from perdure.models import Prompt, Tool, Turn
from perdure.providers._http import Rejected
from perdure.providers.anthropic import AnthropicChat
from perdure.providers.openai import OpenAIChat
from perdure.settings import Settings
from perdure.write import extract

RECORDED = Path(__file__).parents[1] / "recorded"
DIALECTS = ("openai", "azure", "openrouter", "gemini", "vllm", "llamacpp", "ollama", "anthropic")
FILES = [path for dialect in DIALECTS for path in sorted((RECORDED / dialect).glob("*.json"))]
KEY = "k-test-0123456789"
SECRET = "the user's secret diary"
PROMPT = Prompt("extract", "You are brief.", (Turn("user", SECRET),), "0" * 16, (extract.TOOL,), max_tokens=99)
NOOP = Tool("noop", "Do nothing.", {"type": "object", "properties": {}, "required": [], "additionalProperties": False})


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_VERSION", "ANTHROPIC_BASE_URL", "AZURE_OPENAI_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)


def load(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def answer(recorded: dict[str, Any]) -> Answer:
    headers = {"content-type": "application/json", **recorded.get("headers", {})}
    return Answer(recorded["status"], json.dumps(recorded["body"]).encode(), headers)


@contextmanager
def asking(dialect: str, answers: list[dict[str, Any]], **more: Any) -> Iterator[tuple[Any, Wire, list[float]]]:
    """The dialect's client on a server that replays these answers, and the waits that it asked for."""
    waits: list[float] = []
    with serve([answer(one) for one in answers]) as wire:
        root = wire.base_url.removesuffix("/v1") if dialect in ("azure", "anthropic") else wire.base_url
        options = {"api_key": KEY, "base_url": root, "sleep": waits.append, **more}
        llm: Any = AnthropicChat("tiny", **options) if dialect == "anthropic" else None
        llm = llm or OpenAIChat("tiny", vendor=dialect, **options)
        try:
            yield llm, wire, waits
        finally:
            llm.close()


def form(request: Request) -> str:
    """The form that a request asked for its reply in."""
    if "tools" in request.body and "input_schema" in request.body["tools"][0]:
        return "anthropic"
    if "tools" in request.body:
        return "strict tools" if "strict" in request.body["tools"][0]["function"] else "tools"
    kind = request.body.get("response_format", {}).get("type")
    return {"json_schema": "schema", "json_object": "object"}.get(kind, "plain")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recorded_answer_gives_what_it_says(path: Path) -> None:
    recorded = load(path)
    expected = recorded["expect"]
    with asking(path.parent.name, recorded["answers"]) as (llm, wire, waits):
        if "error" in expected:
            kind = Rejected if expected["error"] == "Rejected" else getattr(errors, expected["error"])
            with pytest.raises(kind, match=expected["says"]) as caught:
                llm.complete([PROMPT])
            assert SECRET not in str(caught.value)
            assert len(wire.requests) == expected["tries"]
            return
        [completion] = llm.complete([PROMPT])

    got = [[call.name, _loaded(call.arguments)] for call in completion.calls]
    assert (completion.text, got) == (expected["text"], expected["calls"])
    assert (completion.model, completion.prompt_tokens, completion.completion_tokens) == (
        expected["model"], expected["prompt_tokens"], expected["completion_tokens"],
    )  # fmt: skip
    assert completion.is_truncated is expected.get("is_truncated", False)
    assert waits == expected.get("waits", [])
    assert [form(request) for request in wire.requests] == recorded.get(
        "forms", [form(wire.requests[0])] * len(wire.requests)
    )


def _loaded(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def first(dialect: str) -> dict[str, Any]:
    """A recording of this dialect in which the first answer is a whole reply."""
    found = [load(path) for path in FILES if path.parent.name == dialect]
    whole = (one for one in found if one["expect"].get("calls") and not one["expect"].get("is_truncated"))
    return next(one for one in whole if len(one["answers"]) == 1)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_its_path_and_sends_its_key_in_its_header(dialect: str) -> None:
    with asking(dialect, first(dialect)["answers"]) as (llm, wire, _):
        llm.complete([PROMPT])

    [request] = wire.requests
    paths = {
        "azure": "/openai/deployments/tiny/chat/completions?api-version=2024-10-21",
        "anthropic": "/v1/messages",
    }
    headers = {"azure": ("api-key", KEY), "anthropic": ("x-api-key", KEY)}
    name, value = headers.get(dialect, ("authorization", f"Bearer {KEY}"))
    assert request.path == paths.get(dialect, "/v1/chat/completions")
    assert request.headers[name] == value
    assert [key for key, sent in request.headers.items() if KEY in sent] == [name]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_add_goes_through_every_dialect(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = first(dialect)
    for name in ("OPENAI", "AZURE_OPENAI", "OPENROUTER", "GEMINI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_API_KEY", KEY)
    with serve([answer(one) for one in recorded["answers"]]) as wire:
        root = wire.base_url.removesuffix("/v1") if dialect == "azure" else wire.base_url
        settings = {"llm": f"{dialect}:tiny", "llm_base_url": root, "embedder": "none", "jobs": "manual"}
        with Memory(":memory:", settings=settings) as memory:
            result = memory.add("I live in Lyon.", user="ana")
            held = [record.text for record in memory.list(user="ana").items]

    assert (result.status, held) == ("done", ["Ana lives in Lyon"])
    assert result.usage.llm_calls == 1
    assert result.usage.prompt_tokens == recorded["expect"]["prompt_tokens"]


def test_a_new_azure_resource_names_the_model_and_no_version() -> None:
    with serve([answer(first("azure")["answers"][0])]) as wire:
        llm = OpenAIChat(
            "tiny", vendor="azure", api_key=KEY, base_url=f"{wire.base_url.removesuffix('/v1')}/openai/v1/"
        )
        llm.complete([PROMPT])
        llm.close()

    assert wire.requests[0].path == "/openai/v1/chat/completions"
    assert wire.requests[0].headers["api-key"] == KEY


def test_an_azure_version_is_a_setting_and_nothing_else_gets_into_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", KEY)
    with serve([answer(first("azure")["answers"][0])]) as wire:
        root = wire.base_url.removesuffix("/v1")
        settings = Settings(llm="azure:tiny", llm_base_url=root, llm_api_version="2025-01-01-preview")
        llm: Any = registry.language_model(None, settings)
        llm.complete([PROMPT])
        llm.close()

    assert wire.requests[0].path.endswith("?api-version=2025-01-01-preview")
    with pytest.raises(errors.SettingsError, match="deployment"):
        OpenAIChat("a/../b", vendor="azure", api_key=KEY, base_url="https://x.openai.azure.com")


# ---------------------------------------------------------------- Anthropic's own form


def test_anthropic_puts_the_system_part_at_the_top_and_forces_the_tool() -> None:
    with asking("anthropic", first("anthropic")["answers"]) as (llm, wire, _):
        llm.complete([PROMPT])

    [request] = wire.requests
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert request.body == {
        "model": "tiny",
        "max_tokens": 99,
        "system": "You are brief.",
        "temperature": 0,
        "messages": [{"role": "user", "content": SECRET}],
        "tools": [
            {"name": "record_facts", "description": extract.TOOL.description, "input_schema": extract.TOOL.schema}
        ],
        "tool_choice": {"type": "tool", "name": "record_facts"},
    }


def test_anthropic_is_asked_for_any_of_several_tools_and_for_none_without_tools() -> None:
    answers = first("anthropic")["answers"] * 2
    with asking("anthropic", answers) as (llm, wire, _):
        llm.complete([Prompt("p", "", (Turn("user", "x"),), "0" * 16, (extract.TOOL, NOOP))])
        llm.complete([Prompt("p", "", (Turn("user", "x"),), "0" * 16)])

    assert wire.requests[0].body["tool_choice"] == {"type": "any"}
    assert "system" not in wire.requests[0].body
    assert not {"tools", "tool_choice"} & set(wire.requests[1].body)


@pytest.mark.parametrize(("name", "key"), [("no_temperature", "temperature"), ("no_forced_tool", "tool_choice")])
def test_what_an_anthropic_model_refuses_is_not_asked_again(name: str, key: str) -> None:
    recorded = load(RECORDED / "anthropic" / f"{name}.json")
    with asking("anthropic", [*recorded["answers"], recorded["answers"][1]]) as (llm, wire, _):
        llm.complete([PROMPT])
        llm.complete([PROMPT])

    assert len(wire.requests) == 3
    assert [request.body.get(key) for request in wire.requests[1:]] == [
        {"type": "auto"} if key == "tool_choice" else None
    ] * 2


def test_anthropics_errors_are_raised_after_the_retries() -> None:
    overloaded = load(RECORDED / "anthropic" / "overloaded.json")["answers"][0]
    with (
        asking("anthropic", [overloaded] * 3, retries=2) as (llm, _, waits),
        pytest.raises(errors.ProviderError) as caught,
    ):
        llm.complete([PROMPT])

    assert (caught.value.status, waits) == (529, [0.5, 1.0])
    assert "overloaded_error" in str(caught.value)
