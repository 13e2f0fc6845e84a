"""Algorithm 1 made safe: decisions become a change set that loses nothing by accident.  Pure.

- A contradiction retires the old memory and stores the candidate as its successor, unless the candidate is a bare
  negation.  A change ends the old one where the candidate begins, never before its own beginning; a correction
  retracts it.  Several contradicted memories have one successor.
- A merge passes the guard, or the candidate becomes a memory of its own.
- What assistant, tool or document said never ends, retracts or updates what the user said.
- An old message that comes in late ends nothing that was said after it: where it contradicts a newer memory, the
  candidate itself is stored as ended where the newer one begins, and the newer one succeeds it.
- Each decision sees what those before it did; a memory retired in this change set takes nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from perdure.models import Candidate, Decision, Event, Match, MemoryRecord, Warning
from perdure.write import guard
from perdure.write.decide import Decided
from perdure.write.draft import Draft
from perdure.write.repeat import OWN_WORD


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who decided: kept with every logged change."""

    model: str | None = None
    prompt_hash: str | None = None


def apply(
    decided: Decided,
    matches: Sequence[Match],
    draft: Draft,
    *,
    repeats: Mapping[int, int],
    settled: Mapping[int, str] = MappingProxyType({}),
    is_guarded: bool = True,
) -> dict[int, str | None]:
    """Carry the decisions out on the draft, candidate by candidate, in order; return where each one's word is kept.

    A bare negation is kept by the memory that it ended; one that only says a thing again has no place of its own.

    repeats: candidates that only say again what another of the same exchange says.
    settled: candidates that have their place already, with the memory that says them (`late`).
    is_guarded: False where a merge is taken as the model wrote it.
    """
    memories = {near.memory.id: near.memory for match in matches for near in match.similar}
    stamp = Stamp(decided.model, decided.prompt_hash)
    homes: dict[int, str | None] = dict(settled)
    draft.warnings.extend(decided.warnings)
    mine: dict[int, list[Decision]] = {}
    for decision in decided.decisions:
        mine.setdefault(decision.candidate, []).append(decision)
    for index, match in enumerate(matches):
        if index not in repeats and index not in settled:
            homes[index] = _Turn(draft, match.candidate, memories, stamp, is_guarded).carry_out(mine.get(index, ()))
    for index, standing in sorted(repeats.items()):
        candidate, home = matches[index].candidate, homes[standing]
        if home is not None and not draft.is_retired(home):
            draft.cite(home, candidate)
        draft.log("NOOP", home, candidate, reason="said twice in this exchange")
    ended = {
        index: next((d.target for d in mine.get(index, ()) if d.event == "DELETE" and d.target), None)
        for index, home in homes.items()
        if home is None
    }
    return {**homes, **ended}


