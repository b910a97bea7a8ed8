"""What a memory cites is looked up when it is written, and again whenever it is quoted."""

from __future__ import annotations

import os
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from rooms import SetClock, an_app, chat, keep

from mnemic.app import App, create_bundle
from mnemic.domain.citations import Standing
from mnemic.domain.drafts import Draft
from mnemic.domain.provenance import Origin, Provenance
from mnemic.errors import (
    CitationRefusedError,
    InvalidCitationError,
    InvalidIdError,
    MemoryNotFoundError,
    MnemicError,
    SessionNotFoundError,
    SourceNotFoundError,
)

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.domain.results import Hit

PLAN = "# Plan\n\nThe harbour wall is mended in June.\nThe crane comes on Tuesday.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a bundle in it, a document in that, and a file beside it."""
    root = tmp_path / "project"
    create_bundle(root / "memory")
    (root / "memory" / "notes").mkdir()
    (root / "memory" / "notes" / "plan.md").write_text(PLAN, encoding="utf-8")
    (root / "README.txt").write_text("One.\r\nTwo.  \r\nThree.\r\n", encoding="utf-8", newline="")
    (tmp_path / "secret.txt").write_text("Nobody's business.\n", encoding="utf-8")
    return root


@pytest.fixture
def app(project: Path) -> App:
    return an_app(project / "memory", clock=SetClock())


def spoken(app: App, tmp_path: Path) -> None:
    turns: list[dict[str, object]] = [
        {"speaker": "Anna", "text": "I moved to Oslo."},
        {"speaker": "Runa", "text": "When?"},
        {"speaker": "Anna", "text": "In May."},
    ]
    app.import_sessions(chat(tmp_path / "kitchen.jsonl", turns), embed=False)


def standing(app: App, wanted: str) -> Standing | None:
    citation = app.show(wanted).citation
    return None if citation is None else citation.standing


def codes(app: App, **options: bool) -> list[tuple[str, str]]:
    return [(each.path, each.code) for each in app.check(**options).problems]


def hit(app: App, query: str) -> Hit:
    return app.recall(query).hits[0]


# -- conversations -----------------------------------------------------------------------------------------------


def test_turns_are_cited_by_their_words(app: App, tmp_path: Path) -> None:
    spoken(app, tmp_path)

    done = keep(app, "oslo", "Anna lives in Oslo.", cites="session:kitchen#1-3")

    source = done.memory.provenance
    assert (source.session, source.turns) == ("kitchen", (1, 2, 3))
    words = "Anna: I moved to Oslo.\n\nRuna: When?\n\nAnna: In May."
    assert source.sha256 == sha256(words.encode()).hexdigest()
    assert standing(app, "notes/oslo") is Standing.INTACT


def test_words_that_were_forgotten_are_cited_no_more(app: App, tmp_path: Path) -> None:
    spoken(app, tmp_path)
    keep(app, "oslo", "Anna lives in Oslo.", cites="session:kitchen#1")
    keep(app, "may", "It was in May.", cites="session:kitchen#2-3")

    app.forget("session:kitchen#2", confirm="session:kitchen#2")

    assert standing(app, "notes/oslo") is Standing.INTACT
    assert standing(app, "notes/may") is None


def test_words_that_are_there_no_more_are_missing(app: App, project: Path, tmp_path: Path) -> None:
    spoken(app, tmp_path)
    keep(app, "oslo", "Anna lives in Oslo.", cites="session:kitchen#1")

    next((project / "memory" / ".mnemic" / "sessions").rglob("*.jsonl")).unlink()

    assert standing(app, "notes/oslo") is Standing.MISSING


def test_a_session_that_was_rewritten_is_stale(app: App, project: Path, tmp_path: Path) -> None:
    spoken(app, tmp_path)
    keep(app, "oslo", "Anna lives in Oslo.", cites="session:kitchen#1")
    log = next((project / "memory" / ".mnemic" / "sessions").rglob("*.jsonl"))
    log.write_text(log.read_text("utf-8").replace("Oslo", "Rome"), encoding="utf-8")

    assert standing(app, "notes/oslo") is Standing.CHANGED


# -- files -------------------------------------------------------------------------------------------------------


def test_lines_of_a_document_are_cited_and_verified(app: App) -> None:
    done = keep(app, "crane", "The crane comes on Tuesday.", cites="notes/plan.md:4")

    source = done.memory.provenance
    assert source.locator == "file:notes/plan.md:4"
    assert source.sha256 == sha256(b"The crane comes on Tuesday.").hexdigest()
    assert standing(app, "notes/crane") is Standing.INTACT


