"""Forgetting measured from outside: a bundle that lives, random erasures, and every byte looked at by other means.

Each memory is made of words that nobody else uses, invented in many scripts. It is edited, replaced, quoted, proposed,
recalled and put before agents; then it is forgotten, and its words are looked for in every file by plain search. The
product's own search has no part in that.
"""

from __future__ import annotations

import json
import time
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mnemic.domain.drafts import Draft
from mnemic.domain.erasure import Wishes
from mnemic.domain.proposals import Aim, Evidence, Proposal, Step
from mnemic.domain.provenance import Origin, Provenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from random import Random

    from mnemic.app import App

_SCRIPTS = (
    "abcdefghijklmnoprstuvwz", "абвгдежзиклмнопрстухцчшщыэюя", "αβγδεζηθικλμνξοπρστυφχψω", "äöüßéèñçåøæœ",
    "אבגדהוזחטיכלמנסעפצקרשת", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "कखगघचछजझटठडढतथदधनपफबभमयरलवशषसह",
    "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ", "가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허",
    "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生",
    "กขคงจฉชซญดตถทธนบปผฝพฟมยรลวศสหอฮ",
    "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわん",
)  # fmt: skip
_PLAIN = ("the note says that", "since then", "and so on", "by the way", "it is known that", "somebody wrote")
_LENGTH = 12
_LOST = 0.1
"""Share of memories whose file somebody deletes before they are forgotten."""
_BY_COMMAND = 0.5
"""Share of edits that a command makes; the others are made in the file."""


