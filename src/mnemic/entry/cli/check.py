"""`mnemic check`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import FOUND_NOTHING, CliSession, echo_json, failures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mnemic.domain.contradictions import Contradiction
    from mnemic.domain.documents import CheckReport, Problem

_SHOWN = 100


@click.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended; originals are kept in .recovery/.")
@click.option("--contradictions", is_flag=True, help="List the memories that contradict each other, or may.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def check(session: CliSession, /, repair: bool, contradictions: bool, as_json: bool) -> None:
    """Look for mistakes in the bundle's files, each with file and line.

    With --contradictions look at what they say instead. Exit status 0: nothing found, 1: something is left.

    Example: mnemic check --repair
    """
    if contradictions:
        if repair:
            raise click.UsageError("--contradictions are settled by a person: it goes without --repair.")
        _check_contradictions(session, as_json=as_json)
        return
    with failures():
        report = session.app().check(repair=repair)
    if as_json:
        echo_json(report_json(report))
    else:
        _render(report)
    if not report.healthy:
        sys.exit(FOUND_NOTHING)


def _check_contradictions(session: CliSession, *, as_json: bool) -> None:
    """Instead of the files, look at what they say."""
    with failures():
        found = session.app().contradictions()
    if as_json:
        echo_json({"contradictions": [_contradiction_json(each) for each in found]})
    else:
        _render_contradictions(found)
    if found:
        sys.exit(FOUND_NOTHING)


def _contradiction_json(found: Contradiction) -> dict[str, object]:
    return {
        "code": found.doubt,
        "how": found.how,
        "one": {"id": found.one.id, "text": found.one.text},
        "other": {"id": found.other.id, "text": found.other.text},
    }


def _render_contradictions(found: Sequence[Contradiction]) -> None:
    from mnemic.domain.contradictions import Doubt
    from mnemic.entry.cli.remember import opposed_lines

    for each in found[:_SHOWN]:
        sure = each.doubt is Doubt.CONTRADICTION
        title = "Contradiction" if sure else f"May contradict ({each.how})"
        click.echo(click.style(title, fg="red" if sure else "yellow"))
        for line in (*opposed_lines(each.one), *opposed_lines(each.other)):
            click.echo(f"  {line}")
    if len(found) > _SHOWN:
        click.echo(f"… and {len(found) - _SHOWN:,} more; all of them with --json")
    certain = sum(each.doubt is Doubt.CONTRADICTION for each in found)
    click.echo(f"{certain:,} contradicting, {len(found) - certain:,} that may contradict.")
    if found:
        click.echo("To settle one:")
        click.echo("  mnemic edit ID --supersedes OTHER_ID     OTHER_ID is no longer so")
        click.echo("  mnemic edit ID --valid-until DATE        it was so until then")


def report_json(report: CheckReport) -> dict[str, object]:
    """The stable JSON of a check."""
    return {
        "healthy": report.healthy,
        "documents": report.documents,
        "problems": [_problem_json(problem) for problem in report.problems],
        "repaired": [_problem_json(problem) for problem in report.repaired],
        "recovered_copies": list(report.recovered_copies),
    }


def _problem_json(problem: Problem) -> dict[str, object]:
    return {
        "path": problem.path,
        "line": problem.line,
        "code": problem.code,
        "message": problem.message,
        "repairable": problem.repairable,
    }


def _render(report: CheckReport) -> None:
    from mnemic.entry.cli.columns import counted, plain

    for title, problems in (("Mended", report.repaired), ("Problem", report.problems)):
        for problem in problems[:_SHOWN]:
            where = f"{problem.path}:{problem.line}" if problem.line else problem.path
            mark = click.style(title, fg="green" if title == "Mended" else "red")
            click.echo(f"{mark}  {plain(where)}\n    {plain(problem.message)}")
        if len(problems) > _SHOWN:
            click.echo(f"… and {len(problems) - _SHOWN:,} more; all of them with --json")
    if report.recovered_copies:
        click.echo(f"Originals are kept: {', '.join(report.recovered_copies[:5])}")
    left = len(report.problems)
    verdict = "healthy" if report.healthy else counted(left, "problem")
    click.echo(f"{counted(report.documents, 'document')}, {verdict}.")
    if any(problem.repairable for problem in report.problems):
        click.echo("Some of it can be mended: mnemic check --repair")
