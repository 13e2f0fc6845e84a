from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from perdure.errors import NotFound, ProviderTimeout, SettingsError
from perdure.models import ChangeSet, Closing, MemoryRecord, NewOperation, NewVersion, Scope
from perdure.prompts import recalled
from perdure.text import terms
from perdure.write.pipeline import Wishes, settle, write
from tests import make
from tests.conversation import Conversation, deciding, decision, decisions, fact, facts

LYON = "Ana lives in Lyon"
NICE = "Ana lives in Nice"
LATER = make.AT + timedelta(days=30)


def talk(*replies, **options):
    return Conversation(script=list(replies), **options)


def told(first, second, decided, *, at=LATER, **second_fields):
    """Two exchanges, each of one fact; the second is decided against the first."""
    one = talk(facts(fact(first, quote=first)), facts(fact(second, quote=second, **second_fields)), decided)
    one.say(first)
    return one, one.say(second, at=at)


# ---------------------------------------------------------------- Algorithm 1, branch by branch


def test_a_fact_that_resembles_nothing_is_added_without_a_decision_call():
    one = talk(facts(fact(LYON)), facts(fact("The car needs new tyres")))
    one.say(LYON)

    written = one.say("The car needs new tyres", at=LATER)

    assert one.texts() == [LYON, "The car needs new tyres"]
    assert [p.name for p in one.llm.prompts] == ["extract", "extract"]
    assert [c.event for c in written.log] == ["ADD"]


def test_a_known_fact_adds_its_source_to_the_memory_it_found():
    one, written = told(LYON, "Ana does live in Lyon", decisions(decision("NOOP", 1)))

    (memory,) = one.held()
    assert (memory.text, memory.version, memory.evidence_count) == (LYON, 1, 2)
    assert [s.at for s in memory.sources] == [make.AT, LATER]
    assert written.log[0].memory == (memory.id, 1)


def test_an_update_stores_the_merged_text_as_a_new_version_with_both_sources():
    merged = "Ana lives in Lyon with Ben"
    one, written = told(LYON, "Ana lives with Ben in Lyon", decisions(decision("UPDATE", 1, text=merged)))

    (memory,) = one.held()
    first, second = one.store.versions("default", memory.id)
    assert (first.text, first.retired_at, second.text) == (LYON, second.recorded_at, merged)
    assert (second.version, second.evidence_count, second.valid_from) == (2, 2, make.AT)
    assert (written.log[0].event, written.log[0].previous, written.log[0].memory) == (
        "UPDATE", (memory.id, 1), (memory.id, 2),
    )  # fmt: skip


def test_a_change_ends_the_old_memory_and_stores_the_fact_as_its_successor():
    one, written = told(LYON, NICE, decisions(decision("DELETE", 1, effect="change")))

    old, new = one.held("all")
    assert one.texts() == [NICE]
    assert (old.text, old.valid_to, old.version, old.superseded_by) == (LYON, LATER, 2, new.id)
    assert (new.text, new.valid_from, new.supersedes) == (NICE, LATER, (old.id,))
    assert [(c.event, c.effect) for c in written.log] == [("DELETE", "change"), ("ADD", None)]


def test_a_correction_retracts_the_old_memory_and_stores_the_fact_as_its_successor():
    one, _ = told(LYON, NICE, decisions(decision("DELETE", 1, effect="correction")), corrects=True)

    (new,) = one.held("all")
    (old,) = one.store.versions("default", new.supersedes[0])
    assert (new.text, old.text) == (NICE, LYON)
    assert old.retired_at is not None
    assert old.valid_to is None


def test_a_bare_negation_only_ends():
    negation = "Ana no longer lives in Lyon"
    one, written = told(LYON, negation, decisions(decision("DELETE", 1, effect="change")), ends=True)

    (old,) = one.held("all")
    assert (old.text, old.valid_to, old.superseded_by) == (LYON, LATER, None)
    assert [c.event for c in written.log] == ["DELETE"]


def test_a_bare_negation_of_nothing_known_is_a_memory():
    one = talk(facts(fact("Ana no longer smokes", ends=True)))
    one.say("Ana no longer smokes")

    assert one.texts() == ["Ana no longer smokes"]


def test_a_contradiction_with_a_redundant_add_stores_one_successor():
    one, _ = told(LYON, NICE, decisions(decision("DELETE", 1), decision("ADD")))

    assert one.texts() == [NICE]


