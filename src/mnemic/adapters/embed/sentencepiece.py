"""Reads a SentencePiece model file: pieces, their scores, and the map of its normalizer.

Source:
    The protocol buffer wire format, and the field numbers of `sentencepiece_model.proto`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_PIECE, _NORMALIZER = 1, 3  # fields of the model
_PIECE_TEXT, _PIECE_SCORE = 1, 2  # fields of a piece
_CHARSMAP = 2  # field of the normalizer
_UNIT = 4  # bytes


@dataclass(frozen=True, slots=True)
class SentencePieceModel:
    """A unigram vocabulary in id order, and the two halves of its character map (see `charsmap`)."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    units: bytes
    replacements: bytes


def parse_model(data: bytes) -> SentencePieceModel:
    """Read the bytes of a `.model` file.

    Raises:
        ValueError: The bytes are cut short or are something else.
    """
    try:
        return _parse(data)
    except (IndexError, struct.error) as error:
        raise ValueError("no SentencePiece model, or one that is cut short") from error


def _parse(data: bytes) -> SentencePieceModel:
    pieces: list[str] = []
    scores: list[float] = []
    charsmap: int | bytes = b""
    for number, value in _fields(data):
        if number == _PIECE and isinstance(value, bytes):
            text, score = _piece(value)
            pieces.append(text)
            scores.append(score)
        elif number == _NORMALIZER and isinstance(value, bytes):
            charsmap = dict(_fields(value)).get(_CHARSMAP, b"")
    if not pieces or not isinstance(charsmap, bytes):
        raise ValueError("the model has no pieces or no character map")
    (size,) = struct.unpack_from("<I", charsmap)
    units, replacements = charsmap[_UNIT : _UNIT + size], charsmap[_UNIT + size :]
    if len(units) != size or size % _UNIT:
        raise ValueError("the character map is cut short")
    return SentencePieceModel(tuple(pieces), tuple(scores), units, replacements)


def _piece(data: bytes) -> tuple[str, float]:
    text, score = "", 0.0
    for number, value in _fields(data):
        if number == _PIECE_TEXT and isinstance(value, bytes):
            text = value.decode()
        elif number == _PIECE_SCORE and isinstance(value, bytes):
            (score,) = struct.unpack("<f", value)
    return text, score


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    place = 0
    while place < len(data):
        tag, place = _varint(data, place)
        wire = tag & 7
        if wire == _VARINT:
            value, place = _varint(data, place)
            yield tag >> 3, value
            continue
        if wire == _BYTES:
            length, place = _varint(data, place)
        elif wire in (_FIXED32, _FIXED64):
            length = 4 if wire == _FIXED32 else 8
        else:
            raise ValueError(f"wire type {wire} is not used in these files")
        if place + length > len(data):
            raise ValueError("a field is cut short")
        yield tag >> 3, data[place : place + length]
        place += length


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 - the top bit says that another byte follows
            return value, place
        shift += 7
