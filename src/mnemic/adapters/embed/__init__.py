"""Text to vectors: models that come with the installation, and any OpenAI-compatible endpoint."""

from mnemic.adapters.embed.local import (
    LOCAL_NAMES,
    LoadedEmbedders,
    LocalName,
    MissingEmbedder,
    load_local,
    missing_local,
)

__all__ = ["LOCAL_NAMES", "LoadedEmbedders", "LocalName", "MissingEmbedder", "load_local", "missing_local"]
