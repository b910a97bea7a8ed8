"""Proposals as Markdown files in `_proposals/` of a bundle: the `ProposalStore` port."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from mnemic.adapters.markdown.files import is_temp, make_folders, replace_file, see_or_none, unlink_if_there
from mnemic.domain.ids import SESSION_PREFIX, memory_id
from mnemic.errors import (
    InvalidIdError,
    LimitExceededError,
    ProposalDamagedError,
    ProposalNotFoundError,
    ReadOnlyBundleError,
    WriteFailedError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from mnemic.adapters.markdown.files import Seen
    from mnemic.adapters.markdown.store import MarkdownStore
    from mnemic.domain.proposals import Proposal

FOLDER: Final = "_proposals"
_SUFFIX: Final = ".md"


class MarkdownProposals:
    """`ProposalStore` over the folder of a store, under its lock and its limits."""

    def __init__(self, store: MarkdownStore) -> None:
        self._store, self._fs = store, store.fs

    def ids(self) -> list[str]:
        """As the port says."""
        try:
            names = os.listdir(self._folder)
        except OSError:
            return []
        return sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX) and name[0] != ".")

    def read(self, proposal_id: str) -> Proposal:
        """As the port says."""
        from mnemic.adapters.markdown.formats.proposal import decode

        if not _is_name(proposal_id):
            raise ProposalNotFoundError(proposal_id)
        path = f"{FOLDER}/{proposal_id}{_SUFFIX}"
        full = os.path.join(self._store.root, path)
        try:
            size = os.stat(full).st_size
            if size > self._most:
                raise ProposalDamagedError(path, f"it has {size:,} bytes, more than a proposal may have")
            proposal = decode(self._fs.see(full).data)
        except (FileNotFoundError, NotADirectoryError):
            raise ProposalNotFoundError(proposal_id) from None
        except OSError as error:
            raise ProposalDamagedError(path, (error.strerror or str(error)).lower()) from error
        except UnicodeDecodeError:
            raise ProposalDamagedError(path, "it is not UTF-8") from None
        except ValueError as error:
            raise ProposalDamagedError(path, str(error)) from None
        if proposal.id != proposal_id:
            raise ProposalDamagedError(path, f"it is a copy of {proposal.id}")
        return proposal

    def write(self, proposal: Proposal) -> None:
        """As the port says."""
        from mnemic.adapters.markdown.formats.proposal import encode

        if not _is_name(proposal.id):
            raise InvalidIdError(proposal.id, "it cannot name a proposal")
        self._check_writable()
        data = encode(proposal)
        if len(data) > self._most:
            raise LimitExceededError("The proposal", size=len(data), limit=self._most, unit="bytes")
        path = f"{FOLDER}/{proposal.id}{_SUFFIX}"
        full = os.path.join(self._store.root, path)
        with self.locked():
            try:
                make_folders(self._fs, self._store.root, FOLDER)
                if os.path.islink(self._folder) or os.path.islink(full):
                    raise WriteFailedError(path, "it is a symbolic link")
                replace_file(self._fs, full, data)
            except OSError as error:
                raise WriteFailedError(path, (error.strerror or str(error)).lower()) from error

    def erase(self, names: Iterable[str]) -> int:
        """As the port says; what a dead writer left half written goes too."""
        wanted = frozenset(filter(None, names))
        if not wanted or not os.path.isdir(self._folder):
            return 0
        self._check_writable()
        gone = 0
        with self.locked():
            try:
                for name in sorted(os.listdir(self._folder)):
                    full = os.path.join(self._folder, name)
                    if not os.path.isfile(full):  # a folder, a named pipe: nobody's proposal
                        continue
                    if is_temp(name) or (name.endswith(_SUFFIX) and _holds(see_or_none(self._fs, full), wanted)):
                        gone += unlink_if_there(self._fs, full) and not is_temp(name)
                self._fs.sync_folder(self._folder)
            except OSError as error:
                raise WriteFailedError(FOLDER, (error.strerror or str(error)).lower()) from error
        return gone

    def locked(self) -> AbstractContextManager[None]:
        """As the port says."""
        return self._store.locked()

    @property
    def _folder(self) -> str:
        return os.path.join(self._store.root, FOLDER)

    @property
    def _most(self) -> int:
        return self._store.limits.document_bytes

    def _check_writable(self) -> None:
        if self._store.read_only:
            raise ReadOnlyBundleError(self._store.root)


def _holds(seen: Seen | None, names: frozenset[str]) -> bool:
    from mnemic.adapters.markdown.formats.proposal import strings_of

    if seen is None:
        return False
    strings = strings_of(seen.data)
    if strings is None:
        return any(name.encode("utf-8", "surrogatepass") in seen.data for name in names)
    turns = tuple(f"{name}#" for name in names if name.startswith(SESSION_PREFIX) and "#" not in name)
    return not names.isdisjoint(strings) or any(text.startswith(turns) for text in strings if turns)


def _is_name(proposal_id: str) -> bool:
    try:
        return memory_id(proposal_id) == proposal_id and not {"/", "#"} & set(proposal_id)
    except InvalidIdError:
        return False
