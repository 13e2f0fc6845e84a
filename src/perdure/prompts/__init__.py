"""The prompts: Markdown files with `$name` holes, strictly filled, identified by a hash.

A file holds the system part, a line `---`, and the user part.  A file of the same name in the folder of
`settings.prompts` replaces the one shipped here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template

from perdure.errors import SettingsError
from perdure.models import Prompt, Tool, Turn

SHIPPED = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class PromptTemplate:
    """A prompt before its holes are filled."""

    name: str
    system: str
    user: str

    def fill(self, *, tools: Sequence[Tool] = (), max_tokens: int = 4096, **holes: str) -> Prompt:
        """Return the prompt with every hole filled.  Raises SettingsError unless the holes are exactly those given.

        A filled value is never read again: `$` in it stays as it is.
        """
        parts = (Template(self.system), Template(self.user))
        wanted = {name for part in parts for name in part.get_identifiers()}
        if wanted != set(holes):
            raise SettingsError(
                f"prompt {self.name!r} has the holes {sorted(wanted)}, and {sorted(holes)} were given; "
                "a replaced prompt must keep the holes of the shipped one"
            )
        system, user = (part.substitute(holes) for part in parts)
        return Prompt(
            name=self.name,
            system=system,
            turns=(Turn("user", user),),
            hash=self.hash(tools),
            tools=tuple(tools),
            max_tokens=max_tokens,
        )

    def hash(self, tools: Sequence[Tool] = ()) -> str:
        """Return the first 16 hex digits of the sha256 of the template and its tools."""
        shape = json.dumps([self.system, self.user, [[t.name, t.description, t.schema] for t in tools]], sort_keys=True)
        return hashlib.sha256(shape.encode()).hexdigest()[:16]


@lru_cache(maxsize=64)
def load(name: str, folder: str | None = None) -> PromptTemplate:
    """Return the template of this name: from `folder` where it has one, else as shipped."""
    path = Path(folder) / f"{name}.md" if folder else None
    if path is None or not path.is_file():
        path = SHIPPED / f"{name}.md"
    try:
        content = path.read_text(encoding="utf-8")
    except OSError as err:
        raise SettingsError(f"cannot read the prompt {path}: {err.strerror}") from err
    system, rule, user = content.partition("\n---\n")
    if not rule:
        raise SettingsError(f"the prompt {path} has no line `---` between its system and its user part")
    return PromptTemplate(name, system.strip(), user.strip())
