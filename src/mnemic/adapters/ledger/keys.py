"""Where the key of a bundle is kept: in a file outside the bundle, in the system's keyring, or in nobody's but a head.

The bundle itself holds only a note: the key's name, where it is, and a check that tells a wrong key at once.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import unicodedata
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import scrypt
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mnemic.adapters.ledger import cipher
from mnemic.adapters.sessions.files import reason, sync_folder
from mnemic.domain.vault import KeyPlace
from mnemic.errors import VaultError, VaultLockedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PASSPHRASE_VARIABLE = "MNEMIC_PASSPHRASE"  # noqa: S105 - a name
NEW_PASSPHRASE_VARIABLE = "MNEMIC_NEW_PASSPHRASE"  # noqa: S105 - a name
SERVICE = "mnemic"
"""What keys are filed under in a keyring."""
_FORMAT = "mnemic key 1"
_COST, _BLOCK, _LANES = 2**15, 8, 1
"""scrypt: a tenth of a second and 32 MiB for each guess (RFC 7914, section 2)."""
_MEMORY = 256 * 1024 * 1024
_DEAREST = 2**20
_KEY_ID = re.compile(r"[0-9a-f]{32}")
_SHUT = "The vault cannot be opened: "
_LOST = "Without it the old versions cannot be read; the documents can. "


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyNote:
    """What a bundle knows of its key. `salt` in hex, and scrypt's costs, where a passphrase makes the key."""

    id: str
    way: KeyPlace
    check: str
    salt: str = ""
    cost: int = 0
    block: int = 0
    lanes: int = 0

    def text(self) -> str:
        """As JSON."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, sort_keys=True, indent=2) + "\n"

    @classmethod
    def of(cls, text: str) -> KeyNote:
        """From JSON. Raises ValueError."""
        try:
            fields = json.loads(text)
            if fields.pop("format") != _FORMAT:
                raise ValueError("another format")
            note = cls(**{**fields, "way": KeyPlace(fields["way"])})
            bytes.fromhex(note.check + note.salt)
            cheap = 0 <= note.cost <= _DEAREST and 0 <= note.block <= _BLOCK and 0 <= note.lanes <= _BLOCK
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError("no note of a key") from error
        if not (cheap and is_key_id(note.id)):  # the name becomes that of a file
            raise ValueError("no note of a key")
        return note


class Keys:
    """The keys of this user.

    Args:
        folder: Where key files are: the user's, outside of every bundle.
        passphrase: Asks for the passphrase, and is asked only where a bundle needs one; empty: there is none.
    """

    def __init__(self, folder: Path, *, passphrase: Callable[[], str] | None = None) -> None:
        self._folder = folder
        self._passphrase = passphrase or passphrase_from_environment

    def renewed(self) -> Keys:
        """The same after a rotation: with the new passphrase, where the environment gives one."""
        if self._passphrase is not passphrase_from_environment:
            return self
        return Keys(self._folder, passphrase=new_passphrase_from_environment)

    def make(self, key_id: str, way: KeyPlace) -> tuple[KeyNote, bytes]:
        """A new key, kept where `way` says, durably.

        Raises:
            VaultLockedError: There is no passphrase to make it from, or no keyring to keep it in.
            VaultError: It cannot be kept there.
        """
        try:
            return self._made(key_id, way)
        except VaultLockedError as error:  # no old version is in danger here
            why = error.message.removeprefix(_SHUT)
            raise VaultLockedError(
                f"A key for the vault cannot be made: {why}", hint=error.hint.removeprefix(_LOST)
            ) from error

    def _made(self, key_id: str, way: KeyPlace) -> tuple[KeyNote, bytes]:
        if way is KeyPlace.PASSPHRASE:
            salt = os.urandom(16).hex()
            note = KeyNote(id=key_id, way=way, check="", salt=salt, cost=_COST, block=_BLOCK, lanes=_LANES)
            key = self._from_passphrase(note)
            return KeyNote(**{**asdict(note), "check": _check(key)}), key
        key = cipher.new_key()
        if way is KeyPlace.FILE:
            self._write(key_id, key)
        else:
            _keyring().set_password(SERVICE, key_id, key.hex())
        return KeyNote(id=key_id, way=way, check=_check(key)), key

    def open(self, note: KeyNote) -> bytes:
        """The key of this note.

        Raises:
            VaultLockedError: It is not there, or is another one.
        """
        match note.way:
            case KeyPlace.PASSPHRASE:
                key, wrong = self._from_passphrase(note), "the passphrase is wrong"
            case KeyPlace.FILE:
                key, wrong = self._read(note.id), f"the key file {self._path(note.id)} holds another key"
            case KeyPlace.KEYRING:
                key, wrong = _from_keyring(note.id), f"the keyring holds another key as {note.id}"
        if not hmac.compare_digest(_check(key), note.check):
            raise _locked(wrong, "Give the right one; a backup of the key may have it.")
        return key

    def where(self, note: KeyNote) -> str:
        """Where the key of this note is, in words."""
        match note.way:
            case KeyPlace.PASSPHRASE:
                return f"nowhere: it is made from the passphrase in {PASSPHRASE_VARIABLE}"
            case KeyPlace.FILE:
                return str(self._path(note.id))
            case KeyPlace.KEYRING:
                return f"the system's keyring, as {note.id} of {SERVICE}"

    def discard(self, key_id: str, way: KeyPlace) -> None:
        """Take a key away, if it is there. Raises VaultError."""
        if way is KeyPlace.FILE:
            try:
                path = self._path(key_id)
                with suppress(FileNotFoundError), path.open("r+b") as file:
                    file.write(b"\0" * path.stat().st_size)
                    os.fsync(file.fileno())
                path.unlink(missing_ok=True)
            except OSError as error:
                raise VaultError(f"The old key {self._path(key_id)} cannot be removed: {reason(error)}.") from error
        elif way is KeyPlace.KEYRING:
            ring = _keyring()
            if ring.get_password(SERVICE, key_id) is not None:
                ring.delete_password(SERVICE, key_id)

    def _from_passphrase(self, note: KeyNote) -> bytes:
        given = unicodedata.normalize("NFC", self._passphrase())
        if not given:
            raise _locked("its passphrase was not given", f"Set {PASSPHRASE_VARIABLE} for this command.")
        salt = bytes.fromhex(note.salt)
        try:
            return scrypt(
                given.encode("utf-8", "surrogateescape"),
                salt=salt, n=note.cost, r=note.block, p=note.lanes, maxmem=_MEMORY, dklen=cipher.KEY_BYTES,
            )  # fmt: skip
        except ValueError as error:
            raise _locked("the note about its passphrase is damaged", "Restore .mnemic from a backup.") from error

    def _path(self, key_id: str) -> Path:
        return self._folder / f"{key_id}.key"

    def _write(self, key_id: str, key: bytes) -> None:
        path = self._path(key_id)
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(key.hex().encode() + b"\n")
                file.flush()
                os.fsync(descriptor)
            sync_folder(self._folder)
        except OSError as error:
            raise VaultError(
                f"A key for the vault cannot be kept in {path}: {reason(error)}.",
                hint="Check free space and the permissions of its folder.",
            ) from error

    def _read(self, key_id: str) -> bytes:
        path = self._path(key_id)
        try:
            if path.exists() and not path.is_file():  # a named pipe would hold us for ever
                raise _locked(f"its key file {path} is no file", "Put it back from a backup.")
            key = bytes.fromhex(path.read_text("ascii"))
        except FileNotFoundError:
            raise _locked(f"its key file {path} is missing", "Put it back from a backup, or copy it here.") from None
        except OSError as error:
            raise _locked(f"its key file {path} cannot be read: {reason(error)}", "Check its permissions.") from error
        except ValueError:
            raise _locked(f"its key file {path} is damaged", "Put it back from a backup.") from None
        return key


def is_key_id(text: object) -> bool:
    """Whether it can be a key's name: 32 hex digits."""
    return isinstance(text, str) and _KEY_ID.fullmatch(text) is not None


