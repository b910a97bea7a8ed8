"""The estimated number of tokens: near the true one for known texts, bounded and additive for any."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.tokens import count_tokens, count_tokens_safely

any_text = st.text(st.characters(codec=None), max_size=60)


@pytest.mark.parametrize(
    ("text", "with_large_vocabulary", "with_small_vocabulary"),
    [
        ("Mi perro se llama Luna y también le gusta caminar por la playa cada mañana con mi hermana.", 19, 22),
        ("Ma sœur habite à Lyon depuis l'été dernier et elle préfère déjà la ville à la campagne.", 20, 25),
        ("나는 지난주에 친구와 함께 부산에 다녀왔는데 날씨가 정말 좋았어요.", 21, 42),
        ("أعيش في القاهرة منذ ثلاث سنوات وأحب القهوة في الصباح.", 15, 38),
        ("אני גר בתל אביב כבר שלוש שנים ואוהב קפה בבוקר.", 17, 42),
        ("मैं पिछले सप्ताह दिल्ली गया था और वहाँ बहुत गर्मी थी।", 13, 54),
        ("ฉันไปเที่ยวเชียงใหม่กับเพื่อนเมื่อสัปดาห์ที่แล้ว", 16, 42),
        ("1234567890 3.14159 2023-05-07T10:00:00Z", 23, 23),
        ("550e8400-e29b-41d4-a716-446655440000", 18, 18),
    ],
)
def test_the_estimate_lies_near_the_counts_of_two_real_vocabularies(
    text: str, with_large_vocabulary: int, with_small_vocabulary: int
) -> None:
    """The two counts were made with the published 200,000- and 100,000-entry vocabularies."""
    assert 0.7 * with_large_vocabulary <= count_tokens(text) <= 2 * with_large_vocabulary
    assert 0.45 * with_small_vocabulary <= count_tokens(text) <= 1.45 * with_small_vocabulary


@given(any_text)
def test_no_text_is_free_and_none_costs_more_than_two_tokens_a_character(text: str) -> None:
    assert (count_tokens(text) > 0) == bool(text)
    assert count_tokens(text) <= 2 * len(text)


@given(any_text, any_text)
def test_joined_lines_cost_no_more_than_the_lines_and_a_break(first: str, second: str) -> None:
    assert count_tokens(f"{first}\n{second}") <= count_tokens(first) + count_tokens(second) + 1


@pytest.mark.parametrize(
    ("text", "with_either_vocabulary_at_most"),
    [
        ("Mi perro se llama Luna y también le gusta caminar por la playa cada mañana con mi hermana.", 22),
        ("Ma sœur habite à Lyon depuis l'été dernier et elle préfère déjà la ville à la campagne.", 25),
        ("나는 지난주에 친구와 함께 부산에 다녀왔는데 날씨가 정말 좋았어요.", 42),
        ("أعيش في القاهرة منذ ثلاث سنوات وأحب القهوة في الصباح.", 38),
        ("אני גר בתל אביב כבר שלוש שנים ואוהב קפה בבוקר.", 42),
        ("मैं पिछले सप्ताह दिल्ली गया था और वहाँ बहुत गर्मी थी।", 54),
        ("ฉันไปเที่ยวเชียงใหม่กับเพื่อนเมื่อสัปดาห์ที่แล้ว", 42),
        ("1234567890 3.14159 2023-05-07T10:00:00Z", 23),
        ("550e8400-e29b-41d4-a716-446655440000", 18),
    ],
)
def test_the_safe_count_is_no_less_than_two_real_vocabularies_and_at_most_twice_as_much(
    text: str, with_either_vocabulary_at_most: int
) -> None:
    assert with_either_vocabulary_at_most <= count_tokens_safely(text) <= 2 * with_either_vocabulary_at_most


@given(any_text)
def test_the_safe_count_is_never_below_the_usual_one(text: str) -> None:
    assert count_tokens(text) <= count_tokens_safely(text) <= 4 * len(text)


@given(any_text, any_text)
def test_joined_lines_cost_no_more_than_the_lines_and_a_break_on_the_safe_side_too(first: str, second: str) -> None:
    joined = count_tokens_safely(f"{first}\n{second}")
    assert joined <= count_tokens_safely(first) + count_tokens_safely(second) + 1
