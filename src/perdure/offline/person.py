"""First and second person to the third: "I moved with my son" → "Ana moved with Ana's son"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from perdure.offline.verbs import is_base, is_common, is_joined, singular

_ADVERBS = (
    "no longer|highly|well|also|really|always|usually|often|never|still|just|actually|currently|sometimes|already|even|only|"
    "definitely|absolutely|totally|probably|especially|generally|normally|mostly|mainly|recently|now|truly|honestly|personally|"
    "typically|regularly|rarely|hardly|particularly|simply|kinda|sorta|both|all|finally|certainly|strongly|first|then|"
    "too|seldom|not|almost|ever|(?!(?:re|f|app|rep|supp|comp|imp|multip)ly\\b)[a-z]+ly"
)
_CONTRACTED = {"'m": "is", "'ve": "has", "'ll": "will", "'re": "is"}
_JOINED = re.compile(r"\bI\b.*?(?:,| and | but | or )")
_CLAUSE = 200  # characters before a verb among which its subject is sought; chosen
_PRONOUN = re.compile(r"\b(?:I|we|you|they|he|she|it|who|which|that|where)\b")
_FINITE = frozenset(("don't", "am", "haven't"))
_OPEN = re.compile(
    r"\b(?:to (?P<infinitive>[a-z]+)|can|can't|cannot|could|couldn't|will|won't|would|wouldn't|should|shouldn't|must|might|may|did|didn't|lets?|letting|helps|helping|makes|making"
    r"|help|make|gonna|wanna|gotta|do not|don't)\b|'(?:ll|d)\b"
)
_NEXT_VERB = re.compile(
    rf"(?P<joint>(?:\band|\bbut|\bor|,|\bthen) (?:(?:{_ADVERBS}) )*)(?P<verb>(?!and\b|but\b|or\b|then\b)[a-z]+(?:n't)?)\b(?!')"
)
_INVERTED = re.compile(
    r"\b(?:do|does|did|can|could|should|would|will|shall|may|might|must|have|had|don't|didn't|can't|won't)\s+$",
    re.IGNORECASE,
)

_TOKEN = re.compile(
    rf"\bI(?P<contraction>'m|'ve|'ll|'d|'re)?\b(?:\s+(?P<adverbs>(?:(?:{_ADVERBS})\s+)*)(?P<verb>(?:[a-z]+n't"
    rf"|[a-z]+))\b)?"
    r"|\b(?P<we>we)(?P<wcontraction>'re|'ve|'ll|'d)?\b"
    r"|\b(?P<word>me|my|mine|myself|us|our|ours|ourselves|your|yours|yourself|you)(?P<ycontraction>'re|'ve|'ll|'d)?\b"
    rf"(?:(?<=you)(?P<yrest>\s+(?:(?:{_ADVERBS})\s+)*)(?P<yverb>(?!I\b)(?:[a-z]+n't|[a-z]+))\b)?",
    re.IGNORECASE,
)
_ANYBODY = re.compile(
    r"\b(?:when|if|once|whenever|where|makes?|made|helps?|helping|lets?|letting|keeps?|keeping|takes?|gives?"
    r"|brings?|reminds?|"
    r"everything|anything|all|things?|something|allows?|teach|teaches|shows?|before|until|the more|way|ways"
    r"|unless|as long as)\s+$",
    re.IGNORECASE,
)
# "I'll make you proud", "I can show you": the listener, whatever the verb.
_MINE = re.compile(
    r"\b(?:I|we)\b(?!.*\b(?:that|which|what|how|when|if|who|where|things?|it)\b)[^,;]*\s$", re.IGNORECASE
)

# "Mum moved", "with Dad on Sunday": whoever calls them so speaks of the own.
_MUM = "Mum|Mom|Mummy|Mommy|Mam|Dad|Daddy|Grandma|Grandpa|Granny|Grandad|Granddad"
_OWN_KIN = re.compile(
    rf"(?:\b(?:{_MUM})|^(?:{_MUM.lower()}))(?=['’]s [a-z]| (?!jokes?\b|bod\b|vibes?\b|life\b|duty\b|mode\b|of\b|or\b)[a-z])"
)
_LED = re.compile(
    r"(?:^|[.!?;:] |\b(?:with|for|to|from|and|that|because|when|but|while|so|by|told|visit|visited|see|saw|called|call|rang|miss|missed|helped|help|took"
    r"|drove|met|meet|asked|about|like|after|if|since|where|than) )$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who speaks, and to whom where that is plain."""

    speaker: str
    listener: str | None = None


