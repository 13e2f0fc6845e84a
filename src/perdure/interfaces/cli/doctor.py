"""`perdure doctor`: what is configured and from where, what is held, what is degraded or broken, and why."""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from perdure.errors import PerdureError
from perdure.interfaces.cli import show
from perdure.interfaces.cli.options import Session, json_option, pass_session, store_path
from perdure.models import Stats
from perdure.settings import Settings

if TYPE_CHECKING:
    from perdure.evaluation.probe import Report

_OTHER_VARIABLES = [f"PERDURE_{name}" for name in ("CONFIG", "TENANT", "USER", "AGENT", "RUN", "DATA", "REQUIRE_DATA")]
State = Literal["ok", "degraded", "broken"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, how it is, and what to do if it is not well."""

    name: str
    state: State
    detail: str


@click.command()
@click.option(
    "--model",
    "is_probed",
    is_flag=True,
    help="Tell the language model ten exchanges with known outcomes (15 to 30 calls).",
)
@json_option
@pass_session
def doctor(session: Session, *, is_probed: bool) -> None:
    """Check configuration, store and models.

    The exit code is 1 if something is broken.
    """
    settings = session.settings()
    findings, counts = examine(session, settings)
    report = probed(settings) if is_probed else None
    if report is not None:
        findings = [finding for finding in findings if finding.name != "llm"] + [_model(report, settings)]
    if any(finding.state == "broken" for finding in findings):
        session.exit_code = 1
    configured = {
        field.name: {"value": _public(getattr(settings, field.name)), "origin": settings.origin[field.name]}
        for field in fields(Settings)
        if field.name != "origin"
    }
    if session.is_json:
        model = {} if report is None else {"model": report}
        show.document({"findings": findings, "stats": counts, "settings": configured, **model})
        return
    show.table([(one.state, one.name, one.detail) for one in findings])
    if report is not None:
        show.line()
        show.table([("right" if one.is_right else "wrong", one.area, one.claim, one.detail) for one in report.checks])
    if counts is not None:
        show.line()
        show.table(show.counts(counts))
    show.line()
    show.table([(name, str(one["value"]), f"({one['origin']})") for name, one in configured.items()])


def examine(session: Session, settings: Settings) -> tuple[list[Finding], Stats | None]:
    """Return the findings, and the counts of the tenant if the store opens."""
    path = store_path(settings)
    findings = [*_variables(os.environ), *_files(path), *_database(), _llm(settings)]
    if any(finding.state == "broken" for finding in findings):
        return findings, None
    is_new = path is not None and not path.exists()
    if is_new:  # looking must not write: an empty store in memory stands for it
        findings.append(Finding("store", "ok", f"{path} does not exist yet; the first add creates it"))
    try:
        with session.memory(store=":memory:" if is_new else settings.store) as memory:
            counts = memory.stats()
            findings.extend(Finding("memory", "degraded", f"{w.detail} [{w.code}]") for w in memory.warnings)
    except PerdureError as err:
        return [*findings, Finding("memory", "broken", str(err))], None
    if not is_new:
        findings.append(
            Finding("store", "ok", f"{path or settings.store} opens, schema version {counts.schema_version}")
        )
    findings.append(_embedder(settings, counts))
    findings.append(_jobs(counts))
    return findings, counts


def probed(settings: Settings) -> Report:
    """Return what the configured model gets right.  Raises SettingsError, ProviderError kinds."""
    from perdure.evaluation import probe  # here: `--help` stays quick

    return probe.run(settings)


def _model(report: Report, settings: Settings) -> Finding:
    """Say in one line what a model got right, and what it cost."""
    right, count = report.right()
    areas = ", ".join(
        "{} {}/{}".format(area, *report.right(area)) for area in dict.fromkeys(c.area for c in report.checks)
    )
    usage = report.usage
    detail = (
        f"{report.model} got {right} of {count} right ({areas}); {usage.llm_calls} calls, "
        f"{usage.prompt_tokens} + {usage.completion_tokens} tokens"
    )
    if report.unread:
        detail += f"; {len(report.unread)} of its replies could not be read"
    if right < count and settings.prompt_size == "full":
        detail += "; a small model may do better with PERDURE_PROMPT_SIZE=short"
    return Finding("llm", "broken" if not right else "ok" if right == count else "degraded", detail)


def _variables(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Name the variables that look like ours and set nothing: a misspelt one is silent otherwise."""
    known = [f"PERDURE_{field.name.upper()}" for field in fields(Settings)] + _OTHER_VARIABLES
    for name in sorted(environment):
        if name.startswith("PERDURE_") and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            yield Finding("environment", "degraded", f"{name} is set, and is no setting{meant}")


def _files(path: Path | None) -> Iterator[Finding]:
    """Look at the file's folder and permissions."""
    if path is None:
        return
    if path.exists():
        if not os.access(path, os.R_OK | os.W_OK) or not os.access(path.parent, os.W_OK):
            yield Finding("files", "broken", f"{path} or its folder cannot be written; check owner and permissions")
        elif os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            yield Finding("files", "degraded", f"others on this machine may read {path}; `chmod 600` closes it")
        else:
            yield Finding("files", "ok", f"{path} can be read and written by its owner alone")
        return
    folder = next(parent for parent in path.parents if parent.exists())
    if not os.access(folder, os.W_OK):
        yield Finding("files", "broken", f"{folder} cannot be written, so {path} cannot be created")


def _database() -> Iterator[Finding]:
    try:
        import apsw
    except ImportError as err:
        yield Finding("sqlite", "broken", f"apsw cannot be imported ({err}); install it again")
    else:
        yield Finding("sqlite", "ok", f"SQLite {apsw.sqlite_lib_version()}, apsw {apsw.apsw_version()}")


def _llm(settings: Settings) -> Finding:
    if settings.llm is None:
        return Finding(
            "llm", "degraded", "none configured: the offline engine extracts by rules; set --llm or PERDURE_LLM"
        )
    return Finding("llm", "ok", f"{settings.llm}; `doctor --model` asks it")


def _embedder(settings: Settings, counts: Stats) -> Finding:
    if counts.embedder is None or settings.embedder == "none":
        return Finding("embedder", "degraded", "none: search is by words alone (BM25)")
    return Finding("embedder", "ok", f"{counts.embedder}, {counts.dimensions} dimensions")


def _jobs(counts: Stats) -> Finding:
    detail = f"{counts.jobs_waiting} waiting, {counts.jobs_dead} given up"
    if counts.jobs_dead:
        return Finding("jobs", "degraded", f"{detail}; see `perdure operations`, then `perdure retry ID`")
    return Finding("jobs", "ok", detail)


def _public(value: Any) -> Any:
    """Return a setting without what could be a secret: user and password of an address."""
    if isinstance(value, str) and "@" in value and "://" in value:
        scheme, _, rest = value.partition("://")
        return f"{scheme}://…@{rest.rpartition('@')[2]}"
    return value
