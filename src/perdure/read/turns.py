"""Turns: a fact and the turn it came from are one piece of evidence, and a turn is understood with those beside it.

A fact is a key to its turn and a turn to its facts: found both ways they take one place among the hits.
What answers a question often stands a turn or two beside the words that were asked for, so a short turn borrows from
its neighbours in the conversation, most from the question that it answers (runs/LOG.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from perdure.models import MemoryRecord, MessageRecord, Signal
from perdure.ports import Store
from perdure.read import channels
from perdure.read.asked import is_bare
from perdure.read.fuse import Fused
from perdure.read.leads import Lead, leads, order
from perdure.read.query import Query
from perdure.settings import Settings
from perdure.where import holds

AGREEMENT = 0.25  # what the second way to the same evidence adds; measured from 0.1 to 0.5 alike, runs/LOG.md
BESIDE: Mapping[int, float] = {1: 0.4, 2: 0.2}  # distance in turns → share of a neighbour's signal; runs/LOG.md
ANSWER = 0.8  # the same for the answer to a question; runs/LOG.md
GIVEN = 0.75  # share of its own signal that a turn gives away which only asks, where its answer is there; runs/LOG.md
NEEDY_CHARS = 350  # a longer turn stands more by itself and borrows less, in proportion; runs/LOG.md
_ASKS = ("?", "？", "؟")
Turn = tuple[object, ...]  # whose, and its public id

WHOLE = 0.7  # share of a message's letters in a fact's quotes from which the fact stands for it; chosen


def with_neighbours(
    found: Sequence[Lead], rows: Sequence[Fused], query: Query, store: Store, settings: Settings
) -> list[Lead]:
    """Return what was found with what the turns borrow from their neighbours, and those that come in by that alone.

    `rows` are all that the channels ranked.
    """
    own = {row.ref: row.signal for row in rows if row.kind == "message"}
    missing = wanted(found, own, best=query.k) if "messages" in query.include else []
    fresh = [Fused("message", ref, own.get(ref, 0.0)) for ref in missing]
    beside = leads(fresh, store, selection=query.selection) if fresh else []
    seen = [lead for lead in beside if lead.ref in own or is_seen(lead.record, query)]
    lent = borrowed([*found, *seen], gap_s=settings.session_gap_s)
    return [lead for lead in lent if lead.added or lead.kind == "memory" or lead.ref in own]


def is_seen(record: MemoryRecord | MessageRecord, query: Query) -> bool:
    """True if the query may see a message that no channel ranked: its scope and its filter admit it."""
    selection = query.selection
    is_here = selection.known_at is None and selection.scope.admits(
        user=record.user, agent=record.agent, run=record.run
    )
    where = channels.seen(query).where
    return is_here and (where is None or holds(where, record))


def paired(found: Sequence[Lead]) -> list[Lead]:
    """Return the leads with each turn and its facts in one place, best first.

    The better one stands, and takes a share of the other's signal.  A turn that ranks above its fact gives way to it
    only if the fact says all of it, or says what the turn cannot: that it holds no longer.
    A second fact of a turn keeps its own place unless the turn itself stands.
    """
    standing: list[Lead] = []
    turns: dict[Turn, int] = {}  # turn → place of the message that stands for it
    facts: dict[Turn, int] = {}  # turn → place of the best fact that stands for it
    for lead in order(_replaced(found)):
        keys = turns_of(lead)
        into = [facts[keys[0]]] if lead.kind == "message" and keys[0] in facts else []
        if lead.kind == "memory" and keys and all(key in turns for key in keys):
            into = [turns[key] for key in keys]
        if into and all(standing[place].is_outdated == lead.is_outdated for place in into):
            standing[into[0]] = _agreed(standing[into[0]], lead)
            continue
        places = turns if lead.kind == "message" else facts
        for key in keys:
            places.setdefault(key, len(standing))
        standing.append(lead)
    return order(standing)


def _replaced(found: Sequence[Lead]) -> list[Lead]:
    """Return the leads without the turns that give way to a fact below them, which takes their signal."""
    turns = {turns_of(lead)[0]: lead for lead in found if lead.kind == "message"}
    kept: dict[tuple[str, int], Lead] = {(lead.kind, lead.ref): lead for lead in found}
    for fact in order(found):
        for key in turns_of(fact) if fact.kind == "memory" else ():
            turn = turns.get(key)
            if turn is not None and turn.signal >= fact.signal and _says_all(fact, turn):
                del turns[key], kept[turn.kind, turn.ref]
                gain = turn.signal + AGREEMENT * max(0.0, fact.signal) - fact.signal
                note = f"in the place of its turn {_id(turn)}"
                kept[fact.kind, fact.ref] = fact.with_signal(Signal("message", turn.signal, gain, 1.0, 1), note)
                break
    return list(kept.values())


def _agreed(lead: Lead, other: Lead) -> Lead:
    """Return a lead with its share of another's signal, the first time; each other is named."""
    if any(signal.channel in ("memory", "message") for signal in lead.added):
        return replace(lead, notes=(*lead.notes, f"also {other.kind} {_id(other)}"))
    gain = max(0.0, other.signal)
    return lead.with_signal(Signal(other.kind, gain, gain, AGREEMENT, 1), f"also {other.kind} {_id(other)}")


