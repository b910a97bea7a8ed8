"""Named arrays in one file that is mapped, not read: what a model looks like when it is ready to use."""

from __future__ import annotations

import json
import mmap
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Buffer = bytes | bytearray | mmap.mmap

_MAGIC = b"mnemic image 1\n\0"
_LENGTH = 8  # bytes in which the size of the table of contents is written
_ALIGNED = 64  # bytes: a cache line, and enough for every element type


class ImageError(ValueError):
    """A file that is no image, was cut short, or was made from something else."""


@dataclass(frozen=True, slots=True)
class Image:
    """An opened image; its arrays are views into `buffer`, read-only when that is a mapped file."""

    buffer: Buffer
    sections: Mapping[str, tuple[str, tuple[int, ...], int]]

    def array(self, name: str) -> NDArray[Any]:
        """The array `name`, without a copy.

        Raises:
            ImageError: There is none of that name.
        """
        try:
            kind, shape, start = self.sections[name]
        except KeyError as error:
            raise ImageError(f"no section {name}") from error
        count = int(np.prod(shape, dtype=np.int64))
        return np.frombuffer(self.buffer, dtype=kind, count=count, offset=start).reshape(shape)


def pack(source: str, arrays: Mapping[str, NDArray[Any]]) -> bytearray:
    """The bytes of an image; `source` names what it was made from and is asked for again on opening."""
    sections: dict[str, tuple[str, tuple[int, ...], int]] = {}
    size = 0
    for name, values in arrays.items():
        sections[name] = (values.dtype.str, values.shape, size)
        size += -(-values.nbytes // _ALIGNED) * _ALIGNED
    contents = {"source": source, "byte_order": sys.byteorder, "size": size, "sections": sections}
    head = json.dumps(contents, separators=(",", ":")).encode()
    start = _body_start(len(head))
    whole = bytearray(start + size)
    whole[: len(_MAGIC)] = _MAGIC
    whole[len(_MAGIC) : len(_MAGIC) + _LENGTH] = len(head).to_bytes(_LENGTH, "little")
    whole[len(_MAGIC) + _LENGTH : len(_MAGIC) + _LENGTH + len(head)] = head
    body = np.frombuffer(whole, dtype=np.uint8, offset=start)
    for name, values in arrays.items():
        place = sections[name][2]
        body[place : place + values.nbytes] = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
    return whole


def open_image(path: Path, source: str) -> Image:
    """Map the image at `path`; what is looked at is read then, and shared by all processes.

    Raises:
        OSError: The file cannot be opened.
        ImageError: It is not the image of `source`, whole.
    """
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size < len(_MAGIC) + _LENGTH:
            raise ImageError("the file is cut short")
        return read_image(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), source)


def read_image(buffer: Buffer, source: str) -> Image:
    """The image in `buffer`; raises `ImageError` as `open_image` does."""
    if buffer[: len(_MAGIC)] != _MAGIC:
        raise ImageError("this is no image")
    length = int.from_bytes(buffer[len(_MAGIC) : len(_MAGIC) + _LENGTH], "little")
    start = _body_start(length)
    try:
        contents = json.loads(buffer[len(_MAGIC) + _LENGTH : len(_MAGIC) + _LENGTH + length])
        made_from = (contents["source"], contents["byte_order"])
        sections = {
            name: (str(kind), tuple(shape), start + int(place))
            for name, (kind, shape, place) in contents["sections"].items()
        }
        whole = len(buffer) == start + int(contents["size"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ImageError("the table of contents is damaged") from error
    if made_from != (source, sys.byteorder):
        raise ImageError("the image was made from something else")
    if not whole:
        raise ImageError("the file is cut short")
    return Image(buffer, sections)


def write_image(path: Path, image: bytes | bytearray) -> None:
    """Put `image` at `path` as a whole or not at all; several processes may do so at once.

    Raises:
        OSError: No folder can be made or written there, or there is no room.
    """
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, unfinished = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(image)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)  # noqa: PTH105 - a plain string from mkstemp
    except BaseException:
        os.unlink(unfinished)  # noqa: PTH108 - same
        raise


def _body_start(head: int) -> int:
    return -(-(len(_MAGIC) + _LENGTH + head) // _ALIGNED) * _ALIGNED
