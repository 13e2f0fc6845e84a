"""The parser of replies under fuzzing; `dev.py prove replies` runs the same laws on 10,000 seeds."""

from __future__ import annotations

import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from runs.proofs import replies

from perdure.errors import BadCompletion
from perdure.models import Completion
from perdure.prompts.lenient import Found, loads, values
from perdure.write import reply

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
SIGNS = st.text("{}[]\"',:\\/#*`<>thinkfacs 01n\n“”", max_size=300)


@settings(deadline=None)  # the laws bound the CPU time themselves
@given(st.integers(min_value=replies.COUNT, max_value=10**9))
def test_the_laws_of_reading_hold_on_any_seed(seed: int) -> None:
    assert replies.check(seed) is None


@settings(deadline=None)
@given(SIGNS | st.text(max_size=300))
def test_any_text_is_read_or_is_a_bad_completion(said: str) -> None:
    with suppress(BadCompletion):
        reply.items(Completion(said), tool="record_facts", keys=("facts",), marks=("text",))


@settings(deadline=None)
@given(st.lists(JSON, max_size=3) | st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_well_formed_json_is_read_as_it_is(value: object) -> None:
    written = json.dumps(value)

    assert loads(written) == value
    assert list(values(f"so: {written} .")) == [Found(value)]
