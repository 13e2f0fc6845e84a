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
from perdure.offline import tongues
from perdure.offline.clauses import NAMED, Clause, clauses
from perdure.offline.entities import NO_NAMES
from perdure.offline.person import named
from perdure.offline.values import is_place, is_value
from perdure.offline.verbs import singular
from perdure.offline.wordings import FIXED, MONTH, ONCE, RULES, WORDINGS, Rule, Wording
from perdure.text import normal, stem

_END: Final = (
    r"(?=$|[.,;:!?)]|\s[-–—]|\s(?:and|but|because|since|so|now|with|on|in|at|for|from|as|after|when|while|last|this|these|too|any|instead|where|which|who|near|"
    r"again|right|already|though|by|until|around|to|yesterday|today|tomorrow|next|named|called|every|than|most|or|that|very|not|over|if|back|early|before|during|"
    r"two|three|a few|a (?:week|month|year|couple)|ago|together|full|twice|daily|here)\b)"
)
# What may follow a denial for it to end the whole: "doesn't like tea" ends a liking of tea, "tea from a bag" does not.
STRICT_END: Final = re.compile(
    r"$|[.,;!]|\s[-–—]\s| (?:anymore|any more|any longer|now|at all|these days|yesterday|today|last \w+|and|but|because|since|this (?:week|month|year|morning)|again|either|a (?:week|month|year) ago|\w+ (?:days|weeks|months|years) ago)\b"
    rf"| (?:on|in|at|after) (?:the \w+ of )?(?:\d|{MONTH}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|(?:early|late|mid)\b)"
)
_UNSURE: Final = frozenset(
    "friend cousin colleague coworker co-worker neighbor neighbour teammate client student buddy bandmate ancestor ancestors".split()
)
_SEVERAL: Final = frozenset(
    "sister brother son daughter kid child baby twin aunt uncle niece nephew dog cat roommate flatmate housemate grandson granddaughter".split()
)
_OWN_TASTE: Final = frozenset("likes dislikes owns has uses".split())
_STRICT: Final = frozenset(("likes", "dislikes", "prefers"))  # ended only by what nothing narrows
_ALIASES: Final = {
    "employer": "works_at", "number": "phone_number", "mobile_number": "phone_number", "email_address": "email",
    "e_mail": "email", "e_mail_address": "email", "surname": "last_name", "family_name": "last_name", "timezone": "time_zone",
}  # fmt: skip
_MORE = re.compile(
    r"[,:–—-] ?(?:and |so |but )?(?:got|bought|has|have|is|took|picked|went|started|found|ordered)\b(?: \S+){2,}"
)
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
    is_dated: bool = False  # it ends on the day that the statement names
    own: str | None = None  # what follows the speaker's own name in the subject ("", "'s sister"); None: somebody else
    is_unnamed: bool = False  # the speaker stands as "the user"
    tail: frozenset[str] = frozenset()  # what follows a habit, as stems ("on Sundays")


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
    if not found:
        return _said(text, speaker)
    bare = all(r.is_bare for r in found) and all(clause.whole in done for clause in clauses(text, speaker))
    return tuple(r if r.is_bare == bare or not r.is_bare else replace(r, is_bare=False) for r in found)


def _said(text: str, speaker: str | None) -> tuple[Reading, ...]:
    """Return what a plain sentence of another language says of its speaker."""
    found = tongues.find(text)
    if found is None:
        return ()
    saying, value = found
    rule = RULES.get(saying.attribute, "many")
    slot = Slot(_owner(speaker), saying.attribute, value, rule == "single")
    return (
        Reading(
            slot,
            is_negation=saying.is_end,
            is_change=saying.is_change,
            is_bare=saying.is_end,
            rule=rule,
            own="",
            is_unnamed=slot.subject == "the user",
        ),
    )


def _of_clause(clause: Clause, speaker: str | None) -> Iterator[Reading]:
    if clause.is_hedged:
        return
    for pattern, wording, is_whole in table():
        if is_whole:
            match = pattern.match(clause.whole) if clause.is_first else None
        else:
            match = pattern.match(clause.predicate) if clause.predicate else None
        if match is None:
            continue
        given = list(_given(wording, match, clause, speaker))
        if given:
            yield from given
            return


@cache
def table() -> tuple[tuple[re.Pattern[str], Wording, bool], ...]:
    """Compile the wordings at first use: at import they would cost 150 ms."""
    return tuple((_pattern(wording), wording, "whole" in wording.marks) for wording in WORDINGS)


