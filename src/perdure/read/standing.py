"""Standing facts: what holds of somebody all the time, and matters to a question that shares no word with it.

"I'm vegetarian", said a year ago, matters to "What could I cook tonight?"; neither words nor vectors say so.
A small table does: what a question that looks ahead is concerned with, and the words in which facts that bear on it
are told.  The facts are looked up by those words, and lifted to just below the best that the question itself found.
English only; in other languages a fact is found by its `kind` and its vector.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from perdure.models import Both, Compare, MemoryRecord, MessageRecord, Ranking, Signal
from perdure.offline import signs
from perdure.ports import Store
from perdure.read.asked import looks_up
from perdure.read.channels import Look
from perdure.read.fuse import Fused, fuse
from perdure.read.leads import Lead, leads, order
from perdure.read.query import Query, RowKind
from perdure.read.turns import turns_of
from perdure.settings import Settings
from perdure.text import STOP_WORDS, normal, stem, terms, words

LIFTED = 4  # facts lifted in a search, chosen: the question's own hits keep the other places
CONFIDENCE = 0.5  # at least, that a question for advice is met, where a standing fact bears on it; chosen
ABOVE = 1e-6  # what puts a lifted fact above the second best, as many rows may be alike
PROFILE = 9  # facts in a context's standing profile: about 150 of 1,500 tokens; chosen
UNDER = 0.95  # share of the signal above it that a lifted fact has; chosen
FIRST, ASIDE = 1, 8  # of the question's own hits before the facts it is concerned with, and before any others; chosen
LOOKED_AT = 100  # rows per kind whose wording is read; chosen
DENSE = 0.5  # share of the vectors in how a fact bears on a question; chosen
LIKELY = 0.75  # and what a fact whose wording may be of something standing is ahead of any that shares a word; chosen
BARE = 2  # facts that only share a word with the table, at most; chosen
DATED = 0.25  # what a fact loses that is told as the event of a day: what holds without one comes first; chosen
PLAIN = 3.0  # what a fact of a plainly standing kind or wording is ahead of one that may be; chosen
NAMED = 3  # times that a word of the table counts for one that only tells of something standing; chosen
LONGEST = 600  # characters of a message that tells what holds of somebody; chosen


@dataclass(frozen=True, slots=True)
class Bearing:
    """A standing fact, and how strongly it bears on the question."""

    lead: Lead
    signal: float


# What only tells of the past or of somebody else asks for no advice.
_LOOKS_BACK = re.compile(
    r"^(?:when|who|whose|why|how(?: \w+)?|what|which|where)\b(?:(?! that | who | which )[^?]){0,40}\b(?:did|was"
    r"|were|had|has(?! (?:a|the|live|good|nice|great|the best|some|any|free)\b)|does)\b"
    r"|^(?:did|was|were|has|had|does)\b|\b(?:ago|yesterday|remember|last (?:week|month|year|time|night|summer"
    r"|winter)(?! (?:in|of)\b))\b"
    r"|^(?:what|which|where|who|how)(?: \w+)? (?:is|are|do|have) (?!(?:a|the|some|any|good|best|there|it|we|i"
    r"|you|worth)\b)",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:should|could|can|shall|may|suggest\w*|recommend\w*|ideas?|advice|advise|help|pick|choose|best|good"
    r"|safe|okay|ok|fine"
    r"|worth|suit|let's|plan|book|find|need|want|going to|thinking of|how about|what about|tips?|which|write|make me"
    r"|would (?:\w+ )?(?:suit|go|you|i|we|it|be)|must.(?:do|see|try|visit|have)s?|things to (?:do|see|try)|draft"
    r"|propose|prepare|put together|organi[sz]e|arrange|sort out|set up|make (?:a|an|the|us|up)|give (?:me|us)|list"
    r"|got any|any (?:\w+ )?(?:thoughts|ideas|tips|suggestions|good|nice)|fancy|i'd like|we'd like|gonna|ready|prep"
    r"|sign up|(?:how|what|where|who|when|which) to|how do (?:i|we)"
    r"|next (?:week|month|year|weekend)|tonight|tomorrow|this (?:weekend|summer|winter|spring|autumn|evening))\b",
    re.IGNORECASE,
)
# How somebody says what holds of them, whatever the day.
_HOLDS = re.compile(
    r"\b(?:allerg\w+|intoleran\w+|vegan|vegetarian|pescatarian|flexitarian|c(?:o)?eliac|gluten.free|lactose"
    r"|kosher|halal"
    r"|diabet\w+|asthma\w*|epilep\w+|seizures|pregnan\w+|expecting (?:a baby|our|my|twins)|wheelchair|crutch\w*"
    r"|disab\w+"
    r"|\w*blind(?:ness)?|deaf|hearing aids?|hard of hearing|dyslex\w+|adhd|autis\w+|\w*phobi\w+"
    r"|(?:afraid|scared|terrified|frightened|petrified) of|fear of|panic attacks?|anxiety|ptsd|(?:sea|car|air"
    r"|motion).?sick\w*"
    r"|migraines?|insomnia|medication|blood (?:thinner|pressure|type)\w*|warfarin|insulin|pacemaker|transplant\w*"
    r"|(?:heart|kidney|liver|lung|thyroid|skin|medical|chronic) (?:condition|disease|problem|failure|pain)\w*"
    r"|arthritis"
    r"|diagnosed|surgery|operated|herniated|slipped disc|bad (?:back|knees?|hip|heart)|sober|teetotal\w*"
    r"|alcoholic|in recovery"
    r"|religio\w+|muslim|jewish|hindu|buddhist|sikh|catholic|christian|mormon|jehovah\w*|atheist|sabbath"
    r"|shabbat|ramadan"
    r"|left.?handed|lefty|passport|citizen\w*|nationality|pronouns|trans(?:gender)?|non.?binary|minimalist"
    r"|widow\w*|orphan|night shifts?|stutter|stammer|tinnitus|vertigo|eczema|anaphyla\w+|epipen|faint\w*"
    r"|tight budget|in debt|debts|bankrupt\w*|unemployed)\b"
    r"|\b(?:do not|don't|does not|doesn't|can't|cannot|can not|couldn't|never|not allowed to|no longer|mustn't"
    r"|not supposed to"
    r"|refuses? to|won't|unable to|stopped|gave up|quit|avoids?|not) "
    r"(?:really |even |ever |safely |to )?(?:eat|eats|eating|drink|drinks|drinking|touch|swim|swims|swimming"
    r"|drive|drives"
    r"|driving|fly|flies|flying|run|running|walk|walking|hear|lift|lifting|have|stand|stands|climb|tolerate"
    r"|tolerates|wear|wears"
    r"|take|use|uses|work|works|sleep|smoke|smoking|handle|cope|own|watch|watches|read|celebrate|celebrates)\b"
    r"|\b(?:hates?|detests?|despises?|makes? (?:me|him|her|them|\w+) (?:ill|sick|sneeze|faint|dizzy|panic))\b"
    r"|\b(?:learned|learnt) to (?:swim|drive|ride)\b|\b(?:fast|fasts) during\b|\bkeeps? (?:kosher|halal"
    r"|the sabbath|shabbat)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\b(?:I|I'm|I've|my|me|we|our)\b", re.IGNORECASE)
_ASKS = re.compile(r"\?\s*$")
# More loosely: what somebody is, has, does or never does, as such ...
_HABIT = re.compile(
    r"\b(?:i|we|my (?:\w+ )?(?:son|daughter|wife|husband|partner|kids?|child|children|mother|father|mom|mum|dad"
    r"|girlfriend"
    r"|boyfriend|family|brother|sister|baby|doctor|knees?|back|eyes?|ears?|legs?|heart|skin|stomach|body"
    r"|passport|name))"
    r"(?:'m|'ve|'re)?\b[^.!?]{0,30}?(?:'m|'ve|\b(?:am|is|are|have|has|can't|cannot"
    r"|can|don't"
    r"|doesn't|never|always|only|avoids?|needs?|prefers?|hates?|keeps?|go by|goes by|wears?|uses?|takes?"
    r"|suffers?|stopped"
    r"|quit|gave up|(?:was|were) (?:born|raised|diagnosed|told)|had (?:a|an|my|his"
    r"|her) [\w ]{0,24}(?:replace\w+|surgery"
    r"|operation|transplant|attack|stroke|removed|amputat\w+)|won't|refuse|lost|work|works|grew up|fast|swear"
    r"|react))\b"
    r"|\b(?:sends?|makes?|keeps?|gives?|triggers?|puts?|sets?|knocks?|leaves?|closes?|frightens?|scares?|terrif\w+"
    r"|(?:doesn't|don't) agree with) (?:me|my|him|his|her|us|our)\b",
    re.IGNORECASE,
)
# ... and not of one day, nor of a mood or a plan.
_PASSING = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|this (?:week|month|morning|afternoon|evening|weekend)|last (?:week"
    r"|month|night|time)"
    r"|next (?:week|month|time|year)|(?:on|all of) \w+day|right now|at the moment|just|going to|thinking"
    r"|planning|about to|looking"
    r"|watching|reading|waiting|glad|happy|sorry|excited|tired|sure|back|again|here)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Concerned:
    """The rows of the table that a question is concerned with, and how many of its hits stand before their facts."""

    names: tuple[str, ...] = ()
    below: int = FIRST


def concerns(query: Query, look: Look, *, is_wide: bool = False) -> Concerned:
    """Return what a question that looks ahead is concerned with; all there is where it asks for advice on anything.

    Nothing for a question that looks back.  `is_wide`: all there is for every other question, further down.
    """
    if query.selection.validity == "ended" or _LOOKS_BACK.search(query.text):
        return Concerned()
    named = tuple(name for name, row in _table().items() if not row.cues.isdisjoint(look.probe.terms))
    if named and looks_up(query.text):  # "When is the dentist's appointment?": the answer is no standing fact
        return Concerned(named, ASIDE)
    if named or _ADVICE.search(query.text):
        return Concerned(named or tuple(_table()))
    return Concerned(tuple(_table()) if is_wide else (), ASIDE)


def asked(query: Query, look: Look, concerned: Concerned) -> tuple[tuple[Query, Look], ...]:
    """Return the queries and looks that find the facts which bear on a question: among those that hold now.

    First everything, then the memories of the standing kinds alone, which may share no word with any table.
    """
    sought = dict.fromkeys(_signs(), 1)
    sought |= {term: NAMED for name in concerned.names for term in _table()[name].words}
    selection = replace(query.selection, validity="current")
    probe = replace(look.probe, terms=sought)
    where = () if selection.where is None else (selection.where,)
    kept = replace(selection, where=Both((*where, Compare("kind", "in", ("profile", "preference")))))
    found_ = replace(look, probe=probe)
    every = (replace(query, selection=selection), found_)
    if "memories" not in query.include:
        return (every,)
    return every, (replace(query, selection=kept, include=("memories",)), found_)


def found(
    query: Query,
    concerned: Concerned,
    ranked: Sequence[Mapping[RowKind, Sequence[Ranking]]],
    store: Store,
    settings: Settings,
) -> list[Bearing]:
    """Return the standing facts that bear on the question, by the rankings that `asked` led to, best first."""
    rows = {(row.kind, row.ref): row for one in reversed(ranked) for row in _bearing(one, settings)}
    loaded = order(leads(list(rows.values()), store, selection=query.selection))
    sought = frozenset(word for name in concerned.names for word in _table()[name].words)
    is_named = len(concerned.names) < len(_table())
    holds: list[Lead] = []
    bare = 0
    for lead in loaded:
        gain = _gain(lead.record)
        if lead.is_outdated or (not gain and not (is_named and bare < BARE and _is_bare(lead.record, sought))):
            continue
        bare += not gain
        holds.append(replace(lead, own=lead.own + gain))
    told = {turn for lead in holds if lead.kind == "memory" for turn in turns_of(lead)}
    once = [lead for lead in order(holds) if lead.kind == "memory" or told.isdisjoint(turns_of(lead))]
    return [Bearing(lead, lead.signal) for lead in once]


def _gain(record: MemoryRecord | MessageRecord) -> float:
    """Return what a fact is ahead of those that only share a word with the table."""
    if is_standing(record):
        own = PLAIN if _names_its_speaker(record) else LIKELY
        return own - DATED if isinstance(record, MemoryRecord) and record.event_from is not None else own
    return LIKELY if is_habit(record) else 0.0


def _names_its_speaker(record: MemoryRecord | MessageRecord) -> bool:
    """False for a memory that is only about somebody else: what a cat hates bears less on its keeper's dinner."""
    if isinstance(record, MessageRecord):
        return True
    text = normal(record.text)
    return "the user" in text or normal(record.attributed_to or "user") in text


