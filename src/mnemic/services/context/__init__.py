"""What an agent is given and may do in a turn."""
