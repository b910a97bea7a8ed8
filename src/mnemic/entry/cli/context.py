"""`mnemic context`: what an agent would be given before it answers a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import WIDTH, CliSession, echo_json, failures, note, text_argument

if TYPE_CHECKING:
    from mnemic.domain.capsule import Capsule


@click.command(epilog='Example: mnemic context "what does Anna drink?" --budget 1000')
@click.argument("message", default="")
@click.option("--slot", "slots", type=click.Choice(["system", "turn", "prefix"]), multiple=True, help="Only this part.")
@click.option("--budget", type=click.IntRange(min=100), help="Tokens for everything together.")
@click.option("--facts", type=click.IntRange(min=0), help="At most so many facts.")
@click.option("--pin", "pins", metavar="ID", multiple=True, help="This memory whole, whatever the message.")
@click.option("--language", default="", help="Of the marker lines, like de; else the message's.")
@click.option("--explain", is_flag=True, help="What is in it and what was left out, and why.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def context(  # noqa: PLR0913 - one parameter an option
    session: CliSession,
    *,
    message: str,
    slots: tuple[str, ...],
    budget: int | None,
    facts: int | None,
    pins: tuple[str, ...],
    language: str,
    explain: bool,
    as_json: bool,
) -> None:
    """Print what an agent would be given before it answers MESSAGE (- reads it from standard input).

    Nothing is recorded as delivered: this is for looking.
    """
    with failures():
        from mnemic.domain.capsule import Slot

        capsule = session.app().context(
            text_argument(message),
            slots=[Slot(slot) for slot in slots] or None,
            budget=budget,
            facts=facts,
            pins=pins,
            language=language,
            record=False,
        )
        if as_json:
            echo_json(_as_json(capsule))
            return
        click.echo(capsule.text)
        if explain:
            _explain(capsule)
        for missing in capsule.degraded:
            note(missing)


def _explain(capsule: Capsule) -> None:
    from mnemic.entry.cli.columns import hanging

    click.echo(f"\n{capsule.tokens} of {capsule.budget} tokens")
    for item in capsule.items:
        head = f"  {item.slot:<7} {item.why:<12} {item.tokens:>5}  "
        click.echo("\n".join(hanging(head, item.id, WIDTH)))
    for left in capsule.left_out:
        cost = str(left.tokens) if left.tokens else ""
        head = f"  left out: {left.why:<16} {cost:>5}  "
        click.echo("\n".join(hanging(head, left.id, WIDTH)))


def _as_json(capsule: Capsule) -> dict[str, object]:
    return {
        "system": capsule.system,
        "turn": capsule.turn,
        "prefix": capsule.prefix,
        "tokens": capsule.tokens,
        "budget": capsule.budget,
        "language": capsule.language,
        "items": [{"id": item.id, "slot": item.slot, "why": item.why, "tokens": item.tokens} for item in capsule.items],
        "left_out": [
            {"id": left.id, "slot": left.slot, "why": left.why, "tokens": left.tokens} for left in capsule.left_out
        ],
        "degraded": list(capsule.degraded),
    }
