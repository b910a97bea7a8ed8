"""Putting documents into the index and taking them out, entry by entry.

A document that changed keeps the rows of entries that did not: appending a turn to a long session costs one turn.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from mnemic.adapters.sqlite.schema import clean, signed, storable
from mnemic.adapters.sqlite.waiting import PieceKind
from mnemic.domain.entries import Source
from mnemic.text.analyzer import terms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from mnemic.domain.entry import Entry, IndexedDocument

KEY_BYTES = 16
_ENTRY_COLUMNS = (
    "document, grp, position, key, digest, uid, source, kind, title, description, tags, line, recorded_at, changed_at, "
    "valid_from, valid_until, due, salience, confidence, authority, verified, origin, privacy, scope, state, speaker, "
    "names, days, length, claim_key, claim_value, asks, speaker_key, tokens, loading, offered, "
    "outcome_of, result, cites"
)
_ENTRY_MARKS = ", ".join("?" * len(_ENTRY_COLUMNS.split(",")))
_GROUP_FIELDS = ("path", "title", "description", "tags", "kind", "body")


def text_key(text: str, kind: PieceKind = PieceKind.ANY) -> bytes:
    """What a text's vector is kept under."""
    return sha256(bytes([kind]) + text.encode("utf-8", "surrogatepass")).digest()[:KEY_BYTES]


