"""Merge and split by hand: two nodes that are one, and one that is two.  Nothing is rewritten: undo takes it back."""

from __future__ import annotations

from collections.abc import Sequence

from perdure.errors import Conflict, InputError, NotFound
from perdure.graph import look
from perdure.graph.names import key_of
from perdure.models import ChangeSet, EntityRecord, Move, NewEntity, NewOperation, Scope, Selection
from perdure.ports import Ports
from perdure.text import name_of
from perdure.write.graph_edit import with_texts


def merge(one: str, other: str, new: NewOperation, ports: Ports) -> ChangeSet:
    """Return the change set by which all that the second entity is called means the first.

    Raises NotFound, Conflict where a name has several, InputError where both are one already.
    """
    stays, goes = _only(one, new.scope, ports), _only(other, new.scope, ports)
    if stays.id == goes.id:
        raise InputError(f"{one!r} and {other!r} are one entity already ({stays.id}); name two")
    return ChangeSet(new.scope, new.id, operation=new, finishes="done", moves=(Move(goes.id, None, stays.id),))


def split(entity: str, aliases: Sequence[str], new: NewOperation, ports: Ports) -> ChangeSet:
    """Return the change set by which some names of an entity are an entity of their own, called by the first of them.

    Raises NotFound, Conflict where the name has several, InputError where it has not these names, or no other.
    """
    held = _only(entity, new.scope, ports)
    names = {name_of(held.name): held.name, **{name_of(alias): alias for alias in held.aliases}}
    forms = list(dict.fromkeys(name_of(alias) for alias in aliases))
    unknown = [alias for alias in aliases if name_of(alias) not in names]
    if unknown or not forms or len(forms) == len(names):
        raise InputError(
            f"cannot split {list(aliases)!r} from {held.name!r}: it goes by {', '.join(names.values())}; "
            "name some of these, and leave it at least one"
        )
    id = ports.ids.new()
    said = names[forms[0]]
    apart = NewEntity(id, f"{key_of(said, held.type)}#{id}", said, held.type)
    moves = tuple(Move(held.id, form, id) for form in forms)
    changes = ChangeSet(new.scope, new.id, operation=new, finishes="done", entities=(apart,), moves=moves)
    return with_texts(changes, ports)


def _only(said: str, scope: Scope, ports: Ports) -> EntityRecord:
    """Return the one entity of the owner's partition that an id or a name means."""
    owner = scope.owner
    selection = Selection(owner.scope, ports.clock.now(), within=owner)
    found = look.entities(ports.store, selection, ids=[said])
    found = found or look.entities(ports.store, selection, names=[name_of(said)])
    if not found:
        raise NotFound(f"no entity {said!r} in this scope; `entities` lists those that there are")
    if len(found) > 1:
        ids = ", ".join(one.id for one in found)
        raise Conflict(f"{len(found)} entities are called {said!r}: {ids}; name one by its id")
    return found[0]