def test_several_contradicted_memories_have_one_successor():
    flat, news = "A flat near the river in Lyon", "Ana of Lyon river lives in Nice"
    one = Conversation(
        deciding(
            [facts(fact(LYON), fact(flat)), facts(fact(news))],
            lambda shown: decisions(decision("DELETE", shown[LYON]), decision("DELETE", shown[flat])),
        )
    )
    one.say(f"{LYON}. {flat}.")

    one.say(news, at=LATER)

    (new,) = one.held()
    assert len(new.supersedes) == 2
    assert [m.superseded_by for m in one.held("ended")] == [new.id, new.id]


def test_a_fact_that_ends_one_memory_and_repeats_another_makes_that_one_the_successor():
    rents, news = "Ana rents in Nice", "Ana lives in Nice where she rents"
    one = Conversation(
        deciding(
            [facts(fact(LYON), fact(rents)), facts(fact(news))],
            lambda shown: decisions(decision("DELETE", shown[LYON]), decision("NOOP", shown[rents])),
        )
    )
    one.say(f"{LYON}. {rents}.")

    one.say(news, at=LATER)

    (current,) = one.held()
    (ended,) = one.held("ended")
    assert (current.text, ended.text, ended.superseded_by) == (rents, LYON, current.id)


# ---------------------------------------------------------------- the guard, order, duplicates


def test_a_merge_that_drops_something_is_refused_and_the_fact_added_apart():
    one, written = told(
        "Ana lives in Lyon with Ben",
        "Ana lives in a flat",
        decisions(decision("UPDATE", 1, text="Ana lives in a flat")),
    )

    assert one.texts() == ["Ana lives in Lyon with Ben", "Ana lives in a flat"]
    assert [w.code for w in written.warnings] == ["merge_refused"]
    assert "ben, lyon" in written.warnings[0].detail


def test_a_merge_that_adds_nothing_is_a_noop():
    one, written = told(LYON, "Ana is living in Lyon", decisions(decision("UPDATE", 1, text="Ana is living in Lyon")))

    assert [(m.text, m.version, m.evidence_count) for m in one.held()] == [(LYON, 1, 2)]
    assert [c.event for c in written.log] == ["NOOP"]


def test_two_merges_into_one_memory_are_folded_into_one_version_in_order():
    ben, dog = "Ana lives with Ben in Lyon", "Ana lives in Lyon and has a dog"
    merged = ["Ana lives in Lyon with Ben", "Ana lives in Lyon with Ben and has a dog"]
    one = talk(
        facts(fact(LYON)),
        facts(fact(ben), fact(dog)),
        decisions(decision("UPDATE", 1, 1, text=merged[0]), decision("UPDATE", 1, 2, text=merged[1])),
    )
    one.say(LYON)

    written = one.say(f"{ben}. {dog}.", at=LATER)

    assert [(m.text, m.version) for m in one.held()] == [(merged[1], 2)]
    assert [c.memory[1] for c in written.log] == [2, 2]


def test_a_second_merge_that_forgets_the_first_is_refused():
    ben, dog = "Ana lives with Ben in Lyon", "Ana lives in Lyon and has a dog"
    one = talk(
        facts(fact(LYON)),
        facts(fact(ben), fact(dog)),
        decisions(decision("UPDATE", 1, 1, text="Ana lives in Lyon with Ben"), decision("UPDATE", 1, 2, text=dog)),
    )
    one.say(LYON)

    written = one.say(f"{ben}. {dog}.", at=LATER)

    assert one.texts() == ["Ana lives in Lyon with Ben", dog]
    assert [w.code for w in written.warnings] == ["merge_refused"]


@pytest.mark.parametrize("event", ["UPDATE", "NOOP"])
def test_a_memory_retired_in_this_exchange_takes_nothing_more(event):
    flat = "Ana lives in Lyon by the river"
    one = talk(
        facts(fact(LYON)),
        facts(fact(NICE), fact(flat)),
        decisions(decision("DELETE", 1, 1), decision(event, 1, 2, text=flat)),
    )
    one.say(LYON)

    one.say(f"{NICE}. {flat}.", at=LATER)

    assert one.texts() == [NICE, flat]
    assert [(m.text, m.valid_to) for m in one.held("ended")] == [(LYON, LATER)]


