"""From a text to its terms; `analyzer` says what for.

A module of its own because it loads fast: a hook that finds no server has twenty milliseconds for a whole process, and
`typing` and `dataclasses` alone take ten. So it imports neither, gives a plain tuple for what a query asks for, and
loads `re` where a text needs it: plain English does not.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from itertools import chain, pairwise

from mnemic.text.folding import armoured, fold
from mnemic.text.languages import language_of, stop_words
from mnemic.text.stemming import stem
from mnemic.text.stopwords import STOP_PAIRS, STOP_SINGLES
from mnemic.text.words import MARKS, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator
    from typing import Final

ANALYZER_VERSION: Final = "3"
"""Stamped into every index. Change it whenever the terms of any text change: the index is then rebuilt."""

MOST_QUERY_TERMS: Final = 256
"""Distinct terms kept of one query, the first ones. More would cost time and find nothing else."""

LONGEST_QUERY: Final = 64 * MOST_QUERY_TERMS
_CJK: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
)
# Thai, Lao, Myanmar and Khmer letters with their vowel signs, without their digits and signs.
_UNSPACED: Final = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecf\u0edc-\u0edf\u1000-\u103f\u1050-\u108f"
    "\u109a-\u109f\u1780-\u17d3\u17d7\u17dc\u17dd"
)
_UNSPACED_MARKS: Final = "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecf\u102b-\u103e\u17b4-\u17d3"
_FINAL_DIGITS: Final = r"\d{1,8}\Z"
_INVISIBLE_CHARS: Final = "\u00ad\u2060\ufeff"  # soft hyphen and its like stand inside words
_INVISIBLE: Final = dict.fromkeys(map(ord, _INVISIBLE_CHARS))
_LONGEST_CACHED: Final = 40
_OPENING_QUOTES: Final = frozenset('"«„“「『《')
# A quotation has a bounded length, so that many opening marks without an end stay cheap.
_QUOTED: Final = (
    r"\"([^\"]{1,300})\"|«([^»]{1,300})»|„([^“”]{1,300})[“”]|“([^”]{1,300})”"
    r"|「([^」]{1,300})」|『([^』]{1,300})』|《([^》]{1,300})》"
)
_NAMES_TOO: Final = frozenset({"Will", "May", "Mai"})
_NAME: Final = r"(?<![^\s(\[,;、，（「])#([^\W_][\w\-/.]*)"
_EXCLUDED: Final = r"(?<=\s)-(?:\"([^\"]{1,300})\"|([^\W\d_][^\s\"»“”」]+))"


def terms(text: str) -> list[str]:
    """The terms of a text for the index, in reading order, repeated as often as they occur.

    Args:
        text: Any string, of any length and script; lone surrogates and control characters separate words.

    Returns:
        Non-empty strings of letters and digits that SQLite's `unicode61` keeps unchanged, each as one token.
    """
    if text.isascii():  # the same as below, faster
        return list(chain.from_iterable(map(_terms_of_stretch, text.split())))
    return list(chain.from_iterable(map(_terms_of_unit, _units(_plain(text)))))


def asked_for(
    text: str,
) -> tuple[
    tuple[str, ...],
    tuple[tuple[str, ...], ...],
    tuple[str, ...],
    tuple[tuple[str, ...], ...],
    tuple[str, ...],
    bool,
    str,
]:
    """What a query asks for: the fields of `analyzer.QueryTerms`, in their order."""
    plain = _plain(text[:LONGEST_QUERY])
    language = language_of(plain)
    excluded, asked = _without_excluded(plain)
    content, stopped, prefixes = _sorted_out(asked, stop_words(language))
    kept = content or stopped
    return (
        kept,
        _quoted(asked),
        _names(asked),
        excluded,
        tuple(term for term in kept if term in prefixes),
        not content and bool(stopped),
        language,
    )


# The three below are looked for only where their sign is: most queries have none, and need not wait for a pattern.
def _without_excluded(plain: str) -> tuple[tuple[tuple[str, ...], ...], str]:
    if "-" not in plain:
        return (), plain
    import re

    excluded = _phrases(match[1] or match[2] for match in re.finditer(_EXCLUDED, plain))
    return excluded, re.sub(_EXCLUDED, " ", plain) if excluded else plain


def _quoted(asked: str) -> tuple[tuple[str, ...], ...]:
    if _OPENING_QUOTES.isdisjoint(asked):
        return ()
    import re

    return _phrases(match[match.lastindex or 0] for match in re.finditer(_QUOTED, asked))


def _names(asked: str) -> tuple[str, ...]:
    if "#" not in asked:
        return ()
    import re

    return tuple(dict.fromkeys(match[1].casefold().rstrip("-/.") for match in re.finditer(_NAME, asked)))


def _plain(text: str) -> str:
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text)
    return plain.translate(_INVISIBLE) if any(char in plain for char in _INVISIBLE_CHARS) else plain


class _Unit:
    """A stretch of text with one rule: words between spaces, or (`paired`) a run of a script without spaces.

    `number`: digits that end right before a paired run, 2023 before 年.
    """

    __slots__ = ("number", "paired", "text")

    def __init__(self, text: str, *, paired: bool = False, number: str = "") -> None:
        self.text, self.paired, self.number = text, paired, number


@cache
def _stretch() -> re.Pattern[str]:
    import re

    return re.compile(rf"[{_CJK}]+|[{_UNSPACED}]+|(?P<spaced>[^\s{_CJK}{_UNSPACED}]+)")


@cache
def _cluster() -> re.Pattern[str]:
    import re

    return re.compile(rf".[{MARKS}{_UNSPACED_MARKS}]*")


def _final_digits(text: str) -> re.Match[str] | None:
    import re

    return re.search(_FINAL_DIGITS, text)


def _units(plain: str) -> Iterator[_Unit]:
    if plain.isascii():
        yield from map(_Unit, plain.split())
        return
    number = ""
    for match in _stretch().finditer(plain):
        if match.lastgroup == "spaced":
            yield _Unit(match[0])
            digits = _final_digits(match[0]) if plain[match.end() : match.end() + 1].isalnum() else None
            number = fold(digits[0]) if digits else ""
        else:
            yield _Unit(match[0], paired=True, number=number)
            number = ""


def _terms_of_unit(unit: _Unit) -> Iterable[str]:
    return _terms_of_run(unit) if unit.paired else _terms_of_stretch(unit.text)


def _terms_of_stretch(stretch: str) -> tuple[str, ...]:
    return _cached_terms(stretch) if len(stretch) <= _LONGEST_CACHED else _terms_of_words(stretch)


def _terms_of_words(stretch: str) -> tuple[str, ...]:
    return tuple(armoured(stem(folded)) for folded in map(fold, words(stretch)) if folded)


_cached_terms = lru_cache(maxsize=65536)(_terms_of_words)


def _terms_of_run(unit: _Unit) -> list[str]:
    """Each neighbouring pair, and the last character alone: so every character begins a term and can be found."""
    letters = _letters(unit.text)
    pairs = [first + second for first, second in pairwise(letters)]
    counted = [unit.number + letters[0]] if unit.number else []
    return [*counted, *pairs, letters[-1]]


def _letters(run: str) -> list[str]:
    """The characters of a run, each with its vowel signs."""
    return list(map(armoured, _cluster().findall(run)))


def _phrases(quoted: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(phrase for phrase in map(_phrase, quoted) if phrase))


def _phrase(quoted: str) -> tuple[str, ...]:
    units = list(_units(quoted))
    found = tuple(chain.from_iterable(map(_terms_of_unit, units)))
    # The text that is looked for may go on after the last character; then it does not stand there alone.
    return found[:-1] if units and units[-1].paired else found


def _sorted_out(asked: str, stops: frozenset[str]) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]:
    """The query's terms of content, its stop words, and which of them are prefixes."""
    content: dict[str, None] = {}
    stopped: dict[str, None] = {}
    prefixes: set[str] = set()
    shouted = asked.isupper()
    for place, unit in enumerate(_units(asked)):
        if not unit.paired:
            for word in words(unit.text):
                if folded := fold(word):
                    stops_here = folded in stops and (shouted or not _is_name(word, first=place == 0))
                    (stopped if stops_here else content)[armoured(stem(folded))] = None
        else:
            found = _terms_of_run(unit)
            alone = len(found) == 1
            for term in found if alone else found[:-1]:
                (stopped if term in _stop_runs() else content)[term] = None
            if alone:
                prefixes.update(found)
        if len(content) >= MOST_QUERY_TERMS:
            break
    return tuple(content)[:MOST_QUERY_TERMS], tuple(stopped)[:MOST_QUERY_TERMS], frozenset(prefixes)


def _is_name(word: str, *, first: bool) -> bool:
    """Whether a stop word is written as a name: Will and May within a sentence, the IT department, the US."""
    return (word in _NAMES_TOO and not first) or (len(word) > 1 and word.isascii() and word.isupper())


@cache
def _stop_runs() -> frozenset[str]:
    return frozenset(chain(STOP_SINGLES, *(pairs.split() for pairs in STOP_PAIRS.values())))