def named(speaker: str) -> str:
    """Return how a speaker is called in a statement: a bare role takes its article ("the user").

    >>> named("user"), named("Ana")
    ('the user', 'Ana')
    """
    return f"the {speaker.lower()}" if speaker.lower() in ("user", "assistant", "system", "human") else speaker


def third(sentence: str, cast: Cast) -> str:
    """Return the sentence with its first and second persons named; what is said between quotation marks stays.

    >>> third("I love my job, and we're happy.", Cast("Ana"))
    "Ana loves Ana's job, and Ana and others are happy."
    """
    plain = re.sub(r"(?<=\w)[’`´](?=\w)", "'", sentence)
    plain = re.sub(r"\b(you|we)\s+(?:are|(ha)ve(?=\s+\w+(?:ed|en|ne)\b))\b", _contracted, plain, flags=re.IGNORECASE)
    if _JOINED.search(plain):
        plain = _continued(plain)
    plain = _OWN_KIN.sub(lambda match: f"my {match.group().lower()}" if _is_led(match) else match.group(), plain)
    pieces = re.split(r"(\"[^\"]*\"|“[^”]*”)", plain)
    rewriter = _Rewriter(cast)
    return "".join(piece if piece[:1] in '"“' and piece else rewriter.rewrite(piece) for piece in pieces)


def has_own_kin(text: str) -> bool:
    """True for a sentence that speaks of the speaker's mother or father by what the speaker calls them ("Mum moved")."""
    return any(_is_led(match) for match in _OWN_KIN.finditer(text))


def _is_led(kin: re.Match[str]) -> bool:
    return _LED.search(_before(kin)) is not None


def _contracted(match: re.Match[str]) -> str:
    return f"{match[1]}'{'ve' if match[2] else 're'}"


def _continued(sentence: str) -> str:
    """Return the sentence with the further verbs of "I" in the third person: "I cook and clean" → "I cook and cleans"."""

    def agree(match: re.Match[str]) -> str:
        before = _before(match, _CLAUSE)
        subjects = list(_PRONOUN.finditer(before))
        if not subjects or subjects[-1].group() != "I" or before.endswith(" and ", 0, subjects[-1].start()):
            return match.group()
        if match["verb"] == "like" and match["joint"].startswith(","):  # ", like vases"
            return match.group()
        is_open = match["verb"] not in _FINITE and _is_open(before, subjects[-1].end())
        following = re.match(r"\s*([\w']*)", sentence[match.end() :])
        if is_open or not is_joined(match["verb"], following[1] if following else ""):
            return match.group()
        return f"{match['joint']}{singular(match['verb'])}"

    return _NEXT_VERB.sub(agree, sentence)


def _is_open(sentence: str, start: int) -> bool:
    """True if an infinitive or a modal stands after `start`, so that a base form may go on with it."""
    return any(
        (match["infinitive"] or "be") == "be" or is_common(match["infinitive"])
        for match in _OPEN.finditer(sentence, start)
    )


def _before(match: re.Match[str], length: int = 40) -> str:
    """What stands right before a match; not all of it, so that a long sentence takes no longer for each of its words."""
    return match.string[max(0, match.start() - length) : match.start()]


