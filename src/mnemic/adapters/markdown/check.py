"""What is wrong with a folder of Markdown, and mending it. A look changes nothing; a repair keeps every original."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING

from mnemic.adapters.markdown import generated
from mnemic.adapters.markdown.files import see_or_none, unlink_if_there
from mnemic.adapters.markdown.journal import Intent, entry_name
from mnemic.adapters.markdown.parts import INDEX, LOG
from mnemic.adapters.markdown.recovery import back_up
from mnemic.adapters.markdown.scan import Oddity, scan
from mnemic.adapters.markdown.store import stamp_time
from mnemic.adapters.markdown.transaction import Edit
from mnemic.domain.documents import CheckReport, Problem
from mnemic.domain.ids import MAX_SEGMENT_BYTES, WINDOWS_DEVICES, collision_key, derived_uid, id_of_path
from mnemic.errors import MemoryChangedError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mnemic.adapters.markdown.store import MarkdownStore
    from mnemic.adapters.markdown.writing import Writer
    from mnemic.domain.documents import Document, Located

_NOT_ON_WINDOWS = frozenset('<>:"|?*\\')
_INDEX_CODES = ("stale_index", "missing_index")
_MESSAGES = {
    "stale_index": "Its generated part is not what the documents say.",
    "missing_index": "The folder has documents and no index.",
    "index_markers": "Its markers are not one begin line and one end line; it is left alone.",
}


def examined(store: MarkdownStore, writer: Writer) -> CheckReport:
    """Every problem of a bundle, by path and line."""
    oddities: list[Oddity] = []
    paths = [stamp.path for stamp in scan(store.root, oddities)]
    documents = list(_documents(store, paths))
    problems = [
        *_of_documents(store, documents),
        *(_of_oddity(oddity) for oddity in oddities),
        *_of_names(paths),
        *_of_identity(paths, documents),
        *_of_references(store, documents),
        *_of_parts(store, writer, documents, paths),
        *_of_journal(store),
    ]
    ordered = sorted(problems, key=lambda problem: (problem.path, problem.line, problem.code))
    return CheckReport(documents=len(paths), problems=tuple(ordered))


def _documents(store: MarkdownStore, paths: Iterable[str]) -> Iterator[Document]:
    for path in paths:
        with suppress(NotFoundError):  # gone since the scan
            yield store.read(path)


def _of_documents(store: MarkdownStore, documents: Iterable[Document]) -> Iterator[Problem]:
    for document in documents:
        yield from store.counted(document).problems


def _of_oddity(oddity: Oddity) -> Problem:
    repairable = oddity.code == "leftover_temp"
    message = f"{oddity.why[0].upper()}{oddity.why[1:]}."
    return Problem(path=oddity.path, line=0, code=oddity.code, message=message, repairable=repairable)


def _of_names(paths: Iterable[str]) -> Iterator[Problem]:
    for path in paths:
        why = next(filter(None, map(_wrong_with_name, path.removesuffix(".md").split("/"))), "")
        if why:
            yield Problem(path=path, line=0, code="invalid_name", message=f"Not every system can keep it: {why}.")


def _wrong_with_name(name: str) -> str:
    if name.split(".", 1)[0].lower() in WINDOWS_DEVICES:
        return f"{name} is a device name on Windows"
    if name != name.strip(" ") or name.endswith("."):
        return "a name begins or ends with a blank or a dot"
    if any(char in _NOT_ON_WINDOWS or not char.isprintable() for char in name):
        return "a name holds a character that Windows refuses or that cannot be seen"
    if len(name.encode()) > MAX_SEGMENT_BYTES:
        return f"a name is longer than {MAX_SEGMENT_BYTES} bytes"
    return ""


def _of_identity(paths: Iterable[str], documents: Iterable[Document]) -> Iterator[Problem]:
    by_key: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        by_key[collision_key(path)].append(path)
    for alike in by_key.values():
        exact = f"{id_of_path(alike[0])}.md"
        owner = exact if exact in alike else alike[0]
        for path in alike:
            if path != owner:
                message = f"Its id is also that of {owner}, which comes first; some systems cannot keep the two apart."
                yield Problem(path=path, line=0, code="id_collision", message=message)
    by_uid: dict[str, str] = {}
    for document in documents:
        for located in document.memories:
            uid = located.memory.uid
            if uid == derived_uid(located.memory.id):
                continue
            if uid in by_uid:
                message = f"Its uid is also that of {by_uid[uid]}; a copy needs one of its own."
                yield Problem(path=located.path, line=located.line, code="duplicate_uid", message=message)
            by_uid.setdefault(uid, located.path)


def _of_references(store: MarkdownStore, documents: Iterable[Document]) -> Iterator[Problem]:
    known = {collision_key(item.memory.id): item for document in documents for item in document.memories}
    for located in known.values():
        memory = located.memory
        for key, ids, back in (
            ("supersedes", memory.supersedes, "superseded_by"),
            ("superseded_by", memory.superseded_by, "supersedes"),
        ):
            for named in ids:
                if ":" not in named:  # the others name a memory of another bundle
                    yield from _of_reference(store, located, key, named, back, known)


def _of_reference(  # noqa: PLR0913, PLR0917 - both ends of a link and where to look
    store: MarkdownStore, located: Located, key: str, named: str, back: str, known: Mapping[str, Located]
) -> Iterator[Problem]:
    line = _line_of_key(store, located.path, key)
    other = known.get(collision_key(named))
    if other is None:
        message = f"{key} names {named}, which is no memory of this bundle."
        yield Problem(path=located.path, line=line, code="unknown_reference", message=message)
    elif collision_key(located.memory.id) not in map(collision_key, getattr(other.memory, back)):
        message = f"{key} names {other.memory.id}, whose {back} does not name this one."
        yield Problem(path=located.path, line=line, code="one_sided_reference", message=message)


def _line_of_key(store: MarkdownStore, path: str, key: str) -> int:
    seen = see_or_none(store.fs, os.path.join(store.root, path))
    lines = seen.data.splitlines() if seen else []
    return next((number for number, line in enumerate(lines, 1) if line.startswith(f"{key}:".encode())), 0)


def _of_parts(
    store: MarkdownStore, writer: Writer, documents: Iterable[Document], paths: Iterable[str]
) -> Iterator[Problem]:
    parts = writer.parts_knowing({document.path: document.memories[0] for document in documents if document.memories})
    for folder in _folders(store, paths):
        code = parts.state(folder)
        if code:
            path = f"{folder}/{INDEX}" if folder else INDEX
            repairable = code != "index_markers"
            yield Problem(path=path, line=0, code=code, message=_MESSAGES[code], repairable=repairable)
    log = (
        see_or_none(store.fs, os.path.join(store.root, LOG)) if os.path.isfile(os.path.join(store.root, LOG)) else None
    )
    if log is not None and generated.has_markers(log.data) and generated.framed(log.data) is None:
        yield Problem(path=LOG, line=0, code="log_markers", message=_MESSAGES["index_markers"])


def _folders(store: MarkdownStore, paths: Iterable[str]) -> list[str]:
    """Folders that have documents at any depth below or an index of their own, and the root."""
    found = {""}
    for folder, inside, names in os.walk(store.root):
        inside[:] = [name for name in inside if not name.startswith(".")]
        if INDEX in names:
            found.add(os.path.relpath(folder, store.root).replace(os.sep, "/").removeprefix("."))
    for path in paths:
        folder = os.path.dirname(path)
        while folder and folder not in found:
            found.add(folder)
            folder = os.path.dirname(folder)
    return sorted(found)


def _of_journal(store: MarkdownStore) -> Iterator[Problem]:
    for name in store.pending():
        message = "A change was interrupted; the next command that writes completes it or takes it back."
        path = os.path.relpath(os.path.join(store.journal_folder, name), store.root).replace(os.sep, "/")
        yield Problem(path=path, line=0, code="pending_change", message=message, repairable=True)


def repaired(store: MarkdownStore, writer: Writer) -> CheckReport:
    """Mend what can be mended, under the bundle's lock; a second repair finds nothing to do.

    Raises:
        WriteFailedError: The disk does not take it; documents mended before that stay mended, with their copies.
    """
    before = examined(store, writer)
    copies = [copy for path in _mendable(before) if (copy := _mend(store, writer, path))]
    for problem in before.problems:
        if problem.code == "leftover_temp":
            unlink_if_there(store.fs, os.path.join(store.root, problem.path))
    mended = examined(store, writer) if copies else before
    for problem in mended.problems:
        if problem.code in _INDEX_CODES:
            writer.parts.regenerate(os.path.dirname(problem.path))
    after = examined(store, writer) if any(problem.repairable for problem in mended.problems) else mended
    left = Counter((problem.path, problem.code) for problem in after.problems)
    gone = [problem for problem in before.problems if (problem.path, problem.code) not in left]
    return CheckReport(
        documents=after.documents,
        problems=after.problems,
        repaired=tuple(gone),
        recovered_copies=tuple(copies),
    )


def _mendable(report: CheckReport) -> list[str]:
    own = {"leftover_temp", "pending_change", *_INDEX_CODES}
    return sorted({problem.path for problem in report.problems if problem.repairable and problem.code not in own})


def _mend(store: MarkdownStore, writer: Writer, path: str) -> str:
    """Mend one document; returns the path of its original's copy, or nothing when there was nothing to do."""
    seen, _ = store.see(path)
    if seen is None or os.path.islink(os.path.join(store.root, path)):
        return ""
    result = store.layout.repair(path, seen.data, stamp_time(seen.mtime_ns))
    if result.data is None or result.data == seen.data:
        return ""
    copy = back_up(store.fs, store.root, path, seen.data, writer.now_stamp())
    now = store.clock.now()
    intent = Intent(name=entry_name(int(now.timestamp() * 1000)), actions=(), log_before=writer.parts.log_digest())
    try:
        writer.write(intent, [Edit(path, seen, result.data)], {}, {path: (id_of_path(path), seen.sha256)})
    except MemoryChangedError:  # somebody is editing it now; it is for the next repair
        unlink_if_there(store.fs, os.path.join(store.root, copy))
        return ""
    return copy
