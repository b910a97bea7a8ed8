"""The profile `resonance`: seven channels in one sum, with the constants of its source."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked import DAY, NOW, a_trace

from mnemic.ranking.prior import urgency
from mnemic.ranking.resonance import FLOOR, WEIGHTS, channels, jaccard, resonate, tokens

NEVER = -1e15
"""So long ago that nothing of its freshness is left."""
WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]), max_size=6).map(" ".join)
UNIT = st.floats(0, 1)
TRACES = st.lists(
    st.builds(
        a_trace,
        key=st.uuids().map(str),
        content=WORDS,
        kind=st.sampled_from(["observation", "commitment"]),
        tags=st.lists(st.sampled_from(["Red", "blue", " green "]), max_size=2).map(tuple),
        recorded_at=st.sampled_from([NOW, NOW - DAY, NOW - 100 * DAY]),
        due=st.sampled_from([None, NOW - DAY, NOW + 3 * DAY]),
        salience=UNIT,
        confidence=UNIT,
        authority=UNIT,
        verified=st.booleans(),
    ),
    max_size=20,
)


def test_the_weights_are_seven_and_sum_up_to_one() -> None:
    assert dict(WEIGHTS) == {
        "lexical": 0.42,
        "tag": 0.10,
        "recency": 0.10,
        "salience": 0.11,
        "confidence": 0.10,
        "provenance": 0.10,
        "prospective": 0.07,
    }
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(("told", "score"), [(NOW, 0.2375), (NEVER, 0.1375), (NOW - 30 * DAY, 0.1875)])
def test_an_ordinary_trace_without_a_common_word_scores_by_its_age_alone(told: float, score: float) -> None:
    """So the floor of 0.12 keeps nothing ordinary out: the `default` profile asks for a cue instead."""
    found = resonate([a_trace(content="elsewhere", recorded_at=told)], "query", now=NOW)

    assert [one.score for one in found] == [pytest.approx(score)]


def test_a_trace_below_the_floor_is_dropped_and_one_on_it_is_kept() -> None:
    on_it = a_trace("on", salience=1.0, confidence=0.1, authority=0.0, recorded_at=NEVER)
    below = replace(on_it, key="below", confidence=0.099)

    assert FLOOR == 0.12
    assert [one.trace.key for one in resonate([below, on_it], "", now=NOW)] == ["on"]


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [("", "", 0.0), ("a b", "", 0.0), ("", "aa", 0.0), ("aa bb", "bb cc", 1 / 3), ("aa bb", "bb aa bb", 1.0)],
)
def test_likeness_is_the_share_of_common_tokens_and_nothing_without_tokens(one: str, other: str, share: float) -> None:
    assert jaccard(tokens(one), tokens(other)) == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A an I we", {"an", "we"}),
        ("snake_case, kebab-case", {"snake_case", "kebab", "case"}),
        ("é я 日 5 10", {"é", "я", "日", "10"}),
        ("Größe GRÖSSE", {"größe", "grösse"}),
        ("_ __", {"__"}),
    ],
)
def test_tokens_are_lowercase_runs_longer_than_one_byte(text: str, found: set[str]) -> None:
    assert tokens(text) == found


@pytest.mark.parametrize(
    ("kind", "due", "value"),
    [
        ("commitment", NOW - DAY, 1.0),
        ("commitment", NOW, 1.0),
        ("commitment", NOW + 7 * DAY, 0.5),
        ("commitment", NOW + 21 * DAY, 0.25),
        ("commitment", None, 0.35),
        ("observation", NOW - DAY, 0.0),
        ("note", None, 0.0),
    ],
)
def test_urgency_is_for_commitments_alone(kind: str, due: float | None, value: float) -> None:
    assert urgency(kind, due, NOW) == pytest.approx(value)


@pytest.mark.parametrize(("authority", "verified", "value"), [(0.8, True, 0.8), (0.8, False, 0.52), (1.0, True, 1.0)])
def test_what_nobody_verified_counts_for_065_of_its_authority(authority: float, verified: bool, value: float) -> None:  # noqa: FBT001
    found = channels(a_trace(authority=authority, verified=verified), frozenset(), frozenset(), NOW)

    assert found["provenance"] == pytest.approx(value)


def test_tags_are_trimmed_and_compared_without_case() -> None:
    trace = a_trace(tags=(" Tea ", "", "morning"))

    assert resonate([trace], "", tags=("tea", "MORNING "), now=NOW)[0].channels["tag"] == 1.0
    assert resonate([trace], "", tags=("tea",), now=NOW)[0].channels["tag"] == 0.5
    assert resonate([trace], "", now=NOW)[0].channels["tag"] == 0.0


def test_a_trace_from_the_future_is_fresh_and_no_more() -> None:
    assert channels(a_trace(recorded_at=NOW + 100 * DAY), frozenset(), frozenset(), NOW)["recency"] == 1.0


def test_of_equal_traces_the_newest_comes_first_then_the_key_decides() -> None:
    old = a_trace("old", "aa bb", salience=0.6, recorded_at=NOW - 1e-9)
    one, two = a_trace("1", "cc dd", recorded_at=NEVER), a_trace("2", "ee ff", recorded_at=NEVER - 1)
    twins = [a_trace("z", "gg hh"), a_trace("y", "ii jj")]

    assert [one.trace.key for one in resonate([two, one, old], "", now=NOW)] == ["old", "1", "2"]
    assert [one.trace.key for one in resonate(twins, "", now=NOW)] == ["y", "z"]


@pytest.mark.parametrize(("asked", "given_"), [(-5, 1), (0, 1), (1, 1), (3, 3), (8, 8), (9, 8), (1000, 8)])
def test_the_working_set_is_small(asked: int, given_: int) -> None:
    traces = [a_trace(f"{number:02d}", f"word{number} thing{number}") for number in range(20)]

    assert len(resonate(traces, "word1", now=NOW, limit=asked)) == given_


def test_a_near_duplicate_pays_a_third_of_its_likeness_and_falls_behind() -> None:
    """The twin was second and stands last: the third, unlike both, passes it."""
    best = a_trace("best", "alpha beta gamma delta", salience=0.9)
    twin = a_trace("twin", "alpha beta gamma delta", salience=0.8)
    other = a_trace("other", "alpha beta epsilon zeta", salience=0.7)

    found = {one.trace.key: one.score for one in resonate([best, twin, other], "alpha beta gamma", now=NOW)}
    alone = {key: resonate([trace], "alpha beta gamma", now=NOW)[0].score for key, trace in
             {"best": best, "twin": twin, "other": other}.items()}  # fmt: skip

    assert found["best"] == alone["best"]
    assert found["twin"] == pytest.approx(alone["twin"] * (1 - 0.35))
    assert found["other"] == pytest.approx(alone["other"] * (1 - 0.35 * 2 / 6))


def test_suppression_changes_the_order() -> None:
    """Two say the same and one says something else: that one ends up before the second of the two."""
    traces = [
        a_trace("one", "alpha beta", salience=0.9),
        a_trace("two", "alpha beta", salience=0.8),
        a_trace("else", "alpha gamma", salience=0.6),
    ]

    assert [one.trace.key for one in resonate(traces, "alpha", now=NOW)] == ["one", "else", "two"]


@given(TRACES, WORDS, st.integers(-2, 12))
def test_whatever_the_traces_the_answer_is_bounded_ordered_and_repeatable(
    traces: list[object], query: str, limit: int
) -> None:
    found = resonate(traces, query, tags=("red",), now=NOW, limit=limit)  # type: ignore[arg-type]

    assert found == resonate(list(reversed(traces)), query, tags=("red",), now=NOW, limit=limit)  # type: ignore[arg-type]
    assert len(found) <= max(1, min(limit, 8))
    assert len({one.trace.key for one in found}) == len(found)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert all(0 <= value <= 1 for one in found for value in one.channels.values())
    assert all(set(one.channels) == set(WEIGHTS) for one in found)