def test_an_update_and_then_a_change_of_one_memory_leave_one_ended_row():
    ben = "Ana lives with Ben in Lyon"
    one = talk(
        facts(fact(LYON)),
        facts(fact(ben), fact(NICE)),
        decisions(decision("UPDATE", 1, 1, text="Ana lives in Lyon with Ben"), decision("DELETE", 1, 2)),
    )
    one.say(LYON)

    written = one.say(f"{ben}. {NICE}.", at=LATER)

    (ended,) = one.held("ended")
    assert (ended.text, ended.version, ended.valid_to) == ("Ana lives in Lyon with Ben", 2, LATER)
    assert [c.event for c in written.log] == ["UPDATE", "DELETE", "ADD"]


def test_a_fact_said_twice_in_one_exchange_is_one_memory_with_both_sources():
    one = talk(facts(fact(LYON, 1), fact("Ana lives in Lyon.", 2, quote="in Lyon")))

    written = one.say(LYON, "So you live in Lyon!")

    (memory,) = one.held()
    assert (memory.text, memory.evidence_count) == (LYON, 2)
    assert [c.event for c in written.log] == ["ADD", "NOOP"]


def test_one_message_is_a_source_of_a_memory_once():
    one = talk(facts(fact(LYON), fact("ANA lives in Lyon!", quote=LYON)))
    one.say(LYON)

    assert [m.evidence_count for m in one.held()] == [1]


# ---------------------------------------------------------------- origins and times


@pytest.mark.parametrize("event", ["DELETE", "UPDATE"])
def test_what_the_assistant_said_never_touches_what_the_user_said(event):
    said = "Ana lives in Nice by the sea"
    one = talk(
        facts(fact(LYON)),
        facts(fact(said, 2, quote=said)),
        decisions(decision(event, 1, text="Ana lives in Lyon, Nice by the sea")),
    )
    one.say(LYON)

    written = one.say("Hello", said, at=LATER)

    assert [(m.text, m.origin, m.valid_to) for m in one.held()] == [(LYON, "user", None), (said, "assistant", None)]
    assert [w.code for w in written.warnings] == ["origin_protected"]


def test_a_user_may_end_what_the_assistant_said():
    one = talk(facts(fact(LYON, 2)), facts(fact(NICE)), decisions(decision("DELETE", 1)))
    one.say("Hi", LYON)

    one.say(NICE, at=LATER)

    assert one.texts() == [NICE]


def test_what_the_user_confirms_becomes_the_users_own_word():
    one = talk(
        facts(fact(LYON, 2)), facts(fact("Yes Ana lives in Lyon")), decisions(decision("NOOP", 1)),
        facts(fact(NICE, 2)), decisions(decision("DELETE", 1)),
    )  # fmt: skip
    one.say("Hi", LYON)
    one.say("Yes Ana lives in Lyon", at=LATER)

    written = one.say("Hm", NICE, at=LATER)

    assert [(m.text, m.origin) for m in one.held()] == [(LYON, "user"), (NICE, "assistant")]
    assert [w.code for w in written.warnings] == ["origin_protected"]


def test_an_old_message_that_comes_in_late_ends_nothing_newer_and_is_stored_as_ended():
    one, written = told(LYON, NICE, decisions(decision("DELETE", 1)), at=make.AT - timedelta(days=400))

    (lyon,) = one.held()
    (nice,) = one.held("ended")
    assert (lyon.text, lyon.version, lyon.valid_to) == (LYON, 1, None)
    assert (nice.valid_from, nice.valid_to) == (make.AT - timedelta(days=400), make.AT)
    assert nice.superseded_by == lyon.id
    assert [w.code for w in written.warnings] == ["older_than_known"]


def test_a_change_that_began_before_the_old_memory_never_ends_it_before_its_beginning():
    one, _ = told(LYON, NICE, decisions(decision("DELETE", 1)), valid_from="2019")

    (nice,) = one.held()
    (lyon,) = one.held("ended")
    assert nice.valid_from == datetime(2019, 1, 1, tzinfo=UTC)
    assert lyon.valid_to == lyon.valid_from == make.AT


def test_a_change_with_a_date_of_its_own_ends_the_old_memory_at_that_date():
    one, _ = told(LYON, NICE, decisions(decision("DELETE", 1)), valid_from="2024-06-01")

    assert [m.valid_to for m in one.held("ended")] == [datetime(2024, 6, 1, tzinfo=UTC)]


