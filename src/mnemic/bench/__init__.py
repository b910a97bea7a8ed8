"""Benchmarks of recall and speed, as commands that any release can run again. They measure the product as it is."""
