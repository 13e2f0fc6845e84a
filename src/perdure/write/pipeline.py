"""The write pipeline: from one exchange, or given facts, to one committed change set.

gather → extract → similar → decide → apply → commit.  The steps think and are pure; this file calls models and commits.
A commit that was overtaken by another writer is decided again, a bounded number of times; no lock or transaction is
held across a model call.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, TypeVar

from perdure import offline
from perdure.errors import BadCompletion, Conflict, Forbidden, NotFound, ProviderError, SettingsError
from perdure.models import (
    Candidate,
    ChangeSet,
    Completion,
    Exchange,
    Extraction,
    ExtractionContext,
    GraphMode,
    Json,
    Kind,
    LoggedChange,
    Match,
    NewJob,
    NewOperation,
    Policy,
    Prompt,
    Scope,
    Usage,
    Warning,
)
from perdure.ports import LLM, Ports
from perdure.settings import Settings
from perdure.write import decide, extract, graph, graph_paper, late, paper, repeat, reply
from perdure.write.apply import apply
from perdure.write.context import extractable, gather
from perdure.write.decide import Decided
from perdure.write.describe import describe, readable
from perdure.write.draft import Draft, vectors_missing, with_vectors
from perdure.write.embed import embed
from perdure.write.similar import collides, of_slots, similar

if TYPE_CHECKING:
    from perdure.models import FloatArray

T = TypeVar("T")
# Deciding without a model costs milliseconds: it is tried again until writers that are merely many have had their turn.
_FREE_CONFLICTS = 100  # chosen: 4 processes on one partition come to about 10
_MAX_PAUSE_MS = 50  # chosen: no longer than a commit takes on a slow disk
SUMMARY = "summary"  # the kind of the job that refreshes S


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the caller asked for with an add, and how; `timezone` is where the speakers' "yesterday" ends."""

    instructions: str = ""
    metadata: Json = field(default_factory=dict)
    kind: Kind | None = None
    expires_at: datetime | None = None
    timezone: tzinfo = UTC
    graph: GraphMode = "joint"


@dataclass(frozen=True, slots=True)
class Written:
    """What was committed for an exchange, or why nothing was.

    The store holds log, warnings and usage of what is done; of what is not, only this record does.
    `conflicts` counts how often it was decided again.
    """

    log: tuple[LoggedChange, ...]
    warnings: tuple[Warning, ...]
    usage: Usage
    is_done: bool
    conflicts: int = 0
    refusal: Forbidden | None = None  # the budget does not reach: later exchanges need not be tried


def write(
    exchange: Exchange, ports: Ports, settings: Settings, *, policy: Policy, wishes: Wishes | None = None
) -> Written:
    """Extract the facts of one exchange, settle them against what is known, and commit.

    A model that fails, or answers in no readable form twice, leaves the exchange as it was: nothing is committed, the
    messages are stored, `is_done` is False, and the same call later tries again.
    Raises StoreError kinds.
    """
    wishes = wishes or Wishes()
    meter = _Meter(ports)
    try:
        exchange, unseen = describe(exchange, ports, settings, meter.complete)
        context = gather(exchange, ports.store, window=settings.window, instructions=wishes.instructions)
        extraction = _extract(context, ports, settings, meter, wishes)
    except (ProviderError, Forbidden) as err:
        return _failed("extraction_failed", "no facts were extracted", "retry the operation", err, meter)
    by_rules = ports.llm is None or (settings.prompt_size == "short" and wishes.graph == "joint")
    candidates = [_wished(candidate, wishes, is_given=by_rules) for candidate in extraction.candidates]
    work = _Work(exchange.scope, exchange.operation_id, policy, wishes, extraction, exchange)
    warnings = [*unseen, *_left_out(exchange, context, settings, ports), *extraction.warnings]
    return _settle(candidates, work, ports, settings, meter, warnings=warnings)


def settle(
    candidates: Sequence[Candidate],
    ports: Ports,
    settings: Settings,
    *,
    new: NewOperation,
    is_begun: bool,
    policy: Policy,
    wishes: Wishes | None = None,
) -> Written:
    """Settle given facts against what is known, and commit; see `write`.

    An operation that is not begun is stored with what it did, in one transaction.
    """
    wishes = wishes or Wishes()
    begins = None if is_begun else new
    work = _Work(new.scope, new.id, policy, wishes, Extraction(tuple(candidates)), begins=begins)
    wished = [_wished(candidate, wishes, is_given=True) for candidate in candidates]
    return _settle(wished, work, ports, settings, _Meter(ports), warnings=())


# ---------------------------------------------------------------- the steps in order


