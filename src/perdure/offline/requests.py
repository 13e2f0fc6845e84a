"""What a speaker asks of the assistant: to remember something, to behave in a certain way from now on, or a task.

The first is a statement, the second a preference, the third is over when it is done and no memory.
"""

from __future__ import annotations

import re
from functools import cache

from perdure.offline.person import Cast, third

_POLITE = r"(?:(?:please|pls|ok|okay|also|and|just|so|oh|hey|now|then|kindly|could you|can you|will you|would you),? )*"
_KEEP = (
    rf"^{_POLITE}(?:remember(?: this| for (?:me|later|next time))?|note(?: down)?|take note|make a (?:mental )?note|keep in mind|bear in mind"
    r"|(?:don['’]t|do not|never) forget|save (?:this|it)|store (?:this|it)|memori[sz]e(?: this)?|write (?:this |that |it )?down|jot down|be aware|know|for (?:the|your) (?:record|information|reference|notes)"
    r"|fyi|f\.y\.i\.|heads[ -]up|(?:a )?(?:quick |small |little )?(?:reminder|note|update|correction to my profile)|(?:just )?so (?:that )?you know|you should know|you need to know"
    r"|(?:i(?:['’]d| would)? (?:want|like|need)|i want|i need) (?:you )?to (?:remember|know|note|keep in mind|tell you|let you know|mention|add)"
    r"|i (?:should|must|have to|need to|wanted to|want to|forgot to|also wanted to)(?: also| just)? (?:mention|tell you|let you know|say|add|point out|note|admit|confess)"
    r"|let me (?:tell you|mention|add|say|remind you)|did i (?:mention|tell you)|to be clear|important|one (?:more )?thing(?: to (?:know|note|remember))?)"
    r"(?:,? please| about me| for me)?"
    r"(?P<joint>\s*[:;–—,]\s*(?:that )?|\s+-+\s+|\s+(?:down |about me )?that (?!(?:time|day|one|night|moment|year|summer|winter|trip|feeling)\b)|\s+(?=(?:my|I|I['’]m|our|we)\b(?! (?:was|were|used|had|went)\b)))(?P<rest>\S.*)$"
)
_LEAD = (
    r"^(?:as (?:I|we) (?:said|mentioned|told you|wrote|explained)(?: (?:before|earlier|above|already|last time))?|like I (?:said|mentioned|told you)(?: (?:before|earlier))?"
    r"|as you (?:may |might |probably |already )?know|if you (?:must|want to) know|in case you(?:['’]re| are)? (?:wondering|curious|didn['’]t know|forgot)"
    r"|I (?:have|had|got) to (?:say|admit|confess)|I must (?:say|admit|confess)|I(?:['’]d| would) (?:say|have to say)|truth be told|long story short|for what it['’]s worth|in all honesty"
    r"|turns out|it turns out|apparently|by the way|btw|fyi|fwiw|small update|quick update|update|news|good news|bad news|sad news|big news|just to let you know|about me|a bit about me|a little about me)"
    r"(?:\s*[:,–—-]+\s*|\s+)(?:that )?(?=\S)"
)
_SUPPOSED = (
    r"^(?:(?:and|but|so|now|ok|okay|please|just|let['’]s),? )*(?:pretend|imagine|suppose|supposing|assume|assuming|picture|envision|what if|say|let['’]s (?:say|pretend|assume|imagine|suppose)|act (?:as|like)|role-?play"
    r"|you are (?:now )?(?:a|an|the|my)\b|play the role|take the role|hypothetically|in theory|in a parallel|were I|had I|should I)\b"
    r"|\bif (?:I|we|he|she|it|they|you|my [\w-]+|there|only|[A-Z]\w+) (?:\w+ly )?(?:were|was|had|could|won|did(?:n['’]t)?|lived|owned|knew|got|became|weren['’]t|wasn['’]t|hadn['’]t|\w{2,}ed)\b[^.]*\b(?:would|['’]d|could|might|wouldn['’]t|couldn['’]t)\b"
    r"|\b(?:would|wouldn['’]t|could|['’]d|might)\b[^.]*\bif (?:I|we|he|she|it|they|you|my [\w-]+|there|only|[A-Z]\w+) (?:\w+ly )?(?:were|was|had|could|won|did(?:n['’]t)?|lived|owned|knew|got|became|weren['’]t|wasn['’]t|hadn['’]t|\w{2,}ed)\b"
    r"|^if only\b"
)
_PIECE = (
    r"text|code|function|method|class|script|bug|error|exception|message|e-?mail|letter|paragraph|sentence|passage|article|essay|document|file|snippet"
    r"|query|table|list|question|problem|equation|exercise|task|assignment|homework|prompt|poem|story|translation|summary|output|image|picture|screenshot|regex|config|log|data|dataset|chart|code base|codebase|draft|report|page|section|chapter|quote|recipe|line|lines|word|words|phrase|issue|conversation|chat|answer|response"
)
_HAND = (  # what lies before both of them; nobody else's story or recipe
    r"text|code|function|method|class|script|bug|error|exception|paragraph|sentence|passage|file|snippet|query|prompt|regex|screenshot|output|equation|translation|summary|draft|word|phrase"
)
_PRODUCT = (
    r"summary|summari[sz]ation|translation|list|poem|haiku|limerick|story|essay|function|script|program|regex|regular expression|explanation|example|examples|paragraph|e-?mail|(?:cover )?letter|table|outline|draft|query|answer"
    r"|answers|suggestions?|recommendations?|advice|information|info|tips?|ideas?|help|hand|assistance|guidance|feedback|opinion|review|rewrite|rewording|version|title|tagline|slogan|caption|tweet|post|article|speech|toast|report|diagram|chart|formula|template|snippet|unit tests?|proofread(?:ing)?|clarification|overview|breakdown|comparison|definition|description|guide|tutorial|instructions|steps|code|prompt|bullet points?|synonyms?|rhyme|joke|quote|riddle|itinerary|schedule|recipe|recipes|playlist|quiz|sample|response|reply|checklist|cheat sheet|pros and cons"
)
_TASK = (
    rf"\b(?:that|(?:this|these|the following|the above|the attached|the (?:first|second|third|previous|given))(?: \w+)?) (?:{_HAND})s?\b"
    rf"|^(?:I|we)(?:['’]m| am| are|['’]re)?(?:(?: just| really| also| still| currently| urgently)+)? ?(?:want|need|would like|['’]d like|would love|['’]d love|would appreciate|['’]d appreciate|could use|require|(?:looking|searching|asking|hoping) for|after) (?:some |any |more |a few |a couple of |a |an |your |the |you to give me |another |help with )*(?:(?!new\b)[\w-]+ ){{0,2}}?(?:{_PRODUCT})(?= (?:on|of|about|for|that|which|to|with|from|in|how|regarding|please|as|and|explaining|describing)\b|[.,;!]|$)"
    r"|^(?:I|we)(?:['’]m| am)?(?: just| really| also| still| \w+ly)* ?(?:want|need|would like|['’]d like|would love|['’]d love|wanted|wish|trying|looking|hoping|curious|wondering|interested|wonder|was wondering|have been wondering)(?: you)? (?:to (?:know|ask|understand|hear|see (?:how|what|if|some|your|the)|find out|figure out|learn (?:about|how|more)|get (?:some|your|more) (?:ideas|advice|tips|info\w*|help|suggestions|input|feedback|opinions?)|clarify|check|confirm|discuss|talk about|explore|fix|debug|compare|calculate|compute|convert|translate|summari[sz]e|rewrite|refactor|be told)|about|if|whether|how|what|why|when|where|which|who)\b"
    r"|^(?:I|we)(?:['’]d)?(?: would)?(?: just| really| also)* ?(?:want|need|like|love|prefer|appreciate it if|appreciate if) (?:for )?you(?: to| could| would|r help)\b"
    r"|^(?:I|we) (?:have|had|got)(?: got)? (?:a |another |one |some |two |this )(?:\w+ )?questions?\b"
    r"|^(?:I|we) (?:don['’]t|do not|didn['’]t) (?:understand|get|see) (?:this|that|it|the|why|how|what|your)\b"
)