# ---------------------------------------------------------------- failures, repairs, cost


def test_a_failed_extraction_commits_nothing_and_the_same_exchange_can_be_written_later():
    one = talk("I cannot do that", "Still not", facts(fact(LYON)))
    (exchange,) = one.begin(make.message(LYON))

    failed = write(exchange, one.ports, one.settings, policy="consolidate")
    assert (failed.is_done, [w.code for w in failed.warnings], failed.usage.llm_calls) == (
        False, ["extraction_failed"], 2,
    )  # fmt: skip
    assert one.texts() == []
    assert one.store.exchanges("default", exchange.operation_id)[0].is_done is False
    assert [m.content for m in one.store.messages(one.scope).items] == [LYON]

    assert write(exchange, one.ports, one.settings, policy="consolidate").is_done
    assert one.texts() == [LYON]


def test_an_outage_is_told_apart_from_no_facts():
    one = talk(ProviderTimeout("no answer within 60 s"), facts())

    outage, nothing = one.say("Hello"), one.say("Hello again")

    assert (outage.is_done, outage.warnings[0].code) == (False, "extraction_failed")
    assert (nothing.is_done, nothing.warnings, nothing.log) == (True, (), ())


def test_a_failed_decision_commits_nothing():
    one, written = told(LYON, NICE, "no idea")

    assert (written.is_done, [w.code for w in written.warnings]) == (False, ["decision_failed"])
    assert one.texts() == [LYON]


def test_a_reply_that_cannot_be_read_is_repaired_once():
    one = talk("Well...", facts(fact(LYON)))

    written = one.say(LYON)

    assert written.is_done
    assert written.usage.llm_calls == 2
    assert one.llm.prompts[1].turns[1].content == "Well..."


def test_an_exchange_costs_one_extraction_and_at_most_one_decision_however_many_facts():
    many = [fact(f"Ana has visited Lyon {i} times") for i in range(1, 9)]
    one = talk(
        facts(fact("Ana visited Lyon")), facts(*many), decisions(*(decision("ADD", number=i) for i in range(1, 9)))
    )
    one.say("Ana visited Lyon")

    written = one.say("\n".join(f["text"] for f in many), at=LATER)

    assert [p.name for p in one.llm.prompts] == ["extract", "extract", "decide"]
    assert written.usage.llm_calls == 2
    assert written.usage.prompt_tokens > 0
    assert written.usage.embedded_texts == 8


def test_what_was_committed_is_in_the_operation_with_model_and_prompt():
    one, written = told(LYON, NICE, decisions(decision("DELETE", 1, reason="moved")))

    row = one.store.operation("default", "op-2")
    assert row.log == written.log
    assert row.usage == written.usage
    assert {(c.model, c.reason, c.candidate) for c in row.log} == {("scripted", "moved", NICE)}
    assert {c.prompt_hash for c in row.log} == {one.llm.prompts[-1].hash}


def test_an_exchange_without_words_costs_nothing_and_is_done():
    block = f"{recalled.OPEN}\n[1] Ana has a horse\n{recalled.CLOSE}"
    one = talk()

    written = one.say(block)

    assert (written.is_done, written.usage.llm_calls) == (True, 0)
    assert [w.code for w in written.warnings] == ["recalled_left_out"]
    assert one.store.exchanges("default", "op-1")[0].is_done


# ---------------------------------------------------------------- other writers


class Between:
    """A store into which another writer commits just before the first `times` commits."""

    def __init__(self, talk, texts):
        self._store, self._talk, self._texts = talk.store, talk, list(texts)

    def __getattr__(self, name):
        return getattr(self._store, name)

    def commit(self, changes, *, collides=None):
        if self._texts:
            given = self._texts.pop(0)
            new = given if isinstance(given, MemoryRecord) else make.memory(given, id=self._talk.ids.new())
            operation = NewOperation(self._talk.ids.new(), "add", changes.scope, "llm")
            other = ChangeSet(
                changes.scope,
                operation.id,
                operation=operation,
                closed=(Closing(new.id, new.version - 1),) if new.version > 1 else (),
                opened=(NewVersion(new, self._talk.embedder.embed([new.text], None)[0], terms(new.text)),),
            )
            self._store.commit(other)
        return self._store.commit(changes, collides=collides)


