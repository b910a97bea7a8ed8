"""Servers that the tests of a module share: starting one takes longer than asking it a hundred times."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp_places import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

_MEMORY = Path("/dev/shm")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A bundle with three memories, the module's own."""
    in_memory = _MEMORY.is_dir()
    folder = Path(tempfile.mkdtemp(dir=_MEMORY, prefix="mnemic-test-")) if in_memory else tmp_path_factory.mktemp("mcp")
    made = Place(folder)
    made.run("init", str(made.bundle))
    made.run("remember", "Anna prefers green tea.", "--kind", "preference", "--tag", "anna", "--id", "notes/tea")
    made.run("remember", "The cello is at the luthier until June.", "--id", "notes/cello")
    made.run("remember", "Руна держит пчёл за маяком.", "--id", "notes/пчёлы", "--description", "О пчёлах")
    yield made
    if in_memory:
        shutil.rmtree(folder)