def test_lines_that_moved_are_found_again(app: App, project: Path) -> None:
    keep(app, "crane", "The crane is late.", cites="notes/plan.md:3-4")
    plan = project / "memory" / "notes" / "plan.md"
    plan.write_text("New.\r\nNew.\r\n" + PLAN.replace("\n", " \r\n"), encoding="utf-8", newline="")

    citation = app.show("notes/crane").citation

    assert citation is not None
    assert (citation.standing, citation.now) == (Standing.MOVED, "notes/plan.md:5-6")
    assert not citation.stale


@pytest.mark.parametrize("text", [PLAN.replace("Tuesday", "Friday"), "", "Short.\n", PLAN.encode("utf-16").hex()])
def test_lines_that_say_something_else_are_stale(app: App, project: Path, text: str) -> None:
    keep(app, "crane", "The crane comes on Tuesday.", cites="notes/plan.md:4")
    (project / "memory" / "notes" / "plan.md").write_text(text, encoding="utf-8")

    assert standing(app, "notes/crane") is Standing.CHANGED


def test_a_file_that_is_gone_is_missing(app: App, project: Path) -> None:
    keep(app, "crane", "The crane comes on Tuesday.", cites="notes/plan.md:4")
    (project / "memory" / "notes" / "plan.md").unlink()

    assert standing(app, "notes/crane") is Standing.MISSING


