"""Front matter: where it is, what it says, and edits that leave every other byte alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemic.adapters.markdown.frontmatter import Decoded, decode, read_front_matter, split
from mnemic.adapters.markdown.yaml_edit import CannotEditError, Style, edit_header
from mnemic.adapters.markdown.yaml_read import NotYamlError, read_header
from mnemic.adapters.markdown.yaml_write import emit_entry

if TYPE_CHECKING:
    from mnemic.domain.memory import Yaml

STYLE = Style(order=("type", "title", "tags", "uid"), text_keys=frozenset({"title", "tags"}))


# --- where it is ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "header", "body"),
    [
        ("---\na: b\n---\nbody", "a: b\n", "body"),
        ("---\na: b\n...\nbody", "a: b\n", "body"),
        ("--- \t\r\na: b\r\n---  \r\nbody", "a: b\r\n", "body"),
        ("---\ra: b\r---\rbody", "a: b\r", "body"),
        ("---\n---\n---\n", "", "---\n"),
        ("---\na: b\n---", "a: b\n", ""),
        ("---\na: '\n ---\n'\n---\nx", "a: '\n ---\n'\n", "x"),
        ("\n---\na: b\n---\n", None, "\n---\na: b\n---\n"),
        ("----\na: b\n---\n", None, "----\na: b\n---\n"),
        ("text\n---\nmore\n---\n", None, "text\n---\nmore\n---\n"),
    ],
)
def test_a_front_matter_is_what_stands_between_a_first_line_and_the_next_line_of_dashes(
    text: str, header: str | None, body: str
) -> None:
    parts = split(text)

    assert parts is not None
    assert (parts.header, parts.body) == (header, body)
    assert parts.opening + (parts.header or "") + parts.closing + parts.body == text


def test_an_unclosed_front_matter_has_no_parts() -> None:
    assert split("---\na: b\n ---\nbody") is None


@given(st.text(st.sampled_from("-.\n\r :ab\t"), max_size=40))
def test_the_parts_are_always_the_whole_text(text: str) -> None:
    parts = split(text)

    if parts is not None:
        assert parts.opening + (parts.header or "") + parts.closing + parts.body == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), st.booleans())
def test_a_byte_order_mark_is_kept_apart(text: str, marked: bool) -> None:  # noqa: FBT001
    decoded = decode(("\ufeff" * marked + text).encode())

    assert isinstance(decoded, Decoded)
    assert decoded.bom + decoded.text == "\ufeff" * marked + text


# --- what it says --------------------------------------------------------------------------------------------------


def test_every_scalar_stays_the_text_it_is() -> None:
    header = "a: 007\nb: no\nc: 1.10\nd: 2026-05-03\ne: 12:30:45\nf: ~\ng: !!int 5\nh:\n"

    read = read_header(header)

    assert read is not None
    assert list(read.values.values()) == ["007", "no", "1.10", "2026-05-03", "12:30:45", "~", "5", ""]


SCALARS = st.sampled_from(
    [
        *("x", "7", "no", "'it''s'", '"a\\tb # c"', "2026-05-03T10:00:00Z", "a:b", "", "é😀 — ", "plain\n  over lines"),
        *("|\n  two\n  lines\n", ">-\n  folded\n  # no comment\n"),
        *("[a, 'b', {c: d}]", "{ by: x, at: y }", "[]", "\n- one\n- two # b", "\n  - one\n\n  - two"),
        *("\n  k: v # inner\n  l: [1]", "&anchor text", "&list [q]"),
    ],
)
KEYS = ["type", "title", "custom", "'quoted key'", "Größe", "x y", "n"]


@dataclass(frozen=True)
class Lines:
    """One key's lines, and the comment or blank lines before them."""

    gap: str
    key: str
    lines: str


@st.composite
def headers(draw: st.DrawFn) -> tuple[list[Lines], str]:
    """Front matter as people write it: quotes, comments, anchors, lists, nested keys, any line end."""
    keys = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=6, unique=True))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    found: list[Lines] = []
    for place, key in enumerate(keys):
        gap = draw(st.sampled_from(["", "\n", "# a comment: with [signs\n", "  # indented\n\n"]))
        if found and (": |" in found[-1].lines or ": >" in found[-1].lines):
            gap = gap.replace("  #", "#")  # indented, it would be a line of that text
        value = draw(SCALARS).replace("&", f"&a{place}")
        comment = "" if "\n" in value else draw(st.sampled_from(["", "", " # why", "  #tight"]))
        ended = value if value.endswith("\n") else f"{value}{comment}\n"
        line = f"{key}:{'' if value.startswith(chr(10)) or not ended.strip() else ' '}{ended}"
        found.append(Lines(gap.replace("\n", newline), key.strip("'"), line.replace("\n", newline)))
    if draw(st.booleans()):
        alias = next((f"echo: *{line.lines.split('&')[1].split()[0]}\n" for line in found if ": &" in line.lines), "")
        if alias:
            found.append(Lines("", "echo", alias.replace("\n", newline)))
    return found, newline


@given(headers())
def test_values_are_those_that_pyyaml_reads(case: tuple[list[Lines], str]) -> None:
    lines, _ = case
    header = "".join(line.gap + line.lines for line in lines)

    read = read_header(header)

    assert read is not None
    assert read.values == yaml.load(header, yaml.BaseLoader)


