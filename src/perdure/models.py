"""The frozen records that flow through perdure, in the order in which they are met.

Times are aware UTC datetimes with microseconds; intervals are half open `[from, to)`; None is an open end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar, overload

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float32]

Json = Mapping[str, Any]  # any JSON value may stand in metadata

Origin = Literal["user", "assistant", "tool", "document", "import", "manual"]
Kind = Literal["fact", "preference", "event", "profile", "procedure"]
Precision = Literal["day", "week", "month", "year", "approximate"]
Event = Literal["ADD", "UPDATE", "DELETE", "NOOP"]
Effect = Literal["change", "correction"]
Engine = Literal["llm", "offline", "verbatim"]
Policy = Literal["consolidate", "append", "paper"]
GraphMode = Literal["joint", "paper", "off"]
Status = Literal["done", "partial", "pending", "failed"]
Validity = Literal["current", "ended", "all"]
HitKind = Literal["memory", "message", "relation"]
Include = Literal["memories", "messages", "relations"]  # what a search looks through
GraphKind = Literal["entity", "relation"]
Channel = Literal["dense", "sparse", "entity", "triplet"]  # of a store's rows the first two, of relations the others
OwnerKind = Literal["user", "agent", "run"]
Operator = Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "icontains", "exists"]

T = TypeVar("T")


class Unset(Enum):
    """The type of UNSET: an argument that was not given, where None means "clear it"."""

    UNSET = "UNSET"


UNSET: Final = Unset.UNSET


# ---------------------------------------------------------------- scope


@dataclass(frozen=True, slots=True)
class Scope:
    """Tenant and user, agent, run: conjunctive, below every filter, on every path.

    Reading, a named id must be equal and an unnamed one is free.
    Writing, the whole tuple is stored; rows live in the partition of their owner.
    """

    tenant: str
    user: str | None = None
    agent: str | None = None
    run: str | None = None

    @property
    def is_named(self) -> bool:
        """True if at least one of user, agent and run is named."""
        return self.user is not None or self.agent is not None or self.run is not None

    @property
    def owner(self) -> Owner:
        """The partition's owner: user, else agent, else run."""
        if self.user is not None:
            return Owner(self.tenant, "user", self.user)
        if self.agent is not None:
            return Owner(self.tenant, "agent", self.agent)
        if self.run is not None:
            return Owner(self.tenant, "run", self.run)
        raise ValueError("a scope without user, agent or run has no owner")

    def admits(self, *, user: str | None, agent: str | None, run: str | None) -> bool:
        """True if a row of these ids may be read under this scope (the tenant is checked by the store)."""
        return (
            (self.user is None or self.user == user)
            and (self.agent is None or self.agent == agent)
            and (self.run is None or self.run == run)
        )


@dataclass(frozen=True, slots=True)
class Owner:
    """What names a partition: similarity, de-duplication, decisions and statistics stay inside it."""

    tenant: str
    kind: OwnerKind
    id: str

    @property
    def scope(self) -> Scope:
        """The scope that reads the whole partition (and, for an agent or a run, what others hold of it)."""
        return Scope(
            self.tenant,
            user=self.id if self.kind == "user" else None,
            agent=self.id if self.kind == "agent" else None,
            run=self.id if self.kind == "run" else None,
        )


# ---------------------------------------------------------------- messages and exchanges


