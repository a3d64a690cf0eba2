"""Contract of constraints: rows are derivatives of its values, and reactions are in balance."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.constraints import Constraint, constraints
from faying.multibody.markers import MarkerMotion, moved
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying.testing.contracts.members import MemberContract


def marker(rng: np.random.Generator, spread: float = 1.0) -> MarkerMotion:
    """Return a marker at rest, in a random place and orientation."""
    none = np.zeros((3, 0))
    axes = rotation_matrix(rotation_about(0.4 * spread * rng.normal(size=3)))
    return MarkerMotion(spread * rng.normal(size=3), axes, none, none, np.zeros(3), np.zeros(3))


def markers_of(constraint: Constraint, seed: int, spread: float = 1.0) -> list[MarkerMotion]:
    """Return random markers for a constraint."""
    rng = np.random.default_rng(seed)
    return [marker(rng, spread) for _ in constraint.marker_names()]


def turned(markers: list[MarkerMotion], which: int, step: float) -> list[MarkerMotion]:
    """Return markers of which one is moved or turned by a finite step, exactly; `moved` turns them to first order."""
    if which % 6 < 3:
        return moved(markers, which, step)
    vector, changed = np.zeros(3), list(markers)
    vector[which % 6 - 3] = step
    old = markers[which // 6]
    axes = rotation_matrix(rotation_about(vector)) @ old.axes
    changed[which // 6] = MarkerMotion(
        old.position, axes, old.d_position, old.d_rotation, old.velocity, old.spin
    )
    return changed


class ConstraintContract(MemberContract):
    """Rows are the derivatives of the values, their changes too, and reactions are in balance."""

    family: ClassVar[Any] = constraints

    @pytest.fixture
    def constraint(self, member: Constraint) -> Constraint:
        """The tested constraint."""
        return member

    @pytest.mark.parametrize("seed", range(5))
    def test_rows_are_the_derivatives_of_the_values(self, constraint: Constraint, seed: int) -> None:
        markers, step = markers_of(constraint, seed), 1e-6
        angles = constraint.angles(markers, constraint.first_angles())
        equations = constraint.equations(markers, 0.0, angles)
        assert equations.rows.shape == (len(equations.values), 6 * len(markers))
        assert len(equations.words) == len(equations.values)
        for k in range(equations.rows.shape[1]):
            ahead, behind = (
                constraint.equations(turned(markers, k, s), 0.0, angles).values for s in (step, -step)
            )
            np.testing.assert_allclose((ahead - behind) / (2 * step), equations.rows[:, k], atol=1e-8)

    @pytest.mark.parametrize("time", [0.0, 0.0037])
    def test_rates_are_the_derivatives_over_time(self, constraint: Constraint, time: float) -> None:
        """Of the last equation at markers that stand still, to the right of the time; of all others zero."""
        markers, angles, h = markers_of(constraint, 3), constraint.first_angles(), 1e-4
        at = np.stack([constraint.equations(markers, time + k * h, angles).values for k in range(5)])
        first = np.array([-25.0, 48.0, -36.0, 16.0, -3.0]) @ at / (12.0 * h)
        second = np.array([35.0, -104.0, 114.0, -56.0, 11.0]) @ at / (12.0 * h**2)
        rates = np.zeros((2, at.shape[1]))
        rates[:, -1] = constraint.rates(time)
        np.testing.assert_allclose([first, second], rates, rtol=1e-3, atol=1e-2)

    def test_reactions_are_in_balance(self, constraint: Constraint) -> None:
        """A rigid motion of all markers together changes no equation: forces and moments cancel."""
        markers = markers_of(constraint, 7)
        rows = constraint.equations(markers, 0.0, constraint.first_angles()).rows
        for direction in np.eye(3):
            shift = np.concatenate([np.concatenate([direction, np.zeros(3)]) for _ in markers])
            turn = np.concatenate(
                [np.concatenate([np.cross(direction, m.position), direction]) for m in markers]
            )
            np.testing.assert_allclose(rows @ shift, 0.0, atol=1e-12)
            np.testing.assert_allclose(rows @ turn, 0.0, atol=1e-12)

    @pytest.mark.parametrize("seed", range(3))
    def test_changes_of_the_rows(self, constraint: Constraint, seed: int) -> None:
        markers, angles = markers_of(constraint, seed), constraint.first_angles()
        equations = constraint.equations(markers, 0.0, angles)
        multipliers = np.random.default_rng(seed).normal(size=len(equations.values))
        change = constraint.row_changes(markers, 0.0, angles, multipliers)
        step = 1e-5
        for k in range(len(change)):
            sides = [
                constraint.equations(turned(markers, k, s), 0.0, angles).rows.T @ multipliers
                for s in (step, -step)
            ]
            np.testing.assert_allclose((sides[0] - sides[1]) / (2 * step), change[:, k], atol=2e-6)
