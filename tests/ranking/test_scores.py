"""From evidence to an explained order: fusion, prior, silence, twins, sessions, snippets."""

from __future__ import annotations

from dataclasses import fields, replace
from math import exp, log
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked import DAY, NOW, an_entry, evidence

from mnemic.domain.entries import Source
from mnemic.domain.kinds import KINDS
from mnemic.ranking.abstain import Scale, asked_for, probabilities, surplus
from mnemic.ranking.explain import weight_lines
from mnemic.ranking.fuse import channel_of, cue, fuse, length_channel, touched
from mnemic.ranking.groups import best_of_groups
from mnemic.ranking.pack import snippet
from mnemic.ranking.prior import faded, prior
from mnemic.ranking.suppress import without_twins
from mnemic.ranking.weights import REFUSALS, Weights

if TYPE_CHECKING:
    from random import Random

    from mnemic.domain.entries import IndexedEntry
    from mnemic.ranking.evidence import Evidence

WEIGHTS = Weights()
E5, USE, OTHER = "e5-small-q4/1/x/384", "use-m3/1/x/512", "mine/1/x/64"
UNIT = st.floats(0, 1)
EVIDENCE = st.builds(
    evidence,
    row=st.integers(1, 50),
    words=UNIT,
    group=UNIT,
    name=UNIT,
    day=st.sampled_from([0.0, 1.0]),
    phrase=UNIT,
    tag=st.sampled_from([0.0, 1.0]),
    tail=UNIT,
    meaning=st.dictionaries(st.sampled_from([E5, USE, OTHER]), st.floats(-5, 9), max_size=3),
)
ENTRIES = st.builds(
    an_entry,
    salience=UNIT,
    confidence=UNIT,
    authority=UNIT,
    verified=st.booleans(),
    kind=st.sampled_from([*KINDS, "unknown"]),
    due=st.none() | st.floats(NOW - 1e4 * DAY, NOW + 1e4 * DAY),
    changed_at=st.floats(NOW - 1e5 * DAY, NOW + DAY),
)


# -- fusion ------------------------------------------------------------------------------------------------------


@given(
    st.lists(EVIDENCE, max_size=20, unique_by=lambda one: one.row), st.sampled_from([(), (E5,), (USE, E5), (OTHER,)])
)
def test_a_score_is_the_sum_of_what_each_channel_added(found: list[Evidence], spaces: tuple[str, ...]) -> None:
    scored = fuse([(an_entry(one.row, salience=0.9), one) for one in found], spaces, NOW, WEIGHTS)

    assert [one.score for one in scored] == sorted((one.score for one in scored), reverse=True)
    for one in scored:
        assert one.score == pytest.approx(sum(one.channels.values()), abs=1e-8)


@given(st.lists(EVIDENCE, max_size=20, unique_by=lambda one: one.row), st.randoms())
def test_the_order_of_the_candidates_does_not_matter(found: list[Evidence], random: Random) -> None:
    pairs = [(an_entry(one.row), one) for one in found]

    assert fuse(random.sample(pairs, len(pairs)), (USE, E5), NOW, WEIGHTS) == fuse(pairs, (USE, E5), NOW, WEIGHTS)


def test_equal_scores_are_ordered_by_id() -> None:
    pairs = [(an_entry(row), evidence(row, words=0.5)) for row in (3, 1, 2)]

    assert [one.entry.row for one in fuse(pairs, (), NOW, WEIGHTS)] == [1, 2, 3]


RISING = ("words", "group", "name", "day", "phrase", "tag", "link", "tail", "length")


@pytest.mark.parametrize("channel", RISING)
def test_more_evidence_is_never_less_score(channel: str) -> None:
    low, high = evidence(1, **{channel: 0.2}), evidence(1, **{channel: 0.8})

    for spaces in ((), (E5,), (USE, E5)):
        assert sum(cue(high, spaces, WEIGHTS).values()) > sum(cue(low, spaces, WEIGHTS).values())


@pytest.mark.parametrize("spaces", [(E5,), (USE,), (USE, E5), (OTHER,)])
def test_nearness_in_meaning_adds_in_every_space(spaces: tuple[str, ...]) -> None:
    low, high = evidence(1, meaning=dict.fromkeys(spaces, 0.5)), evidence(1, meaning=dict.fromkeys(spaces, 2.0))

    assert sum(cue(high, spaces, WEIGHTS).values()) > sum(cue(low, spaces, WEIGHTS).values())
    assert {channel_of(space) for space in spaces} <= set(cue(high, spaces, WEIGHTS))


def test_a_space_that_was_not_asked_adds_nothing() -> None:
    assert cue(evidence(1, meaning={E5: 9.0}), (), WEIGHTS) == cue(evidence(1), (), WEIGHTS)


@given(ENTRIES)
def test_no_prior_makes_an_untouched_entry_appear(entry: IndexedEntry) -> None:
    """Whatever it is worth: touching is a matter of the cue alone."""
    scored = fuse([(entry, evidence(1, meaning={E5: 0.99}, tail=1.0, group=1.0))], (E5,), NOW, WEIGHTS)

    assert not touched(scored[0].evidence)


