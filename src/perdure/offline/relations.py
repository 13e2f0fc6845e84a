"""What a statement says of whom, as edges of a graph: (subject, label, object)."""

from __future__ import annotations

from dataclasses import dataclass

from perdure.models import Candidate
from perdure.offline import slots
from perdure.offline.wordings import RULES

_LABELS = {"partner": "partner_of", "name": "is_named", "goes_by": "is_called", "job_title": "works_as"}
_LEFT_OUT = frozenset(("coupled", "uncoupled", "has", "any", "said", "pursuing", "prefers", "eats_only"))


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed labelled edge: "Ana", "lives_in", "Lyon".

    is_single: the subject has one such edge at a time.  is_ended: the statement says that it holds no longer; an empty
    object then stands for whatever it was.
    """

    subject: str
    label: str
    object: str
    is_single: bool
    is_ended: bool = False


def relations(candidate: Candidate) -> tuple[Relation, ...]:
    """Return the relations of a candidate in the order of its text, each once; the speaker is called by its name.

    Only what a slot of the table gives: free text has none.
    """
    found: dict[tuple[str, str, str, bool], Relation] = {}
    for reading in slots.all_of(candidate):
        slot = reading.slot
        if slot.attribute in _LEFT_OUT or slot.attribute.startswith(("count_of_", "date_of_")):
            continue
        label = _LABELS.get(slot.attribute, slot.attribute)
        key = (slot.subject, label, slot.value, reading.is_negation)
        is_single = RULES.get(slot.attribute, reading.rule) == "single"
        found.setdefault(key, Relation(slot.subject, label, slot.value, is_single, reading.is_negation))
    return tuple(found.values())
