"""Write the pinned and hashed requirement files from pyproject.toml; `make lock` runs it.

Needs the network. Every file holds the hashes of all wheels of a release, so one set of files serves Linux, macOS and
Windows; a package that only another platform needs is added with its marker. No file names the host of an index.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
PIP_TOOLS = "pip-tools==7.6.2"

# The resolver sees only the platform it runs on. tests/test_packaging.py says when a line is missing here.
ELSEWHERE = {"colorama": "sys_platform == 'win32'"}

# Packages that exist for another platform only: asked for by `mcp`, resolved by downloading them.
WINDOWS_ONLY = {"pywin32": "mcp"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")

# hatchling asks for it at the moment of an editable installation, and says so nowhere in pyproject.toml.
EDITABLE = "editables"


@dataclass(frozen=True, slots=True)
class Lock:
    """One requirement file: its name, what it is for, and what it must hold."""

    name: str
    purpose: str
    wanted: tuple[str, ...]


def locks() -> tuple[Lock, ...]:
    """The files to write; the first holds everything and decides the versions of the others."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    core = tuple(project["project"]["dependencies"])
    local = tuple(project["project"]["optional-dependencies"]["local"])
    build = (*project["build-system"]["requires"], EDITABLE)
    dev = tuple(project["dependency-groups"]["dev"])
    return (
        Lock("dev", "everything: running, testing, checking and building", (*core, *local, *build, *dev)),
        Lock("build", "what installing a checkout needs besides", build),
        Lock("local", "running, with the local embedders", (*core, *local)),
        Lock("runtime", "running, without any model", core),
    )


def windows_only(name: str, python: Path) -> str:
    """The pinned, hashed lines of a package that has nothing for the platform this runs on."""
    with tempfile.TemporaryDirectory() as folder:
        for version in PYTHONS:
            command = [python, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder]
            command += ["--platform", "win_amd64", "--python-version", version, name]
            subprocess.run(command, check=True)  # noqa: S603 -- own list
        wheels = sorted(Path(folder).iterdir())
        releases = {wheel.name.split("-")[1] for wheel in wheels}
        if len(releases) != 1:
            message = f"{name} has different releases for different Pythons: {sorted(releases)}"
            raise SystemExit(message)
        hashes = sorted({sha256(wheel.read_bytes()).hexdigest() for wheel in wheels})
    head = f"{name}=={releases.pop()} ; sys_platform == 'win32'"
    return " \\\n".join((head, *(f"    --hash=sha256:{digest}" for digest in hashes)))


def compiled(lock: Lock, python: Path, *, constraint: Path | None) -> str:
    """The resolved, hashed lines of one file."""
    with tempfile.TemporaryDirectory() as folder:
        wanted, output = Path(folder, "wanted.in"), Path(folder, "pinned.txt")
        wanted.write_text("\n".join((*lock.wanted, *ELSEWHERE)) + "\n", encoding="utf-8")
        command = [python, "-m", "piptools", "compile", "--quiet", "--generate-hashes", "--allow-unsafe"]
        command += ["--no-header", "--no-annotate", "--no-emit-options", "--no-emit-index-url", "--strip-extras"]
        command += ["--no-emit-trusted-host", "--no-emit-find-links", "--resolver", "backtracking"]
        command += ["--constraint", constraint] if constraint else []
        subprocess.run([*command, "--output-file", output, wanted], check=True, cwd=folder)  # noqa: S603 -- own list
        text = output.read_text(encoding="utf-8")
    for name, marker in ELSEWHERE.items():
        text = re.sub(rf"^({name}==\S+)", rf"\1 ; {marker}", text, flags=re.MULTILINE)
    kept = [line for line in text.splitlines() if line.strip() and not line.startswith(("#", "--"))]
    kept += [
        windows_only(name, python)
        for name, asker in WINDOWS_ONLY.items()
        if re.search(rf"^{asker}==", text, re.MULTILINE)
    ]
    return f"# {lock.purpose[0].upper()}{lock.purpose[1:]}. Written by `make lock` from pyproject.toml.\n" + "".join(
        f"{line}\n" for line in kept
    )


def main() -> int:
    """Write all files, or none."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", PIP_TOOLS], check=True)  # noqa: S603 -- own list
        texts: dict[str, str] = {}
        everything = Path(folder, "dev.txt")
        for lock in locks():
            texts[lock.name] = compiled(lock, python, constraint=everything if texts else None)
            everything.write_text(texts["dev"], encoding="utf-8")
    FOLDER.mkdir(exist_ok=True)
    for name, text in texts.items():
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
        count = len(re.findall(r"^[a-z0-9]", text, re.MULTILINE))
        sys.stdout.write(f"requirements/{name}.txt: {count} packages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
