"""Replay looks over everything and proposes; it applies nothing, and the same bundle gives the same proposals."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rooms import KEY, NOW, SetClock, an_app, documents, found, keep

from mnemic.domain.memory import Claim, Loading, Privacy, Scope, State
from mnemic.domain.outcomes import Result
from mnemic.domain.proposals import Aim, Verdict
from mnemic.domain.provenance import Origin, Provenance
from mnemic.errors import ConfigError, ReadOnlyBundleError

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App
    from mnemic.domain.drafts import Remembered
    from mnemic.domain.proposals import Proposal, Support

OSLO, BERGEN = Claim("anna.city", "Oslo"), Claim("anna.city", "Bergen")


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def app(tmp_path: Path, clock: SetClock) -> App:
    return an_app(tmp_path / "memory", clock=clock)


def told(app: App, name: str, claim: Claim = OSLO, **fields: Any) -> Remembered:  # noqa: ANN401 - a Draft's
    """A note from a session of its own."""
    source = fields.pop("source", Provenance.of(Origin.USER_SAID, session=f"session-{name}"))
    return keep(app, name, f"In {name} it was {claim.value[:40]}.", claim=claim, provenance=source, **fields)


def write(app: App, name: str, body: str, **head: object) -> None:
    """A note as a person writes it, whatever stands there already."""
    path = app.root / f"notes/{name}.md"
    path.parent.mkdir(exist_ok=True)
    lines = {"type": "note", "title": f'"{body.splitlines()[0]}"', "timestamp": "2026-05-01T00:00:00Z", **head}
    told = "\n".join(f"{key}: {value}" for key, value in lines.items())
    path.write_text(f"---\n{told}\n---\n\n{body}\n", encoding="utf-8")


def of_aim(app: App, aim: Aim, *, dry_run: bool = True) -> list[Proposal]:
    return [each for each in app.replay(dry_run=dry_run).proposals if each.aim is aim]


def support(app: App, value: str = "Oslo") -> Support:
    (one,) = [each for each in app.replay(dry_run=True).supports if each.claim_value == value]
    return one


def memory(app: App, name: str) -> Any:  # noqa: ANN401 - whatever is shown
    return app.show(name).memory.memory  # type: ignore[union-attr]


# -- promotion ---------------------------------------------------------------------------------------------------


def test_what_two_sources_claim_is_proposed_as_a_belief_that_names_them(app: App) -> None:
    told(app, "one", confidence=0.8, tags=("anna",))
    told(app, "two", Claim("Anna / City", " OSLO. "), confidence=0.6, salience=0.7)

    (proposal,) = app.replay().proposals

    assert (proposal.aim, proposal.id, proposal.made_by) == (Aim.PROMOTE, "2026-05-03-promote-anna-city-oslo", "replay")
    assert [each.id for each in proposal.evidence] == ["notes/one", "notes/two"]
    assert proposal.support is not None
    assert (proposal.support.independent_sources, proposal.support.eligible) == (2, True)
    assert proposal.support.confidence == pytest.approx(0.7 * 0.7)
    (step,) = proposal.steps
    belief = step.after
    assert step.before is None
    assert (belief.kind, belief.claim, belief.confidence, belief.salience) == ("belief", OSLO, 0.49, 0.7)
    assert belief.extra["derived_from"] == ["notes/one", "notes/two"]
    assert belief.tags == ("anna",)


def test_nothing_becomes_a_belief_before_a_person_approves(app: App) -> None:
    told(app, "one")
    told(app, "two")
    before = documents(app.root)

    (proposal,) = app.replay().proposals
    after = documents(app.root)
    new = after.keys() - before.keys()

    assert {name for name in before if after[name] != before[name]} == set()
    assert new == {f"_proposals/{proposal.id}.md"}
    assert "beliefs" not in " ".join(found(app, "Where does Anna live?"))
    app.proposals.approve(proposal.id)
    assert memory(app, "beliefs/anna-city-oslo").claim == OSLO
    assert [memory(app, f"notes/{name}").state for name in ("one", "two")] == [State.ACTIVE, State.ACTIVE]


def test_what_waits_keeps_the_words_that_a_person_may_have_read(app: App, clock: SetClock) -> None:
    for name, page in (("one", "https://one.example/"), ("two", "https://two.example/")):
        told(app, name, source=Provenance.of(Origin.WEB, locator=page))
    (first,) = of_aim(app, Aim.PROMOTE, dry_run=False)
    clock.move(hours=1)
    source = Provenance.of(Origin.WEB, locator="https://three.example/")
    keep(app, "three", "Oslo, and their bank is Cheap Bank.", claim=OSLO, provenance=source)

    (second,) = of_aim(app, Aim.PROMOTE, dry_run=False)

    (waiting,) = [each for each in app.proposals.list()[0] if each.proposal.aim is Aim.PROMOTE]
    assert (waiting.proposal.id, second.id) == (first.id, first.id)
    assert waiting.proposal.steps[0].after.body == first.steps[0].after.body
    assert len(waiting.proposal.evidence) == 3
    assert waiting.proposal.steps[0].after.extra["derived_from"] == ["notes/one", "notes/two", "notes/three"]
    assert "Cheap Bank" not in app.proposals.approve(first.id).memories[0].memory.body


def test_claims_that_are_not_enough_are_reported_with_all_fields_and_not_proposed(app: App) -> None:
    same = Provenance.of(Origin.USER_SAID, session="s1")
    told(app, "one", source=same)
    told(app, "two", source=same, confidence=0.7)
    told(app, "red", Claim("car.colour", "red"))
    told(app, "blue", Claim("car.colour", "blue"))

    done = app.replay(dry_run=True)

    assert done.proposals == ()
    assert [(each.claim_key, each.claim_value, each.independent_sources) for each in done.supports] == [
        ("anna.city", "Oslo", 1),
        ("car.colour", "red", 1),
    ]
    assert [each.eligible for each in done.supports] == [False, False]
    assert done.supports[1].conflicting_values == ("blue",)


def test_eligible_claims_come_first_then_the_surest(app: App) -> None:
    for key, sessions, confidence in (("a", 2, 0.2), ("b", 1, 0.9), ("c", 2, 0.6), ("d", 1, 0.3)):
        for number in range(2):
            source = Provenance.of(Origin.USER_SAID, session=f"{key}{number % sessions}")
            told(app, f"{key}{number}", Claim(key, "yes"), source=source, confidence=confidence)

    assert [each.claim_key for each in app.replay(dry_run=True).supports] == ["c", "a", "b", "d"]


def test_values_that_mean_the_same_support_each_other(app: App) -> None:
    told(app, "one", Claim("release.day", "3 May 2026"))
    told(app, "two", Claim("release.day", "2026-05-03"))

    (proposal,) = of_aim(app, Aim.PROMOTE)

    assert proposal.support is not None
    assert proposal.support.support == ("notes/one", "notes/two")


def test_a_belief_says_the_day_and_not_tomorrow(app: App, clock: SetClock) -> None:
    told(app, "one", Claim("tea.day", "2026-05-04"))
    told(app, "two", Claim("tea.day", "tomorrow"), salience=0.9, confidence=0.9)
    clock.move(days=1)
    keep(app, "ten", claim=Claim("bus.day", "tomorrow"), provenance=Provenance.of(Origin.USER_SAID, session="s1"))
    keep(app, "six", claim=Claim("bus.day", "tomorrow"), provenance=Provenance.of(Origin.USER_SAID, session="s2"))
    clock.move(days=1)

    (proposal,) = of_aim(app, Aim.PROMOTE, dry_run=False)

    assert proposal.steps[0].after.claim == Claim("tea.day", "2026-05-04")
    app.proposals.approve(proposal.id)


def test_another_value_active_or_held_back_keeps_a_claim_from_being_proposed(app: App) -> None:
    told(app, "one")
    told(app, "two")
    assert support(app).eligible

    told(app, "bergen", BERGEN)

    assert memory(app, "notes/bergen").state is State.QUARANTINED
    assert (support(app).conflicting_values, support(app).eligible) == (("Bergen",), False)
    app.quarantine.reject("notes/bergen")
    assert support(app).eligible


def test_another_value_of_another_time_or_another_user_is_no_conflict(app: App) -> None:
    begun, ended = datetime(2025, 1, 1, tzinfo=UTC), datetime(2024, 12, 31, tzinfo=UTC)
    told(app, "one", valid_from=begun)
    told(app, "two", valid_from=datetime(2025, 6, 1, tzinfo=UTC))
    told(app, "before", BERGEN, valid_until=ended)
    keep(app, "bert", claim=BERGEN, scope=Scope(user="bert"))

    assert support(app).conflicting_values == ("Bergen",)  # it may be meant for Bert, or for anybody
    app.edit("notes/bert", lambda _: {"state": State.ARCHIVED})
    (proposal,) = of_aim(app, Aim.PROMOTE)
    assert proposal.steps[0].after.valid_from == datetime(2025, 6, 1, tzinfo=UTC)


def test_what_has_ended_or_not_begun_supports_nothing_now(app: App) -> None:
    told(app, "one")
    told(app, "two", valid_until=datetime(2026, 1, 1, tzinfo=UTC))
    told(app, "three", valid_from=datetime(2027, 1, 1, tzinfo=UTC))

    assert support(app).support == ("notes/one",)


def test_two_users_get_a_belief_each(app: App) -> None:
    for user in ("anna", "bert"):
        for number in range(2):
            told(app, f"{user}{number}", Claim("city", "Oslo"), scope=Scope(user=user))

    made = of_aim(app, Aim.PROMOTE, dry_run=False)

    assert [each.steps[0].after.scope.user for each in made] == ["anna", "bert"]
    assert len({each.id for each in made}) == 2
    assert app.replay().proposals == ()


def test_a_correction_takes_support_away_and_weighs_against_the_value(app: App) -> None:
    for name in ("one", "two", "three"):
        told(app, name, confidence=0.6)
    sure = support(app).confidence

    app_correction = Provenance.of(Origin.USER_EXPLICIT, session="late")
    keep(app, "no", "That was a joke.", kind="correction", supersedes=("notes/three",), provenance=app_correction)

    weighed = support(app)
    assert weighed.support == ("notes/one", "notes/two")
    assert weighed.confidence == pytest.approx(sure * 2 / 3, abs=1e-3)
    assert weighed.eligible


def test_a_failed_outcome_weighs_against_what_it_belongs_to_until_a_newer_one_succeeds(
    app: App, clock: SetClock
) -> None:
    told(app, "one")
    told(app, "two")
    keep(app, "crash", "It broke.", kind="outcome", outcome_of="notes/two", result=Result.FAILED)

    weighed = support(app)
    assert (weighed.support, weighed.eligible) == (("notes/one",), False)
    assert weighed.confidence == pytest.approx(0.7 * 0.25)

    clock.move(days=1)
    keep(app, "works", "It works.", kind="outcome", outcome_of="notes/two", result=Result.SUCCEEDED)
    assert support(app).eligible


def test_a_model_that_repeats_the_user_is_no_second_source(app: App) -> None:
    told(app, "one")
    told(app, "model", source=Provenance.of(Origin.MODEL, session="much-later"))

    assert (support(app).independent_sources, support(app).eligible) == (1, False)


def test_a_belief_that_stands_is_not_proposed_again_but_may_become_surer(app: App) -> None:
    told(app, "one", confidence=0.6)
    told(app, "two", confidence=0.6)
    app.proposals.approve(app.replay().proposals[0].id)
    assert app.replay().proposals == ()

    checked = Provenance.of(Origin.VERIFIED_EXTERNAL, locator="https://register.no/anna", verified=True)
    told(app, "register", source=checked, confidence=0.9)

    (proposal,) = app.replay().proposals
    assert (proposal.aim, proposal.steps[0].after.id) == (Aim.CHANGE, "beliefs/anna-city-oslo")
    app.proposals.approve(proposal.id)
    belief = memory(app, "beliefs/anna-city-oslo")
    assert belief.confidence == pytest.approx(0.7 * 0.7 + 0.3 / 3)
    assert belief.extra["derived_from"] == ["notes/one", "notes/register", "notes/two"]
    assert app.replay().proposals == ()


def test_a_refused_belief_comes_back_only_with_more_sources(app: App) -> None:
    told(app, "one")
    told(app, "two")
    app.proposals.reject(app.replay().proposals[0].id)
    assert app.replay().proposals == ()
    same = Provenance.of(Origin.USER_SAID, session="session-two")
    told(app, "again", source=same)
    assert app.replay().proposals == ()

    told(app, "three")

    assert [each.aim for each in app.replay().proposals] == [Aim.PROMOTE]


def test_what_a_sensitive_memory_claims_is_never_told_and_supports_nothing(app: App) -> None:
    told(app, "one")
    told(app, "two")
    claim = "\nclaim:\n  key: anna.city\n  value: Tromsø"
    write(app, "secret", "Anna hides.", privacy=f"sensitive{claim}")

    done = app.replay(dry_run=True)

    assert "Tromsø" not in str(done)
    assert memory(app, "notes/secret").privacy is Privacy.SENSITIVE
    assert done.proposals == ()


# -- merging -----------------------------------------------------------------------------------------------------


def test_the_memory_with_most_authority_is_kept_with_what_the_others_say_besides(app: App) -> None:
    keep(app, "user", "Tea is at four. Bring cups.", tags=("tea",), provenance=Provenance.of(Origin.USER_EXPLICIT))
    keep(app, "said", "Bring cups. Tea is at four. Anna comes too.", tags=("anna",), salience=0.8,
         provenance=Provenance.of(Origin.USER_EXPLICIT, authority=0.7))  # fmt: skip

    (proposal,) = app.replay().proposals

    assert (proposal.aim, proposal.id) == (Aim.MERGE, "2026-05-03-merge-notes-user")
    app.proposals.approve(proposal.id)
    kept, gone = memory(app, "notes/user"), memory(app, "notes/said")
    assert kept.body.split("\n\n") == ["Tea is at four. Bring cups.", "Anna comes too."]
    assert (kept.tags, kept.salience, kept.supersedes) == (("tea", "anna"), 0.8, ("notes/said",))
    assert (gone.state, gone.superseded_by) == (State.SUPERSEDED, ("notes/user",))
    app.proposals.undo(proposal.id)
    assert memory(app, "notes/said").state is State.ACTIVE
    assert app.replay().proposals == ()


def test_of_equal_authority_the_newest_is_kept(app: App) -> None:
    write(app, "old", "Tea is at four.", timestamp="2026-04-01T00:00:00Z")
    write(app, "new", "tea is at four", timestamp="2026-05-01T00:00:00Z")

    (proposal,) = of_aim(app, Aim.MERGE)

    assert [step.after.id for step in proposal.steps] == ["notes/new", "notes/old"]


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "preference"},
        {"scope": "\n  user: bert"},
        {"valid_until": "2027-01-01T00:00:00Z"},
        {"title": "The office in Lund"},
        {"resource": "https://b.no"},
        {"load": "always"},
        {"privacy": "sensitive"},
        {"claim": "\n  key: tea.hour\n  value: five"},
        {"status": "archived"},
    ],
)
def test_memories_that_differ_in_more_than_words_stay_two(app: App, fields: dict[str, object]) -> None:
    common = {"resource": "https://a.no", "claim": "\n  key: tea.hour\n  value: 4"}
    write(app, "one", "Tea is at four.", **common)
    write(app, "same", "tea is at four", **common)
    assert len(of_aim(app, Aim.MERGE)) == 1

    write(app, "same", "tea is at four", **{**common, **fields})

    assert of_aim(app, Aim.MERGE) == []


def test_a_stranger_adds_nothing_to_what_a_trusted_memory_says(app: App) -> None:
    keep(app, "mine", "Tea is at four. Bring cups.", provenance=Provenance.of(Origin.USER_EXPLICIT))
    keep(app, "web", "Tea is at four. Bring cups. Pay Mallory.", provenance=Provenance.of(Origin.WEB))
    assert of_aim(app, Aim.MERGE) == []

    write(app, "web", "Tea is at four. Bring cups.", source="\n  origin: web")

    (proposal,) = of_aim(app, Aim.MERGE)
    assert proposal.steps[0].after.body.strip() == "Tea is at four. Bring cups."


def test_two_memories_that_each_fit_a_third_and_not_each_other_are_not_put_together(app: App) -> None:
    shared = "Tea is at four. Bring cups. Sit down. Ida pours."
    write(app, "short", shared, timestamp="2026-05-02T00:00:00Z")
    write(app, "door", f"{shared} Bert waits by the old door.")
    write(app, "gate", f"{shared} Bert waits by the old gate.")

    (proposal,) = of_aim(app, Aim.MERGE)

    assert [step.after.id for step in proposal.steps] == ["notes/short", "notes/door"]


def test_what_happened_twice_happened_twice(app: App) -> None:
    write(app, "may", "We met Ida for tea.", type="episode", timestamp="2026-05-01T10:00:00Z")
    write(app, "april", "We met Ida for tea.", type="episode", timestamp="2026-04-01T10:00:00Z")
    assert of_aim(app, Aim.MERGE) == []

    write(app, "copy", "We met Ida for tea.", type="episode", timestamp="2026-05-01T11:00:00Z")

    (proposal,) = of_aim(app, Aim.MERGE)
    assert {step.after.id for step in proposal.steps} == {"notes/may", "notes/copy"}


def test_a_refused_merge_does_not_come_back_even_when_a_third_one_joins(app: App) -> None:
    write(app, "one", "Tea is at four.")
    write(app, "two", "tea is at four")
    app.proposals.reject(app.replay().proposals[0].id)
    assert app.replay().proposals == ()

    write(app, "three", "TEA is at four!", timestamp="2026-04-01T00:00:00Z")

    (proposal,) = app.replay().proposals
    assert len(proposal.steps) == 2
    assert {"notes/one", "notes/two"} - {step.after.id for step in proposal.steps}


# -- the archive -------------------------------------------------------------------------------------------------


@pytest.fixture
def stale(app: App, clock: SetClock) -> App:
    """A bundle whose only note is a hundred days old."""
    keep(app, "old", "The bakery on the corner had poppy rolls.")
    clock.move(days=100)
    return app


def test_a_note_that_nobody_used_for_ninety_days_is_proposed_for_the_archive_and_never_deleted(
    stale: App, clock: SetClock
) -> None:
    (proposal,) = stale.replay().proposals

    assert (proposal.aim, proposal.id) == (Aim.ARCHIVE, "2026-08-11-archive-one-memory")
    assert memory(stale, "notes/old").state is State.ACTIVE
    assert stale.replay().proposals == ()
    assert found(stale, "Who had poppy rolls?") == ["notes/old"]
    stale.proposals.approve(proposal.id)
    assert memory(stale, "notes/old").state is State.ARCHIVED
    assert found(stale, "Who had poppy rolls?") == []
    assert "poppy rolls" in (stale.root / "notes/old.md").read_text(encoding="utf-8")
    assert memory(stale, "notes/old").changed_at == clock.now()


@pytest.mark.parametrize(
    "fields",
    [
        {"salience": 0.6},
        {"kind": "preference"},
        {"kind": "decision"},
        {"kind": "person"},
        {"kind": "constraint"},
        {"kind": "commitment"},
        {"kind": "lesson"},
        {"kind": "Data table"},
        {"loading": Loading.ALWAYS},
        {"valid_until": datetime(2030, 1, 1, tzinfo=UTC)},
        {"due": datetime(2030, 1, 1, tzinfo=UTC)},
    ],
)
def test_what_people_keep_is_not_archived_however_old(app: App, clock: SetClock, fields: dict[str, Any]) -> None:
    keep(app, "old", "Poppy rolls are good.", **fields)
    clock.move(days=1000)

    assert app.replay(dry_run=True).proposals == ()


def test_what_was_read_or_lately_delivered_is_in_use(stale: App, clock: SetClock) -> None:
    from mnemic.domain.access import Use

    turns = stale.bundle.turns
    turns.note_use(["notes/old"], Use.DELIVERED, clock.now())
    assert of_aim(stale, Aim.ARCHIVE) == []
    clock.move(days=100)
    assert len(of_aim(stale, Aim.ARCHIVE)) == 1

    turns.note_use(["notes/old"], Use.READ, NOW)

    assert of_aim(stale, Aim.ARCHIVE) == []


def test_what_others_stand_on_is_not_archived(app: App, clock: SetClock) -> None:
    told(app, "one")
    told(app, "two")
    app.proposals.approve(app.replay().proposals[0].id)
    keep(app, "plan", "Move the bees.")
    keep(app, "result", "The bees moved.", kind="outcome", outcome_of="notes/plan")
    clock.move(days=200)

    assert app.replay(dry_run=True).proposals == ()


def test_one_list_of_fifty_waits_at_a_time_and_the_rest_comes_after_it(app: App, clock: SetClock) -> None:
    for number in range(60):
        write(app, f"old-{number:02}", f"Roll number {number} was eaten.", timestamp=f"2026-01-01T00:{number:02}:00Z")
    clock.move(days=1)

    done = app.replay()
    (first,) = done.proposals

    assert [step.after.id for step in first.steps] == [f"notes/old-{number:02}" for number in range(50)]
    assert done.notes == ("1 more to archive will be proposed when what waits is decided",)
    assert app.replay().proposals == ()
    app.proposals.reject(first.id)
    (second,) = app.replay().proposals
    assert len(second.steps) == 10


# -- all of it ---------------------------------------------------------------------------------------------------


def full(app: App, clock: SetClock) -> None:
    """Something for every kind of proposal."""
    told(app, "one")
    told(app, "two")
    write(app, "cups", "Bring cups. Sit down.", timestamp="2026-08-01T00:00:00Z")
    write(app, "cups-too", "bring cups. sit down", timestamp="2026-08-02T00:00:00Z")
    keep(app, "old", "The bakery had poppy rolls.")
    clock.move(days=100)


def test_the_same_bundle_at_the_same_moment_gives_the_same_proposals(app: App, clock: SetClock) -> None:
    full(app, clock)

    first, again = app.replay(dry_run=True), app.replay(dry_run=True)

    assert first == again
    assert [each.aim for each in first.proposals] == [Aim.PROMOTE, Aim.MERGE, Aim.ARCHIVE]
    assert app.replay().proposals == first.proposals


def test_a_second_replay_proposes_nothing_new_and_a_refused_proposal_stays_refused(app: App, clock: SetClock) -> None:
    full(app, clock)
    made = app.replay().proposals

    again = app.replay()
    assert (again.proposals, again.waiting) == ((), 3)
    for each in made:
        app.proposals.reject(each.id)
    clock.move(days=3)
    assert app.replay().proposals == ()
    assert {each.proposal.verdict for each in app.proposals.list(decided=True)[0]} == {Verdict.REJECTED}


def test_a_dry_run_writes_nothing_at_all(app: App, clock: SetClock) -> None:
    full(app, clock)
    before = documents(app.root)

    app.replay(dry_run=True)

    assert documents(app.root) == before


WORDS = st.sampled_from(
    ["Tea is at four.", "tea is at four", "Bring cups.", "Ida pours. Bring cups.", "Ida pours.", ""]
)
NOTES = st.lists(
    st.tuples(
        st.sampled_from(["note", "observation", "episode", "belief", "Table", ""]),
        st.lists(WORDS, max_size=3).map(" ".join),
        st.sampled_from(
            ["", "claim:\n  key: tea.hour\n  value: 4", "claim:\n  key: TEA/hour\n  value: four", "claim: ["]
        ),
        st.sampled_from(["", "source:\n  session: s1", "source:\n  session: s2\n  verified: true", "status: archived"]),
        st.sampled_from(["2020-01-01T00:00:00Z", "2026-05-01T00:00:00Z", "0001-01-01", "9999-12-31T23:59:59Z", "soon"]),
    ),
    max_size=6,
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(NOTES)
def test_whatever_it_proposes_every_document_stays_byte_for_byte_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, notes: list[tuple[str, str, str, str, str]]
) -> None:
    app = an_app(tmp_path_factory.mktemp("replayed") / "memory")
    (app.root / "notes").mkdir()
    for number, (kind, body, claim, more, moment) in enumerate(notes):
        head = "\n".join(filter(None, (f"type: {kind}", f"timestamp: {moment}", claim, more)))
        (app.root / f"notes/{number}.md").write_text(f"---\n{head}\n---\n\n{body}\n", encoding="utf-8")
    app.status()
    before = documents(app.root)

    made = app.replay().proposals

    after = documents(app.root)
    assert {name: after.get(name) for name in before} == before
    assert after.keys() - before.keys() == {f"_proposals/{each.id}.md" for each in made}
    assert app.replay().proposals == ()


def test_documents_that_are_broken_are_passed_over_and_counted(app: App) -> None:
    told(app, "one")
    told(app, "two")
    (app.root / "notes/broken.md").write_text("---\ntype: [\nclaim\n---\nText\n", encoding="utf-8")
    (app.root / "notes/bytes.md").write_bytes(b"---\ntype: note\n---\n\xff\xfe")

    done = app.replay()

    assert len(done.proposals) == 1
    assert done.passed_over == 2


def test_a_claim_of_ten_thousand_characters_is_weighed_like_any_other(app: App) -> None:
    long = Claim("k" * 200, "v" * 10_000)
    told(app, "one", long)
    told(app, "two", long)

    (proposal,) = app.replay().proposals

    assert proposal.steps[0].after.claim == long
    assert len(proposal.id) < 100
    assert len(proposal.title) <= 80
    app.proposals.approve(proposal.id)
    assert app.replay().proposals == ()


def test_thousands_of_values_of_one_key_are_reported_with_the_first_conflicts(app: App) -> None:
    for number in range(300):
        claim = f"\n  key: k\n  value: v{number}"
        write(app, f"n{number}", f"Value {number} of many.", claim=claim)

    done = app.replay(dry_run=True)

    assert len(done.supports) == 300
    assert {len(each.conflicting_values) for each in done.supports} == {20}


def test_outcomes_of_each_other_in_a_circle_are_weighed_once(app: App) -> None:
    claim = "\n  key: anna.city\n  value: Oslo"
    for name, of in (("one", "two"), ("two", "one")):
        more = {"outcome_of": f"notes/{of}", "result": "failed", "superseded_by": f"\n  - notes/{of}"}
        write(app, name, f"In {name} it was Oslo.", type="outcome", claim=claim, **more)

    assert app.replay(dry_run=True).proposals == ()


def test_what_a_guard_refuses_is_told_and_the_rest_is_proposed(app: App) -> None:
    write(app, "key", f"The key is {KEY} here.")
    write(app, "key-too", f"the key is {KEY} here")
    write(app, "cups", "Bring cups.")
    write(app, "cups-too", "bring cups")

    done = app.replay()

    assert [step.after.id for each in done.proposals for step in each.steps] == ["notes/cups", "notes/cups-too"]
    assert len(done.notes) == 1
    assert KEY not in str(done.notes)


def test_a_folder_that_is_only_read_can_be_looked_over_and_keeps_no_proposal(tmp_path: Path) -> None:
    from mnemic.app import App

    for name in ("one", "two"):
        (tmp_path / f"{name}.md").write_text("---\ntype: note\ntitle: Tea\n---\n\nTea is at four.\n", encoding="utf-8")
    app = App.start(tmp_path, clock=SetClock(), embedders=())

    assert len(app.replay(dry_run=True).proposals) == 1
    with pytest.raises(ReadOnlyBundleError):
        app.replay()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("min_support", "0"),
        ("min_independent_sources", "0"),
        ("same_source_hours", "-1"),
        ("merge_above", "0.2"),
        ("merge_above", "nan"),
        ("archive_days", "0"),
        ("archive_days", "99999999999"),
        ("archive_salience", "1.5"),
        ("min_suport", "2"),
    ],
)
def test_a_policy_that_means_nothing_is_an_error_that_names_it(tmp_path: Path, key: str, value: str) -> None:
    root = an_app(tmp_path / "memory").root
    with (root / "mnemic.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[replay]\n{key} = {value}\n")

    with pytest.raises(ConfigError, match=rf"replay\.{key}"):
        an_app(root)


def test_the_policy_decides_from_when_on_something_is_proposed(tmp_path: Path) -> None:
    app = an_app(tmp_path / "memory", "replay.min_support=3", "replay.min_independent_sources=3")
    told(app, "one")
    told(app, "two")
    assert not support(app).eligible

    told(app, "three")

    assert support(app).eligible