@dataclass(frozen=True, slots=True)
class Warning:
    """Something skipped, degraded or refused: a stable code, a sentence, and what it concerns."""

    code: str
    detail: str
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message as it was given, checked: content is not blank, `at` is aware UTC."""

    role: str
    content: str
    at: datetime
    origin: Origin
    name: str | None = None
    external_id: str | None = None
    metadata: Json = field(default_factory=dict)

    @property
    def speaker(self) -> str:
        """The name where one was given, else the role."""
        return self.name or self.role


@dataclass(frozen=True, slots=True)
class MessageRecord:
    """A stored message.  `id` is perdure's own, `external_id` the caller's; `order` rises within a partition."""

    id: str
    external_id: str | None
    role: str
    name: str | None
    content: str
    at: datetime
    origin: Origin
    user: str | None
    agent: str | None
    run: str | None
    metadata: Json
    order: int

    @property
    def speaker(self) -> str:
        """The name where one was given, else the role."""
        return self.name or self.role

    @property
    def public_id(self) -> str:
        """The external id where one was given, else the internal one: what sources show."""
        return self.external_id or self.id


@dataclass(frozen=True, slots=True)
class Exchange:
    """What triggers one write (the paper's m_{t-1}, m_t): a user message and what follows until the next."""

    number: int  # within its operation, from 0
    operation_id: str
    scope: Scope
    messages: tuple[MessageRecord, ...]
    is_done: bool = False

    @property
    def at(self) -> datetime:
        """The time of its last message."""
        return self.messages[-1].at


@dataclass(frozen=True, slots=True)
class ExtractionContext:
    """The paper's P = (S, last m messages, exchange), and the caller's wishes."""

    summary: str
    window: tuple[MessageRecord, ...]  # oldest first, all before the exchange
    exchange: Exchange
    instructions: str = ""


# ---------------------------------------------------------------- memories


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory comes from.  `message_id` is the external id where one was given; None for a given fact."""

    message_id: str | None
    quote: str
    at: datetime


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One version of a memory, with its source and its three pairs of times (design section 2)."""

    id: str
    text: str
    version: int
    user: str | None
    agent: str | None
    run: str | None
    kind: Kind
    metadata: Json
    categories: tuple[str, ...]
    attributed_to: str | None
    origin: Origin
    event_from: datetime | None
    event_to: datetime | None
    time_precision: Precision | None
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    retired_at: datetime | None
    expires_at: datetime | None
    created_at: datetime  # recorded_at of version 1
    updated_at: datetime  # recorded_at of this version
    sources: tuple[Source, ...]  # oldest first
    entities: tuple[str, ...]
    supersedes: tuple[str, ...]  # memory ids
    superseded_by: str | None
    evidence_count: int


# ---------------------------------------------------------------- candidates, matches, decisions


@dataclass(frozen=True, slots=True)
class Slot:
    """What a statement fills: two statements of one slot speak of the same thing ("Ana", "lives_in").

    A single-valued slot holds one value at a time; a multi-valued one ends only by its own negation.
    """

    subject: str
    attribute: str
    value: str
    is_single: bool


@dataclass(frozen=True, slots=True)
class Triple:
    """A relation as a statement says it, between names; `is_ended` says that it holds no longer.

    An empty destination of an ended one stands for whatever the label leads to ("no longer works there").
    """

    source: str
    label: str
    destination: str
    is_ended: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact ω extracted from the exchange."""

    text: str
    at: datetime  # time of the message it was said in
    attributed_to: str | None = None
    origin: Origin = "user"
    kind: Kind = "fact"
    message_id: str | None = None  # internal id
    quote: str = ""
    is_grounded: bool = True  # the quote stands in the exchange
    event_from: datetime | None = None
    event_to: datetime | None = None
    time_precision: Precision | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    entities: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    metadata: Json = field(default_factory=dict)
    expires_at: datetime | None = None
    is_negation: bool = False  # bare: it only ends something ("I no longer work there")
    is_correction: bool = False  # it says that something said before was never so
    slot: Slot | None = None
    triples: tuple[Triple, ...] = ()  # the relations that it tells of
    types: Mapping[str, str] = field(default_factory=dict)  # name → type of entity, where it is known


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one exchange gave: candidates in order of appearance, and what was left out and why."""

    candidates: tuple[Candidate, ...]
    warnings: tuple[Warning, ...] = ()
    prompt_hash: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Similar:
    """A stored memory near a candidate."""

    memory: MemoryRecord
    similarity: float  # cosine, −1 to 1; 0 where there is no vector
    overlap: float  # share of the candidate's sparse terms that the memory holds, 0 to 1
    has_common_entity: bool = False
    has_common_slot: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate with its top s similar memories that passed the floor, most similar first."""

    candidate: Candidate
    similar: tuple[Similar, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """One operation of Algorithm 1 on one candidate.  A candidate may have several, in order.

    ADD stores the candidate.  UPDATE gives `text`, the merged text of `target`; `changed` are the words of the old text
    that the merge may drop.  DELETE retires `target`: effect "change" ends it, "correction" retracts it; unless the
    candidate is a bare negation it is stored as the successor; `ends` says when it ends, if not where the candidate
    begins.  NOOP adds the candidate's source to `target`, if any.
    """

    candidate: int  # index into the matches
    event: Event
    target: str | None = None  # memory id
    effect: Effect | None = None
    text: str | None = None
    changed: tuple[str, ...] = ()
    reason: str = ""
    ends: datetime | None = None


# ---------------------------------------------------------------- the graph


@dataclass(frozen=True, slots=True)
class NewEntity:
    """A node to insert.  Of one `key` a partition has one node: where it is known, that one is meant.

    vector: of the name, shape (d,), or None.
    """

    id: str
    key: str  # its normal name and type; what tells two nodes of one name apart stands in it too
    name: str
    type: str | None = None
    vector: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """That a memory names an entity, by which name.  `message_id` is the internal id; None for a given fact.

    A dropped one says that the memory names it no longer: its text was edited.
    """

    memory_id: str
    entity_id: str
    name: str
    message_id: str | None
    at: datetime
    is_dropped: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """That a memory tells of a relation, or (`is_ended`) that one holds no longer.  Never changed, only withdrawn.

    It lives and dies with its memory: where that is not held, neither is the claim, and the claim's interval lies
    within the memory's.  What the claims of one partition say together is folded into relations (`perdure.graph`).
    An ended one with effect "correction" says that the relation never held; without a destination it stands for all.
    """

    id: str
    memory_id: str
    source_id: str
    source_name: str
    label: str
    destination_id: str | None
    destination_name: str
    at: datetime  # when it was said
    message_id: str | None = None  # internal id
    quote: str = ""
    is_ended: bool = False
    effect: Effect = "change"
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NewClaim:
    """A claim to insert, with the vector (d,) of the relation's text, or None."""

    claim: Claim
    vector: FloatArray | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """From here on what is called `name` (a form of `text.name_of`) of an entity is another one.

    None: all that it is called (a merge).
    """

    entity_id: str
    name: str | None
    to_id: str


@dataclass(frozen=True, slots=True)
class HeldEntity:
    """A node as the store holds it, with its mentions by memories that a selection admits, oldest first."""

    id: str
    key: str
    name: str
    type: str | None
    created_at: datetime
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class HeldClaim:
    """A claim as the store holds it, with what its memory gives it.  `order` rises with every claim recorded."""

    claim: Claim
    order: int
    operation_id: str | None
    recorded_at: datetime
    public_message_id: str | None
    memory_from: datetime | None
    memory_to: datetime | None
    user: str | None
    agent: str | None
    run: str | None
    origin: Origin = "user"  # of its memory


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """A node of the graph: a person, place, thing that memories name.  `aliases` are the other names it goes by."""

    id: str
    name: str
    type: str | None
    aliases: tuple[str, ...]
    mention_count: int  # memories that name it
    created_at: datetime
    memories: tuple[str, ...]  # ids of those


@dataclass(frozen=True, slots=True)
class Support:
    """What a relation rests on: a memory, the message it was said in (external id where one was given), the words."""

    memory_id: str
    message_id: str | None
    quote: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RelationRecord:
    """A labelled, directed edge of the graph, dated like a memory; `reason` says why it holds no longer."""

    id: str
    source: str
    label: str
    destination: str
    source_id: str
    destination_id: str
    text: str  # without grammar: "Ana lives in Lyon"
    valid_from: datetime | None
    valid_to: datetime | None
    recorded_at: datetime
    retired_at: datetime | None
    sources: tuple[Support, ...]  # oldest first
    reason: str
    user: str | None
    agent: str | None
    run: str | None
    claims: tuple[str, ...] = ()  # ids of the claims it rests on
    ended_by: str | None = None  # id of the claim that ended or retracted it


@dataclass(frozen=True, slots=True)
class RelationChange:
    """What an operation did to a relation: ADD, DELETE (ended or retracted), or NOOP (more evidence)."""

    event: Event
    effect: Effect | None
    relation: RelationRecord
    reason: str


@dataclass(frozen=True, slots=True)
class Graph:
    """A neighbourhood: its entities and the relations between them, both by name."""

    entities: tuple[EntityRecord, ...]
    relations: tuple[RelationRecord, ...]


# ---------------------------------------------------------------- what a commit writes


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version to insert.  The store sets recorded_at, created_at and updated_at; see `Store.commit`.

    vector: shape (d,), unit length, or None where the embedder does not cover the text.
    terms: sparse term → frequency.
    """

    record: MemoryRecord
    vector: FloatArray | None
    terms: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Closing:
    """The current version of a memory, to be closed: its retired_at becomes the commit's recorded_at."""

    memory_id: str
    version: int


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source to add to a memory, current or new."""

    memory_id: str
    message_id: str | None  # internal id
    quote: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Link:
    """`successor` supersedes `predecessor`."""

    successor: str
    predecessor: str


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """One decision as it was carried out: what history and undo read.

    memory and previous are (id, version) of the version after and before; either may be absent.
    """

    event: Event
    effect: Effect | None
    memory: tuple[str, int] | None
    previous: tuple[str, int] | None
    reason: str
    candidate: str  # the fact that led to it
    model: str | None = None
    prompt_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Touch:
    """What an operation did to a memory: a logged change that names it, or (change None) a link at one of its ends."""

    memory_id: str
    operation_id: str
    at: datetime  # recorded_at of the commit
    change: LoggedChange | None = None

    @property
    def shapes(self) -> bool:
        """False for what left the memory as it was: a NOOP adds evidence at most."""
        return self.change is None or self.change.event != "NOOP"


@dataclass(frozen=True, slots=True)
class VersionRecord:
    """A version of a memory, or its retraction, with the decision that led to it.

    `operation_id` is None for a version that no logged change tells of.
    """

    memory: MemoryRecord
    at: datetime  # when the store came to hold it so
    operation_id: str | None
    event: Event
    effect: Effect | None
    reason: str
    model: str | None
    prompt_hash: str | None


@dataclass(frozen=True, slots=True)
class Undone:
    """From here on an operation is undone `by` an undo, or (None) in force again."""

    operation_id: str
    by: str | None


@dataclass(frozen=True, slots=True)
class NewJob:
    """Work to be done beside the caller's path.  Of one (kind, key) at most one job waits at a time."""

    kind: str
    key: str
    payload: Json
    due_at: datetime


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What one exchange commits, whole or not at all."""

    scope: Scope
    operation_id: str
    operation: NewOperation | None = None  # begun by this very commit (verbs without messages)
    finishes: Status | None = None  # the operation's status from here on
    exchange: int | None = None  # its number within the operation, marked done
    read_version: int | None = None  # partition version it was decided on; None: unconditional
    space: str | None = None  # model of its vectors; None: the store's present embedder
    opened: tuple[NewVersion, ...] = ()
    closed: tuple[Closing, ...] = ()
    erased: tuple[str, ...] = ()  # memory ids removed physically: policy="paper" only
    sources: tuple[NewSource, ...] = ()
    links: tuple[Link, ...] = ()
    entities: tuple[NewEntity, ...] = ()
    mentions: tuple[Mention, ...] = ()
    claims: tuple[NewClaim, ...] = ()
    moves: tuple[Move, ...] = ()
    undone: tuple[Undone, ...] = ()  # their sources, links and graph are withdrawn, or recorded again
    log: tuple[LoggedChange, ...] = ()
    warnings: tuple[Warning, ...] = ()
    usage: Usage | None = None
    jobs: tuple[NewJob, ...] = ()


@dataclass(frozen=True, slots=True)
class Committed:
    """What a commit did: the time that all its rows share, and the partition's version after it."""

    recorded_at: datetime
    version: int


# ---------------------------------------------------------------- operations and results


@dataclass(frozen=True, slots=True)
class Usage:
    """What an operation cost."""

    llm_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    embedded_texts: int = 0
    ms: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.llm_calls + other.llm_calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.embedded_texts + other.embedded_texts,
            self.ms + other.ms,
        )


