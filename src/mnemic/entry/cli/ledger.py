"""`mnemic ledger`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.deeds import DONE
from mnemic.entry.cli.session import FOUND_NOTHING, CliSession, echo_json, failures, note
from mnemic.errors import ConfirmationError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from mnemic.services.chronicle.audit import Audited
    from mnemic.services.chronicle.records import HistoryFacts, LogRow

_WIDTH = 76
_MOST = 50
_OF_THE_VAULT = frozenset({"found", "rotate"})
_FORGOTTEN = "(forgotten)"
_NOTHING_KEPT = "This bundle keeps no history."


@click.group()
def ledger() -> None:
    """What was done to memories, as it is recorded.

    Example: mnemic ledger verify
    """


@ledger.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def verify(session: CliSession, /, as_json: bool) -> None:
    """Read ledger, vault and documents anew, and say whether they are whole and agree.

    Exit status 0: all is sound, 1: something is not.

    Example: mnemic ledger verify
    """
    from mnemic.entry.cli.progress import progress_bar

    with failures():
        app = session.app()
        with progress_bar(quiet=as_json) as progress:
            done = app.records.verify(progress)
    if as_json:
        echo_json(_audit_json(done))
    elif done is None:
        click.echo(_NOTHING_KEPT)
    else:
        _render(done)
    if done is not None and not done.sound:
        sys.exit(FOUND_NOTHING)


def _audit_json(done: Audited | None) -> dict[str, object]:
    if done is None:
        return {"kept": False, "sound": True}
    report = done.ledger
    return {
        "kept": True,
        "sound": done.sound,
        "events": report.events,
        "head": report.head,
        "vouched": report.vouched,
        "findings": [
            {"flaw": each.flaw, "message": each.message, "line": each.line, "harmless": each.harmless}
            for each in report.findings
        ],
        "more": report.more,
        "versions": done.versions,
        "vault": list(done.vault),
        "apart": list(done.apart),
        "unkept": list(done.unkept),
        "made_up_for": done.made_up_for,
    }


def _render(done: Audited) -> None:
    from mnemic.entry.cli.columns import counted, wrapped

    report = done.ledger
    click.echo(f"{counted(report.events, 'event')}, {counted(done.versions, 'version')}.")
    if report.events:
        click.echo(f"Last event: {report.events} {report.head}")
    problems = [each.message for each in report.findings if not each.harmless]
    problems += [f"and {report.more:,} more" for _ in range(1) if report.more]
    problems += [*done.vault, *done.apart, *done.unkept]
    for text in problems:
        first, *others = wrapped(text, _WIDTH)
        click.echo("\n".join([f"{click.style('!', fg='red')} {first}", *(f"  {line}" for line in others)]))
    for each in report.findings:
        if each.harmless:
            note(f"{each.message.rstrip('.')}.")
    if done.made_up_for:
        note("Where documents and vault do not agree, the next command keeps what the documents say.")
    if not problems:
        click.echo("All of it is sound.")


@ledger.command()
@click.argument("wanted", metavar="[ID]", default="")
@click.option("--since", metavar="DATE", help="Only what was done from then on.")
@click.option("--limit", type=click.IntRange(1), default=_MOST, show_default=True, help="At most so many events.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def log(session: CliSession, /, wanted: str, since: str | None, limit: int, as_json: bool) -> None:
    """Print what was done, the newest first.

    Example: mnemic ledger log people/anna-berg
    """
    from mnemic.entry.cli.times import moment

    with failures():
        app = session.app()
        rows = app.records.log(wanted, since=moment(since, app.bundle.zone), limit=limit)
    if as_json:
        echo_json({"events": [_row_json(row) for row in rows]})
        return
    if not rows:
        click.echo("Nothing is recorded.")
    for line in _lines(rows, app.bundle.zone):
        click.echo(line)


def _row_json(row: LogRow) -> dict[str, object]:
    from mnemic.entry.cli.times import rfc3339

    act = row.event.act
    return {
        "seq": row.event.seq,
        "at": rfc3339(act.at),
        "deed": act.deed,
        "id": row.id,
        "uid": act.uid,
        "gone": row.gone,
        "version": act.version,
        "hash": row.event.hash,
    }


def _lines(rows: list[LogRow], zone: tzinfo) -> Iterator[str]:
    from mnemic.entry.cli.columns import hanging, plain
    from mnemic.entry.cli.times import minute

    for row in rows:
        act = row.event.act
        name = plain(row.id) or ("" if act.deed in _OF_THE_VAULT else _FORGOTTEN)
        version = f"  version {act.version}" if act.version else ""
        head = f"{minute(act.at, zone):<20}  {DONE.get(act.deed, act.deed):<11}  "
        yield from hanging(head, f"{name}{version}{'  (gone)' * row.gone}", _WIDTH)


@ledger.command()
@click.argument("target", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--since", metavar="DATE", help="Only from the first event of then on.")
@click.pass_obj
def export(session: CliSession, /, target: str, since: str | None) -> None:
    """Write the lines of the ledger as they are, to be checked elsewhere; - is standard output.

    Example: mnemic ledger export ledger.jsonl
    """
    from mnemic.entry.cli.times import moment

    with failures():
        app = session.app()
        lines = app.records.export(moment(since, app.bundle.zone))
        try:
            with click.open_file(target, "wb", atomic=target != "-") as file:
                count = sum(1 for line in lines if file.write(line + b"\n"))
        except OSError as error:
            from mnemic.errors import WriteFailedError

            raise WriteFailedError(target, (error.strerror or str(error)).lower()) from error
        number, digest = app.records.head()
    click.echo(f"{count:,} lines. Last event: {number} {digest}", err=True)


@ledger.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def head(session: CliSession, /, as_json: bool) -> None:
    """Print number and hash of the last event: noted elsewhere, it proves later that nothing before was changed.

    Example: mnemic ledger head
    """
    with failures():
        number, digest = session.app().records.head()
    if as_json:
        echo_json({"events": number, "head": digest})
    else:
        click.echo(f"{number} {digest}")


@ledger.command()
@click.option(
    "--key",
    "place",
    type=click.Choice(["file", "keyring", "passphrase"]),
    help="Where the new key goes; where the old one is, when left out.",
)
@click.option("--yes", is_flag=True, help="Copies made before may become unreadable.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def rotate(session: CliSession, /, place: str | None, yes: bool, as_json: bool) -> None:
    """Give the vault a new key, and take the old one away.

    What copies of the bundle kept of the past, backups too, cannot be read any more then.

    MNEMIC_PASSPHRASE is the passphrase of now, MNEMIC_NEW_PASSPHRASE the new one, if it is to be another.

    Example: mnemic ledger rotate --yes
    """
    from mnemic.domain.vault import KeyPlace

    with failures():
        if not yes:
            raise ConfirmationError(
                "The old key goes, and with it the history and the sensitive memories of every copy of this bundle "
                "that was made before. Nothing was changed.",
                hint="If that is meant: mnemic ledger rotate --yes",
            )
        facts = session.app().records.rotate(KeyPlace(place) if place else None)
    if as_json:
        echo_json(facts_json(facts))
        return
    click.echo(f"The vault has a new key; {facts.memories:,} keys of memories were wrapped anew.")
    click.echo("\n".join(key_lines(facts)))


def facts_json(facts: HistoryFacts) -> dict[str, object]:
    """The stable JSON of what a bundle keeps of its past."""
    return {
        "kept": facts.kept,
        "why": facts.why,
        "events": facts.events,
        "versions": facts.versions,
        "key": facts.place,
        "key_place": facts.key,
    }


def key_lines(facts: HistoryFacts) -> list[str]:
    """Where the key is, and what to do about it."""
    from mnemic.entry.cli.columns import wrapped

    match facts.place:
        case "file":
            care = "Back it up, apart from the bundle: without it old versions cannot be read."
        case "keyring":
            care = "Back the keyring up: without it old versions cannot be read."
        case "passphrase":
            care = "Who forgets it loses the old versions."
        case _:
            return []
    return wrapped(f"Its key: {facts.key}. {care}", _WIDTH)
