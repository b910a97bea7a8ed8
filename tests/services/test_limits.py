"""Limits stand in the policy: each can be set, senseless values are refused, and what is too much is told."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import pytest
from rooms import an_app, chat, found, keep

from mnemic import config
from mnemic.domain.drafts import Draft
from mnemic.domain.entries import Source, Where
from mnemic.domain.policy import Limits
from mnemic.entry import doctor
from mnemic.entry.doctor import examine
from mnemic.errors import ConfigError, LimitExceededError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App


def test_an_agent_reads_at_most_ten_memories_and_45000_characters_whole_in_a_turn(tmp_path: Path) -> None:
    limits = an_app(tmp_path / "memory").bundle.policy.limits

    assert (limits.turn_reads, limits.turn_characters_read) == (10, 45_000)


@pytest.mark.parametrize("name", [field.name for field in fields(Limits)])
def test_every_limit_is_set_by_the_bundle_and_reaches_the_policy(tmp_path: Path, name: str) -> None:
    app = an_app(tmp_path / "memory")

    app.settings.write(f"limits.{name}", "7")

    assert getattr(an_app(app.root).bundle.policy.limits, name) == 7
    assert getattr(an_app(app.root, f"limits.{name}=8").bundle.policy.limits, name) == 8


@pytest.mark.parametrize("value", ["-1", "many", "1.5", "true", ""])
@pytest.mark.parametrize("name", ["turn_reads", "turn_characters_read"])
def test_a_limit_that_makes_no_sense_is_refused_where_it_is_written(tmp_path: Path, name: str, value: str) -> None:
    app = an_app(tmp_path / "memory")
    before = (app.root / config.BUNDLE_FILE).read_bytes()

    with pytest.raises(ConfigError, match=f"limits.{name}"):
        an_app(app.root, f"limits.{name}={value}")
    with pytest.raises(ConfigError, match=f"limits.{name}"):
        app.settings.write(f"limits.{name}", value)

    assert (app.root / config.BUNDLE_FILE).read_bytes() == before


@pytest.mark.parametrize(
    "setting",
    ["recall.k=0", "embed.newest=-1", "embed.threads=-2", "weights.words=nan", "weights.caution=inf", "weights.e5=1e9"],
)
def test_a_number_that_means_nothing_is_refused(tmp_path: Path, setting: str) -> None:
    with pytest.raises(ConfigError, match=setting.partition("=")[0]):
        an_app(tmp_path / "memory", setting)


# -- the file of a time line -------------------------------------------------------------------------------------


def test_a_time_line_is_at_most_as_long_as_its_limit_from_the_first_line_of_the_file_to_the_last(
    tmp_path: Path,
) -> None:
    app = an_app(tmp_path / "memory", "limits.timeline_lines=40")
    done = app.remember(Draft(body="- a\n- b", title="May", kind="event"))
    path = app.root / done.path
    room = 40 - len(path.read_text(encoding="utf-8").splitlines())

    app.edit(done.memory.id, lambda memory: {"body": memory.body + "\n- more" * room})
    full = path.read_bytes()
    assert len(full.splitlines()) == 40

    with pytest.raises(LimitExceededError) as refused:
        app.edit(done.memory.id, lambda memory: {"body": memory.body + "\n- one more"})
    assert (refused.value.size, refused.value.limit) == (41, 40)
    assert path.read_bytes() == full
    assert Limits().timeline_lines == 2_000


# -- what is reported --------------------------------------------------------------------------------------------


def advice(app: App) -> tuple[str, ...]:
    return app.status()[0].advice


@pytest.mark.parametrize(
    ("limit", "told"), [(3, ()), (2, ("3 memories are more than the 2 a person can keep in order.",))]
)
def test_more_memories_than_are_comfortable_are_reported(tmp_path: Path, limit: int, told: tuple[str, ...]) -> None:
    app = an_app(tmp_path / "memory", f"limits.concepts_comfortable={limit}")
    for name in ("bees", "cello", "kite"):
        keep(app, name)

    assert advice(app) == told
    assert tuple(one.message for one in examine(app) if one.check == "content" and one.level == "note") == told


def test_a_bundle_larger_than_is_comfortable_is_reported_conversations_included(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "limits.bundle_bytes_comfortable=10000")
    keep(app, "bees")
    assert advice(app) == ()

    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "A long talk. " * 1_000}]))

    assert len(advice(app)) == 1
    assert "MB" in advice(app)[0]


def test_the_thresholds_are_those_at_which_a_folder_of_markdown_should_be_thought_over() -> None:
    limits = Limits()

    assert (limits.search_milliseconds, limits.concepts_comfortable) == (100, 5_000)
    assert limits.bundle_bytes_comfortable == 50_000_000


@pytest.mark.parametrize(
    ("times", "level"),
    [((50, 50, 50), "ok"), ((900, 99, 900), "ok"), ((150, 101, 120), "note"), ((100, 100, 100), "ok")],
    ids=["fast", "slow now and then", "slow again and again", "on the limit"],
)
def test_searches_that_are_slow_again_and_again_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: tuple[int, ...], level: str
) -> None:
    """A search that had to wait once is no finding."""
    taken = iter(times)
    monkeypatch.setattr(doctor, "_milliseconds", lambda *_: next(taken))

    (speed,) = (one for one in examine(an_app(tmp_path / "memory")) if one.check == "speed")

    assert speed.level == level
    assert ("more than the 100 ms" in speed.message) is (level == "note")


def test_the_time_of_a_search_is_measured(tmp_path: Path) -> None:
    """No search takes no time: with a limit of 0 every bundle is slow."""
    app = an_app(tmp_path / "memory", "limits.search_milliseconds=0")
    keep(app, "bees")

    (speed,) = (one for one in examine(app) if one.check == "speed")

    assert (speed.level, bool(speed.hint)) == ("note", True)


@pytest.mark.parametrize(("kind", "level"), [("ext4", None), ("nfs4", "problem"), ("cifs", "problem")])
def test_a_disk_where_locks_of_several_writers_are_not_reliable_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, level: str | None
) -> None:
    monkeypatch.setattr(doctor, "_file_system", lambda _: kind)

    findings = [one for one in examine(an_app(tmp_path / "memory")) if one.check == "disk"]

    assert [one.level for one in findings] == ([level] if level else [])


# -- conversations are searched or not ---------------------------------------------------------------------------


def test_conversations_are_left_out_where_the_bundle_says_so_unless_they_are_asked_for(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory")
    keep(app, "bees", "Runa keeps bees behind the lighthouse.")
    app.import_sessions(chat(tmp_path / "chat.jsonl", [{"text": "Runa said that her bees like the lighthouse."}]))
    query = "Runa's bees and the lighthouse"
    assert set(found(app, query)) == {"notes/bees", "session:kitchen#1"}

    app.settings.write("recall.sessions", "false")
    without = an_app(app.root)

    assert found(without, query) == ["notes/bees"]
    assert found(without, query, where=Where(sources=(Source.TURN,))) == ["session:kitchen#1"]
    assert found(without, query, unit="session") == ["session:kitchen"]
