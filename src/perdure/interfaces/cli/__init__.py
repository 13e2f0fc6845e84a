"""The command line: one thin file per area, errors mapped to exit codes in one place (here).

Exit codes: 0 done, 1 failed, 2 wrong usage or input, 3 not found, 4 conflict, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
from collections.abc import Sequence

import click

from perdure.errors import Conflict, InputError, NotFound, PerdureError, SettingsError
from perdure.interfaces.cli.app import perdure
from perdure.interfaces.cli.options import Session

logger = logging.getLogger(__name__)

DONE, FAILED, USAGE, MISSING, CONFLICT, INTERRUPTED = 0, 1, 2, 3, 4, 130


def main() -> None:
    """Run the command line of this process and exit with its code."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Unicode must not lose the output
    sys.exit(run(sys.argv[1:]))


def _open_streams() -> None:
    """Open the null device where a stream is closed: else the store's file would take its number."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


def _silence() -> None:
    """Send what is left of the output nowhere: at exit it would be tried, and fail, once more."""
    with contextlib.suppress(OSError):  # a stream that is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    session = Session(is_json="--json" in arguments, is_debug="--debug" in arguments)
    if session.is_debug:
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr)
    try:
        perdure.main(args=list(arguments), prog_name="perdure", standalone_mode=False, obj=session)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        _tell(session, "Interrupted", f"interrupted; {session.on_interrupt}")
        return INTERRUPTED
    except click.ClickException as err:
        context = getattr(err, "ctx", None)
        hint = f"; see `{context.command_path} --help`" if context else ""
        _tell(session, "UsageError", err.format_message().rstrip(".") + hint)
        return USAGE
    except PerdureError as err:
        if session.is_debug:
            logger.exception("cli.refused")
        _tell(session, type(err).__name__, str(err))
        return _code(err)
    except BrokenPipeError:
        _silence()  # the reader has gone: nothing more to say
        return FAILED
    except OSError as err:  # perdure's own are typed
        where = "the output" if err.filename is None else err.filename
        _tell(session, "OSError", f"cannot write {where}: {err.strerror or err}; send it elsewhere")
        _silence()
        return FAILED
    except Exception as err:  # the edge: told in one line, with its traceback under --debug
        if session.is_debug:
            logger.exception("cli.failed")
        _tell(session, type(err).__name__, f"unexpected: {err}; run it again with --debug and report what it shows")
        return FAILED
    return session.exit_code


def _code(err: PerdureError) -> int:
    if isinstance(err, InputError | SettingsError):
        return USAGE
    if isinstance(err, NotFound):
        return MISSING
    return CONFLICT if isinstance(err, Conflict) else FAILED


def _tell(session: Session, kind: str, message: str) -> None:
    """Say on stderr what went wrong: a line, or a JSON document."""
    if session.is_json:
        click.echo(json.dumps({"error": {"type": kind, "message": message}}, ensure_ascii=False), err=True)
    else:
        click.echo(f"perdure: {message}", err=True)
