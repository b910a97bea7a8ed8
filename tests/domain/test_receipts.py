"""When a receipt may be called clean: only when all was read and nothing found."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mnemic.domain.erasure import Receipt, Repository, Searched, Trace

WHOLE = Repository(root="/r", objects=9, bytes=99, hits=0, paths=(), remotes=(), whole=True)
ALL = Searched(files=3, bytes=30, pieces=2, repository=WHOLE)


def receipt(**fields: object) -> Receipt:
    return Receipt(number="0" * 64, at=datetime(2026, 5, 3, tzinfo=UTC), **{"searched": ALL, **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize("searched", [ALL, Searched(files=3, bytes=30, pieces=2), None])
def test_nothing_found_and_nothing_unread_is_clean(searched: Searched | None) -> None:
    assert receipt(searched=searched).clean


@pytest.mark.parametrize(
    "fields",
    [
        {"found": (Trace("index.db", 7),)},
        {"left": ("the index is busy",)},
        {"unread_versions": 1},
        {"searched": Searched(files=3, bytes=30, pieces=2, unread=("locked.bin",))},
        {"searched": Searched(files=3, bytes=30, pieces=2, repository=WHOLE._replace(hits=1))},
        {"searched": Searched(files=3, bytes=30, pieces=2, repository=WHOLE._replace(whole=False))},
    ],
)
def test_what_was_found_or_could_not_be_read_is_not(fields: dict[str, object]) -> None:
    assert not receipt(**fields).clean
