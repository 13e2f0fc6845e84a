"""The token estimator against real cl100k: ratio per text, on LoCoMo sessions and on other languages.

python runs/tokens.py
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpe_openai

from perdure.text import count_tokens

DATA = Path(os.environ.get("PERDURE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
ENCODING = bpe_openai.get_encoding("cl100k_base")


def strings(value: Any) -> Iterator[str]:
    """Every text of some length inside a JSON value."""
    if isinstance(value, str):
        if (len(value) > 15 and " " in value) or not value.isascii():
            yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def packed(value: Any, size: int = 40) -> list[str]:
    """Texts of `size` strings each, so that one odd word does not decide."""
    found = list(strings(value))[:8000]
    return ["\n".join(found[i : i + size]) for i in range(0, len(found), size)]


def locomo() -> tuple[list[str], list[str]]:
    sessions: list[str] = []
    conversations: list[str] = []
    for item in json.loads((DATA / "locomo" / "dev.json").read_text()):
        own = [
            "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in turns)
            for key, turns in item["conversation"].items()
            if isinstance(turns, list) and key.startswith("session_")
        ]
        sessions += own
        conversations.append("\n".join(own))
    return conversations, sessions


def report(name: str, texts: list[str]) -> None:
    ratios = sorted(count_tokens(text) / len(ENCODING.encode(text)) for text in texts)
    total = sum(map(count_tokens, texts)) / sum(len(ENCODING.encode(text)) for text in texts)
    middle = ratios[len(ratios) // 2]
    print(
        f"{name:22} n {len(ratios):5} total {total:.3f}  min {ratios[0]:.3f}  median {middle:.3f}  max {ratios[-1]:.3f}"
    )


def main() -> None:
    conversations, sessions = locomo()
    report("LoCoMo conversations", conversations)
    report("LoCoMo sessions", sessions)
    report("LoCoMo turns", [line for text in sessions for line in text.split("\n") if len(line) > 40])
    for language in ("zh", "jp", "ko", "fr", "it", "id", "en"):
        with gzip.open(DATA / "other" / f"xpersona_test_{language}.json.gz", "rt") as file:
            report(f"XPersona {language}", packed(json.load(file)))
    with gzip.open(DATA / "other" / "memdaily_zh.jsonl.gz", "rt") as file:
        report("MemDaily zh", packed([json.loads(next(file)) for _ in range(200)]))
    with gzip.open(DATA / "other" / "beam_100k_a.jsonl.gz", "rt") as file:
        report("BEAM en (code, lists)", packed(json.loads(next(file))["chat"], size=1))


if __name__ == "__main__":
    main()
