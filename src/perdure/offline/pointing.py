"""Sentences that point at what they do not name: pronouns without a noun before them, and what they may lean on."""

from __future__ import annotations

import re

from perdure.offline import chatter, claims, slots, vague
from perdure.offline.wording import opens_with_a_name

ANAPHOR = re.compile(
    r"^[\"“]?(?:and |but |so )?(?:it|its|it['’]s|he|she|they|they['’]re|he['’]s|she['’]s|this"
    r"(?! (?:week|weekend|month|year|morning|evening|afternoon|spring|summer|autumn|fall|winter)\b)"
    r"|that|these(?! days\b)|those|his"
    r"|her|their|them|there|like (?:an?|the)|"
    r"(?:both|one|another|some|each|most|all)(?! of (?:my|our)\b| my\b| our\b)|which|such|the (?:one|other|first|second|last|latter|former)s?"
    r"(?= (?:is|was|are|were|has|had|one|ones|time|of|that|I|we|my|will|can)\b|,))\b"
    r"|^(?:makes|reminds|helps|keeps|gives|brings|means|takes|gets|lets|feels|looks|sounds|seems|a reminder)\b(?! sense)"
    r"|^(?:\w+ly |still )?one of (?:my|our) (?:\w+ ){0,2}(?:favou?rites?|ones)\W*$",
    re.IGNORECASE,
)
# "I haven't tried it yet": no sentence by itself, unless it names before what it points to.
_POINTS = re.compile(
    r"\b(?:it|that|this|them|these|those|him|her|one|there|so)(?: (?:yet|too|again|now|all|before|any ?more|soon|either|though|so much"
    r"|a lot|out|up|here|already|myself|well|through|together|someday|sometime|for sure|one day|back))*\W*$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?<!told )(?<!asked )(?:him|his|her|them|their|they|he|she|it(?!['’]s| is| was| when| would| will| takes| feels| seems| rains?\b| snows?\b| depends)|(?<!been )there(?! (?:is|are|was|were|will|has|have|had)\b|['’]s))\b"
)
# What points elsewhere whatever stands before it: "some of them", "doing that", "hearing this", "a similar car".
_ELSEWHERE = re.compile(
    r"\b(?:reason|story|idea|inspiration|thinking|meaning) (?:behind|for|of) (?:it|that|this|them)\W*$|\b(?:bunch|lots?|some|many|most|few|both|one|none|pictures?|photos?|kind|all|part) of (?:them|it|that|those|these)\b"
    r"|\b\w+s? like (?:that|this|these|those)\b(?! (?:of|in|on|at)\b)|\b(?:working|worked) on one\b|^(?:my|our) (?:\w+ ){1,3}it\W*$|\bcheck (?:some|one|them|it) out\b|\bthat (?:fellow|same|other|very|feeling)\b|\b(?:thanks to|because of) (?:them|it|that|this|him|her)\b|"
    r"^(?!.*\b(?:at|in|to|from|of) (?:the )?(?-i:[A-Z])).*\w\w there(?: sometime| soon| someday| one day| again| too| yet)*\W*$|\b(?:got|made|have|had|bought|tried|want|try|making|getting|buying|trying) one\b(?! of\b)|\bwhen that happens\b"
    r"|\bdoing (?:it|that|this|so)\W*$|\b(?:this|that) one\b|\byour (?:first|last|next|new|own|other) one\b|\bpicked (?:this|that|these|those)\b|\bwould (?:\w+ )?(?:love|like|enjoy|appreciate) (?:it|that|this)\W*$|\b(?:the|what|how|all|everything) (?:\w+ ){1,5}it (?:brings|gives|has|takes|offers|provides|adds|leaves|creates)\b|^\w+ing (?:that|this|them|it|him|her)\b|\b(?:a similar|the same) \w+\W*$",
    re.IGNORECASE,
)
_PLURAL = re.compile(r"\b(?!(?:is|was|has|does|this|his|its|always|yes)\b)[a-z]{3,}s\b")
_NOUN = re.compile(
    r"\b(?:[Aa]n?|[Tt]he|[Mm]y|[Oo]ur|his|her|their|some|two|three|\w+['’]s)\s+\w|(?<=[a-z,] )[A-Z][a-z]|\d"
)
# Whom or what "they" and "she" may stand for, where it stands before them.
THEY = re.compile(r"\b(?<!told )(?<!asked )(?:they|them|their)\b", re.IGNORECASE)
_MANY = re.compile(
    r"\b(?:people|children|men|women|folks?|family|fam|team|crew|band|group|company|police|friend|neighbou?r|partner|kid|student|mentee|system|network|audience|community|class|shelter|breed|bunch|couple|pair|two|three|four|five|six|everyone|everybody|someone|somebody|anyone|nobody|person|each|every|who|whoever|others|both|we|us|staff)\b"
    r"|\b(?!(?:is|was|has|does|this|his|its|always|yes|thus|us|outdoors|besides|perhaps|sometimes|as|makes|gives|takes|helps|keeps|brings|feels|means|puts|lets|needs|needless)\b)[a-z]\w+[^s\W]s\b|\b(?:my|our|the|an?) \w+ and (?:my|our|the|an?) \w",
    re.IGNORECASE,
)
_SHE = re.compile(r"\b(?<!told )(?<!asked )(?:he|she|him|his|her)\b", re.IGNORECASE)
_SOMEBODY = re.compile(
    r"\b(?:[Mm]y|[Oo]ur|your) \w|(?<=[a-z,] )[A-Z][a-z]|\b(?:an?|[Tt]he|another|one|some|new|little|old|young) (?:\w+ ){0,2}(?:m[ae]n|wom[ae]n|guy|girl|boy|lady|person|friend|kid|child|baby|pup|puppy|dog|cat"
    r"|kitten|pet|turtle|horse|bird|doctor|teacher|coach|author|writer|artist|actor|actress|singer|player|character|volunteer|fan|vet|behaviorist|trainer|instructor|mentor|customer|student|model|main \w+)\b|\b(?:someone|somebody|everyone|who)\b"
)
_OBJECT = re.compile(
    r"(?<=[a-z] )it\b(?!['’]| (?:is|was|would|will|takes|feels|seems|rains?|snows?|depends|made|makes|out)\b)"
)
_YES_OR_NO = re.compile(r"(?:do|does|did|is|are|was|were|have|has|had|can|could|will|would|any|ever)\b", re.IGNORECASE)
_GREETING = re.compile(
    r"\b(?:how(?:['’]s| is| has) (?:it|everything|life|things)|how(?:['’]re| are| have) (?:you|ya|things)|what(?:['’]s| is) (?:up|new|going on))\b[^?]{0,24}\?",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"(?:and |but |so )?(?:it|that|this)(?:['’]s| is| was| has)? (?:been|going|got|not|all|so far|a (?:bit|little|lot)|(?:\w+ly |so |pretty |super |really |just )*"
    r"(?:good|great|ok|okay|fine|tough|rough|busy|crazy|wild|hectic|hard|nice|awesome|amazing|alright|well|bad|better|quiet|slow|long))\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(r"(?:is|are|do|does)\b", re.IGNORECASE)  # of now, and "It was hard" tells of something else
_PAST = re.compile(r"(?:and |but |so )?(?:it|that|this) was\b", re.IGNORECASE)
_THING = re.compile(r"\b(?:it|that|this|the|your|my|our|an?)\b|(?<=[a-z,] )(?-i:[A-Z])[a-z]", re.IGNORECASE)
_DIM = re.compile(r"\b(?:it|that|this|they|them|these|those|there|he|she|him|her|one|afterwards)\b", re.IGNORECASE)
_MUCH = re.compile(
    r"\b(?:a (?:lot|bit|ton)|lots|tons|all)(?: of (?:time|effort|work|love|thought))?\b|\b(?:my|our) (?:brother|sister|mother|mom|mum|father|dad|wife|husband|friend|son|daughter|girlfriend|boyfriend|family)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r".+?(?=\s(?:and|but|so|because)\b|[,;])")
LIGHT = 2  # words of weight below which such a sentence is taken to lean on another; chosen
# Whose "they" is nobody that was named ("they moved my exam"), whose "it" is the day ("it's my birthday").
_NOBODY = re.compile(
    r"^they(?:['’]ve| have| had|['’]re| are| will|['’]ll)? (?:\w+ly |just |even |also )?(?:moved|changed|cancell?ed|postponed|rescheduled"
    r"|gave|given|offered|fired|hired|promoted|diagnosed|raised|approved|rejected|accepted|denied|delivered|charged|found|removed"
    r"|stole|broke into|cut|shut|closed|closing|moving|sending|sent|extended|delayed|towed|admitted|prescribed|told|asked|want|laid)\b.*\b(?:me|my|us|our)\b"
    r"|^it(?:['’]s| is| was) (?!being\b)\w+ing\b.*\b(?:my|I|our)\b.*\bthat\b"  # "it's knowing that I can help that keeps me going"
    r"|^there(?:['’]s| is| are| was| were) .*\b(?:my|our|me|I)\b"
    r"|^it(?:['’]s| is| was| will be) (?:my|our) (?:\w+ ){0,3}?(?:birthday|anniversary|wedding|graduation|day|turn|(?:first|last|second|third|final) \w+)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(r"\b(?:it|he|she|they|him|her|them|there|that|this)\b", re.IGNORECASE)


def points_back(text: str) -> bool:
    """True for a sentence that opens with a pronoun, or is little more than one: "It was fun.", "I tried it too."."""
    if ANAPHOR.match(text):
        return _NOBODY.match(text) is None and not claims.is_telling(text)
    pointer = _POINTS.search(text)
    if pointer is None or chatter.weight(text) > LIGHT or _NOUN.search(text, 0, pointer.start()):
        return False
    if slots.read(text, "user") is not None:  # "I no longer work there"
        return False
    clause = _CLAUSE.match(text, 0, pointer.start())  # "I'm allergic to cats and can't be around them"
    return clause is None or chatter.weight(clause.group()) == 0 or _POINTER.search(clause.group()) is not None


def leans(text: str) -> bool:
    """True for a sentence whose pronoun comes before any noun: it goes with what was said before, if anything was."""
    if _ELSEWHERE.search(text):
        return True
    pronoun = _PRONOUN.search(text)
    if pronoun is None or opens_with_a_name(text):
        return False
    before = text[: pronoun.start()]
    return chatter.weight(before) <= 1 and not any(noun.search(before) for noun in (_NOUN, _PLURAL))


def is_open(text: str) -> bool:
    """True where a pronoun has nothing before it that it could mean, however much else the sentence says.

    >>> is_open("I felt fulfilled helping them."), is_open("I met new people and helped them.")
    (True, False)
    """
    if vague.is_bare(text) or is_they_open(text):
        return True
    she, it = _SHE.search(text), _OBJECT.search(text)
    if she is not None and not _SOMEBODY.search(text, 0, she.start()) and not opens_with_a_name(text):
        return True
    before = _MUCH.sub("", text[: it.start()]) if it is not None else ""
    return bool(before) and chatter.weight(before) <= LIGHT and _NOUN.search(before) is None


def is_they_open(text: str) -> bool:
    """True where nobody and nothing stands before the first "they" that it could mean."""
    they = THEY.search(text)
    return they is not None and not _MANY.search(text, 0, they.start())


def is_lost(asked: str, text: str) -> bool:
    """True for "She's so cute." after a question that names nobody, "It helped." after one that names nothing."""
    if re.match(r"(?:and |but |so )?s?he\b", text, re.IGNORECASE):
        return not (_SHE.search(asked) or re.search(r"(?<=[a-z,] )[A-Z][a-z]|\b(?:your|the|that|an?) \w", asked))
    is_it = re.match(r"(?:and |but |so )?(?:it|that|this)\b", text, re.IGNORECASE) is not None
    if is_it and (_GREETING.search(asked) and not _STATE.match(text)):
        return True
    if is_it and _PRESENT.match(asked) and _PAST.match(text):
        return True
    return is_it and _YES_OR_NO.match(asked) is not None and _THING.search(asked) is None


def is_dim(asked: str) -> bool:
    """True for a question that points back and names nothing: "Was it hard to get there?"."""
    return _DIM.search(asked) is not None and _NOUN.search(asked) is None


def stands(told: str) -> bool:
    """True for what another sentence may lean on, because it does not lean itself."""
    text = chatter.strip_ends(told)
    if chatter.weight(text) <= LIGHT or ANAPHOR.match(text) or leans(text) or is_open(text):
        return False
    return not (chatter.is_talk(text) or vague.is_empty(text) or vague.is_pointing(text))
