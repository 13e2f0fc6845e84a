"""What points at nothing is left out, or comes with what names it; what stands by itself stays as it is."""

from __future__ import annotations

import pytest

from perdure import Memory
from perdure.offline.answers import stated
from perdure.offline.chatter import strip_ends
from perdure.offline.parting import parted
from perdure.offline.person import Cast, third
from perdure.offline.pointing import is_dim, is_lost, is_open, leans, points_back, stands
from perdure.offline.vague import goes_on, is_empty, is_fragment, is_part, is_shown
from perdure.offline.wording import is_elided


def told(*said: str) -> list[str]:
    """Return the statements that two people's turns give, Ana's first."""
    turns = [{"role": "user", "name": ("Ana", "Ben")[n % 2], "content": text} for n, text in enumerate(said)]
    with Memory(":memory:", embedder="none") as memory:
        memory.add(turns, user="u")
        return [one.text for one in memory.list(user="u")]


@pytest.mark.parametrize(
    "sentence",
    [
        "I felt fulfilled helping them.", "I put a lot of effort into it.", "I had the chance to meet him twice.",
        "I don't want the next years to go through that.", "When I was low I kept them close.",
    ],
)  # fmt: skip
def test_a_pronoun_without_a_noun_before_it_is_open(sentence: str) -> None:
    assert is_open(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "I met new people and helped them.", "My sister said she would come.", "I bought a kayak and painted it.",
        "I told them the truth.", "My family is small, but I rely on them.", "I met a woman and walked with her.",
    ],
)  # fmt: skip
def test_a_pronoun_after_its_noun_is_not_open(sentence: str) -> None:
    assert not is_open(sentence)


@pytest.mark.parametrize(
    "reaction",
    [
        "I'll let you know!", "I'm pushing on though.", "I won't give up, I promise.", "Something wild happened lately.",
        "Something massive happened since we last spoke.", "Appreciate the offer!", "I appreciate the help.",
        "Sending healing vibes to you and the pups.", "Count me in!", "Winning the cup must have been wild.",
        "I'll keep that in mind the next time I cook.", "I get how that would've hurt.", "Must've taken you ages to carve it.",
        "Definitely worth a listen if you like jazz.", "Whoa, Ana, that sign looks serious.", "Gather references and checks.",
        "So much that I got portraits of them.",
        "The lentil stew looks so delicious.", "I'll talk to you soon, have fun at the fair.", "I'm doing well.",
    ],
)  # fmt: skip
def test_a_promise_a_wish_or_a_reaction_gives_no_statement(reaction: str) -> None:
    assert told("My pottery class opens on Friday.", reaction)[1:] == []


@pytest.mark.parametrize(
    "statement",
    [
        "I won't give up meat.", "I'm doing well at the bakery in Porto.", "I got news of my brother in Chile.",
        "I must have been ten when we moved to Kiel.", "My garden looks great since the rain.",
        "I see my aunt on Sundays.", "Something broke in my shoulder.",
    ],
)  # fmt: skip
def test_what_tells_something_is_not_empty(statement: str) -> None:
    assert not is_empty(statement)


def test_a_sentence_of_the_thing_named_before_it_joins_it() -> None:
    text = told("I finished Dune in May. The ending and the deserts are superb.", "Nice!")[0]

    assert text.endswith("The ending and the deserts are superb.")


def test_what_goes_with_a_picture_is_not_joined() -> None:
    texts = told("We have a parrot and a tortoise. That's the parrot, and here's our tortoise!", "Nice!")

    assert not any("here" in text for text in texts)
    assert is_shown("Definitely try it!")
    assert not is_shown("That's why I moved.")


def test_one_of_a_thing_named_before_stays() -> None:
    assert told("I always book a seat by the window if I can get one.", "Nice!")


def test_the_doctor_and_the_children_need_no_name() -> None:
    assert told("The doctor said my knee is fine.") == ["The doctor said Ana's knee is fine."]


def test_a_statement_leans_on_a_sentence_only_with_what_that_one_leans_on() -> None:
    texts = told("My turtles had berries today. Watching them munch slowly is so calming.", "I like holding them.")

    leaning = [text for text in texts if "holding" in text]
    assert all("My turtles had berries today." in text for text in leaning)


@pytest.mark.parametrize("lead", ["It was a dream.", "Seeing them do well is a joy.", "Thanks for the tip!", "So fun."])
def test_what_points_or_chats_is_nothing_to_lean_on(lead: str) -> None:
    assert not stands(lead)


def test_a_sentence_that_names_its_thing_may_be_leant_on() -> None:
    assert stands("I adopted two turtles from the shelter.")


def test_a_name_alone_is_no_answer() -> None:
    assert told("Any advice on finding investors for a studio?", "Yeah Ana!") == []


def test_a_question_that_points_back_makes_no_short_answer_clear() -> None:
    assert is_dim("Was it hard to get there?")
    assert not is_dim("Was the climb hard?")
    assert told("Was it hard getting there?", "It took long.") == []


def test_the_second_sentence_of_a_reply_is_no_answer() -> None:
    texts = told("Where do you keep the bees?", "My roof in Leeds holds six hives. It feels different.")

    assert not any(text.startswith("Asked") for text in texts)


