"""`mnemic bench`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from mnemic.entry.cli.progress import progress_bar
from mnemic.entry.cli.session import FOUND_NOTHING, CliSession, echo_json, failures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mnemic.bench.bundles import Workshop
    from mnemic.bench.protocol import Report

Given = ParamSpec("Given")
Result = TypeVar("Result")

_FILE = click.Path(path_type=Path, dir_okay=False)
_as_json = click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
_details = click.option("--details", type=_FILE, help="Also write a JSON line a question to this file.")
_seed = click.option("--seed", type=int, default=7, show_default=True, help="Of everything that is drawn by lot.")


def _measuring(command: Callable[Given, Result]) -> Callable[Given, Result]:
    """The options that say with what is measured."""
    options = (
        click.option("--no-local", is_flag=True, help="Measure without vectors, by words alone."),
        click.option("--cache", type=_FILE, help="Where vectors are kept between runs (else in your cache folder)."),
        click.option("--fresh", is_flag=True, help="Neither use nor keep vectors of other runs."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group()
def bench() -> None:
    """Measure recall and speed with figures that can be checked."""


@bench.command()
@click.argument("file", type=_FILE)
@click.option("--abstain", is_flag=True, help="Also ask each question of another conversation: nothing is right there.")
@_measuring
@_details
@_seed
@_as_json
@click.pass_obj
def locomo(session: CliSession, /, file: Path, abstain: bool, as_json: bool, **given: object) -> None:
    """Recall of turns and sessions, from FILE in the shape of LoCoMo.

    Example: mnemic bench locomo locomo10.json --abstain
    """
    from mnemic.bench import locomo as bench_locomo

    with failures(), progress_bar(quiet=as_json) as progress:
        report = bench_locomo.measure(
            file,
            _workshop(session, given),
            elsewhere=int(str(given["seed"])) if abstain else None,
            details=_path(given["details"]),
            progress=progress,
        )
    _show(report, as_json=as_json)


@bench.command()
@click.argument("file", type=_FILE)
@click.option("--budget", type=click.IntRange(100), default=2_000, show_default=True, help="Tokens of a capsule.")
@_measuring
@_as_json
@click.pass_obj
def capsule(session: CliSession, /, file: Path, budget: int, as_json: bool, **given: object) -> None:
    """Evidence inside an agent's context, from FILE in the shape of LoCoMo.

    Example: mnemic bench capsule locomo10.json --budget 2000
    """
    from mnemic.bench import capsule as bench_capsule

    with failures(), progress_bar(quiet=as_json) as progress:
        report = bench_capsule.measure(file, _workshop(session, given), budget=budget, progress=progress)
    _show(report, as_json=as_json)


@bench.command()
@click.argument("file", type=_FILE)
@_measuring
@_details
@_as_json
@click.pass_obj
def pairs(session: CliSession, /, file: Path, as_json: bool, **given: object) -> None:
    """Recall of notes by questions in other words, within and across languages.

    Example: mnemic bench pairs benchmarks/data/pairs-dev.json
    """
    from mnemic.bench import pairs as bench_pairs

    with failures(), progress_bar(quiet=as_json) as progress:
        workshop = _workshop(session, given)
        report = bench_pairs.measure(file, workshop, details=_path(given["details"]), progress=progress)
    _show(report, as_json=as_json)


@bench.command()
@click.argument("files", type=_FILE, nargs=-1, required=True, metavar="FILE...")
@_measuring
@_as_json
@click.pass_obj
def xquad(session: CliSession, /, files: tuple[Path, ...], as_json: bool, **given: object) -> None:
    """Recall of paragraphs, from files in SQuAD's shape, one a language.

    The language is the last part of a name.

    Example: mnemic bench xquad xquad.en.json xquad.ru.json
    """
    from mnemic.bench import xquad as bench_xquad

    with failures(), progress_bar(quiet=as_json) as progress:
        report = bench_xquad.measure(files, _workshop(session, given), progress=progress)
    _show(report, as_json=as_json)


@bench.command()
@click.argument("file", type=_FILE)
@click.option("-k", "limit", type=click.IntRange(1, 1000), help="How many results count (else the setting recall.k).")
@click.option(
    "--min", "least", type=click.FloatRange(0, 100), help="Exit status 1 when any@k is below this percentage."
)
@_as_json
@click.pass_obj
def golden(session: CliSession, /, file: Path, limit: int | None, least: float | None, as_json: bool) -> None:
    """Your own questions in FILE, asked of your own bundle.

    Example: mnemic bench golden questions.json --min 90
    """
    from mnemic.bench import golden as bench_golden

    with failures(), progress_bar(quiet=as_json) as progress:
        report = bench_golden.measure(file, session.app(), k=limit, progress=progress)
    _show(report, as_json=as_json)
    reached = report.figures[bench_golden.headline(report)]
    if least is not None and (not isinstance(reached, float) or reached < least):
        sys.exit(FOUND_NOTHING)


@bench.command()
@click.option("--n", "count", type=click.IntRange(20), default=5_000, show_default=True, help="Memories in the bundle.")
@click.option("--turns", is_flag=True, help="Turns of conversations in place of memories.")
@click.option("--fake-vectors", is_flag=True, help="Random vectors for the texts; queries are embedded all the same.")
@click.option(
    "--only", "parts", multiple=True, help="recall, process, open, write, rebuild, import; may be given again."
)
@click.option("--queries", type=click.IntRange(10), default=60, show_default=True, help="Different warm queries.")
@click.option("--rounds", type=click.IntRange(3), default=15, show_default=True, help="Runs of everything else.")
@click.option("--import-turns", type=click.IntRange(1), default=100_000, show_default=True, help="Turns of the import.")
@_measuring
@_seed
@_as_json
@click.pass_obj
def scale(session: CliSession, /, count: int, turns: bool, fake_vectors: bool, as_json: bool, **given: object) -> None:
    """Speed and memory at a size, as ratios to the bare minimum on the same machine.

    Example: mnemic bench scale --n 5000
    """
    from mnemic.bench import scale as bench_scale

    parts: tuple[str, ...] = tuple(given["parts"]) or bench_scale.PARTS  # type: ignore[arg-type]
    if unknown := set(parts) - set(bench_scale.PARTS):
        raise click.UsageError(f"There is no part {min(unknown)}. There are: {', '.join(bench_scale.PARTS)}")
    plan = bench_scale.Plan(
        n=count,
        turns=turns,
        random_vectors=fake_vectors,
        parts=parts,
        **{name: int(str(given[name])) for name in ("queries", "rounds", "import_turns", "seed")},
    )
    with failures(), progress_bar(quiet=as_json) as progress:
        report = bench_scale.measure(plan, _workshop(session, given), progress)
    _show(report, as_json=as_json)


def _workshop(session: CliSession, /, given: dict[str, object]) -> Workshop:
    from mnemic.bench.bundles import LEXICAL_ONLY, Workshop, default_cache

    return Workshop(
        overrides=(*session.overrides, *([LEXICAL_ONLY] if given["no_local"] else [])),
        cache=None if given["fresh"] else _path(given["cache"]) or default_cache(),
    )


def _path(given: object) -> Path | None:
    assert given is None or isinstance(given, Path)
    return given


def _show(report: Report, *, as_json: bool) -> None:
    if as_json:
        echo_json(report.as_json())
    else:
        click.echo("\n".join(_lines(report.as_json())))


def _lines(figures: Mapping[str, object], indent: int = 0) -> list[str]:
    """Names and values: plain values beside each other, what holds others below its name."""
    lines: list[str] = []
    for name, value in figures.items():
        start = f"{'':{indent}}{name}"
        match value:
            case None | "" | () | []:
                continue
            case dict() if not all(map(_is_short, value.values())):
                lines += [start, *_lines(value, indent + 2)]
            case dict():
                row = "  ".join(f"{key} {_text(inner)}".replace(" ", _HARD) for key, inner in value.items())
                lines += _wrapped(start, row) if value else []
            case list() | tuple() if not isinstance(value[0], int | float):
                lines += [start, *(line for item in value for line in _wrapped(f"{'':{indent + 2}}-", _text(item)))]
            case _:
                lines += _wrapped(start, _text(value))
    return lines


_WIDTH = 80
_NAME_WIDTH = 22
_HARD = "\0"
"""Stands for a blank at which no line may end."""


def _is_short(value: object) -> bool:
    return not isinstance(value, dict | list | tuple) and len(str(value)) < _NAME_WIDTH


def _wrapped(start: str, text: str) -> list[str]:
    """The text beside its name, further lines below its beginning."""
    import textwrap

    first = f"{start} " if start.endswith("-") else f"{start:<{_NAME_WIDTH}} "
    lines = textwrap.wrap(
        text, _WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_long_words=False
    )
    return [line.replace(_HARD, " ") for line in lines] or [start]


def _text(value: object) -> str:
    match value:
        case {"why": why, "count": count}:
            return f"{count} × {why}"
        case dict():
            return ", ".join(f"{key} {_text(inner)}" for key, inner in value.items())
        case list() | tuple():
            return ", ".join(map(_text, value))
        case None:
            return "–"
        case _:
            return str(value)
