"""What a figure needs beside it to be worth anything: units, data, version, settings, machine."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from hashlib import file_digest
from importlib.metadata import version
from typing import TYPE_CHECKING

from mnemic.errors import ImportSourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

DEFAULT_SEED = 7


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that was measured on: its name without folders, and the SHA-256 of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Omitted:
    """Questions that are in the file and not in a figure."""

    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Machine:
    """What it ran on."""

    cpus: int
    system: str
    processor: str
    python: str
    sqlite: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How the figures of one report came to be.

    Attributes:
        command: The benchmark.
        units: What is counted, by the name of a figure.
        k: How far down a ranking counts, by unit.
        n: Questions in the main figures, or repetitions.
        left_out: Questions of the file that are in no main figure.
        data: The files.
        spaces: Ids of the vector spaces in use; none: words only.
        missing: Embedders that are wanted and not there, and why.
        settings: Settings that are not the default.
        seed: Of everything drawn by lot.
        notes: What else a reader must know.
    """

    command: str
    units: Mapping[str, str]
    n: int
    k: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    left_out: tuple[Omitted, ...] = ()
    data: tuple[DataFile, ...] = ()
    spaces: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None
    notes: tuple[str, ...] = ()
    mnemic: str = field(default_factory=lambda: version("mnemic"))
    machine: Machine = field(default_factory=lambda: this_machine())  # noqa: PLW0108 - it stands below

    def as_json(self) -> dict[str, object]:
        """For `--json`."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a benchmark: figures in the order they are read, and how they came to be."""

    figures: Mapping[str, object]
    protocol: Protocol

    def as_json(self) -> dict[str, object]:
        """The stable JSON; docs/reference/benchmarks.md is its contract."""
        return {**self.figures, "protocol": self.protocol.as_json()}


def this_machine() -> Machine:
    """The machine that runs this. `cpus` are those the process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Machine(
        cpus=usable,
        system=f"{platform.system()} {platform.machine()}",
        processor=_processor(),
        python=".".join(map(str, sys.version_info[:3])),
        sqlite=sqlite3.sqlite_version,
    )


def data_file(path: Path) -> DataFile:
    """Name and SHA-256 of a file.

    Raises:
        ImportSourceError: It cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return DataFile(path.name, file_digest(stream, "sha256").hexdigest())
    except OSError as error:
        raise ImportSourceError(str(path), (error.strerror or str(error)).lower()) from error


def counted(reasons: Iterable[str]) -> tuple[Omitted, ...]:
    """Reasons with how often each was given, most often first."""
    return tuple(Omitted(why, count) for why, count in Counter(reasons).most_common())


def _processor() -> str:
    """The processor's name, where the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:  # noqa: PTH123 - a system file
            names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
            return next(names, "")
    except OSError:
        return platform.processor()
