"""perdure beside mem0ai and langmem: one loopback model, the same texts and vectors, a process for each system.

    python -m benchmarks.peers [--sizes 1000 10000] [--output FILE]

Needs `pip install -r benchmarks/peers.txt` beside perdure; a system that is not installed is left out, and said to be.
Embedding is excluded: vectors are made beforehand.  The model is a server that answers at once, in a process of its
own; calls and prompt tokens (cl100k of all messages, tools and formats) are what reached it.
mem0ai is measured twice: as plain pip installs it (semantic alone), and with its keyword channel, for which a stand-in
encodes words (its own encoder is downloaded at run time).  Its entity boosts need spaCy and a model, and are left out:
its hybrid search is dearer in truth.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
import zlib
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.corpus import DIMENSIONS, SCOPE, START, Corpus, filled
from benchmarks.verbs import Given

HERE = Path(__file__).parent
SYSTEMS = {"perdure": "perdure", "mem0ai": "mem0ai", "mem0ai-hybrid": "mem0ai", "langmem": "langmem"}
QUERIES, ADDS, K = 30, 20, 10
MODEL, KEY = "gpt-4o-mini", "loopback"


# ---------------------------------------------------------------- the model


class Model(BaseHTTPRequestHandler):
    """Answers extraction with one new fact and a decision with ADD, in the form that each system asks for."""

    protocol_version = "HTTP/1.1"
    counted: list[int] = []  # noqa: RUF012 - the prompt tokens of every call, of this server's process
    encode: Callable[[str], Sequence[int]]

    def do_GET(self) -> None:
        """Return what was counted since the last time."""
        found = {"calls": len(self.counted), "prompt_tokens": sum(self.counted)}
        self.counted.clear()
        self._send(found)

    def do_POST(self) -> None:
        """Answer a chat completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = [json.dumps(body.get(name)) for name in ("tools", "response_format") if body.get(name)]
        said = [message["content"] for message in body["messages"] if isinstance(message.get("content"), str)]
        self.counted.append(len(type(self).encode("\n".join([*said, *asked]))))
        fact = f"The user keeps parcel {len(self.counted)} of {time.monotonic_ns()} in the shed."
        message: dict[str, Any] = {"role": "assistant", "content": None}
        named = [tool["function"]["name"] for tool in body.get("tools", ())]
        if named:
            name, arguments = _called(named, fact)
            call = {"id": "call-1", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            message["tool_calls"] = [call]
        else:
            message["content"] = json.dumps({"memory": [{"id": "0", "text": fact, "attributed_to": "user"}]})
        usage = {"prompt_tokens": self.counted[-1], "completion_tokens": 20, "total_tokens": self.counted[-1] + 20}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if named else "stop"}
        self._send(
            {"id": "1", "object": "chat.completion", "created": 0, "model": MODEL, "choices": [choice], "usage": usage}
        )

    def _send(self, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


def _called(named: Sequence[str], fact: str) -> tuple[str, dict[str, Any]]:
    if "settle" in named:
        return "settle", {"decisions": [{"fact": 1, "event": "ADD", "memory": None, "reason": "new"}]}
    if "record_facts" in named:
        return "record_facts", {"facts": [{"text": fact, "message": 1, "quote": "", "kind": "fact", "entities": []}]}
    return ("Memory" if "Memory" in named else named[0]), {"content": fact}


def serve() -> None:
    """Serve the model until killed; the port is printed first."""
    import bpe_openai

    encoding = bpe_openai.get_encoding("cl100k_base")
    Model.encode = staticmethod(encoding.encode)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    print(server.server_port, flush=True)
    server.serve_forever()


# ---------------------------------------------------------------- the systems: (add, search) of a filled memory


Verbs = tuple[Callable[[str], Any], Callable[[str], Any]]


def perdure(folder: Path, count: int, corpus: Corpus, asked: Sequence[str], url: str) -> Verbs:
    from perdure import Memory
    from perdure.providers.fakes import FixedClock

    path = folder / "memory.db"
    filled(path, corpus, count).close()
    memory = Memory(
        path, llm=f"openai:{MODEL}", embedder=Given(corpus, asked), clock=FixedClock(START), tenant=SCOPE.tenant,
        settings={"llm_base_url": url, "jobs": "manual"},
    )  # fmt: skip
    return (lambda text: memory.add(text, user=SCOPE.user)), (lambda text: memory.search(text, user=SCOPE.user, k=K))


def mem0ai(
    folder: Path, count: int, corpus: Corpus, asked: Sequence[str], url: str, *, is_hybrid: bool = False
) -> Verbs:
    os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=str(folder / "home"))
    from mem0 import Memory

    model = {"model": MODEL, "api_key": KEY, "openai_base_url": url}
    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": str(folder / "qdrant"), "embedding_model_dims": DIMENSIONS, "on_disk": True},
            },
            "llm": {"provider": "openai", "config": model},
            "embedder": {"provider": "openai", "config": {"api_key": KEY, "embedding_dims": DIMENSIONS}},
            "history_db_path": str(folder / "history.db"),
        }
    )
    given = {text: corpus.vector().tolist() for text in asked}
    spare = corpus.vector().tolist()
    memory.embedding_model = SimpleNamespace(
        embed=lambda text, _=None: given.get(text, spare),
        embed_batch=lambda texts, _=None: [given.get(text, spare) for text in texts],
        config=SimpleNamespace(embedding_dims=DIMENSIONS),
    )
    if is_hybrid:
        memory.vector_store._bm25_encoder = SimpleNamespace(embed=_sparse)  # noqa: SLF001 - it has no other way in
    for first in range(0, count, 1_000):
        some = [corpus.version(number) for number in range(first, min(count, first + 1_000))]
        payloads = [
            {
                "data": one.record.text, "text_lemmatized": one.record.text, "hash": one.record.id,
                "user_id": SCOPE.user, "created_at": START.isoformat(), "updated_at": START.isoformat(),
            }
            for one in some
        ]  # fmt: skip
        memory.vector_store.insert(
            vectors=[one.vector.tolist() for one in some],  # type: ignore[union-attr]
            payloads=payloads,
            ids=[str(uuid.uuid5(uuid.NAMESPACE_URL, one.record.id)) for one in some],
        )
    filters = {"user_id": SCOPE.user}
    return (
        lambda text: memory.add([{"role": "user", "content": text}], user_id=SCOPE.user),
        lambda text: memory.search(text, filters=filters, top_k=K, threshold=0.0),
    )


