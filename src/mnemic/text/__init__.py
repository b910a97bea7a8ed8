"""Text rules of any script, pure: tokens, passages, dates, secrets."""