def _pattern(wording: Wording) -> re.Pattern[str]:
    source = wording.source.replace("{S}", NAMED)
    return re.compile(re.sub(r"(?<!P)<(\w+)>", lambda match: _forms(match[1]), source) + _END)


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
    """Yield what a wording gives where it matched; nothing where it does not hold, or a value is none."""
    marks, is_whole = wording.marks, STRICT_END.match(match.string[match.end() :]) is not None
    subject = _owner(speaker) if "whole" in marks else clause.subject
    own, is_more = _own(subject, speaker), _MORE.search(match.string, match.end()) is not None
    groups = {name: held or "" for name, held in match.groupdict().items()}
    if not subject or ("own" in marks and own != "") or ("denial" in marks and not clause.is_denied):
        return
    if ("strict" in marks and not is_whole) or not is_place(groups.get("before", "")):  # "moved from Vim to Helix"
        return
    for part in wording.gives.split("; "):
        slot = _slot(part, groups, subject)
        is_end, rule = part[0] in "-!", _rule(part, slot)
        if slot is None or (part[0] == "!" and not (clause.is_now or _AGAIN.search(match.string))):
            continue
        if is_end and (clause.is_denied or (slot.attribute in _STRICT and not is_whole)):
            continue
        if not is_end and not _is_held(slot, clause, rule, speaker, own=own, is_whole=is_whole):
            continue
        yield _reading(slot, part, wording, clause, rule, own=own, is_whole=is_whole, is_more=is_more)


def _is_held(slot: Slot, clause: Clause, rule: Rule, speaker: str | None, *, own: str | None, is_whole: bool) -> bool:
    """True if a slot is filled, or denied as a whole ("doesn't like tea from a bag" denies no liking of tea)."""
    if slot.attribute.startswith("count_of_") and not is_whole:  # "has one child that skates"
        return False
    if clause.is_denied:
        return is_whole or (clause.is_ended and rule == "single")
    is_somebody = own is not None or _is_somebody(slot.subject, slot.attribute, is_told=speaker is not None)
    return is_value(slot.value, slot.attribute) and is_somebody


def _reading(
    slot: Slot,
    part: str,
    wording: Wording,
    clause: Clause,
    rule: Rule,
    *,
    own: str | None,
    is_whole: bool,
    is_more: bool,
) -> Reading:
    is_change, is_negation = "change" in wording.marks or clause.is_now, part[0] in "-!" or clause.is_denied
    kin = _kin(slot.subject)
    if clause.is_also or kin in _UNSURE:
        rule = "many"
    elif "weak" in wording.marks or (kin in _SEVERAL and rule == "single"):
        rule = "marked"
    return Reading(
        replace(slot, is_single=rule == "single" or (rule == "marked" and is_change)),
        is_negation=is_negation,
        is_change=is_change,
        is_bare=is_negation and part[0] != "!" and "event" not in wording.marks and not is_more,
        rule=rule,
        is_also=clause.is_also,
        is_part="part" in wording.marks,
        is_dated="until" in wording.marks,
        is_whole=is_whole,
        own=own,
        is_unnamed=slot.subject.startswith("the user"),
    )


def _slot(part: str, groups: dict[str, str], subject: str) -> Slot | None:
    """Read one part of what a wording gives, see `wordings`; None for an end that names no value."""
    name, _, source = part.lstrip("-!").partition("=")
    name, _, fixed = name.partition(":")
    if fixed:
        value = fixed
    elif "{" in source:
        value = re.sub(r"\{(\w)\}", lambda match: _bare(groups[match[1]]), source)
    else:
        value = "" if source == "*" else _bare(groups.get(source or "value", ""))
    if groups.get("name") and value and source != "name":
        value = f"{value} named {groups['name']}"
    if part[0] in "-!" and not value and source != "*":
        return None
    return Slot(subject, _attribute(name, groups), value, is_single=False)


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
        return _ALIASES.get(relation, relation)
    if name in ("date_of", "dose_of"):
        return f"{name}_{normal(groups['what']).replace(' ', '_')}"
    if name == "count_of":
        noun = stem(groups["noun"].lower())
        return f"count_of_{'kid' if noun in ('child', 'children') else noun}"
    return name


def _rule(part: str, slot: Slot | None) -> Rule:
    if slot is not None and slot.attribute in ONCE:
        return "single"
    name = re.split(r"[=:]", part.lstrip("-!"))[0]
    return RULES.get(name, "many")


def of_clause(clause: Clause, slot: Slot, speaker: str | None, tail: frozenset[str]) -> Reading:
    """Return what a clause says of a slot that no wording of the table gives."""
    return Reading(
        slot,
        is_negation=clause.is_denied,
        is_change=clause.is_now or clause.is_ended,
        is_bare=clause.is_denied,
        is_also=clause.is_also,
        own=_own(clause.subject, speaker),
        is_unnamed=clause.subject.startswith("the user"),
        tail=tail,
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
    """Return the relative that a subject speaks of without a name: "the user's younger sister" → "sister"."""
    words = subject.split("'s ", 1)[1].split() if "'s " in subject else []
    return words[-1] if words and words[-1][0].islower() else ""


def _is_somebody(subject: str, attribute: str, *, is_told: bool) -> bool:
    """True for a name; where a speaker tells of another, only if the slot is no matter of taste."""
    return normal(subject).split()[0] not in NO_NAMES and not (is_told and attribute in _OWN_TASTE)


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
