"""A sentence as tidy text: without markup, and chat spelling written out ("im from lyon" → "I'm from Lyon")."""

from __future__ import annotations

import re
from functools import cache

_LINK = r"!?\[([^\]\n]{1,300})\]\([^)\s]{1,2000}\)"
_MARKS = r"\*\*|__|~~|`|(?<![\w*])[*_](?=[\w\"'“])|(?<=[\w.!?,\"'”])[*_](?![\w*])"

# Chat spellings that no tidy English text has.
_SPELLED = {
    "i": "I", "im": "I'm", "ive": "I've", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't",
    "wont": "won't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "werent": "weren't", "havent": "haven't",
    "hasnt": "hasn't", "hadnt": "hadn't", "couldnt": "couldn't", "wouldnt": "wouldn't", "shouldnt": "shouldn't",
    "thats": "that's", "whats": "what's", "hes": "he's", "shes": "she's", "theyre": "they're", "youre": "you're",
    "youve": "you've", "theres": "there's", "u": "you", "ur": "your", "pls": "please", "plz": "please",
    "gonna": "going to", "wanna": "want to", "gotta": "have to", "rn": "right now", "bday": "birthday",
    "gf": "girlfriend", "bf": "boyfriend", "cuz": "because", "bcuz": "because", "tmrw": "tomorrow", "favs": "favourites",
    "fav": "favourite", "ppl": "people", "i'm": "I'm", "i've": "I've", "i'll": "I'll", "i'd": "I'd",
}  # fmt: skip
_WORD = rf"(?<![\w'’@#/.-])(?:{'|'.join(sorted(_SPELLED, key=len, reverse=True))})(?![\w'’@/-]|\.\w)"
_SHORT_WILL = r"^(?:(?:and|but|so) )?(?P<word>ill|id)(?= (?:be|have|go|never|always|love|like|rather|say|prefer|take|start|move)\b)"
_GOT = r"\b(I've|I have|he's|she's|has|have) got (?=(?:an?|the|two|three|four|five|\d|no|some|my)\b)"

# A sentence without a capital letter: what follows these words is the name of a place, a firm or a person.
_PLACE = (
    r"\b(?P<lead>(?:live|lives|living|based|born|raised|grew up|reside|stay|staying|moved|moving|relocated|relocating"
    r"|come|comes|I'm|am|is|work|works|working|job|study|studying|studied) (?:here )?(?:back )?(?:in|to|at|from)|name is|name's|names|named|called|call me|call myself) "
    r"(?P<name>[^\W\d_][\w'’-]*(?: (?:york|zealand|orleans|delhi|jersey|mexico|francisco|diego|jose|antonio|angeles|vegas"
    r"|aviv|kong|lanka|africa|korea|america|town|janeiro|aires|lumpur|kingdom|states|city|island)\b)?)"
)
_NO_NAME = frozenset(
    """
    a an the my our your his her its their this that it me us you them him town cities city house flat apartment home bed
    school work college uni university night noon least once two three four five six last first both all any some one
    here there fear peace love debt need charge england's bits front general fact total person public private tech it
    finance retail marketing sales hospitality construction education healthcare banking insurance law medicine media
    hospital office church court sea shifts nights days weekends mornings what where who how not so very really
    back out up down and or but if because be get buy see eat have do make help another different new small big abroad
    downtown suburbia college nursing engineering science history art music abroad time times part full remote early
    mostly mainly only
    """.split()
)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def unmarked(text: str) -> str:
    """Return the text without emphasis, code marks, the addresses of links, and marks around the whole of it.

    >>> unmarked("**I love** [Lyon](https://example.org) and *its* `rivers`")
    'I love Lyon and its rivers'
    """
    if text[:1] in '"“' and re.fullmatch(r"[\"“][^\"“”]+[\"”][.!]?", text):
        text = text.strip('"“”')
    if not any(mark in text for mark in "*_`~["):
        return text
    return _compiled(_MARKS).sub("", _compiled(_LINK).sub(r"\1", text))


def spelled(sentence: str) -> str:
    """Return an English sentence with its chat spellings written out.

    >>> spelled("im a nurse and i live in lyon")
    "I'm a nurse and I live in Lyon"
    """
    has_capital = any(map(str.isupper, _compiled(r"\bI\b").sub("", sentence[1:])))
    text = _compiled(_WORD).sub(_written_out, sentence)
    text = _compiled(_SHORT_WILL).sub(lambda match: "I'll" if match["word"].lower() == "ill" else "I'd", text)
    text = _compiled(_GOT).sub(lambda match: f"{_HELD.get(match[1].lower(), match[1])} ", text)
    return text if has_capital else _compiled(_PLACE).sub(_named, text)


_HELD = {"i've": "I have", "i have": "I have", "he's": "he has", "she's": "she has"}


def _written_out(match: re.Match[str]) -> str:
    word = match.group()
    if word.isupper() and len(word) > 1:  # an abbreviation ("IM", "RN")
        return word
    written = _SPELLED[word.lower()]
    return written[0].upper() + written[1:] if word[0].isupper() else written


def _named(match: re.Match[str]) -> str:
    name = match["name"]
    if name.lower() in _NO_NAME or name.lower().endswith("ing"):
        return match.group()
    return f"{match['lead']} {' '.join(part[0].upper() + part[1:] for part in name.split(' '))}"
