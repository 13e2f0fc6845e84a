"""Values of slots: which are none, and which are the same in other words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from perdure.text import NUMBER_WORDS, normal, stem

_EMPTY: Final = frozenset(
    """
    a an the it that this them him how what when being to been not more some there here you so one both everything
    something anything nothing thing things stuff lot lots much many
    """.split()
)
# Capitalised words that "moved to" or "works at" may lead to and that are no places.
_EMPLOYERS: Final = frozenset(
    "apple google microsoft amazon netflix spotify openai stripe shopify samsung verizon vodafone".split()
)
_NO_PLACES: Final = _EMPLOYERS | frozenset(
    """
    python rust go golang java javascript typescript kotlin swift ruby php scala linux windows mac macos ubuntu debian
    android ios iphone pixel docker kubernetes aws azure gcp postgres postgresql mysql sqlite mongo mongodb redis vim
    neovim emacs vscode vs git github gitlab slack notion jira react vue angular django flask fastapi plan phase level
    section chapter part terraform ansible jenkins datadog figma asana trello linear teams zoom discord telegram whatsapp
    signal gmail outlook office excel chrome firefox safari edge brave vivaldi arc fedora nixos bun deno node svelte
    tailwind webpack vite poetry conda pytorch tensorflow jax claude gemini chatgpt gpt llama copilot cursor spark kafka
    snowflake bigquery databricks airflow grafana prometheus helm nginx apache cloudflare vercel netlify heroku wordpress
    obsidian evernote todoist tidal deezer hulu disney bluesky mastodon threads kindle kobo proton protonmail duckduckgo
    t-mobile city country countryside suburbs team room free fun god marketing sales finance hr engineering operations legal support product english
    spanish french german yoga pilates tea coffee decaf monday mondays tuesday tuesdays wednesday wednesdays thursday
    thursdays friday fridays saturday saturdays sunday sundays january february march april may june july august
    september october november december
    """.split()
)
_LOOKS: Final = frozenset(  # stems of what tells no thing from another of its kind
    "red blue black white green grey gray silver yellow big littl small use trusti belov vintag".split()
)
_DROPPED: Final = frozenset("the a an of old new my his her their our named called on s and".split())
_MONTH = re.compile(
    r"^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?$"
)
_ORDINAL = re.compile(r"^(\d+)(?:st|nd|rd|th)$")


def is_place(value: str) -> bool:
    """Return True unless a capitalised word is known to be none: a tool, a department, a weekday."""
    return _first(value) not in _NO_PLACES


def is_value(value: str, attribute: str) -> bool:
    """Return True if a value says something: no pronoun, no lone letter, and a place where one is wanted.

    >>> is_value("Lyon", "lives_in"), is_value("Rust", "lives_in"), is_value("it", "owns")
    (True, False, False)
    """
    if not value or attribute.startswith("count_of_"):
        return bool(value)
    if _first(value) in _EMPTY or (len(value) < 2 and not value.isdecimal()):
        return False
    if attribute == "works_at" and _first(value) in _EMPLOYERS:
        return True
    return attribute not in ("lives_in", "works_at", "birthplace") or is_place(value)


def _first(value: str) -> str:
    return re.split(r"[ ,.]", value.casefold(), maxsplit=1)[0]


def is_month(word: str) -> bool:
    """Return True for the name of a month, in whole or in three letters."""
    return _MONTH.match(word.casefold()) is not None


@lru_cache(maxsize=16_384)
def tokens(value: str) -> frozenset[str]:
    """Return the stems of a value without articles; dates in one form ("3rd of Nov", "November 3").

    >>> tokens("the 3rd of Nov") == tokens("November 3")
    True
    """
    if "@" in value or "://" in value:
        return frozenset((value.casefold(),))
    words = [_ORDINAL.sub(r"\1", word) for word in normal(value).split()]
    words = [NUMBER_WORDS.get(word, word) for word in words if word not in _DROPPED]
    return frozenset(m[1] if (m := _MONTH.match(word)) else stem(word) for word in words)


def is_same(one: str, other: str) -> bool:
    """Return True if one value says the other with more or fewer words ("Lyon", "Lyon, France").

    >>> is_same("Lyon", "Lyon, France"), is_same("Lyon", "Nice"), is_same("two", "2")
    (True, False, True)
    """
    mine, theirs = tokens(one), tokens(other)
    return bool(mine) and bool(theirs) and (mine <= theirs or theirs <= mine)


def is_equal(one: str, other: str) -> bool:
    """Return True if two values are the same word for word; fish is not fishing.

    >>> is_equal("peanuts", "the peanut"), is_equal("fish", "fishing"), is_equal("tea", "green tea")
    (True, False, False)
    """
    return tokens(one) == tokens(other) and one.endswith("ing") == other.endswith("ing")


def is_same_thing(mine: str, theirs: str) -> bool:
    """Return True for one thing in more or fewer words: "Tesla" and "red Tesla", not "car" and "car wash".

    >>> is_same_thing("dog", "dog named Rex"), is_same_thing("Rex", "dog named Rex"), is_same_thing("car", "car wash")
    (True, True, False)
    """
    ours, others = tokens(mine) - _LOOKS, tokens(theirs)
    if not ours or not ours <= others:
        return False
    heads = {tokens(value.split(" named ")[0].split()[-1]) for value in (mine, theirs)}
    return len(heads) == 1 or (ours <= others and mine[:1].isupper())
