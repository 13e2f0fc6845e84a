"""OpenAIChat through a socket: the real wire format, and what goes wrong with it."""

from __future__ import annotations

import json
import logging
import os
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.wire import Answer, Script, Wire, chat, error, raw, serve

from perdure.errors import (
    BadCompletion,
    PerdureError,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    SettingsError,
)
from perdure.models import Prompt, Tool, ToolCall, Turn
from perdure.providers import _http
from perdure.providers.fakes import FixedClock
from perdure.providers.openai import OpenAIChat

KEY = "sk-test-0123456789"
SECRET = "the user's secret diary"
NOTE = Tool("note", "Note it.", {"type": "object", "properties": {}, "required": [], "additionalProperties": False})
DROP = Tool("drop", "Drop it.", {"type": "object", "properties": {}, "required": [], "additionalProperties": False})


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def prompt(text: str = SECRET, *tools: Tool) -> Prompt:
    return Prompt("extract", "You are brief.", (Turn("user", text),), "0" * 16, tools, max_tokens=99)


@contextmanager
def asking(script: Script, **arguments: Any) -> Iterator[tuple[OpenAIChat, Wire, list[float]]]:
    """A model behind a scripted endpoint, and the waits that it asked for (none of which is waited)."""
    waits: list[float] = []
    with serve(script) as wire:
        given = {"api_key": KEY, "base_url": wire.base_url, "timeout_s": 10.0, "sleep": waits.append, **arguments}
        llm = OpenAIChat("tiny", **given)
        try:
            yield llm, wire, waits
        finally:
            llm.close()


def failure(script: Script, expected: type[PerdureError], asked: Prompt | None = None, **arguments: Any) -> Any:
    with asking(script, **arguments) as (llm, _, waits):
        with pytest.raises(expected) as caught:
            llm.complete([asked or prompt()])
        assert KEY not in "".join(traceback.format_exception(caught.value))
        assert SECRET not in str(caught.value)
        return caught.value, waits


def test_a_text_prompt_is_sent_and_read_in_the_wire_format() -> None:
    with asking([chat("Lyon")]) as (llm, wire, _):
        [completion] = llm.complete([prompt()])

    assert (completion.text, completion.calls, completion.model) == ("Lyon", (), "tiny-2024-07-18")
    assert (completion.prompt_tokens, completion.completion_tokens, completion.is_truncated) == (11, 7, False)
    assert wire.requests[0].path == "/v1/chat/completions"
    assert wire.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert wire.requests[0].body == {
        "model": "tiny",
        "temperature": 0,
        "max_tokens": 99,
        "messages": [{"role": "system", "content": "You are brief."}, {"role": "user", "content": SECRET}],
    }


def test_one_tool_is_forced_by_name_with_a_strict_schema() -> None:
    with asking([chat(None, calls=[("note", {})], finish="tool_calls")]) as (llm, wire, _):
        [completion] = llm.complete([prompt("x", NOTE)])

    body = wire.requests[0].body
    assert completion.calls == (ToolCall("note", "{}"),)
    assert body["tool_choice"] == {"type": "function", "function": {"name": "note"}}
    assert body["tools"][0]["function"]["strict"] is True
    assert body["tools"][0]["function"]["parameters"] == NOTE.schema


def test_several_tools_are_required_and_several_calls_keep_their_order() -> None:
    calls = [("drop", {"a": 1}), ("note", '{"broken":'), ("note", {})]
    with asking([chat(None, calls=calls)]) as (llm, wire, _):
        [completion] = llm.complete([prompt("x", NOTE, DROP)])

    assert wire.requests[0].body["tool_choice"] == "required"
    assert completion.calls == (ToolCall("drop", '{"a": 1}'), ToolCall("note", '{"broken":'), ToolCall("note", "{}"))


def test_a_structured_prompt_answered_as_text_keeps_the_text() -> None:
    with asking([chat('{"facts": []}')]) as (llm, _, _):
        [completion] = llm.complete([prompt("x", NOTE)])

    assert (completion.text, completion.calls) == ('{"facts": []}', ())


def test_a_reply_cut_at_the_token_limit_is_marked_truncated() -> None:
    with asking([chat('{"facts": [', finish="length")]) as (llm, _, _):
        [completion] = llm.complete([prompt()])

    assert completion.is_truncated


def test_a_refusal_becomes_the_text_so_that_the_step_can_say_so() -> None:
    with asking([chat(None, refusal="I cannot help with that.")]) as (llm, _, _):
        [completion] = llm.complete([prompt("x", NOTE)])

    assert (completion.text, completion.calls) == ("I cannot help with that.", ())


