"""Tables of the index file, and how it is opened.

The file is disposable: anything unexpected about it (another version, damage) ends in a new, empty one, which the
next refresh fills from the documents. Journal mode is WAL, so that readers never wait for the writer. SQLite before
3.51.3 can corrupt a WAL file when checkpoints race, so only the holder of the bundle's lock writes or checkpoints, and
readers open the file read-only, which keeps SQLite from checkpointing when they close.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite import seen
from mnemic.adapters.sqlite.version import stamp

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DISPOSABLE = "delete it, nothing is lost"
WAIT_SECONDS = 30.0
"""How long a checkpoint waits for readers of an older state; nothing else ever waits."""

# unicode61 with remove_diacritics 0: the analyzer has decided what a term is, SQLite only splits at the blanks.
# `vocabulary` counts how many rows hold a word, since FTS5 would count them one by one when asked.
# Numbers of pieces, vectors and the dead are never given twice (autoincrement): what came later has a higher one.
_DDL = """
create table meta(key text primary key, value) without rowid;
create table document(
    id integer primary key, path text not null unique, source text not null, size integer not null,
    mtime_ns integer not null, inode integer not null, sha256 text not null, problems integer not null,
    settled integer not null);
create index document_young on document(path) where settled = 0;
create index document_odd on document(id) where inode < 0;
create table grp(id integer primary key, key text not null unique, document integer not null, single integer not null,
    path text, title text, description text, tags text, kind text, body text);
create index grp_document on grp(document);
create index grp_single on grp(id) where single;
create table entry(
    id integer primary key autoincrement, document integer not null, grp integer not null, position integer not null,
    key text not null unique, digest blob not null, uid text not null, source text not null, kind text not null,
    title text not null, description text not null, tags text not null, line integer not null,
    recorded_at real not null, changed_at real not null, valid_from real, valid_until real, due real,
    salience real not null, confidence real not null, authority real not null, verified integer not null,
    origin text not null, privacy text not null, scope text not null, state text not null, speaker text not null,
    names text not null, days text not null, length integer not null, claim_key text, claim_value text,
    asks integer not null, speaker_key text,
    tokens integer not null, loading text, offered integer not null, outcome_of text, result text,
    cites integer not null);
create index entry_speaker on entry(speaker_key) where speaker_key is not null;
create index entry_claim on entry(claim_key) where claim_key is not null;
create index entry_document on entry(document);
create index entry_place on entry(grp, position);
create index entry_recorded on entry(recorded_at);
create index entry_prior on entry(salience, recorded_at);
create index entry_inactive on entry(id) where state != 'active';
create index entry_end on entry(valid_until) where valid_until is not null;
create index entry_loading on entry(loading) where loading is not null;
create index entry_offered on entry(id) where offered;
create index entry_outcome on entry(outcome_of) where outcome_of is not null;
create index entry_cites on entry(id) where cites;
create index entry_what on entry(source, kind, state);
create table tag(entry integer not null, tag text not null, primary key(tag, entry)) without rowid;
create index tag_entry on tag(entry);
create table day(entry integer not null, first integer not null, past integer not null);
create index day_first on day(first);
create index day_entry on day(entry);
create table name(entry integer not null, name text not null, primary key(name, entry)) without rowid;
create index name_entry on name(entry);
create table link(entry integer not null, target text not null, primary key(entry, target)) without rowid;
create index link_target on link(target);
create table passage(
    id integer primary key autoincrement, entry integer not null, ordinal integer not null, line integer not null,
    text text not null, terms text not null);
create index passage_entry on passage(entry);
create table vocabulary(term text primary key, passages integer not null, groups integer not null) without rowid;
create table piece(
    id integer primary key autoincrement, entry integer not null, kind integer not null, key blob not null,
    text text not null);
create index piece_entry on piece(entry);
create index piece_key on piece(key);
create table dead_piece(id integer primary key autoincrement, piece integer not null);
create table space(
    id integer primary key, name text not null unique, dim integer not null, file text,
    packed integer not null default 0, complete integer not null default 0);
create table vector(
    id integer primary key autoincrement, space integer not null, key blob not null, data blob not null,
    unique(space, key));
create virtual table passage_fts using fts5(
    terms, content='passage', content_rowid='id', tokenize="unicode61 remove_diacritics 0");
create index entry_length on entry(length);
create virtual table grp_fts using fts5(
    path, title, description, tags, kind, body, content='grp', content_rowid='id',
    tokenize="unicode61 remove_diacritics 0");
"""
_NO_DATABASE = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT})
_NO_TABLE = sqlite3.SQLITE_ERROR
_CANNOT_MAKE_WAL = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
)
_PRIMARY = 0xFF
"""Extended error codes carry the plain one in their lowest byte."""


def clean(text: str) -> str:
    """SQLite keeps UTF-8: a lone surrogate becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def storable(mtime_ns: int) -> int:
    """A time as SQLite can keep it. A file that claims to be from 1600 or 2400 is compared by its bytes each time."""
    return max(-(1 << 63), min(mtime_ns, (1 << 63) - 1))


