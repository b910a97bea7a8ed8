"""Exact counts of tokens, where the extra `tokens` is installed; what is said where it is not."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mnemic.adapters.bpe import VOCABULARIES, bpe_counter
from mnemic.errors import ConfigError
from mnemic.text.tokens import count_tokens_safely

DATA = Path(__file__).parent.parent.parent / "benchmarks" / "data" / "scripts.json"


def test_an_unknown_vocabulary_is_refused_with_the_names_of_the_known_ones() -> None:
    with pytest.raises(ConfigError) as refused:
        bpe_counter("gpt-9")

    assert all(name in refused.value.hint for name in VOCABULARIES)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bpe_openai", None)

    with pytest.raises(ConfigError) as refused:
        bpe_counter()

    assert "mnemic[tokens]" in refused.value.hint


@pytest.mark.parametrize("name", VOCABULARIES)
def test_tokens_are_counted_as_the_vocabulary_has_them(name: str) -> None:
    pytest.importorskip("bpe_openai", reason="the extra tokens is not installed")
    count = bpe_counter(name)

    assert count("") == 0
    assert count("hello world") == 2
    assert count("<|endoftext|>") > 1, "text that looks like a control token stays text"
    assert count("\ud800") > 0


@pytest.mark.parametrize("name", VOCABULARIES)
def test_the_safe_estimate_is_no_less_in_any_script_that_we_know(name: str) -> None:
    pytest.importorskip("bpe_openai", reason="the extra tokens is not installed")
    count = bpe_counter(name)

    texts = [" ".join(lines) for lines in json.loads(DATA.read_text(encoding="utf-8")).values()]

    assert [text for text in texts if count_tokens_safely(text) < count(text)] == []
