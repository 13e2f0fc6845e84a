"""The relations that a statement tells of, by rules: its slot as a labelled edge, and kin and friends by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from perdure.models import Candidate, Triple
from perdure.offline.edges import relations
from perdure.text import name_of

_LABELS: Final[Mapping[str, str]] = {
    "age": "aged", "is_named": "named", "is_called": "named", "birthday": "born_on", "diet": "follows_diet",
}  # fmt: skip
_TYPES: Final[Mapping[str, str]] = {
    "lives_in": "place", "works_at": "organisation", "born_in": "place", "owns": "object", "likes": "concept",
    "dislikes": "concept", "prefers": "concept", "speaks": "concept", "allergic_to": "concept",
    "studies_at": "organisation",
}  # fmt: skip
_PEOPLE: Final = (
    "partner_of", "married_to", "engaged_to", "dating", "sibling_of", "parent_of", "friend_of", "colleague_of",
    "neighbour_of", "doctor", "dentist", "manager", "boss", "landlord", "therapist",
)  # fmt: skip
_NAME: Final = r"[A-Z][\w’'-]*[\w](?: [A-Z0-9][\w-]*)?"
_WHO: Final = rf"(?:[Tt]he user|{_NAME}?)"
_KIN: Final = (
    "brother|sister|sibling|mother|mom|mum|father|dad|parent|son|daughter|child|best friend|friend|colleague|"
    "coworker|co-worker|neighbour|neighbor|husband|wife|fiancée|fiancé|fiance|dog|cat|pet"
)
_OF = re.compile(
    rf"(?P<who>{_WHO})'s (?:(?:older|younger|little|big|new|old|twin) )?(?P<kin>{_KIN})"
    rf"(?: is| is called| is named| called| named|,)? (?P<name>{_NAME})"
)
_OWNED = re.compile(rf"(?P<who>{_WHO})'s (?P<kin>{_KIN})")
_NAMED = re.compile(r"^.+ named (?=[A-Z])")
_WITH = re.compile(
    rf"(?P<who>{_WHO}) (?:is|are|became) (?:good |close |best )?(?P<kin>friend|colleague|neighbour|neighbor)s? (?:with|of)"
    rf" (?P<name>{_NAME})"
)
_BORN = re.compile(rf"(?P<who>{_WHO}) was born in (?P<name>[A-Z][\w’'-]*(?: [A-Z][\w-]*)*)")
_STUDIES = re.compile(rf"(?P<who>{_WHO}) (?:studies|is studying)(?: \w+)? at (?P<name>(?:the )?[A-Z][\w’'-]*(?: (?:of )?[A-Z][\w-]*)*)")  # fmt: skip
_MARRIED = re.compile(r"\b(?:married|husband|wife|spouse|wedding)\b")
_ENGAGED = re.compile(r"\b(?:engaged|fiancée?|fiance)\b")
_DATING = re.compile(r"\b(?:dating|girlfriend|boyfriend|relationship)\b")


@dataclass(slots=True)
class _Found:
    triples: dict[tuple[str, str, str], Triple] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def add(self, source: str, label: str, destination: str, *, is_ended: bool = False) -> None:
        if name_of(source) == name_of(destination):  # "Ana is Ana"
            return
        self.triples.setdefault((source, label, destination), Triple(source, label, destination, is_ended))
        self.types.setdefault(source, "person")
        if destination and label == "owns" and destination[0].isupper():
            return  # a thing or an animal by its name
        if destination:
            self.types.setdefault(destination, "person" if label in _PEOPLE else _TYPES.get(label, "attribute"))


def triples(candidate: Candidate) -> tuple[tuple[Triple, ...], dict[str, str]]:
    """Return the relations of a statement in the third person, and the types of the names in them.

    Cost: a few patterns over the text; its slots were read before, as a rule.
    """
    text = candidate.text.replace("’", "'")
    found = _Found()
    for one in relations(candidate):
        label = _LABELS.get(one.label, one.label)
        if label == "partner_of":
            label = _partner(text)
        kin = _OWNED.fullmatch(one.subject)
        if label == "named" and kin is not None:
            _kin(_somebody(kin["who"]), kin["kin"], one.object, found)
        elif one.object or one.is_single:
            found.add(_somebody(one.subject), label, _thing(one.object), is_ended=one.is_ended)
    if len(text) <= _LONGEST:
        for match in (*_OF.finditer(text), *_WITH.finditer(text)):
            _kin(_somebody(match["who"]), match["kin"], match["name"].removesuffix("'s"), found)
        for pattern, label in ((_BORN, "born_in"), (_STUDIES, "studies_at")):
            for match in pattern.finditer(text):
                found.add(_somebody(match["who"]), label, match["name"])
    return tuple(found.triples.values()), found.types


_LONGEST: Final = 2_000  # letters of a statement that is read, as in `extract`


def _somebody(subject: str) -> str:
    """Return the name of a subject: a relative's own name, where it has one."""
    relative = _OF.fullmatch(subject)
    if relative is not None:
        return relative["name"]
    return "the user" if subject.casefold() in ("user", "the user") else subject


def _thing(value: str) -> str:
    """Return the name that a thing or an animal goes by, where it has one."""
    return _NAMED.sub("", value)


def _partner(text: str) -> str:
    for pattern, label in ((_MARRIED, "married_to"), (_ENGAGED, "engaged_to"), (_DATING, "dating")):
        if pattern.search(text):
            return label
    return "partner_of"


def _kin(who: str, kin: str, name: str, found: _Found) -> None:
    if kin in ("brother", "sister", "sibling"):
        found.add(who, "sibling_of", name)
    elif kin in ("mother", "mom", "mum", "father", "dad", "parent"):
        found.add(name, "parent_of", who)
    elif kin in ("son", "daughter", "child"):
        found.add(who, "parent_of", name)
    elif kin in ("husband", "wife"):
        found.add(who, "married_to", name)
    elif kin.startswith("fianc"):
        found.add(who, "engaged_to", name)
    elif kin in ("dog", "cat", "pet"):
        found.add(who, "owns", name)
    else:
        label = "friend_of" if "friend" in kin else "colleague_of" if "work" in kin or "coll" in kin else "neighbour_of"
        found.add(who, label, name)
