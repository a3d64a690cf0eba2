"""Finite element models: readers of decks, elements, matrices, surfaces."""
