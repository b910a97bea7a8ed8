"""What an agent may read and write in a turn: a search before anything new, a search and a read before any change.

The proof is a receipt, which only the reply to the search or the read gives. It is worthless when its turn has ended.
"""

from __future__ import annotations

import os
from base64 import b32encode
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from mnemic.domain.access import Budget, OpenTurn, Receipt, ReceiptKind
from mnemic.errors import AccessRefusedError, BudgetSpentError, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mnemic.domain.policy import Limits
    from mnemic.ports import Clock, TurnStore

TURN_MINUTES = 30
"""A turn that nobody announced ends so long after it began: nobody will announce the next one either."""
_TRIES = 3
_PREFIXES = {ReceiptKind.SEARCH: "s-", ReceiptKind.READ: "r-"}
_RANDOM_BYTES = 10
_RANDOM_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz234567")
_RANDOM_LENGTH = 16
_SEARCH = "Call memory_search first, then memory_write with the receipt it gives."
_SEARCH_AND_READ = "Call memory_search, then memory_read, and hand back the receipt that memory_read gives."


@dataclass(slots=True, kw_only=True)
class Gate:
    """The rules of access for one conversation; safe to use from many threads, each with this or a gate of its own.

    Where what is done cannot be kept (a full disk, a read-only folder), searching and reading go on, their receipts
    are empty texts, and nothing is counted; every check for a write then raises StorageError.

    Attributes:
        turns: Where it is kept what was done.
        clock: The time.
        limits: `turn_reads` and `turn_characters_read` are the budget of a turn.
        conversation: Whose turns these are.
        follows: Nobody announces this conversation's turns: one ends when a turn of any other is announced.
    """

    turns: TurnStore
    clock: Clock
    limits: Limits
    conversation: str
    follows: bool = False
    _owes_begin: bool = field(default=False, init=False, repr=False)
    """A turn that began could not be kept: whatever is still open is not it."""

    def begin(self, *, announced: bool = True) -> OpenTurn:
        """A turn begins now: nothing is found, read or spent in it, and earlier receipts are worthless.

        Announced, unless it is said that it is not or the conversation `follows`. Where it cannot be kept, the turn
        given back has no id, and the next call that needs one tries again.
        """
        announced = announced and not self.follows
        now = self.clock.now()
        try:
            turn = self.turns.begin(self.conversation, now, announced=announced)
        except StorageError:
            self._owes_begin = True
            return OpenTurn(id="", conversation=self.conversation, begun_at=now, announced=announced)
        self._owes_begin = False
        return turn

    def current(self) -> OpenTurn:
        """The turn that is going on; one that nobody announced begins where there is none, or it has ended.

        Raises:
            StorageError: It cannot be kept.
        """
        now = self.clock.now()
        if self._owes_begin:
            turn = self.turns.begin(self.conversation, now, announced=not self.follows)
            self._owes_begin = False
            return turn
        known = self.turns.current(self.conversation)
        if known is not None and not self._has_ended(known):
            return known
        # Another thread or process may have come to the same: the first begins it, all get the same one.
        return self.turns.begin(self.conversation, now, announced=False, instead_of=known.id if known else "")

    def end(self) -> None:
        """The turn has ended: its receipts are worthless. Raises StorageError."""
        self.turns.end(self.conversation)

    # -- what was done -------------------------------------------------------------------------------------------

    def searched(self, ids: Iterable[str]) -> str:
        """A search found these; gives the receipt for it, empty where it cannot be kept."""
        try:
            receipt = self._receipt(self.current(), ReceiptKind.SEARCH)
            self.turns.note_search(receipt, list(ids))
        except StorageError:
            return ""
        return receipt.token

    def left(self) -> Budget:
        """What may still be read whole in this turn; all of it where it cannot be counted."""
        try:
            turn = self.current()
        except StorageError:
            return Budget(self.limits.turn_reads, self.limits.turn_characters_read)
        return self._left(turn)

    def check_budget(self) -> None:
        """Before anything is read.

        Raises:
            BudgetSpentError: Nothing more may be read whole in this turn.
        """
        left = self.left()
        if left.reads <= 0:
            raise BudgetSpentError(f"{self.limits.turn_reads} memories were read in this turn, which is all it allows.")
        if left.characters <= 0:
            raise BudgetSpentError(
                f"{self.limits.turn_characters_read:,} characters were read in this turn, which is all it allows."
            )

    def read(self, memory_id: str, revision: str, characters: int) -> str:
        """It was read whole, `characters` long; gives the receipt for it, empty where it cannot be kept.

        Raises:
            BudgetSpentError: It is more than this turn allows, and must not be shown.
        """
        try:
            for _ in range(_TRIES):
                turn = self.current()
                receipt = replace(self._receipt(turn, ReceiptKind.READ), id=memory_id, revision=revision)
                if self.turns.note_read(
                    receipt,
                    characters,
                    most_reads=self.limits.turn_reads,
                    most_characters=self.limits.turn_characters_read,
                ):
                    return receipt.token
                left = self.left()
                if left.reads < 1 or left.characters < characters:
                    break
                # Otherwise another turn has begun in between.
        except StorageError:
            return ""
        self.check_budget()
        raise BudgetSpentError(
            f"{memory_id} has {characters:,} characters; {self.left().characters:,} may still be read in this turn."
        )

    # -- what may be done ----------------------------------------------------------------------------------------

    def check_create(self, receipt: str) -> None:
        """Whether something new may be written with this receipt: a search of this turn gave it.

        Raises:
            AccessRefusedError: It did not.
            StorageError: Receipts cannot be kept at the moment.
        """
        turn = self.current()
        given = self._given(receipt, turn, ReceiptKind.SEARCH)
        if given.kind is not ReceiptKind.SEARCH:
            raise AccessRefusedError(
                "This is the receipt of a read; for something new it takes that of a search of this turn.", hint=_SEARCH
            )

    def check_change(self, receipt: str, memory_id: str) -> str:
        """The revision that was read, if this memory may be changed or forgotten with this receipt.

        A search of this turn found it, and a read of it in this turn gave the receipt.

        Raises:
            AccessRefusedError: Not so.
            StorageError: Receipts cannot be kept at the moment.
        """
        turn = self.current()
        given = self._given(receipt, turn, ReceiptKind.READ)
        if given.kind is not ReceiptKind.READ:
            raise AccessRefusedError(
                f"This is the receipt of a search; to change {memory_id} it takes that of its read.",
                hint=f"Call memory_read for {memory_id} and hand back the receipt it gives.",
            )
        if given.id != memory_id:
            raise AccessRefusedError(
                f"This is the receipt of a read of {given.id}, not of {memory_id}.",
                hint=f"Call memory_read for {memory_id} and hand back the receipt it gives.",
            )
        if not self.turns.was_found(turn.id, memory_id):
            raise AccessRefusedError(
                f"{memory_id} was read, but no search of this turn found it, so what else says the same is not known.",
                hint=f"Call memory_search with words of {memory_id}, then hand back the receipt of its read again.",
            )
        return given.revision

    def _given(self, token: str, turn: OpenTurn, wanted: ReceiptKind) -> Receipt:
        """The receipt of this token, if it is one of this turn."""
        token = token.strip()
        hint = _SEARCH if wanted is ReceiptKind.SEARCH else _SEARCH_AND_READ
        if not token:
            # Maybe there was none to be had. Then the reason is the better answer, and this raises it.
            self.turns.note_search(self._receipt(turn, ReceiptKind.SEARCH), ())
            if wanted is ReceiptKind.SEARCH:
                why = "No search receipt was given: without a search in this turn, whether it is known is not known."
            else:
                why = "No read receipt was given: what is changed must have been found and read in this turn."
            raise AccessRefusedError(why, hint=hint)
        if not _is_well_formed(token):
            raise AccessRefusedError(
                "This is no receipt: one is s- (search) or r- (read) and 16 letters and digits.", hint=hint
            )
        known = self.turns.receipt(token)
        if known is not None and known.turn == turn.id:
            return known
        if known is not None:
            raise AccessRefusedError("This receipt was given in another conversation.", hint=hint)
        if self.turns.was_given(token):
            raise AccessRefusedError("This receipt is of a turn that has ended.", hint=hint)
        raise AccessRefusedError("This receipt was never given, or long ago.", hint=hint)

    def _receipt(self, turn: OpenTurn, kind: ReceiptKind) -> Receipt:
        token = _PREFIXES[kind] + b32encode(os.urandom(_RANDOM_BYTES)).decode().lower()
        return Receipt(token=token, kind=kind, turn=turn.id, issued_at=self.clock.now())

    def _left(self, turn: OpenTurn) -> Budget:
        return Budget(
            max(0, self.limits.turn_reads - turn.reads),
            max(0, self.limits.turn_characters_read - turn.characters),
        )

    def _has_ended(self, turn: OpenTurn) -> bool:
        if turn.announced:
            return False
        # Also where the clock was set back: nobody knows then how long ago it began.
        if abs(self.clock.now() - turn.begun_at) >= timedelta(minutes=TURN_MINUTES):
            return True
        last = self.turns.last_announced() if self.follows else None
        return last is not None and last > turn.begun_at


def _is_well_formed(token: str) -> bool:
    return token[:2] in _PREFIXES.values() and len(token) == 2 + _RANDOM_LENGTH and _RANDOM_SIGNS.issuperset(token[2:])
