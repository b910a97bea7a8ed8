"""`mnemic doctor`."""

from __future__ import annotations

import sys

import click

from mnemic.entry.cli.columns import wrapped
from mnemic.entry.cli.session import FOUND_NOTHING, CliSession, echo_json, failures

_WIDTH = 71
_MARKS = {"ok": ("ok", "green"), "note": ("note", "yellow"), "problem": ("problem", "red")}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def doctor(session: CliSession, /, as_json: bool) -> None:
    """Say what works on this machine for this bundle, and what to do about the rest.

    Exit status 0: nothing is broken, 1: something is.

    Example: mnemic doctor
    """
    from mnemic.entry.doctor import examine

    with failures():
        findings = examine(session.app())
    if as_json:
        echo_json(
            {
                "findings": [
                    {"check": found.check, "level": found.level, "message": found.message, "hint": found.hint}
                    for found in findings
                ]
            }
        )
    else:
        for found in findings:
            mark, color = _MARKS[found.level]
            first, *more = wrapped(f"{found.check}: {found.message}", _WIDTH)
            click.echo(f"{click.style(f'{mark:<8}', fg=color)} {first}")
            for line in (*more, *wrapped(found.hint, _WIDTH)):
                click.echo(f"{'':8} {line}")
    if any(found.level == "problem" for found in findings):
        sys.exit(FOUND_NOTHING)
