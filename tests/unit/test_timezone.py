"""Dates are read and shown in the memory's time zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from perdure import Memory
from perdure.errors import SettingsError
from perdure.interfaces.cli.show import day
from perdure.providers.fakes import FixedClock, ScriptedLLM

SAID = "I met Paul today."


def opened(timezone=None, **more):
    settings = {"jobs": "manual", "embedder": "none"} | more.pop("settings", {})
    return Memory(":memory:", timezone=timezone, clock=FixedClock(), settings=settings, **more)


@pytest.mark.parametrize(
    ("timezone", "at", "day"),
    [
        ("Europe/Paris", datetime(2026, 9, 16, 23, tzinfo=UTC), "17 September 2026"),
        ("America/Los_Angeles", datetime(2026, 9, 17, 3, tzinfo=UTC), "16 September 2026"),
    ],
)
def test_context_and_answer_date_what_is_remembered_in_the_zone_of_the_memory(timezone, at, day):
    with opened(timezone) as memory:
        memory.add(SAID, user="ana", at=at)

        texts = memory.context("Paul", user="ana").text, memory.answer("Who is Paul?", user="ana").text

    other = {"17 September 2026": "16 September 2026", "16 September 2026": "17 September 2026"}[day]
    for text in texts:
        assert day in text
        assert other not in text


def test_the_model_is_told_the_time_in_the_zone_of_the_memory():
    model = ScriptedLLM(["In Lyon."])
    with opened("America/Los_Angeles", llm=model) as memory:
        memory.add("Ana lives in Lyon.", user="ana", infer=False)

        memory.answer("Where does Ana live?", user="ana", now=datetime(2026, 9, 17, 3, tzinfo=UTC))

    assert "16 September 2026 20:00 PDT" in model.prompts[-1].turns[0].content


def test_the_setting_is_the_zone_of_a_memory_opened_without_one_and_the_argument_wins():
    with opened(settings={"timezone": "Europe/Paris"}) as memory:
        assert str(memory.timezone) == "Europe/Paris"
    with opened("Asia/Tokyo", settings={"timezone": "Europe/Paris"}) as memory:
        assert str(memory.timezone) == "Asia/Tokyo"
    with pytest.raises(SettingsError, match="Mars"):
        opened(settings={"timezone": "Mars/Olympus"})


def test_a_date_is_shown_in_utc_outside_a_command():
    assert day(datetime(2026, 9, 16, 23, tzinfo=UTC)) == "2026-09-16"