@dataclass(frozen=True, slots=True)
class Change:
    """One decision and what it did.  `memory` is the version after, `previous` the one before."""

    event: Event
    effect: Effect | None
    memory: MemoryRecord | None
    previous: MemoryRecord | None
    reason: str


@dataclass(frozen=True, slots=True)
class OperationResult:
    """What a mutating verb did.  Everything in it is durable."""

    operation_id: str
    status: Status
    changes: tuple[Change, ...]
    relations: tuple[RelationChange, ...]
    exchanges: int
    warnings: tuple[Warning, ...]
    usage: Usage
    engine: Engine
    verb: str = "add"
    at: datetime | None = None
    undone_by: str | None = None  # the undo that took it back


@dataclass(frozen=True, slots=True)
class Reembedding:
    """What a re-embedding did: the embedder that the store now belongs to, and how many rows it gave a vector.

    `left_out` rows are in a script that it does not cover; they are found by their words.
    """

    model: str
    dimensions: int
    embedded: int
    left_out: int


@dataclass(frozen=True, slots=True)
class NewOperation:
    """A mutating verb about to run.  `payload_hash` tells the same `key` with other content."""

    id: str
    verb: str
    scope: Scope
    engine: Engine
    actor: str | None = None
    key: str | None = None
    payload_hash: str = ""
    arguments: Json = field(default_factory=dict)  # what a retry needs: instructions, metadata, kind, expires


