"""Every error meant for a reader.

Each says what is wrong in one sentence (`message`), what to do (`hint`), and has a stable `code`.
Exit status, HTTP status and tool text are given at the edges, once each.

    MnemicError
    ├── InputError                what was asked cannot be understood
    │   ├── InvalidIdError
    │   ├── InvalidMemoryError
    │   ├── InvalidCitationError
    │   ├── InvalidTimeError
    │   ├── InvalidSessionError
    │   ├── ImportSourceError
    │   ├── InvalidArgumentsError
    │   └── ConfigError
    ├── NotFoundError             what was named does not exist
    │   ├── MemoryNotFoundError
    │   ├── SessionNotFoundError
    │   ├── VersionNotFoundError
    │   ├── SealedContentLostError
    │   ├── SourceNotFoundError
    │   ├── ProposalNotFoundError
    │   └── BundleNotFoundError
    ├── ConflictError             the world moved on since it was read
    │   ├── MemoryChangedError
    │   ├── IdTakenError
    │   ├── ProposalDecidedError
    │   ├── ProposalStaleError
    │   └── BundleExistsError
    ├── RefusedError              understood, and not allowed
    │   ├── SecretRefusedError
    │   ├── LimitExceededError
    │   ├── OriginRefusedError
    │   ├── CitationRefusedError
    │   ├── PrivacyRefusedError
    │   ├── ReadOnlyBundleError
    │   ├── AccessRefusedError
    │   ├── BudgetSpentError
    │   └── ConfirmationError
    └── StorageError              disk, lock, index or model failed
        ├── DocumentMalformedError
        ├── DocumentUnreadableError
        ├── ProposalDamagedError
        ├── WriteFailedError
        ├── BundleBusyError
        ├── IndexUnavailableError
        ├── EmbedderError
        ├── LedgerError
        └── VaultError
            ├── VaultLockedError
            └── VaultDamagedError
"""

from __future__ import annotations


class MnemicError(Exception):
    """Base of all errors meant for a reader; `message` states the fact, `hint` the next step.

    Both are for a terminal: of a text that is too long they keep the beginning and the end, and they have no control
    characters.
    """

    code = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message, self.hint = _bounded(message), _bounded(hint)
        super().__init__(self.message)


class InputError(MnemicError):
    """What was asked cannot be understood."""

    code = "invalid_input"


class InvalidIdError(InputError):
    """An id that no memory may have."""

    code = "invalid_id"

    def __init__(self, given: str, why: str) -> None:
        super().__init__(
            f"{_shown(given)} is no valid id: {why}.",
            hint="Use lowercase words joined by '-', in folders joined by '/', for example people/anna-berg.",
        )
        self.given, self.why = given, why


class InvalidMemoryError(InputError):
    """A memory whose fields contradict the rules of its kind or of the format."""

    code = "invalid_memory"

    def __init__(self, field: str, why: str, *, hint: str = "") -> None:
        super().__init__(f"{field}: {why}.", hint=hint)
        self.field, self.why = field, why


class InvalidCitationError(InputError):
    """A text that names no turns of a session and no lines of a file."""

    code = "invalid_citation"

    def __init__(self, given: str, why: str, *, hint: str = "") -> None:
        super().__init__(f"{given[:120]!r} cannot be cited: {why}.", hint=hint)
        self.given, self.why = given, why


class InvalidTimeError(InputError):
    """Text that names no time."""

    code = "invalid_time"

    def __init__(self, given: str) -> None:
        super().__init__(
            f"{_shown(given)} is no date or time.",
            hint="Write 2026-05-03 or 2026-05-03T08:14:00+02:00.",
        )
        self.given = given


class InvalidSessionError(InputError):
    """A session or turn that cannot be kept as it is."""

    code = "invalid_session"


class ImportSourceError(InputError):
    """A file that is not what the importer was told it is."""

    code = "import_source"

    def __init__(self, path: str, why: str, *, line: int | None = None, hint: str = "") -> None:
        where = path if line is None else f"{path}:{line}"
        super().__init__(f"{where}: {why}.", hint=hint)
        self.path, self.why, self.line = path, why, line


