"""The experiment: every system takes in every conversation, is asked every question, and the answers are judged.

Interrupted, it goes on where it stopped: finished conversations are skipped, and of an unfinished one the systems are
filled again while the tape answers what was paid for.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from perdure.errors import BadCompletion
from perdure.evaluation import asking
from perdure.evaluation.asking import Leniency
from perdure.evaluation.conversation import Conversation, Question
from perdure.evaluation.measures.coverage import gold_coverage
from perdure.evaluation.outcomes import ALL, Answered, Folder, Ingested, Outcome, Verdicts
from perdure.evaluation.systems.protocol import Contender, Retrieved
from perdure.evaluation.tape import TapedLLM
from perdure.models import Completion, Prompt

Progress = Callable[[str, int, int], None]  # what, done, in all


@dataclass(frozen=True, slots=True)
class Asking:
    """How systems are asked and who answers and judges; without a model there are no answers and no verdicts."""

    k: int
    count: Callable[[str], int]  # cl100k tokens
    llm: TapedLLM | None = None
    judge: TapedLLM | None = None
    judges: tuple[Leniency, ...] = ()
    judge_runs: int = 1
    timer: Callable[[], float] = time.perf_counter


def sampled(conversations: Sequence[Conversation], size: int | None, *, seed: int) -> list[Conversation]:
    """Return the conversations with a sample of all their questions, in order; those left without one are left out."""
    if size is None:
        return list(conversations)
    keys = [(c.id, q.index) for c in conversations for q in c.questions]
    chosen = set(random.Random(seed).sample(keys, min(size, len(keys))))  # noqa: S311 - a repeatable sample, no secret
    kept = [
        Conversation(c.id, c.speakers, c.turns, tuple(q for q in c.questions if (c.id, q.index) in chosen))
        for c in conversations
    ]
    return [conversation for conversation in kept if conversation.questions]


def fingerprint(conversations: Sequence[Conversation]) -> str:
    """Return the sha256 of conversations and their questions: rows of other data do not go into one folder."""
    return sha256(repr(list(conversations)).encode("utf-8", "surrogatepass")).hexdigest()


def run(
    names: Sequence[str],
    make: Callable[[str], Contender],
    conversations: Sequence[Conversation],
    folder: Folder,
    asked: Asking,
    *,
    progress: Progress | None = None,
) -> None:
    """Append the rows that the folder lacks, system by system, conversation by conversation.

    Raises Forbidden where the budget is used up, and what systems and models raise; the folder can then be resumed.
    """
    done = {(row.system, *row.key) for row in folder.outcomes()}
    for name in names:
        lacking = [
            c for c in conversations if any((name, c.id, question.index) not in done for question in c.questions)
        ]
        if not lacking:
            continue
        system = make(name)
        try:
            for place, conversation in enumerate(lacking):
                if progress is not None:
                    progress(f"{name} {conversation.id}", place, len(lacking))
                missing = [q for q in conversation.questions if (name, conversation.id, q.index) not in done]
                ingested = _ingest(system, conversation, asked)
                folder.add(ingested, _ask(system, conversation, missing, asked))
        finally:
            system.reset()


def _ingest(system: Contender, conversation: Conversation, asked: Asking) -> Ingested:
    """Let a system take a conversation in.  Waiting for its model counts as when the calls were made."""
    before = asked.llm.usage if asked.llm else None
    waited = asked.llm.waited_ms if asked.llm else (0.0, 0.0)
    begun = asked.timer()
    system.ingest(conversation)
    ms = 1000 * (asked.timer() - begun)
    if asked.llm is not None and before is not None:
        now, then = asked.llm.waited_ms
        ms += (then - waited[1]) - (now - waited[0])  # less what was waited today, plus what it took when it was asked
        usage = asked.llm.usage
        spent = (
            usage.llm_calls - before.llm_calls,
            usage.prompt_tokens - before.prompt_tokens,
            usage.completion_tokens - before.completion_tokens,
        )
    else:
        spent = (0, 0, 0)
    held = system.held()
    return Ingested(
        system.name, conversation.id, len(conversation.turns), round(ms, 1), *spent, held.facts, held.tokens
    )


def _ask(system: Contender, conversation: Conversation, questions: Sequence[Question], asked: Asking) -> list[Outcome]:
    found: list[tuple[Retrieved, float]] = []
    for question in questions:  # one by one: the time of a batch would not be that of a search
        begun = asked.timer()
        [retrieved] = system.retrieve([question.text], k=asked.k)
        found.append((retrieved, 1000 * (asked.timer() - begun)))
    prompts = [
        asking.question_prompt(question, retrieved.context, now=question.at or conversation.now)
        for question, (retrieved, _) in zip(questions, found, strict=True)
    ]
    answers = _answers(prompts, asked.llm)
    verdicts = _judge(questions, answers, asked)
    every = {turn.id for turn in conversation.turns}
    return [
        Outcome(
            system=system.name,
            conversation=conversation.id,
            question=question.index,
            category=question.category,
            is_answerable=question.is_answerable,
            turns=(ALL,) if set(retrieved.turns) == every else retrieved.turns,
            is_ranked=retrieved.is_ranked,
            confidence=None if retrieved.confidence is None else round(retrieved.confidence, 4),
            context_tokens=asked.count(retrieved.context),
            coverage=_coverage(retrieved.context, question),
            search_ms=round(ms, 3),
            answer=answer,
            verdicts=judged,
        )
        for question, (retrieved, ms), answer, judged in zip(questions, found, answers, verdicts, strict=True)
    ]


def _answers(prompts: Sequence[Prompt], llm: TapedLLM | None) -> list[Answered | None]:
    """Return what the model answers to each prompt; None for each where there is no model."""
    if llm is None:
        return [None] * len(prompts)
    return [
        Answered(
            asking.read_answer(said),
            llm.model,
            prompt.hash,
            said.prompt_tokens,
            said.completion_tokens,
            llm.took(prompt),
        )
        for prompt, said in zip(prompts, llm.complete(prompts), strict=True)
    ]


def _coverage(context: str, question: Question) -> float | None:
    if question.answer is None or question.choices or not question.is_answerable:
        return None
    found = gold_coverage(context, question.answer)
    return None if found is None else round(found, 4)


def _judge(
    questions: Sequence[Question], answers: Sequence[Answered | None], asked: Asking
) -> list[dict[str, Verdicts]]:
    """Return the verdicts on each answer that has a gold; an unreadable verdict refuses, and is counted."""
    judged: list[dict[str, Verdicts]] = [{} for _ in questions]
    if asked.judge is None:
        return judged
    places = [
        place
        for place, (question, answer) in enumerate(zip(questions, answers, strict=True))
        if answer is not None and question.answer is not None and question.is_answerable and not question.choices
    ]
    judgeable = [(questions[place], answer) for place in places if (answer := answers[place]) is not None]
    for leniency in asked.judges:
        prompts = [
            asking.verdict_prompt(question.text, question.answer or "", answer.text, leniency)
            for question, answer in judgeable
        ]
        runs = [asked.judge.repeated(number).complete(prompts) for number in range(1, asked.judge_runs + 1)]
        for number, place in enumerate(places):
            said = [_verdict(completions[number]) for completions in runs]
            judged[place][leniency] = Verdicts(
                asked.judge.model, prompts[number].hash, tuple(one is True for one in said), said.count(None)
            )
    return judged


def _verdict(completion: Completion) -> bool | None:
    try:
        return asking.read_verdict(completion)
    except BadCompletion:
        return None  # counted in the row, and said in the report
