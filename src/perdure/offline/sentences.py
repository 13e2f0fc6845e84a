"""A message cut into sentences, each with its place; code and quoted lines are left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from perdure.offline.verbs import is_common
from perdure.text import STOP_WORDS, words

_LEFT_OUT = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<(?P<tag>code|pre)>.*?(?:</(?P=tag)>|\Z)|^(?: {4}|\t)\S[^\n]*$|^[^\S\n]*>[^\n]*$|^[^\S\n]*\|[^\n]*\|[^\S\n]*$"
    r"|^[^\S\n]*(?:Traceback|File \"|at [\w.$]+\()[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
_END = re.compile(
    r"(?P<address>\b(?:https?://|www\.)[^\s<>]*[^\s<>.,;:!?)\]}'\"’”。！？」』）])|(?<![.!?…])[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？；!?؟]+[”」』）]*|\n+|(?<=[^\W\d_])\s+(?=[\U0001F300-\U0001FAFF])"
)
# A stop that ends no sentence: of titles and initials always, of the others unless a capital letter follows.
_TITLE = re.compile(r"(?<![\w.-])(?:mr|mrs|ms|dr|prof|st|mt|rev|capt|sgt|gen|lt|vs|e\.g|i\.e|approx)\.$", re.IGNORECASE)
_INITIAL = re.compile(r"(?<![\w'’-])[A-Z]\.$")
_ABBREVIATION = re.compile(r"(?<![\w-])(?:sr|jr|etc|no|dept|inc|ltd|co|ave|[ap]\.m|u\.s|u\.k)\.$", re.IGNORECASE)
_OPENERS = frozenset(
    "i i'm i've i'll my we our it he she they you the this that there then and but so now what how".split()
)
_WEEKDAY = re.compile(r"\s*(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|E[SD]T|P[SD]T|C[SE]T|GMT|UTC)\b")
MOST = (
    200  # sentences of a message that are read; chosen: of 3,954 users' messages of two benchmarks the longest has 31
)
LONGEST = 40_000  # characters of a message that are read; chosen: the longest of those messages has 14,181
_ELISIONS = ("j'", "l'", "d'", "qu'", "c'", "n'", "m'", "s'", "all'", "dell'", "nell'", "un'", "dall'", "sull'")
_TOO_SHORT = 5  # words; fewer do not tell a language, and are rather read as English; chosen
_LATIN_END = 0x24F
_NUMBER = re.compile(r"\s*\d+\.")
_BULLET = re.compile(r"(?:[-*•]|\d+[.)])\s+|#+\s+")

# Frequent words that tell English from its neighbours in Latin script; words of both sides are on neither.
_ENGLISH = frozenset(
    """
    the my we our you your he she they is are was were been have has had does did will would can could
    and but or not to of for with at from this that these those what when where who how just so really very about
    there here out up went going got get i'm it's i've don't didn't that's i'll we're you're can't him her them his
    their after before because if than then every all please never always like love want live work
    see time long good nice take sure wanna gonna ya hey make made new some any day year help my name
    """.split()
)
_OTHER = frozenset(
    """
    le les des une est je j'ai suis et mon ma mes nous vous pas pour dans avec c'est du au qui que sur tu ton ta tes as vas
    votre notre ils elle elles ça très bien ce cette comment aujourd'hui salut merci moi toi ont aussi mais où j'aime
    el los las es yo en un quiero llamo vivo trabajo mi mis estoy soy tengo y por para con muy pero como del una hola gracias también porque cómo qué gusta
    il lo gli della sono ho mio mia che non per sto con ma molto anche è di miei mie tuo tua tuoi ciao come stai oggi più
    io lei lui si ti mi ci ed nel nei sei hai fa ero stato quando sì questo questa cosa dove perché tutti poi bene grazie
    suo sua nostro adoro guido mangio gioco preferisco piace piacciono stasera quindi molti molte due tre al alla dei
    eu não você meu minha em um uma com também são estou tenho moro
    saya aku anda siapa apa bagus senang adalah dan yang ini itu tidak dengan untuk suka sudah akan ya apakah mereka kalau
    dari ke kami kita bisa sangat juga bagaimana halo kabarnya terima kasih sedang masih
    ich bin und der die das nicht ein eine ist mit mein meine wir habe auch zu auf für von
    ik mijn heb het een van niet met voor ook zijn maar
    """.split()
) - {"die", "as", "al", "come", "met", "van"}
_ENGLISH_ENDS = ("ing", "tion", "ly", "ness", "ght", "ck", "sh", "ey", "'s", "'t", "'m")
_SHARED = frozenset("a in no me i on do so as am an be more o by".split())  # words of other languages too


@dataclass(frozen=True, slots=True)
class Sentence:
    """content[begin:stop] of a message, trimmed."""

    text: str
    begin: int
    stop: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The sentences of a message; not whole if the message has more of them than are read."""

    sentences: tuple[Sentence, ...]
    is_whole: bool