def _says_all(fact: Lead, turn: Lead) -> bool:
    """True if the fact's quotes are nearly the whole message, or if both hold no longer, which only the fact tells."""
    if fact.is_outdated or turn.is_outdated:
        return fact.is_outdated and turn.is_outdated
    if not isinstance(fact.record, MemoryRecord) or not isinstance(turn.record, MessageRecord):
        return False
    quoted = sum(len(source.quote) for source in fact.record.sources if source.message_id == turn.record.public_id)
    return quoted >= WHOLE * len(turn.record.content)


def turns_of(lead: Lead) -> list[Turn]:
    """Return the turns behind a lead: of a message itself, of a memory its sources."""
    record = lead.record
    owner = (record.user, None if record.user else record.agent, None if record.user or record.agent else record.run)
    if isinstance(record, MessageRecord):
        return [(owner, record.public_id)]
    named = [source.message_id for source in record.sources if source.message_id is not None]
    return [(owner, id) for id in dict.fromkeys(named)]


def _id(lead: Lead) -> str:
    return lead.record.public_id if isinstance(lead.record, MessageRecord) else lead.record.id


# ---------------------------------------------------------------- neighbours


def wanted(found: Sequence[Lead], signals: Mapping[int, float], *, best: int) -> list[int]:
    """Return references of the turns that may borrow enough to be among the `best`, not loaded yet.

    `signals` are the own signals of the messages that the channels ranked.
    """
    ranked = order(found)
    least = ranked[best - 1].signal if len(ranked) >= best else 0.0
    known = {lead.ref for lead in ranked if lead.kind == "message"}
    beside: dict[int, None] = {}
    for lead in ranked[:best]:
        if lead.kind == "message" and lead.signal > 0:
            for ref in _beside(lead.ref):
                first = ANSWER if ref == lead.ref + 1 and _asks(lead) else BESIDE[1]
                most = (first + BESIDE[2]) * lead.signal
                if ref not in known and signals.get(ref, 0.0) + most > least:
                    beside[ref] = None
    return list(beside)


def borrowed(found: Sequence[Lead], *, gap_s: float) -> list[Lead]:
    """Return the leads with what each message borrows from the turns beside it: per distance, of the best one.

    Turns are beside each other where speakers alternate within one conversation (equal user, agent and run, no
    silence of more than `gap_s` between them): a note after a note by the same speaker is no answer to it.
    """
    at = {lead.ref: lead for lead in found if lead.kind == "message"}
    return [lead if lead.kind == "memory" else _lent(lead, at, gap_s) for lead in found]


def _lent(lead: Lead, at: Mapping[int, Lead], gap_s: float) -> Lead:
    assert isinstance(lead.record, MessageRecord)  # noqa: S101 - the caller asked
    need = min(1.0, NEEDY_CHARS / len(lead.record.content))
    lent = lead
    for distance in BESIDE:
        paths = ([at.get(lead.ref + way * step) for step in range(distance + 1)] for way in (-1, 1))
        donors = [path[-1] for path in paths if _is_talk(path, gap_s)]
        offers = [(_share(lead, donor) * donor.signal, -donor.ref, donor) for donor in donors if donor is not None]
        gain, _, donor = max(offers, key=lambda offer: offer[:2], default=(0.0, 0, None))
        if donor is not None and gain > 0:
            signal = Signal("neighbour", donor.signal, donor.signal, _share(lead, donor) * need, distance)
            lent = lent.with_signal(signal, f"neighbour of {_id(donor)}")
    answer = at.get(lead.ref + 1)
    is_asked = answer is not None and _answers(answer, lead) and _is_talk((lead, answer), gap_s)
    if answer is not None and is_asked and lead.signal > 0 and is_bare(lead.record.content):
        given = Signal("neighbour", lead.signal, -lead.signal, GIVEN, 1)
        lent = lent.with_signal(given, f"asks, and {_id(answer)} answers")
    return lent


def _share(lead: Lead, donor: Lead) -> float:
    """Return the share of a neighbour's signal that is lent: more to what answers it."""
    return ANSWER if _answers(lead, donor) else BESIDE[abs(lead.ref - donor.ref)]


def _answers(lead: Lead, asked: Lead) -> bool:
    """True for the turn right after a question that one person puts to another.

    What somebody asks an assistant tells more of them than its answer does.
    """
    one, other = lead.record, asked.record
    if lead.ref - asked.ref != 1 or not isinstance(one, MessageRecord) or not isinstance(other, MessageRecord):
        return False
    return one.role == other.role and _asks(asked)


def _asks(lead: Lead) -> bool:
    return isinstance(lead.record, MessageRecord) and lead.record.content.rstrip().endswith(_ASKS)


def _is_talk(path: Sequence[Lead | None], gap_s: float) -> bool:
    """True if the turns follow each other in one conversation, speakers alternating."""
    records = [lead.record for lead in path if lead is not None and isinstance(lead.record, MessageRecord)]
    return len(records) == len(path) and all(
        (one.user, one.agent, one.run) == (other.user, other.agent, other.run)
        and one.speaker != other.speaker
        and abs((one.at - other.at).total_seconds()) <= gap_s
        for one, other in pairwise(records)
    )


def _beside(ref: int) -> list[int]:
    return [ref + way * distance for distance in BESIDE for way in (-1, 1)]
