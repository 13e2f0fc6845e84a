from __future__ import annotations

from datetime import timedelta

import pytest

from perdure import Memory
from perdure.models import Source
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder
from perdure.read.leads import Lead
from perdure.read.turns import AGREEMENT, ANSWER, BESIDE, GIVEN, NEEDY_CHARS, borrowed, paired, wanted
from tests import make

MINUTE = timedelta(minutes=1)


def turn(number, signal, text="I moved to Lyon in March, and my sister came along.", **fields):
    record = make.message_record(
        text, **{"id": f"m-{number}", "order": number, "name": "Ana" if number % 2 else "Ben", **fields}
    )
    return Lead("message", number, record, signal)


def fact(id, signal, *sources, **fields):
    record = make.memory(f"Fact {id}", id=id, sources=tuple(Source(m, q, make.AT) for m, q in sources), **fields)
    return Lead("memory", 1000 + len(id), record, signal)


def ids(leads):
    return [lead.record.id for lead in leads]


def test_a_turn_below_its_fact_frees_its_place_and_strengthens_the_fact():
    [kept] = paired([turn(1, 2.0), fact("a", 3.0, ("m-1", "I moved to Lyon"))])

    assert kept.record.id == "a"
    assert kept.signal == pytest.approx(3.0 + AGREEMENT * 2.0)
    assert kept.notes == ("also message m-1",)


def test_a_turn_above_a_fact_that_says_part_of_it_stands_and_takes_its_facts_along():
    facts = [fact("a", 2.0, ("m-1", "I moved to Lyon")), fact("bb", 1.0, ("m-1", "my sister came along"))]

    [kept] = paired([turn(1, 3.0), *facts])

    assert kept.record.id == "m-1"
    assert kept.notes == ("also memory a", "also memory bb")
    assert kept.signal == pytest.approx(3.0 + AGREEMENT * 2.0)


def test_a_fact_that_says_all_of_its_turn_stands_in_the_turns_place():
    whole = fact("a", 1.0, ("m-1", "I moved to Lyon in March, and my sister came along."))

    [kept] = paired([turn(1, 3.0), whole])

    assert kept.record.id == "a"
    assert kept.signal == pytest.approx(3.0 + AGREEMENT * 1.0)


def test_two_facts_of_one_turn_above_it_keep_their_own_places():
    facts = [fact("a", 3.0, ("m-1", "x")), fact("bb", 2.5, ("m-1", "y"))]

    assert ids(paired([turn(1, 1.0), *facts])) == ["a", "bb"]


def test_a_fact_of_two_turns_is_not_hidden_by_one_of_them():
    both = fact("a", 1.0, ("m-1", "x"), ("m-3", "y"))

    assert ids(paired([turn(1, 3.0), both])) == ["m-1", "a"]


def test_what_ended_is_not_hidden_behind_a_turn_that_still_holds():
    ended = Lead("memory", 9, fact("a", 2.0, ("m-1", "x")).record, 2.0, is_outdated=True)

    assert ids(paired([turn(1, 3.0), ended])) == ["m-1", "a"]


def test_an_outdated_turn_gives_way_to_the_fact_that_says_until_when():
    said = turn(1, 3.0)
    leads = [
        Lead("message", 1, said.record, 3.0, is_outdated=True),
        Lead("memory", 9, fact("a", 2.0, ("m-1", "x")).record, 2.0, is_outdated=True),
    ]

    assert ids(paired(leads)) == ["a"]


def test_the_turn_of_another_owner_is_another_turn():
    assert len(paired([turn(1, 2.0, user="ben"), fact("a", 3.0, ("m-1", "x"))])) == 2


def test_a_turn_borrows_from_its_neighbours_by_distance():
    found = {lead.ref: lead for lead in borrowed([turn(1, 5.0), turn(2, 0.5), turn(3, 0.1)], gap_s=60)}

    assert found[2].signal == pytest.approx(0.5 + BESIDE[1] * 5.0)
    assert found[3].signal == pytest.approx(0.1 + BESIDE[1] * 0.5 + BESIDE[2] * 5.0)
    assert [signal.channel for signal in found[3].added] == ["neighbour", "neighbour"]
    assert "neighbour of m-1" in found[2].notes


