"""What perdure needs from outside: five narrow, batch-first protocols.

An implementation is any object with these methods; `perdure.testing` holds the contract suite of each.
Shapes, units, order and errors are part of the contract.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from perdure.models import (
    ChangeSet,
    Channel,
    Committed,
    Completion,
    Erasure,
    ErasureReceipt,
    Exchange,
    GraphKind,
    HeldClaim,
    HeldEntity,
    JobRow,
    Json,
    MemoryRecord,
    MessageRecord,
    Move,
    NewJob,
    NewMessage,
    NewOperation,
    OperationRow,
    Page,
    Probe,
    Prompt,
    Ranked,
    Role,
    Scope,
    Selection,
    Stats,
    Status,
    Summary,
    Touch,
    Usage,
    VectorSpace,
    Warning,
)

if TYPE_CHECKING:
    from perdure.models import FloatArray

RowKind = Literal["memory", "message"]
ListOrder = Literal["recorded", "-recorded", "valid", "-valid"]


class Clock(Protocol):
    """The time."""

    def now(self) -> datetime:
        """Return the present: aware, UTC."""
        ...


class Ids(Protocol):
    """The source of every id."""

    def new(self) -> str:
        """Return an id never returned before, by any process: 1 to 64 characters of [0-9a-z-]."""
        ...


class LLM(Protocol):
    """A language model, asked at temperature 0.

    One that can be shown pictures (`Prompt.images`) says so in an attribute `can_see`, which is True; it may lack it.
    """

    @property
    def model(self) -> str:
        """The model's name, as kept with every decision."""
        ...

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return one completion per prompt, in order.  How many run at once is the adapter's affair.

        Raises ProviderTimeout, RateLimited (after its own retries) or ProviderError.
        A reply in the wrong form is not an error here: parsing is the steps' affair.
        """
        ...


class Embedder(Protocol):
    """Text to unit vectors."""

    @property
    def model(self) -> str:
        """Name of the weights: vectors of two models never meet."""
        ...

    @property
    def dimensions(self) -> int:
        """Length d of a vector."""
        ...

    @property
    def floor(self) -> float:
        """The cosine below which two statements are not about the same thing (measured per model)."""
        ...

    def covers(self, text: str) -> bool:
        """True if the model was trained on the script of this text, so that its vector means something."""
        ...

    def embed(self, texts: Sequence[str], role: Role) -> FloatArray:
        """Return shape (len(texts), d), float32, rows of unit length, in order.

        A text beyond the model's length is cut.  Raises ProviderError kinds.
        """
        ...


class Reranker(Protocol):
    """A second opinion on the order of a few texts."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return one score per text, in order: higher is better, no fixed range.  Raises ProviderError kinds."""
        ...


