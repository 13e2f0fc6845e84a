"""Sentences that tell nothing to whoever did not hear the talk: reactions, promises, advice; and what "this" becomes."""

from __future__ import annotations

import re

from perdure.offline.verbs import is_common, is_past
from perdure.offline.wording import FIRST
from perdure.text import words

_ADVERBS = r"(?:(?:\w+ly|so|just|too|very|super|really|definitely|still|always|also|all|pretty|totally|\d+%) )*"
_I = r"(?:I|we)(?:['’](?:m|re|ve|ll|d))?"
_IT = r"(?:it|that|this|them|these|those)"
_TAIL = rf"(?: (?:about {_IT}|for {_IT}|with {_IT}|by {_IT}|too|now|right now|so much|again|myself|for sure|someday|soon|as well|next|one day))*\W*$"
_EMPTY = re.compile(
    rf"^(?:{_I} )?(?:am |are |was |were |feel |felt |have been )?{_ADVERBS}(?:stoked|pumped|elated|thrilled|excited|amazed|grateful|thankful|glad|happy"
    rf"|proud|relieved|delighted|inspired|touched|motivated|hyped|psyched|flattered|honou?red|speechless|blown away|impressed){_TAIL}"
    rf"|^{_I} {_ADVERBS}(?:agree|relate)\b(?! (?:to|that|with (?!you\b))\w*)"
    rf"|^(?:{_I} )?(?:will |would |can |could |should |am going to |gonna |['’]ll )?{_ADVERBS}(?:keep|bear) (?:{_IT} in mind\b|your \w+ in mind{_TAIL})"
    rf"|^(?:{_I} )?{_ADVERBS}(?:get|see|understand|know|imagine) (?:how|why|what) (?:that|it|this|you)\b"
    rf"|^(?:{_I} )?(?:will |would |can )?{_ADVERBS}(?:keep you (?:posted|updated)|(?:love|like) to see (?:a|some|the|your) (?:photo|pic|picture)s?)\b[^,;–—]*\W*$"
    rf"|^(?:{_I} )?{_ADVERBS}(?:appreciate|treasure|value|cherish) our (?:friendship|chats?|talks?|bond|time together){_TAIL}"
    r"|^must(?:['’]ve| have) (?:taken|been|felt|\w+ed)\b|^(?!.*\b(?:I|my|we|our|me|us)\b)(?:gather|remember|focus on|don['’]t forget|be sure|consider|avoid)\b"
    r"|^(?:\w+ly |so |well )*worth (?:an? (?:read|watch|try|look|visit|shot|go|listen)|it|checking|trying|reading|watching)\b"
    r"|^(?!.*\b(?:I|my|we|our|me|us)\b)(?:(?:whoa|wow|oh|ooh|aww|haha|hey)[,!]? )?(?:[A-Z]\w+, )?(?:that|this|those|these) \w+ (?:looks?|sounds?|seems?|must)\b"
    rf"|^(?:{_I} )?(?:will |would |can |could |gonna )?{_ADVERBS}(?:(?:try|check|give|do|keep|make|love|use|read|watch|consider|look into|think about|work on|keep up|go for) {_IT})"
    rf"(?: out| up| a (?:try|go|shot|watch|read|look)| done| happen)?{_TAIL}"
    rf"|^(?:{_I} )?(?:would )?{_ADVERBS}(?:love|like) to{_TAIL}"
    rf"|^{_I} (?:have|has|had|do|did|was|am|are|were|will|can|could|would)(?:n['’]t| not)?{_TAIL}"
    rf"|^(?:{_I} )?(?:will |can |gonna )?{_ADVERBS}keep (?:going|trying|at it|pushing(?: \w+ other)?|fighting|moving(?: forward)?|working(?: hard)?)(?: (?:on|at|for) {_IT})?{_TAIL}"
    rf"|^{_I} (?:will )?{_ADVERBS}(?:reach out|let you know|be sure to)\b"
    r"|(?:^|[-–—,;] |\bthen )(?:let['’]?s|hang in there|don['’]t give up|keep (?:it up|going)|you(?:['’]ve)? got this)\b"
    r"|^(?:now |so |also |and )?(?:I|we) (?:\w+ly |just )?can(?:['’]t|not) wait (?:for|to (?:see|hear)) (?:the|it|that|this|them|more|what|your)\b"
    rf"|^{_I} {_ADVERBS}(?:pushing (?:on|through|forward|ahead)|hanging in there|not (?:giving up|quitting)|(?:won['’]t|will not|will never|never|not going to|(?:am|are) not going to) (?:give up|quit|stop)"
    rf"|(?:will |going to )?(?:keep|continue|keep on) (?:doing|trying|giving) (?:my|our) (?:very )?best)(?: though| no matter what|,? I promise| on \w+)?{_TAIL}"
    rf"|^{_I} (?:am |are )?{_ADVERBS}(?:staying positive|doing (?:well|good|great|fine|okay|ok|alright)|feeling (?:good|great|fine|okay|better)|hanging on){_TAIL}"
    r"|\b(?:I|we)(?:['’]ll| will) let\W*$|\bthanks for the (?:info|tips?|advice|help)\W*$|\bhere (?:I am|we are)\W*$|^\w+ works for me\W*$"
    r"|^(?:[\w']+[, ]+){0,3}you (?:could|might want to|['’]d better)\b"
    rf"|^{_I} (?:will |would |can )?{_ADVERBS}(?:let|see|have to|need to|love to see)\W*$"
    r"|^(?:something|a lot|lots|so much|things|(?:\w+ )?(?:stuff|things?))(?:['’]s| has| have)? (?:\w+ )?(?:happened|changed|been going on|going on)\b[^-–—,.:]*\W*$"
    r"|^(?:good on you|sending (?:\w+ ){0,3}(?:vibes|love|hugs|prayers|thoughts)|hats off|kudos|props to|cheers for|(?:I )?(?:\w+ly )?appreciate (?:the (?:help|advice|tips?|info|support|offer|kind words|love|suggestions?)(?=\W*$)|the offer|your|it|you)|no wonder|any ?time|got it|believe in your|cherish (?:those|these|the|every|your))\b"
    r"|^(?:I )?miss(?:ed)? (?:chatting|talking|catching up|hanging out)\b|^(?:I|we)['’]ll (?:talk|speak|chat|see|catch up)\b.*\b(?:you|ya|soon)\b"
    r"|^(?!.*\b(?:I|my|we|our|me|us)\b).*(?:^|[,;] (?:so |and )?)make sure (?:you|your|to)\b"
    rf"|^{_I} (?:can |could |will )?{_ADVERBS}(?:doing what I can|(?:can )?(?:all )?do (?:something|anything|so much)|keep (?:pushing|supporting|motivating|helping) each other|make a (?:real |big |huge )?difference)\b(?:(?! (?:for|in|at|with|as)\b)[\w ])*\W*$"
    r"|^(?:life|work|things|everything|it all)(?:['’]s| has| have| is| are)? (?:been )?(?:\w+ )?(?:wild|crazy|good|great|busy|hectic|well|fine|ok|okay|rough|tough|amazing|awesome|eventful|going \w+)(?: lately| recently| so far| for me| too)*\W*$"
    rf"|^{_I} (?:been |have been )?{_ADVERBS}(?:doing|been) (?:\w+ly )?(?:great|good|well|okay|ok|fine|alright)(?: lately| too)?\W*$"
    r"|\b(?:wanting|wanted|want|hoping|trying|planning|meaning|going) to(?: for (?:a while|ages|years|long))?(?=,|\W*$| but\b)"
    r"|^(?!.*\b(?:I|my|we|our|me|us)\b)(?:that|this|these|those) \w+(?: \w+)? (?:is|are|was|were) (?:so|really|very|such|super)\b"
    r"|^(?:woo+|woo ?hoo+|yay+|wow+|omg|whoa|woah|phew|aww+|haha\w*|oh my \w+)\W*$"
    r"|\byou hang in\b|^(?:count me in|rest assured|just make sure)\b|^I can (?:tell|see why)\b|^(?:I )?(?:had|have|got) to share\b[^-–—:,]*\W*$|\b(?:thanks|cheers) for asking\W*$"
    r"|^(?!.*\b(?:I|my|we|our|me|us)\b)[^,;–—]*\b(?:sounds?|looks?) (?:(?:so|really|very|like|super|absolutely) )*(?:special|great|amazing|awesome|lovely|delicious|mouthwatering|yummy|fun|cool|cozy|beautiful|perfect|incredible|nice)\W*$"
    r"|^have an? (?:\w+ )?(?:time|day|trip|weekend|blast|one|evening|night) and\b"
    r"|^check out\b|^we (?:should|must|gotta|can do (?:this|it)|will (?:make it|get through))\b|^we['’]ll (?:make it|get through)\b",
    re.IGNORECASE,
)
_REACTION = re.compile(r"\bmust(?:['’]ve| have)? (?:be|been|feel|felt)\b", re.IGNORECASE)
_BARE_THAT = re.compile(
    r"\b(?:for|through|about|with|like|do|doing|of|to|at|from|by|into|see|encourage|understand|support|learn|know|try|feel|say|include|put|got|made|wrote|drew|found|bought|share|read|watch|use) (?:that|this|these|those)(?=\W*$|,| (?:at the \w+\W*$|and|but|so|because|too|again|more|often|sometime|someday|first)\b)",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"^(?:that['’]s (?:the|my|our|me|him|her)\b|here(?:['’]s| is| are)\b|(?:look at|check out|meet|you|your|you['’]\w+)\b|(?:\w+ly )?(?:add|recommend|check|try|give) (?:it|this|that|them)\b)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"not only\b|so much (?:so )?that\b|for (?:me|us),? it (?:was|is)\b|(?:so |super |really |very |pretty |kinda )*(?:fun|sad|good|great|nice|cool) but\b|since (?:I was|we were) (?:\w+ ){0,4}\w+\W*$|just (?:something|another|one|an?)\b|just (?:my|our) (?:\w+ ){0,2}\w+\W*$",
    re.IGNORECASE,
)
_PART = re.compile(
    r"^(?:the (?:(?!my\b|our\b|I\b|we\b)(?-i:[a-z])[\w'’-]* ){1,4}?(?:is|are|was|were|has|have|had|looks?|looked|really|gives?|gave|makes?|made|turned|went|rocks?|\w+s)\b|the (?!.*\b(?:I|my|we|our|me|us)\b)(?-i:[a-z])|every(?:one|body)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|do|did|can|could|will|would|should|must|may|might|let|need|want|love|like|mean|make|help|bring|give|keep|take|get|come|go|feel|look|sound|seem|work|run|live"
    r"|\w\w+ed|\w\w+[a-rt-z]s|can['’]t|cannot|won['’]t|don['’]t|didn['’]t)\b|\w['’](?:s|re|ve|ll|d|m)\b",
    re.IGNORECASE,
)
_TIMES = (
    "week|weekend|month|year|morning|evening|afternoon|night|spring|summer|autumn|fall|winter|time|season|semester|term|"
    "past|last|coming|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|days"
)
_THIS = re.compile(
    rf"\bthat (?:little guy|guy|girl|man|woman|dog|cat|pup|castle|house|picture|pic|photo|series|book|movie|show|place|spot|game|song|film|trip|event|class|story|idea|stuff)\b|\b(?:this|these|those)\b(?! (?:{_TIMES})\b)",
    re.IGNORECASE,
)
_A = re.compile(
    rf"\b(?P<which>this|these|those) (?!(?:{_TIMES}|is|was|are|were|has|have|had|will|would|can|could|makes?|means?|really|just|all|"
    r"one|ones|who|two|three|things?|way|stuff|kind|because|and|or|but|so|for|when|if|as|since|with|to|in|on|at|of|from|by|up|out)\b)(?=(?P<next>[a-z]))"
)


