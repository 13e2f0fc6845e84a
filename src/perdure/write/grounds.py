"""Whether a message really says a fact that was drawn from it.  Pure.

A quote alone proves little: a model that is talked into a false fact may quote any real word of the user's.
"""

from __future__ import annotations

import re
from functools import lru_cache

from perdure.models import ExtractionContext, MessageRecord
from perdure.text import STOP_WORDS, marks, stem, words
from perdure.when.english import MONTHS, WEEKDAYS
from perdure.write.repeat import OWN_WORD

_SHARE = 1 / 3  # of a fact's content that the message must hold (chosen: honest facts of the tests hold more)
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_YES = frozenset(
    "yes yeah yep yup right correct exactly indeed sure oui si sí ja sim да 是 是的 对 对的 はい 네".split()
)


def grounds(message: MessageRecord, fact: str, context: ExtractionContext) -> bool:
    """True if a message holds a third of what a fact says, and one of its codes if it has any.

    What a speaker need not say counts for nothing: the first name of the fact, which may be the speaker's own; who
    speaks; the dates that "yesterday" became; and what a person said before, for which a pronoun may stand.
    A message that begins with "yes" says what it confirms.
    """
    earlier = [m for m in (*context.window, *context.exchange.messages) if m.order < message.order]
    said = _content(message.content)
    if earlier and _YES & set(words(message.content)[:1]):
        said = said | _content(earlier[-1].content)
    people = [f"{m.speaker} {m.content}" for m in earlier if m.origin in OWN_WORD]
    known = _content(" ".join([context.summary, *people]))
    names = list(marks(fact))
    speaker = _content(f"{message.speaker} {message.role} user") | {name for name in names[:1] if name.isalpha()}
    dates = {stem(name) for name in (*MONTHS, *WEEKDAYS)}
    content = _content(fact) - speaker
    unsaid = {one for one in content if one in dates or one.isdecimal() or one in known}
    wanted = content - (unsaid - said) or content
    codes = {name for name in names if any(char.isdecimal() for char in name)} & wanted
    return (not codes or bool(codes & said)) and len(wanted & said) >= _SHARE * len(wanted)


@lru_cache(maxsize=256)
def _content(text: str) -> frozenset[str]:
    """Return stemmed content words, and the pairs of characters of words in scripts without capitals."""
    found: set[str] = set()
    for word in words(text):
        if word.lower() == word.upper() and not word.isdecimal():
            found.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif word not in STOP_WORDS:
            found.add(stem(_ORDINAL.sub(r"\1", word)))
    return frozenset(found)
