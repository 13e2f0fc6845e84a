"""Replies on tape: nothing is paid twice, and a budget holds for all parts of a run."""

from __future__ import annotations

import json

import pytest

from perdure.errors import Forbidden, InputError
from perdure.evaluation.tape import Limits, Tape, TapedLLM
from perdure.models import Completion, Prompt, Turn
from perdure.providers.fakes import ScriptedLLM
from perdure.providers.prices import Price


def prompt(text):
    return Prompt("p", "system", (Turn("user", text),), "0" * 16)


def echo(asked):
    return Completion(asked.turns[0].content.upper(), (), "m-2024", 60, 40)


class Ticking:
    """A clock that moves by a second each time it is read, and by what is slept."""

    def __init__(self):
        self.at = 0.0
        self.slept = []

    def __call__(self):
        self.at += 1.0
        return self.at

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.at += seconds


def taped(path, **options):
    llm = ScriptedLLM(echo, model="m")
    return TapedLLM(llm, Tape(path), clock=Ticking(), **options), llm


def test_a_call_is_made_once_however_often_and_by_whomever_it_is_asked(tmp_path):
    one, llm = taped(tmp_path / "calls.jsonl")

    first = one.complete([prompt("a"), prompt("b"), prompt("a")])
    other, later = taped(tmp_path / "calls.jsonl")
    again = other.complete([prompt("b"), prompt("a")])

    assert [c.text for c in first] == ["A", "B", "A"]
    assert [c.text for c in again] == ["B", "A"]
    assert (len(llm.prompts), len(later.prompts)) == (2, 0)
    assert other.usage.llm_calls == 2  # what it would cost alone
    assert other.took(prompt("a")) == one.took(prompt("a")) == 1000.0


def test_repetitions_are_asked_anew(tmp_path):
    one, llm = taped(tmp_path / "calls.jsonl")

    one.complete([prompt("a")])
    one.repeated(1).complete([prompt("a")])
    one.repeated(1).complete([prompt("a")])

    assert len(llm.prompts) == 2


def test_what_was_said_is_kept_when_a_later_call_fails(tmp_path):
    llm = ScriptedLLM(lambda p: RuntimeError("gone") if p.turns[0].content == "b" else echo(p), model="m")
    with pytest.raises(RuntimeError):
        TapedLLM(llm, Tape(tmp_path / "calls.jsonl")).complete([prompt("a"), prompt("b")])

    one, after = taped(tmp_path / "calls.jsonl", concurrency=2)
    one.complete([prompt("a"), prompt("b"), prompt("c")])

    assert sorted(p.turns[0].content for p in after.prompts) == ["b", "c"]


def test_a_line_that_a_kill_cut_short_is_dropped_and_a_damaged_one_named(tmp_path):
    path = tmp_path / "calls.jsonl"
    taped(path)[0].complete([prompt("a"), prompt("b")])
    path.write_bytes(path.read_bytes()[:-9])

    one, llm = taped(path)
    one.complete([prompt("a"), prompt("b")])

    assert [p.turns[0].content for p in llm.prompts] == ["b"]
    assert len(path.read_text().splitlines()) == 2
    path.write_text("{}\n")
    with pytest.raises(InputError, match="damaged"):
        Tape(path)


def test_a_budget_counts_earlier_parts_of_the_run_and_says_how_to_go_on(tmp_path):
    path = tmp_path / "calls.jsonl"
    taped(path)[0].complete([prompt("a")])

    one, llm = taped(path, limits=Limits(tokens=200))
    one.complete([prompt("b")])
    with pytest.raises(Forbidden, match="--resume"):
        one.complete([prompt("a"), prompt("c")])

    assert len(llm.prompts) == 1


def test_a_budget_in_dollars_needs_a_price(tmp_path):
    prices = {"m": Price(1.0, 1.0)}
    one, _ = taped(tmp_path / "calls.jsonl", limits=Limits(usd=0.00015), prices=prices)

    one.complete([prompt("a")])
    one.complete([prompt("b")])
    with pytest.raises(Forbidden, match="dollars"):
        one.complete([prompt("c")])
    with pytest.raises(Forbidden, match="price of m is not known"):
        taped(tmp_path / "other.jsonl", limits=Limits(usd=1))[0].complete([prompt("a")])


def test_a_pace_spreads_the_calls(tmp_path):
    clock = Ticking()
    one = TapedLLM(
        ScriptedLLM(echo), Tape(tmp_path / "c.jsonl"), limits=Limits(calls_per_minute=6), clock=clock, sleep=clock.sleep
    )

    one.complete([prompt("a"), prompt("b"), prompt("a")])

    [wait] = clock.slept
    assert 0 < wait < 10


def test_tokens_are_estimated_where_the_endpoint_does_not_count(tmp_path):
    one = TapedLLM(ScriptedLLM(lambda p: Completion("four words are here")), Tape(tmp_path / "c.jsonl"))

    [said] = one.complete([prompt("a")])

    assert said.prompt_tokens > 0
    assert said.completion_tokens > 3
    [row] = (tmp_path / "c.jsonl").read_text().splitlines()
    assert json.loads(row)["asked"] == "scripted"


def test_half_a_character_in_a_reply_reaches_the_tape(tmp_path):
    tape = Tape(tmp_path / "calls.jsonl")
    tape.put("key", Prompt("answer", "b", (), "0" * 16), "m", Completion("a\ud800", (), "m", 1, 1), 1.0)

    again = Tape(tmp_path / "calls.jsonl").get("key")
    assert again is not None
    assert again.text == "a\ud800"
