"""The profile `server-memory`: a bundle as a graph of entities, observations and relations."""
