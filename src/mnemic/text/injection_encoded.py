"""Writing that has to be decoded first: Base64, hex, percent signs, entities, escapes, rot13, backwards, spelled."""

from __future__ import annotations

import binascii
import codecs
import html
import re
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator


class Decoded(NamedTuple):
    """What a stretch of a text says once decoded, and how it was encoded, in words."""

    text: str
    start: int
    end: int
    how: str


_MOST: Final = 20_000
"""Characters of one blob that are decoded; orders are short."""
_SHORTEST: Final = 16
_BASE64: Final = re.compile(r"(?<![\w+/-])[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]{16,})*={0,2}(?![\w+/-])")
_HEX: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:[0-9a-f]{2}[ :]?){10,}(?![0-9A-Za-z])|"
    r"(?<![0-9A-Za-z])(?:[0-9A-F]{2}[ :]?){10,}(?![0-9A-Za-z])"
)
_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2}[A-Za-z0-9_.+~-]{0,20}){3,}")
_WITH_PERCENT: Final = re.compile(r"[A-Za-z0-9_.+~-]{0,40}$")
_ENTITIES: Final = re.compile(r"(?:&#(?:x[0-9A-Fa-f]{1,6}|\d{1,7});[ A-Za-z0-9.,]{0,12}){4,}")
_ESCAPES: Final = re.compile(r"(?:\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})[ A-Za-z0-9.,]{0,12}){4,}")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2}))")
_ROT13: Final = ("vtaber", "qvfertneq", "vafgehpgvba", "flfgrz cebzcg", "sebz abj ba", "lbh ner abj")
_BACKWARDS: Final = ("erongi", "dragersid", "snoitcurtsni", "tpmorp metsys", "won era uoy", "tegrof")
_SPELLED: Final = re.compile(r"(?<![^\W_])[^\W\d_](?:[\s._\-*/|·,]{1,3}[^\W_]){7,}(?![^\W_])")
_SEPARATOR: Final = re.compile(r"[\s._\-*/|·,]+")
_LEET: Final = str.maketrans("013457@$!|", "oieastasil")
_MIXED: Final = re.compile(r"[a-z][013457@$!|]+[a-z]|\b[01345@$!][a-z]{2}")
_ENOUGH_LEET: Final = 3


def decoded_in(text: str, folded: str) -> Iterator[Decoded]:
    """Every stretch that decodes to readable text; `folded` is the text as it looks in lower case, same length."""
    if any(len(word) >= _SHORTEST for word in text.split()):
        for match in _BASE64.finditer(text):
            if said := _base64(match[0]):
                yield Decoded(said, *match.span(), "Base64")
    for match in _HEX.finditer(text):
        if said := _readable(_from_hex(match[0])):
            yield Decoded(said, *match.span(), "hex")
    if "%" in text:
        yield from _unquoted(text)
    if "&#" in text:
        yield from (Decoded(html.unescape(match[0]), *match.span(), "entities") for match in _ENTITIES.finditer(text))
    if "\\" in text:
        for match in _ESCAPES.finditer(text):
            yield Decoded(_ESCAPE.sub(_unescaped, match[0]), *match.span(), "escapes")
    yield from _turned(folded)


def _unquoted(text: str) -> Iterator[Decoded]:
    for match in _PERCENT.finditer(text):
        before = _WITH_PERCENT.search(text, max(match.start() - 40, 0), match.start())
        start = before.start() if before else match.start()
        yield Decoded(unquote(text[start : match.end()]).replace("+", " "), start, match.end(), "percent signs")


def _turned(folded: str) -> Iterator[Decoded]:
    if any(cue in folded for cue in _ROT13):
        yield Decoded(codecs.encode(folded, "rot13"), 0, len(folded), "rot13")
    if any(cue in folded for cue in _BACKWARDS):
        yield Decoded(folded[::-1], 0, len(folded), "letters from back to front")
    mixed = [match.span() for match in _MIXED.finditer(folded)]
    if len(mixed) >= _ENOUGH_LEET:
        yield Decoded(folded.translate(_LEET), 0, len(folded), "digits for letters")


def spelled_in(folded: str) -> Iterator[Decoded]:
    """Words spelled letter by letter, put together without spaces."""
    for match in _SPELLED.finditer(folded):
        yield Decoded(_SEPARATOR.sub("", match[0]).translate(_LEET), *match.span(), "single letters")


def _base64(blob: str) -> str:
    body = "".join(blob.split()).rstrip("=").replace("-", "+").replace("_", "/")[:_MOST]
    body = body[: len(body) - (len(body) % 4 == 1)]
    try:
        return _readable(binascii.a2b_base64(body + "=" * (-len(body) % 4)))
    except binascii.Error:
        return ""


def _from_hex(blob: str) -> bytes:
    digits = re.sub(r"[ :]", "", blob)[:_MOST]
    return bytes.fromhex(digits[: len(digits) // 2 * 2])


def _readable(data: bytes) -> str:
    """The bytes as text, if they are one: valid UTF-8 (but for a cut end) without control characters."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(data) - 3 or not error.start:
            return ""
        text = data[: error.start].decode("utf-8")
    return text if all(char.isprintable() or char in "\t\n\r" for char in text) else ""


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))