class InvalidArgumentsError(InputError):
    """A tool was called with arguments that it does not take."""

    code = "invalid_arguments"

    def __init__(self, tool: str, why: str, *, hint: str = "") -> None:
        super().__init__(f"{tool}: {why}.", hint=hint)
        self.tool, self.why = tool, why


class ConfigError(InputError):
    """A setting that does not exist or has an impossible value."""

    code = "config"


class NotFoundError(MnemicError):
    """What was named does not exist."""

    code = "not_found"


class MemoryNotFoundError(NotFoundError):
    """No memory has this id, or `then`: had it at the moment that is asked for."""

    code = "memory_not_found"

    def __init__(self, memory_id: str, *, near: tuple[str, ...] = (), then: bool = False) -> None:
        hint = f"Did you mean {', '.join(near)}?" if near else "Find its id with: mnemic recall WORDS"
        if then:
            hint = f"When it was told and changed: mnemic history {memory_id[:120]}"
        super().__init__(f"There {'was' if then else 'is'} no memory {_shown(memory_id)}{' then' * then}.", hint=hint)
        self.memory_id, self.near = memory_id, near


class SessionNotFoundError(NotFoundError):
    """No session, or no turn of it, has this id."""

    code = "session_not_found"

    def __init__(self, session_id: str) -> None:
        session, of_a_turn, _ = session_id.rpartition("#")
        what, hint = "session", "List them with: mnemic session list"
        if of_a_turn:
            what, hint = "turn", f"See those there are: mnemic show {session[:120]}"
        super().__init__(f"There is no {what} {_shown(session_id)}.", hint=hint)
        self.session_id = session_id


class VersionNotFoundError(NotFoundError):
    """The vault holds no such version of a memory, or its key was destroyed."""

    code = "version_not_found"

    def __init__(self, uid: str, number: int) -> None:
        super().__init__(
            f"The vault holds no version {number} of {_shown(uid)}.",
            hint="It was never kept, or it was forgotten: then nobody can read it any more.",
        )
        self.uid, self.number = uid, number


class SealedContentLostError(NotFoundError):
    """A document stands for a sensitive memory, and the vault has nothing of what that says."""

    code = "sealed_content_lost"

    def __init__(self, memory_id: str) -> None:
        super().__init__(
            f"What {_shown(memory_id)} says is not in the vault: it was lost with it, or forgotten.",
            hint="Bring .mnemic/vault.db and its key back from a backup, or forget the memory.",
        )
        self.memory_id = memory_id


class SourceNotFoundError(NotFoundError):
    """What is to be cited is not there: the file, or lines or turns of it."""

    code = "source_not_found"

    def __init__(self, cited: str, why: str, *, hint: str = "") -> None:
        super().__init__(f"{_shown(cited)} cannot be cited: {why}.", hint=hint)
        self.cited, self.why = cited, why


class ProposalNotFoundError(NotFoundError):
    """No proposal, or more than one, has a name that begins so."""

    code = "proposal_not_found"

    def __init__(self, given: str, *, near: tuple[str, ...] = ()) -> None:
        if near:
            message, hint = f"{_shown(given)} begins the names of several proposals.", f"Which one: {', '.join(near)}?"
        else:
            message, hint = f"There is no proposal {_shown(given)}.", "List them with: mnemic proposals"
        super().__init__(message, hint=hint)
        self.given, self.near = given, near


class BundleNotFoundError(NotFoundError):
    """No bundle at the place that was named, or none anywhere near."""

    code = "bundle_not_found"

    def __init__(self, where: str) -> None:
        super().__init__(f"There is no bundle at {where}.", hint=f"Make one with: mnemic init {where}")
        self.where = where


class ConflictError(MnemicError):
    """The world moved on since it was read."""

    code = "conflict"


