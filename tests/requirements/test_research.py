"""The page on research: what was taken, from where, and what it does not show."""

from __future__ import annotations

import re
from pathlib import Path

_PAGE = (Path(__file__).parent.parent.parent / "docs" / "explanation" / "research.md").read_text(encoding="utf-8")
_MOTIVES = ("association made anew for each question", "replay", "selectivity", "reconstruction")


def rows() -> list[list[str]]:
    """The sources: what was found, where, what it suggested, what it does not show."""
    lines = [line for line in _PAGE.splitlines() if line.startswith("| ") and not line.startswith("| what was found")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_page_says_plainly_that_this_is_no_copy_of_a_brain_and_what_was_borrowed() -> None:
    head = _PAGE.split("|")[0]

    assert "inspired by people and made for machines that are audited" in head
    assert "It is no copy of a brain: it simulates no neurons" in head
    assert all(motive in head for motive in _MOTIVES)


def test_each_source_is_named_with_its_year_or_number_its_lesson_and_its_limits() -> None:
    found = rows()

    assert len(found) == 8
    assert all(len(row) == 4 and all(row) for row in found)
    assert all(re.search(r"\(20\d\d\)|arXiv 2\d{3}\.\d{5}", row[1]) for row in found)
    names = ("Tomé", "Huang", "Tacikowski", "Spens", "Jensen", "Sarrof", "2501.00663", "2510.09551")
    assert all(name in row[1] for name, row in zip(names, found, strict=True))
