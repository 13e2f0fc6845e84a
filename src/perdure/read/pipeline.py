"""The read pipeline: query → rankings → fused rows → hits kept → context → answer.

Query ─channels─▶ [Ranking] ─fuse─▶ [Hit] ─keep─▶ ─rerank─▶ ─pack─▶ Context ─answer─▶ Answer
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo

from perdure.errors import Forbidden, ProviderError
from perdure.models import Answer, Context, Explanation, Hit, Ranking, SearchResult, Usage, Warning
from perdure.ports import Ports
from perdure.read import answer as answering
from perdure.read import calibrate, channels, graph_channels
from perdure.read.answer import Reply
from perdure.read.fuse import Fused, fuse, fused, signals
from perdure.read.hits import hit, whole_scope
from perdure.read.keep import keep
from perdure.read.pack import pack
from perdure.read.query import MAX_K, Query, RowKind
from perdure.read.rerank import rerank
from perdure.settings import Settings
from perdure.text import count_tokens

Rankings = Mapping[RowKind, tuple[Ranking, ...]]

TOKENS_PER_HIT = 12  # chosen: a shorter entry is rare, so this many hits fill any budget
SPARE = 2  # chosen: rows loaded beyond k, in place of those that are erased or repeat others


def search(queries: Sequence[Query], ports: Ports, settings: Settings) -> list[SearchResult]:
    """Return each query's hits, best first, in the order of the queries; all are embedded in one batch.

    A scope without rows gives no hits and confidence 0.  Raises StoreError kinds.
    """
    looked = channels.looks(queries, ports.embedder, ports.older)
    ranked = channels.rankings(queries, looked, ports.store, settings)
    return [
        _result(query, look, rankings, ports, settings)
        for query, look, rankings in zip(queries, looked, ranked, strict=True)
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
    """
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


def _result(query: Query, look: channels.Look, rankings: Rankings, ports: Ports, settings: Settings) -> SearchResult:
    rows = fuse(rankings, settings)
    hits = _hits(query, rows, rankings, ports, settings)
    signals_of = [row.signal for row in rows[:1]]
    if "relations" in query.include:
        edges, best = _edges(query, look, ports, settings)
        hits = sorted([*hits, *edges], key=lambda one: -one.score)[: query.k]
        signals_of += best
    warnings: list[Warning] = []
    if ports.reranker is not None:
        hits, warnings = rerank(query.text, hits, ports.reranker)
    return SearchResult(
        hits=tuple(hits),
        confidence=calibrate.confidence(max(signals_of, default=None), settings),
        calibration_id=calibrate.calibration_id(settings.fusion),
        warnings=(*look.warnings, *warnings),
        usage=look.usage,
    )


def _hits(query: Query, rows: Sequence[Fused], rankings: Rankings, ports: Ports, settings: Settings) -> list[Hit]:
    """Return the best k rows as hits, above the threshold, repetitions and rows that were erased since left out.

    What holds no longer has its score damped and takes its place among the others.
    """
    hits: list[Hit] = []
    step = query.k + SPARE
    for batch in (rows[begin : begin + step] for begin in range(0, len(rows), step)):
        loaded = channels.load([(row.kind, row.ref) for row in batch], ports.store, selection=query.selection)
        for row in batch:
            record = loaded.memories.get(row.ref) if row.kind == "memory" else loaded.messages.get(row.ref)
            if record is None:
                continue
            is_outdated = (row.kind, row.ref) in loaded.outdated
            score = calibrate.probability(row.signal, settings) * (settings.outdated_weight if is_outdated else 1.0)
            if query.threshold is None or score >= query.threshold:
                why = _explanation(row, rankings[row.kind], settings, is_outdated) if query.explain else None
                hits.append(hit(record, score=score, explanation=why))
        hits = keep(sorted(hits, key=lambda one: -one.score))  # stable: ties stay in the order of fusion
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
            row = Fused("memory", ref, signal)  # the kind plays no part in an explanation
            why = _explanation(row, found.rankings, settings, is_ended) if query.explain else None
            hits.append(hit(relation, score=score, explanation=why))
    return hits, [max(scores.values())] if scores else []


def _explanation(row: Fused, rankings: Sequence[Ranking], settings: Settings, is_outdated: bool) -> Explanation:
    weight = settings.outdated_weight
    return Explanation(
        signals=signals(row.ref, rankings, settings),
        fused=row.signal,
        calibration_id=calibrate.calibration_id(settings.fusion),
        notes=(f"what it tells holds no longer: score × {weight}",) if is_outdated else (),
    )


def _evidence(
    query: Query, ports: Ports, settings: Settings, *, budget_tokens: int, timezone: tzinfo, is_numbered: bool
) -> tuple[Context, SearchResult]:
    """Return the packed evidence and the search behind it."""
    count = ports.count_tokens or count_tokens
    now = query.selection.as_of or query.selection.known_at or query.selection.now
    most = min(MAX_K, max(query.k, budget_tokens // TOKENS_PER_HIT))
    [found] = search([replace(query, k=most)], ports, settings)
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
    return replace(packed, warnings=(*found.warnings, *packed.warnings)), found


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
