"""Nothing leaves the machine unless an endpoint is configured: every attempt ends the process.

To cover another verb, add its lines to STEPS.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

WATCH = """
import os, sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind", "socket.gethostbyname"):
        os.write(2, f"{event} {arguments[1:]!r}".encode())
        os._exit(99)

sys.addaudithook(watch)
"""

VERBS = """
from perdure import Memory

with Memory({store}) as memory:
    memory.add([("user", "I live in Lyon."), ("assistant", "Noted.")], user="ana", at="2024-05-08T12:00:00Z")
    memory.add(facts=["Ana is vegetarian"], user="ana")
    memory.add("I moved to Nice.", user="ana", wait=False)
    memory.flush()
    assert memory.search("Where does Ana live?", user="ana")
    assert memory.context("dinner", user="ana").text
    memory.answer("Where does Ana live?", user="ana")
    record = memory.list(user="ana").items[0]
    memory.update(record.id, metadata={{"seen": True}})
    memory.delete(record.id)
    memory.history(record.id), memory.stats(), memory.operations(user="ana"), memory.summary(user="ana")
"""

STEPS = {
    "every verb, in memory": VERBS.format(store="':memory:'"),
    "every verb, in the default file": VERBS.format(store=""),
    "embed": """
from perdure import registry
from perdure.models import Role
from perdure.settings import Settings

embedder, warnings = registry.embedder(None, Settings())
assert embedder.embed(["Ana lives in Lyon", "Where does Ana live?"], Role.DOCUMENT).shape == (2, 384), warnings
assert registry.language_model(None, Settings()) is None
""",
    "store": """
from perdure import registry
from perdure.providers.system import SystemClock
from perdure.settings import Settings

registry.store(":memory:", Settings(), SystemClock()).close()
""",
}
CONNECTS = """
import socket
socket.create_connection(("127.0.0.1", 9), timeout=1)
"""


def _run(code: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "PERDURE_"))},
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "XDG_DATA_HOME": str(home),
    }
    return subprocess.run(
        [sys.executable, "-c", WATCH + code], check=False, capture_output=True, text=True, env=environment
    )


@pytest.mark.parametrize("step", STEPS)
def test_no_socket_is_opened(step: str, tmp_path: Path) -> None:
    done = _run(STEPS[step], tmp_path)

    assert done.returncode == 0, done.stderr


def test_the_watch_sees_a_connection(tmp_path: Path) -> None:
    """Else the test above could not fail."""
    assert _run(CONNECTS, tmp_path).returncode == 99
