"""Arithmetic of rankings: bounds, order, repetitions, and what has no score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.bench.metrics import (
    Ranking,
    all_at,
    any_at,
    mean,
    percent,
    quantile,
    recall_at,
    reciprocal_rank,
    saturated,
    scores,
    verbatim_recall_at,
)

names = st.sampled_from("abcdefgh")
rankings = st.lists(names, max_size=8)
targets = st.sets(names, min_size=1)
ks = st.integers(min_value=1, max_value=10)


@given(rankings, targets, ks)
def test_looking_further_down_never_finds_less(found: list[str], wanted: set[str], k: int) -> None:
    for measure in (recall_at, any_at, all_at):
        assert 0 <= measure(found, wanted, k) <= measure(found, wanted, k + 1) <= 1


@given(rankings, targets, ks)
def test_all_is_at_most_recall_and_recall_at_most_any(found: list[str], wanted: set[str], k: int) -> None:
    assert all_at(found, wanted, k) <= recall_at(found, wanted, k) <= any_at(found, wanted, k)
    assert (all_at(found, wanted, k) == 1) == (recall_at(found, wanted, k) == 1)


@given(rankings, targets)
def test_the_reciprocal_rank_tells_the_first_right_place(found: list[str], wanted: set[str]) -> None:
    rank = reciprocal_rank(found, wanted)

    assert rank == 0 or 1 / len(found) <= rank <= 1
    assert (rank == 0) == wanted.isdisjoint(found)
    assert (rank == 1) == (bool(found) and found[0] in wanted)


@given(rankings, targets, ks)
def test_repeating_a_result_neither_gains_nor_costs(found: list[str], wanted: set[str], k: int) -> None:
    """A ranking may not fill its first places with one answer, nor be punished for saying it twice."""
    doubled = [name for name in found for _ in range(2)]

    assert recall_at(doubled, wanted, k) == recall_at(found, wanted, k)
    assert reciprocal_rank(doubled, wanted) == reciprocal_rank(found, wanted)


@given(rankings, st.permutations("abcdefgh"), targets, ks)
def test_what_ids_are_called_does_not_matter(found: list[str], other: list[str], wanted: set[str], k: int) -> None:
    names = dict(zip("abcdefgh", other, strict=True))

    renamed = recall_at([names[name] for name in found], {names[name] for name in wanted}, k)

    assert renamed == recall_at(found, wanted, k)


def test_a_question_that_wants_nothing_has_no_recall() -> None:
    """Neither 0 nor 1 would be true; LoCoMo's own scorer says 1, so that has its own function."""
    for measure in (recall_at, any_at, all_at):
        with pytest.raises(ValueError, match="without anything wanted"):
            measure(["a"], set(), 5)

    assert verbatim_recall_at(["a"], [], 5) == 1


def test_the_official_count_takes_names_as_they_are_written() -> None:
    """A repeated name counts again, and a mistaken one can never be found."""
    assert verbatim_recall_at(["D1:1"], ["D1:1", "D1:1", "D1:2"], 5) == pytest.approx(2 / 3)
    assert verbatim_recall_at(["D1:1", "D1:2"], ["D1:1; D1:2"], 5) == 0


def test_a_k_that_takes_in_everything_is_no_measure() -> None:
    """Among 5 units the first 5 hold any evidence, however they are ordered."""
    small = Ranking(found=("a",), wanted=frozenset("a"), units=5)
    large = Ranking(found=("b", "a"), wanted=frozenset("ac"), units=6)

    assert scores([small, large], (1, 5)) == {
        "recall@1": 50.0, "recall@5": 50.0, "any@1": 50.0, "any@5": 100.0, "all@1": 50.0, "all@5": 0.0,
    }  # fmt: skip
    assert scores([small], (5,))["recall@5"] is None
    assert saturated([small, large], (1, 5, 10)) == {5: 1, 10: 2}


def test_averages_of_nothing_are_nothing() -> None:
    assert (mean([]), quantile([], 0.5), percent(None)) == (None, None, None)


@given(st.lists(st.integers(-99, 99), min_size=1), st.floats(0, 1))
def test_a_quantile_is_one_of_the_values_and_enough_lie_below_it(values: list[int], share: float) -> None:
    value = quantile(values, share)

    assert value in values
    assert sum(other <= value for other in values) >= share * len(values) - 1e-9
    assert quantile(values, 1) == max(values)
