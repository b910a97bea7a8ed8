"""What keeps the past: the ledger of what happened, the vault of what was said, and what is still owed to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from mnemic.domain.ledger import Act, Event, LedgerReport
    from mnemic.domain.vault import KeyPlace, VaultFacts, Version


class Ledger(Protocol):
    """What happened to which memory, in order and without its content; appended to, never edited."""

    def append(self, acts: Sequence[Act], *, durable: bool = False) -> tuple[Event, ...]:
        """Record acts in order; the event of each.

        What the last events tell already is not recorded again: the call may be repeated after a crash. `durable`
        waits for the disk. Raises WriteFailedError, LedgerError; nothing was recorded then.
        """
        ...

    def events(self, *, uid: str | None = None, after: int = 0) -> Iterator[Event]:
        """Events in order: all, those of one memory, those after a number."""
        ...

    def lines(self) -> Iterator[tuple[bytes, Event | None]]:
        """Every line as it stands, without its line feed, and the event it is; None for what is none."""
        ...

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event; 0 and zeros before the first."""
        ...

    def verify(self) -> LedgerReport:
        """Everything that is wrong with what is on the disk, read anew. Raises LedgerError."""
        ...


class Vault(Protocol):
    """Contents of memories, encrypted, each memory's under a key of its own.

    Every call may raise VaultLockedError (no key), VaultDamagedError, VaultError, BundleBusyError.
    """

    def found(self) -> bool:
        """Make the vault and its key, if there is none; whether there was none."""
        ...

    def put(self, uid: str, content: bytes, at: datetime) -> int:
        """Keep a version, and its number, from 1; when the newest is the same content, nothing is written."""
        ...

    def settle(self) -> None:
        """Wait until the disk has what was put: before that a power cut may take the last versions."""
        ...

    def grouped(self) -> AbstractContextManager[None]:
        """Within it what this thread puts is kept together, all or nothing, at its end."""
        ...

    def get(self, uid: str, number: int) -> bytes:
        """A version's content. Raises VersionNotFoundError."""
        ...

    def newest(self, uid: str) -> tuple[Version, bytes] | None:
        """The newest version with its content; None where there is none."""
        ...

    def versions(self, uid: str) -> tuple[Version, ...]:
        """The kept versions, oldest first."""
        ...

    def standing(self, at: datetime | None = None) -> dict[str, int]:
        """The number of each memory's newest version that was kept at or before `at` (None: ever), by uid."""
        ...

    def changed_since(self, at: datetime) -> dict[str, tuple[int | None, int]]:
        """By uid the number that was standing at `at` (None: none was) and the newest, where these are two.

        Costs what was kept since, and not the whole vault.
        """
        ...

    def destroy(self, uid: str) -> int:
        """Destroy a memory's key and its versions; how many those were. May be repeated; needs no key."""
        ...

    def renew(self, uid: str) -> int:
        """Destroy all its versions but the newest, which gets a new key and keeps number and moment; how many went."""
        ...

    def commit(self, uid: str, fingerprint: str) -> str:
        """A commitment for the ledger, 64 hex digits; nobody can test a guess of the fingerprint without the key."""
        ...

    def secret(self, purpose: str) -> bytes | None:
        """A key of the bundle for another purpose; rotation keeps it. None before there is a vault."""
        ...

    def rotate(self, place: KeyPlace | None = None) -> None:
        """A new key for the bundle in the place of the old one, which is taken away; where `place` says, or it was."""
        ...

    def facts(self) -> VaultFacts | None:
        """How much is in it, and where its key is; None before there is a vault. Needs no key."""
        ...

    def check(self) -> tuple[str, ...]:
        """What is wrong with anything in it, in sentences; everything is read and decrypted."""
        ...


class Owed(Protocol):
    """A durable note that something must still be done; made before it may fail, and struck when it is done."""

    def __bool__(self) -> bool:
        """Whether it is noted. Cheap."""
        ...

    def note(self) -> None:
        """Note it; where that is impossible, nothing happens."""
        ...

    def put_off(self) -> None:
        """It cannot be done now: for a while it counts as not noted, to this process."""
        ...

    def strike(self) -> None:
        """It is done."""
        ...
