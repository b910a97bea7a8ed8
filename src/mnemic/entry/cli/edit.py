"""`mnemic edit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.remember import remembered_json, render
from mnemic.entry.cli.session import CliSession, echo_json, failures, text_argument

if TYPE_CHECKING:
    from datetime import tzinfo


@click.command()
@click.argument("wanted", metavar="ID")
@click.option("--text", help="The new text; - reads standard input.")
@click.option("--title", help="The new title.")
@click.option("--description", help="The new description.")
@click.option("--kind", help="The new kind.")
@click.option("--add-tag", "added", multiple=True, help="A tag to add.")
@click.option("--remove-tag", "removed", multiple=True, help="A tag to take away.")
@click.option("--due", help="When it is owed.")
@click.option("--valid-from", help="Since when it is so.")
@click.option("--valid-until", help="Until when it is so.")
@click.option("--salience", type=click.FloatRange(0, 1), help="How much it matters, 0 to 1.")
@click.option("--confidence", type=click.FloatRange(0, 1), help="How sure it is, 0 to 1.")
@click.option("--state", help="active, fulfilled, archived, …")
@click.option("--expect", "revision", default="", metavar="REVISION", help="Refuse if it is another by now.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def edit(session: CliSession, /, wanted: str, revision: str, as_json: bool, **given: object) -> None:
    """Change a memory by flags; without any, open its text in your editor.

    Example: mnemic edit people/anna-berg --add-tag tea
    """
    with failures():
        app = session.app()
        if any(value not in (None, ()) for value in given.values()):
            if given["text"] is not None:
                given["text"] = text_argument(str(given["text"]))  # here, since a change may be made more than once
            done = app.edit(wanted, lambda memory: _fields(given, memory.tags, app.bundle.zone), expect=revision)
        else:
            # What was typed into the editor belongs to the text that stood in it, and to no later one.
            bundle, name = app.locate(wanted)
            current = revision or bundle.store.find(name).revision
            done = app.edit(wanted, lambda memory: {"body": _edited(memory.body)}, expect=current)
    if as_json:
        echo_json(remembered_json(done))
    else:
        render(done, app.bundle.store.location, verb="Changed")


def _edited(body: str) -> str:
    text = click.edit(body, extension=".md")
    return body if text is None else text


def _fields(given: dict[str, object], tags: tuple[str, ...], zone: tzinfo) -> dict[str, object]:
    from mnemic.domain.memory import State
    from mnemic.entry.cli.times import moment
    from mnemic.errors import InvalidMemoryError

    fields: dict[str, object] = {
        name: given[name]
        for name in ("title", "description", "kind", "salience", "confidence")
        if given[name] is not None
    }
    for name in ("due", "valid_from", "valid_until"):
        if given[name] is not None:
            fields[name] = moment(str(given[name]), zone)
    if given["text"] is not None:
        fields["body"] = given["text"]
    if given["state"] is not None:
        try:
            fields["state"] = State(str(given["state"]))
        except ValueError:
            known = ", ".join(State)
            raise InvalidMemoryError("state", f"{given['state']!r} is no state", hint=f"One of: {known}") from None
    if given["added"] or given["removed"]:
        kept = [tag for tag in tags if tag not in given["removed"]]  # type: ignore[operator]
        fields["tags"] = tuple(dict.fromkeys((*kept, *given["added"])))  # type: ignore[misc]
    return fields
