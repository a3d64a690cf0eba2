"""Derivatives of the rows of terms by their markers, for all terms of a kind at once.

Newton's matrix is made rarely, so that NumPy serves. Notation of `faying.multibody.terms`.
"""

import numpy as np

from faying.multibody.small_matrices import cross, outer
from faying.multibody.terms import ACROSS, ALONG, ANGLE, LENGTH
from faying.spatial.rotations import skew

_PLACE_I, _TURN_I, _PLACE_J, _TURN_J = (slice(at, at + 3) for at in (0, 3, 6, 9))


def changes(
    terms: np.ndarray, pairs: np.ndarray, position: np.ndarray, axes: np.ndarray, multipliers: np.ndarray
) -> np.ndarray:
    """Return (k, 12, 12) the change of each term's row times its multiplier with virtual motions of its markers.

    An axis changes by δa = δπ × a, so that a × b changes by b̃ ã δπ_i − ã b̃ δπ_j. Arguments are those of
    `faying.multibody.term_kernels.write_rows`, and the multipliers (k,).
    """
    result = np.zeros((len(terms), 12, 12))
    for kind, change in _CHANGES.items():
        which = np.flatnonzero(terms[:, 0] == kind)
        if len(which):
            i, j = pairs[which].T
            a, b = axes[i, :, terms[which, 1]], axes[j, :, terms[which, 2]]
            d, factor = position[j] - position[i], multipliers[which, None, None]
            result[which] = change(factor, d, a, b, axes[i, :, 1])
    return result


def _along(
    factor: np.ndarray, d: np.ndarray, a: np.ndarray, b: np.ndarray, y: np.ndarray
) -> np.ndarray:  # a · d
    change, arm = np.zeros((len(d), 12, 12)), factor * skew(a)
    change[:, _PLACE_I, _TURN_I] = change[:, _TURN_I, _PLACE_J] = arm
    change[:, _PLACE_J, _TURN_I] = change[:, _TURN_I, _PLACE_I] = -arm
    change[:, _TURN_I, _TURN_I] = skew(d) @ arm
    return change


def _across(
    factor: np.ndarray, d: np.ndarray, a: np.ndarray, b: np.ndarray, y: np.ndarray
) -> np.ndarray:  # a · b
    change, one, other = np.zeros((len(d), 12, 12)), skew(a), factor * skew(b)
    change[:, _TURN_I, _TURN_I] = change[:, _TURN_J, _TURN_J] = other @ one
    change[:, _TURN_J, _TURN_I] = -(other @ one)
    change[:, _TURN_I, _TURN_J] = -(one @ other)
    change[:, _TURN_J, _TURN_J] = one @ other
    return change


def _angle(
    factor: np.ndarray, d: np.ndarray, x: np.ndarray, b: np.ndarray, y: np.ndarray
) -> np.ndarray:  # from x_i to x_j about z_i
    cosine, sine = np.vecdot(x, b)[:, None], np.vecdot(y, b)[:, None]
    by_cosine, by_sine = cross(x, b), cross(y, b)
    square = np.maximum(cosine**2 + sine**2, 1e-300)
    shares = (cosine / square)[..., None], (sine / square)[..., None]
    change: np.ndarray = _across(factor * shares[0], d, y, b, y) - _across(factor * shares[1], d, x, b, y)
    # With d cos, d sin and the row, equal up to sign on both sides.
    turning = (cosine * by_sine - sine * by_cosine) / square
    stretch = 2.0 * (cosine * by_cosine + sine * by_sine)
    both = outer(by_sine, by_cosine) - outer(by_cosine, by_sine) - outer(turning, stretch)
    both *= factor / square[..., None]
    for one, other, sign in (
        (_TURN_I, _TURN_I, 1.0),
        (_TURN_J, _TURN_J, 1.0),
        (_TURN_I, _TURN_J, -1.0),
        (_TURN_J, _TURN_I, -1.0),
    ):
        change[:, one, other] += sign * both
    return change


def _length(
    factor: np.ndarray, d: np.ndarray, a: np.ndarray, b: np.ndarray, y: np.ndarray
) -> np.ndarray:  # |d|
    change, size = np.zeros((len(d), 12, 12)), np.linalg.norm(d, axis=1)[:, None, None]
    unit = d / np.where(size > 0.0, size, 1.0)[:, 0]
    across = np.where(
        size > 0.0, factor * (np.eye(3) - outer(unit, unit)) / np.where(size > 0.0, size, 1.0), 0.0
    )
    change[:, _PLACE_I, _PLACE_I] = change[:, _PLACE_J, _PLACE_J] = across
    change[:, _PLACE_I, _PLACE_J] = change[:, _PLACE_J, _PLACE_I] = -across
    return change


_CHANGES = {ALONG: _along, ACROSS: _across, ANGLE: _angle, LENGTH: _length}


def first_of_pairs(pairs: np.ndarray) -> np.ndarray:
    """Return (c,) the first of the terms between the same two markers, which have to follow each other."""
    changed = (pairs[1:] != pairs[:-1]).any(axis=1)
    return np.flatnonzero(np.append(np.ones(min(len(pairs), 1), bool), changed))


def changes_over_coordinates(
    change: np.ndarray, pairs: np.ndarray, first: np.ndarray, d_position: np.ndarray, d_rotation: np.ndarray
) -> np.ndarray:
    """Return (c, 2, 2, w, w) Dᵀ change D, D the virtual motions over the coordinates of each marker's part.

    Args:
        change: (k, 12, 12) of each term; those between the same two markers are summed.
        pairs: (k, 2) of the terms.
        first: (c,) of `first_of_pairs`.
        d_position, d_rotation: (N, 3, w) of the markers.
    """
    totals = np.add.reduceat(change, first, axis=0) if len(first) else change
    pairs = pairs[first]
    motions = np.concatenate([d_position, d_rotation], axis=1)[pairs]  # (c, 2, 6, w)
    # (c, 2, 2, w, w): of one marker's coordinates over those of the other.
    totals = totals.reshape(-1, 2, 6, 2, 6).swapaxes(2, 3)
    return np.asarray(motions.mT[:, :, None] @ totals @ motions[:, None])
