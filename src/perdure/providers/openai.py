"""Any endpoint that speaks OpenAI's chat completions, asked at temperature 0.

Endpoints differ in what they accept.  A request starts in the strictest form; when the endpoint says that it does not
know a part of it, the next simpler form is tried, and the form that worked is kept for later requests.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from perdure.errors import BadCompletion, ProviderError, SettingsError
from perdure.models import Completion, Prompt, Tool, ToolCall
from perdure.ports import Clock
from perdure.providers import _dialects
from perdure.providers._dialects import VENDORS, Dialect, Form
from perdure.providers._http import Endpoint, Rejected
from perdure.providers._parallel import in_order
from perdure.providers._sight import sees

__all__ = ["VENDORS", "OpenAIChat"]


class OpenAIChat:
    """A chat model behind an OpenAI-compatible endpoint; implements `LLM`.

    vendor: whose endpoint it is, a name of `VENDORS`; it says where the address and the key are looked for, and
    what the endpoint is known to accept.  "openai" with another address is any server: what it accepts is found out.
    Key and address come from the arguments, else from the vendor's variables (OPENAI_API_KEY, OPENAI_BASE_URL).
    Up to `concurrency` prompts run at once.  May be shared by threads, and used on after a fork.
    Raises SettingsError where the vendor has no address, or needs a key and none is set.
    """

    def __init__(
        self,
        model: str,
        *,
        vendor: str = "openai",
        api_key: str | None = None,
        base_url: str | None = None,
        api_version: str | None = None,  # of Azure
        timeout_s: float = 60.0,
        retries: int = 4,
        concurrency: int = 4,
        can_see: bool | None = None,  # whether pictures can be shown to it; None: by its name
        transport: Any = None,  # an httpx2 transport, for a proxy or own certificates
        sleep: Callable[[float], None] = time.sleep,
        clock: Clock | None = None,
    ) -> None:
        if not model.strip():
            raise SettingsError('the model has no name; expected one such as "gpt-4o-mini"')
        known = VENDORS[vendor]
        url = _dialects.address(vendor, base_url)
        key = _dialects.key(vendor, api_key)
        self.model = model
        self.can_see = sees(model, can_see)
        self._path = _dialects.path(vendor, model, url, api_version)
        self._endpoint = Endpoint(
            url,
            model=model,
            key=key or None,
            key_header=known.key_header,
            key_name=known.keys[0],
            timeout_s=timeout_s,
            retries=retries,
            connections=concurrency,
            transport=transport,
            sleep=sleep,
            clock=clock,
        )
        is_openai = self._endpoint.host.removesuffix(":443") == "api.openai.com"
        if not key and (is_openai or known.needs_key):
            host = "api.openai.com" if is_openai else vendor
            raise SettingsError(
                f"{host} needs a key, and none is set; set {known.keys[0]}, or llm_base_url to another endpoint"
            )
        self._concurrency = concurrency
        self._dialect = replace(known.dialect, limit="max_completion_tokens") if is_openai else known.dialect

    def __repr__(self) -> str:
        return f"OpenAIChat({self.model!r}, host={self._endpoint.host!r})"

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return one completion per prompt, in order; the first error stops those not yet begun.

        Token counts are 0 where the endpoint reports none.
        Raises ProviderTimeout, RateLimited, ProviderError; BadCompletion where there is no reply at all.
        """
        return in_order(self._ask, prompts, concurrency=self._concurrency)

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        self._endpoint.close()

    def _ask(self, prompt: Prompt) -> Completion:
        dialect = start = self._dialect
        while True:
            try:
                body = self._endpoint.post(self._path, request(self.model, prompt, dialect))
            except Rejected as err:
                simpler = _dialects.simpler(err, dialect, start, has_tools=bool(prompt.tools))
                if simpler is None:
                    raise
                dialect = simpler
            else:
                if dialect != start:
                    self._dialect = dialect
                return completion(body, prompt, dialect.form, model=self.model)


