"""What stands around a statement: "please remember that ...", "as I said, ...", "..., what can I cook?"."""

from __future__ import annotations

import re
from functools import cache

from perdure.offline.correction import BEFORE, FIRM

POLITE = r"(?:(?:please|pls|ok|okay|also|and|just|so|oh|hey|now|then|kindly|could you|can you|will you|would you),? )*"

_KEEP = (
    rf"^{POLITE}(?:remember(?: this| for (?:me|later|next time))?|note(?: down)?|take note|make a (?:mental )?note"
    r"|keep in mind|bear in mind|(?:don['’]t|do not|never) forget|save (?:this|it)|store (?:this|it)|memori[sz]e(?: this)?"
    r"|write (?:this |that |it )?down|jot down|be aware|know|for (?:the|your) (?:record|information|reference|notes)"
    r"|fyi|heads[ -]up|(?:a )?(?:quick |small |little )?(?:reminder|note|update)"
    r"|(?:just )?so (?:that )?you know|you should know|you need to know"
    r"|i(?:['’]d| would)? (?:want|like|need) (?:you )?to (?:remember|know|note|keep in mind|tell you|let you know|mention|add)"
    r"|i (?:should|must|have to|need to|(?:also )?wanted to|want to|forgot to)(?: also| just)?"
    r" (?:mention|tell you|let you know|say|add|point out|note|admit|confess)"
    r"|let me (?:tell you|mention|add|say|remind you)|did i (?:mention|tell you)|to be clear|important"
    r"|one (?:more )?thing(?: to (?:know|note|remember))?)(?:,? please| about me| for me)?"
    r"(?:\s*[:;–—,]\s*(?:that )?|\s+-+\s+"
    r"|\s+(?:down |about me )?that (?!(?:time|day|one|night|moment|year|summer|winter|trip|feeling)\b)"
    r"|\s+(?=(?:my|I|I['’]m|our|we)\b(?! (?:was|were|used|had|went)\b)))(?P<rest>\S.*)$"
)
_FORGET = (
    rf"^{POLITE}(?:actually,? )?(?:forget|delete|erase|remove|(?:don['’]t|do not) (?:remember|store|keep|save|memori[sz]e))"
    r" (?:about )?(?P<what>(?:my|our) [^,.;:!?]{2,60}?)(?: (?:from|in) (?:(?:your|the|my) )?(?:memory|records?|notes|profile))?"
    r"(?:,? please)?[.!?]*$"
)
_LEAD = (
    r"^(?:(?:as|like) (?:I|we) (?:said|mentioned|told you|wrote|explained)(?: (?:before|earlier|above|already|last time))?"
    rf"|{BEFORE}{FIRM}(?=\s*[:,.;!–—-]+\s*(?:I|I['’]m|my|we|our)\b)"
    r"|(?:I )?(?:just )?(?:looked it up|(?:double-)?checked(?: again)?|asked again)(?=[:,–—-]| -)|(?:me|myself|user|human)(?=:)|as you (?:may |might |probably |already )?know|if you (?:must|want to) know"
    r"|in case you(?:['’]re| are)? (?:wondering|curious|didn['’]t know|forgot)"
    r"|I (?:have|had|got) to (?:say|admit|confess)|I must (?:say|admit|confess)|I(?:['’]d| would) (?:say|have to say)"
    r"|(?:not|nothing) (?:too )?much(?: \w+){0,5},? but|truth be told|long story short|for what it['’]s worth|in all honesty|(?:it )?turns out|apparently"
    r"|by the way|btw|fyi|fwiw|(?:small |quick )?update|(?:good |bad |sad |big )?news|just to let you know"
    r"|(?:a bit |a little )?about me|(?:a few|some|two|three) (?:\w+ )?(?:things|facts|words|details) about (?:me|myself)|since you ask(?:ed)?|now that you ask"
    r"|you (?:already |may |might )?(?:know|remember)(?: that)?(?= (?:I|my)\b)|(?:sorry,? )?I mean(?:t)? to say)(?:\s*[:,–—-]+\s*|\s+)(?:that )?(?=\S)"
)
_ASKS = (
    r"(?:(?:so|and|but|then|any(?:way)?|please|just)[, ]+)*(?:"
    r"(?:do|does|did|can|could|would|will|should|is|are|shall|might|have)"
    r" (?:I|you|we|there|it|this|that|they|the|my|any|anyone|someone)\b"
    r"|(?:what|how|where|when|who|why|which (?!I|we|is|was|has|had|are|were|means|made|makes)\b)(?:['’]s)?\b"
    r"|any (?:\w+ ){0,2}(?:idea|ideas|tips|advice|suggestions?|recommendations?|recs|thoughts|chance|way)\b|got any\b)"
)
_WONDERS = (
    r"(?:I(?: |(?=['’])))?(?:was|am|['’]m|have been|['’]ve been)? ?(?:just |also |really )?(?:wondering|wonder|curious)"
    r" (?:if|whether|what|how|which|where|about)\b"
)
_OURS = r"(?:I|I['’]\w+|we|we['’]\w+|my|our)\b"
_TOLD_FIRST = (
    rf"^(?P<told>{_OURS}(?! (?:was |am |['’]m |have been )?(?:just |also )?wonder)[^?]{{3,300}}?)"
    rf"(?:[,;]\s+(?:and |so |but )?|\s[-–—]+\s|\s(?:and|so|but)\s)(?:{_ASKS}[^?]*\?.*|{_WONDERS}.*)$"
)
_GIVEN = (
    r"^(?:since|as|because|given(?: that)?|considering(?: that)?|seeing (?:as|that)|now that)"
    rf" (?P<told>{_OURS}[^?]{{3,200}}?),\s+{_ASKS}[^?]*\?"
)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


def to_keep(sentence: str) -> str | None:
    """Return what a sentence asks to remember or announces, or None.

    >>> to_keep("Please remember that the code is 88."), to_keep("Remember the sea?")
    ('the code is 88.', None)
    """
    asked = _compiled(_KEEP).match(sentence)
    if asked is None or re.match(r"(?:you|your|when|how|what|who|where|to|all)\b", asked["rest"], re.IGNORECASE):
        return None
    rest = asked["rest"].rstrip("?")
    return rest if len(rest.split()) > 2 or re.match(r"I\b|we\b", rest) else None


def without_lead(sentence: str) -> str:
    """Return the sentence without "as I said," and the like."""
    shorter = _compiled(_LEAD).sub("", sentence, count=1)
    return shorter if shorter == sentence else shorter[0].upper() + shorter[1:]


def without_question(sentence: str) -> str:
    """Return what a sentence tells before it asks, or all of it.

    >>> without_question("I'm vegan, what can I cook?")
    "I'm vegan."
    """
    match = _compiled(_TOLD_FIRST).match(sentence) or _compiled(_GIVEN).match(sentence)
    return sentence if match is None else f"{match['told'][0].upper()}{match['told'][1:].rstrip(' ,;-–—')}."


def taken_back(sentence: str) -> str:
    """Return "Please delete my address from your memory." as what takes back a statement; any other as it is.

    >>> taken_back("Please delete my address from your memory.")
    'Forget what I said about my address.'
    """
    match = _compiled(_FORGET).match(sentence)
    return f"Forget what I said about {match['what']}." if match else sentence
