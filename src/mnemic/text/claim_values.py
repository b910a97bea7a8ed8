"""When two values of a claim say the same: `1,000` and `1000`, `3 May 2026` and `2026-05-03`, `yes` and `да`.

A value can be read in several ways, and two values agree when any two of their readings do: only what cannot be the
same is a contradiction. Everything here is about the value alone; keys and times are `domain/claims.py`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Final

from mnemic.domain.claims import claim_key
from mnemic.text.dates import dates_in
from mnemic.text.folding import fold
from mnemic.text.quantities import quantities
from mnemic.text.unit_words import NO, YES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mnemic.text.quantities import Quantity

_LONGEST: Final = 200
"""Longer values are compared as texts: they are sentences, not numbers or dates."""
_SURE: Final = 0.65
_APOSTROPHES: Final = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"'})
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | {"ё": "е", "»": '"'})
_EDGES: Final = " \t\"'.。!！,，;；"
_LIST: Final = re.compile(r"\s*[,;、，；]\s*")
_PHONE: Final = re.compile(r"\+[\d ()/.-]{7,24}")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_SWAPPED: Final = re.compile(r"(\d\d?)/(\d\d?)/(\d{4})")
_CLOCK: Final = re.compile(r"(?:\b(?:at|um|в|,)\s*|[T\s]\s*)?(\d{1,2}):(\d\d)(?::\d\d)?(?:\s*uhr)?", re.IGNORECASE)
_YEAR_WORD: Final = re.compile(r"\s*(?:г\.?|года)\Z")
# What stands under such a key is a name, although it is written in digits.
_DIGIT_NAMES: Final = """
version versions release phone telephone mobile fax zip postcode postal pin code id isbn iban account ticket
build telefon plz postleitzahl konto kennung ausgabe версия релиз телефон индекс код счет
"""
_NAMES: Final = frozenset(_DIGIT_NAMES.split())
_NAMES_AT_END: Final = ("バージョン", "版", "電話", "番号", "コード", "版本", "版本号", "电话", "邮编", "号码", "代码")


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """All that a value can mean. `days` are half-open, in ordinals; `moments` hold an instant, or one without zone."""

    texts: frozenset[str]
    truths: frozenset[bool] = frozenset()
    amounts: tuple[Quantity, ...] = ()
    days: tuple[tuple[int, int], ...] = ()
    moments: tuple[datetime, ...] = ()

    def agrees(self, other: ClaimValue) -> bool:
        """Whether there is a reading of each under which both say the same, or one says it more exactly."""
        return bool(
            self.texts & other.texts
            or self.truths & other.truths
            or any(one.agrees(two) for one in self.amounts for two in other.amounts)
            or any(_within(one, two) for one in self.days for two in other.days)
            or any(_same_moment(one, two) for one in self.moments for two in other.moments)
            or any(_on(moment, day) for moment in self.moments for day in other.days)
            or any(_on(moment, day) for moment in other.moments for day in self.days)
        )


def claim_value(value: str, *, key: str = "", language: str = "und", today: date) -> ClaimValue:
    """What a value can mean.

    Args:
        value: As it was given, of any length.
        key: Under some keys (version, phone, code) digits are a name, and `3.10` is not `3.1`.
        language: That of the memory's text; settles whether `1.234` is above a thousand.
        today: The day it was said, for words like `tomorrow`.
    """
    composed = " ".join(unicodedata.normalize("NFKC", value).split())
    text = _plain(composed)
    if len(composed) > _LONGEST:
        return ClaimValue(frozenset({text}))
    if _names_something(key):
        return ClaimValue(frozenset({text, re.sub(r"[\s\-()/]", "", text)}))
    if _PHONE.fullmatch(composed):
        return ClaimValue(frozenset({text, "+" + re.sub(r"\D", "", composed)}))
    moments = tuple(_moments(composed, today))
    return ClaimValue(
        texts=frozenset(_texts(text)),
        truths=frozenset(_truths(fold(text))),
        amounts=quantities(composed, language),
        # A moment says more than its day: 09:00 and 10:00 of one day are not the same.
        days=() if moments else tuple(_days(composed, today)),
        moments=moments,
    )


def _names_something(key: str) -> bool:
    """Whether the last step of a key is one under which digits are a name."""
    last = claim_key(key).rpartition(".")[2]
    return not _NAMES.isdisjoint(map(fold, last.split())) or any(last.endswith(name) for name in _NAMES_AT_END)


def _plain(composed: str) -> str:
    text = composed.casefold().translate(_APOSTROPHES).translate(_DASHES).strip(_EDGES)
    return (text.rstrip("/") if "://" in text else text) or composed.casefold()


def _texts(text: str) -> Iterator[str]:
    yield text
    parts = _LIST.split(text)
    if len(parts) > 1 and all(parts):
        yield "\n".join(sorted(parts))
    if clock := re.fullmatch(r"0?(\d):(\d\d)", text):
        yield f"{clock[1]}:{clock[2]}"


def _truths(folded: str) -> Iterator[bool]:
    if folded in YES:
        yield True
    if folded in NO:
        yield False


def _days(text: str, today: date) -> Iterator[tuple[int, int]]:
    """The days of a text that is nothing but a date; both where day and month may be either way round."""
    plain = _YEAR_WORD.sub("", text.strip(" .。,"))
    if _YEAR.fullmatch(plain):
        year = int(plain)
        yield date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal() + 1
        return
    if _ISO_DAY.fullmatch(plain):
        try:
            day = date.fromisoformat(plain).toordinal()
        except ValueError:
            return
        yield day, day + 1
        return
    written = [plain]
    if swapped := _SWAPPED.fullmatch(plain):
        written.append(f"{swapped[3]}-{swapped[1]:0>2}-{swapped[2]:0>2}")
    for each in written:
        spans = dates_in(each, today=today)
        either = len(written) > 1
        if len(spans) == 1 and spans[0].text.strip() == each and (either or spans[0].certainty >= _SURE):
            yield spans[0].start.toordinal(), spans[0].end.toordinal()


def _moments(text: str, today: date) -> Iterator[datetime]:
    try:
        if len(text) > len("2026-05-03"):
            moment = datetime.fromisoformat(text)
            yield _in_utc(moment)
            return
    except ValueError:
        pass
    clock = _CLOCK.search(text)
    if clock is None or clock.end() != len(text) or not clock.start():
        return
    days = list(_days(text[: clock.start()].rstrip(" ,"), today))
    hour, minute = int(clock[1]), int(clock[2])
    if days and hour < 24 and minute < 60:  # noqa: PLR2004 - a clock's
        day = date.fromordinal(days[0][0])
        yield datetime(day.year, day.month, day.day, hour, minute)  # noqa: DTZ001 - nobody said where


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment
    except OverflowError:  # the last evening of the year 9999, west of Greenwich
        return moment.replace(tzinfo=None)


def _within(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return (one[0] <= other[0] and other[1] <= one[1]) or (other[0] <= one[0] and one[1] <= other[1])


def _same_moment(one: datetime, other: datetime) -> bool:
    if (one.tzinfo is None) == (other.tzinfo is None):
        return one == other
    # Nobody said where the clock of the other hangs: 12:00 there is 12:00 here.
    return one.replace(tzinfo=None) == other.replace(tzinfo=None)


def _on(moment: datetime, day: tuple[int, int]) -> bool:
    return day[0] - 1 <= moment.toordinal() <= day[1] if moment.tzinfo else day[0] <= moment.toordinal() < day[1]
