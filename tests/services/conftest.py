"""Bundles of these tests lie in memory where the system offers that: hundreds of durable writes wear out a disk."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

_MEMORY = Path("/dev/shm")


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """As pytest's own, in memory."""
    if not _MEMORY.is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(dir=_MEMORY, prefix="mnemic-test-"))
    yield folder
    shutil.rmtree(folder)
