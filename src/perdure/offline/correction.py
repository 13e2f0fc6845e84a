"""Corrections: "no, I meant Lyon", "Lyon, not Paris": what was said before was never so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from perdure.models import MessageRecord
from perdure.offline import slots, values
from perdure.offline.sentences import Sentence, split

# What says outright that something said was wrong, whatever verb follows ("correction: I moved to Porto").
FIRM: Final = (
    r"(?:(?:small |quick |one |slight |minor )?correction|my (?:mistake|bad|error)|(?:no,? )?scratch that|strike that|typo|(?:it|that)(?:['’]s| was| is) (?:an? |my )?(?:mistake|error|typo|slip(?: of the tongue)?|wrong|incorrect|not right)"
    r"|I (?:mis-?spoke|mis-?typed|made an? (?:mistake|error|typo)|was (?:wrong|mistaken)|(?:got|had) (?:it|that|this) wrong|told you wrong|said (?:it|that) wrong|(?:have to|need to|must|should) correct (?:myself|that)|take that back)"
    r"|let me correct (?:myself|that)|to correct (?:myself|that)|I meant to say)"
)
BEFORE: Final = r"(?:(?:oh|wait|hey|ah|hm+|sorry|oops|no|actually|ok|okay|well),?[.!]?\s+)*"
_FIRM = re.compile(rf"^{BEFORE}{FIRM}\b(?:[,.:;!—–-]|\s+[—–-])", re.IGNORECASE)
_ONLY = re.compile(rf"^{BEFORE}{FIRM}(?: (?:earlier|before|yesterday|last time|about that))?[.!…]*$", re.IGNORECASE)
_OPENS = re.compile(
    r"^(?:(?:oh|wait|hey|ah|hm+)[,.!]?\s+)*(?:no|nope|sorry|oops|actually|(?:it )?turns out(?: that)?|apparently|on second thought|"
    r"to be (?:precise|exact))\b(?:[,.:;!—–-]|(?<=out)\s|(?<=that)\s(?!was)|(?<=apparently)\s|(?<=actually)\s(?=(?:I|my|we|our|it|the)\b))",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"(?:\bI (?:meant|said|should have said|mean)|\b(?:it|that)(?:['’]s| is"
    r"| was) (?:actually )?)\s+(?:to say )?(?P<new>[\w'’ -]{1,40}?)(?: after all)?(?:,? not (?P<old>[\w'’ -]{1,40}?))?[.!]*$"
    r"|^(?:\w+, )?(?:(?:it|that)(?:['’]s| is| was) )?not (?P<old2>[\w'’ -]{1,40}?)(?: after all)?(?:,| but) (?:(?:it|that)['’]s |I (?:meant"
    r"|said) )?(?P<new2>[\w'’ -]{1,40}?)[.!]*$"
    r"|^(?:(?:sorry|no|oops|wait), )*(?P<new3>(?!I\b|we\b|my\b|it\b|that\b)[\w'’-]+(?: [\w'’-]+)?)(?: after all)?, not (?P<old3>[\w'’-]+(?: [\w'’-]+)?)[.!]*$",
    re.IGNORECASE,
)


_NOT_OLD = re.compile(
    r"(?:(?:,|,? and|,? but) not |(?:\b\d\w*|\b[A-Z]\w+) not )(?:on |in |at |an? |the )?[\w'’ -]{1,40}(?:,? as I (?:said|wrote)[\w ]*)?[.!]*$"
    r"|, actually[.!]*$|\bI (?:meant|should have said)\b"
)
_CLOSES = re.compile(rf"[.!?,;–—-]\s+{BEFORE}{FIRM}(?: (?:earlier|before|yesterday|last time))?[.!]*$", re.IGNORECASE)
_REPLACED = re.compile(
    r"(?:n['’]t|\bnot) (?:on |in |at |from |called |named |an? |the )*(?P<old>[\w'’ -]{1,40}?)(?:,| but|\.)? (?:but |rather )?(?:it|she|he|they|that|I|we)(?:['’](?:s|re|m)| is| are| am)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r",? (?:and |but )?not (?:on |in |at |to |an? |the )*(?P<old>[\w'’ -]{1,40})[.!]*$")
_SINCE = re.compile(r"\b(?:now|any ?more|no longer|any longer|these days|nowadays|instead|since then)\b", re.IGNORECASE)
_CHANGED = re.compile(
    r"\b(?:now|any ?more|no longer|any longer|these days|moved|switched|not (?:yet|really|very|so|at all|sure|only|just))\b",
    re.IGNORECASE,
)


def opens(sentence: str) -> bool:
    """Return True if a sentence opens as a correction does.

    >>> opens("No, I live in Lyon."), opens("No way!")
    (True, False)
    """
    return (_OPENS.match(sentence) or _FIRM.match(sentence) or _CLOSES.search(sentence)) is not None


def is_only_a_mark(sentence: str) -> bool:
    """Return True for a sentence that says nothing but that something was wrong; what follows it corrects.

    >>> is_only_a_mark("Sorry, my mistake."), is_only_a_mark("My mistake cost me a day.")
    (True, False)
    """
    return _ONLY.match(sentence) is not None


def is_firm(quote: str, text: str, *, wrong: str) -> bool:
    """Return True if a statement takes back what was said even in words of a change: it says so, or denies `wrong`.

    >>> (
    ...     is_firm("Correction: I moved to Porto", "", wrong="Lyon"),
    ...     is_firm("", "Ana moved to Porto, not Lyon.", wrong="Lyon"),
    ... )
    (True, True)
    """
    if _SINCE.search(quote) or _SINCE.search(text):
        return False
    if _FIRM.match(quote) or _CLOSES.search(quote):
        return True
    denied = (_DENIED.search(text), _REPLACED.search(quote))
    return any(match is not None and values.is_same(match["old"], wrong) for match in denied)


def is_marked(quote: str, text: str) -> bool:
    """Return True if a statement says that it corrects something.

    >>> is_marked("", "My dentist is on 16 May, not 15."), is_marked("", "I'm a teacher now, not a nurse.")
    (True, False)
    """
    return any(opens(part) or (_NOT_OLD.search(part) and not _CHANGED.search(part)) for part in (quote, text) if part)


def find(
    sentences: Sequence[Sentence], message: MessageRecord, earlier: Sequence[MessageRecord]
) -> tuple[str, str] | None:
    """Return the corrected statement in the speaker's words, and its quote, or None.

    The value that was wrong must stand in a statement that the same speaker made before and that fills a slot.
    """
    own = [m for m in earlier if m.speaker == message.speaker and m.origin == message.origin]
    for sentence in sentences:
        match = _MEANT.search(sentence.text)
        if match is None or not (
            opens(sentence.text)
            or re.search(r"\bI meant|, not |\bnot \w+ after all|^not ", sentence.text, re.IGNORECASE)
        ):
            continue
        new, old = (match[name] or match[f"{name}2"] or match[f"{name}3"] for name in ("new", "old"))
        said = _last_statement(own, old)
        if said is not None:
            statement, value = said
            corrected = statement.replace(old or value, new.strip(), 1)
            is_more = new.casefold().startswith(f"{value.casefold()} ")  # "three" → "three nephews" of "three nieces"
            if not is_more and slots.find(corrected, message.speaker) is not None:  # "I meant Thursday" is no employer
                return corrected, sentence.text
    return None


def _last_statement(own: Sequence[MessageRecord], old: str | None) -> tuple[str, str] | None:
    """Return the newest own statement that fills a slot (with `old`, where that is given), and its value."""
    for message in reversed(own if old else own[-1:]):
        for sentence in reversed(split(message.content)):
            slot = slots.find(sentence.text, message.speaker)
            if (
                slot
                and slot.value in sentence.text
                and (old is None or old.strip().casefold() in slot.value.casefold())
            ):
                return sentence.text, slot.value
    return None
