"""What a new statement does to the old ones, in many wordings: rules, not wordings, are what must hold."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from perdure import offline
from perdure.models import Decision, Exchange, ExtractionContext, Match, Similar
from perdure.offline import meet
from perdure.offline.correction import is_marked
from perdure.offline.decide import decide
from tests import make, settled

LATER = make.AT + timedelta(days=30)


def ended(new: str, *old: Any, by: str = "user", **fields: Any) -> list[Decision]:
    """The DELETEs of a new statement against old ones: texts of the same speaker, or memories."""
    held = [
        memory if not isinstance(memory, str) else make.memory(memory, id=f"mem-{number}", attributed_to="user")
        for number, memory in enumerate(old)
    ]
    candidate = make.candidate(new, **{"attributed_to": by, "quote": new, "at": LATER, "valid_from": LATER, **fields})
    near = tuple(Similar(m, 0.5, 0.5) for m in held if meet.common(candidate, m)[1])
    return [d for d in decide([Match(candidate, near)], near_duplicate=0.97) if d.event == "DELETE"]


def effects(new: str, *old: Any, **fields: Any) -> list[str | None]:
    return [decision.effect for decision in ended(new, *old, **fields)]


def targets(new: str, *old: Any, **fields: Any) -> list[str | None]:
    return [decision.target for decision in ended(new, *old, **fields)]


@pytest.mark.parametrize(("old", "new"), settled.CHANGES + settled.CHANGES_ABROAD)
def test_a_change_ends_the_old_fact_and_is_found_near_it(old: str, new: str) -> None:
    assert effects(new, old) == ["change"]


@pytest.mark.parametrize(("old", "new"), settled.CORRECTIONS)
def test_a_correction_retracts_the_old_fact(old: str, new: str) -> None:
    assert effects(new, old) == ["correction"]


@pytest.mark.parametrize(("old", "new"), settled.LOOK_ALIKES + settled.LOOK_ALIKES_ABROAD)
def test_a_look_alike_leaves_the_old_fact_alone(old: str, new: str) -> None:
    assert effects(new, old) == []


def test_the_speaker_without_a_name_and_with_one_are_one_person() -> None:
    unnamed = make.memory("The user lives in Ghent.", attributed_to="user")

    assert targets("Nora lives in Antwerp now.", unnamed, by="Nora") == ["mem-1"]
    assert targets("Nora lives in Antwerp now.", unnamed, by="user") == []  # of somebody else
    assert targets("Nora's sister moved to Antwerp.", unnamed, by="Nora") == []


def test_among_several_named_speakers_the_one_without_a_name_may_be_any_of_them() -> None:
    unnamed = make.memory("The user lives in Ghent.", attributed_to="user")
    other = make.memory("Tom lives in Ghent.", id="mem-2", attributed_to="Tom")

    assert targets("Nora lives in Antwerp now.", unnamed, other, by="Nora") == []


def test_what_an_assistant_is_called_is_no_name_of_the_user() -> None:
    said = make.memory("The user lives in Ghent.", attributed_to="assistant", origin="assistant")

    assert targets("I moved to Antwerp.", said) == ["mem-1"]
    assert targets("The assistant lives in Antwerp.", make.memory("The user lives in Ghent."), by="assistant") == []


def test_a_memory_that_says_more_than_what_ended_stays() -> None:
    assert targets("I moved to Nice.", "I live in Lyon and work at Siemens.") == []
    assert targets("I moved to Nice.", "I'm Lena and I live in Lyon.") == []
    assert targets("I don't like dogs anymore.", "I like dogs and cats.") == []
    assert targets("I stopped playing golf.", "I play golf and coach a team.") == []
    assert targets("I got promoted to head nurse.", "I'm a nurse at Siemens.") == []
    assert targets("I moved to Nice.", "I live in Lyon and love it.") == ["mem-0"]


def test_a_denial_that_fits_several_things_ends_none() -> None:
    rex, max_ = "I have a dog named Rex.", "I have a dog named Max."

    assert targets("My dog died.", rex, max_) == []
    assert targets("Rex died.", rex, max_) == ["mem-0"]
    assert targets("I quit my job.", "I work at Siemens.", "I also work at Lidl.") == []


def test_moved_from_one_to_another_ends_only_the_one_it_names() -> None:
    assert targets("I moved from Lyon to Nice.", "I live in Lyon.") == ["mem-0"]
    assert targets("I moved from Barclays to Monzo.", "I live in Lyon.") == []
    assert targets("I moved to Graz.", "I moved from Lyon to Nice.") == ["mem-0"]


def test_an_appointment_whose_time_has_come_is_not_moved() -> None:
    past = make.memory(
        "The user's flight is on 9 May 2024.", attributed_to="user",
        event_from=make.AT + timedelta(days=1), event_to=make.AT + timedelta(days=2),
    )  # fmt: skip

    assert targets("My flight is on 20 June now.", past) == []
    assert targets("Sorry, my flight was on 10 May, not 9 May.", past) == []
    assert effects("Correction: my flight is on 10 May, not 9 May.", past) == ["correction"]


def test_forgetting_what_was_said_takes_back_the_newest_statement_about_it() -> None:
    older = make.memory("The user bought a tent.", id="mem-1", attributed_to="user")
    newer = make.memory("The user's tent is green.", id="mem-2", attributed_to="user", valid_from=LATER)

    assert targets("Forget what I said about the tent.", older, newer, by="user") == ["mem-2"]
    assert effects("Never mind what I told you about the tent.", older) == ["correction"]
    assert targets("Forget what I said about the boat.", older) == []


def test_a_question_settles_nothing() -> None:
    assert targets("Is Nice my new home?", "I live in Lyon.") == []


def test_what_ended_something_and_tells_more_is_kept_as_its_successor() -> None:
    def is_bare(text: str) -> bool:
        return all(reading.is_bare for reading in meet.stated(text, "user"))

    assert is_bare("I no longer live in Lyon.")
    assert not is_bare("My dog died.")
    assert not is_bare("I retired in May.")
    assert not is_bare("I no longer live in Lyon and work from Nice.")


def test_words_of_correction_are_told_from_words_of_change() -> None:
    assert is_marked("Sorry, it's on 16 May.", "It's on 16 May.")
    assert is_marked("", "My dentist is on 16 May, not 15.")
    assert is_marked("", "It turns out I'm not allergic.")
    assert not is_marked("", "I'm a teacher now, not a nurse.")
    assert not is_marked("", "I'm not hungry.")


def test_a_statement_gives_its_relations() -> None:
    candidate = make.candidate("I'm a nurse at Acme and I live in Lyon.", attributed_to="Ana")

    found = [(r.subject, r.label, r.object, r.is_single, r.is_ended) for r in offline.relations(candidate)]

    assert found == [
        ("Ana", "works_as", "nurse", True, False),
        ("Ana", "works_at", "Acme", True, False),
        ("Ana", "lives_in", "Lyon", True, False),
    ]


def test_an_ended_relation_says_so_and_free_text_has_none() -> None:
    (left,) = offline.relations(make.candidate("I no longer work at Acme.", attributed_to="Ana"))

    assert (left.label, left.object, left.is_ended) == ("works_at", "Acme", True)
    assert offline.relations(make.candidate("I went for a walk.", attributed_to="Ana")) == ()
    assert offline.relations(make.candidate("I might move to Lyon.", attributed_to="Ana")) == ()


def test_said_in_a_conversation_the_wordings_settle_as_they_do_by_themselves() -> None:
    def said(text: str, number: int) -> Exchange:
        return make.exchange(make.message_record(text, id=f"m-{number}", order=number))

    (old,) = offline.extraction(ExtractionContext("", (), said("I work at Siemens.", 1))).candidates
    (new,) = offline.extraction(ExtractionContext("", (), said("I started at Bosch last week.", 2))).candidates

    assert effects(new.text, old.text) == ["change"]
