"""`mnemic recall`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from mnemic.entry.cli.session import FOUND_NOTHING, CliSession, echo_json, failures, note, text_argument
from mnemic.entry.cli.times import known_by, moment
from mnemic.errors import InvalidMemoryError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

    from mnemic.domain.entries import Where
    from mnemic.domain.results import Answer, Hit

_WIDTH = 80
_WORTH_A_LOOK = 0.005
"""Below half a percent a result is only for programs."""
_SHOWN = 0.0005
"""What three decimals show as more than nothing."""


@click.command()
@click.argument("query")
@click.option("-k", "limit", type=click.IntRange(1, 1000), help="At most so many results.")
@click.option("--kind", "kinds", multiple=True, help="Only memories of this kind; may be given again.")
@click.option("--tag", "tags", multiple=True, help="Only memories with one of these tags.")
@click.option("--memories/--sessions", "memories", default=None, help="Only memories, or only conversations.")
@click.option("--at", "valid_at", metavar="DATE", help="What was so in the world then.")
@click.option("--as-of", metavar="DATE", help="What we had been told by then; a date alone includes the day.")
@click.option("--now", metavar="DATE", help="Read words like 'last week' as of this day.")
@click.option("--state", "states", multiple=True, help="Also superseded, archived, quarantined ones.")
@click.option("--by-session", is_flag=True, help="Whole conversations instead of single turns.")
@click.option("--profile", help="default, fields or resonance.")
@click.option("--explain", is_flag=True, help="Show what each channel added, and the weights.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_obj
def recall(session: CliSession, /, query: str, explain: bool, as_json: bool, **given: object) -> None:
    """Find what matters for QUERY (`-` reads standard input), in any language.

    Example: mnemic recall "what does Anna drink?" --explain
    """
    profile = None if given["profile"] is None else str(given["profile"])
    with failures():
        asked = text_argument(query)
        if not asked.strip():
            raise InvalidMemoryError("query", "it is empty", hint="Ask something: words, a #name, a day.")
        app = session.app()
        where = _where(given, app.bundle.zone)
        now = moment(given["now"], app.bundle.zone) or app.bundle.clock.now()
        answer = app.recall(
            asked,
            k=given["limit"],  # type: ignore[arg-type]  # click checked it
            where=where,
            now=now,
            profile=profile,
            unit="session" if given["by_session"] else "entry",
        )
    if as_json:
        echo_json(answer_json(answer))
    else:
        reader = _Reader(app.bundle.zone, app.places(), where.as_of or now, explain=explain)
        _render(answer, reader)
        if explain:
            click.echo("\n" + "\n".join(app.explained_weights(profile)))
    if not answer.hits:
        sys.exit(FOUND_NOTHING)


def _where(given: dict[str, object], zone: tzinfo) -> Where:
    from mnemic.domain.entries import Source, Where
    from mnemic.domain.memory import State

    wanted = tuple(map(str, given["states"]))  # type: ignore[call-overload]
    if unknown := [name for name in wanted if name not in tuple(State)]:
        raise InvalidMemoryError("state", f"{unknown[0]!r} is no state", hint=f"One of: {', '.join(State)}")
    only = given["memories"]
    return Where(
        kinds=tuple(given["kinds"]),  # type: ignore[arg-type]
        tags=tuple(given["tags"]),  # type: ignore[arg-type]
        sources=() if only is None else (Source.MEMORY,) if only else (Source.TURN,),
        states=tuple(map(State, wanted)) or (State.ACTIVE,),
        valid_at=moment(given["valid_at"], zone),
        as_of=known_by(given["as_of"], zone),
    )


def answer_json(answer: Answer) -> dict[str, object]:
    """The stable JSON of a recall; docs/reference/json.md is its contract."""
    return {
        "query": answer.query,
        "results": [hit_json(hit) for hit in answer.hits],
        "abstained": answer.abstained,
        "degraded": list(answer.degraded),
        "left_out": dict(answer.left_out),
        "took_ms": round(answer.took_ms, 3),
    }


def hit_json(hit: Hit) -> dict[str, object]:
    """One result."""
    from mnemic.domain.instants import format_instant
    from mnemic.entry.cli.show import citation_json, outcome_json

    return {
        "id": hit.reference,
        "kind": hit.kind,
        "score": round(hit.score, 6),
        "probability": round(hit.probability, 4),
        "channels": {name: round(value, 6) for name, value in hit.channels.items()},
        "title": hit.title,
        "snippet": hit.snippet,
        "when": format_instant(hit.when),
        "valid_until": None if hit.valid_until is None else format_instant(hit.valid_until),
        "source": {"path": hit.source.path, "line": hit.source.line},
        "state": hit.state,
        "outcome": None if hit.outcome is None else outcome_json(hit.outcome),
        "citation": None if hit.citation is None else citation_json(hit.citation),
        "provenance": {"origin": hit.origin or None, "authority": hit.authority, "verified": hit.verified},
        "tokens": hit.tokens,
    }


@dataclass(frozen=True, slots=True)
class _Reader:
    """Whom results are shown to: the zone days are told in, where bundles are, and the moment of knowing."""

    zone: tzinfo
    places: Mapping[str, str]
    moment: datetime
    explain: bool


def _render(answer: Answer, reader: _Reader) -> None:
    """Results for a person, 80 columns wide."""
    if not answer.hits:
        click.echo("Nothing remembered about this.")
    shown = [hit for hit in answer.hits if hit.probability >= _WORTH_A_LOOK] or list(answer.hits[:1])
    for number, hit in enumerate(shown, 1):
        if number > 1:
            click.echo()
        _render_hit(number, hit, reader)
    if len(shown) < len(answer.hits):
        click.echo(f"\n… and {len(answer.hits) - len(shown)} that hardly fit; all of them with --json")
    for text in answer.degraded:
        note(text)


def _render_hit(number: int, hit: Hit, reader: _Reader) -> None:
    from mnemic.entry.cli.columns import plain, wrapped
    from mnemic.entry.cli.times import day

    zone, explain = reader.zone, reader.explain
    name = hit.reference
    click.echo(f"{number:>2}. {click.style(name, bold=True)}")
    facts = [plain(hit.kind), day(hit.when, zone), f"{hit.probability:.0%} sure"]
    if hit.valid_until is not None:
        facts.append(f"{'PAST, ' if hit.valid_until <= reader.moment else ''}until {day(hit.valid_until, zone)}")
    if hit.state != "active":
        facts.append(str(hit.state).upper())
    click.echo(f"    {click.style(' · '.join(facts), dim=True)}")
    _render_doubts(hit, explain=explain)
    if hit.title and not hit.snippet.startswith(hit.title):
        click.echo("\n".join(f"    {line}" for line in wrapped(hit.title, _WIDTH - 6, most=1)))
    for line in wrapped(hit.snippet, _WIDTH - 6, most=4):
        click.echo(f"    {line}")
    if explain:
        why = " + ".join(f"{channel} {value:.3f}" for channel, value in hit.channels.items() if abs(value) >= _SHOWN)
        for line in wrapped(f"= {hit.score:.3f} = {why}", _WIDTH - 6):
            click.echo(click.style(f"    {line}", fg="cyan"))
        verified = "verified" if hit.verified else "not verified"
        trust = f"{hit.origin or 'origin unknown'}, believed {hit.authority:g}, {verified}"
        click.echo(click.style(f"    {trust}", fg="cyan"))
        place = reader.places.get(hit.bundle, "")
        click.echo(click.style(f"    {place}{hit.source.path}:{hit.source.line}  {hit.tokens} tokens", fg="cyan"))


def _render_doubts(hit: Hit, *, explain: bool) -> None:
    """What came of it, and whether its source still says so."""
    from mnemic.entry.cli.columns import wrapped

    if hit.outcome is not None:
        failed = hit.outcome.result == "failed"
        for line in wrapped(hit.outcome.told, _WIDTH - 6):
            click.echo(click.style(f"    {line}", fg="red" if failed else None, bold=failed))
    if hit.citation is not None and (explain or hit.citation.stale):
        stale = "STALE: " if hit.citation.stale else ""
        for line in wrapped(f"{stale}cites {hit.citation.told}", _WIDTH - 6):
            click.echo(click.style(f"    {line}", fg="yellow" if stale else "cyan"))
