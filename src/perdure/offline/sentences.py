"""A message cut into sentences, each with its place; code and quoted lines are left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perdure.text import words

_LEFT_OUT = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(?P<tag>code|pre)>.*?</(?P=tag)>|^(?: {4}|\t)\S.*$|^\s*>.*$|^\s*\|.*\|\s*$"
    r"|^\s*(?:Traceback|File \"|at [\w.$]+\().*$",
    re.DOTALL | re.MULTILINE,
)
_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？；!?]+[”」』）]*|\n+|(?<=[^\W\d_])\s+(?=[\U0001F300-\U0001FAFF])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|sr|jr|vs|etc|e\.g|i\.e|no|approx|dept|inc|ltd|co|mt|ave|a\.m|p\.m|u\.s|u\.k)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+|^#+\s+")

# Words that only English has among the languages in view, and that nearly every English sentence uses.
_ENGLISH = frozenset(
    """
    the i my we our you your he she it they is are was were am be been have has had do does did will would can could
    and but or not to of for with at from this that these those an what when where who how just so really very about
    there here out up went going got get been i'm it's i've don't didn't that's i'll we're can't me him her them his
    their after before because if than then some any every all
    """.split()
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """content[begin:stop] of a message, trimmed."""

    text: str
    begin: int
    stop: int


def split(content: str) -> list[Sentence]:
    """Return the sentences of a message in order, without code blocks, quoted lines, tables and stack traces."""
    masked = _LEFT_OUT.sub(lambda match: "\n" * len(match.group()), content)  # same length, so that places hold
    found: list[Sentence] = []
    begin = 0
    for end in _END.finditer(masked):
        if end.group().startswith(".") and _ABBREVIATION.search(masked, begin, end.start() + 1):
            rest = masked[end.end() : end.end() + 2].strip()
            if rest and (rest[0].islower() or rest[0].isdigit() or masked[end.start() - 2 : end.start()].istitle()):
                continue
        _keep(content, begin, end.end(), found)
        begin = end.end()
    _keep(content, begin, len(masked.rstrip("\n")), found)
    return found


def _keep(content: str, begin: int, stop: int, found: list[Sentence]) -> None:
    piece = content[begin:stop]
    bullet = _BULLET.match(piece)
    begin += bullet.end() if bullet else len(piece) - len(piece.lstrip())
    text = content[begin:stop].rstrip()
    if words(text) and not _LEFT_OUT.match(text):
        found.append(Sentence(text, begin, begin + len(text)))


def is_english(text: str) -> bool:
    """Return True unless a text has words enough to tell and almost none of them are English function words."""
    if not text.isascii() and sum(not c.isascii() and c.isalpha() for c in text) > 0.3 * sum(map(str.isalpha, text)):
        return False
    found = [word.replace("’", "'") for word in words(text)]
    hits = sum(word in _ENGLISH for word in found)
    return hits * 8 >= len(found) or (len(found) < 4 and text.isascii())
