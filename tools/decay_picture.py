"""Draw the picture of docs/explanation/decay.md: how much of its accessibility a memory has lost, by age.

python tools/decay_picture.py docs/pictures/decay.svg

Every curve is the function that recall itself uses (`mnemic.ranking.prior.lost`).
"""

from __future__ import annotations

import sys
from pathlib import Path

from mnemic.domain.kinds import KINDS
from mnemic.ranking.prior import lost

PAPER, INK, PALE, LINE = "#ffffff", "#1f2328", "#656d76", "#d0d7de"
COLOURS = ("#cf222e", "#bc4c00", "#0969da", "#1a7f37")
FONT = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif"
WIDTH, HEIGHT = 760, 330
PANEL, TOP, BOTTOM = 310, 62, 270
DAYS = 365


def picture() -> str:
    """Two panels: kinds at ordinary salience, and one kind at several saliences."""
    kinds = ("observation", "episode", "note", "belief")
    first = [
        (f"{name} ({KINDS[name].half_life_days:g} days)", KINDS[name].half_life_days or 0.0, 0.5) for name in kinds
    ]
    half_life = KINDS["note"].half_life_days or 0.0
    second = [(f"salience {salience:g}", half_life, salience) for salience in (0.0, 0.25, 0.5, 0.9)]
    shapes = [*panel(55, "Kinds, at salience 0.5", first), *panel(425, "A note, by its salience", second)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="{FONT}">'
    title = "<title>Accessibility lost by age: faster for short-lived kinds and for memories of low salience</title>"
    paper = f'<rect width="100%" height="100%" rx="10" fill="{PAPER}" stroke="{LINE}"/>'
    return "\n".join([head, title, paper, *shapes, "</svg>", ""])


def panel(left: int, title: str, curves: list[tuple[str, float, float]]) -> list[str]:
    """One diagram: days to the right, what is lost upwards."""
    shapes = [text(left, 26, title, INK, size=14)]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = height(share)
        shapes += [
            f'<path d="M{left} {y:.1f}h{PANEL}" stroke="{LINE}"/>',
            text(left - 6, y + 4, f"{share:g}", PALE, anchor="end"),
        ]
    shapes += [
        text(left + PANEL * day / DAYS, BOTTOM + 18, str(day), PALE, anchor="middle") for day in (0, 90, 180, 365)
    ]
    shapes.append(text(left + PANEL / 2, BOTTOM + 38, "age in days", PALE, anchor="middle"))
    for number, ((name, half_life, salience), colour) in enumerate(zip(curves, COLOURS, strict=True)):
        points = [
            f"{left + PANEL * day / DAYS:.1f},{height(lost(float(day), half_life, salience)):.1f}"
            for day in range(0, DAYS + 1, 5)
        ]
        shapes.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        shapes.append(text(left + 8, TOP + 10 + 13 * number, name, colour))
    return shapes


def height(share: float) -> float:
    """Where a share of 0 to 1 is drawn."""
    return BOTTOM - (BOTTOM - TOP) * share


def text(  # noqa: PLR0913 - what an SVG text has
    x: float, y: float, words: str, colour: str, *, size: int = 11, anchor: str = "start"
) -> str:
    """Words at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}" text-anchor="{anchor}">{words}</text>'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(picture(), encoding="utf-8")
