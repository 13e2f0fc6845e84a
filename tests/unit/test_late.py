"""Facts that come in late, at the level of the verbs."""

from datetime import UTC, datetime, timedelta

from perdure import Memory
from perdure.providers.fakes import FixedClock

START = datetime(2024, 5, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def test_a_late_fact_beside_two_values_that_both_hold_is_settled_and_nothing_breaks():
    """An edit by hand can make a slot hold two values; only one of them was said again later."""
    clock = FixedClock(START + 60 * DAY)
    with Memory(":memory:", embedder="none", clock=clock, settings={"jobs": "manual"}) as memory:
        for day in (0, 20):
            memory.add(facts=["Ana lives in Lyon"], user="ana", at=START + day * DAY)
        [other] = memory.add(facts=["The boiler hums"], user="ana", at=START + 5 * DAY).changes
        memory.update(other.memory.id, "Ana lives in Paris", user="ana")

        late = memory.add(facts=["Ana lives in Nice"], user="ana", at=START + 10 * DAY)

        assert late.status == "done"
        held = {record.text for record in memory.list(user="ana", validity="all").items}
        assert held == {"Ana lives in Lyon", "Ana lives in Paris", "Ana lives in Nice"}
        assert "Ana lives in Lyon" in {record.text for record in memory.list(user="ana").items}
