"""policy="paper": Algorithm 1 of the Mem0 paper to the letter, for evaluation.

One decision per candidate, in order, each on the memories as those before it left them; the paper's four tools.
UPDATE puts the candidate in the place of the memory if its information content, distinct content words, is larger;
DELETE is physical, and no successor is stored.  Nothing similar: ADD, as ClassifyOperation says, without a call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from perdure import prompts
from perdure.errors import BadCompletion
from perdure.models import Completion, Effect, Event, Match, MemoryRecord, Prompt, Similar, Tool, Warning
from perdure.ports import Ports
from perdure.prompts.recalled import as_data
from perdure.settings import Settings
from perdure.text import content_words
from perdure.write import reply
from perdure.write.decide import NEW, memory_line
from perdure.write.draft import Draft
from perdure.write.similar import compare, cosine, top

if TYPE_CHECKING:
    from perdure.models import FloatArray

T = TypeVar("T")


class Ask(Protocol):
    """How the pipeline asks a model."""

    def __call__(self, prompt: Prompt, parse: Callable[[Completion], T]) -> T:
        """Return the parsed reply to a prompt, after one repair if need be.  Raises ProviderError kinds."""
        ...


_MEMORY: dict[str, Any] = {
    "type": "object",
    "properties": {"memory": {"type": "integer", "description": "number of the memory"}},
    "required": ["memory"],
    "additionalProperties": False,
}
_NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
TOOLS = (
    Tool("add_memory", "The fact is new.", _NOTHING),
    Tool("update_memory", "The fact adds to a memory.", _MEMORY),
    Tool("delete_memory", "The fact contradicts a memory.", _MEMORY),
    Tool("noop", "Nothing is to be done.", _NOTHING),
)
_EVENTS: Mapping[str, Event] = {
    "add_memory": "ADD", "update_memory": "UPDATE", "delete_memory": "DELETE", "noop": "NOOP",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """The tool that the model called, and the memory it named; None with ADD and NOOP, or where it showed none."""

    event: Event
    memory: MemoryRecord | None


def prompt(match: Match, *, folder: str | None, timezone: tzinfo) -> Prompt:
    """Return what the model is asked about one candidate."""
    lines = [f"[{n}] {memory_line(near.memory, timezone)}" for n, near in enumerate(match.similar, start=1)]
    return prompts.load("paper_decide", folder).fill(
        tools=TOOLS, memories="\n".join(lines), fact=as_data(match.candidate.text)
    )


def parse(completion: Completion, match: Match) -> Choice:
    """Return the first call of the reply.  Raises BadCompletion if it calls none of the four tools readably."""
    call = next((call for call in completion.calls if call.name in _EVENTS), None)
    if call is None:
        raise BadCompletion("the reply calls none of add_memory, update_memory, delete_memory and noop")
    event = _EVENTS[call.name]
    if event in ("ADD", "NOOP"):
        return Choice(event, None)
    given = reply.items(completion, tool=call.name, keys=("calls",), marks=("memory",)).items[0]
    alias = reply.whole(given.get("memory")) if isinstance(given, Mapping) else None
    if alias is None or not 1 <= alias <= len(match.similar):
        return Choice(event, None)
    return Choice(event, match.similar[alias - 1].memory)


def run(
    matches: Sequence[Match],
    vectors: Sequence[FloatArray | None],
    draft: Draft,
    ports: Ports,
    settings: Settings,
    *,
    ask: Ask,
    timezone: tzinfo,
) -> dict[int, str | None]:
    """Carry Algorithm 1 out on the draft: M is what the store holds, as the candidates before have changed it.

    Returns the memory that keeps each candidate's word, None where there is none.
    """
    homes: dict[int, str | None] = {}
    written: dict[str, FloatArray | None] = {}  # memories of this exchange → vectors
    hash = prompts.load("paper_decide", settings.prompts).hash(TOOLS)
    for index, (match, vector) in enumerate(zip(matches, vectors, strict=True)):
        current = _current(match, vector, draft, written, ports, settings)
        if not current.similar:
            choice, model = Choice("ADD", None), None
        else:
            asked = prompt(current, folder=settings.prompts, timezone=timezone)
            choice = ask(asked, lambda completion, shown=current: parse(completion, shown))  # type: ignore[misc]
            model = ports.llm.model if ports.llm else None
        hashed = hash if model else None
        homes[index] = _carry_out(choice, current, vector, draft, written, model=model, prompt_hash=hashed)
    return homes


def _current(
    match: Match,
    vector: FloatArray | None,
    draft: Draft,
    written: Mapping[str, FloatArray | None],
    ports: Ports,
    settings: Settings,
) -> Match:
    """Return the match with what this exchange has written in it, and without what it has deleted or replaced."""
    near: list[Similar] = [s for s in match.similar if s.memory.id not in written and not draft.is_retired(s.memory.id)]
    near += [
        compare(match.candidate, draft.held(id), cosine(vector, other))
        for id, other in written.items()
        if not draft.is_retired(id)
    ]
    return top(match.candidate, near, ports, settings)


def _carry_out(
    choice: Choice,
    match: Match,
    vector: FloatArray | None,
    draft: Draft,
    written: dict[str, FloatArray | None],
    *,
    model: str | None,
    prompt_hash: str | None,
) -> str | None:
    fact = match.candidate
    event, memory = choice.event, choice.memory
    if event in ("UPDATE", "DELETE") and memory is None:
        detail = "the model named a memory that it was not shown; the fact was added"
        draft.warnings.append(Warning("bad_decision", detail, fact.text))
        event = "ADD"
    id = memory.id if memory is not None else None
    reason = ""
    if event == "ADD":
        id = draft.add(fact)
        written[id] = vector
        reason = "" if match.similar else NEW
    elif memory is not None:
        draft.take(memory)
        if event == "DELETE":
            draft.erase(memory.id)
        elif len(content_words(fact.text)) > len(content_words(memory.text)):
            draft.change(memory.id, text=fact.text)
            draft.cite(memory.id, fact)
            written[memory.id] = vector
        else:
            event, reason = "NOOP", "the memory holds as much information"
    effect: Effect | None = "correction" if event == "DELETE" else None
    draft.log(event, id, fact, reason=reason, effect=effect, model=model, prompt_hash=prompt_hash)
    return None if event == "DELETE" else id