def test_a_long_turn_borrows_in_proportion_to_its_need():
    [_, long] = borrowed([turn(1, 5.0), turn(2, 0.5, "x" * 2 * NEEDY_CHARS)], gap_s=60)

    assert long.signal == pytest.approx(0.5 + BESIDE[1] * 5.0 / 2)


def test_the_answer_to_another_persons_question_takes_most_of_its_signal():
    asks, answer = borrowed([turn(1, 5.0, "Where did you move?"), turn(2, 0.5)], gap_s=60)

    assert answer.signal == pytest.approx(0.5 + ANSWER * 5.0)
    assert asks.signal == pytest.approx(5.0 * (1 - GIVEN) + BESIDE[1] * 0.5)


def test_a_turn_that_asks_and_tells_keeps_its_signal():
    asks, _ = borrowed([turn(1, 5.0, "I moved to Lyon. Where did you move?"), turn(2, 0.5)], gap_s=60)

    assert asks.signal == pytest.approx(5.0 + BESIDE[1] * 0.5)


def test_what_somebody_asks_an_assistant_keeps_its_signal():
    leads = [turn(1, 5.0, "Which tents are light?"), turn(2, 0.5, role="assistant", name=None)]

    asks, answer = borrowed(leads, gap_s=60)

    assert asks.signal == pytest.approx(5.0 + BESIDE[1] * 0.5)
    assert answer.signal == pytest.approx(0.5 + BESIDE[1] * 5.0)


@pytest.mark.parametrize(
    "other",
    [{"name": "Ana"}, {"run": "r-2"}, {"at": make.AT + 10 * MINUTE}],
    ids=["same speaker", "another conversation", "after a silence"],
)
def test_nothing_is_borrowed_where_no_conversation_goes_on(other):
    [_, beside] = borrowed([turn(1, 5.0), turn(2, 0.5, **other)], gap_s=60)

    assert beside.signal == 0.5


def test_a_neighbour_beyond_a_gap_in_the_conversation_lends_nothing():
    found = borrowed([turn(1, 5.0), turn(3, 0.5)], gap_s=60)

    assert found[1].signal == 0.5


def test_only_turns_that_may_come_among_the_best_are_fetched():
    found = [turn(10, 5.0), turn(20, 4.0), turn(30, 0.1)]

    assert wanted(found, {}, best=2) == []
    assert set(wanted(found, {9: 2.0}, best=2)) == {9}
    assert set(wanted(found, {}, best=3)) >= {8, 9, 11, 12}


TALK = [
    ("Ana", "Guess which instrument my grandmother taught me?"),
    ("Ben", "No idea!"),
    ("Ana", "The accordion."),
    *((name, f"We talked about the weather of week {n}.") for n in range(40) for name in ("Ben", "Ana")),
]


@pytest.fixture
def memory():
    with Memory(":memory:", embedder=HashEmbedder(), clock=FixedClock(make.AT), ids=CountingIds()) as opened:
        opened.add([{"role": "user", "name": n, "content": c} for n, c in TALK], user="u", infer=False)
        yield opened


def test_the_turn_that_answers_is_found_by_the_question_before_it(memory):
    found = memory.search("Which instrument did the grandmother teach?", user="u", k=3, explain=True)

    [answer] = [hit for hit in found if hit.text == "Ana: The accordion."]
    assert "neighbour" in [signal.channel for signal in answer.explanation.signals]
    assert answer.explanation.fused == pytest.approx(
        sum(signal.weight * signal.normalised for signal in answer.explanation.signals)
    )


def test_a_filter_holds_for_neighbours_too(memory):
    found = memory.search("Which instrument did the grandmother teach?", user="u", where={"name": "Ben"})

    assert {hit.message.name for hit in found} == {"Ben"}


def test_with_facts_and_turns_included_no_turn_takes_two_places():
    with Memory(":memory:", embedder=HashEmbedder(), clock=FixedClock(make.AT), ids=CountingIds()) as opened:
        opened.add("I live in Lyon.", user="u")
        both = opened.search("Who lives in Lyon?", user="u")
        facts = opened.search("Who lives in Lyon?", user="u", include=("memories",))
        turns = opened.search("Who lives in Lyon?", user="u", include=("messages",))

    assert [hit.kind for hit in both] == ["memory"]
    assert (len(facts), len(turns)) == (1, 1)
