"""A check of direction vectors in settings: they may have any length except zero."""

from faying.multibody.placement import Vector


def direction(vector: Vector) -> Vector:
    """Return the vector; one without length is an error."""
    if not any(vector):
        raise ValueError("a direction needs a length that is not zero")
    return vector