@dataclass(frozen=True, slots=True)
class _Work:
    """What stays the same however often an exchange is decided."""

    scope: Scope
    operation_id: str
    policy: Policy
    wishes: Wishes
    extraction: Extraction
    exchange: Exchange | None = None  # None: given facts
    begins: NewOperation | None = None  # begun by the commit itself

    @property
    def remedy(self) -> str:
        """What to do when nothing was committed."""
        return "call add with the facts again" if self.exchange is None else "retry the operation"

    @property
    def timezone(self) -> tzinfo:
        return self.wishes.timezone


def _settle(
    candidates: Sequence[Candidate],
    work: _Work,
    ports: Ports,
    settings: Settings,
    meter: _Meter,
    *,
    warnings: Sequence[Warning],
) -> Written:
    """Decide and commit until no other writer came between.

    A model decides at most `settings.max_conflicts` times again; where none is asked, it is done again more often.
    """
    if work.policy == "paper" and ports.llm is None:
        raise SettingsError('policy="paper" decides by a language model; configure `llm`, or use policy="consolidate"')
    try:
        vectors = meter.embed([candidate.text for candidate in candidates])
        calls = meter.usage().llm_calls
        for conflicts in itertools.count():
            draft, version = _decided(candidates, vectors, work, ports, settings, meter)
            draft.warnings[:0] = [*warnings, *_decided_again(conflicts)]
            changes = draft.fold(
                operation=work.begins,
                exchange=work.exchange.number if work.exchange else None,
                finishes=None if work.exchange else "done",  # given facts are one change set
                read_version=version,
                jobs=_jobs(work, ports, settings),
            )
            vectors |= meter.embed(vectors_missing(changes, vectors))
            changes = replace(with_vectors(changes, vectors), usage=meter.usage(), space=meter.space)
            known = [vectors[candidate.text] for candidate in candidates]
            predicate = collides(candidates, known, ports, settings, now=draft.at, touched=draft.touched)
            try:
                ports.store.commit(changes, collides=predicate)
            except Conflict:
                if _is_done(work, ports):
                    detail = "another writer settled it first; nothing was written twice"
                    return Written((), (Warning("settled_elsewhere", detail),), meter.usage(), True, conflicts)
                has_asked = meter.usage().llm_calls > calls
                if conflicts >= (settings.max_conflicts if has_asked else max(_FREE_CONFLICTS, settings.max_conflicts)):
                    break
                ports.sleep(min(2**conflicts, _MAX_PAUSE_MS) / 1000)
            else:
                return _done(changes, conflicts)
    except (ProviderError, Forbidden) as err:
        return _failed("decision_failed", "the facts were not settled", work.remedy, err, meter)
    detail = f"other writers came between {conflicts + 1} times; nothing was committed: {work.remedy}"
    return Written((), (Warning("conflicts", detail),), meter.usage(), False, conflicts)


def _decided(
    candidates: Sequence[Candidate],
    known: dict[str, FloatArray | None],
    work: _Work,
    ports: Ports,
    settings: Settings,
    meter: _Meter,
) -> tuple[Draft, int | None]:
    """Return the draft of the change set, and the version of the partition that it was decided on.

    known: text → vector of the candidates; the vectors of new names are added.
    """
    draft = Draft(work.scope, work.operation_id, ports.ids.new, ports.clock.now(), _public_ids(work.exchange))
    if not candidates:
        return draft, None
    vectors = [known[candidate.text] for candidate in candidates]
    found = similar(candidates, vectors, ports, settings, scope=work.scope, now=draft.at)
    linked = graph.Linked()
    if work.wishes.graph != "off":
        embed = _remembered(known, meter)
        linked = graph.link(candidates, ports, settings, scope=work.scope, now=draft.at, embed=embed)
    verdicts: Mapping[str, graph.Verdict] = {}
    if work.policy == "paper":
        assert ports.llm is not None  # noqa: S101 - checked before the first decision
        ask = meter.asker(ports.llm)
        homes = paper.run(found.matches, vectors, draft, ports, settings, ask=ask, timezone=work.timezone)
    else:
        repeats = repeat.repeats(candidates, vectors, near_duplicate=settings.near_duplicate)
        late_in = work.policy == "consolidate"
        settled = _late(candidates, vectors, ports, settings, draft) if late_in else {}
        settled = {index: home for index, home in settled.items() if index not in repeats}
        alone = {*repeats, *settled}
        matches = [Match(m.candidate, ()) if i in alone else m for i, m in enumerate(found.matches)]
        rivals = [rival for rival in linked.rivals if rival.candidate not in alone]
        decided = _decide(matches, rivals, work, ports, settings, meter)
        is_guarded = settings.guard == "on"
        homes = apply(decided, matches, draft, repeats=repeats, settled=settled, is_guarded=is_guarded)
        verdicts = decided.verdicts
    if work.wishes.graph == "paper" and ports.llm is not None:
        ask = meter.asker(ports.llm)
        verdicts = graph_paper.verdicts(candidates, linked, ask=ask, folder=settings.prompts)
    if work.wishes.graph != "off":
        graph.record(candidates, linked, homes, draft, verdicts=verdicts)
    return draft, found.version


