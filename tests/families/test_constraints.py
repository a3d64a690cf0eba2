"""Contract of the constraints: rows are derivatives, reactions balance, equations vanish where they should."""

import numpy as np
import pytest

from faying.multibody.constraints import constraints
from faying.multibody.markers import MarkerMotion
from faying.params import build
from faying.spatial.rotations import rotation_about, rotation_matrix, rotation_vector
from faying.testing import ConstraintContract

PAIR = {"first": "ground.a", "second": "rod.b"}


class TestConstraints(ConstraintContract):
    pass


@pytest.mark.parametrize(
    ("kind", "free"),
    [
        ("fixed", []),
        ("spherical", [3, 4, 5]),
        ("revolute", [5]),
        ("cylindrical", [2, 5]),
        ("translational", [2]),
        ("universal", [3, 4]),
        ("planar", [0, 1, 5]),
        ("point_on_line", [2, 3, 4, 5]),
    ],
)
def test_what_moves_freely(kind: str, free: list[int]) -> None:
    """Displacements (0–2) and rotations (3–5) of the second marker from a place where the constraint is met."""
    member, none = build(constraints[kind], {"name": "it", **PAIR}), np.zeros((3, 0))
    axes = rotation_matrix(rotation_about(np.array([0.3, -0.2, 0.5])))
    # The cross of a universal joint: y of the second is along y of the first, so x ⟂ y holds.
    at = MarkerMotion(np.array([1.0, 2.0, 3.0]), axes, none, none, np.zeros(3), np.zeros(3))
    equations = member.equations([at, at], 0.0, np.zeros(0))
    np.testing.assert_allclose(equations.values, 0.0, atol=1e-14)
    motions = np.zeros((6, 6))
    motions[:3, :3] = motions[3:, 3:] = axes
    moving = [k for k in range(6) if np.abs(equations.rows[:, 6:] @ motions[:, k]).max() < 1e-12]
    assert moving == free
    assert np.linalg.matrix_rank(equations.rows[:, 6:]) == len(equations.values) == 6 - len(free)


def test_a_prescribed_angle_counts_full_turns() -> None:
    words = {"name": "it", **PAIR, "speed": 10.0, "time_history": {"kind": "constant"}}
    member, none = build(constraints["prescribed_angular_speed"], words), np.zeros((3, 0))
    still = MarkerMotion(np.zeros(3), np.eye(3), none, none, np.zeros(3), np.zeros(3))
    turn = rotation_matrix(rotation_about(np.array([0.0, 0.0, 10.0 * 7.3])))
    there = MarkerMotion(np.zeros(3), turn, none, none, np.zeros(3), np.zeros(3))
    assert member.equations([still, there], 7.3, np.zeros(0)).values[0] == pytest.approx(0.0, abs=1e-12)
    assert member.rates(7.3)[0] == pytest.approx(-10.0)


def test_a_gear_counts_from_the_last_angles() -> None:
    member = build(constraints["gear"], constraints["gear"].example() | {"ratio": -2.5})
    none = np.zeros((3, 0))

    def at(angle: float) -> MarkerMotion:
        axes = rotation_matrix(rotation_about(np.array([0.0, 0.0, angle])))
        return MarkerMotion(np.zeros(3), axes, none, none, np.zeros(3), np.zeros(3))

    still = at(0.0)
    for turns in (0.3, 3.0, 17.9):
        markers = [still, at(-2.5 * turns), still, at(turns)]
        last = np.array([-2.5 * (turns - 0.1), turns - 0.1])
        assert member.equations(markers, 0.0, last).values[0] == pytest.approx(0.0, abs=1e-12)
        np.testing.assert_allclose(member.angles(markers, last), [-2.5 * turns, turns], atol=1e-12)


def test_rotations_of_a_fixed_constraint_are_small_rotations() -> None:
    member, none = build(constraints["fixed"], {"name": "it", **PAIR}), np.zeros((3, 0))
    small = 1e-5 * np.array([1.0, -2.0, 3.0])
    first = MarkerMotion(np.zeros(3), np.eye(3), none, none, np.zeros(3), np.zeros(3))
    axes = rotation_matrix(rotation_about(small))
    second = MarkerMotion(np.zeros(3), axes, none, none, np.zeros(3), np.zeros(3))
    values = member.equations([first, second], 0.0, np.zeros(0)).values[3:]
    np.testing.assert_allclose(values, -rotation_vector(axes), rtol=1e-4)