def is_empty(text: str) -> bool:
    """True for a reaction, a promise or advice that names nothing.

    >>> is_empty("I was definitely elated."), is_empty("I'll keep that in mind."), is_empty("I was elated to win.")
    (True, True, False)
    """
    return _EMPTY.search(text) is not None or (_REACTION.search(text) is not None and not FIRST.search(text))


def is_shown(text: str) -> bool:
    """True for what goes with a picture, or only commends: "That's the dog, and here's our cat!", "Definitely try it."."""
    return _SHOWN.match(text) is not None


def is_part(text: str) -> bool:
    """True for "The plot rocks.": it goes with what was told right before, and is not about the speaker."""
    return _PART.match(text) is not None


def goes_on(text: str) -> bool:
    """True for what only goes on with the sentence before: "Not only for the view.", "Since I was ten."."""
    return _GOES_ON.match(text) is not None


def is_fragment(text: str) -> bool:
    """True for a sentence without a verb.

    >>> is_fragment("Super cozy and comfy."), is_fragment("My sister sings.")
    (True, False)
    """
    return _VERB.search(text) is None and not any(is_past(word) or is_common(word) for word in words(text))


def is_pointing(text: str) -> bool:
    """True where "this" or "those" stands for something that was shown or said elsewhere.

    >>> is_pointing("I love the food of this city."), is_pointing("I moved this week.")
    (True, False)
    """
    return _THIS.search(text) is not None


def is_bare(text: str) -> bool:
    """True where "that" stands for something said elsewhere: "I don't want to go through that."."""
    return _BARE_THAT.search(text) is not None


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
