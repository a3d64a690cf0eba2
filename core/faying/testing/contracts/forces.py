"""Contract of forces between markers: action and reaction, derivatives, conservative springs."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.forces import Force, forces
from faying.multibody.markers import MarkerMotion, moved
from faying.params import build
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying.testing.contracts.members import MemberContract


def markers_of(force: Force, seed: int) -> list[MarkerMotion]:
    """Return random moving markers for a force."""
    rng, none = np.random.default_rng(seed), np.zeros((3, 0))
    return [
        MarkerMotion(
            rng.normal(size=3), rotation_matrix(rotation_about(0.4 * rng.normal(size=3))), none, none,
            rng.normal(size=3), rng.normal(size=3),
        )
        for _ in force.marker_names()
    ]  # fmt: skip


class ForceContract(MemberContract):
    """Action and reaction, derivatives, conservative springs, dissipative dampers."""

    family: ClassVar[Any] = forces

    @pytest.fixture
    def force(self, member: Force) -> Force:
        """The tested force."""
        return member

    def test_action_and_reaction(self, force: Force) -> None:
        markers = markers_of(force, 1)
        wrenches = force.wrenches(markers, 0.0, force.first_angles()).reshape(-1, 2, 3)
        if len(markers) <= 1:
            return  # an external force, or one that acts at the markers of a constraint
        np.testing.assert_allclose(wrenches[:, 0].sum(axis=0), 0.0, atol=1e-12)
        moments = [np.cross(m.position, w[0]) + w[1] for m, w in zip(markers, wrenches, strict=True)]
        np.testing.assert_allclose(np.sum(moments, axis=0), 0.0, atol=1e-12)

    @pytest.mark.parametrize("seed", range(3))
    def test_changes_are_derivatives(self, force: Force, seed: int) -> None:
        markers, step = markers_of(force, seed), 1e-5
        by_place, by_speed = force.changes(markers, 0.0, force.first_angles())
        for k in range(len(by_place)):
            for change, speed in ((by_place, False), (by_speed, True)):
                ahead, behind = (
                    force.wrenches(moved(markers, k, s, speed), 0.0, force.first_angles())
                    for s in (step, -step)
                )
                np.testing.assert_allclose((ahead - behind) / (2 * step), change[:, k], atol=1e-6)

    @pytest.mark.parametrize("seed", range(3))
    def test_springs_give_back_what_they_take(self, force: Force, seed: int) -> None:
        """Power of the resting force along a motion is the loss of potential."""
        words = {k: v for k, v in force.model_dump().items() if "damping" not in k and k != "kind"}
        spring = build(type(force), words)
        still = [
            MarkerMotion(m.position, m.axes, m.d_position, m.d_rotation, np.zeros(3), np.zeros(3))
            for m in markers_of(force, seed)
        ]
        if len(still) <= 1:
            return
        wrenches, step = spring.wrenches(still, 0.0, spring.first_angles()), 1e-5
        for k in range(len(wrenches)):
            ahead, behind = (
                spring.potential(moved(still, k, s), spring.first_angles()) for s in (step, -step)
            )
            assert wrenches[k] == pytest.approx(-(ahead - behind) / (2 * step), abs=1e-6)

    def test_dampers_only_take(self, force: Force) -> None:
        for seed in range(10):
            markers = markers_of(force, seed)
            if len(markers) <= 1:
                return
            still = [
                MarkerMotion(m.position, m.axes, m.d_position, m.d_rotation, np.zeros(3), np.zeros(3))
                for m in markers
            ]
            damping = force.wrenches(markers, 0.0, force.first_angles()) - force.wrenches(
                still, 0.0, force.first_angles()
            )
            assert damping @ np.concatenate([np.concatenate([m.velocity, m.spin]) for m in markers]) <= 1e-12
