"""Finding, making and opening bundles: the one place where adapters are chosen."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from mnemic import config
from mnemic.adapters.system import MachineZone, RandomIds
from mnemic.domain.ids import SESSION_PREFIX
from mnemic.domain.memory import Scope
from mnemic.errors import BundleNotFoundError, ConfigError, DocumentUnreadableError
from mnemic.services.bundle import Bundle, Engines, History, NothingOwed, no_history

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from datetime import tzinfo

    from mnemic.adapters.markdown.store import MarkdownStore
    from mnemic.ports import Clock, Embedder, Owed, Remains, SearchIndex

STATE_FOLDER = ".mnemic"
PROJECT_FOLDERS = ("memory", ".memory")
READER_WAITS = 0.2
"""Seconds that a question waits for another process to finish writing before it answers from what the index holds."""
OWN_NAME = "own"
"""What the user's own bundle is called in references, unless its settings say otherwise."""
OWNER = "owner"
"""Whom a preference in it is of, unless it says otherwise."""
_OTHER_STORES = ("sqlite:", "postgresql://", "postgres://")
_RESERVED_NAMES = frozenset({SESSION_PREFIX.rstrip(":"), "sqlite", "postgresql", "postgres", "http", "https"})


class Created(NamedTuple):
    """A bundle that was made: its folder, its name, and how many documents it adopted."""

    root: Path
    name: str
    documents: int


class Place(NamedTuple):
    """A bundle's folder; a foreign one (somebody's Markdown, no `mnemic.toml`) is only read."""

    root: Path
    foreign: bool = False
    own: bool = False


@dataclass(slots=True)
class LazyEngines:
    """Loads the embedders that the settings name, at the first call only."""

    settings: config.EmbedSettings
    given: Sequence[Embedder] | None = None
    told: tuple[str, ...] = ()
    """What else is to be said about the engines."""
    _loaded: Engines | None = None
    _guard: Lock = field(default_factory=Lock, repr=False)

    def __call__(self) -> Engines:
        """The embedders at hand, and what is missing."""
        with self._guard:
            if self._loaded is None:
                self._loaded = Engines(self.given) if self.given is not None else self._load()
            return self._loaded

    def _load(self) -> Engines:
        wanted = self.settings.engines
        if not wanted:
            return Engines(missing=self.told)
        from mnemic.adapters.embed import LOCAL_NAMES, load_local

        unknown = [name for name in wanted if name not in (*LOCAL_NAMES, config.Engine.ENDPOINT)]
        if unknown:
            raise ConfigError(
                f"embed.engines: there is no embedder {unknown[0]}.",
                hint=f"There are: {', '.join((*LOCAL_NAMES, config.Engine.ENDPOINT))}",
            )
        local = load_local(
            config.user_cache_dir(),
            which=[name for name in LOCAL_NAMES if name in wanted],
            threads=self.settings.threads or None,
        )
        embedders = list(local.embedders)
        if config.Engine.ENDPOINT in wanted:
            embedders.append(self._endpoint())
        missing = tuple(f"{entry.name}: {entry.reason} {entry.hint}" for entry in local.missing)
        return Engines(tuple(embedders), (*missing, *local.notes, *self.told))

    def _endpoint(self) -> Embedder:
        from mnemic.adapters.embed.endpoint import EndpointEmbedder, EndpointSettings

        chosen = self.settings
        return EndpointEmbedder(
            EndpointSettings(
                url=chosen.endpoint,
                model=chosen.endpoint_model,
                dim=chosen.endpoint_dim,
                api_key=os.environ.get(chosen.endpoint_key_variable, ""),
            )
        )


@dataclass(slots=True, eq=False, repr=False)
class LazyHistory:
    """Ledger and vault in a bundle's own folder, made up at the first call only: what encrypts takes long to load."""

    folder: Path
    lock: Callable[[], AbstractContextManager[object]]
    settings: config.HistorySettings
    owed: Owed
    _made: History | None = None
    _guard: Lock = field(default_factory=Lock, repr=False)

    def __call__(self) -> History | None:
        """What the bundle keeps of its past; None where the settings say that it keeps nothing."""
        with self._guard:
            if self._made is None and self.settings.keep:
                self._made = self._make()
            return self._made

    def past(self) -> History | None:
        """As when it is called, and also where nothing is kept any more but something was."""
        with self._guard:
            if self._made is None and (self.settings.keep or self._was_kept()):
                made = self._make()
                if not self.settings.keep:
                    return made
                self._made = made
            return self._made

    def _was_kept(self) -> bool:
        return any((self.folder / name).exists() for name in ("vault.db", "ledger.jsonl"))

    def _make(self) -> History:
        from mnemic.adapters.ledger.chain import JsonlLedger
        from mnemic.adapters.ledger.keys import Keys
        from mnemic.adapters.ledger.vault import SqliteVault

        vault = SqliteVault(
            self.folder,
            keys=Keys(config.user_data_dir() / "keys"),
            lock=self.lock,
            way=self.settings.key,
        )
        ledger = JsonlLedger(self.folder, lock=self.lock, key=partial(vault.secret, "anchor"))
        return History(ledger=ledger, vault=vault, owed=self.owed, lock=self.lock)


