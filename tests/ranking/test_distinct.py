"""Which words of a message point at one memory rather than at any."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemic.ranking.distinct import FEW, Called, Rarity, distinct

MANY = 1_000


def keys(memories: list[Called], words: dict[str, int], *, most_alike: int = 2) -> list[str]:
    """Which memories a message of these words, each held by so many of a thousand, points at."""
    return [one.key for one in distinct(memories, Rarity.of(words, MANY), most_alike=most_alike)]


def test_a_whole_name_of_rare_words_points_at_its_memory() -> None:
    anna = Called("anna-berg", [("anna", "berg")], ())

    assert keys([anna], {"anna": 3, "berg": 1, "tea": 40}) == ["anna-berg"]


def test_half_a_name_is_not_enough() -> None:
    anna = Called("anna-berg", [("anna", "berg")], ())

    assert keys([anna], {"anna": 3, "tea": 40}) == []


def test_half_a_name_with_another_rare_word_of_the_memory_is() -> None:
    anna = Called("anna-berg", [("anna", "berg")], ("bergen", "design"))

    assert keys([anna], {"anna": 3, "bergen": 2}) == ["anna-berg"]


def test_a_name_of_common_words_points_at_nothing() -> None:
    plan = Called("plan", [("plan",)], ())

    assert keys([plan], {"plan": MANY // 4}) == []


def test_the_share_that_is_few_grows_with_the_bundle() -> None:
    note = Called("boiler", [("boiler",)], ())

    assert [one.key for one in distinct([note], Rarity.of({"boiler": FEW + 1}, 10), most_alike=2)] == []
    assert keys([note], {"boiler": FEW + 1}) == ["boiler"]


def test_what_more_memories_share_than_may_be_shown_tells_none_of_them_apart() -> None:
    alike = [Called(f"boiler-{number}", [("boiler",)], ()) for number in range(3)]
    words = {"boiler": 3}

    assert keys(alike, words) == []
    assert keys(alike[:2], words) == ["boiler-0", "boiler-1"]


def test_one_or_two_letters_are_no_name_alone_in_latin_letters() -> None:
    memories = [Called("go", [("go",)], ()), Called("茶", [("茶道",)], ())]

    assert keys(memories, {"go": 1, "茶道": 1}) == ["茶"]


words = st.sampled_from(["anna", "berg", "plan", "tea", "oslo", "kestrel"])
called = st.builds(
    Called,
    key=st.text("abc", min_size=1, max_size=3),
    names=st.lists(st.lists(words, min_size=1, max_size=3, unique=True).map(tuple), min_size=1, max_size=3),
    besides=st.lists(words, max_size=3, unique=True).map(tuple),
)
frequencies = st.dictionaries(words, st.integers(0, 2 * MANY))


@given(st.lists(called, max_size=6, unique_by=lambda one: one.key), frequencies, st.randoms())
def test_the_order_of_the_memories_does_not_matter(memories, frequencies, random) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    assert keys(random.sample(memories, len(memories)), frequencies) == keys(memories, frequencies)


@given(st.lists(called, max_size=6, unique_by=lambda one: one.key), frequencies)
def test_what_is_matched_stands_in_the_message_and_one_word_of_it_is_rare(memories, frequencies) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    rarity = Rarity.of(frequencies, MANY)

    for one in distinct(memories, rarity, most_alike=2):
        assert set(one.matched) <= frequencies.keys()
        assert rarity.rare.intersection(one.matched)
        assert one.score > 0
