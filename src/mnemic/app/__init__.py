"""What a program opens: bundles with everything that can be done with them, put together in `opening.py`.

from mnemic import App
app = App.start("memory")
app.recall("what does Anna drink?")
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from math import inf
from typing import TYPE_CHECKING

from mnemic import config
from mnemic.adapters.system import SystemClock
from mnemic.domain.entries import Source, Where
from mnemic.domain.ids import SESSION_PREFIX
from mnemic.errors import (
    DocumentUnreadableError,
    InvalidMemoryError,
    MemoryChangedError,
    MnemicError,
    NotFoundError,
    SessionNotFoundError,
    StorageError,
)
from mnemic.opening import (
    STATE_FOLDER,
    Created,
    LazyEngines,
    Place,
    create_bundle,
    find_places,
    foreign_state,
    is_folder,
    open_bundle,
    setting_of_flag,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from datetime import datetime
    from pathlib import Path

    from mnemic.agent.conversation import Conversation
    from mnemic.app.forgetting import Forgetting
    from mnemic.app.past import Past
    from mnemic.app.promises import Promises
    from mnemic.app.proposals import Proposals
    from mnemic.app.quarantine import Quarantine
    from mnemic.app.records import Records
    from mnemic.app.settings import Settings
    from mnemic.domain.capsule import Capsule, Slot
    from mnemic.domain.contradictions import Contradiction
    from mnemic.domain.documents import CheckReport
    from mnemic.domain.drafts import Draft, Remembered
    from mnemic.domain.erasure import Wishes
    from mnemic.domain.memory import Memory
    from mnemic.domain.results import Answer
    from mnemic.ports import Clock, Embedder, Progress, TokenCounter
    from mnemic.services.bundle import Bundle, Engines
    from mnemic.services.context.gate import Gate
    from mnemic.services.erasing.forget import Forgotten
    from mnemic.services.recalling.show import Shown
    from mnemic.services.recalling.status import SessionRow, Status
    from mnemic.services.reviewing.replay import Replayed
    from mnemic.services.upkeep.refresh import Refreshed
    from mnemic.services.writing.ingest import Ingested

EDIT_TRIES = 10
"""So often a change is made anew to a memory that somebody else changed meanwhile."""
QUICK_MODEL_MS = 5.0
"""A model that takes longer for a query is not asked where somebody waits for milliseconds."""


@dataclass(slots=True)
class App:
    """Opened bundles: the first is written to, all are searched. `bundle.name` is empty for the first in results."""

    bundle: Bundle
    others: tuple[Bundle, ...]
    loaded: config.Loaded
    root: Path
    _engines: LazyEngines = field(repr=False)
    _finished_erasure: bool = False
    """Whether a removal that had been cut off was completed when this was opened."""

    @classmethod
    def start(
        cls,
        given: str | Path | None = None,
        *,
        overrides: Sequence[str] = (),
        clock: Clock | None = None,
        embedders: Sequence[Embedder] | None = None,
    ) -> App:
        """Open the bundle that is named, or the one that is found.

        Args:
            given: A folder; else `MNEMIC_BUNDLE`, the nearest project's, the user's own.
            overrides: `section.key=value` settings for this run.
            clock: The time; the machine's when left out.
            embedders: Used instead of those the settings name.

        Raises:
            BundleNotFoundError: There is no such folder.
            DocumentUnreadableError: It may not be read or entered.
            ConfigError: A setting is wrong.
        """
        found = find_places(None if given is None else str(given))
        places = [place._replace(root=place.root.absolute()) for place in found]  # wherever the process goes later
        flags = dict(setting_of_flag(text) for text in overrides)
        loaded = config.load(None if places[0].foreign else places[0].root, flags)
        engines = LazyEngines(loaded.settings.embed, given=embedders, told=loaded.ignored)
        used = clock or SystemClock()
        first = open_bundle(places[0], loaded.settings, engines=engines, clock=used)
        others = tuple(
            open_bundle(place, config.load(place.root, flags).settings, engines=engines, clock=used)
            for place in places[1:]
        )
        finished = [_finish_erasure(bundle) for bundle in (first, *others) if bundle.index.erasure_owed()]
        return cls(
            bundle=first,
            others=others,
            loaded=loaded,
            root=places[0].root,
            _engines=engines,
            _finished_erasure=any(finished),
        )

    @property
    def state_folder(self) -> Path:
        """Where what is derived of the first bundle stands, and the socket of the process that serves it."""
        return foreign_state(self.root) if self.bundle.store.read_only else self.root / STATE_FOLDER

    @property
    def proposals(self) -> Proposals:
        """Change sets that wait for a person; see `app/proposals.py`."""
        from mnemic.app.proposals import Proposals

        return Proposals(self)

    @property
    def forgetting(self) -> Forgetting:
        """What would be forgotten, and forgetting by subject; see `app/forgetting.py`."""
        from mnemic.app.forgetting import Forgetting

        return Forgetting(self)

    @property
    def records(self) -> Records:
        """Ledger and vault: whether they are whole, what they tell, a new key; see `app/records.py`."""
        from mnemic.app.records import Records

        return Records(self)

    @property
    def past(self) -> Past:
        """What was known at a moment, and how it came to be; see `app/past.py`."""
        from mnemic.app.past import Past

        return Past(self)

    @property
    def quarantine(self) -> Quarantine:
        """What is held back, and waits for a person; see `app/quarantine.py`."""
        from mnemic.app.quarantine import Quarantine

        return Quarantine(self)

    @property
    def promises(self) -> Promises:
        """What is owed; see `app/promises.py`."""
        from mnemic.app.promises import Promises

        return Promises(self)

    @property
    def settings(self) -> Settings:
        """The settings, and where each came from; see `app/settings.py`."""
        from mnemic.app.settings import Settings

        return Settings(self)

    # -- writing -------------------------------------------------------------------------------------------------

    def remember(self, draft: Draft, *, redact: bool = False) -> Remembered:
        """Write a new memory; see `services/writing/remember.py`."""
        from mnemic.domain.policy import OnSecret
        from mnemic.services.writing.remember import remember

        bundle = self.bundle
        if redact:
            rules = replace(bundle.policy.rules, secrets_in_memories=OnSecret.REDACT)
            bundle = replace(bundle, policy=replace(bundle.policy, rules=rules))
        return remember(bundle, draft)

    def edit(
        self,
        wanted: str,
        change: Callable[[Memory], dict[str, object]],
        *,
        expect: str = "",
        may_empty: bool = False,
    ) -> Remembered:
        """Change fields of a memory.

        Args:
            wanted: Its id.
            change: Gives the new fields for the memory as it is, a sensitive one with what it says; called again when
                somebody else changed it meanwhile.
            expect: A revision (or its beginning) that must still be the current one. Then nothing is tried twice.
            may_empty: Its text may become empty, since the title says all there is.

        Raises:
            InvalidMemoryError: It would lose its whole text.
            MemoryChangedError: It is another revision than `expect`, or changed faster than we can.
        """
        from mnemic.services.judging.sealed import opened
        from mnemic.services.writing.remember import revise

        bundle, name = self.locate(wanted)
        for left in reversed(range(EDIT_TRIES)):
            located = bundle.store.find(name)
            if expect and not located.revision.startswith(expect):
                raise MemoryChangedError(located.memory.id, expected=expect, found=located.revision)
            memory = opened(bundle, located)
            fields = change(memory)
            if not may_empty:
                _check_text(memory, fields, wanted.removesuffix(name))
            try:
                return revise(bundle, located, **fields)
            except MemoryChangedError:
                if expect or not left:
                    raise
        raise AssertionError("the last try returns or raises")

    def forget(self, wanted: str, *, confirm: str, wishes: Wishes | None = None) -> Forgotten:
        """Remove a memory, a session or a turn for good; see `services/erasing/forget.py`."""
        from mnemic.services.erasing.forget import forget
        from mnemic.services.upkeep.refresh import finish_erasure

        bundle, name = self.locate(wanted)
        prefix = wanted.removesuffix(name)
        try:
            done = forget(bundle, name, confirm=confirm.removeprefix(prefix), prefix=prefix, wishes=wishes)
        except NotFoundError as error:
            if finish_erasure(bundle) or self._finished_erasure:
                error.hint = "A removal that was cut off earlier has been completed: nothing of it is left."
            raise
        if bundle is not self.bundle:  # an agent of the first bundle knows it by its reference
            with suppress(StorageError):
                self.bundle.turns.erase([f"{bundle.name}:{gone}" for gone in done.ids])
        return done

    def import_sessions(
        self,
        path: Path,
        *,
        format_: str = "",
        dry_run: bool = False,
        embed: bool = True,
        progress: Progress | None = None,
    ) -> Ingested:
        """Bring conversations in, index them and, unless told not to, embed them and whatever waits for it.

        So an import that was stopped at any moment is completed by the same call, also when nothing is left to add.
        """
        from mnemic.adapters.importers import NAMES, importer_named
        from mnemic.adapters.importers.detect import detect
        from mnemic.errors import ImportSourceError
        from mnemic.services.upkeep.embedding import embed_pending
        from mnemic.services.upkeep.refresh import refresh
        from mnemic.services.writing.ingest import ingest

        self.check_there()
        chosen = format_ or detect(path)
        if chosen == "vault":
            raise ImportSourceError(
                str(path),
                "it is a folder of Markdown, not of conversations",
                hint=f"Search it where it is: mnemic --bundle {path} recall WORDS",
            )
        if chosen is None:
            raise ImportSourceError(
                str(path), "its format is not recognised", hint=f"Name it: {', '.join(NAMES)}, then the path."
            )
        importer = importer_named(chosen, zone=self.bundle.zone)
        done = ingest(self.bundle, importer, path, dry_run=dry_run, progress=progress)
        if not dry_run:
            refresh(self.bundle, progress)
            if embed:
                embed_pending(self.bundle, progress=progress)
        return done

    def reindex(self, *, rebuild: bool = False, embed: bool = True, progress: Progress | None = None) -> Refreshed:
        """Bring the index up to date and make the vectors that wait; with `rebuild`, from nothing.

        Returns:
            What was found and, in `vectors`, how many vectors were made.
        """
        from mnemic.services.upkeep.embedding import embed_pending
        from mnemic.services.upkeep.refresh import refresh

        if rebuild:
            self.bundle.index.discard()
        done = refresh(self.bundle, progress)
        return replace(done, vectors=embed_pending(self.bundle, progress=progress)) if embed else done

    def check(self, *, repair: bool = False) -> CheckReport:
        """Everything wrong with the bundle's files and with what they cite; with `repair`, mended where it can be."""
        from mnemic.services.judging.citations import stale
        from mnemic.services.judging.sealed_check import sealed_problems
        from mnemic.services.judging.unpromoted import unpromoted
        from mnemic.services.upkeep.refresh import refresh

        report = self.bundle.store.check(repair=repair)
        found, mended = sealed_problems(self.bundle, repair=repair)
        report = replace(
            report,
            problems=(*report.problems, *self.bundle.sessions.check(), *found),
            repaired=(*report.repaired, *mended),
        )
        with suppress(StorageError):  # what keeps the index from being read is told by what needs it
            refresh(self.bundle)
            report = replace(report, problems=(*report.problems, *stale(self.bundle), *unpromoted(self.bundle)))
        return report

    def replay(self, *, dry_run: bool = False) -> Replayed:
        """Look over the first bundle and propose what should become of it; see `services/reviewing/replay.py`."""
        from mnemic.services.reviewing.replay import replay

        self.check_there()
        return replay(self.bundle, dry_run=dry_run)

    def contradictions(self) -> tuple[Contradiction, ...]:
        """Every pair of memories that contradict each other, or may; see `services/judging/contradict.py`."""
        from mnemic.services.judging.contradict import contradictions
        from mnemic.services.upkeep.refresh import refresh

        refresh(self.bundle)
        return contradictions(self.bundle)

    # -- reading -------------------------------------------------------------------------------------------------

    def recall(  # noqa: PLR0913 - one keyword an option
        self,
        query: str,
        *,
        k: int | None = None,
        where: Where | None = None,
        now: datetime | None = None,
        profile: str | None = None,
        tail: str = "",
        unit: str = "entry",
        quick: bool = False,
    ) -> Answer:
        """Find what matters for a question, in every opened bundle.

        Args:
            query: Words in any language, "quoted phrases", `#names`, ` -exclusions`, dates.
            k: At most so many results; the setting `recall.k` when left out.
            where: What may be returned; active memories and turns when left out. Where it names no source, the setting
                `recall.sessions` says whether turns are meant.
            now: The moment that words like "last week" are read from.
            profile: `default`, `fields` or `resonance`.
            tail: The conversation so far, a weak second query.
            unit: `entry`, or `session` for the sessions that hold the best turns.
            quick: For a program that waits for milliseconds: slow models are not asked, and no vectors are made.
        """
        from mnemic.services.recalling.recall import RecallRequest, recall

        settings = self.loaded.settings
        allowed = where or Where()
        if not (settings.recall.sessions or allowed.sources or unit == "session"):
            allowed = replace(allowed, sources=(Source.MEMORY,))
        trusted = max(allowed.min_authority, settings.recall.minimum_authority)
        request = RecallRequest(
            query=query,
            k=k or settings.recall.k,
            where=allowed if trusted == allowed.min_authority else replace(allowed, min_authority=trusted),
            profile=profile or settings.recall.profile,
            now=now or self.bundle.clock.now(),
            tail=tail,
            unit=unit,
            embed_newest=0 if quick else settings.embed.newest,
            model_ms=QUICK_MODEL_MS if quick else inf,
        )
        return recall((self.bundle, *self.others), request, settings.weights)

    def context(  # noqa: PLR0913 - one keyword an option
        self,
        message: str,
        *,
        slots: Collection[Slot] | None = None,
        budget: int | None = None,
        facts: int | None = None,
        conversation: str = "",
        tail: str = "",
        language: str = "",
        apart: Sequence[str] = (),
        pins: Sequence[str] = (),
        where: Where | None = None,
        now: datetime | None = None,
        record: bool = True,
        quick: bool = False,
    ) -> Capsule:
        """The text that goes into an agent's context before it answers a message, and the account of it.

        Args:
            message: The user's words; empty before the first.
            slots: Which texts are made; all when left out.
            budget: Tokens for all of them together; the setting `context.budget` when left out.
            facts: At most so many facts; `limits.prefetch` when left out.
            conversation: Its name. The system slot stays what it was at the first call for it.
            tail: The conversation before the message.
            language: Of the marker lines; the message's own when left out.
            apart: Sessions whose turns the agent has before it anyway.
            pins: Memories that come whole in any case.
            where: What the facts may be taken from, as in `recall`.
            now: The moment promises and ages are counted from.
            record: Keep what was delivered, and count it as use.
            quick: As in `recall`.
        """
        from mnemic.domain.capsule import Slot
        from mnemic.services.context.assemble import ContextRequest, assemble
        from mnemic.services.context.deliver import deliver

        settings, bundles = self.loaded.settings, (self.bundle, *self.others)
        moment = now or self.bundle.clock.now()
        wanted = settings.limits.prefetch if facts is None else facts
        frozen, notes = _frozen(bundles, conversation)
        request = ContextRequest(
            message=message,
            now=moment,
            slots=frozenset(Slot) if slots is None else frozenset(slots),
            budget=budget or settings.context.budget,
            facts=wanted,
            most=max(settings.limits.working_set, wanted),
            quotas=settings.context.quota_of,
            hints=settings.limits.hints,
            due_within=timedelta(days=settings.context.due_days),
            tail=tail,
            language=language or settings.context.language,
            apart=tuple(apart),
            pins=tuple(pins),
            frozen=frozen,
            min_authority=settings.recall.minimum_authority,
        )

        def find(query: str, k: int, before: str) -> Answer:
            return self.recall(query, k=k, tail=before, where=where, now=moment, quick=quick)

        capsule = assemble(bundles, request, recall=find, count=self.token_counter())
        capsule = replace(capsule, degraded=(*capsule.degraded, *notes)) if notes else capsule
        if record:
            kept = bool(request.frozen) and None not in request.frozen
            deliver(bundles, conversation, capsule, now=moment, kept=kept)
        return capsule

    def gate(self, conversation: str, *, follows: bool = False) -> Gate:
        """What an agent may do in the turns of a conversation; see `services/context/gate.py`."""
        from mnemic.services.context.gate import Gate

        bundle = self.bundle
        return Gate(
            turns=bundle.turns,
            clock=bundle.clock,
            limits=bundle.policy.limits,
            conversation=conversation,
            follows=follows,
        )

    def conversation(
        self, conversation: str = "", *, user: str = "", agent: str = "", log: bool = True, budget: int | None = None
    ) -> Conversation:
        """A conversation of an agent with somebody, in turns, for the agent's own loop; see `agent/conversation.py`."""
        from mnemic.agent.conversation import Conversation

        return Conversation(self, conversation, user=user, agent=agent, log=log, budget=budget)

    def token_counter(self) -> TokenCounter:
        """What the settings count tokens with.

        Raises:
            ConfigError: The vocabulary they name is not installed.
        """
        chosen = self.loaded.settings.context.counter
        if chosen is config.Counter.ESTIMATE:
            from mnemic.text.tokens import count_tokens_safely

            return count_tokens_safely
        from mnemic.adapters.bpe import bpe_counter

        return bpe_counter(chosen)

    def show(self, wanted: str, *, around: int = 0, reveal: bool = False) -> Shown:
        """Read one thing whole; with `reveal`, what a sensitive memory says too. That is for its owner to ask."""
        from mnemic.services.recalling.show import show

        bundle, name = self.locate(wanted)
        return show(bundle, name, around=around, reveal=reveal)

    def status(self) -> list[Status]:
        """Numbers of every opened bundle."""
        from mnemic.services.recalling.status import status

        return [status(bundle) for bundle in (self.bundle, *self.others)]

    def session_list(self) -> list[SessionRow]:
        """Every session of the first bundle."""
        from mnemic.services.recalling.status import session_list

        self.check_there()
        return session_list(self.bundle)

    def locate(self, wanted: str) -> tuple[Bundle, str]:
        """The bundle and the id within it that a reference like `own:people/anna` names.

        Raises:
            DocumentUnreadableError: The first bundle was moved or deleted.
        """
        self.check_there()
        if not wanted.startswith(SESSION_PREFIX):
            name, colon, rest = wanted.partition(":")
            for bundle in (self.bundle, *self.others):
                if colon and bundle.name == name:
                    return bundle, rest
        return self.bundle, wanted

    def places(self) -> dict[str, str]:
        """The folder of each bundle, by the name results give it ('' for the first)."""
        rows = {bundle.name: f"{bundle.store.location}{os.sep}" for bundle in self.others}
        return {"": _relative(self.bundle.store.location), **rows}

    def engines(self) -> Engines:
        """The embedders in use, loaded."""
        return self._engines()

    def explained_weights(self, profile: str | None) -> list[str]:
        """The weights of a profile, a line each."""
        from mnemic.ranking.explain import weight_lines

        return weight_lines(profile or self.loaded.settings.recall.profile, self.loaded.settings.weights)

    def check_there(self) -> None:
        """For what does not look at the folder anyway. Raises DocumentUnreadableError."""
        if not is_folder(self.root):
            raise DocumentUnreadableError(str(self.root), "no such file or directory")


