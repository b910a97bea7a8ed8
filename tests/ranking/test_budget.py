from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from mnemic.ranking.budget import choose


class Candidate(NamedTuple):
    item: int
    kind: str
    cost: int


_candidates = st.lists(
    st.builds(Candidate, st.integers(), st.sampled_from(["note", "turn", "person"]), st.integers(0, 50)), max_size=30
)


def _choice(*costs: tuple[str, int], room: int, most: int = 10, **quotas: int) -> list[int]:
    candidates = [Candidate(place, kind, cost) for place, (kind, cost) in enumerate(costs)]
    return [candidate.item for candidate in choose(candidates, room=room, most=most, quotas=quotas).taken]


def test_the_best_come_first() -> None:
    assert _choice(("a", 5), ("a", 5), ("a", 5), room=12) == [0, 1]


def test_a_big_one_does_not_keep_a_smaller_one_out() -> None:
    assert _choice(("a", 5), ("a", 9), ("a", 5), room=12) == [0, 2]


def test_a_kind_over_its_quota_stands_back_for_others() -> None:
    assert _choice(("turn", 1), ("turn", 1), ("turn", 1), ("note", 1), room=9, most=3, turn=2) == [0, 1, 3]


def test_and_comes_in_again_where_there_is_room() -> None:
    assert _choice(("turn", 1), ("turn", 1), ("turn", 1), ("note", 1), room=9, most=9, turn=2) == [0, 1, 2, 3]


@given(
    _candidates,
    st.integers(-5, 200),
    st.integers(0, 20),
    st.dictionaries(st.sampled_from(["note", "turn"]), st.integers(0, 5)),
)
def test_a_budget_holds_and_everything_is_accounted_for(
    candidates: list[Candidate], room: int, most: int, quotas: dict[str, int]
) -> None:
    chosen = choose(candidates, room=room, most=most, quotas=quotas)

    assert chosen.cost <= max(room, 0)
    assert len(chosen.taken) <= most
    listed = [*chosen.taken, *chosen.too_big, *chosen.over_quota]
    assert all(listed.count(one) <= candidates.count(one) for one in listed)
    if len(chosen.taken) < most:  # then nothing that fits was turned away
        assert not chosen.over_quota
        assert all(one.cost > room - chosen.cost for one in chosen.too_big)
