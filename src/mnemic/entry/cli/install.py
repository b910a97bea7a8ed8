"""`mnemic install`."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mnemic.entry.cli.session import WIDTH, CliSession, echo_json, failures
from mnemic.errors import BundleNotFoundError

if TYPE_CHECKING:
    from mnemic.entry.install.plan import Change, Plan

_NAMES: Final = ("claude-code", "codex", "cursor", "opencode", "pi")
_DONE: Final = {"create": "Made", "change": "Changed", "remove": "Removed", "none": "Left"}
_WOULD: Final = {"create": "Would make", "change": "Would change", "remove": "Would remove", "none": "Would leave"}


@click.command()
@click.argument("client", type=click.Choice(_NAMES))
@click.option("--dry-run", is_flag=True, help="Show the changes as a diff, and write nothing.")
@click.option("--uninstall", is_flag=True, help="Take out exactly what was put in.")
@click.option("--user", "for_user", is_flag=True, help="For all your projects (the default).")
@click.option("--project", metavar="DIR", type=click.Path(path_type=Path), help="For the project in DIR only.")
@click.option("--bundle", metavar="DIR", help="The bundle that the client is to use (else found anew each time).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def install(  # noqa: PLR0913, PLR0917 - one parameter an option
    session: CliSession,
    /,
    client: str,
    dry_run: bool,
    uninstall: bool,
    for_user: bool,
    project: Path | None,
    bundle: str | None,
    as_json: bool,
) -> None:
    """Connect a coding agent: hooks, MCP server and skill.

    Settings of yours stay as they are, to the letter.

    Example: mnemic install claude-code --dry-run
    """
    from mnemic.entry.install.apply import apply

    if for_user and project is not None:
        raise click.UsageError("--user and --project exclude each other.")
    if project is not None and not project.is_dir():
        raise click.BadParameter(f"there is no folder {project}", param_hint="--project")
    with failures():
        plan = _planned(client, project, bundle or session.bundle or "", remove=uninstall)
        if not dry_run:
            apply(plan, within=project)
    if as_json:
        echo_json(_plan_json(plan, project, dry_run=dry_run))
    else:
        _render(plan, project, dry_run=dry_run)


def _planned(name: str, project: Path | None, bundle: str, *, remove: bool) -> Plan:
    from mnemic.entry.install.clients import CLIENTS
    from mnemic.entry.install.marks import find_programs
    from mnemic.entry.install.plan import Target, plan

    if bundle:
        if not Path(bundle).expanduser().is_dir():
            raise BundleNotFoundError(bundle)
        bundle = str(Path(bundle).expanduser().absolute())
    target = Target(
        home=Path.home(),
        project=None if project is None else project.absolute(),
        environment=dict(os.environ),
        programs=find_programs(bundle),
    )
    return plan(CLIENTS[name](target), remove=remove)


def _plan_json(plan: Plan, project: Path | None, *, dry_run: bool) -> dict[str, object]:
    """The stable JSON of an installation."""
    return {
        "client": plan.client.name,
        "scope": "user" if project is None else "project",
        "uninstall": plan.removes,
        "dry_run": dry_run,
        "files": [
            {"path": str(change.path), "what": change.what, "action": change.action, "diff": change.diff()}
            for change in plan.changes
        ],
        "next": list(_next_steps(plan)),
    }


def _render(plan: Plan, project: Path | None, *, dry_run: bool) -> None:
    words = _WOULD if dry_run else _DONE
    if dry_run:
        from mnemic.entry.install.plan import shown_diff

        for change in plan.changed:
            click.echo(shown_diff(change), nl=False)
    if not plan.changed:
        state = "is not installed" if plan.removes else "is installed already"
        click.echo(f"mnemic {state} for {plan.client.title}; nothing to change.")
        return
    for change in plan.changed:
        click.echo(f"{words[change.action]} {_shown(change)}")
    if dry_run:
        click.echo("Nothing was written. Without --dry-run it is.")
        return
    for step in _next_steps(plan):
        _wrapped(step)
    if not plan.removes:
        where = "" if project is None else f" --project {project}"
        _wrapped(f"To undo: mnemic install {plan.client.name} --uninstall{where}")


def _next_steps(plan: Plan) -> tuple[str, ...]:
    if not plan.changed:
        return ()
    if plan.removes:
        return (f"Start {plan.client.title} anew. Your memories are where they were.",)
    return plan.client.next_steps


def _shown(change: Change) -> str:
    """A file and what is in it, on one line of a terminal or two."""
    path = str(change.path)
    home = str(Path.home())
    if path.startswith(home + os.sep):
        path = "~" + path[len(home) :]
    line = f"{path}: {change.what}"
    return line if len(line) <= WIDTH - len("Would change ") else f"{path}\n    {change.what}"


def _wrapped(text: str) -> None:
    click.echo("\n".join(textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False)))