def _sparse(texts: str | Sequence[str]) -> list[Any]:
    """Return a sparse vector for each text: its words by a hash, each with its frequency."""
    found = []
    for text in [texts] if isinstance(texts, str) else texts:
        counts: dict[int, float] = {}
        for word in text.split():
            place = zlib.crc32(word.encode()) & 0x7FFFFFFF
            counts[place] = counts.get(place, 0.0) + 1.0
        found.append(SimpleNamespace(indices=np.array(list(counts)), values=np.array(list(counts.values()))))
    return found


def langmem(_: Path, count: int, corpus: Corpus, asked: Sequence[str], url: str) -> Verbs:
    from langchain_openai import ChatOpenAI
    from langgraph.store.memory import InMemoryStore
    from langmem import create_memory_store_manager

    given = {text: corpus.vector().tolist() for text in asked}
    spare = corpus.vector().tolist()
    store = InMemoryStore(
        index={
            "dims": DIMENSIONS,
            "embed": lambda texts: [given.get(text, spare) for text in texts],
            "fields": ["content.content"],
        }
    )
    space = ("memories", SCOPE.user or "")
    for number in range(count):
        one = corpus.version(number)
        given[one.record.text] = one.vector.tolist()  # type: ignore[union-attr]
        store.put(space, one.record.id, {"kind": "Memory", "content": {"content": one.record.text}})
        del given[one.record.text]
    chat = ChatOpenAI(model=MODEL, api_key=KEY, base_url=url)  # type: ignore[arg-type]
    manager = create_memory_store_manager(chat, namespace=space, store=store)
    return (
        lambda text: manager.invoke({"messages": [{"role": "user", "content": text}]}),
        lambda text: store.search(space, query=text, limit=K),
    )


