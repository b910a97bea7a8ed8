"""Writing: drafts and memories, whole changes, proposals, conversations."""
