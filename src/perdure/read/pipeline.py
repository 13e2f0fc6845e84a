"""The read pipeline: query → rankings → fused rows → hits kept → context → answer.

Query ─channels─▶ [Ranking] ─fuse─▶ [Hit] ─keep─▶ ─rerank─▶ ─pack─▶ Context ─answer─▶ Answer
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from itertools import islice

from perdure.errors import Forbidden, ProviderError
from perdure.models import Answer, Context, Explanation, Hit, Ranking, SearchResult, Signal, Usage, Warning
from perdure.ports import Ports
from perdure.read import answer as answering
from perdure.read import calibrate, channels, graph_channels, standing, timely, turns
from perdure.read.answer import Reply
from perdure.read.asked import looks_up
from perdure.read.fuse import Fused, fuse, fused, signals
from perdure.read.hits import hit, whole_scope
from perdure.read.keep import diverse, keep
from perdure.read.leads import Lead, leads
from perdure.read.pack import pack
from perdure.read.query import MAX_K, Query, RowKind
from perdure.read.rerank import rerank
from perdure.read.support import support
from perdure.settings import Settings
from perdure.text import count_tokens, words

Rankings = Mapping[RowKind, tuple[Ranking, ...]]


@dataclass(frozen=True, slots=True)
class Found:
    """A query's rankings, those of the standing facts that may bear on it, how many to lift, and its concerns."""

    rankings: Rankings
    beside: tuple[Rankings, ...]
    standing_facts: int
    concerned: standing.Concerned


TOKENS_PER_HIT = 12  # chosen: a shorter entry is rare, so this many hits fill any budget
DEEPER = 3  # times as many rows are read where the question names a time; chosen
WIDER = 3  # times as many hits are kept for `diverse` to choose from; chosen
SPARE = 2  # chosen: rows loaded beyond k, in place of those that are erased or repeat others


def search(queries: Sequence[Query], ports: Ports, settings: Settings) -> list[SearchResult]:
    """Return each query's hits, best first, in the order of the queries; all are embedded in one batch.

    A scope without rows gives no hits and confidence 0.  Raises StoreError kinds.
    """
    return _search(queries, ports, settings, standing_facts=standing.LIFTED)


def _search(
    queries: Sequence[Query], ports: Ports, settings: Settings, *, standing_facts: int, is_wide: bool = False
) -> list[SearchResult]:
    looked = channels.looks(queries, ports.embedder, ports.older)
    concerned = [standing.concerns(query, look, is_wide=is_wide) for query, look in zip(queries, looked, strict=True)]
    aside = {
        index: standing.asked(queries[index], looked[index], names)
        for index, names in enumerate(concerned)
        if names.names
    }
    every = [*zip(queries, looked, strict=True), *(one for asked in aside.values() for one in asked)]
    ranked = channels.rankings([query for query, _ in every], [look for _, look in every], ports.store, settings)
    rest = iter(ranked[len(queries) :])
    beside = {index: tuple(islice(rest, len(asked))) for index, asked in aside.items()}
    return [
        _result(
            query,
            look,
            Found(ranked[index], beside.get(index, ()), standing_facts, concerned[index]),
            ports,
            settings,
        )
        for index, (query, look) in enumerate(zip(queries, looked, strict=True))
    ]


def context(
    query: Query,
    ports: Ports,
    settings: Settings,
    *,
    budget_tokens: int,
    timezone: tzinfo = UTC,
    is_numbered: bool = False,
) -> Context:
    """Return the best evidence for a query as one block within the budget; the whole scope where it fits.

    Dates are those of `timezone`.  `query.k` is not used: the budget decides.
    Ended memories are shown, labelled, where the question asks for what was.
    """
    if query.selection.validity == "current" and timely.asks_for_the_past(query.text):
        query = replace(query, selection=replace(query.selection, validity="all"))
    packed, _ = _evidence(
        query, ports, settings, budget_tokens=budget_tokens, timezone=timezone, is_numbered=is_numbered
    )
    return packed


def answer(
    query: Query,
    ports: Ports,
    settings: Settings,
    *,
    budget_tokens: int,
    now: datetime,
    short: bool = False,
    timezone: tzinfo = UTC,
) -> Answer:
    """Return an answer from the evidence within the budget, ended memories included, with its citations.

    It abstains where nothing is found, where the confidence is below `settings.abstain_below`, and where the model
    says that the evidence does not hold the answer.  Without a model, or where it fails (with a warning), the best
    evidence stands for the answer.
    """
    began = ports.clock.now()
    validity = "all" if query.selection.validity == "current" else query.selection.validity
    until = now if now < query.selection.now else query.until  # asked in the past, it knows nothing that came later
    query = replace(query, until=until, selection=replace(query.selection, validity=validity, now=now))
    packed, found = _evidence(query, ports, settings, budget_tokens=budget_tokens, timezone=timezone, is_numbered=True)
    if not packed.hits or found.confidence < settings.abstain_below:
        usage = replace(found.usage, ms=_ms(ports, began))
        return Answer(answering.UNKNOWN, (), True, found.confidence, usage, packed.warnings)
    reply, usage, warnings = _reply(query, packed, found, ports, settings, now=now, short=short, timezone=timezone)
    return Answer(
        text=reply.text,
        citations=reply.citations,
        abstained=not reply.is_known,
        confidence=found.confidence,
        usage=replace(found.usage + usage, ms=_ms(ports, began)),
        warnings=(*packed.warnings, *warnings),
    )


