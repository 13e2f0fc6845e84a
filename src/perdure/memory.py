"""Memory: every verb of perdure, on one store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, Unpack, overload

from perdure import checks, registry
from perdure.errors import Forbidden, InputError, NotFound, PerdureError, StoreError
from perdure.jobs.queue import Worker
from perdure.jobs.tasks import EXTRACT, TASKS, erase_job, schedule_purge
from perdure.models import (
    UNSET,
    Answer,
    Context,
    Effect,
    Engine,
    EntityRecord,
    Erasure,
    ErasureReceipt,
    Graph,
    GraphMode,
    Include,
    Kind,
    MemoryRecord,
    MessageRecord,
    NewJob,
    NewOperation,
    OperationResult,
    OperationRow,
    Page,
    Policy,
    Reembedding,
    RelationRecord,
    Role,
    Scope,
    SearchResult,
    Selection,
    Stats,
    Summary,
    Unset,
    Usage,
    Validity,
    VersionRecord,
    Warning,
)
from perdure.ports import LLM, Clock, Embedder, Ids, ListOrder, Ports, Reranker, Store
from perdure.providers.metered import MeteredLLM, day
from perdure.providers.prices import prices, total_cost
from perdure.providers.system import RandomIds, SystemClock
from perdure.read import asking
from perdure.read import graph as graph_reading
from perdure.read import pipeline as reading
from perdure.read.lineage import difference
from perdure.read.lineage import lineage as read_lineage
from perdure.read.query import INCLUDABLE
from perdure.read.results import result
from perdure.read.timeline import timeline as read_timeline
from perdure.settings import Settings
from perdure.when import to_utc, zone
from perdure.write import by_hand, edit, ingest
from perdure.write import merge as merging
from perdure.write import reembed as reembedding
from perdure.write.describe import can_see
from perdure.write.embed import embed
from perdure.write.retire import held, retire
from perdure.write.revert import revert

Messages = str | Mapping[str, Any] | Sequence[Mapping[str, Any] | tuple[str, str]]
Time = datetime | str


@dataclass(slots=True)
class _Shared:
    """What all tenants' views of one memory share, and a re-embedding changes."""

    ports: Ports


