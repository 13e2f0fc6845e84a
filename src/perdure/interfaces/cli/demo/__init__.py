"""`perdure demo`: the main job, start to end, on a conversation."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from perdure.interfaces.cli.options import Session, json_option, pass_session


@click.command()
@click.option("--conversation", "place", metavar="FILE[:ID]", help="Another conversation, in LoCoMo's format.")
@json_option
@pass_session
def demo(session: Session, /, *, place: str | None) -> None:
    """Run the main job on a conversation.

    A conversation goes in, decisions and memories come out, questions are answered with citations.
    It works in a temporary store, unless --store names one.
    """
    from perdure.interfaces.cli import conversation, show
    from perdure.interfaces.cli.demo import dialogues, run, story

    dialogue = dialogues.shipped() if place is None else conversation.load_locomo(place)
    with tempfile.TemporaryDirectory(prefix="perdure-demo-") as folder:
        chosen = session.given.get("store")
        with session.memory(makes_store=True, store=chosen or str(Path(folder) / "memory.db")) as memory:
            if session.is_json:
                show.document(run.whole(memory, dialogue))
            else:
                story.tell(memory, dialogue, is_kept=chosen is not None)
