"""What an agent's loop calls: a conversation, its turns, and the tools that a model may use in them."""
