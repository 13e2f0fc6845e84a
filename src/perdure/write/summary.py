"""The summary S: the old one and the messages since, told shorter.  Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perdure import prompts
from perdure.errors import BadCompletion
from perdure.models import Completion, MessageRecord, Prompt
from perdure.prompts.recalled import as_data, strip
from perdure.prompts.thoughts import without_thoughts

_MAX_TOKENS = 1_000  # of a summary of 200 words, in any script (chosen)


def prompt(summary: str, messages: Sequence[MessageRecord], *, folder: str | None, window_chars: int) -> Prompt:
    """Return what the model is asked.  Each message is cut at `window_chars`."""
    lines = [
        f"- {m.at.replace(tzinfo=None).isoformat(' ', 'minutes')} {as_data(m.speaker)}: {_shown(m, window_chars)}"
        for m in messages
    ]
    return prompts.load("summarize", folder).fill(
        max_tokens=_MAX_TOKENS, summary=as_data(summary) if summary else "(none)", messages="\n".join(lines)
    )


def parse(completion: Completion) -> str:
    """Return the summary.  Raises BadCompletion if the reply is blank or was cut off."""
    said = without_thoughts(completion.text)
    if not said or completion.is_truncated:
        raise BadCompletion("the reply holds no whole summary; plain text within the token limit was expected")
    return said


def readable(messages: Sequence[MessageRecord]) -> list[MessageRecord]:
    """Return the messages that a summary is made of: no system prompts, nothing that was only recalled."""
    return [m for m in messages if m.role != "system" and strip(m.content).strip()]


def batches(messages: Sequence[MessageRecord], *, chars: int, window_chars: int) -> Iterator[list[MessageRecord]]:
    """Yield the messages in runs that fit one prompt each, in order; a run holds at least one."""
    batch: list[MessageRecord] = []
    size = 0
    for message in messages:
        length = min(len(message.content), window_chars)
        if batch and size + length > chars:
            yield batch
            batch, size = [], 0
        batch.append(message)
        size += length
    if batch:
        yield batch


def _shown(message: MessageRecord, limit: int) -> str:
    content = strip(message.content)
    return as_data(content if len(content) <= limit else content[:limit] + "…")