def _ms(ports: Ports, began: datetime) -> float:
    return (ports.clock.now() - began).total_seconds() * 1000.0


def _result(query: Query, look: channels.Look, found: Found, ports: Ports, settings: Settings) -> SearchResult:
    rows = fuse(found.rankings, settings)
    facts: list[standing.Bearing] = []
    if found.beside:
        facts = standing.found(query, found.concerned, found.beside, ports.store, settings)[: found.standing_facts]
    pool = replace(query, k=min(MAX_K, WIDER * query.k)) if query.diversity else query
    hits = _hits(pool, rows, found, facts, ports, settings)
    best = [row.signal for row in rows[:1]]
    if "relations" in query.include:
        edges, best_edge = _edges(query, look, ports, settings)
        hits = sorted([*hits, *edges], key=lambda one: -one.score)[: pool.k]
        best += best_edge
    confidence = _confidence(query, look, hits, best, found, ports, settings)
    if facts and found.concerned.below == standing.FIRST and not looks_up(query.text):
        confidence = max(confidence, standing.CONFIDENCE)
    warnings: list[Warning] = []
    if ports.reranker is not None:
        hits, warnings = rerank(query.text, hits, ports.reranker)
    if query.diversity:
        hits = diverse(hits, query.k, query.diversity)
    return SearchResult(
        hits=tuple(hits),
        confidence=confidence,
        calibration_id=calibrate.calibration_id(settings.fusion),
        warnings=(*look.warnings, *warnings),
        usage=look.usage,
    )


def _confidence(
    query: Query,
    look: channels.Look,
    hits: Sequence[Hit],
    best: Sequence[float],
    found: Found,
    ports: Ports,
    settings: Settings,
) -> float:
    if not best:
        return 0.0
    rankings = [ranking for ranked in found.rankings.values() for ranking in ranked]
    floor = None if ports.embedder is None else ports.embedder.floor
    scope = query.selection.scope
    ids = frozenset(word for id in (scope.user, scope.agent, scope.run) if id is not None for word in words(id))
    met = support(query.text, look, hits, rankings, best=max(best), floor=floor, ids=ids)
    return calibrate.confidence(met, settings)


def _hits(
    query: Query,
    rows: Sequence[Fused],
    ranked: Found,
    facts: Sequence[standing.Bearing],
    ports: Ports,
    settings: Settings,
) -> list[Hit]:
    """Return the best k rows as hits, above the threshold, repetitions and rows that were erased since left out.

    Rows are loaded in batches, best first, until k hits stand.
    """
    hits: list[Hit] = []
    found: list[Lead] = []
    own = {(row.kind, row.ref): row.signal for row in rows} if facts else {}
    step = (query.k + SPARE) * max(1, len({row.kind for row in rows[: 2 * query.k]}))
    said = timely.timing(query)
    if said.spans:  # what was said then may stand far down
        step *= DEEPER
    for batch in (rows[begin : begin + step] for begin in range(0, len(rows), step)):
        found += leads(batch, ports.store, selection=query.selection)
        lent = timely.timed(turns.with_neighbours(found, rows, query, ports.store, settings), said)
        paired = turns.paired(standing.joined(lent, facts, own) if facts else lent)
        lifted = standing.lifted(paired, facts, below=ranked.concerned.below) if facts else paired
        hits = _kept(query, lifted, ranked.rankings, settings)
        if len(hits) >= query.k or calibrate.probability(batch[-1].signal, settings) < (query.threshold or 0.0):
            break
    return hits[: query.k]


