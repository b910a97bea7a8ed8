"""Pure judgement of evidence: from channels to an ordered, explained answer."""
