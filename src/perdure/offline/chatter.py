"""What is said and not worth remembering: questions, greetings, thanks, praise, requests to the assistant."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from perdure.text import STOP_WORDS, words

_OPENERS = (
    r"^(?:(?:hey|hi|hiya|hello|yo|wow|oh|ooh|aww?|ah|aha|haha|hah|lol|yeah|yep|yup|yes|ya|nope|no|nah|well|so|ok|okay|alright|sure|"
    r"right|true|exactly|absolutely|definitely|totally|agreed|thanks|thank you|thx|congrats|congratulations|cool|nice|great|"
    r"awesome|amazing|lovely|anyway|anyways|btw|by the way|oh man|man|gosh|oh my god|omg|oh wow|for sure|of course|good|gotcha|"
    r"hmm+|mm+|o{2,}h*|um+|uh|phew|yay|woo|woohoo|actually|impressive|honestly|to be honest|tbh|you know|i mean|guess what|fun fact|look|see|also|plus|"
    r"but|and|then|speaking of which|on (?:another|a (?:different|happier|lighter|side|brighter)) note|funny enough|good question|sounds (?:great|good|fun)|no worries|no problem|my pleasure|"
    r"thanks (?:so much|a lot)|thank you so much|thanks for asking|not much|same here|likewise|unfortunately|luckily|fortunately)"
    r"(?:\s+(?:there|again|back|everyone|all|guys|buddy|dude|man|bro))?(?P<vocative>,?\s+[A-Z][\w’']+)?\s*(?:[,!.…:;]+(?!/)|\s[-–—]+)\s*)+"
)
_SOFT = r"^(?:so(?! (?:much|many|far|long)\b)|and|but|well|then|also|plus|oh|yeah|yep|yes|actually|anyway|btw|hey|hi|lol|haha|omg|ugh|wow|ok|okay|hmm)\s+(?=[A-Za-z])"

_CHATTER = (
    r"""(?x)
    ^(?:hey|hi|hello|yo|good\s(?:morning|evening|night|afternoon|to\s(?:see|hear|know))|long\stime|how['’]?s?\b|what['’]?s\sup|
       (?:it['’]?s(?:\sbeen|\salways)?|it\swas|so)?\s?(?:so\s|such\sa\s)?(?:great|good|nice|lovely|awesome|pleasure|fun)\s(?:to\s(?:see|hear|talk|chat|catch)|talking|chatting|hearing|seeing|catching)|
       thanks?\b|thank\syou|thx\b|congrat|bye|see\s(?:you|ya)|talk\s(?:to\syou\s)?(?:soon|later)|take\scare|have\s(?:a|fun)\b|
       good\s(?:luck|job|for|one|idea|point|call)|no\s(?:worries|problem|way)|my\spleasure|you['’]?re\swelcome|welcome|cheers|
       sounds?\s|looks?\s(?:like|great|good|so|amazing|awesome|delicious)|that['’]?s\b|that\s(?:is|was|sounds|must|looks)|this\s(?:is|looks)\s(?:so|great|amazing|awesome)|
       keep\s|let\s(?:me|us)|let['’]s|please\b|can\syou|could\syou|would\syou|will\syou|tell\sme|show\sme|give\sme|help\sme|make\s(?:sure|it|me)|don['’]t\s(?!(?:really\s|even\s|actually\s)*(?:like|want|drink|eat|smoke|own|speak|live|work|need|believe|drive|have|do|enjoy|care\sfor|trust|watch|use|play|sleep|feel|know|get)\b)|
       enjoy|remember\b|try\b|take\sa\slook|check\s(?:it|out|this|them)|here['’]?s?\s|here\s(?:is|are|you)|look\sat|just\sremember|stay\b|go\sfor\b|
       must\s(?:be|have|feel)\b|would\slove\sto\b|oof|ouch|yikes|lem\s?me\b|way\sto\b|(?:wishing|sending)\syou\b|(?:(?:i|we)\s)?haven['’]t\s(?:talked|spoken|chatted|heard\sfrom|seen\syou|caught\sup)|(?:that|this|those|these)\s\w+\s(?:looks?|sounds?|seems?)\b|(?:the|your)\s(?:\w+\s){1,2}(?:looks?|sounds?|seems?)\s(?:so|really|very|great|amazing|awesome|cute|delicious|yummy|beautiful|fun)\b|(?:planning|thinking|going|got|have|had|been|seen|heard|tried|ever)\s(?:\w+\s){0,4}(?:any|anymore|anytime|ever|yet)\b|been\s(?:an?|so|too|quite|such)\b|what\sa|how\s(?:cool|sweet|nice|awesome|lovely)|so\s(?:cool|sweet|nice|true|glad|happy\sfor|proud\sof\syou)|glad\s|happy\s(?:for|to\shear)|
       sorry\s|haha\b|oops\b(?!,)|fingers\scrossed|can['’]t\swait|wish\s(?:me|you)|same\shere|me\s(?:too|neither)|not\s(?:really|much|yet|at\sall)|
       (?:who|what|where|when|why|how|which|whose|do|does|did|is|are|was|were|have|has|any|ever)\b[^.]*\?|
       write\s|fix\s|explain\s|generate\s|summari[sz]e\s|translate\s|list\s|rewrite\s|refactor\s|implement\s|add\s|change\s(?:the|this|it)\b|run\s|use\s)
    |^(?:(?:i|we)(?:['’]m|\sam|['’]re|\sfeel)?\s)?(?:(?:just|really|also|so|truly|always|totally|still|do|can)\s)?(?:so\s|really\s|super\s|very\s)*(?:
       glad\s|happy\s(?:for|to\shear|you)|sorry\s|here\s(?:for|to\s(?:help|support|listen))|(?:wanted|want|came|stopped\sby)\sto\ssay\s(?:hi|hello|thanks|thank)|proud\sof\syou|excited\sfor\syou|rooting|thrilled\s(?:for|to\shear)|sure\s(?:you|it|they)|
       (?:can['’]t|can\snot)\s(?:wait|agree|imagine|thank|believe)|could(?:n['’]t)?\s(?:agree|not\sagree)|agree\b|understand(?:\W*$|\s(?:that|you|how|what|why|your)\b)|hear\s(?:you|ya|that)|see\swhat|know\s(?:right|what\syou|how\syou|you)|get\s(?:it|that|you)|
       (?:appreciate|admire|love|like)\s(?:it|that|this|these|those\s\w+\W*$|your|you|how\syou|the\s(?:idea|support|suggestions?))\b|bet\b(?!\son\b)|hope\s(?:you|your|it|to\ssee|to\shear|that\syou|so)|wish\syou|
       think\s(?:so\b|that['’]s\s(?:great|awesome)|you)|guess\sso|don['’]t\s(?:know|think\sso)\W*$|mean\sit|get\syou|totally\W*$|have\sto\sagree|will\W*$|do\W*$|did\W*$|am\W*$|was\W*$|
       (?:want|need|['’]d\slike|would\slike)\s(?:you\sto|to\s(?:know|ask|hear|see\syou)|help)|(?:['’]ll|will)\s(?:check|let\syou|keep\s(?:you|that)|definitely|try\sit|look\sinto|give\sit|be\s(?:there|here|sure|cheering|rooting)|do\s(?:that|it)|take\sa\slook|see\syou|talk)|
       (?:want|need|have)\sa\s(?:quick\s)?question|wonder|was\swondering|don['’]t\smind|look(?:ing)?\sforward\sto\s(?:hear|see|it|chat))
    """
)  # fmt: skip
_TAG = (
    r"(?:,|(?<!\s)(?<!\bjust)(?<!\ball)(?<!\bfeels)(?<!\bis)(?<!\bquite))\s+(?:so\s+)?(?:you know|by the way|btw|actually|take a look|check (?:it|this|them) out|just let me know[^.!?]{0,200}|let me know[^.!?]{0,200}|right|huh|haha|lol|though|too bad)"
    r"\s*(?P<mark>[.!…]*)$"
    r"|(?<!\s)\s*(?:[:;]-?[)DP(]+|[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F]+)\s*(?:$)"
)
_FILLER = r",? (?:you know|like|I mean|kinda|sorta|kind of|sort of|basically|literally)(?=,),"  # "it is, you know, old"
_SECOND = r"^(?:and\s|but\s|if\s|when\s)?(?:you|your|you['’](?:re|ve|ll|d))\b"
_QUESTION = (
    r"[?？؟][\"'”’)\]』」]*\s*(?:[:;]-?[)D(]|[\U0001F300-\U0001FAFF]*)$|(?:吗|嗎|呢)[。！!.～~]*$|(?:ですか|ますか|でしょうか|かな)[。.]*$|"
    r"^(?:\w+[ ,!.]+){0,2}(?:comment (?:vas|ça|ca|allez|va|tu)|combien|quel(?:le)?s?|est-ce que|qu'est-ce|as-tu|es-tu|come (?:stai|va|ti)|che cosa|cosa (?:fai|ne)|"
    r"quanti|quali?|cómo|qué|dónde|cuál|¿|apa kabar|apakah|bagaimana|siapa|wie geht|was machst|woher) ?\b|^¿|"
    r"(?:까요|나요|니까|ㄹ까|는데요\?)[.。]*$"
)
_OWN = (
    r"\b(?:je|j['’]\w+|mon|ma|mes|nous|notre|io|sono|ho|mio|mia|miei|mie|mi|abbiamo|siamo|amo|vivo|lavoro|studio|yo|soy|tengo|mis|somos|estoy|me|"
    r"eu|meu|minha|sou|tenho|moro|ich|mein\w{0,2}|wir|unser\w{0,2}|ik|mijn|saya|aku|kami|\w+ku)\b|[我俺僕私]|わたし|ぼく|うちの|(?:^|\s)(?:나|난|내|저|제|우리|전)(?:는|가|의|도|를|에게)?(?=\s)|(?:^|\s)(?:я|мой|моя|у меня|мы)\b"
)
_EMPTY = frozenset(
    """
    great good nice awesome amazing cool fun lovely wonderful fantastic sweet beautiful super really so such thing things
    stuff lot lots got get know think way that's it's i'm i've don't yeah yes yep yup yeah nope nah mostly no ok okay thanks thank much well right love
    like feel feeling felt excited happy glad hope wow sure definitely totally absolutely always bit kind sort going gonna
    today one ones something anything everything someone let mean means looks look sounds sound see great exciting
    incredible wait please yay yess yesss oof ha haha hehe phew oh ooh yikes ouch dude man exciting joking kidding done lost hungry thirsty starving idea care give up late freezing news nerve-wracking tough must never ever tired ready fine bored sorry proud curious sad better best guess yet again already anymore can't couldn't hear agree true even still back day time good awesome
    next updated journey forward positive grateful thankful lucky overcome special moment moments experience happen happens
    happened keep keeps keeping kept try trying tried hard able matter matters promise heard go part pushing push hopeful
    """.split()
)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    """Compile at first use: at import these would cost 25 ms."""
    return re.compile(source, re.IGNORECASE)


def strip_ends(sentence: str) -> str:
    """Return the sentence without the greeting, yes or interjection that opens it, and the tag that ends it.

    >>> strip_ends("Hey Bob! Well, I moved, you know.")
    'I moved.'
    """
    return _compiled(_TAG).sub(r"\g<mark>", _strip_opener(_compiled(_FILLER).sub("", sentence)))


def _strip_opener(sentence: str) -> str:
    stripped = sentence
    while True:
        opener = _compiled(_OPENERS).match(stripped)
        shorter = stripped[opener.end() :] if opener else _compiled(_SOFT).sub("", stripped, count=1)
        if shorter == stripped or not shorter:
            return stripped
        stripped = shorter


def is_question(sentence: str) -> bool:
    """Return True if a sentence asks, in any of the languages in view."""
    return _compiled(_QUESTION).search(sentence) is not None


def is_own(sentence: str) -> bool:
    """Return True if a sentence of another language than English has a word for "I", "my" or "we"."""
    return _compiled(_OWN).search(sentence) is not None


def is_talk(sentence: str) -> bool:
    """Return True if an English sentence without its opener asks, greets, praises or requests."""
    return bool(is_question(sentence) or _compiled(_CHATTER).match(sentence) or _compiled(_SECOND).match(sentence))


@lru_cache(maxsize=256)  # asked a few times of each sentence
def weight(sentence: str) -> int:
    """Return how many words of an English sentence tell something."""
    return sum(word.replace("’", "'") not in STOP_WORDS | _EMPTY and len(word) > 1 for word in set(words(sentence)))
