"""A socket beside the bundle, by which short programs ask the process that holds it open."""
