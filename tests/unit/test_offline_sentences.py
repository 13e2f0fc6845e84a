from __future__ import annotations

import pytest

from perdure.offline.sentences import split


@pytest.mark.parametrize(
    "left_out",
    [
        "> you wrote that it rains",
        "    total = price * 3",
        "\tprint(total)",
        "| name | age |",
        "```\nrun the tests\n```",
        "~~~\nrun the tests\n~~~",
        "<pre>run\nthe tests</pre>",
        'Traceback (most recent call last):\n  File "app.py", line 3, in main',
        "  at shop.Cart.total(Cart.java:31)",
    ],
)
@pytest.mark.parametrize("place", ["first", "between", "last"])
def test_what_is_left_out_takes_nothing_else_along(left_out: str, place: str) -> None:
    said = ["I live in Ghent.", "I work at a bakery."]
    lines = {"first": [left_out, *said], "between": [said[0], left_out, said[1]], "last": [*said, left_out]}[place]
    content = "\n".join(lines)

    found = split(content)

    assert [sentence.text for sentence in found] == said
    assert [content[sentence.begin : sentence.stop] for sentence in found] == said


def test_a_list_gives_its_items_without_their_marks() -> None:
    content = "> as you asked\n- I live in Ghent\n\n  2. I bake bread\n# I like tea"

    assert [s.text for s in split(content)] == ["I live in Ghent", "I bake bread", "I like tea"]