def test_content_in_parts_is_joined_and_null_content_is_empty() -> None:
    parts = [{"type": "text", "text": "Ly"}, {"type": "text", "text": "on"}]
    with asking([chat(parts), chat(None)]) as (llm, _, _):
        assert [llm.complete([prompt()])[0].text for _ in range(2)] == ["Lyon", ""]


def test_missing_usage_counts_as_zero_and_missing_model_is_the_one_asked() -> None:
    body = {"choices": [{"message": {"content": "Lyon"}}], "usage": None}
    with asking([raw(body)]) as (llm, _, _):
        [completion] = llm.complete([prompt()])

    assert (completion.model, completion.prompt_tokens, completion.completion_tokens) == ("tiny", 0, 0)


@pytest.mark.parametrize("body", [{"choices": []}, {"choices": None}, {}, {"choices": [{}]}, {"choices": ["x"]}])
def test_a_response_without_a_reply_is_a_bad_completion(body: Any) -> None:
    failure([raw(body)], BadCompletion)


def test_a_content_filter_is_named() -> None:
    err, _ = failure([chat("half", finish="content_filter")], BadCompletion)

    assert "content filter" in str(err)


# ---------------------------------------------------------------- dialects


UNKNOWN_SCHEMA = error(400, "Invalid schema for function 'note': 'additionalProperties' is required", code="invalid")
NO_TOOLS = error(400, "This model does not support tools")


def test_a_rejected_strict_schema_falls_back_and_the_fallback_is_remembered() -> None:
    reply = chat(None, calls=[("note", {})])
    with asking([UNKNOWN_SCHEMA, reply, reply]) as (llm, wire, waits):
        llm.complete([prompt("x", NOTE)])
        llm.complete([prompt("y", NOTE)])

    strict = ["strict" in request.body["tools"][0]["function"] for request in wire.requests]
    assert strict == [True, False, False]
    assert waits == []


def test_without_tools_a_schema_then_an_object_then_plain_text_is_asked_for() -> None:
    no_format = error(422, "response_format is not supported")
    with asking([NO_TOOLS, NO_TOOLS, no_format, no_format, chat("{}")]) as (llm, wire, _):
        [completion] = llm.complete([prompt("x", NOTE)])

    kinds = [request.body.get("response_format", {}).get("type") for request in wire.requests]
    assert kinds == [None, None, "json_schema", "json_object", None]
    assert completion.text == "{}"
    assert ["tools" in request.body for request in wire.requests] == [True, True, False, False, False]
    assert json.dumps(NOTE.schema) in wire.requests[-1].body["messages"][0]["content"]
    assert "JSON" in wire.requests[3].body["messages"][0]["content"]


def test_several_tools_without_tool_support_come_back_as_calls() -> None:
    said = {"calls": [{"tool": "drop", "arguments": {"a": 1}}, {"tool": "note", "arguments": {}}]}
    with asking([NO_TOOLS, NO_TOOLS, chat(json.dumps(said))]) as (llm, _, _):
        [completion] = llm.complete([prompt("x", NOTE, DROP)])

    assert completion.calls == (ToolCall("drop", '{"a": 1}'), ToolCall("note", "{}"))


def test_temperature_and_token_limit_follow_what_the_endpoint_knows() -> None:
    no_limit = error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    no_temperature = error(400, "Unsupported value: 'temperature' does not support 0 with this model.")
    with asking([no_limit, no_temperature, chat("a"), chat("b")]) as (llm, wire, _):
        llm.complete([prompt()])
        llm.complete([prompt()])

    last = wire.requests[-1].body
    assert len(wire.requests) == 4
    assert last["max_completion_tokens"] == 99
    assert "max_tokens" not in last
    assert "temperature" not in last


def test_a_prompt_that_is_too_long_is_not_asked_again_in_other_forms() -> None:
    said = "This model's maximum context length is 8192 tokens; you asked for 9000 (800 in the functions)"
    rejected = error(400, said, code="context_length_exceeded")
    with asking([rejected]) as (llm, wire, _), pytest.raises(ProviderError, match="context_length") as caught:
        llm.complete([prompt("x", NOTE)])

    assert caught.value.status == 400
    assert len(wire.requests) == 1


def test_an_endpoint_that_rejects_every_form_raises_after_the_last() -> None:
    with asking(lambda request: error(400, "no tools, no schema")) as (llm, wire, _), pytest.raises(ProviderError):
        llm.complete([prompt("x", NOTE)])

    assert len(wire.requests) == 5


