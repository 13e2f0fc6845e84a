"""Standing facts are found by what a question is concerned with."""

from __future__ import annotations

from datetime import timedelta

import pytest

from perdure import Memory
from perdure.models import Probe, Scope, Selection
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder
from perdure.read.channels import Look, asked_terms
from perdure.read.query import Query
from perdure.read.standing import concerns, is_habit, is_standing
from perdure.settings import Settings
from tests import make

NOW = make.AT + timedelta(days=400)


def asked(text, **options):
    query = Query(text, Selection(Scope("default", user="u"), now=NOW))
    return concerns(query, Look(Probe(None, asked_terms(text))), **options)


def test_a_question_that_looks_ahead_is_concerned_with_what_it_names():
    assert "food" in asked("What could I cook tonight?").names
    assert "travel" in asked("Book me a flight to Rome").names


def test_a_request_for_advice_on_anything_is_concerned_with_everything():
    advice, other = asked("Any suggestions?"), asked("Where do I work now?", is_wide=True)

    assert len(advice.names) == len(other.names) > 5
    assert advice.below < other.below


@pytest.mark.parametrize("text", ["What did I cook last week?", "When was the trip to Rome?", "How many dogs had Ben?"])
def test_a_question_that_looks_back_asks_for_no_advice(text):
    assert asked(text).names == asked(text, is_wide=True).names == ()


@pytest.mark.parametrize(
    "record",
    [
        make.memory("Ana is allergic to shellfish"),
        make.memory("安娜吃素", kind="profile"),
        make.message_record("I never learned to swim."),
    ],
)
def test_what_holds_of_somebody_is_told_by_its_kind_or_its_wording(record):
    assert is_standing(record)


@pytest.mark.parametrize(
    "record",
    [
        make.memory("Ana cooked shellfish"),
        make.memory("Ana could not swim on 3 May 2024", kind="event"),
        make.message_record("Shellfish allergies are common.", role="assistant", origin="assistant"),
        make.message_record("Am I allergic to nuts?"),
        make.message_record("What do hearing dogs eat?"),
        make.message_record("Is my neighbour's guide dog allowed in here?"),
    ],
)
def test_what_happens_or_is_asked_or_said_in_general_is_no_standing_fact(record):
    assert not is_standing(record)


DISHES = [f"We had dish number {n} for dinner with some friends." for n in range(60)]


@pytest.fixture(params=[True, False], ids=["facts", "messages"])
def memory(request):
    settings = Settings(jobs="manual")
    with Memory(
        ":memory:", embedder=HashEmbedder(), clock=FixedClock(make.AT), ids=CountingIds(), settings=settings
    ) as opened:
        opened.add("I'm allergic to shellfish.", user="u", infer=request.param)
        opened.add([("user", text) for text in DISHES], user="u", infer=request.param)
        yield opened


def test_the_allergy_that_shares_no_word_with_the_question_is_among_the_first_five(memory):
    found = memory.search("What could I cook for dinner?", user="u", explain=True)

    [allergy] = [hit for hit in found[:5] if "shellfish" in hit.text]
    assert "a standing fact" in allergy.explanation.notes
    assert "standing" in [signal.channel for signal in allergy.explanation.signals]
    assert allergy.explanation.fused == pytest.approx(
        sum(signal.weight * signal.normalised for signal in allergy.explanation.signals)
    )


def test_a_context_holds_the_standing_facts_of_a_question_without_a_cue(memory):
    packed = memory.context("Something nice with friends, please", user="u", budget_tokens=300)

    assert "shellfish" in packed.text


def test_an_allergy_that_ended_is_not_lifted():
    with Memory(":memory:", embedder=HashEmbedder(), clock=FixedClock(make.AT), ids=CountingIds()) as opened:
        result = opened.add(facts=["Ana is allergic to shellfish"], user="u")
        opened.delete(result.changes[0].memory.id, effect="change")
        opened.add([("user", text) for text in DISHES], user="u", infer=False)
        found = opened.search("What could I cook for dinner?", user="u")

    assert not any("shellfish" in hit.text for hit in found)


def test_lifting_never_changes_which_hits_a_question_that_looks_back_gets(memory):
    found = memory.search("Which dish did we have for dinner?", user="u", explain=True)

    assert not any(signal.channel == "standing" for hit in found for signal in hit.explanation.signals)


@pytest.mark.parametrize(
    "record",
    [
        make.memory("Ana's nebuliser hissed on 3 May 2024", kind="event"),
        make.memory("The user's dialysis overran on 3 May 2024", kind="event"),
        make.memory("A goose chased Ana on 3 May 2024 and her knees shook, she was petrified", kind="event"),
        make.message_record("Cold in the gurdwara today."),
        make.message_record("I haven't spoken to my sister in an age."),
        make.message_record("My ankle is full of screws, so the beep was me."),
        make.message_record("My hearing dog ate a sock, is that dangerous?"),
        make.message_record("As a coeliac on the road, where do I eat?"),
    ],
)
def test_what_is_mentioned_in_passing_still_tells_what_holds(record):
    assert is_standing(record) or is_habit(record)


@pytest.mark.parametrize(
    "record",
    [
        make.message_record("What is an insulin pump?"),
        make.message_record("A dog sat on the bridge."),
        make.memory("The user says: Which mosque is the oldest in Cordoba"),
        make.message_record("My chemo nurse was kind.", role="assistant", origin="assistant"),
    ],
)
def test_a_sign_that_is_asked_about_or_is_nobodys_tells_nothing(record):
    assert not is_standing(record)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Is there a hostel near the fjord?", "travel"),
        ("Draft the guest list", "person"),
        ("Can I take paracetamol on top?", "health"),
        ("A distillery for our stag party, please", "food"),
    ],
)
def test_many_wordings_name_a_concern(text, name):
    assert name in asked(text).names


def test_a_rule_without_a_word_of_any_table_is_found_by_its_kind():
    with Memory(":memory:", embedder=HashEmbedder(), clock=FixedClock(make.AT), ids=CountingIds()) as opened:
        opened.add("I refuse to post selfies.", user="u")
        opened.add([("user", text) for text in DISHES], user="u")
        found = opened.search("How should I promote my class?", user="u")

    assert any("selfies" in hit.text for hit in found[:5])