class MemoryChangedError(ConflictError):
    """The memory on disk is not the one the caller read."""

    code = "memory_changed"

    def __init__(self, memory_id: str, *, expected: str, found: str | None) -> None:
        state = f"now {found[:8]}" if found else "now gone"
        super().__init__(
            f"{_shown(memory_id)} changed since it was read: expected {expected[:8]}, {state}.",
            hint="Read the memory again and repeat the change.",
        )
        self.memory_id, self.expected, self.found = memory_id, expected, found


class IdTakenError(ConflictError):
    """A new memory asks for an id that is in use, maybe in another case or normalization."""

    code = "id_taken"

    def __init__(self, memory_id: str, *, taken_by: str) -> None:
        super().__init__(
            f"{_shown(memory_id)} is taken by {_shown(taken_by)}.",
            hint="Choose another --id, or change the existing memory.",
        )
        self.memory_id, self.taken_by = memory_id, taken_by


class ProposalDecidedError(ConflictError):
    """A proposal was decided before, and cannot be decided so now."""

    code = "proposal_decided"

    def __init__(self, proposal_id: str, verdict: str, *, hint: str = "") -> None:
        super().__init__(f"{_shown(proposal_id)} is {verdict}. Nothing was changed.", hint=hint)
        self.proposal_id, self.verdict = proposal_id, verdict


class ProposalStaleError(ConflictError):
    """A memory is not what it was when a change to it was proposed, or when it was applied; none was changed."""

    code = "proposal_stale"

    def __init__(self, proposal_id: str, reasons: tuple[str, ...], *, hint: str = "") -> None:
        super().__init__(
            f"{_shown(proposal_id)} does not fit any more: {'; '.join(reasons)}. None was changed.", hint=hint
        )
        self.proposal_id, self.reasons = proposal_id, reasons


class BundleExistsError(ConflictError):
    """`init` was asked for a place that already is a bundle."""

    code = "bundle_exists"

    def __init__(self, where: str) -> None:
        super().__init__(f"{where} already is a bundle.", hint="Nothing was changed. Look at it with: mnemic status")
        self.where = where


class RefusedError(MnemicError):
    """Understood, and not allowed."""

    code = "refused"


class SecretRefusedError(RefusedError):
    """The text holds what looks like a credential; the message never shows it."""

    code = "secret_refused"

    def __init__(self, found: tuple[str, ...]) -> None:
        super().__init__(
            f"The text holds what looks like a secret: {', '.join(found)}. Nothing was written.",
            hint="Take it out, or store it redacted with --redact.",
        )
        self.found = found


class LimitExceededError(RefusedError):
    """A text is longer than the bundle's policy allows."""

    code = "limit_exceeded"

    def __init__(self, what: str, *, size: int, limit: int, unit: str = "characters") -> None:
        super().__init__(
            f"{what} has {size:,} {unit}; the limit is {limit:,}.",
            hint="Shorten it, split it, or raise the limit under [limits] in mnemic.toml.",
        )
        self.what, self.size, self.limit, self.unit = what, size, limit, unit


class OriginRefusedError(RefusedError):
    """This origin may not write this kind."""

    code = "origin_refused"


class CitationRefusedError(RefusedError):
    """A file that must not be read for a citation."""

    code = "citation_refused"

    def __init__(self, cited: str, why: str, *, hint: str = "") -> None:
        super().__init__(f"{_shown(cited)} is not read: {why}.", hint=hint)
        self.cited, self.why = cited, why


class PrivacyRefusedError(RefusedError):
    """The policy does not allow sensitive content to be kept."""

    code = "privacy_refused"


class ReadOnlyBundleError(RefusedError):
    """A bundle that was opened to be read only."""

    code = "read_only_bundle"

    def __init__(self, where: str) -> None:
        super().__init__(f"{where} was opened read-only.", hint="Write to a bundle of your own: mnemic init DIR")
        self.where = where


class AccessRefusedError(RefusedError):
    """An agent wants to change something that it has not looked at in this turn."""

    code = "access_refused"


class BudgetSpentError(RefusedError):
    """What may be read whole in one turn has been read."""

    code = "budget_spent"

    def __init__(self, message: str) -> None:
        super().__init__(message, hint="Answer with what you have; the budget is full again in the next turn.")


