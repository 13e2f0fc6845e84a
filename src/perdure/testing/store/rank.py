"""What rank promises: exact scores, the pool, the population, ties and what a selection admits."""

from __future__ import annotations

import math

import pytest

from perdure import text
from perdure.errors import InputError, NotFound
from perdure.models import Closing, Probe, Ranking, Scope
from perdure.ports import Store
from perdure.testing.store.writer import (
    ANA,
    DAY,
    SAID,
    StoreFixtures,
    Writer,
    found,
    message,
    partition_version,
    select,
    vector,
    version,
)
from perdure.where import parse


class RankContract(StoreFixtures):
    """The channels' look-ups."""

    def test_dense_scores_are_cosines_best_first(self, store: Store, writer: Writer) -> None:
        writer.add(
            version("near", "a", embedding=vector(1, 0.1)),
            version("far", "b", embedding=vector(0, 1)),
            version("opposite", "c", embedding=vector(-1)),
            version("without", "d"),
        )

        scores = dict(found(store, select(), Probe(vector(1), {}), channel="dense"))

        assert {name: round(score, 3) for name, score in scores.items()} == {
            "near": 0.995,
            "far": 0.0,
            "opposite": -1.0,
        }

    def test_an_annotated_message_is_found_by_its_new_terms_and_vector_alone(
        self, store: Store, writer: Writer
    ) -> None:
        writer.begin(
            message("look", "m-1", embedding=vector(1)), message("tea and rice", "m-2", embedding=vector(0, 1))
        )
        store.rank("message", select(), [Probe(vector(1), {"look": 1})], limit=10)  # what is cached must start anew

        store.annotate("acme", "m-1", {"seen": "a cat"}, vector=vector(0, 0, 1), terms={"cat": 1, "look": 1})

        [ranked] = store.rank("message", select(), [Probe(vector(0, 0, 1), {"cat": 1})], limit=10)
        dense, sparse = ranked.rankings
        first, second = sorted(dense.scores)
        assert (dense.scores[first], dense.scores[second]) == (1.0, 0.0)
        idf, average = math.log(1 + 1.5 / 1.5), (2 + 3) / 2
        part = (text.BM25_K1 + 1) / (1 + text.BM25_K1 * (1 - text.BM25_B + text.BM25_B * 2 / average))
        assert sparse.scores[first] == pytest.approx(idf * part)
        record = store.message("acme", "m-1")
        assert (record.content, record.metadata) == ("look", {"seen": "a cat"})

    def test_annotating_what_is_not_there_is_not_found(self, store: Store, writer: Writer) -> None:
        writer.begin(message("look", "m-1"))

        with pytest.raises(NotFound):
            store.annotate("other", "m-1", {}, vector=None, terms={})
        store.annotate("acme", "m-1", {}, vector=None, terms={})

        assert found(store, select(), Probe(None, {"look": 1}), channel="sparse") == []

    def test_sparse_scores_are_bm25_of_the_partition(self, store: Store, writer: Writer) -> None:
        bo = Scope("acme", user="bo")
        writer.add(version("tea tea rice", "a"), version("rice", "b"), version("milk and sugar", "c"))
        writer.add(version("tea", "z", scope=bo), scope=bo)

        scores = dict(found(store, select(), Probe(None, {"tea": 2, "rice": 1}), channel="sparse"))

        average = (3 + 1 + 3) / 3

        def part(frequency: int, tf: int, length: int) -> float:
            idf = math.log(1 + (3 - frequency + 0.5) / (frequency + 0.5))
            return (
                idf * tf * (text.BM25_K1 + 1) / (tf + text.BM25_K1 * (1 - text.BM25_B + text.BM25_B * length / average))
            )

        assert scores == pytest.approx({"tea tea rice": 2 * part(1, 2, 3) + part(2, 1, 3), "rice": part(2, 1, 1)})

    def test_statistics_come_from_current_rows(self, store: Store, writer: Writer) -> None:
        writer.add(version("tea", "a"), version("rice", "b"))
        known_at = store.memory("acme", "a").recorded_at
        before = found(store, select(), Probe(None, {"tea": 1}), channel="sparse")
        writer.add(version("tea tea tea", "c"))
        writer.retract("c")
        writer.add(version("coffee", "d"), closed=(Closing("a", 1),))
        writer.add(version("tea", "a", 2), closed=(Closing("d", 1),))

        assert found(store, select(), Probe(None, {"tea": 1}), channel="sparse") == before
        then = found(store, select(known_at=known_at, as_of=SAID), Probe(None, {"tea": 1}), channel="sparse")
        assert then == before

    def test_statistics_follow_what_others_write(self, store: Store, writer: Writer) -> None:
        def score() -> float:
            return dict(found(store, select(), Probe(None, {"tea": 1}), channel="sparse"))["tea"]

        def expected(frequency: int, lengths: list[int]) -> float:
            population, average = len(lengths), sum(lengths) / len(lengths)
            idf = math.log(1 + (population - frequency + 0.5) / (frequency + 0.5))
            return idf * (text.BM25_K1 + 1) / (1 + text.BM25_K1 * (1 - text.BM25_B + text.BM25_B / average))

        writer.add(version("tea", "a"), version("rice", "b"))
        assert score() == pytest.approx(expected(1, [1, 1]))
        writer.add(version("a long note without that word", "c"))
        assert score() == pytest.approx(expected(1, [1, 1, 6]))
        writer.add(version("tea again", "d"))
        assert score() == pytest.approx(expected(2, [1, 1, 6, 2]))
        writer.retract("d")
        assert score() == pytest.approx(expected(1, [1, 1, 6]))

    def test_the_pool_is_the_union_of_each_channels_best(self, store: Store, writer: Writer) -> None:
        writer.add(
            version("tea", "a", embedding=vector(0, 0, 1)),
            version("tea and milk", "b", embedding=vector(0, 1)),
            version("rice", "c", embedding=vector(1)),
            version("beans", "d", embedding=vector(1, 1)),
        )

        ranked = store.rank("memory", select(), [Probe(vector(1), {"tea": 1})], limit=1)[0]
        by_channel = {ranking.channel: self.by_text(store, ranking) for ranking in ranked.rankings}

        assert set(by_channel["dense"]) == set(by_channel["sparse"]) == {"tea", "rice"}
        assert by_channel["dense"]["tea"] == 0.0
        assert by_channel["sparse"]["rice"] == 0.0

    def test_count_mean_and_deviation_describe_all_admitted_rows(self, store: Store, writer: Writer) -> None:
        writer.add(
            version("tea", "a", embedding=vector(1)),
            version("rice", "b", embedding=vector(0, 1)),
            version("milk", "c"),
            version("ended", "d", embedding=vector(1), valid_to=SAID),
        )

        dense, sparse = store.rank("memory", select(), [Probe(vector(1), {"tea": 1})], limit=1)[0].rankings

        assert (dense.count, sparse.count) == (2, 3)
        assert [dense.mean, dense.deviation] == pytest.approx([0.5, 0.5])
        score = max(sparse.scores.values())
        assert sparse.mean == pytest.approx(score / 3)
        assert sparse.deviation == pytest.approx(math.sqrt(2 / 9) * score)

    def test_a_row_without_a_vector_scores_zero_and_is_not_counted(self, store: Store, writer: Writer) -> None:
        writer.add(version("tea", "a"), version("rice", "b", embedding=vector(-1)))

        dense, _ = store.rank("memory", select(), [Probe(vector(1), {"tea": 1})], limit=5)[0].rankings

        assert (self.by_text(store, dense), dense.count) == ({"tea": 0.0, "rice": -1.0}, 1)

    def test_a_probe_without_a_vector_has_no_dense_ranking(self, store: Store, writer: Writer) -> None:
        writer.add(version("tea", "a", embedding=vector(1)))

        with_vector, without = store.rank("memory", select(), [Probe(vector(1), {}), Probe(None, {"tea": 1})], limit=5)

        assert [ranking.channel for ranking in with_vector.rankings] == ["dense", "sparse"]
        assert [ranking.channel for ranking in without.rankings] == ["sparse"]

    def test_many_probes_rank_as_each_alone(self, store: Store, writer: Writer) -> None:
        writer.add(*[version(f"tea {n}", f"m-{n}", embedding=vector(1, n / 7, n % 3)) for n in range(9)])
        probes = [Probe(vector(1), {"tea": 1}), Probe(None, {"4": 1}), Probe(vector(0, 1, 1), {"5": 1, "tea": 1})]

        together = store.rank("memory", select(), probes, limit=4)
        alone = [store.rank("memory", select(), [probe], limit=4)[0] for probe in probes]

        for one, other in zip(together, alone, strict=True):
            for mine, its in zip(one.rankings, other.rankings, strict=True):
                assert mine.scores == pytest.approx(its.scores, abs=1e-5)

    def test_ties_fall_by_reference(self, store: Store, writer: Writer) -> None:
        writer.add(*[version("tea", f"m-{9 - n}", embedding=vector(1)) for n in range(10)])

        for channel in ("dense", "sparse"):
            ranked = store.rank("memory", select(), [Probe(vector(1), {"tea": 1})], limit=4, channels=[channel])[0]
            loaded = store.load_memories(sorted(ranked.rankings[0].scores))
            assert [record and record.id for record in loaded] == ["m-9", "m-8", "m-7", "m-6"]

    def test_each_partition_has_its_own_rankings_and_versions_add_up(self, store: Store, writer: Writer) -> None:
        scopes = [Scope("acme", user=user, agent="cook") for user in ("ana", "bo")]
        for scope in scopes:
            writer.add(version(f"tea of {scope.user}", f"m-{scope.user}", scope=scope), scope=scope)
        writer.add(version("tea", "other"))

        ranked = store.rank("memory", select(Scope("acme", agent="cook")), [Probe(None, {"tea": 1})], limit=5)[0]

        assert [self.by_text(store, ranking).keys() for ranking in ranked.rankings] == [{"tea of ana"}, {"tea of bo"}]
        assert len({ranking.partition for ranking in ranked.rankings}) == 2
        assert ranked.version == sum(partition_version(store, scope.owner) for scope in scopes)

    def test_within_ranks_one_partition(self, store: Store, writer: Writer) -> None:
        scopes = [Scope("acme", user=user, agent="cook") for user in ("ana", "bo")]
        for scope in scopes:
            writer.add(version(f"tea of {scope.user}", f"m-{scope.user}", scope=scope), scope=scope)

        selection = select(Scope("acme"), within=scopes[1].owner)
        ranked = store.rank("memory", selection, [Probe(None, {"tea": 1})], limit=5)[0]

        assert [self.by_text(store, ranking).keys() for ranking in ranked.rankings] == [{"tea of bo"}]

    def test_scope_time_and_filter_admit_as_in_a_listing(self, store: Store, writer: Writer) -> None:
        run = Scope("acme", user="ana", run="r")
        writer.add(
            version("tea now", "a", metadata={"n": 1}),
            version("tea ended", "b", valid_from=SAID - DAY, valid_to=SAID),
            version("tea expired", "c", expires_at=SAID + DAY),
            version("tea of a run", "d", scope=run, metadata={"n": 2}),
        )
        first = writer.replace(version("tea again", "a", 2, metadata={"n": 2}))

        for selection in (
            select(),
            select(run),
            select(validity="ended"),
            select(validity="all", as_of=SAID),
            select(as_of=SAID - DAY),
            select(known_at=first.recorded_at, as_of=SAID),
            select(where=parse({"metadata.n": 2})),
            select(where=parse({"OR": [{"metadata.n": 1}, {"valid_to": {"exists": True}}]}), validity="all"),
        ):
            ranked = {name for name, _ in found(store, selection, Probe(None, {"tea": 1}), channel="sparse")}
            assert ranked == {record.text for record in store.memories(selection).items}

    def test_messages_rank_by_their_own_rows(self, store: Store, writer: Writer) -> None:
        run = Scope("acme", user="ana", run="r")
        row, _ = writer.begin(message("ana: tea", "m-1", embedding=vector(1)), message("ana: rice", "m-2", role="tool"))
        writer.begin(message("ana: more tea", "m-3"), scope=run)
        writer.add(version("tea", "a"))

        def contents(**fields: object) -> list[str]:
            selection = select(**fields)  # type: ignore[arg-type]
            ranked = store.rank(
                "message", selection, [Probe(None, {"tea": 1, "rice": 1})], limit=9, channels=["sparse"]
            )[0]
            refs = sorted(ref for ranking in ranked.rankings for ref in ranking.scores)
            return [record.content for record in store.load_messages(refs) if record is not None]

        assert contents() == ["ana: tea", "ana: rice", "ana: more tea"]
        assert contents(known_at=row.at) == ["ana: tea", "ana: rice"]
        assert contents(scope=run) == ["ana: more tea"]
        assert contents(where=parse({"role": "tool"})) == ["ana: rice"]
        assert contents(validity="ended", as_of=SAID - 99 * DAY) == ["ana: tea", "ana: rice", "ana: more tea"]

    def test_what_is_written_is_ranked_at_once(self, store: Store, writer: Writer) -> None:
        probe = Probe(vector(1), {"tea": 1})

        def ranked() -> list[str]:
            return [name for name, _ in found(store, select(), probe, channel="sparse")]

        assert ranked() == []
        writer.add(version("tea", "a", embedding=vector(1)))
        assert ranked() == ["tea"]
        writer.replace(version("tea with milk", "a", 2))
        assert ranked() == ["tea with milk"]
        writer.retract("a", 2)
        assert ranked() == []
        writer.add(version("tea, please", "b", embedding=vector(1)))
        writer.add(erased=("a",))
        assert ranked() == ["tea, please"]
        assert found(store, select(), probe, channel="dense") == [("tea, please", 1.0)]

    def test_an_empty_scope_ranks_nothing(self, store: Store, writer: Writer) -> None:
        assert [
            ranked.rankings for ranked in store.rank("memory", select(), [Probe(vector(1), {"a": 1})], limit=5)
        ] == [()]
        assert store.rank("memory", select(), [], limit=5) == []

    def test_wrong_questions_are_refused(self, store: Store, writer: Writer) -> None:
        writer.add(version("tea", "a", embedding=vector(1)))

        with pytest.raises(InputError, match="names nobody"):
            store.rank("memory", select(Scope("acme")), [Probe(None, {})], limit=5)
        with pytest.raises(InputError, match="limit"):
            store.rank("memory", select(), [Probe(None, {})], limit=0)
        with pytest.raises(InputError, match="dimensions"):
            store.rank("memory", select(ANA), [Probe(vector(1)[:3], {})], limit=5)

    @staticmethod
    def by_text(store: Store, ranking: Ranking) -> dict[str, float]:
        """Return a ranking's raw scores by the text of their rows."""
        loaded = store.load_memories(list(ranking.scores))
        return {record.text: score for record, score in zip(loaded, ranking.scores.values(), strict=True) if record}
