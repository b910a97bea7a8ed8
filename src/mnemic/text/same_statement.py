"""Whether two texts say the same, or one says all of the other and more: word for word, without a model.

Careful rather than clever. Two statements are the same where the same words stand in the same order, apart from signs,
case, articles and words like `currently`; one says more where it goes on with a `because`. Another name, number, day or
negation in one place makes another statement, however alike the rest is.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from mnemic.text.boundaries import sentence_spans
from mnemic.text.folding import fold
from mnemic.text.languages import script_of
from mnemic.text.opposition import LONGEST, opposed
from mnemic.text.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_STATEMENTS: Final = 60
"""Longer texts are the same only where all of it is."""
VARIANT: Final = 0.5
"""Share of common words from which what two texts say besides is one thing said otherwise, not two things."""
_LEAST_WORDS: Final = 2
_MOST_ADDED: Final = 3
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_WORD: Final = re.compile(r"\w+(?:['’.,:/@+-]\w+)*|[%€$£¥₽°+#&]|[^\W\d_]+", re.UNICODE)
_MARKUP: Final = "#>*-+•· \t"
_CJK_SIGNS: Final = re.compile(r"[\s、。，．！？!?,.;；:：「」『』“”\"'（）()…~〜-]+")
_CJK_EMPTY: Final = re.compile("現在は?、?|今は|目前|现在|當前|当前")
_CJK_ENDING: Final = re.compile("(?:です|である|であります|だ)$")
# Nothing that tells roles (from, von, zu, der, den) is here: it may be all that tells two statements apart.
_EMPTY_WORDS: Final = """
a the is are be been being currently now presently still really just please
ist sind jetzt aktuell derzeit momentan gerade bitte
сейчас теперь пожалуйста это
"""
# What follows them gives a reason or tells more of the last word. After `and` or a bare comma anything may come:
# `The shop opens at nine, on Saturdays at ten.`
_ADDING_WORDS: Final = """
because since which who whose near
weil denn welche welcher welches nahe
потому так который которая которое
"""
# What holds one of these may be so where the shorter statement is not.
_TURNING_WORDS: Final = """
not no never none nor without cannot only except but unless if until till before instead rather former formerly
almost nearly hardly maybe perhaps probably possibly would could should might may used or either than planned soon
sometimes rarely mostly tomorrow yesterday
nicht kein keine keinen keinem keiner nie ohne nur ausser aber sondern falls wenn bis bevor statt fast beinahe kaum
vielleicht wahrscheinlich ware wurde konnte sollte fruher ehemals oder als geplant bald manchmal selten meist
не нет ни никогда без только кроме но если пока до вместо почти едва возможно наверное бы раньше бывший или чем
скоро иногда редко обычно
"""
_EMPTY: Final = frozenset(_EMPTY_WORDS.split())
_ADDS: Final = frozenset(_ADDING_WORDS.split())
_TURNS: Final = frozenset(_TURNING_WORDS.split())


@dataclass(frozen=True)
class Said:
    """One statement of a text: as it stands there, and the words by which it is compared."""

    text: str
    words: tuple[str, ...]
    """Stems; of a script without blanks its characters."""
    plain: tuple[str, ...] = ()
    """The same words, folded only; none of a script without blanks."""

    @cached_property
    def contained(self) -> tuple[tuple[str, ...], ...]:
        """The words of every statement that this one makes: its own first, then those that it only adds to."""
        places = [place for place, word in enumerate(self.plain) if word in _ADDS and place >= _LEAST_WORDS]
        adding = [place for place in places[-_MOST_ADDED:] if _TURNS.isdisjoint(self.plain[place:])]
        return (self.words, *(self.words[:place] for place in adding))


@dataclass(frozen=True)
class Text:
    """A text taken apart into its statements."""

    statements: tuple[Said, ...]
    whole: str

    @cached_property
    def size(self) -> int:
        """How many words it has, by which statements are compared."""
        return sum(len(said.words) for said in self.statements)

    @cached_property
    def own(self) -> frozenset[tuple[str, ...]]:
        """The words of each statement."""
        return frozenset(said.words for said in self.statements)

    @cached_property
    def contained(self) -> frozenset[tuple[str, ...]]:
        """The words of every statement that it makes, those included that it only adds to."""
        return frozenset(words for said in self.statements for words in said.contained)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All of its words."""
        return frozenset(word for said in self.statements for word in said.words)


def taken_apart(body: str) -> Text:
    """A text as it is compared; of one with more than 60 statements only `whole`."""
    whole = _normal(body)
    found: list[Said] = []
    for text in _sentences(body):
        if len(found) == MOST_STATEMENTS:
            return Text((), whole)
        if (said := _said(text)).words:
            found.append(said)
    return Text(tuple(found), whole)


def shared(one: Text, other: Text) -> float:
    """How much of the shorter text the other one says too, by words: 0..1. Symmetric."""
    if one.whole == other.whole:
        return 1.0
    short, long = sorted((one, other), key=lambda text: (text.size, text.whole))
    if not short.size:
        return 0.0
    told = sum(
        len(said.words)
        for said in short.statements
        if said.words in long.contained or not long.own.isdisjoint(said.contained)
    )
    return told / short.size


def beyond(text: Text, kept: Text) -> tuple[Said, ...]:
    """What a text says that the kept one does not say, each once."""
    return tuple({said.words: said for said in text.statements if said.words not in kept.contained}.values())


def at_odds(ones: Sequence[Said], others: Sequence[Said]) -> bool:
    """Whether of two texts' further statements a pair may be one thing said otherwise."""
    return any(_at_odds(one, other) for one in ones for other in others)


def _at_odds(one: Said, other: Said) -> bool:
    if one.words == other.words:
        return False
    mine, theirs = set(one.words), set(other.words)
    if len(mine & theirs) >= VARIANT * min(len(mine), len(theirs)):
        return True
    return len(one.text) <= LONGEST and len(other.text) <= LONGEST and opposed(one.text, other.text) is not None


def begins_with(text: Text, title: str) -> bool:
    """Whether a text begins with a title, which then says nothing of its own."""
    return text.whole.lstrip(_MARKUP).startswith(_normal(title.rstrip("….")).lstrip(_MARKUP))


def content_words(text: str) -> frozenset[str]:
    """The words of a short text, a title say, as statements are compared."""
    return frozenset(_said(text).words)


def _sentences(body: str) -> Iterator[str]:
    start = 0
    for line in body.splitlines(keepends=True):
        for begin, end in sentence_spans(body, start, start + len(line)):
            yield body[begin:end].lstrip(_MARKUP).strip()
        start += len(line)


def _normal(body: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", body).casefold().split())


def _said(text: str) -> Said:
    if _CJK.search(text):
        return Said(text, _run(text))
    every = tuple(fold(match[0]) for match in _WORD.finditer(text))
    plain = tuple(word for word in every if word not in _EMPTY) or every
    return Said(text, tuple(map(_stem, plain)), plain)


def _stem(word: str) -> str:
    """Of Latin words the stem is enough. In Cyrillic the endings tell who does what to whom."""
    return word if script_of(word[0]) == "Cyrillic" else stem(word)


def _run(text: str) -> tuple[str, ...]:
    """A statement without blanks, character by character, without its signs and polite ending."""
    plain = _CJK_SIGNS.sub("", unicodedata.normalize("NFKC", text).casefold())
    return tuple(_CJK_ENDING.sub("", _CJK_EMPTY.sub("", plain)) or plain)
