"""Fakes and contract suites for tests of mnemic and of adapters for it."""
