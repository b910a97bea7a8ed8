"""Giving texts their vectors, after they are durable and findable by words."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from mnemic.errors import EmbedderError

if TYPE_CHECKING:
    from mnemic.ports import Progress
    from mnemic.services.bundle import Bundle

BATCH = 32
"""Texts a model call: more costs memory and gains nothing."""
HASTY_BATCH = 2
"""The same where somebody waits."""


def embed_pending(
    bundle: Bundle, *, limit: int | None = None, seconds: float | None = None, progress: Progress | None = None
) -> int:
    """Embed what waits in every space, newest first; says how many vectors were made.

    Stopping it at any moment loses at most one batch: what is left waits for the next call.

    Args:
        bundle: Whose texts.
        limit: At most so many texts a space; None for all.
        seconds: Begin no further batch of a space after so long; None for no end.
        progress: Told after every batch.
    """
    made = 0
    for embedder in bundle.engines().embedders:
        waiting = bundle.index.pending_count(embedder.space)
        total = waiting if limit is None else min(limit, waiting)
        done = 0
        begun = time.monotonic()
        batch = BATCH if seconds is None else HASTY_BATCH
        while done < total and (seconds is None or time.monotonic() - begun < seconds):
            texts = bundle.index.pending(embedder.space, min(batch, total - done))
            if not texts:
                break
            vectors = embedder.embed_passages([text.text for text in texts])
            if len(vectors) != len(texts):
                raise EmbedderError(
                    f"{embedder.space.id} gave {len(vectors)} vectors for {len(texts)} texts.",
                    hint="Switch the engine off under [embed] in mnemic.toml.",
                )
            bundle.index.put_vectors(embedder.space, texts, vectors)
            done += len(texts)
            made += len(texts)
            if progress is not None:
                progress(done, total, f"embedding ({embedder.space.id.partition('/')[0]})")
    return made


def waiting(bundle: Bundle) -> int:
    """How many vectors are still to be made, over all spaces."""
    return sum(bundle.index.pending_count(embedder.space) for embedder in bundle.engines().embedders)
