from __future__ import annotations

import pytest

from perdure.offline.sentences import LONGEST, MOST, cut, is_english, split


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


def test_an_address_is_not_cut_at_its_marks() -> None:
    text = "See https://example.org/a?b=c!d for more. I like it!"

    assert [s.text for s in split(text)] == ["See https://example.org/a?b=c!d for more.", "I like it!"]


@pytest.mark.parametrize(
    ("content", "sentences"),
    [
        ("Mrs. Green feeds my cat. I like her.", ["Mrs. Green feeds my cat.", "I like her."]),
        ("I met Prof. Klein on St. Olaf street.", ["I met Prof. Klein on St. Olaf street."]),
        ("I work until 5 p.m. Then I swim.", ["I work until 5 p.m.", "Then I swim."]),
        ("It opens at 9 a.m. Monday.", ["It opens at 9 a.m. Monday."]),
        ("I like dogs, e.g. Poodles.", ["I like dogs, e.g. Poodles."]),
        ("J. R. Tolkien and J.K. Rowling bore me.", ["J. R. Tolkien and J.K. Rowling bore me."]),
        ("I have plan B. She knows.", ["I have plan B.", "She knows."]),
        ("We love the U.S. My job is there.", ["We love the U.S.", "My job is there."]),
    ],
)
def test_the_stop_of_an_abbreviation_ends_no_sentence(content: str, sentences: list[str]) -> None:
    assert sentences == [sentence.text for sentence in split(content)]


@pytest.mark.parametrize(
    ("content", "sentences", "is_whole"),
    [
        ("I am here. " * MOST, MOST, True),
        ("I am here. " * (MOST + 1), MOST, False),
        ("I am here. " + "x" * LONGEST, 1, False),
    ],
)
def test_a_message_is_read_up_to_a_bound(content: str, sentences: int, is_whole: bool) -> None:
    found = cut(content)

    assert (sentences, is_whole) == (len(found.sentences), found.is_whole)


@pytest.mark.parametrize(
    "text",
    [
        "I hate tofu.",
        "Please stop using bullet points.",
        "Ana plays viola.",
        "Rome, Italy",
        "im a nurse",
        "I drive a Honda.",
        "My niña is five.",
    ],
)
def test_english_is_told_by_its_words(text: str) -> None:
    assert is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Lavoro a Milano",
        "Possiedo due gatti",
        "i miei genitori sono medici",
        "Me llamo Ana",
        "Trabajo en un banco",
        "J'habite à Lyon",
        "Ich arbeite als Arzt",
        "Eu moro em Lisboa",
        "Saya tinggal di Jakarta",
        "Ik woon in Gent",
        "Jag bor i Malmö",
        "Я живу в Москве",
        "أنا أعيش في القاهرة",
    ],
)
def test_another_language_is_not_taken_for_english(text: str) -> None:
    assert not is_english(text)
