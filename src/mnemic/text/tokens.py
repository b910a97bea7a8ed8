"""About how many tokens a language model makes of a text, without its tokenizer.

Byte-pair vocabularies spend one token on a common word and more on long or rare ones, one on a number of three digits,
about one on a CJK character, and the more on other scripts the smaller the vocabulary is. The weights below stand for
one between the two wide-spread sizes of 100,000 and 200,000 entries. Compared with both on 1,977 texts of 20 tokens and
more (English, German, Russian, Chinese, Japanese, chat, Markdown, Python, JSON), the estimate was

- 0.7 to 1.7 times the true count of the larger vocabulary, for half of the texts 1.05 to 1.17 times;
- 0.5 to 1.45 times that of the smaller one, which spends up to twice as much on other alphabets than Latin (English and
  code: 0.75 to 1.45 times; Russian and Chinese: 0.5 to 1.0 times).

A budget that must hold with an unknown model is counted with `count_tokens_safely`. For any text at all the estimate is
at most twice the number of characters, and 0 only for the empty text; two texts joined by a line break are estimated at
no more than both together and one.
"""

from __future__ import annotations

import re
from typing import Final

_LATIN: Final = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_ALPHABETS: Final = "\u0370-\u03ff\u0400-\u052f"  # Greek and Cyrillic: words of many vocabularies, but not of all
_HAN: Final = "\u2e80-\u2fdf\u3005-\u3007\u31c0-\u31ef\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA_HANGUL: Final = "\u3040-\u3104\u3105-\u318f\u31a0-\u31bf\u31f0-\u31ff\uac00-\ud7ff\uff66-\uff9f"
_SEMITIC: Final = "\u0590-\u08ff"
_THAI: Final = "\u0e00-\u0e7f"
_SOUTHERN: Final = "\u0531-\u058f\u0900-\u0dff\u0e80-\u10ff"  # India, Laos, Tibet, Burma, and the Caucasus
_OTHER_LETTERS: Final = "\u1100-\u1cff\u2c00-\u2dff\ua4d0-\uabff"
_PUNCTUATION: Final = "!-/:-@\\[-`{-~"

# (what is counted, hundredths of a token for each: as a rule, on the safe side)
_IN_ASCII: Final = (
    (f"[{_LATIN}]+", 100, 114),
    (f"(?<=[{_LATIN}]{{5}})[{_LATIN}]", 18, 46),  # each letter of a word beyond the fifth
    (r"[0-9]{1,3}", 110, 135),
    ("(?<=[0-9])[A-Za-z]", 0, 45),  # hashes and keys
    ("(?<=[a-z])[A-Z]|(?<=[A-Z]{2})[A-Z]", 0, 100),
    (f"[{_PUNCTUATION}]+", 75, 90),
    (f"(?<=[{_PUNCTUATION}])[{_PUNCTUATION}]", 45, 50),
    (r"[ \t]*[\r\n]\s*", 80, 90),
    (r"(?<=[ \t])[ \t]+", 50, 55),
    (r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\u02b0-\u036f\u0250-\u02af\u1d00-\u1dff\u1f00-\u1fff]", 100, 200),
)
_BEYOND: Final = (
    ("[\u00c0-\u024f\u1e00-\u1eff]", 80, 220),
    (f"[{_ALPHABETS}]+", 105, 215),
    (f"(?<=[{_ALPHABETS}]{{2}})[{_ALPHABETS}]", 25, 55),
    ("[\u0370-\u03ff]", 0, 50),  # the smaller vocabulary knows less Greek than Russian
    (f"[{_HAN}]", 95, 165),
    (f"[{_KANA_HANGUL}]", 85, 145),
    ("[\uac00-\ud7a3]", 0, 20),
    (f"[{_SEMITIC}]", 60, 130),
    (f"[{_THAI}]", 60, 130),
    (f"[{_SOUTHERN}]", 60, 235),
    (f"[{_OTHER_LETTERS}]", 60, 300),
    (r"[\u00a1-\u00bf\u2000-\u2bff\u3000-\u3004\u3008-\u303f\uff00-\uff65\uffe0-\uffff]", 100, 170),
    (r"[\u0530\u3190-\u319f\u3200-\u33ff\u4dc0-\u4dff\ua000-\ua4cf\ud800-\uf8ff\ufb00-\ufeff]", 150, 300),
    ("[\U00010000-\U0001ffff\U000323b0-\U0010ffff]", 200, 300),
)
COUNTED: Final = tuple((re.compile(pattern), usual, safe) for pattern, usual, safe in _IN_ASCII + _BEYOND)
"""What is counted, and hundredths of a token for each: as a rule, and on the safe side."""

_USUAL: Final = tuple((counted, usual) for counted, usual, _ in COUNTED if usual)
_USUAL_IN_ASCII: Final = tuple((counted, usual) for counted, usual, _ in COUNTED[: len(_IN_ASCII)] if usual)
_SAFE: Final = tuple((counted, safe) for counted, _, safe in COUNTED)
_SAFE_IN_ASCII: Final = _SAFE[: len(_IN_ASCII)]


def count_tokens(text: str) -> int:
    """The estimated number of tokens, rounded up. Errors of the estimate: see the module."""
    return _counted(text, _USUAL_IN_ASCII if text.isascii() else _USUAL)


def count_tokens_safely(text: str) -> int:
    """A number of tokens that hardly any text exceeds, for budgets that must hold: a `TokenCounter`.

    For text of 20 tokens and more it is no less than the true count of either vocabulary in 99.8 % of texts (else at
    least 0.7 times it), usually 1.4 times the greater count, in 95 % of texts at most 1.6 times, and never less than
    `count_tokens`. Two texts joined by a line break cost no more than both together and one. Figures by kind of text:
    docs/explanation/turn-wording.md.

    Source:
        Every second of 8,200 texts in 25 scripts; the weights were rounded from a fit to the others
        (benchmarks/fit_tokens.py).
    """
    return _counted(text, _SAFE_IN_ASCII if text.isascii() else _SAFE)


def _counted(text: str, weights: tuple[tuple[re.Pattern[str], int], ...]) -> int:
    hundredths = sum(len(counted.findall(text)) * weight for counted, weight in weights)
    return max(-(-hundredths // 100), 1 if text else 0)
