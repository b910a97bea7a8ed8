"""Whether two short statements cannot both be so: the same subject and predicate, another object, number or day, or no.

Nothing here understands a sentence. Two statements are laid side by side; where they differ in one place only, that
place and the words around it decide. What is not clearly opposed is not: lists grow, people have several children,
and what happened on two days happened twice.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from mnemic.text.claim_values import claim_value
from mnemic.text.date_words import MONTHS, WEEKDAYS
from mnemic.text.folding import fold
from mnemic.text.opposition_words import LATIN, RUSSIAN
from mnemic.text.run_opposition import opposed_runs
from mnemic.text.stemming import stem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mnemic.text.opposition_words import Wording

LONGEST: Final = 240
"""Longer statements are not compared: what they say is more than one thing."""
_ANY_DAY: Final = date(2000, 1, 1)
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_WORD: Final = re.compile(r"\d[\d.,:/'’-]*\d(?!\w)|\w+(?:['’@/.-]\w+)*|[—:]|[%€$£₽]")
_NUMBER: Final = re.compile(r"\d[\d.,:/'-]{0,15}\w{0,3}")
_CLAUSE: Final = re.compile(r"[,;]\s+|\s(?:so|because|weil|sodass|потому|поэтому)\s", re.IGNORECASE)
_MOST_WORDS: Final = 40
_MOST_DIFFERENT: Final = 4
_LEAST_IN_COMMON: Final = 0.6
_ALIKE: Final = 0.75
_TOLD: Final = 3
"""Words in another order need so many in common to speak of one thing: a limit, of what, for whom."""
_LABEL: Final = 2
"""A label of one word and its colon (`Port:`) is about whatever stands above it."""
_MONTH_NAMES: Final = frozenset(name for months in MONTHS.values() for name in re.split(r"[ |]", months))
_RUSSIAN_DAYS: Final = "понедельникам вторникам средам четвергам пятницам субботам воскресеньям"
_DAY_NAMES: Final = frozenset(name for days in (*WEEKDAYS.values(), _RUSSIAN_DAYS) for name in re.split(r"[ |]", days))
_RUSSIAN_PAST: Final = re.compile(r"\w{3,}(?:[аеиыя]л|нул|[аеия]ла|[аеиуя]ли|лся|лась|лись)\Z")
_ENGLISH_PAST: Final = re.compile(r"[a-z]{2,}(?<![e])ed\Z")
_GERMAN_PAST: Final = re.compile(r"[a-z]{3,}(?:chte|ckte|ffte|elte|erte|igte|ierte|ierten|uchte|uchten)\Z")
_PARTICIPLE_BEFORE: Final = frozenset(["is", "are", "be", "been", "being", "to", "get", "gets"])


class Opposition(StrEnum):
    """In what two statements differ."""

    NEGATION = "negation"
    ANTONYM = "antonym"
    NUMBER = "number"
    OTHER = "other"
    CHANGE = "change"


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement taken apart: its words without fillers and negations, whether it denies, its wording's signs."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    denies: bool
    additive: bool
    past: bool
    capital: frozenset[str]
    everything: tuple[str, ...]


def opposed(one: str, other: str) -> Opposition | None:
    """In what two statements are opposed, or nothing. Symmetric; a pure function of the two texts.

    Args:
        one: A sentence, of at most 240 characters.
        other: Another one in the same language.
    """
    if len(one) > LONGEST or len(other) > LONGEST or one == other:
        return None
    if _CJK.search(one) and _CJK.search(other):
        found = opposed_runs(_composed(one), _composed(other))
        return Opposition(found) if found else None
    wording = RUSSIAN if _CYRILLIC.search(one) else LATIN
    first, second = _statement(_composed(one), wording), _statement(_composed(other), wording)
    if not first.words or not second.words or max(len(first.words), len(second.words)) > _MOST_WORDS:
        return None
    return _opposed(first, second, wording) or _opposed_in_first_clause(one, other, wording)


def _opposed(first: _Statement, second: _Statement, wording: Wording) -> Opposition | None:
    if first.denies != second.denies:
        return Opposition.NEGATION if _alike(first.stems, second.stems) else None
    if first.additive or second.additive or (first.denies and second.denies):
        return None
    if _changed(first, second, wording) or _changed(second, first, wording):
        return Opposition.CHANGE
    if first.past or second.past:
        return None
    place = _place(first, second)
    return _in_a_number(first, second) if place is None else _in_one_place(place, wording)


def names_subject(one: str, other: str) -> bool:
    """Whether two statements name the same somebody; otherwise what they are about may stand in their titles.

    Without capital letters nobody can tell; then the answer is no.
    """
    wording = RUSSIAN if _CYRILLIC.search(one) else LATIN
    first, second = _statement(_composed(one), wording), _statement(_composed(other), wording)
    told = wording.attributes | wording.exclusive | wording.copulas | wording.several | wording.prepositions
    return bool(((first.capital & second.capital) - told) & set(first.words)) or bool(
        _PERSONS & set(first.everything) & set(second.everything)
    )


_SPEAKERS: Final = "i we my our ich wir mein meine unser unsere я мы мой моя наш наша меня нас"
_PERSONS: Final = frozenset(_SPEAKERS.split())


def _opposed_in_first_clause(one: str, other: str, wording: Wording) -> Opposition | None:
    """What is said in a first clause holds whatever reason or consequence follows: only a denial is looked for."""
    heads = [_statement(_composed(_CLAUSE.split(text, maxsplit=1)[0]), wording) for text in (one, other)]
    if heads[0].denies != heads[1].denies and _alike(heads[0].stems, heads[1].stems):
        return Opposition.NEGATION
    return None


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("’", "'").replace("–", "—").strip(" .!。！")


@lru_cache(maxsize=16_384)
def _statement(text: str, wording: Wording) -> _Statement:
    given = [word for found in _WORD.findall(text) for word in _parted(found)]
    folded = [fold(word) for word in given]
    denials = sum(word in wording.negations for word in folded)
    dropped = wording.fillers | wording.negations | (wording.longer if denials else frozenset())
    kept = tuple(word for word in folded if word not in dropped)
    return _Statement(
        words=kept,
        stems=tuple(map(_stem, kept)),
        denies=denials % 2 == 1,
        additive=not wording.additive.isdisjoint(folded),
        past=_is_past(folded, wording),
        capital=frozenset(fold(word) for word in given if word[:1].isupper()),
        everything=tuple(folded),
    )


def _parted(word: str) -> list[str]:
    """`doesn't` is `does not`, `can't` is `can not`; `Anna's` stays one word."""
    if word.casefold().endswith("n't"):
        return [word[:-3], "not"]
    return [word.replace("'s", "s")]


def _stem(word: str) -> str:
    return stem(word) if word.isalpha() else word


def _is_past(folded: Sequence[str], wording: Wording) -> bool:
    if not wording.past.isdisjoint(folded):
        return True
    for place, word in enumerate(folded):
        before = folded[max(place - 2, 0) : place]
        if wording is RUSSIAN:
            if place and _RUSSIAN_PAST.match(word) and word not in wording.changes:
                return True
        elif (place or _opens_with_past(folded)) and (_ENGLISH_PAST.match(word) or _GERMAN_PAST.match(word)):
            told = wording.exclusive | wording.changes | wording.several
            if word not in told and _PARTICIPLE_BEFORE.isdisjoint(before) and not _is_adjective(folded, place):
                return True
    return False


def _opens_with_past(folded: Sequence[str]) -> bool:
    """`Deployed the new build`: who did it is left out. A name of such an ending has its verb right behind it."""
    known = LATIN.exclusive | LATIN.copulas | LATIN.several | LATIN.changes | LATIN.negations | {"does", "do"}
    return len(folded) > 1 and len(folded[0]) > len("ended") and folded[1] not in known


def _is_adjective(folded: Sequence[str], place: int) -> bool:
    """Before a noun at the end, after a preposition: the shared drive, a fixed price."""
    return place > 0 and folded[place - 1] in {"the", "a", "an", "of", "in", "for"}


def _alike(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether nearly the same words are used, or the shorter statement is most of the longer one."""
    first, second = set(one), set(other)
    common = first & second
    if not common:
        return False
    if len(common) >= _ALIKE * len(first | second):
        return True
    shorter = min(first, second, key=len)
    return len(shorter) > 1 and shorter <= common and len(common) >= _LEAST_IN_COMMON * max(len(first), len(second))


