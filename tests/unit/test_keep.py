from __future__ import annotations

from datetime import timedelta

import pytest

from perdure.errors import ProviderError
from perdure.models import Explanation
from perdure.read.hits import hit
from perdure.read.keep import diverse, keep
from perdure.read.rerank import rerank
from tests import make


def ids(hits):
    return [one.id for one in hits]


def test_a_memory_that_says_the_same_as_a_better_one_is_left_out_and_named():
    why = Explanation((), 1.0, "x")
    better = hit(make.memory("Ana likes tea", id="mem-1"), score=0.9, explanation=why)
    again = hit(make.memory("Ana likes TEA.", id="mem-2"), score=0.8)

    [kept] = keep([better, again])

    assert kept.id == "mem-1"
    assert kept.explanation.notes == ("also said by mem-2",)


def test_equal_words_of_another_owner_interval_or_event_are_another_fact():
    hits = [
        hit(make.memory("User likes tea", id="1"), score=0.9),
        hit(make.memory("User likes tea", id="2", user="ben"), score=0.8),
        hit(make.memory("User likes tea", id="3", valid_to=make.AT + timedelta(days=1)), score=0.7),
        hit(make.memory("User likes tea", id="4", event_from=make.AT), score=0.6),
    ]

    assert ids(keep(hits)) == ["1", "2", "3", "4"]


def test_a_message_said_twice_on_one_day_is_one_hit_and_on_two_days_two():
    hits = [
        hit(make.message_record("I ran today", id="1"), score=0.9),
        hit(make.message_record("I ran today!", id="2", at=make.AT + timedelta(hours=1)), score=0.8),
        hit(make.message_record("I ran today", id="3", at=make.AT + timedelta(days=1)), score=0.7),
    ]

    assert ids(keep(hits)) == ["1", "3"]


def test_a_memory_and_a_message_of_the_same_words_both_stay():
    memory = hit(make.memory("user: I like tea", id="1"), score=0.9)
    message = hit(make.message_record("I like tea", id="2"), score=0.8)

    assert ids(keep([memory, message])) == ["1", "2"]


def test_two_versions_of_one_memory_are_one_hit():
    new = hit(make.memory("Ana has two cats", id="1", version=2), score=0.9)
    old = hit(make.memory("Ana has a cat", id="1", version=1), score=0.8)

    assert [one.memory.version for one in keep([new, old])] == [2]


class Backwards:
    def score(self, query, texts):
        return [float(n) for n in range(len(texts))]


class Broken:
    def score(self, query, texts):
        raise ProviderError("down")


HITS = [hit(make.memory(f"Fact {n}", id=str(n)), score=score) for n, score in enumerate((0.9, 0.5, 0.2))]


def test_a_reranker_decides_the_order_and_the_probabilities_stay_with_the_places():
    hits, warnings = rerank("q", HITS, Backwards())

    assert [(one.id, one.score) for one in hits] == [("2", 0.9), ("1", 0.5), ("0", 0.2)]
    assert warnings == []


def test_a_reranker_that_fails_leaves_the_order_with_a_warning():
    hits, warnings = rerank("q", HITS, Broken())

    assert hits == HITS
    assert [w.code for w in warnings] == ["rerank_failed"]


SAID = [hit(make.memory(text, id=str(n)), score=score) for n, (text, score) in enumerate([
    ("Ana paints birds in oil", 0.9), ("Ana paints birds in oil colours", 0.85), ("Ana paints small birds in oil", 0.8),
    ("Ana bakes bread on Sunday", 0.5), ("Bo sings", 0.4),
])]  # fmt: skip


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
def test_diversity_keeps_the_first_and_takes_from_what_was_found(share: float):
    found = diverse(SAID, 3, share)

    assert found[0].id == SAID[0].id
    assert len({one.id for one in found}) == 3
    assert {one.id: one.score for one in found}.items() <= {one.id: one.score for one in SAID}.items()


def test_diversity_puts_copies_behind_what_is_new():
    assert [one.id for one in diverse(SAID, 3, 0.7)] == ["0", "4", "3"]
    assert [one.id for one in diverse(SAID, 5, 1e-9)] == ["0", "1", "2", "3", "4"]
    assert diverse([], 3, 0.5) == []
