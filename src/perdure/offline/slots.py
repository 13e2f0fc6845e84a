"""What a statement fills: recognised by the wording, so that two wordings of one thing meet.

A slot is single-valued (one home, one age) or multi-valued (many allergies).  A wording that is not listed gives no
slot: a slot that is missed costs a duplicate, a slot that is guessed could end a true fact.
Statements are read in the third person; with a speaker, "I live in Lyon" is read too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from perdure.models import Candidate, MemoryRecord, Slot
from perdure.offline.entities import NO_NAMES
from perdure.offline.person import Cast, named, third
from perdure.text import normal

_SUBJECT: Final = (
    r"(?P<subject>(?:[Tt]he user|user|[A-Z][\w-]*(?: [A-Z][\w-]*)?)(?:'s (?!favou?rite|new|name|job|age|phone|e-?mail|birthday|"
    r"address|home|husband is|wife is|partner is)(?:[a-z]+ )?[a-z]+(?: [A-Z][\w-]+)?)?)"
)
_NOW = r"(?: (?:now|currently|actually|still|also|really|just|recently|finally|mostly|usually|always|already|officially|has|have|only))*"
_PLACE = r"(?P<value>[A-Z][\w'.-]*(?:[ -](?:(?:de|la|of|the|du|di|upon|am|and) )?[A-Z][\w'.-]*)*(?:, [A-Z][\w.]*(?: [A-Z]\w*)*)?)"
_THING = r"(?P<value>(?:[\w'+#&-]+)(?: (?!and\b|but\b|because\b|since\b|so\b|when\b|while\b|with\b|on\b|in\b|at\b|for\b|now\b|these\b|as\b|to\b|which\b|that\b|who\b|anymore\b|any\b|yesterday\b|today\b|tomorrow\b|last\b|next\b|this\b|from\b|named\b|called\b|every\b|than\b|instead\b|most\b|right\b|very\b|too\b|again\b|or\b|of mine\b)[\w'+#&-]+){0,4})"
_WORDS_OF_CODE = re.compile(
    r"^(?:python|rust|go|golang|java|javascript|typescript|kotlin|swift|ruby|php|scala|linux|windows|mac|macos|ubuntu|debian|"
    r"android|ios|iphone|docker|kubernetes|aws|azure|gcp|postgres\w*|mysql|sqlite|mongo\w*|redis|vim|neovim|emacs|vs ?code|"
    r"git\w*|slack|notion|jira|react|vue|angular|django|flask|fastapi|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|"
    r"saturdays?|sundays?|january|february|march|april|may|june|july|august|september|october|november|december|plan|phase|level|section|chapter|terraform|ansible|jenkins|datadog|figma|asana|trello|linear|teams|zoom|discord|telegram|whatsapp|signal|gmail|outlook|office|excel|chrome|firefox|safari|edge|arch|fedora|nixos|wayland|bun|deno|node|next|svelte|tailwind|webpack|vite|poetry|conda|pytorch|tensorflow|jax|openai|claude|gemini|chatgpt|gpt|llama|copilot|cursor|spark|kafka|snowflake|bigquery|databricks|airflow|grafana|prometheus|helm|nginx|apache|cloudflare|vercel|netlify|heroku|stripe|shopify|wordpress|obsidian|evernote|todoist|spotify|netflix|apple|google|microsoft|amazon|team|room|free|fun|god)\b",
    re.IGNORECASE,
)  # fmt: skip
_HEDGE = re.compile(
    r"\b(?:used to|want(?:s|ed)?|wish(?:es|ed)?|hop(?:es|ed|ing)|would|might|(?-i:may)|maybe|perhaps|if|think(?:s|ing)?|plan(?:s|ned|ning)?|will|"
    r"going to|gonna|dream(?:s|ed|ing)?|could|should|when|considering|almost|nearly|probably|possibly|imagine[sd]?|pretend(?:s|ed)?|until|"
    r"wonder(?:s|ing)?|next (?:week|month|year)|tomorrow|says|said|supposed|tried|trying|temporarily|visiting|interview\w*|applied|applying)\b",
    re.IGNORECASE,
)
_END: Final = r"(?=$|[.,;:!?)]|\s[-–—]|\s(?:and|but|because|since|so|now|with|on|in|at|for|from|as|after|when|while|last|this|these|too|anymore|any|instead|where|which|who|near|again|right|already|though|by|until|near|around|to|yesterday|today|tomorrow|next|named|called|every|than|most|or|that|very|while)\b)"
_ADVERBIAL = re.compile(
    r"^(?:(?:(?:On|In|At|Since|For) [^,]{3,40}|Now|Currently|Actually|No|Sorry|Well|Also), |(?:These days|Nowadays|At the moment|For now),? "
    r"|(?:On|In|Around) (?:the [a-z]+ of )?(?:\d{1,2} )?(?:[A-Za-z]+ )?\d{4},? )+"
)
_GOES_ON = re.compile(r"\b(?:and|but|so|instead|now|then)\b|;")
# "doesn't like tea" ends a liking of tea, "doesn't like tea from a bag" does not.
_STRICT_END: Final = (
    r"(?=$|[.,;!]| (?:anymore|any more|any longer|now|at all|these days|yesterday|today|last|and|but|because|since|after)\b"
    r"| (?:on|in) (?:the \w+ of )?(?:\d|[A-Z]))"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """The slot that a statement fills, or with `is_negation` says to be filled so no longer.

    An empty value of a negation stands for whatever fills the slot ("no longer works there").
    `is_change` tells that the wording itself speaks of a change ("moved to").
    """

    slot: Slot
    is_negation: bool = False
    is_change: bool = False
    is_bare: bool = False  # a negation that tells nothing else


@dataclass(frozen=True, slots=True)
class _Pattern:
    attribute: str
    is_single: bool
    source: str
    is_negation: bool = False
    is_change: bool = False


def _pattern(
    attribute: str, verb: str, *, single: bool = True, negation: bool = False, change: bool = False, value: str = _THING
) -> _Pattern:
    end = _STRICT_END if negation and not single and attribute != "owns" else _END
    source = rf"^{_SUBJECT}(?: and others)?(?:{_NOW})(?:{verb}){value}{end if value else ''}"
    return _Pattern(attribute, single, source, negation, change)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    """Compile at first use: fifty patterns at import would cost 70 ms."""
    return re.compile(source)


_RELATIVE = r"(?P<relation>husband|wife|partner|girlfriend|boyfriend|fiancée?|spouse|doctor|dentist|manager|boss|landlord|therapist|employer)"
_PLAIN = r"(?P<relation>phone number|number|e-?mail(?: address)?|address|blood type|height|weight|salary|budget|birthday|hometown|job title|mother tongue|native language|pronouns|time zone|timezone)"
_NAME = r"(?P<value>[A-Z][\w'-]*(?: [A-Z][\w'-]*)?)"
_DIETS = (
    r"(?P<value>vegan|vegetarian|pescatarian|pescetarian|flexitarian|keto|kosher|halal|gluten-free|dairy-free|paleo)"
)

_PATTERNS: tuple[_Pattern, ...] = (
    # negations first: they hold the affirmative wordings
    _pattern("lives_in", r" (?:no longer (?:lives?|resides?)|(?:does not|doesn't|do not|don't) live) in ", negation=True, value=_PLACE),
    _pattern("lives_in", r" (?:no longer lives?|(?:does not|doesn't|do not|don't) live) there(?P<value>)", negation=True, value=""),
    _pattern("lives_in", r" moved (?:away|out) (?:from|of) ", negation=True, value=_PLACE),
    _pattern("works_at", r" (?:no longer works?|(?:does not|doesn't|do not|don't) work|stopped working|quit working) (?:at|for) ", negation=True, value=_PLACE),
    _pattern("works_at", r" (?:no longer works?|(?:does not|doesn't|do not|don't) work|stopped working) there(?P<value>)", negation=True, value=""),
    _pattern("works_at", r" (?:quit|left|resigned from|was laid off (?:from|by)|got laid off (?:from|by)|was fired (?:from|by)|got fired (?:from|by)|retired from) (?:(?:the |a |[A-Z]\w+'s |the user's )?job at )?", negation=True, value=_PLACE + r"(?! (?:at|early|late|around|without|with|alone)\b)"),
    _pattern("works_at", r" (?:quit|lost|left|resigned from) (?:the user's|[A-Z]\w+'s|the|his|her|their) job(?P<value>)(?=$|[.,;!]| (?:on|in|and|last|because|yesterday|today|at|after|this)\b)", negation=True, value=""),
    _pattern("works_at", r" (?:retired|is retired|has retired|was laid off|got laid off|got fired|was fired)(?P<value>)(?=$|[.,;!]| (?:on|in|and|last|because|yesterday|today|this|now|early)\b)", negation=True, value=""),
    _pattern("partner", r" (?:broke up with|split up with|divorced|separated from|is no longer (?:married to|with|dating)|got divorced from|broke off (?:the|her|his|their) engagement with) ", negation=True, value=_NAME),
    _pattern("diet", r"(?: is|'s) (?:no longer|not) (?:a |an )?", negation=True, value=_DIETS),
    _pattern("diet", r" (?:stopped being|quit being|gave up being) (?:a |an )?", negation=True, value=_DIETS),
    _pattern("diet", r" eats? (?:meat|fish|dairy|eggs)(?: and \w+)? again(?P<value>)", negation=True, change=True, value=""),
    _pattern("allergic_to", r"(?: is|'s) (?:no longer|not) allergic to ", single=False, negation=True),
    _pattern("likes", r" (?:no longer (?:likes?|loves?|enjoys?)|(?:does not|doesn't|do not|don't) (?:like|love|enjoy)) ", single=False, negation=True),
    _pattern("prefers", r" (?:no longer prefers?|(?:does not|doesn't) prefer) ", single=False, negation=True),
    _pattern("owns", r" (?:sold|gave away|got rid of|donated|threw (?:away|out)|no longer (?:owns?|has|have|drives?)) (?:the user's |[A-Z]\w*'s |the |his |her |their |an? )?(?:old )?", single=False, negation=True),
    _pattern("owns", r" (?:does not|doesn't|do not|don't) (?:own|have) (?:the|an?|that) ", single=False, negation=True),
    _pattern("speaks", r" (?:no longer speaks?) ", single=False, negation=True),
    # single-valued
    _pattern("lives_in", r" (?:lives?|resides?|(?:is|are)(?: now| currently| still)? living|is(?: now| currently)? based|is staying permanently|has lived|have lived|has been living) in ", value=_PLACE),
    _pattern("lives_in", r" (?:moved|relocated|has moved|have moved)(?: back| over| house| home| permanently)*(?: from [A-Z][\w ]*?)? to ", change=True, value=_PLACE),
    _pattern("works_at", r" (?:works?|is(?: now| currently)? working|has been working|has worked)(?: as an? [\w ]+?)? (?:at|for) ", value=_PLACE),
    _pattern("works_at", r" (?:started(?: working| a new job| a job| work)? at|started working for|got (?:a |the )?(?:new )?job (?:at|with)|took a (?:new )?job (?:at|with)|has a new job (?:at|with)|was hired (?:by|at)|got hired (?:by|at)|switched jobs to|changed jobs to) ", change=True, value=_PLACE),
    _pattern("works_at", r" joined (?=[A-Z][\w.& -]* as an? )", change=True, value=_PLACE),
    _pattern("job_title", r" (?:works?|is working|has been working) as (?:an? |the )?"),
    _pattern("job_title", r" (?:got promoted to|was promoted to|has been promoted to|got a (?:new )?job as an?|started (?:working|a new job) as an?) ", change=True),
    _pattern("age", r"(?: is|'s) (?P<value>\d{1,3})(?: years old| years of age|(?= now\b)|(?=[.!]?$))", value=""),
    _pattern("age", r" (?:turned|turns) (?P<value>\d{1,3})(?!\w)", value="", change=True),
    _pattern("name", r"'s name is (?:now )?", value=_NAME),
    _pattern("name", r" (?:is called|is named|goes by) ", value=_NAME),
    _pattern("partner", r" (?:is married to|married|got married to|is engaged to|got engaged to|is dating|started dating|is in a relationship with) ", value=_NAME),
    _pattern("diet", r"(?: is|'s| became| went| has been| has gone| turned| follows| eats| keeps) (?:an? )?(?:strict |strictly )?", value=_DIETS),
    _pattern("favourite", r"'s (?:new |current |all-time |absolute )*favou?rite (?P<relation>[a-z]+(?: [a-z]+){0,2}) (?:is|is now|has become|became) (?:now )?(?:an? |the )?"),
    _pattern("relation", rf"'s (?:new |current )?{_RELATIVE} is (?:now )?(?:called |named )?", value=r"(?P<value>(?:Dr\.? )?[A-Z][\w'-]*(?: [A-Z][\w'-]*)?)"),
    _pattern("detail", rf"'s (?:new |current )?{_PLAIN} is (?:now )?", value=r"(?P<value>[^,;!?]+?)(?=$|[,;!?]|\.(?:\s|$))"),
    # multi-valued
    _pattern("allergic_to", r"(?: is| has been|'s)(?: \w+ly)? (?:allergic|intolerant) to ", single=False),
    _pattern("allergic_to", r" has an? (?:\w+ )?(?P<value>[\w-]+) (?:allergy|intolerance)", single=False, value=""),
    _pattern("prefers", r" prefers? ", single=False),
    _pattern("likes", r" (?:likes?|loves?|enjoys?|adores?|is (?:really )?into|is fond of|is a (?:big |huge )?fan of) ", single=False),
    _pattern("dislikes", r" (?:dislikes?|hates?|can't stand|cannot stand|can not stand|detests?) ", single=False),
    _pattern("owns", r" (?:owns?|bought|got|adopted|has|drives?) (?:an?|two|three|some) (?:new |used |pet )?", single=False),
    _pattern("speaks", r" speaks?(?: fluent)? ", single=False, value=r"(?P<value>[A-Z][a-z]+)"),
)  # fmt: skip
_ALSO = re.compile(r"\b(?:also|too|as well|part[- ]time|on the side|second job|another)\b", re.IGNORECASE)
_BAD_VALUE = re.compile(
    r"^(?:an?|the|it|that|this|them|her|him|how|what|when|being|to|been|not|more|some|there|here|you|so|one|both)$",
    re.IGNORECASE,
)


def find(text: str, speaker: str | None = None) -> Slot | None:
    """Return the slot that a statement says to be filled, or None.  `speaker` is who "I" would be.

    >>> find("I live in Lyon now", "Ana")
    Slot(subject='Ana', attribute='lives_in', value='Lyon', is_single=True)
    """
    reading = read(text, speaker)
    return None if reading is None or reading.is_negation else reading.slot


@lru_cache(maxsize=16_384)  # a memory is read again with every candidate near it
def read(text: str, speaker: str | None = None) -> Reading | None:
    """Return the slot that a statement fills or no longer fills, or None."""
    statement = third(text.strip(), Cast(named(speaker))) if speaker else text.strip().replace("’", "'")
    statement = _ADVERBIAL.sub("", statement)
    for pattern in _PATTERNS:
        match = _compiled(pattern.source).match(statement)
        if match is None:
            continue
        if (
            not _is_somebody(match["subject"], speaker, pattern)
            or _is_hedged(statement, match)
            or (pattern.attribute in ("lives_in", "works_at") and _WORDS_OF_CODE.match(match["value"] or ""))
        ):
            return None
        return _reading(statement, match, pattern)
    return None


def _is_somebody(subject: str, speaker: str | None, pattern: _Pattern) -> bool:
    """True for the speaker and what is the speaker's; for other names only where the slot is no matter of taste."""
    first = re.sub(r"^the ", "", normal(subject))
    if first.split()[0] == "user" or (speaker and first.startswith(normal(named(speaker)).removeprefix("the "))):
        return True
    return first.split()[0] not in NO_NAMES and (
        speaker is None or pattern.attribute not in ("likes", "dislikes", "owns")
    )


