"""`mnemic quarantine`."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import FOUND_NOTHING, WIDTH, CliSession, echo_json, failures, note

if TYPE_CHECKING:
    from mnemic.domain.drafts import Remembered
    from mnemic.services.reviewing.release import Suspect

_WIDTH = 76


@click.group()
def quarantine() -> None:
    """Look at what is held back, release or reject it.

    Example: mnemic quarantine list
    """


@quarantine.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def list_(session: CliSession, /, as_json: bool) -> None:
    """Print what is in quarantine, and why.

    Example: mnemic quarantine list
    """
    from mnemic.entry.cli.columns import plain, wrapped

    with failures():
        suspects = session.app().quarantine.list()
    if as_json:
        echo_json({"quarantined": [_json(each) for each in suspects]})
        return
    if not suspects:
        click.echo("Nothing is in quarantine.")
    for each in suspects:
        memory = each.located.memory
        whence = f"  from {memory.provenance.origin}" if memory.provenance.origin else ""
        click.echo(f"{click.style(plain(_name(each)), bold=True)}{whence}")
        for reason in each.why:
            click.echo("\n".join(f"  {line}" for line in wrapped(reason, _WIDTH)))


@quarantine.command()
@click.argument("wanted", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def show(session: CliSession, /, wanted: str, as_json: bool) -> None:
    """Print a memory with the signs in it; what nobody sees is made visible.

    Example: mnemic quarantine show notes/offer
    """
    from mnemic.entry.cli.columns import hanging, plain, wrapped

    with failures():
        each = session.app().quarantine.show(wanted)
    if as_json:
        echo_json({**_json(each), "beside": each.beside, "body": each.located.memory.body})
        return
    memory = each.located.memory
    click.echo(click.style(plain(memory.title), bold=True))
    facts = (memory.state, memory.provenance.origin or "", memory.provenance.locator, memory.provenance.session)
    click.echo(click.style(" · ".join(plain(fact) for fact in facts if fact), dim=True))
    for reason in each.why:
        click.echo("\n".join(wrapped(f"! {reason}", _WIDTH)))
    for name, text in each.beside.items():
        click.echo("\n".join(hanging(f"{name}: ", _visible(text), _WIDTH)))
    click.echo()
    click.echo(_visible(memory.body.strip("\n")))


@quarantine.command()
@click.argument("wanted", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def release(session: CliSession, /, wanted: str, as_json: bool) -> None:
    """Let a memory out: from now on it is recalled.

    Example: mnemic quarantine release notes/offer
    """
    with failures():
        app = session.app()
        done = app.quarantine.release(wanted)
        prefix = "" if app.locate(wanted)[0] is app.bundle else f"{wanted.partition(':')[0]}:"
    released = done.memory.state != "quarantined"
    if released or as_json:
        _tell(done, "Released", as_json=as_json)
    else:
        _tell_why_not(done, prefix)
    if not released:
        sys.exit(FOUND_NOTHING)


def _tell_why_not(done: Remembered, prefix: str) -> None:
    """Why a memory was not let out, and what lets it out."""
    from mnemic.entry.cli.columns import command, wrapped
    from mnemic.entry.cli.remember import opposed_lines

    name = f"{prefix}{done.memory.id}"
    lines = wrapped(f"Not released: {name} stays in quarantine, and nothing was written.", WIDTH)
    against = [warning.statements for warning in done.warnings if warning.statements]
    if against:
        lines.append("It contradicts what is active:")
        for said in (against[0][0], *(pair[-1] for pair in against)):
            lines += [f"  {line}" for line in opposed_lines(replace(said, id=f"{prefix}{said.id}"))]
        lines.append("Put away what is no longer so (or forget it), then release this one again:")
        lines += [command("edit", f"{prefix}{pair[-1].id}", "--state superseded", width=WIDTH) for pair in against]
        lines.append(command("quarantine release", name, width=WIDTH))
    else:
        lines += wrapped("Its tags, claim or link show a sign too: change them in its file, or reject it.", WIDTH)
    click.echo("\n".join(lines), err=True)


@quarantine.command()
@click.argument("wanted", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def reject(session: CliSession, /, wanted: str, as_json: bool) -> None:
    """Put a memory away for good, archived; to remove it use forget.

    Example: mnemic quarantine reject notes/offer
    """
    with failures():
        done = session.app().quarantine.reject(wanted)
    _tell(done, "Rejected", as_json=as_json)


def _tell(done: Remembered, verb: str, *, as_json: bool) -> None:
    from mnemic.entry.cli.remember import remembered_json

    if as_json:
        echo_json(remembered_json(done))
        return
    click.echo(f"{verb} {click.style(done.memory.id, bold=True)} ({done.memory.state})")
    for warning in done.warnings:
        note(warning.message)


def _name(each: Suspect) -> str:
    memory_id = each.located.memory.id
    from mnemic.domain.ids import reference

    return reference(each.bundle, memory_id)


def _json(each: Suspect) -> dict[str, object]:
    memory = each.located.memory
    return {
        "id": _name(each),
        "title": memory.title,
        "state": memory.state,
        "origin": memory.provenance.origin,
        "signs": list(dict.fromkeys(sign.name for sign in each.signs)),
        "why": list(each.why),
        "contradicts": [other.memory.id for other in each.against],
        "path": each.located.path,
    }


def _visible(text: str) -> str:
    """The text with everything that nobody would see written as an escape."""
    from mnemic.domain.step_diff import visible_signs

    return "\n".join(map(visible_signs, text.split("\n")))
