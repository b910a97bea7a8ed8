"""Looking for what is left of a text after it was forgotten, everywhere, and saying so in a receipt."""

from __future__ import annotations

import shlex
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from mnemic.domain.erasure import Beyond, Searched, Trace
from mnemic.errors import MnemicError
from mnemic.text.remains import pieces, spellings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mnemic.domain.erasure import Repository
    from mnemic.ports import Remains
    from mnemic.services.bundle import Bundle

GIT_SECONDS = 30.0
"""So long the objects of a repository are searched, at most."""
_KEY_BYTES = 16
_KINDS = (0, 1, 2)
_ALWAYS = (
    Beyond("backups and copies of the folder", "Delete them, or replace them by one that is made now."),
    Beyond(
        "snapshots of the file system, and blocks that a disk has let go (SSD wear levelling, copy on write)",
        "Delete the snapshots. On an encrypted disk the blocks are of no use to anybody without its key.",
    ),
    Beyond(
        "the wrapped key in an older copy of the vault",
        "Change the bundle's key (mnemic ledger rotate --yes); copies from before cannot be opened with the new one.",
    ),
    Beyond("what a model, a person or another program was already given", "Ask those who have it."),
)


class Found(NamedTuple):
    """What a search has found: what is left of the text, and which documents and sessions say the same and stay."""

    searched: Searched
    traces: tuple[Trace, ...]
    elsewhere: tuple[str, ...]


def look_for(bundle: Bundle, texts: Iterable[str], *, keys: Sequence[str] = ()) -> Found | None:
    """Look through every byte of a bundle for what a text is known by. None where nobody can look.

    A piece that a document, a session or a proposal says, which stays, is not of the forgotten text alone: it is not
    looked for anywhere else, and where it stands is told apart.

    Args:
        bundle: Where to look.
        texts: What was forgotten.
        keys: Texts whose vectors must be gone: their hashes are looked for.
    """
    remains = bundle.remains()
    if remains is None:
        return None
    wanted = pieces(texts)
    spelled = [(number, needle) for number, piece in enumerate(wanted) for needle in spellings(piece)]
    hashes = [_key(kind, text) for text in keys for kind in _KINDS]
    needles = [needle for _, needle in spelled] + hashes
    swept = remains.search(needles)
    alive = {stamp.path for stamp in (*bundle.store.stamps(), *bundle.sessions.stamps())}
    alive.update(remains.paths("_proposals"))  # those that name it, or hold a sentence of it, are gone by now
    of = [number for number, _ in spelled] + [-1] * len(hashes)
    said = {of[hit.needle] for hit in swept.hits if hit.path in alive and of[hit.needle] >= 0}
    elsewhere = sorted({hit.path for hit in swept.hits if hit.path in alive})
    shared = {_key(kind, text) for text in _embedded(bundle, elsewhere) for kind in _KINDS}
    left = [
        hit
        for hit in swept.hits
        if hit.path not in alive and of[hit.needle] not in said and needles[hit.needle] not in shared
    ]
    ours = [needle for number, needle in spelled if number not in said]
    repository = _repository(remains, ours)
    searched = Searched(
        files=swept.files, bytes=swept.bytes, pieces=len(wanted), unread=swept.unread, repository=repository
    )
    return Found(searched, tuple(sorted({Trace(hit.path, hit.offset) for hit in left})), tuple(elsewhere))


def _embedded(bundle: Bundle, paths: Iterable[str]) -> Iterator[str]:
    """Texts of these documents that have vectors: where one says the same, its vector stays."""
    from mnemic.services.upkeep.indexing import entries_of_document

    for path in paths:
        with suppress(MnemicError):  # it is no document of the bundle
            for entry in entries_of_document(bundle.store.read(path), bundle.zone):
                yield from (*entry.embed, *entry.embed_near)


def _repository(remains: Remains, needles: Sequence[bytes]) -> Repository | None:
    return remains.repository(needles, GIT_SECONDS) if needles else None


def _key(kind: int, text: str) -> bytes:
    """As the index knows a text that has a vector."""
    return sha256(bytes([kind]) + text.encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]


def beyond(repository: Repository | None) -> tuple[Beyond, ...]:
    """What is out of reach; of a repository, with the commands that write its history anew."""
    told: list[Beyond] = []
    if repository is not None and repository.hits:
        told.append(Beyond(f"the history of the git repository {repository.root}", rewriting(repository)))
    elif repository is not None and not repository.whole:
        told.append(
            Beyond(
                f"the git repository {repository.root}, whose objects were not searched to the end",
                "Search it yourself: git log --all -S 'WORDS'",
            )
        )
    if repository is not None and repository.hits and repository.remotes:
        names = ", ".join(repository.remotes)
        told.append(
            Beyond(
                f"what was pushed to {names}",
                "Once the history is rewritten: git push --force --all, git push --force --tags; then ask whoever runs "
                "it to collect garbage, and whoever cloned it to clone anew.",
            )
        )
    return (*told, *_ALWAYS)


def rewriting(repository: Repository) -> str:
    """Commands for a shell that take files out of every commit of a repository; nothing but git is needed.

    The files in the working folder stay as they are. Files that live on, like `log.md`, are to be added again.
    """
    paths = " ".join(shlex.quote(path) for path in repository.paths)
    without = " ".join(shlex.quote(f":(top,exclude,literal){path}") for path in repository.paths)
    lines = [f"cd {shlex.quote(repository.root)}"]
    if repository.paths:
        lines += [
            f"git rm -r -q --cached --ignore-unmatch -- {paths}",
            (
                "git fast-export --all --full-history --sparse --reencode=no --signed-tags=strip "
                f"--tag-of-filtered-object=rewrite -- . {without} | git fast-import --force --quiet"
            ),
        ]
    lines += ["git reflog expire --expire=now --all", "git gc --prune=now --quiet"]
    return "\n".join(lines)
