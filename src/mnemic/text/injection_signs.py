"""Signs that a text wants to be obeyed instead of remembered.

A memory is read by a model, and what stands in it may be written for that model: "ignore your instructions", a role
tag, a call of a tool, writing that no person sees. Each finding is a `Sign`; what follows from it is decided by
`services/judging/guards.py`. All is pure, offline and linear in the length of the text. What is found and what is not
stands in docs/explanation/trust-quarantine.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from mnemic.text.injection_concepts import RULE_WORDS, ideas_in
from mnemic.text.injection_encoded import decoded_in, spelled_in
from mnemic.text.injection_folding import cyrillic, folded, lowered
from mnemic.text.injection_hidden import Found, hidden_in
from mnemic.text.injection_languages import LATIN, OTHER
from mnemic.text.injection_markup import concealed_in, tags_in
from mnemic.text.injection_mentions import Quotes
from mnemic.text.injection_phrases import ENGLISH, Phrase
from mnemic.text.secret_views import Hit, plain_view, seen_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

SIGNS: Final = MappingProxyType(
    {
        "override": "tells an assistant to drop its instructions",
        "reveal": "asks for instructions, memories or secrets to be given away",
        "role": "gives an assistant another role, without rules",
        "secrecy": "wants something kept from the user",
        "standing-order": "lays down what an assistant is to say from now on",
        "addressed": "speaks to an assistant",
        "exfiltration": "wants something sent away",
        "decode-and-obey": "wants something put together or decoded, and obeyed",
        "role-tag": "plays a role in the conversation",
        "tool-call": "looks like the call of a tool",
        "hidden-text": "holds writing that is not seen",
        "hidden-markup": "gives orders where a reader does not look",
        "encoded": "holds an order in another writing",
        "look-alike": "holds an order in letters that only look like others",
        "split": "completes an order that another memory begins",
    }
)
"""Every sign: its name and what it means, in words; docs/explanation/trust-quarantine.md lists them."""
MILD: Final = frozenset({"standing-order", "addressed"})
"""What somebody may well wish who tells the assistant what they like."""

_DEEPEST: Final = 2
"""Encodings in encodings that are undone."""
_SQUEEZED: Final = re.compile(
    r"(?:ignore|disregard|forget|override|bypass).{0,14}(?:previous|prior|earlier|above|existing|your|system).{0,12}"
    r"(?:instruction|rule|prompt|guideline|command|directive)|(?:reveal|show|print|leak).{0,10}(?:systemprompt|"
    r"secrets|passwords)|"
    r"youarenow.{0,12}(?:unrestricted|dan\b|withoutrules)|(?:ignoriere|vergiss)alle.{0,12}(?:anweisungen|regeln)|"
    r"(?:ignora|olvida)(?:todas)?las?.{0,12}(?:instrucciones|reglas)|(?:ignore|"
    r"oublie)(?:toutes)?les.{0,12}(?:instructions|consignes)"
)
_TWO_SCRIPTS: Final = re.compile(r"[а-яёіїєґ][a-z]|[a-z][а-яёіїєґ]")
_LAST_ACCENTED: Final = 0x24F
"""Latin letters with accents end here; what is beyond and yet reads as Latin only looks like it."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign: its name (a key of `SIGNS`), where it stands in characters, and in words what it does."""

    name: str
    start: int
    end: int
    why: str


def injection_signs(text: str) -> tuple[Sign, ...]:
    """Every sign in a text, by place.

    A text that speaks of attacks and quotes one (in quotation marks, code or a block quotation) shows no sign by that;
    hidden, disguised and encoded writing is a sign everywhere.
    """
    found = [*hidden_in(text), *_said(text, deepest=_DEEPEST)]
    if not found:
        return ()
    quotes = Quotes(text)
    kept = {Sign(*sign) for sign in found if sign.name in _ALWAYS or not quotes.mention(sign.start, sign.end)}
    return tuple(sorted(kept, key=lambda sign: (sign.start, sign.end, sign.name)))


_ALWAYS: Final = frozenset({"hidden-text", "hidden-markup", "encoded", "look-alike"})


def split_sign(earlier: Sequence[str], text: str) -> Sign | None:
    """The sign that `text` completes when it is read after the texts before it, oldest first; offsets in `text`.

    Only what crosses from one text into another counts: what a text shows alone, `injection_signs` tells.
    """
    before = [re.sub(r"[\s.…,;:]+$", "", each[-_TAIL:]) for each in earlier]
    own = text[:_TAIL]
    for glue in (" ", ""):
        head = glue.join([*before, ""])
        for sign in injection_signs(head + own):
            if sign.start < len(head) < sign.end and (glue or sign.name == "encoded"):
                return Sign("split", 0, sign.end - len(head), f"{SIGNS['split']}: it {sign.why}")
    return None


