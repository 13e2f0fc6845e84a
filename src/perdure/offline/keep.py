"""What of a message is kept: its sentences that tell something, alone or with what they lean on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from perdure import when
from perdure.models import MessageRecord
from perdure.offline import (
    answers,
    asides,
    chatter,
    claims,
    correction,
    parting,
    passing,
    plain,
    pointing,
    reported,
    slots,
    small_talk,
    vague,
    wishes,
)
from perdure.offline.person import Cast
from perdure.offline.sentences import Sentence, is_english
from perdure.offline.verbs import is_joined
from perdure.offline.wording import capital, is_about_the_speaker, is_elided, opens_with_a_name, with_subject
from perdure.text import name_of, words

_LIGHT_PART = 6  # and below which "The plot and the fights are great" is a reaction to what was shown; chosen
_ASSISTANT = re.compile(
    r"^(?:I(?:['’]ve| have| will|['’]ll)? (?:booked|scheduled|ordered|reserved|saved|recommend(?:ed)?|suggested"
    r"|noted|remind)\b"
    r"|Your [\w -]{2,40} (?:is|are|was|were|has been|have been|will be) (?:booked|scheduled|confirmed|set|due"
    r"|reserved|cancelled|canceled|ordered)\b)"
)
_DETAIL = re.compile(r"\d|(?<=[a-z,] )[A-Z][a-z]|\b[Mm]y [a-z]+ (?:is|was|are|has)\b")
_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|starts?|ends?|closes?|opens?|leaves?|arrives?|costs?|expires?)\b|\w['’]s\b"
)
_NEAR = re.compile(
    r"the (?:kids|children|twins|baby|boys|girls|dogs?|cats?|doctor|dentist|vet|landlord|landlady|boss)\b",
    re.IGNORECASE,
)
_I_AM = re.compile(r"^I(?:['’]m| am) (?P<name>(?-i:[A-ZÀ-Þ])[\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*)[.!]*$")
_PLAIN_SHORTEST = 4  # words of weight that a sentence about somebody else must have; chosen on dev, see runs/LOG.md
_NAMED_SHORTEST = 2  # and one that opens with a name, or states a number or a name; the same
_OWN_SHORTEST = 1  # and one in the first person; the same
_LONGEST_LEAD = 200  # characters of a sentence that another one leans on; chosen
_JOINED = 5  # sentences to a statement, at most; chosen


@dataclass(frozen=True, slots=True)
class Kept:
    """Sentences that make one statement: content[begin:stop], and each sentence as it is to be rewritten."""

    begin: int
    stop: int
    parts: tuple[str, ...]
    lead: str = ""  # what the first part leans on: 'Asked "..."', 'After "..."'
    wish: str = ""  # how a standing request reads; then the parts are not rewritten
    is_foreign: bool = False  # word for word: another language, or too long to be read


@dataclass(frozen=True, slots=True)
class Setting:
    """What a message is read in: who speaks, what was asked or told right before, whether an assistant listens."""

    message: MessageRecord
    cast: Cast
    asked: str
    told: str
    is_to_assistant: bool


def keep(sentences: Sequence[Sentence], setting: Setting) -> list[Kept]:
    """Return what is worth keeping; a sentence that points back joins the kept one right before it.

    Where nothing was kept before it, it may lean on the question that the message answers.
    """
    kept: list[Kept] = []
    is_open = False  # the sentence before was kept
    line = _Line(setting)
    sentences = _with_marks(sentences)
    for number, sentence in enumerate(sentences):
        if number == 0 and passing.is_pretence(sentence.text):
            return []
        if len(sentence.text) > when.LONGEST or not is_english(sentence.text):
            is_open = False
            if _is_foreign(sentence, setting):
                kept.append(Kept(sentence.begin, sentence.stop, (plain.unmarked(sentence.text),), is_foreign=True))
        elif setting.message.origin == "assistant":
            text = chatter.strip_ends(plain.unmarked(sentence.text))
            if _ASSISTANT.match(text):
                kept.append(Kept(sentence.begin, sentence.stop, (text,)))
        elif (quote := line.reported(sentence)) is not None:
            is_open = False
            if quote.who and chatter.weight(quote.words) > 0 and not chatter.is_question(quote.words):
                kept.append(Kept(sentence.begin, sentence.stop, (plain.unmarked(str(quote)),)))
        else:
            before = sentences[number - 1].text if number else ""
            is_open = _keep_english(sentence, setting, kept, is_open=is_open, before=before)
    return kept


def _with_marks(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences, with "It was a mistake." in the place of the one that follows it, or else goes before."""
    found: list[Sentence] = []
    begin: int | None = None
    for sentence in sentences:
        if correction.is_only_a_mark(sentence.text):
            begin = sentence.begin if begin is None else begin
            continue
        found.append(sentence if begin is None else replace(sentence, begin=begin))
        begin = None
    if begin is not None and found:
        found[-1] = replace(found[-1], stop=sentences[-1].stop)
    return found


