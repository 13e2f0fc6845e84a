"""Progress of long work, on stderr: a counter that moves on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys

import click

LONG = 20  # steps below which nothing is said (chosen)


class Progress:
    """Called with (done, in all) after each step."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._tenth = 0

    def __call__(self, done: int, total: int) -> None:
        """Show how far the work is."""
        if total < LONG:
            return
        if sys.stderr.isatty():
            click.echo(f"\r{self._what}: {done}/{total}", nl=done == total, err=True)
        elif done * 10 // total > self._tenth:
            self._tenth = done * 10 // total
            click.echo(f"{self._what}: {done}/{total}", err=True)
