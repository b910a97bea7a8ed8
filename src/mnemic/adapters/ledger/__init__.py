"""The ledger (what happened to which memory, chained by hashes) and the vault (its contents, encrypted)."""