class ConfirmationError(RefusedError):
    """A destructive request without its exact confirmation."""

    code = "confirmation"


class StorageError(MnemicError):
    """Disk, lock, index or model failed."""

    code = "storage"


class DocumentMalformedError(StorageError):
    """A document that cannot be edited before it is repaired."""

    code = "document_malformed"

    def __init__(self, path: str, why: str, *, line: int | None = None, hint: str = "") -> None:
        where = path if line is None else f"{path}:{line}"
        super().__init__(f"{where}: {why}.", hint=hint or "Mend it by hand, or run: mnemic check --repair")
        self.path, self.why, self.line = path, why, line


class DocumentUnreadableError(StorageError):
    """A document the operating system does not let us read."""

    code = "document_unreadable"

    def __init__(self, path: str, why: str, *, hint: str = "") -> None:
        super().__init__(f"{path} cannot be read: {why}.", hint=hint or "Check that it exists and its permissions.")
        self.path, self.why = path, why


class ProposalDamagedError(StorageError):
    """A proposal's file is not what was written, so what it shows may not be what it would do."""

    code = "proposal_damaged"

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"{path} cannot be used: {why}. Nothing of it is applied.",
            hint="Take the file away; what is still worth it is proposed again. Decide with: mnemic proposals",
        )
        self.path, self.why = path, why


class WriteFailedError(StorageError):
    """A write that did not reach the disk as intended; the old state stands."""

    code = "write_failed"

    def __init__(self, path: str, why: str, *, hint: str = "") -> None:
        super().__init__(
            f"{path} was not written: {why}. The old state stands.", hint=hint or "Check free space and permissions."
        )
        self.path, self.why = path, why


class BundleBusyError(StorageError):
    """Another living process holds the bundle's lock for longer than we wait."""

    code = "bundle_busy"

    def __init__(self, where: str, *, seconds: float) -> None:
        super().__init__(
            f"{where} was locked by another process for {seconds:g} s.", hint="Try again when it has finished."
        )
        self.where, self.seconds = where, seconds


class IndexUnavailableError(StorageError):
    """The index can be neither opened nor rebuilt."""

    code = "index_unavailable"


class EmbedderError(StorageError):
    """An embedder that was asked for vectors and could not give them."""

    code = "embedder"


class LedgerError(StorageError):
    """The record of what happened to which memory can be neither read nor continued."""

    code = "ledger"

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"The ledger {path} cannot be used: {why}.",
            hint="Check its permissions and what is in its place. The documents are not concerned.",
        )
        self.path, self.why = path, why


class VaultError(StorageError):
    """The encrypted old versions cannot be reached; documents stay readable without them."""

    code = "vault"


class VaultLockedError(VaultError):
    """The vault's key is missing, or the passphrase is missing or wrong."""

    code = "vault_locked"


class VaultDamagedError(VaultError):
    """What is in the place of the vault, or in it, is not what was put there."""

    code = "vault_damaged"

    def __init__(self, path: str, why: str, *, hint: str = "") -> None:
        super().__init__(
            f"The vault {path} cannot be read: {why}.",
            hint=hint or "Old versions in it are lost unless a backup holds it; the documents are not concerned.",
        )
        self.path, self.why = path, why


def _bounded(text: str, limit: int = 1_000) -> str:
    """Cut in the middle when it is too long, with control characters and the like escaped."""
    cut = text if len(text) <= limit else f"{text[: limit // 2]} … {text[-limit // 2 :]}"
    if cut.isprintable():
        return cut
    return "".join(ch if ch.isprintable() or ch == "\n" else ascii(ch)[1:-1] for ch in cut)


def _shown(given: str, limit: int = 80) -> str:
    """What was given, quoted and cut, so that a huge or hostile text cannot flood a terminal."""
    cut = given if len(given) <= limit else f"{given[:limit]}… ({len(given)} characters)"
    return ascii(cut) if any(not (ch.isprintable()) for ch in cut) else f"'{cut}'"
