"""What runs write: frames, curves, contacts, and the end of a run's report."""
