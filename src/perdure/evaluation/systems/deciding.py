"""Two models as one: a second one decides what becomes of memories, the first one does everything else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from perdure.evaluation.tape import TapedLLM
from perdure.models import Completion, Prompt

DECIDES: Final = frozenset(("decide", "decide_short", "paper_decide", "graph_conflicts", "graph_resolve"))  # prompts


class Deciding:
    """A model that hands the prompts of the decision to another; what those take counts with the first one's calls."""

    def __init__(self, llm: TapedLLM, decider: TapedLLM) -> None:
        self._llm = llm
        self._decider = decider

    @property
    def model(self) -> str:
        """The first one's name: it extracts."""
        return self._llm.model

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """Return one completion per prompt, in order.  Raises what the models raise."""
        of = {
            is_decision: [place for place, prompt in enumerate(prompts) if (prompt.name in DECIDES) is is_decision]
            for is_decision in (False, True)
        }
        found = dict(zip(of[False], self._llm.complete([prompts[place] for place in of[False]]), strict=True))
        decided = self._llm.charged(self._decider, [prompts[place] for place in of[True]])
        found |= dict(zip(of[True], decided, strict=True))
        return [found[place] for place in range(len(prompts))]