def test_a_person_cites_files_of_the_project(app: App, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named from where they stand; kept by the way from the bundle, so that the project can be moved."""
    monkeypatch.chdir(project)

    done = keep(app, "two", "There are three.", cites="README.txt:2-3")

    assert done.memory.provenance.locator == "file:../README.txt:2-3"
    assert done.memory.provenance.sha256 == sha256(b"Two.\nThree.").hexdigest()
    assert standing(app, "notes/two") is Standing.INTACT


@pytest.mark.parametrize(
    ("cites", "error"),
    [
        ("../../secret.txt:1", CitationRefusedError),
        ("/etc/hostname:1", CitationRefusedError),
        (".mnemic/index.db:1", CitationRefusedError),
        ("link.txt:1", CitationRefusedError),
        ("notes:1", CitationRefusedError),
        ("picture.bin:1", CitationRefusedError),
        ("big.txt:1", CitationRefusedError),
        ("a\0b:1", CitationRefusedError),
        ("notes/none.md:1", SourceNotFoundError),
        ("notes/plan.md:99", SourceNotFoundError),
        ("notes/plan.md:4-3", InvalidCitationError),
        ("notes/plan.md:0", InvalidCitationError),
        ("notes/plan.md:1-99999", InvalidCitationError),
        ("notes/plan.md", InvalidCitationError),
        (":3", InvalidCitationError),
        ("session:kitchen", InvalidCitationError),
        ("session:#3", InvalidCitationError),
        ("session:kitchen#x", InvalidCitationError),
        ("session:none#1", SessionNotFoundError),
    ],
)
def test_what_cannot_be_cited_is_refused_and_nothing_is_written(
    app: App, project: Path, tmp_path: Path, cites: str, error: type[MnemicError]
) -> None:
    memory = project / "memory"
    (memory / "link.txt").symlink_to(tmp_path / "secret.txt")
    (memory / "picture.bin").write_bytes(b"\xff\xfe\0\1")
    (memory / "big.txt").write_bytes(b"x\n" * 600_000)

    with pytest.raises(error) as refused:
        keep(app, "no", "Nothing.", cites=cites)

    assert "business" not in f"{refused.value}{refused.value.hint}"
    assert not (memory / "notes" / "no.md").exists()


def test_a_citation_that_leads_out_by_hand_is_never_read(app: App, project: Path, tmp_path: Path) -> None:
    """Whoever made the bundle learns nothing of the files around it."""
    digest = sha256(b"Nobody's business.").hexdigest()
    for name, locator in (("out", "file:../../secret.txt:1"), ("root", f"file:{tmp_path}/secret.txt:1")):
        (project / "memory" / "notes" / f"{name}.md").write_text(
            f"---\ntype: note\nsource:\n  locator: {locator}\n  sha256: {digest}\n---\nA guess.\n", encoding="utf-8"
        )

        assert standing(app, f"notes/{name}") is Standing.MISSING


def test_a_file_and_a_locator_cannot_both_be_kept(app: App) -> None:
    with pytest.raises(InvalidCitationError, match="locator"):
        keep(app, "no", cites="notes/plan.md:1", provenance=Provenance.of(Origin.WEB, locator="https://example.org"))


# -- agents ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cites", "error"),
    [
        ("../README.txt:1", InvalidIdError),
        ("README.txt:1", MemoryNotFoundError),
        ("/etc/hostname:1", InvalidIdError),
        ("notes/none.md:1", MemoryNotFoundError),
    ],
)
def test_an_agent_cites_nothing_but_what_the_bundle_holds(
    app: App, project: Path, monkeypatch: pytest.MonkeyPatch, cites: str, error: type[MnemicError]
) -> None:
    monkeypatch.chdir(project)
    with app.conversation("c").begin("Look it up.") as turn:
        receipt = turn.search("crane").receipt
        with pytest.raises(error):
            turn.write(Draft(body="The crane.", cites=cites), receipt=receipt)
        done = turn.write(Draft(body="The crane is due.", cites="Notes/Plan.md:4"), receipt=receipt)

    assert done.memory.provenance.locator == "file:notes/plan.md:4"


def test_an_agent_cites_through_its_tool_and_sees_what_stands(app: App, project: Path) -> None:
    with app.conversation("c").begin("Remember the crane.") as turn:
        receipt = turn.search("crane").receipt
        turn.call(
            "memory_write",
            {
                "receipt": receipt,
                "id": "notes/crane",
                "text": "The crane comes on Tuesday.",
                "cites": "notes/plan.md:4",
            },
        )
        turn.search("crane Tuesday")
        before = turn.call("memory_read", {"id": "notes/crane"})
        plan = project / "memory" / "notes" / "plan.md"
        plan.write_text(PLAN.replace("Tuesday", "Friday"), encoding="utf-8")
        after = turn.call("memory_read", {"id": "notes/crane"})
        found = turn.call("memory_search", {"query": "crane Tuesday"})

    assert before.data["citation"] == {"cited": "notes/plan.md:4", "standing": "intact"}
    assert after.data["citation"] == {"cited": "notes/plan.md:4", "standing": "changed"}
    assert "STALE" in after.text
    assert "STALE" not in before.text
    result = next(one for one in found.data["results"] if one["id"] == "notes/crane")
    assert result["citation"]["standing"] == "changed"


# -- where it is told --------------------------------------------------------------------------------------------


def test_a_recall_tells_whether_what_it_quotes_still_stands(app: App, project: Path) -> None:
    keep(app, "crane", "The crane comes on Tuesday, says the plan.", cites="notes/plan.md:4")
    first = hit(app, "when does the crane come, says the plan?")
    (project / "memory" / "notes" / "plan.md").write_text("Nothing.\n", encoding="utf-8")
    second = hit(app, "when does the crane come, says the plan?")

    assert [each.citation and each.citation.standing for each in (first, second)] == [
        Standing.INTACT,
        Standing.CHANGED,
    ]


def test_a_recall_in_a_hurry_looks_at_no_file(app: App) -> None:
    keep(app, "crane", "The crane comes on Tuesday, says the plan.", cites="notes/plan.md:4")

    assert app.recall("when does the crane come?", quick=True).hits[0].citation is None


def test_a_check_lists_what_is_stale_and_what_is_gone(app: App, project: Path, tmp_path: Path) -> None:
    spoken(app, tmp_path)
    keep(app, "crane", "The crane comes on Tuesday.", cites="notes/plan.md:4")
    keep(app, "oslo", "Anna lives in Oslo.", cites="session:kitchen#1")
    keep(app, "wall", "The wall is mended.", cites="notes/plan.md:3")
    assert codes(app) == [("notes/plan.md", "no_frontmatter")]

    (project / "memory" / "notes" / "plan.md").write_text(PLAN.replace("Tuesday", "Friday"), encoding="utf-8")
    next((project / "memory" / ".mnemic" / "sessions").rglob("*.jsonl")).unlink()

    stale = [("notes/crane.md", "stale_citation"), ("notes/oslo.md", "missing_source")]
    assert codes(app) == [("notes/plan.md", "no_frontmatter"), *stale]
    assert codes(app, repair=True) == stale


def test_a_file_is_read_again_only_when_it_changed(app: App, project: Path) -> None:
    """The same lines under the same stamp are not read twice; a change is noticed by the stamp."""
    path = project / "memory" / "notes" / "plan.md"
    files = app.bundle.files
    first = files.lines("notes/plan.md")

    assert files.lines("notes/plan.md") is first
    path.write_text(PLAN + "More.\n", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert files.lines("notes/plan.md") == (*first, "More.")


def test_a_bundle_that_cites_no_files_says_so(app: App) -> None:
    from mnemic.services.bundle import NoFiles

    app.bundle = replace(app.bundle, files=NoFiles())

    with pytest.raises(CitationRefusedError, match="cites no files"):
        keep(app, "no", cites="notes/plan.md:1")