def _is_hedged(statement: str, match: re.Match[str]) -> bool:
    """True for what is wished, planned, supposed or past; only the clause up to the value counts."""
    value = match["value"]
    if value and (_BAD_VALUE.match(value.split()[0]) or len(value) < 2):
        return not value.isdecimal()
    return _HEDGE.search(statement[: match.end()]) is not None


def _reading(statement: str, match: re.Match[str], pattern: _Pattern) -> Reading:
    relation = (match.groupdict().get("relation") or "").lower()
    attribute = pattern.attribute
    if attribute == "favourite":
        attribute = f"favourite_{normal(relation).replace(' ', '_')}"
    elif attribute in ("relation", "detail"):
        married = {"husband", "wife", "partner", "girlfriend", "boyfriend", "fiancé", "fiancée", "spouse"}
        attribute = (
            "partner"
            if relation in married
            else "works_at"
            if relation == "employer"
            else relation.replace("-", "").replace(" ", "_")
        )
    is_single = pattern.is_single and not (attribute in ("works_at", "job_title") and _ALSO.search(statement))
    value = re.sub(r"^(?:the|an?) ", "", (match["value"] or "").strip(" ."), flags=re.IGNORECASE)
    subject = match["subject"].strip()
    subject = re.sub(r"^(?:the )?user\b", "the user", subject, flags=re.IGNORECASE)
    is_bare = pattern.is_negation and not pattern.is_change and not _GOES_ON.search(statement, match.end())
    return Reading(Slot(subject, attribute, value, is_single), pattern.is_negation, pattern.is_change, is_bare)


