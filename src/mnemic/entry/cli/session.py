"""What every command shares: the opened bundles, failures as exit status, output."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import click

from mnemic.errors import InputError, MnemicError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.app import App

WIDTH = 80
FOUND_NOTHING = 1
MISUNDERSTOOD = 2
FAILED = 3
STOPPED_HALFWAY = "Stopped. What was written is kept; the same command goes on from there."


@dataclass(slots=True)
class CliSession:
    """The root options; `app` opens bundles when a command asks for it."""

    bundle: str | None
    overrides: tuple[str, ...] = ()

    def app(self) -> App:
        """The application for the bundle that was named or found."""
        from mnemic.app import App

        return App.start(self.bundle, overrides=self.overrides)


@contextmanager
def failures(*, stopped: str = "Stopped.") -> Iterator[None]:
    """A `MnemicError` becomes message and hint on standard error, and an exit status; Ctrl-C becomes `stopped`."""
    try:
        yield
    except MnemicError as error:
        fail(error)
    except KeyboardInterrupt:
        click.echo(stopped, err=True)
        sys.exit(130)


def fail(error: MnemicError) -> NoReturn:
    """Say what is wrong and leave; for a terminal within its width, for a program a sentence a line."""
    head = click.style("Error:", fg="red", bold=True)
    first, *others = _lines(f"Error: {error.message}")
    click.echo("\n".join([head + first.removeprefix("Error:"), *others]), err=True)
    for line in _lines(f"  {error.hint}") if error.hint else ():
        click.echo(line, err=True)
    sys.exit(exit_status(error))


def _lines(text: str) -> list[str]:
    import textwrap

    from mnemic.entry.cli.columns import plain

    text = plain(text)
    if not sys.stderr.isatty():
        return [text]
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def exit_status(error: MnemicError) -> int:
    """1 for what is not there, 2 for what is not understood, 3 for the rest."""
    match error:
        case NotFoundError():
            return FOUND_NOTHING
        case InputError():
            return MISUNDERSTOOD
        case _:
            return FAILED


def note(text: str) -> None:
    """Something worth knowing beside the result, on standard error, within the width of a terminal."""
    import textwrap

    from mnemic.entry.cli.columns import plain

    lines = textwrap.wrap(
        f"Note: {plain(text)}", WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    head = click.style("Note:", fg="yellow")
    click.echo("\n".join([head + lines[0].removeprefix("Note:"), *lines[1:]]), err=True)


def echo_json(value: object) -> None:
    """One JSON object on standard output, readable by a person too."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))


def text_argument(given: str) -> str:
    """The text of an argument; `-` reads standard input."""
    return sys.stdin.read() if given == "-" else given
