"""Directions in words."""

import numpy as np


def direction_in_words(vector: np.ndarray) -> str:
    """Return a unit vector (3,) as "x", "−y", or its components."""
    k = int(np.argmax(np.abs(vector)))
    if abs(vector[k]) > 1.0 - 1e-9:
        return f"{'−' if vector[k] < 0.0 else ''}{'xyz'[k]}"
    return "(" + ", ".join(f"{v + 0.0:.3g}" for v in vector) + ")"


def line_in_words(vector: np.ndarray) -> str:
    """Return the line along a vector (3,), whichever way that points, as `direction_in_words`."""
    unit = np.asarray(vector) / np.linalg.norm(vector)
    unit = np.where(np.abs(unit) < 1e-6, 0.0, unit)
    return direction_in_words(unit if unit[np.argmax(np.abs(unit))] > 0.0 else -unit)