def request(model: str, prompt: Prompt, dialect: Dialect) -> dict[str, Any]:
    """Return the request's body in the endpoint's dialect."""
    system = prompt.system
    body: dict[str, Any] = {"model": model, dialect.limit: prompt.max_tokens}
    if dialect.has_temperature:
        body["temperature"] = 0
    if prompt.tools and dialect.form in ("strict tools", "tools"):
        body.update(_tools(prompt.tools, is_strict=dialect.form == "strict tools"))
    elif prompt.tools:
        schema = _schema(prompt.tools)
        system += (
            "\n\nReply with one JSON object and nothing else. It must follow this JSON schema:\n"
            + "".join(f"({tool.name}: {tool.description})\n" for tool in prompt.tools)
            + json.dumps(schema, ensure_ascii=False)
        )
        if dialect.form == "schema":
            named = {"name": "reply", "schema": schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif dialect.form == "object":
            body["response_format"] = {"type": "json_object"}
    turns: list[dict[str, Any]] = [{"role": turn.role, "content": turn.content} for turn in prompt.turns]
    if prompt.images:
        turns[0]["content"] = [{"type": "text", "text": turns[0]["content"]}, *prompt.images]
    body["messages"] = ([{"role": "system", "content": system}] if system else []) + turns
    return body


def completion(body: Mapping[str, Any], prompt: Prompt, form: Form, *, model: str) -> Completion:
    """Return the completion that a response's body holds; a refusal is its text.

    Raises BadCompletion if it holds none, or if a content filter stopped it.
    """
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise BadCompletion(f"the model {model!r} gave no reply to the prompt {prompt.name!r}; try again", status=200)
    reason = choice.get("finish_reason")
    if reason == "content_filter":
        raise BadCompletion(
            f"the content filter of the model {model!r} stopped its reply to the prompt {prompt.name!r}; "
            "use another model for this conversation",
            status=200,
        )
    if reason == "error" or choice.get("error"):
        raise ProviderError(f"the endpoint of the model {model!r} failed while it answered; try again later")
    text = _text(message.get("content")) or _text(message.get("refusal"))
    calls = tuple(_calls(message.get("tool_calls"))) or tuple(_calls([{"function": message.get("function_call")}]))
    if prompt.tools and not calls and not text.strip():
        # Servers that part thoughts from answers sometimes take the whole of it for a thought.
        text = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
    if not calls and len(prompt.tools) > 1 and form in ("schema", "object", "plain"):
        calls = tuple(_enveloped(text))
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    answered_by = body.get("model")
    return Completion(
        text=text,
        calls=calls,
        model=answered_by if isinstance(answered_by, str) and answered_by else model,
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        is_truncated=reason == "length",
    )


def _tools(tools: Sequence[Tool], *, is_strict: bool) -> dict[str, Any]:
    functions: list[dict[str, Any]] = [
        {"name": tool.name, "description": tool.description, "parameters": tool.schema} for tool in tools
    ]
    if is_strict:
        functions = [{**function, "strict": True} for function in functions]
    one = {"type": "function", "function": {"name": tools[0].name}}
    return {
        "tools": [{"type": "function", "function": function} for function in functions],
        "tool_choice": one if len(tools) == 1 else "required",
    }


def _schema(tools: Sequence[Tool]) -> Mapping[str, Any]:
    """Return the schema of a reply without tool calls: the tool's own, or a list of calls where there are several."""
    if len(tools) == 1:
        return tools[0].schema
    calls = [
        {
            "type": "object",
            "properties": {"tool": {"type": "string", "enum": [tool.name]}, "arguments": tool.schema},
            "required": ["tool", "arguments"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    return {
        "type": "object",
        "properties": {"calls": {"type": "array", "items": {"anyOf": calls}}},
        "required": ["calls"],
        "additionalProperties": False,
    }


def _calls(found: Any) -> Iterator[ToolCall]:
    """Yield well-formed tool calls; what is malformed is left to the step, which finds no call and asks again."""
    for call in found if isinstance(found, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            arguments = function.get("arguments")
            yield ToolCall(function["name"], arguments if isinstance(arguments, str) else json.dumps(arguments))


def _enveloped(text: str) -> Iterator[ToolCall]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return
    calls = found.get("calls") if isinstance(found, dict) else None
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict) and isinstance(call.get("tool"), str):
            yield ToolCall(call["tool"], json.dumps(call.get("arguments")))


def _text(content: Any) -> str:
    """Return a message's text: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
