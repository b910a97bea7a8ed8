"""Scripts and languages told apart, stop words as the analysis meets them, stems that depend on the word alone."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.text.folding import fold
from mnemic.text.languages import language_of, script_of, stop_words
from mnemic.text.stemming import stem
from mnemic.text.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("When did Ada move to Oslo?", "en"),
        ("Wann ist Ada umgezogen?", "de"),
        ("Kannst du das bis morgen machen?", "de"),
        ("Où est le chat de ma sœur ?", "fr"),
        ("¿Dónde vive Ada ahora?", "es"),
        ("Onde fica a casa da minha mãe?", "pt"),
        ("Dove abita adesso la sorella di Ada?", "it"),
        ("Waar woont Ada nu eigenlijk?", "nl"),
        ("Когда Ада переехала в Осло?", "ru"),
        ("Коли Ада переїхала до Осло?", "uk"),
        ("いつ大阪に引っ越しましたか", "ja"),
        ("カタカナ", "ja"),
        ("她什么时候搬到大阪的？", "zh"),
        ("그는 언제 이사했나요", "ko"),
        ("ฉันย้ายบ้านเมื่อไหร่", "th"),
        ("मैं दिल्ली में रहता हूँ", "hi"),
        ("Πού μένει η Άντα;", "el"),
        ("איפה גרה עדה", "he"),
        ("أين تسكن آدا", "ar"),
        ("این پروژه چیست", "fa"),
        ("我在用 Python 写代码", "zh"),
        ("Ada Oslo 2023", "und"),
        ("!!! 123", "und"),
        ("", "und"),
    ],
)
def test_the_language_of_a_sentence_is_told(text: str, language: str) -> None:
    assert language_of(text) == language


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_has_a_language(text: str) -> None:
    assert len(language_of(text)) in (2, 3)


@pytest.mark.parametrize(
    ("char", "script"),
    [("a", "Latin"), ("ß", "Latin"), ("ж", "Cyrillic"), ("好", "Han"), ("あ", "Hiragana"), ("ア", "Katakana"),
     ("한", "Hangul"), ("ก", "Thai"), ("ह", "Devanagari"), ("λ", "Greek"), ("1", "Common"), ("×", "Common"),
     ("🎉", "Common")],
)  # fmt: skip
def test_a_character_has_a_script(char: str, script: str) -> None:
    assert script_of(char) == script


@pytest.mark.parametrize("language", sorted(STOP_WORDS))
def test_stop_words_are_written_as_the_analysis_meets_them(language: str) -> None:
    words = STOP_WORDS[language].split()

    assert [word for word in words if fold(word) != word] == []
    assert len(set(words)) == len(words)
    assert stop_words(language) == set(words)


@pytest.mark.parametrize(
    "forms",
    ["run runs running ran", "go went gone goes", "child children", "organize organization", "haus hauses",
     "canciones cancion", "hablar hablando hablaba", "parler parlait", "maison maisons", "чашка чашки чашку",
     "переехать переехала", "city cities"],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


def test_names_that_differ_in_their_last_letter_keep_apart() -> None:
    names = "mario maria marco carlos carla paul paula paulo daniel daniela robert roberta martin martina".split()  # noqa: SIM905

    assert len({stem(name) for name in names}) == len(names)


@given(st.text(min_size=1, max_size=12).map(fold).filter(bool))
def test_a_stem_is_never_empty(word: str) -> None:
    assert stem(word)


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Threads that change places after every few steps."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("hasty_threads")
def test_many_threads_stem_alike() -> None:
    """The algorithms keep the word they work on, so two threads must not share one at a time."""
    endings = ("ing", "ungen", "ando", "ed", "er", "ings", "ement")
    words = [
        f"{chr(97 + n % 26)}{chr(97 + n % 7)}{start}{end}" for n in range(100) for start in "rgh" for end in endings
    ]
    stem.cache_clear()
    alone = [stem(word) for word in words]
    stem.cache_clear()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stem, words)) == alone
