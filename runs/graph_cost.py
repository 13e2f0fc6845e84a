"""What the graph costs: python runs/graph_cost.py.

Calls and prompt tokens per exchange for graph off, joint and paper, over the story of tests/story.py with a scripted
model; and the tokens that memories take per conversation and per fact, with and without their relations: LoCoMo dev by
the engine without a model, and the recorded store of another system through add(facts=...).  Real cl100k counts.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpe_openai

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.story import STORY, Notes  # noqa: E402

from perdure import Memory  # noqa: E402
from perdure.evaluation.datasets import locomo  # noqa: E402
from perdure.models import Prompt  # noqa: E402
from perdure.providers.fakes import FixedClock, HashEmbedder, ScriptedLLM  # noqa: E402

ENCODING = bpe_openai.get_encoding("cl100k_base")


def tokens(text: str) -> int:
    """Return how many cl100k tokens a text takes."""
    return len(ENCODING.encode(text))


def asked(prompt: Prompt) -> int:
    """Return the tokens of a prompt with its tools."""
    tools = [{"name": t.name, "description": t.description, "parameters": t.schema} for t in prompt.tools]
    return tokens(prompt.system + "".join(turn.content for turn in prompt.turns) + json.dumps(tools))


def calls(mode: Any) -> tuple[float, float]:
    """Return calls and prompt tokens per exchange of the story."""
    llm = ScriptedLLM(Notes())
    with Memory(":memory:", llm=llm, embedder=HashEmbedder(), graph=mode, settings={"jobs": "manual"}) as memory:
        for at, one in STORY:
            memory.add([{"role": "user", "name": "Ana", "content": one.said, "at": at}], user="ana")
    return len(llm.prompts) / len(STORY), sum(map(asked, llm.prompts)) / len(STORY)


def held(fill: Callable[[Memory], object]) -> tuple[int, int, int, int]:
    """Return facts, their tokens, relations and their tokens, dated, of one filled memory."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(Path(folder) / "m.db", embedder="none", clock=FixedClock(), settings={"jobs": "manual"}) as memory,
    ):
        fill(memory)
        facts, cursor = [], None
        while True:
            page = memory.list(user="u", validity="all", cursor=cursor, limit=1000)
            facts += [f"{record.valid_from:%Y-%m-%d}: {record.text}" for record in page.items]
            cursor = page.cursor
            if cursor is None:
                break
        edges = [f"{one.valid_from:%Y-%m-%d}: {one.text}" for one in memory.relations(user="u", validity="all")]
        return len(facts), sum(map(tokens, facts)), len(edges), sum(map(tokens, edges))


def main() -> None:
    for mode in ("off", "joint", "paper"):
        number, size = calls(mode)
        print(f"graph={mode}: {number:.2f} calls, {size:.0f} prompt tokens per exchange", flush=True)
    rows = []
    for conversation in locomo.load():
        messages = [
            {"role": "user", "name": t.message().name, "content": t.message().content, "at": t.message().at}
            for t in conversation.turns
        ]
        rows.append(held(lambda memory, said=messages: memory.add(said, user="u")))  # type: ignore[misc]
    report("LoCoMo dev, engine without a model", rows)
    stores: dict[str, list[dict[str, Any]]] = defaultdict(list)
    path = locomo.data_folder() / "facts_locomo" / "mem0_platform_store.dev.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in map(json.loads, file):
            stores[line["store"]].append(line)
    rows = [
        held(lambda memory, lines=lines: memory.add(facts=[line["memory"] for line in lines], user="u"))  # type: ignore[misc]
        for _, lines in sorted(stores.items())
    ]
    report("recorded store, add(facts=...)", rows)


def report(name: str, rows: list[tuple[int, int, int, int]]) -> None:
    """Print means per conversation and per fact."""
    facts, fact_tokens, edges, edge_tokens = (sum(row[n] for row in rows) for n in range(4))
    print(
        f"{name}: {len(rows)} conversations, {facts / len(rows):.0f} facts and {edges / len(rows):.0f} relations each; "
        f"tokens per conversation {fact_tokens / len(rows):.0f} without and "
        f"{(fact_tokens + edge_tokens) / len(rows):.0f} with the graph, "
        f"per fact {fact_tokens / facts:.1f} and {(fact_tokens + edge_tokens) / facts:.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
