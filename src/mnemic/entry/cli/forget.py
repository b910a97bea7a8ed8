"""`mnemic forget`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import FOUND_NOTHING, WIDTH, CliSession, echo_json, failures, note

if TYPE_CHECKING:
    from mnemic.app import App
    from mnemic.domain.erasure import Preview, Wishes
    from mnemic.errors import ConfirmationError
    from mnemic.services.erasing.forget import Forgotten


@click.command()
@click.argument("wanted", metavar="[ID]", default="")
@click.option("--subject", default="", metavar="TEXT", help="All that names this, instead of one ID.")
@click.option("--confirm", default="", metavar="ID", help="The same id (or subject) again.")
@click.option("--with-session-quotes", "quotes", is_flag=True, help="Also turns that it quotes, or that say the same.")
@click.option("--derived", is_flag=True, help="Also memories that were made from it.")
@click.option("--past", is_flag=True, help="Keep the memory; forget what it said earlier.")
@click.option("--receipt", default="", metavar="FILE", help="Write the receipt into a new file, as JSON.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def forget(  # noqa: PLR0913 - one parameter an option
    session: CliSession,
    /,
    *,
    wanted: str,
    subject: str,
    confirm: str,
    quotes: bool,
    derived: bool,
    past: bool,
    receipt: str,
    as_json: bool,
) -> None:
    """Remove a memory, a session or a turn for good, and show a receipt; without --confirm, what would go.

    Example: mnemic forget notes/old-idea --confirm notes/old-idea
    """
    from mnemic.domain.erasure import Wishes
    from mnemic.errors import ConfirmationError

    if bool(wanted) == bool(subject):
        raise click.UsageError("Name one id, or a --subject.")
    if past and subject:
        raise click.UsageError("--past is for one memory, not for a subject.")
    with failures():
        _check_free(receipt)
        app = session.app()
        wishes = Wishes(with_session_quotes=quotes, derived=derived, past=past)
        try:
            done = _forgotten(app, wanted, subject, confirm, wishes, as_json=as_json)
        except ConfirmationError as error:
            error.hint += _same(wishes, receipt)
            raise
        if receipt:
            from mnemic.app.forgetting import write_receipt

            write_receipt(Path(receipt), done.receipt)
    if as_json:
        _echo_done(done)
    else:
        _tell(done)


def _forgotten(app: App, wanted: str, subject: str, confirm: str, wishes: Wishes, *, as_json: bool) -> Forgotten:  # noqa: PLR0913
    """What was forgotten; what would be is shown where that was not confirmed, and then it is refused."""
    from mnemic.errors import ConfirmationError

    try:
        if subject:
            return app.forgetting.subject(subject, confirm=confirm, wishes=wishes)
        return app.forget(wanted, confirm=confirm, wishes=wishes)
    except ConfirmationError as error:
        shown = app.forgetting.preview_subject(subject) if subject else app.forgetting.preview(wanted, wishes)
        _refuse(error, shown, wishes, subject, as_json=as_json)
        raise


def _refuse(error: ConfirmationError, preview: Preview, wishes: Wishes, subject: str, *, as_json: bool) -> None:
    """Show what would go, and say how that is confirmed."""
    import shlex

    from mnemic.entry.cli.erased import preview_json, preview_lines

    if subject and not (preview.memories or preview.deleted or preview.earlier or preview.turns):
        if as_json:
            echo_json({"would_forget": preview_json(preview)})
        click.echo("Nothing names it as a whole word.", err=True)
        for text in preview.notes:
            note(text)
        sys.exit(FOUND_NOTHING)
    if subject:
        quoted = shlex.quote(subject)
        error.hint = f"Look at the list, then repeat the subject: mnemic forget --subject {quoted} --confirm {quoted}"
    if as_json:
        echo_json({"would_forget": preview_json(preview)})
    else:
        shown = preview_lines(preview, derived=wishes.derived, quotes=wishes.with_session_quotes)
        click.echo("\n".join(shown), err=True)  # nothing was done, so nothing is said where a result would be
        for text in preview.notes:
            note(text)


def _same(wishes: Wishes, receipt: str) -> str:
    """The options once more, for the command that confirms: without them it would forget something else."""
    import shlex

    options = {"--past": wishes.past, "--derived": wishes.derived, "--with-session-quotes": wishes.with_session_quotes}
    words = [name for name, wished in options.items() if wished]
    return "".join(f" {word}" for word in (*words, *(("--receipt", shlex.quote(receipt)) if receipt else ())))


def _check_free(receipt: str) -> None:
    """Before anything is removed: afterwards it would be too late to say that there is no place for it."""
    from mnemic.errors import WriteFailedError

    path = Path(receipt)
    if receipt and path.exists():
        raise WriteFailedError(
            receipt, "there is a file already; nothing was removed", hint="Name a file that does not exist yet."
        )
    if receipt and not path.absolute().parent.is_dir():
        raise WriteFailedError(
            receipt, "there is no such folder; nothing was removed", hint="Make the folder, or name another."
        )


def _echo_done(done: Forgotten) -> None:
    from mnemic.app.forgetting import receipt_json
    from mnemic.entry.cli.erased import preview_json

    offered = preview_json(done.offered)
    echo_json(
        {
            "forgotten": list(done.ids),
            "earlier": list(done.earlier),
            "turns": done.turns,
            "left": list(done.left),
            "notes": list(done.notes),
            "offered": {name: offered[name] for name in ("derived", "quotes", "elsewhere")},
            "receipt": receipt_json(done.receipt),
        }
    )


def _tell(done: Forgotten) -> None:
    from mnemic.entry.cli.columns import counted, wrapped
    from mnemic.entry.cli.erased import offered_lines, receipt_lines

    turns = f" ({counted(done.turns, 'turn')})" if done.turns else ""
    if done.ids or not done.earlier:
        click.echo("\n  ".join(wrapped(f"Forgot {', '.join(done.ids) or 'nothing'}{turns}.", WIDTH - 2)))
        turns = ""
    if done.earlier:
        stay = "the memory stays" if len(done.earlier) == 1 else "the memories stay"
        click.echo(
            "\n  ".join(wrapped(f"Forgot what {', '.join(done.earlier)} said earlier{turns}; {stay}.", WIDTH - 2))
        )
    for text in done.notes:
        note(text)
    for why in done.left:
        note(f"Removed, but {why} The next command tries again.")
    for line in (*offered_lines(done.offered, derived=False, quotes=False), *receipt_lines(done.receipt)):
        click.echo(line)
