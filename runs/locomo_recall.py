"""Evidence recall at 10 on LoCoMo dev, verbatim: the script behind the published number.

    python runs/locomo_recall.py

Messages are "speaker: text", stored as they are; no model but the packaged embedder; no text of a question, an answer
or a category steers anything.  Questions of categories 1 to 4 with at least one valid evidence id; the number is the
mean over questions of the share of evidence turns among the first ten turns returned.
Rows go to runs/locomo_recall/NAME.jsonl: ids and numbers only.
"""

from __future__ import annotations

import sys
from pathlib import Path

from perdure.evaluation import report
from perdure.evaluation.datasets import locomo
from perdure.evaluation.runner import Row, run, write_rows
from perdure.evaluation.systems.verbatim import Verbatim
from perdure.ports import Ports
from perdure.providers.fakes import CountingIds, FixedClock
from perdure.providers.local import MiniLM
from perdure.settings import Settings
from perdure.stores.in_memory import InMemoryStore

K = 10
ROWS = Path(__file__).parent / "locomo_recall"


def main() -> None:
    conversations = locomo.load()
    embedder = MiniLM()
    tried = {
        "bm25": (None, Settings(), False),
        "fused": (embedder, Settings(), False),
        "fused_captions": (embedder, Settings(), True),
        "rrf": (embedder, Settings(fusion="rrf"), False),
    }
    found: dict[str, list[Row]] = {}
    for name, (dense, settings, has_captions) in tried.items():
        clock = FixedClock()
        ports = Ports(store=InMemoryStore(clock=clock), clock=clock, ids=CountingIds(), embedder=dense)
        system = Verbatim(name, ports, settings, has_captions=has_captions)
        found[name] = run(system, conversations, k=K, progress=lambda at, name=name: print(name, at, file=sys.stderr))
        write_rows(found[name], ROWS / f"{name}.jsonl")
        print("\n".join(report.lines(name, found[name])), flush=True)
    for name, other in (("fused", "bm25"), ("fused", "rrf"), ("fused_captions", "fused")):
        print("\n".join(report.comparison(name, found[name], other, found[other])))


if __name__ == "__main__":
    main()