def open_bundle(place: Place, settings: config.Settings, *, engines: Callable[[], Engines], clock: Clock) -> Bundle:
    """One bundle over its folder, with its index; a foreign folder's own files are never written."""
    from mnemic.adapters.cited_files import CitedFiles
    from mnemic.adapters.ledger.owed import FileOwed
    from mnemic.adapters.markdown.layouts.okf import OkfLayout
    from mnemic.adapters.markdown.proposals import MarkdownProposals
    from mnemic.adapters.markdown.store import MarkdownStore
    from mnemic.adapters.sessions.jsonl import JsonlSessions
    from mnemic.adapters.sqlite.index import SqliteIndex
    from mnemic.adapters.sqlite.state import SqliteTurns

    if settings.bundle.layout != "okf":
        raise ConfigError(f"bundle.layout: there is no layout {settings.bundle.layout}.", hint="There is: okf")
    zone = zone_named(settings.bundle.zone)
    state = foreign_state(place.root) if place.foreign else place.root / STATE_FOLDER
    store = MarkdownStore(
        place.root,
        layout=OkfLayout(),
        clock=clock,
        zone=zone,
        limits=settings.limits,
        read_only=place.foreign,
        state_dir=state if place.foreign else None,
    )
    name = settings.bundle.name or (OWN_NAME if place.own else _default_name(place.root))
    index = SqliteIndex(state / "index.db", store.locked, partial(store.locked, READER_WAITS))
    owed = FileOwed(state / "history-owed")
    history = LazyHistory(state, index.lock_now, settings.history, owed)
    return Bundle(
        name=name,
        store=store,
        sessions=JsonlSessions(state / "sessions", lock=store.locked),
        index=index,
        turns=SqliteTurns(state / "state.db", place.root),
        proposals=MarkdownProposals(store),
        clock=clock,
        ids=RandomIds(),
        zone=zone,
        policy=settings.policy,
        engines=engines,
        history=history if not store.read_only else no_history,
        owed=owed if settings.history.keep and not store.read_only else NothingOwed(),
        past=history.past if not store.read_only else no_history,
        remains=partial(_remains, store, str(state) if place.foreign else ""),
        lock=store.locked,
        passing_index=_passing_index,
        files=CitedFiles(place.root, _around(place.root), settings.limits.document_bytes),
        scope=Scope(user=OWNER) if name == OWN_NAME else Scope(project=name),
    )


def _remains(store: MarkdownStore, apart: str) -> Remains:
    from mnemic.adapters.erasure.files import FolderRemains

    return FolderRemains(store, apart=apart)


def _around(root: Path) -> Path:
    """The folder that cited files must lie in: the project's for `project/memory`, else the bundle's own."""
    full = root.absolute()
    in_project = full.name in PROJECT_FOLDERS and full.parent not in {config.user_data_dir().absolute(), Path.home()}
    return full.parent if in_project else full


def _passing_index() -> SearchIndex:
    from mnemic.adapters.sqlite.passing import PassingIndex

    return PassingIndex()


def find_places(given: str | None, *, start: Path | None = None) -> list[Place]:
    """The bundle to write to, then others to search along.

    A bundle that is named (argument or `MNEMIC_BUNDLE`) stands alone. Otherwise the nearest project's bundle comes
    first and the user's own second; without a project, the user's own alone, made if it is not there yet.

    Raises:
        BundleNotFoundError: The named folder does not exist.
        DocumentUnreadableError: A folder in the place of a bundle may not be entered.
    """
    named = given or os.environ.get("MNEMIC_BUNDLE")
    if named:
        return [_named(named)]
    own = config.user_data_dir() / "memory"
    project = _project(start or Path.cwd())
    if project is None:
        if not _is_bundle(own):
            create_bundle(own, name=OWN_NAME)
        return [Place(own, own=True)]
    known = config.is_there(own / config.BUNDLE_FILE) and own.resolve() != project.resolve()
    return [Place(project), *([Place(own, own=True)] if known else [])]