class _Line:
    """Whose words a sentence is: "Ana: I moved. I like it here." is Ana's to the end of its line."""

    def __init__(self, setting: Setting) -> None:
        self.content, self.speaker = setting.message.content, setting.cast.speaker
        self.quote: reported.Quote | None = None
        self.stop = 0

    def reported(self, sentence: Sentence) -> reported.Quote | None:
        """Return another's words that a sentence is, or None where the speaker's own stand."""
        before, is_new_line = self.quote, "\n" in self.content[self.stop : sentence.begin]
        self.stop = sentence.stop
        self.quote = reported.quote(sentence.text, self.speaker)
        if self.quote is None and before is not None and (before.goes_on or (before.is_line and not is_new_line)):
            self.quote = before.followed_by(sentence.text)
        return self.quote


def _is_foreign(sentence: Sentence, setting: Setting) -> bool:
    """True for a sentence that is kept word for word: in another language, or too long to be read."""
    text = sentence.text
    if len(text) > when.LONGEST:
        return setting.message.origin != "assistant" and _has_substance(text)
    if chatter.is_question(text) or text.lower().startswith("thank"):
        return False
    told = small_talk.told(text)
    if chatter.is_own(text):
        return told != "" and _has_substance(text)
    return _has_substance(told, words_wanted=4, signs_wanted=9)


def _has_substance(text: str, *, words_wanted: int = 3, signs_wanted: int = 4) -> bool:
    """Enough words, or characters of a script that sets no spaces; chosen: "molto bello", "おめでとう" are no facts."""
    return len(words(text)) >= words_wanted or sum(not c.isascii() and c.isalpha() for c in text) >= signs_wanted


def _keep_english(sentence: Sentence, setting: Setting, kept: list[Kept], *, is_open: bool, before: str) -> bool:
    """Append what a sentence gives, and return True if the next one may point back to it."""
    begin, stop = sentence.begin, sentence.stop
    said = plain.spelled(plain.unmarked(sentence.text))
    said = _without_name(said, setting.cast.listener)
    said = asides.taken_back(said) if setting.is_to_assistant else said
    stated = answers.stated(setting.asked, said) if setting.asked and not before else None
    if stated is not None:
        kept.append(Kept(begin, stop, (stated,)))
        return True
    text, is_asked_for = _told(said)
    if passing.is_supposed(text):
        return False
    wish = wishes.standing(text, setting.cast) if setting.is_to_assistant else None
    if wish is not None:
        kept.append(Kept(begin, stop, (text,), wish=wish))
        return True
    text = with_subject(text)
    is_fact = claims.is_telling(text) or slots.read(text, "user") is not None
    if vague.is_empty(text) and not is_fact:
        return False
    is_pointing = vague.is_pointing(text) and not setting.is_to_assistant
    is_part = vague.is_part(text) and _NEAR.match(text) is None and not setting.is_to_assistant
    is_loose = pointing.leans(text) or (pointing.is_open(text) and not setting.is_to_assistant)
    is_back, is_leaning = (
        pointing.points_back(text),
        (is_loose or is_pointing or is_part) and not claims.is_telling(text),
    )
    if is_open and (is_back or is_leaning) and len(kept[-1].parts) < _JOINED and not kept[-1].wish:
        whole = " ".join((kept[-1].lead, *kept[-1].parts, text))
        is_told = not (
            chatter.is_question(text)
            or vague.is_shown(text)
            or (not setting.is_to_assistant and pointing.THEY.search(text) and pointing.is_they_open(whole))
        )
        if is_told and chatter.weight(text) >= 2:
            last = kept.pop()
            kept.append(Kept(last.begin, stop, (*last.parts, capital(text)), last.lead))
        return True
    if _is_statement(text, is_back=is_back, is_asked_for=is_asked_for):
        lead = _lead(setting, kept, before, text, is_loose=is_loose) if is_leaning else ""
        is_reaction = is_part and chatter.weight(text) < _LIGHT_PART and not is_about_the_speaker(text)
        if is_leaning and not lead and (is_loose or is_reaction or chatter.weight(text) < _PLAIN_SHORTEST):
            return False
        facts = [text] if lead else parting.parted(vague.indefinite(text))
        told = [_introduced(fact, setting.cast.speaker) for fact in facts]
        kept.extend(Kept(begin, stop, (fact,), lead) for fact in told if fact)
        return True
    is_asked = chatter.weight(setting.asked) > 0 if is_back or not setting.is_to_assistant else setting.asked != ""
    is_first = not before or chatter.weight(chatter.strip_ends(before)) <= (0 if is_loose else 1)
    if is_asked and is_first and not kept and _is_answer(text) and not _is_only(text, setting.cast.listener):
        whole = f"{setting.asked} {text}"
        is_dim = chatter.weight(text) < _PLAIN_SHORTEST and pointing.is_dim(setting.asked)
        if (
            is_back
            and not _DETAIL.search(text)
            and (is_dim or pointing.is_they_open(whole) or pointing.is_lost(setting.asked, text))
        ):
            return False
        answer = capital(said) if answers.is_yes_or_no(said) else text
        kept.append(Kept(begin, stop, (answer,), f'Asked "{setting.asked}"'))
        return True
    return False


