"""Keeping what is derived up to the documents: index, vectors, history; and finishing what was cut off."""
