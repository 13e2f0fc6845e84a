"""Rows become values: every measure of every question, from the rows and the data set alone, with no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from perdure.errors import InputError
from perdure.evaluation import asking
from perdure.evaluation.conversation import Category, Conversation, Question
from perdure.evaluation.measures.bleu import bleu1
from perdure.evaluation.measures.f1 import token_set_f1
from perdure.evaluation.measures.lexical_judge import lexical_verdict
from perdure.evaluation.measures.locomo_f1 import locomo_f1
from perdure.evaluation.measures.ndcg import ndcg
from perdure.evaluation.measures.recall import evidence_recall
from perdure.evaluation.outcomes import ALL, Outcome

MEASURES: Mapping[str, str] = {
    "evidence": "Evidence in context: the share of the evidence behind what was put before the model.",
    "recall": "Evidence recall among the first k turns returned.",
    "ndcg": "nDCG of the evidence among the first k turns returned.",
    "coverage": "Gold-token coverage: the share of the gold answer's stems that the context holds.",
    "f1": "F1 over token sets, as in the Mem0 paper's harness.",
    "bleu1": "BLEU-1, as in the Mem0 paper's harness.",
    "locomo_f1": "LoCoMo's own F1: stemmed, a rule for each category.",
    "lexical": "The lexical judge: gold words said. A lower bound; it is not J.",
    "choice": "The share of multiple-choice questions with the right letter.",
    "J lenient": "J: the share of verdicts that accept the answer, under our lenient prompt.",
    "J strict": "J under our strict prompt.",
    "declined": "The share of questions that were declined.",
}
ANSWERED = ("J lenient", "J strict", "choice", "lexical", "f1", "bleu1", "locomo_f1")
FOUND = ("evidence", "recall", "ndcg", "coverage")


@dataclass(frozen=True, slots=True)
class Scored:
    """A row with its measures; one that does not apply (no evidence, no answer, no gold) is not among them."""

    outcome: Outcome
    values: Mapping[str, float]


def score(outcomes: Sequence[Outcome], conversations: Sequence[Conversation], *, k: int, dataset: str) -> list[Scored]:
    """Return the rows with their measures, in order; rows of questions that the conversations lack are left out.

    So rows are scored by another key: give the conversations of that key.
    Raises InputError where not one row's question is there: it is another data set.
    """
    asked = {(c.id, question.index): (c, question) for c in conversations for question in c.questions}
    found = [
        Scored(outcome, _values(outcome, *asked[outcome.key], k=k, dataset=dataset))
        for outcome in outcomes
        if outcome.key in asked
    ]
    if outcomes and not found:
        raise InputError("no row asks a question of this data set; give the file that the run was made with")
    return found


def primary(scored: Sequence[Scored]) -> str:
    """Return what systems are compared by: J, else choices, else the lexical judge, else evidence, as far as held.

    Raises InputError where there is none.
    """
    held = {name for one in scored for name in one.values if one.outcome.is_answerable}
    for name in ("J lenient", "J strict", "choice", "lexical", "evidence"):
        if name in held:
            return name
    raise InputError("no question of this run has evidence or an answer, so that nothing can be compared")


def mean(scored: Sequence[Scored], name: str, *, category: Category | None = None) -> float | None:
    """Return the mean of a measure over the answerable questions that have it; None where none has."""
    values = [
        one.values[name]
        for one in scored
        if name in one.values and one.outcome.is_answerable and category in (None, one.outcome.category)
    ]
    return fmean(values) if values else None


def _values(
    outcome: Outcome, conversation: Conversation, question: Question, *, k: int, dataset: str
) -> dict[str, float]:
    values: dict[str, float] = {}
    if question.evidence and question.is_answerable and not _is_mute(outcome):
        returned = _units(outcome, conversation, question)
        values["evidence"] = len(set(returned) & set(question.evidence)) / len(question.evidence)
        if outcome.is_ranked:
            values["recall"] = evidence_recall(returned, question.evidence, k=k)
            values["ndcg"] = ndcg(returned, question.evidence, k=k)
    if outcome.coverage is not None and question.is_answerable:
        values["coverage"] = outcome.coverage
    if outcome.answer is not None:
        values.update(_answered(outcome, question, outcome.answer.text, dataset))
    return values


def _is_mute(outcome: Outcome) -> bool:
    """True if a system found something and cannot say which turns that comes from: a summary, or another's memories."""
    return not outcome.turns and not outcome.is_ranked and outcome.context_tokens > 0


def _units(outcome: Outcome, conversation: Conversation, question: Question) -> list[str]:
    """Return what was returned, in the units of the evidence, each once."""
    turns = [turn.id for turn in conversation.turns] if outcome.turns == (ALL,) else outcome.turns
    if question.unit == "turn":
        return list(dict.fromkeys(turns))
    session = {turn.id: turn.session for turn in conversation.turns}
    return list(dict.fromkeys(session[id] for id in turns if id in session))


def _answered(outcome: Outcome, question: Question, said: str, dataset: str) -> dict[str, float]:
    values = {"declined": float(asking.declines(said))}
    gold = question.answer
    if question.choices:
        values["choice"] = float(asking.chosen(said, question) == gold)
    elif gold is not None and question.is_answerable:
        values |= {"f1": token_set_f1(said, gold), "bleu1": bleu1(said, gold)}
        values["lexical"] = float(not asking.declines(said) and lexical_verdict(said, gold))
    if dataset == "locomo" and isinstance(question.category, int):
        values["locomo_f1"] = locomo_f1(said, gold or "", question.category)
    for name, verdicts in outcome.verdicts.items():
        values[f"J {name}"] = fmean(verdicts.said)
    return values
