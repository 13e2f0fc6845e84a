"""Studies by name: the values that a sweep tries, and what an ablation leaves out, in the form of `variants.varied`.

The paper's m, s and t are the settings `window`, `top_s` and `floor`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perdure.errors import InputError

# Chosen: the default lies between the values, and the ends are where a setting says almost nothing or almost all.
SWEEPS: Mapping[str, tuple[str, ...]] = {
    "window": ("window=0,5,20,40",),
    "top_s": ("top_s=1,5,20",),
    "floor": ("floor=0.2,0.4,0.6,0.8",),
    "k": ("k=1,5,20,50",),
    "summary_every": ("summary_every=1,5,50",),
    "budget_tokens": ("budget_tokens=500,1000,4000,8000",),
}
_NEVER = 1_000_000  # exchanges between two summaries: more than any data set has
MODULES = (
    "window=0", f"summary_every={_NEVER}",  # extraction sees the exchange alone; nothing is summarised
    "embedder=none", "dense_weight=1", "near_duplicate=1", "outdated_weight=1",  # a channel or a step of reading
    "include=memories", "include=messages",  # a source of hits
    "graph=off", "guard=off", "prompt_size=short",
)  # fmt: skip
GRAPH = ("graph=off,paper", "include=memories,memories/relations,memories/messages/relations,relations")
STUDIES: Mapping[str, tuple[str, ...]] = {
    **SWEEPS,
    "graph": GRAPH,
    "sweeps": tuple(one for sweep in SWEEPS.values() for one in sweep),
    "ablations": MODULES,
}
_OF_A_MODEL = ("window", "summary_every", "guard", "prompt_size")  # what is extracted or decided by rules has none
_VALUES_OF_A_MODEL = ("graph=paper",)


def studies(names: Sequence[str], *, has_model: bool) -> tuple[list[str], list[str]]:
    """Return what the studies vary, one value a time, and what of it needs a model that is not there; each once.

    Raises InputError on an unknown name.

    >>> studies(["window", "graph"], has_model=False)[0]
    ['graph=off', 'include=memories', 'include=memories/relations', 'include=memories/messages/relations',
    'include=relations']
    """
    unknown = [name for name in names if name not in STUDIES]
    if unknown:
        raise InputError(f"unknown study {unknown[0]!r}; expected one of {', '.join(STUDIES)}")
    single: dict[str, bool] = {}
    for study in (one for name in names for one in STUDIES[name]):
        key, _, values = study.partition("=")
        for value in values.split(","):
            change = f"{key}={value}"
            single[change] = has_model or not (key in _OF_A_MODEL or change in _VALUES_OF_A_MODEL)
    return [one for one, can in single.items() if can], [one for one, can in single.items() if not can]
