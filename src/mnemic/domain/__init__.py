"""Frozen values and pure rules; standard library only."""
