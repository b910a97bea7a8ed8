"""`mnemic edit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.remember import named_in, privacy_named, remembered_json, render, result_of
from mnemic.entry.cli.session import CliSession, echo_json, failures, text_argument

if TYPE_CHECKING:
    from datetime import tzinfo

    from mnemic.domain.memory import Memory, State


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
@click.option("--supersedes", multiple=True, metavar="ID", help="A memory that this one replaces from now on.")
@click.option("--result", metavar="RESULT", help="How the action turned out: succeeded, failed or mixed.")
@click.option(
    "--verified/--not-verified", default=None, help="You checked it against the world, or it no longer counts so."
)
@click.option("--privacy", help="sensitive takes the text out of the document into the vault, private puts it back.")
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
            done = app.edit(wanted, lambda memory: _fields(given, memory, app.bundle.zone), expect=revision)
        else:
            # What was typed into the editor belongs to the text that stood in it, and to no later one.
            bundle, name = app.locate(wanted)
            located = bundle.store.find(name)
            _check_may_open(located.memory)
            current = revision or located.revision
            done = app.edit(wanted, lambda memory: {"body": _edited(memory.body)}, expect=current)
    if as_json:
        echo_json(remembered_json(done))
    else:
        render(done, app.bundle.store.location, verb="Changed")


def _check_may_open(memory: Memory) -> None:
    """An editor keeps what it shows in files of its own."""
    from mnemic.domain.sealing import is_hidden
    from mnemic.errors import PrivacyRefusedError

    if is_hidden(memory):
        raise PrivacyRefusedError(
            f"{memory.id} is sensitive: an editor would keep what it says in files of its own.",
            hint="Hand the new text over: mnemic edit ID --text -",
        )


def _edited(body: str) -> str:
    text = click.edit(body, extension=".md")
    return body if text is None else text


def _state(name: str) -> State:
    from mnemic.domain.memory import State

    return named_in(State, name, "state", "no state")


def _fields(given: dict[str, object], memory: Memory, zone: tzinfo) -> dict[str, object]:
    from dataclasses import replace

    from mnemic.entry.cli.times import moment

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
    for name, read in (("privacy", privacy_named), ("result", result_of), ("state", _state)):
        if given[name] is not None:
            fields[name] = read(str(given[name]))
    if given["supersedes"]:
        fields["supersedes"] = (*memory.supersedes, *given["supersedes"])  # type: ignore[misc]
    if given["verified"] is not None:
        fields["provenance"] = replace(memory.provenance, verified=bool(given["verified"]))
    if given["added"] or given["removed"]:
        kept = [tag for tag in memory.tags if tag not in given["removed"]]  # type: ignore[operator]
        fields["tags"] = tuple(dict.fromkeys((*kept, *given["added"])))  # type: ignore[misc]
    return fields
