from __future__ import annotations

from dataclasses import replace

import pytest

from mnemic.domain.spaces import Space

SPACE = Space(model="use-m3", version="0.2.1", build="c95e293b", dim=512)


def test_the_id_names_model_version_build_and_dimension() -> None:
    assert SPACE.id == "use-m3/0.2.1/c95e293b/512"


@pytest.mark.parametrize("change", [{"model": "e5"}, {"version": "0.3"}, {"build": "x"}, {"dim": 384}])
def test_whatever_changes_a_vector_changes_the_id(change: dict[str, str | int]) -> None:
    assert replace(SPACE, **change).id != SPACE.id  # type: ignore[arg-type]


def test_notes_for_people_do_not_change_the_id() -> None:
    assert replace(SPACE, languages="16", query_ms=1.5).id == SPACE.id


def test_a_space_has_dimensions() -> None:
    with pytest.raises(ValueError, match="at least one dimension"):
        replace(SPACE, dim=0)