def passphrase_from_environment() -> str:
    """What `MNEMIC_PASSPHRASE` says; empty when it is not set."""
    return os.environ.get(PASSPHRASE_VARIABLE, "")


def new_passphrase_from_environment() -> str:
    """What `MNEMIC_NEW_PASSPHRASE` says, for a rotation; the one of now when it is not set."""
    return os.environ.get(NEW_PASSPHRASE_VARIABLE, "") or passphrase_from_environment()


class _Keyring:
    """What we use of the package `keyring`; every failure of it means that the key cannot be had."""

    def __init__(self) -> None:
        try:
            self._ring: Any = import_module("keyring")
        except ImportError:
            raise _locked(
                "the system's keyring is needed, and the package keyring is not installed",
                "Install the package keyring: pip install 'mnemic[keyring]'",
            ) from None

    def get_password(self, service: str, name: str) -> str | None:
        """The password, or None."""
        try:
            found: str | None = self._ring.get_password(service, name)
        except Exception as error:  # each keyring raises what it likes
            raise _locked(
                f"the system's keyring failed: {str(error).rstrip('.')}", "Unlock the keyring and try again."
            ) from error
        return found

    def set_password(self, service: str, name: str, password: str) -> None:
        """Keep one."""
        try:
            self._ring.set_password(service, name, password)
        except Exception as error:
            raise _locked(
                f"the system's keyring failed: {str(error).rstrip('.')}", "Unlock the keyring and try again."
            ) from error

    def delete_password(self, service: str, name: str) -> None:
        """Take it away."""
        try:
            self._ring.delete_password(service, name)
        except Exception as error:
            raise _locked(
                f"the system's keyring failed: {str(error).rstrip('.')}", "Unlock the keyring and try again."
            ) from error


def _keyring() -> _Keyring:
    return _Keyring()


def _from_keyring(key_id: str) -> bytes:
    found = _keyring().get_password(SERVICE, key_id)
    if found is None:
        raise _locked(f"the system's keyring has no key {key_id} of {SERVICE}", "Restore the keyring from a backup.")
    try:
        return bytes.fromhex(found)
    except ValueError:
        raise _locked(f"what the keyring has as {key_id} is no key", "Restore it from a backup.") from None


def _check(key: bytes) -> str:
    return cipher.derived(key, "check")[:16].hex()


def _locked(why: str, what_to_do: str) -> VaultLockedError:
    return VaultLockedError(f"{_SHUT}{why}.", hint=_LOST + what_to_do)
