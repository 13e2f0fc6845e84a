"""How OpenAI-compatible endpoints differ: address, key, what they accept, how they say no.

`VENDORS` declares what is known beforehand.  The rest is found out: a request starts in the strictest form that the
vendor is known to take, and where the endpoint says that it does not know a part of it, `simpler` gives the next form.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from perdure.errors import SettingsError
from perdure.providers._http import Rejected

Form = Literal["strict tools", "tools", "schema", "object", "plain"]
FORMS: tuple[Form, ...] = ("strict tools", "tools", "schema", "object", "plain")
UNKNOWN = frozenset({400, 404, 405, 422, 500, 501})  # statuses by which endpoints say that they do not know a feature
FEATURES = ("tool", "function", "schema", "strict", "response_format", "json_object", "grammar")
TOO_LONG = ("context length", "context_length", "context size", "context_size", "context window", "too long")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What this endpoint was found to accept."""

    form: Form = "strict tools"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    has_temperature: bool = True


@dataclass(frozen=True, slots=True)
class Vendor:
    """Where an endpoint usually is, which variables name its key and address, and what it is known to accept.

    key_header: "authorization" sends the key as a bearer token, any other header as it is.
    """

    base_url: str | None
    keys: tuple[str, ...]
    addresses: tuple[str, ...] = ()
    needs_key: bool = False
    key_header: str = "authorization"
    dialect: Dialect = Dialect()


VENDORS: Mapping[str, Vendor] = {
    "openai": Vendor("https://api.openai.com/v1", ("OPENAI_API_KEY",), ("OPENAI_BASE_URL",)),
    # A deployment stands for the model; a resource of the new kind (…/openai/v1) takes the model's name instead.
    "azure": Vendor(
        None,
        ("AZURE_OPENAI_API_KEY",),
        ("AZURE_OPENAI_ENDPOINT",),
        needs_key=True,
        key_header="api-key",
    ),
    "openrouter": Vendor("https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",), needs_key=True),
    # It knows tools, but not their `strict`.
    "gemini": Vendor(
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        needs_key=True,
        dialect=Dialect("tools"),
    ),
    # A forced tool works there without any flag of the server: its arguments are decoded along the schema.
    "vllm": Vendor("http://localhost:8000/v1", ("VLLM_API_KEY",), ("VLLM_BASE_URL",), dialect=Dialect("tools")),
    # These two may drop tools in silence where the model's template has none, and choose freely where one is forced;
    # a schema binds every model.
    "llamacpp": Vendor(
        "http://localhost:8080/v1", ("LLAMA_API_KEY",), ("LLAMACPP_BASE_URL",), dialect=Dialect("schema")
    ),
    "ollama": Vendor("http://localhost:11434/v1", ("OLLAMA_API_KEY",), ("OLLAMA_BASE_URL",), dialect=Dialect("schema")),
}


def address(name: str, base_url: str | None) -> str:
    """Return the base URL of a vendor: as given, as its variable says, or the usual one.

    Raises SettingsError where there is none.
    """
    vendor = VENDORS[name]
    found = base_url or _first(vendor.addresses) or vendor.base_url
    if not found:
        raise SettingsError(
            f"{name} has no usual address; set {' or '.join(vendor.addresses)}, or llm_base_url, such as "
            "https://NAME.openai.azure.com"
        )
    return found


def key(name: str, api_key: str | None) -> str:
    """Return the key of a vendor: as given, or as its variable says; "" for none."""
    return (api_key or _first(VENDORS[name].keys) or "").strip()


def path(name: str, model: str, base_url: str, api_version: str | None) -> str:
    """Return the path of chat completions, after the base URL."""
    if name != "azure" or base_url.rstrip("/").endswith("/v1"):
        return "/chat/completions"
    version = api_version or os.environ.get("OPENAI_API_VERSION") or AZURE_VERSION
    if not all(sign.isalnum() or sign in "-._" for sign in model + version):
        raise SettingsError("a deployment and an api version are made of letters, digits, '-', '.' and '_'")
    deployments = "/deployments" if base_url.rstrip("/").endswith("/openai") else "/openai/deployments"
    return f"{deployments}/{model}/chat/completions?api-version={version}"


AZURE_VERSION = "2024-10-21"  # the latest that is generally available under deployments


def simpler(err: Rejected, dialect: Dialect, start: Dialect, *, has_tools: bool) -> Dialect | None:
    """Return the next dialect to try after this rejection, or None if it is about something else."""
    said = err.said.lower()
    if err.status not in UNKNOWN or any(words in said for words in TOO_LONG):
        return None
    if "temperature" in said and dialect.has_temperature:
        return replace(dialect, has_temperature=False)
    if dialect.limit == start.limit and "max_" in said and ("unsupported" in said or "not supported" in said):
        return replace(dialect, limit="max_tokens" if start.limit != "max_tokens" else "max_completion_tokens")
    if has_tools and dialect.form != "plain" and any(word in said for word in FEATURES):
        return replace(dialect, form=FORMS[FORMS.index(dialect.form) + 1])
    return None


def _first(variables: tuple[str, ...]) -> str | None:
    return next((value for name in variables if (value := os.environ.get(name))), None)
