"""Statements by rules: what is kept, how it reads, and what it carries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from perdure.models import Candidate, ExtractionContext
from perdure.offline.extract import extract
from perdure.offline.sentences import MOST
from tests import make


def extracted(*texts: str, before: tuple[str, ...] = (), **fields: Any) -> list[Candidate]:
    messages = [make.message_record(text, id=f"m-{i}", order=i + 10, **fields) for i, text in enumerate(texts)]
    window = tuple(make.message_record(text, id=f"w-{i}", order=i, **fields) for i, text in enumerate(before))
    return list(extract(ExtractionContext("", window, make.exchange(*messages))).candidates)


def said(*texts: str, **fields: Any) -> list[str]:
    return [candidate.text for candidate in extracted(*texts, **fields)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Lyon.", "Ana lives in Lyon."),
        ("I'm learning the cello!", "Ana is learning the cello."),
        ("I’ve adopted two cats.", "Ana has adopted two cats."),
        ("I don't eat fish.", "Ana doesn't eat fish."),
        ("I really love rainy mornings.", "Ana really loves rainy mornings."),
        ("My brother gave me his old camera.", "Ana's brother gave Ana his old camera."),
        ("We adopted a puppy and we named him Rex.", "Ana and others adopted a puppy and they named him Rex."),
        ("Hey Bob! Well, I teach chemistry at a college.", "Ana teaches chemistry at a college."),
        ("Just finished repainting the kitchen.", "Ana just finished repainting the kitchen."),
        ("Been busy with exams lately.", "Ana has been busy with exams lately."),
        ("I ran a marathon yesterday.", "Ana ran a marathon on 7 May 2024."),
        ("I told them \"I quit my studies\" in anger.", "Ana told them \"I quit my studies\" in anger."),
    ],
)  # fmt: skip
def test_a_statement_names_its_speaker(text: str, expected: str) -> None:
    assert [expected] == said(text, name="Ana")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm a plumber.", "Ana is a plumber."),
        ("I'm diabetic.", "Ana is diabetic."),
        ("I snore.", "Ana snores."),
        ("Got engaged!", "Ana got engaged."),
        ("Tomorrow is my wedding anniversary.", "9 May 2024 is Ana's wedding anniversary."),
        ("Passed my driving test!", "Ana passed Ana's driving test."),
        ("Currently unemployed.", "Ana is currently unemployed."),
        ("Last week took a pottery class.", "In the week of 29 April 2024 Ana took a pottery class."),
        ("Zoe broke her arm.", "Zoe broke her arm."),
        ("Ines supervises Paul.", "Ines supervises Paul."),
        ("Milo is nine, not eight.", "Milo is nine, not eight."),
        ("Zoe's a dentist.", "Zoe is a dentist."),
        ("The tax deadline is 31 May.", "Ana says: The tax deadline is 31 May 2024."),
        ("They cancelled my train.", "They cancelled Ana's train."),
        ("Please remember: my locker is number 12.", "Ana's locker is number 12."),
        ("Don't forget that the alarm code is 7719.", "Ana says: The alarm code is 7719."),
        ("As I said, I teach chemistry.", "Ana teaches chemistry."),
        ("**My sister** is a _pilot_.", "Ana's sister is a pilot."),
        ("I'm vegan, what can I cook tonight?", "Ana is vegan."),
        ("Since I'm deaf, which films have subtitles?", "Ana is deaf."),
        ("I read https://example.org/?a=1&b=2 at work.", "Ana read https://example.org/?a=1&b=2 at work."),
        ("dont eat pork btw", "Ana doesn't eat pork."),
        ("allergic to wasps", "Ana is allergic to wasps."),
    ],
)
def test_a_plainly_stated_fact_is_kept_however_short(text: str, expected: str) -> None:
    assert [expected] == said(text, name="Ana")


def test_chat_without_capitals_or_marks_gives_what_tidy_text_gives() -> None:
    assert said("im a welder and i live in ghent") == said("I'm a welder and I live in Ghent.")
    assert said("im a welder and i live in ghent") == ["The user is a welder.", "The user lives in Ghent."]


def test_a_wish_about_every_answer_is_a_preference() -> None:
    found = extracted("Always reply in Dutch.", "I want you to use kilometres from now on.", "No emojis please.")

    assert [(c.text, c.kind) for c in found] == [
        ("The user wants the assistant always to reply in Dutch.", "preference"),
        ("The user wants the assistant to use kilometres from now on.", "preference"),
        ("The user wants no emojis from the assistant.", "preference"),
    ]


def test_what_one_person_asks_of_another_is_no_wish_of_the_assistant() -> None:
    bob = make.message_record("Fine.", id="m-0", name="Bob")
    ana = make.message_record("Always be concise.", id="m-1", name="Ana")

    assert extract(ExtractionContext("", (), make.exchange(bob, ana))).candidates == ()


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Do you live in Bonn?", "Yes.", ["The user lives in Bonn."]),
        ("Do you eat fish?", "No, never.", ["The user doesn't eat fish."]),
        ("Are you married?", "yep", ["The user is married."]),
        ("Shall I book a table?", "Yes.", []),
        ("Do you like it?", "Yes.", []),
        ("Are you from Spain?", "No, from Peru.", ['Asked "Are you from Spain?", the user says: No, from Peru.']),
    ],
)
def test_a_yes_or_no_says_what_was_asked(question: str, answer: str, expected: list[str]) -> None:
    asked = make.message_record(question, id="m-0", role="assistant", origin="assistant")
    context = ExtractionContext("", (asked,), make.exchange(make.message_record(answer, id="m-1")))

    assert expected == [c.text for c in extract(context).candidates]


def test_a_question_that_points_back_comes_with_what_it_points_to() -> None:
    bob = make.message_record("You bought a boat in March. How long is it?", id="m-0", name="Bob")
    ana = make.message_record("Nine metres.", id="m-1", name="Ana")

    (candidate,) = extract(ExtractionContext("", (bob,), make.exchange(ana))).candidates

    assert candidate.text == 'Asked "You bought a boat in March. How long is it?", Ana says: Nine metres.'


@pytest.mark.parametrize(
    "text",
    [
        "If I were younger I would learn to surf.",
        "Pretend that I'm your landlord. I own three houses.",
        "Suppose my car breaks down.",
        "I would like a translation of this letter.",
        "I need you to check my homework.",
        "Like a wave, it just rolled over.",
        "Paul said the 9th.",
        "I haven't tried it yet.",
        "I'm tired.",
        "I agree.",
    ],
)
def test_what_means_nothing_later_is_left_out(text: str) -> None:
    assert said(text) == []


def test_a_long_message_is_read_up_to_a_bound_and_says_so() -> None:
    message = make.message_record("I own a boat called Number. " * 10_000)

    extraction = extract(ExtractionContext("", (), make.exchange(message)))

    assert len(extraction.candidates) <= MOST
    assert [("message_cut", message.public_id)] == [(w.code, w.item) for w in extraction.warnings]


def test_a_message_within_the_bound_gives_no_warning() -> None:
    message = make.message_record("I own a boat. " * MOST)

    assert extract(ExtractionContext("", (), make.exchange(message))).warnings == ()


def test_a_speaker_without_a_name_is_the_user() -> None:
    assert said("I live in Lyon. My dog is afraid of my bike.") == [
        "The user lives in Lyon.",
        "The user's dog is afraid of the user's bike.",
    ]


def test_the_other_of_two_speakers_is_named_too() -> None:
    bob = make.message_record("Fine.", id="m-0", name="Bob")
    ana = make.message_record("I still have your green umbrella and want to see you on Friday.", id="m-1", name="Ana")

    (candidate,) = extract(ExtractionContext("", (), make.exchange(bob, ana))).candidates

    assert candidate.text == "Ana still has Bob's green umbrella and wants to see Bob on 10 May 2024."


@pytest.mark.parametrize(
    "text",
    [
        "Hi there!",
        "Thanks so much!",
        "What's the weather like in Lyon?",
        "I'm so happy for you!",
        "That's awesome.",
        "Sounds great, see you soon!",
        "Write me a poem about autumn leaves.",
        "Can you fix this function?",
        "Please translate the second paragraph.",
        "I agree.",
        "You are very kind to everybody.",
        "```python\nI = my_function(of=everything)\n```",
        "> I live in Rome, he wrote",
        "你好！",
        "Merci beaucoup !",
        "Tu aimes les pommes ?",
        "你喜欢苹果吗？",
    ],
)
def test_questions_small_talk_requests_and_code_are_left_out(text: str) -> None:
    assert said(text) == []


def test_the_quote_is_the_sentence_as_it_stands_in_its_message() -> None:
    text = "Oh wow! I  live in Lyon, you know.  Bye!"

    (candidate,) = extracted(text)

    assert candidate.quote == "I  live in Lyon, you know."
    assert candidate.quote in text
    assert (candidate.message_id, candidate.origin, candidate.is_grounded) == ("m-0", "user", True)


def test_a_sentence_that_points_back_joins_the_one_before_it() -> None:
    assert said("I adopted a greyhound. It sleeps on the sofa all day.", name="Ana") == [
        "Ana adopted a greyhound. It sleeps on the sofa all day."
    ]
    assert said("It sleeps on the sofa all day.", name="Ana") == []


def test_an_answer_that_points_back_carries_its_question() -> None:
    bob = make.message_record("Where did you grow up?", id="m-0", name="Bob")
    ana = make.message_record("In a village near Turin.", id="m-1", name="Ana")

    (candidate,) = extract(ExtractionContext("", (bob,), make.exchange(ana))).candidates

    assert candidate.text == 'Asked "Where did you grow up?", Ana says: In a village near Turin.'
    assert candidate.quote == "In a village near Turin."


def test_facts_joined_in_one_sentence_are_kept_apart() -> None:
    assert said("I live in Lyon and work at Bosch.", name="Ana") == ["Ana lives in Lyon.", "Ana works at Bosch."]
    assert said("I sold my Tesla and bought a Volvo.", name="Ana") == ["Ana sold Ana's Tesla.", "Ana bought a Volvo."]


def test_an_event_carries_its_interval_and_precision() -> None:
    (candidate,) = extracted("We went sailing last week.")

    assert datetime(2024, 4, 29, tzinfo=UTC) == candidate.event_from
    assert datetime(2024, 5, 6, tzinfo=UTC) == candidate.event_to
    assert (candidate.time_precision, candidate.kind, candidate.valid_from) == ("week", "event", candidate.event_from)


def test_an_event_of_the_past_holds_from_its_own_time_and_one_to_come_from_its_telling() -> None:
    (past,) = extracted("I bought a Corolla in 2014.")
    (ahead,) = extracted("I'm flying to Oslo on 12 June.")

    assert datetime(2014, 1, 1, tzinfo=UTC) == past.event_from == past.valid_from
    assert ahead.valid_from == make.AT


def test_days_are_read_in_the_time_zone_of_the_memory() -> None:
    message = make.message_record("I went sailing yesterday.", at=datetime(2024, 5, 8, 23, tzinfo=UTC))
    context = ExtractionContext("", (), make.exchange(message))

    (candidate,) = extract(context, timezone=timezone(timedelta(hours=2))).candidates

    assert candidate.text == "The user went sailing on 8 May 2024."


def test_a_state_holds_since_the_time_that_it_names() -> None:
    (since,) = extracted("I've lived in Rome since 2019.")
    (moved,) = extracted("I moved to Porto last month.")

    assert (datetime(2019, 1, 1, tzinfo=UTC), None) == (since.valid_from, since.event_from)
    assert datetime(2024, 4, 1, tzinfo=UTC) == moved.valid_from


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I'm vegetarian, by the way.", "profile"),
        ("I am allergic to shellfish.", "profile"),
        ("I love mountain huts.", "preference"),
        ("I repair old radios.", "fact"),
        ("We fly to Oslo next week.", "event"),
    ],
)
def test_a_statement_has_the_kind_of_what_it_tells(text: str, kind: str) -> None:
    assert [kind] == [candidate.kind for candidate in extracted(text)]


def test_a_bare_negation_is_marked_and_one_with_news_is_not() -> None:
    assert [c.is_negation for c in extracted("I no longer work there.")] == [True]
    assert [c.is_negation for c in extracted("I quit Bosch and started at Airbus.")] == [True, False]


@pytest.mark.parametrize(
    "text", ["No, I meant Lyon.", "Sorry, I meant Lyon, not Paris.", "Not Paris, I said Lyon.", "No, I live in Lyon."]
)
def test_a_correction_is_marked_and_says_the_whole_fact(text: str) -> None:
    (candidate,) = extracted(text, before=("I live in Paris.",))

    assert (candidate.text, candidate.is_correction) == ("The user lives in Lyon.", True)
    assert candidate.quote == text


def test_a_change_is_no_correction() -> None:
    assert [c.is_correction for c in extracted("Actually, I moved to Lyon.", before=("I live in Paris.",))] == [False]


def test_what_is_corrected_within_the_exchange_is_not_kept() -> None:
    assert said("I live in Paris.", "No, I meant Lyon.") == ["The user lives in Lyon."]


def test_the_same_statement_is_kept_once() -> None:
    assert said("I live in Lyon.", "Yes, I live in Lyon!") == ["The user lives in Lyon."]


def test_another_language_is_kept_word_for_word_behind_its_speaker() -> None:
    assert said("Mon frère habite à Lyon avec sa femme. Tu le connais ?", name="Ana") == [
        "Ana: Mon frère habite à Lyon avec sa femme."
    ]
    assert said("你好！我住在上海，在一家医院工作。你呢？", name="小明") == ["小明: 我住在上海，在一家医院工作。"]
    assert said("Ciao! Lavoro a Milano. Come stai oggi", name="Eva") == ["Eva: Lavoro a Milano."]
    assert said("Soy alérgico a las nueces. ¡Qué bonito!", name="Eva") == ["Eva: Soy alérgico a las nueces."]


def test_an_assistant_is_kept_only_for_what_it_did_or_arranged() -> None:
    assert said(
        "I've booked your table for Friday. Paris is the capital of France. I love cooking too!",
        role="assistant",
        origin="assistant",
    ) == ["The assistant has booked the user's table for 10 May 2024."]
    assert said("The user lives in Rome.", role="tool", origin="tool") == []


def test_names_are_entities_and_the_speaker_is_not() -> None:
    (candidate,) = extracted("On Monday I had lunch with Eva Lund at the Louvre.", name="Ana")

    assert candidate.entities == ("Eva Lund", "Louvre")


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("My friend Ana said: I live in Rome.", ["The user's friend Ana said: \"I live in Rome.\""]),
        ("Ana: I moved to Rome. I like my street.", ['Ana said: "I moved to Rome."', 'Ana said: "I like my street."']),
        ("Ana: I moved to Rome.\nI moved to Pisa.", ['Ana said: "I moved to Rome."', "The user moved to Pisa."]),
        ('Dad wrote: "I sold the boat. I miss it." I own a kayak.',
         ["The user's dad wrote: \"I sold the boat.\"", "The user's dad wrote: \"I miss it.\"", "The user owns a kayak."]),
        ("My doctor told me: you are diabetic.", ["The user's doctor told the user: \"you're diabetic.\""]),
        ("Update: I moved to Rome.", ["The user moved to Rome."]),
        ("Me: I moved to Rome.", ["The user moved to Rome."]),
        ("She said: I live in Rome.", []),
    ],
)  # fmt: skip
def test_what_others_are_quoted_with_is_told_of_them(text: str, statements: list[str]) -> None:
    assert statements == said(text)


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("I'm Tomasz.", ["The user's name is Tomasz."]),
        ("Hi, I am Noor Aziz, I work at Bosch!", ["The user's name is Noor Aziz.", "The user works at Bosch."]),
        ("I'm Polish.", ["The user is Polish."]),
        ("I'm Busy.", ["The user is Busy."]),
    ],
)
def test_who_says_i_am_and_a_name_is_called_so(text: str, statements: list[str]) -> None:
    assert statements == said(text)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Correction: I moved to Porto, not Lisbon", "The user moved to Porto, not Lisbon."),
        ("It was a mistake, I work at Hooli.", "The user works at Hooli."),
        ("Sorry, that was wrong. I work at Hooli.", "The user works at Hooli."),
    ],
)
def test_what_opens_a_correction_is_left_to_its_quote(text: str, statement: str) -> None:
    (candidate,) = extracted(text)

    assert (statement, True, text) == (candidate.text, candidate.is_correction, candidate.quote)


@pytest.mark.parametrize(
    "text", ["Not Lyon after all, Nice.", "It's not Lyon after all, it's Nice.", "Nice, not Lyon."]
)
def test_a_value_alone_corrects_what_was_said_before(text: str) -> None:
    (candidate,) = extracted(text, before=("I live in Lyon.",))

    assert (candidate.text, candidate.is_correction) == ("The user lives in Nice.", True)


def test_a_speaker_known_by_a_name_is_not_told_to_have_it() -> None:
    assert said("I'm Tomasz.", name="Tomasz") == []
