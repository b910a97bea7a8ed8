"""Ids: what may be one, what two texts name the same, and uids that sort by time."""

from __future__ import annotations

import unicodedata
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.domain.ids import (
    MAX_ID_CHARS,
    MAX_SEGMENT_BYTES,
    collision_key,
    derived_uid,
    id_of_path,
    memory_id,
    parse_turn_id,
    turn_id,
    uid_of_int,
    uuid7,
)
from mnemic.errors import InvalidIdError

COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ("people/anna-berg", "people/anna-berg"),
        ("People/Anna-Berg.md", "people/anna-berg"),
        ("People/ANNA.MD", "people/anna"),
        ("people\\anna", "people/anna"),
        (f"notes/{DECOMPOSED}", f"notes/{COMPOSED}"),
        ("заметки/Ёлка", "заметки/ёлка"),
        ("人/山田", "人/山田"),
        ("हिन्दी", "हिन्दी"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("İstanbul", "i̇stanbul"),
        ("notes/day#Morning Run", "notes/day#Morning Run"),
        ("notes/day#", "notes/day"),
        ("a.b+c@d_e f", "a.b+c@d_e f"),
        ("indexes/logs", "indexes/logs"),
        ("console/comet/com10", "console/comet/com10"),
        ("notes/_staging", "notes/_staging"),
        ("a" * MAX_SEGMENT_BYTES, "a" * MAX_SEGMENT_BYTES),
    ],
)
def test_an_id_is_lowercase_composed_and_without_suffix(given_: str, expected: str) -> None:
    assert memory_id(given_) == expected


@pytest.mark.parametrize(
    ("given_", "why"),
    [
        ("", "empty"),
        (".md", "empty"),
        ("#anchor", "empty"),
        ("/etc/passwd", "absolute"),
        ("\\\\server\\share", "absolute"),
        ("C:\\notes", "absolute"),
        ("c:/notes", "absolute"),
        ("..", "begins with a dot"),
        ("a/../b", "begins with a dot"),
        ("a\\..\\b", "begins with a dot"),
        (".hidden", "begins with a dot"),
        ("a/.git/b", "begins with a dot"),
        ("a//b", "empty"),
        ("a/", "empty"),
        ("a./b", "blank or a dot"),
        ("a /b", "blank or a dot"),
        (" a", "blank or a dot"),
        ("index", "reserved"),
        ("people/INDEX.md", "reserved"),
        ("log", "reserved"),
        ("log#part", "reserved"),
        ("_staging/x", "folder _staging is reserved"),
        ("_Proposals/x", "folder _proposals is reserved"),
        ("con", "device name"),
        ("a/NUL.md", "device name"),
        ("com1.txt", "device name"),
        ("lpt9/x", "device name"),
        ("com¹", "device name"),
        ("con .x", "device name"),
        ("a" * (MAX_SEGMENT_BYTES + 1), "bytes"),
        ("ж" * 101, "bytes"),
        ("/".join(["abcdefghi"] * 30), f"limit is {MAX_ID_CHARS}"),
        ("a:b", "absolute"),
        ("ab:c", "U+003A"),
        ("a*b", "U+002A"),
        ("a?b", "U+003F"),
        ('a"b', "U+0022"),
        ("a<b", "U+003C"),
        ("a|b", "U+007C"),
        ("a\x00b", "U+0000"),
        ("a\nb", "U+000A"),
        ("a\ud800b", "U+D800"),
        ("a\u202eb", "U+202E"),
        ("a\u200bb", "U+200B"),
        ("a\u3000b", "U+3000"),
        ("a😀b", "U+1F600"),
        ("session:s#1", "U+003A"),
        ("a#b\nc", "cannot be shown"),
        ("a#\ud800", "cannot be shown"),
        ("a#" + "x" * 300, "cannot be shown"),
    ],
)
def test_what_no_memory_may_be_called_is_refused_with_the_reason(given_: str, why: str) -> None:
    with pytest.raises(InvalidIdError) as caught:
        memory_id(given_)

    assert why in caught.value.message
    assert caught.value.given == given_


def test_an_id_of_300_characters_is_refused_in_a_short_sentence() -> None:
    with pytest.raises(InvalidIdError) as caught:
        memory_id("/".join(["a" * 99] * 3))

    assert "the limit is 240" in caught.value.message
    assert len(caught.value.message) < 200


