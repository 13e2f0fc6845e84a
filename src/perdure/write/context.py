"""What extraction reads: messages cut into exchanges, and P = (S, last m messages, the exchange)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from perdure.models import Exchange, ExtractionContext, Message, MessageRecord
from perdure.ports import Store
from perdure.prompts import recalled
from perdure.write.describe import readable


def group(messages: Sequence[Message], *, session_gap_s: float) -> list[list[Message]]:
    """Cut messages into exchanges, in order: a user message and what follows until the next.

    Where two or more differently named speakers have role user, an exchange is a consecutive pair (the paper's
    m_{t-1}, m_t).  A silence longer than `session_gap_s`, or a step back in time as long, starts a new one.
    System messages join the exchange they stand in and count for nothing; before the first word they join the first.
    """
    in_pairs = len({m.name for m in messages if m.role == "user" and m.name}) > 1
    exchanges: list[list[Message]] = []
    spoken: list[Message] = []  # the present exchange without its system messages
    for message in messages:
        is_system = message.role == "system"
        if not exchanges:
            exchanges.append([])
        elif not is_system and spoken:
            gap_s = abs((message.at - spoken[-1].at).total_seconds())
            is_full = len(spoken) == 2 if in_pairs else message.role == "user"
            if is_full or gap_s > session_gap_s:
                exchanges.append([])
                spoken = []
        exchanges[-1].append(message)
        if not is_system:
            spoken.append(message)
    return exchanges


def gather(exchange: Exchange, store: Store, *, window: int, instructions: str = "") -> ExtractionContext:
    """Return S, the last `window` messages of exactly this scope before the exchange, and the exchange.

    Blocks of recalled memories are left out of every message; one that held nothing else is blank.
    """
    before = min(message.order for message in exchange.messages)
    return ExtractionContext(
        summary=store.summary(exchange.scope).text,
        window=tuple(_clean(m) for m in store.window(exchange.scope, before=before, size=window)),
        exchange=replace(exchange, messages=tuple(_clean(m) for m in exchange.messages)),
        instructions=instructions,
    )


def extractable(context: ExtractionContext) -> list[MessageRecord]:
    """Return the messages of the exchange that may give facts: not a system prompt's, not blank."""
    return [m for m in context.exchange.messages if m.role != "system" and m.content.strip()]


def _clean(message: MessageRecord) -> MessageRecord:
    content = recalled.strip(readable(message))
    return message if content == message.content else replace(message, content=content)
