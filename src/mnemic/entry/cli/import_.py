"""`mnemic import`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.progress import progress_bar
from mnemic.entry.cli.session import FOUND_NOTHING, STOPPED_HALFWAY, CliSession, echo_json, failures

if TYPE_CHECKING:
    from mnemic.services.writing.ingest import Ingested


@click.command("import")
@click.argument("source", nargs=-1, required=True, metavar="[FORMAT] PATH")
@click.option("--dry-run", is_flag=True, help="Read and check everything, write nothing.")
@click.option("--no-embed", is_flag=True, help="Leave the vectors for later; words are searchable at once.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def import_(session: CliSession, /, source: tuple[str, ...], dry_run: bool, no_embed: bool, as_json: bool) -> None:
    """Bring conversations in: chat JSONL, Claude Code transcripts, LoCoMo, MemoryBank.

    FORMAT (chat, claude-code, locomo, memorybank) is recognised when left out. Importing the same source again adds
    nothing twice; secrets are taken out before anything is written.

    Example: mnemic import chat talks.jsonl
    """
    if len(source) > 2:  # noqa: PLR2004 - FORMAT and PATH
        raise click.UsageError("Give one PATH, or a FORMAT and a PATH.")
    *format_, path = source
    with failures(stopped=STOPPED_HALFWAY):
        app = session.app()
        with progress_bar(quiet=as_json) as progress:
            done = app.import_sessions(
                Path(path),
                format_=format_[0] if format_ else "",
                dry_run=dry_run,
                embed=not no_embed,
                progress=progress,
            )
    if as_json:
        echo_json(ingested_json(done))
    else:
        _render(done)
    if done.report.refused_count:
        sys.exit(FOUND_NOTHING)


def ingested_json(done: Ingested) -> dict[str, object]:
    """The stable JSON of an import."""
    report = done.report
    return {
        "sessions": report.sessions,
        "turns": report.turns,
        "added": done.added,
        "known": done.known,
        "conflicts": done.conflicts,
        "redacted": dict(done.redacted),
        "dry_run": done.dry_run,
        "refused": [
            {"path": remark.path, "line": remark.line, "code": remark.code, "why": remark.why}
            for remark in report.refused
        ],
        "refused_count": report.refused_count,
        "mended": [
            {"path": remark.path, "line": remark.line, "code": remark.code, "why": remark.why}
            for remark in report.mended
        ],
        "mended_count": report.mended_count,
        "counts": dict(report.counts),
    }


def _render(done: Ingested) -> None:
    from mnemic.entry.cli.columns import counted

    report = done.report
    would = "Would add" if done.dry_run else "Added"
    sessions = counted(report.sessions, "session")
    click.echo(f"{would} {counted(done.added, 'turn')} in {sessions}; {done.known:,} were there already.")
    for name, count in done.redacted.items():
        click.echo(f"  redacted {count} × {name}")
    for name, count in report.counts.items():
        click.echo(f"  {count:,} × {name}")
    for title, remarks, count in (
        ("Refused", report.refused, report.refused_count),
        ("Mended", report.mended, report.mended_count),
    ):
        if count:
            click.echo(f"{title} {counted(count, 'line')}:")
            for remark in remarks[:10]:
                click.echo(f"  {remark}")
            if count > 10:  # noqa: PLR2004 - as many as a screen likes
                click.echo("  … the others with --json")
