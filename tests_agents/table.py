"""What was seen, as one table: printed at the end, and kept for the page in the docs."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Seen:
    """Rows of program, what it did with mnemic, and figures; only tests that passed put one in."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, program: str, what: str, figures: str = "") -> None:
        """One row."""
        self.rows.append((program, what, figures))

    def markdown(self) -> str:
        """The table."""
        lines = [f"| {program} | {what} | {figures} |" for program, what, figures in sorted(self.rows)]
        return "\n".join(["| program | what it did | seen |", "|---|---|---|", *lines, ""])
