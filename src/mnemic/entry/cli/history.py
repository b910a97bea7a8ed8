"""`mnemic history`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.deeds import DONE
from mnemic.entry.cli.session import CliSession, echo_json, failures, note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from mnemic.domain.differences import FieldChange
    from mnemic.services.chronicle.history import Link, Story, Told

_WIDTH = 76
_MOST_LINES = 12
_DONE = {**DONE, "remove": "its document was taken away"}


@click.command()
@click.argument("wanted", metavar="ID")
@click.option("--version", "number", type=click.IntRange(1), help="Print this version whole.")
@click.option("--reveal", is_flag=True, help="With --version: of a sensitive memory, what it said then.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def history(session: CliSession, /, wanted: str, *, number: int | None, reveal: bool, as_json: bool) -> None:
    """Print how a memory came to be what it is, by its id or one that it once had.

    Example: mnemic history people/anna-berg
    """
    if reveal and number is None:
        raise click.UsageError("--reveal goes with --version.")
    with failures():
        app = session.app()
        if number is not None:
            from mnemic.entry.cli.show import echo_shown

            echo_shown(app.past.version(wanted, number, reveal=reveal), app.bundle.zone, as_json=as_json)
            return
        story = app.past.history(wanted)
    if as_json:
        echo_json(story_json(story))
        return
    _render(story, app.bundle.zone)
    for text in story.notes:
        note(text)


def story_json(story: Story) -> dict[str, object]:
    """The stable JSON of a memory's past."""
    from mnemic.domain.ids import reference

    return {
        "id": reference(story.bundle, story.id),
        "uid": story.uid,
        "versions": [_version_json(told) for told in story.versions],
        "supersedes": [_link_json(link, story.bundle) for link in story.supersedes],
        "superseded_by": [_link_json(link, story.bundle) for link in story.superseded_by],
        "notes": list(story.notes),
    }


def change_json(change: FieldChange) -> dict[str, object]:
    """A field that says something else."""
    return {"field": change.field, "before": change.before, "after": change.after}


def _version_json(told: Told) -> dict[str, object]:
    from mnemic.entry.cli.times import rfc3339

    version = told.version
    memory = version.memory
    return {
        "number": version.number,
        "at": rfc3339(version.at),
        "deed": version.deed,
        "id": memory and memory.id,
        "title": memory and memory.title,
        "state": memory and memory.state,
        "origin": memory and memory.provenance.origin,
        "actor": memory.provenance.actor if memory else "",
        "changes": [change_json(change) for change in told.changes],
    }


def _link_json(link: Link, bundle: str) -> dict[str, object]:
    from mnemic.domain.ids import reference
    from mnemic.entry.cli.times import rfc3339

    return {
        "id": reference(bundle, link.id),
        "title": link.title,
        "state": link.state,
        "recorded_at": rfc3339(link.recorded_at),
    }


def _render(story: Story, zone: tzinfo) -> None:
    from mnemic.domain.ids import reference
    from mnemic.entry.cli.columns import plain, wrapped

    click.echo("\n".join(click.style(line, bold=True) for line in wrapped(plain(story.last.title), _WIDTH)))
    gone = story.versions[-1].version.memory is None
    many = "1 version" if len(story.versions) == 1 else f"{len(story.versions)} versions"
    facts = (reference(story.bundle, story.id), "gone" if gone else story.last.state, many)
    click.echo(click.style(plain(" · ".join(facts)), dim=True))
    for place, told in enumerate(story.versions):
        click.echo()
        click.echo("\n".join(_version_lines(told, zone, whole=place == 0)))
    for head, links in (("supersedes", story.supersedes), ("superseded by", story.superseded_by)):
        if links:
            click.echo("\n" + click.style(f"{head}:", dim=True))
            click.echo("\n".join(_link_lines(links, story.bundle, zone)))


def _version_lines(told: Told, zone: tzinfo, *, whole: bool) -> Iterator[str]:
    """A version; the first that is kept with what it says, since there is none to compare it with."""
    from mnemic.entry.cli.columns import plain, wrapped
    from mnemic.entry.cli.times import minute

    version, memory = told.version, told.version.memory
    done = _DONE.get(version.deed or "", "told" if version.number == 1 else "changed")
    if version.deed is None and memory is None:
        done = _DONE["remove"]
    yield f"{version.number:>2}  {minute(version.at, zone)}  {done}"
    if memory is None:
        return
    by = " · ".join(filter(None, (memory.provenance.origin or "", plain(memory.provenance.actor))))
    if by:
        yield from (click.style(f"    {line}", dim=True) for line in wrapped(f"by {by}", _WIDTH - 4))
    if whole:
        yield from (f"    {line}" for line in wrapped(memory.body or memory.title, _WIDTH - 4, most=4))
    yield from (f"    {line}" for line in change_lines(told.changes, _WIDTH - 4))


def change_lines(changes: Sequence[FieldChange], width: int) -> Iterator[str]:
    """Fields that changed: short ones on a line, a text as what was taken out and what came in."""
    from mnemic.domain.differences import text_lines
    from mnemic.entry.cli.columns import hanging, plain

    for change in changes:
        if change.field != "body":
            before, after = _short(change.before), _short(change.after)
            yield from hanging(f"{change.field}: ", f"{before} → {after}", width)
            continue
        yield "text:"
        lines = text_lines(change)
        for line in lines[:_MOST_LINES]:
            sign, text = line[:1], plain(line[1:])
            color = {"+": "green", "-": "red"}.get(sign)
            yield from (click.style(each, fg=color) for each in hanging(f"{sign} ", text, width))
        if len(lines) > _MOST_LINES:
            yield f"… and {len(lines) - _MOST_LINES} lines more; all of them with --json"


def _short(value: object) -> str:
    import json

    if value is None or value in ("", [], {}):
        return "(nothing)"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _link_lines(links: Sequence[Link], bundle: str, zone: tzinfo) -> Iterator[str]:
    from mnemic.domain.ids import reference
    from mnemic.entry.cli.columns import wrapped
    from mnemic.entry.cli.times import day

    for link in links:
        facts = [f"told {day(link.recorded_at, zone)}", str(link.state)] if link.recorded_at else ["not there any more"]
        words = " · ".join(filter(None, (reference(bundle, link.id), link.title, *facts)))
        first, *others = wrapped(words, _WIDTH - 4)
        yield f"  {first}"
        yield from (f"    {line}" for line in others)
