"""Sentences that tell nothing to whoever did not hear the talk: reactions, promises, advice; and what "this" becomes."""

from __future__ import annotations

import re

_ADVERBS = r"(?:(?:\w+ly|so|just|too|very|super|really|definitely|still|always|also|all|pretty|totally|\d+%) )*"
_I = r"(?:I|we)(?:['’](?:m|re|ve|ll|d))?"
_IT = r"(?:it|that|this|them|these|those)"
_TAIL = rf"(?: (?:about {_IT}|for {_IT}|with {_IT}|by {_IT}|too|now|right now|so much|again|myself|for sure|someday|soon|as well|next|one day))*\W*$"
_EMPTY = re.compile(
    rf"^(?:{_I} )?(?:am |are |was |were |feel |felt |have been )?{_ADVERBS}(?:stoked|pumped|elated|thrilled|excited|amazed|grateful|thankful|glad|happy"
    rf"|proud|relieved|delighted|inspired|touched|motivated|hyped|psyched|flattered|honou?red|speechless|blown away|impressed){_TAIL}"
    rf"|^{_I} {_ADVERBS}(?:agree|relate)\b(?! (?:to|that|with (?!you\b))\w*)"
    rf"|^(?:{_I} )?(?:will |would |can |could |should |am going to |gonna |['’]ll )?{_ADVERBS}(?:keep|bear) (?:{_IT}|your \w+) in mind{_TAIL}"
    rf"|^(?:{_I} )?(?:will |would |can |could |gonna )?{_ADVERBS}(?:(?:try|check|give|do|keep|make|love|use|read|watch|consider|look into|think about|work on|keep up|go for) {_IT})"
    rf"(?: out| up| a (?:try|go|shot|watch|read|look)| done| happen)?{_TAIL}"
    rf"|^(?:{_I} )?(?:would )?{_ADVERBS}(?:love|like) to{_TAIL}"
    rf"|^{_I} (?:have|has|had|do|did|was|am|are|were|will|can|could|would)(?:n['’]t| not)?{_TAIL}"
    rf"|^(?:{_I} )?(?:will |can |gonna )?{_ADVERBS}keep (?:going|trying|at it|pushing(?: \w+ other)?|fighting|moving(?: forward)?|working(?: hard)?)(?: (?:on|at|for) {_IT})?{_TAIL}"
    rf"|^{_I} (?:will )?{_ADVERBS}(?:reach out|let you know|be sure to)\b"
    r"|(?:^|[-–—,;] |\bthen )(?:let['’]?s|hang in there|don['’]t give up|keep (?:it up|going)|you(?:['’]ve)? got this)\b"
    r"|^(?:now |so |also |and )?(?:I|we) (?:\w+ly |just )?can(?:['’]t|not) wait (?:for|to (?:see|hear)) (?:the|it|that|this|them|more|what|your)\b"
    r"|^(?:on another note|check out)\b|^we (?:should|must|gotta|can do (?:this|it)|will (?:make it|get through))\b|^we['’]ll (?:make it|get through)\b",
    re.IGNORECASE,
)
_TIMES = (
    "week|weekend|month|year|morning|evening|afternoon|night|spring|summer|autumn|fall|winter|time|season|semester|term|"
    "past|last|coming|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|days"
)
_THIS = re.compile(rf"\b(?:this|these|those)\b(?! (?:{_TIMES})\b)", re.IGNORECASE)
_A = re.compile(
    rf"\b(?P<which>this|these|those) (?!(?:{_TIMES}|is|was|are|were|has|have|had|will|would|can|could|makes?|means?|really|just|all|"
    r"one|ones|who|two|three|things?|way|stuff|kind|because|and|or|but|so|for|when|if|as|since|with|to|in|on|at|of|from|by|up|out)\b)(?=(?P<next>[a-z]))"
)


def is_empty(text: str) -> bool:
    """True for a reaction, a promise or advice that names nothing.

    >>> is_empty("I was definitely elated."), is_empty("I'll keep that in mind."), is_empty("I was elated to win.")
    (True, True, False)
    """
    return _EMPTY.search(text) is not None


def is_pointing(text: str) -> bool:
    """True where "this" or "those" stands for something that was shown or said elsewhere.

    >>> is_pointing("I love the food of this city."), is_pointing("I moved this week.")
    (True, False)
    """
    return _THIS.search(text) is not None


def indefinite(text: str) -> str:
    """Return a sentence with "a" for the "this" of chat.

    >>> indefinite("I have been reading this inspiring book.")
    'I have been reading an inspiring book.'
    """
    return _A.sub(_article, text)


def _article(match: re.Match[str]) -> str:
    if match["which"] != "this":
        return "some "
    return "an " if match["next"] in "aeiou" else "a "
