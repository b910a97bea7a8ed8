"""`opposition` for Japanese and Chinese, which write no blanks: characters are laid side by side instead of words."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Final

from mnemic.text.claim_values import claim_value
from mnemic.text.opposition_words import CHINESE, JAPANESE

if TYPE_CHECKING:
    from mnemic.text.opposition_words import RunWording

_ANY_DAY: Final = date(2000, 1, 1)
_KANA: Final = re.compile("[\u3040-\u30ff]")
_PARTICLES: Final = re.compile("[はがをもにでと]")
_LAST_KANA: Final = re.compile("[\u3042-\u308d\u308f]\\Z")
_ONE_RUN: Final = re.compile(r"[A-Za-z0-9.,:_-]|[\u30a0-\u30ff]")
_AMOUNT: Final = re.compile(
    r"[\d.,:時分秒年月日点%]*\d[\d.,:時分秒年月日点%]*|[月火水木金土日一二三四五六天]|[一二三四五六七八九十百千万]+"
)
_FROM_AND_TO: Final = re.compile("(?:(?P<origin>[^はがを、]+?)から)?(?P<target>[^はがを、から]+)[にへ]")
_MOST_DIFFERENT: Final = 12
_LEAST_SHARED: Final = 3


def opposed_runs(one: str, other: str) -> str:
    """The name of an `Opposition`, or nothing.

    Args:
        one: A sentence in NFKC without its full stop.
        other: Another one.
    """
    wording = JAPANESE if _KANA.search(one) or _KANA.search(other) else CHINESE
    denies = [len(_pattern(wording.negation).findall(text)) % 2 == 1 for text in (one, other)]
    if denies[0] != denies[1]:
        return "negation" if _bare(one, wording) == _bare(other, wording) else ""
    if any(_pattern(wording.additive).search(text) for text in (one, other)) or all(denies):
        return ""
    if _changed(one, other, wording) or _changed(other, one, wording):
        return "change"
    return _in_one_place(one, other, wording)


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text or r"(?!)")


def _bare(text: str, wording: RunWording) -> str:
    """What is left of a statement without its denial, the endings of its verb, particles and fillers."""
    bare = _pattern(wording.filler).sub("", text)
    if wording.ending:
        bare = _pattern(f"(?:{wording.ending})\\Z").sub("", bare)
        bare = _LAST_KANA.sub("", bare)
        return _PARTICLES.sub("", bare)
    return _pattern(wording.negation).sub("", bare)


def _in_one_place(one: str, other: str, wording: RunWording) -> str:
    before, after = _shared(one, other)
    mine, theirs = one[before : len(one) - after], other[before : len(other) - after]
    head, tail = one[:before], one[len(one) - after :]
    if not head or max(len(mine), len(theirs)) > _MOST_DIFFERENT:
        return ""
    if _antonyms(one, other, wording):
        return "antonym"
    grows = mine in theirs or theirs in mine  # also where nothing differs on one side
    past = any(_pattern(wording.past).search(text) for text in (one, other))
    if grows or past or len(head) + len(tail) < _LEAST_SHARED or _mean_the_same(mine, theirs):
        return ""
    return _japanese(head, mine, theirs, tail) if wording is JAPANESE else _chinese(head, mine, theirs)


def _mean_the_same(mine: str, theirs: str) -> bool:
    return claim_value(mine, today=_ANY_DAY).agrees(claim_value(theirs, today=_ANY_DAY))


def _antonyms(one: str, other: str, wording: RunWording) -> bool:
    """Whether one is the other with a word turned into its opposite."""
    for pair in wording.antonyms:
        first, second = pair
        if (first in one and one.replace(first, second, 1) == other) or (
            second in one and one.replace(second, first, 1) == other
        ):
            return True
    return False


def _japanese(head: str, mine: str, theirs: str, tail: str) -> str:
    topics = _pattern("は|が")
    if not topics.search(head) or any(re.search("は|です|.[をに].", each) for each in (mine, theirs)):
        return ""
    if _AMOUNT.fullmatch(mine) and _AMOUNT.fullmatch(theirs):
        return "number"
    if _pattern(JAPANESE.several).search(tail):
        return ""
    if _pattern(JAPANESE.exclusive).search(tail):
        return "other"
    about = re.split("は|が", head, maxsplit=1)[0]
    copula = _pattern(f"(?:{JAPANESE.copula})").search(tail) or not tail
    return "other" if copula and _pattern(JAPANESE.attribute).search(about) else ""


def _chinese(head: str, mine: str, theirs: str) -> str:
    verb = _pattern(f"{CHINESE.copula}|{CHINESE.exclusive}")
    if any(_pattern("是|住在|使用|叫|:").search(each) for each in (mine, theirs)):
        return ""
    if _AMOUNT.fullmatch(mine) and _AMOUNT.fullmatch(theirs):
        return "number" if len(head) > 1 else ""
    if _pattern(CHINESE.several).search(head):
        return "other" if re.search("最喜欢的[^是]*是", head) else ""
    if not verb.search(head):
        return ""
    copula = head.rfind(CHINESE.copula)
    if copula >= 0 and not _pattern(CHINESE.exclusive).search(head[copula:]):
        return "other" if _pattern(CHINESE.attribute).search(head[:copula]) else ""
    return "other"


def _shared(one: str, other: str) -> tuple[int, int]:
    """How much of the beginning and of the end is the same, whole numbers and foreign words uncut."""
    before = 0
    while before < min(len(one), len(other)) and one[before] == other[before]:
        before += 1
    while before and before < max(len(one), len(other)) and _runs_on(one, before) and _runs_on(other, before):
        before -= 1
    after = 0
    while after < min(len(one), len(other)) - before and one[-1 - after] == other[-1 - after]:
        after += 1
    while after and (_runs_on(one, len(one) - after) or _runs_on(other, len(other) - after)):
        after -= 1
    return before, after


def _runs_on(text: str, place: int) -> bool:
    """Whether a number, a Latin or a katakana word goes through this place."""
    if not 0 < place < len(text):
        return False
    left, right = text[place - 1], text[place]
    return bool(_ONE_RUN.match(left) and _ONE_RUN.match(right)) and (left.isascii() == right.isascii())


def _changed(told: str, state: str, wording: RunWording) -> bool:
    """Whether the first says that what the second states has become something else."""
    change = _pattern(wording.change).search(told)
    if change is None or _pattern(wording.change).search(state):
        return False
    origin, target = _from_and_to(told, change, wording)
    if target and target in state:
        return False
    if origin and origin in state:
        return True
    if not _pattern(wording.residence).search(state):
        return False
    subject = re.split("は|が", told, maxsplit=1)[0] if wording is JAPANESE else _before(told, change, origin)
    return bool(target) and bool(subject) and state.startswith(subject) and len(subject) < len(told)


def _from_and_to(told: str, change: re.Match[str], wording: RunWording) -> tuple[str, str]:
    if wording is JAPANESE:
        said = _FROM_AND_TO.search(told[: change.start()])
        return (said["origin"] or "", said["target"]) if said else ("", "")
    origin = re.search(r"[从由](?P<origin>.+)\Z", told[: change.start()])
    target = re.match(r"[^，,。了]+", told[change.end() :])
    return origin["origin"] if origin else "", target[0] if target else ""


def _before(told: str, change: re.Match[str], origin: str) -> str:
    head = told[: change.start()].removesuffix(origin)
    return re.sub("(?:现在|目前|已经|已|[从由])+\\Z", "", head)
