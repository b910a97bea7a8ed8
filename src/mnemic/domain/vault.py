"""What can be said of a vault without opening it: how much is in it, since when, and where its key is."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime


class KeyPlace(StrEnum):
    """Where the key of a vault comes from."""

    FILE = "file"
    KEYRING = "keyring"
    PASSPHRASE = "passphrase"  # noqa: S105 - a word


class VaultFacts(NamedTuple):
    """What can be said of a vault without its key: how much is in it, and where that key is, also in words."""

    memories: int
    versions: int
    place: KeyPlace
    where: str


class Version(NamedTuple):
    """One kept version of a memory: its number, from 1, and when it was kept."""

    number: int
    at: datetime