# -- one place ---------------------------------------------------------------------------------------------------


def _in_one_place(place: _Place, wording: Wording) -> Opposition | None:
    if not _has_subject(place.head, wording):
        return None
    if place.is_pair_of(wording.antonyms):
        return Opposition.ANTONYM
    if any(_is_more_than_one(words, wording) for words in place.different) or place.means_the_same:
        return None
    amounts = [_is_amount(words) for words in place.different]
    if all(amounts):
        return Opposition.NUMBER if _counts_one_thing(place, wording) else None
    return Opposition.OTHER if not any(amounts) and _takes_one(place, wording) else None


@dataclass(frozen=True, slots=True)
class _Place:
    """The one place where two statements differ, and the words before and after it."""

    head: tuple[str, ...]
    different: tuple[tuple[str, ...], tuple[str, ...]]
    tail: tuple[str, ...]
    capital: frozenset[str]

    def is_pair_of(self, antonyms: frozenset[frozenset[str]]) -> bool:
        return all(len(words) == 1 for words in self.different) and frozenset(map("".join, self.different)) in antonyms

    @property
    def means_the_same(self) -> bool:
        one, other = (claim_value(" ".join(words), today=_ANY_DAY) for words in self.different)
        return one.agrees(other)


def _place(first: _Statement, second: _Statement) -> _Place | None:
    before = _shared(first.stems, second.stems)
    after = _shared(first.stems[before:][::-1], second.stems[before:][::-1])
    mine, theirs = (each.words[before : len(each.words) - after] for each in (first, second))
    if not mine or not theirs or not before or max(len(mine), len(theirs)) > _MOST_DIFFERENT:
        return None
    one, other = (frozenset(map(_stem, words)) for words in (mine, theirs))
    if one <= other or other <= one:  # a list that grows, a fact that is told more exactly
        return None
    tail = first.words[len(first.words) - after :] if after else ()
    return _Place(first.words[:before], (mine, theirs), tail, first.capital | second.capital)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))


