from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from perdure import Memory
from perdure.errors import ProviderError
from perdure.models import ChangeSet, NewMessage, NewOperation, NewVersion, Role, Scope, Selection
from perdure.ports import Ports
from perdure.providers.fakes import CountingIds, FixedClock, HashEmbedder, ScriptedLLM
from perdure.read.answer import UNKNOWN
from perdure.read.pipeline import answer, context, search
from perdure.read.query import Query
from perdure.settings import Settings
from perdure.stores.in_memory import InMemoryStore
from perdure.text import spoken, terms
from tests import make

SETTINGS = Settings()
DAY = timedelta(days=1)
NOW = make.AT + 400 * DAY


class World:
    """A store with an embedder of hashes, and ways to put rows into it."""

    def __init__(self, *, embedder=None, llm=None):
        self.clock = FixedClock(NOW)
        embedder = embedder or HashEmbedder(512)
        store = InMemoryStore(clock=self.clock)
        store.claim_embedder(embedder.model, embedder.dimensions)
        self.ports = Ports(store, self.clock, CountingIds(), embedder=embedder, llm=llm)

    def _vector(self, text):
        return self.ports.embedder.embed([text], Role.DOCUMENT)[0] if self.ports.embedder.covers(text) else None

    def say(self, *contents, scope=None, **fields):
        scope = scope or make.scope()
        for content in contents:
            message = make.message(content, **fields)
            text = spoken(message.speaker, content)
            new = NewMessage(self.ports.ids.new(), message, 0, self._vector(text), terms(text))
            self.ports.store.begin(NewOperation(self.ports.ids.new(), "add", scope, "verbatim"), [new], status="done")
        return self

    def hold(self, *texts, scope=None, **fields):
        scope = scope or make.scope()
        for text in texts:
            operation = NewOperation(self.ports.ids.new(), "add", scope, "offline")
            ids = {"user": scope.user, "agent": scope.agent, "run": scope.run}
            record = make.memory(text, **{"id": self.ports.ids.new(), **ids, **fields})
            opened = NewVersion(record, self._vector(text), terms(text))
            changes = ChangeSet(scope, operation.id, operation=operation, finishes="done", opened=(opened,))
            self.ports.store.commit(changes)
        return self

    def query(self, text, *, scope=None, **fields):
        selection = fields.pop("selection", Selection(scope or make.scope(), now=NOW))
        return Query(text, selection, **fields)

    def search(self, text, *, settings=SETTINGS, **fields):
        return search([self.query(text, **fields)], self.ports, settings)[0]

    def context(self, text, *, budget_tokens=1500, **fields):
        return context(self.query(text, **fields), self.ports, SETTINGS, budget_tokens=budget_tokens)

    def answer(self, text, *, settings=SETTINGS, short=False, **fields):
        return answer(self.query(text, **fields), self.ports, settings, budget_tokens=1500, now=NOW, short=short)


def texts(hits):
    return [hit.text for hit in hits]


def test_the_fact_that_was_asked_for_comes_first():
    world = World().hold("Ana is vegetarian", "Ana lives in Lyon", "Ana has a cat named Momo")

    found = world.search("Where does Ana live? In Lyon?")

    assert texts(found)[0] == "Ana lives in Lyon"
    assert found[0].kind == "memory"
    assert 1 > found[0].score > found[1].score > 0
    assert found.calibration_id
    assert 0 < found.confidence < 1


def test_k_counts_every_hit_whatever_its_kind():
    world = World().hold("Ana lives in Lyon", "Ana works in Lyon").say("I moved to Lyon", "Lyon is nice")

    found = world.search("Lyon", k=3)

    assert len(found) == 3
    assert {hit.kind for hit in world.search("Lyon", k=10)} == {"memory", "message"}


@pytest.mark.parametrize(("include", "kinds"), [(("memories",), {"memory"}), (("messages",), {"message"})])
def test_only_the_kinds_that_were_asked_for_are_returned(include, kinds):
    world = World().hold("Ana lives in Lyon").say("I moved to Lyon")

    assert {hit.kind for hit in world.search("Lyon", include=include)} == kinds


