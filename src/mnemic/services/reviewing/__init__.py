"""What waits for a person, and what replay finds to propose."""
