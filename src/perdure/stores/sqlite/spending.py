"""What language models were asked each day, counted for every process that shares the file."""

from __future__ import annotations

import apsw

from perdure.models import Usage
from perdure.stores import _rules
from perdure.stores.sqlite.rows import QUERIES, select


def spend(
    connection: apsw.Connection,
    day: str,
    model: str,
    usage: Usage,
    *,
    calls_at_most: int | None,
    tokens_at_most: int | None,
) -> bool:
    """See Store.spend."""
    held = spent(connection, day)
    if not _rules.is_within(held.values(), usage, calls_at_most=calls_at_most, tokens_at_most=tokens_at_most):
        return False
    bound = {"day": day, "model": model, "calls": usage.llm_calls}
    bound |= {"prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens}
    connection.execute(QUERIES["spend"], bound)
    return True


def spent(connection: apsw.Connection, day: str) -> dict[str, Usage]:
    """See Store.spent."""
    return {model: Usage(*counts) for model, *counts in select(connection, "spent", {"day": day})}
