"""Finding what matters: the query, its evidence, the answer; reading one thing whole."""
