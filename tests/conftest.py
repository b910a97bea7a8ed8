"""What the tests of every folder share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.register_assert_rewrite("mnemic.testing.contracts")

_ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public data sets, which are not ours to ship; tests that want it skip where it is absent.

    `MNEMIC_DATA` names it; without that, `shared/data` beside the checkout.
    """
    folder = Path(os.environ.get("MNEMIC_DATA", _ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no data sets at {folder}; name their folder in MNEMIC_DATA")
    return folder
