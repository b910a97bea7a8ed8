"""`mnemic show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.remember import scope_told
from mnemic.entry.cli.session import WIDTH, CliSession, echo_json, failures, note
from mnemic.entry.cli.times import known_by

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from mnemic.app import App
    from mnemic.domain.citations import Citation
    from mnemic.domain.documents import Located
    from mnemic.domain.outcomes import Outcome
    from mnemic.domain.session import Turn
    from mnemic.services.recalling.show import Shown

_WIDTH = 76


@click.command()
@click.argument("wanted", metavar="ID")
@click.option("--around", type=click.IntRange(0, 50), default=2, show_default=True, help="Turns before and after.")
@click.option("--as-of", metavar="DATE", help="As it was known then; a date alone includes the day.")
@click.option("--reveal", is_flag=True, help="Of a sensitive memory, what it says: out of the vault.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def show(  # noqa: PLR0913, PLR0917 - one an option
    session: CliSession, /, wanted: str, around: int, as_of: str | None, reveal: bool, as_json: bool
) -> None:
    """Print a memory, a session (`session:ID`) or a turn (`session:ID#N`) whole.

    Example: mnemic show people/anna-berg
    """
    with failures():
        app = session.app()
        then = known_by(as_of, app.bundle.zone)
        if then is not None:
            seen = app.past.show(wanted, then, around=around)
            for text in seen.notes:
                note(text)
            echo_shown(seen.shown, app.bundle.zone, as_json=as_json)
            return
        shown = app.show(wanted, around=around, reveal=reveal)
        held = () if as_json or shown.memory is None else _held_back(app, wanted, shown.memory)
    echo_shown(shown, app.bundle.zone, held, as_json=as_json)


def echo_shown(shown: Shown, zone: tzinfo, held: Sequence[str] = (), *, as_json: bool) -> None:
    """A memory or turns, for a program or a person; `held`: why a memory is in quarantine."""
    if as_json:
        echo_json(shown_json(shown))
    elif shown.memory is not None:
        _render_memory(shown, zone, held)
    else:
        _render_turns(shown, zone)


def _held_back(app: App, wanted: str, located: Located) -> Sequence[str]:
    return app.quarantine.show(wanted).why if located.memory.state == "quarantined" else ()


def shown_json(shown: Shown) -> dict[str, object]:
    """The stable JSON of a memory or of turns."""
    if shown.memory is not None:
        told = memory_json(shown.memory)
        if shown.outcomes:
            told["outcomes"] = [outcome_json(each) for each in shown.outcomes]
        if shown.citation is not None:
            told["citation"] = citation_json(shown.citation)
        return told
    assert shown.session is not None
    head = shown.session.head
    return {
        "session": head.id,
        "title": head.title,
        "conversation": head.conversation,
        "source": head.source,
        "turns": [turn_json(turn) for turn in shown.turns],
    }


def outcome_json(outcome: Outcome) -> dict[str, object]:
    """What came of a memory."""
    from mnemic.domain.instants import format_instant

    return {"id": outcome.id, "result": outcome.result, "when": format_instant(outcome.when)}


def citation_json(citation: Citation) -> dict[str, object]:
    """What a memory cites, and whether that stands."""
    return {"cited": citation.cited.told, "standing": citation.standing, "now": citation.now or None}


def memory_json(located: Located) -> dict[str, object]:
    """Every field of a memory that says something, with its place and revision."""
    from dataclasses import asdict
    from datetime import datetime

    from mnemic.domain.instants import format_instant
    from mnemic.services.judging.quarantine import text_of
    from mnemic.text.personal_data import labels

    def plain(value: object) -> object:
        match value:
            case datetime():
                return format_instant(value)
            case dict():
                told = {key: plain(item) for key, item in value.items()}
                return {key: item for key, item in told.items() if item not in (None, "", [], {})}
            case tuple() | list():
                return [plain(item) for item in value]
            case _:
                return value

    fields = plain(asdict(located.memory))
    assert isinstance(fields, dict)
    if found := labels(text_of(located.memory)):
        fields["personal_data"] = list(found)
    return {**fields, "path": located.path, "line": located.line, "revision": located.revision}


def turn_json(turn: Turn) -> dict[str, object]:
    """One turn."""
    from mnemic.domain.instants import format_instant

    return {
        "id": turn.id,
        "number": turn.number,
        "at": format_instant(turn.at),
        "speaker": turn.speaker,
        "role": turn.role,
        "text": turn.text,
        "attachments": list(turn.attachments),
    }


def _render_memory(shown: Shown, zone: tzinfo, held: Sequence[str]) -> None:
    from mnemic.entry.cli.columns import plain, wrapped
    from mnemic.entry.cli.times import day
    from mnemic.services.judging.quarantine import personal

    located = shown.memory
    assert located is not None
    memory, source = located.memory, located.memory.provenance
    trust = f"believed {source.authority:g}, {'verified' if source.verified else 'not verified'}"
    click.echo(click.style(plain(memory.title), bold=True))
    facts = [plain(memory.kind), memory.state, f"told {day(memory.recorded_at, zone)}"]
    if memory.changed_at.date() != memory.recorded_at.date():
        facts.append(f"changed {day(memory.changed_at, zone)}")
    if memory.due:
        facts.append(f"due {day(memory.due, zone)}")
    click.echo(click.style(" · ".join(facts), dim=True))
    lines = [
        ("tags", ", ".join(memory.tags)),
        ("claim", f"{memory.claim.key} = {memory.claim.value}" if memory.claim else ""),
        ("so since", day(memory.valid_from, zone) if memory.valid_from else ""),
        ("so until", day(memory.valid_until, zone) if memory.valid_until else ""),
        ("supersedes", ", ".join(memory.supersedes)),
        ("superseded by", ", ".join(memory.superseded_by)),
        ("outcome of", " ".join(filter(None, (memory.outcome_of, memory.result and f"({memory.result})")))),
        *(("what came of it", each.told) for each in shown.outcomes),
        ("holds for", scope_told(memory.scope)),
        ("source", " ".join(filter(None, (source.origin or "", source.locator)))),
        ("trust", trust),
        ("cites", _cited(shown.citation)),
        ("personal data", ", ".join(personal(memory))),
        ("held back", "; ".join(held)),
        ("file", f"{located.path}:{located.line}"),
        ("revision", located.revision[:12]),
    ]
    for name, value in lines:
        if value:
            first, *others = wrapped(value, WIDTH - len(name) - 2) if " " in value else [plain(value)]
            click.echo("\n".join([click.style(f"{name}: ", dim=True) + first, *(f"  {line}" for line in others)]))
    if memory.body.strip():
        click.echo()
        click.echo(plain(memory.body.strip("\n")))


def _cited(citation: Citation | None) -> str:
    if citation is None:
        return ""
    return f"{citation.told}{': STALE, look before you rely on it' if citation.stale else ''}"


def _render_turns(shown: Shown, zone: tzinfo) -> None:
    from mnemic.domain.instants import local
    from mnemic.entry.cli.columns import plain

    assert shown.session is not None
    head = shown.session.head
    click.echo(click.style(plain(head.title or head.id), bold=True))
    for turn in shown.turns:
        here = shown.asked == turn.number
        stamp = f"{local(turn.at, zone):%Y-%m-%d %H:%M}"
        click.echo()
        click.echo(
            click.style(f"{'>' if here else ' '} #{turn.number} {stamp} {plain(turn.speaker)}", bold=here, dim=not here)
        )
        for paragraph in (*(turn.text.splitlines() or [""]), *(f"[{each}]" for each in turn.attachments)):
            click.echo("\n".join(f"  {line}" for line in _lines(paragraph)))


def _lines(paragraph: str) -> list[str]:
    """A paragraph that fits as it stands, with its indentation; others wrapped."""
    from mnemic.entry.cli.columns import columns, plain, wrapped

    line = plain(paragraph).expandtabs()
    return [line] if columns(line) <= _WIDTH else wrapped(line, _WIDTH)
