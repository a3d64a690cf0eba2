"""Projects: the engineer's decisions, their history, what is computed from them, and their file."""
