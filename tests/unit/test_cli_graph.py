"""The graph on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from perdure.interfaces.cli import drawing, run
from perdure.models import EntityRecord, Graph, RelationRecord
from tests import make


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PERDURE_USER", "ana")

    def asked(*words: str) -> tuple[int, str, str]:
        code = run(["--store", str(tmp_path / "m.db"), "--embedder", "none", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    assert asked("add", "--fact", "Ana lives in Lyon", "--fact", "Annie works at Bolt")[0] == 0
    return asked


def test_entities_and_relations_are_listed(ask: Any) -> None:
    assert "organisation  1         Bolt" in ask("entities")[1]
    assert "Ana lives in Lyon" in ask("relations")[1]
    assert "Bolt" not in ask("relations", "Ana")[1]
    [listed] = json.loads(ask("relations", "Ana", "--json")[1])
    assert (listed["source"], listed["label"], listed["destination"]) == ("Ana", "lives_in", "Lyon")


def test_merge_split_path_and_undo(ask: Any) -> None:
    merged = json.loads(ask("merge", "Ana", "Annie", "--json")[1])
    assert "Ana works at Bolt" in ask("path", "Lyon", "Bolt")[1]

    assert ask("split", "Ana", "Annie")[0] == 0
    assert "no way leads from Lyon to Bolt" in ask("path", "Lyon", "Bolt")[1]
    assert ask("split", "Ana", "Bob")[0] == 2
    assert ask("undo", merged["operation_id"])[0] == 0


def test_an_unknown_entity_is_exit_code_3(ask: Any) -> None:
    code, _, err = ask("graph", "--about", "Zoe")

    assert code == 3
    assert "no entity 'Zoe'" in err


def test_a_neighbourhood_is_drawn_as_mermaid_and_svg(ask: Any, tmp_path: Path) -> None:
    out = tmp_path / "ana.svg"

    assert '-->|"lives in' in ask("graph", "--about", "ana")[1]
    assert ask("graph", "--about", "Ana", "--out", str(out))[0] == 0
    assert ask("graph", "--about", "Ana", "--out", str(out))[0] == 2  # it is there
    words = "".join(ET.parse(out).getroot().itertext())
    assert "lives in" in words


def _graph(name: str) -> Graph:
    one, two = (EntityRecord(id, said, None, (), 1, make.AT, ()) for id, said in (("a", name), ("b", "Lyon")))
    edge = RelationRecord(
        "r", name, name, "Lyon", "a", "b", "", make.AT, make.AT, make.AT, None, (), "", "ana", None, None
    )  # fmt: skip
    return Graph((one, two), (edge, edge))


def test_names_cannot_break_out_of_a_drawing() -> None:
    wicked = _graph('x"]<script>alert(1)</script>\n end\x1b[31m#')

    picture = drawing.svg(wicked, ["a"])
    tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(picture).iter()}
    assert "script" not in tags
    text = drawing.mermaid(wicked)
    assert "<script>" not in text
    assert len(text.splitlines()) == 5
    assert '"]' not in text.splitlines()[1][:-2]
    assert "-.->" in text