@dataclass(frozen=True, slots=True)
class OperationRow:
    """An operation as the store holds it."""

    id: str
    verb: str
    scope: Scope
    engine: Engine
    actor: str | None
    key: str | None
    payload_hash: str
    arguments: Json
    status: Status
    at: datetime
    finished_at: datetime | None
    exchanges: int
    log: tuple[LoggedChange, ...]
    warnings: tuple[Warning, ...]
    usage: Usage
    undone_by: str | None = None  # the undo that took it back


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to insert, under an id of the id source, with its vector (d,) or None and its sparse terms."""

    id: str
    message: Message
    exchange: int  # number within the operation
    vector: FloatArray | None
    terms: Mapping[str, int]
    space: str | None = None  # model of the vector; None: the store's present embedder


@dataclass(frozen=True, slots=True)
class JobRow:
    """A job as the store holds it."""

    id: int
    tenant: str
    kind: str
    key: str
    payload: Json
    status: Literal["waiting", "running", "done", "dead"]
    attempts: int
    due_at: datetime
    leased_until: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """The conversation summary S of one full scope tuple; `messages` is the order of the last message it read.

    `erasures` counts the partition's erasures when it was read: a summary made before one is not stored after it.
    """

    text: str
    at: datetime | None
    messages: int
    erasures: int = 0


# ---------------------------------------------------------------- erasing


@dataclass(frozen=True, slots=True)
class Erasure:
    """What to remove physically: memories by id, or what a scope holds, all of it or what was said before a time."""

    scope: Scope
    memories: tuple[str, ...] | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """What an erasure removed, by kind of row.

    `pending` is True while another reader holds the file as it was before: a job finishes the removal.
    """

    counts: Mapping[str, int]
    at: datetime
    pending: bool
    operation_id: str


# ---------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class Compare:
    """One comparison: a record field ("kind") or a metadata path ("metadata.x"), an operator, a value."""

    path: str
    operator: Operator
    value: Any  # a JSON value, or a datetime for a time field


@dataclass(frozen=True, slots=True)
class Both:
    """AND: true if every part is; true if there is none."""

    parts: tuple[Where, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """OR: true if some part is; false if there is none."""

    parts: tuple[Where, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """NOT: true if the part is not, a missing field included."""

    part: Where


Where = Compare | Both | Either | Negated  # a parsed filter; `where.parse` makes it


@dataclass(frozen=True, slots=True)
class Selection:
    """Which rows a read may see.  `now` decides what holds and what is expired where `as_of` is None."""

    scope: Scope
    now: datetime
    within: Owner | None = None  # only this owner's partition, whatever the scope would span
    where: Where | None = None
    validity: Validity = "current"
    as_of: datetime | None = None
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """An embedder whose vectors a store holds; while it is re-embedded there are several, one of them current."""

    model: str
    dimensions: int
    is_current: bool
    rows: int  # vectors in it; not counted (0) for the current one


@dataclass(frozen=True, slots=True)
class OlderVector:
    """A probe in the space of an embedder that was replaced.

    Its cosines c count as 1 − scale·(1 − c): the line on which the old floor falls on the new one, and 1 on 1.
    """

    space: str
    vector: FloatArray
    scale: float


@dataclass(frozen=True, slots=True)
class Probe:
    """A query or a candidate as the channels see it: vector (d,) or None, sparse term → frequency.

    `space` is the model of the vector (None: the store's present one); `older` finds rows not re-embedded yet.
    """

    vector: FloatArray | None
    terms: Mapping[str, int]
    space: str | None = None
    older: tuple[OlderVector, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """One channel's scores of the pool's rows in one partition.

    `scores` maps row reference → raw score (dense: cosine; sparse: BM25, 0 where no term is shared) for every row of
    the pool, which is the union of all channels' best.  `count`, `mean` and `deviation` describe the raw scores of all
    rows that the selection admits, so that a per-query score can be normalised.
    """

    channel: Channel
    partition: int
    scores: Mapping[int, float]
    count: int
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """One probe's rankings, and the version of the partition they were read at (the sum over several)."""

    rankings: tuple[Ranking, ...]
    version: int


@dataclass(frozen=True, slots=True)
class Signal:
    """One channel's part in a hit."""

    channel: str
    raw: float
    normalised: float
    weight: float
    rank: int  # the channel's own rank of this hit in the pool, from 1


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit stands where it does: each channel's part, their sum, and the map to a probability."""

    signals: tuple[Signal, ...]
    fused: float
    calibration_id: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A found memory, message or relation.  `score` is the estimated probability that it is relevant, 0 to 1."""

    kind: HitKind
    id: str
    text: str
    score: float
    at: datetime
    memory: MemoryRecord | None = None
    message: MessageRecord | None = None
    relation: RelationRecord | None = None
    explanation: Explanation | None = None


@dataclass(frozen=True, slots=True)
class SearchResult(Sequence[Hit]):
    """Hits, best first, and what is known about them as a whole."""

    hits: tuple[Hit, ...]
    confidence: float
    calibration_id: str
    warnings: tuple[Warning, ...] = ()
    usage: Usage = Usage()

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[index]

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)


@dataclass(frozen=True, slots=True)
class Context:
    """What to put before a model: a marked block of dated evidence within the budget."""

    text: str
    hits: tuple[Hit, ...]
    tokens: int
    warnings: tuple[Warning, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, the hits it rests on, and whether perdure declined to answer."""

    text: str
    citations: tuple[Hit, ...]
    abstained: bool
    confidence: float
    usage: Usage = Usage()
    warnings: tuple[Warning, ...] = ()


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a listing; `cursor` reads the next one, None at the end; `total` counts all pages.

    Iterating and `len` mean the items of this page.
    """

    items: tuple[T, ...]
    cursor: str | None
    total: int

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts of one scope, or of the whole tenant."""

    memories: int  # current
    ended: int
    retracted: int
    messages: int
    partitions: int
    operations: int
    jobs_waiting: int
    jobs_dead: int
    store_bytes: int
    schema_version: int
    embedder: str | None
    dimensions: int | None
    today: Usage = Usage()  # language models, all tenants and processes of the store, since midnight UTC
    cost_today_usd: float | None = None  # None where a model's price is not known


# ---------------------------------------------------------------- the language model and the embedder


class Role(Enum):
    """What a text is embedded as: asymmetric embedders treat the two apart."""

    DOCUMENT = "document"
    QUERY = "query"


@dataclass(frozen=True, slots=True)
class Tool:
    """A function the model must call: its name, what it is for, and the JSON schema of its arguments (strict)."""

    name: str
    description: str
    schema: Json


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a prompt beyond its system part: a repair shows the model its own reply."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked.  `hash` identifies the template and its tools, not what was filled in.

    With `tools` the model must call one of them; several calls in one reply are allowed.
    """

    name: str
    system: str
    turns: tuple[Turn, ...]
    hash: str
    tools: tuple[Tool, ...] = ()
    max_tokens: int = 4096
    images: tuple[Json, ...] = ()  # parts of the first turn, in the form of chat completions; for a model that can see


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it; `arguments` is its raw JSON text, not yet checked."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply to one prompt, and what it cost."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    is_truncated: bool = False
    is_remembered: bool = False  # said before to the same prompt: no call was made
