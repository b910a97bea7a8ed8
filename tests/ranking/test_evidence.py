"""Evidence: coverage of the query's words by a passage and its neighbours, and nearness against the usual."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked import passages, statistics

from mnemic.domain.entries import Spread
from mnemic.ranking.evidence import LEAST_IDF, TermWeights, mean_window_length, standardized, window_coverage
from mnemic.ranking.weights import BACKGROUND_VECTORS, BACKGROUNDS, WINDOW

if TYPE_CHECKING:
    from mnemic.domain.entries import WindowPassage

WORDS = ["ada", "bees", "cello", "deploy", "ferry"]
TEXTS = st.lists(st.sampled_from([*WORDS, "the", "house", "cellos"]), max_size=8).map(" ".join)
GROUPS = st.lists(st.lists(TEXTS, min_size=1, max_size=5), min_size=1, max_size=4)
QUERIES = st.lists(st.sampled_from([*WORDS, "cel*", "unknown"]), min_size=1, max_size=4, unique=True)
EVERY_ENTRY = range(1_000)


def coverage(found: list[WindowPassage], query: list[str]) -> dict[int, float]:
    """Coverage of each passage, by its place from 0."""
    frequencies = {
        term: sum(
            any(word.startswith(term[:-1]) if term.endswith("*") else word == term for word in passage.terms.split())
            for passage in found
        )
        for term in query
    }
    weights = TermWeights.of(frequencies, len(found))
    rows = {passage.row: place for place, passage in enumerate(found)}
    covered = {rows[row]: value for _, row, value in window_coverage(found, EVERY_ENTRY, weights, statistics(found))}
    return {place: covered.get(place, 0.0) for place in rows.values()}  # what covers nothing is left out


FILLER = [["house"], ["the house"], ["the"], ["house the house"], ["garden"], ["garden the"]]


# -- words -------------------------------------------------------------------------------------------------------


@given(GROUPS, QUERIES)
def test_coverage_is_a_share(groups: list[list[str]], query: list[str]) -> None:
    found = coverage(passages(*groups), query)

    assert all(0 <= value <= 1 + 1e-9 for value in found.values())


def test_a_passage_with_all_words_covers_more_than_one_with_some_and_one_with_none_covers_nothing() -> None:
    found = coverage(
        passages(["ada bees cello"], ["ada bees house"], ["house garden the"], *FILLER), ["ada", "bees", "cello"]
    )

    assert found[0] > found[1] > found[2] == 0


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    groups = [["ada house"], ["bees house"], ["ada"], ["ada"], *FILLER]

    found = coverage(passages(*groups), ["ada", "bees"])

    assert found[1] > found[0] > 0


def test_a_word_that_nobody_wrote_lowers_what_the_others_can_reach() -> None:
    found = passages(["ada house"], *FILLER)

    assert coverage(found, ["ada", "unknown"])[0] < coverage(found, ["ada"])[0]


@given(GROUPS, QUERIES, st.randoms())
def test_the_order_of_the_query_does_not_matter(groups: list[list[str]], query: list[str], random: object) -> None:
    mixed = random.sample(query, len(query))  # type: ignore[attr-defined]

    assert coverage(passages(*groups), mixed) == pytest.approx(coverage(passages(*groups), query))


@pytest.mark.parametrize("step", WINDOW)
def test_what_stands_around_counts_by_its_distance(step: int) -> None:
    """The middle of five, with the word only at one place: the nearer and the earlier, the more."""
    texts = ["house the garden"] * 5
    texts[2 + step] = "ada the garden"

    found = coverage(passages(texts, *FILLER), ["ada"])

    here = coverage(passages(["house the garden", "house the garden", "ada the garden", *texts[:2]], *FILLER), ["ada"])[
        2
    ]
    assert 0 < found[2] <= here + 1e-9
    assert (found[2] == pytest.approx(here)) == (step == 0)


def test_the_turn_before_counts_more_than_the_turn_after() -> None:
    found = coverage(passages(["ada the garden", "house the garden", "ada the garden"], *FILLER), ["ada"])
    before = coverage(passages(["ada the garden", "house the garden"], *FILLER), ["ada"])[1]
    after = coverage(passages(["house the garden", "ada the garden"], *FILLER), ["ada"])[0]

    assert found[1] > before > after > 0


def test_groups_never_mix() -> None:
    together = coverage(passages(["house the", "ada the"], *FILLER), ["ada"])
    apart = coverage(passages(["house the"], ["ada the"], *FILLER), ["ada"])

    assert together[0] > 0
    assert apart[0] == 0


def test_a_gap_in_a_group_is_no_neighbourhood() -> None:
    """Turns 1 and 4 of a session, fetched without those between them."""
    near = passages(["ada the", "house the"], *FILLER)
    gap = [near[0], near[1]._replace(position=3), *near[2:]]

    assert coverage(near, ["ada"])[1] > 0
    assert coverage(gap, ["ada"])[1] == 0


def test_a_prefix_counts_every_word_that_begins_so_and_no_other() -> None:
    found = coverage(passages(["cello"], ["cellist cells"], ["excel"], ["cel"], *FILLER), ["cel*"])

    assert {place for place, value in found.items() if value > 0} == {0, 1, 3}


def test_a_word_is_found_whole_and_with_the_signs_it_has() -> None:
    found = coverage(passages(["c++ code"], ["c code"], ["a.b"], ["axb"], *FILLER), ["c++", "a.b"])

    assert {place for place, value in found.items() if value > 0} == {0, 2}


@given(GROUPS, QUERIES, st.sampled_from(WORDS))
def test_one_more_of_the_querys_words_in_place_of_another_never_lowers_coverage(
    groups: list[list[str]], query: list[str], word: str
) -> None:
    """The length stays the same; the frequencies are those of before, as for a passage looked at again."""
    before = passages(*groups)
    target = next((place for place, passage in enumerate(before) if "house" in passage.terms.split()), None)
    if target is None or word not in query:
        return
    after = list(before)
    after[target] = before[target]._replace(terms=before[target].terms.replace("house", word, 1))
    weights = TermWeights(dict.fromkeys(query, 1.0), len(query) * 2.2)

    def of(found: list[WindowPassage]) -> float:
        rows = {row: value for _, row, value in window_coverage(found, EVERY_ENTRY, weights, statistics(before))}
        return rows.get(before[target].row, 0.0)

    assert of(after) >= of(before) - 1e-12


def test_only_entries_that_are_asked_for_are_judged_and_others_stand_around_them() -> None:
    found = passages(["ada the", "house the", "house ada"], *FILLER)
    weights = TermWeights.of({"ada": 2}, len(found))

    rows = [entry for entry, _, _ in window_coverage(found, {2}, weights, statistics(found))]
    value = next(value for _, _, value in window_coverage(found, {2}, weights, statistics(found)))

    assert rows == [2]
    assert value > 0


@given(st.integers(0, 9), st.integers(0, 40))
def test_a_prefix_that_is_counted_once_for_each_of_its_words_weighs_like_a_word_of_every_passage(
    total: int, frequency: int
) -> None:
    weight = TermWeights.of({"茶*": frequency}, total).idf["茶*"]

    assert weight >= LEAST_IDF
    assert weight == TermWeights.of({"茶*": min(frequency, total)}, total).idf["茶*"]


@given(GROUPS, QUERIES)
def test_a_query_of_a_page_counts_words_as_one_of_a_line_does(groups: list[list[str]], query: list[str]) -> None:
    """Many words are counted in another way than few; those that nobody wrote, and weigh nothing, change no count."""
    found = passages(*groups)
    few = TermWeights(dict.fromkeys(query, 1.0), 10.0)
    many = TermWeights({**few.idf, **{f"more{number}": 0.0 for number in range(100)}}, 10.0)

    def of(weights: TermWeights) -> list[tuple[int, int, float]]:
        return list(window_coverage(found, EVERY_ENTRY, weights, statistics(found)))

    assert of(many) == of(few)


def test_a_query_without_words_covers_nothing() -> None:
    assert coverage(passages(["ada"]), []) == {0: 0.0}


@given(st.integers(0, 1_000), st.integers(0, 1_000))
def test_a_words_weight_is_positive_and_falls_with_its_frequency(one: int, other: int) -> None:
    weights = TermWeights.of({"one": one, "other": other}, 1_000)

    assert all(value >= LEAST_IDF for value in weights.idf.values())
    assert (weights.idf["one"] >= weights.idf["other"]) or one > other
    assert weights.most == pytest.approx(2.2 * sum(weights.idf.values()))


@given(GROUPS)
def test_the_usual_window_is_the_mean_over_all_windows(groups: list[list[str]]) -> None:
    """For texts of one length the estimate from four numbers is exact."""
    found = passages(*[["ada bees"] * len(group) for group in groups])
    lengths = [
        sum(
            2 * share
            for step, share in WINDOW.items()
            if 0 <= place + step < len(found) and found[place + step].group == passage.group
        )
        for place, passage in enumerate(found)
    ]

    assert mean_window_length(statistics(found)) == pytest.approx(sum(lengths) / len(lengths))


# -- meaning -----------------------------------------------------------------------------------------------------

MODEL = "use-m3"


@given(st.floats(-1, 1), st.floats(-1, 1), st.integers(1, 100_000), st.floats(-0.5, 0.5), st.floats(0.0001, 0.1))
def test_nearer_is_never_farther(one: float, other: float, count: int, mean: float, variance: float) -> None:
    spread = Spread(count, mean, variance)
    far, near = sorted((one, other))

    assert standardized(far, spread, MODEL) <= standardized(near, spread, MODEL)


def test_in_a_large_space_its_own_spread_counts_and_in_a_small_one_the_background() -> None:
    background = BACKGROUNDS[MODEL]
    own_mean, own_variance = 0.3, 0.01
    alone = (0.5 - own_mean) / own_variance**0.5
    behind = (0.5 - background.mean) / background.variance**0.5

    many = standardized(0.5, Spread(10_000_000, own_mean, own_variance), MODEL)
    none = standardized(0.5, Spread(0, own_mean, own_variance), MODEL)

    assert many == pytest.approx(alone, rel=1e-3)
    assert none == pytest.approx(behind)


def test_as_many_own_vectors_as_the_background_has_weigh_as_much() -> None:
    """The mixture's mean lies half way, its variance is what both have and what lies between them."""
    background, spread = BACKGROUNDS[MODEL], Spread(BACKGROUND_VECTORS, 0.2, 0.01)
    mean = (spread.mean + background.mean) / 2
    variance = (spread.variance + background.variance) / 2 + ((spread.mean - background.mean) / 2) ** 2

    assert standardized(0.7, spread, MODEL) == pytest.approx((0.7 - mean) / variance**0.5)


def test_a_few_notes_that_have_nothing_to_do_with_it_do_not_look_near() -> None:
    """Five notes, all as far as strangers are; without the background the least far would stand out."""
    spread = Spread(5, 0.0, 0.0004)

    assert standardized(0.04, spread, MODEL) < 1.0
    assert standardized(0.04, spread, "a model without figures") == pytest.approx(2.0)


@pytest.mark.parametrize("spread", [None, Spread(0, 0.0, 0.0), Spread(1, 0.4, 0.0)])
def test_a_space_without_a_spread_and_without_a_background_says_nothing(spread: Spread | None) -> None:
    assert standardized(0.4, spread, "a model without figures") == 0.0