# ---------------------------------------------------------------- errors and retries


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_said_at_once(status: int) -> None:
    said = f"Incorrect API key provided: {KEY}. {SECRET}"
    err, waits = failure([error(status, said, code="invalid_api_key")], ProviderError)

    assert (err.status, waits) == (status, [])
    assert "OPENAI_API_KEY" in str(err)
    assert "127.0.0.1" in str(err)


def test_an_unknown_model_names_model_and_remedy() -> None:
    err, waits = failure([error(404, "no such model", code="model_not_found")], ProviderError)

    assert (err.status, waits) == (404, [])
    assert "'tiny'" in str(err)
    assert "model_not_found" in str(err)


def test_retry_after_in_seconds_is_waited() -> None:
    with asking([error(429, retry_after="7"), chat("Lyon")]) as (llm, _, waits):
        assert llm.complete([prompt()])[0].text == "Lyon"

    assert waits == [7.0]


def test_retry_after_as_a_date_is_waited() -> None:
    clock = FixedClock(datetime(2024, 5, 8, 12, 0, 0, tzinfo=UTC))
    limited = error(429, retry_after="Wed, 08 May 2024 12:00:09 GMT")
    with asking([limited, chat("Lyon")], clock=clock) as (llm, _, waits):
        llm.complete([prompt()])

    assert waits == [9.0]


@pytest.mark.parametrize("value", ["soon", "", "-5", "Wed, 99 May 2024 12:00:09 GMT"])
def test_a_retry_after_that_makes_no_sense_is_ignored(value: str) -> None:
    with asking([error(429, retry_after=value), chat("Lyon")]) as (llm, _, waits):
        llm.complete([prompt()])

    assert waits == [_http.FIRST_WAIT_S]


def test_waits_double_up_to_a_limit_and_then_the_error_is_raised() -> None:
    err, waits = failure(lambda request: error(500), ProviderError, retries=6)

    assert err.status == 500
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]


def test_a_limit_longer_than_the_patience_is_raised_with_its_length() -> None:
    err, waits = failure([error(429, retry_after="3600")], RateLimited)

    assert (err.retry_after_s, err.status, waits) == (3600.0, 429, [])


def test_a_used_up_quota_is_not_asked_again() -> None:
    err, waits = failure([error(429, "You exceeded your quota", code="insufficient_quota")], ProviderError)

    assert (err.status, waits) == (429, [])
    assert "quota" in str(err)


@pytest.mark.parametrize("status", [408, 500, 502, 503, 504, 529])
def test_passing_statuses_are_tried_again(status: int) -> None:
    with asking([error(status), chat("Lyon")]) as (llm, wire, _):
        assert llm.complete([prompt()])[0].text == "Lyon"

    assert len(wire.requests) == 2


@pytest.mark.parametrize("how", ["cut", "reset"])
def test_a_lost_connection_is_tried_again_and_then_raised(how: Any) -> None:
    lost = Answer(200, chat("Lyon").body, how=how)
    with asking([lost, chat("Lyon")]) as (llm, _, waits):
        assert llm.complete([prompt()])[0].text == "Lyon"
    assert waits == [0.5]

    err, waits = failure([lost, lost], ProviderError, retries=1)
    assert (type(err), waits) == (ProviderError, [0.5])


def test_an_endpoint_that_does_not_run_is_named() -> None:
    with serve([]) as wire:
        gone = wire.base_url
    llm = OpenAIChat("tiny", base_url=gone, retries=0)

    with pytest.raises(ProviderError, match="check that the endpoint runs"):
        llm.complete([prompt()])
    llm.close()


def test_a_silent_endpoint_times_out() -> None:
    err, waits = failure([Answer(how="silent")] * 2, ProviderTimeout, timeout_s=0.05, retries=1)

    assert waits == [0.5]
    assert "0.05 s" in str(err)


def test_a_trickling_answer_times_out_as_a_whole() -> None:
    trickle = Answer(200, b" " * 5_000, how="trickle")

    failure([trickle], ProviderTimeout, timeout_s=0.2, retries=0)


@pytest.mark.parametrize(
    "body", [b"", b"hello", b"<html><h1>Welcome</h1></html>", b"[1]", b'{"choices": [', b"[" * 9999]
)
def test_an_answer_that_is_no_json_object_names_base_url(body: bytes) -> None:
    err, waits = failure([Answer(200, body)], ProviderError)

    assert waits == []
    assert "base_url" in str(err)


def test_an_html_error_page_is_mapped_by_its_status_and_not_quoted() -> None:
    err, _ = failure([Answer(502, b"<html>Bad gateway secret-host</html>")], ProviderError, retries=0)

    assert err.status == 502
    assert "secret-host" not in str(err)


