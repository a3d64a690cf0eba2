"""Contract of the forces: action and reaction, derivatives, and springs that keep what they take."""

import numpy as np
import pytest

from faying.multibody.forces import Force, forces
from faying.multibody.markers import MarkerMotion, moved
from faying.params import build
from faying.spatial.rotations import rotation_about, rotation_matrix

PAIR = {"first": "ground.a", "second": "rod.b"}
WORDS = {
    "point_force": {"marker": "rod.b", "force": (1.0, -2.0, 3.0), "moment": (0.5, 0.1, -0.2), "following": True},
    "spring_damper": {**PAIR, "stiffness": 3.0, "damping": 0.7, "free_length": 0.4},
    "torsion_spring": {**PAIR, "stiffness": 3.0, "damping": 0.7, "free_angle": 0.1},
    "bushing": {
        **PAIR, "stiffness": (1.0, 2.0, 3.0), "free_displacement": (0.1, -0.2, 0.3),
        "torsional_stiffness": (0.5, 0.5, 0.5),
        "damping": (0.3, 0.2, 0.1), "torsional_damping": (0.1, 0.2, 0.3),
    },
}  # fmt: skip


@pytest.fixture(params=sorted(forces))
def force(request: pytest.FixtureRequest) -> Force:
    return build(forces[request.param], {"name": "it", **WORDS.get(request.param, PAIR)})


def markers_of(force: Force, seed: int) -> list[MarkerMotion]:
    rng, none = np.random.default_rng(seed), np.zeros((3, 0))
    return [
        MarkerMotion(
            rng.normal(size=3), rotation_matrix(rotation_about(0.4 * rng.normal(size=3))), none, none,
            rng.normal(size=3), rng.normal(size=3),
        )
        for _ in force.marker_names()
    ]  # fmt: skip


def test_action_and_reaction(force: Force) -> None:
    markers = markers_of(force, 1)
    wrenches = force.wrenches(markers, 0.0, force.first_angles()).reshape(-1, 2, 3)
    if len(markers) == 1:
        return  # a force from outside
    np.testing.assert_allclose(wrenches[:, 0].sum(axis=0), 0.0, atol=1e-12)
    moments = [np.cross(m.position, w[0]) + w[1] for m, w in zip(markers, wrenches, strict=True)]
    np.testing.assert_allclose(np.sum(moments, axis=0), 0.0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_changes_are_derivatives(force: Force, seed: int) -> None:
    markers, step = markers_of(force, seed), 1e-5
    by_place, by_speed = force.changes(markers, 0.0, force.first_angles())
    for k in range(len(by_place)):
        for change, speed in ((by_place, False), (by_speed, True)):
            ahead, behind = (
                force.wrenches(moved(markers, k, s, speed), 0.0, force.first_angles()) for s in (step, -step)
            )
            np.testing.assert_allclose((ahead - behind) / (2 * step), change[:, k], atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_springs_give_back_what_they_take(force: Force, seed: int) -> None:
    """Power of the resting force along a motion is the loss of potential."""
    words = {k: v for k, v in force.model_dump().items() if "damping" not in k and k != "kind"}
    spring = build(type(force), words)
    still = [
        MarkerMotion(m.position, m.axes, m.d_position, m.d_rotation, np.zeros(3), np.zeros(3))
        for m in markers_of(force, seed)
    ]
    if len(still) == 1:
        return
    wrenches, step = spring.wrenches(still, 0.0, spring.first_angles()), 1e-5
    for k in range(len(wrenches)):
        ahead, behind = (spring.potential(moved(still, k, s), spring.first_angles()) for s in (step, -step))
        assert wrenches[k] == pytest.approx(-(ahead - behind) / (2 * step), abs=1e-6)


def test_dampers_only_take(force: Force) -> None:
    for seed in range(10):
        markers = markers_of(force, seed)
        if len(markers) == 1:
            return
        still = [
            MarkerMotion(m.position, m.axes, m.d_position, m.d_rotation, np.zeros(3), np.zeros(3))
            for m in markers
        ]
        damping = force.wrenches(markers, 0.0, force.first_angles()) - force.wrenches(
            still, 0.0, force.first_angles()
        )
        assert damping @ np.concatenate([np.concatenate([m.velocity, m.spin]) for m in markers]) <= 1e-12


def test_a_following_force_turns_with_its_marker() -> None:
    none = np.zeros((3, 0))
    axes = rotation_matrix(rotation_about(np.array([0.0, 0.0, np.pi / 2])))
    at = MarkerMotion(np.zeros(3), axes, none, none, np.zeros(3), np.zeros(3))
    words = {"name": "it", "marker": "rod.b", "force": (1.0, 0.0, 0.0)}
    fixed, following = (build(forces["point_force"], {**words, "following": f}) for f in (False, True))
    np.testing.assert_allclose(fixed.wrenches([at], 0.0, np.zeros(0))[:3], [1, 0, 0])
    np.testing.assert_allclose(following.wrenches([at], 0.0, np.zeros(0))[:3], [0, 1, 0], atol=1e-15)
