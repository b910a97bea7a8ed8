"""The guides for agents and for those who run them say what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mnemic.adapters.markdown.generated import LOG_BYTES
from mnemic.app import App, create_bundle
from mnemic.domain.drafts import Draft
from mnemic.domain.policy import Limits
from mnemic.entry.cli.main import cli

_GUIDES = Path(__file__).parent.parent.parent / "docs" / "guides"
_SAFE, _AGENTS = _GUIDES / "keep-it-safe.md", _GUIDES / "for-agents.md"


def section(page: Path, heading: str) -> str:
    """The text under a heading, in one line."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page.name} has no section {heading!r}"
    return " ".join(found[1].split())


@pytest.fixture
def used(tmp_path: Path) -> Path:
    """A bundle in which everything has happened that leaves something behind."""
    root = tmp_path / "memory"
    create_bundle(root)
    app = App.start(root, embedders=())
    app.remember(Draft(body="Runa keeps bees.", title="Bees"))
    (root / "notes" / "broken.md").write_text("---\ntitle: x\n", encoding="utf-8")
    source = tmp_path / "chat.jsonl"
    source.write_text(
        '{"session": "s", "turn": 1, "at": "2026-05-03T08:14:00Z", "role": "user", "text": "Hi there."}\n'
    )
    app.import_sessions(source)
    app.check(repair=True)
    return root


def test_the_guide_says_how_to_back_a_bundle_up_and_that_the_log_is_no_journal() -> None:
    text = section(_SAFE, "Back it up")

    assert "`.mnemic/` included" in text
    assert "`log.md` tells people what changed. It is no journal, and nothing can be restored from it." in text
    assert "how long to keep it, and who may read it" in text


def test_the_guide_says_that_the_permissions_of_the_file_system_are_the_only_ones() -> None:
    text = section(_SAFE, "Who may read it")

    assert "the permissions of the file system are the only ones" in text
    assert "brings no access control of its own" in text


def test_the_guide_says_how_long_everything_stays_that_a_bundle_keeps(used: Path) -> None:
    """Whatever appears in a bundle that was used, the guide must speak of it: a new place cannot be forgotten there."""
    told = section(_SAFE, "How long things stay")
    words = {
        "notes": "memory", ".recovery": ".recovery/", "log.md": "log.md",
        ".mnemic/sessions": "conversation", ".mnemic/journal": ".mnemic/journal/", ".mnemic/index.db": "index",
        ".mnemic/vault.db": "in the vault", ".mnemic/ledger.jsonl": "in the ledger",
    }  # fmt: skip
    harmless = {".gitignore", "mnemic.toml", "index.md", ".mnemic", ".mnemic/.gitignore", ".mnemic/lock"}
    harmless |= {".mnemic/key.json", ".mnemic/ledger.anchor"}
    places = {path.relative_to(used).as_posix() for path in [*used.iterdir(), *(used / ".mnemic").iterdir()]}
    places = {re.sub(r"((?:index|vault)\.db).*", r"\1", place) for place in places}

    assert places - harmless == set(words)
    assert [place for place, word in words.items() if word not in told] == []
    assert f"{LOG_BYTES // 1024} KiB" in told


def test_the_guide_says_what_a_removal_reaches_and_what_it_does_not() -> None:
    text = section(_SAFE, "What a removal reaches")
    reached, _, beyond = text.partition("It does not reach:")

    assert [word for word in ("document", "index", "vectors", ".recovery/") if word not in reached] == []
    assert [word for word in ("backups", "repository", "conversations", "disk") if word not in beyond] == []


def test_agents_are_told_the_flow_with_commands_that_exist_and_the_limits_of_the_policy() -> None:
    text = section(_AGENTS, "Instructions for an agent")
    commands = set(re.findall(r"mnemic (\w+)", text))

    assert {"recall", "show", "remember", "edit", "forget"} <= commands
    assert commands <= set(cli.list_commands(None))  # type: ignore[arg-type]
    order = ["Search before you answer or write", "Read what you mean", "Decide", "Write one statement", "Forget only"]
    assert sorted(order, key=text.index) == order
    assert "At most ten memories" in text
    assert f"{Limits().turn_characters_read:,} characters" in text
    assert Limits().turn_reads == 10


def test_operators_are_told_what_to_look_after() -> None:
    text = section(_AGENTS, "For whoever runs it")

    needed = ("mnemic status", "mnemic doctor", "mnemic check", "mnemic bench golden", "keep-it-safe.md", "quarantined")
    assert [word for word in needed if word not in text] == []