@pytest.mark.parametrize("channel", ["words", "name", "phrase", "tag", "day"])
def test_a_word_a_name_a_phrase_a_tag_or_a_day_touches(channel: str) -> None:
    assert touched(evidence(1, **{channel: 0.01}))


def test_a_note_has_no_length_and_a_turn_has_its_own() -> None:
    assert length_channel(1, turn=False) == 1.0
    assert 0 == length_channel(0, turn=True) < length_channel(3, turn=True) < length_channel(10_000, turn=True) == 1.0


# -- prior -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_an_ordinary_fresh_memory_gets_nothing(kind: str) -> None:
    assert prior(an_entry(kind=kind), NOW, WEIGHTS) == pytest.approx(
        dict.fromkeys(("salience", "confidence", "provenance", "recency", "urgency"), 0.0)
    )


@pytest.mark.parametrize(
    ("channel", "low", "high"),
    [
        ("salience", {"salience": 0.1}, {"salience": 0.9}),
        ("confidence", {"confidence": 0.1}, {"confidence": 0.9}),
        ("provenance", {"authority": 0.3}, {"authority": 0.8}),
        ("provenance", {"authority": 0.6}, {"authority": 0.6, "verified": True}),
    ],
)
def test_what_is_worth_more_gets_more(channel: str, low: dict[str, Any], high: dict[str, Any]) -> None:
    assert prior(an_entry(**high), NOW, WEIGHTS)[channel] > prior(an_entry(**low), NOW, WEIGHTS)[channel]


@given(ENTRIES)
def test_a_prior_stays_within_one_weight_of_nothing(entry: IndexedEntry) -> None:
    found = prior(entry, NOW, WEIGHTS)

    assert all(abs(value) <= getattr(WEIGHTS, name) + 1e-9 for name, value in found.items())
    assert found["recency"] <= 0


def test_at_its_half_life_an_ordinary_memory_has_lost_half_of_what_it_can_lose() -> None:
    days = KINDS["note"].half_life_days
    assert days is not None

    assert faded(an_entry(changed_at=NOW - days * DAY), NOW) == pytest.approx(
        faded(an_entry(changed_at=-1e15), NOW) / 2
    )


@given(st.floats(0, 1e4), UNIT, UNIT)
def test_the_salient_fade_slower(age: float, one: float, other: float) -> None:
    low, high = sorted((one, other))

    def lost(salience: float) -> float:
        return faded(an_entry(salience=salience, changed_at=NOW - age * DAY), NOW)

    assert 0 <= lost(high) <= lost(low) <= 1


def test_some_kinds_and_all_turns_never_fade_and_a_clock_that_goes_backwards_makes_nothing_fresher() -> None:
    old = NOW - 10_000 * DAY

    assert faded(an_entry(kind="decision", changed_at=old), NOW) == 0
    assert faded(an_entry(source=Source.TURN, kind="turn", changed_at=old), NOW) == 0
    assert faded(an_entry(changed_at=NOW + 100 * DAY), NOW) == 0


def test_a_commitment_grows_urgent_as_its_day_comes() -> None:
    found = [
        prior(an_entry(kind="commitment", due=NOW + days * DAY), NOW, WEIGHTS)["urgency"]
        for days in (365, 30, 7, 1, 0, -9)
    ]

    assert found == sorted(found)
    assert found[-1] == found[-2] == WEIGHTS.urgency
    assert prior(an_entry(kind="commitment"), NOW, WEIGHTS)["urgency"] == 0


# -- silence -----------------------------------------------------------------------------------------------------

SPACES = {(): {}, (E5,): {E5: "e5-small-q4"}, (USE,): {USE: "use-m3"}, (USE, E5): {USE: "use-m3", E5: "e5-small-q4"}}


def more(best: Evidence, spaces: dict[str, str], entries: int = 100, weights: Weights = WEIGHTS) -> float:
    return surplus(best, [best, evidence(2, words=0.1)], spaces, Scale(entries, weights))


@pytest.mark.parametrize("spaces", SPACES.values(), ids=["words", "e5", "use", "both"])
@given(words=UNIT, group=UNIT, cosine=st.floats(-1, 1), step=UNIT)
def test_more_evidence_never_speaks_for_silence(
    spaces: dict[str, str], words: float, group: float, cosine: float, step: float
) -> None:
    one = evidence(1, words=words, group=group, cosine=dict.fromkeys(spaces, cosine))

    for better in (
        replace(one, words=words + step),
        replace(one, group=group + step),
        replace(one, cosine=dict.fromkeys(spaces, cosine + step)),
    ):
        assert more(better, spaces) >= more(one, spaces) - 1e-9


@pytest.mark.parametrize("spaces", SPACES.values(), ids=["words", "e5", "use", "both"])
def test_a_strong_answer_is_given_and_a_stray_word_is_not(spaces: dict[str, str]) -> None:
    strong = evidence(1, words=0.95, group=0.9, cosine=dict.fromkeys(spaces, 0.7))
    stray = evidence(1, words=0.05, group=0.02, cosine=dict.fromkeys(spaces, 0.0))

    for entries in (1, 30, 600, 100_000):
        assert more(strong, spaces, entries) > 0
        assert more(stray, spaces, entries) < 0


