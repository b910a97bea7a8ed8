"""Files of these tests lie in memory where the system offers that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def tmp_path(in_memory: Path) -> Path:
    """As pytest's own, in memory."""
    return in_memory
