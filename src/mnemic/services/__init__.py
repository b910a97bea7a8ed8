"""One verb a module; the only paths by which a memory is written or read."""