@given(st.integers(0, 10_000_000), st.integers(0, 10_000_000))
def test_a_larger_bundle_asks_for_more(one: int, other: int) -> None:
    small, large = sorted((one, other))

    for refusal in REFUSALS.values():
        assert asked_for(refusal, small) <= asked_for(refusal, large) + 1e-9


def test_caution_asks_for_more_and_a_model_without_figures_refuses_nothing() -> None:
    found = evidence(1, words=0.3)

    assert more(found, {}, weights=replace(WEIGHTS, caution=1.5)) == pytest.approx(more(found, {}) - 1.5)
    assert more(evidence(1), {OTHER: "mine"}) == 0.0


SCORES = st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=9).map(lambda scores: sorted(scores, reverse=True))


@given(SCORES, SCORES, st.floats(-1e4, 1e4), st.floats(0, 10))
def test_chances_fall_with_the_scores_and_rise_with_the_evidence(
    scores: list[float], others: list[float], surplus_: float, step: float
) -> None:
    everything = [*scores, *others]

    found = probabilities(scores, everything, surplus_)

    assert found == sorted(found, reverse=True)
    assert all(0 <= chance <= 1 for chance in found)
    surer = probabilities(scores, everything, surplus_ + step)
    assert all(more_ >= less for more_, less in zip(surer, found, strict=True))


def test_a_result_is_surer_alone_than_among_others_as_good() -> None:
    assert probabilities([3.0], [3.0], 2.0)[0] > probabilities([3.0], [3.0, 3.0, 3.0], 2.0)[0]


# -- twins, sessions, snippets, weights --------------------------------------------------------------------------

SETS = st.lists(st.frozensets(st.integers(0, 12).map(str), max_size=12), max_size=10)


@given(SETS, st.floats(0.5, 1.0))
def test_the_first_stays_the_order_stays_and_no_two_are_alike(sets: list[frozenset[str]], above: float) -> None:
    kept = list(without_twins(list(enumerate(sets)), above))

    assert kept == sorted(kept)
    assert kept[:1] == ([0] if sets else [])
    for place, one in enumerate(kept):
        for other in kept[:place]:
            both, either = len(sets[one] & sets[other]), len(sets[one] | sets[other])
            short = min(len(sets[one]), len(sets[other])) < 6
            assert sets[one] != sets[other] or not sets[one] if short else both <= above * either


def test_short_texts_are_twins_only_when_they_are_the_same() -> None:
    """`Anna drinks tea` and `Anna drinks coffee` share most of what they have, and differ in what matters."""
    tea, coffee = frozenset({"anna", "drink", "tea"}), frozenset({"anna", "drink", "coffee"})

    assert list(without_twins([("tea", tea), ("coffee", coffee), ("again", tea)], 0.4)) == ["tea", "coffee"]


def test_a_session_counts_all_of_its_turns_and_is_shown_by_the_best() -> None:
    pairs = [
        (an_entry(row, source=Source.TURN, group=group), evidence(row, words=words))
        for row, group, words in ((1, 7, 0.5), (2, 7, 0.45), (3, 8, 0.52), (4, 7, 0.4))
    ]
    scored = fuse([*pairs, (an_entry(9, group=9), evidence(9, words=1.0))], (), NOW, WEIGHTS)

    sessions = best_of_groups(scored)

    assert [one.entry.row for one in sessions] == [1, 3]
    turns = [one.score for one in scored if one.entry.group == 7]
    assert sessions[0].score == pytest.approx(log(sum(map(exp, turns))))


@given(st.text(alphabet=st.sampled_from("ab字 \n\t"), max_size=400), st.integers(10, 120))
def test_a_snippet_is_one_line_within_its_limit_cut_at_a_word(text: str, limit: int) -> None:
    found = snippet(text, limit)
    line = " ".join(text.split())

    assert len(found) <= limit
    assert "\n" not in found
    assert found == line or (found.endswith("…") and line.startswith(found[:-1]))
    if len(line) <= limit:
        assert found == line


@pytest.mark.parametrize("profile", ["default", "fields", "resonance"])
def test_the_table_of_weights_is_complete_and_fits_a_terminal(profile: str) -> None:
    lines = weight_lines(profile, WEIGHTS)

    assert all(len(line) <= 80 for line in lines)
    words = " ".join(lines).split()
    if profile == "default":
        shown = dict(zip(words[2::2], words[3::2], strict=True))
        assert shown == {entry.name: f"{getattr(WEIGHTS, entry.name):g}" for entry in fields(Weights)}
    else:
        assert ("lexical" if profile == "resonance" else "title") in words


def test_nobody_changes_a_weight_by_accident() -> None:
    with pytest.raises(AttributeError):
        WEIGHTS.words = 1.0  # type: ignore[misc]
