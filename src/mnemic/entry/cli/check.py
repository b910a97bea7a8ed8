"""`mnemic check`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import FOUND_NOTHING, CliSession, echo_json, failures

if TYPE_CHECKING:
    from mnemic.domain.documents import CheckReport, Problem

_SHOWN = 100


@click.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended; originals are kept in .recovery/.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def check(session: CliSession, /, repair: bool, as_json: bool) -> None:
    """Look for mistakes in the bundle's files, each with file and line.

    Exit status 0: healthy, 1: problems are left. Example: mnemic check --repair
    """
    with failures():
        report = session.app().check(repair=repair)
    if as_json:
        echo_json(report_json(report))
    else:
        _render(report)
    if not report.healthy:
        sys.exit(FOUND_NOTHING)


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
    for title, problems in (("Mended", report.repaired), ("Problem", report.problems)):
        for problem in problems[:_SHOWN]:
            where = f"{problem.path}:{problem.line}" if problem.line else problem.path
            mark = click.style(title, fg="green" if title == "Mended" else "red")
            click.echo(f"{mark}  {where}\n    {problem.message}")
        if len(problems) > _SHOWN:
            click.echo(f"… and {len(problems) - _SHOWN:,} more; all of them with --json")
    if report.recovered_copies:
        click.echo(f"Originals are kept: {', '.join(report.recovered_copies[:5])}")
    left = len(report.problems)
    verdict = "healthy" if report.healthy else f"{left:,} problem{'s' * (left != 1)}"
    click.echo(f"{report.documents:,} documents, {verdict}.")
    if any(problem.repairable for problem in report.problems):
        click.echo("Some of it can be mended: mnemic check --repair")
