"""Contract of the constraints: rows are derivatives, reactions balance, equations vanish where they should."""

import numpy as np
import pytest

from faying.multibody.constraints import Constraint, constraints
from faying.multibody.markers import MarkerMotion, moved
from faying.params import build
from faying.spatial.rotations import rotation_about, rotation_matrix, rotation_vector

PAIR = {"first": "ground.a", "second": "rod.b"}
WORDS = {
    "gear": {
        "first_carrier": "ground.a", "first_wheel": "one.a", "second_carrier": "ground.b", "second_wheel": "two.a"
    },
}  # fmt: skip


@pytest.fixture(params=sorted(constraints))
def constraint(request: pytest.FixtureRequest) -> Constraint:
    words = {"name": "it", **WORDS.get(request.param, PAIR)}
    return build(constraints[request.param], words)


def marker(rng: np.random.Generator, spread: float = 1.0) -> MarkerMotion:
    none = np.zeros((3, 0))
    axes = rotation_matrix(rotation_about(0.4 * spread * rng.normal(size=3)))
    return MarkerMotion(spread * rng.normal(size=3), axes, none, none, np.zeros(3), np.zeros(3))


def markers_of(constraint: Constraint, seed: int, spread: float = 1.0) -> list[MarkerMotion]:
    rng = np.random.default_rng(seed)
    return [marker(rng, spread) for _ in constraint.marker_names()]


def turned(markers: list[MarkerMotion], which: int, step: float) -> list[MarkerMotion]:
    """Finite motions, exact ones: what `moved` does to first order."""
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


@pytest.mark.parametrize("seed", range(5))
def test_rows_are_the_derivatives_of_the_values(constraint: Constraint, seed: int) -> None:
    markers, angles, step = markers_of(constraint, seed), constraint.first_angles(), 1e-6
    equations = constraint.equations(markers, 0.0, angles)
    assert equations.rows.shape == (len(equations.values), 6 * len(markers))
    assert len(equations.words) == len(equations.values)
    for k in range(equations.rows.shape[1]):
        ahead, behind = (
            constraint.equations(turned(markers, k, s), 0.0, angles).values for s in (step, -step)
        )
        np.testing.assert_allclose((ahead - behind) / (2 * step), equations.rows[:, k], atol=1e-8)


def test_reactions_are_in_balance(constraint: Constraint) -> None:
    """A rigid motion of all markers together changes no equation: forces and moments cancel."""
    markers = markers_of(constraint, 7)
    rows = constraint.equations(markers, 0.0, constraint.first_angles()).rows
    for direction in np.eye(3):
        shift = np.concatenate([np.concatenate([direction, np.zeros(3)]) for _ in markers])
        turn = np.concatenate([np.concatenate([np.cross(direction, m.position), direction]) for m in markers])
        np.testing.assert_allclose(rows @ shift, 0.0, atol=1e-12)
        np.testing.assert_allclose(rows @ turn, 0.0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_changes_of_the_rows(constraint: Constraint, seed: int) -> None:
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


def test_kinds_and_words(constraint: Constraint) -> None:
    words = constraint.model_dump()
    assert constraints[words.pop("kind")] is type(constraint)
    assert build(type(constraint), words) == constraint
    assert constraint.title


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
    words = {"name": "it", **PAIR, "speed": 10.0, "course": {"kind": "constant"}}
    member, none = build(constraints["prescribed_angular_speed"], words), np.zeros((3, 0))
    still = MarkerMotion(np.zeros(3), np.eye(3), none, none, np.zeros(3), np.zeros(3))
    turn = rotation_matrix(rotation_about(np.array([0.0, 0.0, 10.0 * 7.3])))
    there = MarkerMotion(np.zeros(3), turn, none, none, np.zeros(3), np.zeros(3))
    assert member.equations([still, there], 7.3, np.zeros(0)).values[0] == pytest.approx(0.0, abs=1e-12)
    assert member.rates(7.3)[0] == pytest.approx(-10.0)


def test_a_gear_counts_from_the_last_angles() -> None:
    member = build(constraints["gear"], {"name": "it", **WORDS["gear"], "ratio": -2.5})
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
