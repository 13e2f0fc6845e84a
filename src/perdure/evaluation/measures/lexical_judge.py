"""A judge for runs without a model: whether an answer holds the gold answer's words.  Its share is never called J.

It understands nothing: a right answer in other words is refused, "not a cat" passes for "a cat".  What it is good for
is to refuse: measured in runs/LOG.md, beside the agreement with models that judge.
"""

from __future__ import annotations

from perdure.text import NUMBER_WORDS, STOP_WORDS, stem, words

LEAST = 0.5  # chosen among nine on recorded verdicts: more than half refuses nearly all wrong answers, runs/judges.md


def lexical_verdict(answer: str, gold: str) -> bool:
    """Return True if the answer holds more than half of the gold's content stems, and each of its numbers.

    |A ∩ G| / |G| > 1/2 over distinct stems without function words, number words as digits, and N(G) ⊆ N(A).
    A gold of function words alone must be said as it stands.
    Source: our own; agreement and acceptance of wrong answers measured in runs/judges.md.

    >>> lexical_verdict("She went there on 7 May 2023.", "7 May 2023"), lexical_verdict("In May 2023", "7 May 2023")
    (True, False)
    """
    said, wanted = _stems(answer), _stems(gold)
    if not wanted:
        return " ".join(words(gold)) in " ".join(words(answer))
    numbers = {word for word in wanted if any(char.isdigit() for char in word)}
    return numbers <= said and len(said & wanted) > LEAST * len(wanted)


def _stems(text: str) -> set[str]:
    folded = (NUMBER_WORDS.get(word, word) for word in words(text.replace("-", " ")))
    return {stem(word) for word in folded if word not in STOP_WORDS}