def split(content: str) -> list[Sentence]:
    """Return the sentences of a message in order, at most MOST; see `cut`."""
    return list(cut(content).sentences)


def cut(content: str) -> Cut:
    """Return the sentences of a message in order, without code blocks, quoted lines, tables and stack traces.

    At most MOST sentences of the first LONGEST characters; the last one that is cut off is left out.
    """
    found = _sentences(content[:LONGEST])
    if len(content) > LONGEST and found and found[-1].stop >= LONGEST - 1:
        found.pop()
    return Cut(tuple(found[:MOST]), is_whole=len(found) <= MOST and len(content) <= LONGEST)


def _sentences(content: str) -> list[Sentence]:
    masked = _LEFT_OUT.sub(lambda match: "\n" * len(match.group()), content)  # same length, so that places hold
    found: list[Sentence] = []
    begin = 0
    for end in _END.finditer(masked):
        if end["address"]:
            continue
        if len(found) > MOST:
            return found
        if _NUMBER.fullmatch(masked, begin, end.end()) and masked[end.end() : end.end() + 1] != "\n":  # a list's mark
            continue
        if end.group().startswith(".") and _goes_on(masked, max(begin, end.start() - 12), end):
            continue
        _keep(masked, begin, end.end(), found)
        begin = end.end()
    _keep(masked, begin, len(masked.rstrip("\n")), found)
    return found


def _goes_on(text: str, begin: int, end: re.Match[str]) -> bool:
    """True for the stop of "Mrs. Green", "J. R. Smith", "e.g. this", "9 a.m. on Monday"."""
    rest = text[end.end() : end.end() + 20]
    following = rest.split()[0].strip(",.!?;:").replace("’", "'") if rest.strip() else ""
    if not following or "\n" in rest[: len(rest) - len(rest.lstrip())]:
        return False
    place = end.start() + 1
    is_title = _TITLE.search(text, begin, place) is not None
    if is_title or (_INITIAL.search(text, begin, place) and following.casefold() not in _OPENERS):
        return True
    is_short = _ABBREVIATION.search(text, begin, place) is not None
    return is_short and (not following[0].isupper() or _WEEKDAY.match(rest) is not None)


def _keep(masked: str, begin: int, stop: int, found: list[Sentence]) -> None:
    piece = masked[begin:stop]  # what is masked is line ends, so a piece has it at its ends alone
    start = len(piece) - len(piece.lstrip())
    bullet = _BULLET.match(piece, start)
    begin += bullet.end() if bullet else start
    text = masked[begin:stop].rstrip()
    if words(text):
        found.append(Sentence(text, begin, begin + len(text)))


def is_english(text: str) -> bool:
    """Return True unless a text is mostly in another script, or has more frequent words of another language.

    Where it has none of either, by its letters: accents, or most words in a final vowel, are not English.
    """
    letters = sum(map(str.isalpha, text))
    if not text.isascii() and sum(c.isalpha() and ord(c) > _LATIN_END for c in text) > 0.3 * letters:
        return False
    found = [word.replace("’", "'") for word in words(text)]
    english = sum(word in _ENGLISH for word in found)
    english += found[:1] == ["i"] and len(found) > 1 and not found[1].endswith("i")  # "i gatti" is Italian
    english += any(one == "i" and is_common(after) for one, after in pairwise(found))
    other = sum(word in _OTHER or word.startswith(_ELISIONS) for word in found)
    if english or other:
        return english >= other if english else False
    return _looks_english(found)


def _looks_english(found: Sequence[str]) -> bool:
    known = STOP_WORDS.intersection(found)
    if known - _SHARED or any(word.endswith(_ENGLISH_ENDS) for word in found):
        return True
    if any(not word.isascii() for word in found):
        return False
    finals = sum(word.endswith(tuple("aeiou")) for word in found)
    full = sum(len(word) > 1 and word.endswith(("a", "i", "o")) for word in found)
    is_romance = len(found) > 2 and finals >= 0.75 * len(found) and full >= 0.25 * len(found)
    return not is_romance and (bool(known) or len(found) < _TOO_SHORT)
