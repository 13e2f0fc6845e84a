"""The names in a statement: runs of capitalised words, without those that only open a sentence."""

from __future__ import annotations

import re

from perdure.text import STOP_WORDS, normal

_NAME = re.compile(
    r"(?<![\w'’])[A-Z][\w’'&.-]*\w(?:\s+(?:(?:of|the|de|la|du|van|von|and)\s+)?[A-Z][\w’'&.-]*\w)*"
    r"|(?<![\w'’])[A-Z]{2,}\b"
)
_CONTRACTED = re.compile(r"['’]s (?:an?|the|in|at|on|not|been|got|gone|now|\w+ing|\d+)\b")
NO_NAMES = STOP_WORDS | frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december i'm i've i'll i'd it's that's we're they're there's let's yes yeah oh
    hey hi hello wow thanks sorry please ok okay well last next this today yesterday tomorrow everyone
    everything someone something nothing people one two three four five six seven eight nine ten some many most
    sure must not only nothing everybody nobody anybody anything anyone whatever whoever such well guess
    each every another says getting being having going since while during although however maybe sometimes
    """.split()
)


def entities(text: str, *, speaker: str) -> tuple[str, ...]:
    """Return the distinct names in order of appearance; the speaker is not one of them.

    A capitalised word that opens a sentence counts only if it stands capitalised in the text again, if more names
    follow it, or if a verb does.
    """
    found: dict[str, str] = {}
    for match in _NAME.finditer(text):
        name = re.sub(r"['’]s$", "", match.group())
        name = _without_opening(name, text, match.start())
        key = normal(name)
        if name and key not in NO_NAMES and key != normal(speaker) and len(key) > 1:
            found.setdefault(key, name)
    return tuple(found.values())


def _without_opening(name: str, text: str, place: int) -> str:
    """Drop words that carry no name from the front of a run ("The Louvre" → "Louvre", "In May" → "")."""
    parts = name.split()
    while parts and (normal(parts[0]) in NO_NAMES):
        parts.pop(0)
    opens = place == 0 or text[:place].rstrip().endswith((".", "!", "?", ":", "\n"))
    if opens and len(parts) == 1 and parts[0] == name and not re.search(rf"(?<=\w )\b{re.escape(name)}\b", text):
        if _CONTRACTED.match(text, place + len(name)):
            return name
        following = text[place + len(name) :].lstrip("'s’ ")
        is_subject = re.match(
            r"(?:is|was|has|had|loves?|likes?|lives?|works?|moved|and [A-Z]|said|told|went|will|can|\w+ed|\w+s)\b",
            following,
        )
        return name if is_subject and not name.lower().endswith(("ing", "s")) else ""
    return " ".join(parts)