_TAIL: Final = 2_000
"""Characters at the end of one text and the beginning of the next that an order may be divided over."""


def _said(text: str, *, deepest: int) -> Iterator[Found]:
    """Signs in what a text says, also where it says it in disguise."""
    plain = plain_view(text)
    view = seen_view(plain) or plain
    low, flat = lowered(view.text), folded(view.text)
    readings = [*tags_in(view.text, low), *concealed_in(low), *_phrases(view.text, low, flat)]
    if len(view.text) < len(text) and not readings:
        readings += _squeezed([(flat, 0, len(flat), "words without spaces")])
    readings += _squeezed((each.text, each.start, each.end, each.how) for each in spelled_in(flat))
    for sign in readings:
        hit = view.back(Hit(sign.start, sign.end, sign.name, 1.0))
        yield sign._replace(start=hit.start, end=hit.end)
    if deepest:
        for each in decoded_in(text, flat if len(flat) == len(text) else folded(text)):
            for sign in _said(each.text, deepest=deepest - 1):
                yield Found("encoded", each.start, each.end, f"{sign.why}, in {each.how}")
                break


def _phrases(text: str, low: str, flat: str) -> Iterator[Found]:
    words = frozenset(_WORD_STARTS.findall(flat))
    for phrase in _LATIN_TABLE.worth_trying(words, flat):
        for start, end in _matches(phrase, flat):
            odd = not text.isascii() and any(ord(char) > _LAST_ACCENTED and char.isalpha() for char in text[start:end])
            why = SIGNS[phrase.name]
            yield (
                Found("look-alike", start, end, f"{why}, in look-alike letters")
                if odd
                else Found(phrase.name, start, end, why)
            )
    if not words.isdisjoint(RULE_WORDS):
        yield from ideas_in(flat)
    if not text.isascii():
        yield from _in_other_scripts(low)


def _in_other_scripts(low: str) -> Iterator[Found]:
    yield from ideas_in(low)
    for phrase in OTHER:
        if any(cue in low for cue in phrase.cues):
            yield from (Found(phrase.name, *span, SIGNS[phrase.name]) for span in _matches(phrase, low))
    if _TWO_SCRIPTS.search(low):
        mixed = cyrillic(low)
        for phrase in OTHER:
            if any(cue in mixed for cue in phrase.cues):
                why = f"{SIGNS[phrase.name]}, in look-alike letters"
                yield from (Found("look-alike", *span, why) for span in _matches(phrase, mixed))


class _Table:
    """Rules by the first letters of the words that their cues begin with: most are ruled out by one look-up."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._phrases = phrases
        self._by_head: dict[str, set[int]] = {}
        self._anyway: list[tuple[int, tuple[str, ...]]] = []
        for number, phrase in enumerate(phrases):
            for cue in phrase.cues:
                if cue[:_HEAD].isalpha() and len(cue) >= _HEAD:
                    self._by_head.setdefault(cue[:_HEAD], set()).add(number)
            if rest := tuple(cue for cue in phrase.cues if not cue[:_HEAD].isalpha() or len(cue) < _HEAD):
                self._anyway.append((number, rest))

    def worth_trying(self, words: frozenset[str], text: str) -> list[Phrase]:
        """Rules with a cue in the text."""
        numbers = {number for word in words & self._by_head.keys() for number in self._by_head[word]}
        chosen = [number for number in numbers if any(cue in text for cue in self._phrases[number].cues)]
        chosen += [
            number for number, cues in self._anyway if number not in numbers and any(cue in text for cue in cues)
        ]
        return [self._phrases[number] for number in sorted(chosen)]


_HEAD: Final = 4
_WORD_STARTS: Final = re.compile(rf"\b[^\W\d_]{{{_HEAD}}}")
_LATIN_TABLE: Final = _Table((*ENGLISH, *LATIN))


def _matches(phrase: Phrase, text: str) -> Iterable[tuple[int, int]]:
    return [match.span() for match in _compiled(phrase.pattern).finditer(text)]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern with white space of any kind, and a little more of it, where it has a space."""
    return re.compile(re.sub(r"\[[^\]]*\]|\\.| ", _wider, pattern))


def _wider(part: re.Match[str]) -> str:
    return r"\s{1,4}" if part[0] == " " else part[0].replace(" ", r"\s")


def _squeezed(stretches: Iterable[tuple[str, int, int, str]]) -> Iterator[Found]:
    for text, start, end, how in stretches:
        if _SQUEEZED.search(re.sub(r"\s+", "", text)):
            yield Found("encoded", start, end, f"{SIGNS['override']}, in {how}")
