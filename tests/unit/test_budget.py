"""Daily budgets, durable across processes; completions that are not paid for twice; what calls cost."""

from datetime import UTC, datetime

import pytest

from perdure import Memory
from perdure.errors import Forbidden, ProviderError, SettingsError
from perdure.models import Completion, Prompt, Turn, Usage
from perdure.providers.fakes import FixedClock, ScriptedLLM
from perdure.providers.metered import MeteredLLM
from perdure.providers.prices import Price, prices, total_cost, usage_cost
from perdure.stores.in_memory import InMemoryStore

MIDNIGHT = datetime(2024, 1, 2, tzinfo=UTC)
PRICE = {"m": Price(1.0, 2.0)}


def prompt(text="hello", *more):
    return Prompt("p", "system", (Turn("user", text), *more), "0" * 16)


def metered(script, **limits):
    clock = FixedClock()
    llm = ScriptedLLM(script, model="m")
    return MeteredLLM(llm, InMemoryStore(clock=clock), clock, **limits), llm, clock


def facts(asked):
    line = asked.turns[-1].content
    return {"facts": []} if "nothing" in line else {"facts": [{"text": "Ana lives in Lyon", "message": 1, "quote": ""}]}


def open_memory(store, *, script=facts, clock=None, **settings):
    settings = {"jobs": "manual", **settings}
    llm = ScriptedLLM(script)
    return Memory(store, llm=llm, embedder="none", clock=clock or FixedClock(), settings=settings), llm


def test_a_budget_of_calls_refuses_the_next_call_before_it_is_made_until_midnight():
    model, llm, clock = metered(lambda asked: "yes", calls_at_most=2)
    model.complete([prompt("one"), prompt("two")])

    with pytest.raises(Forbidden, match="daily_call_budget") as caught:
        model.complete([prompt("three")])

    assert len(llm.prompts) == 2
    assert caught.value.until == MIDNIGHT
    clock.move(MIDNIGHT)
    assert model.complete([prompt("three")])[0].text == "yes"


def test_a_budget_of_tokens_counts_prompts_before_and_completions_after():
    model, llm, _ = metered(
        lambda asked: Completion("yes", model="m", prompt_tokens=30, completion_tokens=60), tokens_at_most=100
    )
    model.complete([prompt("one")])

    with pytest.raises(Forbidden):
        model.complete([prompt("word " * 40)])

    assert len(llm.prompts) == 1
    assert model.complete([prompt("two")])[0].text == "yes"  # small enough for the rest


def test_what_an_endpoint_does_not_count_is_estimated_and_a_failed_call_is_a_call():
    replies = iter([Completion("yes", model="m"), ProviderError("down")])

    def script(asked):
        return next(replies)

    clock = FixedClock()
    store = InMemoryStore(clock=clock)
    model = MeteredLLM(ScriptedLLM(script, model="m"), store, clock)
    model.complete([prompt("one")])
    after_one = store.spent("2024-01-01")["m"]
    with pytest.raises(ProviderError):
        model.complete([prompt("two")])

    assert after_one.prompt_tokens > 0 < after_one.completion_tokens
    assert store.spent("2024-01-01")["m"] == after_one + Usage(llm_calls=1)


def test_an_equal_prompt_is_answered_from_memory_and_costs_nothing():
    model, llm, _ = metered(lambda asked: asked.turns[0].content, remembered=2)

    first = model.complete([prompt("one"), prompt("two")])
    second = model.complete([prompt("two"), prompt("one"), prompt("three")])

    assert [one.text for one in second] == ["two", "one", "three"]
    assert [one.is_remembered for one in second] == [True, True, False]
    assert (second[0].prompt_tokens, second[0].completion_tokens) == (0, 0)
    assert first[0].prompt_tokens > 0
    assert len(llm.prompts) == 3
    model.complete([prompt("two")])  # the least recently used was dropped for "three"
    assert len(llm.prompts) == 4


def test_errors_cut_replies_repairs_and_what_was_repaired_are_not_remembered():
    replies = iter([ProviderError("down"), Completion("cut", is_truncated=True), "bad", "repaired", "good"])
    model, llm, _ = metered(lambda asked: next(replies), remembered=9)
    repair = (Turn("assistant", "bad"), Turn("user", "again"))

    with pytest.raises(ProviderError):
        model.complete([prompt()])
    assert model.complete([prompt()])[0].text == "cut"
    assert model.complete([prompt()])[0].text == "bad"
    assert model.complete([prompt("hello", *repair)])[0].text == "repaired"

    assert model.complete([prompt()])[0].text == "good"
    assert len(llm.prompts) == 5


def test_remembering_can_be_switched_off():
    model, llm, _ = metered(lambda asked: "yes")

    model.complete([prompt()])
    model.complete([prompt()])

    assert len(llm.prompts) == 2


