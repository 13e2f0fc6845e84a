"""Every python block and every console line of the documentation runs, offline, in an empty folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from perdure.interfaces.cli import run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


@pytest.fixture(autouse=True)
def _empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder with an empty home, and with nothing configured."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("OPENAI_API_KEY", "PERDURE_LLM", "PERDURE_CONFIG", "PERDURE_STORE", "PERDURE_USER"):
        monkeypatch.delenv(name, raising=False)


def blocks(page: Path, language: str) -> list[str]:
    return [text for name, text in BLOCK.findall(page.read_text(encoding="utf-8")) if name == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_run_in_one_namespace(page: Path) -> None:
    namespace: dict[str, Any] = {"__name__": "docs"}

    for number, text in enumerate(blocks(page, "python"), start=1):
        exec(compile(text, f"{page.name}, block {number}", "exec"), namespace)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_console_lines_succeed(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in "".join(blocks(page, "console")).splitlines():
        if line.startswith("$ perdure "):
            code = run(shlex.split(line)[2:])
            assert code == 0, f"{line}\n{capsys.readouterr().err}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(page: Path) -> None:
    later = {"ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"}  # tested too, once they are there
    gone = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / link).exists()]

    assert set(gone) <= later


def test_the_readme_is_short_and_its_files_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert len(text.splitlines()) <= 130
    assert len(blocks(ROOT / "README.md", "python")[0].splitlines()) <= 24
