"""Results: coordinates over time on disk, and everything that follows from them on demand."""
