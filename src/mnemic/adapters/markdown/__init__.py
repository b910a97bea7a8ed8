"""Memories as Markdown files in a folder that people own."""
