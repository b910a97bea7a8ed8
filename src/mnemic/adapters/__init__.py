"""One folder a technology, behind the ports."""