_OWN = (
    rf"\bmy (?!(?:own |\w+ )?(?:{_PIECE})s?\b)[a-z]"  # then it tells of the speaker: "tips for my daughter's wedding"
)

_ALWAYS = (
    r"\b(?:always|never|from now on|from here on|in (?:the )?future|going forward|henceforth|every ?time|each time|whenever|any ?time|when(?:ever)? I ask|when (?:you )?(?:answer|reply|talk|write|speak)\w*"
    r"|in (?:all|every one of) (?:of )?your|in your (?:answers?|repl(?:y|ies)|responses?|messages)|by default|at all times|in this chat|in all (?:answers|chats|conversations)|for (?:all|every|each)|until I say|as a rule|in general|ever)\b"
)
_HOW = (
    r"metric|imperial|celsius|fahrenheit|kilomet(?:er|re)s|miles|24[- ]?hour|12[- ]?hour|a\.?m\.?/p\.?m\.?|iso dates?|euros?|dollars|pounds|units?|emojis?|emoticons|bullet ?points?|bullets|markdown|plain text|headings|tables|code blocks"
    r"|jargon|slang|simple (?:words|language|english)|plain (?:words|language|english)|formal|informal|casual|friendly|polite|professional|concise|brief|briefly|short|shorter|terse|detailed|in detail|verbose|to the point|direct|blunt|honest|sarcas\w+|humou?r|jokes"
    r"|british|american|uk|us|spelling|step[- ]by[- ]step|citations?|sources|references|footnotes|examples|exclamation (?:marks|points)|capital letters|lower ?case|all caps|apologi[sz]\w*|small talk|spoilers|your (?:answers|repl(?:y|ies)|responses|messages|tone)|compliments|disclaimers|warnings|follow-?up questions|flattery|filler"
    r"|french|german|spanish|italian|portuguese|dutch|english|chinese|mandarin|japanese|korean|russian|arabic|hindi|turkish|polish|swedish|norwegian|danish|finnish|greek|czech|indonesian|vietnamese|thai|hebrew|ukrainian|latin|catalan"
    r"|first name|last name|surname|nickname|sir|madam|ma'am|title|they/them|she/her|he/him|pronouns"
)
_MANNER = r"answer|reply|respond|write|speak|talk|explain|keep (?!going|up\b|it up|smiling|on\b)|be (?!yourself|kind|happy|strong|well|safe|you\b)|use|avoid|stop|give (?!up\b)|repeat|apologi[sz]e|format|address|skip|include|make|show|add|round|cite|assume|treat|sign|start|begin|end|ask|check|tell|remind|call|refer|say|send|provide|limit|leave|omit|drop|suggest|recommend|offer|consider|convert|express|state|quote|mention|call|list|put|double-check|wait|act|take|greet|spell|stick|try|refrain"
_ORDER = rf"^{_POLITE}(?P<adverb>(?:from now on|in (?:the )?future|going forward|henceforth|every ?time|whenever [^,]{{3,60}}|when(?: you| I| I ask)? [^,]{{3,60}}|by default|as a rule|in general|for all [^,]{{3,40}}|in your [^,]{{3,30}}),? )?{_POLITE}(?P<not>(?:don['’]t|do not|never|always|don['’]t ever|always try to|never ever) )?(?P<verb>(?:{_MANNER})\b.*)$"
_CALL = r"^(?:(?:please|just|from now on|in future|you can|you may|and|but|so|everyone can|friends),? )*(?:call me|address me as|refer to me as)(?: by my)? (?P<name>(?!back\b|later\b|a\b|an\b|crazy\b|when\b|if\b|old|today|tomorrow|at\b|on\b|in\b|tonight|after\b|before\b|asap)[\w'’. -]{1,40}?)(?:,? (?:please|instead|from now on|in (?:the )?future|by the way|btw))*[.!]*$"
_WISH = r"^I(?:['’]d)?(?: would)?(?: really| also| just)* ?(?:want|need|like|prefer|love|expect|ask|it if) (?:it if )?(?:for )?you (?P<not>not )?(?:(?P<never>never|always) )?(?:to )?(?P<not2>not |never |always )?(?P<verb>\w.*)$"


