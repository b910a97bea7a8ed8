"""Where a bundle's server listens: a socket in the folder of its state, or a port of this machine that a file names.

A path of a socket has at most about a hundred bytes, and Windows offers Python none. The port is open to every user of
the machine, so the file holds a token too, and only its owner may read it.
"""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import sys
from typing import TYPE_CHECKING, Protocol

from mnemic.entry.hooks.client import LONGEST_ADDRESS, PORT_FILE

if TYPE_CHECKING:
    from pathlib import Path

SOCKET = "sock"
_BACKLOG = 256
_ANSWER_SECONDS = 0.5


class Address(Protocol):
    """A place to listen at."""

    def answers(self) -> bool:
        """Whether somebody listens there."""
        ...

    def listening(self) -> socket.socket:
        """Listen there, in place of whoever left it behind. Raises OSError."""
        ...

    def admits(self, token: str) -> bool:
        """Whether a request with this token may be answered."""
        ...

    def is_ours(self) -> bool:
        """Whether what stands there is still what `listening` made."""
        ...

    def remove(self) -> None:
        """Take away what `listening` made, and nothing else."""
        ...


def address_of(folder: Path) -> Address:
    """The address of the server of this folder."""
    path = str(folder.absolute() / SOCKET)
    # Clients are told a shorter path now and then (`~`, a relative one); what is short for us must be so for them.
    if hasattr(socket, "AF_UNIX") and sys.platform != "win32" and len(os.fsencode(path)) <= LONGEST_ADDRESS:
        return _Socket(path)
    return _Port(str(folder.absolute() / PORT_FILE))


class _Made:
    """A file that this process made, known by its number: another process may have put its own there since."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._made: tuple[int, int] | None = None

    def note(self) -> None:
        self._made = _identity(self.path)

    def is_ours(self) -> bool:
        return self._made is not None and _identity(self.path) == self._made

    def remove(self) -> None:
        if self.is_ours():
            _unlink(self.path)
        self._made = None


class _Socket(_Made):
    def answers(self) -> bool:
        return _answers(socket.AF_UNIX, self.path)

    def listening(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            _unlink(self.path)
            made.bind(self.path)
            os.chmod(self.path, 0o600)  # before anybody can connect
            made.listen(_BACKLOG)
        except BaseException:
            made.close()
            raise
        self.note()
        return made

    @staticmethod
    def admits(token: str) -> bool:  # noqa: ARG004 - who may open the file may ask
        return True


class _Port(_Made):
    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._token = secrets.token_hex(16)

    def answers(self) -> bool:
        try:
            with open(self.path, "rb") as file:
                return _answers(socket.AF_INET, ("127.0.0.1", int(file.read(100).partition(b" ")[0])))
        except (OSError, ValueError, OverflowError):
            return False

    def listening(self) -> socket.socket:
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            made.bind(("127.0.0.1", 0))
            made.listen(_BACKLOG)
            beside = f"{self.path}.{os.getpid()}.tmp"
            _unlink(beside)
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(f"{made.getsockname()[1]} {self._token}\n")
            os.replace(beside, self.path)
        except BaseException:
            made.close()
            raise
        self.note()
        return made

    def admits(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "replace"), self._token.encode())


def _answers(family: int, address: str | tuple[str, int]) -> bool:
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.settimeout(_ANSWER_SECONDS)
        try:
            trial.connect(address)
        except OSError:
            return False
        return True


def _identity(path: str) -> tuple[int, int] | None:
    try:
        seen = os.lstat(path)
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