def _verbs(words: Sequence[str], wording: Wording) -> bool:
    known = wording.exclusive | wording.copulas | wording.several | wording.changes
    return any(word in known for word in words)


def _is_more_than_one(words: Sequence[str], wording: Wording) -> bool:
    """Whether what differs goes on past a verb or a preposition: then two things differ."""
    small = wording.copulas | wording.exclusive | {":"}
    inside = wording.prepositions | wording.purposes
    return not small.isdisjoint(words) or not inside.isdisjoint(words[1:])


def _has_subject(words: Sequence[str], wording: Wording) -> bool:
    """Whether they name somebody or something: an item of a list (`lives in Oslo`) may leave that to its heading."""
    small = wording.exclusive | wording.copulas | wording.prepositions | wording.several | wording.changes
    return any(word not in small and word[0].isalnum() for word in words)


def _is_amount(words: Sequence[str]) -> bool:
    """Whether it is a number, a day or a time, perhaps with its unit."""
    told = [word for word in words if _NUMBER.fullmatch(word) or word in _MONTH_NAMES or word in _DAY_NAMES]
    return bool(told) and len(words) - len(told) <= 1


def _counts_one_thing(place: _Place, wording: Wording) -> bool:
    """Whether the amounts are of one thing: not chapter 3 and chapter 4, not the port of whatever stands above."""
    if not _verbs(place.head, wording) and (len(place.head) == 1 or _verbs(place.tail[:1], wording)):
        return False
    if place.head[-1] == ":":
        return len(place.head) > _LABEL
    return len(place.head) > 1 or _verbs((*place.head, *place.tail), wording)


