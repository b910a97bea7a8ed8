"""The demo month keeps what its README and the chat format promise."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mnemic.domain.ids import turn_id
from mnemic.domain.instants import parse_instant
from mnemic.domain.kinds import KINDS
from mnemic.domain.policy import Limits
from mnemic.domain.provenance import Origin
from mnemic.domain.session import Role, is_session_id

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "examples" / "demo"
FORMAT = ROOT / "docs" / "reference" / "chat-format.md"

Row = dict[str, Any]

REQUIRED = {"session", "turn", "at", "role", "text"}
OPTIONAL = {"speaker", "title", "conversation", "attachments", "lang"}
LANGUAGES = {"en", "ru", "de", "ja", "zh"}

KANA = re.compile(r"[\u3040-\u30ff]")
SCRIPTS = {
    "latin": re.compile(r"[A-Za-z]"),
    "cyrillic": re.compile(r"[\u0400-\u04ff]"),
    "east asian": re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]"),
}
SCRIPT_OF = {"en": "latin", "de": "latin", "ru": "cyrillic", "ja": "east asian", "zh": "east asian"}

SECRET_LOOKING = re.compile(
    r"""
    -----BEGIN                                                   # private keys and certificates
    | \beyJ[\w-]{8,}\.                                           # JSON Web Tokens
    | \b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abp]|AKIA|AIza|hf|npm|pypi)[-_]?[A-Za-z0-9_-]{12,}
    | ://[^/\s:@]+:[^/\s@]+@                                     # a password in a URL
    | (?:password|passwort|passwd|пароль|パスワード|密码|secret|token|api[_ -]?key)\s*[:=：]\s*\S
    | \b(?=[a-z+/_-]*\d)(?=[\d+/_-]*[a-z])[a-z0-9+/_-]{24,}      # long runs of letters and digits
    """,
    re.VERBOSE | re.IGNORECASE,
)


def jsonl(text: str) -> list[Row]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


TURNS = jsonl((DEMO / "month.jsonl").read_text(encoding="utf-8"))
NOTES: list[Row] = json.loads((DEMO / "notes.json").read_text(encoding="utf-8"))
QUESTIONS: list[Row] = json.loads((DEMO / "questions.json").read_text(encoding="utf-8"))
DOCUMENTED = [
    row
    for block in re.findall(r"```jsonl\n(.*?)```", FORMAT.read_text(encoding="utf-8"), re.DOTALL)
    for row in jsonl(block)
]


def reference(row: Row) -> str:
    return turn_id(row["session"], row["turn"])


def main_script(text: str) -> str:
    """The script that most letters of `text` are in."""
    return max(SCRIPTS, key=lambda name: len(SCRIPTS[name].findall(text)))


def test_every_turn_follows_the_chat_format() -> None:
    """Those of the month, and those that the reference page shows."""
    for row in [*TURNS, *DOCUMENTED]:
        assert REQUIRED <= row.keys() <= REQUIRED | OPTIONAL, row
        assert is_session_id(row["session"]), row
        assert type(row["turn"]) is int, row
        assert row["turn"] >= 1, row
        assert row["role"] in set(Role), row
        assert 0 < len(row["text"].strip()) <= Limits().turn_characters, row
        assert parse_instant(row["at"]).tzinfo is not None, row


def test_the_documented_fields_are_the_ones_checked_here() -> None:
    """A field that the reference page gains or loses is noticed."""
    fields = FORMAT.read_text(encoding="utf-8").split("## Fields")[1].split("## Time")[0]

    rows = re.findall(r"^\| `(\w+)` \| (required|optional) \|", fields, re.MULTILINE)

    assert {name for name, need in rows if need == "required"} == REQUIRED
    assert {name for name, need in rows if need == "optional"} == OPTIONAL


def test_there_are_at_least_two_hundred_turns_in_five_languages() -> None:
    spoken = Counter(row["lang"] for row in TURNS)

    assert len(TURNS) >= 200
    assert spoken.keys() == LANGUAGES
    assert min(spoken.values()) >= 20


def test_the_numbers_in_the_readme_are_those_of_the_files() -> None:
    readme = (DEMO / "README.md").read_text(encoding="utf-8")
    answered = sum(bool(question["expect"]) for question in QUESTIONS)

    assert f"{len(TURNS)} turns in {len({row['session'] for row in TURNS})} sessions" in readme
    assert f"{len(NOTES)} notes" in readme
    assert f"{len(QUESTIONS)} questions, {answered} with" in readme
    assert f"{len(QUESTIONS) - answered} that nothing answers" in readme


def test_no_turn_is_there_twice() -> None:
    assert len({reference(row) for row in TURNS}) == len(TURNS)
    assert len({row["text"] for row in TURNS}) == len(TURNS)


def test_turns_are_numbered_from_one_without_gaps_and_go_forward_in_time() -> None:
    sessions: dict[str, list[Row]] = defaultdict(list)
    for row in TURNS:
        sessions[row["session"]].append(row)

    for rows in sessions.values():
        assert [row["turn"] for row in rows] == list(range(1, len(rows) + 1))
        moments = [parse_instant(row["at"]) for row in rows]
        assert all(earlier < later for earlier, later in pairwise(moments))


def test_sessions_follow_one_another_through_may_2026_and_say_their_day() -> None:
    moments = [parse_instant(row["at"]) for row in TURNS]

    assert moments == sorted(moments)
    assert {(moment.year, moment.month) for moment in moments} == {(2026, 5)}
    for row, moment in zip(TURNS, moments, strict=True):
        assert row["session"].startswith(moment.date().isoformat())
        assert row["at"][-6:] in {"+02:00", "+03:00"}  # Leipzig and Riga in summer


def test_the_first_turn_of_a_session_has_its_title_and_no_other_has() -> None:
    assert all(("title" in row) == (row["turn"] == 1) for row in TURNS)


def test_a_speaker_keeps_to_one_role() -> None:
    assert {(row["speaker"], row["role"]) for row in TURNS} == {
        ("Mira", "user"),
        ("Daniel", "user"),
        ("Iva", "assistant"),
    }


def test_a_text_is_in_the_script_of_its_language() -> None:
    """Names and terms of other scripts are quoted, but never most of the text."""
    for row in [*TURNS, *NOTES, *QUESTIONS]:
        text = row.get("text") or row["query"]
        assert main_script(text) == SCRIPT_OF[row["lang"]], row
        if SCRIPT_OF[row["lang"]] == "east asian":
            assert bool(KANA.search(text)) == (row["lang"] == "ja"), row


def test_nothing_looks_like_a_secret() -> None:
    for name in ("month.jsonl", "notes.json", "questions.json", "README.md"):
        assert SECRET_LOOKING.findall((DEMO / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "planted",
    [
        "-----BEGIN " + "PRIVATE KEY-----",
        "my token: " + "abc",
        "ghp_" + "a1B2" * 9,
        "https://me:" + "pw@example.org",
        "x" * 20 + "A1b2C3",
    ],
)
def test_the_rule_above_would_notice_a_secret(planted: str) -> None:
    assert SECRET_LOOKING.search(planted)


def test_every_note_can_be_remembered_as_it_is() -> None:
    needed = {"title", "text", "kind", "tags", "lang", "source"}
    for note in NOTES:
        assert needed <= note.keys() <= needed | {"due", "claim"}, note
        assert note["kind"] in KINDS, note
        assert note["source"] in set(Origin), note
        assert len(note["text"]) <= Limits().body_characters, note
        assert ("due" in note) == (note["kind"] == "commitment"), note
        assert date.fromisoformat(note.get("due", "2026-06-01")) > date(2026, 5, 31), note
        assert all(part.strip() for part in note.get("claim", "key=value").partition("=")), note


def test_notes_have_titles_of_their_own_in_five_languages() -> None:
    assert len({note["title"] for note in NOTES}) == len(NOTES)
    assert {note["lang"] for note in NOTES} == LANGUAGES


def test_two_notes_claim_different_things_and_the_later_one_is_last() -> None:
    claims = [note["claim"].split("=", 1) for note in NOTES if "claim" in note]

    assert [key for key, times in Counter(key for key, _ in claims).items() if times > 1] == ["wl-7.warm-up"]
    assert [value for key, value in claims if key == "wl-7.warm-up"] == ["90 s", "30 s"]
    assert NOTES[-1]["claim"].startswith("wl-7.warm-up=")


def test_every_expected_place_exists() -> None:
    places = {reference(row) for row in TURNS} | {f"note:{note['title']}" for note in NOTES}

    for question in QUESTIONS:
        assert set(question["expect"]) <= places, question
        assert len(set(question["expect"])) == len(question["expect"]), question


def test_questions_are_asked_in_five_languages_some_across_and_six_in_vain() -> None:
    spoken = {reference(row): row["lang"] for row in TURNS} | {f"note:{note['title']}": note["lang"] for note in NOTES}
    answers = [(question["lang"], {spoken[place] for place in question["expect"]}) for question in QUESTIONS]

    assert len(QUESTIONS) >= 30
    assert {lang for lang, _ in answers} == LANGUAGES
    assert sum(bool(found) and lang not in found for lang, found in answers) >= 12
    assert sum(not found for _, found in answers) == 6


def test_a_question_with_a_moment_is_asked_after_what_answers_it() -> None:
    said = {reference(row): parse_instant(row["at"]) for row in TURNS}
    timed = [question for question in QUESTIONS if "now" in question]

    assert timed
    for question in timed:
        assert all(said[place] < parse_instant(question["now"]) for place in question["expect"])
