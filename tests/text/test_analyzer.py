"""The terms of any text and of any query, checked against a real full-text table."""

from __future__ import annotations

import sqlite3
import sys
import time
import unicodedata
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.text.analyzer import MOST_QUERY_TERMS, query_terms, terms
from mnemic.text.folding import armoured, fold, shown

any_text = st.text(st.characters(codec=None), max_size=80)
SAMPLES = """
node.js C++ PR-1234 getUserName snake_case v3.11.4 1,000 don't Ёлка чашки Straße café #tag -x a@b.org
https://www.example.org/a-b/c?d=1 東京都 好 に行く 한국어를 ｶﾀｶﾅ สวัสดีครับ ภาษา हिन्दी עִברִית العربية Σίσυφος
🎉 👩‍💻 🇩🇪 ﬁne ½ Ⅷ
"""
words_of_many_scripts = st.lists(st.sampled_from(SAMPLES.split()), max_size=12).map(" ".join)


def tokens_kept_by_sqlite(column: str) -> list[str]:
    """What FTS5's `unicode61` makes of a column, in order."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("create virtual table page using fts5(body, tokenize = 'unicode61')")
        db.execute("insert into page values (?)", (column,))
        db.execute("create virtual table word using fts5vocab(page, 'instance')")
        return [row[0] for row in db.execute("select term from word order by offset")]


def found(query: str, *documents: str) -> list[int]:
    """The documents that hold all the query's terms and phrases and nothing it excludes."""
    asked = query_terms(query)
    wanted = [f'"{term}" *' if term in asked.prefixes else f'"{term}"' for term in asked.terms]
    wanted += [f'"{" ".join(phrase)}"' for phrase in asked.phrases]
    expression = " AND ".join(wanted)
    if asked.excluded:
        unwanted = " OR ".join(f'"{" ".join(phrase)}"' for phrase in asked.excluded)
        expression = f"({expression}) NOT ({unwanted})"
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("create virtual table page using fts5(body, tokenize = 'unicode61')")
        db.executemany("insert into page(rowid, body) values (?, ?)", enumerate(" ".join(terms(d)) for d in documents))
        return [row[0] for row in db.execute("select rowid from page where page match ? order by rowid", (expression,))]


@given(st.one_of(any_text, words_of_many_scripts))
def test_a_full_text_table_keeps_every_term_as_one_unchanged_word(text: str) -> None:
    assert tokens_kept_by_sqlite(" ".join(terms(text))) == terms(text)


@pytest.mark.slow
def test_every_single_character_of_unicode_survives_the_full_text_table() -> None:
    """All code points, because a table of letters that differs from Python's shows only at the odd ones."""
    everything = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    column = [term for char in everything for term in terms(f"a{char}b")]

    assert tokens_kept_by_sqlite(" ".join(column)) == column


@given(st.one_of(any_text, words_of_many_scripts))
def test_a_query_finds_the_text_it_was_copied_from(text: str) -> None:
    plain = text.replace(" -", " ")  # a word to leave out would leave out its own text
    assert not query_terms(plain).terms or found(plain, plain) == [0]


@given(st.one_of(any_text, words_of_many_scripts))
def test_a_text_has_the_same_terms_in_either_normal_form(text: str) -> None:
    assert terms(unicodedata.normalize("NFD", text)) == terms(unicodedata.normalize("NFC", text))


@given(words_of_many_scripts, words_of_many_scripts)
def test_a_word_has_the_same_terms_whatever_stands_around_it(first: str, second: str) -> None:
    """No language is guessed for the index, so a short query meets a long text."""
    assert terms(f"{first} \n {second}") == terms(first) + terms(second)


@given(st.text(max_size=20))
def test_folding_twice_changes_nothing(word: str) -> None:
    once = fold(unicodedata.normalize("NFKC", word))
    assert fold(once) == once


