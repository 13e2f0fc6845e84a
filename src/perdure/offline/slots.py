"""What a statement fills and ends: recognised by the wording, so that two wordings of one thing meet.

`wordings` is the table; this reads it.  A wording that is not listed gives no slot: a slot that is missed costs a
duplicate, a slot that is guessed could end a true fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from perdure.models import Candidate, Slot
from perdure.offline.clauses import Clause, clauses, compiled
from perdure.offline.entities import NO_NAMES
from perdure.offline.person import named
from perdure.offline.values import is_place, is_value
from perdure.offline.verbs import singular
from perdure.offline.wordings import FIXED, RULES, WORDINGS, Rule, Wording
from perdure.text import normal, stem

_END: Final = (
    r"(?=$|[.,;:!?)]|\s[-–—]|\s(?:and|but|because|since|so|now|with|on|in|at|for|from|as|after|when|while|last|this|these|too|any|instead|where|which|who|near|"
    r"again|right|already|though|by|until|around|to|yesterday|today|tomorrow|next|named|called|every|than|most|or|that|very|not|over|if|back|early|before|during|"
    r"two|three|a few|a (?:week|month|year|couple)|ago|together|full|twice|daily|here)\b)"
)
# What may follow a denial for it to end the whole: "doesn't like tea" ends a liking of tea, "tea from a bag" does not.
STRICT_END: Final = re.compile(
    r"$|[.,;!]|\s[-–—]\s| (?:anymore|any more|any longer|now|at all|these days|yesterday|today|last \w+|and|but|because|since|this (?:week|month|year|morning)|again|either|a (?:week|month|year) ago|\w+ (?:days|weeks|months|years) ago)\b"
    r"| (?:on|in|at|after) (?:the \w+ of )?(?:\d|(?:Jan|Feb|March|April|May|June|July|Aug|Sep|Oct|Nov|Dec|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b|(?:early|late|mid))"
)
_UNSURE: Final = frozenset(
    "friend cousin colleague coworker co-worker neighbor neighbour teammate client student buddy bandmate ancestor ancestors".split()
)
_SEVERAL: Final = frozenset(
    "sister brother son daughter kid child baby twin aunt uncle niece nephew dog cat roommate flatmate housemate grandson granddaughter".split()
)
_OWN_TASTE: Final = frozenset("likes dislikes owns has uses".split())
_STRICT: Final = frozenset(("likes", "dislikes", "prefers"))  # ended only by what nothing narrows
_AGAIN = re.compile(r"\b(?:again|started|began|back|returned)\b")


@dataclass(frozen=True, slots=True)
class Reading:
    """The slot that a statement fills, or with `is_negation` says to be filled so no longer.

    An empty value of a negation stands for whatever fills the slot ("no longer works there").
    """

    slot: Slot
    is_negation: bool = False
    is_change: bool = False  # the wording itself speaks of a change ("moved to", "is now")
    is_bare: bool = False  # a negation that tells nothing else
    rule: Rule = "many"
    is_also: bool = False  # it holds beside others ("also works at")
    is_part: bool = False  # it leaves the rest of its group as it was
    is_whole: bool = True  # nothing follows that narrows it
    own: str | None = None  # what follows the speaker's own name in the subject ("", "'s sister"); None: somebody else
    is_unnamed: bool = False  # the speaker stands as "the user"


def find(text: str, speaker: str | None = None) -> Slot | None:
    """Return the slot that a statement says to be filled, or None.  `speaker` is who "I" would be.

    >>> find("I live in Lyon now", "Ana")
    Slot(subject='Ana', attribute='lives_in', value='Lyon', is_single=True)
    """
    return next((r.slot for r in readings(text, speaker)[:1] if not r.is_negation), None)


def read(text: str, speaker: str | None = None) -> Reading | None:
    """Return the slot that a statement fills or no longer fills, or None: the first of `readings`."""
    return next(iter(readings(text, speaker)), None)


@lru_cache(maxsize=16_384)  # a memory is read again with every candidate near it
def readings(text: str, speaker: str | None = None) -> tuple[Reading, ...]:
    """Return all that a statement fills and ends, in order: "quit Siemens and joined Bosch as a chemist"."""
    if text.rstrip().endswith("?"):
        return ()
    found: list[Reading] = []
    done: set[str] = set()  # clauses of which one way to part them was read
    for clause in clauses(text, speaker):
        if clause.whole not in done:
            read_here = list(_of_clause(clause, speaker))
            found += read_here
            if read_here:
                done.add(clause.whole)
    bare = all(r.is_bare for r in found)
    return tuple(r if r.is_bare == bare or not r.is_bare else replace(r, is_bare=False) for r in found)


def _of_clause(clause: Clause, speaker: str | None) -> Iterator[Reading]:
    if clause.is_hedged:
        return
    for wording in WORDINGS:
        if wording.is_whole:
            match = _pattern(wording).match(clause.whole) if clause.is_first else None
        else:
            match = _pattern(wording).match(clause.predicate) if clause.predicate else None
        if match is None:
            continue
        given = list(_given(wording, match, clause, speaker))
        if given:
            yield from given
            return


@cache
def _pattern(wording: Wording) -> re.Pattern[str]:
    source = re.sub(
        r"(?<!P)<(\w+)>",
        lambda m: _forms(m[1]),
        wording.source.replace("{S}", r"(?:[Tt]he user|[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*)?)"),
    )
    return compiled(source + _END)


def _forms(verb: str) -> str:
    """Return the pattern of a verb's forms that speak of the present.

    >>> _forms("live")
    '(?:live|lives|living)'
    """
    if verb in ("be", "have"):
        return {"be": "(?:is|are|be|being)", "have": "(?:has|have|having)"}[verb]
    stemmed = (
        verb + verb[-1] if verb in ("get", "prefer", "quit") else verb[:-1] if re.search(r"[^e]e$", verb) else verb
    )
    return f"(?:{verb}|{singular(verb)}|{stemmed}ing)"


def _given(wording: Wording, match: re.Match[str], clause: Clause, speaker: str | None) -> Iterator[Reading]:
    """Yield what a wording gives where it matched; nothing where a value is none."""
    groups = {name: held or "" for name, held in match.groupdict().items()}
    rest = match.string[match.end() :]
    is_strict = STRICT_END.match(rest) is not None
    subject = _owner(speaker) if wording.is_whole else clause.subject
    own = _own(subject, speaker)
    if not subject or (wording.is_own and own != "") or (wording.is_strict and not is_strict):
        return
    if not is_place(groups.get("before", "")):  # "moved from Vim to Helix"
        return
    for part in wording.gives.split("; "):
        slot, is_end = _slot(part, groups, subject)
        if (
            slot is None
            or (is_end and (clause.is_denied or (slot.attribute in _STRICT and not is_strict)))
            or (part[0] == "!" and not (clause.is_now or _AGAIN.search(match.string)))
        ):
            continue
        rule = _rule(part)
        is_negation = is_end or clause.is_denied
        if not is_negation and not (
            is_value(slot.value, slot.attribute) and _is_somebody(subject, own, slot.attribute)
        ):
            continue
        if clause.is_denied and not is_strict and not (clause.is_ended and rule == "single"):
            continue
        is_change = wording.is_change or clause.is_now
        rule = "marked" if wording.is_weak or (_kin(subject) in _SEVERAL and rule == "single") else rule
        rule = "many" if clause.is_also or _kin(subject) in _UNSURE else rule
        yield Reading(
            Slot(subject, slot.attribute, slot.value, rule == "single" or (rule == "marked" and is_change)),
            is_negation=is_negation,
            is_change=is_change,
            is_bare=is_negation
            and part[0] != "!"
            and not wording.is_event
            and not re.match(r"(?:\s+(?:and|but|so|instead|then)\b|;)", rest),
            rule=rule,
            is_also=clause.is_also,
            is_part=wording.is_part,
            is_whole=is_strict,
            own=own,
            is_unnamed=subject.startswith("the user"),
        )


def _slot(part: str, groups: dict[str, str], subject: str) -> tuple[Slot | None, bool]:
    """Read one part of what a wording gives; see `wordings`."""
    is_end = part[0] in "-!"
    name, _, source = part.lstrip("-!").partition("=")
    name, _, fixed = name.partition(":")
    if fixed:
        value = fixed
    elif "{" in source:
        value = re.sub(r"\{(\w)\}", lambda m: _bare(groups[m[1]]), source)
    else:
        value = "" if source == "*" else _bare(groups.get(source or "value", ""))
    if groups.get("name") and value:
        value = f"{value} named {groups['name']}"
    if is_end and not value and source != "*" and not fixed:
        return None, is_end
    return Slot(subject, _attribute(name, groups), value, is_single=False), is_end


def _bare(value: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", value.strip(" ."), flags=re.IGNORECASE)


def _attribute(name: str, groups: dict[str, str]) -> str:
    relation = normal(groups.get("relation", "")).replace(" ", "_")
    if name == "favourite":
        return f"favourite_{relation}"
    if name in ("relation", "detail", "thing"):
        if relation in (
            "husband",
            "wife",
            "partner",
            "girlfriend",
            "boyfriend",
            "fiancé",
            "fiancée",
            "fiance",
            "fiancee",
            "spouse",
        ):
            return "partner"
        return "works_at" if relation == "employer" else relation
    if name == "date_of":
        return f"date_of_{normal(groups['what']).replace(' ', '_')}"
    if name == "count_of":
        noun = stem(groups["noun"].lower())
        return f"count_of_{'kid' if noun in ('child', 'children') else noun}"
    return name


def _rule(part: str) -> Rule:
    name = re.split(r"[=:]", part.lstrip("-!"))[0]
    return RULES.get(name, "many")


def of_clause(clause: Clause, slot: Slot, speaker: str | None) -> Reading:
    """Return what a clause says of a slot that no wording of the table gives."""
    return Reading(
        slot,
        is_negation=clause.is_denied,
        is_change=clause.is_now or clause.is_ended,
        is_bare=clause.is_denied,
        is_also=clause.is_also,
        own=_own(clause.subject, speaker),
        is_unnamed=clause.subject.startswith("the user"),
    )


def _owner(speaker: str | None) -> str:
    return named(speaker) if speaker else "the user"


def _own(subject: str, speaker: str | None) -> str | None:
    """Return what follows the speaker's own name in a subject; None where the subject is somebody else."""
    names = ["the user"] if speaker is None or named(speaker) in ("the user", "the human") else []
    names += [named(speaker)] if speaker and not named(speaker).startswith("the ") else ["the user"]
    for name in names:
        if re.match(rf"{re.escape(name)}(?:'s |$)", subject, re.IGNORECASE):
            return subject[len(name) :].casefold()
    return "" if subject == "the user" else subject[8:].casefold() if subject.startswith("the user's ") else None