def _remembered(
    known: dict[str, FloatArray | None], meter: _Meter
) -> Callable[[Sequence[str]], Mapping[str, FloatArray | None]]:
    """Return the function that embeds texts, each once."""

    def embed(texts: Sequence[str]) -> Mapping[str, FloatArray | None]:
        missing = [text for text in texts if text not in known]
        if missing:
            known.update(meter.embed(missing))
        return {text: known[text] for text in texts}

    return embed


def _late(
    candidates: Sequence[Candidate],
    vectors: Sequence[FloatArray | None],
    ports: Ports,
    settings: Settings,
    draft: Draft,
) -> dict[int, str]:
    """Put candidates that come in late into their place, the first of each slot; index → the memory that says it."""
    first = {slot: index for index in reversed(range(len(candidates))) if (slot := late.slot_of(candidates[index]))}
    indices = sorted(first.values())
    held = of_slots(
        [candidates[i] for i in indices],
        [vectors[i] for i in indices],
        ports,
        settings,
        scope=draft.scope,
        now=draft.at,
    )

    def message_id(shown: str) -> str | None:
        try:
            return ports.store.message(draft.scope.tenant, shown, scope=draft.scope.owner.scope).id
        except NotFound:
            return None

    homes = {
        index: late.settle(candidates[index], records, draft, message_id=message_id)
        for index, records in zip(indices, held, strict=True)
    }
    return {index: home for index, home in homes.items() if home is not None}


def _extract(context: ExtractionContext, ports: Ports, settings: Settings, meter: _Meter, wishes: Wishes) -> Extraction:
    """Return the candidates of the exchange, by the model, or by rules where there is none."""
    if not extractable(context):
        return Extraction(())
    if ports.llm is None:
        return offline.extraction(context, timezone=wishes.timezone)
    prompt = extract.prompt(
        context,
        with_graph=wishes.graph == "joint",
        size=settings.prompt_size,
        folder=settings.prompts,
        timezone=wishes.timezone,
        exchange_chars=settings.exchange_chars,
        window_chars=settings.window_chars,
    )
    ask = meter.asker(ports.llm)
    extraction = ask(prompt, lambda completion: extract.parse(completion, context, timezone=wishes.timezone))
    if wishes.graph == "paper":
        told = graph_paper.told(extraction.candidates, ask=ask, folder=settings.prompts)
        extraction = replace(extraction, candidates=tuple(told))
    return replace(extraction, prompt_hash=prompt.hash, model=extraction.model or ports.llm.model)


def _decide(
    matches: Sequence[Match],
    rivals: Sequence[graph.Rival],
    work: _Work,
    ports: Ports,
    settings: Settings,
    meter: _Meter,
) -> Decided:
    """Return the decisions on all candidates: by at most one call, none where nothing is similar or could be replaced.

    The short prompt is not asked about relations: what shares a slot is replaced without a model.
    """
    stamp = Decided((), (), work.extraction.model, work.extraction.prompt_hash)
    if work.policy == "append":
        decisions = repeat.append(matches, near_duplicate=settings.near_duplicate)
        return replace(stamp, decisions=tuple(decisions))
    if ports.llm is None:
        return replace(stamp, decisions=tuple(offline.decisions(matches, near_duplicate=settings.near_duplicate)))
    if settings.prompt_size == "short" or work.wishes.graph != "joint":
        rivals = ()
    if not decide.asked(matches, rivals):
        return replace(stamp, decisions=decide.all_new(matches))
    prompt = decide.prompt(
        matches, rivals=rivals, size=settings.prompt_size, folder=settings.prompts, timezone=work.timezone
    )
    ask = meter.asker(ports.llm)
    decided = ask(prompt, lambda completion: decide.parse(completion, matches, rivals))
    return replace(decided, prompt_hash=prompt.hash, model=decided.model or ports.llm.model)


# ---------------------------------------------------------------- the parts of a commit


def _jobs(work: _Work, ports: Ports, settings: Settings) -> tuple[NewJob, ...]:
    """Return the job that refreshes S, every `settings.summary_every` exchanges where there is a model."""
    if work.exchange is None or ports.llm is None:
        return ()
    if (ports.store.count_exchanges(work.scope) + 1) % settings.summary_every:
        return ()
    scope = {"user": work.scope.user, "agent": work.scope.agent, "run": work.scope.run}
    return (NewJob(SUMMARY, json.dumps(scope, sort_keys=True), scope, ports.clock.now()),)


