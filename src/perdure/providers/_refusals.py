"""What an endpoint's error says: its code and its remedy, in whichever of their forms endpoints write errors.

{"error": {"code": "x", "type": "y", "message": ...}}      OpenAI, Azure, Anthropic, Ollama, OpenRouter, llama.cpp
{"error": "..."}                                           Ollama's own paths, proxies
[{"error": {"code": 400, "status": "X", "message": ...}}]  Gemini
{"object": "error", "type": "y", "message": ...}           vLLM, until 0.10
{"detail": "..."} or {"detail": [{"type": "y", ...}]}      FastAPI servers
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_CODE = re.compile(r"[A-Za-z0-9_.\-\[\]]{1,80}")  # an error code may be shown, a sentence may not
_UNKNOWN_FEATURE = re.compile(
    r"unsupported param|requires --jinja|does not support|not supported|not implemented", re.IGNORECASE
)
_BAD_KEY = re.compile(r"api[ _]key (?:not valid|invalid|expired)|API_KEY_INVALID", re.IGNORECASE)
_DELAY = re.compile(r'"retryDelay":\s*"(\d{1,9}(?:\.\d{1,9})?)s"')
_FILTERED = frozenset({"content_filter", "ResponsibleAIPolicyViolation"})


def code(body: bytes) -> str | None:
    """Return the error's code, else its status or type, where that is an identifier and not a sentence."""
    found = error(_loaded(body))
    for name in ("code", "status", "type"):
        value = found.get(name)
        if isinstance(value, str) and _CODE.fullmatch(value) and not value.startswith("sk-") and not value.isdigit():
            return value
    return None


def error(found: Any) -> Mapping[str, Any]:
    """Return the object that describes an error, empty where there is none."""
    if isinstance(found, list):
        return error(found[0]) if found else {}
    if not isinstance(found, Mapping):
        return {}
    for name in ("error", "detail"):
        inner = found.get(name)
        if isinstance(inner, Mapping):
            return inner
        if isinstance(inner, list) and inner and isinstance(inner[0], Mapping):
            return inner[0]
    return found if found.get("object") == "error" else {}


def embedded(found: Mapping[str, Any]) -> int | None:
    """Return the status of an error that came with status 200, as OpenRouter sends one; None where there is none."""
    inner = found.get("error")
    if not isinstance(inner, Mapping | str) or not inner or "choices" in found or "content" in found:
        return None
    status = inner.get("code") if isinstance(inner, Mapping) else None
    return status if isinstance(status, int) and 400 <= status < 600 else 502


def retry_delay(said: str) -> str | None:
    """Return the seconds that the error's text asks to wait, as Gemini's does: "retryDelay": "21s"."""
    found = _DELAY.search(said)
    return found[1] if found else None


def is_filtered(code: str | None) -> bool:
    """True if a content filter refused the prompt: asking again in another form is no use."""
    return code in _FILTERED


def is_unknown_feature(said: str) -> bool:
    """True if a server error only says that the server does not know a part of the request (llama.cpp says it so)."""
    return bool(_UNKNOWN_FEATURE.search(said))


def remedy(status: int, said: str, *, key_name: str) -> str:
    """Return what may be done about a refusal."""
    if status in (401, 403) or _BAD_KEY.search(said):
        return f"the key was refused or may not use this model; check {key_name} (or api_key)"
    if status == 402 or "credit balance" in said:
        return "the account has no credit left; check its plan"
    if status == 404:
        return "there is no such model or path; check the model's name and base_url"
    if 300 <= status < 400:
        return "it redirects, and keys do not follow redirects; set base_url to the final address"
    if status == 413:
        return "the request is too large for it; use a model with a longer context, or shorter messages"
    return "it does not accept the request; check the model's name, its context length and its features"


def _loaded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
