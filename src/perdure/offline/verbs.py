"""English verbs as far as the third person needs them: "go" → "goes", and which forms stay as they are."""

from __future__ import annotations

import re

_PAST = frozenset(  # what does not end in -ed
    """
    was were had did went got saw came took made met gave found left bought began felt told said ran won lost ate drank
    drove flew wrote spoke taught thought brought caught heard held kept led paid sent sold sang swam threw wore woke
    broke chose fell grew knew spent built became hung rode slept sat stood understood forgot forgave hid bit blew drew
    shook stole struck stuck swore tore wept withdrew awoke bent bound bred clung crept dealt dug fed fought fled froze
    gotten ground knelt laid lay lent lit meant overcame rang rose sank shone shot slid sought spun sprang stung swept
    swung undertook wound learnt dreamt spelt burnt leapt leant smelt mistook overheard outgrew underwent foresaw
    overslept redid rebuilt retook rewrote undid misread misunderstood withstood
    put cut hit set read let quit hurt cost shut spread split bet burst beat upset reset rid
    """.split()
)
# What may follow "I" and takes no -s: past forms, modals, and words that are no verbs.
_UNCHANGED = _PAST | frozenset(
    """
    can could may might must shall should will would cannot ought used better cant wont
    and or but nor to too of in on at for with from as than then so if because while when where who which that what how
    why is are be been being has does by about after before during into over under until upon via per
    no the a an this these those one alone included myself personally finally once twice perhaps maybe
    """.split()
)
_BASE_IN_ED = frozenset("need feed breed bleed speed succeed proceed exceed embed shed wed heed weed seed".split())
_BASE_IN_LY = frozenset("rely fly apply reply supply multiply comply imply bully rally tally".split())
_IRREGULAR = {
    "have": "has",
    "do": "does",
    "go": "goes",
    "am": "is",
    "don't": "doesn't",
    "haven't": "hasn't",
    "wanna": "wants to",
    "gotta": "has to",
}
# Verbs that may follow "and" in a sentence of one subject: "Ana cooks and cleans".
_COMMON = frozenset(
    """
    accept admire adore agree appreciate arrive ask attend avoid bake believe belong blog bring build buy call care
    carry catch celebrate choose clean climb collect come commute compete consider consume cook craft create cycle
    decide design dislike dive do donate draw drink drive eat encourage enjoy expect explore feel find finish fly follow
    forget get give go grow guess hate have hear help hike hold hope host imagine invest jog join keep knit know laugh
    lead learn leave like listen live love maintain make manage mean meditate meet need notice offer own paint pay
    perform pick plan play practice practise prefer prepare promise realize recommend refuse relax rely remember rent
    respect ride run save say see seem sell send serve sew share shop sing sit sketch ski sleep smoke speak spend stand
    start stay stop stretch struggle study suffer suggest support surf swim take talk teach tend thank think train
    travel treat trust try turn understand use visit volunteer wait wake walk want watch wear weigh wish wonder work
    worry write look check set hang focus push reach embrace put answer reply respond book order schedule remind translate calculate convert compare draft
    summarize summarise proofread edit debug dance juggle become be am don't haven't
    """.split()
)
_NOUNS_TOO = frozenset(
    """
    book order schedule draft look check set focus push reach
    care call cook craft cycle dance design dive drink drive guess help hike jog laugh lead love offer paint plan play
    practice promise respect ride run save serve share shop sketch ski sleep smoke stand stay stop stretch struggle
    study support surf swim talk train travel treat trust turn visit volunteer wait walk watch work
    """.split()
)
_LEADS_ON = frozenset(
    """
    the a an my his her their our your its it them him me us to at in on for with from about up out into off over every
    as that this these those all some two three
    """.split()
)


def singular(verb: str) -> str:
    """Return the third person singular of a verb in its base form.

    >>> singular("try"), singular("watch"), singular("love")
    ('tries', 'watches', 'loves')
    """
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|[^o]o)$", verb) else "s")


def is_base(word: str) -> bool:
    """Return True for what "I" makes a verb in the present; for what may be a past form, False.

    >>> is_base("suspect"), is_base("moved"), is_base("put")
    (True, False, False)
    """
    if word in _IRREGULAR:
        return True
    if not word or word in _UNCHANGED or "'" in word or word.endswith("ing"):
        return word in ("bring", "sing", "cling", "ring", "swing", "wring")
    if word.endswith("ly"):
        return word in _BASE_IN_LY
    if word.endswith("s") and not word.endswith("ss"):  # "I loves"
        return word == "focus"
    return not word.endswith("ed") or word in _BASE_IN_ED


def is_past(word: str) -> bool:
    """Return True for a past form that does not end in -ed."""
    return word in _PAST


def is_common(word: str) -> bool:
    """Return True for a verb in the present that is known as one, whatever stands before it."""
    return word in _COMMON


def is_joined(word: str, following: str) -> bool:
    """Return True if a word after "and" goes on with the subject's verb ("and ride it", not "and love")."""
    return word in _COMMON and (word not in _NOUNS_TOO or following.casefold() in _LEADS_ON)