_ASSISTANT = "the assistant"
_NEGATIONS = {"don't": "not ", "do not": "not ", "don't ever": "never ", "never ever": "never "}
_THANKS = r",? (?:please|pls|thanks|thank you|okay|ok)$"


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
    return asked["rest"].rstrip("?")


def without_lead(sentence: str) -> str:
    """Return the sentence without "as I said," and the like."""
    shorter = _compiled(_LEAD).sub("", sentence, count=1)
    return shorter if shorter == sentence else shorter[0].upper() + shorter[1:]


def is_supposed(sentence: str) -> bool:
    """Return True for what is only imagined ("if I were rich, I would ...")."""
    return _compiled(_SUPPOSED).search(sentence) is not None


def is_task(sentence: str) -> bool:
    """Return True for a wish that an answer fulfils ("I need a summary"), or about a text at hand."""
    match = _compiled(_TASK).search(sentence)
    return match is not None and (match.start() > 0 or not _compiled(_OWN).search(sentence, match.end()))


def standing(sentence: str, cast: Cast) -> str | None:
    """Return a wish that holds from now on, in the third person, or None.

    >>> standing("Never use emojis.", Cast("Ana")), standing("Write a poem.", Cast("Ana"))
    ('Ana wants the assistant never to use emojis.', None)
    """
    called = _compiled(_CALL).match(sentence)
    if called:
        return f"{cast.speaker} wants to be called {called['name'].strip()}."
    wish = _compiled(_WISH).match(sentence)
    order = None if wish else _compiled(_ORDER).match(sentence)
    match = wish or order
    if match is None or not _holds_on(sentence, is_order=order is not None):
        return None
    negation = (match["not"] or (wish["never"] or wish["not2"] if wish else "") or "").strip().lower().replace("’", "'")
    how = _NEGATIONS.get(negation, negation and f"{negation} ")
    adverb = order["adverb"] if order else None
    when = f" {adverb[0].lower()}{adverb[1:].strip(' ,')}" if adverb else ""
    verb = _compiled(_THANKS).sub("", match["verb"].rstrip(" .!"))
    said = third(f"{verb[0].lower()}{verb[1:]}{when}", Cast(cast.speaker, cast.listener or _ASSISTANT))
    return f"{cast.speaker} wants {cast.listener or _ASSISTANT} {how}to {said}."


def _holds_on(sentence: str, *, is_order: bool) -> bool:
    """True if a request speaks of every answer: it says so, or asks for a manner and points at nothing at hand."""
    if _compiled(_TASK_AT_HAND).search(sentence):
        return False
    if _compiled(_ALWAYS).search(sentence):
        return True
    return _compiled(rf"(?<![\w-])(?:{_HOW})(?![\w-])").search(sentence) is not None and not (
        is_order and _compiled(_MADE).match(sentence)
    )


_TASK_AT_HAND = rf"\b(?:this|these|that|it|them|the following|the above|above|below|the (?:\w+ )?(?:{_PIECE})s?)\b(?! (?:chat|conversation|way)\b)"
# "Write a short poem", "give me three examples": done once.
_MADE = rf"^{_POLITE}(?:write|give|make|show|add|list|tell|send|provide|suggest|recommend|explain|say|put|include|convert|quote|start|begin|ask|check|create)\s(?:me |us )?(?:an? |the |some |\d+ |two |three |five |ten |my |how |what |why |all )"