@dataclass(slots=True)
class Batch:
    """The changes of one transaction, which is the caller's; `finish` belongs to it.

    `_passages` and `_groups` say by how many more, or less, each word is held.
    """

    db: sqlite3.Connection
    _passages: Counter[str] = field(default_factory=Counter)
    _groups: Counter[str] = field(default_factory=Counter)

    def put(self, document: IndexedDocument) -> None:
        """Replace what stands at the document's path."""
        row = self._document_row(document)
        groups = self._group_rows(row, document)
        known = {
            key: (entry, digest) for entry, key, digest in self.db.execute(
                "select id, key, digest from entry where document = ?", (row,),
            )
        }  # fmt: skip
        fresh: dict[str, tuple[Entry, bytes]] = {}
        kept: set[str] = set()
        for entry in document.entries:
            key, digest = clean(entry.id), _digest(entry)
            if key in known and known[key][1] == digest and key not in fresh:
                kept.add(key)
            else:
                fresh[key] = (entry, digest)  # of two with one id the last one counts
        kept -= fresh.keys()
        old = {entry for key, (entry, _) in known.items() if key not in kept}
        # An entry may have moved here from another document; its old row goes first, whichever document is read first.
        old.update(self._rows_of(fresh))
        left = self._drop_entries(old)
        for entry, digest in fresh.values():
            self._insert_entry(entry, digest, document=row, group=groups[entry.group])
        # Last, so that a text that stays in another entry keeps its vector.
        self._drop_vectors(left)
        if fresh or len(kept) != len(known):
            self._index_groups(document, groups)
        self._drop_groups(row, keep=set(groups.values()))

    def drop(self, paths: Iterable[str]) -> None:
        """Take documents out, with everything that came from them."""
        for path in paths:
            found = self.db.execute("select id from document where path = ?", (path,)).fetchone()
            if found is None:
                continue
            rows = [row for (row,) in self.db.execute("select id from entry where document = ?", found)]
            self._drop_vectors(self._drop_entries(rows))
            self._drop_groups(found[0], keep=set())
            self.db.execute("delete from document where id = ?", found)

    def finish(self) -> None:
        """Count the words. One that no passage holds any more is forgotten: it may be what was to be erased."""
        words = sorted(self._passages.keys() | self._groups.keys())
        changes = ((word, self._passages[word], self._groups[word]) for word in words)
        changed = [change for change in changes if change[1] or change[2]]
        self.db.executemany(
            "insert into vocabulary values(?, ?, ?) on conflict(term) do update set "
            "passages = passages + excluded.passages, groups = groups + excluded.groups",
            changed,
        )
        self.db.executemany(
            "delete from vocabulary where term = ? and passages <= 0 and groups <= 0",
            ((word,) for word, passages, groups in changed if passages < 0 or groups < 0),
        )
        self._passages.clear()
        self._groups.clear()

    def _document_row(self, document: IndexedDocument) -> int:
        stamp = document.stamp
        self.db.execute(
            "insert into document(source, size, mtime_ns, inode, sha256, problems, settled, path) "
            "values(?, ?, ?, ?, ?, ?, ?, ?) on conflict(path) do update set source = excluded.source, "
            "size = excluded.size, mtime_ns = excluded.mtime_ns, inode = excluded.inode, sha256 = excluded.sha256, "
            "problems = excluded.problems, settled = excluded.settled",
            (
                str(document.source), stamp.size, storable(stamp.mtime_ns), signed(stamp.inode), document.sha256,
                document.problems, document.settled, stamp.path,
            ),
        )  # fmt: skip
        return int(self.db.execute("select id from document where path = ?", (stamp.path,)).fetchone()[0])

    def _group_rows(self, document: int, content: IndexedDocument) -> dict[str, int]:
        rows: dict[str, int] = {}
        for key in dict.fromkeys(entry.group for entry in content.entries):
            name = clean(key)
            self.db.execute(
                "insert into grp(key, document, single) values(?, ?, 1) "
                "on conflict(key) do update set document = excluded.document",
                (name, document),
            )
            rows[key] = int(self.db.execute("select id from grp where key = ?", (name,)).fetchone()[0])
        return rows

    def _index_groups(self, document: IndexedDocument, groups: dict[str, int]) -> None:
        """A group's words are those of its entries; its fields the first entry's, of which a memory is the only one."""
        members: dict[str, list[Entry]] = {}
        for entry in document.entries:
            members.setdefault(entry.group, []).append(entry)
        for key, entries in members.items():
            row, first = groups[key], entries[0]
            self._unindex_group(row)
            body = self.db.execute(
                "select p.terms from entry e join passage p on p.entry = e.id where e.grp = ? "
                "order by e.position, e.key, p.ordinal",
                (row,),
            )
            words = (
                _joined(document.stamp.path.removesuffix(".md")),
                _joined(" ".join((first.title, *first.names))),
                _joined(first.description),
                _joined(" ".join(first.tags)),
                _joined(first.kind),
                " ".join(text for (text,) in body),
            )
            single = len(entries) == 1 and len(first.passages) == 1
            sets = ", ".join(f"{name} = ?" for name in _GROUP_FIELDS)
            self.db.execute(f"update grp set single = ?, {sets} where id = ?", (single, *words, row))  # noqa: S608 - own names
            self.db.execute(
                f"insert into grp_fts(rowid, {', '.join(_GROUP_FIELDS)}) values(?, ?, ?, ?, ?, ?, ?)",
                (row, *words),
            )
            self._groups.update(_different(words))

    def _unindex_group(self, row: int) -> None:
        names = ", ".join(_GROUP_FIELDS)
        query = f"select {names} from grp where id = ? and body is not null"  # noqa: S608 - own names
        old = self.db.execute(query, (row,)).fetchone()
        if old is not None:
            self.db.execute(
                f"insert into grp_fts(grp_fts, rowid, {names}) values('delete', ?, ?, ?, ?, ?, ?, ?)", (row, *old)
            )
            self._groups.subtract(_different(old))

    def _drop_groups(self, document: int, *, keep: set[int]) -> None:
        for (row,) in self.db.execute("select id from grp where document = ?", (document,)).fetchall():
            if row not in keep:
                self._unindex_group(row)
                self.db.execute("delete from grp where id = ?", (row,))

    def _insert_entry(self, entry: Entry, digest: bytes, *, document: int, group: int) -> None:
        passages = [(passage, _joined(f"{passage.context}\n{passage.text}")) for passage in entry.passages]
        claim = (None, None) if entry.claim is None else tuple(map(clean, entry.claim))
        cursor = self.db.execute(
            f"insert into entry({_ENTRY_COLUMNS}) values({_ENTRY_MARKS})",
            (
                document, group, entry.position, clean(entry.id), digest, clean(entry.uid), str(entry.source),
                clean(entry.kind), clean(entry.title), clean(entry.description), _json([*map(clean, entry.tags)]),
                entry.line, entry.recorded_at.timestamp(), entry.changed_at.timestamp(), _seconds(entry.valid_from),
                _seconds(entry.valid_until), _seconds(entry.due), entry.salience, entry.confidence, entry.authority,
                entry.verified, clean(entry.origin), clean(entry.privacy), clean(entry.scope), str(entry.state),
                clean(entry.speaker), _joined(" ".join(entry.names)),
                _json([(first.toordinal(), past.toordinal()) for first, past in entry.days]),
                sum(words.count(" ") + 1 for _, words in passages if words), *claim, entry.asks,
                clean(entry.speaker).casefold() if entry.speaker else None, entry.tokens,
                None if entry.loading is None else str(entry.loading), entry.offered,
                clean(entry.outcome_of) or None, entry.result or None, entry.cites,
            ),
        )  # fmt: skip
        row = int(cursor.lastrowid or 0)
        for ordinal, (passage, words) in enumerate(passages):
            cursor = self.db.execute(
                "insert into passage(entry, ordinal, line, text, terms) values(?, ?, ?, ?, ?)",
                (row, ordinal, passage.line, clean(passage.text), words),
            )
            self.db.execute("insert into passage_fts(rowid, terms) values(?, ?)", (cursor.lastrowid, words))
            self._passages.update(set(words.split()))
        self._insert_around(row, entry)

    def _insert_around(self, row: int, entry: Entry) -> None:
        """What is found from an entry other than by its passages."""
        alone = PieceKind.ALONE if entry.embed_near else PieceKind.ANY
        for kind, texts in ((alone, entry.embed), (PieceKind.WINDOW, entry.embed_near)):
            self.db.executemany(
                "insert into piece(entry, kind, key, text) values(?, ?, ?, ?)",
                ((row, kind, text_key(text, kind), clean(text)) for text in dict.fromkeys(texts)),
            )
        self._insert_each("tag", row, (tag.casefold() for tag in entry.tags))
        # Links lead to memories by name. Turns have their speaker's: a link to a person must not lead to each of them.
        if entry.source is Source.MEMORY:
            self._insert_each("name", row, (name.casefold() for name in entry.names))
        self._insert_each("link", row, entry.links)
        self.db.executemany(
            "insert into day values(?, ?, ?)",
            ((row, first.toordinal(), past.toordinal()) for first, past in entry.days),
        )

    def _insert_each(self, table: str, row: int, texts: Iterable[str]) -> None:
        self.db.executemany(f"insert or ignore into {table} values(?, ?)", ((row, clean(text)) for text in texts))

    def _rows_of(self, ids: Iterable[str]) -> list[int]:
        found = (self.db.execute("select id from entry where key = ?", (key,)).fetchone() for key in ids)
        return [row[0] for row in found if row is not None]

    def _drop_entries(self, rows: Iterable[int]) -> list[bytes]:
        """Take entries out; gives the keys of their texts, whose vectors may now be nobody's."""
        left: list[bytes] = []
        for row in sorted(rows):
            for passage, words in self.db.execute("select id, terms from passage where entry = ?", (row,)).fetchall():
                self.db.execute(
                    "insert into passage_fts(passage_fts, rowid, terms) values('delete', ?, ?)", (passage, words)
                )
                self._passages.subtract(set(words.split()))
            self.db.execute("insert into dead_piece(piece) select id from piece where entry = ?", (row,))
            left += (key for (key,) in self.db.execute("select key from piece where entry = ?", (row,)))
            for table in ("passage", "piece", "tag", "name", "link", "day"):
                self.db.execute(f"delete from {table} where entry = ?", (row,))  # noqa: S608 - own names
            self.db.execute("delete from entry where id = ?", (row,))
        return left

    def _drop_vectors(self, keys: Sequence[bytes]) -> None:
        self.db.executemany(
            "delete from vector where space in (select id from space) and key = ?1 "
            "and not exists (select 1 from piece where key = ?1)",
            ((key,) for key in keys),
        )


def _different(fields_: Iterable[str]) -> set[str]:
    return {word for words in fields_ for word in words.split()}


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


def _json(value: list[str] | list[tuple[int, int]]) -> str:
    return json.dumps(value, ensure_ascii=False) if value else "[]"


def _joined(text: str) -> str:
    return " ".join(terms(text))


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()