# --- edits ---------------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.sampled_from(["no", "12:30", "a: b", "# x", "1984", "2026-05-03", "'", "- x", "*a", "&b", "|", "{a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["k", "l", "by"]), inner, max_size=3),
    max_leaves=5,
)


@given(headers(), st.data())
@settings(max_examples=300)
def test_an_edit_of_one_key_leaves_every_other_byte(case: tuple[list[Lines], str], data: st.DataObject) -> None:
    """Comments, blank lines, quotes, anchors, order and line ends of all other keys are those that were there."""
    lines, newline = case
    target = data.draw(st.integers(0, len(lines) - 1))
    value = data.draw(st.none() | VALUES)
    style = Style(order=STYLE.order, text_keys=STYLE.text_keys, newline=newline)
    before = "".join(line.gap + line.lines for line in lines[:target]) + lines[target].gap
    after = "".join(line.gap + line.lines for line in lines[target + 1 :])
    header = before + lines[target].lines + after

    edited = edit_header(header, {lines[target].key: value}, style)

    read, old = read_header(edited), read_header(header)
    assert read is not None
    assert old is not None
    intended = {**old.values, lines[target].key: value}
    assert read.values == {key: item for key, item in intended.items() if item is not None}
    if "&" not in lines[target].lines and "*" not in lines[target].lines:
        assert edited.startswith(before)
        assert edited.endswith(after)


@given(headers(), VALUES, st.sampled_from(["title", "uid", "zebra", "type"]))
def test_a_new_key_is_one_insertion(case: tuple[list[Lines], str], value: str, key: str) -> None:
    lines, newline = case
    kept = [line for line in lines if line.key not in {key, "echo"}]
    header = "".join(line.gap + line.lines for line in kept)
    if not kept:
        return

    edited = edit_header(header, {key: value}, Style(order=STYLE.order, text_keys=STYLE.text_keys, newline=newline))

    new = emit_entry(key, value, typed=key not in STYLE.text_keys).replace("\n", newline)
    place = edited.index(new)
    assert edited[:place] + edited[place + len(new) :] == header


def test_new_keys_go_behind_the_keys_that_come_before_them() -> None:
    header = "# mine\ncustom: 1\ntype: note\n\n# about\nother: 2\n"

    edited = edit_header(header, {"uid": "u", "title": "T", "zz": "z"}, STYLE)

    assert edited == "# mine\ncustom: 1\ntype: note\ntitle: T\nuid: u\n\n# about\nother: 2\nzz: z\n"


def test_a_header_that_is_indented_stays_so() -> None:
    assert edit_header("  type: note\n  a: b\n", {"title": "T"}, STYLE) == "  type: note\n  title: T\n  a: b\n"


def test_a_header_in_braces_is_edited_inside_them() -> None:
    assert edit_header("{type: note, title: 'x'}\n", {"title": "a, b", "more": "1"}, STYLE) == (
        "{type: note, title: 'a, b', more: 1}\n"
    )


@pytest.mark.parametrize(
    ("tags", "after"),
    [
        (["a", "c"], "[\n  'a', c # first\n  ]"),
        (["a", "b", "c"], "[\n  'a', # first\n  b, c\n]"),
        (["b"], "[\n  b\n]"),
        (["z", "a", "b"], "[\n  z, 'a', # first\n  b\n]"),
    ],
)
def test_items_between_brackets_that_stay_keep_their_form_and_comments(tags: list[Yaml], after: str) -> None:
    edited = edit_header("tags: [\n  'a', # first\n  b\n]\ntype: note\n", {"tags": tags}, STYLE)

    assert edited == f"tags: {after}\ntype: note\n".replace("\n  ]", "\n  \n]")


def test_an_inner_key_is_changed_alone() -> None:
    header = "source:\n  # who\n  origin: web # typed\n  'locator': \"old\"\n\n  actor: kim\ntype: note\n"
    changed: Yaml = {"origin": "web", "locator": "new", "actor": "kim", "session": "s"}

    edited = edit_header(header, {"source": changed}, STYLE)

    assert edited == header.replace('"old"', '"new"').replace("kim\n", "kim\n  session: s\n")


@pytest.mark.parametrize("header", ["- a\n", "just text\n", "a: [\n", "a: 1\na: 2\n"])
def test_what_is_no_mapping_cannot_be_edited(header: str) -> None:
    with pytest.raises(CannotEditError):
        edit_header(header, {"a": "b"}, STYLE)


@pytest.mark.parametrize("header", ["{{a}}: b\n", "? [x]\n: y\n", "a: *none\n", "a: 'b\n", "a: \x01\n"])
def test_unreadable_headers_name_a_line(header: str) -> None:
    with pytest.raises(NotYamlError) as refused:
        read_header("fine: yes\n" + header)

    assert refused.value.line == 1
    assert refused.value.reason


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_any_text_written_is_read_alike_by_old_and_new_yaml(text: str) -> None:
    line = emit_entry("key", text)

    read = read_header(line)

    assert read is not None
    assert read.values == {"key": text}
    assert yaml.safe_load(line) == {"key": text}


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error(text: str) -> None:
    front = read_front_matter(f"---\n{text}\n---\n{text}")

    assert front.parts.body.endswith(text)
