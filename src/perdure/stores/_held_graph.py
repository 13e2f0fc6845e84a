"""The graph in the reference store: what a commit writes of it, what is read, what goes with an erasure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from perdure.models import ChangeSet, Claim, GraphKind, HeldClaim, HeldEntity, Mention, Move, NewEntity
from perdure.stores import _graph_erasure, _graph_lines, _lines, _rules
from perdure.stores._erasure import Plan, key_of_renamed
from perdure.stores._graph_erasure import ClaimRow, Left, MentionRow, MoveRow
from perdure.stores._held import Attached, HeldVersion, Partition
from perdure.stores._lines import Line
from perdure.stores._spaces import DECIMALS
from perdure.stores._times import microseconds
from perdure.text import name_of, triple_text

if TYPE_CHECKING:
    from perdure.models import FloatArray

    Placed = tuple[int, FloatArray | None]
    Place = Callable[[FloatArray | None], Placed]

T = TypeVar("T")


def check(partition: Partition, changes: ChangeSet) -> None:
    """Raise Conflict unless every memory and every node that is named is there, or comes with the change set."""
    held = {row.record.id for row in partition.versions if row.record.retired_at is None}
    held = (held - set(changes.erased)) | {new.record.id for new in changes.opened}
    nodes = {entity.id for entity, _ in partition.entities} | {new.id for new in changes.entities}
    for id in sorted({m.memory_id for m in changes.mentions} | {new.claim.memory_id for new in changes.claims}):
        if id not in held:
            raise _rules.overtaken(f"memory {id!r} is not current")
    ends = [mention.entity_id for mention in changes.mentions]
    ends += [end for new in changes.claims for end in (new.claim.source_id, new.claim.destination_id) if end]
    ends += [end for move in changes.moves for end in (move.entity_id, move.to_id)]
    known = {entity.key: entity.id for entity, _ in partition.entities}
    for new in changes.entities:
        if new.key not in known and any(entity.id == new.id for entity, _ in partition.entities):
            raise _rules.overtaken(f"entity {new.id!r} exists already")
    for id in ends:
        if id not in nodes:
            raise _rules.overtaken(f"entity {id!r} is gone")


def write(partition: Partition, changes: ChangeSet, at: datetime, place: Place) -> None:
    """Insert nodes, mentions, claims and moves; of one key there is one node."""
    held = {entity.key: entity.id for entity, _ in partition.entities}
    ids: dict[str, str] = {}
    for new in changes.entities:
        ids[new.id] = held.setdefault(new.key, new.id)
        if ids[new.id] == new.id:
            partition.entities.append((replace(new, vector=None), at))
            _index(partition, "entity", new.id, place(new.vector))

    def of(id: str) -> str:
        return ids.get(id, id)

    def attached(item: T) -> Attached[T]:
        return Attached(item, changes.operation_id, at)

    partition.mentions += [attached(replace(m, entity_id=of(m.entity_id))) for m in changes.mentions]
    for one in changes.claims:
        end = one.claim.destination_id
        claim = replace(one.claim, source_id=of(one.claim.source_id), destination_id=end and of(end))
        partition.claims.append(attached(claim))
        _index(partition, "relation", claim.id, place(one.vector))
    partition.moves += [attached(replace(m, entity_id=of(m.entity_id), to_id=of(m.to_id))) for m in changes.moves]


def _index(partition: Partition, kind: GraphKind, id: str, placed: Placed) -> None:
    space, vector = placed
    if vector is not None:
        partition.graph_vectors[kind, id] = (space, vector)


# ---------------------------------------------------------------- reading


def _is_held(one: Attached[T], known_at: datetime | None) -> bool:
    if known_at is None:
        return one.retired_at is None
    return one.recorded_at <= known_at and (one.retired_at is None or one.retired_at > known_at)


def entities(
    partition: Partition,
    memories: Sequence[HeldVersion],
    known_at: datetime | None,
    *,
    ids: Sequence[str] | None,
    names: Sequence[str] | None,
) -> list[HeldEntity]:
    """Return the nodes that these memories mention; see Store.entities."""
    admitted = {row.record.id for row in memories}
    mentions: dict[str, list[Mention]] = defaultdict(list)
    for one in partition.mentions:
        if _is_held(one, known_at) and one.item.memory_id in admitted:
            mentions[one.item.entity_id].append(one.item)
    called = None if names is None else {m.item.entity_id for m in partition.mentions if _is_called(m.item, names)}
    found = []
    for entity, at in partition.entities:
        own = tuple(mentions.get(entity.id, ()))
        is_asked = (ids is None or entity.id in ids) and (called is None or entity.id in called)
        if is_asked and (own or ids is not None) and (known_at is None or at <= known_at):
            found.append(HeldEntity(entity.id, entity.key, entity.name, entity.type, at, own))
    return found


def _is_called(mention: Mention, names: Sequence[str]) -> bool:
    said = name_of(mention.name)
    return any(said.startswith(name[:-1]) if name.endswith("*") else said == name for name in names)


def claims(
    partition: Partition, memories: Sequence[HeldVersion], known_at: datetime | None, which: Callable[[Claim], bool]
) -> Iterator[tuple[datetime, HeldClaim]]:
    """Yield the claims of these memories that `which` takes, with when each was recorded first; see Store.claims."""
    first: dict[str, datetime] = {}
    held = {row.record.id: row.record for row in memories}
    names = {row.record.id: row.record.public_id for row in partition.messages}
    for place, one in enumerate(partition.claims):
        claim, record = one.item, held.get(one.item.memory_id)
        first.setdefault(claim.id, one.recorded_at)
        if record is not None and _is_held(one, known_at) and which(claim):
            public = claim.message_id and names.get(claim.message_id, claim.message_id)
            yield (
                first[claim.id],
                HeldClaim(
                    claim, place, one.operation_id, one.recorded_at, public, record.valid_from, record.valid_to,
                    record.user, record.agent, record.run, record.origin,
                ),
            )  # fmt: skip


def moves(partition: Partition, known_at: datetime | None) -> list[Move]:
    """Return the moves that are held."""
    return [one.item for one in partition.moves if _is_held(one, known_at)]


def texts(partition: Partition, kind: GraphKind) -> Iterator[tuple[str, str]]:
    """Yield the ids of nodes or claims and what they are embedded by, in order."""
    if kind == "entity":
        yield from ((entity.id, entity.name) for entity, _ in partition.entities)
        return
    for one in partition.claims:
        yield one.item.id, triple_text(one.item.source_name, one.item.label, one.item.destination_name)


def near(partition: Partition, kind: GraphKind, space: int, vector: FloatArray) -> list[tuple[str, float]]:
    """Return every id with a vector in the space, and its cosine."""
    return [
        (id, round(float(held @ vector), DECIMALS))
        for (of, id), (at, held) in partition.graph_vectors.items()
        if of == kind and at == space
    ]


# ---------------------------------------------------------------- erasing


def erase_memories(partition: Partition, ids: set[str]) -> None:
    """Remove what memories said of the graph, for policy="paper"."""
    _erase(partition, lambda item, _: item.memory_id in ids)


def erase(partition: Partition, plan: Plan) -> dict[str, int]:
    """Remove what a plan takes of the graph and return how much went; see sqlite/graph_erasing.py."""
    messages = {message.id for message in plan.messages}
    tainted = set(plan.tainted)

    def goes(item: Mention | Claim, recorded_at: int) -> bool:
        is_given = item.message_id is None and plan.before is not None and microseconds(item.at) < plan.before
        return (
            item.memory_id in plan.memories
            or item.message_id in messages
            or (item.memory_id, recorded_at) in tainted
            or (is_given and item.memory_id in plan.trimmed)
        )

    return _erase(partition, goes)


def _erase(partition: Partition, goes: Callable[[Mention | Claim, int], bool]) -> dict[str, int]:
    claims, mentions, nodes = len(partition.claims), len(partition.mentions), len(partition.entities)
    partition.claims = [one for one in partition.claims if not goes(one.item, microseconds(one.recorded_at))]
    partition.mentions = [one for one in partition.mentions if not goes(one.item, microseconds(one.recorded_at))]
    if claims == len(partition.claims) and mentions == len(partition.mentions):
        return {"relations": 0, "entities": 0}
    left = _left(partition)
    partition.claims = [
        _retold(partition, one, left.retold.get(no))
        for no, one in enumerate(partition.claims)
        if no not in left.endings
    ]
    partition.moves = [one for no, one in enumerate(partition.moves) if no in left.moves]
    partition.entities = [
        (_renamed(partition, entity, left.renamed.get(entity.id)), at)
        for entity, at in partition.entities
        if entity.id in left.entities
    ]
    told = {one.item.id for one in partition.claims}
    partition.graph_vectors = {
        (kind, id): held
        for (kind, id), held in partition.graph_vectors.items()
        if (id in left.entities if kind == "entity" else id in told)
    }
    return {"relations": claims - len(partition.claims), "entities": nodes - len(partition.entities)}


def _left(partition: Partition) -> Left:
    mentions = [MentionRow(m.item.memory_id, m.item.entity_id, m.item.name) for m in partition.mentions]
    moves = [MoveRow(no, m.item.entity_id, m.item.name, m.item.to_id) for no, m in enumerate(partition.moves)]
    claims = [
        ClaimRow(
            no, c.memory_id, c.source_id, c.source_name, c.label, c.destination_id, c.destination_name, c.is_ended
        )
        for no, c in enumerate(one.item for one in partition.claims)
    ]  # fmt: skip
    return _graph_erasure.left({entity.id: entity.name for entity, _ in partition.entities}, mentions, claims, moves)


def _retold(partition: Partition, one: Attached[Claim], names: tuple[str, str] | None) -> Attached[Claim]:
    """Return a claim with other names of its ends; without its vector and its reason, that may tell the old ones."""
    if names is None:
        return one
    partition.graph_vectors.pop(("relation", one.item.id), None)
    return replace(one, item=replace(one.item, source_name=names[0], destination_name=names[1], reason=""))


def _renamed(partition: Partition, entity: NewEntity, name: str | None) -> NewEntity:
    """Return a node under another name, without the vector of the old one."""
    if name is None:
        return entity
    partition.graph_vectors.pop(("entity", entity.id), None)
    return replace(entity, name=name, key=key_of_renamed(entity.id))


# ---------------------------------------------------------------- export and import


def export(partition: Partition, memories: set[str], space: int) -> Iterator[Line]:
    """Yield the lines of the graph, as far as these memories, in any version, tell of it."""
    owner = partition.owner
    named = {one.item.entity_id for one in partition.mentions if one.item.memory_id in memories}
    named |= {one.item.to_id for one in partition.moves}

    def vector(kind: GraphKind, id: str) -> bytes | None:
        at, held = partition.graph_vectors.get((kind, id), (0, None))
        return None if held is None or at != space else held.astype("<f2").tobytes()

    for entity, at in partition.entities:
        if entity.id in named:
            yield _graph_lines.entity(owner, entity, at, vector("entity", entity.id))
    for one in partition.mentions:
        if one.item.memory_id in memories:
            yield _graph_lines.mention(owner, one.item, one.operation_id, one.recorded_at, one.retired_at)
    for told in partition.claims:
        if told.item.memory_id in memories:
            stamp = (told.operation_id, told.recorded_at, told.retired_at)
            yield _graph_lines.claim(owner, told.item, *stamp, vector("relation", told.item.id))
    for move in partition.moves:
        yield _graph_lines.move(owner, move.item, move.operation_id, move.recorded_at, move.retired_at)


def import_(partition: Partition, line: Line, placed: Placed) -> bool:
    """Insert the row of a line if it is not there; True if it came."""
    recorded_at = _lines.time(line, "recorded_at")
    if line["type"] == "entity":
        new = _graph_lines.to_entity(line)
        if any(entity.id == new.id for entity, _ in partition.entities):
            return False
        if any(entity.key == new.key for entity, _ in partition.entities):
            new = replace(new, key=_graph_lines.apart(new))
        partition.entities.append((new, recorded_at))
        _index(partition, "entity", new.id, placed)
        return True
    stamp = (line["operation"], recorded_at, _lines.time_or_none(line, "retired_at"))
    if line["type"] == "mention":
        return _attach(partition.mentions, _graph_lines.to_mention(line), stamp)
    if line["type"] == "move":
        return _attach(partition.moves, _graph_lines.to_move(line), stamp)
    claim = _graph_lines.to_claim(line)
    if any((one.item.id, one.recorded_at) == (claim.id, recorded_at) for one in partition.claims):
        return False
    partition.claims.append(Attached(claim, *stamp))
    _index(partition, "relation", claim.id, placed)
    return True


def _attach(held: list[Attached[T]], item: T, stamp: tuple[str, datetime, datetime | None]) -> bool:
    is_new = all((one.item, one.recorded_at) != (item, stamp[1]) for one in held)
    if is_new:
        held.append(Attached(item, *stamp))
    return is_new
