"""Taking a memory out of existence, and the receipt of it."""