class Store(Protocol):
    """Where everything is kept.

    Every method is atomic and sees one snapshot; every method but those by `ref` names a tenant and never sees another.
    A store may be shared by threads; on one file or server it may be shared by processes.
    All methods raise StoreError kinds; what returned is durable.

    Every row lives in the partition of its owner (`Scope.owner`).  A partition has a version, raised by one with every
    commit that touches it, and a clock: the recorded_at of its commits rises strictly, whatever the system clock does.
    """

    # -- identity

    def claim_embedder(self, model: str, dimensions: int) -> None:
        """Bind a new store to this embedder.  Raises SettingsError, with the remedy, if it is bound to another."""
        ...

    def spaces(self) -> list[VectorSpace]:
        """Return the embedders whose vectors the store holds: the current one first, then the older ones by age."""
        ...

    def rebind(self, model: str, dimensions: int) -> None:
        """Make this the store's current embedder; vectors of the others stay until they are replaced.

        From then on a row belongs to the space of its `space`, which must be one of `spaces`, else SettingsError.
        """
        ...

    def stale(self, kind: RowKind, *, after: int, limit: int) -> list[int]:
        """Return references above `after`, rising, of rows of every tenant without a vector in the current space."""
        ...

    def set_vectors(self, kind: RowKind, vectors: Mapping[int, FloatArray | None], *, space: str) -> None:
        """Put rows into a space, or (None) leave them without a vector; a row that was erased since is skipped."""
        ...

    def drop_spaces(self) -> int:
        """Drop the older spaces if no vector is left in them, and return how many are."""
        ...

    # -- writing

    def begin(
        self,
        operation: NewOperation,
        messages: Sequence[NewMessage],
        *,
        status: Status = "pending",
        warnings: Sequence[Warning] = (),
        usage: Usage | None = None,
        jobs: Sequence[NewJob] = (),
    ) -> tuple[OperationRow, list[Exchange]]:
        """Record an operation, its messages and jobs, whole or not at all; return them as stored, exchanges in order.

        A message whose external id the partition already holds with equal role, name, content and time is left out
        (warning `duplicate_message` in the row); with other content it is a Conflict.  An exchange left empty is left
        out; `OperationRow.exchanges` counts the rest.
        An operation whose `key` is known in the partition with the same payload_hash is returned as it was stored,
        with its exchanges (is_done tells which), and nothing is written; with another payload_hash it is a Conflict.
        """
        ...

    def commit(
        self,
        changes: ChangeSet,
        *,
        collides: Callable[[Sequence[tuple[MemoryRecord, FloatArray | None]]], bool] | None = None,
    ) -> Committed:
        """Write one change set in one transaction.

        If `changes.read_version` is older than the partition's version and a memory version was recorded since, then
        `collides` is asked about the versions recorded since that are still current (with their vectors), inside the
        transaction; if it returns True, or a memory named in `closed` is no longer current at that version, Conflict
        is raised and nothing is written.  `collides` must be quick and must not call a model.

        recorded_at, created_at and updated_at of opened records are set by the store: one recorded_at for the set.
        A version of a known id keeps the first version's created_at.  If `exchange` is already marked done, or the key
        of `operation` is known, Conflict.

        With `undone`, Conflict if the partition moved at all since `read_version`.  The sources and links that an
        undone operation recorded in the partition are withdrawn: not seen from here on, seen by `known_at` before and
        in the versions that ended with them.  Those of an operation in force again are recorded anew.
        """
        ...

    def finish(
        self,
        tenant: str,
        operation_id: str,
        status: Status,
        *,
        warnings: Sequence[Warning] = (),
        usage: Usage | None = None,
    ) -> OperationRow:
        """Set an operation's status, append warnings, add usage, and return it."""
        ...

    def erase(self, operation: NewOperation, target: Erasure, *, jobs: Sequence[NewJob] = ()) -> ErasureReceipt:
        """Remove rows physically, whole or not at all, under an operation that stays as a content-free tombstone.

        What goes: the memories with every version, vector, term, source and link; the messages, with the summaries of
        their scope tuples; operations of which nothing is left, and the texts of those that stay; their jobs.
        A memory goes with its last source; one that keeps a source loses the versions that rest on the erased ones,
        and the exchanges of the others are marked undone: the tombstone's `again` names their operations, and
        `summaries` the scope tuples whose summary went while messages stay.
        The operation is pending until `scrub` has succeeded.  Raises NotFound on a memory id that is not there.
        """
        ...

    def scrub(self) -> bool:
        """Leave no byte of what was erased in the store's files, and set the pending erasures done.

        False, soon, where another reader or writer holds the file: nothing has changed then; try again.
        """
        ...

    def expired(self, tenant: str, before: datetime) -> list[MemoryRecord]:
        """Return the last versions of the memories that expired before then, by partition and reference."""
        ...

    # -- reading memories and messages

    def memory(
        self, tenant: str, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> MemoryRecord:
        """Return the version held at `known_at` (else the last one, retired or not).

        With `as_of` the version must also hold then.  Raises NotFound.
        """
        ...

    def versions(self, tenant: str, id: str) -> list[MemoryRecord]:
        """Return every version of a memory, oldest first.  Raises NotFound."""
        ...

    def touches(self, tenant: str, ids: Sequence[str]) -> list[Touch]:
        """Return what operations did to these memories, oldest first; nothing for an unknown id."""
        ...

    def memories(
        self, selection: Selection, *, order: ListOrder = "recorded", cursor: str | None = None, limit: int = 100
    ) -> Page[MemoryRecord]:
        """Return a page of memory versions; ties by id.  Raises InputError on a cursor that is not its own."""
        ...

    def message(self, tenant: str, id: str, *, scope: Scope | None = None) -> MessageRecord:
        """Return a message by internal id, or, with a scope, by external id too.  Raises NotFound."""
        ...

    def messages(
        self, scope: Scope, *, last: int | None = None, cursor: str | None = None, limit: int = 100
    ) -> Page[MessageRecord]:
        """Return a page of the scope's messages by partition and order; `last` keeps only the newest that many."""
        ...

    def annotate(
        self,
        tenant: str,
        id: str,
        metadata: Json,
        *,
        vector: FloatArray | None,
        terms: Mapping[str, int],
        space: str | None = None,
    ) -> None:
        """Replace a message's metadata and what it is found by; its content never changes.  Raises NotFound."""
        ...

    def window(self, scope: Scope, *, before: int, size: int) -> list[MessageRecord]:
        """Return the last `size` messages of exactly this scope tuple with order < before, oldest first."""
        ...

    # -- the channels' look-ups

    def rank(
        self,
        kind: RowKind,
        selection: Selection,
        probes: Sequence[Probe],
        *,
        limit: int,
        channels: Sequence[Channel] = ("dense", "sparse"),
    ) -> list[Ranked]:
        """Return each probe's rankings of the rows that the selection admits, one per channel and partition.

        Each channel offers its best `limit` rows per partition; all channels then score the union.
        A probe without a vector has no dense ranking; a row without a vector, or in a space that the probe has none
        for, scores 0 there and is not counted.
        Sparse: BM25 with k1 and b of `text`, statistics from the partition's current rows.  Ties by reference.
        For messages, `where` reads message fields; validity, as_of and expiry do not apply, known_at does.
        The selection's scope must name somebody or `within` must be given, else InputError.
        """
        ...

    def load_memories(self, refs: Sequence[int], *, known_at: datetime | None = None) -> list[MemoryRecord | None]:
        """Return the versions behind references of `rank`, in order; None where one was erased since."""
        ...

    def load_messages(self, refs: Sequence[int]) -> list[MessageRecord | None]:
        """Return the messages behind references of `rank`, in order; None where one was erased since.

        The references of one partition's messages follow each other in their order, so that those beside a reference
        are its neighbours; a reference that names no message gives None too.
        """
        ...

    def outdated(self, refs: Sequence[int], *, at: datetime) -> list[bool]:
        """Return for each message reference, in order, whether what was drawn from it holds no longer.

        True where some memory has it as a source and none of those holds at `at`: ended, expired or retracted.
        """
        ...

    # -- the graph

    def entities(
        self,
        selection: Selection,
        *,
        ids: Sequence[str] | None = None,
        names: Sequence[str] | None = None,
    ) -> list[HeldEntity]:
        """Return entities that memories of the selection mention, in the order in which they came.

        A memory counts if the selection's scope, filter and known_at admit it and it is not expired; validity and
        as_of do not apply.  `ids`: only these, also where no memory mentions them.  `names`: only those that
        some memory calls so (forms of `text.name_of`); one that ends in "*" stands for every name that begins so.
        """
        ...

    def claims(
        self,
        selection: Selection,
        *,
        touching: Sequence[str] | None = None,
        leaving: Sequence[str] | None = None,
        labels: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        memories: Sequence[str] | None = None,
        operation: str | None = None,
    ) -> list[HeldClaim]:
        """Return claims of memories that the selection admits (see `entities`), by order.

        touching: only those with one of these entities at an end, leaving: as their source; labels, ids, memories,
        operation: only those of these.
        """
        ...

    def moves(self, selection: Selection) -> list[Move]:
        """Return the moves that are held in the partitions of the selection, oldest first."""
        ...

    def stale_graph(self, kind: GraphKind, *, after: int, limit: int) -> list[tuple[int, str]]:
        """Return places above `after`, rising, and texts of names or relations without a vector in the current space.

        They are of every tenant.
        """
        ...

    def set_graph_vectors(self, kind: GraphKind, vectors: Mapping[int, FloatArray | None], *, space: str) -> None:
        """Put names or relations, by place, into a space, or leave them without a vector; see `set_vectors`."""
        ...

    def near(
        self, kind: GraphKind, selection: Selection, vector: FloatArray, *, space: str | None, limit: int
    ) -> list[tuple[str, float]]:
        """Return ids of entities or claims with the cosine of their vector, greatest first; ties by id.

        Only vectors of `space` count (None: the store's present one).  It may name some that the selection does not
        admit: `entities` and `claims` decide.
        """
        ...

    # -- operations

    def operation(self, tenant: str, id: str) -> OperationRow:
        """Return an operation.  Raises NotFound."""
        ...

    def operations(self, scope: Scope, *, cursor: str | None = None, limit: int = 100) -> Page[OperationRow]:
        """Return a page of the scope's operations, newest first."""
        ...

    def exchanges(self, tenant: str, operation_id: str) -> list[Exchange]:
        """Return an operation's exchanges, in order, with their messages."""
        ...

    # -- summaries and jobs

    def summary(self, scope: Scope) -> Summary:
        """Return the summary of exactly this scope tuple; an empty one if there is none."""
        ...

    def set_summary(self, scope: Scope, summary: Summary) -> None:
        """Store a summary, unless the one that is stored has read more messages.

        Conflict if the partition had an erasure since it was read: it may tell what was erased.
        """
        ...

    def count_exchanges(self, scope: Scope) -> int:
        """Return how many exchanges of exactly this scope tuple are done."""
        ...

    def add_job(self, tenant: str, job: NewJob) -> None:
        """Enqueue a job, unless one of its kind and key is waiting."""
        ...

    def lease_job(self, *, now: datetime, lease_s: float) -> JobRow | None:
        """Lease the job that is longest due, raising its attempts: waiting, or running with its lease run out."""
        ...

    def finish_job(self, id: int, *, error: str | None = None, retry_at: datetime | None = None) -> None:
        """Mark a leased job done; with an error, waiting until `retry_at`, or dead if that is None."""
        ...

    def jobs(self, tenant: str | None = None, *, open_only: bool = True) -> list[JobRow]:
        """Return jobs, oldest first."""
        ...

    # -- what models cost

    def spend(
        self, day: str, model: str, usage: Usage, *, calls_at_most: int | None = None, tokens_at_most: int | None = None
    ) -> bool:
        """Add calls and tokens to what a model took on a day, of all tenants.

        False, and nothing is added, if all models of the day would come above one of the limits.
        """
        ...

    def spent(self, day: str) -> dict[str, Usage]:
        """Return what each model took on a day."""
        ...

    # -- the whole

    def export(self, scope: Scope, *, vectors: bool = True) -> Iterator[dict[str, Any]]:
        """Yield what a scope holds, of the whole tenant if it names nobody, as JSON objects in a fixed order.

        The first one names format, version and embedder, whose vectors alone are exported: a row that is not
        re-embedded yet has none.  One snapshot; see `perdure.stores` for the lines.
        An open job belongs to the tenant alone.
        """
        ...

    def import_(self, tenant: str, lines: Sequence[dict[str, Any]]) -> dict[str, int]:
        """Insert the rows of an export that are not there yet, whole or not at all; return how many came, by type.

        Ids, times and vectors are kept; rows stand behind those that are there.  Exporting a store that was empty gives
        the lines back.  A version that is there open and comes closed is closed.
        Raises InputError on another format, Conflict where an id is another owner's, or a key or external id is taken,
        SettingsError where the store holds no vectors of the embedder that the first line names.
        """
        ...

    def backup(self, path: Path) -> dict[str, int]:
        """Write one snapshot of the whole store to `path`, an empty file, while others write; return counts of it.

        Raises Forbidden where the store keeps no file.
        """
        ...

    def restore(self, path: Path) -> dict[str, int]:
        """Take over a backup; return counts of it.

        Raises Forbidden where anything was ever written to this store, Corrupt on a file that is damaged or no backup,
        SchemaMismatch on one of a later release, SettingsError where its vectors are another embedder's.
        """
        ...

    def stats(self, scope: Scope) -> Stats:
        """Return counts of a scope; of the whole tenant if it names nobody."""
        ...

    def close(self) -> None:
        """Release everything.  Closing twice is allowed."""
        ...


@dataclass(frozen=True, slots=True)
class Ports:
    """What the pipelines work with.

    Without an llm the offline engine thinks; without an embedder there is no dense channel and no cosine.
    """

    store: Store
    clock: Clock
    ids: Ids
    embedder: Embedder | None = None
    llm: LLM | None = None
    reranker: Reranker | None = None
    count_tokens: Callable[[str], int] | None = None  # None: the estimator of `text`
    older: tuple[Embedder, ...] = ()  # whose vectors the store still holds, while it is re-embedded
    sleep: Callable[[float], None] = time.sleep  # seconds; between decisions that other writers overtook

    @property
    def space(self) -> str | None:
        """The model that vectors made with these ports are of."""
        return None if self.embedder is None else self.embedder.model
