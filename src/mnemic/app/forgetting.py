"""What would be forgotten, and forgetting by subject: `App.forgetting`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from mnemic.app import App
    from mnemic.domain.erasure import Preview, Receipt, Wishes
    from mnemic.services.erasing.forget import Forgotten


class Forgetting:
    """What goes with `App.forget`; a subject is looked for in the first bundle alone."""

    def __init__(self, app: App) -> None:
        self._app = app

    def preview(self, wanted: str, wishes: Wishes | None = None) -> Preview:
        """What `App.forget` would remove and offer to remove; raises as it does."""
        from mnemic.services.erasing.forget import preview

        bundle, name = self._app.locate(wanted)
        return preview(bundle, name, prefix=wanted.removesuffix(name), wishes=wishes)

    def preview_subject(self, subject: str) -> Preview:
        """Everything that names a subject as whole words, in any script, case and normalization."""
        from mnemic.services.erasing.forget import preview_subject

        return preview_subject(self._app.bundle, subject)

    def subject(self, subject: str, *, confirm: str, wishes: Wishes | None = None) -> Forgotten:
        """Remove all of that for good.

        Raises:
            ConfirmationError: `confirm` is not the subject again.
        """
        from mnemic.services.erasing.forget import forget_subject

        return forget_subject(self._app.bundle, subject, confirm=confirm, wishes=wishes)


def receipt_json(receipt: Receipt) -> dict[str, object]:
    """A receipt as it is kept in a file."""
    from mnemic.domain.instants import format_instant

    searched = receipt.searched
    repository = searched.repository if searched else None
    return {
        "number": receipt.number,
        "at": format_instant(receipt.at),
        "clean": receipt.clean,
        "removed": dict(receipt.removed),
        "searched": None
        if searched is None
        else {
            "files": searched.files,
            "bytes": searched.bytes,
            "pieces": searched.pieces,
            "unread": list(searched.unread),
            "repository": None if repository is None else {**repository._asdict(), "paths": list(repository.paths),
                                                           "remotes": list(repository.remotes)},
        },
        "found": [trace._asdict() for trace in receipt.found],
        "elsewhere": list(receipt.elsewhere),
        "unread_versions": receipt.unread_versions,
        "left": list(receipt.left),
        "beyond": [place._asdict() for place in receipt.beyond],
    }  # fmt: skip


def write_receipt(path: Path, receipt: Receipt) -> None:
    """Put a receipt into a file of its own.

    Raises:
        WriteFailedError: It cannot be written, or there is something already.
    """
    from mnemic.errors import WriteFailedError

    text = json.dumps(receipt_json(receipt), ensure_ascii=False, indent=2) + "\n"
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise WriteFailedError(str(path), (error.strerror or str(error)).lower()) from error