def signed(number: int) -> int:
    """An inode as SQLite can keep it: its integers end at 63 bits, inodes of some file systems at 64."""
    return number if number < 1 << 63 else number - (1 << 64)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is broken; otherwise it may be busy, unreadable at the moment, or the disk full."""
    return _code(error) in _NO_DATABASE


def open_for_writing(path: Path) -> sqlite3.Connection:
    """The index at `path`, made anew when it is missing, foreign, damaged or of another version.

    The caller holds the bundle's lock.
    """
    path.parent.mkdir(exist_ok=True)  # not with its parents: a bundle that went away must not come back empty
    db = sqlite3.connect(path, isolation_level=None, timeout=WAIT_SECONDS)
    try:
        _prepare(db)
        if _fits(db):
            return db
        db.close()
    except sqlite3.DatabaseError as error:
        db.close()
        if not is_damage(error):
            raise
    remove(path)
    db = sqlite3.connect(path, isolation_level=None, timeout=WAIT_SECONDS)
    _prepare(db)
    create(db)
    return db


def create(db: sqlite3.Connection) -> None:
    """Every table, empty.

    The first generation is the time in microseconds: greater than any that an index before this one can have had,
    since no change takes less. What a process remembers of a deleted index is never taken for this one's.
    """
    born = time.time_ns() // 1_000
    db.execute("begin immediate")
    for statement in _DDL.split(";\n"):
        if statement.strip():
            db.execute(statement)
    db.executemany("insert into meta values(?, ?)", [("stamp", stamp()), ("born", born), ("generation", born)])
    db.execute("commit")


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, and a new generation."""
    db.execute("begin immediate")
    try:
        yield
        db.execute("update meta set value = value + 1 where key = 'generation'")
        db.execute("commit")
    except BaseException:
        with suppress(sqlite3.Error):
            db.execute("rollback")
        raise


def open_for_reading(path: Path) -> tuple[sqlite3.Connection, bool] | None:
    """The index at `path` and whether it is read as a file that nobody changes; None when there is none to read.

    A file that does not fit or is damaged is no index: the next write makes it anew.

    Raises:
        sqlite3.Error: It is there and cannot be read at the moment.
    """
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        return _opened(address, fixed=False)
    except sqlite3.OperationalError as error:
        # Where no WAL file can be made (a read-only folder, a full disk) and none is there, the file alone is all.
        wal = path.with_name(path.name + "-wal")
        if _code(error) not in _CANNOT_MAKE_WAL or (wal.exists() and wal.stat().st_size):
            raise
    return _opened(f"{address}&immutable=1", fixed=True)


def remove(path: Path, *, folders: bool = False) -> None:
    """Delete the index and everything that belongs to it; `folders` that stand in its place too."""
    for place in _places(path):
        if folders and place.is_dir() and not place.is_symlink():
            from shutil import rmtree

            rmtree(place)
        else:
            place.unlink(missing_ok=True)


def explained(path: Path, error: sqlite3.Error | OSError) -> str:
    """What an error says about the index at `path`, and what helps, where that is known."""
    folder = next((place for place in _places(path) if place.is_dir()), None)
    if folder is not None:
        return f"{folder.name} is a directory; {DISPOSABLE}"
    if isinstance(error, OSError):
        return (error.strerror or str(error)).lower()
    if _code(error) == sqlite3.SQLITE_IOERR:  # so speaks SQLite of a log that something else wrote into, too
        return f"{error}; if that stays, {DISPOSABLE}"
    return str(error)


def _places(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm", "-journal", seen.SUFFIX)]


def _opened(address: str, *, fixed: bool) -> tuple[sqlite3.Connection, bool] | None:
    # One thread uses it at a time; another may close it when the first has ended.
    db = sqlite3.connect(address, uri=True, isolation_level=None, timeout=WAIT_SECONDS, check_same_thread=False)
    try:
        if _fits(db):
            db.execute("pragma query_only=on")
            db.execute("pragma mmap_size=268435456")
            return db, fixed
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            db.close()
            raise
    db.close()
    return None


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=normal")
    db.execute("pragma temp_store=memory")
    db.execute("pragma cache_size=-32000")
    db.execute("pragma secure_delete=on")  # a forgotten text must not stay in a free page


def _fits(db: sqlite3.Connection) -> bool:
    try:
        with closing(db.execute("select value from meta where key = 'stamp'")) as rows:
            found = rows.fetchone()
    except sqlite3.OperationalError as error:
        if _code(error) == _NO_TABLE:
            return False  # a database of something else, or one that was only just begun
        raise
    return found is not None and found[0] == stamp()


def _code(error: sqlite3.Error) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & _PRIMARY
