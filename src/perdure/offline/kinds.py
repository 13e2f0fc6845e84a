"""What kind a statement is of: a standing fact about a person (profile), a preference, an event, or any other fact.

Statements are read in the third person, as they are stored; the words are in `offline.traits`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from perdure.models import Kind, Slot
from perdure.offline import signs, traits
from perdure.offline.tables import alternatives

_PROFILE_SLOTS: Final = frozenset(
    """
    lives_in works_at job_title age name partner diet allergic_to speaks studies_at goes_by coupled uncoupled jobless
    raised_in birthplace eats_only blood_type height weight birthday hometown
    """.split()
)
_TASTE_SLOTS: Final = frozenset("likes dislikes prefers".split())

_SOFT: Final = r"(?:(?!\w{2,}ing\b|(?:of|for|about|with|by|like|than|to|this|that|the|these|those)\b|\w+'s\b)[\w'’-]+ ){0,3}"  # "is (also quite) ...", "has (a severe) ..."
_PARENTS: Final = re.compile(
    r"(?:mum|mom|dad|mother|father|grand\w+)(?! (?:of|to|in-law)\b)(?= \w)", re.IGNORECASE
)  # "Mum and Dad moved"
_BE: Final = r"\b(?:[Bb]eing|As an?|is|are|am|was born|has been|have been|became|remains|identifies as|(?<=\w)'s(?= (?:an?|not|also|allergic|intolerant|vegan|vegetarian|married|from) ))"
_OPENING: Final = r"^(?:[^,.]{1,30}, )?(?:(?:and|but|so) )?"
_NO: Final = (
    r"\b(?:can't|cannot|can not|can no longer|must not|mustn't|(?:is|are)(?: not|n't) (?:allowed|able) to|never|rarely|hardly ever"
    r"|doesn't|does not|don't|do not|no longer|avoids?|stopped|quit|gave up|has quit|has given up|has stopped|refuses? to|won't"
    r"|hasn't|has not|haven't|have not|stays? away from|(?:is|are) (?:off|trying to avoid))"
)
_INGEST: Final = r"(?:eat|have|drink|digest|tolerate|touch|consume|take|stomach|handle|smoke|do|use|eaten|drunk|smoked|had|touched|used)(?:s|ing)?"
_FILL: Final = r"(?:any|anything|much|many|too|a|lot|of|type|types|kind|kinds|sort|raw|cooked|fresh|most|other|things?|products?|foods?|with|containing|that|contains?|processed|red|white|cow's|more|than|or|drink|eat|kinds) "
_PERSON: Final = r"(?:[Tt]he user|(?!(?:It|That|This|What|Which|There|They|We|You|My|The|A|An|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b)[A-Z][\w-]*)(?:'s(?: [a-z-]+){1,2})?"


def kind(text: str, *, slot: Slot | None, has_event: bool) -> Kind:
    """Return the kind of a statement; what stands comes before what happened.

    >>> kind("Ana can't eat nuts.", slot=None, has_event=False), kind("Ana hates lifts.", slot=None, has_event=False)
    ('profile', 'preference')
    """
    if (slot is not None and slot.attribute in _PROFILE_SLOTS) or _is_standing(text) or signs.is_owned(text):
        return "profile"
    if has_event:
        return "event"
    is_taste = slot is not None and (slot.attribute in _TASTE_SLOTS or slot.attribute.startswith("favourite"))
    return "preference" if is_taste or _is_taste(text) or signs.is_rule(text) else "fact"


def is_bare_state(text: str) -> bool:
    """Return True for a state without its "I am": "vegetarian btw", "allergic to wasps"."""
    return len(text) < 80 and _bare().match(text) is not None and _PARENTS.match(text) is None


def _is_standing(text: str) -> bool:
    return any(pattern.search(text) for pattern in _standing())


def _is_taste(text: str) -> bool:
    return any(pattern.search(text) for pattern in _tastes())


@cache
def _standing() -> tuple[re.Pattern[str], ...]:
    states, trades, holdings = alternatives(traits.STATES), alternatives(traits.TRADES), alternatives(traits.HOLDINGS)
    kin, details, foods = alternatives(traits.KIN), alternatives(traits.DETAILS), alternatives(traits.FOODS)
    no_trades = "|".join(sorted(traits.NO_TRADES))
    trade = rf"(?:{trades}|(?!(?:{no_trades})\b)[a-z]{{2,}}(?:er|or|ist|ian|eer|ant))s?"
    return tuple(
        re.compile(source, flags)
        for source, flags in (
            (rf"{_BE} {_SOFT}(?:{states})s?(?![\w-])", re.IGNORECASE),
            (rf"{_BE} (?:\w+ly )?from [A-Z][\w-]+(?!['\w])", 0),
            (rf"{_BE} (?:\w+ ){{0,2}}(?:\d{{1,3}}|[a-z]+(?:-[a-z]+)? years old)(?: years old| now)?(?=[.,;!]|$| and\b)", 0),
            (rf"{_BE} (?:an? )?(?:O|A|B|AB) ?(?:[+−-]|(?:rh )?(?:negative|positive)\b)", 0),
            (rf"{_OPENING}{_PERSON} (?:is|are|'s|became|has been) (?:\w+ )?(?:an? |the ){_SOFT}{trade}(?=[.,;!]| (?:and|at|in|for|with|from|by|on|who|but|here|now|since|of|working|specia\w+)\b|$)", 0),
            (rf"\b(?:has|have|had always had|suffers? from|lives? with|struggles? with|diagnosed with|survived|'s got) {_SOFT}(?:{holdings})(?![\w-])", re.IGNORECASE),
            (rf"\b(?:uses?|wears?|carr(?:y|ies)|needs?|relies on|walks? with|takes?|injects?) {_SOFT}(?:{alternatives(traits.AIDS)})(?![\w-])", re.IGNORECASE),
            (rf"{_NO} (?:(?:\w+ly|ever|even|really|to) )?(?:{_INGEST} )?(?:{_FILL}){{0,4}}(?:{foods})(?![\w-])", re.IGNORECASE),
            (rf"{_NO} (?:(?:\w+ly|ever|even|really|to) )?(?:eat|drink|smok)(?:e|es|s|ing)?(?=[.,;!]|$| (?:anymore|any|at|before|after|much|in|on|during|because|since|for|and|or|but|animal|things|alcohol|anything|raw|most)\b)", re.IGNORECASE),
            (r"\b(?:can't|cannot|can not|can no longer|(?:is|are) unable to|(?:is|are)n't able to) (?:have|eat|drink|tolerate|digest|swim|drive|hear|walk|climb|lift|read|speak|sleep|taste|smell|ride|fly|bend|kneel|see (?:well|out|color|colour))\b(?! (?:the|a|an) )", re.IGNORECASE),
            (rf"\b(?:makes?|gives?|leaves?|upsets?|triggers?|causes?|could kill|can kill|will kill|would kill) (?:{_PERSON}|[Hh]im|[Hh]er|[Tt]hem)(?:'s)?(?:(?<=kill user)|(?: and others)? {_SOFT}(?:{alternatives(traits.HARMS)})(?![\w-]))", 0),
            (rf"\b(?:could|can|will|would|might) kill {_PERSON}\b", 0),
            (rf"\b(?:terrif(?:y|ies)|scares?|frightens?|freaks?|kills?) {_PERSON}(?= out\b|[.,;!]|$)", 0),
            (rf"\b(?:sets? off|triggers?|worsens?|aggravates?) {_PERSON}'s (?:[\w-]+ )?(?:{holdings})(?![\w-])", 0),
            (rf"\b[Nn]o (?:{_FILL}){{0,2}}(?:{foods}) for {_PERSON}", 0),
            (rf"\bcalls? {_PERSON} [A-Z]", 0),
            (rf"(?:'s|\b[Tt]heir|\b[Hh]is|\b[Hh]er) (?:[\w-]+ )?(?:{details}) (?:is|are|isn't|aren't)(?![\w-])", 0),
            (rf'^Asked "[^"]*(?:\byour (?:\w+ )?(?:{details})\b|\b(?:where|what) (?:are|do) you (?:live|work|from|do for|study|eat)\b|\byou (?:\w+ ){{0,2}}(?:{states})(?![\w-]))', re.IGNORECASE),
            (rf"\bis {_PERSON}'s (?:[\w-]+ )?(?:birthday|{kin})(?![\w-])", 0),
            (rf"{_OPENING}{_PERSON}(?: and others| and [A-Z]\w+)? (?:\w+ly |now |also |still |just |really |usually |always |mostly |currently )*(?i:{alternatives(traits.STANDING_VERBS)})(?![\w-])", 0),
            (r"^The user is (?!not\b)[A-Z][\w-]+(?: [A-Z][\w-]+)?(?=[.,]| \()", 0),
            (r"\b(?:owns|runs|co-owns) (?:an?|the|[A-Z]\w+'s|the user's)(?: own)? (?:\w+ ){0,3}(?:shop|store|business|company|firm|farm|restaurant|bakery|caf[eé]|studio|hotel|salon|gym|bar|pub|practice|agency|school|startup)\b", 0),
            (r"\b(?:follows?|following|adheres? to|keeps? to|sticks? to|is on|are on|has|eats?|maintains?|went on|started) (?:[\w-]+ ){0,4}diet\b", 0),
            (rf"'s (?:[\w-]+ )?(?:{kin}) (?:works?|lives?|died|passed|suffers?|speaks?|stud(?:ies|y)|(?:is|are|was) (?:\w+ly |not |also )?(?:an?|the|in|from|at|\d+|{states})|(?:has|have) (?:an? )?(?:[\w-]+ )?(?:{holdings}))(?![\w-])", 0),
        )
    )  # fmt: skip


@cache
def _tastes() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(source, re.IGNORECASE)
        for source in (
            rf"\b(?:{alternatives(traits.TASTES)})(?![\w-])",
            rf"{_BE} {_SOFT}(?:{alternatives(traits.LEANINGS)})(?![\w-])",
            r"\b(?:others|they|parents|kids|children|both) (?:\w+ly |all |both )?(?:like|love|enjoy|prefer|hate|dislike)\b",
            r"\b(?:doesn't|does not|don't|do not) (?:\w+ly |ever |even )?(?:like|love|enjoy|prefer|care for|care about|fancy|trust|want (?:the assistant|to be))\b",
            r"\b(?:doesn't|does not|don't|do not) (?:use|watch|wear|read|listen|buy|play|ride|fly|travel|cook|go to|celebrate|believe in|shop|support|date|cycle|gamble|dance|swear|hug)\b(?! (?:it|that|this|him|her|them)\b)",
            r"\b(?:user|[A-Z]\w+) (?:almost |nearly )?(?<!has )(?<!have )(?<!had )(?:never|always|usually|rarely|seldom|only|hardly ever) (?!been\b|got\b|had\b|went\b|was\b|wanted\b|\w+ed\b)[a-z]+\b",
            r"\bfinds (?!out\b|time\b|an?\b|his\b|her\b|their\b|work\b)\w",
            rf"\b(?:is|are|isn't|aren't) (?:not |really |not really )?{_PERSON}'s (?:thing|cup of tea|jam|style|bag)\b",
            r"\bwants (?:[\w-]+ ){1,2}(?:answers|replies|responses|explanations)\b",
            r"\b(?:wants|asks) the assistant\b",
        )
    )


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:\w+ly|also|still|a|an|not|now) ){{0,3}}(?:{alternatives(traits.STATES)}|(?:big |huge )?fan of|keen on|fond of)(?:(?<= to)|(?<= of)|(?= (?:to|of|from|in|since|with|and|but|or|here|btw|for|at)\b|[.,!]|$))",
        re.IGNORECASE,
    )
