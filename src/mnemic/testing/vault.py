"""A vault in dictionaries, for tests: it keeps what a real one keeps, and encrypts nothing."""

from __future__ import annotations

import hmac
import os
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

from mnemic.domain.vault import KeyPlace, VaultFacts, Version
from mnemic.errors import VersionNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime


class InMemoryVault:
    """`Vault` of one process."""

    def __init__(self) -> None:
        self._root: bytes | None = None
        self._keys: dict[str, bytes] = {}
        self._versions: dict[str, list[tuple[Version, bytes]]] = {}
        self._lock = RLock()

    def found(self) -> bool:
        """As the port says."""
        with self._lock:
            if self._root is not None:
                return False
            self._root = os.urandom(32)
            return True

    def put(self, uid: str, content: bytes, at: datetime) -> int:
        """As the port says."""
        self.found()
        with self._lock:
            self._key(uid)
            kept = self._versions.setdefault(uid, [])
            if not kept or kept[-1][1] != content:
                kept.append((Version(kept[-1][0].number + 1 if kept else 1, at), content))
            return kept[-1][0].number

    def settle(self) -> None:
        """As the port says; there is no disk."""

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """As the port says."""
        self.found()
        with self._lock:
            before = {uid: list(kept) for uid, kept in self._versions.items()}
            try:
                yield
            except BaseException:
                self._versions = before
                raise

    def get(self, uid: str, number: int) -> bytes:
        """As the port says."""
        for version, content in self._versions.get(uid, ()):
            if version.number == number:
                return content
        raise VersionNotFoundError(uid, number)

    def newest(self, uid: str) -> tuple[Version, bytes] | None:
        """As the port says."""
        kept = self._versions.get(uid)
        return kept[-1] if kept else None

    def versions(self, uid: str) -> tuple[Version, ...]:
        """As the port says."""
        return tuple(version for version, _ in self._versions.get(uid, ()))

    def standing(self, at: datetime | None = None) -> dict[str, int]:
        """As the port says."""
        found = {}
        for uid, kept in self._versions.items():
            numbers = [version.number for version, _ in kept if at is None or version.at <= at]
            if numbers:
                found[uid] = numbers[-1]
        return found

    def changed_since(self, at: datetime) -> dict[str, tuple[int | None, int]]:
        """As the port says."""
        then = self.standing(at)
        return {uid: (then.get(uid), newest) for uid, newest in self.standing().items() if then.get(uid) != newest}

    def destroy(self, uid: str) -> int:
        """As the port says."""
        with self._lock:
            self._keys.pop(uid, None)
            return len(self._versions.pop(uid, ()))

    def renew(self, uid: str) -> int:
        """As the port says."""
        with self._lock:
            kept = self._versions.get(uid, [])
            if kept:
                self._keys.pop(uid, None)
                self._key(uid)
                self._versions[uid] = kept[-1:]
            return max(0, len(kept) - 1)

    def commit(self, uid: str, fingerprint: str) -> str:
        """As the port says."""
        self.found()
        with self._lock:
            return hmac.digest(self._key(uid), fingerprint.encode(), "sha256").hex()

    def secret(self, purpose: str) -> bytes | None:
        """As the port says."""
        return None if self._root is None else hmac.digest(self._root, purpose.encode(), "sha256")

    def facts(self) -> VaultFacts | None:
        """As the port says; its key is in this process."""
        if self._root is None:
            return None
        kept = [len(versions) for versions in self._versions.values() if versions]
        return VaultFacts(len(kept), sum(kept), KeyPlace.FILE, "in memory")

    def rotate(self, place: KeyPlace | None = None) -> None:  # noqa: ARG002 - there is but one
        """As the port says; there is nothing to wrap."""
        self.found()

    def check(self) -> tuple[str, ...]:
        """As the port says; nothing can be wrong."""
        return ()

    def _key(self, uid: str) -> bytes:
        return self._keys.setdefault(uid, os.urandom(32))
