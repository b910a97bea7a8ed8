"""Draw the two pictures of docs/explanation/trust.md: a chain of corrections, and the two axes of time.

python tools/trust_pictures.py docs/pictures

What is drawn comes out of a bundle: the story below is told to mnemic day by day, and the boxes are what it answers.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft
from mnemic.domain.memory import State

PAPER, INK, PALE, LINE = "#ffffff", "#1f2328", "#656d76", "#d0d7de"
ACTIVE, PAST = "#1a7f37", "#8c959f"
FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
MOVED = [
    ("2024-02-10", "2020-01-01", "Anna lives in Oslo."),
    ("2024-06-03", "2024-05-01", "Anna lives in Bergen."),
    ("2025-03-20", "2025-03-01", "Anna lives in Tromsø."),
]


@dataclass
class Day:
    """A clock that the story sets."""

    at: datetime = field(default_factory=lambda: datetime(2024, 1, 1, tzinfo=UTC))

    def now(self) -> datetime:
        """The day that it is in the story."""
        return self.at


def day(text: str) -> datetime:
    """Midnight of a day."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def told(folder: Path) -> App:
    """The bundle in which the story was told."""
    create_bundle(folder)
    clock = Day()
    app = App.start(folder, overrides=("bundle.zone=UTC",), clock=clock, embedders=())
    before = ""
    for heard, since, text in MOVED:
        clock.at = day(heard)
        supersedes = (before,) if before else ()
        before = app.remember(Draft(body=text, kind="belief", valid_from=day(since), supersedes=supersedes)).memory.id
    clock.at = day("2025-06-01")
    return app


def svg(width: int, height: int, shapes: list[str]) -> str:
    """A picture that a dark page shows on its own paper."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="{FONT}">'
    marker = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0 8 4 0 8z" fill="{PALE}"/></marker></defs>'
    )
    paper = f'<rect width="100%" height="100%" rx="10" fill="{PAPER}" stroke="{LINE}"/>'
    return "\n".join([head, marker, paper, *shapes, "</svg>", ""])


def text(  # noqa: PLR0913 - what SVG asks of a text
    x: float, y: float, words: str, *, size: int = 13, colour: str = INK, place: str = "", bold: bool = False
) -> str:
    """Words at a place; `place` is `middle` or `end` where they do not begin there."""
    more = f' text-anchor="{place}"' * bool(place) + ' font-weight="600"' * bold
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}"{more}>{escape(words)}</text>'


def box(  # noqa: PLR0913 - what SVG asks of a frame
    x: float, y: float, width: float, height: float, *, paper: str = "none", line: str = LINE
) -> str:
    """A frame."""
    size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {size} rx="7" fill="{paper}" stroke="{line}" stroke-width="1.5"/>'


def arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    """A line with a tip."""
    way = f"M{x:g} {y:g}L{to_x:g} {to_y:g}"
    return f'<path d="{way}" stroke="{PALE}" stroke-width="1.5" marker-end="url(#tip)" fill="none"/>'


def chain(app: App) -> str:
    """The corrections: each names what it replaces, each replaced one what replaced it."""
    found = sorted(
        (app.bundle.store.read(stamp.path).memories[0].memory for stamp in app.bundle.store.stamps()),
        key=lambda memory: memory.recorded_at,
    )
    width, step, top = 776, 268, 46
    shapes = [text(24, 30, "What is believed, and what was", size=15, bold=True)]
    for place, memory in enumerate(found):
        x, active = 24 + place * step, memory.state is State.ACTIVE
        colour = ACTIVE if active else PAST
        shapes += [
            box(x, top, 190, 104, line=colour),
            text(
                x + 12,
                top + 25,
                memory.body.strip(),
                size=14,
                colour=INK if active else PALE,
                bold=True,
            ),
            text(x + 12, top + 48, f"status: {memory.state}", colour=colour),
            text(x + 12, top + 68, f"so since {memory.valid_from:%Y-%m-%d}", colour=PALE, size=12),
            text(x + 12, top + 87, f"told on {memory.recorded_at:%Y-%m-%d}", colour=PALE, size=12),
        ]
        if memory.supersedes:
            shapes += [
                arrow(x - 4, top + 38, x - 72, top + 38),
                arrow(x - 73, top + 66, x - 5, top + 66),
                text(x - 39, top + 30, "supersedes", size=10, colour=PALE, place="middle"),
                text(x - 39, top + 81, "superseded_by", size=10, colour=PALE, place="middle"),
            ]
    return svg(width, top + 130, shapes)


def axes(app: App) -> str:
    """Which city is answered, by the day in the world and the day of telling."""
    left, top, cell_x, cell_y = 178, 62, 136, 46
    world = ["2023-06-01", "2024-05-20", "2025-01-01", "2025-04-01"]
    known = ["2024-03-01", "2024-07-01", "2025-04-01"]
    tints = {"Oslo": "#ddf4ff", "Bergen": "#dafbe1", "Tromsø": "#fff8c5", "–": "#f6f8fa"}
    shapes = [
        text(24, 30, "Where does Anna live? Two questions in one", size=15, bold=True),
        text(left + 2 * cell_x, top - 10, "so at …  (--at, in the world)", size=12, colour=PALE, place="middle"),
    ]
    for row, heard in enumerate(reversed(known)):
        y = top + row * cell_y
        shapes.append(text(left - 14, y + 28, f"known on {heard}", size=12, colour=PALE, place="end"))
        for column, moment in enumerate(world):
            city = answered(app, at=day(moment), as_of=day(heard))
            x = left + column * cell_x
            shapes += [
                box(x, y, cell_x - 6, cell_y - 6, paper=tints[city]),
                text(x + (cell_x - 6) / 2, y + 25, city, size=14, place="middle"),
            ]
    below = top + len(known) * cell_y
    shapes += [
        text(left + column * cell_x + (cell_x - 6) / 2, below + 14, moment, size=12, colour=PALE, place="middle")
        for column, moment in enumerate(world)
    ]
    shapes.append(text(24, top - 10, "as of …  (--as-of)", size=12, colour=PALE))
    return svg(left + len(world) * cell_x + 18, below + 34, shapes)


def answered(app: App, *, at: datetime, as_of: datetime) -> str:
    """The city that is recalled for a day in the world, by what was known on another."""
    from mnemic.domain.entries import Where

    answer = app.recall("Where does Anna live?", k=3, where=Where(valid_at=at, as_of=as_of))
    # What is true has no end before somebody told it: of two that are both so by then, the later beginning counts.
    cities = [hit.snippet.split("in ")[-1].rstrip(".") for hit in answer.hits]
    order = [words.split("in ")[-1].rstrip(".") for _, _, words in MOVED]
    return max(cities, key=order.index) if cities else "–"


def main() -> None:
    """Draw both into the folder that is named."""
    (folder,) = map(Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as made:
        app = told(Path(made) / "memory")
        (folder / "supersession.svg").write_text(chain(app), encoding="utf-8")
        (folder / "two-times.svg").write_text(axes(app), encoding="utf-8")


if __name__ == "__main__":
    main()
