from __future__ import annotations

import pytest

from perdure.errors import InputError
from perdure.models import Scope, Selection
from perdure.read.channels import asked_terms
from perdure.read.query import Query
from tests import make

SELECTION = Selection(make.scope(), now=make.AT)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"text": " \n"}, "blank"),
        ({"text": 7}, "must be text"),
        ({"text": "\ud800"}, "surrogate"),
        ({"k": 0}, "k must be"),
        ({"k": True}, "k must be"),
        ({"k": 2.5}, "k must be"),
        ({"k": 10**9}, "k must be"),
        ({"include": ()}, "include must"),
        ({"include": ("edges",)}, "include must"),
        ({"include": "memories"}, "include must"),
        ({"threshold": 1.5}, "threshold must"),
        ({"threshold": float("nan")}, "threshold must"),
        ({"threshold": True}, "threshold must"),
        ({"selection": Selection(Scope("default"), now=make.AT)}, "at least one of user, agent and run"),
    ],
)
def test_what_cannot_be_right_is_refused_with_what_was_expected(fields, expected):
    with pytest.raises(InputError, match=expected):
        Query(**{"text": "tea", "selection": SELECTION, **fields})


def test_an_error_never_repeats_the_query():
    with pytest.raises(InputError) as caught:
        Query("secret \ud800", SELECTION)

    assert "secret" not in str(caught.value)


def test_a_query_is_looked_up_without_its_stop_words():
    assert set(asked_terms("What does Ana's sister like?")) == {"ana", "sister", "like"}
    assert set(asked_terms("她喜欢什么")) >= {"喜欢"}


def test_a_query_of_stop_words_alone_keeps_them():
    assert set(asked_terms("Where was it?")) == {"where", "was", "it"}
