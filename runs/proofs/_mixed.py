"""A seeded mix of every verb that writes, which says what it is about to do and what it was told is durable."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from perdure import Conflict, Memory, NotFound
from perdure.models import OperationResult
from perdure.providers.fakes import HashEmbedder

Say = Callable[[dict[str, Any]], None]
LINES = ("I live in {}.", "I moved to {}.", "I work at {}.", "I no longer live in {}.", "I like {}.", "How is {}?")
USERS = ("ana", "bo")


def opened(path: Path) -> Memory:
    """Open a memory whose jobs run when it is told."""
    return Memory(path, embedder=HashEmbedder(32), settings={"jobs": "manual", "busy_timeout_s": 5.0})


class Mix:
    """Writes by a seed; `say` is told each intent before and each acknowledgement after."""

    def __init__(self, memory: Memory, seed: int, say: Say) -> None:
        self._memory = memory
        self._pick = random.Random(seed)
        self._say = say
        self._ids: list[str] = []
        self._operations: list[str] = []
        self._count = 0

    def step(self) -> None:
        """Run one verb."""
        self._count += 1
        verb = self._pick.choice((self.fact, self.fact, self.line, self.line, self.later, self.update, self.delete,
                                  self.undo, self.flush, self.erase))  # fmt: skip
        try:
            verb()
        except (NotFound, Conflict):
            return  # a memory that was retracted meanwhile, an operation that waits or was built on

    def fact(self) -> None:
        self._done(self._memory.add(facts=[f"note {self._word()} {self._word()}"], user=self._user()))

    def line(self) -> None:
        text = self._pick.choice(LINES).format(self._word().capitalize())
        self._done(self._memory.add(text, user=self._user(), run=self._pick.choice((None, "r"))))

    def later(self) -> None:
        self._done(self._memory.add(f"I live in {self._word().capitalize()}.", user=self._user(), wait=False))

    def update(self) -> None:
        if self._ids:
            self._done(self._memory.update(self._pick.choice(self._ids), f"note {self._word()}"))

    def delete(self) -> None:
        if self._ids:
            effect = self._pick.choice(("correction", "change"))
            self._done(self._memory.delete(self._pick.choice(self._ids), effect=effect))

    def undo(self) -> None:
        if self._operations:
            self._done(self._memory.undo(self._operations[-1]))

    def flush(self) -> None:
        self._memory.flush()

    def erase(self) -> None:
        user = f"e{self._count}-{self._pick.random()}"
        self._memory.add(facts=[f"secret {self._word()}"], user=user)
        self._memory.add(f"I live in {self._word().capitalize()}.", user=user)
        self._say({"erasing": user})
        self._memory.erase(user=user)
        self._say({"erased": user})

    def _user(self) -> str:
        return self._pick.choice(USERS)

    def _word(self) -> str:
        return "".join(self._pick.choice("bcdfghjklmnprstv") + self._pick.choice("aeiou") for _ in range(3))

    def _done(self, result: OperationResult) -> None:
        self._operations.append(result.operation_id)
        versions = [[c.memory.id, c.memory.version] for c in result.changes if c.memory is not None]
        self._ids += [id for id, _ in versions]
        self._say({"operation": result.operation_id, "status": result.status, "versions": versions})


def lost(memory: Memory, said: list[dict[str, Any]]) -> list[str]:
    """Return which acknowledged writes a store does not hold."""
    found = []
    for one in said:
        if "operation" in one:
            try:
                held = memory.operation(one["operation"])
            except NotFound:
                found.append(f"operation {one['operation']}")
                continue
            if held.status != one["status"] and one["status"] != "pending":
                found.append(f"operation {one['operation']} is {held.status}, was {one['status']}")
            for id, version in one["versions"]:
                if version not in _versions(memory, id):
                    found.append(f"version {version} of {id}")
        if "erased" in one:
            left = memory.stats(user=one["erased"])
            if left.memories or left.messages or left.ended or left.retracted:
                found.append(f"the erasure of {one['erased']}")
    return found


def _versions(memory: Memory, id: str) -> set[int]:
    try:
        return {record.version for record in memory.history(id)}
    except NotFound:
        return set()
