"""English words as the Penn Treebank cuts them: what BLEU counts.

Written after the Treebank's published conventions (Marcus, Santorini, Marcinkiewicz 1993): punctuation stands alone,
a full stop only at the end of a sentence, `n't`, `'s`, `'ll` and their like are tokens of their own.
"""

from __future__ import annotations

import re

_BREAK = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=\S)")
_ABBREVIATED = re.compile(r"(?:^|[\s(])(?:(?:[a-z]\.)*[a-z]|mr|mrs|ms|dr|st|jr|sr|vs|prof)\.$")
_APART = re.compile(
    r"""
      \.{2,} | --+                                    # an ellipsis, a dash
    | [?!;@\#$%&*()\[\]{}<>«“‘„»”’]                   # marks that always stand alone
    | [:,](?!\d)                                      # but 3:30 and 1,000
    | " | '' | `+
    """,
    re.VERBOSE,
)
_ENDINGS = re.compile(r"(?<=[^\s'])('ll|'re|'ve|n't|'s|'m|'d)(?=\s|$)")
_TWO_WORDS = re.compile(r"\b(can)(not)\b|\b(gim|lem)(me)\b|\b(gon|wan)(na)\b|\b(got)(ta)\b")


def word_tokens(text: str) -> list[str]:
    """Return the tokens of a lower-cased text, in order.

    >>> word_tokens("she didn't go to ana's (12:30), at 1,000 m.")
    ['she', 'did', "n't", 'go', 'to', 'ana', "'s", '(', '12:30', ')', ',', 'at', '1,000', 'm', '.']
    """
    return [token for sentence in _sentences(text) for token in _words(sentence)]


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text: it breaks behind `. ! ?` and a space, unless the stop marks an abbreviation."""
    found: list[str] = []
    begin = 0
    for match in _BREAK.finditer(text):
        if not _ABBREVIATED.search(text[begin : match.start()]):
            found.append(text[begin : match.end()].strip())
            begin = match.end()
    return [*found, text[begin:].strip()]


def _words(sentence: str) -> list[str]:
    apart = _APART.sub(lambda match: f" {match[0]} ", sentence)
    apart = re.sub(r"(?<=[^.])\.(?=[\s\])}>\"'»”’]*$)", " . ", apart)
    apart = re.sub(r"(?<=[^'\s])'(?=\s|$)", " '", apart)  # an apostrophe that closes
    apart = _ENDINGS.sub(r" \1", apart)
    apart = _TWO_WORDS.sub(lambda match: " ".join(part for part in match.groups() if part), apart)
    return apart.split()
