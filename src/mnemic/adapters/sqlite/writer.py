"""Putting documents into the index and taking them out, entry by entry.

A document that changed keeps the rows of entries that did not: appending a turn to a long session costs one turn.
"""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import date, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from mnemic.text.analyzer import terms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from mnemic.domain.entries import Entry, IndexedDocument

KEY_BYTES = 16
_ENTRY_COLUMNS = (
    "document, grp, position, key, digest, uid, source, kind, title, description, tags, line, recorded_at, changed_at, "
    "valid_from, valid_until, due, salience, confidence, authority, verified, origin, privacy, scope, state, speaker, "
    "names, days, length, claim_key, claim_value"
)
_ENTRY_MARKS = ", ".join("?" * len(_ENTRY_COLUMNS.split(",")))
_GROUP_FIELDS = ("path", "title", "description", "tags", "kind", "body")


def text_key(text: str) -> bytes:
    """What a text's vector is kept under."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()[:KEY_BYTES]


def put_document(db: sqlite3.Connection, document: IndexedDocument, seen: set[str]) -> None:
    """Replace what stands at the document's path, within the caller's transaction.

    `seen` holds words known to be in the vocabulary; it starts empty with each transaction and is kept up here.
    """
    row = _document_row(db, document)
    groups = _group_rows(db, row, document)
    known = {
        key: (entry, digest) for entry, key, digest in db.execute(
            "select id, key, digest from entry where document = ?", (row,),
        )
    }  # fmt: skip
    fresh: list[tuple[Entry, bytes]] = []
    kept: set[str] = set()
    for entry in document.entries:
        digest = _digest(entry)
        if entry.id in known and known[entry.id][1] == digest:
            kept.add(entry.id)
        else:
            fresh.append((entry, digest))
    old = [entry for key, (entry, _) in known.items() if key not in kept]
    # An entry may have moved here from another document; its old row goes first, whichever document is read first.
    old += (row for row in _elsewhere(db, [entry.id for entry, _ in fresh]) if row not in old)
    left = _drop_entries(db, old)
    if old:
        seen.clear()  # words may have gone with the old rows
    for entry, digest in fresh:
        _insert_entry(db, entry, digest, document=row, group=groups[entry.group], seen=seen)
    # Last, so that a text that stays in another entry keeps its vector.
    _drop_vectors(db, left)
    if fresh or len(kept) != len(known):
        _index_groups(db, document, groups)
    _drop_groups(db, row, keep=set(groups.values()))


def drop_documents(db: sqlite3.Connection, paths: Sequence[str]) -> None:
    """Take documents out, with everything that came from them."""
    for path in paths:
        found = db.execute("select id from document where path = ?", (path,)).fetchone()
        if found is None:
            continue
        left = _drop_entries(db, [row for (row,) in db.execute("select id from entry where document = ?", found)])
        _drop_vectors(db, left)
        _drop_groups(db, found[0], keep=set())
        db.execute("delete from document where id = ?", found)


def _document_row(db: sqlite3.Connection, document: IndexedDocument) -> int:
    stamp = document.stamp
    facts = (
        document.source, stamp.size, stamp.mtime_ns, stamp.inode, document.sha256, document.problems, document.settled,
    )  # fmt: skip
    found = db.execute("select id from document where path = ?", (stamp.path,)).fetchone()
    if found is None:
        cursor = db.execute(
            "insert into document(source, size, mtime_ns, inode, sha256, problems, settled, path) "
            "values(?, ?, ?, ?, ?, ?, ?, ?)",
            (*facts, stamp.path),
        )
        return int(cursor.lastrowid or 0)
    db.execute(
        "update document set source = ?, size = ?, mtime_ns = ?, inode = ?, sha256 = ?, problems = ?, settled = ? "
        "where id = ?",
        (*facts, found[0]),
    )
    return int(found[0])


def _group_rows(db: sqlite3.Connection, document: int, content: IndexedDocument) -> dict[str, int]:
    rows: dict[str, int] = {}
    for key in dict.fromkeys(entry.group for entry in content.entries):
        found = db.execute("select id from grp where key = ?", (key,)).fetchone()
        if found is None:
            cursor = db.execute("insert into grp(key, document, single) values(?, ?, 1)", (key, document))
            rows[key] = int(cursor.lastrowid or 0)
        else:
            db.execute("update grp set document = ? where id = ?", (document, found[0]))
            rows[key] = int(found[0])
    return rows


def _index_groups(db: sqlite3.Connection, document: IndexedDocument, groups: dict[str, int]) -> None:
    """A group's words are those of its entries; the fields are the first entry's, of which a memory is the only one."""
    members: dict[str, list[Entry]] = {}
    for entry in document.entries:
        members.setdefault(entry.group, []).append(entry)
    for key, entries in members.items():
        row = groups[key]
        _unindex_group(db, row)
        first = entries[0]
        body = " ".join(
            text for (text,) in db.execute(
                "select p.terms from passage p join entry e on e.id = p.entry where e.grp = ? order by p.id", (row,),
            )
        )  # fmt: skip
        words = (
            _joined(document.stamp.path.removesuffix(".md")),
            _joined(" ".join((first.title, *first.names))),
            _joined(first.description),
            _joined(" ".join(first.tags)),
            _joined(first.kind),
            body,
        )
        single = len(entries) == 1 and len(first.passages) == 1
        sets = ", ".join(f"{name} = ?" for name in _GROUP_FIELDS)
        db.execute(f"update grp set single = ?, {sets} where id = ?", (single, *words, row))  # noqa: S608 - own names
        db.execute(
            f"insert into grp_fts(rowid, {', '.join(_GROUP_FIELDS)}) values(?, ?, ?, ?, ?, ?, ?)",
            (row, *words),
        )


def _unindex_group(db: sqlite3.Connection, row: int) -> None:
    names = ", ".join(_GROUP_FIELDS)
    old = db.execute(f"select {names} from grp where id = ? and body is not null", (row,)).fetchone()  # noqa: S608
    if old is not None:
        db.execute(
            f"insert into grp_fts(grp_fts, rowid, {names}) values('delete', ?, ?, ?, ?, ?, ?, ?)",
            (row, *old),
        )


def _drop_groups(db: sqlite3.Connection, document: int, *, keep: set[int]) -> None:
    for (row,) in db.execute("select id from grp where document = ?", (document,)).fetchall():
        if row not in keep:
            _unindex_group(db, row)
            db.execute("delete from grp where id = ?", (row,))


def _insert_entry(  # noqa: PLR0913 - one row and where it belongs
    db: sqlite3.Connection, entry: Entry, digest: bytes, *, document: int, group: int, seen: set[str]
) -> None:
    passages = [(passage, _joined(f"{passage.context}\n{passage.text}")) for passage in entry.passages]
    names = _joined(" ".join(entry.names))
    cursor = db.execute(
        f"insert into entry({_ENTRY_COLUMNS}) values({_ENTRY_MARKS})",
        (
            document, group, entry.position, entry.id, digest, entry.uid, entry.source, entry.kind, entry.title,
            entry.description, json.dumps(entry.tags, ensure_ascii=False), entry.line, entry.recorded_at.timestamp(),
            entry.changed_at.timestamp(), _seconds(entry.valid_from), _seconds(entry.valid_until), _seconds(entry.due),
            entry.salience, entry.confidence, entry.authority, entry.verified, entry.origin, entry.privacy,
            entry.scope, entry.state, entry.speaker, names,
            json.dumps([(first.toordinal(), past.toordinal()) for first, past in entry.days]),
            sum(words.count(" ") + 1 for _, words in passages), *(entry.claim or (None, None)),
        ),
    )  # fmt: skip
    row = int(cursor.lastrowid or 0)
    for ordinal, (passage, words) in enumerate(passages):
        cursor = db.execute(
            "insert into passage(entry, ordinal, line, text, terms) values(?, ?, ?, ?, ?)",
            (row, ordinal, passage.line, _clean(passage.text), words),
        )
        db.execute("insert into passage_fts(rowid, terms) values(?, ?)", (cursor.lastrowid, words))
        new = set(words.split(" ")) - seen
        db.executemany("insert or ignore into vocabulary values(?)", ((word,) for word in new))
        seen |= new
    db.executemany(
        "insert into piece(entry, key, text) values(?, ?, ?)",
        ((row, text_key(text), _clean(text)) for text in dict.fromkeys(entry.embed)),
    )
    db.executemany("insert or ignore into tag values(?, ?)", ((row, tag.casefold()) for tag in entry.tags))
    db.executemany("insert or ignore into name values(?, ?)", ((row, name.casefold()) for name in entry.names))
    db.executemany("insert or ignore into link values(?, ?)", ((row, target) for target in entry.links))
    db.executemany(
        "insert into day values(?, ?, ?)",
        ((row, first.toordinal(), past.toordinal()) for first, past in entry.days),
    )


def _elsewhere(db: sqlite3.Connection, ids: Iterable[str]) -> Iterator[int]:
    for key in ids:
        for (row,) in db.execute("select id from entry where key = ?", (key,)).fetchall():
            yield row


def _drop_entries(db: sqlite3.Connection, rows: Sequence[int]) -> list[bytes]:
    """Take entries out; gives the keys of their texts, whose vectors may now be nobody's."""
    left: list[bytes] = []
    for row in rows:
        words: set[str] = set()
        for passage, terms_ in db.execute("select id, terms from passage where entry = ?", (row,)).fetchall():
            db.execute("insert into passage_fts(passage_fts, rowid, terms) values('delete', ?, ?)", (passage, terms_))
            words.update(terms_.split(" "))
        db.execute("delete from passage where entry = ?", (row,))
        _forget_words(db, words)
        db.execute("insert or ignore into dead_piece select id from piece where entry = ?", (row,))
        left += (key for (key,) in db.execute("select key from piece where entry = ?", (row,)))
        for table in ("piece", "tag", "name", "link", "day"):
            db.execute(f"delete from {table} where entry = ?", (row,))  # noqa: S608 - own names
        db.execute("delete from entry where id = ?", (row,))
    return left


def _drop_vectors(db: sqlite3.Connection, keys: Sequence[bytes]) -> None:
    db.executemany(
        "delete from vector where key = ?1 and not exists (select 1 from piece where key = ?1)",
        ((key,) for key in keys),
    )


def _forget_words(db: sqlite3.Connection, words: set[str]) -> None:
    """A word that no passage holds any more must not be offered as a correction, nor outlive what was erased."""
    for word in words:
        if db.execute("select 1 from passage_vocab where term = ?", (word,)).fetchone() is None:
            db.execute("delete from vocabulary where term = ?", (word,))


def _digest(entry: Entry) -> bytes:
    parts = json.dumps([_plain(getattr(entry, field.name)) for field in fields(entry)], ensure_ascii=True)
    return sha256(parts.encode("ascii")).digest()[:KEY_BYTES]


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.timestamp()
    if isinstance(value, date):
        return value.toordinal()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return [getattr(value, name) for name in value.__dataclass_fields__]
    return value


def _joined(text: str) -> str:
    return " ".join(terms(text))


def _clean(text: str) -> str:
    """SQLite keeps UTF-8: a lone surrogate becomes the replacement character."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()
