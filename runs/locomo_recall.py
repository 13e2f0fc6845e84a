"""Evidence recall at 10 on LoCoMo dev, verbatim: the script behind the published number.

    python runs/locomo_recall.py [NAME...]

Messages are "speaker: text", stored as they are; no model but the packaged embedder; no text of a question, an answer
or a category steers anything.  Questions of categories 1 to 4 with at least one valid evidence id; the number is the
mean over questions of the share of evidence turns among the first ten turns returned.
`facts` and `facts_alone` add what the offline engine extracts; a memory counts as the turns it came from, and all turns
returned count, up to ten.
Rows go to runs/locomo_recall/NAME.jsonl: ids and numbers only.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from perdure import Memory
from perdure.evaluation import report
from perdure.evaluation.datasets import locomo
from perdure.evaluation.datasets.locomo import Conversation
from perdure.evaluation.runner import Row, read_rows, run, write_rows
from perdure.evaluation.systems.protocol import Retrieved
from perdure.evaluation.systems.verbatim import Verbatim
from perdure.models import SearchResult
from perdure.ports import Ports
from perdure.providers.fakes import CountingIds, FixedClock
from perdure.providers.local import MiniLM
from perdure.settings import Settings
from perdure.stores.in_memory import InMemoryStore

K = 10
ROWS = Path(__file__).parent / "locomo_recall"


class Facts:
    """Every turn is added, and the offline engine extracts from it."""

    def __init__(self, name: str, folder: str, embedder: MiniLM, include: tuple[str, ...]) -> None:
        self.name, self._folder, self._embedder, self._include = name, folder, embedder, include

    def ingest(self, conversation: Conversation) -> None:
        path = Path(self._folder) / f"{conversation.id}.db"
        is_new = not path.exists()
        self._run = conversation.id
        self._memory = Memory(path, embedder=self._embedder, settings={"jobs": "manual"})
        if is_new:
            turns = [
                {"role": "user", "name": t.speaker, "content": t.text, "at": t.at, "id": t.id}
                for t in conversation.turns
            ]
            self._memory.add(turns, run=conversation.id)

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        found = self._memory.search(questions, run=self._run, k=k, include=self._include)
        self._memory.close()
        return [Retrieved(tuple(dict.fromkeys(turns(one)))[:k], one.confidence) for one in found]


def turns(found: SearchResult) -> list[str]:
    return [
        id
        for hit in found
        for id in ([hit.message.public_id] if hit.message else [source.message_id for source in hit.memory.sources])
    ]


def main() -> None:
    wanted = sys.argv[1:]
    conversations = locomo.load()
    embedder = MiniLM()
    found: dict[str, list[Row]] = {}
    with tempfile.TemporaryDirectory() as folder:
        systems = [
            verbatim("bm25", None, Settings()),
            verbatim("fused", embedder, Settings()),
            verbatim("fused_captions", embedder, Settings(), has_captions=True),
            verbatim("rrf", embedder, Settings(fusion="rrf")),
            verbatim("mem0_formula", embedder, Settings(fusion="mem0")),
            Facts("facts", folder, embedder, ("memories", "messages")),
            Facts("facts_alone", folder, embedder, ("memories",)),
        ]
        for system in systems:
            name = system.name
            path = ROWS / f"{name}.jsonl"
            if wanted and name not in wanted:
                if path.exists():
                    found[name] = read_rows(path)
                continue
            found[name] = run(system, conversations, k=K, progress=lambda at, n=name: print(n, at, file=sys.stderr))
            write_rows(found[name], path)
            print("\n".join(report.lines(name, found[name])), flush=True)
    pairs = (("fused", "bm25"), ("fused", "rrf"), ("fused_captions", "fused"), ("facts", "fused"))
    for name, other in (*pairs, ("facts_alone", "fused")):
        print("\n".join(report.comparison(name, found[name], other, found[other])))


def verbatim(name: str, dense: MiniLM | None, settings: Settings, *, has_captions: bool = False) -> Verbatim:
    clock = FixedClock()
    ports = Ports(store=InMemoryStore(clock=clock), clock=clock, ids=CountingIds(), embedder=dense)
    return Verbatim(name, ports, settings, has_captions=has_captions)


if __name__ == "__main__":
    main()
