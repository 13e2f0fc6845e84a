"""Thirty exchanges of one life, written by a scripted model; what is held at the end is asserted whole."""

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from perdure.models import Scope
from tests.conversation import Conversation, decision, decisions, fact, facts

D = datetime


@dataclass
class Said:
    """One exchange: when, what was said, the facts in it, and what is to become of each that resembles something."""

    at: str
    user: str
    assistant: str
    facts: list[dict[str, Any]] = field(default_factory=list)
    fate: dict[str, list[tuple[str, str | None, dict[str, Any]]]] = field(default_factory=dict)


def noop(memory):
    return ("NOOP", memory, {})


def update(memory, text, *changed):
    return ("UPDATE", memory, {"text": text, "changed": list(changed)})


def change(memory):
    return ("DELETE", memory, {"effect": "change"})


def correct(memory):
    return ("DELETE", memory, {"effect": "correction"})


VEGAN = "Mira is a vegetarian"
JOB = "Mira works at Halden Labs as a tester"
LEAD = "Mira works at Halden Labs as a tester and leads a team of 4"
NEW_JOB = "Mira works at Corvid Systems as an engineer"
HOME = "Mira lives in Bergen"
NEW_HOME = "Mira lives in Trondheim"
CAT = "Mira has a cat"
NAMED_CAT = "Mira has a cat named Tuva"
WEDDING = "The wedding of Mira's sister Liv is on 14 June 2025"
RIGHT_WEDDING = "The wedding of Mira's sister Liv is on 15 June 2025"
RUNS = "Mira runs in the park every morning"

STORY = [
    Said("2025-01-06", "I'm a vegetarian, by the way.", "Noted!", [fact(VEGAN, quote="I'm a vegetarian", kind="profile")]),
    Said("2025-01-06", "I work at Halden Labs as a tester.", "Sounds fun.", [fact(JOB, quote="I work at Halden Labs as a tester")]),
    Said("2025-01-07", "How do I sort a list in Python?", "Use sorted()."),
    Said("2025-01-07", "And in reverse?", "Pass reverse=True."),
    Said("2025-01-09", "I live in Bergen.", "Rainy!", [fact(HOME, quote="I live in Bergen")]),
    Said("2025-01-12", "We have a cat at home.", "Lovely.", [fact(CAT, quote="have a cat")]),
    Said("2025-01-15", "The cat is named Tuva.", "Hello Tuva.", [fact("Mira's cat is named Tuva", quote="named Tuva", entities=["Tuva"])],
         {"Mira's cat is named Tuva": [update(CAT, NAMED_CAT)]}),
    Said("2025-01-20", "My test fails with a timeout.", "Show me the trace."),
    Said("2025-01-20", "It was the proxy.", "Good find."),
    Said("2025-02-02", "I lead a team of 4 at Halden Labs now.", "Congratulations.",
         [fact("Mira leads a team of 4 at Halden Labs", quote="I lead a team of 4")],
         {"Mira leads a team of 4 at Halden Labs": [update(JOB, LEAD)]}),
    Said("2025-02-03", "As I said, I'm vegetarian.", "I remember.", [fact("Mira is vegetarian", quote="I'm vegetarian")],
         {"Mira is vegetarian": [noop(VEGAN)]}),
    Said("2025-02-10", "My sister Liv marries on 14 June.", "How nice.",
         [fact(WEDDING, quote="marries on 14 June", kind="event", event_from="2025-06-14", precision="day", entities=["Liv"])]),
    Said("2025-02-11", "No, sorry, on the 15th.", "Corrected.",
         [fact(RIGHT_WEDDING, quote="on the 15th", kind="event", event_from="2025-06-15", corrects=True, entities=["Liv"])],
         {RIGHT_WEDDING: [correct(WEDDING)]}),
    Said("2025-02-20", "I run in the park every morning.", "Healthy!", [fact(RUNS, quote="I run in the park every morning")]),
    Said("2025-03-01", "Which pan for crepes?", "A flat steel pan works; I suggested the Varde 26 pan to Mira.",
         [fact("The assistant suggested the Varde 26 pan to Mira", 2, "I suggested the Varde 26 pan")]),
    Said("2025-03-03", "Is 3 > 2?", "Yes."),
    Said("2025-03-10", "I start at Corvid Systems as an engineer today.", "Great news.",
         [fact(NEW_JOB, quote="I start at Corvid Systems as an engineer", valid_from="2025-03-10")],
         {NEW_JOB: [change(LEAD)]}),
    Said("2025-03-11", "The build is red again.", "Which step?"),
    Said("2025-03-15", "We moved to Trondheim last week.", "Welcome north.",
         [fact(NEW_HOME, quote="moved to Trondheim", valid_from="2025-03-08")], {NEW_HOME: [change(HOME)]}),
    Said("2025-03-16", "Hm.", "Mira works at Halden Labs as a manager, I think.",
         [fact("Mira works at Halden Labs as a manager", 2)],
         {"Mira works at Halden Labs as a manager": [change(NEW_JOB)]}),
    Said("2025-04-01", "I no longer run, my knee hurts.", "Take care.",
         [fact("Mira no longer runs in the park", quote="I no longer run", ends=True), fact("Mira's knee hurts", quote="my knee hurts")],
         {"Mira no longer runs in the park": [change(RUNS)]}),
    Said("2025-04-02", "Tuva is three years old.", "A young cat.",
         [fact("Tuva is 3 years old", quote="Tuva is three years old", entities=["Tuva"])],
         {"Tuva is 3 years old": [update(NAMED_CAT, "Mira has a cat")]}),
    Said("2025-04-05", "Thanks!", "Any time."),
    Said("2025-04-10", "We plan a trip to Porto in May.", "Enjoy.",
         [fact("Mira plans a trip to Porto in May 2025", quote="trip to Porto in May", kind="event", event_from="2025-05", entities=["Porto"])]),
    Said("2025-05-04", "Porto in May is off, we go to Rome in May.", "Also good.",
         [fact("Mira plans a trip to Rome in May 2025", quote="we go to Rome in May", kind="event", event_from="2025-05", entities=["Rome"])],
         {"Mira plans a trip to Rome in May 2025": [change("Mira plans a trip to Porto in May 2025")]}),
    Said("2025-05-20", "Rome was warm.", "I can imagine."),
    Said("2025-06-01", "I like green tea. I like green tea a lot!", "Tea it is.",
         [fact("Mira likes green tea", quote="I like green tea"), fact("Mira likes green tea.", quote="I like green tea a lot")]),
    Said("2025-06-16", "The wedding was wonderful.", "I'm glad.",
         [fact("Mira found the wedding of her sister Liv wonderful", quote="The wedding was wonderful", entities=["Liv"])]),
    Said("2024-11-01", "I live in Oslo.", "Capital.", [fact("Mira lives in Oslo", quote="I live in Oslo")],
         {"Mira lives in Oslo": [change(NEW_HOME)]}),
    Said("2025-06-20", "What should I cook tonight?", "Something without meat, Mira."),
]  # fmt: skip