@given(st.text(max_size=30))
def test_an_id_is_its_own_id(text: str) -> None:
    try:
        once = memory_id(text)
    except InvalidIdError:
        return
    if once.partition("#")[0].endswith(".md"):  # "a.md.md" is the file of "a.md", which is the file of "a"
        return

    assert memory_id(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert id_of_path(f"{once}.md") == once or "#" in once


@given(st.text(st.characters(categories=["Lu", "Ll", "Lo", "Nd"]), min_size=1, max_size=8))
def test_case_and_normalization_do_not_make_another_id(text: str) -> None:
    try:
        expected = memory_id(text)
    except InvalidIdError:
        return

    assert memory_id(unicodedata.normalize("NFD", text)) == expected
    assert collision_key(memory_id(text)) == collision_key(text)


@given(st.text(max_size=20))
def test_a_collision_key_is_its_own(text: str) -> None:
    key = collision_key(text)

    assert collision_key(key) == key


@pytest.mark.parametrize(
    ("one", "other"),
    [("Straße", "strasse"), (COMPOSED, DECOMPOSED), ("ANNA", "anna"), ("ﬁn", "fin"), ("Σας", "σασ"), ("Ａ", "a")],
)
def test_ids_that_some_file_system_cannot_keep_apart_collide(one: str, other: str) -> None:
    assert collision_key(one) == collision_key(other)


def test_ids_that_are_different_words_do_not_collide() -> None:
    assert len({collision_key(name) for name in ("anna", "änna", "ann", "анна", "i", "ı")}) == 6


@pytest.mark.parametrize(
    ("path", "expected"),
    [("A/B.md", "a/b"), (f"{DECOMPOSED}.md", COMPOSED), ("con.md", "con"), ("index.md", "index"), ("a:b?.md", "a:b?")],
)
def test_a_file_that_exists_has_an_id_whatever_its_name(path: str, expected: str) -> None:
    assert id_of_path(path) == expected


# -- turns -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("session:s-1#7", ("s-1", 7)),
        ("session:s-1", ("s-1", None)),
        ("session:s-1#", ("s-1", None)),
        ("session:s#007", ("s", 7)),
        ("session:s#999999999", ("s", 999_999_999)),
        ("session:s#0", None),
        ("session:s#-1", None),
        ("session:s#1.5", None),
        ("session:s#٣", None),
        ("session:s#²", None),
        ("session:s#x", None),
        ("session:s#" + "9" * 10_000, None),
        ("people/anna#7", None),
        ("", None),
    ],
)
def test_a_reference_to_a_turn_is_read(text: str, expected: tuple[str, int | None] | None) -> None:
    assert parse_turn_id(text) == expected


@given(st.from_regex(r"[a-z0-9][a-z0-9._-]{0,30}", fullmatch=True), st.integers(1, 999_999_999))
def test_a_reference_that_was_made_is_read_back(session: str, number: int) -> None:
    assert parse_turn_id(turn_id(session, number)) == (session, number)


# -- uids --------------------------------------------------------------------------------------------------------


def test_the_example_of_the_standard() -> None:
    """RFC 9562, appendix A.6: Tuesday, February 22, 2022 2:22:22.00 PM GMT-05:00."""
    noise = 0xCC3 << 64 | 0x18C4DC0C0C07398F
    assert uuid7(0x017F22E279B0, noise.to_bytes(10, "big")) == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"


@given(st.integers(0, 2**48 - 1), st.binary(min_size=10, max_size=16))
def test_a_uid_has_the_layout_of_version_7(now_ms: int, random: bytes) -> None:
    made = uuid.UUID(uuid7(now_ms, random))

    assert made.version == 7
    assert made.variant == uuid.RFC_4122
    assert made.int >> 80 == now_ms


@given(st.integers(0, 2**48 - 2), st.binary(min_size=10, max_size=10), st.binary(min_size=10, max_size=10))
def test_later_uids_sort_behind_earlier_ones(now_ms: int, one: bytes, other: bytes) -> None:
    assert uuid7(now_ms, one) < uuid7(now_ms + 1, other)


def test_uids_of_one_moment_differ() -> None:
    assert len({uuid7(1) for _ in range(1_000)}) == 1_000


@given(st.text())
def test_a_derived_uid_is_stable_and_never_taken_for_a_given_one(text: str) -> None:
    made = uuid.UUID(derived_uid(text))

    assert derived_uid(text) == str(made)
    assert made.version == 8
    assert made.variant == uuid.RFC_4122


def test_derived_uids_are_the_same_on_every_machine_and_release() -> None:
    assert derived_uid("people/anna") == "2bfd6cfb-443b-826c-9c0a-9bf6a93cc99f"
    assert derived_uid("a") != derived_uid("b")


@given(st.integers(0, 2**128 - 1))
def test_a_number_is_written_as_a_uuid(value: int) -> None:
    assert uid_of_int(value) == str(uuid.UUID(int=value))
