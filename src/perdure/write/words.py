"""What a statement is made of, in many scripts: what it is about, its names, numbers, dates and negations.

The guard compares these; two statements that differ in one of them are never duplicates, however near their vectors.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from perdure.text import NUMBER_WORDS, OPENERS, STOP_WORDS, agree, content_words, stem, terms, words

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;…。！？]\s*|\n\s*)[\"'“”«(\[]*\Z")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KATAKANA = re.compile(r"[\u30a1-\u30faー]{2,}")
_HANGUL = re.compile(r"[\uac00-\ud7a3]+")
_HAN_FUNCTION = frozenset(
    "的了是在有和与與也都就着着過过个個这這那其及或而把被给給对對为為从從到上下中会會能要还還很吗嗎吧呢"
)

# Months and weekdays that are written small where the language does so; English ones are names already.
_DATE_WORDS = frozenset(
    """
    janvier février mars avril mai juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi
    vendredi samedi dimanche enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    lunes martes miércoles jueves viernes sábado domingo gennaio febbraio aprile maggio giugno luglio settembre ottobre
    dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica janeiro fevereiro março maio junho julho setembro
    outubro novembro dezembro января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    """.split()
)
_NEGATION_WORDS = frozenset(
    """
    not no never cannot without neither nor none nobody nothing nowhere pas jamais sans aucun aucune rien nunca jamás
    sin ningún ninguna nada
    nicht kein keine keinen keiner nie niemals ohne non senza mai não sem nunca tidak bukan belum
    tanpa jangan не нет никогда без geen niet nooit nie nem değil yok لا ليس لم לא אין नहीं
    """.split()
)
_NEGATION_SIGNS = re.compile(r"n['’]t\b|[不没沒無无未非勿]|ない|ません|なかった|않|없|못|아니|안\s")


@dataclass(frozen=True, slots=True)
class Marks:
    """What a merge must not lose.  Names and dates are case-folded stems, numbers digits; negations are counted.

    caseless: those of the names that stand in scripts without capitals, in order.
    """

    names: frozenset[str]
    numbers: frozenset[str]
    negations: int
    caseless: tuple[str, ...] = ()


@lru_cache(maxsize=16_384)
def about(text: str) -> frozenset[str]:
    """Return the distinct sparse terms of a text's content words; all its terms where it has none.

    >>> sorted(about("Ana lives in Lyon"))
    ['ana', 'live', 'lyon']
    """
    return frozenset(terms(" ".join(sorted(content_words(text))))) or frozenset(terms(text))


@lru_cache(maxsize=16_384)
def marks(text: str) -> Marks:
    """Return the names, numbers, dates and negations of a text.

    A name is a capitalised word, the first of a sentence too unless it is a common word; in scripts without capitals
    every content word or character may be one, and counts as one.
    """
    plain = unicodedata.normalize("NFKC", text)
    numbers = [_digits(match[0]) for match in _NUMBER.finditer(plain)]
    numbers += [NUMBER_WORDS[word] for word in words(plain) if word in NUMBER_WORDS]
    negations = sum(word in _NEGATION_WORDS for word in words(plain)) + len(_NEGATION_SIGNS.findall(plain.casefold()))
    names = list(_names(plain))
    return Marks(frozenset(names), frozenset(numbers), negations, tuple(n for n in names if not _has_case(n)))


def is_held(name: str, text: str) -> bool:
    """True if a name of `marks` stands in a text, in whatever case."""
    if name.isascii():
        return name in {stem(word) for word in words(text)}
    return name in unicodedata.normalize("NFKC", text).casefold()


def differ(one: str, other: str) -> bool:
    """True if two statements differ in a name, number, date or negation: then neither repeats the other.

    The order counts, and how often each is said: "Ana beat Bob" is not what "Bob beat Ana" says.
    """
    a, b = marks(one), marks(other)
    if a.numbers != b.numbers or a.negations != b.negations or not agree(one, other):
        return True
    if a.caseless != b.caseless:
        return True
    return any(not is_held(n, other) for n in a.names) or any(not is_held(n, one) for n in b.names)


def _digits(number: str) -> str:
    """Return a number in ASCII digits without thousands separators, so that ٣ is 3 and 1,000 is 1000."""
    ascii_number = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in number)
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", ascii_number)


def _names(plain: str) -> Iterable[str]:
    for match in _WORD.finditer(plain):
        word = match[0].casefold()
        if _HAN.search(word) or _HANGUL.search(word) or _KATAKANA.search(word):
            yield from _cjk_names(word)
        elif word in _DATE_WORDS:
            yield word
        elif not _has_case(match[0]):
            if word not in _NEGATION_WORDS and len(word) > 1:
                yield word
        elif match[0][0].isupper() and word not in STOP_WORDS and word not in _NEGATION_WORDS:
            if word in NUMBER_WORDS or (_is_first(plain, match.start()) and _is_common(word)):
                continue
            yield stem(word)


def _is_first(plain: str, start: int) -> bool:
    return bool(_SENTENCE_START.search(plain[max(0, start - 4) : start])) or start == 0


def _is_common(word: str) -> bool:
    """True for words that often open a sentence without being names."""
    return word in OPENERS


def _has_case(word: str) -> bool:
    return word.lower() != word.upper()


def _cjk_names(word: str) -> Iterable[str]:
    """Yield what a run of CJK text must keep: Han characters that mean something, katakana words, Hangul stems."""
    yield from (c for c in word if _HAN.match(c) and c not in _HAN_FUNCTION)
    yield from _KATAKANA.findall(word)
    # A Korean word changes at its end: its first two syllables stand for it.
    yield from (run[:2] for run in _HANGUL.findall(word) if len(run) > 1)