def _is_bare(record: MemoryRecord | MessageRecord, sought: frozenset[str]) -> bool:
    """True for a user's own statement, in the first person, that shares a word with what the question asks after."""
    if isinstance(record, MemoryRecord):
        quotes = " ".join(source.quote for source in record.sources)
        return (
            signs.is_personal(record.text)
            and _FIRST.search(quotes) is not None
            and not sought.isdisjoint(terms(quotes))
        )
    return _is_own(record) and signs.is_personal(record.content) and not sought.isdisjoint(terms(record.content))


def _bearing(ranked: Mapping[RowKind, Sequence[Ranking]], settings: Settings) -> list[Fused]:
    """Return the rows that share words with the table or are near the question, best first."""
    rows: list[Fused] = []
    for kind, rankings in ranked.items():
        rows += fuse({kind: rankings}, replace(settings, fusion="zscore", dense_weight=DENSE))[:LOOKED_AT]
    return rows


def is_standing(record: MemoryRecord | MessageRecord) -> bool:
    """True for what plainly holds of somebody all the time: by its kind, or by how it is told (by a user)."""
    if isinstance(record, MemoryRecord):
        if signs.is_mentioned(record.text):
            return True
        if not signs.is_personal(record.text):
            return False
        is_told = record.kind != "event" and _HOLDS.search(record.text) is not None
        return record.kind == "profile" or is_told
    if record.origin != "user" or len(record.content) >= LONGEST:
        return False
    is_told = _is_own(record) and _HOLDS.search(record.content) is not None
    return is_told or signs.is_mentioned(record.content) or signs.is_of_who_asks(record.content)


