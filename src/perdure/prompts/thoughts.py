"""What a model thought aloud before it replied."""

from __future__ import annotations

import re

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_END = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


def without_thoughts(said: str) -> str:
    """Return a text reply without what the model only thought aloud; a thought may lack its beginning or its end.

    >>> (
    ...     without_thoughts("<think>Lyon?</think> Lyon."),
    ...     without_thoughts("Lyon?</think> Lyon."),
    ...     without_thoughts("<think>"),
    ... )
    ('Lyon.', 'Lyon.', '')
    """
    return _END.sub("", _THOUGHT.sub("", said)).strip()


def has_open_thought(said: str) -> bool:
    """True if a thought begins and does not end."""
    return bool(_OPEN.search(_END.sub("", said)))
