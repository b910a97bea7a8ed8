"""What may be said of a memory and what may not: guards, contradictions, signs of orders, sources, outcomes."""
