"""Which script a character belongs to, and which language a text is most likely in: cheap, deterministic, no model."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from mnemic.text.folding import fold
from mnemic.text.stopwords import STOP_WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

UNDETERMINED: Final = "und"

# (first code point, last code point, script), ascending. Not the whole of Unicode: scripts that need their own rules.
_BLOCKS: Final = (
    (0x0041, 0x005A, "Latin"),
    (0x0061, 0x007A, "Latin"),
    (0x00AA, 0x00AA, "Latin"),
    (0x00BA, 0x00BA, "Latin"),
    (0x00C0, 0x00D6, "Latin"),
    (0x00D8, 0x00F6, "Latin"),
    (0x00F8, 0x02AF, "Latin"),
    (0x0370, 0x03FF, "Greek"),
    (0x0400, 0x052F, "Cyrillic"),
    (0x0531, 0x058F, "Armenian"),
    (0x0591, 0x05F4, "Hebrew"),
    (0x0600, 0x077F, "Arabic"),
    (0x08A0, 0x08FF, "Arabic"),
    (0x0900, 0x097F, "Devanagari"),
    (0x0980, 0x09FF, "Bengali"),
    (0x0B80, 0x0BFF, "Tamil"),
    (0x0E01, 0x0E7F, "Thai"),
    (0x0E80, 0x0EFF, "Lao"),
    (0x1000, 0x109F, "Myanmar"),
    (0x10A0, 0x10FF, "Georgian"),
    (0x1100, 0x11FF, "Hangul"),
    (0x1780, 0x17FF, "Khmer"),
    (0x1E00, 0x1EFF, "Latin"),
    (0x1F00, 0x1FFF, "Greek"),
    (0x3005, 0x3007, "Han"),
    (0x3041, 0x309F, "Hiragana"),
    (0x30A0, 0x30FF, "Katakana"),
    (0x3105, 0x312F, "Bopomofo"),
    (0x3131, 0x318E, "Hangul"),
    (0x31F0, 0x31FF, "Katakana"),
    (0x3400, 0x4DBF, "Han"),
    (0x4E00, 0x9FFF, "Han"),
    (0xAC00, 0xD7A3, "Hangul"),
    (0xF900, 0xFAFF, "Han"),
    (0xFF21, 0xFF5A, "Latin"),
    (0xFF66, 0xFF9F, "Katakana"),
    (0x20000, 0x323AF, "Han"),
)
_STARTS: Final = tuple(first for first, _, _ in _BLOCKS)
_LANGUAGE_OF_SCRIPT: Final = {
    "Armenian": "hy",
    "Bengali": "bn",
    "Bopomofo": "zh",
    "Devanagari": "hi",
    "Georgian": "ka",
    "Greek": "el",
    "Han": "zh",
    "Hangul": "ko",
    "Hebrew": "he",
    "Hiragana": "ja",
    "Katakana": "ja",
    "Khmer": "km",
    "Lao": "lo",
    "Myanmar": "my",
    "Tamil": "ta",
    "Thai": "th",
}
_LATIN: Final = ("en", "de", "fr", "es", "pt", "it", "nl", "sv", "pl", "tr")
# Letters that few languages write; worth two shared stop words.
_TELLING: Final = {
    "ß": ("de",),
    "ä": ("de", "sv"),
    "ö": ("de", "sv", "tr"),
    "ü": ("de", "tr"),
    "å": ("sv",),
    "ñ": ("es",),
    "¿": ("es",),
    "¡": ("es",),
    "ã": ("pt",),
    "õ": ("pt",),
    "ç": ("fr", "pt", "tr"),
    "ê": ("fr", "pt"),
    "è": ("fr", "it"),
    "œ": ("fr",),
    "ò": ("it",),
    "ì": ("it",),
    "ł": ("pl",),
    "ą": ("pl",),
    "ę": ("pl",),
    "ż": ("pl",),
    "ś": ("pl",),
    "ğ": ("tr",),
    "ı": ("tr",),
    "ş": ("tr",),
}
_UKRAINIAN: Final = frozenset("іїєґІЇЄҐ")
_PERSIAN: Final = frozenset("پچژگ")
# Enough to be sure of, and a bound on the time a long text takes.
_SAMPLE: Final = 2000


@lru_cache(maxsize=8192)
def script_of(char: str) -> str:
    """The script of one character: `Latin`, `Cyrillic`, `Han`, `Hiragana` ...; `Common` for all others."""
    code = ord(char)
    place = bisect_right(_STARTS, code) - 1
    if place >= 0 and code <= _BLOCKS[place][1] and char.isalnum():
        return _BLOCKS[place][2]
    return "Common"


@lru_cache(maxsize=32)
def stop_words(language: str) -> frozenset[str]:
    """The folded stop words of a language; those of English for a text that no language could be told of."""
    return frozenset(STOP_WORDS.get("en" if language == UNDETERMINED else language, "").split())


@lru_cache(maxsize=1)
def _votes() -> dict[str, tuple[tuple[str, float], ...]]:
    """For each Latin stop word its languages and what it says for each: less the more of them share it."""
    owners: dict[str, list[str]] = {}
    for language in _LATIN:
        for word in STOP_WORDS[language].split():
            owners.setdefault(word, []).append(language)
    return {word: tuple((one, 1.0 / len(langs)) for one in langs) for word, langs in owners.items()}


def language_of(text: str) -> str:
    """The likeliest language of a text.

    Script decides where it can; Latin and Cyrillic languages are told apart by stop words and telling letters. Only
    the first 2,000 characters are read.

    Returns:
        An ISO 639-1 code; `und` for text without letters and for Latin text without any evidence (names, code).
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        return _latin_language(sample) if any(map(str.isalpha, sample)) else UNDETERMINED
    counts: dict[str, int] = {}
    for char in sample:
        script = script_of(char)
        counts[script] = counts.get(script, 0) + 1
    counts.pop("Common", None)
    if not counts:
        return UNDETERMINED
    # A character of a script without an alphabet says as much as a few letters.
    weight = {"Han": 3, "Hiragana": 3, "Katakana": 2, "Hangul": 2}
    main = max(counts, key=lambda script: (counts[script] * weight.get(script, 1), script))
    if main == "Han" and counts.get("Hiragana", 0) + counts.get("Katakana", 0) > 0.05 * counts["Han"]:
        return "ja"
    if main == "Cyrillic":
        return "uk" if any(char in _UKRAINIAN for char in sample) else "ru"
    if main == "Arabic":
        return "fa" if any(char in _PERSIAN for char in sample) else "ar"
    return _latin_language(sample) if main == "Latin" else _LANGUAGE_OF_SCRIPT[main]


def _latin_language(sample: str) -> str:
    votes = _votes()
    scores = dict.fromkeys(_LATIN, 0.0)
    for word in _plain_words(sample):
        for language, weight in votes.get(word, ()):
            scores[language] += weight
    if not sample.isascii():
        for char in sample.casefold():
            for language in _TELLING.get(char, ()):
                scores[language] += 1.0 / len(_TELLING[char])
    best = max(scores.values())
    if best < 0.5:  # noqa: PLR2004 - one word that two languages share is the least that counts
        return UNDETERMINED
    return next(language for language in _LATIN if scores[language] == best)


def _plain_words(sample: str) -> list[str]:
    folded = fold(sample)
    return "".join(char if char.isalpha() else " " for char in folded).split()
