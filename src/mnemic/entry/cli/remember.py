"""`mnemic remember`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

import click

from mnemic.entry.cli.session import WIDTH, CliSession, echo_json, failures, note, text_argument

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from mnemic.domain.contradictions import Statement
    from mnemic.domain.drafts import Draft, Remembered, Warned
    from mnemic.domain.memory import Privacy, Scope
    from mnemic.domain.outcomes import Result
    from mnemic.domain.provenance import Origin

_Word = TypeVar("_Word", bound=StrEnum)


@click.command()
@click.argument("text")
@click.option("--title", default="", help="A line that names it (else taken from the text).")
@click.option("--kind", default="note", show_default=True, help="preference, decision, commitment, person, …")
@click.option("--tag", "tags", multiple=True, help="A tag; may be given again.")
@click.option("--description", default="", help="One sentence that says what it is about.")
@click.option("--source", "origin", default="user_explicit", show_default=True, help="Who or what said it.")
@click.option("--locator", default="", help="Where it was said: a URL, a file, a message.")
@click.option("--on-event", default="", help="The event at which it is owed (commitments): release.")
@click.option("--due", help="When it is owed (commitments): 2026-06-12.")
@click.option("--valid-from", help="Since when it is so.")
@click.option("--valid-until", help="Until when it is so.")
@click.option("--claim", metavar="KEY=VALUE", help="The statement in structured form: contradictions are found by it.")
@click.option("--supersedes", multiple=True, metavar="ID", help="The memory this one replaces.")
@click.option("--outcome-of", default="", metavar="ID", help="The memory whose outcome this is.")
@click.option("--result", default="", metavar="RESULT", help="How that turned out: succeeded, failed or mixed.")
@click.option("--cites", default="", metavar="WHERE", help="What it was taken from: session:ID#3-5 or FILE:10-14.")
@click.option("--verified", is_flag=True, help="You checked it against the world.")
@click.option("--user", default="", metavar="NAME", help="The person it holds for (preferences).")
@click.option("--project", default="", metavar="NAME", help="The project it holds for (preferences).")
@click.option("--id", "wanted", default="", metavar="ID", help="Its id (else made from the title).")
@click.option("--salience", type=click.FloatRange(0, 1), default=0.5, help="How much it matters, 0 to 1.")
@click.option("--confidence", type=click.FloatRange(0, 1), default=0.5, help="How sure it is, 0 to 1.")
@click.option("--privacy", default="private", help="public, private, or sensitive: kept encrypted, in the vault alone.")
@click.option("--redact", is_flag=True, help="Take secrets out instead of refusing the text.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def remember(session: CliSession, /, as_json: bool, redact: bool, **given: object) -> None:
    """Keep TEXT (`-` reads standard input) as a memory.

    Example: mnemic remember "Anna prefers tea" --kind preference --tag anna
    """
    with failures():
        app = session.app()
        done = app.remember(_draft(given, app.bundle.zone), redact=redact)
    if as_json:
        echo_json(remembered_json(done))
        return
    render(done, app.bundle.store.location)


def _draft(given: dict[str, object], zone: tzinfo) -> Draft:
    from mnemic.domain.drafts import Draft
    from mnemic.domain.memory import Claim, Scope
    from mnemic.domain.provenance import Provenance
    from mnemic.entry.cli.times import moment
    from mnemic.errors import InvalidMemoryError

    claim = str(given["claim"]) if given["claim"] is not None else ""
    key, equals, value = claim.partition("=")
    if claim and not (equals and key.strip() and value.strip()):
        raise InvalidMemoryError("claim", f"{claim!r} has no key and value", hint="Write --claim 'city=Oslo'.")
    return Draft(
        body=text_argument(str(given["text"])),
        title=str(given["title"]),
        kind=str(given["kind"]),
        id=str(given["wanted"]),
        description=str(given["description"]),
        tags=tuple(given["tags"]),  # type: ignore[arg-type]
        due=moment(given["due"], zone),
        on_event=str(given["on_event"]),
        valid_from=moment(given["valid_from"], zone),
        valid_until=moment(given["valid_until"], zone),
        supersedes=tuple(given["supersedes"]),  # type: ignore[arg-type]
        outcome_of=str(given["outcome_of"]),
        result=result_of(str(given["result"])),
        cites=str(given["cites"]),
        scope=Scope(user=str(given["user"]).strip(), project=str(given["project"]).strip()),
        privacy=privacy_named(str(given["privacy"])),
        salience=float(given["salience"]),  # type: ignore[arg-type]
        confidence=float(given["confidence"]),  # type: ignore[arg-type]
        claim=Claim(key.strip(), value.strip()) if claim else None,
        provenance=Provenance.of(
            _origin(str(given["origin"])),
            locator=str(given["locator"]),
            actor="person",
            verified=bool(given["verified"]),
        ),
    )


def result_of(name: str) -> Result | None:
    """How an action turned out, by its word; None for an empty one."""
    from mnemic.domain.outcomes import Result

    return named_in(Result, name, "result", "no result", spelled=name.strip().lower()) if name.strip() else None


def privacy_named(name: str) -> Privacy:
    """The class of this name. Raises InvalidMemoryError."""
    from mnemic.domain.memory import Privacy

    return named_in(Privacy, name, "privacy", "no class of privacy")


def _origin(name: str) -> Origin:
    from mnemic.domain.provenance import Origin

    return named_in(Origin, name, "source", "no origin", spelled=name.replace("-", "_"))


def named_in(words: type[_Word], name: str, field: str, unless: str, *, spelled: str | None = None) -> _Word:
    """The one of these words that an option names.

    Args:
        words: Those that there are.
        name: As it was given.
        field: What the error is about.
        unless: What a name is that is none of them: `no state`.
        spelled: The name as the words are spelled, where people spell it otherwise.

    Raises:
        InvalidMemoryError: It is none of them.
    """
    from mnemic.errors import InvalidMemoryError

    try:
        return words(name if spelled is None else spelled)
    except ValueError:
        raise InvalidMemoryError(field, f"{name!r} is {unless}", hint=f"One of: {', '.join(words)}") from None


def remembered_json(done: Remembered) -> dict[str, object]:
    """The stable JSON of a write."""
    return {
        "id": done.memory.id,
        "uid": done.memory.uid,
        "revision": done.revision,
        "state": done.memory.state,
        "created": done.created,
        "path": done.path,
        "warnings": [_warning_json(warning) for warning in done.warnings],
    }


def _warning_json(warning: Warned) -> dict[str, object]:
    told: dict[str, object] = {"code": warning.code, "message": warning.message}
    if warning.statements:
        told["statements"] = [{"id": each.id, "text": each.text} for each in warning.statements]
    return told


def render(done: Remembered, location: str, *, verb: str = "Remembered") -> None:
    """What was written, and what should be known about it."""
    from mnemic.entry.cli.columns import plain

    if done.created:
        state = "" if done.memory.state == "active" else f" ({done.memory.state})"
        click.echo(f"{verb} {click.style(done.memory.id, bold=True)}{state}")
        click.echo(f"  {location}/{done.path}")
        if held_by := scope_told(done.memory.scope):
            click.echo(plain(f"  holds for {held_by}"))
    else:
        click.echo(f"Unchanged: {done.memory.id}")
    for warning in done.warnings:
        if warning.statements:
            _note_opposed(warning.statements)
        else:
            note(warning.message)


def scope_told(scope: Scope) -> str:
    """Whom a memory is about or for: `user anna, project harbour`."""
    names = (("user", scope.user), ("agent", scope.agent), ("project", scope.project), ("here", scope.conversation))
    return ", ".join(f"{what} {name}" for what, name in names if name)


def _note_opposed(statements: Sequence[Statement]) -> None:
    """Two statements that may contradict each other, one below the other."""
    import shlex

    from mnemic.entry.cli.columns import command

    one, other = statements[0].id, statements[-1].id
    note(f"this may contradict {other}")
    for statement in statements:
        for line in opposed_lines(statement):
            click.echo(f"  {line}", err=True)
    click.echo("If that is no longer so:", err=True)
    click.echo(command("edit", one, f"--supersedes {shlex.quote(other)}", width=WIDTH), err=True)


def opposed_lines(statement: Statement, width: int = WIDTH - 2) -> list[str]:
    """An id, and below it what it says, within so many columns."""
    from mnemic.entry.cli.columns import plain, wrapped

    return [plain(statement.id), *(f"  {line}" for line in wrapped(statement.text, width - 2))]
