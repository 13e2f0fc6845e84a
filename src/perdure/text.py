"""Text as perdure compares it: sparse terms, normal forms, token counts.

The same tokeniser serves every backend, so that all rank alike.
"""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from math import ceil

_THREAD = threading.local()

USER = "user"  # the normal name of a speaker without a name
_USER = frozenset(("user", "i", "me", "myself", "speaker", "self"))
_TITLES = frozenset("the a an mr mrs ms miss dr doctor prof professor sir madam".split())
_COMPANY = frozenset("inc ltd llc gmbh corp corporation co company plc sa ag".split())

DESCRIPTION = "image_description"  # the metadata key of what a model saw in a message: {"text": ..., "model": ...}

# Chosen among a few on LoCoMo dev and LongMemEval, runs/LOG.md: a word said twice in a message says little more, and
# between short turns and long explanations the length must count.
BM25_K1 = 0.4
BM25_B = 0.75

_CJK = (
    "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:['’][^\W_{_CJK}]+)*")
_IS_CJK = re.compile(rf"[{_CJK}]")
_TOKEN = re.compile(
    rf"[{_CJK}]|['’](?:s|t|re|ve|m|ll|d)\b|[^\W\d_{_CJK}]+|\d{{1,3}}|[!-/:-@\[-`{{-~]+|[^\w\s]|\s(?=\d)"
)
# A token with what joins its parts: a number, a date, a code ("lh-232b", "14:30", "3.5"), also plain words.
_MARKED = re.compile(r"[^\W_]+(?:['’.,:/_-][^\W_]+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_IS_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+$")
_ENGLISH_LETTERS, _LATIN_LETTERS = 9, 3.2  # letters to a token; fitted on XPersona, measured in runs/LOG.md
_CJK_COST = (1.38, 0.95, 1.44)  # tokens to a character: Hangul, kana, Han; the same


def normal(text: str) -> str:
    """Return the form in which equal statements are equal: NFKC, case folded, words joined by single spaces.

    >>> normal("User  likes TEA.") == normal("user likes tea")
    True
    """
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def digest(text: str) -> str:
    """Return a hash of the normal form (sha256, hex): the key of exact de-duplication."""
    return hashlib.sha256(normal(text).encode()).hexdigest()


def words(text: str) -> list[str]:
    """Return the case-folded words of a text in order; a run of CJK characters is one word."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def terms(text: str) -> Mapping[str, int]:
    """Return the sparse terms of a text with their frequencies.

    Words are stemmed (Snowball English for Latin script); a CJK run gives its overlapping bigrams and its single
    characters, so that a query of one character finds it.
    Cost: about 1 µs per word when its stem is cached.

    >>> dict(terms("She runs; running."))
    {'she': 1, 'run': 2}
    >>> sorted(terms("吃苹果"))
    ['吃', '吃苹', '果', '苹', '苹果']
    """
    return Counter(_terms(text))


def spoken(speaker: str, content: str) -> str:
    """Return a message as it is embedded, indexed and shown: "speaker: content"."""
    return f"{speaker}: {content}"


@lru_cache(maxsize=65_536)
def name_of(said: str) -> str:
    """Return the normal form of a name: case, marks, titles, articles and a company's legal form do not count.

    >>> name_of("Dr. Ana Silva"), name_of("the Bolt Inc."), name_of("The user")
    ('ana silva', 'bolt', 'user')
    """
    parts = normal(said).removesuffix("'s").removesuffix("’s").split()
    while len(parts) > 1 and parts[0] in _TITLES:
        parts.pop(0)
    while len(parts) > 1 and parts[-1] in _COMPANY:
        parts.pop()
    form = " ".join(parts)
    return USER if form in _USER else form


def triple_text(source: str, label: str, destination: str) -> str:
    """Return a relation as it is embedded and shown: its label as words between its ends.

    >>> triple_text("Ana", "lives_in", "Lyon")
    'Ana lives in Lyon'
    """
    return f"{source} {label.replace('_', ' ')} {destination}"


def with_pictures(content: str, metadata: Mapping[str, object]) -> str:
    """Return a message's text with what a model saw in its pictures: what is extracted, embedded and matched."""
    seen = metadata.get(DESCRIPTION)
    if not isinstance(seen, Mapping) or not isinstance(seen.get("text"), str):
        return content
    return f"{content}\n[image, as {seen.get('model') or 'the model'} saw it: {seen['text']}]"


