"""Formats: how a document holds its memories. Pure over bytes."""