def _kin(subject: str) -> str:
    """Return the relative that a subject names: "the user's younger sister Anna" → "sister"."""
    small = [word for word in subject.split("'s ", 1)[1].split() if word[0].islower()] if "'s " in subject else []
    return small[-1] if small else ""


def _is_somebody(subject: str, own: str | None, attribute: str) -> bool:
    """True for the speaker and what is the speaker's; for other names only where the slot is no matter of taste."""
    if own is not None:
        return True
    return normal(subject).split()[0] not in NO_NAMES and attribute not in _OWN_TASTE


def of_candidate(candidate: Candidate) -> Reading | None:
    """Return what a candidate fills, read from its text, else the slot that it came with."""
    return next(iter(all_of(candidate)), None)


def all_of(candidate: Candidate) -> tuple[Reading, ...]:
    """Return all that a candidate fills and ends, read from its text, else the slot that it came with."""
    found = readings(candidate.text, candidate.attributed_to)
    if not found and candidate.slot is not None:
        slot, is_negation = candidate.slot, candidate.is_negation
        rule: Rule = "single" if slot.is_single else "many"
        own = _own(slot.subject, candidate.attributed_to)
        return (Reading(slot, is_negation, is_bare=is_negation, rule=rule, own=own),)
    return found


def is_same(one: Slot, other: Slot) -> bool:
    """Return True if two statements speak of the same thing, whatever value they give it."""
    return one.attribute == other.attribute and normal(one.subject) == normal(other.subject)


def is_fixed(attribute: str) -> bool:
    """True for what cannot change, only be corrected: a birthday, a name."""
    return attribute in FIXED
