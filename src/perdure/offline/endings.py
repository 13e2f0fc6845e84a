"""What a new statement ends where no slot is known: it names the thing of an old one, and says that it is over.

"Stepped down from the council" ends what is said of a council, "the meeting is at 10 now" what gave it another time.
All that a claim names must stand in the memory, so that "sold my mountain bike" leaves an electric bike alone: what is
missed costs a duplicate, what is guessed hides a true fact.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from perdure.models import Candidate, Effect, MemoryRecord
from perdure.offline.claim import Claim
from perdure.offline.claims import claimed
from perdure.offline.held import Held, awaited, held, is_of, plain, tokens
from perdure.text import normal

_SOON: Final = timedelta(days=1)  # within which "sorry, 45" corrects what was said; chosen
_COUPLE: Final = frozenset(("wife", "husband", "partner", "girlfriend", "boyfriend", "spouse"))
_WEAK: Final = frozenset(
    tokens(
        "work home house people friend money food water life world school town city room kid child night office day love may march time"
    )
)
_MANY: Final = frozenset(
    tokens(
        "sister brother son daughter child friend colleague cousin aunt uncle niece nephew cat dog pet student client neighbour hobby sibling twin roommate flatmate housemate problem goal hero fan"
    )
)


def settles(candidate: Candidate, memory: MemoryRecord, *, is_apart: bool = False) -> Effect | None:
    """Return what a candidate does to a memory: ends it ("change"), takes it back ("correction"), or nothing.

    is_apart: several speakers are known by name, so that one without a name may be any of them.
    """
    claims = claimed(candidate.text, candidate.attributed_to, candidate.quote)
    if not claims or memory.retired_at is not None or memory.valid_to is not None:
        return None
    if not _is_one_speaker(candidate.attributed_to, memory.attributed_to, is_apart=is_apart):
        return None
    if _is_come_about(claims, memory):
        return "change"
    old = held(memory.text, memory.attributed_to)
    if old is None:
        return None
    is_soon = timedelta() <= candidate.at - (memory.valid_from or memory.created_at) <= _SOON
    is_event = memory.event_from is not None
    is_past = memory.event_to is not None and memory.event_to <= candidate.at
    for claim in claims:
        if not (is_of(claim.owner, old.owner) or (claim.denied and not claim.names)) or (
            is_event and old.is_habit and claim.does != "corrects"
        ):
            continue
        if _meets(claim, old, is_soon=is_soon) and not is_past:
            return "correction" if claim.does == "corrects" else "change"
    return None


def fit(candidate: Candidate, memory: MemoryRecord) -> int:
    """Return how much of a memory the candidate names; of two that it may end, the one that it names more of is meant."""
    old = held(memory.text, memory.attributed_to)
    return 0 if old is None else len(old.every & tokens(plain(candidate.text, candidate.attributed_to)[0]))


def _is_one_speaker(mine: str | None, theirs: str | None, *, is_apart: bool) -> bool:
    if normal(mine or "user") == normal(theirs or "user"):
        return True
    return not is_apart and "user" in (normal(mine or "user"), normal(theirs or "user"))


def _is_come_about(claims: tuple[Claim, ...], memory: MemoryRecord) -> bool:
    owner, awaits = awaited(memory.text, memory.attributed_to)
    return any(
        claim.outcome in awaits and (is_of(claim.owner, owner) or (owner in _COUPLE and not claim.owner))
        for claim in claims
        if claim.outcome is not None
    )


def _meets(claim: Claim, old: Held, *, is_soon: bool) -> bool:
    if claim.outcome is not None:
        return False
    if claim.denied:
        return (
            claim.names <= old.every
            and claim.denied <= old.core
            and bool(claim.denied & old.heads)
            and not (claim.value - claim.denied) & old.every
        )
    if claim.does == "ends":
        return _is_ended(claim, old)
    if claim.does == "goes_on":
        return _goes_on(claim, old)
    if claim.does == "succeeds":
        is_same_thing = bool(claim.names & old.thing) and claim.names <= old.every and not claim.names & _MANY
        return is_same_thing and bool(claim.value) and not (claim.value <= old.value or old.value <= claim.value)
    return _is_refigured(claim, old, is_soon=is_soon)


def _goes_on(claim: Claim, old: Held) -> bool:
    """One does the same elsewhere now ("banks with Cobalt now"), or has another of the kind ("the day shift")."""
    if not old.kinds & {"do", "be", "have", "thing"} or claim.value & old.every:
        return False
    if claim.verb:
        return claim.verb <= old.core and old.preposition == claim.preposition and bool(old.core - claim.verb)
    return claim.names <= old.heads and bool(old.core - claim.names) and not claim.names <= _WEAK - tokens("office")


def _is_ended(claim: Claim, old: Held) -> bool:
    if not claim.kinds & old.kinds:
        return False
    if not claim.names:  # "six weeks without a cigarette, quit for good"
        return "do" in old.kinds and bool((claim.about & old.heads) - _WEAK)
    return claim.names <= old.every and bool(claim.names & old.heads) and bool(claim.names - _WEAK)


def _is_refigured(claim: Claim, old: Held, *, is_soon: bool) -> bool:
    """One figure of the memory has another of its sort in the claim."""
    if claim.names:
        if not claim.names <= old.every or not (claim.names - _WEAK or claim.names == old.thing):
            return False
    elif claim.value:
        return bool(claim.value & old.value) and not claim.value <= old.value and not old.value <= claim.value
    elif not ((old.thing or old.core) & claim.about) - _WEAK and not (is_soon and claim.does == "corrects"):
        return False
    for mine in claim.figures:
        rivals = [
            figure
            for figure in old.figures
            if mine.is_like(figure) and (claim.does == "corrects" or mine.unit == figure.unit)
        ]
        if len(rivals) == 1 and not rivals[0].is_same(mine):
            return True
    return False
