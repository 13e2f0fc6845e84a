"""Packing: hits become a block of dated evidence to put before a model, within a token budget.

Stored text is data: it stands in a marked block that it cannot close, and what follows its first line stands in
continuation lines, so that it can forge neither an entry nor a role.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from perdure.errors import InputError
from perdure.models import Context, Hit, Warning
from perdure.prompts.recalled import CLOSE, OPEN, quote
from perdure.when import describe, local

Count = Callable[[str], int]

_HEADINGS = {"memory": "Memories:", "message": "Messages:", "relation": "Relations:"}
_CONTINUED = "\n  | "
_CUT = " […]"
_MOST_CHARS = 32  # chosen: text of more characters per token is not written; saves counting a message of 1 MB


def pack(
    hits: Sequence[Hit],
    *,
    budget_tokens: int,
    count: Count,
    now: datetime,
    timezone: tzinfo = UTC,
    is_numbered: bool = False,
) -> Context:
    """Return the best hits that fit the budget, as one block; `hits` are best first.

    Memories stand before messages, and these before relations, each by time; every entry begins with its hit's id or,
    numbered, with its place in `Context.hits` from 1, and is dated by the clocks of `timezone`.
    A memory that ended before `now` says so, with its interval.
    A hit that does not fit is left out, with a warning, and a smaller one behind it may still fit; if not even the best
    one fits whole, it is cut.  The block never takes more than `budget_tokens` by `count`; without a hit, or where the
    budget is too small for any, it is empty.
    Raises InputError on a budget below 1.
    """
    if isinstance(budget_tokens, bool) or not isinstance(budget_tokens, int) or budget_tokens < 1:
        raise InputError(f"budget_tokens must be a whole number above 0, not {budget_tokens!r}")

    def block(chosen: Sequence[Hit]) -> str:
        return _block(in_order(chosen), now=now, timezone=timezone, is_numbered=is_numbered)

    chosen = _chosen(hits, budget_tokens, count, now, timezone)
    while chosen and count(block(chosen)) > budget_tokens:  # tokens of parts do not add up exactly
        chosen = chosen[:-1]
    if hits and not chosen:
        chosen = _cut(hits[0], _MOST_CHARS * budget_tokens, lambda hit: count(block([hit])) <= budget_tokens)
    text = block(chosen) if chosen else ""
    return Context(
        text=text,
        hits=tuple(in_order(chosen)),
        tokens=count(text) if text else 0,
        warnings=_left_out(len(hits) - len(chosen), len(hits)),
    )


def in_order(hits: Sequence[Hit]) -> list[Hit]:
    """Return memories before messages before relations, each oldest first; ties by place in the conversation, by id."""
    return sorted(hits, key=lambda hit: (hit.kind, hit.at, hit.message.order if hit.message else 0, hit.id))


def entry(hit: Hit, *, now: datetime, timezone: tzinfo = UTC) -> str:
    """Return a hit as the block shows it: when, then what, quoted."""
    lines = [quote(part) for part in hit.text.splitlines()] or [""]
    return f"{dated(hit, now=now, timezone=timezone)}: {_CONTINUED.join(lines)}"


def dated(hit: Hit, *, now: datetime, timezone: tzinfo = UTC) -> str:
    """Return when a hit was said or, a memory or relation, when it happened or held, by the clocks of `timezone`.

    Ended ones say so.
    Intervals are half open: "until" names the first moment at which the memory no longer held.
    """
    if hit.relation is not None:
        return _span(describe(hit.at, "day", timezone=timezone), hit, hit.relation.valid_to, now=now, timezone=timezone)
    if hit.memory is None:
        return f"{describe(hit.at, 'day', timezone=timezone)} {local(hit.at, timezone):%H:%M}"
    memory = hit.memory
    if memory.event_from is not None:
        since = describe(memory.event_from, memory.time_precision, timezone=timezone)
    elif memory.valid_from is not None:
        since = describe(memory.valid_from, "day", timezone=timezone)
    else:
        since = f"recorded {describe(memory.recorded_at, 'day', timezone=timezone)}"
    return _span(since, hit, memory.valid_to, now=now, timezone=timezone)


def _span(since: str, hit: Hit, end: datetime | None, *, now: datetime, timezone: tzinfo) -> str:
    if end is None:
        return since
    until = f"{since} until {describe(end, 'day', timezone=timezone)}"
    return f"{until}, ended" if is_ended(hit, now=now) else until


def is_ended(hit: Hit, *, now: datetime) -> bool:
    """True for a memory or a relation that no longer holds at `now`."""
    held = hit.memory or hit.relation
    return held is not None and held.valid_to is not None and held.valid_to <= now


def _block(hits: Sequence[Hit], *, now: datetime, timezone: tzinfo, is_numbered: bool) -> str:
    lines = [OPEN]
    heading = ""
    for number, hit in enumerate(hits, start=1):
        if _HEADINGS[hit.kind] != heading:
            heading = _HEADINGS[hit.kind]
            lines.append(heading)
        lines.append(f"[{number if is_numbered else _label(hit)}] {entry(hit, now=now, timezone=timezone)}")
    return "\n".join([*lines, CLOSE])


def _label(hit: Hit) -> str:
    """Return the id under which the caller knows a hit, on one line and without brackets, which would end it."""
    id = " ".join((hit.message.public_id if hit.message else hit.id).split())
    return quote(id.replace("[", "(").replace("]", ")"))


def _chosen(hits: Sequence[Hit], budget_tokens: int, count: Count, now: datetime, timezone: tzinfo) -> list[Hit]:
    """Return the hits that fit by the sum of their parts, best first."""
    kinds = {"memory", "message", *(hit.kind for hit in hits)}
    left = budget_tokens - count("\n".join([OPEN, *(_HEADINGS[kind] for kind in sorted(kinds)), CLOSE]))
    chosen = []
    for hit in hits:
        if len(hit.text) > _MOST_CHARS * budget_tokens:
            continue
        tokens = count(f"[{_label(hit)}] {entry(hit, now=now, timezone=timezone)}\n")
        if tokens <= left:
            chosen.append(hit)
            left -= tokens
    return chosen


def _cut(hit: Hit, most_chars: int, fits: Callable[[Hit], bool]) -> list[Hit]:
    """Return the hit with as much of its text as fits (found by halving), or nothing where not even a word does."""
    low, high = 0, min(len(hit.text), most_chars)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(replace(hit, text=hit.text[:middle] + _CUT)) else (low, middle - 1)
    return [replace(hit, text=hit.text[:low].rstrip() + _CUT)] if low else []


def _left_out(number: int, total: int) -> tuple[Warning, ...]:
    return (Warning("over_budget", f"{number} of {total} hits did not fit the budget"),) if number else ()
