"""What is measured: perdure in its settings, and whoever is compared with it, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from perdure.errors import InputError, SettingsError
from perdure.evaluation.systems.deciding import Deciding
from perdure.evaluation.systems.graphiti import Graphiti
from perdure.evaluation.systems.langmem import LangMem
from perdure.evaluation.systems.mem0 import Mem0
from perdure.evaluation.systems.memgpt import MemGPT
from perdure.evaluation.systems.memorybank import MemoryBank
from perdure.evaluation.systems.observations import Observations
from perdure.evaluation.systems.plain import FullContext, NoMemory
from perdure.evaluation.systems.protocol import Contender
from perdure.evaluation.systems.rag import CHUNK_SIZES, CUT_OFFS, Rag
from perdure.evaluation.systems.readagent import ReadAgent
from perdure.evaluation.systems.remembering import Remembering, Shows, Writes
from perdure.evaluation.systems.summary import SummaryOnly
from perdure.evaluation.systems.two_stores import TwoStores
from perdure.evaluation.systems.variants import parse
from perdure.evaluation.tape import TapedLLM
from perdure.models import Include
from perdure.ports import LLM, Embedder
from perdure.read.query import INCLUDABLE
from perdure.settings import Settings

NAMES = (
    "perdure", "perdure-append", "perdure-paper", "perdure-facts", "perdure-verbatim", "perdure-two-stores",
    "all-memories",
    "rag-TOKENSxCHUNKS (rag: rag-512x1; rags: every size of the paper)",
    "summary", "observations", "full-context", "none",
    "readagent", "memorybank", "memgpt", "mem0", "langmem", "graphiti", "perdure+SETTING=VALUE",
)  # fmt: skip
_OTHERS: Mapping[str, Callable[[Embedder, LLM, Callable[[str], int]], Contender]] = {
    "memorybank": MemoryBank, "memgpt": MemGPT, "mem0": Mem0, "langmem": LangMem, "graphiti": Graphiti,
}  # fmt: skip
_RAG = re.compile(r"rag-(\d{1,5})x(\d{1,3})")


@dataclass(frozen=True, slots=True)
class Setup:
    """What every system of a run is given."""

    embedder: Embedder | None
    llm: LLM | None
    settings: Settings
    count: Callable[[str], int]  # tokens of a text
    budget_tokens: int  # of a packed context
    decider: TapedLLM | None = None  # the model of variants by the name of decider=MODEL


def expanded(names: list[str]) -> list[str]:
    """Return the names with short forms written out, each once.

    >>> expanded(["rag", "none", "rag-512x1"])
    ['rag-512x1', 'none']
    """
    found: list[str] = []
    for name in names:
        if name == "rags":
            found.extend(f"rag-{size}x{chunks}" for size in CHUNK_SIZES for chunks in CUT_OFFS)
        else:
            found.append("rag-512x1" if name == "rag" else name)
    return list(dict.fromkeys(found))


def make(name: str, setup: Setup) -> Contender:
    """Return the system of a name, or of a variant's.

    Raises InputError on an unknown one, SettingsError where it lacks a model, or the package that it runs in.
    Without a language model perdure's policies extract by the offline engine, which has one policy.
    """
    rag = _RAG.fullmatch(name)
    if rag and int(rag[1]) and int(rag[2]):
        return Rag(_embedder(name, setup), setup.count, chunk_tokens=int(rag[1]), chunks=int(rag[2]))
    if name in _OTHERS:
        return _OTHERS[name](_embedder(name, setup), _llm(name, setup), setup.count)
    match name:
        case "full-context":
            return FullContext()
        case "none":
            return NoMemory()
        case "summary":
            return SummaryOnly(_llm(name, setup), setup.count)
        case "observations":
            return Observations(_embedder(name, setup), setup.count)
        case "readagent":
            return ReadAgent(_llm(name, setup), setup.count)
        case "perdure-two-stores":
            return TwoStores(name, lambda: _new(name, setup, "consolidate", include=("memories",)))
    return _remembering(name, setup)


def _remembering(name: str, setup: Setup) -> Remembering:
    variant = parse(name)
    setup = replace(
        setup,
        settings=replace(setup.settings, **variant.settings),
        budget_tokens=variant.budget_tokens or setup.budget_tokens,
        embedder=setup.embedder if variant.has_embedder else None,
        llm=setup.llm if variant.decider is None else _deciding(name, variant.decider, setup),
    )
    made = _of(variant.name, setup)
    made.vary(name, k=variant.k, graph=variant.graph, include=variant.include)
    return made


def _deciding(name: str, model: str, setup: Setup) -> Deciding:
    if not isinstance(setup.llm, TapedLLM) or setup.decider is None or setup.decider.model != model:
        raise SettingsError(f"{name} needs a model that decides; name it with --decision-llm, beside --llm")
    return Deciding(setup.llm, setup.decider)


def _of(name: str, setup: Setup) -> Remembering:
    match name:
        case "perdure":
            return _new(name, setup, "consolidate")
        case "perdure-facts":
            return _new(name, setup, "consolidate", include=("memories",))
        case "perdure-append":
            _llm(name, setup)
            return _new(name, setup, "append")
        case "perdure-paper":
            _llm(name, setup)
            return _new(name, setup, "paper", include=("memories",))
        case "perdure-verbatim":
            return _new(name, setup, "verbatim", include=("messages",))
        case "all-memories":
            return _new(name, setup, "consolidate", shows="all")
    raise InputError(f"unknown system {name!r}; expected one of {', '.join(NAMES)}")


def _new(
    name: str, setup: Setup, policy: Writes, *, include: Sequence[Include] = INCLUDABLE, shows: Shows = "found"
) -> Remembering:
    return Remembering(
        name, policy=policy, embedder=setup.embedder, llm=setup.llm, settings=setup.settings, count=setup.count,
        budget_tokens=setup.budget_tokens, include=include, shows=shows,
    )  # fmt: skip


def _llm(name: str, setup: Setup) -> LLM:
    if setup.llm is None:
        raise SettingsError(f"{name} needs a language model; name one with --llm, or leave {name} out")
    return setup.llm


def _embedder(name: str, setup: Setup) -> Embedder:
    if setup.embedder is None:
        raise SettingsError(f"{name} ranks by embeddings and there is no embedder; name one, or leave {name} out")
    return setup.embedder
