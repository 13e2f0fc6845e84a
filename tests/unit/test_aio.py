import inspect

import anyio
import pytest

from perdure import AsyncMemory, InputError, Memory
from perdure.providers.fakes import FixedClock, HashEmbedder

VERBS = sorted(name for name, value in vars(Memory).items() if inspect.isfunction(value) and not name.startswith("_"))


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_the_same_parameters_and_result_awaited(verb):
    assert (
        inspect.signature(getattr(AsyncMemory, verb)).parameters == inspect.signature(getattr(Memory, verb)).parameters
    )
    assert inspect.iscoroutinefunction(getattr(AsyncMemory, verb)) or verb == "for_tenant"


@pytest.mark.parametrize("backend", ["asyncio"])
def test_the_verbs_run_awaited_and_raise_as_the_sync_ones_do(backend, tmp_path):
    async def use() -> None:
        async with AsyncMemory(tmp_path / "m.db", embedder=HashEmbedder(), clock=FixedClock()) as memory:
            added = await memory.add("I live in Lyon.", user="ana")
            found = await memory.search("Lyon", user="ana")
            page = await memory.list(user="ana")
            other = await memory.for_tenant("t2").search("Lyon", user="ana")
            with pytest.raises(InputError):
                await memory.search("Lyon")

        assert added.status == "done"
        assert "Lyon" in found[0].text
        assert page.total == 1
        assert len(other) == 0

    anyio.run(use, backend=backend)
