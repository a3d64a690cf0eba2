"""Sparse linear algebra: factorisations behind one protocol."""
