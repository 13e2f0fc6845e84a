"""What a memory says to be so at present, and of what: read without a table of slots, by its nouns.

"The user plays cello in a community orchestra" → somebody does something; its core is play, cello, orchestra.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from perdure.offline.ending_cues import HEDGE, KIN, NEUTRAL, OUTCOMES, SAME
from perdure.offline.figures import Figure, figures
from perdure.offline.person import Cast, named, third
from perdure.offline.verbs import is_base
from perdure.text import STOP_WORDS, stem

_LONGEST: Final = 400  # characters of a statement that are read; chosen
_MOST_WORDS: Final = 16  # of weight in a memory that can end as a whole; chosen: what says more stays
_FIRST = re.compile(r"\b(?:I|I'\w+|[Mm]y|[Mm]e|[Ww]e|[Oo]ur|[Uu]s)\b")
_SAYS = re.compile(r"^[^:\"]{1,40} says: ")
_WRITTEN: Final = (
    (r"\b(Dr|Mr|Mrs|Ms|Prof|St)\.(?= )", r"\1"),
    (r"\bcan't\b|\bcan not\b|\bcannot\b", "can not"), (r"\bwon't\b", "will not"), (r"n't\b", " not"), (r"(?<=[a-z])'ve\b", " have"),
    (r"(?<=[a-z])'re\b", " are"), (r"\b(it|that|there|he|she|what)'s\b", r"\1 is"),
)  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_LETTER = re.compile(r"(?<=\w )A\b|(?<=^ )A\b")  # of a blood type, a team
_KIN: Final = "|".join(sorted(KIN))
_OWNER = re.compile(
    rf"\bU's (?:[a-z-]+ )?(?P<kin>{_KIN})(?P<name>,? (?!I\b)[A-Z]\w+,?)?(?P<s>'s)?(?= )(?! (?:is|are) (?:an? )?(?:[A-Z]|called|named))"
)
_THING = re.compile(
    r"^U's (?P<thing>[^,;]{2,60}?) (?P<verb>is|are|meets?|starts?|begins?|runs|takes place|happens?|goes|rings|lasts|takes|weighs|needs|comes|falls|finishes|ends|closes|opens|costs?|leaves|departs|arrives|expires|was|hurts?|aches?) (?P<rest>.+)$"
    r"|^(?:The|A) (?P<thing2>[^,;]{2,60}?) (?P<verb2>is|are|costs|starts|leaves|begins|meets|closes|opens|runs) (?P<rest2>.+)$"
    r"|^(?P<rest3>(?:The )?[A-Z\d][^,;]{0,40}?) (?P<verb3>is|are) U's (?P<thing3>[^,;.]{2,40})$",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"^(?:[A-Z][^,;]{1,40}?,? )?(?P<who>U\+?) (?:(?:also|always|usually|often|still|currently|really|now|only|mostly|both|all|just|actually|generally|normally|regularly|sometimes|\w+ly) )*(?P<verb>[a-z]+)(?P<rest>.*)$"
)
_PARTICIPLE: Final = r"(?:\w+ed|been|gone|done|made|seen|taken|given|found|got|had|bought|met|read|written|become|come|won|lost|left|told|said|heard|felt|started|put|set|let|run|kept|grown|known|spent|sent|built)"
_AIL = re.compile(
    r"\b(?:scared|afraid|terrified|frightened|nervous|allergic|allergy|ill|sick|injured|depressed|anxious|anxiety|phobi[ac]|fear|broken?|sprained|torn|tore|fractured?|sprain|bruise|strain|twisted|strained|dislocated|ruptured|injury|cold|flu|fever|cough|"
    r"infection|rash|migraines?|headaches?|toothache|backache|ache|pain|insomnia|sciatica|tendonitis|eczema|acne|asthma|hernia|concussion|sore|swollen|hurts?|suffers?|stutter|limp|bronchitis|pneumonia|shingles|anaemi[ac]|"
    r"frozen shoulder|stiff neck|bad (?:back|knee|hip|neck|shoulder|ankle|wrist|foot|tooth)|plantar|fasciitis|tinnitus|vertigo|cast|crutches|sling|intolerant|intolerance)\b"
)
_LIKES: Final = frozenset("likes like loves love enjoys enjoy adores adore prefers prefer".split())
_HATES: Final = frozenset("hates hate dislikes dislike detests loathes".split())
_HAS: Final = frozenset(
    "has have owns own drives drive rides ride keeps keep rents rent wears wear shares share possesses uses use".split()
)
_USES: Final = frozenset("uses use shares share wears wear rides drives".split())  # had, and done
_TASK = re.compile(
    r" (?:(?:re-?)?reading|watching|bingeing|writing|knitting|building|working (?:on|through)|playing through|doing|taking)\b"
)
_LIVES: Final = frozenset("lives live shares share rents rent".split())
_DENIAL = re.compile(r"(?:does|do|is|are|can|has|have) not |never |avoids? |quit |stopped |gave up |has given up ")
_POST = re.compile(
    r"\b(?:job|role|position|membership|subscription|gig|round|stall|post|course|apprenticeship|shift|place|seat|slot|account|contract|lesson|class)"
)
_BOUND = re.compile(
    r" (?:because|since|so|when|while|if|after|before|until|till|every|each|for|with|without|by|near|than|which|who|that|where|and|but|or|during|despite|though|to)\b|,(?! [A-Z])|[;(]"
)
_STEP = re.compile(r" (?:in|at|on|from|into|as|about|of) ")
_MORE = re.compile(
    r"[.;!?] \S| (?:and|or) (?=[a-z])|(?:,| and| but) (?:U|he|she|they|it|is|are|was|has|we|also|then)\b|, (?:but|so|which|who|because|although)\b"
)
_UNSAID = re.compile(
    r"\b(?:not|never|no longer|used to|was|were|had|might|would|if|wants?|hopes?|plans?|thinks?|[a-z]+ed)\b(?<!engaged)(?<!fractured)(?<!sprained)"
)
_DENIED = re.compile(r"\b(?:not|never|no longer|used to|stopped|quit|any ?more|nobody|nothing|no)\b")


@dataclass(frozen=True, slots=True)
class Held:
    """One thing that is so at present."""

    owner: str  # whose: "" for the speaker, else the relative
    kinds: frozenset[str]
    core: frozenset[str]  # stems of what it is about
    heads: frozenset[str]  # of these the nouns that others only describe, and names: where one ends, all of it ends
    every: frozenset[str]  # all its stems
    thing: frozenset[str]  # of "U's thing is so" the stems of the thing; else nothing
    value: frozenset[str]  # and of what it is
    figures: tuple[Figure, ...]
    is_habit: bool = True  # it tells what somebody does or is; a figure of it may change all the same
    preposition: str = ""  # right behind the verb


def plain(text: str, speaker: str | None) -> tuple[str, str]:
    """Return a statement with its speaker as "U", contractions written out, and whose it is if a relative's.

    >>> plain("The user's sister isn't in the band.", "user")
    ('U is not in the band', 'sister')
    """
    said = _SAYS.sub("", text.strip()[:_LONGEST].replace("’", "'")).rstrip(" .!…")
    name = named(speaker or "user")
    if _FIRST.search(said):
        said = third(said, Cast(name))
    for source, written in _WRITTEN:
        said = re.sub(source, written, said)
    said = re.sub(rf"\b{re.escape(name)}(?!\w)", "U", said, flags=re.IGNORECASE)
    said = re.sub(r"\bU and others\b|\b[Oo]thers and U\b", "U+", said)
    if "U+" in said:
        said = re.sub(r"\btheir\b", "U's", said)
    said = re.sub(r"U\+?'s\b", "U's", said)
    owner = _OWNER.search(said)
    if owner is None or re.match(r"(?:.{0,20}\W)?U\+? ", said[: owner.start()]):
        return said, ""
    whose = owner["kin"] + (f" {owner['name'].strip(' ,')}" if owner["name"] else "")
    return f"{said[: owner.start()]}U{owner['s'] or ''}{said[owner.end() :]}", whose


_POINTED: Final = {
    "her": frozenset(
        "sister mother mum mom wife girlfriend daughter aunt niece grandma grandmother gran nan granddaughter friend partner cousin boss".split()
    ),
    "his": frozenset(
        "brother father dad husband boyfriend son uncle nephew grandpa grandfather grandson friend partner cousin boss".split()
    ),
}


def is_of(mine: str, theirs: str) -> bool:
    """True if two owners may be one: the same relative, by the same name where both are named."""
    one, other = mine.split(), theirs.split()
    if mine in _POINTED:
        return bool(other) and other[0] in _POINTED[mine]
    return one[:1] == other[:1] and (len(one) < 2 or len(other) < 2 or one[1] == other[1])


@cache
def _same_stems() -> dict[str, str]:
    return {stem(word): one for word, one in SAME.items()}


@lru_cache(maxsize=65_536)
def thing_of(word: str) -> str:
    """Return the form in which words for one thing are equal: "cellist" and "cello", "cigarettes" and "smoking"."""
    word = word.removesuffix("'s")
    stemmed = stem(word)
    same = SAME.get(word) or _same_stems().get(stemmed)
    if same is not None:
        return same
    short = re.sub(r"(?:ist|er|or)$", "", stemmed) if len(stemmed) > 5 else stemmed
    return re.sub(r"[aeiouy]+$", "", short) if len(short) > 4 else short


@lru_cache(maxsize=16_384)
def tokens(text: str) -> frozenset[str]:
    """Return the stems of the words that name something."""
    found = [word.casefold() for word in _WORD.findall(text)]
    named = {thing_of(word) for word in found if word not in STOP_WORDS and word.removesuffix("'s") not in NEUTRAL}
    return frozenset(named | {"a"} if _LETTER.search(text) else named)


@lru_cache(maxsize=16_384)
def held(text: str, speaker: str | None) -> Held | None:
    """Return what a memory says to be so at present; None for what happened, is wished, denied, or says more."""
    if text.rstrip().endswith("?"):
        return None
    said, owner = plain(text, speaker)
    every = tokens(said)
    if not every or len(every) > _MOST_WORDS or _MORE.search(said) or re.search(HEDGE, said, re.IGNORECASE):
        return None
    thing = _THING.match(said)
    if thing is not None:
        return _of_thing(said, owner, thing)
    does = _DOES.match(said)
    return None if does is None else _of_action(said, owner, does)


@lru_cache(maxsize=16_384)
def awaited(text: str, speaker: str | None) -> tuple[str, frozenset[tuple[int, str]]]:
    """Return whose a memory is, and the rows of the table of outcomes that would end it, each with of what."""
    said, owner = plain(text, speaker)
    found: set[tuple[int, str]] = set()
    if not _UNSAID.search(said) and re.match(r"U\b", said):
        for index, (source, _) in enumerate(OUTCOMES):
            match = re.search(source, said, re.IGNORECASE)
            if match is not None:
                what = match.groupdict().get("what")
                if what and not tokens(what):
                    continue
                found.add((index, " ".join(tokens(what)) if what else ""))
    return owner, frozenset(found)


def _of_thing(said: str, owner: str, match: re.Match[str]) -> Held | None:
    if _DENIED.search(said) or match["verb"] == "was":
        return None
    thing = match["thing"] or match["thing2"] or match["thing3"]
    rest = match["rest"] or match["rest2"] or match["rest3"]
    kinds = {"thing", *(("ail",) if _AIL.search(said) else ())}
    if any(word.casefold() in KIN for word in _WORD.findall(thing)):
        kinds = {"kin"}  # slots settle who is whose
    if re.match(r" (?:Dr |Mrs? |Ms )?[A-Z]", f" {rest}"):
        kinds.add("post")
    value, heads = _core(f" {rest}")
    names = tokens(thing)
    heads |= heads_of(thing)
    return Held(owner, frozenset(kinds), names | value, heads, tokens(said), names, value, figures(said), False)


def _of_action(said: str, owner: str, match: re.Match[str]) -> Held | None:
    verb, rest = match["verb"], match["rest"]
    is_hated = verb in _HATES or re.match(r" not (?:stand|like|bear|enjoy) ", rest) is not None
    denial = _DENIAL.match(f"{verb}{rest}")
    if denial is not None and not is_hated:
        core, heads = _core(f" {f'{verb}{rest}'[denial.end() :]}")
        return Held(owner, frozenset(("not",)), core, heads, tokens(said), frozenset(), frozenset(), ())
    if (_DENIED.search(said) and not is_hated) or not (
        verb.endswith("s") or (match["who"] == "U+" and is_base(verb)) or is_hated
    ):
        return None
    is_ill = _AIL.search(rest) is not None
    if verb in ("has", "have") and re.match(rf" {_PARTICIPLE}\b", rest):
        running = re.match(r" been (?=\w+ing\b)", rest)
        if running is None and not is_ill:
            return None
        rest = rest[running.end() - 1 :] if running else rest
    kinds = _kinds(verb, rest, is_ill=is_ill, is_hated=is_hated)
    core, heads = _core(rest)
    own = frozenset() if verb in ("is", "has", "are", "have", "does") else tokens(verb)
    beside = re.search(r" with (?:U's )?(?P<who>.{2,40})$", rest) if verb in _LIVES else None
    if beside is not None:
        kinds, heads = kinds | {"with"}, heads | heads_of(beside["who"])
    before = re.match(r" (?:to \w+ )?(with|at|in|for|by|via|from|on|to) ", rest)
    held_figures, nothing = figures(said), frozenset[str]()
    return Held(
        owner,
        kinds,
        core | own,
        heads | own,
        tokens(said),
        nothing,
        nothing,
        held_figures,
        preposition=before[1] if before else "",
    )


def _kinds(verb: str, rest: str, *, is_ill: bool, is_hated: bool) -> frozenset[str]:
    if is_hated:
        return frozenset(("hate",))
    if is_ill:
        return frozenset(("ail",))
    if verb in _LIKES or re.match(r" (?:into|a (?:\w+ )?fan of|keen on|fond of|mad about|crazy about)\b", rest):
        return frozenset(("like",))
    if verb in _HAS:
        is_post = _POST.search(rest) is not None or verb in _USES
        return frozenset(("have", "do", "be")) if is_post else frozenset(("have",))
    if verb in ("is", "are"):
        if _TASK.match(rest):
            return frozenset(("do", "be", "task"))
        return frozenset(("do", "be")) if re.match(r" \w+ing\b", rest) else frozenset(("be",))
    return frozenset(("do",))


def _core(rest: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of the object, or of the first phrase behind the verb, and of one phrase more; and their heads."""
    lead = re.match(r" (?:with|for|to|by|on|in|at|as|about|from|of|into|near) ", rest)
    skipped = rest[lead.end() - 1 :] if lead else rest
    bound = _BOUND.search(skipped)
    parts = _STEP.split(skipped[: bound.start()] if bound else skipped)[: 1 if lead else 2]
    return tokens(" ".join(parts)), frozenset(head for part in parts for head in heads_of(part))


def heads_of(phrase: str) -> frozenset[str]:
    """Return the stem of the last word that names something, and those of names and of gerunds."""
    named_last = [word for word in _WORD.findall(phrase) if tokens(word)][-1:]
    return tokens(" ".join([*named_last, *re.findall(r"\b(?:[A-Z][\w'-]*|[a-z]+ing)\b", phrase)]))
