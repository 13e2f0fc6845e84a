"""The verbs of the graph: merge, split, path, neighbourhood, timeline, relations in a search and in an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from perdure import Memory
from perdure.errors import Conflict, InputError, NotFound
from perdure.providers.fakes import FixedClock, HashEmbedder, ScriptedLLM
from tests import make


@pytest.fixture
def memory(clock: FixedClock) -> Iterator[Memory]:
    with Memory(":memory:", embedder=HashEmbedder(), clock=clock, settings={"jobs": "manual"}) as opened:
        yield opened


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(make.AT)


def add(memory: Memory, *facts: str, **options: Any) -> Any:
    return memory.add(facts=list(facts), **{"user": "ana", **options})


def texts(found: Any) -> list[str]:
    return [relation.text for relation in found]


def test_an_operation_tells_which_relations_it_brought_ended_and_confirmed(memory: Memory, clock: FixedClock) -> None:
    first = add(memory, "Ana lives in Lyon")
    clock.move(make.AT.replace(month=7))
    again = add(memory, "Ana lives in Lyon")
    clock.move(make.AT.replace(month=8))
    moved = add(memory, "Ana moved to Porto")

    assert [(c.event, c.relation.text) for c in first.relations] == [("ADD", "Ana lives in Lyon")]
    assert [(c.event, c.relation.text) for c in again.relations] == [("NOOP", "Ana lives in Lyon")]
    assert sorted((c.event, c.effect, c.relation.text) for c in moved.relations if c.effect or c.event == "ADD") == [
        ("ADD", None, "Ana lives in Porto"), ("DELETE", "change", "Ana lives in Lyon"),
    ]  # fmt: skip
    assert moved.relations == memory.operation(moved.operation_id).relations


def test_an_operation_tells_which_relations_went_with_a_retracted_memory(memory: Memory, clock: FixedClock) -> None:
    add(memory, "Ana lives in Lyon")
    add(memory, "Ana works at Bolt", "Bolt is where Ana works")
    clock.move(make.AT.replace(month=7))
    [home] = [record for record in memory.list(user="ana").items if "Lyon" in record.text]

    deleted = memory.delete(home.id, user="ana")
    [gone] = deleted.relations
    memory.undo(deleted.operation_id)

    assert (gone.event, gone.effect, gone.relation.text) == ("DELETE", "correction", "Ana lives in Lyon")
    assert gone.relation.retired_at is not None
    assert memory.operation(deleted.operation_id).relations == ()  # held again
    assert "Ana lives in Lyon" in texts(memory.relations(user="ana"))


def test_the_name_that_a_user_tells_is_the_users_own(memory: Memory) -> None:
    memory.add("I live in Ghent.", user="ana")
    told = memory.add("My name is Tomasz.", user="ana")
    memory.add([{"role": "user", "name": "Tomasz", "content": "I work at Bolt."}], user="ana")

    [me] = [entity for entity in memory.entities(user="ana") if entity.type == "person"]
    mine = texts(memory.relations("Tomasz", user="ana"))
    memory.undo(told.operation_id, cascade=True)

    assert (me.name, me.aliases) == ("The user", ("Tomasz",))
    assert sorted(mine) == ["The user lives in Ghent", "The user works at Bolt"]
    assert texts(memory.relations("the user", user="ana")) == ["The user lives in Ghent", "The user works at Bolt"]


def test_a_name_that_somebody_else_has_is_not_made_the_users(memory: Memory) -> None:
    memory.add("Tomasz lives in Lyon.", user="ana")
    memory.add("My name is Tomasz.", user="ana")

    assert texts(memory.relations("the user", user="ana")) == ["The user named Tomasz"]
    assert [entity.aliases for entity in memory.entities(user="ana") if entity.name == "The user"] == [()]


def test_a_search_gives_relations_only_where_they_are_included(memory: Memory) -> None:
    add(memory, "Ana lives in Lyon", "Ana works at Bolt", "Bo lives in Porto")

    plain = memory.search("Where does Ana live?", user="ana")
    found = memory.search("Where does Ana live?", user="ana", include=["relations"], explain=True)

    assert {hit.kind for hit in plain} == {"memory"}
    assert found[0].text == "Ana lives in Lyon"
    relation, why = found[0].relation, found[0].explanation
    assert relation is not None
    assert why is not None
    assert relation.destination == "Lyon"
    assert {signal.channel for signal in why.signals} == {"entity", "triplet"}
    assert abs(sum(s.weight * s.normalised for s in why.signals) - why.fused) < 1e-9
    assert {hit.kind for hit in memory.search("Ana", user="ana", include=["memories", "relations"])} == {
        "memory", "relation",
    }  # fmt: skip
    assert found.confidence > 0


def test_relations_two_steps_from_a_name_are_found_and_score_less(memory: Memory) -> None:
    add(memory, "Ana's sister is Marie", "Marie lives in Porto")

    found = memory.search("Ana", user="ana", include=["relations"])

    assert texts(hit.relation for hit in found) == ["Ana sibling of Marie", "Marie lives in Porto"]
    assert found[0].score > found[1].score


def test_an_answer_is_given_memories_and_relations_apart() -> None:
    llm = ScriptedLLM([{"answer": "Lyon", "citations": [2], "known": True}])
    memory = Memory(":memory:", llm=llm, embedder=HashEmbedder(), settings={"jobs": "manual"})
    add(memory, "Ana lives in Lyon")

    answer = memory.answer("Where does Ana live?", user="ana", include=["memories", "relations"])

    evidence = llm.prompts[-1].turns[0].content
    assert evidence.index("Memories:") < evidence.index("Ana lives in Lyon") < evidence.index("Relations:")
    assert answer.citations[0].kind == "relation"


def test_ended_relations_say_so_in_the_context(memory: Memory, clock: FixedClock) -> None:
    add(memory, "Ana lives in Lyon")
    clock.move(make.AT.replace(month=8))
    add(memory, "Ana moved to Porto")

    block = memory.context("Ana lives", user="ana", include=["relations"], validity="all").text

    assert "8 May 2024 until 8 August 2024, ended: Ana lives in Lyon" in block


def test_a_path_leads_from_one_entity_to_another_whatever_the_direction(memory: Memory) -> None:
    add(memory, "Ana's sister is Marie", "Paul's friend is Marie", "Paul works at Bolt", "Zoe lives in Nice")

    assert texts(memory.path("Ana", "Bolt", user="ana")) == [
        "Ana sibling of Marie", "Paul friend of Marie", "Paul works at Bolt",
    ]  # fmt: skip
    assert memory.path("Ana", "Nice", user="ana") == []
    with pytest.raises(NotFound, match="Nobody"):
        memory.path("Ana", "Nobody", user="ana")


def test_a_neighbourhood_grows_with_its_hops(memory: Memory) -> None:
    add(memory, "Ana's sister is Marie", "Marie works at Bolt", "Paul works at Bolt")

    one, two, three = (memory.graph("Ana", hops=hops, user="ana") for hops in (1, 2, 3))

    assert [e.name for e in one.entities] == ["Ana", "Marie"]
    assert [e.name for e in two.entities] == ["Ana", "Bolt", "Marie"]
    assert len(three.relations) == 3
    with pytest.raises(InputError, match="from 1 to 3"):
        memory.graph("Ana", hops=4, user="ana")


def test_merged_entities_are_one_until_that_is_undone(memory: Memory) -> None:
    add(memory, "Ana Silva lives in Lyon", "Annie works at Bolt")

    merged = memory.merge("Ana Silva", "Annie", user="ana")
    [ana] = [e for e in memory.entities(user="ana") if e.name == "Ana Silva"]
    assert (ana.aliases, ana.mention_count) == (("Annie",), 2)
    assert texts(memory.relations("Annie", user="ana")) == ["Ana Silva lives in Lyon", "Ana Silva works at Bolt"]

    memory.undo(merged.operation_id)
    assert texts(memory.relations("Annie", user="ana")) == ["Annie works at Bolt"]
    with pytest.raises(InputError, match="one entity already"):
        memory.merge("Annie", "Annie", user="ana")


def test_entities_and_relations_call_a_node_alike_once_its_first_name_is_deleted(memory: Memory) -> None:
    first = add(memory, "Ana Silva lives in Lyon").changes[0].memory
    add(memory, "Annie works at Bolt")
    memory.merge("Ana Silva", "Annie", user="ana")
    memory.delete(first.id)

    assert [one.name for one in memory.entities(user="ana")] == ["Annie", "Bolt"]
    assert texts(memory.relations(user="ana")) == ["Annie works at Bolt"]


def test_what_is_said_of_either_name_after_a_merge_is_said_of_the_one(memory: Memory) -> None:
    add(memory, "Ana Silva lives in Lyon", "Annie works at Bolt")
    memory.merge("Ana Silva", "Annie", user="ana")
    add(memory, "Annie moved to Porto")

    assert texts(memory.relations("Ana Silva", user="ana")) == ["Ana Silva lives in Porto", "Ana Silva works at Bolt"]


def test_a_split_gives_a_name_an_entity_of_its_own_and_later_words_follow_it(memory: Memory) -> None:
    add(memory, "Ana Silva lives in Lyon", "Annie works at Bolt")
    memory.merge("Ana Silva", "Annie", user="ana")

    split = memory.split("Ana Silva", ["Annie"], user="ana")
    assert texts(memory.relations("Annie", user="ana")) == ["Annie works at Bolt"]
    add(memory, "Annie's sister is Marie")
    assert texts(memory.relations("Annie", user="ana")) == ["Annie sibling of Marie", "Annie works at Bolt"]

    memory.undo(split.operation_id)
    assert len(memory.relations("Ana Silva", user="ana")) == 3
    with pytest.raises(InputError, match="goes by Ana Silva, Annie"):
        memory.split("Ana Silva", ["Bob"], user="ana")


def test_a_name_of_several_entities_must_be_given_by_id(memory: Memory) -> None:
    add(memory, "Paris lives in Lyon")
    add(memory, "Ana lives in Paris", "Annie works at Bolt")
    places = [e for e in memory.entities(user="ana") if e.name == "Paris"]

    assert {e.type for e in places} == {"person", "place"}
    with pytest.raises(Conflict, match="2 entities are called"):
        memory.merge("Annie", "Paris", user="ana")
    memory.merge("Annie", next(e.id for e in places if e.type == "person"), user="ana")
    assert texts(memory.relations("Annie", user="ana")) == ["Annie lives in Lyon", "Annie works at Bolt"]


def test_a_timeline_of_an_entity_holds_what_was_said_of_it_by_another_name(memory: Memory) -> None:
    add(memory, "Ana Silva lives in Lyon", "Annie works at Bolt")
    memory.merge("Ana Silva", "Annie", user="ana")
    [ana] = [e for e in memory.entities(user="ana") if e.name == "Ana Silva"]

    assert {r.text for r in memory.timeline(ana.id, user="ana")} == {"Ana Silva lives in Lyon", "Annie works at Bolt"}


def test_entities_can_be_narrowed_by_what_names_them(memory: Memory) -> None:
    add(memory, "Ana lives in Lyon", metadata={"source": "a"})
    add(memory, "Ana works at Bolt", metadata={"source": "b"})

    found = memory.entities(user="ana", where={"metadata.source": "a"})

    assert [(e.name, e.type, e.mention_count) for e in found] == [("Ana", "person", 1), ("Lyon", "place", 1)]
    assert texts(memory.relations(user="ana", where={"metadata.source": "b"})) == ["Ana works at Bolt"]


def test_a_filter_asks_who_tells_of_a_relation_not_who_ended_it(memory: Memory, clock: FixedClock) -> None:
    add(memory, "Ana lives in Lyon", metadata={"source": "a"})
    clock.move(make.AT.replace(month=8))
    add(memory, "Ana moved to Porto", metadata={"source": "b"})

    assert memory.relations(user="ana", where={"metadata.source": "a"}) == []
    assert texts(memory.relations(user="ana", where={"metadata.source": "a"}, validity="ended")) == [
        "Ana lives in Lyon"
    ]


def test_a_retired_memory_retires_the_edges_that_only_it_supports(memory: Memory) -> None:
    first = add(memory, "Ana lives in Lyon").changes[0].memory
    add(memory, "Ana works at Bolt")
    memory.delete(first.id)

    assert texts(memory.relations(user="ana", validity="all")) == ["Ana works at Bolt"]
    assert [e.name for e in memory.entities(user="ana")] == ["Ana", "Bolt"]


def test_an_edited_text_takes_the_relations_along_that_it_no_longer_tells(memory: Memory) -> None:
    held = add(memory, "Ana lives in Lyon").changes[0].memory
    result = memory.update(held.id, "Ana lives in Porto")

    assert texts(memory.relations(user="ana")) == ["Ana lives in Porto"]
    assert [(c.event, c.relation.text) for c in result.relations if c.event == "ADD"] == [("ADD", "Ana lives in Porto")]

    memory.undo(result.operation_id)
    assert texts(memory.relations(user="ana", validity="all")) == ["Ana lives in Lyon"]


def test_with_the_graph_off_nothing_of_it_is_written() -> None:
    memory = Memory(":memory:", embedder=HashEmbedder(), graph="off", settings={"jobs": "manual"})
    add(memory, "Ana lives in Lyon")

    assert (memory.entities(user="ana"), memory.relations(user="ana")) == ([], [])


def test_one_users_graph_is_not_anothers(memory: Memory) -> None:
    add(memory, "Ana lives in Lyon")

    assert memory.entities(user="bo") == memory.relations(user="bo") == []
    with pytest.raises(NotFound):
        memory.relations("Ana", user="bo")
    assert memory.for_tenant("other").entities(user="ana") == []
