"""Pictures in messages, in the words of a model that can see: kept beside the message, marked as the model's.

A picture is handed to the configured model as it was given, address or data; perdure itself fetches nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from perdure import prompts
from perdure.errors import BadCompletion, ProviderError
from perdure.models import Completion, Exchange, Json, MessageRecord, Prompt, Warning
from perdure.ports import LLM, Ports
from perdure.prompts.recalled import as_data
from perdure.prompts.thoughts import without_thoughts
from perdure.settings import Settings
from perdure.text import DESCRIPTION, spoken, terms, with_pictures
from perdure.write.embed import embed

PARTS = "content_parts"  # the metadata key of parts that are not text; see checks
MOST_IMAGES = 8  # of one message that are shown to the model (chosen)
MAX_IMAGE_CHARS = 20_000_000  # of a data URL (chosen: endpoints refuse more than 20 MB)
_TEXT_CHARS = 2_000  # of the message's own text that the model reads beside its pictures (chosen)
_MAX_TOKENS = 600  # of a description of 120 words, in any script (chosen)
_URL = re.compile(r"https?://\S{1,4000}|data:image/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=\s]+")

Complete = Callable[[Prompt], Completion]


def can_see(llm: LLM | None) -> bool:
    """Return whether a model says that it can see; one that says nothing cannot."""
    return bool(getattr(llm, "can_see", False))


def readable(message: MessageRecord) -> str:
    """Return a message's text with what the model saw in its pictures; see text.with_pictures."""
    return with_pictures(message.content, message.metadata)


def images(message: MessageRecord) -> tuple[list[Json], int]:
    """Return a message's pictures in the form of chat completions, and how many parts are none that can be shown."""
    parts = message.metadata.get(PARTS)
    parts = parts if isinstance(parts, list) else []
    urls = [url for part in parts if (url := _url(part)) is not None][:MOST_IMAGES]
    return [{"type": "image_url", "image_url": {"url": url}} for url in urls], len(parts) - len(urls)


def describe(
    exchange: Exchange, ports: Ports, settings: Settings, complete: Complete
) -> tuple[Exchange, list[Warning]]:
    """Return the exchange with its pictures described, once and durably; what could not be is said in warnings.

    Raises Forbidden where a budget does not reach.
    """
    if not can_see(ports.llm):
        return exchange, []
    warnings: list[Warning] = []
    messages = []
    for message in exchange.messages:
        shown, left_out = images(message) if DESCRIPTION not in message.metadata else ([], 0)
        if left_out:
            detail = f"{left_out} part(s) were not shown to the model: no picture, too large, too many or no address"
            warnings.append(Warning("part_not_read", f"{detail}; they are kept in metadata.{PARTS}", message.public_id))
        try:
            said = parse(complete(prompt(message, shown, folder=settings.prompts))) if shown else None
            messages.append(message if said is None else _keep(message, said, exchange, ports))
        except ProviderError as err:
            detail = f"the model did not describe {len(shown)} picture(s), which are kept: {err}"
            warnings.append(Warning("image_not_described", detail, message.public_id))
            messages.append(message)
    return replace(exchange, messages=tuple(messages)), warnings


def prompt(message: MessageRecord, shown: Sequence[Json], *, folder: str | None) -> Prompt:
    """Return what the model is asked about the pictures of one message."""
    asked = prompts.load("describe", folder).fill(max_tokens=_MAX_TOKENS, text=as_data(message.content[:_TEXT_CHARS]))
    return replace(asked, images=tuple(shown))


def parse(completion: Completion) -> str:
    """Return the description.  Raises BadCompletion if the reply is blank or was cut off."""
    said = without_thoughts(completion.text)
    if not said or completion.is_truncated:
        raise BadCompletion("the reply holds no whole description; plain text within the token limit was expected")
    return said


def _keep(message: MessageRecord, said: str, exchange: Exchange, ports: Ports) -> MessageRecord:
    assert ports.llm is not None  # noqa: S101 - it was asked
    seen = {"text": said, "model": ports.llm.model}
    described = replace(message, metadata={**message.metadata, DESCRIPTION: seen})
    text = spoken(described.speaker, readable(described))
    [vector] = embed([text], ports.embedder)
    ports.store.annotate(
        exchange.scope.tenant,
        message.id,
        described.metadata,
        vector=vector,
        terms=terms(text),
        space=ports.space,
    )
    return described


def _url(part: Any) -> str | None:
    """Return a picture's web address or data URL, from the forms of chat completions, responses and Anthropic."""
    if not isinstance(part, Mapping):
        return None
    url: Any = None
    if part.get("type") in ("image_url", "input_image"):
        url = part.get("image_url")
        url = url.get("url") if isinstance(url, Mapping) else url
    elif part.get("type") == "image" and isinstance(part.get("source"), Mapping):
        source = part["source"]
        data = f"data:{source.get('media_type')};base64,{source.get('data')}"
        url = data if source.get("type") == "base64" else source.get("url")
    is_fit = isinstance(url, str) and len(url) <= MAX_IMAGE_CHARS and _URL.fullmatch(url) is not None
    return url if is_fit else None
