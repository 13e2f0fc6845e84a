"""A yes or a no to a plain question, as the statement that it makes: "Do you live in Rome?" "Yes." → "I live in Rome."."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from perdure.offline.verbs import singular

_YES: Final = "yes|yeah|yep|yup|yea|ya|sure|of course|certainly|absolutely|definitely|indeed|correct|right|exactly|true|i (?:do|am|did|have|can|was|will)|it is|he is|she is|they are|he does|she does|that['’]s right|always|affirmative"
_NO: Final = "no|nope|nah|never|not (?:really|at all|any ?more|yet|anymore)|i (?:don['’]t|do not|['’]m not|am not|haven['’]t|have not|can['’]t|cannot|didn['’]t|wasn['’]t|won['’]t)|i['’]m not|it isn['’]t|it['’]s not|he isn['’]t|she isn['’]t|he doesn['’]t|she doesn['’]t|negative"
_ANSWER: Final = (
    rf"^(?:(?:oh|well|haha|hmm+|ah|um+),? )*(?:(?P<yes>{_YES})|(?P<no>{_NO}))(?=$|[,.!;\s–—-])(?P<rest>.*)$"
)
_EMPTY: Final = rf"(?:\W|\b(?:{_YES}|{_NO}|thanks|thank you|i think so|sir|actually|really|very much|so|too|ever|for sure|a lot|not|haha|lol|unfortunately|sadly|sorry)\b)*$"

_QUESTION: Final = (
    r"^(?:(?:and|but|so|ok|okay|oh|well|by the way|btw|also|just curious|hey|hi|then)[,:]? )*"
    r"(?P<aux>do|did|are|were|have|can|will) (?P<you>you)(?: guys)? (?P<rest>[^?]{2,120})\?\W*$"
    r"|^(?:(?:and|but|so|ok|okay|oh|well|by the way|btw|also|hey|hi|then)[,:]? )*(?P<be>is|are|was|were|does|do|did|has|have|can) your (?P<noun>[a-z]+) (?P<tail>[^?]{2,100})\?\W*$"
)
# Questions whose yes is no fact about the speaker, or that do not stand by themselves.
_OPEN: Final = (
    r"\b(?:or|you|any|anyone|anybody|anything|anywhere|someone|something|it|this|that|these|those|them|he|she|they|him|there|here|me|we|us|yet|else|one|ones|so|too|what|when|where|how|why|which|if|same|both)\b"
    r"|^(?:want|need|mind|think|know|mean|remember|see|agree|understand|happen|wish|sure|ready|interested|okay|ok|looking|able|saying|asking|sure|kidding|serious|feel like|go ahead|tell|help|please|explain|imagine|doing|going to|free|available|coming)\b"
)
_NO_NOUN: Final = frozenset(
    "new old best favorite favourite current first last next own little big older younger whole entire main other biggest".split()
)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def stated(question: str, sentence: str) -> str | None:
    """Return what a yes or no to a plain question says, in the speaker's first person, or None.

    >>> stated("Do you smoke?", "No."), stated("Are you a nurse?", "Yes, I am!"), stated("Tea or coffee?", "Yes.")
    ("I don't smoke.", 'I am a nurse.', None)
    """
    answer = _compiled(_ANSWER).match(sentence.strip())
    asked = _compiled(_QUESTION).match(question.strip()) if answer else None
    if answer is None or asked is None:
        return None
    rest = answer["rest"].strip(" ,.!;–—-")
    is_yes = answer["yes"] is not None
    if not re.fullmatch(_compiled(_EMPTY), rest):
        if not is_yes or len(rest.split()) > 5 or re.search(r"\b(?:I|but|it|that|not)\b|['’]", rest):
            return None
    else:
        rest = ""
    if _compiled(_OPEN).search(asked["rest"] or asked["tail"]):
        return None
    clause = _of_you(asked, is_yes=is_yes) if asked["you"] else _of_yours(asked, is_yes=is_yes)
    return None if clause is None else f"{clause}{f', {rest}' if rest else ''}."


def is_yes_or_no(sentence: str) -> bool:
    """Return True for a sentence that opens with a yes or a no."""
    return _compiled(_ANSWER).match(sentence) is not None


def _of_you(asked: re.Match[str], *, is_yes: bool) -> str:
    aux, rest = asked["aux"].lower(), re.sub(r"\byour(s|self)?\b", _mine, asked["rest"].strip())
    negated = {
        "do": "don't",
        "did": "didn't",
        "are": "am not",
        "were": "was not",
        "have": "haven't",
        "can": "can't",
        "will": "won't",
    }
    plain = {"do": "", "did": "did ", "are": "am ", "were": "was ", "have": "have ", "can": "can ", "will": "will "}
    ever = re.sub(r"^ever ", "", rest)
    if is_yes:
        return f"I {plain[aux]}{ever}"
    if ever != rest and aux in ("have", "do", "did"):
        return f"I {'have ' if aux == 'have' else ''}never {ever}" if aux != "did" else f"I never did {ever}"
    still = re.sub(r"^still ", "", rest)
    if still != rest and aux in ("do", "are"):
        return f"I {'am ' if aux == 'are' else ''}no longer {still}"
    return f"I {negated[aux]} {rest}"


def _of_yours(asked: re.Match[str], *, is_yes: bool) -> str | None:
    aux, noun, tail = asked["be"].lower(), asked["noun"], re.sub(r"\byour(s|self)?\b", _mine, asked["tail"].strip())
    if noun.lower() in _NO_NOUN or not re.match(
        r"(?:an?|the|in|at|on|from|still|also|called|named|\d+|very|[\w']+)\b", tail
    ):
        return None
    if aux == "does" and is_yes:
        verb, _, more = tail.partition(" ")
        return f"My {noun} {singular(verb)} {more}"
    return f"My {noun} {aux} {'' if is_yes else 'not '}{tail}"


def _mine(match: re.Match[str]) -> str:
    return {None: "my", "s": "mine", "self": "myself"}[match[1]]
