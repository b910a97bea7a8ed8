"""The one write path of a folder of Markdown: plan, carry out, finish, and finish what a dead writer had begun.

Apart from the store, since a recall only reads and need not load any of this.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC
from typing import TYPE_CHECKING

from mnemic.adapters.markdown.journal import Intent, Journal, entry_name
from mnemic.adapters.markdown.parts import Parts
from mnemic.adapters.markdown.planning import Plan, Planner
from mnemic.adapters.markdown.transaction import DocumentMovedError, Edit, Transaction
from mnemic.domain.changes import Applied
from mnemic.domain.memory import State
from mnemic.errors import IdTakenError, MemoryChangedError, NotFoundError, StorageError, WriteFailedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mnemic.adapters.markdown.store import MarkdownStore
    from mnemic.domain.changes import ChangeSet
    from mnemic.domain.documents import Located
    from mnemic.domain.memory import Memory


class Writer:
    """Writes to the bundle of a store. Everything here runs under the bundle's lock, apart from `parts_knowing`."""

    def __init__(self, store: MarkdownStore) -> None:
        self._store, self._fs, self._root = store, store.fs, store.root
        self._journal = Journal(store.fs, store.journal_folder)
        self.parts = self.parts_knowing({})

    def parts_knowing(self, known: Mapping[str, Located]) -> Parts:
        """The generated parts, where memories that are `known` by path need not be read again."""
        return Parts(
            self._fs, self._root, describe=lambda path: self._describe(path, known), note=self._store.layout.note
        )

    def apply(self, change: ChangeSet) -> Applied:
        """As the port says, for a store whose lock is held."""
        self.recover()
        store = self._store
        plan = Planner(store.root, store.layout, store.limits, store.locate).plan(change)
        verified = self._carry_out(plan, change.summary) if plan.edits else {}
        written = tuple(verified[path] for path in plan.written)
        return Applied(written=written, unchanged=tuple(plan.unchanged), removed=tuple(plan.removed))

    def _carry_out(self, plan: Plan, summary: str) -> Mapping[str, Located]:
        now = self._store.clock.now()
        intent = Intent(
            name=entry_name(int(now.timestamp() * 1000)),
            actions=(),
            bullets=plan.bullets(summary),
            day=now.astimezone(self._store.zone).date().isoformat(),
            log_before=self.parts.log_digest(),
            forgotten=tuple(plan.forgotten),
        )
        return self.write(intent, plan.edits, plan.revisions, plan.ids)

    def write(
        self,
        intent: Intent,
        edits: Sequence[Edit],
        revisions: Mapping[str, str],
        ids: Mapping[str, tuple[str, str | None]],
    ) -> Mapping[str, Located]:
        """Carry out edits and what follows from them.

        `revisions` says what each document must mean, by path; without one its bytes are compared. `ids` names the
        memory and the revision that was expected, for the report of a conflict. Returns what was read back, by path.
        """
        verified: dict[str, Located] = {}

        def wrong(edit: Edit, data: bytes) -> str:
            return self._wrong(edit, data, revisions, verified)

        try:
            intent = Transaction(self._fs, self._root, self._journal, wrong=wrong).carry_out(intent, edits)
        except DocumentMovedError as moved:
            raise self._conflict(moved.path, *ids.get(moved.path, (moved.path, ""))) from None
        self._finish(intent, self.parts_knowing(verified), fresh=True)
        return verified

    def _conflict(self, path: str, memory_id: str, expected: str | None) -> MemoryChangedError | IdTakenError:
        if expected is None:
            return IdTakenError(memory_id, taken_by=path)
        try:
            memories = self._store.read(path).memories
        except NotFoundError:
            memories = ()
        return MemoryChangedError(memory_id, expected=expected, found=memories[0].revision if memories else None)

    def _wrong(self, edit: Edit, data: bytes, revisions: Mapping[str, str], verified: dict[str, Located]) -> str:
        if edit.path not in revisions:
            return "" if data == edit.after else "what was read back is not what was written"
        for located in self._store.parse(edit.path, data, int(self._store.clock.now().timestamp() * 1e9)).memories:
            if located.revision == revisions[edit.path]:
                verified[edit.path] = located
                return ""
        return "what was read back does not mean what was written"

    def _finish(self, intent: Intent, parts: Parts, *, fresh: bool) -> None:
        """Everything that follows from a change that stands; may be repeated."""
        try:
            self._forget(intent)
            parts.refresh((action.path for action in intent.actions), forget=bool(intent.forgotten))
            told = not fresh and parts.log_digest() != intent.log_before
            parts.log(
                () if told else intent.bullets,
                intent.day,
                forgotten=[path for path, _ in intent.forgotten],
                forget=bool(intent.forgotten),
            )
        except OSError as error:
            # The entry stays in the journal, so the next command tries again.
            if intent.forgotten:
                raise StorageError(
                    f"The memory is gone from {intent.forgotten[0][0]}, but a trace of it is left: "
                    f"{(error.strerror or str(error)).lower()}.",
                    hint="The next command that writes clears it away. Check free space and permissions.",
                ) from error
            _warn("the generated parts of %s wait for the next write: %s", self._root, error)
        else:
            with suppress(OSError):  # an entry that stays is found complete by the next command
                self._journal.done(intent.name)

    def _forget(self, intent: Intent) -> None:
        if intent.forgotten:
            from mnemic.adapters.markdown.recovery import forget_backups

            forget_backups(self._fs, self._root, intent.forgotten)

    def recover(self) -> None:
        """Complete or clear away what a dead writer left.

        Raises:
            WriteFailedError: The disk does not let us.
        """
        # Nothing is verified here: what a dead writer meant is known by hash alone.
        transaction = Transaction(self._fs, self._root, self._journal, wrong=lambda _edit, _data: "")
        for name in self._store.pending():
            intent = self._journal.load(name)
            try:
                stands = intent is not None and transaction.recover(intent, self.now_stamp())
            except OSError as error:
                why = (error.strerror or str(error)).lower()
                raise WriteFailedError(self._root, f"an earlier change cannot be completed: {why}") from error
            if intent is not None and stands:
                self._finish(intent, self.parts, fresh=False)
            else:
                self._journal.done(name)

    def now_stamp(self) -> str:
        """The moment, as part of a file name: `20260503T061400.123456Z`."""
        return self._store.clock.now().astimezone(UTC).strftime("%Y%m%dT%H%M%S.%fZ")

    def _describe(self, path: str, known: Mapping[str, Located]) -> tuple[str, str]:
        located = known.get(path)
        memory = located.memory if located else self._memory_in(path)
        if memory is None:
            return path.rpartition("/")[2].removesuffix(".md"), ""
        state = "" if memory.state is State.ACTIVE else f"({memory.state}) "
        return memory.title or path.rpartition("/")[2].removesuffix(".md"), f"{state}{memory.description}"

    def _memory_in(self, path: str) -> Memory | None:
        with suppress(NotFoundError):
            memories = self._store.read(path).memories
            return memories[0].memory if memories else None
        return None


def _warn(message: str, *facts: object) -> None:
    import logging

    logging.getLogger(__name__).warning(message, *facts)
