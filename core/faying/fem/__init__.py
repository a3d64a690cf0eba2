"""Finite element models: what a deck says, matrices, surfaces."""
