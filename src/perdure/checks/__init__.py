"""The checks of public input: what comes in is right, or an InputError says what is wrong, expected and to be done.

`memory` calls them before anything else; behind them the types are trusted.
Text is never changed, only refused: what a caller wrote is what is kept.
Error messages name arguments, keys and types, never the text of a message or a memory.
"""

from perdure.checks.arguments import (
    budget,
    choice,
    flag,
    function,
    hops,
    identifier,
    include,
    k,
    key,
    limit,
    moment,
    names,
    path,
    probability,
    queries,
    scope_ids,
    seconds,
    text,
    version,
)
from perdure.checks.conversation import ORIGINS, messages
from perdure.checks.documents import metadata
from perdure.checks.given import KINDS, facts

__all__ = [
    "KINDS",
    "ORIGINS",
    "budget",
    "choice",
    "facts",
    "flag",
    "function",
    "hops",
    "identifier",
    "include",
    "k",
    "key",
    "limit",
    "messages",
    "metadata",
    "moment",
    "names",
    "path",
    "probability",
    "queries",
    "scope_ids",
    "seconds",
    "text",
    "version",
]
