"""Any endpoint that speaks OpenAI's chat completions, asked at temperature 0.

Endpoints differ in what they accept.  A request starts in the strictest form; when the endpoint says that it does not
know a part of it, the next simpler form is tried, and the form that worked is kept for later requests.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal

from perdure.errors import BadCompletion, SettingsError
from perdure.models import Completion, Prompt, Tool, ToolCall
from perdure.ports import Clock
from perdure.providers._http import Endpoint, Rejected

OPENAI = "https://api.openai.com/v1"

Form = Literal["strict tools", "tools", "schema", "object", "plain"]
FORMS: tuple[Form, ...] = ("strict tools", "tools", "schema", "object", "plain")
UNKNOWN = frozenset({400, 404, 422, 501})  # statuses by which endpoints say that they do not know a feature
FEATURES = ("tool", "function", "schema", "strict", "response_format", "json_object")


# Families whose models can be shown pictures, by their makers' documentation; another one is said by `llm_sees`.
_SEEING = re.compile(
    r"gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|\bo[34]\b|\bo4-mini|gemini|claude|llava|pixtral|vision|[-.\d]vl\b|gemma-?3"
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """What this endpoint was found to accept."""

    form: Form
    limit: Literal["max_tokens", "max_completion_tokens"]
    has_temperature: bool = True


class OpenAIChat:
    """A chat model behind an OpenAI-compatible endpoint; implements `LLM`.

    Key and address come from the arguments, else from OPENAI_API_KEY and OPENAI_BASE_URL.
    Up to `concurrency` prompts run at once.  May be shared by threads, and used on after a fork.
    Raises SettingsError where api.openai.com is to be asked without a key.
    """

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
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
        url = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI
        key = (api_key or os.environ.get("OPENAI_API_KEY") or "").strip()
        self.model = model
        self.can_see = _SEEING.search(model.lower()) is not None if can_see is None else can_see
        self._endpoint = Endpoint(
            url,
            model=model,
            key=key or None,
            timeout_s=timeout_s,
            retries=retries,
            connections=concurrency,
            transport=transport,
            sleep=sleep,
            clock=clock,
        )
        is_openai = self._endpoint.host.removesuffix(":443") == "api.openai.com"
        if is_openai and not key:
            raise SettingsError(
                "api.openai.com needs a key, and none is set; set OPENAI_API_KEY, or llm_base_url to another endpoint"
            )
        self._concurrency = concurrency
        self._dialect = Dialect("strict tools", "max_completion_tokens" if is_openai else "max_tokens")

    def __repr__(self) -> str:
        return f"OpenAIChat({self.model!r}, host={self._endpoint.host!r})"

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return one completion per prompt, in order; the first error stops those not yet begun.

        Token counts are 0 where the endpoint reports none.
        Raises ProviderTimeout, RateLimited, ProviderError; BadCompletion where there is no reply at all.
        """
        if len(prompts) < 2 or self._concurrency < 2:
            return [self._ask(prompt) for prompt in prompts]
        pool = ThreadPoolExecutor(min(self._concurrency, len(prompts)), thread_name_prefix="perdure-llm")
        try:
            return list(pool.map(self._ask, prompts))
        finally:
            pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        self._endpoint.close()

    def _ask(self, prompt: Prompt) -> Completion:
        dialect = start = self._dialect
        while True:
            try:
                body = self._endpoint.post("/chat/completions", request(self.model, prompt, dialect))
            except Rejected as err:
                simpler = _simpler(err, dialect, start, has_tools=bool(prompt.tools))
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
    text = _text(message.get("content")) or _text(message.get("refusal"))
    calls = tuple(_calls(message.get("tool_calls")))
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


def _simpler(err: Rejected, dialect: Dialect, start: Dialect, *, has_tools: bool) -> Dialect | None:
    """Return the next dialect to try after this rejection, or None if it is about something else."""
    said = err.said.lower()
    if err.status not in UNKNOWN or "context length" in said or "context_length" in said:
        return None
    if "temperature" in said and dialect.has_temperature:
        return replace(dialect, has_temperature=False)
    if dialect.limit == start.limit and "max_" in said and ("unsupported" in said or "not supported" in said):
        return replace(dialect, limit="max_tokens" if start.limit != "max_tokens" else "max_completion_tokens")
    if has_tools and dialect.form != "plain" and any(word in said for word in FEATURES):
        return replace(dialect, form=FORMS[FORMS.index(dialect.form) + 1])
    return None


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
