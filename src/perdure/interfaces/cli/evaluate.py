"""`perdure eval`: systems over a data set, resumable, scored offline."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from perdure.errors import InputError, SettingsError
from perdure.interfaces.cli import show
from perdure.interfaces.cli.options import Session, json_option, pass_session

if TYPE_CHECKING:
    from perdure.evaluation.asking import Leniency
    from perdure.evaluation.conversation import Conversation
    from perdure.evaluation.outcomes import Folder, Spec
    from perdure.ports import LLM, Embedder

SETS = ("locomo", "longmemeval", "beam", "halumem", "personamem", "prefeval", "memdaily", "own")


@click.command("eval")
@click.argument("dataset", type=click.Choice(SETS))
@click.option("--file", "path", metavar="PATH", help="The data file [default: in $PERDURE_DATA].")
@click.option("--systems", metavar="NAMES",
              help="What is compared, with commas; an unknown name lists them all "
                   "[default: perdure,rag,full-context,none; of a --study perdure].")  # fmt: skip
@click.option("--out", metavar="FOLDER", help="Where rows and reports go [default: eval-DATASET].")
@click.option("--offline", "is_offline", is_flag=True, help="Ask no model: retrieval is measured, nothing is answered.")
@click.option("--resume", "is_resumed", is_flag=True, help="Go on with the run of --out.")
@click.option("--rescore", "is_rescored", is_flag=True, help="Make the reports of --out anew; nothing is asked.")
@click.option("--study", metavar="NAMES",
              help="Of perdure: sweeps, ablations, graph, k, ...; an unknown name lists them all.")  # fmt: skip
@click.option("--vary", multiple=True, metavar="NAME=V,V",
              help="Add perdure with a setting, k or budget_tokens changed to each; may be repeated.")  # fmt: skip
@click.option("--k", default=10, show_default=True, help="Relevance cut-off of a search.")
@click.option("--budget-tokens", default=2000, show_default=True, help="Of a packed context.")
@click.option("--only", metavar="IDS", help="These conversations alone, with commas.")
@click.option("--sample", type=click.IntRange(1), help="Ask so many questions, drawn by --seed.")
@click.option("--seed", default=20_241_130, show_default=True, help="Of the sample and the intervals.")
@click.option("--decision-llm", metavar="NAME",
              help="Add perdure with this model to decide what becomes of memories, a smaller one.")  # fmt: skip
@click.option("--judges", default="lenient", show_default=True, metavar="NAMES", help="lenient, strict, or none.")
@click.option("--judge-runs", type=click.IntRange(1, 10), default=1, show_default=True, help="Verdicts an answer.")
@click.option("--judge-llm", metavar="NAME", help="The judge's model [default: --llm].")
@click.option("--max-tokens", type=click.IntRange(1), help="Stop when the run's calls have taken so many tokens.")
@click.option("--max-usd", type=float, help="Stop when they have cost so much, by the table of prices.")
@click.option("--calls-per-minute", type=float, help="Ask no faster.")
@json_option
@pass_session
def evaluate(session: Session, /, *, dataset: str, is_rescored: bool, **options: Any) -> None:
    """Compare memories on a data set, and write a report.

    Each system takes in each conversation and is asked each question; one model answers for all of them, over what
    each found, and is judged.  Rows, replies and reports go to one folder; killed, the run goes on with --resume and
    pays no call twice.  --rescore makes the reports of a folder again, without any model.
    """
    from perdure.evaluation.outcomes import Folder

    folder = Folder(Path(options["out"] or f"eval-{dataset}"))
    session.on_interrupt = f"go on with --resume; {folder.path} keeps what was done"
    conversations = _conversations(dataset, options)
    if not is_rescored:
        _run(session, folder, dataset, conversations, options)
    elif folder.spec().dataset != dataset:
        raise InputError(f"{folder.path} is a run on {folder.spec().dataset}, not {dataset}")
    _report(session, folder, dataset, options, conversations)


def _conversations(dataset: str, options: dict[str, Any], *, key: str = "raw") -> list[Conversation]:
    from perdure.evaluation.datasets import load
    from perdure.evaluation.experiment import sampled

    found = load(dataset, options["path"], key="clean" if key == "clean" else "raw")
    wanted = _listed(options["only"] or "")
    unknown = sorted(set(wanted) - {conversation.id for conversation in found})
    if unknown:
        raise InputError(f"{dataset} has no conversation {unknown[0]!r}")
    kept = [conversation for conversation in found if not wanted or conversation.id in wanted]
    return kept if key == "clean" else sampled(kept, options["sample"], seed=options["seed"])


def _run(
    session: Session, folder: Folder, dataset: str, conversations: list[Conversation], options: dict[str, Any]
) -> None:
    from perdure import registry
    from perdure.evaluation.experiment import Asking, run
    from perdure.evaluation.measures.tokens import cl100k
    from perdure.evaluation.systems import Setup, expanded, make
    from perdure.evaluation.systems.variants import varied
    from perdure.evaluation.tape import Limits, Tape, TapedLLM
    from perdure.providers.prices import prices

    settings = session.settings()
    systems = options["systems"] or ("perdure" if options["study"] else "perdure,rag,full-context,none")
    llm = None if options["is_offline"] else registry.language_model(None, settings)
    if llm is None and not options["is_offline"]:
        raise SettingsError("no language model is configured; set --llm, or measure retrieval alone with --offline")
    if llm is None and not any(q.evidence for conversation in conversations for q in conversation.questions):
        raise InputError(f"--offline measures retrieval, and {dataset} names no evidence; give it a model with --llm")
    decider = registry.language_model(options["decision_llm"], settings) if options["decision_llm"] and llm else None
    studies = [*_studies(options["study"], has_model=llm is not None), *options["vary"]]
    names = varied(expanded(_listed(systems)), [*studies, *([f"decider={decider.model}"] if decider else [])])
    judge = registry.language_model(options["judge_llm"], settings) if llm and options["judge_llm"] else llm
    embedder, warnings = registry.embedder(None, settings)
    for warning in warnings:
        click.echo(f"perdure: {warning.detail}", err=True)
    judges = _judges(options["judges"]) if llm else ()
    count = cl100k()  # a missing extra is said before the folder is begun
    folder.begin(
        _spec(dataset, conversations, options, embedder=embedder, llm=llm, judge=judge, judges=judges),
        resume=options["is_resumed"],
    )
    limits = Limits(options["max_tokens"], options["max_usd"], options["calls_per_minute"])
    more: dict[str, Any] = {
        "limits": limits, "prices": prices(settings.prices), "concurrency": settings.llm_concurrency,
    }  # fmt: skip
    tape = Tape(folder.path / "calls.jsonl") if llm else None
    try:
        taped, judging, deciding = (
            None if tape is None or one is None else TapedLLM(one, tape, **more) for one in (llm, judge, decider)
        )
        setup = Setup(embedder, taped, replace(settings, store=None), count, options["budget_tokens"], deciding)
        made = {name: make(name, setup) for name in names}  # an unknown name is said before anything is asked
        asked = Asking(options["k"], count, taped, judging if judges else None, judges, options["judge_runs"])
        run(names, made.__getitem__, conversations, folder, asked, progress=_say)
    finally:
        for model in (llm, judge, decider, embedder):
            close = getattr(model, "close", None)
            if close is not None:
                close()


def _listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _studies(text: str | None, *, has_model: bool) -> list[str]:
    """Return what is varied by the studies of these names; what needs a model that is not there is said."""
    from perdure.evaluation.systems.studies import studies

    wanted, left_out = studies(_listed(text or ""), has_model=has_model)
    if left_out:
        click.echo(
            f"perdure: without a model these would change nothing, and are left out: {', '.join(left_out)}", err=True
        )
    return wanted


def _judges(text: str) -> tuple[Leniency, ...]:
    from perdure.evaluation.asking import LENIENCIES

    names = _listed(text)
    if names == ["none"]:
        return ()
    unknown = sorted(set(names) - set(LENIENCIES))
    if unknown or not names:
        raise InputError(f"--judges takes {', '.join(LENIENCIES)} or none, not {text!r}")
    return tuple(name for name in LENIENCIES if name in names)


def _spec(
    dataset: str,
    conversations: list[Conversation],
    options: dict[str, Any],
    *,
    embedder: Embedder | None,
    llm: LLM | None,
    judge: LLM | None,
    judges: tuple[Leniency, ...],
) -> Spec:
    from importlib.metadata import PackageNotFoundError, version

    from perdure.evaluation.experiment import fingerprint
    from perdure.evaluation.outcomes import Spec

    try:
        release = version("perdure")
    except PackageNotFoundError:
        release = "a checkout that is not installed"
    return Spec(
        dataset=dataset,
        data_sha256=fingerprint(conversations),
        conversations=tuple(conversation.id for conversation in conversations),
        questions=sum(len(conversation.questions) for conversation in conversations),
        sample=options["sample"],
        seed=options["seed"],
        k=options["k"],
        budget_tokens=options["budget_tokens"],
        embedder=None if embedder is None else embedder.model,
        model=None if llm is None else llm.model,
        judge=judge.model if judge is not None and judges else None,
        judges=judges,
        judge_runs=options["judge_runs"],
        version=release,
    )


def _report(
    session: Session, folder: Folder, dataset: str, options: dict[str, Any], conversations: list[Conversation]
) -> None:
    from perdure.evaluation.reporting import report

    clean = None
    if dataset == "locomo":
        try:
            clean = _conversations(dataset, options, key="clean")
        except InputError as err:  # a file without the audit beside it
            click.echo(f"perdure: no clean key: {err}", err=True)
    paths = report(folder, conversations, clean=clean)
    if session.is_json:
        show.document({name: str(path) for name, path in paths.items()} | {"folder": str(folder.path)})
        return
    click.echo(paths["markdown"].read_text(encoding="utf-8"))
    show.line(f"written: {paths['markdown']}, {paths['page']}")


def _say(what: str, done: int, total: int) -> None:
    click.echo(f"{what} ({done + 1}/{total})", err=True)