@given(st.text(max_size=20))
def test_an_escaped_term_can_be_shown_as_it_was(word: str) -> None:
    plain = word.replace("\ua7ff", "")
    assert shown(armoured(plain)) == plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("node.js", {"nod", "js", "nodej"}),
        ("C++, C# and .NET", {"cplusplus", "csharp", "and", "net", "dotnet"}),
        ("getHTTPResponse", {"get", "http", "respons", "gethttprespons"}),
        ("snake_case_name", {"snak", "cas", "nam", "snakecasenam"}),
        ("PR-1234", {"pr", "1234", "pr1234"}),
        ("v3.11.4", {"3", "3dot11", "3dot11dot4"}),
        ("$1,250,000", {"1250000"}),
        ("don't they're Ada's", {"dont", "they", "ada"}),
        ("l'eau d’Évian", {"eau", "evian"}),
        ("м'яч", {"мяч"}),
        ("U.S.A.", {"usa"}),
        ("1990s 7th", {"1990", "1990s", "7", "7th"}),
        ("a3f5c2e9b1d0", {"a3f5c2e9b1d0"}),
        ("https://www.github.com/acme/shop-api", {"github", "com", "githubcom", "acm", "shop", "api", "shopapi"}),
        ("docs/start/install.md", {"doc", "start", "instal", "md", "installmd"}),
        ("日本語", {"日本", "本語", "語"}),
        ("2023年5月", {"2023", "2023年", "年", "5", "5月", "月"}),
        ("over\u00adseas", {"oversea"}),
        ("٣ पाँच", {"3", "पꟿ00093eꟿ000901च"}),
        ("", set()),
        ("\x00 \ud800 ---", set()),
    ],
)
def test_text_is_cut_into_the_words_people_search_for(text: str, expected: set[str]) -> None:
    assert set(terms(text)) == expected


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("running", "He runs every day"),
        ("organisation", "organisations"),
        ("ЕЛКА", "ёлки"),
        ("переезд в Москву", "Про переезд в Москву"),
        ("Häuser", "Haus"),
        ("strasse", "Große Straße"),
        ("cafe", "Das Café"),
        ("Łódź", "lodz"),
        ("canciones", "canción"),
        ("hablar", "hablando"),
        ("好", "你好世界"),
        ("学", "大学に行く"),
        ("京都", "東京都"),
        ("カタカナ", "ｶﾀｶﾅで書く"),
        ("한국", "한국어를 배운다"),
        ("สวัสดี", "สวัสดีครับ"),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ"),
        ("email", "e-mail"),
        ("nodejs", "written in Node.js"),
        ("c++", "Modern C++."),
        ("python 3.11", "Python 3.11.4 is out"),
        ("5000", "it costs $5,000"),
        ("🎉", "party 🎉🎉"),
        ("5月", "2023年5月7日"),
        ("who is it", "I wonder who it is"),
        ('"to be"', "To be or not to be"),
        ("「東京タワー」", "昨日は東京タワーに登った"),
        ("«красная площадь»", "Это Красная площадь."),
        ("„Alte Brücke“", "die alte Brücke in Heidelberg"),
    ],
)
def test_a_query_finds_other_forms_of_its_words(query: str, document: str) -> None:
    assert found(query, document, "something else entirely") == [0]


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ('"be to"', "to be or not to be"),
        ("cats -dogs", "cats and dogs"),
        ("旅行 -東京", "東京旅行"),
        ("Mario", "Maria"),
        ("Paul", "Paula"),
    ],
)
def test_a_query_passes_over_what_it_does_not_mean(query: str, document: str) -> None:
    assert found(query, document) == []


def test_stop_words_are_left_out_unless_there_is_nothing_else() -> None:
    assert query_terms("When did Ada move to Oslo?").terms == ("ada", "mov", "oslo")
    assert query_terms("Wo ist die Katze?").terms == ("katz",)
    assert query_terms("What did Will do in May for the IT team?").terms == ("will", "may", "it", "team")
    assert query_terms("Will she come, and may I?").terms == ("com",)
    assert query_terms("WHAT IS IT").only_stop_words
    assert query_terms("Что это за город?").terms == ("город",)
    assert query_terms("什么时候").only_stop_words
    assert query_terms("what is it").terms == ("what", "is", "it")
    assert query_terms("what is it").only_stop_words
    assert query_terms("").terms == ()
    assert not query_terms("").only_stop_words


def test_names_exclusions_and_identifiers_are_told_apart() -> None:
    asked = query_terms("notes on #Project-X and C# -draft state-of-the-art (#旅行) --force - x")

    assert asked.names == ("project-x", "旅行")
    assert asked.excluded == (("draft",),)
    assert {"csharp", "stateoftheart", "forc", "projectx"} <= set(asked.terms)


def test_a_very_long_query_is_cut_and_answered_fast() -> None:
    """A hundred thousand characters, each kind meant to make some part of the analysis slow."""
    many = " ".join(f"w{number:x}z" for number in range(20_000))
    started = time.perf_counter()

    assert len(query_terms(many).terms) == MOST_QUERY_TERMS
    for part in ('"', "«", "a'", "a.", "-a ", " -a", "#", "漢字", "ก็", "\u0301", "a_", "1,000", "🎉", "://"):
        assert len(query_terms(part * (100_000 // len(part))).terms) <= MOST_QUERY_TERMS

    assert time.perf_counter() - started < 5


@settings(deadline=None)
@given(any_text)
def test_a_query_keeps_its_promises_for_any_text(text: str) -> None:
    asked = query_terms(text)

    assert len(set(asked.terms)) == len(asked.terms) <= MOST_QUERY_TERMS
    assert set(asked.prefixes) <= set(asked.terms)
    assert all(asked.phrases)
    assert all(asked.excluded)
