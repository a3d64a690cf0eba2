"""Element kinds."""
