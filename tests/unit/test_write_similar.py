from dataclasses import replace
from datetime import timedelta

from perdure.models import Similar
from perdure.ports import Ports
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder
from perdure.write.similar import collides, similar, top
from tests import make
from tests.conversation import SETTINGS, Conversation, fact, facts

NOW = make.AT + timedelta(days=1)


def stored(*texts, embedder="hash", **fields):
    """A talk whose partition holds these memories, each said apart."""
    options = {} if embedder == "hash" else {"embedder": None}
    talk = Conversation([facts(fact(text, **fields)) for text in texts], policy="append", **options)
    for text in texts:
        talk.say(text)
    return talk


def found(talk, text, settings=SETTINGS, **fields):
    candidate = make.candidate(text, **fields)
    vectors = [talk.embedder.embed([text], None)[0] if talk.embedder else None]
    result = similar([candidate], vectors, talk.ports, settings, scope=talk.scope, now=NOW)
    return [near.memory.text for near in result.matches[0].similar]


def test_nothing_below_the_floor_is_similar():
    talk = stored("Ana lives in Lyon", "The car needs new tyres")

    assert found(talk, "Ana moved within Lyon") == ["Ana lives in Lyon"]
    assert found(talk, "Ben plays chess") == []


def test_the_floor_is_the_embedders_own_unless_set():
    talk = stored("Ana lives in a house with a garden and a pond")

    assert found(talk, "Ana lives happily") != []
    strict = replace(SETTINGS, floor=0.99, overlap_floor=1.0)
    assert found(talk, "Ana lives happily", strict) == []


def test_without_vectors_common_words_count_as_similar():
    talk = stored("Ana lives in Lyon", "The car needs new tyres", embedder=None)

    assert found(talk, "Ana lived in Lyon once") == ["Ana lives in Lyon"]


def test_a_common_entity_is_similar_whatever_the_words():
    talk = stored("Ana adopted Rex from a shelter outside town last autumn", entities=["Ana", "Rex"])

    assert found(talk, "Rex died", replace(SETTINGS, floor=0.99, overlap_floor=1.0), entities=("Rex",)) != []
    assert found(talk, "Ana sang", replace(SETTINGS, floor=0.99, overlap_floor=1.0), entities=("Ana",)) == []


def test_at_most_s_memories_are_similar_nearest_first():
    talk = stored(*(f"Ana lives in Lyon {'very ' * i}happily" for i in range(6)))

    few = found(talk, "Ana lives in Lyon happily", replace(SETTINGS, top_s=3))

    assert len(few) == 3
    assert few[0] == "Ana lives in Lyon happily"


def test_many_of_one_slot_do_not_hide_the_one_that_says_the_same():
    ports = Ports(None, FixedClock(), CountingIds(), HashEmbedder())  # type: ignore[arg-type]
    of_slot = [Similar(make.memory(id=f"slot-{n:02}"), 0.5, 0.0, False, True) for n in range(30)]
    same = Similar(make.memory(id="same"), 0.95, 0.8, False, False)

    shown = [near.memory.id for near in top(make.candidate(), [*of_slot, same], ports, SETTINGS).similar]

    assert shown == [*(f"slot-{n:02}" for n in range(SETTINGS.top_s - 1)), "same"]


def test_ended_and_foreign_memories_are_not_similar():
    talk = stored("Ana lives in Lyon", valid_to="2024-05-08")
    assert found(talk, "Ana lives in Lyon") == []

    other = replace(talk.scope, user="ben")
    talk.scope = other
    assert found(talk, "Ana lives in Lyon") == []


def test_collisions_are_what_similar_would_have_found():
    embedder = HashEmbedder()
    ports = Ports(None, FixedClock(), CountingIds(), embedder)  # type: ignore[arg-type]
    vectors = embedder.embed(["Ana lives in Lyon", "Ana moved within Lyon", "Ben plays chess"], None)
    predicate = collides([make.candidate("Ana lives in Lyon")], [vectors[0]], ports, SETTINGS, now=NOW)

    assert predicate([(make.memory("Ana moved within Lyon"), vectors[1])])
    assert not predicate([(make.memory("Ben plays chess"), vectors[2])])
    assert not predicate([(make.memory("Ana moved within Lyon", valid_to=NOW), vectors[1])])
    assert not predicate([])
