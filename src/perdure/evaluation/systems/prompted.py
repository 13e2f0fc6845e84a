"""What systems that are written here after a paper share: asking their model with a prompt of this folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perdure import prompts
from perdure.errors import BadCompletion
from perdure.evaluation.asking import FOLDER
from perdure.models import Json, Tool
from perdure.ports import LLM
from perdure.prompts.lenient import values
from perdure.prompts.thoughts import without_thoughts

_MAX_TOKENS = 1_000  # of a reply: 200 words, or a few calls (chosen)
NOTHING = "(none)"


def tool(name: str, description: str, **properties: Json) -> Tool:
    """Return a tool whose arguments are all required."""
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return Tool(name, description, schema)


def written(llm: LLM, name: str, **holes: str) -> str:
    """Return the text that the model writes.  Raises BadCompletion where there is none, or it is cut off."""
    [completion] = llm.complete([prompts.load(name, FOLDER).fill(tools=(), max_tokens=_MAX_TOKENS, **holes)])
    text = without_thoughts(completion.text).strip()
    if not text or completion.is_truncated:
        raise BadCompletion(f"no whole text came back to the prompt {name}; another model may do better")
    return text


def called(llm: LLM, name: str, tools: Sequence[Tool], **holes: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the calls that the model makes, in order; what is no call of these tools is left out."""
    [completion] = llm.complete([prompts.load(name, FOLDER).fill(tools=tools, max_tokens=_MAX_TOKENS, **holes)])
    known = {one.name for one in tools}
    return [
        (call.name, next((one.value for one in values(call.arguments) if isinstance(one.value, dict)), {}))
        for call in completion.calls
        if call.name in known
    ]
