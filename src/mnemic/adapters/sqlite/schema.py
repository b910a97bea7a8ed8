"""Tables of the index file, and how it is opened.

The file is disposable: anything unexpected about it (another version, damage) ends in a new, empty one, which the
next refresh fills from the documents. Journal mode is WAL, so that readers never wait for the writer. SQLite before
3.51.3 can corrupt a WAL file when checkpoints race, so only the holder of the bundle's lock writes or checkpoints, and
readers open the file read-only, which keeps SQLite from checkpointing when they close.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from mnemic.text.analyzer import ANALYZER_VERSION

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA_VERSION = "1"

# unicode61 with remove_diacritics 0: the analyzer has decided what a term is, SQLite only splits at the blanks.
_DDL = """
create table meta(key text primary key, value) without rowid;
create table document(
    id integer primary key, path text not null unique, source text not null, size integer not null,
    mtime_ns integer not null, inode integer not null, sha256 text not null, problems integer not null,
    settled integer not null);
create table grp(id integer primary key, key text not null unique, document integer not null, single integer not null,
    path text, title text, description text, tags text, kind text, body text);
create index grp_document on grp(document);
create table entry(
    id integer primary key autoincrement, document integer not null, grp integer not null, position integer not null,
    key text not null unique, digest blob not null, uid text not null, source text not null, kind text not null,
    title text not null, description text not null, tags text not null, line integer not null,
    recorded_at real not null, changed_at real not null, valid_from real, valid_until real, due real,
    salience real not null, confidence real not null, authority real not null, verified integer not null,
    origin text not null, privacy text not null, scope text not null, state text not null, speaker text not null,
    names text not null, days text not null, length integer not null, claim_key text, claim_value text);
create index entry_claim on entry(claim_key) where claim_key is not null;
create index entry_document on entry(document);
create index entry_place on entry(grp, position);
create index entry_recorded on entry(recorded_at);
create index entry_prior on entry(salience, recorded_at);
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
create table vocabulary(term text primary key) without rowid;
create table piece(id integer primary key autoincrement, entry integer not null, key blob not null, text text not null);
create index piece_entry on piece(entry);
create index piece_key on piece(key);
create table dead_piece(id integer primary key);
create table space(id integer primary key, name text not null unique, dim integer not null, file text);
create table vector(
    id integer primary key autoincrement, space integer not null, key blob not null, data blob not null,
    unique(space, key));
create virtual table passage_fts using fts5(
    terms, content='passage', content_rowid='id', tokenize="unicode61 remove_diacritics 0");
create virtual table passage_vocab using fts5vocab(passage_fts, 'row');
create virtual table grp_fts using fts5(
    path, title, description, tags, kind, body, content='grp', content_rowid='id',
    tokenize="unicode61 remove_diacritics 0");
"""


def stamp() -> str:
    """What the rows of an index depend on; another stamp means another index."""
    return f"schema {SCHEMA_VERSION}, analyzer {ANALYZER_VERSION}, sqlite fts5"


def open_for_writing(path: Path) -> sqlite3.Connection:
    """The index at `path`, made anew when it is missing, foreign, damaged or of another version.

    The caller holds the bundle's lock.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    db = _connect(path)
    try:
        if _fits(db):
            return db
    except sqlite3.DatabaseError:
        pass  # damaged or no database at all: as good as missing
    db.close()
    remove(path)
    db = _connect(path)
    create(db)
    return db


def create(db: sqlite3.Connection) -> None:
    """Every table, empty."""
    db.execute("begin immediate")
    for statement in _DDL.split(";\n"):
        if statement.strip():
            db.execute(statement)
    db.executemany("insert into meta values(?, ?)", [("stamp", stamp()), ("generation", 1)])
    db.execute("commit")


def open_for_reading(path: Path) -> sqlite3.Connection | None:
    """The index at `path`, or None when there is none that this version can read."""
    if not path.exists():
        return None
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    except sqlite3.OperationalError:
        return None
    with suppress(sqlite3.DatabaseError):
        if _fits(db):
            db.execute("pragma query_only=on")
            db.execute("pragma mmap_size=268435456")
            return db
    db.close()
    return None


def remove(path: Path) -> None:
    """Delete the index and everything that belongs to it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=30)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=normal")
    db.execute("pragma temp_store=memory")
    db.execute("pragma cache_size=-32000")
    db.execute("pragma secure_delete=on")  # a forgotten text must not stay in a free page
    return db


def _fits(db: sqlite3.Connection) -> bool:
    with closing(db.execute("select value from meta where key = 'stamp'")) as rows:
        found = rows.fetchone()
    return found is not None and found[0] == stamp()
