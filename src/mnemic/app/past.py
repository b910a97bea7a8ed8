"""What a program asks of the past: what was known at a moment, how a memory came to be, what changed meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.ids import parse_turn_id
from mnemic.errors import SessionNotFoundError, VersionNotFoundError
from mnemic.services.bundle import named
from mnemic.services.chronicle.diff import Believed, diff
from mnemic.services.chronicle.history import as_known, history, revealed
from mnemic.services.chronicle.revive import as_it_was
from mnemic.services.recalling.show import Shown, show

if TYPE_CHECKING:
    from datetime import datetime

    from mnemic.app import App
    from mnemic.services.chronicle.history import Story


class Seen(NamedTuple):
    """What was known, and in words what cannot be told of it."""

    shown: Shown
    notes: tuple[str, ...] = ()


class Past:
    """The past of the bundles of an application."""

    def __init__(self, app: App) -> None:
        self._app = app

    def show(self, wanted: str, moment: datetime, *, around: int = 0) -> Seen:
        """Read one thing whole, as it was known at a moment.

        Raises:
            MemoryNotFoundError, SessionNotFoundError: Nothing was known by that name then.
        """
        bundle, name = self._app.locate(wanted)
        if parse_turn_id(name) is None:
            located, notes = as_known(bundle, name, moment)
            return Seen(Shown(memory=located), notes)
        shown = show(bundle, name, around=around)
        turns = tuple(turn for turn in shown.turns if turn.at <= moment)
        if not turns or (shown.asked is not None and all(turn.number != shown.asked for turn in turns)):
            raise SessionNotFoundError(wanted)
        return Seen(replace(shown, turns=turns))

    def history(self, wanted: str) -> Story:
        """Every version of a memory, and the chain of what it replaced; see `services/chronicle/history.py`."""
        bundle, name = self._app.locate(wanted)
        return replace(history(bundle, name), bundle="" if bundle is self._app.bundle else bundle.name)

    def version(self, wanted: str, number: int, *, reveal: bool = False) -> Shown:
        """A memory as one of its versions says it; with `reveal` a sensitive one, too. That is for its owner to ask.

        Raises:
            VersionNotFoundError: There is none of this number, or it tells that the memory was taken away.
            VaultLockedError, VaultDamagedError, SealedContentLostError: What is to be revealed cannot be read.
        """
        story = self.history(wanted)
        if reveal:
            bundle, _ = self._app.locate(wanted)
            return Shown(memory=as_it_was(revealed(bundle, story, number)))
        for told in story.versions:
            memory = told.version.memory
            if told.version.number == number and memory is not None:
                return Shown(memory=as_it_was(memory))
        raise VersionNotFoundError(story.id, number)

    def diff(self, since: datetime, until: datetime | None = None, wanted: str = "") -> Believed:
        """What changed in what is believed between two moments, in every opened bundle or of one memory.

        Args:
            since: The earlier moment.
            until: The later one; now when left out.
            wanted: The id of the one memory that is meant.
        """
        end = until or self._app.bundle.clock.now()
        if wanted:
            bundle, name = self._app.locate(wanted)
            return diff(bundle, since, end, name="" if bundle is self._app.bundle else bundle.name, given=name)
        found = [diff(bundle, since, end, name=name) for name, bundle in named((self._app.bundle, *self._app.others))]
        return Believed(
            tuple(one for each in found for one in each.differences),
            tuple(dict.fromkeys(note for each in found for note in each.notes)),
        )
