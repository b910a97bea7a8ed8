"""Draw what commands print as an SVG, in the colours of a terminal: the picture in the README.

python tools/picture.py docs/pictures/recall.svg "mnemic recall '…'" ["another command"]

The commands run in a pseudo-terminal of 80 columns, so that what is drawn is what a person sees. Works on Linux and
macOS. Wide characters take two cells, as in a terminal; every run of text is placed by its cell, so that a viewer whose
font is wider or narrower still shows the columns in line.
"""

from __future__ import annotations

import os
import pty
import re
import sys
import unicodedata
from html import escape
from pathlib import Path

WIDTH = 80
CELL, LINE, MARGIN = 8.4, 20, 18
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
PAPER, INK = "#16181d", "#d7dae0"
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76d9e6"}
SGR = re.compile(r"\x1b\[([0-9;]*)m")
OTHER = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


def shown(command: str) -> str:
    """What a command prints to a terminal of 80 columns."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(COLUMNS=str(WIDTH), TERM="xterm-256color")
        os.environ.pop("NO_COLOR", None)
        os.execvp("/bin/sh", ["/bin/sh", "-c", f"stty cols {WIDTH}; {command}"])  # noqa: S606 - given by whoever calls
    parts: list[bytes] = []
    while True:
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # Linux says so when the other side has gone
            break
        if not part:
            break
        parts.append(part)
    os.waitpid(process, 0)
    return OTHER.sub(lambda found: found[0] if found[0].endswith("m") else "", b"".join(parts).decode())


def cells(text: str) -> int:
    """Columns that a text takes."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def runs(text: str) -> list[str]:
    """Blanks, runs of narrow characters, and wide characters one by one: only so they stand in line in every viewer."""
    return re.findall(r"\s+|\S", text) if cells(text) > len(text) else re.findall(r"\s+|\S+", text)


def wrapped(line: str) -> list[str]:
    """A line in pieces of 80 columns, as a terminal shows it; only lines without colours are that long."""
    rows = [""]
    for char in line:
        if cells(rows[-1]) + cells(char) > WIDTH and "\x1b" not in line:
            rows.append("")
        rows[-1] += char
    return rows


def drawn(line: str, y: int) -> str:
    """One line as SVG text, a run a style."""
    shapes: list[str] = []
    column, style = 0, ""
    for number, part in enumerate(SGR.split(line)):
        if number % 2:
            style = "" if part in {"", "0"} else f"{style};{part}"
            continue
        for piece in runs(part):
            if not piece.isspace():
                codes = style.split(";")
                colour = next((COLOURS[code] for code in reversed(codes) if code in COLOURS), INK)
                weight = ' font-weight="bold"' if "1" in codes else ""
                faint = ' opacity="0.65"' if "2" in codes else ""
                x = f"{MARGIN + column * CELL:.1f}"
                shapes.append(
                    f'<text x="{x}" y="{y}" fill="{colour}"{weight}{faint}>{escape(piece, quote=False)}</text>'
                )
            column += cells(piece)
    return "".join(shapes)


def picture(lines: list[str]) -> str:
    """All lines as one SVG."""
    width, height = MARGIN * 2 + WIDTH * CELL, MARGIN * 2 + len(lines) * LINE
    body = "\n".join(filter(None, (drawn(line, MARGIN + 14 + number * LINE) for number, line in enumerate(lines))))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'font-family="{FONT}" font-size="14">\n'
        f'<rect width="100%" height="100%" rx="10" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def main() -> int:
    """Run the commands and write the file."""
    target, commands = Path(sys.argv[1]), sys.argv[2:]
    lines: list[str] = []
    for command in commands:
        lines += [""] if lines else []
        lines.append(f"\x1b[32m$\x1b[0m \x1b[1m{command}\x1b[0m")
        lines += [row for line in shown(command).rstrip("\n").split("\n") for row in wrapped(line)]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(picture(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