def _terms(text: str) -> list[str]:
    found: list[str] = []
    for word in words(text):
        if _IS_CJK.match(word):
            found.extend(word)
            found.extend(word[i : i + 2] for i in range(len(word) - 1))
        else:
            found.append(stem(word))
    return found


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the Snowball English stem of a case-folded word; a possessive ending is dropped first."""
    word = word.replace("’", "'")
    word = word.removesuffix("'s")
    if not word.isascii():
        return word
    stemmer = getattr(_THREAD, "stemmer", None)
    if stemmer is None:
        import Stemmer

        stemmer = _THREAD.stemmer = Stemmer.Stemmer("english")  # a stemmer object serves one thread
    return str(stemmer.stemWord(word))


def content_words(text: str) -> frozenset[str]:
    """Return the distinct words that carry content (the paper's information content counts them)."""
    return frozenset(word for word in words(text) if word not in STOP_WORDS)


def marks(text: str) -> tuple[str, ...]:
    """Return what tells one statement from another of the same wording, in order, each as often as it is said.

    Names (capitalised words that are neither function words nor common openers, stemmed), numbers (in words too),
    whole tokens that hold a digit, and single letters.

    >>> marks("Ana takes flight LH232b to Lyon with two bags")
    ('ana', 'lh232b', 'lyon', '2')
    """
    return tuple(piece for piece, is_mark in _pieces(text) if is_mark)


def agree(one: str, other: str) -> bool:
    """True if two texts hold the same marks in the same order, in whatever case.

    >>> agree("Ana beat Bob", "Bob beat Ana"), agree("Seat d30", "Seat a30"), agree("Tea for Ana", "tea for ana")
    (False, False, True)
    """
    a, b = _pieces(one), _pieces(other)
    wanted = {piece for piece, is_mark in (*a, *b) if is_mark}
    return [piece for piece, _ in a if piece in wanted] == [piece for piece, _ in b if piece in wanted]


@lru_cache(maxsize=16_384)
def _pieces(text: str) -> tuple[tuple[str, bool], ...]:
    """Return the tokens of a text, folded, each with whether it is a mark."""
    found: list[tuple[str, bool]] = []
    for token in _MARKED.findall(unicodedata.normalize("NFKC", text)):
        if any(char.isdecimal() for char in token):
            digits = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in token)
            found.append((_THOUSANDS.sub("", digits.casefold()), True))
            continue
        for word in _WORD.findall(token):
            folded = word.casefold()
            if folded in NUMBER_WORDS:
                found.append((NUMBER_WORDS[folded], True))
            elif len(folded) == 1 and not _IS_CJK.match(folded):
                found.append((folded, folded not in ("a", "i")))
            else:
                found.append((stem(folded), word[0].isupper() and folded not in STOP_WORDS | OPENERS))
    return tuple(found)


def count_tokens(text: str) -> int:
    """Estimate how many cl100k tokens a text takes, from above.

    English words by nines, words of other Latin languages by threes (a line is English if an eighth of its words are
    English function words), Chinese, Korean and kana by the character, digits by threes, marks in pairs.
    Measured (runs/tokens.py, runs/LOG.md): no LoCoMo session and no Chinese, Japanese, Korean or French sample is
    below 0.95 of the real count.
    Cost: about 1 µs per word.
    """
    return ceil(sum(_line_tokens(line) for line in text.split("\n")))


def _line_tokens(line: str) -> float:
    pieces = _TOKEN.findall(line)
    latin = [piece for piece in pieces if piece[0].isalpha()]
    english = sum(piece.casefold() in STOP_WORDS for piece in latin)
    letters = _ENGLISH_LETTERS if english * 8 >= len(latin) else _LATIN_LETTERS
    total = 0.0 if pieces and not pieces[-1][-1].isalnum() else 1.0  # the line's end merges with a mark before it
    for piece in pieces:
        if _IS_CJK.match(piece):
            total += (
                _CJK_COST[0] if piece >= "\uac00" else _CJK_COST[1] if "\u3040" <= piece <= "\u30ff" else _CJK_COST[2]
            )
        elif not piece[0].isalpha() or piece.isascii():
            total += 1 + (len(piece) - 1) // (letters if piece[0].isalpha() else 3 if piece.isdecimal() else 2)
        elif _IS_LATIN.match(piece):
            total += 1 + len(piece) // 3
        else:
            total += len(piece)
    return total


STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be been being but by can could did do does doing for from had
    has have having he her here hers him his how i if in into is it its just me more most my no nor not now of
    off on once only or other our ours out over own s same she should so some such t than that the their theirs
    them then there these they this those through to too under until up very was we were what when where which
    while who whom why will with would you your yours
    """.split()
)

NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
}

# Words that often open a sentence without being names.
OPENERS = frozenset(
    """
    currently recently previously formerly now today yesterday tomorrow since during user assistant also always often
    usually sometimes likes loves prefers works lives wants plans enjoys owns moved started stopped believes thinks
    """.split()
)