@dataclass(frozen=True, slots=True)
class _Turn:
    """One candidate's decisions, carried out."""

    draft: Draft
    candidate: Candidate
    memories: Mapping[str, MemoryRecord]
    stamp: Stamp
    is_guarded: bool = True

    def carry_out(self, decisions: Sequence[Decision]) -> str | None:
        """Return the id of the memory that now says what the candidate says; None if there is none."""
        contradicted = [d for d in decisions if d.event == "DELETE" and self._may_touch(d)]
        late = [d for d in contradicted if self._is_late(d)]
        ended = [d for d in contradicted if d not in late]
        for decision in ended:
            self._retire(decision)
        kept = [d for d in decisions if d.event in ("UPDATE", "NOOP") and d.target not in _targets(contradicted)]
        homes = [home for d in kept if (home := self._keep(d)) is not None]
        if homes or not self._needs_home(decisions, ended):
            home = homes[0] if homes else None
        else:
            home = self._add(decisions, late)
        for decision in ended:
            if home is not None and decision.target is not None:
                self.draft.link(successor=home, predecessor=decision.target)
        return home

    def _needs_home(self, decisions: Sequence[Decision], ended: Sequence[Decision]) -> bool:
        """False for a bare negation that ended something, and for what is to be left alone."""
        if self.candidate.is_negation and ended:
            return False
        return not (decisions and all(d.event == "NOOP" and d.target is None for d in decisions))

    def _memory(self, decision: Decision) -> MemoryRecord:
        """Return the working copy of the decision's target."""
        assert decision.target is not None  # noqa: S101 - decide refuses targets that were not shown
        return self.draft.take(self.memories[decision.target])

    def _may_touch(self, decision: Decision) -> bool:
        """False, with a warning, if the target is the user's own word and the candidate is not."""
        memory = self._memory(decision)
        if self.candidate.origin in OWN_WORD or memory.origin not in OWN_WORD:
            return True
        detail = f"what {self.candidate.origin} said does not {decision.event} what {memory.origin} said"
        self._warn("origin_protected", f"{detail}; it was kept as a memory of its own")
        return False

    def _is_late(self, decision: Decision) -> bool:
        """True if the memory was last said after the candidate."""
        return self.candidate.at < _last_said(self._memory(decision))

    def _retire(self, decision: Decision) -> None:
        memory = self._memory(decision)
        effect = decision.effect or "change"
        if not self.draft.is_retired(memory.id):
            self.draft.retire(memory.id, effect, at=decision.ends or self.candidate.valid_from or self.candidate.at)
            self._log("DELETE", memory.id, decision.reason, decision)

    def _keep(self, decision: Decision) -> str | None:
        """Return the memory that an UPDATE or NOOP leaves the candidate in; None if the candidate must be added."""
        if decision.target is None:
            self._log("NOOP", None, decision.reason, decision)
            return None
        memory = self._memory(decision)
        if self.draft.is_retired(memory.id):
            return None
        if decision.event == "NOOP":
            return self._note(memory, decision)
        if not self._may_touch(decision):
            return None
        merged = decision.text or ""
        verdict = self._verdict(memory.text, merged, decision)
        if verdict.outcome == "refuse":
            faults = ", ".join(verdict.faults)
            self._warn("merge_refused", f"the merge would have dropped or invented {faults}; the fact was added apart")
            return None
        if verdict.outcome == "noop":
            return self._note(memory, decision)
        self.draft.change(memory.id, text=merged, **self._merged(memory))
        self.draft.cite(memory.id, self.candidate)
        self._log("UPDATE", memory.id, decision.reason, decision)
        return memory.id

    def _verdict(self, old: str, merged: str, decision: Decision) -> guard.Verdict:
        if merged and not self.is_guarded:
            return guard.Verdict("keep")
        return guard.check(old, merged, fact=self.candidate.text, changed=decision.changed)

    def _note(self, memory: MemoryRecord, decision: Decision) -> str:
        """Add the candidate's source to a memory; the user's own word takes over what another said first."""
        if self.candidate.origin in OWN_WORD and memory.origin not in OWN_WORD:
            self.draft.change(memory.id, origin=self.candidate.origin, attributed_to=self.candidate.attributed_to)
            self._log("UPDATE", memory.id, "confirmed by the user", decision)
        else:
            self._log("NOOP", memory.id, decision.reason, decision)
        self.draft.cite(memory.id, self.candidate)
        return memory.id

    def _merged(self, memory: MemoryRecord) -> dict[str, object]:
        """Return the fields of a merge beside its text: the candidate fills what is unknown and takes nothing away."""
        candidate = self.candidate
        fields: dict[str, object] = {
            "entities": tuple(dict.fromkeys((*memory.entities, *candidate.entities))),
            "categories": tuple(dict.fromkeys((*memory.categories, *candidate.categories))),
            "metadata": {**memory.metadata, **candidate.metadata},
            "expires_at": _later(memory.expires_at, candidate.expires_at),
        }
        if memory.event_from is None and candidate.event_from is not None:
            fields |= {
                "event_from": candidate.event_from,
                "event_to": candidate.event_to,
                "time_precision": candidate.time_precision,
            }
        if candidate.origin in OWN_WORD and memory.origin not in OWN_WORD:
            fields |= {"origin": candidate.origin, "attributed_to": candidate.attributed_to}
        return fields

    def _add(self, decisions: Sequence[Decision], late: Sequence[Decision]) -> str:
        ends = [_begin(self._memory(d)) for d in late]
        home = self.draft.add(self.candidate, valid_to=min(ends) if ends else None)
        for decision in late:
            self.draft.link(successor=self._memory(decision).id, predecessor=home)
        if late:
            self._warn("older_than_known", "it was said before the memory that it contradicts; it was stored as ended")
        chosen = next((d for d in decisions if d.event == "ADD"), decisions[0] if decisions else None)
        self._log("ADD", home, chosen.reason if chosen else "", chosen)
        return home

    def _warn(self, code: str, detail: str) -> None:
        self.draft.warnings.append(Warning(code, detail, self.candidate.text))

    def _log(self, event: Event, id: str | None, reason: str, decision: Decision | None) -> None:
        self.draft.log(
            event,
            id,
            self.candidate,
            reason=reason,
            effect=(decision.effect or "change") if decision is not None and event == "DELETE" else None,
            model=self.stamp.model,
            prompt_hash=self.stamp.prompt_hash,
        )


def _targets(decisions: Sequence[Decision]) -> set[str | None]:
    return {decision.target for decision in decisions}


def _last_said(memory: MemoryRecord) -> datetime:
    return max((source.at for source in memory.sources), default=memory.valid_from or memory.created_at)


def _begin(memory: MemoryRecord) -> datetime:
    """Return when a memory began to hold: as stated, else when it was first said."""
    return memory.valid_from or min((source.at for source in memory.sources), default=memory.created_at)


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    """Return the later expiry; None, never, is the latest."""
    return None if one is None or other is None else max(one, other)