def _frozen(bundles: Sequence[Bundle], conversation: str) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    """What each bundle gave a conversation's system slot before, and in words what cannot be told."""
    parts: list[str | None] = []
    notes: list[str] = []
    for bundle in bundles if conversation else ():
        try:
            parts.append(bundle.turns.frozen(conversation))
        except StorageError as error:
            parts.append(None)
            notes.append(f"what this conversation was given before is not known: {error.message}")
    return tuple(parts), tuple(notes)


def _finish_erasure(bundle: Bundle) -> bool:
    from mnemic.services.upkeep.refresh import finish_erasure

    return finish_erasure(bundle)


def transcript_session(name: str) -> str:
    """The id of the session that the transcript of a conversation is imported into, by what its program calls it."""
    from mnemic.adapters.importers.names import session_name

    return session_name(name)


def _check_text(memory: Memory, fields: dict[str, object], prefix: str) -> None:
    """Refuse that a text is emptied, which is nearly always a slip and cannot be undone."""
    if memory.body.strip() and not str(fields.get("body", memory.body)).strip():
        named = f"{prefix}{memory.id}"
        raise InvalidMemoryError(
            "text", "it would be empty", hint=f"To remove it: mnemic forget {named} --confirm {named}"
        )


def _relative(location: str) -> str:
    try:
        short = os.path.relpath(location)
    except ValueError:  # another drive
        return f"{location}{os.sep}"
    return f"{short if len(short) < len(location) else location}{os.sep}"


__all__ = [
    "STATE_FOLDER",
    "App",
    "Created",
    "LazyEngines",
    "MnemicError",
    "Place",
    "SessionNotFoundError",
    "create_bundle",
    "find_places",
    "open_bundle",
]
