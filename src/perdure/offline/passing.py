"""What passes: things only imagined, and tasks that an answer fulfils."""

from __future__ import annotations

import re
from functools import cache

from perdure.offline import manners
from perdure.offline.tables import alternatives

_SAY = r"(?:let['’]s (?:say|pretend|assume|imagine|suppose|role-?play)|pretend|act (?:as|like)|role-?play|play the role|take the role)"
_UNREAL = (
    r"\bif (?:I|we|he|she|it|they|you|my [\w-]+|there|only|[A-Z]\w+) (?:\w+ly )?(?:were|was|had|could|won|did(?:n['’]t)?"
    r"|lived|owned|knew|got|became|weren['’]t|wasn['’]t|hadn['’]t|\w{2,}ed)\b"
)
_WOULD = r"(?:\b(?:would|could|might|wouldn['’]t|couldn['’]t)|['’]d)\b"
_SUPPOSED = (
    rf"^(?:(?:and|but|so|now|ok|okay|please|just),? )*(?:{_SAY}|imagine|suppose|supposing|assume|assuming|picture|envision"
    r"|what if|say|you are (?:now )?(?:a|an|the|my)\b|hypothetically|in theory|were I|had I|should I)\b"
    rf"|{_UNREAL}[^.]*{_WOULD}|{_WOULD}[^.]*{_UNREAL}|^if only\b|^\w+ as if\b"
    r"|^in (?:the|my|this|a|our) (?:novel|story|book|game|play|film|movie|dream|script|role)\b,"
)
_PRETENCE = rf"^(?:(?:ok|okay|please|now|hey|hi),? )*(?:{_SAY}|imagine (?:that )?(?:you|I|we)|suppose|you are (?:now|playing))\b"
_SOFTLY = r"(?: just| really| also| still| currently| urgently| \w+ly)*"


def is_supposed(sentence: str) -> bool:
    """Return True for what is only imagined ("if I were rich, I would ...")."""
    return _compiled(_SUPPOSED).search(sentence) is not None


def is_pretence(sentence: str) -> bool:
    """Return True where a message opens a game of pretending: what follows is no fact."""
    return _compiled(_PRETENCE).match(sentence) is not None


def is_task(sentence: str) -> bool:
    """Return True for a wish that an answer fulfils, or about a text at hand; not if it tells of the speaker besides.

    >>> is_task("I need a summary."), is_task("I need tips for my daughter's wedding.")
    (True, False)
    """
    match = _task().search(sentence)
    if match is None or _mannered().search(sentence):
        return False
    return match.start() > 0 or not _own().search(sentence, match.end())


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


@cache
def _task() -> re.Pattern[str]:
    wanted = (
        rf"^(?:I|we)(?:['’]m| am| are|['’]re)?{_SOFTLY} ?(?:want|need|would like|['’]d like|would love|['’]d love"
        r"|would appreciate|['’]d appreciate|could use|require|(?:looking|searching|asking|hoping) for|after)"
        r" (?:some |any |more |a few |a couple of |a |an |your |the |you to give me |another |help with )*"
        rf"(?:(?!new\b)[\w-]+ ){{0,2}}?(?:{alternatives(manners.PRODUCTS)})"
        r"(?= (?:on|of|about|for|that|which|to|with|from|in|how|regarding|please|as|and|explaining|describing)\b|[.,;!]|$)"
    )
    asked = (
        rf"^(?:I|we)(?:['’]m| am)?{_SOFTLY} ?(?:want|need|would like|['’]d like|would love|['’]d love|wanted|wish|trying"
        r"|looking|hoping|curious|wondering|interested|wonder|was wondering|have been wondering)(?: you)?"
        r" (?:to (?:know|ask|understand|hear|see (?:how|what|if|some|your|the)|find out|figure out"
        r"|learn (?:about|how|more)|get (?:some|your|more) (?:ideas|advice|tips|help|suggestions|input|feedback|opinions?)"
        r"|clarify|check|confirm|discuss|talk about|explore|fix|debug|compare|calculate|compute|convert|translate"
        r"|summari[sz]e|rewrite|refactor|be told)|about|if|whether|how|what|why|when|where|which|who)\b"
    )
    at_hand = (
        r"\b(?:that|(?:this|these|the following|the above|the attached|the (?:first|second|third|previous|given))(?: \w+)?)"
        rf" (?:{alternatives(manners.AT_HAND)})s?\b"
    )
    return re.compile(
        rf"{at_hand}|{wanted}|{asked}"
        rf"|^(?:I|we)(?:['’]d)?(?: would)?{_SOFTLY} ?(?:want|need|like|love|prefer|appreciate(?: it)? if) (?:for )?"
        r"you(?: to| could| would|r help)\b"
        r"|^(?:I|we) (?:have|had|got)(?: got)? (?:a |another |one |some |two |this )(?:\w+ )?questions?\b"
        r"|^I(?:['’]m| am|['’]ve| have)?(?: \w+)? (?:get|getting|got|see|seeing|have|had) (?:an? |this |the |some )?"
        r"(?:\w+ )?(?:\w*errors?|exceptions?|traceback|stack trace|bug)\b"
        r"|^(?:I|we) (?:don['’]t|do not|didn['’]t) (?:understand the|(?:understand|get|see) (?:this|that|it|why|how|what|your))\b",
        re.IGNORECASE,
    )


@cache
def _mannered() -> re.Pattern[str]:
    """ "I want short answers" holds for every answer."""
    manner = alternatives(manners.MANNERS)
    return re.compile(rf"(?<![\w-])(?:{manner}) (?:answers|replies|responses|explanations|messages)\b", re.IGNORECASE)


@cache
def _own() -> re.Pattern[str]:
    """ "Tips for my daughter's wedding" tells of the speaker, "a review of my essay" does not."""
    return re.compile(rf"\bmy (?!(?:own |\w+ )?(?:{alternatives(manners.PIECES)})s?\b)[a-z]", re.IGNORECASE)
