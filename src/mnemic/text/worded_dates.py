"""Dates written in words with spaces between them: English, German, Spanish, French, Russian.

Each word becomes one letter for what it can be in a date (a month, a number, `ago` ...), and a handful of patterns over
those letters is the grammar of all five languages, whatever order they put the words in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Final

from mnemic.text import date_words
from mnemic.text.folding import fold
from mnemic.text.periods import Found, Period, a_day, a_month, a_season, a_weekday, a_year, recurring, shifted, stretch

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES: Final = tuple(date_words.MONTHS)
_UNIT_NAMES: Final = ("day", "week", "month", "year", "weekend", "quarter")
_TOKEN: Final = re.compile(
    r"(?P<digits>\d+)(?:st|nd|rd|th|er|re|º|ª|-?(?:го|ое|е|й|м))?(?!\w)|(?P<decade>\d{3}0)-?(?:s|er|е)\b|[^\W_]+|[^\s]"
)
_SAME: Final = {"A": "M", "n": "N", "k": "N", "y": "Y"}
_NONE: Final = "-"  # a place in a table that a language has no word for
_LONGEST_EXPRESSION: Final = 4
_MOST_DAYS: Final = 31
_MOST_COUNTED: Final = 999
_FIRST_OLD_YEAR: Final = 1000
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2099
_SURE: Final = 1.0
_LIKELY: Final = 0.9
_PROBABLE: Final = 0.8
_GUESSED: Final = 0.7
_VAGUE: Final = 0.5

# The letters: n number to 31, k larger number or number word, Y year, y year before 1900, D decade, M month, A month
# name that is also another word, W weekday, S season, U unit, m shift (last, this, next), R whole expression, g ago, b
# before a number (vor, hace, il y a), f through (in two weeks), i in (a place in time, or a time from now), p other
# preposition, s since, B between/from, + and, & to, o of, t the, c comma, d full stop, - dash, x anything else.
_DAY_OF_WEEK: Final = r"(?:W[cdt]{0,3})?"
_PATTERNS: Final = (
    ("days", r"n[dt]?[-&+]t?n[do]?o?[MA](?:c?o?[Yy])?|[MA]n[-&]n(?:c?[Yy])?"),
    ("date", rf"{_DAY_OF_WEEK}(?:n[dt]?o?[MA][dc]?o?[Yy]|[MA]d?t?nc?[Yy])|Yc?[MA]n"),
    ("month", r"[MA][dc]?o?[Yy]|YM"),
    ("day", rf"{_DAY_OF_WEEK}(?:n[dt]?o?[MA]|[MA]d?t?n(?![U-]))"),
    ("ago", r"t?[nk]o?Ug|b[nk]?o?U|Ug"),
    ("stretch", r"m[nk]U|[nk]mU|[nk]Um"),
    ("shifted_unit", r"mU|Um"),
    ("ahead", r"[fi][nk]U|fU"),
    ("shifted_month", r"m[MA]|[MA]m"),
    ("shifted_weekday", r"mW|Wm"),
    ("shifted_season", r"mS|Sm"),
    ("season", r"So?[Yy]"),
    ("expression", r"R"),
    ("bare_month", r"M|(?<=[ipBso])A|(?<=[ip]t)A|A(?=[-&+][MA])|(?<=[MA][-&+])A"),
    ("year", r"YU?"),
    ("decade", r"D"),
    ("weekday", r"W"),
)
_CLEARLY_A_YEAR: Final = re.compile(r"(?:[ipsBo]t?|U|Y[-&+])\Z")
_RANGE_BEFORE: Final = re.compile(r"(?<![\w-])(?:\d{1,2}|(?:19|20)\d\d)-\Z")
# Prices, times, decimals, phone numbers and names of files are no days and no years.
_SAYS_A_TIME: Final = frozenset("YDMAWSUR")
_SMALL: Final = dict.fromkeys(map(ord, "tip"))
_STOPS: Final = frozenset("$€£#@:/.-_")
_BROKEN_DATE: Final = re.compile(r"-\d\d?(?!\d)")
_AFTER_OTHER_NUMBERS: Final = re.compile(r"[$€%:/_@]|[.,]\d")


@dataclass(frozen=True, slots=True)
class _Token:
    letter: str
    value: int | str | tuple[str, int]
    begin: int
    stop: int
    vague: bool = False  # a number that is none: few, couple
    plural: bool = False  # a unit that needs a number


def worded_dates(text: str, today: date, languages: tuple[str, ...]) -> Iterator[Found]:
    """The dates in words that one of the languages gives the text, in order.

    Args:
        text: Any text in NFKC.
        today: The day relative words are seen from.
        languages: Which of `LANGUAGES` to understand; a word that two of them know means what it does in the first.
    """
    tokens = list(_tokens(text, languages))
    letters = "".join(token.letter for token in tokens)
    if not _SAYS_A_TIME.intersection(letters):
        return  # most questions name no date, and the grammar takes a millisecond to compile
    for match in _grammar().finditer(letters):
        rule = match.lastgroup or ""
        of_date = tokens[match.start() : match.end()]
        before = letters[: match.start()]
        try:
            meaning = _meaning(rule, of_date, before, text, today)
        except (ValueError, OverflowError):
            continue
        if meaning is not None:
            yield _placed(meaning, of_date, since=before.rstrip("t").endswith("s"), today=today)


def is_connector(between: str, languages: tuple[str, ...]) -> str:
    """`&` if the words between two dates make them a range, `+` if they do after `between`, else nothing."""
    letters = "".join(token.letter for token in _tokens(between, languages)).translate(_SMALL)
    return {"&": "&", "-": "&", "+": "+"}.get(letters, "")


def opens_range(before: str, languages: tuple[str, ...]) -> bool:
    """Whether the text before a date ends with a word like `between`."""
    return "".join(token.letter for token in _tokens(before, languages)).rstrip("to").endswith("B")


@cache
def _grammar() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS))


@cache
def _lexicon(languages: tuple[str, ...]) -> dict[str, tuple[str, int | str | tuple[str, int]]]:
    words: dict[str, tuple[str, int | str | tuple[str, int]]] = {}
    for language in reversed(languages):
        for letter, forms in date_words.MARKS[language].items():
            words |= dict.fromkeys(forms.split("|"), (letter, 0))
        for letter, table, first in (
            ("k", date_words.NUMBERS, 1),
            ("U", date_words.UNITS, 0),
            ("m", date_words.SHIFTS, -2),
            ("S", date_words.SEASONS, 0),
            ("W", date_words.WEEKDAYS, 0),
            ("M", date_words.MONTHS, 1),
        ):
            for value, forms in enumerate(table[language].split(), start=first):
                for form in forms.split("|") if forms != _NONE else ():
                    words[form] = (_month_letter(form, forms) if letter == "M" else letter, value)
        words |= {expression: ("R", meaning) for expression, meaning in date_words.EXPRESSIONS[language].items()}
        words |= dict.fromkeys(date_words.NOT_DATES[language], ("x", 0))
    return words


def _month_letter(form: str, forms: str) -> str:
    full = form == forms.partition("|")[0] or len(form) > len("sept") or forms.startswith("май")
    return "A" if form in date_words.AMBIGUOUS_MONTHS or not full else "M"


def _tokens(text: str, languages: tuple[str, ...]) -> Iterator[_Token]:
    lexicon = _lexicon(languages)
    matches = list(_TOKEN.finditer(text))
    folded = [fold(match[0]).replace("’", "'") for match in matches]
    place = 0
    while place < len(matches):
        length = _longest_expression(folded, place, lexicon)
        match, last = matches[place], matches[place + length - 1]
        if length > 1:
            letter, value = lexicon[" ".join(folded[place : place + length])]
        elif match["digits"] or match["decade"]:
            letter, value = _number(match, text)
        else:
            letter, value = lexicon.get(folded[place], (_PUNCTUATION.get(match[0], "x"), 0))
        yield _Token(
            letter,
            value,
            match.start(),
            last.end(),
            folded[place] in date_words.VAGUE_NUMBERS,
            folded[place] in date_words.PLURALS,
        )
        place += length


_PUNCTUATION: Final = {",": "c", ".": "d", "-": "-", "–": "-", "—": "-"}


def _longest_expression(
    folded: list[str], place: int, lexicon: dict[str, tuple[str, int | str | tuple[str, int]]]
) -> int:
    for length in range(min(_LONGEST_EXPRESSION, len(folded) - place), 1, -1):
        if " ".join(folded[place : place + length]) in lexicon:
            return length
    return 1


def _number(match: re.Match[str], text: str) -> tuple[str, int]:
    if match["decade"]:
        return "D", int(match["decade"])
    value = int(match["digits"]) if len(match["digits"]) <= len("2023") else 0
    before = text[max(0, match.start() - len("2023-x")) : match.start()]
    if (before[-1:] in _STOPS and not _RANGE_BEFORE.search(before)) or _AFTER_OTHER_NUMBERS.match(text, match.end()):
        return "x", 0
    if _FIRST_YEAR <= value <= _LAST_YEAR and match[0] == match["digits"]:
        return ("x", 0) if _BROKEN_DATE.match(text, match.end()) else ("Y", value)
    if _FIRST_OLD_YEAR <= value < _FIRST_YEAR:
        return "y", value
    return ("n" if 1 <= value <= _MOST_DAYS else "k" if 1 <= value <= _MOST_COUNTED else "x"), value


@dataclass(frozen=True, slots=True)
class _Meaning:
    period: Period
    certainty: float
    relative: bool = False
    year_given: bool = True


def _placed(meaning: _Meaning, tokens: list[_Token], *, since: bool, today: date) -> Found:
    period = meaning.period
    if since and period.start <= today:
        period = Period(period.start, max(period.end, a_day(today).end))
    return Found(
        tokens[0].begin, tokens[-1].stop, period, meaning.certainty, meaning.relative, year_given=meaning.year_given
    )


def _meaning(rule: str, tokens: list[_Token], before: str, text: str, today: date) -> _Meaning | None:
    values: dict[str, int] = {}
    for token in tokens:
        if isinstance(token.value, int):
            values.setdefault(_SAME.get(token.letter, token.letter), token.value)
    if rule in ("day", "date", "days", "month", "bare_month"):
        return _in_calendar(rule, tokens, values, text, today)
    if rule in ("year", "decade", "season"):
        clear = _CLEARLY_A_YEAR.search(before) is not None
        # A bare number in the far future is rather the name of something.
        return _of_year(rule, values, clear=clear) if clear or values.get("Y", 0) <= today.year + 10 else None
    if rule == "expression":
        unit, count = next(token.value for token in tokens if isinstance(token.value, tuple))
        return _Meaning(shifted(unit, count, today), _SURE, relative=True)
    if "N" not in values and any(token.plural for token in tokens):
        return None
    if rule.startswith("shifted") or rule == "weekday":
        return _shifted(rule, values, today)
    return _counted(rule, tokens, values, today)


def _in_calendar(rule: str, tokens: list[_Token], values: dict[str, int], text: str, today: date) -> _Meaning | None:
    month, year = values["M"], values.get("Y")
    doubtful = any(token.letter == "A" for token in tokens)
    if rule in ("month", "bare_month"):
        if year is not None:
            return _Meaning(a_month(year, month), _LIKELY if doubtful else _SURE)
        return _Meaning(recurring(lambda one: a_month(one, month), None, today), _GUESSED, year_given=False)
    numbers = [int(token.value) for token in tokens if token.letter == "n" and isinstance(token.value, int)]
    name = next(token for token in tokens if token.letter in "MA")
    bare = all(text[token.begin : token.stop].isdecimal() for token in tokens if token.letter == "n")
    if doubtful and year is None and bare and not text[name.begin].isupper():
        return None  # "may 5 people come" is no date; "May 5" and "may 5th" are

    def in_year(one: int) -> Period:
        return Period(date(one, month, numbers[0]), a_day(date(one, month, numbers[-1])).end)

    if year is not None:
        return _Meaning(_forwards(in_year(year)), _SURE)
    return _Meaning(_forwards(recurring(in_year, None, today)), _GUESSED, year_given=False)


def _forwards(period: Period) -> Period:
    if period.end <= period.start:
        raise ValueError("The last day comes before the first.")
    return period


def _of_year(rule: str, values: dict[str, int], *, clear: bool) -> _Meaning | None:
    if rule == "decade":
        return _Meaning(Period(date(values["D"], 1, 1), date(values["D"] + 10, 1, 1)), _PROBABLE)
    if rule == "season":
        return _Meaning(a_season(values["Y"], values["S"]), _PROBABLE)
    unit = values.get("U")
    if unit is not None and _UNIT_NAMES[unit] != "year":
        return None  # 2000 days
    return _Meaning(a_year(values["Y"]), _LIKELY if clear or unit is not None else _GUESSED)


def _shifted(rule: str, values: dict[str, int], today: date) -> _Meaning:
    shift = values.get("m")
    if rule == "shifted_unit":
        return _Meaning(shifted(_UNIT_NAMES[values["U"]], shift or 0, today), _SURE, relative=True)
    if rule in ("shifted_weekday", "weekday"):
        certainty = _VAGUE if shift is None else _PROBABLE
        return _Meaning(a_weekday(values["W"], shift, today), certainty, relative=True)
    if rule == "shifted_season":
        return _Meaning(recurring(lambda one: a_season(one, values["S"]), shift, today), _PROBABLE, relative=True)
    return _Meaning(recurring(lambda one: a_month(one, values["M"]), shift, today), _LIKELY, relative=True)


def _counted(rule: str, tokens: list[_Token], values: dict[str, int], today: date) -> _Meaning:
    unit = _UNIT_NAMES[values["U"]]
    count = values.get("N", 1)
    certainty = _VAGUE if any(token.vague for token in tokens) else _LIKELY
    if rule == "stretch":
        if values["m"] == 0:
            raise ValueError("these two weeks: which?")
        return _Meaning(stretch(unit, count * (1 if values["m"] > 0 else -1), today), certainty, relative=True)
    sign = -1 if rule == "ago" else 1
    if rule == "ahead":
        certainty = min(certainty, _GUESSED if tokens[0].letter == "i" else _LIKELY)
    return _Meaning(shifted(unit, sign * count, today), certainty, relative=True)