class _Rewriter:
    """What was named so far in one sentence."""

    def __init__(self, cast: Cast) -> None:
        self.speaker, self.listener = cast.speaker, cast.listener
        self.has_group = False
        self.has_subject = False
        self.has_anybody = False

    def rewrite(self, piece: str) -> str:
        return _TOKEN.sub(self._name, piece)

    def _name(self, match: re.Match[str]) -> str:
        text = match.group()
        if match["we"]:
            return self._we(match)
        if match["word"]:
            return self._word(match["word"].lower(), match)
        if text[0] == "i" and not match["verb"] and not match["contraction"]:
            return text  # "i" typed in lower case is read as "I" only before a verb
        return self._first(match)

    def _subject(self, string: str, place: int) -> str:
        return _at(self.speaker, string, place)

    def _first(self, match: re.Match[str]) -> str:
        name = self._subject(match.string, match.start())
        contraction, verb, adverbs = (match["contraction"] or "").lower(), match["verb"], match["adverbs"] or ""
        rest = f" {adverbs}{verb}" if verb else ""
        self.has_subject = self.has_subject or bool(contraction)
        if contraction == "'d":
            return f"{name} {'had' if verb and not is_base(verb) else 'would'}{rest}"
        if contraction:
            return f"{name} {_CONTRACTED[contraction]}{rest}"
        is_plural = not self.has_subject and re.search(r"[\w'\"]\s+and\s+$", _before(match))
        self.has_subject = True
        if verb and not is_plural and is_base(verb.lower()) and not _INVERTED.search(_before(match)):
            return f"{name} {adverbs}{singular(verb.lower())}"
        return f"{name}{rest}"

    def _we(self, match: re.Match[str]) -> str:
        tail = {"'re": " are", "'ve": " have", "'ll": " will", "'d": " would"}.get(
            (match["wcontraction"] or "").lower(), ""
        )
        if self.has_group:
            return f"they{tail}"
        self.has_group = True
        return f"{self._subject(match.string, match.start())} and others{tail}"

    def _word(self, word: str, match: re.Match[str]) -> str:
        if match.group() == "US" or (word == "us" and _before(match).lower().endswith("the ")):
            return "US"
        name = self._subject(match.string, match.start())
        if word in ("us", "our", "ours") and self.has_group:
            return {"us": "them", "our": "their", "ours": "theirs"}[word]
        if word in ("myself", "ourselves"):
            return "themselves"
        if word in ("me", "my", "mine", "our", "ours"):
            return name if word == "me" else f"{name}'s"
        if word == "us":
            self.has_group = True
            return f"{name} and others"
        return self._you(word, match)

    def _you(self, word: str, match: re.Match[str]) -> str:
        """The listener; "people" where the word means anybody ("it makes you think", "when you get older")."""
        if self.listener is None:
            return match.group()
        if (_ANYBODY.search(_before(match)) and not _MINE.search(_before(match))) or (
            self.has_anybody and word != "yourself"
        ):
            self.has_anybody = True
            return {"your": "their", "yours": "theirs", "yourself": "themselves"}.get(word) or "people" + match.group()[
                3:
            ]
        name = _at(self.listener, match.string, match.start())
        if word != "you":
            return "themselves" if word == "yourself" else f"{name}'s"
        contraction = (match["ycontraction"] or "").lower()
        tail = {"'re": " is", "'ve": " has", "'ll": " will", "'d": " would"}.get(contraction, "")
        verb = match["yverb"] or ""
        if is_common(verb) and not tail and not _INVERTED.search(_before(match)):
            verb = singular(verb)
        return f"{name}{tail}{match['yrest'] or ''}{'was' if verb == 'were' else verb}"


def _at(name: str, string: str, place: int) -> str:
    """Return the name as it stands there: "The user" opens a sentence, "the user" does not."""
    is_first = not string[:place].strip(" \"'(-–—")
    return name[0].upper() + name[1:] if is_first and name.startswith("the ") else name
