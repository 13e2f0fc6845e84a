"""How somebody wants to be answered from now on: "never use emojis", "I want you to reply in Dutch", "call me Bo"."""

from __future__ import annotations

import re
from functools import cache

from perdure.offline import manners
from perdure.offline.asides import POLITE
from perdure.offline.person import Cast, third
from perdure.offline.tables import alternatives
from perdure.offline.verbs import is_common, singular

_ASSISTANT = "the assistant"
_NEGATIONS = {"don't": "not ", "do not": "not ", "don't ever": "never ", "never ever": "never "}
_WHEN = (
    r"(?:from now on|in (?:the )?future|going forward|henceforth|every ?time|whenever [^,]{3,60}|when [^,]{3,60}|by default"
    r"|as a rule|in general|for all [^,]{3,40}|in your [^,]{3,30}),? "
)
_CALL = (
    r"^(?:(?:please|just|from now on|in future|you can|you may|and|but|so|everyone can|friends),? )*"
    r"(?:call me|address me as|refer to me as) (?P<name>(?!(?:back|later|an?|crazy|when|if|old|today|tomorrow|at|on|in|tonight"
    r"|after|before|asap|by)\b)[\w'’. -]{1,40}?)(?:,? (?:please|instead|from now on|in (?:the )?future|by the way|btw))*[.!]*$"
)
_WISH = (
    r"^I(?:['’]d)?(?: would)?(?: really| also| just)* ?(?:want|need|like|prefer|love|expect|ask) (?:it if )?(?:for )?you "
    r"(?P<not>not )?(?:(?P<often>never|always) )?(?:to )?(?P<late>not |never |always )?(?P<verb>\w.*)$"
)
_THANKS = r",? (?:please|pls|thanks|thank you|okay|ok)$"
# "Don't suggest fish", "when you pick a film, skip horror".
_REFUSED = (
    rf"^{POLITE}(?:(?:don['’]t|do not) (?:suggest|recommend|mention|propose|offer|remind|call|bring up|talk about|send) \w"
    r"|stop (?:suggest|recommend|mention|propos|offer|remind|call|send|ask|repeat|talk)ing \w)"
    rf"|^{POLITE}(?:when|whenever|for all|in your) [^,]{{3,60}}, "
)
# "Write a short poem", "give me three examples", "explain entropy briefly": done once.
_ONCE = (
    rf"^{POLITE}(?:write|give|make|show|add|list|tell|send|provide|suggest|recommend|say|put|include|convert|quote|start"
    r"|begin|ask|check|create)\s(?:me |us )?(?:an? |the |some |\d+ |two |three |five |ten |my |how |what |why |all )"
    rf"|^{POLITE}(?:explain|describe|define|summari[sz]e|translate|discuss)"
    r" (?!things|everything|stuff|concepts|terms|step|in\b|like\b)"
)


def standing(sentence: str, cast: Cast) -> str | None:
    """Return a wish that holds from now on, in the third person, or None.

    >>> standing("Never use emojis.", Cast("Ana")), standing("Write a poem.", Cast("Ana"))
    ('Ana wants the assistant never to use emojis.', None)
    """
    called = _compiled(_CALL).match(sentence)
    if called:
        return f"{cast.speaker} wants to be called {called['name'].strip()}."
    listener = cast.listener or _ASSISTANT
    wish = _compiled(_WISH).match(sentence)
    order = None if wish else _order().match(sentence)
    if wish is None and order is None:
        fragment = _fragment().match(sentence)
        return f"{cast.speaker} wants {_small(fragment['what'])} from {listener}." if fragment else None
    if not _holds_on(sentence, is_order=order is not None):
        return None
    how, verb, when = _of_wish(wish) if wish else _of_order(order) if order else ("", "", "")
    asked = _compiled(_THANKS).sub("", verb.rstrip(" .!?"))
    asked = _compiled(r"\byou (\w+)").sub(
        lambda m: f"{listener} {singular(m[1]) if is_common(m[1]) else m[1]}", f"{_small(asked)}{when}"
    )
    negation = how.strip().lower().replace("’", "'")
    how = _NEGATIONS.get(negation, f"{negation} " if negation else "")
    return f"{cast.speaker} wants {listener} {how}to {third(asked, Cast(cast.speaker, listener))}."


def _of_wish(match: re.Match[str]) -> tuple[str, str, str]:
    """How, what, when."""
    return match["not"] or match["often"] or match["late"] or "", match["verb"], ""


def _of_order(match: re.Match[str]) -> tuple[str, str, str]:
    when = (match["when"] or "").strip(" ,")
    return match["not"] or "", match["verb"], f" {_small(when)}" if when else ""


def _holds_on(sentence: str, *, is_order: bool) -> bool:
    """True if a request speaks of every answer: it says so, or asks for a manner and points at nothing at hand."""
    if _pointing().search(sentence):
        return False
    if _always().search(sentence) or (is_order and _compiled(_REFUSED).match(sentence)):
        return True
    return _manner().search(sentence) is not None and not (is_order and _compiled(_ONCE).match(sentence))


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


@cache
def _order() -> re.Pattern[str]:
    return re.compile(
        rf"^{POLITE}(?P<when>{_WHEN})?{POLITE}(?P<not>(?:don['’]t ever|don['’]t|do not|never ever|never|always try to|always|only) )?"
        rf"(?P<verb>(?!(?:{alternatives(manners.NO_ACTS)})\b)(?:{alternatives(manners.ACTS)})\b.*)$",
        re.IGNORECASE,
    )


@cache
def _fragment() -> re.Pattern[str]:
    """ "No emojis please", "short answers only"."""
    manner = alternatives(manners.MANNERS)
    return re.compile(
        rf"^(?P<what>(?:(?:no|fewer|less|only|more) (?:\w+ )?(?:{manner})"
        rf"|(?:{manner}) (?:answers|replies|responses|explanations|messages))(?: only)?)"
        r"(?:,? (?:please|from now on|thanks))*[.!]*$",
        re.IGNORECASE,
    )


@cache
def _manner() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w-])(?:{alternatives(manners.MANNERS)}|\d+ (?:words|sentences|lines))(?![\w-])", re.IGNORECASE
    )


@cache
def _always() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives(manners.ALWAYS)}|when (?:you )?(?:answer|reply|write)\w*)\b", re.IGNORECASE)


@cache
def _pointing() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:this|these|that|it|them|the following|the above|above|below"
        rf"|the (?:\w+ )?(?:{alternatives(manners.PIECES)})s?)\b(?! (?:chat|conversation|way)\b)",
        re.IGNORECASE,
    )
