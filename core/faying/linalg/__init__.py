"""Sparse linear algebra: factors of symmetric systems, lowest modes."""