# ---------------------------------------------------------------- measuring


def child(name: str, count: int, url: str) -> dict[str, Any]:
    """Measure one system at one size, in this process."""
    import httpx2

    corpus = Corpus()
    asked = [" ".join(corpus.terms(6)) + f" {number}" for number in range(QUERIES)]
    said = [f"I put parcel {number} of {count} into the shed." for number in range(ADDS)]
    make: dict[str, Callable[..., Verbs]] = {
        "perdure": perdure,
        "mem0ai": mem0ai,
        "mem0ai-hybrid": lambda *given: mem0ai(*given, is_hybrid=True),
        "langmem": langmem,
    }
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        add, search = make[name](folder, count, corpus, asked, f"{url}/v1")
        for text in asked[:5]:
            search(text)
        cpu, wall = zip(*(_timed(lambda t=text: search(t)) for text in asked), strict=True)  # type: ignore[misc]
        disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        httpx2.get(url)  # forget what was counted before
        add_cpu, _ = zip(*(_timed(lambda t=text: add(t)) for text in said), strict=True)  # type: ignore[misc]
        counted = httpx2.get(url).json()
    return {
        "system": name,
        "version": importlib.metadata.version(SYSTEMS[name]),
        "memories": count,
        "search_cpu_p50_ms": round(statistics.median(cpu), 2),
        "search_cpu_p95_ms": round(sorted(cpu)[int(0.95 * len(cpu))], 2),
        "search_wall_p50_ms": round(statistics.median(wall), 2),
        "add_cpu_p50_ms": round(statistics.median(add_cpu), 1),
        "add_calls": counted["calls"] / ADDS,
        "add_prompt_tokens": round(counted["prompt_tokens"] / ADDS),
        "rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "disk_mb": round(disk / 1e6, 1),
    }


def _timed(call: Callable[[], Any]) -> tuple[float, float]:
    cpu, wall = time.process_time(), time.perf_counter()
    call()
    return (time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows as Markdown, with each search's CPU as a multiple of perdure's at that size."""
    own = {row["memories"]: row["search_cpu_p50_ms"] for row in rows if row["system"] == "perdure"}
    names = [name for name in rows[0] if name != "search_wall_p50_ms"]
    lines = [f"| {' | '.join(name.replace('_', ' ') for name in names)} | × perdure |", "|---" * (len(names) + 1) + "|"]
    for row in rows:
        ratio = f"{row['search_cpu_p50_ms'] / own[row['memories']]:.1f}" if row["memories"] in own else "–"
        lines.append(f"| {' | '.join(str(row[name]) for name in names)} | {ratio} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--systems", nargs="+", choices=list(SYSTEMS), default=list(SYSTEMS))
    parser.add_argument("--output", type=Path, default=HERE / "results" / "peers.json")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
    elif arguments.child:
        name, count, url = arguments.child
        print(json.dumps(child(name, int(count), url)))
    else:
        compare(arguments.systems, arguments.sizes, arguments.output)


def compare(systems: Sequence[str], sizes: Sequence[int], output: Path) -> None:
    """Run every system at every size beside one model; write rows and print the table."""
    command = [sys.executable, "-m", "benchmarks.peers"]
    environment = {**os.environ, "OPENAI_API_KEY": KEY}
    rows = []
    serving = [*command, "--serve"]
    with subprocess.Popen(serving, stdout=subprocess.PIPE, text=True) as model:  # noqa: S603 - this module
        assert model.stdout is not None
        url = f"http://127.0.0.1:{model.stdout.readline().strip()}"
        try:
            for count in sizes:
                for name in systems:
                    done = subprocess.run(  # noqa: S603 - this module
                        [*command, "--child", name, str(count), url],
                        capture_output=True, text=True, check=False, env=environment,
                    )  # fmt: skip
                    if done.returncode:
                        print(f"{name} at {count}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
                        continue
                    rows.append(json.loads(done.stdout.splitlines()[-1]))
        finally:
            model.terminate()
    output.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    print(table(rows))


if __name__ == "__main__":
    main()
