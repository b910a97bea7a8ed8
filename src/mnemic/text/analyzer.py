"""The one analysis of text for search: index and query, every store and every script go through here.

A text becomes terms: stems of words, identifiers whole and in parts, pairs of characters where a script writes no
spaces, emoji. Terms are letters and digits only, so any full-text column keeps each as one word; `folding.shown` makes
them readable again. Stop words stay in the index (a phrase may need them) and are left out of queries.
"""

from __future__ import annotations

from dataclasses import dataclass

from mnemic.text.terms import ANALYZER_VERSION, MOST_QUERY_TERMS, asked_for, terms


@dataclass(frozen=True, slots=True)
class QueryTerms:
    """What a query asks for, in the terms of the index.

    `terms` are unique, in the order of the query, without stop words and at most 256; if the query has only stop words
    they are kept and `only_stop_words` says so. `prefixes` are the terms that stand for every term beginning with
    them: single characters of scripts without spaces; each is in `terms` too. `phrases` hold the terms of quoted
    text, to be found next to each other. `names` are what followed a `#`, casefolded, as written otherwise; their
    words are in `terms` too. `excluded` are phrases that a result must not hold (from ` -word` and ` -"some words"`);
    they are in no other field.
    """

    terms: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    names: tuple[str, ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    prefixes: tuple[str, ...] = ()
    only_stop_words: bool = False
    language: str = "und"


def query_terms(text: str) -> QueryTerms:
    """What a query asks for.

    The language (for its stop words) is that of the whole query. Only the first 16,384 characters are read and the
    first 256 distinct terms kept, so a query of any length costs no more than a long paragraph.
    """
    return QueryTerms(*asked_for(text))


__all__ = ["ANALYZER_VERSION", "MOST_QUERY_TERMS", "QueryTerms", "query_terms", "terms"]
