"""What somebody else is quoted with: "Ana said: I live in Rome" is told of Ana, never of the speaker.

The words of another go between quotation marks, where nobody reads a slot, an ending or a person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from perdure.offline.tables import alternatives

_SAID: Final = (
    r"(?:said|says|told (?:me|us|him|her|them|everyone)|tells (?:me|us)|wrote|writes|texted|messaged|e-?mailed|replied|answered|announced|posted|claims|claimed"
    r"|insists|insisted|keeps saying|always says|shouted|whispered|added)(?: (?:me|us|back|to (?:me|us)|today|yesterday|last \w+|this \w+|on \w+day))*"
)
_NAME: Final = r"(?!(?:As|We|You|He|She|They|Someone|Somebody|Everyone|Everybody|It|That|This|Who|What|Like|And|But|So|If|When|Then|Yes|No|Oh)\b)[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?"
_WHO: Final = (
    rf"(?:(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Aa]n?) [^\W\d_][\w'’ -]{{1,40}}?|{_NAME}(?: from [\w ]{{2,20}})?"
    r"|(?P<pronoun>[Hh]e|[Ss]he|[Tt]hey|[Ss]omeone|[Ss]omebody|[Ee]veryone|[Ee]verybody))"
)
_QUOTED: Final = rf"^(?P<who>{_WHO}) (?P<said>{_SAID})(?:: |, (?=[\"“'‘I])|:? (?=[\"“‘]))(?P<words>\S.*)$"
_MARKS: Final = " '‘’“”\""
_LINE = re.compile(rf"^(?P<who>{_NAME}): (?P<words>\S.*)$")
_FIRST = re.compile(r"\b(?:I|i['’]m|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|[Mm]ine)\b|^[\"“]?(?:i|im|ive)\b")
# What stands before a colon and is nobody: the title of what follows.
_TITLES: Final = (
    "update, updates, edit, note, notes, reminder, correction, corrections, ps, pps, background, context, info, information, about, bio, intro, introduction, status, confession, question, answer, summary"
    ", tldr, fact, facts, news, good news, bad news, big news, great news, job, work, diet, food, health, family, home, today, yesterday, tomorrow, now, then, later, before, after, first, second, third, also, btw, fyi"
    ", important, warning, disclaimer, example, problem, issue, result, plan, plans, goal, goals, hobby, hobbies, interests, likes, dislikes, allergies, allergy, location, age, name, occupation, profession, me, myself"
    ", user, human, remember, listen, look, see, well, so, ok, okay, anyway, sorry, oops, wait, no, yes, typo, clarification, truth, rule, rules, preferences, preference, travel, weekend, morning, evening, night"
    ", monday, tuesday, wednesday, thursday, friday, saturday, sunday, story, long story, backstory, history, situation, thing, surprise, spoiler, side note, quick note, quick update, small update, life update, heads up"
    ", fun fact, random fact, personal, medical, education, school, sport, sports, music, pets, languages, part, step, day, week, option, reason, reasons, conclusion, idea, hint, tip, task, request, message, description, breakfast, lunch, dinner"
)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


@cache
def _title() -> re.Pattern[str]:
    return re.compile(rf"(?:{alternatives(_TITLES)})(?: \d+)?", re.IGNORECASE)


def speaker_of_line(sentence: str, speaker: str) -> str:
    """Return who speaks in a line of a transcript that is somebody else and speaks of themselves; "" if nobody does.

    >>> speaker_of_line("Ana: I moved to Rome", "user"), speaker_of_line("Update: I moved to Rome", "user")
    ('Ana', '')
    """
    line = _LINE.match(sentence)
    if line is None or not _FIRST.search(line["words"]) or _title().fullmatch(line["who"]):
        return ""
    is_own = line["who"].casefold() == speaker.removeprefix("the ").casefold()
    return "" if is_own else line["who"]


def quote(sentence: str, speaker: str) -> Quote | None:
    """Return what another is quoted with in a sentence, or None.

    >>> str(quote("My friend Ana said: I live in Rome.", "user"))
    'My friend Ana said: "I live in Rome."'
    >>> str(quote("Ana: I moved to Rome", "user"))
    'Ana said: "I moved to Rome"'
    """
    if ":" not in sentence and '"' not in sentence and "“" not in sentence and ", " not in sentence:
        return None
    match = _compiled(_QUOTED).match(sentence)
    if match is not None:
        who = "" if match["pronoun"] else match["who"]
        return Quote(who, match["said"], match["words"], goes_on=_is_open(match["words"]))
    who = speaker_of_line(sentence, speaker)
    return Quote(who, "said", sentence[len(who) + 2 :], is_line=True) if who else None


def _is_open(words: str) -> bool:
    return words.count('"') % 2 == 1 or words.count("“") > words.count("”")


@dataclass(frozen=True, slots=True)
class Quote:
    """Who is quoted ("" for a pronoun), the words that say so, and theirs; whether more of them follows."""

    who: str
    said: str
    words: str
    is_line: bool = False  # theirs to the end of the line
    goes_on: bool = False  # its last mark is still to come

    def __str__(self) -> str:
        return f'{self.who} {self.said}: "{self.words.strip(_MARKS)}"'

    def followed_by(self, sentence: str) -> Quote:
        """Return the quote of a sentence that goes on with this one."""
        return replace(self, words=sentence, goes_on=self.goes_on and not _is_open(sentence))
