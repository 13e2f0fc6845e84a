"""Checks of single arguments: texts, ids, numbers, choices, times."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import TypeVar

from perdure.errors import InputError
from perdure.models import Include, Scope
from perdure.when import to_utc

C = TypeVar("C", bound=str)

MAX_ID_CHARS = 256  # chosen: any UUID, e-mail address or path of ids fits, an index key stays short
MAX_K = 10_000  # chosen: more is an export, not a search
MAX_LIMIT = 10_000  # chosen: the cursor reads on
MAX_HOPS = 3  # design, issue 5: further away everything is near everything
MAX_SECONDS = 10**9  # chosen: 30 years, which every wait takes
MAX_VERSION = 2**31 - 1  # chosen: beyond any history
MAX_BUDGET = 10_000_000  # tokens; chosen, beyond any model's window

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
INCLUDABLE: tuple[Include, ...] = ("memories", "messages", "relations")


def text(value: object, name: str, max_chars: int) -> str:
    """Return a text that says something and that every store can hold.

    Raises InputError if it is no str, blank, longer than `max_chars`, or holds a NUL or a lone surrogate.
    """
    if not isinstance(value, str):
        raise InputError(f"{name} must be a str, not {type_name(value)}")
    if len(value) > max_chars:
        raise InputError(f"{name} has {len(value)} characters; at most {max_chars} are taken: split it")
    storable(value, name)
    if not value.strip():
        raise InputError(f"{name} is blank; give a text, or leave it out")
    return str.__str__(value)


def storable(value: str, name: str) -> str:
    """Return a text unchanged.  Raises InputError if it holds a NUL or half of a surrogate pair."""
    found = _UNSTORABLE.search(value)
    if found is not None:
        what = "a NUL character" if found.group() == "\x00" else "a lone surrogate, which is no character"
        raise InputError(f"{name} holds {what} at position {found.start()}; remove it, or decode the text again")
    return value


def identifier(value: object, name: str) -> str:
    """Return an id as it was given: a str of 1 to 256 characters.

    Space at either end is refused, since "ana " and "ana" would be two people; numbers are, since 7 and "7" would be.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        raise InputError(f"{name} must be a str, not int; write {name}=str(...), always the same way")
    checked = text(value, name, MAX_ID_CHARS)
    if checked != checked.strip():
        raise InputError(f"{name} begins or ends with white space; strip it, so that one id has one spelling")
    return checked


def scope_ids(tenant: object, user: object, agent: object, run: object, *, is_required: bool = False) -> Scope:
    """Return the scope of a call.

    Raises InputError on an id that is none, and, if `is_required`, when neither user, agent nor run is named.
    """
    scope = Scope(
        identifier(tenant, "tenant"),
        user=None if user is None else identifier(user, "user"),
        agent=None if agent is None else identifier(agent, "agent"),
        run=None if run is None else identifier(run, "run"),
    )
    if is_required and not scope.is_named:
        raise InputError("no scope was given; name at least one of user=, agent= and run=")
    return scope


def key(value: object) -> str | None:
    """Return an idempotency key, None if there is none."""
    return None if value is None else identifier(value, "key")


def queries(value: object, *, max_chars: int, name: str = "query") -> list[str]:
    """Return one query or several as a list.  Raises InputError on an empty list."""
    if not isinstance(value, list | tuple):
        return [text(value, name, max_chars)]
    if not value:
        raise InputError(f"{name} is an empty list; give at least one query")
    return [text(item, f"{name}[{number}]", max_chars) for number, item in enumerate(value)]


def k(value: object) -> int:
    """Return the relevance cut-off k, from 1 to 10,000."""
    return _whole(value, "k", MAX_K)


def flag(value: object, name: str) -> bool:
    """Return True or False as it was given.  Raises InputError on anything else, 0 and 1 included."""
    if not isinstance(value, bool):
        raise InputError(f"{name} must be True or False, not {shown(value)}")
    return value