def by_story():
    """The model of the story: it extracts what was planned, and decides by the texts that it is shown."""
    listed = iter([facts(*said.facts) for said in STORY])
    fates = {text: fate for said in STORY for text, fate in said.fate.items()}

    def reply(prompt):
        if prompt.name == "extract":
            return next(listed)
        memories, asked = (numbered(part) for part in prompt.turns[0].content.split("\nFACTS\n"))
        numbers = {text: number for number, text in memories.items()}
        return decisions(
            *(
                decision(event, numbers[target], number, **fields)
                for number, text in asked.items()
                for event, target, fields in fates.get(text, [])
            ),
            *(decision("ADD", number=number) for number, text in asked.items() if text not in fates),
        )

    return reply


def numbered(part):
    return {int(m[1]): json.loads(m[2]) for m in re.finditer(r"^\[(\d+)\] \([^)]*\) (\".*\")$", part, re.MULTILINE)}


@pytest.fixture(scope="module")
def told():
    talk = Conversation(by_story(), scope=Scope("default", user="mira"))
    talk.written = [
        talk.say(said.user, said.assistant, at=D.fromisoformat(said.at).replace(hour=12, tzinfo=UTC)) for said in STORY
    ]
    return talk


def day(moment):
    return None if moment is None else moment.date().isoformat()


def rows(talk, validity):
    names = {m.id: m.text for m in talk.held("all")}
    return sorted(
        (m.text, m.version, day(m.valid_from), day(m.valid_to), m.origin, m.evidence_count, names.get(m.superseded_by))
        for m in talk.held(validity)
    )


def test_every_exchange_of_the_story_is_done(told):
    assert len(STORY) == 30
    assert all(written.is_done for written in told.written)
    assert sum(written.usage.llm_calls for written in told.written) == len(told.llm.prompts) <= 60


def test_the_memories_that_hold_at_the_end(told):
    assert rows(told, "current") == sorted(
        [
            (NAMED_CAT, 2, "2025-01-12", None, "user", 2, None),
            ("Mira found the wedding of her sister Liv wonderful", 1, "2025-06-16", None, "user", 1, None),
            (VEGAN, 1, "2025-01-06", None, "user", 2, None),
            ("Mira likes green tea", 1, "2025-06-01", None, "user", 1, None),
            (NEW_HOME, 1, "2025-03-08", None, "user", 1, None),
            ("Mira plans a trip to Rome in May 2025", 1, "2025-05-04", None, "user", 1, None),
            (NEW_JOB, 1, "2025-03-10", None, "user", 1, None),
            ("Mira works at Halden Labs as a manager", 1, "2025-03-16", None, "assistant", 1, None),
            ("Mira's knee hurts", 1, "2025-04-01", None, "user", 1, None),
            ("The assistant suggested the Varde 26 pan to Mira", 1, "2025-03-01", None, "assistant", 1, None),
            (RIGHT_WEDDING, 1, "2025-02-11", None, "user", 1, None),
            ("Tuva is 3 years old", 1, "2025-04-02", None, "user", 1, None),
        ]
    )


def test_the_memories_that_have_ended_with_their_intervals_and_successors(told):
    assert rows(told, "ended") == [
        (HOME, 2, "2025-01-09", "2025-03-08", "user", 1, NEW_HOME),
        ("Mira lives in Oslo", 1, "2024-11-01", "2025-01-09", "user", 1, HOME),
        ("Mira plans a trip to Porto in May 2025", 2, "2025-04-10", "2025-05-04", "user", 1,
         "Mira plans a trip to Rome in May 2025"),
        (RUNS, 2, "2025-02-20", "2025-04-01", "user", 1, None),
        (LEAD, 3, "2025-01-06", "2025-03-10", "user", 2, NEW_JOB),
    ]  # fmt: skip


def test_what_was_corrected_is_neither_current_nor_ended_but_in_its_history(told):
    (right,) = [m for m in told.held() if m.text == RIGHT_WEDDING]

    (wrong,) = told.store.versions("default", right.supersedes[0])

    assert (wrong.text, wrong.retired_at is not None) == (WEDDING, True)


def test_what_was_refused_on_the_way_is_told(told):
    codes = [warning.code for written in told.written for warning in written.warnings]

    assert codes == ["origin_protected", "merge_refused", "older_than_known"]


def test_no_memory_comes_from_the_code_talk_between(told):
    quiet = [said.user for said, written in zip(STORY, told.written, strict=True) if not written.log]

    assert len(quiet) == 9
