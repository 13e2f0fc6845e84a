"""A sentence parted into facts that stand alone: "We have a dog called Rex, he's three" tells two.

Each may then end, or be corrected, without the other.  What does not stand alone stays with what it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import Final

from perdure.offline import chatter, claims, habits, slots
from perdure.offline.entities import NO_NAMES
from perdure.offline.verbs import is_base, is_common, is_past, singular
from perdure.offline.wording import FIRST, capital

_MOST = 4  # joints of a sentence that are looked at, and facts of it but one; chosen
_LONGEST = 300  # characters of a sentence that is parted; chosen: a longer one is a tale, not a list of facts
_JOINT = re.compile(
    r"(?:[,;]|\s[-–—]|(?=\s(?:and|but|so)\s))\s+(?:(?P<word>and|but|so|plus|as|since|because)\s+)?(?:(?:now|then|also|instead)\s+(?=\w+['’\s]))?",
    re.IGNORECASE,
)
_AND = re.compile(r",?\s+(?:and|but)\s+(?P<subject>(?:I|[Mm]y|we|our)\b)?(?:(?<!I)(?:also|now|then)\s+)?")
_POINTER = re.compile(r"\b(?:it|he|she|they|him|her|them|there|that|this)\b", re.IGNORECASE)
_CHANGED = re.compile(r"^(?:my|our) [\w' ]{2,30}? (?:has |have )?(?:just )?changed$", re.IGNORECASE)
_KIN: Final = (
    r"(?:(?:step|grand|great-grand)?(?:mother|father|son|daughter|mum|mom|dad|parents?|child|children|kids?)|brother|sister|siblings?|twins?|wife|husband"
    r"|partner|girlfriend|boyfriend|fianc[eé]e?|cousin|aunt|uncle|niece|nephew|grandma|grandpa|granny|friend|neighbou?r|colleague|coworker|boss|manager"
    r"|roommate|flatmate|housemate|teacher|doctor|dentist|therapist|landlord|landlady|mentor|coach|baby)(?:-in-law)?s?"
)
_PETS: Final = r"(?:dog|cat|puppy|kitten|horse|pony|rabbit|bunny|hamster|parrot|tortoise|turtle|goldfish|snake|pup)"
_NAME: Final = r"(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z])[\w-]*)?"
_BE_OR_HAVE: Final = r"(?:(?:am|is|are|was|were|has|have|had|does|do|did|can|will)(?:n['’]t)?|can['’]t|cannot|won['’]t)"
_WHO: Final = tuple(
    rf"(?P<who>(?:my|our|the|both) (?:[a-z-]+ ){{{more}}}[a-z-]+(?: {_NAME})?" + ("" if more else rf"|{_NAME}") + ")"
    for more in (0, 1, 2)
)
_STATE = r"['’]s(?= (?:an?|the|not|in|at|from|on|now|\w+ing|\w+ed|\w+teen|\w+ty|\d+|one|two|three|four|five|six|seven|eight|nine|ten|allergic|vegan|vegetarian)\b)"
_SUBJECTS = tuple(
    re.compile(
        rf"^{who}(?:{_STATE}| (?:(?:now|also|just|still|only|really|no longer|recently|\w+ly) )*(?P<verb>[a-z]+?(?:n['’]t)?)(?![\w'’]))",
        re.IGNORECASE,
    )
    for who in _WHO
)
_OWN = re.compile(r"^(?:I|we)(?:['’](?:m|ve|ll|d|re)\b| \w)", re.IGNORECASE)
_PRONOUN = re.compile(
    r"^(?P<who>he|she|it(?! (?:rains?|snows?|rained|snowed|depends?|takes|turns out|feels|seems)\b)|they)(?P<short>['’](?:s|re|ve|ll|d))?(?P<rest> .*)$|^(?P<whose>his|her|its|their) (?P<of>[a-z]+ (?:\w+ )?(?:is|are|was|has|lives|works)\b.*)$",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:he|she|it|they|him|her|them|there|that|this|those|these|his|its|their|one|both|which)\b", re.IGNORECASE
)
# Not a fact of its own: a question, a supposition, what others think or say.
_UNSURE = re.compile(
    r"^(?:if|when|whenever|while|although|though|because|since|as|unless|until|after|before|once|whether)\b"
    r"|\b(?:if|unless|whether|think|thought|guess|hope|wish|wonder|said|says|told|asked|heard|imagine|suppose|pretend|would|might|could|should)\b|['’]d\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"^(?:please,? )?no (?P<what>(?!longer\b|more\b|one\b|matter\b|way\b|wonder\b)[\w' -]{2,40}?)(?:,? (?:please|thanks|then))+[.!]*$",
    re.IGNORECASE,
)
_HELD = re.compile(rf"\b(?:called|named) (?P<name>{_NAME})(?=$|[ ,.!])")
_BESIDE = re.compile(
    rf"^(?P<head>(?:I|we)(?:['’]m|['’]re)?(?: \w+)? (?:live|living|moved|stay|staying) .{{2,60}}?)"
    rf" (?P<with>with (?:my|our) (?:{_KIN})(?: {_NAME})?)(?P<mark>[.!]*)$",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?P<det>an?|the|my|our|this) (?P<noun>(?:(?!(?:in|on|at|of|to|for|from|with|by|and|or|that|who|which|an?|the|my|our|called|named|is|was|but)\b)[\w'’-]+ ?){1,4})(?=$|[ ,])",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:\w+ )?(?:kid|child|baby|boy|girl|teen\w*|student|adult|m[ae]n|wom[ae]n|person|while|lot|bit)", re.IGNORECASE
)
_LAST_NAME = re.compile(rf"\b(?:in|at|for|to|near|with|using|love|like|enjoy) (?P<name>{_NAME})$")
_OWNS = re.compile(
    r"\b(?:have|['’]ve got|own|drive|bought|got|adopted|ride|purchased|keep|rent|run)\b(?=(?: \w+)? (?:an?|the)\b)",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(
    r"it(?:['’]s| is| was| has been| will be) (?:\w+ )?\w+ (?:to|that|how|when|being|seeing)\b", re.IGNORECASE
)
_NOUN_AFTER = re.compile(r"\b(?:the|a|an|my|our|this|that|your) [\w'’-]+$", re.IGNORECASE)
_BARE_TASTE = re.compile(r"I (?:love|like|hate|need|want) [a-z]+\W*$")


def parted(text: str) -> list[str]:
    """Return the facts of a sentence in the speaker's words, each self-contained; [text] where it is one.

    >>> parted("My sister doesn't live in Rome anymore, she lives in Pisa.")
    ["My sister doesn't live in Rome anymore.", 'My sister lives in Pisa.']
    >>> parted("I love rain, because it calms me.")
    ['I love rain, because it calms me.']
    """
    is_one = len(text) > _LONGEST or chatter.is_question(text) or '"' in text or "“" in text
    pieces = [text] if is_one else _each(text, _pair)
    return [fact for piece in pieces for fact in _each(piece, _shared)]


def _each(text: str, pair_of: Callable[[str], tuple[str, str] | None]) -> list[str]:
    """Return the facts that a way to part a sentence gives, one after the other."""
    found: list[str] = []
    for _ in range(_MOST):
        pair = pair_of(text)
        if pair is None:
            break
        found.append(pair[0])
        text = pair[1]
    return [*found, text]


def _pair(text: str) -> tuple[str, str] | None:
    """Return the first fact of a sentence and the rest of it."""
    beside = _BESIDE.match(text)
    if beside is not None and _is_settled(beside["head"]):
        subject = "We" if text.lower().startswith("we") else "I"
        return _whole(beside["head"]), _whole(f"{subject} live {beside['with']}")
    for number, joint in enumerate(_JOINT.finditer(text)):
        if number == _MOST:
            break
        head, tail = text[: joint.start()], text[joint.end() :]
        if (joint["word"] or "").lower() in ("as", "since", "because") or not tail or _UNSURE.search(head):
            continue
        alone = standing(head, tail)
        if alone is not None and _is_settled(head):
            return _whole(head), alone
    return None


def _shared(text: str) -> tuple[str, str] | None:
    """Return the first fact of a sentence and the rest of it, where both are the speaker's and one fills a slot.

    "I live in Lyon and work at Siemens" → "I live in Lyon", "I work at Siemens".
    """
    for joint in islice(_AND.finditer(text), _MOST):
        head, tail = text[: joint.start()], text[joint.end() :]
        tail = tail if joint["subject"] is None else joint["subject"] + tail
        tail = tail if FIRST.match(tail) else "I " + tail
        if _NOUN_AFTER.search(head) and _BARE_TASTE.match(tail):  # "the self-acceptance and love theme"
            continue
        first, second = slots.read(head, "user"), slots.read(tail, "user")
        stands = joint["subject"] is not None and not _POINTER.search(tail)
        if second is not None and (first is not None or (stands and FIRST.match(head))):
            return head, capital(tail)
        if first is not None and stands:
            return head, capital(tail)
    return None


def standing(head: str, tail: str) -> str | None:
    """Return what follows a clause as a sentence by itself, its pronoun named after `head`; None where it is none."""
    if _UNSURE.match(tail) or chatter.is_question(tail):
        return None
    refused = _REFUSED.match(tail)
    if refused is not None:
        return f"I want no {refused['what']}."
    pronoun = _PRONOUN.match(tail)
    if pronoun is not None and _EXPLETIVE.match(tail):  # "it was nice to see her" speaks of nothing named before
        return None
    if pronoun is not None:
        named = _meant(head, (pronoun["who"] or pronoun["whose"]).lower())
        return None if named is None else _whole(_named(pronoun, named))
    if _POINTS.search(tail):
        return None
    if _OWN.match(tail) and chatter.weight(tail) > 0:
        return _whole(tail)
    return _whole(tail) if _subject(tail) and chatter.weight(tail) > 0 else None


def _named(pronoun: re.Match[str], named: str) -> str:
    if pronoun["whose"]:
        return f"{named}'s {pronoun['of']}"
    short, rest = (pronoun["short"] or "").replace("’", "'"), pronoun["rest"]
    is_perfect = re.match(r" (?:been|got|had|gone|\w+ (?:been|got))\b", rest) is not None
    verb = {"": "", "'s": " has" if is_perfect else " is", "'re": " are", "'ve": " have", "'ll": " will"}.get(
        short, " would"
    )
    return f"{named}{verb}{rest}"


def _subject(clause: str) -> str:
    """Return what a clause in the third person speaks of: "my old knee" of "my old knee hurts"; "" where it has no verb."""
    for is_verb in (_is_known, _is_like_a_verb):
        for pattern in _SUBJECTS:
            match = pattern.match(clause)
            is_found = match is not None and (match["verb"] is None or is_verb(match["verb"].lower()))
            if match is not None and is_found and not _is_no_name(match["who"]):
                return match["who"]
    return ""


def _is_no_name(who: str) -> bool:
    """True for "Yesterday" and the like, which a capital letter makes look like a name."""
    first = who.split()[0].casefold()
    return first not in ("my", "our", "the", "both") and first in NO_NAMES


def _is_known(verb: str) -> bool:
    if re.fullmatch(_BE_OR_HAVE, verb) or is_past(verb) or verb.endswith("ed"):
        return True
    return any(is_common(base) and singular(base) == verb for base in (verb[:-1], verb[:-2], verb[:-3] + "y"))


def _is_like_a_verb(word: str) -> bool:
    return word.endswith("s") and (is_base(word[:-1]) or is_past(word[:-1]))


def _is_settled(head: str) -> bool:
    """True for a clause that fills or ends something, so that it is worth standing alone."""
    whole = _whole(head)
    if _CHANGED.match(head):
        return True
    return bool(
        slots.readings(whole, "user") or habits.habit(whole, "user") is not None or claims.is_telling(whole)
    ) and bool(_OWN.match(head) or _subject(head) or re.match(r"(?:no longer|stopped|quit|sold|moved)\b", head))


@lru_cache(maxsize=256)
def _meant(head: str, pronoun: str) -> str | None:
    """Return what a pronoun after `head` stands for, in the speaker's words; None where several things fit, or none."""
    head = head.rstrip(" .!")
    is_thing = pronoun in ("it", "its")
    called = [match["name"] for match in _HELD.finditer(head)]
    if len(called) == 1:
        return called[0]
    subject = "" if _OWN.match(head) else _subject(head)
    kin = _people(head)
    if is_thing:
        things = _things(head)
        if subject and not kin:
            return capital(subject)
        return things[0] if len(things) == 1 else None
    if subject:
        return capital(subject) if len(kin) <= 1 else None
    return capital(kin[0]) if len(kin) == 1 else None


def _people(head: str) -> list[str]:
    """Return the people and animals that a clause names as the speaker's: "my sister Lena", of "a brother" "my brother"."""
    found = re.finditer(
        rf"\b(?:my|our|an?) (?P<what>(?:[a-z-]+ )?(?:{_KIN}|{_PETS}))\b(?P<name> {_NAME})?", head, re.IGNORECASE
    )
    return [f"my {match['what']}{match['name'] or ''}" for match in found]


def _things(head: str) -> list[str]:
    """Return what "it" may stand for after a clause of the speaker's."""
    last = _LAST_NAME.search(head)
    found = [
        f"{'My' if match['det'].lower() in ('my', 'our') or _OWNS.search(head) else 'The'} {match['noun'].strip()}"
        for match in _OBJECT.finditer(head)
        if not _PERSON.fullmatch(match["noun"].strip())
    ]
    return [*found, last["name"]] if last is not None else found


def _whole(clause: str) -> str:
    clause = clause.strip(" ,;–—-")
    return capital(clause if clause.endswith((".", "!", "…")) else clause + ".")
