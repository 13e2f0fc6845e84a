"""A running summary and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from perdure import prompts
from perdure.errors import BadCompletion
from perdure.evaluation.conversation import Conversation
from perdure.evaluation.systems.protocol import Held, Retrieved
from perdure.ports import LLM
from perdure.prompts.recalled import as_data
from perdure.prompts.thoughts import without_thoughts

_MAX_TOKENS = 1_000  # of a summary of 200 words, in any script (chosen; as the write path has it)


class SummaryOnly:
    """perdure's own summary prompt, session after session; the same summary before every question."""

    name = "summary"

    def __init__(self, llm: LLM, count: Callable[[str], int]) -> None:
        self._llm = llm
        self._count = count
        self._text = ""

    def ingest(self, conversation: Conversation) -> None:
        """Rewrite the summary once a session.  Raises BadCompletion where a reply holds no whole summary."""
        self._text = ""
        for _, turns in groupby(conversation.turns, key=lambda turn: turn.session):
            said = [f"- {turn.at:%Y-%m-%d %H:%M} {as_data(turn.speaker)}: {as_data(turn.text)}" for turn in turns]
            old = as_data(self._text) if self._text else "(none)"
            prompt = prompts.load("summarize").fill(max_tokens=_MAX_TOKENS, summary=old, messages="\n".join(said))
            [completion] = self._llm.complete([prompt])
            text = without_thoughts(completion.text)
            if not text or completion.is_truncated:
                raise BadCompletion(f"no whole summary of a session of {conversation.id}; another model may do better")
            self._text = text

    def retrieve(self, questions: list[str], *, k: int) -> list[Retrieved]:
        """Return the summary for each question; it names no turns."""
        return [Retrieved((), None, self._text, is_ranked=False) for _ in questions]

    def held(self) -> Held:
        """Return the summary as one fact."""
        return Held(1 if self._text else 0, self._count(self._text))

    def reset(self) -> None:
        """Forget the summary."""
        self._text = ""