def _edges(query: Query, look: channels.Look, ports: Ports, settings: Settings) -> tuple[list[Hit], list[float]]:
    """Return the relations found as hits above the threshold, best first, ties by id; and the best signal, if any."""
    found = graph_channels.relations(query, look.probe, ports, settings)
    at = query.selection.as_of or query.selection.known_at or query.selection.now
    hits = []
    scores = fused(found.rankings, settings)
    for ref, signal in sorted(scores.items(), key=lambda item: (-item[1], item[0])):
        relation = found.relations[ref]
        is_ended = relation.valid_to is not None and relation.valid_to <= at and query.selection.validity != "ended"
        score = calibrate.probability(signal, settings) * (settings.outdated_weight if is_ended else 1.0)
        if query.threshold is None or score >= query.threshold:
            parts = signals(ref, found.rankings, settings)
            why = _explanation(parts, signal, settings, is_outdated=is_ended) if query.explain else None
            hits.append(hit(relation, score=score, explanation=why))
    return hits, [max(scores.values())] if scores else []


def _kept(query: Query, found: Sequence[Lead], rankings: Rankings, settings: Settings) -> list[Hit]:
    """Return leads as hits without repetition; what holds no longer has its score damped and its place with it."""
    hits: list[Hit] = []
    for lead in found:
        weight = settings.outdated_weight if lead.is_outdated else 1.0
        score = calibrate.probability(lead.signal, settings) * weight
        if query.threshold is None or score >= query.threshold:
            why = _why(lead, rankings[lead.kind], settings) if query.explain else None
            hits.append(hit(lead.record, score=score, explanation=why))
    return keep(sorted(hits, key=lambda one: -one.score))  # stable: ties stay in the order of fusion


def _why(lead: Lead, rankings: Sequence[Ranking], settings: Settings) -> Explanation:
    is_ranked = any(lead.ref in ranking.scores for ranking in rankings)
    parts = signals(lead.ref, rankings, settings) if is_ranked else ()
    return _explanation((*parts, *lead.added), lead.signal, settings, is_outdated=lead.is_outdated, notes=lead.notes)


def _explanation(
    parts: tuple[Signal, ...], signal: float, settings: Settings, *, is_outdated: bool, notes: tuple[str, ...] = ()
) -> Explanation:
    outdated = f"what it tells holds no longer: score × {settings.outdated_weight}"
    return Explanation(
        signals=parts,
        fused=signal,
        calibration_id=calibrate.calibration_id(settings.fusion),
        notes=(*notes, *((outdated,) if is_outdated else ())),
    )


def _evidence(
    query: Query, ports: Ports, settings: Settings, *, budget_tokens: int, timezone: tzinfo, is_numbered: bool
) -> tuple[Context, SearchResult]:
    """Return the packed evidence and the search behind it."""
    count = ports.count_tokens or count_tokens
    now = query.selection.as_of or query.selection.known_at or query.selection.now
    most = min(MAX_K, max(query.k, budget_tokens // TOKENS_PER_HIT))
    [found] = _search([replace(query, k=most)], ports, settings, standing_facts=standing.PROFILE, is_wide=True)
    whole = whole_scope(query, found, ports.store, at_most=most)
    packed = None
    if whole:
        packed = pack(
            whole, budget_tokens=budget_tokens, count=count, now=now, timezone=timezone, is_numbered=is_numbered
        )
    if packed is None or packed.warnings:
        packed = pack(
            found.hits, budget_tokens=budget_tokens, count=count, now=now, timezone=timezone, is_numbered=is_numbered
        )
    return replace(packed, warnings=(*found.warnings, *_too_small(found.hits, packed))), found


def _too_small(hits: Sequence[Hit], packed: Context) -> tuple[Warning, ...]:
    """Return a warning where strong evidence did not fit; that the weakest of a hundred is left out is no news."""
    held = {(hit.kind, hit.id, hit.text) for hit in packed.hits}
    best = answering.strong(hits)[: answering.BEST]
    left = sum((hit.kind, hit.id, hit.text) not in held for hit in best)
    if not left:
        return ()
    return (Warning("over_budget", f"{left} of the {len(best)} best hits did not fit the budget, or not whole"),)


def _reply(
    query: Query,
    packed: Context,
    found: SearchResult,
    ports: Ports,
    settings: Settings,
    *,
    now: datetime,
    short: bool,
    timezone: tzinfo,
) -> tuple[Reply, Usage, tuple[Warning, ...]]:
    evidence = found.hits or packed.hits
    if ports.llm is None:
        return answering.best_evidence(evidence, now=now, short=short, timezone=timezone), Usage(), ()
    usage = Usage()
    try:
        prompt = answering.prompt(query.text, packed, now=now, short=short, timezone=timezone, folder=settings.prompts)
        [completion] = ports.llm.complete([prompt])
        usage = Usage(not completion.is_remembered, completion.prompt_tokens, completion.completion_tokens)
        return answering.parse(completion, packed), usage, ()
    except (ProviderError, Forbidden) as err:
        warning = Warning("answer_without_model", f"the model failed, so the evidence stands as it is: {err}")
        return answering.best_evidence(evidence, now=now, short=short, timezone=timezone), usage, (warning,)
