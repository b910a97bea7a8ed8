"""SQLite: the search index, in one disposable file."""