def test_a_message_is_shown_with_its_speaker_and_the_time_it_was_said():
    [hit] = World().say("I moved to Lyon", name="Ana").search("Lyon")

    assert (hit.text, hit.at, hit.message.content) == ("Ana: I moved to Lyon", make.AT, "I moved to Lyon")


def test_a_memory_is_dated_by_its_event_else_by_its_validity():
    world = World().hold("Ana went to Paris", event_from=make.AT - DAY, event_to=make.AT).hold("Ana likes Paris")

    assert {hit.text: hit.at for hit in world.search("Paris")} == {
        "Ana went to Paris": make.AT - DAY,
        "Ana likes Paris": make.AT,
    }


def test_an_empty_scope_gives_no_hits_and_no_confidence():
    found = World().hold("Ana lives in Lyon").search("Lyon", scope=make.scope(user="ben"))

    assert (len(found), found.confidence, found.warnings) == (0, 0.0, ())


def test_scopes_never_meet():
    world = World().hold("Ana lives in Lyon").hold("Ben lives in Lyon", scope=make.scope(user="ben"))

    assert texts(world.search("lives in Lyon", scope=make.scope(user="ben"))) == ["Ben lives in Lyon"]
    assert len(world.search("Lyon", scope=Scope("other", user="ana"))) == 0


def test_an_agents_view_merges_the_partitions_of_its_users():
    world = World()
    for user in ("ana", "ben"):
        world.hold(f"{user} lives in Lyon", "likes tea", scope=make.scope(user=user, agent="helper"))

    found = world.search("lives in Lyon", scope=Scope("default", agent="helper"), k=2)

    assert set(texts(found)) == {"ana lives in Lyon", "ben lives in Lyon"}


def test_what_has_ended_is_found_on_request_only():
    world = World().hold("Ana lives in Lyon").hold("Ana lives in Paris", valid_to=make.AT + DAY)
    every = Selection(make.scope(), now=NOW, validity="all")

    assert "Ana lives in Paris" not in texts(world.search("Ana lives"))
    assert "Ana lives in Paris" in texts(world.search("Ana lives", selection=every))


def test_the_threshold_acts_on_the_returned_score():
    world = World().hold("Ana lives in Lyon", "Ana has a cat", "Ben likes chess")
    first, *others = world.search("Ana lives in Lyon")

    found = world.search("Ana lives in Lyon", threshold=first.score)

    assert others
    assert found.hits == (first,)


def test_explain_says_how_each_channel_spoke():
    world = World().hold("Ana lives in Lyon", "Ana has a cat")
    plain, explained = world.search("Lyon"), world.search("Lyon", explain=True)

    assert plain[0].explanation is None
    why = explained[0].explanation
    assert [part.channel for part in why.signals] == ["dense", "sparse"]
    assert why.fused == pytest.approx(sum(part.weight * part.normalised for part in why.signals))
    assert why.calibration_id == explained.calibration_id
    assert [hit.score for hit in plain] == [hit.score for hit in explained]


def test_a_batch_gives_what_its_queries_give_alone_and_is_embedded_at_once():
    calls = []

    class Counting(HashEmbedder):
        def embed(self, texts, role):
            calls.append((len(texts), role))
            return super().embed(texts, role)

    world = World(embedder=Counting(512)).hold("Ana lives in Lyon", "Ana has a cat").say("I like tea")
    queries = [world.query("Lyon"), world.query("cat", k=1), world.query("tea", include=("messages",))]
    alone = [search([query], world.ports, SETTINGS)[0] for query in queries]
    calls.clear()

    together = search(queries, world.ports, SETTINGS)

    assert together == alone
    assert calls == [(3, Role.QUERY)]
    assert [found.usage.embedded_texts for found in together] == [1, 1, 1]


class EnglishOnly(HashEmbedder):
    def covers(self, text):
        return text.isascii()


