"""What every backend refuses, in the same words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from perdure.errors import Conflict, Forbidden, InputError, NotFound, SettingsError, StoreError
from perdure.models import ChangeSet, Json, Message, NewOperation, Owner, Scope, Selection, Status, Usage, Warning

if TYPE_CHECKING:
    from perdure.models import FloatArray

SEQ_BITS: Final = 24  # a reference is partition << 24 | seq: rows of one partition lie together; 16.7 million each
SEQ_MASK: Final = (1 << SEQ_BITS) - 1


def owner(scope: Scope) -> Owner:
    """Return the owner of what is written under a scope.  Raises InputError if it names nobody."""
    if not scope.is_named:
        raise InputError("the scope names nobody; give at least one of user, agent and run")
    return scope.owner


def json_text(value: Json) -> str:
    """Return metadata as JSON.  Raises InputError where it is not JSON."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as err:
        raise InputError(f"metadata must be JSON values with finite numbers: {err}") from err


def check_changes(changes: ChangeSet) -> Owner:
    """Return the partition's owner.  Raises InputError if a version belongs elsewhere or is opened twice."""
    home = owner(changes.scope)
    ids = [new.record.id for new in changes.opened]
    if len(set(ids)) < len(ids):
        raise InputError("a change set opens two versions of one memory; fold them into the last one")
    closed = [closing.memory_id for closing in changes.closed]
    if len(set(closed)) < len(closed):
        raise InputError("a change set closes one memory twice; close its current version once")
    for new in changes.opened:
        record = new.record
        if owner(Scope(home.tenant, record.user, record.agent, record.run)) != home:
            raise InputError("a version's user, agent or run belongs to another partition than the change set's scope")
    return home


def is_second_end(changes: ChangeSet, status: Status | None) -> bool:
    """True for a change set that would do once more what its operation has done: two callers with one key."""
    is_whole = changes.operation is None and changes.exchange is None and changes.finishes == "done"
    return is_whole and status == "done"


def check_selection(selection: Selection) -> None:
    """Raise InputError if a selection names nobody, or another tenant's partition."""
    if selection.within is not None and selection.within.tenant != selection.scope.tenant:
        raise InputError("`within` names another tenant than the scope; use the scope's own")
    if selection.within is None and not selection.scope.is_named:
        raise InputError("the scope names nobody; give at least one of user, agent and run, or `within`")


def check_limit(limit: int) -> None:
    """Raise InputError if a page or pool would be empty."""
    if limit < 1:
        raise InputError(f"limit must be at least 1, not {limit}")


def check_vector(vector: FloatArray, dimensions: int | None) -> None:
    """Raise SettingsError before any embedder was claimed, InputError on a vector of another length."""
    if dimensions is None:
        raise SettingsError("the store is bound to no embedder; call claim_embedder(model, dimensions) before vectors")
    if vector.shape != (dimensions,):
        raise InputError(f"a vector of shape {vector.shape} came to a store of {dimensions} dimensions; embed anew")


def check_name(model: str, others: Sequence[str]) -> None:
    """Raise SettingsError if an embedder to come has the name of another that the store holds vectors of."""
    if model in others:
        raise SettingsError(
            f"the store holds vectors of another length under the name {model}, and a name stands for one space; "
            "give the embedder another name"
        )


def other_embedder(held: tuple[str, int], asked: tuple[str, int]) -> SettingsError:
    """Return the refusal of a second embedder."""
    return SettingsError(
        f"the store's vectors come from {held[0]} ({held[1]} dimensions), not from {asked[0]} ({asked[1]}); "
        "open it with that embedder, or re-embed it (`perdure reembed`)"
    )


def is_within(spent: Iterable[Usage], more: Usage, *, calls_at_most: int | None, tokens_at_most: int | None) -> bool:
    """Return whether a day's usage and some more stay within its limits."""
    total = sum(spent, more)
    is_few_calls = calls_at_most is None or total.llm_calls <= calls_at_most
    return is_few_calls and (tokens_at_most is None or total.prompt_tokens + total.completion_tokens <= tokens_at_most)


def duplicate(message: Message) -> Warning:
    """Return the warning of a message that the partition holds already."""
    return Warning(
        "duplicate_message", "a message with this id and content is stored already; skipped", message.external_id
    )


def other_content(message: Message) -> Conflict:
    """Return the refusal of an external id that is known with other content."""
    return Conflict(
        f"message id {message.external_id!r} is stored with another role, name, content or time; "
        "give the changed message an id of its own"
    )


def other_payload(operation: NewOperation) -> Conflict:
    """Return the refusal of an idempotency key that is known with another payload."""
    return Conflict(f"key {operation.key!r} was used for another payload; use a new key, or send the same payload")


def known_key(operation: NewOperation) -> Conflict:
    """Return the refusal of a commit whose operation's key is known."""
    return Conflict(f"key {operation.key!r} is known in this partition; read its operation instead of repeating it")


def known_external(id: str) -> Conflict:
    """Return the refusal of an imported message whose external id the partition knows."""
    return Conflict(
        f"message id {id!r} is held under another internal id; import into another tenant, or erase it first"
    )


def known_elsewhere(id: str) -> Conflict:
    """Return the refusal of an imported memory that another owner has."""
    return Conflict(f"memory {id!r} is held by another owner of this tenant; import into another tenant")


def no_file() -> Forbidden:
    """Return the refusal of a backup by a store that keeps no file."""
    return Forbidden("this store lives in memory and has no file to copy; use export and import_")


def full() -> StoreError:
    """Return the refusal of a row beyond a partition's last."""
    return StoreError(
        f"a partition holds at most {SEQ_MASK:,} rows and this one is full; use a narrower user, agent or run"
    )


def overtaken(what: str) -> Conflict:
    """Return the refusal of a change decided on what is no longer so."""
    return Conflict(f"{what}; read again and decide again")


def ambiguous(id: str) -> InputError:
    """Return the refusal of an external id that stands for several messages of a scope."""
    return InputError(
        f"message id {id!r} names messages of several owners that this scope spans; name the user too (or the agent), "
        "or give perdure's own id"
    )


def missing(what: str, id: str) -> NotFound:
    """Return the error of an unknown id."""
    return NotFound(f"no {what} {id!r} in this tenant; check the id, the tenant and the scope")
