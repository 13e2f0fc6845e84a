"""Contract: the graph is what memories say, and lives and dies with them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from perdure.errors import Conflict
from perdure.models import ChangeSet, Claim, Erasure, Mention, Move, NewClaim, NewEntity, Scope, Selection, Undone
from perdure.ports import Store
from perdure.providers.fakes import FixedClock
from perdure.testing.store.writer import (
    ANA,
    DAY,
    DIMENSIONS,
    MODEL,
    SAID,
    StoreFixtures,
    Writer,
    message,
    partition_version,
    select,
    source,
    vector,
    version,
)

PEOPLE = (
    NewEntity("e-ana", "ana|person", "Ana", "person", vector(1)),
    NewEntity("e-lyon", "lyon|place", "Lyon", "place", vector(0, 1)),
)

GRAPH = ("entity", "mention", "claim", "move")


def claim(id: str, memory: str, *, label: str = "lives_in", end: str | None = "e-lyon", **fields: Any) -> NewClaim:
    """Return the claim that Ana lives in Lyon."""
    embedding = fields.pop("embedding", None)
    defaults = {"destination_name": "Lyon", "at": SAID, "quote": "in Lyon"}
    return NewClaim(Claim(id, memory, "e-ana", "Ana", label, end, **{**defaults, **fields}), embedding)


def mention(memory: str, entity: str = "e-ana", name: str = "Ana", said_in: str | None = None) -> Mention:
    """Return a mention."""
    return Mention(memory, entity, name, said_in, SAID)


def told(store: Store, selection: Selection | None = None, **options: Any) -> list[str]:
    """Return the ids of the claims that are seen."""
    return [held.claim.id for held in store.claims(selection or select(), **options)]


def named(store: Store, selection: Selection | None = None, **options: Any) -> dict[str, list[str]]:
    """Return the ids of the nodes that are seen, each with the names it is mentioned by."""
    return {e.id: [m.name for m in e.mentions] for e in store.entities(selection or select(), **options)}


class GraphContract(StoreFixtures):
    """Nodes, mentions, claims and moves."""

    def lyon(self, writer: Writer, memory: str = "a", *, scope: Scope = ANA, **fields: Any) -> None:
        """Commit a memory that tells where Ana lives."""
        writer.add(
            version("Ana lives in Lyon", memory, scope=scope), scope=scope,
            **{
                "entities": PEOPLE, "mentions": (mention(memory), mention(memory, "e-lyon", "Lyon")),
                "claims": (claim(f"c-{memory}", memory, embedding=vector(1, 1)),), **fields,
            },
        )  # fmt: skip

    def test_claims_come_back_as_they_were_given_with_what_their_memory_gives_them(
        self, store: Store, writer: Writer
    ) -> None:
        said = claim(
            "c", "a", message_id="m-1", valid_from=SAID, valid_to=SAID + DAY, reason="why", effect="correction"
        )
        writer.begin(message("in Lyon", "m-1", external_id="x"))
        self.lyon(writer, claims=(said,), sources=(source("a", "m-1", "in Lyon"),))

        [held] = store.claims(select())

        assert held.claim == said.claim
        assert (held.public_message_id, held.memory_from, held.memory_to) == ("x", SAID, None)
        assert (held.user, held.agent, held.run, held.operation_id) == ("ana", None, None, "op-2")
        assert held.recorded_at == store.memory("acme", "a").recorded_at

    def test_entities_come_with_their_mentions_in_order(self, store: Store, writer: Writer) -> None:
        self.lyon(writer)

        first, second = store.entities(select())

        assert (first.id, first.key, first.name, first.type) == ("e-ana", "ana|person", "Ana", "person")
        assert first.created_at == store.memory("acme", "a").recorded_at
        assert first.mentions == (mention("a"),)
        assert second.mentions == (mention("a", "e-lyon", "Lyon"),)

    def test_of_one_key_there_is_one_node_however_many_writers_bring_it(self, store: Store, writer: Writer) -> None:
        self.lyon(writer)
        again = (NewEntity("other", "ana|person", "Ana", "person"), NewEntity("more", "lyon|place", "Lyon", "place"))
        new = Claim("c-b", "b", "other", "Ana", "likes", "more", "Lyon", SAID)
        writer.add(
            version("Ana likes Lyon", "b"), entities=again, mentions=(mention("b", "other"),), claims=(NewClaim(new),)
        )

        assert named(store) == {"e-ana": ["Ana", "Ana"], "e-lyon": ["Lyon"]}
        assert [(h.claim.source_id, h.claim.destination_id) for h in store.claims(select())] == [
            ("e-ana", "e-lyon"), ("e-ana", "e-lyon"),
        ]  # fmt: skip

    def test_claims_are_found_by_either_end_by_id_by_memory_and_by_operation(
        self, store: Store, writer: Writer
    ) -> None:
        self.lyon(writer)
        bolt = NewEntity("e-bolt", "bolt|organisation", "Bolt", "organisation")
        works = claim("c-b", "b", label="works_at", end="e-bolt", destination_name="Bolt")
        writer.add(version("Ana works at Bolt", "b"), entities=(bolt,), mentions=(mention("b"),), claims=(works,))

        assert told(store) == ["c-a", "c-b"]
        assert told(store, touching=["e-ana"]) == ["c-a", "c-b"]
        assert told(store, touching=["e-bolt"]) == told(store, ids=["c-b"]) == told(store, memories=["b"]) == ["c-b"]
        assert told(store, operation="op-1") == ["c-a"]
        assert told(store, touching=[]) == told(store, touching=["unknown"]) == []

    def test_entities_are_found_by_id_by_name_and_by_the_beginning_of_a_name(
        self, store: Store, writer: Writer
    ) -> None:
        silva = NewEntity("e-silva", "ana silva|person", "Ana Silva", "person")
        self.lyon(writer, entities=(*PEOPLE, silva), mentions=(mention("a"), mention("a", "e-silva", "Ana Silva")))

        assert named(store, names=["ana"]) == {"e-ana": ["Ana"]}
        assert named(store, names=["ana*"]) == {"e-ana": ["Ana"], "e-silva": ["Ana Silva"]}
        assert named(store, names=["ana silva", "nobody"]) == {"e-silva": ["Ana Silva"]}
        assert named(store, ids=["e-lyon"]) == {"e-lyon": []}
        assert named(store, ids=["unknown"]) == named(store, names=[]) == {}

    def test_a_retracted_memory_takes_its_claims_along_but_not_out_of_the_past(
        self, store: Store, writer: Writer
    ) -> None:
        self.lyon(writer)
        before = store.memory("acme", "a").recorded_at
        writer.retract("a")

        assert told(store) == []
        assert named(store) == {}
        assert told(store, select(known_at=before)) == ["c-a"]
        assert named(store, select(known_at=before)) == {"e-ana": ["Ana"], "e-lyon": ["Lyon"]}

    def test_an_ended_memory_keeps_its_claims_and_says_when_they_end(self, store: Store, writer: Writer) -> None:
        self.lyon(writer)
        writer.replace(version("Ana lives in Lyon", "a", 2, valid_to=SAID + DAY))

        [held] = store.claims(select())

        assert (held.claim.id, held.memory_to) == ("c-a", SAID + DAY)

    def test_what_is_expired_or_filtered_or_out_of_scope_tells_nothing(self, store: Store, writer: Writer) -> None:
        self.lyon(writer)
        run = Scope("acme", user="ana", run="r")
        writer.add(
            version("Ana likes Lyon", "b", scope=run, expires_at=SAID + DAY), scope=run,
            mentions=(mention("b"),), claims=(claim("c-b", "b", label="likes"),),
        )  # fmt: skip

        assert told(store, select(now=SAID)) == ["c-a", "c-b"]
        assert told(store, select(now=SAID + 2 * DAY)) == ["c-a"]
        assert told(store, select(run, now=SAID)) == ["c-b"]
        assert named(store, select(run, now=SAID)) == {"e-ana": ["Ana"]}
        assert told(store, select(Scope("acme", user="bo"))) == []
        assert told(store, select(Scope("other", user="ana"))) == []

    def test_an_undone_operation_withdraws_what_it_said_and_gives_it_back(self, store: Store, writer: Writer) -> None:
        writer.add(version("Ana is here", "a"))
        self.lyon(
            writer, "b", mentions=(mention("a"),), claims=(claim("c", "a"),), moves=(Move("e-ana", None, "e-lyon"),)
        )
        at = store.memory("acme", "b").recorded_at

        self._mark(store, writer, "undo-1")
        assert (told(store), named(store), store.moves(select())) == ([], {}, [])
        assert told(store, select(known_at=at)) == ["c"]
        assert store.moves(select(known_at=at)) == [Move("e-ana", None, "e-lyon")]

        self._mark(store, writer, None)
        assert (told(store), named(store)) == (["c"], {"e-ana": ["Ana"]})
        assert store.moves(select()) == [Move("e-ana", None, "e-lyon")]

    def _mark(self, store: Store, writer: Writer, by: str | None) -> None:
        undo = writer.operation(verb="undo")
        marks = (Undone("op-2", by),)
        changes = ChangeSet(ANA, undo.id, operation=undo, read_version=partition_version(store), undone=marks)
        store.commit(changes)

    def test_erasing_a_memory_leaves_no_claim_and_no_node_that_only_it_named(
        self, store: Store, writer: Writer
    ) -> None:
        self.lyon(writer)
        writer.add(version("Ana sings", "b"), mentions=(mention("b"),))

        receipt = store.erase(writer.operation(verb="erase"), Erasure(ANA, memories=("a",)))

        assert (receipt.counts["relations"], receipt.counts["entities"]) == (1, 1)
        assert (told(store), named(store)) == ([], {"e-ana": ["Ana"]})
        assert named(store, ids=["e-lyon"]) == {}
        assert "Lyon" not in json.dumps(list(store.export(ANA)))

    def test_erasing_messages_takes_what_was_said_in_them_and_the_names_only_they_gave(
        self, store: Store, writer: Writer
    ) -> None:
        writer.begin(message("Ana Silva", "m-1", at=SAID), message("Annie", "m-2", at=SAID + 2 * DAY))
        silva = NewEntity("e-ana", "ana silva|person", "Ana Silva", "person", vector(1))
        writer.add(
            version("Ana lives in Lyon", "a"), entities=(silva, PEOPLE[1]),
            sources=(source("a", "m-1", "x"), source("a", "m-2", "y", SAID + 2 * DAY)),
            mentions=(mention("a", name="Ana Silva", said_in="m-1"), mention("a", "e-lyon", "Lyon", "m-1")),
            claims=(claim("c", "a", message_id="m-1"),),
        )  # fmt: skip
        writer.add(
            version("Annie sings", "b"),
            sources=(source("b", "m-2"),),
            mentions=(mention("b", name="Annie", said_in="m-2"),),
        )

        store.erase(writer.operation(verb="erase"), Erasure(ANA, before=SAID + DAY))

        assert named(store) == {"e-ana": ["Annie"]}
        assert [entity.name for entity in store.entities(select())] == ["Annie"]
        assert "silva" not in json.dumps(list(store.export(ANA))).lower()
        assert store.near("entity", select(), vector(1), space=MODEL, limit=9) == []

    def test_an_end_does_not_keep_the_name_of_what_was_erased(self, store: Store, writer: Writer) -> None:
        self.lyon(writer)
        ended = claim("c-b", "b", is_ended=True)
        writer.add(version("Ana moved to Porto", "b"), mentions=(mention("b"),), claims=(ended,))
        own = claim("c-d", "d", is_ended=True)
        said = (mention("d"), mention("d", "e-lyon", "Lyon"))
        writer.add(version("Ana left Lyon", "d"), mentions=said, claims=(own,))

        store.erase(writer.operation(verb="erase"), Erasure(ANA, memories=("a",)))
        assert told(store) == ["c-d"]

        store.erase(writer.operation(verb="erase"), Erasure(ANA, memories=("d",)))
        assert told(store) == []
        assert "Lyon" not in json.dumps(list(store.export(ANA)))

    def test_after_an_erasure_a_merge_and_a_split_keep_no_name_that_only_the_erased_said(
        self, store: Store, writer: Writer
    ) -> None:
        bo, split = NewEntity("e-bo", "bo|person", "Bo", "person"), NewEntity("e-x", "ana|#x", "Ana", "person")
        self.lyon(writer, moves=(), entities=(*PEOPLE, bo, split))
        moves = (Move("e-bo", None, "e-ana"), Move("e-ana", "ana", "e-x"))
        ended = claim("c-end", "b", is_ended=True, reason="Ana left")
        told_of = Claim("c-b", "b", "e-bo", "Bo", "lives_in", "e-lyon", "Lyon", SAID)
        said = (mention("b", "e-bo", "Bo"), mention("b", "e-lyon", "Lyon"))
        writer.add(version("Bo lives in Lyon", "b"), mentions=said, claims=(NewClaim(told_of), ended), moves=moves)

        store.erase(writer.operation(verb="erase"), Erasure(ANA, memories=("a",)))

        lines = json.dumps([line for line in store.export(ANA) if line["type"] in GRAPH])
        assert [form for form in ("Ana", "ana|", '"name": "ana"') if form in lines] == []
        assert [(e.id, e.name) for e in store.entities(select(), ids=["e-ana", "e-bo", "e-x"])] == [
            ("e-ana", "Bo"), ("e-bo", "Bo"),
        ]  # fmt: skip
        assert store.moves(select()) == [Move("e-bo", None, "e-ana")]
        assert [(c.claim.source_name, c.claim.reason) for c in store.claims(select())] == [("Bo", ""), ("Bo", "")]
        assert store.near("entity", select(), vector(1), space=MODEL, limit=1) == [("e-lyon", 0.0)]

    def test_an_erasure_in_the_middle_of_merges_leaves_what_they_made_one(self, store: Store, writer: Writer) -> None:
        names = ("Ana", "Bo", "Cy", "Di")
        for name in names:
            node = NewEntity(f"e-{name}", f"{name.lower()}|person", name, "person")
            writer.add(version(name, name), entities=(node,), mentions=(mention(name, f"e-{name}", name),))
        moves = [Move(f"e-{one}", None, f"e-{other}") for one, other in pairwise(names)]
        writer.add(version("x", "x"), moves=tuple(moves))

        store.erase(writer.operation(verb="erase"), Erasure(ANA, memories=("Bo", "Cy")))

        assert store.moves(select()) == moves
        found = store.entities(select(), ids=[f"e-{name}" for name in names])
        assert [one.name for one in found] == ["Ana", "Ana", "Ana", "Di"]

    def test_a_physical_delete_takes_the_claims_along(self, store: Store, writer: Writer) -> None:
        self.lyon(writer)
        writer.add(erased=("a",))

        assert (told(store), named(store)) == ([], {})

    def test_what_names_a_memory_or_a_node_that_is_gone_is_a_conflict(self, store: Store, writer: Writer) -> None:
        self.lyon(writer)

        for wrong in (
            {"mentions": (mention("unknown"),)},
            {"mentions": (mention("a", "unknown"),)},
            {"claims": (claim("c", "unknown"),)},
            {"claims": (claim("c", "a", end="unknown"),)},
            {"moves": (Move("e-ana", None, "unknown"),)},
        ):
            with pytest.raises(Conflict):
                writer.add(version("never", "z"), **wrong)

        assert told(store) == ["c-a"]
        assert [r.id for r in store.memories(select()).items] == ["a"]

    def test_near_ranks_names_and_relations_by_their_cosine(self, store: Store, writer: Writer) -> None:
        self.lyon(writer)

        assert store.near("entity", select(), vector(1), space=MODEL, limit=9) == [("e-ana", 1.0), ("e-lyon", 0.0)]
        assert store.near("entity", select(), vector(1), space=None, limit=1) == [("e-ana", 1.0)]
        [(id, cosine)] = store.near("relation", select(), vector(1), space=MODEL, limit=9)
        assert (id, round(cosine, 2)) == ("c-a", 0.71)
        assert store.near("relation", select(Scope("acme", user="bo")), vector(1), space=MODEL, limit=9) == []
        assert store.near("relation", select(), vector(1), space="other", limit=9) == []

        self.lyon(writer, "b", claims=(claim("c-b", "b", embedding=vector(1)),))
        assert [id for id, _ in store.near("relation", select(), vector(1), space=MODEL, limit=9)] == ["c-b", "c-a"]

    def test_names_that_are_equally_near_fall_by_id(self, store: Store, writer: Writer) -> None:
        third = vector(1, 1, 1)  # 0.57735: equal but for the last bits of a product
        near = tuple(NewEntity(f"e-{n}", f"{n}|person", n, "person", third) for n in ("zoe", "ana", "mia", "bo"))
        self.lyon(writer, entities=near, mentions=tuple(mention("a", one.id, one.name) for one in near), claims=())

        found = store.near("entity", select(), vector(1), space=MODEL, limit=2)

        assert [id for id, _ in found] == ["e-ana", "e-bo"]
        assert [cosine for _, cosine in found] == [round(found[0][1], 6)] * 2

    def test_an_export_carries_the_graph_and_nothing_comes_twice(
        self, store: Store, writer: Writer, clock: FixedClock
    ) -> None:
        self.lyon(writer, moves=(Move("e-ana", "annie", "e-lyon"),))
        lines = [json.loads(json.dumps(line)) for line in store.export(Scope("acme"))]

        counts = store.import_("copy", lines)
        again = store.import_("copy", lines)

        names = ("entity", "mention", "claim", "move")
        assert [counts[name] for name in names] == [2, 2, 1, 1]
        assert [again[name] for name in names] == [0, 0, 0, 0]
        copy = select(Scope("copy", user="ana"))
        assert (told(store, copy), named(store, copy)) == (["c-a"], {"e-ana": ["Ana"], "e-lyon": ["Lyon"]})
        assert store.moves(copy) == [Move("e-ana", "annie", "e-lyon")]
        assert store.near("entity", copy, vector(1), space=MODEL, limit=1) == [("e-ana", 1.0)]
        assert [line for line in store.export(Scope("copy")) if line["type"] in names] == [
            line for line in lines if line["type"] in names
        ]

    def test_names_and_relations_go_into_another_space_by_their_texts(self, store: Store, writer: Writer) -> None:
        self.lyon(writer)
        store.rebind("other", DIMENSIONS)
        [ana, lyon] = store.stale_graph("entity", after=0, limit=9)
        [told_of] = store.stale_graph("relation", after=0, limit=9)

        assert [ana[1], lyon[1], told_of[1]] == ["Ana", "Lyon", "Ana lives in Lyon"]
        assert store.stale_graph("entity", after=0, limit=1) == [ana]
        store.set_graph_vectors("entity", {ana[0]: vector(0, 1), lyon[0]: None}, space="other")

        assert store.stale_graph("entity", after=0, limit=9) == [lyon]
        assert store.near("entity", select(), vector(0, 1), space="other", limit=9) == [("e-ana", 1.0)]
        assert store.near("entity", select(), vector(1), space=MODEL, limit=9) == []

    def test_vectors_of_an_embedder_that_is_gone_are_gone_too(self, store: Store, writer: Writer) -> None:
        writer.add(version("Ana", "a"), entities=PEOPLE, mentions=(mention("a"),))
        store.rebind("other", DIMENSIONS)
        assert store.drop_spaces() == 0

        assert store.near("entity", select(), vector(1), space="other", limit=9) == []
        assert store.near("entity", select(), vector(1), space=None, limit=9) == []
