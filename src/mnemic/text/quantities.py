"""Numbers with their unit, as they are written in many places: `1,000`, `1.000,0`, `1 000`, `5 тыс.`, `250万円`."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from mnemic.text.folding import fold
from mnemic.text.stemming import stem
from mnemic.text.unit_words import number_words, scales, unit_named

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST: Final = 120
"""A longer text is no quantity."""
_MOST_DIGITS: Final = 24
_DECIMAL_COMMA: Final = frozenset(
    {"de", "ru", "fr", "es", "it", "pt", "nl", "pl", "sv", "uk", "tr", "da", "nb", "no", "fi", "cs"}
)
_DECIMAL_POINT: Final = frozenset({"en", "ja", "zh", "ko", "he", "th", "hi"})
_BLANKS: Final = "  \u00a0\u2009\u202f'’_"
_PREFIX: Final = r"(?P<sign>[-+−–]?)\s*(?P<symbol>[$€£¥₽]|us\$)?\s*"
_DIGITS: Final = re.compile(rf"{_PREFIX}(?P<number>\d(?:[\d.,{_BLANKS}]*\d)?)\s*(?P<rest>\D.*)?", re.IGNORECASE)
_KANJI_CHARACTERS: Final = "〇零一二三四五六七八九十百千万萬億亿兆両两"
_KANJI: Final = re.compile(rf"{_PREFIX}(?P<number>[\d.,]*[{_KANJI_CHARACTERS}][\d.,{_KANJI_CHARACTERS}]*)(?P<rest>.*)")
_WORD: Final = re.compile(r"(?P<word>[^\W\d_]+)(?:\s+(?P<rest>.+))?")
_GROUPED: Final = re.compile(rf"\d{{1,3}}(?:[{_BLANKS}]\d{{3}})+(?=[.,]|\Z)")
_KANJI_DIGITS: Final = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "両": 2, "两": 2}
_KANJI_TENS: Final = {"十": 10, "百": 100, "千": 1000}
_KANJI_GREAT: Final = (("兆", 10**12), ("億", 10**8), ("亿", 10**8), ("万", 10**4), ("萬", 10**4))
_MOST_UNIT_WORDS: Final = 4
_GROUP: Final = 3


class Quantity(NamedTuple):
    """An amount of something. `written` is the number before its unit was reckoned in, `known` that the unit is."""

    amount: Decimal
    measures: str
    written: Decimal
    known: bool = True

    def agrees(self, other: Quantity) -> bool:
        """Whether both can be the same amount; a bare number agrees with the same number of a known unit."""
        if self.measures == other.measures:
            return self.amount == other.amount
        if not self.measures or not other.measures:
            return self.known and other.known and self.written == other.written
        return False


def quantities(text: str, language: str) -> tuple[Quantity, ...]:
    """What amounts a text can mean: none, one, or two where `1.234` leaves open what its dot says.

    Args:
        text: The whole text must be one quantity.
        language: Its likeliest language, which settles what a dot or a comma before three digits is.
    """
    plain = text.strip().rstrip(".。").strip()
    if not plain or len(plain) > LONGEST or sum(map(str.isdigit, plain)) > _MOST_DIGITS:
        return ()
    return tuple(dict.fromkeys(_readings(plain, language)))


def _readings(plain: str, language: str) -> Iterator[Quantity]:
    if match := _KANJI.fullmatch(plain):
        number = _kanji_number(match["number"])
        if number is not None:
            yield from _measured([number], match, language)
            return
    if match := _DIGITS.fullmatch(plain):
        yield from _measured(list(_numbers(match["number"], language)), match, language)
    elif match := _WORD.fullmatch(plain):
        number = number_words().get(fold(match["word"]))
        if number is not None:
            yield from _of_unit([number], match["rest"] or "")


def _measured(numbers: list[Decimal], match: re.Match[str], language: str) -> Iterator[Quantity]:
    symbol = match["symbol"] or ""
    if symbol == "¥":
        symbol = "元" if language == "zh" else "円"
    if match["sign"] in tuple("-−–"):
        numbers = [-number for number in numbers]
    yield from _of_unit(numbers, f"{match['rest'] or ''} {symbol}".strip())


def _of_unit(numbers: list[Decimal], rest: str) -> Iterator[Quantity]:
    """The numbers with the scale and the unit that follow them."""
    words = re.findall(r"[^\s.]+", rest)
    scale = Decimal(1)
    if words and words[0] in {"M", "m"}:  # millions, but metres
        scale, words = (Decimal(1_000_000), words[1:]) if words[0] == "M" else (scale, words)
    elif words and fold(words[0]) in scales():
        scale, words = scales()[fold(words[0])], words[1:]
    if len(words) > _MOST_UNIT_WORDS:
        return
    name = " ".join(map(fold, words))
    unit = unit_named(name) if name else ("", Decimal(1))
    for number in numbers:
        written = number * scale
        if unit is not None:
            yield Quantity(written * unit[1], unit[0], written)
        else:
            yield Quantity(written, " ".join(map(stem, name.split())), written, known=False)


def _numbers(digits: str, language: str) -> Iterator[Decimal]:
    """The numbers that digits with dots, commas and blanks can be."""
    if re.search(rf"[{_BLANKS}]", digits):
        grouped = _GROUPED.match(digits)
        if grouped is None:
            return
        digits = re.sub(rf"[{_BLANKS}]", "", grouped[0]) + digits[grouped.end() :]
    if re.match(r"0\d", digits):
        return  # a code, a postal code, a day
    marks = [char for char in digits if char in ".,"]
    match marks:
        case []:
            yield Decimal(digits)
        case [mark]:
            yield from _with_one_mark(*digits.split(mark), mark=mark, language=language)
        case [*many] if len(set(many)) == 1:
            if _is_grouped(digits.split(many[0])):
                yield Decimal(digits.replace(many[0], ""))
        case [*many] if many[-1] not in many[:-1] and len(set(many)) == len(".,"):
            whole, _, part = digits.rpartition(many[-1])
            if _is_grouped(whole.split(many[0])):
                yield Decimal(f"{whole.replace(many[0], '')}.{part}")


def _with_one_mark(whole: str, part: str, *, mark: str, language: str) -> Iterator[Decimal]:
    may_group = len(part) == _GROUP and len(whole) <= _GROUP and not whole.startswith("0")
    groups = mark == "," if language in _DECIMAL_POINT else mark == "." if language in _DECIMAL_COMMA else None
    # Nobody writes three noughts after a decimal mark by hand: whatever the language, that is a thousand.
    if may_group and (groups is not False or not part.strip("0")):
        yield Decimal(whole + part)
    if not may_group or not groups:
        yield Decimal(f"{whole}.{part}")


def _is_grouped(groups: list[str]) -> bool:
    """Whether these are groups of three, or of two and at last three, as in India."""
    first, *others = groups
    return 0 < len(first) <= _GROUP and all(2 <= len(each) <= _GROUP for each in others) and len(groups[-1]) == _GROUP  # noqa: PLR2004


def _kanji_number(text: str) -> Decimal | None:
    total = Decimal(0)
    for sign, factor in _KANJI_GREAT:
        head, found, rest = text.partition(sign)
        if not found:
            continue
        section = _section(head)
        if section is None:
            return None
        total, text = total + section * factor, rest
    if not text:
        return total
    section = _section(text)
    return None if section is None else total + section


def _section(text: str) -> Decimal | None:
    """A number below ten thousand in Chinese numerals, or in digits."""
    if re.fullmatch(r"\d+(?:\.\d+)?|\d{1,3}(?:,\d{3})+", text):
        return Decimal(text.replace(",", ""))
    if not text or any(char not in _KANJI_DIGITS and char not in _KANJI_TENS for char in text):
        return None
    if _KANJI_TENS.keys().isdisjoint(text):
        return Decimal("".join(str(_KANJI_DIGITS[char]) for char in text))
    total, digit = 0, -1
    for char in text:
        if char in _KANJI_TENS:
            total, digit = total + (1 if digit < 0 else digit) * _KANJI_TENS[char], -1
        else:
            digit = _KANJI_DIGITS[char]
    return Decimal(total + max(digit, 0))
