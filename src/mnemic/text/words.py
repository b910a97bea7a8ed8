"""What one stretch of text between spaces holds: words, identifiers whole and in parts, numbers, emoji.

`node.js` gives `node`, `js`, `nodejs`; `getUserName` gives `get`, `user`, `name`, `getusername`; `v3.11.4` gives `3`,
`3dot11`, `3dot11dot4`. The whole is written without its connectors, so `e-mail` meets `email`.
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Final

# Vowel signs and other marks are no `\w` for `re`, and would split the words of the scripts that need them.
MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0816-\u082d\u0859-\u085b"
    "\u08d3-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7\u09e2\u09e3\u0a01-\u0a4d"
    "\u0a51\u0a70\u0a71\u0a75\u0a81-\u0acd\u0ae2\u0ae3\u0b01-\u0b57\u0b62\u0b63\u0b82-\u0bcd\u0bd7\u0c00-\u0c56"
    "\u0c62\u0c63\u0c81-\u0cd6\u0ce2\u0ce3\u0d00-\u0d57\u0d62\u0d63\u0d81-\u0df3\u0f18\u0f19\u0f35\u0f37\u0f39"
    "\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0fbc\u135d-\u135f\u1712-\u1714\u1732-\u1734\u18a9\u1920-\u193b"
    "\u1a17-\u1a1b\u1a55-\u1a7f\u1b00-\u1b04\u1b34-\u1b44\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37"
    "\u1dc0-\u1dff\ua802\ua806\ua80b\ua823-\ua827\ua880\ua881\ua8b4-\ua8c5\ua926-\ua92d\ua947-\ua953\ua980-\ua983"
    "\ua9b3-\ua9c0\uaa29-\uaa36\uaa4c\uaa4d\uabe3-\uabed\ufb1e"
)
_WORD: Final = rf"(?:[^\W_][{MARKS}\u200c\u200d]*)+"
_ASCII_WORD: Final = "[A-Za-z0-9]+"
_SCHEME: Final = r"(?i)(?:https?|ftp|file|ssh|git)://(?:www\.)?|^www\."
_THOUSANDS: Final = r"(?<![\d.,])(\d{1,3})((?:[,\u066c'’]\d{3})+)(?![\d])"
_DOTTED_NUMBER: Final = r"(?i)v?\d+(?:\.\d+)+"
_HUMP: Final = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+"
_PLUS_NAMES: Final = {"++": "plusplus", "#": "sharp"}
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th"})
_OPENING: Final = "([{<\"'*"
_CLOSING: Final = ".,;:!?)]}>\"'*"
_APOSTROPHES: Final = "'’"
# Joined with an apostrophe and a vowel after it, these are articles and particles (l'eau, qu'il, dell'arte).
_ELIDED: Final = frozenset(
    {"l", "d", "j", "m", "n", "s", "t", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"}
    | {"un", "dell", "all", "nell", "sull", "dall", "quell", "quest", "bell", "sant"}
)
_LONGEST: Final = 64
_MOST_PARTS: Final = 6
_MOST_HUMPS: Final = 5


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """The pattern, compiled when it is needed: to load `re` takes as long as half an interpreter."""
    import re

    return re.compile(text)


@cache
def _compounds(*, ascii_only: bool) -> re.Pattern[str]:
    """One name with its inner connectors; the plus signs and the sharp of language names belong to it.

    Compiled when needed: the marks of all scripts take two milliseconds, and plain English needs none of them.
    """
    word = _ASCII_WORD if ascii_only else _WORD
    connectors = ".\\-'" if ascii_only else ".\\-'’·‐‑‒–"
    return _pattern(
        rf"(?P<net>(?<![\w/])\.(?=NET\b|net\b))?(?P<name>{word}(?:(?:[{connectors}]|_+){word})*)"
        r"(?P<plus>\+\+(?!\w)|\#(?!\w))?"
    )


@cache
def _parts(*, ascii_only: bool) -> re.Pattern[str]:
    return _pattern(_ASCII_WORD if ascii_only else _WORD)


@cache
def _emoji() -> re.Pattern[str]:
    return _pattern(
        "[\U0001f1e6-\U0001f1ff]{2}|[\u2300-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001f1e5"
        "\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
    )


def words(stretch: str) -> Iterator[str]:
    """The words of one stretch without spaces, in order, as written (not folded): parts first, then the whole.

    Args:
        stretch: NFKC text; scripts written without spaces must have been taken out before.

    Yields:
        Non-empty strings of at most 64 characters: letters, digits and marks, or one emoji.
    """
    if stretch.isascii():
        # Punctuation at the edges of a plain word means nothing; a dot before it, `+` and `#` behind it do.
        plain = stretch if stretch.isalpha() else stretch.lstrip(_OPENING).rstrip(_CLOSING)
        if plain.isalpha():
            yield from _humps(plain[:_LONGEST])
            return
    text = _pattern(_THOUSANDS).sub(_without_separators, _pattern(_SCHEME).sub(" ", stretch))
    for match in _compounds(ascii_only=text.isascii()).finditer(text):
        yield from _named(match)
    if not text.isascii():
        for emoji in _emoji().finditer(text):
            yield emoji[0]


def _without_separators(match: re.Match[str]) -> str:
    return "".join(char for char in match[0] if char.isdigit())


def _named(match: re.Match[str]) -> Iterator[str]:
    name = match["name"]
    if match["plus"]:
        yield name[:_LONGEST] + _PLUS_NAMES[match["plus"]]
    elif match["net"]:
        yield from ("net", "dotnet")
    elif name.isalpha():
        yield from _humps(name[:_LONGEST])
    elif _pattern(_DOTTED_NUMBER).fullmatch(name):
        yield from _number(name)
    else:
        yield from _compound(name)


def _number(name: str) -> Iterator[str]:
    """A version or decimal and each of its shorter readings, so that 3.11 finds 3.11.4."""
    parts = name.lstrip("vV").split(".")[:_MOST_PARTS]
    for count in range(1, len(parts) + 1):
        yield "dot".join(parts[:count])[:_LONGEST]


def _compound(name: str) -> Iterator[str]:
    parts = _parts(ascii_only=name.isascii()).findall(name)
    if len(parts) == 1:
        yield from _humps(parts[0][:_LONGEST])
        return
    if any(mark in name for mark in _APOSTROPHES):
        name, parts = _without_apostrophes(name)
        if len(parts) == 1:
            yield from _humps(parts[0][:_LONGEST])
            return
    whole = "".join(parts)
    if not all(len(part) == 1 for part in parts):  # U.S.A. is one word, not three letters
        for part in parts:
            yield from _humps(part[:_LONGEST])
    elif len(parts) > _MOST_PARTS:
        yield from parts
    if len(parts) <= _MOST_PARTS and len(whole) <= _LONGEST:
        yield whole


def _without_apostrophes(name: str) -> tuple[str, list[str]]:
    """What remains of don't (dont), they're (they), Ada's (Ada), l'eau (eau), O'Brien (OBrien)."""
    plain = name.replace("’", "'")
    kept: list[str] = []
    for joined in _split_outside_apostrophes(plain):
        head, *tail = joined.split("'")
        last = tail[-1].lower() if tail else ""
        if tail and last in {"s", "re", "ve", "ll", "d", "m"}:
            tail.pop()
        if tail and head.lower() in _ELIDED:
            kept.append("".join(tail))
        else:
            kept.append(head + "".join(tail))
    kept = [part for part in kept if part]
    return "-".join(kept), kept


def _split_outside_apostrophes(name: str) -> list[str]:
    return [part for part in _pattern(r"[.\-·‐‑‒–_]+").split(name) if part]


def _humps(word: str) -> Iterator[str]:
    """A word; before it, where letters change case inside or meet digits, its pieces."""
    if word.islower() or word.isupper() or word.istitle():
        if word.isalpha() or not word.isascii():
            yield word
            return
    elif not word.isascii():
        yield word
        return
    humps = _pattern(_HUMP).findall(word)
    # Hashes and keys alternate without meaning: their pieces would only be noise.
    if 1 < len(humps) <= _MOST_HUMPS:
        for hump in humps:
            if hump.isdigit() or (len(hump) > 1 and hump.lower() not in _ORDINALS):
                yield hump
    yield word
