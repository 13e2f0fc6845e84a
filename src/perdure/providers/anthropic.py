"""Anthropic's Messages, natively: one forced tool call at temperature 0."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from perdure.errors import BadCompletion, SettingsError
from perdure.models import Completion, Prompt, ToolCall
from perdure.ports import Clock
from perdure.providers._http import Endpoint, Rejected
from perdure.providers._parallel import in_order
from perdure.providers._sight import block, sees

ANTHROPIC = "https://api.anthropic.com"
VERSION = "2023-06-01"  # of the wire format; the models are newer
CUT = frozenset({"max_tokens", "model_context_window_exceeded"})  # stop reasons of a reply without its end


@dataclass(frozen=True, slots=True)
class Accepted:
    """What the model was found to accept: some choose their own temperature, some cannot be forced to call a tool."""

    has_temperature: bool = True
    has_forced_tool: bool = True


class AnthropicChat:
    """A model behind Anthropic's Messages API, or an endpoint that speaks it; implements `LLM`.

    Key and address come from the arguments, else from ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL.
    Up to `concurrency` prompts run at once.  May be shared by threads, and used on after a fork.
    Raises SettingsError where api.anthropic.com is to be asked without a key.
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
            raise SettingsError("the model has no name; expected one as in anthropic:MODEL")
        url = base_url or os.environ.get("ANTHROPIC_BASE_URL") or ANTHROPIC
        key = (api_key or os.environ.get("ANTHROPIC_API_KEY") or "").strip()
        self.model = model
        self._endpoint = Endpoint(
            url.rstrip("/").removesuffix("/v1"),
            model=model,
            key=key or None,
            key_header="x-api-key",
            key_name="ANTHROPIC_API_KEY",
            headers={"anthropic-version": VERSION},
            timeout_s=timeout_s,
            retries=retries,
            connections=concurrency,
            transport=transport,
            sleep=sleep,
            clock=clock,
        )
        if self._endpoint.host.removesuffix(":443") == "api.anthropic.com" and not key:
            raise SettingsError(
                "api.anthropic.com needs a key, and none is set; set ANTHROPIC_API_KEY, or llm_base_url to another "
                "endpoint"
            )
        self._concurrency = concurrency
        self.can_see = sees(model, can_see)
        self._accepted = Accepted()

    def __repr__(self) -> str:
        return f"AnthropicChat({self.model!r}, host={self._endpoint.host!r})"

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return one completion per prompt, in order; the first error stops those not yet begun.

        Raises ProviderTimeout, RateLimited, ProviderError; BadCompletion where there is no reply at all.
        """
        return in_order(self._ask, prompts, concurrency=self._concurrency)

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        self._endpoint.close()

    def _ask(self, prompt: Prompt) -> Completion:
        accepted = start = self._accepted
        while True:
            try:
                body = self._endpoint.post("/v1/messages", request(self.model, prompt, accepted))
            except Rejected as err:
                fewer = _fewer(err, accepted, has_tools=bool(prompt.tools))
                if fewer is None:
                    raise
                accepted = fewer
            else:
                if accepted != start:
                    self._accepted = accepted
                return completion(body, prompt, model=self.model)


def request(model: str, prompt: Prompt, accepted: Accepted) -> dict[str, Any]:
    """Return the request's body: the system part stands at the top, and one tool is forced by its name."""
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": prompt.max_tokens,
        "messages": [{"role": turn.role, "content": turn.content} for turn in prompt.turns],
    }
    if prompt.images:
        first = body["messages"][0]
        first["content"] = [*map(block, prompt.images), {"type": "text", "text": first["content"]}]
    if prompt.system:
        body["system"] = prompt.system
    if accepted.has_temperature:
        body["temperature"] = 0
    if prompt.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.schema} for tool in prompt.tools
        ]
        forced = {"type": "tool", "name": prompt.tools[0].name} if len(prompt.tools) == 1 else {"type": "any"}
        body["tool_choice"] = forced if accepted.has_forced_tool else {"type": "auto"}
    return body


def completion(body: Mapping[str, Any], prompt: Prompt, *, model: str) -> Completion:
    """Return the completion that a response's body holds: its text and tool calls, not its thoughts.

    Raises BadCompletion if it holds no content, or if the model's safety check stopped it.
    """
    blocks = body.get("content")
    reason = body.get("stop_reason")
    if reason == "refusal":
        raise BadCompletion(
            f"the safety check of the model {model!r} stopped its reply to the prompt {prompt.name!r}; "
            "use another model for this conversation",
            status=200,
        )
    if not isinstance(blocks, list):
        raise BadCompletion(f"the model {model!r} gave no reply to the prompt {prompt.name!r}; try again", status=200)
    parts = [block for block in blocks if isinstance(block, dict)]
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    answered_by = body.get("model")
    return Completion(
        text="".join(
            part["text"] for part in parts if part.get("type") == "text" and isinstance(part.get("text"), str)
        ),
        calls=tuple(
            ToolCall(part["name"], json.dumps(part.get("input"), ensure_ascii=False))
            for part in parts
            if part.get("type") == "tool_use" and isinstance(part.get("name"), str)
        ),
        model=answered_by if isinstance(answered_by, str) and answered_by else model,
        prompt_tokens=sum(
            _count(usage.get(name))
            for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        ),
        completion_tokens=_count(usage.get("output_tokens")),
        is_truncated=reason in CUT,
    )


def _fewer(err: Rejected, accepted: Accepted, *, has_tools: bool) -> Accepted | None:
    """Return what to ask for next after this rejection, or None if it is about something else."""
    said = err.said.lower()
    if err.status != 400:
        return None
    if "tool_choice" in said and has_tools and accepted.has_forced_tool:
        return replace(accepted, has_forced_tool=False)
    if "temperature" in said and accepted.has_temperature:
        return replace(accepted, has_temperature=False)
    return None


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value >= 0 else 0
