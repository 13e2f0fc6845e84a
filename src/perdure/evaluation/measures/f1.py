"""F1 as the Mem0 paper's harness has it: over sets of tokens."""

from __future__ import annotations

_AS_SPACE = str.maketrans(dict.fromkeys(".,!?", " "))


def tokens(text: str) -> set[str]:
    """Return the distinct tokens: lower case, `. , ! ?` as spaces, split on white space.

    >>> sorted(tokens("On 7 May, 2023."))
    ['2023', '7', 'may', 'on']
    """
    return set(text.lower().translate(_AS_SPACE).split())


def token_set_f1(answer: str, gold: str) -> float:
    """Return 2PR / (P + R) with P = |A ∩ G| / |A| and R = |A ∩ G| / |G|, A and G the token sets; 0 if one is empty.

    A word said twice counts once, nothing is stemmed and articles stay, so the value is another than SQuAD's or
    LoCoMo's own; never compare them.
    Source: the evaluation harness published with arXiv 2504.19413; reproduced on 9,737 recorded rows, runs/LOG.md.

    A = {on, 7, may, 2023}, G = {7, may, 2023}: P = 3/4, R = 1.

    >>> round(token_set_f1("On 7 May, 2023.", "7 May 2023"), 4)
    0.8571
    """
    said, wanted = tokens(answer), tokens(gold)
    shared = len(said & wanted)
    if not shared:
        return 0.0
    precision, recall = shared / len(said), shared / len(wanted)
    return 2 * precision * recall / (precision + recall)