def common(candidate: Candidate, memory: MemoryRecord) -> tuple[bool, bool]:
    """Return whether candidate and memory share an entity, and whether they fill the same slot of one subject."""
    return _has_common_entity(candidate, memory), _has_common_slot(candidate, memory)


def _has_common_entity(candidate: Candidate, memory: MemoryRecord) -> bool:
    """The speaker is everywhere in its own partition, and so tells nothing."""
    everywhere = {normal(name) for name in (candidate.attributed_to, memory.attributed_to) if name}
    mine = {normal(entity) for entity in candidate.entities} - everywhere
    return not mine.isdisjoint(normal(entity) for entity in memory.entities)


def _has_common_slot(candidate: Candidate, memory: MemoryRecord) -> bool:
    """A multi-valued slot is shared only with its value: two likes have nothing in common."""
    mine = of_candidate(candidate)
    theirs = find(memory.text, memory.attributed_to) if mine else None
    if mine is None or theirs is None or not is_same(mine.slot, theirs):
        return False
    return mine.slot.is_single or is_same_value(mine.slot, theirs)


def of_candidate(candidate: Candidate) -> Reading | None:
    """Return what a candidate fills, read from its text, else the slot that it came with."""
    reading = read(candidate.text, candidate.attributed_to)
    if reading is None and candidate.slot is not None:
        return Reading(candidate.slot, candidate.is_negation, is_bare=candidate.is_negation)
    return reading


def is_same(one: Slot, other: Slot) -> bool:
    """Return True if two statements speak of the same thing, whatever value they give it."""
    return one.attribute == other.attribute and normal(one.subject) == normal(other.subject)


def is_same_value(one: Slot, other: Slot) -> bool:
    """Return True if one value says the other with more or fewer words ("Lyon", "Lyon, France"; "red Tesla", "Tesla")."""
    mine, theirs = set(normal(one.value).split()), set(normal(other.value).split())
    return bool(mine) and bool(theirs) and (mine <= theirs or theirs <= mine)
