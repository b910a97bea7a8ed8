"""Memories that contradict each other: what is quarantined, what is only told, and the list of all of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from rooms import NOW, an_app, keep

from mnemic.domain.contradictions import Doubt
from mnemic.domain.memory import Claim, Scope, State
from mnemic.services.judging.contradict import MOST_TOLD

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App
    from mnemic.domain.drafts import Remembered


@pytest.fixture
def app(tmp_path: Path) -> App:
    return an_app(tmp_path / "memory")


def codes(done: Remembered) -> list[str]:
    return [str(warning.code) for warning in done.warnings]


def pairs(app: App) -> list[tuple[str, str, str]]:
    return [(str(each.doubt), each.one.id, each.other.id) for each in app.contradictions()]


# -- claims ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("Anna / Budget", "1000"),
        ("anna:budget", "1,000"),
        ("ＡＮＮＡ.budget", "1 000.0"),
        ("anna > budget", "1k"),
        ("Anna.Budget", "1.000,0"),
    ],
)
def test_the_same_value_in_another_spelling_is_no_contradiction(app: App, key: str, value: str) -> None:
    keep(app, "one", "What Anna may spend.", claim=Claim("anna.budget", "1000"))

    done = keep(app, "other", "How much money she has for it.", claim=Claim(key, value))

    assert (done.memory.state, codes(done)) == (State.ACTIVE, [])


def test_another_value_under_a_key_in_another_spelling_is_quarantined(app: App) -> None:
    keep(app, "one", "What Anna may spend.", claim=Claim("anna.budget", "1,000"))

    done = keep(app, "other", "How much money she has for it.", claim=Claim("Anna / Budget", "2000"))

    assert (done.memory.state, codes(done)) == (State.QUARANTINED, ["contradiction"])
    assert app.bundle.store.find("notes/one").memory.state is State.ACTIVE


@pytest.mark.parametrize(
    ("first", "second", "state"),
    [
        (("2025-01-01", None), (None, "2025-01-01"), State.ACTIVE),
        (("2025-01-01", None), (None, "2025-01-02"), State.QUARANTINED),
        (("0001-01-01", "9999-12-31"), ("9999-12-30", None), State.QUARANTINED),
        (("0001-01-01", "0001-01-02"), ("9999-12-30", "9999-12-31"), State.ACTIVE),
    ],
)
def test_only_claims_of_a_common_time_contradict(
    app: App, first: tuple[str | None, str | None], second: tuple[str | None, str | None], state: State
) -> None:
    def times(span: tuple[str | None, str | None]) -> dict[str, datetime | None]:
        begin, end = (datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None for day in span)
        return {"valid_from": begin, "valid_until": end}

    keep(app, "one", "Her first town.", claim=Claim("anna.city", "Oslo"), **times(first))

    assert keep(app, "other", "Another place.", claim=Claim("anna.city", "Rome"), **times(second)).memory.state is state


def test_of_two_users_each_has_a_city_of_their_own(app: App) -> None:
    keep(app, "one", "Lives in Oslo.", claim=Claim("city", "Oslo"), scope=Scope(user="anna"))

    assert codes(keep(app, "two", "Lives in Rome.", claim=Claim("city", "Rome"), scope=Scope(user="bertil"))) == []
    assert codes(keep(app, "three", "At home in Bonn.", claim=Claim("city", "Bonn"), scope=Scope(user="anna"))) == [
        "contradiction"
    ]


def test_a_claim_of_ten_kilobytes_is_compared_and_told_in_short(app: App) -> None:
    keep(app, "one", "A long story.", claim=Claim("story", "word " * 2_000))

    done = keep(app, "other", "Another one.", claim=Claim("story", "word " * 1_999 + "end"))

    assert codes(done) == ["contradiction"]
    assert len(done.warnings[0].message) < 500


# -- sentences ---------------------------------------------------------------------------------------------------


def test_what_only_sounds_like_a_contradiction_is_kept_and_both_texts_are_told(app: App) -> None:
    keep(app, "oslo", "Anna lives in Oslo.")

    done = keep(app, "bergen", "Anna lives in Bergen.\n\nShe likes the rain.")

    (warning,) = done.warnings
    assert (done.memory.state, warning.code) == (State.ACTIVE, "may_contradict")
    assert [(each.id, each.text) for each in warning.statements] == [
        ("notes/bergen", "Anna lives in Bergen."),
        ("notes/oslo", "Anna lives in Oslo."),
    ]
    assert app.bundle.store.find("notes/oslo").memory.state is State.ACTIVE


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Мы используем PostgreSQL.", "Мы используем MySQL."),
        ("アンナはオスロに住んでいます。", "アンナはベルゲンに住んでいます。"),
        ("安娜住在奥斯陆。", "安娜住在卑尔根。"),
        ("Das Zeitlimit ist 30 Sekunden.", "Das Zeitlimit ist 45 Sekunden."),
        ("We use k8s for scheduling.", "We moved from k8s to nomad."),
    ],
)
def test_it_is_found_among_other_memories_in_each_language(app: App, known: str, new: str) -> None:
    for number in range(12):
        keep(app, f"other-{number}", f"Note {number} about honey, bees and the weather on the island.")
    keep(app, "known", known)

    done = keep(app, "new", new)

    assert codes(done) == ["may_contradict"]
    assert done.warnings[0].statements[1].id == "notes/known"


def test_it_is_found_in_the_middle_of_a_longer_note(app: App) -> None:
    keep(app, "trip", "# Summer\n\nThe ferry was late. The house is by the sea. Anna lives in Oslo. The bees are well.")

    assert codes(keep(app, "bergen", "Anna lives in Bergen.", title="Where Anna lives")) == ["may_contradict"]


def test_what_a_memory_replaces_does_not_contradict_it(app: App) -> None:
    keep(app, "oslo", "Anna lives in Oslo.")

    assert codes(keep(app, "bergen", "Anna lives in Bergen.", supersedes=("notes/oslo",))) == []
    assert codes(keep(app, "rome", "Anna lives in Rome.")) == ["may_contradict"]


@pytest.mark.parametrize(
    "fields",
    [
        {"valid_until": NOW - timedelta(days=400)},
        {"kind": "episode"},
        {"scope": Scope(user="somebody else")},
    ],
    ids=["over before", "something that happened", "of somebody else"],
)
def test_what_can_be_so_besides_is_not_told(app: App, fields: dict[str, object]) -> None:
    since = NOW - timedelta(days=300)
    keep(app, "oslo", "Anna lives in Oslo.", valid_from=since, scope=Scope(user="anna"))

    assert codes(keep(app, "bergen", "Anna lives in Bergen.", **fields)) == []


def test_under_titles_of_their_own_a_sentence_without_a_name_is_about_its_title(app: App) -> None:
    keep(app, "a", "Listens on port 5432.", title="Orders database")

    assert codes(keep(app, "b", "Listens on port 6432.", title="Search service")) == []
    assert codes(keep(app, "c", "Listens on port 7432.", title="Orders database")) == ["may_contradict"]


def test_an_edit_of_the_words_is_looked_at_and_one_of_the_tags_is_not(app: App) -> None:
    keep(app, "oslo", "Anna lives in Oslo.")
    keep(app, "bergen", "Anna has a boat.")

    worded = app.edit("notes/bergen", lambda _: {"body": "Anna lives in Bergen.", "title": "Bergen"})
    tagged = app.edit("notes/bergen", lambda _: {"tags": ("anna",)})

    assert (codes(worded), codes(tagged)) == (["may_contradict"], [])


def test_a_few_are_told_however_many_there_are(app: App) -> None:
    for number, city in enumerate(("Oslo", "Rome", "Bonn", "Kiel", "Lyon", "Graz")):
        keep(app, f"n{number}", f"Anna lives in {city}.")

    assert len(codes(keep(app, "new", "Anna lives in Bergen."))) == MOST_TOLD


# -- all of a bundle ---------------------------------------------------------------------------------------------


def test_all_pairs_of_a_bundle_are_listed_once_and_in_the_same_order(app: App) -> None:
    keep(app, "oslo", "Anna lives in Oslo.")
    keep(app, "bergen", "Anna lives in Bergen.")
    keep(app, "tea", "Bertil drinks tea.", claim=Claim("bertil.drink", "tea"))
    by_hand = "---\ntype: note\nclaim: {key: Bertil / Drink, value: coffee}\n---\nIt is coffee that he wants.\n"
    (app.root / "notes/by-hand.md").write_text(by_hand, encoding="utf-8")

    assert pairs(app) == [
        (Doubt.CONTRADICTION, "notes/by-hand", "notes/tea"),
        (Doubt.MAY_CONTRADICT, "notes/bergen", "notes/oslo"),
    ]
    assert pairs(app) == pairs(app)
    app.reindex(rebuild=True)
    assert len(pairs(app)) == 2


def test_what_is_superseded_is_not_listed(app: App) -> None:
    keep(app, "oslo", "Anna lives in Oslo.")
    keep(app, "bergen", "Anna lives in Bergen.", supersedes=("notes/oslo",))

    assert pairs(app) == []


def test_what_is_told_at_writing_is_listed_later(app: App) -> None:
    sentences = ("The limit is 30.", "The limit is 45.", "Anna likes coffee.", "Anna does not like coffee.")
    told = [(keep(app, f"n{number}", text), number) for number, text in enumerate(sentences)]

    listed = {(one, other) for _, one, other in pairs(app)}
    assert listed == {
        tuple(sorted((done.memory.id, warning.statements[1].id))) for done, _ in told for warning in done.warnings
    }
    assert len(listed) == 2


def test_what_a_sensitive_memory_says_is_not_shown(app: App) -> None:
    """One that somebody wrote by hand, in plain text: it is in no index, so nothing is compared with it."""
    head = "---\ntype: note\nprivacy: sensitive\nclaim: {key: anna.city, value: Oslo}\n---\n"
    (app.root / "notes").mkdir(exist_ok=True)
    (app.root / "notes/hidden.md").write_text(f"{head}Anna lives in Oslo.\n", encoding="utf-8")

    worded = keep(app, "bergen", "Anna lives in Bergen.")
    claimed = keep(app, "rome", "Her town.", claim=Claim("anna.city", "Rome"))

    assert (codes(worded), codes(claimed)) == ([], [])
    app.edit("notes/rome", lambda _: {"state": State.ACTIVE, "claim": None})
    assert "Oslo" not in str(app.contradictions())
