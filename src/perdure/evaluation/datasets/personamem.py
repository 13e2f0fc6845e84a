"""PersonaMem: sessions of one user with an assistant, and multiple-choice questions on the user as of then.

Source: Jiang et al. 2025, the 32k set as packed by vectorize-io/agent-memory-benchmark.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from perdure.errors import InputError
from perdure.evaluation.conversation import Conversation, Question, Turn
from perdure.evaluation.datasets.files import data_folder, read_json, shaped

SOURCE = "https://github.com/vectorize-io/agent-memory-benchmark (data/personamem/32k, no licence stated)"
START = datetime(2024, 1, 1, 12, tzinfo=UTC)  # chosen: the sessions have an order and no dates
_TURN = re.compile(r"^\[(SYSTEM|USER|ASSISTANT)\] (?:User: |Assistant: )?", re.MULTILINE)
_CHOICE = re.compile(r"^\(([a-d])\) ", re.MULTILINE)


def load(path: str | Path | None = None, *, only: str | None = None) -> list[Conversation]:
    """Return a conversation per user and set of sessions, in the order of the questions; `only` names one by its id.

    The path is that of the questions; the documents lie beside it under the name with "documents" for "queries".
    Questions have choices and a gold letter, and no evidence: the file names whole conversations only.
    The persona that opens every session is left out: it would give the answers away.
    Raises InputError.
    """
    path = Path(path) if path is not None else data_folder() / "other" / "personamem_32k_queries.json.gz"
    if "queries" not in path.name:
        raise InputError(f"{path} is not the file of PersonaMem's questions; its name should hold 'queries'")
    queries = read_json(path, source=SOURCE)
    documents = read_json(path.with_name(path.name.replace("queries", "documents")), source=SOURCE)
    return shaped(path, "PersonaMem", lambda: _conversations(queries, documents, only))


def _conversations(
    queries: list[dict[str, Any]], documents: list[dict[str, Any]], only: str | None
) -> list[Conversation]:
    texts = {document["id"]: document["content"] for document in documents}
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for query in queries:
        groups.setdefault(tuple(query["gold_ids"]), []).append(query)
    found = []
    for ids, asked in groups.items():
        id = f"{asked[0]['user_id'][:8]}-{len(ids)}"
        if only in (None, id):
            turns = [turn for number, one in enumerate(ids, start=1) for turn in _turns(number, texts[one])]
            questions = tuple(_question(index, query) for index, query in enumerate(asked))
            found.append(Conversation(id, ("user", "assistant"), tuple(turns), questions))
    return found


def _turns(number: int, text: str) -> list[Turn]:
    marks = list(_TURN.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    turns = []
    for place, (mark, end) in enumerate(zip(marks, ends, strict=True)):
        said = text[mark.end() : end].strip()
        if mark[1] != "SYSTEM" and said:
            role: Any = mark[1].lower()
            at = START + timedelta(days=7 * number, minutes=place)
            turns.append(Turn(f"S{number}:{place}", role, said, at, role=role, session=f"S{number}"))
    return turns


def _question(index: int, query: dict[str, Any]) -> Question:
    marks = list(_CHOICE.finditer(query["query"]))
    ends = [mark.start() for mark in marks[1:]] + [len(query["query"])]
    choices = tuple((m[1], query["query"][m.end() : end].strip()) for m, end in zip(marks, ends, strict=True))
    asked = query["query"][: marks[0].start()].strip()
    letter = query["gold_answers"][-1]
    if letter not in dict(choices):
        raise ValueError(f"question {query['id']} has no choice {letter!r}")
    return Question(index, asked, letter, query["meta"]["question_type"], (), choices=choices)
