"""Dates in Japanese and Chinese text, which puts no spaces between them and the words around them."""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final

from mnemic.text.periods import Found, Period, a_day, a_month, a_season, a_weekday, a_year, recurring, shifted

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGITS: Final = "0-9〇零一二三四五六七八九十"
_NUMBER: Final = rf"[{_DIGITS}両两]{{1,3}}"
# Longer words first: 一昨年 holds 昨年.
_YEAR_WORDS: Final = {
    "一昨年": -2, "おととし": -2, "再来年": 2, "昨年": -1, "去年": -1, "前年": -2, "今年": 0, "本年": 0,
    "ことし": 0, "来年": 1, "明年": 1, "來年": 1,
}  # fmt: skip
_MONTH_WORDS: Final = {
    "先々月": -2, "上个月": -1, "上個月": -1, "这个月": 0, "這個月": 0, "下个月": 1, "下個月": 1, "先月": -1,
    "上月": -1, "今月": 0, "本月": 0, "来月": 1, "下月": 1,
}  # fmt: skip
_WEEK_WORDS: Final = {
    "先々週": -2, "再来週": 2, "上上周": -2, "上个星期": -1, "上個星期": -1, "这个星期": 0, "這個星期": 0,
    "下个星期": 1, "下個星期": 1, "上个礼拜": -1, "这个礼拜": 0, "下个礼拜": 1, "上星期": -1, "下星期": 1,
    "这星期": 0, "上礼拜": -1, "下礼拜": 1, "先週": -1, "今週": 0, "来週": 1, "上周": -1, "上週": -1, "这周": 0,
    "這週": 0, "本周": 0, "本週": 0, "下周": 1, "下週": 1,
}  # fmt: skip
_DAY_WORDS: Final = {
    "一昨日": -2, "おととい": -2, "明後日": 2, "あさって": 2, "大前天": -3, "大后天": 3, "昨日": -1,
    "きのう": -1, "昨夜": -1, "昨晩": -1, "今日": 0, "きょう": 0, "今朝": 0, "今晩": 0, "今夜": 0, "明日": 1,
    "あした": 1, "昨天": -1, "昨晚": -1, "前天": -2, "今天": 0, "今晚": 0, "明天": 1, "后天": 2, "後天": 2,
}  # fmt: skip
_WEEKDAYS: Final = {"月": 0, "火": 1, "水": 2, "木": 3, "金": 4, "土": 5, "日": 6, "天": 6} | dict(
    zip("一二三四五六", range(6), strict=True)
)
_SEASONS: Final = {"春": 0, "夏": 1, "秋": 2, "冬": 3}
_UNITS: Final = {
    "日": "day",
    "天": "day",
    "週": "week",
    "周": "week",
    "星": "week",
    "礼": "week",
    "月": "month",
    "年": "year",
}
_ERAS: Final = {"令和": 2018, "平成": 1988, "昭和": 1925}
_KANJI: Final = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "両": 2, "两": 2}


