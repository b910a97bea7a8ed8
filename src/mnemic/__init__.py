"""Long-term memory for AI agents that people can read, trust and truly erase."""