def test_a_huge_body_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_http, "MAX_BODY_BYTES", 100_000)

    err, waits = failure([Answer(200, b" " * 1_000_000)], ProviderError)

    assert waits == []
    assert "more than 100000 bytes" in str(err)


def test_a_redirect_is_not_followed_so_the_key_stays_with_its_host() -> None:
    with serve([chat("stolen")]) as elsewhere:
        moved = Answer(307, b"", {"location": f"{elsewhere.base_url}/chat/completions"})
        err, _ = failure([moved], ProviderError)

    assert err.status == 307
    assert elsewhere.requests == []


def test_proxy_variables_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve([chat("stolen")]) as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.base_url)
        with asking([chat("Lyon")]) as (llm, _, _):
            assert llm.complete([prompt()])[0].text == "Lyon"

    assert proxy.requests == []


# ---------------------------------------------------------------- many at once


def test_many_prompts_run_at_once_within_the_limit_and_keep_their_order() -> None:
    guard = threading.Lock()
    meeting = threading.Barrier(3, timeout=10)  # three answers wait for one another: three must be under way
    running: list[int] = [0, 0]

    with serve([]) as wire:

        def send(handler: Any, answer: Answer, original: Any = wire._send) -> None:
            with guard:
                running[0] += 1
                running[1] = max(running)
            meeting.wait()
            with guard:
                running[0] -= 1
            original(handler, answer)

        wire._next = lambda request: chat(request.body["messages"][-1]["content"])
        wire._send = send  # type: ignore[method-assign]
        llm = OpenAIChat("tiny", base_url=wire.base_url, concurrency=3)
        completions = llm.complete([prompt(f"w{number}") for number in range(9)])
        llm.close()

    assert [completion.text for completion in completions] == [f"w{number}" for number in range(9)]
    assert running[1] == 3


def test_the_first_failure_stops_what_has_not_begun() -> None:
    with asking(lambda request: error(401), concurrency=2) as (llm, wire, _), pytest.raises(ProviderError):
        llm.complete([prompt(f"w{number}") for number in range(50)])

    assert len(wire.requests) < 50


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_asks_over_its_own_connection() -> None:
    with asking(lambda request: chat("Lyon")) as (llm, wire, _):
        llm.complete([prompt()])
        child = os.fork()
        if child == 0:
            os._exit(0 if llm.complete([prompt()])[0].text == "Lyon" else 1)
        _, status = os.waitpid(child, 0)
        again = llm.complete([prompt()])[0].text

    assert os.waitstatus_to_exitcode(status) == 0
    assert again == "Lyon"
    assert len(wire.requests) == 3


# ---------------------------------------------------------------- settings and secrets


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        OpenAIChat("gpt-4o-mini")


def test_another_endpoint_needs_no_key_and_gets_none() -> None:
    with asking([chat("Lyon")], api_key=None) as (llm, wire, _):
        llm.complete([prompt()])

    assert "authorization" not in wire.requests[0].headers


def test_key_and_address_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve([chat("Lyon")]) as wire:
        monkeypatch.setenv("OPENAI_API_KEY", KEY + "\n")
        monkeypatch.setenv("OPENAI_BASE_URL", wire.base_url + "/")
        llm = OpenAIChat("tiny")
        llm.complete([prompt()])
        llm.close()

    assert wire.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert wire.requests[0].path == "/v1/chat/completions"


@pytest.mark.parametrize(
    "url", ["localhost:11434", "ftp://x/v1", "http://", "http://me:pw@x/v1", "http://x:99999999/v1", "http://[", "x"]
)
def test_an_address_that_cannot_work_is_refused_at_once(url: str) -> None:
    with pytest.raises(SettingsError, match="base_url"):
        OpenAIChat("tiny", base_url=url)


@pytest.mark.parametrize("key", ["sk-a b", "sk-\x00", "sk-é", "sk-a\r\nx: y"])
def test_a_broken_key_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(SettingsError) as caught:
        OpenAIChat("tiny", api_key=key)

    assert key not in str(caught.value)


def test_a_key_never_appears_in_repr_or_logs(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with asking([error(500, KEY), chat("Lyon")]) as (llm, _, _):
        llm.complete([prompt()])
        shown = f"{llm!r} {llm} {llm._endpoint!r}"

    logged = " ".join(str(vars(record)) for record in caplog.records)
    assert "provider.retry" in logged
    assert KEY not in shown + logged
    assert SECRET not in logged
