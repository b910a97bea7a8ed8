"""The cryptography of the vault, in one place: AES-256-GCM, keys derived by HMAC-SHA256, commitments.

Every encryption takes 96 fresh random bits as its nonce and a text that says what it is of, so that a row in the place
of another does not decrypt. A key of a memory encrypts its versions, some thousands at most; the key of the bundle
encrypts the keys. Both stay far below the 2**32 encryptions after which random nonces of this size may meet.

Source:
    NIST SP 800-38D (GCM), sections 8.2.2 and 8.3; RFC 2104 (HMAC).
"""

from __future__ import annotations

import hmac
import os

FORMAT = "mnemic vault 1"
KEY_BYTES = 32
NONCE_BYTES = 12
_TAG_BYTES = 16


class TamperedError(Exception):
    """The bytes are not what was encrypted under this key about this thing."""


def new_key() -> bytes:
    """256 random bits."""
    return os.urandom(KEY_BYTES)


def derived(key: bytes, purpose: str) -> bytes:
    """A key for one purpose, from which neither `key` nor that of another purpose can be found."""
    return hmac.digest(key, f"{FORMAT}|{purpose}".encode(), "sha256")


def about(what: str, *facts: object) -> bytes:
    """What a ciphertext is of, to be bound to it; `facts` must be told apart by what they are."""
    return "|".join((FORMAT, what, *map(str, facts))).encode()


def encrypted(key: bytes, content: bytes, of: bytes) -> tuple[bytes, bytes]:
    """Nonce and ciphertext."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # 10 ms to load, for which few calls must pay

    nonce = os.urandom(NONCE_BYTES)
    return nonce, AESGCM(key).encrypt(nonce, content, of)


def decrypted(key: bytes, nonce: bytes, data: bytes, of: bytes) -> bytes:
    """The content. Raises TamperedError."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if len(nonce) != NONCE_BYTES or len(data) < _TAG_BYTES:
        raise TamperedError
    try:
        return AESGCM(key).decrypt(nonce, data, of)
    except InvalidTag:
        raise TamperedError from None


def wrapped(key: bytes, inner: bytes, of: bytes) -> bytes:
    """A key encrypted under another one, with its nonce in front."""
    return b"".join(encrypted(key, inner, of))


def unwrapped(key: bytes, blob: bytes, of: bytes) -> bytes:
    """The key again. Raises TamperedError."""
    return decrypted(key, blob[:NONCE_BYTES], blob[NONCE_BYTES:], of)


def commitment(key: bytes, fingerprint: str) -> str:
    """64 hex digits that bind to a fingerprint, and tell nothing about it to who has not the key."""
    return hmac.digest(derived(key, "commitment"), fingerprint.encode("utf-8", "surrogatepass"), "sha256").hex()