@pytest.mark.parametrize("sentence", ["Recently, school reform and road repair.", "Not a fan of the crowd."])
def test_a_sentence_without_a_verb_is_a_fragment(sentence: str) -> None:
    assert is_fragment(sentence)


def test_a_sentence_with_a_verb_is_no_fragment() -> None:
    assert not is_fragment("My sister sings.")
    assert not is_fragment("Lena went home.")


def test_what_goes_on_with_the_sentence_before_is_none_by_itself() -> None:
    assert goes_on("Not only for the view, but for the air.")
    assert goes_on("Since I was ten or so.")
    assert not goes_on("Since I was ten, I have played the cello.")


def test_the_thing_of_the_talk_is_a_part_of_what_was_told() -> None:
    assert is_part("The plot and the music are great.")
    assert not is_part("My plot is dry.")


def test_a_noun_is_not_told_as_what_somebody_loves() -> None:
    """ "Love and acceptance are ..." is about love, not about the speaker."""
    assert not is_elided("Love and acceptance can be found everywhere.")
    assert is_elided("Love cooking.")


def test_a_gerund_that_is_the_subject_far_from_its_verb_is_not_told_of_the_speaker() -> None:
    assert not is_elided("Taking time for ourselves and for the old friends in our small town is vital.")
    assert not is_elided("Going to village meetings and getting to know my neighbours has given me hope.")


def test_it_never_stands_for_a_person() -> None:
    """ "Since I was a kid" names nobody that "it" could mean."""
    assert not any(
        "kid has been" in fact for fact in parted("I've been dancing since I was a kid and it's my passion.")
    )


def test_it_before_what_is_told_is_no_pointer() -> None:
    assert not points_back("It's knowing that my songs can help somebody that keeps me going.")
    assert points_back("It's going well.")


def test_on_another_note_is_passed_over() -> None:
    assert told("On another note, I adopted a greyhound.") == ["Ana adopted a greyhound."]


@pytest.mark.parametrize(
    "saying",
    [
        "We can make a difference.", "I'm just doing what I can do to help.", "Life's been pretty wild lately.",
        "I've been doing great!", "I've been wanting to for a while, but the bakery is far.", "Woohoo!",
        "That photo is so beautiful.", "We'll keep pushing each other.",
    ],
)  # fmt: skip
def test_a_saying_that_names_nothing_gives_no_statement(saying: str) -> None:
    assert told("My pottery class opens on Friday.", saying)[1:] == []


@pytest.mark.parametrize(
    "statement",
    [
        "Life in Oslo has been good.", "I make a difference as a nurse.", "I wanted to go to Porto.",
        "I've been doing well at chess.",
    ],
)  # fmt: skip
def test_a_saying_that_names_its_place_or_its_thing_stays(statement: str) -> None:
    assert not is_empty(statement)


def test_it_answers_a_yes_or_no_question_only_where_that_names_something() -> None:
    assert is_lost("Have you noticed any improvements?", "It's helped me sleep.")
    assert not is_lost("Is it a yoga studio?", "It's a martial arts place.")
    assert is_lost("Did you ever climb there?", "She's so cute.")
    assert not is_lost("How is your daughter?", "She's so cute.")


def test_a_yes_to_a_question_with_a_second_you_is_not_told_of_the_other_speaker() -> None:
    assert stated("Have you ever felt like you belonged somewhere?", "Yeah, definitely.") is None


def test_you_is_the_listener_where_the_speaker_is_the_one_who_acts() -> None:
    cast = Cast("Ana", "Ben")

    assert third("I'll do my best to make you proud.", cast).endswith("make Ben proud.")
    assert third("I love how it makes you think.", cast).endswith("makes people think.")


def test_just_right_is_no_tag() -> None:
    assert strip_ends("I'm working to get everything just right.") == "I'm working to get everything just right."
    assert strip_ends("It's cold, right.") == "It's cold."


@pytest.mark.parametrize(
    ("asked", "text", "is_without"),
    [
        ("Hey Ben, how's it going?", "It's probably the greatest trilogy of all time!", True),
        ("How have you been lately?", "It's been tough, but I'm staying positive.", False),
        ("How's everything?", "It was great to see the lake.", False),
        ("Is the kayak your favourite?", "It was a real ride, but worth the work.", True),
        ("How was the fair?", "It was crowded.", False),
    ],
)
def test_an_it_that_a_question_does_not_ask_for_is_lost(asked: str, text: str, is_without: bool) -> None:
    assert is_lost(asked, text) is is_without


@pytest.mark.parametrize("text", ["I love the depth it adds to soups.", "Rent was the reason behind it."])
def test_an_it_that_stands_in_no_noun_s_place_leans(text: str) -> None:
    assert leans(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I love the self-acceptance and love theme.", 1), ("Dancing cheers me and it was nice to be there.", 1),
        ("I live in Lyon and love cheese.", 2), ("I like tea and hate coffee.", 2),
    ],
)  # fmt: skip
def test_a_noun_and_an_empty_it_part_no_sentence(text: str, parts: int) -> None:
    assert len(parted(text)) == parts


def test_what_made_somebody_do_something_was_not_that_somebody() -> None:
    assert not is_elided("Really made me think about my health")
    assert is_elided("Made a cake for the fair")
