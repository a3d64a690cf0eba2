"""Projects: the engineer's decisions, their history, computed artifacts, and the project file."""