def _lead(setting: Setting, kept: Sequence[Kept], before: str, text: str, *, is_loose: bool) -> str:
    """Return what a sentence leans on: the one before it, else what the other speaker said."""
    is_opening = is_loose and chatter.weight(chatter.strip_ends(before)) == 0  # "Yep!"
    if before and not is_opening:
        quoted = before.replace('"', "'")
        return f'After "{quoted}"' if len(before) <= _LONGEST_LEAD and pointing.stands(before) else ""
    if kept or not (setting.asked or pointing.stands(setting.told)):
        return ""
    is_lost = pointing.is_they_open(text) and pointing.is_they_open(f"{setting.asked} {text}")
    if is_lost and not pointing.stands(setting.told):
        return ""
    return f'Asked "{setting.asked}"' if setting.asked else f'After "{setting.told}"'


def _without_name(said: str, listener: str | None) -> str:
    """Return the sentence without the listener's name before or after it ("Bob, I moved")."""
    if not listener or listener.split()[0] not in said:
        return said
    name = re.escape(listener.split()[0])
    shorter = re.sub(rf"^(?:\w+,? )?{name}(?:,|[!.]+) (?=\w)|,? (?<=, ){name}(?=[.!?]*$)", "", said)
    return shorter or said


def _told(said: str) -> tuple[str, bool]:
    """Return a sentence without what leads up to it, and whether it was asked to be remembered."""
    text = asides.without_question(asides.without_lead(chatter.strip_ends(said)))
    rest = asides.to_keep(text)
    return (text, False) if rest is None else (capital(chatter.strip_ends(rest)), True)


def _is_answer(text: str) -> bool:
    """Short or pointing back, and yet it says something."""
    return not chatter.is_talk(text) and chatter.weight(text) >= (2 if pointing.ANAPHOR.match(text) else 1)


def _is_only(text: str, name: str | None) -> bool:
    """True for "Yeah Bob!": a name apart, nothing is said."""
    return name is not None and not set(words(text)) - set(words(name)) - set(
        words("yes yeah yep sure no nope hey hi ok")
    )


def _is_statement(text: str, *, is_back: bool, is_asked_for: bool) -> bool:
    if claims.is_telling(text):  # "no longer in the choir"
        return True
    if is_back or chatter.is_talk(text) or (passing.is_task(text) and not is_asked_for):
        return False
    if slots.read(text, "user") is not None:  # "Nantes is home now", "Forget what I said about the tent"
        return True
    weight = chatter.weight(text)
    if is_asked_for:
        return weight > 0
    if vague.goes_on(text) or (vague.is_fragment(text) and not is_about_the_speaker(text)):
        return False
    verb, _, rest = text.partition(" ")
    if is_joined(verb.lower(), rest.split(" ")[0]) and not is_elided(text) and not _STATES.match(rest):
        return False  # "hold onto those moments", "book a table"
    if is_about_the_speaker(text):
        return weight >= _OWN_SHORTEST or _DETAIL.search(text) is not None
    if weight >= _PLAIN_SHORTEST:
        return True
    is_firm = (
        opens_with_a_name(text)
        or _NEAR.match(text) is not None
        or (_DETAIL.search(text) is not None and _STATES.search(text) is not None)
    )
    return is_firm and weight >= _NAMED_SHORTEST


def _introduced(fact: str, speaker: str) -> str:
    """Return "I'm Tomasz." as "My name is Tomasz."; "" where the speaker is called so already."""
    match = _I_AM.match(fact)
    reading = slots.read(fact, "user") if match else None
    if match is None or reading is None or reading.slot.attribute != "name" or is_elided(match["name"].lower()):
        return fact
    return "" if name_of(match["name"]) == name_of(speaker) else f"My name is {match['name']}."