def is_habit(record: MemoryRecord | MessageRecord) -> bool:
    """True for what may hold of somebody all the time, by how it is told in the first person."""
    if isinstance(record, MemoryRecord):
        quotes = " ".join(source.quote for source in record.sources)
        if signs.is_rule(record.text) or signs.is_usual(quotes):
            return True
        is_told = record.kind == "preference" or _HABIT.search(quotes) is not None
        return is_told and signs.is_personal(record.text) and _PASSING.search(quotes or record.text) is None
    if not _is_own(record):
        return False
    is_told = _HABIT.search(record.content) is not None and _PASSING.search(record.content) is None
    return is_told or signs.is_usual(record.content)


def _is_own(record: MessageRecord) -> bool:
    """True for a short statement of a user's."""
    text = record.content
    return (
        record.origin == "user"
        and len(text) < LONGEST
        and (_FIRST.search(text) is not None and _ASKS.search(text) is None)
    )


def lifted(found_: Sequence[Lead], facts: Sequence[Bearing], *, below: int) -> list[Lead]:
    """Return the leads, paired, with the standing facts lifted to below that many of the question's own.

    A fact whose turn stands for it is lifted as that turn.
    """
    names = {(lead.kind, lead.ref): place for place, lead in enumerate(found_)}
    turns = {turn: place for place, lead in enumerate(found_) if lead.kind == "message" for turn in turns_of(lead)}
    places: dict[int, Bearing] = {}
    for fact in facts:
        beside = [names.get((fact.lead.kind, fact.lead.ref)), *(turns.get(turn) for turn in turns_of(fact.lead))]
        place = next((place for place in beside if place is not None), None)
        if place is not None:
            places.setdefault(place, fact)
    leads_ = list(found_)
    others = sorted((lead.signal for place, lead in enumerate(leads_) if place not in places), reverse=True)
    over, under = [*others, *[0.0] * (below + 1)][below - 1 : below + 1]
    cap = max(UNDER * over, under + ABOVE * (1 + len(places)))
    for rank, (place, fact) in enumerate(places.items(), start=1):
        gain = max(0.0, cap - ABOVE * rank - leads_[place].signal)
        leads_[place] = leads_[place].with_signal(Signal("standing", fact.signal, gain, 1.0, rank), "a standing fact")
    return order(leads_)


def joined(found_: Sequence[Lead], facts: Sequence[Bearing], own: Mapping[tuple[RowKind, int], float]) -> list[Lead]:
    """Return the leads and the standing facts that are not among them, with the signals that the question gave them."""
    known = {(lead.kind, lead.ref) for lead in found_}
    new = [fact.lead for fact in facts if (fact.lead.kind, fact.lead.ref) not in known]
    return [*found_, *(replace(lead, own=own.get((lead.kind, lead.ref), 0.0)) for lead in new)]


@dataclass(frozen=True, slots=True)
class _Concern:
    """The stems of what a question is about, and of the facts that bear on it."""

    cues: frozenset[str]
    words: frozenset[str]


@lru_cache(maxsize=1)
def _signs() -> frozenset[str]:
    return frozenset(stem(word) for word in words(signs.vocabulary()) if word not in STOP_WORDS and len(word) > 1)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, _Concern]:
    text = files("perdure.read").joinpath("concerns.toml").read_text(encoding="utf-8")
    return {
        name: _Concern(*(frozenset(map(stem, row[field].split())) for field in ("cues", "words")))
        for name, row in tomllib.loads(text).items()
    }
