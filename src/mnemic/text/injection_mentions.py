"""Telling a text about attacks from an attack: what is quoted, and whether the rest speaks of attacks."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

_QUOTED: Final = re.compile(
    r"```.{0,4000}?(?:```|$)|~~~.{0,4000}?(?:~~~|$)|`[^`\n]{1,400}`|(?m:^[ \t]{0,3}>[^\n]{0,2000}$)"
    r"|\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»|「[^」\n]{1,400}」|『[^』\n]{1,400}』"
    r"|‘[^’\n]{1,400}’|(?<!\w)'[^'\n]{1,400}'(?!\w)",
    re.DOTALL,
)
_SPEAKS_OF_ATTACKS: Final = re.compile(
    r"\b(?:attack|inject|payload|jailbreak|adversar|red.?team|exploit|malicious|phish|prompt.?injection|threat|"
    r"obfuscat|"
    r"filters?\b|scanner|detect|guards?\b|guardrail|classifier|benchmark|corpus|test cases?|unit tests?|regex|"
    r"chat templates?|chatml|taxonomy|mitigat|security|refused\b|blocked\b|"
    r"angriff|einschleus|erkennt|atak\w+ wstrzyk|ataque|inyecci|inje[cç]|attaque|attacco|iniezione|aanval|saldır)"
    r"|атак|инъекци|уязвим|обнаруж|攻撃|インジェクション|検知|検出|攻击|注入|检测|样例|공격|탐지|هجوم|حقن|हमल",
    re.IGNORECASE,
)


class Quotes:
    """The quoted parts of a text, found when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans: list[tuple[int, int]] | None = None
        self._about: bool | None = None

    def mention(self, start: int, end: int) -> bool:
        """Whether this stretch is quoted by a text that, outside its quotations, speaks of attacks."""
        if self._spans is None:
            self._spans = [match.span() for match in _QUOTED.finditer(self._text)]
        at = bisect_right(self._spans, (start, len(self._text) + 1)) - 1
        if at < 0 or end > self._spans[at][1]:
            return False
        if self._about is None:
            self._about = _SPEAKS_OF_ATTACKS.search(self._outside()) is not None
        return self._about

    def _outside(self) -> str:
        pieces, done = [], 0
        for start, end in self._spans or ():
            pieces.append(self._text[done:start])
            done = end
        return " … ".join([*pieces, self._text[done:]])