def _takes_one(place: _Place, wording: Wording) -> bool:
    """Whether the words around the place have room for one thing only."""
    head, tail = place.head, place.tail
    copula = not wording.copulas.isdisjoint(head)
    exclusive = not wording.exclusive.isdisjoint(head)
    if not wording.attributes.isdisjoint((*head, *map(_stem, head))) and (
        copula or exclusive or (":" in head and len(head) > _LABEL)
    ):
        return True
    if head[-1] in wording.purposes or not wording.several.isdisjoint((*head, *tail)):
        return False
    return (exclusive and len(head) > 1) or (copula and _is_somewhere_or_somebody(place, wording))


def _is_somewhere_or_somebody(place: _Place, wording: Wording) -> bool:
    """Whether what follows `is` is a place, a time, or the name of somebody's something."""
    head = place.head
    if head[-1] in wording.prepositions or not wording.exclusive.isdisjoint(place.tail):
        return True
    whose = len(head) > 2 or (len(head) > 1 and head[0].endswith("s"))  # noqa: PLR2004 - whose, what, is
    return wording is LATIN and whose and all(word in place.capital for words in place.different for word in words)


# -- numbers and changes -----------------------------------------------------------------------------------------


def _in_a_number(first: _Statement, second: _Statement) -> Opposition | None:
    """The same words in another order, and one number that differs."""
    mine, theirs = ([word for word in each.words if _NUMBER.fullmatch(word)] for each in (first, second))
    if len(mine) != 1 or len(theirs) != 1 or mine == theirs:
        return None
    one, other = ({stem for stem in each.stems if not stem[0].isdigit()} - _SMALL for each in (first, second))
    return Opposition.NUMBER if one == other and len(one) >= _TOLD else None


_LITTLE: Final = "is are of for in at on by with ist sind von fur im bei mit beim der des per pro в на для по это"
_SMALL: Final = frozenset(map(_stem, _LITTLE.split())) | {":", "—"}


def _changed(told: _Statement, state: _Statement, wording: Wording) -> bool:
    """Whether the first says that what the second states has become something else."""
    words = told.everything
    verb = next((place for place, word in enumerate(words) if word in wording.changes), None)
    if verb is None or any(word in wording.changes for word in state.words):
        return False
    content = _content(wording)
    about = {_stem(word) for word in words if content(word)}
    target = _after(words, wording.targets, content)
    origin = _after(words, wording.origins, content)
    stated = set(state.stems)
    if target and _stem(target) in stated:
        return False
    if origin and _stem(origin) in stated:
        shared = (about & {_stem(word) for word in state.everything if content(word)}) - {_stem(origin)}
        return bool(shared) or told.everything[0] == state.everything[0]
    if not target:
        return False
    same_subject = told.words[0] == state.words[0] and not set(told.words[:1]) <= wording.changes
    return same_subject and not wording.exclusive.isdisjoint(state.words) and not state.past


def _after(words: Sequence[str], marks: frozenset[str], content: Callable[[str], bool]) -> str:
    for place, word in enumerate(words[:-1]):
        if word in marks and content(words[place + 1]):
            return words[place + 1]
    return ""


@lru_cache(maxsize=2)
def _content(wording: Wording) -> Callable[[str], bool]:
    small = wording.fillers | wording.prepositions | wording.copulas | wording.changes | wording.targets | wording.past

    def is_content(word: str) -> bool:
        return word not in small

    return is_content
