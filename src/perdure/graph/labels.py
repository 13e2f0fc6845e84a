"""Labels of relations: their normal forms, which hold one value at a time, and which are opposites.

A label that is not listed is welcome as it is: it has any number of values, and nothing is its opposite.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from perdure.text import normal


@dataclass(frozen=True, slots=True)
class Label:
    """A label in its normal form; an inverse one reads from the destination to the source."""

    name: str
    is_ended: bool = False
    is_inverse: bool = False


_FORMS: Final[dict[str, str]] = {
    "lives_in": "live_in living_in lives lives_at resides_in reside_in residing_in moved_to relocated_to based_in "
    "is_based_in home_in home_is dwells_in settled_in place_of_residence",
    "works_at": "work_at works_for work_for working_at working_for employed_by employed_at is_employed_by joined "
    "employee_of employer has_job_at job_at hired_by",
    "works_as": "work_as working_as job_title has_job occupation profession job position title has_occupation",
    "married_to": "married marries is_married_to spouse spouse_of husband_of wife_of wed_to has_spouse",
    "engaged_to": "is_engaged_to fiance_of fiancee_of",
    "dating": "is_dating in_relationship_with in_a_relationship_with girlfriend_of boyfriend_of dates",
    "partner_of": "partner has_partner",
    "born_on": "birthday birth_date date_of_birth birthdate has_birthday birthday_on birthday_is was_born_on born",
    "born_in": "birthplace place_of_birth birth_place was_born_in",
    "aged": "age has_age is_aged",
    "named": "name has_name is_named is_called",
    "follows_diet": "diet has_diet eats_diet",
    "studies_at": "study_at studying_at attends enrolled_at student_of student_at goes_to_school_at",
    "studied_at": "graduated_from alumnus_of alumna_of alma_mater",
    "likes": "like loves love enjoys enjoy adores fond_of is_fond_of fan_of is_a_fan_of interested_in",
    "dislikes": "dislike hates hate detests cannot_stand can_t_stand does_not_like doesn_t_like",
    "prefers": "prefer has_preference_for",
    "owns": "own has possesses bought has_pet owner_of",
    "speaks": "speak speaks_language",
    "allergic_to": "is_allergic_to has_allergy_to intolerant_to",
    "friend_of": "friends friends_with is_friends_with friend has_friend is_friend_of best_friend_of",
    "enemy_of": "enemies_with rival_of is_enemy_of",
    "sibling_of": "siblings brother_of sister_of has_sibling has_brother has_sister",
    "parent_of": "father_of mother_of has_child has_son has_daughter",
    "colleague_of": "coworker_of co_worker_of works_with colleagues",
    "knows": "acquainted_with acquaintance_of",
    "member_of": "belongs_to is_member_of",
    "located_in": "is_located_in located_at is_in",
    "trusts": "trust",
    "distrusts": "mistrusts does_not_trust",
    "supports": "support",
    "opposes": "oppose",
}  # fmt: skip
_ENDED: Final[dict[str, str]] = {
    "lives_in": "moved_from moved_out_of left_home_in moved_away_from",
    "works_at": "left quit resigned_from laid_off_from fired_from retired_from",
    "married_to": "divorced divorced_from ex_husband_of ex_wife_of ex_spouse_of separated_from widow_of widower_of",
    "dating": "broke_up_with split_up_with ex_girlfriend_of ex_boyfriend_of",
    "owns": "sold gave_away got_rid_of",
}
_INVERSE: Final[dict[str, str]] = {
    "works_at": "employs employer_of",
    "owns": "owned_by belongs_to_owner pet_of",
    "parent_of": "child_of son_of daughter_of has_parent has_father has_mother",
    "lives_in": "home_of residence_of",
}
_NO_LONGER: Final = ("no_longer_", "used_to_", "stopped_", "former_", "formerly_", "ex_", "previously_", "not_anymore_")

_PARTNER: Final = ("married_to", "engaged_to", "dating", "partner_of")
_SINGLE: Final = frozenset(
    """
    lives_in works_at works_as married_to engaged_to dating partner_of born_on born_in aged named follows_diet
    phone_number number email email_address address blood_type height weight salary budget hometown mother_tongue
    native_language pronouns time_zone timezone doctor dentist manager boss landlord therapist studies_at
    """.split()
)
_OPPOSITES: Final = (
    ("likes", "dislikes"),
    ("friend_of", "enemy_of"),
    ("trusts", "distrusts"),
    ("supports", "opposes"),
)


def _listed(groups: dict[str, str], *, is_ended: bool = False, is_inverse: bool = False) -> dict[str, Label]:
    return {form: Label(name, is_ended, is_inverse) for name, forms in groups.items() for form in forms.split()}


_KNOWN: Final[dict[str, Label]] = {
    **_listed(_ENDED, is_ended=True),
    **_listed(_INVERSE, is_inverse=True),
    **_listed(_FORMS),
    **{name: Label(name) for name in _FORMS},
}
_OPPOSITE: Final = {**dict(_OPPOSITES), **{other: one for one, other in _OPPOSITES}}


@lru_cache(maxsize=4096)
def label(said: str) -> Label:
    """Return a label in its normal form: words joined by "_", wordings of one thing made one.

    >>> label("resides in").name, label("no longer works at").is_ended, label("employs").is_inverse
    ('lives_in', True, True)
    >>> label("Plays chess with").name
    'plays_chess_with'
    """
    form = normal(said).replace("'", " ").replace("’", " ").replace("_", " ")
    form = "_".join(form.split())
    if form in _KNOWN:
        return _KNOWN[form]
    for before in _NO_LONGER:
        if form.startswith(before) and len(form) > len(before):
            found = label(form[len(before) :])
            return Label(found.name, True, found.is_inverse)
    for before in ("is_", "was_", "are_", "currently_", "now_", "has_been_"):
        if form.startswith(before) and form[len(before) :] in _KNOWN:
            return _KNOWN[form[len(before) :]]
    return Label(form or "related_to")


def is_single(name: str) -> bool:
    """True if a source has one destination at a time under this label."""
    return name in _SINGLE or name.startswith("favourite_")


def slot(source: str, name: str, destination: str) -> tuple[str, ...]:
    """Return what a relation fills: of one slot, one value holds at a time.

    Single-valued labels share it by source (being married and dating are one slot), opposite labels by pair; any other
    relation has a slot of its own.

    >>> slot("ana", "dating", "bo") == slot("ana", "married_to", "cy")
    True
    >>> slot("ana", "likes", "tea") == slot("ana", "dislikes", "tea"), slot("ana", "likes", "tea")[2:]
    (True, ('tea', 'dislikes'))
    """
    if name in _PARTNER:
        return ("single", source, "partner")
    if is_single(name):
        return ("single", source, name)
    return ("pair", source, destination, min(name, _OPPOSITE.get(name, name)))


def rivals(name: str) -> tuple[str, ...]:
    """Return the labels whose relations one of this label could replace, itself included."""
    if name in _PARTNER:
        return _PARTNER
    return (name, _OPPOSITE[name]) if name in _OPPOSITE else (name,)


def is_alike(one: str, other: str) -> bool:
    """True if what ends a relation of one label ends one of the other: the same, or both of a couple.

    >>> is_alike("likes", "dislikes"), is_alike("married_to", "dating")
    (False, True)
    """
    return one == other or (one in _PARTNER and other in _PARTNER)


def is_multiple(name: str) -> bool:
    """True if the label is known to have any number of values: nothing of the same label is replaced by one more."""
    return name in _FORMS and not is_single(name)