def seconds(value: object, name: str) -> float:
    """Return a duration in seconds, from 0 to 10⁹.  Raises InputError on anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MAX_SECONDS:
        raise InputError(f"{name} must be a number of seconds, from 0 to {MAX_SECONDS}, not {shown(value)}")
    return float(value)


def path(value: object, name: str = "path") -> Path:
    """Return the path of a file, which need not exist.  Raises InputError on what no file can be called."""
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{name} must be a str or a Path, not {type_name(value)}")
    said = os.fspath(value)
    if not isinstance(said, str):
        raise InputError(f"{name} must be a str or a Path of str, not of bytes; decode it with os.fsdecode")
    if not said.strip():
        raise InputError(f"{name} names no file; give one, such as backup.db")
    try:
        os.stat(said)
    except (ValueError, UnicodeEncodeError) as err:
        raise InputError(f"{name} holds a NUL or a lone surrogate, which no file name can; check it") from err
    except OSError as err:
        if err.errno in (errno.ENAMETOOLONG, errno.ELOOP):
            raise InputError(f"{name} is no path of a file: {err.strerror}; give a shorter one") from err
    return Path(said)


def function(value: object, name: str) -> None:
    """Raise InputError on what is neither a function nor None."""
    if value is not None and not callable(value):
        raise InputError(f"{name} must be a function, not {type_name(value)}")


def names(value: object, name: str) -> list[str]:
    """Return the names that were given, one or a list.  Raises InputError as `identifier` does."""
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list | tuple | set | frozenset) or not given:
        raise InputError(f"{name} must be a name or a list of names, not {type_name(value)}")
    return [identifier(one, f"each of {name}") for one in given]


def limit(value: object, name: str = "limit") -> int:
    """Return how many records to list, from 1 to 10,000."""
    return _whole(value, name, MAX_LIMIT)


def hops(value: object) -> int:
    """Return how far from an entity to look, from 1 to 3."""
    return _whole(value, "hops", MAX_HOPS)


def version(value: object, name: str) -> int:
    """Return the number of a version, from 1 on."""
    return _whole(value, name, MAX_VERSION)


def budget(value: object, name: str = "budget_tokens") -> int:
    """Return a budget of tokens, at least 1."""
    return _whole(value, name, MAX_BUDGET)


def _whole(value: object, name: str, largest: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(f"{name} must be an int, not {type_name(value)}")
    if not 1 <= value <= largest:
        raise InputError(f"{name} must be from 1 to {largest}, not {shown(value)}")
    return int(value)


def probability(value: object, name: str) -> float | None:
    """Return a number from 0 to 1, None if none was given."""
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise InputError(f"{name} must be a number from 0 to 1, not {type_name(value)}")
    if not 0 <= value <= 1:  # NaN fails too
        raise InputError(f"{name} must be from 0 to 1, not {shown(value)}; it acts on the score of a hit")
    return float(value)


def choice(value: object, name: str, options: Sequence[C]) -> C:
    """Return the option that was chosen."""
    for option in options:
        if isinstance(value, str) and value == option:
            return option
    raise InputError(f"{name} must be one of {', '.join(options)}, not {shown(value)}")


def include(value: object) -> tuple[Include, ...]:
    """Return what a search looks through, without repeats: memories, messages, relations."""
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple | set | frozenset):
        raise InputError(f"include must be a list of {', '.join(INCLUDABLE)}, not {type_name(value)}")
    chosen = {choice(name, "include", INCLUDABLE) for name in names}
    if not chosen:
        raise InputError(f"include is empty; name at least one of {', '.join(INCLUDABLE)}")
    return tuple(source for source in INCLUDABLE if source in chosen)


def moment(value: object, *, timezone: tzinfo | None, name: str) -> datetime | None:
    """Return a time as aware UTC, None if none was given.  Raises InputError as `when.to_utc` does."""
    if value is None:
        return None
    if not isinstance(value, datetime | date | str):
        raise InputError(f"{name} must be a datetime, a date or ISO 8601 text, not {type_name(value)}")
    return to_utc(value, timezone=timezone, name=name)


def known_keys(value: Mapping[object, object], name: str, known: Sequence[str]) -> None:
    """Raise InputError on a key that is not known: a misspelt one would be lost in silence."""
    for key in value:
        if key not in known:
            raise InputError(f"{name} has the unknown key {shown(key)}; known are {', '.join(known)}")


def type_name(value: object) -> str:
    """Return a type as an error names it."""
    return "None" if value is None else type(value).__name__


def shown(value: object) -> str:
    """Return a short value as an error quotes it, in ASCII; the type of any other."""
    if isinstance(value, str):
        return ascii(value) if len(value) <= 40 else "a str of more than 40 characters"
    if isinstance(value, int | float) and abs(value) < 10**20:
        return repr(value)
    return type_name(value)