@dataclass(slots=True)
class Planted:
    """A memory and the words that only it has; `uid` and `turns` are where it is."""

    id: str
    uid: str
    words: list[str]
    said: str = ""
    turns: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What a run of erasures came to. `found` counts bytes of forgotten words, by file; seconds are those of one."""

    erased: int
    found: dict[str, int]
    versions_left: int
    unclean: int
    median_s: float
    most_s: float


class World:
    """A bundle that lives.

    Args:
        app: Opened on an empty bundle, with embedders if vectors are to be made.
        random: Decides everything.
    """

    def __init__(self, app: App, random: Random) -> None:
        self.app, self.random = app, random
        self.planted: dict[str, Planted] = {}
        self.forgotten: list[Planted] = []
        self._number = 0

    def grow(self, memories: int) -> None:
        """Remember so many more, and do with them what is done with memories."""
        for _ in range(memories):
            self._remember()
        for planted in self._some(0.3):
            self._edit(planted)
        for planted in self._some(0.2):
            self._supersede(planted)
        for planted in self._some(0.3):
            self._quote(planted)
        for planted in self._some(0.2):
            self._propose(planted)
        for planted in self._some(0.1):
            self._spoil(planted)
        self.app.reindex()
        for planted in self._some(0.2):
            word = self.random.choice(planted.words)
            self.app.recall(word)
            self.app.context(f"What about {word}?", conversation=f"talk-{self.random.randrange(5)}")

    def forget(self) -> tuple[Planted, float, bool]:
        """Forget one: what it was, how many seconds that took, and whether the receipt says that nothing is left."""
        planted = self.planted.pop(self.random.choice(sorted(self.planted)))
        wishes = Wishes(with_session_quotes=True)
        lost = self.random.random() < _LOST
        if lost:  # somebody deletes the file, and thinks that this is all
            (self.app.root / f"{planted.id}.md").unlink()
        begin = time.perf_counter()
        done = self.app.forget(planted.id, confirm=planted.id, wishes=wishes)
        seconds = time.perf_counter() - begin
        self.forgotten.append(planted)
        return planted, seconds, done.receipt.clean

    def _some(self, share: float) -> Iterator[Planted]:
        return (each for each in list(self.planted.values()) if self.random.random() < share)

    def word(self) -> str:
        """One that nobody has written before."""
        script = self.random.choice(_SCRIPTS)
        return "".join(self.random.choice(script) for _ in range(_LENGTH))

    def _sentence(self, words: Iterable[str]) -> str:
        said = " ".join(f"{self.random.choice(_PLAIN)} {word}" for word in words)
        return unicodedata.normalize(self.random.choice(("NFC", "NFD")), f"{said[0].upper()}{said[1:]}.")

    def _remember(self) -> None:
        self._number += 1
        words = [self.word() for _ in range(4)]
        said = self._sentence(words[:2])
        provenance = Provenance.of(self.random.choice((Origin.USER_EXPLICIT, Origin.USER_SAID)))
        made = self.app.remember(
            Draft(
                id=f"notes/n{self._number}",
                title=f"About {words[2]} of {self._number}",
                description=self._sentence(words[3:]),
                body=f"{said}\n\n{self._sentence(self.random.sample(_PLAIN, 2))}",
                provenance=provenance,
            )
        )
        memory = made.memory
        self.planted[memory.id] = Planted(memory.id, memory.uid, words, said)

    def _edit(self, planted: Planted) -> None:
        fresh = self.word()
        if self.random.random() < _BY_COMMAND:
            self.app.edit(planted.id, lambda _: {"body": self._sentence([fresh]), "title": f"Now {fresh}"})
        else:
            path = self.app.root / f"{planted.id}.md"
            text = path.read_text(encoding="utf-8")
            path.write_text(f"{text.rstrip()}\n\n{self._sentence([fresh])}\n", encoding="utf-8")
        planted.words.append(fresh)

    def _supersede(self, planted: Planted) -> None:
        self._number += 1
        fresh = self.word()
        draft = Draft(id=f"notes/n{self._number}", body=self._sentence([fresh]), supersedes=(planted.id,))
        memory = self.app.remember(draft).memory
        self.planted[memory.id] = Planted(memory.id, memory.uid, [fresh], memory.body)

    def _quote(self, planted: Planted) -> None:
        self._number += 1
        session = f"talk-{self._number}"
        turns = ["Good morning.", f"I said: {planted.said}", "And that is that."]
        path = self.app.root.parent / f"{session}.jsonl"
        rows = [
            {"session": session, "turn": number, "at": "2026-05-03T08:14:00Z", "role": "user", "text": text}
            for number, text in enumerate(turns, 1)
        ]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        self.app.import_sessions(path)
        path.unlink()

    def _propose(self, planted: Planted) -> None:
        located = self.app.bundle.store.find(planted.id)
        self._number += 1
        self.app.bundle.proposals.write(
            Proposal(
                id=f"2026-05-03-change-{self._number}",
                aim=Aim.CHANGE,
                title=f"Change {located.memory.title}",
                why=planted.said,
                made_at=self.app.bundle.clock.now(),
                made_by="replay",
                evidence=(Evidence(id=planted.id, text=planted.said),),
                steps=(Step(after=located.memory, before=located.memory, revision=located.revision),),
            )
        )

    def _spoil(self, planted: Planted) -> None:
        """Somebody breaks the file, and a repair keeps the original."""
        path = self.app.root / f"{planted.id}.md"
        path.write_text(path.read_text(encoding="utf-8").replace("title:", "title: [", 1), encoding="utf-8")
        self.app.check(repair=True)


def measured(world: World, erasures: int, *, refill: int, places: Iterable[Path]) -> Figures:
    """Forget so many, looking into every byte after each; the bundle is refilled when it runs dry.

    Args:
        world: With an empty bundle.
        erasures: How many.
        refill: How many memories are added at a time.
        places: Folders that are searched: the bundle, and where its key is.
    """
    folders = list(places)
    found: dict[str, int] = {}
    seconds: list[float] = []
    unclean = 0
    while len(world.forgotten) < erasures:
        if len(world.planted) < refill // 2:
            world.grow(refill)
        planted, took, clean = world.forget()
        seconds.append(took)
        unclean += not clean
        for path, count in traces(folders, planted.words).items():
            found[path] = found.get(path, 0) + count
    every = [word for planted in world.forgotten for word in planted.words]
    for path, count in traces(folders, every).items():
        found[path] = found.get(path, 0) + count
    history = world.app.bundle.history()
    left = sum(len(history.vault.versions(each.uid)) for each in world.forgotten) if history else 0
    ordered = sorted(seconds)
    return Figures(
        erased=len(world.forgotten), found=found, versions_left=left, unclean=unclean,
        median_s=ordered[len(ordered) // 2], most_s=ordered[-1],
    )  # fmt: skip


def traces(folders: Iterable[Path], words: Iterable[str]) -> dict[str, int]:
    """How many bytes of these words stand in each file, in any spelling, in contents and in names."""
    wanted = {data for word in words for data in _spelled(word)}
    found: dict[str, int] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if not path.is_file():
                continue
            data = path.read_bytes().lower() + b"\0" + str(path).encode().lower()
            if count := sum(len(word) for word in wanted if word in data):
                found[str(path.relative_to(folder))] = count
    return found


def _spelled(word: str) -> Iterator[bytes]:
    for form in ("NFC", "NFD"):
        for text in {unicodedata.normalize(form, each) for each in (word, word.casefold(), word.upper(), word.title())}:
            yield text.encode().lower()
            yield text.encode("utf-16-le").lower()
            yield text.encode("utf-16-be").lower()
            yield json.dumps(text)[1:-1].encode().lower()