class Memory:
    """Long-term memory for LLM agents, on one store.

    store: a path (one SQLite file), ":memory:", a Store object, or None for the settings' store
    (memory.db in the user's data folder).
    llm, embedder, reranker: a name ("openai:gpt-4o-mini"), an object of the port, or None for the settings'.
    Without an llm the offline engine extracts and decides; results say so in `engine`.

    A Memory may be shared by threads; it is a context manager; close it to release the store.
    Raises SettingsError where the configuration cannot work, StoreError where the store cannot be opened.
    """

    def __init__(
        self,
        store: str | Path | Store | None = None,
        *,
        llm: str | LLM | None = None,
        embedder: str | Embedder | None = None,
        reranker: str | Reranker | None = None,
        tenant: str = "default",
        actor: str | None = None,
        policy: Policy = "consolidate",
        graph: GraphMode = "joint",
        timezone: str | tzinfo | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
        settings: Settings | Mapping[str, Any] | None = None,
    ) -> None:
        self._is_guest = False  # a view of another tenant, which closes nothing
        self.settings = registry.settings(settings)
        self.tenant = checks.identifier(tenant, "tenant")
        self.actor = None if actor is None else checks.identifier(actor, "actor")
        self.policy: Policy = checks.choice(policy, "policy", ("consolidate", "append", "paper"))
        self.graph_mode: GraphMode = checks.choice(graph, "graph", ("joint", "paper", "off"))
        self.timezone = zone(self.settings.timezone if timezone is None else timezone)
        clock = registry.held(clock, "clock", "now") or SystemClock()
        ids = registry.held(ids, "ids", "new") or RandomIds()
        found_embedder, self.warnings = registry.embedder(embedder, self.settings)
        found_llm = registry.language_model(llm, self.settings)
        opened = registry.store(store, self.settings, clock)
        self._owns_store = opened is not store
        metered = None if found_llm is None else registry.metered(found_llm, opened, clock, self.settings)
        self._made: list[Any] = [  # models that were made here, to be closed here
            made
            for made, given in ((found_embedder, embedder), (found_llm, llm))
            if made is not given and hasattr(made, "close")
        ]
        self._shared = _Shared(Ports(opened, clock, ids, found_embedder, metered))
        self._worker = Worker(self._ports, self.settings, TASKS, mode=self.settings.jobs)
        try:
            if found_embedder is not None:
                opened.claim_embedder(found_embedder.model, found_embedder.dimensions)
                self._use(found_embedder)
            found_reranker = registry.reranker(reranker, self.settings, metered)
            self._shared.ports = replace(self._ports, reranker=found_reranker)
            self._made += [found_reranker] if hasattr(found_reranker, "close") else []
        except (
            PerdureError
        ):  # bound to another embedder, an endpoint that does not say its dimensions, no such reranker
            self.close()
            raise
        schedule_purge(self.tenant, self._ports, self.settings)

    def for_tenant(self, tenant: str) -> Memory:
        """Return this memory for another tenant, on the same store, models and worker; closing it closes nothing."""
        other = object.__new__(Memory)
        other.__dict__.update(self.__dict__)
        other.tenant = checks.identifier(tenant, "tenant")
        other._is_guest = True
        schedule_purge(other.tenant, other._ports, other.settings)
        return other

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop the worker after its present job and release the store; waiting jobs stay and are done later.

        A store or model that was given as an object stays open: it belongs to who made it.
        """
        if self._is_guest:
            return
        self._worker.stop()
        if self._owns_store:
            self._ports.store.close()
        for model in self._made:
            model.close()

    # ---------------------------------------------------------------- writing

    def add(
        self,
        messages: Messages | None = None,
        *,
        facts: Sequence[str | Mapping[str, Any]] | None = None,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
        at: Time | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        key: str | None = None,
        expires: Time | None = None,
        instructions: str | None = None,
        kind: Kind | None = None,
        wait: bool = True,
        progress: ingest.Progress | None = None,
    ) -> OperationResult:
        """Remember messages: store them, extract facts, settle each against what is known.

        Exactly one of `messages` and `facts` is given; facts are settled without extraction.
        at: the time of messages that have none of their own (default: now).
        infer=False stores messages as they are, searchable.  wait=False extracts in a job.
        key: the same add again resumes or returns the first result; with another payload it is a Conflict.
        progress: told (exchanges done, exchanges in all) after each.

        A model that fails does not raise: the messages stay, status is "failed" or "partial", a warning says why,
        and `retry(operation_id)` runs what failed again.  A daily budget that does not reach does raise: Forbidden says
        when it begins anew and which operation to retry then; the messages stay too.
        Raises InputError, Conflict, StoreError; then nothing of this call was written, unless the error says that the
        messages are stored: then `retry` with the id that it names goes on.
        Cost: per exchange at most two model calls (four with repairs), and the embedding of its texts.
        """
        scope = self._scope(user, agent, run)
        checks.flag(infer, "infer")
        checks.flag(wait, "wait")
        checks.function(progress, "progress")
        now = self._ports.clock.now()
        said_at = self._time(at, "at") or now
        plain = checks.metadata(metadata)
        wishes: dict[str, Any] = {
            "metadata": plain,
            "expires": _iso(self._time(expires, "expires")),
            "instructions": None if instructions is None else checks.text(instructions, "instructions", 20_000),
            "timezone": None if self.timezone is None else str(self.timezone),
            "kind": None if kind is None else checks.choice(kind, "kind", checks.KINDS),
        }
        kept = {**wishes, "policy": self.policy, "graph": self.graph_mode}
        key = None if key is None else checks.key(key)
        if facts is not None:
            if messages is not None:
                raise InputError("give messages or facts, not both; call add twice")
            candidates = checks.facts(
                facts, at=said_at, timezone=self.timezone, max_chars=self.settings.max_message_chars
            )
            new = ingest.operation(
                "add", scope, self._ports, payload=[facts, _iso(self._time(at, "at")), wishes],
                engine=self._engine(infer=True), actor=self.actor, key=key, arguments=kept,
            )  # fmt: skip
            row = ingest.settle_facts(candidates, new, self._ports, self.settings, policy=self.policy)
            return self._result(row)

        checked, warnings = checks.messages(
            messages, at=said_at, now=now, timezone=self.timezone,
            max_chars=self.settings.max_message_chars, metadata=None if infer else plain,
        )  # fmt: skip
        if infer and can_see(self._ports.llm):  # the pipeline says what it did not read
            warnings = [warning for warning in warnings if warning.code != "part_not_read"]
        new = ingest.operation(
            "add", scope, self._ports, payload=[messages, _iso(self._time(at, "at")), wishes, infer],
            engine=self._engine(infer=infer), actor=self.actor, key=key, arguments=kept,
        )  # fmt: skip
        jobs = [NewJob(EXTRACT, new.id, {"operation_id": new.id, "policy": self.policy}, now)]
        deferred = infer and not wait
        started = ingest.start(
            checked, new, self._ports, self.settings,
            warnings=[*self.warnings, *warnings], jobs=jobs if deferred else (),
        )  # fmt: skip
        if deferred:
            self._worker.wake()
            return self._result(started.operation)
        return self._carry_out(started, progress)

    def retry(self, id: str, *, progress: ingest.Progress | None = None) -> OperationResult:
        """Run what failed or was interrupted in an operation again; a finished one is returned as it is."""
        checks.function(progress, "progress")
        row = self._ports.store.operation(self.tenant, checks.identifier(id, "id"))
        if row.status == "done":
            return self._result(row)
        if row.undone_by is not None:
            raise Forbidden(f"operation {id!r} was undone by {row.undone_by!r}; undo that first, then retry")
        if row.verb != "add":
            raise Forbidden(f"a {row.verb} is not retried; call {row.verb} again")
        exchanges = self._ports.store.exchanges(self.tenant, id)
        if not exchanges:  # given facts are stored only when they are settled
            raise Forbidden(f"operation {id!r} holds no message to read again; call add with its facts again")
        return self._carry_out(ingest.Started(row, exchanges), progress)

    def update(
        self,
        id: str,
        text: str | Unset = UNSET,
        *,
        metadata: Mapping[str, Any] | Unset = UNSET,
        valid_from: Time | Unset | None = UNSET,
        valid_to: Time | Unset | None = UNSET,
        event_from: Time | Unset | None = UNSET,
        event_to: Time | Unset | None = UNSET,
        expires: Time | Unset | None = UNSET,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> OperationResult:
        """Make a new version of a memory; what is not given stays, None clears a date, metadata is replaced whole.

        Raises NotFound (also for a retracted memory), InputError.
        """
        changed: dict[str, Any] = {}
        if not isinstance(text, Unset):
            changed["text"] = checks.text(text, "text", self.settings.max_message_chars)
        if not isinstance(metadata, Unset):
            changed["metadata"] = checks.metadata(metadata)
        times = {
            "valid_from": valid_from, "valid_to": valid_to, "event_from": event_from, "event_to": event_to,
            "expires_at": expires,
        }  # fmt: skip
        for field, value in times.items():
            if not isinstance(value, Unset):
                changed[field] = self._time(value, field)
        if not changed:
            raise InputError("nothing to update: give text, metadata or one of the dates")
        record = self._held(id, user, agent, run)
        new = edit.revise(record, changed)
        scope = edit.owner_scope(record, self.tenant)
        operation = self._operation("update", scope, [id, changed])
        by_hand.update(record, new, operation, self._ports, self.settings, graph=self.graph_mode != "off")
        return self.operation(operation.id)

    def delete(
        self,
        id: str,
        *,
        effect: Effect = "correction",
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> OperationResult:
        """Retire a memory: "correction" retracts it (it was never so), "change" ends it now.  Its history stays.

        Raises NotFound (also for a memory retracted before).
        """
        checks.choice(effect, "effect", ("correction", "change"))
        record = self._held(id, user, agent, run)
        return self._retire([record], "delete", edit.owner_scope(record, self.tenant), effect)

    def delete_all(
        self,
        *,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
        effect: Effect = "correction",
    ) -> OperationResult:
        """Retire every memory of a scope, as `delete` does one.  Messages and history stay.

        Each partition is retired whole or not at all.  Where other writers keep coming between, status is "partial", a
        warning names what is left, and calling it again retires the rest.
        """
        checks.choice(effect, "effect", ("correction", "change"))
        scope = self._scope(user, agent, run)
        records = held(self._selection(user, agent, run, validity="all"), self._ports.store)
        return self._retire(records, "delete_all", scope, effect)

    def undo(
        self,
        operation_id: str,
        *,
        cascade: bool = False,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> OperationResult:
        """Take back a whole operation, its decisions included; that is an operation too, and can be undone.

        What it added is retracted, what it updated has its text before again (a new version), what it ended or
        retracted is back under the same id; sources, evidence and links that it recorded are withdrawn.  Messages stay.
        cascade: take along what later operations built on it, newest first.
        Undoing twice writes nothing: the first undo is returned, with the warning `already_undone`.
        Raises NotFound, Conflict (naming what was built on it; or not finished yet), Forbidden (an erase, or a verb
        without a way back).
        """
        checks.flag(cascade, "cascade")
        scope = checks.scope_ids(self.tenant, user, agent, run)
        held = self._ports.store.operation(self.tenant, checks.identifier(operation_id, "operation_id")).scope
        if not scope.admits(user=held.user, agent=held.agent, run=held.run):
            raise NotFound(f"no operation {operation_id!r} in this scope")
        reverted = revert(
            operation_id, self._ports, self.settings, tenant=self.tenant, actor=self.actor, cascade=cascade
        )
        undone = self._result(reverted.operation)
        if not reverted.is_repeated:
            return undone
        detail = f"operation {operation_id!r} was undone before, by {undone.operation_id!r}; nothing was written"
        return replace(undone, warnings=(*undone.warnings, Warning("already_undone", detail)))

    def erase(
        self,
        id: str | None = None,
        *,
        before: Time | None = None,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> ErasureReceipt:
        """Remove physically: a memory by id, or everything of a scope, or what was said in it before a time.

        By id goes the memory with all its versions and quotes; the messages it came from stay.  By scope or time go
        the messages too, with the facts that rest on them alone; a fact that rests on others as well is extracted
        again from those, and summaries are made anew (docs/how-to/erase.md).
        It cannot be undone.  `pending` is True while another reader holds the old file; a job then finishes it.
        Raises NotFound, InputError, StoreError.  Cost: the store's file is written anew.
        """
        if id is not None and before is not None:
            raise InputError("`before` is for a scope; a memory is erased whole: give its id alone")
        if id is None:
            target = Erasure(self._scope(user, agent, run), before=self._time(before, "before"))
        else:
            record = self._admitted(
                self._ports.store.memory(self.tenant, checks.identifier(id, "id")), user, agent, run
            )
            target = Erasure(edit.owner_scope(record, self.tenant), memories=(record.id,))
        now = self._ports.clock.now()
        new = replace(self._operation("erase", target.scope, []), arguments={"policy": self.policy})
        receipt = self._ports.store.erase(new, target, jobs=[erase_job(new.id, now)])
        if isinstance(self._ports.llm, MeteredLLM):
            self._ports.llm.forget()
        receipt = replace(receipt, pending=not self._ports.store.scrub())
        self._worker.wake()
        return receipt

    # ---------------------------------------------------------------- reading

    @overload  # a str is a Sequence[str] too: the first overload is the one for a str
    def search(  # type: ignore[overload-overlap]
        self, query: str, *, user: str | None = None, agent: str | None = None, run: str | None = None, k: int = 10,
        where: Mapping[str, Any] | None = None, include: Sequence[Include] = INCLUDABLE, validity: Validity = "current",
        as_of: Time | None = None, known_at: Time | None = None, threshold: float | None = None, diversity: float = 0.0,
        explain: bool = False,
    ) -> SearchResult: ...  # fmt: skip
    @overload
    def search(
        self, query: Sequence[str], *, user: str | None = None, agent: str | None = None, run: str | None = None,
        k: int = 10, where: Mapping[str, Any] | None = None, include: Sequence[Include] = INCLUDABLE,
        validity: Validity = "current", as_of: Time | None = None, known_at: Time | None = None,
        threshold: float | None = None, diversity: float = 0.0, explain: bool = False,
    ) -> list[SearchResult]: ...  # fmt: skip
    def search(
        self,
        query: str | Sequence[str],
        *,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
        k: int = 10,
        where: Mapping[str, Any] | None = None,
        include: Sequence[Include] = INCLUDABLE,
        validity: Validity = "current",
        as_of: Time | None = None,
        known_at: Time | None = None,
        threshold: float | None = None,
        diversity: float = 0.0,
        explain: bool = False,
    ) -> SearchResult | list[SearchResult]:
        """Find the k most relevant memories and messages, best first; a list of queries gives a list of results.

        where: a filter (docs/how-to/filters.md).  validity: what holds now, what has ended, or both.
        diversity: from 0 (off) to 1, how much a hit loses that is like one above it.
        as_of: what held then.  known_at: what was known then.  threshold: the least score, 0 to 1.
        Raises InputError.  Cost: one embedding a query and a few milliseconds for 10,000 memories.
        """
        selection = self._selection(user, agent, run, where=where, validity=validity, as_of=as_of, known_at=known_at)
        queries = [
            asking.query(
                text,
                selection,
                self.settings,
                k=k,
                include=include,
                threshold=threshold,
                diversity=diversity,
                explain=explain,
            )
            for text in (
                [query] if isinstance(query, str) else checks.queries(query, max_chars=self.settings.max_message_chars)
            )
        ]
        results = reading.search(queries, self._ports, self.settings)
        results = [replace(each, warnings=(*self.warnings, *each.warnings)) for each in results]
        return results[0] if isinstance(query, str) else results

    def context(
        self,
        query: str,
        *,
        budget_tokens: int = 1500,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
        k: int = 100,
        where: Mapping[str, Any] | None = None,
        include: Sequence[Include] = INCLUDABLE,
        validity: Validity = "current",
        as_of: Time | None = None,
        known_at: Time | None = None,
        threshold: float | None = None,
    ) -> Context:
        """Return a block of dated evidence to put before a model, within the budget; the whole scope when it fits."""
        selection = self._selection(user, agent, run, where=where, validity=validity, as_of=as_of, known_at=known_at)
        asked = asking.query(query, selection, self.settings, k=k, include=include, threshold=threshold)
        return reading.context(
            asked, self._ports, self.settings,
            budget_tokens=checks.budget(budget_tokens), timezone=self.timezone or UTC,
        )  # fmt: skip

    def answer(
        self,
        question: str,
        *,
        budget_tokens: int = 1500,
        now: Time | None = None,
        short: bool = False,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
        k: int = 100,
        where: Mapping[str, Any] | None = None,
        include: Sequence[Include] = INCLUDABLE,
        validity: Validity = "all",
        as_of: Time | None = None,
        known_at: Time | None = None,
        threshold: float | None = None,
    ) -> Answer:
        """Answer a question from what is remembered, with citations; `abstained` where it is not known.

        Ended memories are read too, labelled with their interval.  now: the present of the question.
        Without a model the text is the best evidence as it stands.  Raises ProviderError kinds.
        """
        selection = self._selection(user, agent, run, where=where, validity=validity, as_of=as_of, known_at=known_at)
        asked = asking.query(question, selection, self.settings, k=k, include=include, threshold=threshold)
        present = self._time(now, "now") or self._ports.clock.now()
        return reading.answer(
            asked, self._ports, self.settings,
            budget_tokens=checks.budget(budget_tokens), now=present, short=short, timezone=self.timezone or UTC,
        )  # fmt: skip

    def get(
        self,
        id: str,
        *,
        as_of: Time | None = None,
        known_at: Time | None = None,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> MemoryRecord:
        """Return the last version of a memory, retired or not; with `known_at` the one held then.  Raises NotFound."""
        record = self._ports.store.memory(
            self.tenant,
            checks.identifier(id, "id"),
            as_of=self._time(as_of, "as_of"),
            known_at=self._time(known_at, "known_at"),
        )
        return self._admitted(record, user, agent, run)

    def list(
        self,
        *,
        where: Mapping[str, Any] | None = None,
        order: ListOrder = "recorded",
        cursor: str | None = None,
        limit: int = 100,
        validity: Validity = "current",
        as_of: Time | None = None,
        known_at: Time | None = None,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> Page[MemoryRecord]:
        """Return a page of memories by recorded or valid time, ascending or (with "-") descending; ties by id."""
        selection = self._selection(user, agent, run, where=where, validity=validity, as_of=as_of, known_at=known_at)
        checks.choice(order, "order", ("recorded", "-recorded", "valid", "-valid"))
        return self._ports.store.memories(selection, order=order, cursor=cursor, limit=checks.limit(limit))

    @overload
    def history(
        self, id: str, *, lineage: Literal[False] = False,
        user: str | None = None, agent: str | None = None, run: str | None = None,
    ) -> Sequence[MemoryRecord]: ...  # fmt: skip
    @overload
    def history(
        self, id: str, *, lineage: Literal[True],
        user: str | None = None, agent: str | None = None, run: str | None = None,
    ) -> Sequence[VersionRecord]: ...  # fmt: skip
    def history(
        self,
        id: str,
        *,
        lineage: bool = False,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> Sequence[MemoryRecord] | Sequence[VersionRecord]:
        """Return every version of a memory, oldest first.  Raises NotFound.

        lineage: those of all that it superseded and was superseded by too, and the retractions, each with the operation
        and the decision that led to it.
        """
        checks.flag(lineage, "lineage")
        versions = self._ports.store.versions(self.tenant, checks.identifier(id, "id"))
        self._admitted(versions[-1], user, agent, run)
        return read_lineage(versions, self._ports.store, tenant=self.tenant) if lineage else versions

    def diff(
        self,
        id: str,
        version: int,
        other: int,
        *,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> str:
        """Return what differs from one version of a memory to another, as a unified diff; empty if nothing does.

        Raises NotFound, also for a version that it does not have.
        """
        versions = self.history(id, user=user, agent=agent, run=run)
        return difference(versions, checks.version(version, "version"), checks.version(other, "other"))

    def timeline(
        self,
        about: str,
        *,
        limit: int = 100,
        where: Mapping[str, Any] | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> Sequence[MemoryRecord]:
        """Return the memories about something, ended ones included, in the order in which it happened or held.

        about: an entity (id or name), a topic in words, or the id of a memory, for what it superseded and what
        superseded it.
        Order: by event_from, else valid_from, else recorded_at; ties by id.  Raises InputError.
        """
        selection = self._selection(user, agent, run, where=where, validity="all", as_of=as_of, known_at=known_at)
        asked = asking.query(
            about, selection, self.settings, k=checks.limit(limit), include=("memories",), threshold=None
        )
        return read_timeline(asked, self._ports, self.settings)

    # ---------------------------------------------------------------- the graph

    def entities(
        self,
        *,
        where: Mapping[str, Any] | None = None,
        as_of: Time | None = None,
        known_at: Time | None = None,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> Sequence[EntityRecord]:
        """Return the people, places and things that memories name, by name, then by id.

        where: only those that memories of this filter name.  as_of: named by then.  Raises InputError.
        """
        selection = self._selection(user, agent, run, where=where, as_of=as_of, known_at=known_at)
        return graph_reading.entities(self._ports.store, selection)

    def relations(
        self,
        entity: str | None = None,
        *,
        hops: int = 1,
        where: Mapping[str, Any] | None = None,
        validity: Validity = "current",
        as_of: Time | None = None,
        known_at: Time | None = None,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> Sequence[RelationRecord]:
        """Return the relations between entities, dated, with the memories they rest on, by start.

        entity: an id or a name, for what is within `hops` (1 to 3) of it; None for all.
        where: only what memories of this filter say.  Raises NotFound, InputError.
        """
        selection = self._selection(user, agent, run, where=where, validity=validity, as_of=as_of, known_at=known_at)
        said = None if entity is None else checks.identifier(entity, "entity")
        return graph_reading.relations(self._ports.store, selection, said, hops=checks.hops(hops))

    def path(
        self,
        entity: str,
        other: str,
        *,
        validity: Validity = "current",
        as_of: Time | None = None,
        known_at: Time | None = None,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> Sequence[RelationRecord]:
        """Return the relations of a shortest way from one entity to another, in order; none if there is no way.

        Each is an id or a name.  Raises NotFound, InputError.
        """
        selection = self._selection(user, agent, run, validity=validity, as_of=as_of, known_at=known_at)
        ends = checks.identifier(entity, "entity"), checks.identifier(other, "other")
        return graph_reading.path(self._ports.store, selection, *ends)

    def graph(
        self,
        about: str,
        *,
        hops: int = 1,
        validity: Validity = "current",
        as_of: Time | None = None,
        known_at: Time | None = None,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> Graph:
        """Return the neighbourhood of an entity (id or name): entities and relations within `hops` (1 to 3).

        Raises NotFound, InputError.
        """
        selection = self._selection(user, agent, run, validity=validity, as_of=as_of, known_at=known_at)
        about = checks.identifier(about, "about")
        return graph_reading.graph(self._ports.store, selection, about, hops=checks.hops(hops))

    def merge(
        self,
        entity: str,
        other: str,
        *,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> OperationResult:
        """Make one entity of two: all that `other` is called means `entity` from here on.  It can be undone.

        Each is an id or a name.  Raises NotFound, Conflict where a name has several entities, InputError.
        """
        scope = self._scope(user, agent, run)
        ends = checks.identifier(entity, "entity"), checks.identifier(other, "other")
        new = self._operation("merge", scope, ends)
        self._ports.store.commit(merging.merge(*ends, new, self._ports))
        return self.operation(new.id)

    def split(
        self,
        entity: str,
        aliases: Sequence[str],
        *,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> OperationResult:
        """Make an entity of its own of some names of an entity (id or name).  It can be undone.

        Raises NotFound, Conflict where the name has several entities, InputError.
        """
        scope = self._scope(user, agent, run)
        said = checks.identifier(entity, "entity")
        names = checks.names(aliases, "aliases")
        new = self._operation("split", scope, [said, names])
        self._ports.store.commit(merging.split(said, names, new, self._ports))
        return self.operation(new.id)

    # ---------------------------------------------------------------- messages

    def message(
        self, id: str, *, user: str | None = None, agent: str | None = None, run: str | None = None
    ) -> MessageRecord:
        """Return a message by its internal id, or by its external id with a scope.  Raises NotFound."""
        scope = checks.scope_ids(self.tenant, user, agent, run)
        id = checks.identifier(id, "id")
        return self._ports.store.message(self.tenant, id, scope=scope if scope.is_named else None)

    def messages(
        self,
        *,
        last: int | None = None,
        cursor: str | None = None,
        limit: int = 100,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> Page[MessageRecord]:
        """Return a page of a scope's messages in order; `last` keeps only the newest that many."""
        last = None if last is None else checks.limit(last, "last")
        scope = self._scope(user, agent, run)
        return self._ports.store.messages(scope, last=last, cursor=cursor, limit=checks.limit(limit))

    def summary(self, *, user: str | None = None, agent: str | None = None, run: str | None = None) -> Summary:
        """Return the conversation summary of exactly this scope tuple; its text is empty if there is none yet."""
        return self._ports.store.summary(self._scope(user, agent, run))

    # ---------------------------------------------------------------- operations and the whole

    def operation(self, id: str) -> OperationResult:
        """Return an operation as it stands.  Raises NotFound."""
        return self._result(self._ports.store.operation(self.tenant, checks.identifier(id, "id")))

    def operations(
        self,
        *,
        cursor: str | None = None,
        limit: int = 100,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> Page[OperationResult]:
        """Return a page of a scope's operations, newest first."""
        scope = self._scope(user, agent, run)
        page = self._ports.store.operations(scope, cursor=cursor, limit=checks.limit(limit))
        return Page(tuple(self._result(row) for row in page.items), page.cursor, page.total)

    def flush(self, timeout_s: float | None = None) -> None:
        """Return when no job is due any more: summaries are fresh, deferred extraction is done.

        Raises StoreBusy if that takes longer than `timeout_s`.
        """
        self._worker.drain(None if timeout_s is None else checks.seconds(timeout_s, "timeout_s"))

    def export(
        self,
        path: str | Path,
        *,
        vectors: bool = True,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> dict[str, int]:
        """Write everything of a scope, of the whole tenant if none is named, to a new JSONL file; return counts.

        vectors=False leaves the vectors out; whoever imports makes them again, as those that a re-embedding left over.
        Raises InputError where the file exists.
        """
        from perdure.transfer import files

        scope = checks.scope_ids(self.tenant, user, agent, run)
        return files.write(checks.path(path), self._ports.store.export(scope, vectors=vectors))

    def import_(
        self,
        path: str | Path,
        *,
        collection: str = "mem0",
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
    ) -> dict[str, int]:
        """Take in an export of perdure, JSON of Mem0, or the folder of Mem0's embedded store; return what came.

        What is there already, by id, is left as it is.  An id that is named here stands in place of the file's.
        An export comes whole or not at all, with its ids, times and history; of Mem0 comes what is current, as one
        operation per owner (docs/how-to/backup.md).  `collection` is the embedded store's.
        Raises InputError, Conflict, StoreError; SettingsError where reading a folder needs an extra.
        """
        from perdure.transfer import files, mem0
        from perdure.transfer.vectors import fitted

        file, scope = checks.path(path), checks.scope_ids(self.tenant, user, agent, run)
        found = mem0.read(file, scope, collection=checks.identifier(collection, "collection"))
        if found is not None:
            now = self._ports.clock.now()
            came = by_hand.take_in(
                [item.record(now=now) for item in found],
                lambda scope, ids: self._operation("import", scope, ids),
                self._ports, self.settings, tenant=self.tenant, at=now, graph=self.graph_mode != "off",
            )  # fmt: skip
            return {"memory": came, "known": len(found) - came}
        lines = files.rescoped(files.read(file), {"user": scope.user, "agent": scope.agent, "run": scope.run})
        embedder = self._ports.embedder
        whole = fitted(
            lines, self._ports.store, self.tenant, embedder=embedder, embed=lambda texts: embed(texts, embedder)
        )
        counts = self._ports.store.import_(self.tenant, whole)
        self._worker.wake()
        return counts

    def backup(self, path: str | Path) -> dict[str, int]:
        """Copy the whole store, all tenants, to a new file while others read and write; return counts.

        Raises InputError where the file exists, Forbidden where the store keeps no file.
        """
        from perdure.transfer import files

        with files.new_file(checks.path(path)) as part:
            return self._ports.store.backup(part)

    def restore(self, path: str | Path) -> dict[str, int]:
        """Take over a backup, all tenants, into this store, to which nothing was ever written; return counts.

        Raises Forbidden where something was, Corrupt where the backup is damaged or none.
        """
        counts = self._ports.store.restore(checks.path(path))
        embedder = self._ports.embedder
        if embedder is not None:
            self._ports.store.claim_embedder(embedder.model, embedder.dimensions)
            self._use(embedder)  # the backup may have been taken while it was re-embedded
        return counts

    def reembed(self, embedder: str | Embedder, *, progress: ingest.Progress | None = None) -> Reembedding:
        """Give the whole store, every tenant's, to another embedder, while it is read and written.

        From the first moment on this memory and those opened later write into the new space and search both; one that
        was open before keeps to the old space until it is opened again.
        Interrupted, it goes on where it stopped when it is called again, or when another process calls it.
        progress: told (rows done, rows in all).
        Raises SettingsError where the embedder cannot work, ProviderError where it fails; what was done stays done.
        """
        checks.function(progress, "progress")
        new, _ = registry.embedder(embedder, self.settings)
        if new is None:
            raise InputError('embedder "none" gives no vectors; name one that does, or open the memory with "none"')
        if new is not embedder and hasattr(new, "close"):
            self._made.append(new)
        new.embed(["word"], Role.DOCUMENT)  # an embedder that does not answer must not get the store
        self._ports.store.rebind(new.model, new.dimensions)
        self._use(new)
        done = reembedding.reembed(self._ports, progress=progress)
        self._use(new)
        return done

    def stats(self, *, user: str | None = None, agent: str | None = None, run: str | None = None) -> Stats:
        """Return counts of a scope, or of the whole tenant if none is named; `today` is the whole store's."""
        scope = checks.scope_ids(self.tenant, user, agent, run)
        spent = self._ports.store.spent(day(self._ports.clock.now()))
        return replace(
            self._ports.store.stats(scope),
            today=sum(spent.values(), Usage()),
            cost_today_usd=total_cost(spent, prices(self.settings.prices)),
        )

    # ---------------------------------------------------------------- inside

    @property
    def _ports(self) -> Ports:
        return self._shared.ports

    def _use(self, embedder: Embedder) -> None:
        """Embed by this one from here on, and search the older spaces that the store still holds too."""
        self._shared.ports, unfinished = registry.embedding(self._ports, embedder)
        self._worker.use(self._ports)
        finished = [warning for warning in self.warnings if warning.code != registry.REEMBEDDING]
        self.warnings[:] = [*finished, *unfinished]

    def _scope(self, user: str | None, agent: str | None, run: str | None) -> Scope:
        scope = checks.scope_ids(self.tenant, user, agent, run)
        if not scope.is_named:
            raise InputError("no scope: name at least one of user, agent and run")
        return scope

    def _time(self, value: Time | None, name: str) -> datetime | None:
        return None if value is None else to_utc(value, timezone=self.timezone, name=name)

    def _engine(self, *, infer: bool) -> Engine:
        if not infer:
            return "verbatim"
        return "offline" if self._ports.llm is None else "llm"

    def _selection(
        self, user: str | None, agent: str | None, run: str | None, **wanted: Unpack[asking.Wanted]
    ) -> Selection:
        return asking.selection(self._scope(user, agent, run), self._ports.clock.now(), self.timezone, **wanted)

    def _admitted(self, record: MemoryRecord, user: str | None, agent: str | None, run: str | None) -> MemoryRecord:
        scope = checks.scope_ids(self.tenant, user, agent, run)
        if not scope.admits(user=record.user, agent=record.agent, run=record.run):
            raise NotFound(f"no memory {record.id!r} in this scope")
        return record

    def _held(self, id: str, user: str | None, agent: str | None, run: str | None) -> MemoryRecord:
        """Return the present version of a memory that is not retracted."""
        record = self._admitted(self._ports.store.memory(self.tenant, checks.identifier(id, "id")), user, agent, run)
        if record.retired_at is not None:
            raise NotFound(f"memory {id!r} was retracted; its history is still there")
        return record

    def _operation(self, verb: str, scope: Scope, payload: Any) -> NewOperation:
        return ingest.operation(verb, scope, self._ports, payload=payload, engine="verbatim", actor=self.actor)

    def _retire(self, records: Sequence[MemoryRecord], verb: str, scope: Scope, effect: Effect) -> OperationResult:
        """Retire records under one operation, one change set per partition; see `retire`."""
        new = self._operation(verb, scope, [[record.id for record in records], effect])
        return self._result(retire(records, new, self._ports, self.settings, effect=effect))

    def _carry_out(self, started: ingest.Started, progress: ingest.Progress | None) -> OperationResult:
        row = started.operation
        if row.status != "done" and row.undone_by is None:
            try:
                row = ingest.carry_out(started, self._ports, self.settings, policy=self.policy, progress=progress)
            except StoreError as err:
                raise type(err)(f"{err}; the messages are stored, not all facts: call retry({row.id!r})") from err
            self._worker.wake()
        return self._result(row)

    def _result(self, row: OperationRow) -> OperationResult:
        return result(row, self._ports.store, now=self._ports.clock.now())


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