def between(one, *texts):
    one.ports = replace(one.ports, store=Between(one, texts))
    return one


def test_a_fact_written_meanwhile_by_another_writer_is_decided_again_and_not_doubled():
    one = between(talk(facts(fact(LYON)), decisions(decision("NOOP", 1))), "In Lyon Ana lives")

    written = one.say(LYON)

    assert one.texts() == ["In Lyon Ana lives"]
    assert (written.is_done, written.conflicts) == (True, 1)
    assert [w.code for w in written.warnings] == ["decided_again"]


def test_an_unrelated_fact_written_meanwhile_is_no_conflict():
    one = between(talk(facts(fact(LYON))), "The car needs new tyres")

    written = one.say(LYON)

    assert (written.conflicts, len(one.texts())) == (0, 2)


def test_a_memory_that_ended_meanwhile_takes_no_source():
    one = Conversation(
        deciding(
            [facts(fact(LYON)), facts(fact("Ana does live in Lyon"))],
            lambda shown: decisions(decision("NOOP", 1)),
        )
    )
    one.say(LYON)
    (lyon,) = one.held()
    ended = replace(lyon, version=2, valid_to=LATER)
    one.ports = replace(one.ports, store=Between(one, [ended]))

    written = one.say("Ana does live in Lyon", at=LATER)

    assert (written.conflicts, one.texts()) == (1, ["Ana does live in Lyon"])


def test_deciding_again_is_bounded():
    texts = [f"Ana lives in Lyon {word}" for word in ("now", "today", "happily", "again")]
    one = Conversation(
        deciding([facts(fact(LYON))], lambda shown: decisions(decision("ADD"))),
        settings=replace(Conversation().settings, max_conflicts=2),
    )

    written = between(one, *texts).say(LYON)

    assert (written.is_done, written.conflicts, [w.code for w in written.warnings]) == (False, 2, ["conflicts"])
    assert LYON not in one.texts()


def test_an_exchange_settled_by_another_worker_is_not_settled_twice():
    one = talk(facts(fact(LYON)), facts(fact(LYON)), decisions(decision("ADD")))
    (exchange,) = one.begin(make.message(LYON))
    write(exchange, one.ports, one.settings, policy="consolidate")

    again = write(exchange, one.ports, one.settings, policy="consolidate")

    assert (again.is_done, [w.code for w in again.warnings]) == (True, ["settled_elsewhere"])
    assert one.texts() == [LYON]


# ---------------------------------------------------------------- policies, facts, wishes, jobs


def test_append_only_adds_and_knows_duplicates_without_a_decision_call():
    one = talk(facts(fact(LYON)), facts(fact("ana lives in LYON."), fact(NICE)), policy="append")
    one.say(LYON)

    written = one.say(f"ana lives in LYON. {NICE}", at=LATER)

    assert one.texts() == [LYON, NICE]
    assert [c.event for c in written.log] == ["NOOP", "ADD"]
    assert [p.name for p in one.llm.prompts] == ["extract", "extract"]


def test_the_same_event_on_another_day_is_no_duplicate():
    dentist = "Ana goes to the dentist"
    one = talk(
        facts(fact(dentist, event_from="2024-05-09")),
        facts(fact(dentist, event_from="2024-06-09"), fact(dentist, event_from="2024-06-09")),
        policy="append",
    )
    one.say(dentist)

    one.say(dentist, at=LATER)

    assert [m.event_from.month for m in one.held()] == [5, 6]


def test_without_a_model_the_offline_engine_writes_and_costs_no_call():
    one = Conversation()

    written = one.say("I live in Lyon.", "Lovely!")

    assert len(one.texts()) == 1
    assert "Lyon" in one.texts()[0]
    assert (written.usage.llm_calls, written.log[0].model) == (0, None)


def test_given_facts_are_settled_without_extraction():
    one = talk(decisions(decision("DELETE", 1)))
    for text, id, at in ((LYON, "f-1", make.AT), (NICE, "f-2", LATER)):
        new = NewOperation(id, "add", one.scope, "llm")
        given = make.candidate(text, at=at, origin="manual")
        written = settle([given], one.ports, one.settings, new=new, is_begun=False, policy="consolidate")

    assert one.texts() == [NICE]
    assert [p.name for p in one.llm.prompts] == ["decide"]
    assert [c.event for c in written.log] == ["DELETE", "ADD"]
    assert one.held()[0].sources[0].message_id is None


