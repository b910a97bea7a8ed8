"""Finds personal data in a text: e-mail addresses, phone numbers, payment cards, bank accounts, network addresses.

Only a label follows from it: a memory may hold such things, and its owner should know. Check digits are verified where
a number has them, so that an order number is not called a card. All is pure, offline and linear in the text's length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class PersonalData(StrEnum):
    """What is found."""

    EMAIL = "email"
    PHONE = "phone"
    CARD = "card"
    IBAN = "iban"
    IP = "ip"


NAMES: Final = MappingProxyType(
    {
        PersonalData.EMAIL: "e-mail address",
        PersonalData.PHONE: "phone number",
        PersonalData.CARD: "payment card",
        PersonalData.IBAN: "bank account (IBAN)",
        PersonalData.IP: "IP address",
    }
)
"""Each label in words."""


@dataclass(frozen=True, slots=True)
class Found:
    """What stands where in a text, never the thing itself."""

    label: PersonalData
    start: int
    end: int


_EMAIL: Final = re.compile(
    r"(?<![\w.+%/=-])[\w.!#$%&'*+?^{}|~-]{1,64}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}(?![\w@-])"
)
_NO_NAMES: Final = frozenset({"git@", "root@", "noreply@", "no-reply@", "user@", "postgres@"})
_RESERVED: Final = re.compile(r"@(?:.*\.)?(?:example|invalid|localhost|test|local)$", re.IGNORECASE)
_DIGITS: Final = re.compile(r"(?<![\w.,#/:=+-])\+?\(?\d[\d ()./\u00a0\u2011-]{5,24}\d(?![\w#/:=]|[.,-]\d)")
_CARD: Final = re.compile(r"(?<![\w.+-])\d(?:[ -]?\d){12,18}(?![\w-]|\.\d)")
_IBAN: Final = re.compile(r"(?<![\w-])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![\w-])")
_IPV4: Final = re.compile(r"(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")
_IPV6: Final = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{1,4}:|:){2,7}(?:[0-9A-Fa-f]{1,4}|:)?(?![\w:.])")
_BEFORE_PHONE: Final = re.compile(
    r"(?:\b(?:phone|tel(?:ephone|efon)?|mobile?|cell|call|fax|whatsapp|sms|text|hotline|number|handy|mobil|"
    r"anrufen|rufnummer|nummer|"
    r"telefono|telefone|movil|móvil|celular|teléfono|llamar|téléphone|portable|appeler|numéro|numero|cellulare|"
    r"chiama|ring|reach|"
    r"dial|тел|телефон|мобильный|звонить|позвонить|позвони|номер)\b|電話|携帯|番号|电话|手机|拨打|致电|전화|هاتف|"
    r"फ़ोन)[^\n\d+]{0,30}$",
    re.IGNORECASE,
)
_NO_PHONE: Final = re.compile(
    r"(?:\b(?:order|invoice|ticket|isbn|issn|ean|serial|version|part|case|issue|bestellung|rechnung|auftrag|"
    r"artikel|заказ|счёт|pedido|"
    r"commande|facture|tracking|id|no|nr|room|build|row|rows|lines?)\b|注文|订单)[^\n\d+]{0,15}$",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4})(?:[ T]\d{1,2})?|\d{4} ?[-\u2011] ?\d{4}"
)
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:[ .\u00a0]\d{3})+")
_CUE: Final = 40
"""Characters before a number in which a word may say what it is."""
_FEWEST, _MOST = 7, 15
_NATIONAL: Final = 9
"""Digits from which a number that begins with 0 is a phone number without a word that says so."""
_CARD_BEGINS: Final = re.compile(r"4|5[1-5]|2[2-7]|3[47]|3[0689]|6(?:011|5|4[4-9]|2)|35|50|5[6-9]|6[0-9]|9")
_DIFFERENT: Final = 2
"""Fewer different digits are a sample or a separator."""
_CARD_LENGTHS: Final = frozenset({13, 14, 15, 16, 18, 19})
_IBAN_COUNTRIES: Final = (
    (15, "NO"),
    (16, "BE"),
    (18, "DK FI FO GL NL"),
    (19, "MK SI"),
    (20, "AT BA EE KZ LT LU XK"),
    (21, "CH HR LI LV"),
    (22, "BG BH CR DE GB GE IE ME RS VA"),
    (23, "AE GI IL IQ TL"),
    (24, "AD CZ ES MD PK RO SA SE SK TN VG"),
    (25, "LY PT ST"),
    (26, "IS TR"),
    (27, "FR GR IT MC MR SM"),
    (28, "AL AZ BY CY DO EG GT HU LB PL SV"),
    (29, "BR PS QA UA"),
    (30, "JO KW MU"),
    (31, "MT SC"),
    (32, "LC"),
)
_IBAN_LENGTHS: Final = MappingProxyType(
    {country: length for length, countries in _IBAN_COUNTRIES for country in countries.split()}
)
"""Length of an account number by country."""


def personal_data(text: str) -> tuple[Found, ...]:
    """All personal data in a text, in order, none overlapping another."""
    found: list[Found] = []
    taken: list[tuple[int, int]] = []
    for label, spans in (
        ((PersonalData.EMAIL, _emails), *_NUMBERS) if _digits(text) else ((PersonalData.EMAIL, _emails),)
    ):
        for start, end in spans(text):
            if not any(start < past and first < end for first, past in taken):
                taken.append((start, end))
                found.append(Found(label, start, end))
    return tuple(sorted(found, key=lambda each: each.start))


def labels(text: str) -> tuple[PersonalData, ...]:
    """Which kinds of personal data a text holds, each once, in the order of `PersonalData`."""
    kinds = {found.label for found in personal_data(text)}
    return tuple(label for label in PersonalData if label in kinds)


def _digits(text: str) -> bool:
    return any(char in text for char in "0123456789") or "::" in text


def _emails(text: str) -> Iterator[tuple[int, int]]:
    if "@" not in text:
        return
    for match in _EMAIL.finditer(text):
        low = match[0].lower()
        if not low.startswith(tuple(_NO_NAMES)) and not _RESERVED.search(low) and ".." not in low and low[0] != ".":
            yield match.span()


def _cards(text: str) -> Iterator[tuple[int, int]]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if (
            len(digits) in _CARD_LENGTHS
            and _CARD_BEGINS.match(digits)
            and len(set(digits)) >= _DIFFERENT
            and luhn(digits)
        ):
            yield match.span()


def luhn(digits: str) -> bool:
    """Whether the last digit checks the others (ISO/IEC 7812-1, annex B)."""
    total = sum(
        sum(divmod(int(digit) * 2, 10)) if odd % 2 else int(digit) for odd, digit in enumerate(reversed(digits))
    )
    return total % 10 == 0


def _ibans(text: str) -> Iterator[tuple[int, int]]:
    for match in _IBAN.finditer(text):
        length = _IBAN_LENGTHS.get(match[0][:2])
        if length is None:
            continue
        # Words in capitals may follow the number: what counts is as many characters as the country's numbers have.
        end, count = match.start(), 0
        while end < match.end() and count < length:
            count += text[end] != " "
            end += 1
        whole = text[match.start() : end].replace(" ", "")
        if count == length and (end == match.end() or text[end] == " ") and iban_checks(whole):
            yield match.start(), end


def iban_checks(iban: str) -> bool:
    """Whether its two check digits fit (ISO 7064, MOD 97-10)."""
    return int("".join(str(int(char, 36)) for char in iban[4:] + iban[:4])) % 97 == 1


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    for pattern, parse in ((_IPV4, IPv4Address), (_IPV6, IPv6Address)):
        for match in pattern.finditer(text):
            try:
                address: IPv4Address | IPv6Address = parse(match[0])
            except AddressValueError:
                continue
            before = text[max(match.start() - 12, 0) : match.start()].lower()
            nobodys = address.is_loopback or address.is_unspecified or address.is_link_local or address.is_multicast
            if (
                not nobodys
                and any(map(str.isdigit, match[0]))
                and not re.search(r"\b(?:version|release|v|ver)\.? ?$", before)
            ):
                yield match.span()


def _phones(text: str) -> Iterator[tuple[int, int]]:
    for match in _DIGITS.finditer(text):
        number = match[0]
        digits = re.sub(r"\D", "", number)
        if not _FEWEST <= len(digits) <= _MOST or _DATE.fullmatch(number) or len(set(digits)) == 1:
            continue
        before = text[max(match.start() - _CUE, 0) : match.start()]
        if _NO_PHONE.search(before):
            continue
        if number.startswith("+"):
            if len(digits) > _FEWEST and digits[0] != "0":
                yield match.span()
        elif _BEFORE_PHONE.search(before):
            yield match.span()
        elif _THOUSANDS.fullmatch(number):
            continue
        elif (
            number.startswith(("0", "(0"))
            and len(digits) >= _NATIONAL
            and re.search(r"[ /()-]", number)
            and "." not in number
        ) or re.fullmatch(r"\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4}", number):
            yield match.span()


_NUMBERS: Final[tuple[tuple[PersonalData, Callable[[str], Iterator[tuple[int, int]]]], ...]] = (
    (PersonalData.IBAN, _ibans),
    (PersonalData.CARD, _cards),
    (PersonalData.IP, _addresses),
    (PersonalData.PHONE, _phones),
)