def _named(named: str) -> Place:
    if named.startswith(_OTHER_STORES):
        raise ConfigError(
            f"{named.partition(':')[0]} bundles are not supported by this version.", hint="Name a folder of Markdown."
        )
    root = Path(named).expanduser()
    if not is_folder(root):
        raise BundleNotFoundError(named)
    if config.is_there(root / config.BUNDLE_FILE):
        return Place(root)
    for folder in PROJECT_FOLDERS:
        if _is_bundle(root / folder):
            return Place(root / folder)
    return Place(root, foreign=True)


def is_folder(root: Path) -> bool:
    """Whether it is one; what cannot be told because something above it is closed to us is an error."""
    try:
        return S_ISDIR(root.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError as error:
        raise DocumentUnreadableError(str(root), (error.strerror or str(error)).lower()) from error


def _project(start: Path) -> Path | None:
    for folder in (start, *start.parents):
        if config.is_there(folder / config.BUNDLE_FILE):
            return folder
        for name in PROJECT_FOLDERS:
            if _is_bundle(folder / name):
                return folder / name
    return None


def _is_bundle(folder: Path) -> bool:
    """Whether it is one. What is the user's and closed to them may be one: it is not passed over for another.

    Raises:
        DocumentUnreadableError: That is so.
    """
    try:
        return S_ISREG((folder / config.BUNDLE_FILE).stat().st_mode)
    except PermissionError as error:
        if _is_ours(folder):
            raise DocumentUnreadableError(
                str(folder),
                (error.strerror or str(error)).lower(),
                hint="It may be the bundle of this project: check its permissions, or name another with --bundle.",
            ) from error
        return False
    except (OSError, ValueError):
        return False


def _is_ours(folder: Path) -> bool:
    """Whether a folder is there and belongs to the user, or lies in one that does."""
    try:
        facts, above = folder.stat(), folder.parent.stat()
    except OSError:
        return False
    mine = os.geteuid() if hasattr(os, "geteuid") else facts.st_uid
    return S_ISDIR(facts.st_mode) and mine in {facts.st_uid, above.st_uid}


def create_bundle(root: str | Path, *, layout: str = "okf", name: str = "", overrides: Sequence[str] = ()) -> Created:
    """Make a bundle, or make an existing folder of Markdown one.

    Args:
        root: Its folder.
        layout: How memories are laid into documents.
        name: What it is called in references; by its folder when left out.
        overrides: `section.key=value` settings; of them, and of the user's own, `bundle.git` counts here.

    Raises:
        BundleExistsError: It is one already.
        ConfigError: The layout is unknown, the name cannot stand in a reference, or a setting is wrong.
        WriteFailedError: The folder cannot be written.
    """
    from mnemic.adapters.markdown.layouts.okf import init_bundle
    from mnemic.adapters.markdown.scan import scan
    from mnemic.errors import WriteFailedError

    root = Path(root)
    if layout != "okf":
        raise ConfigError(f"There is no layout {layout}.", hint="There is: okf")
    if name and (name in _RESERVED_NAMES or not name.replace("-", "").replace("_", "").isalnum()):
        raise ConfigError(f"{name!r} cannot name a bundle.", hint="Use letters, digits, - and _.")
    settings = config.load(None, dict(map(setting_of_flag, overrides))).settings
    try:
        init_bundle(root, name=name, layout=layout, tracked=settings.bundle.git is config.Git.TRACK)
        documents = len(scan(str(root)))
    except OSError as error:
        raise WriteFailedError(str(root), error.strerror or str(error)) from error
    return Created(root, name or _default_name(root), documents)


def zone_named(name: str) -> tzinfo:
    """A time zone of the IANA database, or the machine's for an empty name."""
    if not name:
        return MachineZone()
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise ConfigError(f"bundle.zone: there is no time zone {name}.", hint="Write one like Europe/Oslo.") from None


def _default_name(root: Path) -> str:
    """The project's folder for `project/memory`, else the folder itself."""
    full = root.absolute()
    return (full.parent.name if full.name in PROJECT_FOLDERS else full.name) or "memory"


def foreign_state(root: Path) -> Path:
    """Where what mnemic derives of somebody else's folder lies: in the cache."""
    from hashlib import sha256

    key = sha256(os.fsencode(root.resolve())).hexdigest()[:16]
    return config.user_cache_dir() / "foreign" / key


def setting_of_flag(text: str) -> tuple[str, object]:
    """`section.key=value` as key and value. Raises ConfigError."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ConfigError(f"--set {text} has no value.", hint="Write --set recall.k=12")
    return key.strip(), value