@pytest.mark.parametrize("store", [":memory:", "file"])
def test_an_add_beyond_the_budget_is_refused_its_messages_kept_and_a_retry_works(store, tmp_path):
    clock = FixedClock()
    path = store if store == ":memory:" else tmp_path / "m.db"
    memory, _ = open_memory(path, clock=clock, daily_call_budget=1)
    with memory:
        with pytest.raises(Forbidden, match=r"2024-01-02T00:00:00\+00:00.*retry operation") as caught:
            memory.add([("user", "I live in Lyon."), ("user", "I say nothing."), ("user", "Nor now.")], user="ana")
        [held] = memory.operations(user="ana").items

        assert held.operation_id in str(caught.value)
        assert (held.status, held.exchanges, memory.stats().messages, memory.stats().memories) == ("partial", 3, 3, 1)
        assert held.warnings[-1].code == "budget_used_up"
        assert held.usage.llm_calls == 1
        with pytest.raises(Forbidden):
            memory.retry(held.operation_id)

    clock.move(MIDNIGHT)
    if store == ":memory:":
        return
    memory, _ = open_memory(path, clock=clock, daily_call_budget=10)
    with memory:
        assert memory.retry(held.operation_id).status == "done"


def test_a_budget_is_shared_by_all_who_open_the_store(tmp_path):
    first, _ = open_memory(tmp_path / "m.db", daily_call_budget=1)
    second, _ = open_memory(tmp_path / "m.db", daily_call_budget=1)
    with first, second:
        first.add("I live in Lyon.", user="ana")

        with pytest.raises(Forbidden):
            second.for_tenant("t2").add("I live in Porto.", user="bo")


def test_an_answer_beyond_the_budget_is_the_evidence_as_it_stands():
    memory, llm = open_memory(":memory:", daily_call_budget=0)
    with memory:
        memory.add("I live in Lyon.", user="ana", infer=False)
        answer = memory.answer("Where does Ana live?", user="ana")

    assert "Lyon" in answer.text
    assert answer.warnings[0].code == "answer_without_model"
    assert llm.prompts == []


def test_a_deferred_add_waits_for_the_new_day_without_wasting_tries():
    clock = FixedClock()
    memory, _ = open_memory(":memory:", clock=clock, daily_call_budget=0, job_attempts=1)
    with memory:
        memory.add("I live in Lyon.", user="ana", wait=False)
        memory.flush()
        [job] = memory._ports.store.jobs()

        assert (job.status, job.due_at) == ("waiting", MIDNIGHT)


def test_given_facts_beyond_the_budget_are_refused():
    memory, _ = open_memory(":memory:")
    with memory:
        memory.add(facts=["Ana lives in Lyon"], user="ana")
    memory, _ = open_memory(":memory:", daily_call_budget=0)
    with memory:
        memory.add(facts=["Ana lives in Lyon"], user="ana")  # nothing similar is known: no model is asked
        with pytest.raises(Forbidden, match="give the facts again"):
            memory.add(facts=["Ana lives in Lyon now"], user="ana")


def test_stats_tell_what_models_took_today_and_what_it_cost(tmp_path):
    own = tmp_path / "prices.toml"
    own.write_text("[scripted]\nprompt = 1000000\ncompletion = 0\n")
    memory, _ = open_memory(":memory:", prices=str(own))
    with memory:
        memory.add("I live in Lyon.", user="ana")
        stats = memory.stats(user="ana")

    assert stats.today.llm_calls == 1
    assert stats.cost_today_usd == stats.today.prompt_tokens > 0


def test_costs_by_hand():
    usage = Usage(3, 2_000_000, 500_000)

    assert usage_cost(usage, "m", PRICE) == 3.0
    assert usage_cost(usage, "vendor/m-2024-08-06", PRICE) == 3.0
    assert usage_cost(usage, "m-large", PRICE) is None
    assert total_cost({"m": usage, "other": usage}, PRICE) is None
    assert total_cost({}, PRICE) == 0
    assert prices()["gpt-4o-mini"].prompt < prices()["gpt-4o"].prompt


@pytest.mark.parametrize(
    "text", ["[m]\nprompt = 1", "[m]\nprompt = 'a'\ncompletion = 1", "m = 1", "[m", "[m]\nprompt = -1\ncompletion = 1"]
)
def test_prices_of_another_form_are_refused(text, tmp_path):
    (tmp_path / "p.toml").write_text(text)

    with pytest.raises(SettingsError, match="prices"):
        prices(str(tmp_path / "p.toml"))


def test_a_missing_price_file_and_a_negative_budget_are_refused(tmp_path):
    with pytest.raises(SettingsError, match="cannot read"):
        prices(str(tmp_path / "none.toml"))
    with pytest.raises(SettingsError, match="daily_token_budget"):
        open_memory(":memory:", daily_token_budget=-1)


def test_an_erasure_forgets_what_was_remembered_but_not_what_was_spent():
    memory, llm = open_memory(":memory:")
    memory.add("I live in Lyon.", user="ana")
    asked = len(llm.prompts)
    memory.add("I live in Lyon.", user="ben")
    spent = memory.stats().today
    assert len(llm.prompts) == asked

    memory.erase(user="ana")
    memory.add("I live in Lyon.", user="cy")

    assert len(llm.prompts) == 2 * asked
    assert memory.stats().today == spent + spent