def test_the_callers_wishes_reach_the_prompt_and_every_memory():
    expires = make.AT + timedelta(days=2000)
    one = talk(facts(fact(LYON)))

    one.say(LYON, wishes=Wishes("Only places.", {"app": "x"}, "profile", expires))

    (memory,) = one.held()
    assert (memory.metadata, memory.kind, memory.expires_at) == ({"app": "x"}, "profile", expires)
    assert "Only places." in one.llm.prompts[0].system


def test_a_new_run_does_not_learn_the_user_again_but_has_a_window_of_its_own():
    one = talk(facts(fact(LYON)), facts(fact("Ana lives in Lyon!")), decisions(decision("NOOP", 1)))
    one.scope = Scope("default", user="ana", run="r1")
    one.say(LYON)
    one.scope = Scope("default", user="ana", run="r2")

    one.say("Ana lives in Lyon!", at=LATER)

    one.scope = Scope("default", user="ana")
    assert [(m.text, m.run, m.evidence_count) for m in one.held()] == [(LYON, "r1", 2)]
    assert "(none)" in one.llm.prompts[1].turns[0].content.split("EARLIER")[1]


def test_a_summary_job_is_enqueued_every_n_exchanges_of_a_scope():
    one = talk(*[facts()] * 4, settings=replace(Conversation().settings, summary_every=2))

    waiting = []
    for i in range(4):
        one.say(f"Hello {i}")
        waiting.append([(j.kind, j.payload) for j in one.store.jobs()])

    job = ("summary", {"user": "ana", "agent": None, "run": None})
    assert waiting == [[], [job], [job], [job]]


# ---------------------------------------------------------------- the paper's policy


def test_paper_follows_the_pseudo_code():
    one = talk(
        facts(fact(LYON)),
        facts(fact("Ana lives in Lyon with Ben"), fact("Ana lives in Lyon"), fact("Ana left Lyon for Nice")),
        {"tool": "update_memory", "arguments": {"memory": 1}},
        {"tool": "update_memory", "arguments": {"memory": 1}},
        {"tool": "delete_memory", "arguments": {"memory": 1}},
        policy="paper",
    )
    one.say(LYON)
    (before,) = one.held()

    written = one.say("Ana lives in Lyon with Ben. Ana lives in Lyon. Ana left Lyon for Nice.", at=LATER)

    assert [c.event for c in written.log] == ["UPDATE", "NOOP", "DELETE"]
    assert one.held("all") == []
    with pytest.raises(NotFound):
        one.store.memory("default", before.id)


def test_paper_asks_one_decision_per_candidate_on_what_those_before_left():
    one = talk(
        facts(fact(LYON), fact("Ana lives in Lyon with Ben")),
        {"tool": "update_memory", "arguments": {"memory": 1}},
        policy="paper",
    )

    one.say("Ana lives in Lyon. Ana lives in Lyon with Ben.")

    assert [p.name for p in one.llm.prompts] == ["extract", "paper_decide"]
    assert [(m.text, m.version) for m in one.held()] == [("Ana lives in Lyon with Ben", 1)]


def test_paper_replaces_a_memory_only_by_a_fact_of_more_content_words():
    one = talk(
        facts(fact("Ana lives in Lyon with Ben")), facts(fact(LYON)),
        {"tool": "update_memory", "arguments": {"memory": 1}}, policy="paper",
    )  # fmt: skip
    one.say("Ana lives in Lyon with Ben")

    one.say(LYON, at=LATER)

    assert one.texts() == ["Ana lives in Lyon with Ben"]


def test_paper_adds_where_nothing_is_similar_and_where_the_tool_says_so():
    one = talk(
        facts(fact(LYON)), facts(fact("The car needs tyres"), fact("Ben lives in Lyon")),
        {"tool": "add_memory", "arguments": {}}, policy="paper",
    )  # fmt: skip
    one.say(LYON)

    one.say("The car needs tyres. Ben lives in Lyon.", at=LATER)

    assert sorted(one.texts()) == [LYON, "Ben lives in Lyon", "The car needs tyres"]


def test_paper_without_a_model_is_a_settings_error():
    with pytest.raises(SettingsError, match="language model"):
        Conversation(policy="paper").say("I live in Lyon.")
