"""How sure a search is of its evidence."""

from __future__ import annotations

import pytest

from perdure.models import Probe, Ranking
from perdure.read.calibrate import FLOOR, Support, confidence
from perdure.read.channels import Look, asked_terms
from perdure.read.hits import hit
from perdure.read.support import support
from perdure.settings import Settings
from tests import make

SETTINGS = Settings()


def said(name, text):
    return hit(make.message_record(text, name=name, id=text), score=0.5)


def met(question, *hits, cosine=0.5):
    ranking = Ranking("dense", 1, {1: cosine, 2: 0.1}, 2, 0.0, 0.1)
    return support(question, Look(Probe(None, asked_terms(question))), hits, [ranking], best=3.0, floor=FLOOR)


def test_the_best_cosine_and_the_share_of_words_in_one_hit_count():
    found = met(
        "Where does Ana keep her bicycle?", said("Ana", "My bicycle is red"), said("Ana", "I keep my bicycle inside")
    )

    assert found.cosine == 0.5
    assert found.covered == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What did Ana paint?", 0.5),
        ("What did Ben paint?", -0.5),
        ("What did Carla paint?", 0.0),
        ("What was painted?", 0.0),
    ],
)
def test_hits_told_by_another_than_whom_the_question_names_speak_against_it(question, told):
    hits = [said("Ana", text) for text in ("I painted a horse", "A horse it is", "Paint is dear")]

    assert met(question, *hits, said("Ben", "Nice")).told == told


def test_a_memory_is_told_of_whom_it_is_attributed_to():
    assert met("What did Ana paint?", hit(make.memory("Ana painted a horse"), score=0.5)).told == 0.5


def test_confidence_rises_with_all_that_speaks_for_the_evidence():
    weak = confidence(Support(1.0, cosine=0.2), SETTINGS)

    assert weak < confidence(Support(1.0, cosine=0.5), SETTINGS)
    assert weak < confidence(Support(1.0, cosine=0.2, covered=1.0), SETTINGS)
    assert weak < confidence(Support(1.0, cosine=0.2, told=0.5), SETTINGS)
    assert confidence(Support(1.0), SETTINGS) < confidence(Support(5.0), SETTINGS)


def test_the_cosines_of_another_embedder_are_read_from_its_own_floor():
    assert confidence(Support(1.0, cosine=0.6, floor=0.6), SETTINGS) == confidence(Support(1.0, cosine=0.4), SETTINGS)
