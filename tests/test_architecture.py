"""Who may know whom: every import of the package, read from the source, against the layers of docs/explanation."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE = Path(__file__).parent.parent / "src" / "mnemic"

_PURE = frozenset({"errors", "domain"})
_KNOWS = {
    "errors": frozenset(),
    "domain": frozenset({"errors"}),
    "text": _PURE,
    "ranking": _PURE,
    "ports": _PURE,
    "services": _PURE | {"text", "ranking", "ports"},
    "adapters": _PURE | {"text", "ports"},
    "config": _PURE | {"text", "ranking"},
    "agent": _PURE | {"text", "ranking", "ports", "services"},
    "opening": _PURE | {"ports", "services", "adapters", "config"},
    "app": _PURE | {"text", "ranking", "ports", "services", "adapters", "config", "agent", "opening"},
    "bench": _PURE | {"text", "ranking", "ports", "services", "adapters", "config", "app"},
    "entry": _PURE | {"text", "ranking", "ports", "services", "config", "agent", "app", "bench"},
    "testing": _PURE | {"text", "ranking", "ports", "services", "adapters", "config", "app"},
}
"""What each layer may import, itself always included."""

_EXCEPTIONS = frozenset({("entry/hooks/alone.py", "mnemic.adapters.sqlite.glance")})
"""A hook that finds no server has no time for the application: docs/reference/hooks.md."""

_STRANGERS = {
    "errors": frozenset(),
    "domain": frozenset(),
    "ranking": frozenset(),
    "text": frozenset({"snowballstemmer"}),
}
"""Packages of others that a pure layer may import; layers that are not named are free to."""


@dataclass(frozen=True, slots=True)
class Import:
    """One import: where it stands and what it names."""

    path: Path
    line: int
    target: str

    @property
    def layer(self) -> str:
        """The layer of the file, by its first folder or its own name."""
        return self.path.relative_to(_PACKAGE).parts[0].removesuffix(".py")

    def __str__(self) -> str:
        return f"{self.path.relative_to(_PACKAGE.parent)}:{self.line} imports {self.target}"


def _imports() -> Iterator[Import]:
    for path in sorted(_PACKAGE.rglob("*.py")):
        module = path.relative_to(_PACKAGE.parent).with_suffix("").parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (Import(path, node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                parent = ".".join(module[: len(module) - node.level]) if node.level else ""
                source = ".".join(part for part in (parent, node.module or "") if part)
                # `from mnemic import ports` names a module, `from mnemic.ports import Clock` a value in one.
                names = [alias.name for alias in node.names] if source == "mnemic" else [""]
                yield from (Import(path, node.lineno, f"{source}.{name}".rstrip(".")) for name in names)


IMPORTS = tuple(_imports())


def test_imports_point_down() -> None:
    wrong = []
    for found in IMPORTS:
        parts = found.target.split(".")
        if parts[0] != "mnemic" or len(parts) == 1 or found.layer == "__init__":
            continue
        if (str(found.path.relative_to(_PACKAGE)), ".".join(parts[:4])) in _EXCEPTIONS:
            continue
        if parts[1] != found.layer and parts[1] not in _KNOWS[found.layer]:
            wrong.append(
                f"{found}, but {found.layer} may know only {', '.join(sorted(_KNOWS[found.layer])) or 'itself'}"
            )

    assert wrong == []


def test_every_part_of_the_package_has_its_place_among_the_layers() -> None:
    """A new folder is no way around the rules: it gets a line in them first."""
    parts = {path.relative_to(_PACKAGE).parts[0].removesuffix(".py") for path in _PACKAGE.rglob("*.py")}

    assert parts - set(_KNOWS) == {"__init__"}


@pytest.mark.parametrize("layer", sorted(_STRANGERS))
def test_pure_layers_stand_on_the_standard_library(layer: str) -> None:
    wrong = [
        str(found)
        for found in IMPORTS
        if found.layer == layer
        and found.target.split(".")[0] not in {"mnemic", "__future__"} | sys.stdlib_module_names | _STRANGERS[layer]
    ]

    assert wrong == []


def test_importing_the_package_loads_nothing_heavy() -> None:
    """A hook or a command pays only for what it uses."""
    heavy = ("numpy", "yaml", "ruamel.yaml", "click", "filelock", "asyncio", "sqlite3", "markdown_it", "pydantic")
    script = "import sys, mnemic, mnemic.domain.memory, mnemic.ports; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert sorted(set(heavy) & set(done.stdout.split())) == []


def test_a_recall_does_not_load_what_keeps_erases_and_cites(tmp_path: Path) -> None:
    """Every module costs each process that only asks."""
    heavy = ("erase", "record", "keeping", "citations")
    (tmp_path / "tea.md").write_text("Anna drinks tea.\n", encoding="utf-8")
    os.utime(tmp_path / "tea.md", (1_700_000_000, 1_700_000_000))  # so that it need not be looked at again
    root = str(tmp_path)
    made = f"create_bundle({root!r})"
    asked = f"print(len(App.start({root!r}, embedders=()).recall('tea').hits), *sys.modules)"
    for steps in (f"{made}; {asked}", asked):
        script = f"import sys; from mnemic.app import App, create_bundle; {steps}"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    loaded = set(done.stdout.split())
    assert {"1", "mnemic.services.recalling.recall"} <= loaded
    assert {f"mnemic.services.{name}" for name in heavy} & loaded == set()
    assert {"mnemic.domain.ledger", "mnemic.domain.citations", "secrets", "cryptography"} & loaded == set()


def test_the_reader_of_imports_sees_every_form_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests above would pass on an empty list; this one shows what they read."""
    package = tmp_path / "mnemic"
    (package / "domain").mkdir(parents=True)
    text = "import os.path\nfrom mnemic import ports\nfrom ..services import recall\ndef f():\n    import mnemic.app\n"
    (package / "domain" / "bad.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys.modules[__name__], "_PACKAGE", package)

    found = list(_imports())

    assert [(item.line, item.target) for item in found] == [
        (1, "os.path"),
        (2, "mnemic.ports"),
        (3, "mnemic.services"),
        (5, "mnemic.app"),
    ]
    assert {item.layer for item in found} == {"domain"}