def _any(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_FORMS: Final = re.compile(
    r"(?<!\d)(?:"
    rf"(?P<count>{_NUMBER}|半)\s?(?:个|個|か|ヶ|カ|ケ|箇)?(?P<unit>日|天|週間|週|周|星期|礼拜|月|年)(?P<side>之?前|以前|后|後|之后|之後)"
    rf"|(?:(?P<era>令和|平成|昭和)(?P<era_year>[{_DIGITS}]{{1,3}}|元)年"
    rf"|(?P<year>(?:1\d|20)\d\d|[一二〇零][〇零一二三四五六七八九]{{3}})\s?年|(?P<year_word>{_any(_YEAR_WORDS)}))"
    rf"(?:の?\s?(?:(?P<month>{_NUMBER})\s?月(?:の?\s?(?P<day>{_NUMBER})\s?[日号號])?|(?P<season>[春夏秋冬])[天季]?))?"
    rf"|(?P<month_word>{_any(_MONTH_WORDS)})(?:の?\s?(?P<its_day>{_NUMBER})\s?[日号號])?"
    rf"|(?P<week_word>{_any(_WEEK_WORDS)})(?:の?(?P<weekday>[月火水木金土日])曜|(?P<zh_weekday>[二三四五六日天]|一(?![起直定样些切个])))?日?"
    rf"|(?P<day_word>{_any(_DAY_WORDS)})"
    rf"|(?P<bare_month>{_NUMBER})\s?月(?!間|间|前)(?:の?\s?(?P<bare_day>{_NUMBER})\s?[日号號])?"
    r"|(?P<alone>[月火水木金土日])曜日?|(?:星期|礼拜|礼拝|周|週)(?P<zh_alone>[二三四五六日天]|一(?![起直定样些切个]))"
    r")"
)
_SURE: Final = 1.0
_LIKELY: Final = 0.9
_GUESSED: Final = 0.7
_VAGUE: Final = 0.5


def cjk_dates(text: str, today: date) -> Iterator[Found]:
    """The Japanese and Chinese dates of a text in NFKC, in order."""
    for match in _FORMS.finditer(text):
        try:
            period, certainty, relative = _meaning(match, today)
        except (ValueError, OverflowError):
            continue
        given = bool(match["year"] or match["era"] or match["year_word"] or relative)
        yield Found(match.start(), match.end(), period, certainty, relative=relative, year_given=given)


def _number(written: str) -> int:
    if written.isdecimal():
        return int(written)
    if written == "元":
        return 1
    if "十" in written:
        tens, _, ones = written.partition("十")
        return 10 * (_KANJI[tens] if tens else 1) + (_KANJI[ones] if ones else 0)
    number = 0
    for char in written:
        number = 10 * number + (int(char) if char.isdecimal() else _KANJI[char])
    return number


def _meaning(match: re.Match[str], today: date) -> tuple[Period, float, bool]:
    if match["count"]:
        return _some_ago(match, today)
    if match["era"] or match["year"] or match["year_word"]:
        return _in_a_year(match, today)
    if match["bare_month"]:
        return _in_no_year(_number(match["bare_month"]), match["bare_day"], today)
    return _around_today(match, today)


def _some_ago(match: re.Match[str], today: date) -> tuple[Period, float, bool]:
    if match["count"] == "半":
        raise ValueError("half a unit names no day")
    sign = 1 if match["side"][-1] in "后後" else -1
    unit = _UNITS[match["unit"][0]]
    return shifted(unit, sign * _number(match["count"]), today), _SURE if unit == "day" else _LIKELY, True


def _in_a_year(match: re.Match[str], today: date) -> tuple[Period, float, bool]:
    if match["year_word"]:
        year = today.year + _YEAR_WORDS[match["year_word"]]
    elif match["era"]:
        year = _ERAS[match["era"]] + _number(match["era_year"])
    else:
        year = _number(match["year"])
    relative = match["year_word"] is not None
    if match["season"]:
        return a_season(year, _SEASONS[match["season"]]), _LIKELY, relative
    if not match["month"]:
        return a_year(year), _SURE, relative
    if match["day"]:
        return a_day(date(year, _number(match["month"]), _number(match["day"]))), _SURE, relative
    return a_month(year, _number(match["month"])), _SURE, relative


def _in_no_year(month: int, day: str | None, today: date) -> tuple[Period, float, bool]:
    if day:
        return recurring(lambda year: a_day(date(year, month, _number(day))), None, today), _GUESSED, False
    return recurring(partial(_month_in, month), None, today), _GUESSED, False


def _month_in(month: int, year: int) -> Period:
    return a_month(year, month)


def _around_today(match: re.Match[str], today: date) -> tuple[Period, float, bool]:
    if match["month_word"]:
        month = shifted("month", _MONTH_WORDS[match["month_word"]], today)
        if match["its_day"]:
            return a_day(month.start.replace(day=_number(match["its_day"]))), _SURE, True
        return month, _SURE, True
    if match["week_word"]:
        week = _WEEK_WORDS[match["week_word"]]
        weekday = match["weekday"] or match["zh_weekday"]
        if weekday:
            monday = shifted("week", week, today).start
            return shifted("day", _WEEKDAYS[weekday], monday), _SURE, True
        return shifted("week", week, today), _SURE, True
    if match["day_word"]:
        return shifted("day", _DAY_WORDS[match["day_word"]], today), _SURE, True
    return a_weekday(_WEEKDAYS[match["alone"] or match["zh_alone"]], None, today), _VAGUE, True
