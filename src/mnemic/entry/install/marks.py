"""How our own entries look in the settings of others, so that they are found again under every older path."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

SERVER: Final = "mnemic"
"""The name of our MCP server in every client."""

TIMEOUT: Final = 5
"""Seconds a client waits for a hook at most; the hook itself gives up long before."""

_HOOK = re.compile(r"mnemic[/\\]+entry[/\\]+hooks[/\\]+hook\.py|\bmnemic-hook\b")
_PROGRAM = re.compile(r"(^|[/\\])mnemic(\.exe)?$|^mnemic\.", re.IGNORECASE)
_FILE = re.compile(rb"(?i)part[ -]of:? mnemic\b")
_MARKED_WITHIN: Final = 2_000
_TO_QUOTE_FOR_WINDOWS = re.compile(r"[\s&|<>^()%!;,=']")


@dataclass(frozen=True, slots=True, kw_only=True)
class Programs:
    """What the settings name: the interpreter, the hook's script, the words that start `mnemic`, the bundle if any."""

    python: str
    hook: str
    mnemic: tuple[str, ...]
    bundle: str = ""
    windows: bool = False

    def hook_words(self, client: str) -> tuple[str, ...]:
        """The hook's command without its event, one argument a word."""
        return (self.python, "-I", "-S", self.hook, client)

    def hook_command(self, client: str, event: str) -> str:
        """The hook's command in one line, for the shell of the system."""
        words = (*self.hook_words(client), event, *((self.bundle,) if self.bundle else ()))
        return " ".join(quoted(word, windows=self.windows) for word in words)

    def server_words(self, *kept: str) -> tuple[str, ...]:
        """The command of the MCP server; `kept` are arguments of an older entry that stay when no bundle is named."""
        bundle = ("--bundle", self.bundle) if self.bundle else ()
        arguments = kept if kept and not bundle and kept[-1] == "mcp" else (*self.mnemic[1:], *bundle, "mcp")
        return (self.mnemic[0], *arguments)


def find_programs(bundle: str = "") -> Programs:
    """Those of the mnemic that is running."""
    import shutil
    import sysconfig

    import mnemic

    windows = sys.platform == "win32"
    name = "mnemic.exe" if windows else "mnemic"
    beside = Path(sysconfig.get_path("scripts"), name)
    program = str(beside) if beside.is_file() else shutil.which("mnemic")
    call = ("-c", "from mnemic.entry.cli.main import main; main()")  # started from a checkout: there is no program
    return Programs(
        python=sys.executable,
        hook=str(Path(mnemic.__file__).resolve().parent / "entry" / "hooks" / "hook.py"),
        mnemic=(program,) if program else (sys.executable, *call),
        bundle=bundle,
        windows=windows,
    )


def quoted(word: str, *, windows: bool) -> str:
    """A word of a command line, for `sh` or for the shells that clients use on Windows."""
    if not windows:
        return shlex.quote(word)
    # cmd, PowerShell and the bash of Git read slashes alike; a backslash would escape in one of them.
    plain = word.replace("\\", "/")
    return f'"{plain}"' if not plain or _TO_QUOTE_FOR_WINDOWS.search(plain) else plain


def is_our_command(command: object) -> bool:
    """Whether a hook's command is ours, of this version or another."""
    return isinstance(command, str) and _HOOK.search(command) is not None


def is_our_server(words: Sequence[object]) -> bool:
    """Whether a server's command and arguments start mnemic."""
    return any(isinstance(word, str) and (_PROGRAM.search(word) or "from mnemic." in word) for word in words)


def is_our_file(data: bytes) -> bool:
    """Whether a whole file is ours: each of them says so near its beginning."""
    return _FILE.search(data[:_MARKED_WITHIN]) is not None
