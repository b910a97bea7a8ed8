"""Vectors from an OpenAI-compatible endpoint, `POST …/embeddings`; used only where the user configured it.

Text leaves the machine here unless the address is local. Redirects are not followed, because they would
carry the text and the key to a host that nobody named.
"""

from __future__ import annotations

import email.utils
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException, IncompleteRead
from typing import TYPE_CHECKING, Any

import numpy as np

from mnemic.adapters.embed.clean import PASSAGE_CHARACTERS, QUERY_CHARACTERS, clean, embed_nonempty
from mnemic.domain.spaces import Space
from mnemic.errors import ConfigError, EmbedderError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from http.client import HTTPResponse

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_LARGEST_ANSWER = 1 << 26  # bytes: 64 texts of 4,096 numbers take about 6 MB
_LONGEST_WAIT = 30.0  # seconds, whatever Retry-After says
_FIRST_WAIT = 0.5  # seconds, doubled each time
_SHOWN = 200  # characters of what the server said
_TRANSIENT = frozenset(
    {
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """Where to ask, and how.

    `url` is the base as vendors give it, with `/v1`; `dim` what the model answers with. Models that tell
    questions from passages by a prefix get `query_prefix` and `passage_prefix`. A query waits
    `query_timeout` seconds and is not repeated; passages wait `timeout` and are tried `attempts` times.
    Change `build` when the server's model changes under the same name, so that old vectors are not mixed in.
    """

    url: str
    model: str
    dim: int
    api_key: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""
    build: str = ""
    batch: int = 64
    timeout: float = 60.0
    query_timeout: float = 5.0
    attempts: int = 4

    def __post_init__(self) -> None:
        address = urllib.parse.urlsplit(self.url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ConfigError("The embedding endpoint needs an address.", hint="For example http://127.0.0.1:8000/v1")
        if not self.model or min(self.dim, self.batch, self.attempts) < 1 or min(self.timeout, self.query_timeout) <= 0:
            raise ConfigError(
                "The embedding endpoint needs a model and positive numbers.",
                hint="Set model and dim; leave batch, attempts and the time limits out for their defaults.",
            )

    def __repr__(self) -> str:
        return f"EndpointSettings(url={self.url!r}, model={self.model!r}, dim={self.dim})"


class EndpointEmbedder:
    """`Embedder` over an endpoint. Thread-safe: it keeps nothing between calls.

    Raises `EmbedderError` when the server cannot be reached, refuses, or answers with something else.
    """

    def __init__(self, settings: EndpointSettings, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self.space = _space(settings)
        self._settings = settings
        self._sleep = sleep
        self._open = urllib.request.build_opener(_NoRedirect()).open

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        """One L2-normalized row a question, shape (n, dim); a zero row for an empty text."""
        s = self._settings
        cleaned = [clean(text, QUERY_CHARACTERS) for text in texts]
        return self._embed(cleaned, s.query_prefix, timeout=s.query_timeout, attempts=1)

    def embed_passages(self, texts: Sequence[str]) -> Floats:
        """One L2-normalized row a passage, shape (n, dim); a zero row for an empty text."""
        s = self._settings
        cleaned = [clean(text, PASSAGE_CHARACTERS) for text in texts]
        return self._embed(cleaned, s.passage_prefix, timeout=s.timeout, attempts=s.attempts)

    def _embed(self, texts: list[str], prefix: str, *, timeout: float, attempts: int) -> Floats:
        def in_batches(full: list[str]) -> Floats:
            starts = range(0, len(full), self._settings.batch)
            batches = [[prefix + text for text in full[start : start + self._settings.batch]] for start in starts]
            return np.concatenate([self._ask(batch, timeout, attempts) for batch in batches])

        return embed_nonempty(texts, self.space.dim, in_batches)

    def _ask(self, batch: list[str], timeout: float, attempts: int) -> Floats:
        request = self._request(batch)
        for attempt in range(1, attempts + 1):
            try:
                with self._open(request, timeout=timeout) as answer:
                    body = _whole(answer)
                return self._rows(body, len(batch))
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in _TRANSIENT or attempt == attempts:
                        raise self._refused(error) from error
                    wait = _retry_after(error.headers.get("Retry-After"))
            except (OSError, HTTPException) as error:  # no connection, a time limit, an answer broken off
                if attempt == attempts:
                    reason = getattr(error, "reason", error)
                    raise EmbedderError(
                        f"The embedding endpoint {self._settings.url} cannot be reached: {reason}.",
                        hint="Check that the server runs and that the address is right.",
                    ) from error
                wait = None
            self._sleep(min(_LONGEST_WAIT, wait if wait is not None else _FIRST_WAIT * 2 ** (attempt - 1)))
        raise AssertionError("the last attempt returns or raises")

    def _request(self, batch: list[str]) -> urllib.request.Request:
        s = self._settings
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if s.api_key:
            headers["Authorization"] = f"Bearer {s.api_key}"
        body = json.dumps({"model": s.model, "input": batch, "encoding_format": "float"}).encode()
        return urllib.request.Request(f"{s.url.rstrip('/')}/embeddings", data=body, headers=headers, method="POST")  # noqa: S310 - http and https only, checked by the settings

    def _rows(self, body: bytes, expected: int) -> Floats:
        if len(body) > _LARGEST_ANSWER:
            raise self._misunderstood(f"more than {_LARGEST_ANSWER >> 20} MB")
        try:
            rows = np.array(_in_order(json.loads(body)["data"]), dtype=np.float32)
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise self._misunderstood("something else than a list of vectors") from error
        if rows.shape != (expected, self.space.dim):
            raise self._misunderstood(
                f"vectors of shape {rows.shape} where {(expected, self.space.dim)} was expected",
                hint="Set dim to what the model gives.",
            )
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise self._misunderstood("a vector without a direction")
        return np.asarray(rows / norms, dtype=np.float32)

    def _refused(self, error: urllib.error.HTTPError) -> EmbedderError:
        said = error.read(4 * _SHOWN).decode("utf-8", "replace")[:_SHOWN].strip()
        key = self._settings.api_key
        if key:  # some servers repeat what they were sent
            said = said.replace(key, "…")
        match error.code:
            case HTTPStatus.UNAUTHORIZED | HTTPStatus.FORBIDDEN:
                hint = "Check the API key."
            case HTTPStatus.NOT_FOUND:
                hint = "Check that the address ends in /v1 and that the model exists."
            case code if HTTPStatus.MULTIPLE_CHOICES <= code < HTTPStatus.BAD_REQUEST:
                hint = "Redirects are not followed: name the final address."
            case _:
                hint = "See the server's log."
        return EmbedderError(f"The embedding endpoint answered {error.code}: {said or error.reason}.", hint=hint)

    def _misunderstood(
        self, what: str, *, hint: str = "Check that it is an OpenAI-compatible server."
    ) -> EmbedderError:
        return EmbedderError(f"The embedding endpoint {self._settings.url} answered with {what}.", hint=hint)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """No new request: the redirect itself becomes the error."""


def _whole(answer: HTTPResponse) -> bytes:
    body = answer.read(_LARGEST_ANSWER + 1)
    if answer.length and len(body) <= _LARGEST_ANSWER:  # what was announced and did not come
        raise IncompleteRead(body, answer.length)
    return body


def _in_order(data: list[dict[str, Any]]) -> list[list[float]]:
    if sorted(item["index"] for item in data) != list(range(len(data))):
        raise ValueError("an index is missing or repeated")
    return [item["embedding"] for item in sorted(data, key=lambda item: int(item["index"]))]


def _retry_after(header: str | None) -> float | None:
    """Seconds to wait, from a number of seconds or a date; None when the header says nothing usable."""
    if header is None:
        return None
    try:
        wait = float(header)
    except ValueError:
        try:
            wait = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return None
    return max(0.0, wait) if wait == wait else None  # noqa: PLR0124 - "nan" is a float and no time


def _space(settings: EndpointSettings) -> Space:
    # The address is left out on purpose: moving a server to another port changes no vector.
    told = f"{settings.query_prefix}\0{settings.passage_prefix}\0{settings.build}"
    return Space(
        model=settings.model,
        version="endpoint",
        build=f"{zlib.crc32(told.encode('utf-8', 'replace')):08x}",
        dim=settings.dim,
        languages="as the model's",
        query_ms=50.0,
    )
