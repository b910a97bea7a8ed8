"""Session logs as files (docs/reference/session-format.md)."""