def test_a_script_the_embedder_does_not_cover_is_searched_by_words_with_a_warning():
    world = World(embedder=EnglishOnly(512)).hold("她喜欢吃苹果", "Ana likes apples")

    found = world.search("苹果", explain=True)

    assert texts(found) == ["她喜欢吃苹果"]
    assert [w.code for w in found.warnings] == ["dense_uncovered"]
    assert [part.channel for part in found[0].explanation.signals] == ["sparse"]


def test_an_embedder_that_fails_leaves_the_words_with_a_warning():
    world = World().hold("Ana lives in Lyon")

    class Down(HashEmbedder):
        def embed(self, texts, role):
            raise ProviderError("no connection")

    found = search([world.query("Lyon")], replace(world.ports, embedder=Down(512)), SETTINGS)[0]

    assert texts(found) == ["Ana lives in Lyon"]
    assert [w.code for w in found.warnings] == ["dense_failed"]


def test_without_an_embedder_words_find():
    world = World().hold("Ana lives in Lyon", "Ana has a cat")

    found = search([world.query("Lyon")], replace(world.ports, embedder=None), SETTINGS)[0]

    assert texts(found) == ["Ana lives in Lyon"]
    assert found.usage.embedded_texts == 0


def test_repetitions_leave_room_for_other_hits():
    world = World().hold(*["Ana lives in Lyon"] * 30, "Ana works in Lyon")

    assert texts(world.search("Lyon", k=2)) == ["Ana lives in Lyon", "Ana works in Lyon"]


def test_rank_fusion_is_there_by_name():
    world = World().hold("Ana lives in Lyon", "Ana has a cat")

    found = world.search("Lyon", settings=Settings(fusion="rrf"))

    assert texts(found)[0] == "Ana lives in Lyon"
    assert found.calibration_id == "rrf-share-of-best"


def test_a_small_scope_is_given_whole_and_in_order():
    world = World().say("Hello there", at=make.AT).say("My cat is called Momo", at=make.AT + DAY).hold("Ana likes tea")

    packed = world.context("zebra")

    assert texts(packed.hits) == ["Ana likes tea", "user: Hello there", "user: My cat is called Momo"]
    assert packed.warnings == ()


def test_a_large_scope_gives_what_was_asked_for_within_the_budget():
    world = World().say(*[f"We spoke about subject number {n}" for n in range(60)], "My cat is called Momo")

    packed = world.context("What is the cat called?", budget_tokens=120)

    assert "user: My cat is called Momo" in texts(packed.hits)
    assert packed.tokens <= 120


def test_a_context_keeps_to_what_the_query_admits():
    world = (
        World()
        .hold("Ana likes tea", "Ana likes coffee")
        .say("I like tea")
        .hold("Ana likes milk", valid_to=make.AT + DAY)
    )

    assert {hit.kind for hit in world.context("tea", include=("memories",)).hits} == {"memory"}
    assert "Ana likes milk" not in texts(world.context("tea").hits)


def test_an_answer_without_a_model_is_the_evidence_cited():
    world = World().hold("Ana lives in Lyon", "Ben plays chess")

    found = world.answer("Where does Ana live?", short=True)

    assert (found.text, texts(found.citations), found.abstained) == ("Ana lives in Lyon", ["Ana lives in Lyon"], False)
    assert found.usage.llm_calls == 0


def test_an_answer_reads_ended_memories_and_labels_them():
    world = World(llm=ScriptedLLM([{"answer": "Paris", "citations": [1], "known": True}]))
    world.hold("Ana lives in Lyon", valid_from=make.AT + DAY).hold("Ana lives in Paris", valid_to=make.AT + DAY)

    found = world.answer("Where did Ana live before?")

    [prompt] = world.ports.llm.prompts
    assert "[1] 8 May 2024 until 9 May 2024, ended: Ana lives in Paris" in prompt.turns[0].content
    assert (found.text, texts(found.citations), found.abstained) == ("Paris", ["Ana lives in Paris"], False)
    assert found.usage.llm_calls == 1
    assert found.usage.prompt_tokens > 0


