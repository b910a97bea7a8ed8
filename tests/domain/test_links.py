"""Links, tags and block ids in Markdown, and the documents they mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.domain.link_targets import LinkTargets
from mnemic.domain.links import links_in, links_in_properties, names_of, tags_of


@pytest.mark.parametrize(
    ("written", "target", "heading", "block", "alias", "embed"),
    [
        ("[[Note]]", "Note", "", "", "", False),
        ("[[folder/Заметка.md]]", "folder/Заметка.md", "", "", "", False),
        ("[[Note#Plan]]", "Note", "Plan", "", "", False),
        ("[[Note#Plan#Step 1|first]]", "Note", "Plan#Step 1", "", "first", False),
        ("[[#Here]]", "", "Here", "", "", False),
        ("[[Note#^a-1]]", "Note", "", "a-1", "", False),
        (r"[[Note\|in a table]]", "Note", "", "", "in a table", False),
        ("![[photo.jpg|300]]", "photo.jpg", "", "", "300", True),
        ("[[ Note | my note ]]", "Note", "", "", "my note", False),
    ],
)
def test_a_wiki_link_is_taken_apart(  # noqa: PLR0913, PLR0917 - a row of the table
    written: str,
    target: str,
    heading: str,
    block: str,
    alias: str,
    embed: bool,  # noqa: FBT001
) -> None:
    (link,) = links_in(f"one\ntwo {written} three").wiki

    assert (link.target, link.heading, link.block, link.alias, link.embed) == (target, heading, block, alias, embed)
    assert (link.line, link.start, link.end) == (2, 8, 8 + len(written))


@pytest.mark.parametrize(
    "text",
    [
        "`[[no]] #no [no](no.md)`",
        "``[[no]] ` #no``",
        "```\n[[no]]\n#no\n```\n",
        "~~~ python\n[[no]]\n```\n[no](no.md)\n~~~",
        "````\n```\n[[no]]\n```\n````",
        "> ```\n> [[no]]\n> ```",
        "- ```\n  [[no]]\n  ```",
        "```\n[[no]] never closed",
        "<!-- [[no]]\n\n#no -->",
        "<!-- [[no]] never closed",
        "%% [[no]] #no %%",
        r"\[[no]]",
        "[[]] [[ | x]]",
        "[[broken\nlink]]",
        "https://example.org/#no",
        "a#no #1984 ## no #12/34 C# #- ",
        "[^1]: note",
    ],
)
def test_what_is_code_comment_url_or_broken_holds_no_links(text: str) -> None:
    found = links_in(text)

    assert (found.wiki, found.markdown) == ((), ())
    assert [tag.name for tag in found.tags] == []


def test_code_ends_where_it_ends() -> None:
    text = "```\ncode\n```\n[[a]] `x` [[b]] ` [[c]]\n\n` [[d]] <!-- --> [[e]] %% [[f]]\n\n\\`[[g]]`"

    assert [link.target for link in links_in(text).wiki] == ["a", "b", "c", "d", "e", "f", "g"]


@pytest.mark.parametrize(
    ("written", "text", "target", "embed"),
    [
        ("[People](/people/index.md)", "People", "/people/index.md", False),
        ("[a](<b c.md>)", "a", "b c.md", False),
        ('[a](b.md "Title")', "a", "b.md", False),
        ("[a [b] c](d_(e).md#f)", "a [b] c", "d_(e).md#f", False),
        ("![a](b.png)", "a", "b.png", True),
        ("[a](https://example.org/x)", "a", "https://example.org/x", False),
        ("[a]()", "a", "", False),
        ("[ref]: ./c.md", "ref", "./c.md", False),
    ],
)
def test_a_markdown_link_is_taken_apart(written: str, text: str, target: str, embed: bool) -> None:  # noqa: FBT001
    (link,) = links_in(f"x\n\n{written}").markdown

    assert (link.text, link.target, link.embed, link.line, link.start) == (text, target, embed, 3, 3)


def test_tags_are_those_of_obsidian() -> None:
    text = "#first and #nested/tag/, #тег #标签。 #y1984 (#no) #👨‍👩‍👧 #to-read; ##no\n\t#last_1"

    assert [tag.name for tag in links_in(text).tags] == [
        "first", "nested/tag", "тег", "标签", "y1984", "👨‍👩‍👧", "to-read", "last_1",
    ]  # fmt: skip


def test_a_block_id_ends_a_line() -> None:
    blocks = links_in("Some words ^first\nx^2 ^no more\n^alone\r\n").blocks

    assert [(block.id, block.line) for block in blocks] == [("first", 1), ("alone", 3)]


def test_properties_hold_links_aliases_and_tags() -> None:
    properties = {"up": "[[Home|start]]", "people": ["[[Anna]]", "nobody"], "deep": {"a": ["[[B#c]]"]}}

    assert [(link.target, link.alias, link.line) for link in links_in_properties(properties)] == [  # type: ignore[arg-type]
        ("Home", "start", 0),
        ("Anna", "", 0),
        ("B", "", 0),
    ]
    assert names_of(["BOTW", " Zelda ", "BOTW", ""]) == names_of("BOTW, Zelda") == ("BOTW", "Zelda")
    assert tags_of("#a b, c/") == tags_of(["a", "#b", "c"]) == ("a", "b", "c")
    assert names_of(None) == tags_of({"a": "b"}) == ()


markup = st.text(st.sampled_from(list("a[]()#|`~<>!-%^\\\n\r :/.é\u2028")), max_size=80)


@given(markup)
def test_any_text_is_read_and_every_link_stands_where_it_says(text: str) -> None:
    found = links_in(text)

    for link in found.wiki:
        assert text[link.start : link.end].lstrip("!").startswith("[[")
        assert text[link.start : link.end].endswith("]]")
        assert text.count("\n", 0, link.start) + 1 == link.line
    for tag in found.tags:
        assert text[tag.start :].startswith(f"#{tag.name}") or text[tag.start :].startswith("#/")
        assert text.count("\n", 0, tag.start) + 1 == tag.line


@given(markup)
def test_a_link_after_a_closed_text_is_always_found(text: str) -> None:
    escaped = text.translate(dict.fromkeys(map(ord, "`~<%"), "x"))

    assert links_in(f"{escaped}\n\n[[found]]").wiki[-1].target == "found"


TARGETS = LinkTargets(
    ["Readme.md", "Notes/Japan.md", "Trips/Japan.md", "Trips/2024/Kyoto.md", "Trips/2024/Tokyo.md", "Pic.JPG",
     "Архив/Токио.md", "people/index.md", "Notes/a b.md", "Deep/er/Japan.md", "Notes/v1.2.md", "Cafe\u0301.md"],
    {"Notes/Japan.md": ("Nippon", "Kyoto"), "Trips/Japan.md": ("Nippon",)},
)  # fmt: skip


@pytest.mark.parametrize(
    ("target", "source", "path"),
    [
        ("Kyoto", "Readme.md", "Trips/2024/Kyoto.md"),  # a name goes before an alias
        ("kyoto.MD", "Readme.md", "Trips/2024/Kyoto.md"),
        ("2024/Kyoto", "Readme.md", "Trips/2024/Kyoto.md"),
        ("024/Kyoto", "Readme.md", None),
        ("Japan", "Readme.md", "Notes/Japan.md"),
        ("Japan", "Trips/x.md", "Trips/Japan.md"),
        ("Trips/Japan", "Notes/x.md", "Trips/Japan.md"),
        ("er/japan", "", "Deep/er/Japan.md"),
        ("/Trips/Japan", "Notes/x.md", "Trips/Japan.md"),
        ("./Japan", "Trips/x.md", "Trips/Japan.md"),
        ("../Japan", "Trips/2024/x.md", "Trips/Japan.md"),
        ("../../../Japan", "Trips/2024/x.md", None),
        ("Nippon", "", "Notes/Japan.md"),
        ("pic.jpg", "", "Pic.JPG"),
        ("токио", "", "Архив/Токио.md"),
        ("v1.2", "", "Notes/v1.2.md"),
        ("Caf\u00e9", "", "Cafe\u0301.md"),
        ("", "Notes/Japan.md", "Notes/Japan.md"),
        ("Osaka", "", None),
    ],
)
def test_a_wiki_link_leads_where_obsidian_would_go(target: str, source: str, path: str | None) -> None:
    assert TARGETS.of_wiki(target, source) == path


@pytest.mark.parametrize(
    ("target", "source", "path"),
    [
        ("/people/index.md", "Notes/x.md", "people/index.md"),
        ("/people/", "Notes/x.md", "people/index.md"),
        ("Japan.md#food", "Trips/x.md", "Trips/Japan.md"),
        ("./2024/Kyoto", "Trips/x.md", "Trips/2024/Kyoto.md"),
        ("Notes/a%20b.md", "Trips/x.md", "Notes/a b.md"),
        ("#here", "Notes/x.md", "Notes/x.md"),
        ("../../etc/passwd", "Notes/x.md", None),
        ("https://example.org/Readme.md", "", None),
        ("//example.org/Readme.md", "", None),
        ("mailto:a@example.org", "", None),
        ("Kyoto.md", "Notes/x.md", None),
    ],
)
def test_a_markdown_link_leads_to_a_path(target: str, source: str, path: str | None) -> None:
    assert TARGETS.of_markdown(target, source) == path