def _wished(candidate: Candidate, wishes: Wishes, *, is_given: bool) -> Candidate:
    """Return the candidate as the caller wished; where no model told its relations, with those by rules."""
    if is_given and wishes.graph != "off":
        candidate = graph.told(candidate)
    return replace(
        candidate,
        metadata={**wishes.metadata, **candidate.metadata},
        kind=wishes.kind or candidate.kind,
        expires_at=candidate.expires_at or wishes.expires_at,
    )


def _public_ids(exchange: Exchange | None) -> Mapping[str, str]:
    return {message.id: message.public_id for message in exchange.messages} if exchange else {}


def _is_done(work: _Work, ports: Ports) -> bool:
    """True if the same was settled meanwhile: by a retry or a job beside this one, or an add with the same key."""
    if work.exchange is None:
        row = None if work.begins else ports.store.operation(work.scope.tenant, work.operation_id)
        return row is not None and row.status == "done"
    stored = ports.store.exchanges(work.scope.tenant, work.operation_id)
    return any(other.number == work.exchange.number and other.is_done for other in stored)


def _left_out(exchange: Exchange, context: ExtractionContext, settings: Settings, ports: Ports) -> list[Warning]:
    """Return what extraction did not read of this exchange, and why."""
    warnings = []
    if any(readable(was) != m.content for was, m in zip(exchange.messages, context.exchange.messages, strict=True)):
        detail = "a block of recalled memories was left out, so that nothing is learned from its own recall"
        warnings.append(Warning("recalled_left_out", detail))
    if ports.llm is not None and extract.is_cut(context, exchange_chars=settings.exchange_chars):
        detail = (
            f"only the beginning of its long messages was read for facts (exchange_chars={settings.exchange_chars})"
        )
        warnings.append(Warning("exchange_cut", detail))
    return warnings


def _decided_again(conflicts: int) -> list[Warning]:
    if not conflicts:
        return []
    return [Warning("decided_again", f"other writers came between; the facts were decided again {conflicts} times")]


def _done(changes: ChangeSet, conflicts: int) -> Written:
    return Written(changes.log, changes.warnings, changes.usage or Usage(), is_done=True, conflicts=conflicts)


def _failed(code: str, what: str, remedy: str, err: ProviderError | Forbidden, meter: _Meter) -> Written:
    detail = f"{what}, nothing was committed for this exchange: {type(err).__name__}: {err}; {remedy}"
    if isinstance(err, Forbidden):
        return Written((), (Warning("budget_used_up", detail),), meter.usage(), is_done=False, refusal=err)
    return Written((), (Warning(code, detail),), meter.usage(), is_done=False)


# ---------------------------------------------------------------- what it costs


class _Meter:
    """Calls the models of one exchange and counts what that costs."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._began = ports.clock.now()
        self._spent = Usage()

    def usage(self) -> Usage:
        """Return what was spent so far."""
        ms = (self._ports.clock.now() - self._began).total_seconds() * 1000.0
        return replace(self._spent, ms=ms)

    @property
    def space(self) -> str | None:
        """The model of the vectors that `embed` gives."""
        return self._ports.space

    def embed(self, texts: Sequence[str]) -> dict[str, FloatArray | None]:
        """Return text → vector (d,), None where there is no embedder or it does not cover the text."""
        distinct = list(dict.fromkeys(texts))
        vectors = dict(zip(distinct, embed(distinct, self._ports.embedder), strict=True))
        self._spent += Usage(embedded_texts=sum(vector is not None for vector in vectors.values()))
        return vectors

    def asker(self, llm: LLM) -> paper.Ask:
        """Return the function that asks a prompt and parses the reply, with one repair if it is not readable."""

        def ask(prompt: Prompt, parse: Callable[[Completion], T]) -> T:
            completion = self._complete(llm, prompt)
            try:
                return parse(completion)
            except BadCompletion as err:
                return parse(self._complete(llm, reply.repair(prompt, completion, err)))

        return ask

    def complete(self, prompt: Prompt) -> Completion:
        """Return the model's reply to one prompt, counted."""
        assert self._ports.llm is not None  # noqa: S101 - asked only where there is one
        return self._complete(self._ports.llm, prompt)

    def _complete(self, llm: LLM, prompt: Prompt) -> Completion:
        self._spent += Usage(llm_calls=1)
        try:
            completion = llm.complete([prompt])[0]
        except Forbidden:
            self._spent += Usage(llm_calls=-1)
            raise
        self._spent += Usage(prompt_tokens=completion.prompt_tokens, completion_tokens=completion.completion_tokens)
        if completion.is_remembered:
            self._spent += Usage(llm_calls=-1)
        return completion
