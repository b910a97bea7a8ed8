"""What a coding agent's hooks call: `mnemic-hook CLIENT EVENT`, its JSON on standard input."""
