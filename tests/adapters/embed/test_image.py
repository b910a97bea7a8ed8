"""An image is whole and right, or it is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.adapters.embed.image import ImageError, open_image, pack, read_image, write_image

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

ARRAYS: dict[str, NDArray[Any]] = {
    "bytes": np.arange(7, dtype=np.uint8),
    "matrix": np.arange(12, dtype=np.float32).reshape(3, 4).T,  # not contiguous
    "words": np.array([2**63], dtype=np.uint64),
    "empty": np.zeros((0, 3), dtype=np.float32),
}
PACKED = pack("model 1", ARRAYS)


def test_what_was_packed_is_found_again_in_the_file(tmp_path: Path) -> None:
    write_image(tmp_path / "new" / "x.image", PACKED)

    image = open_image(tmp_path / "new" / "x.image", "model 1")

    for name, values in ARRAYS.items():
        np.testing.assert_array_equal(image.array(name), values)
        assert image.array(name).dtype == values.dtype
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["x.image"]


@given(st.integers(0, len(PACKED) - 1))
def test_an_image_cut_anywhere_is_refused(length: int) -> None:
    with pytest.raises(ImageError):
        read_image(PACKED[:length], "model 1")


@given(st.binary(max_size=300))
def test_bytes_that_are_no_image_are_refused(data: bytes) -> None:
    with pytest.raises(ImageError):
        read_image(PACKED[:24] + data, "model 1")


def test_an_image_of_another_source_is_refused() -> None:
    with pytest.raises(ImageError, match="something else"):
        read_image(PACKED, "model 2")


def test_an_array_that_is_not_there_is_said_so() -> None:
    with pytest.raises(ImageError, match="no section bias"):
        read_image(PACKED, "model 1").array("bias")


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").touch()

    with pytest.raises(ImageError, match="cut short"):
        open_image(tmp_path / "x", "model 1")


def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "x.image").mkdir()  # a folder cannot be replaced by a file

    with pytest.raises(OSError, match=r".+"):
        write_image(tmp_path / "x.image", PACKED)

    assert [path.name for path in tmp_path.iterdir()] == ["x.image"]
