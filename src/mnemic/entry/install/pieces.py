"""The files of an installation: hooks and servers within settings of a person, and files that are ours whole."""

from __future__ import annotations

import codecs
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mnemic.entry.install import toml_edit
from mnemic.entry.install.json_edit import MISSING, Document
from mnemic.entry.install.jsonc import MistakeError, line_of
from mnemic.entry.install.marks import SERVER, TIMEOUT, is_our_command, is_our_file, is_our_server
from mnemic.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from mnemic.entry.install.marks import Programs

_SERVERS: Final = "mcp_servers"
_ANOTHER: Final = f"there is another MCP server with the name {SERVER}"
_MEND: Final = "Correct it, or move it away, and run the command again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Our commands among the hooks of a JSON file.

    Claude Code and Codex have groups of hooks under an event, Cursor (`flat`) has the hooks themselves, and a version.
    """

    path: Path
    commands: Mapping[str, str]
    flat: bool = False
    what: str = "hooks"

    def installed(self, before: bytes | None) -> bytes:
        """One command an event; an older one of ours gets the new path in its place, and others stay."""
        return _edited(self.path, before, self._put) or b""

    def removed(self, before: bytes | None) -> bytes | None:
        """No command of ours under any event."""
        return None if before is None else _edited(self.path, before, self._take_out)

    def _put(self, document: Document) -> None:
        fresh = self.flat and document.get(("hooks",)) is MISSING
        for event in document.keys(("hooks",)):
            if event not in self.commands:
                self._take_out_of(document, event)
        for event, command in self.commands.items():
            document.must_be_list(("hooks", event))
            ours = list(self._ours(document, event))
            for place in reversed(ours[1:]):
                document.remove(self._whole(document, place))
            if ours:
                document.put((*ours[0], "command"), command)
            else:
                hook: dict[str, object] = {"type": "command", "command": command, "timeout": TIMEOUT}
                if self.flat:
                    del hook["type"]
                document.append(("hooks", event), hook if self.flat else {"hooks": [hook]})
        if fresh and document.get(("version",)) is MISSING:
            document.put(("version",), 1)  # behind the hooks: so it is known to be ours when they go

    def _take_out(self, document: Document) -> None:
        keys = document.keys(())
        ours = self.flat and keys[-2:] == ["hooks", "version"] and document.get(("version",)) == 1
        had = any(next(self._ours(document, event), None) for event in document.keys(("hooks",)))
        for event in document.keys(("hooks",)):
            self._take_out_of(document, event)
        if ours and had and document.get(("hooks",)) is MISSING:
            document.remove(("version",))

    def _take_out_of(self, document: Document, event: str) -> None:
        for place in reversed(list(self._ours(document, event))):
            document.remove(self._whole(document, place))

    def _ours(self, document: Document, event: str) -> Iterator[tuple[str | int, ...]]:
        """Where our commands stand under an event."""
        entries = document.get(("hooks", event))
        for at, entry in enumerate(entries if isinstance(entries, list) else []):
            hooks = [entry] if self.flat else entry.get("hooks") if isinstance(entry, dict) else None
            for inner, hook in enumerate(hooks if isinstance(hooks, list) else []):
                if isinstance(hook, dict) and is_our_command(hook.get("command")):
                    yield ("hooks", event, at) if self.flat else ("hooks", event, at, "hooks", inner)

    def _whole(self, document: Document, place: tuple[str | int, ...]) -> tuple[str | int, ...]:
        """The group instead of the hook, where the group holds nothing else."""
        hooks = document.get(place[:-1])
        return place[:3] if not self.flat and isinstance(hooks, list) and len(hooks) == 1 else place


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Our MCP server in a JSON file.

    `section` is the object of all servers; `extra` what the client wants beside command and arguments. opencode
    (`one_list`) has command and arguments in one list.
    """

    path: Path
    programs: Programs
    section: str = "mcpServers"
    extra: Mapping[str, object]
    one_list: bool = False
    create: bool = True
    what: str = "the MCP server"

    def installed(self, before: bytes | None) -> bytes | None:
        """With the server; of an older entry of ours only what has changed, so that a person's additions stay."""
        if before is None and not self.create:
            return None
        return _edited(self.path, before, self._put)

    def removed(self, before: bytes | None) -> bytes | None:
        """Without it; a server of that name that is not ours stays."""
        return None if before is None else _edited(self.path, before, self._take_out)

    def _put(self, document: Document) -> None:
        there = document.get((self.section, SERVER))
        if there is MISSING:
            if self.create:
                document.put((self.section, SERVER), self._entry())
            return
        words = self._words(there)
        if not is_our_server(words):
            text = document.text or ""
            raise MistakeError(_ANOTHER, line_of(text, max(text.find(f'"{SERVER}"'), 0)))
        wanted = list(self.programs.server_words(*map(str, words[1:])))
        parts = {"command": wanted} if self.one_list else {"command": wanted[0], "args": wanted[1:]}
        for key, value in parts.items():
            document.put((self.section, SERVER, key), value)

    def _take_out(self, document: Document) -> None:
        if is_our_server(self._words(document.get((self.section, SERVER)))):
            document.remove((self.section, SERVER))

    def _entry(self) -> dict[str, object]:
        command, *arguments = self.programs.server_words()
        if self.one_list:
            return {**self.extra, "command": [command, *arguments], "enabled": True}
        return {"command": command, "args": arguments, **self.extra}

    @staticmethod
    def _words(entry: object) -> list[object]:
        if not isinstance(entry, dict):
            return []
        command, arguments = entry.get("command"), entry.get("args")
        words = command if isinstance(command, list) else [command]
        return [*words, *(arguments if isinstance(arguments, list) else [])]


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlServer:
    """Our MCP server in Codex's `config.toml`."""

    path: Path
    programs: Programs
    what: str = "the MCP server"

    def installed(self, before: bytes | None) -> bytes:
        """With the table of the server; keys that a person added to it stay."""
        text = _decoded(self.path, before)
        with _located(self.path):
            kept = [] if text is None else self._kept(text)
            command, *arguments = self.programs.server_words(*kept)
            values = {"command": command, "args": arguments}
            return _encoded(before, toml_edit.with_table(text, _SERVERS, SERVER, values)) or b""

    def removed(self, before: bytes | None) -> bytes | None:
        """Without it."""
        text = _decoded(self.path, before)
        with _located(self.path):
            if text is None or self._words(self._table(text)) is None:
                return before
            return _encoded(before, toml_edit.without_table(text, _SERVERS, SERVER))

    def _kept(self, text: str) -> list[str]:
        """The arguments that an older entry of ours has."""
        table = self._table(text)
        if table is None:
            return []
        words = self._words(table)
        if words is None:
            raise MistakeError(_ANOTHER, line_of(text, max(text.find(SERVER), 0)))
        return words[1:]

    def _table(self, text: str) -> dict[str, object] | None:
        tables = toml_edit.read(text).get(_SERVERS)
        table = tables.get(SERVER) if isinstance(tables, dict) else None
        return table if isinstance(table, dict) else None

    @staticmethod
    def _words(table: dict[str, object] | None) -> list[str] | None:
        """Command and arguments, if they are ours."""
        arguments = (table or {}).get("args")
        words = [str((table or {}).get("command")), *map(str, arguments if isinstance(arguments, list) else [])]
        return words if is_our_server(words) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFile:
    """A file that is ours from the first line to the last; one of somebody else at its place stays as it is."""

    path: Path
    content: bytes
    what: str

    def installed(self, before: bytes | None) -> bytes:
        """Our content."""
        if before is not None and not is_our_file(before):
            raise ConfigError(
                f"{self.path} is there already, and is not of mnemic.", hint="Rename it, and run the command again."
            )
        return self.content

    def removed(self, before: bytes | None) -> bytes | None:
        """No file, if it was ours."""
        return None if before is None or is_our_file(before) else before


@contextmanager
def _located(path: Path) -> Iterator[None]:
    """A mistake in a file becomes an error that names file and line."""
    try:
        yield
    except MistakeError as mistake:
        raise ConfigError(f"{path}:{mistake.line}: {mistake.why}.", hint=_MEND) from None


def _edited(path: Path, before: bytes | None, edit: Callable[[Document], None]) -> bytes | None:
    """A JSON file after an edit."""
    text = _decoded(path, before)
    with _located(path):
        document = Document(text)
        edit(document)
    return before if document.text == text else _encoded(before, document.text)


def _decoded(path: Path, data: bytes | None) -> str | None:
    """The text without its byte order mark."""
    if data is None:
        return None
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: the text is not UTF-8.", hint=_MEND) from None


def _encoded(before: bytes | None, text: str | None) -> bytes | None:
    mark = codecs.BOM_UTF8 if before and before.startswith(codecs.BOM_UTF8) else b""
    return None if text is None else mark + text.encode("utf-8")
