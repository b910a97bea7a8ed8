"""A bundle of any size, made by lot: words as often as in real text, in several scripts, the same for the same seed."""

from __future__ import annotations

import json
from bisect import bisect
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

from mnemic.domain.instants import format_instant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VOCABULARY = 20_000
"""Words a language. A real author uses as many over a few years of notes."""
_ZIPF_EXPONENT, _ZIPF_SHIFT = 1.05, 2.7
"""Frequency of the word of rank r: 1 / (r + 2.7) ** 1.05 (Mandelbrot's form of Zipf's law)."""
_FOLDERS = 60
_SESSION_TURNS = 20
_DAY_ONE = datetime(2024, 1, 1, 8, tzinfo=UTC)
_PASSAGES = 3
_SENTENCES = (5, 16)
_UNSPACED_SENTENCES = (4, 12)
_QUERY_WORDS = (4, 7)
_UNSPACED_QUERY = 12
"""Characters."""


@dataclass(frozen=True, slots=True)
class _Script:
    """How words of a language are put together. `common` are its most frequent words, real ones: stop words matter."""

    language: str
    share: float
    onsets: str
    nuclei: str
    codas: tuple[str, ...]
    common: str
    spaced: bool = True
    stop: str = ". "


_SCRIPTS = (
    _Script(
        "en", 0.5, "bcdfghjklmnprstvw", "aeiou", ("", "", "n", "r", "st", "ng", "l"),
        "the of and to a in is that it for was on are with as at be this from by not we but have had",
    ),
    _Script(
        "de", 0.12, "bdfghklmnprstwz", "aeiou", ("", "en", "er", "t", "ch", "l"),
        "der die und in den von zu das mit sich des auf ist im dem nicht ein eine als auch es an war",
    ),
    _Script(
        "ru", 0.18, "бвгдзклмнпрстх", "аеиоуы", ("", "", "н", "р", "ть", "й"),
        "и в не на я что с как это по но они мы все она так его за был от меня из для у же",
    ),
    _Script(
        "zh", 0.1, "山水火木土金日月人口手心田米竹糸耳言車門雨馬", "学生工作会議計画問題時間電話書類予定場所", ("",),
        "的 了 在 是 我 有 和 就 不 人 都 一 上 也 很 到 说 要 去 你", spaced=False, stop="。",
    ),
    _Script(
        "ja", 0.1, "かきくけこさしすせそたちつてと", "山川田中村本木森林橋電車駅道店", ("", "り", "い"),
        "の に は を た が で て と し れ さ も な から", spaced=False, stop="。",
    ),
)  # fmt: skip


class Corpus:
    """Texts by lot from one seed: titles, bodies, turns and queries that share words with them."""

    def __init__(self, seed: int) -> None:
        self._lot = Random(seed)  # noqa: S311 - no secret
        self._words = {script.language: _vocabulary(script, Random(f"{seed}/{script.language}")) for script in _SCRIPTS}  # noqa: S311
        self._weights = list(accumulate((rank + _ZIPF_SHIFT) ** -_ZIPF_EXPONENT for rank in range(VOCABULARY)))
        self._shares = list(accumulate(script.share for script in _SCRIPTS))

    def body(self) -> str:
        """Three paragraphs of two or three sentences: about three passages."""
        script = self._script()
        return "\n\n".join(self._paragraph(script) for _ in range(_PASSAGES))

    def turn(self) -> str:
        """One to three sentences."""
        return self._paragraph(self._script(), self._lot.randint(1, 3))

    def title(self) -> str:
        """A few words."""
        script = self._script()
        return self._joined(script, [self._word(script) for _ in range(4)])

    def query(self, text: str) -> str:
        """A question about a text: some of its words in their order, and one of its language that may not be in it."""
        script = _script_of(text)
        if not script.spaced:
            start = self._lot.randrange(max(1, len(text) - _UNSPACED_QUERY))
            return text[start : start + _UNSPACED_QUERY].replace("\n", "") + self._word(script)
        words = text.split()
        places = sorted(self._lot.sample(range(len(words)), min(len(words), self._lot.randint(*_QUERY_WORDS))))
        return " ".join((*(words[place].strip(".") for place in places), self._word(script))) + "?"

    def _script(self) -> _Script:
        return _SCRIPTS[min(bisect(self._shares, self._lot.random() * self._shares[-1]), len(_SCRIPTS) - 1)]

    def _word(self, script: _Script) -> str:
        return self._words[script.language][bisect(self._weights, self._lot.random() * self._weights[-1])]

    def _paragraph(self, script: _Script, sentences: int | None = None) -> str:
        lengths = _SENTENCES if script.spaced else _UNSPACED_SENTENCES
        made = []
        for _ in range(sentences or self._lot.randint(2, 3)):
            words = [self._word(script) for _ in range(self._lot.randint(*lengths))]
            made.append(self._joined(script, [words[0].capitalize(), *words[1:]]) + script.stop)
        return "".join(made).rstrip()

    @staticmethod
    def _joined(script: _Script, words: list[str]) -> str:
        return (" " if script.spaced else "").join(words)


def write_memories(folder: Path, count: int, seed: int) -> Iterator[str]:
    """Write memories as a person's files would lie there, in folders; yields the body of each once it is written.

    They are not remembered one by one: what is measured afterwards reads them, and 5,000 durable writes take minutes.
    """
    corpus = Corpus(seed)
    for number in range(count):
        body = corpus.body()
        told = format_instant(_DAY_ONE + timedelta(minutes=37 * number))
        place = folder / "notes" / f"subject-{number % _FOLDERS:02}" / f"note-{number:06}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        head = (
            f"type: note\ntitle: {json.dumps(corpus.title(), ensure_ascii=False)}\ncreated: {told}\ntimestamp: {told}"
        )
        tags = f"tags: [subject-{number % _FOLDERS:02}, made]"
        place.write_text(f"---\n{head}\n{tags}\n---\n\n{body}\n", encoding="utf-8")
        yield body


def write_chat(path: Path, turns: int, seed: int) -> Iterator[str]:
    """Write a file in the chat format, a session of 20 turns after the other; yields the text of each turn."""
    corpus = Corpus(seed)
    with path.open("w", encoding="utf-8") as file:
        for number in range(turns):
            session, place = divmod(number, _SESSION_TURNS)
            text = corpus.turn()
            row = {
                "session": f"talk-{session:06}",
                "turn": place + 1,
                "at": format_instant(_DAY_ONE + timedelta(hours=session, seconds=20 * place)),
                "role": "assistant" if place % 2 else "user",
                "text": text,
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            yield text


def _script_of(text: str) -> _Script:
    """The one whose most frequent words are in the text most often."""
    words = text.casefold().replace(".", " ").split()
    return max(
        _SCRIPTS,
        key=lambda script: sum(map(words.count if script.spaced else text.count, script.common.split())),
    )


def _vocabulary(script: _Script, lot: Random) -> list[str]:
    """Distinct words by rank: the language's own most frequent ones, then made ones, short before long."""
    words = dict.fromkeys(script.common.split())
    syllables = 1
    while len(words) < VOCABULARY:
        for _ in range(40 * 12**syllables):
            words[_made(script, lot, syllables)] = None
        syllables += 1
    return list(words)[:VOCABULARY]


def _made(script: _Script, lot: Random, syllables: int) -> str:
    parts = (lot.choice(script.onsets) + lot.choice(script.nuclei) for _ in range(syllables))
    return "".join(parts) + lot.choice(script.codas)
