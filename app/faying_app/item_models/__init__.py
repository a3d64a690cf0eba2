"""Qt item models over the project and what was computed from it."""
