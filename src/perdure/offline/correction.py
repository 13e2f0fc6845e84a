"""Corrections: "no, I meant Lyon", "Lyon, not Paris": what was said before was never so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from perdure.models import MessageRecord
from perdure.offline import slots
from perdure.offline.sentences import Sentence, split

_OPENS = re.compile(
    r"^(?:(?:oh|oops|wait|hey|ah|hm+)[,.!]?\s+)*(?:no|nope|sorry|correction|actually|my mistake|my bad"
    r"|scratch that|i misspoke|(?:it )?turns out(?: that)?|apparently|on second thought|i (?:mis-?spoke|mistyped|made a mistake)|typo|"
    r"i was wrong|that['’]s (?:wrong|not right)|to be (?:precise|exact))\b(?:[,.:;!—–-]|(?<=out)\s|(?<=that)\s(?!was)|(?<=apparently)\s)",
    re.IGNORECASE,
)
_MEANT = re.compile(
    r"(?:\bI (?:meant|said|should have said|mean)|\b(?:it|that)(?:['’]s| is"
    r"| was) (?:actually )?)\s+(?:to say )?(?P<new>[\w'’ -]{1,40}?)(?:,? not (?P<old>[\w'’ -]{1,40}?))?[.!]*$"
    r"|^(?:\w+, )?not (?P<old2>[\w'’ -]{1,40}?)(?:,| but) (?:it['’]s |I (?:meant"
    r"|said) )?(?P<new2>[\w'’ -]{1,40}?)[.!]*$",
    re.IGNORECASE,
)


_NOT_OLD = re.compile(
    r",? (?:and )?not (?:on |in |at |an? |the )?[\w'’ -]{1,40}(?:,? as I (?:said|wrote)[\w ]*)?[.!]*$|, actually[.!]*$|\bI (?:meant|should have said)\b",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:now|any ?more|no longer|any longer|these days|moved|switched|not (?:yet|really|very|so|at all|sure|only|just))\b",
    re.IGNORECASE,
)


def opens(sentence: str) -> bool:
    """Return True if a sentence opens as a correction does.

    >>> opens("No, I live in Lyon."), opens("No way!")
    (True, False)
    """
    return _OPENS.match(sentence) is not None


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
            opens(sentence.text) or re.search(r"\bI meant|, not |^not ", sentence.text, re.IGNORECASE)
        ):
            continue
        new, old = match["new"] or match["new2"], match["old"] or match["old2"]
        said = _last_statement(own, old)
        if said is not None:
            statement, value = said
            corrected = statement.replace(old or value, new.strip(), 1)
            if slots.find(corrected, message.speaker) is not None:  # "I meant Thursday" is no employer
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