def test_an_answer_abstains_where_the_model_says_that_it_is_not_known():
    world = World(llm=ScriptedLLM([{"answer": "No word of a dog.", "citations": [], "known": False}]))

    found = world.hold("Ana has a dog").answer("What is Ana's dog called?")

    assert (found.text, found.abstained) == ("No word of a dog.", True)


def test_an_answer_abstains_without_asking_the_model_where_nothing_is_found():
    world = World(llm=ScriptedLLM([]))

    found = world.answer("Where does Ana live?")

    assert (found.text, found.citations, found.abstained, found.confidence) == (UNKNOWN, (), True, 0.0)
    assert world.ports.llm.prompts == []


def test_an_answer_abstains_below_the_confidence_that_was_set():
    world = World().hold("Ana lives in Lyon")

    assert not world.answer("zebra Lyon", settings=Settings(abstain_below=0.0)).abstained
    assert world.answer("zebra Lyon", settings=Settings(abstain_below=1.0)).abstained


@pytest.mark.parametrize("reply", [ProviderError("no connection"), ""])
def test_a_model_that_fails_leaves_the_evidence_with_a_warning(reply):
    world = World(llm=ScriptedLLM([reply])).hold("Ana lives in Lyon")

    found = world.answer("Where does Ana live?", short=True)

    assert found.text == "Ana lives in Lyon"
    assert "answer_without_model" in [w.code for w in found.warnings]


def test_a_reranker_has_the_last_word_on_the_order():
    class Shortest:
        def score(self, query, texts):
            return [-float(len(text)) for text in texts]

    world = World().hold("Ana lives in Lyon with a cat", "Lyon")

    found = search([world.query("Ana lives in Lyon with")], replace(world.ports, reranker=Shortest()), SETTINGS)[0]

    assert texts(found) == ["Lyon", "Ana lives in Lyon with a cat"]
    assert found[0].score >= found[1].score


def test_an_answer_tells_how_long_it_took_by_the_clock() -> None:
    class Ticking(FixedClock):
        def now(self) -> datetime:
            self.move(timedelta(milliseconds=5))
            return self.at

    memory = Memory(":memory:", embedder=HashEmbedder(), clock=Ticking())
    memory.add("I like tea.", user="ana")

    found = memory.answer("What does Ana like?", user="ana")

    assert found.usage.ms > 0
    assert found.usage.embedded_texts == 1


def test_a_message_said_later_is_hidden_from_as_of():
    world = World().say("Ana likes tea", at=make.AT).say("Ana likes tea no more", at=make.AT + 2 * DAY)
    then = Selection(make.scope(), now=NOW, as_of=make.AT + DAY)

    for hits in (
        world.search("What tea does Ana like?", selection=then).hits,
        world.context("zebra", selection=then).hits,
    ):
        assert [hit.message.content for hit in hits] == ["Ana likes tea"]


def test_an_answer_in_the_past_reads_nothing_said_later():
    world = World().say("Ana likes tea", at=make.AT).say("Ana likes tea no more", at=make.AT + 2 * DAY)
    world.hold("Ana lives in Lyon", valid_from=make.AT + 2 * DAY)

    found = answer(world.query("What tea does Ana like?"), world.ports, SETTINGS, budget_tokens=1500, now=make.AT + DAY)

    assert [hit.text for hit in found.citations] == ["user: Ana likes tea"]


def test_what_is_said_of_an_earlier_time_is_read_whole_where_no_time_is_asked_for():
    world = World().say("Ana likes tea", at=NOW + DAY)

    assert len(world.search("tea").hits) == 1


def test_a_warning_tells_of_strong_evidence_that_does_not_fit_and_not_of_weak():
    world = World().say(*[f"We spoke about subject number {n}" for n in range(60)], "My cat is called Momo")

    enough = world.context("What is the cat called?", budget_tokens=200)
    little = world.context("What is the cat called?", budget_tokens=22)

    assert len(enough.hits) < 61
    assert enough.warnings == ()
    assert [w.code for w in little.warnings] == ["over_budget"]
