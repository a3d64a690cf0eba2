"""Contract of part kinds: consistent equations of motion, and plain values that match the built part."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.bodies import FlexibleBody
from faying.multibody.part import Part
from faying.multibody.part_kinds import PartSpec, part_kinds
from faying.project.stage import Target
from faying.spatial.rotations import rotation_about
from faying.testing.contracts.members import MemberContract
from faying.testing.plates import plates_session

GRAVITY = np.array([1.0, -2.0, 9810.0])


class PartKindContract(MemberContract):
    """Tested with two plates as body. A kind that is not a moving part gets other `samples`, or is not tested."""

    family: ClassVar[Any] = part_kinds
    common: ClassVar[dict[str, Any]] = {
        "name": "part", "body": "plates", "joint_contact": False,
        "markers": [{"name": "eye", "position": (1.0, 2.0, 3.0)}],
    }  # fmt: skip

    @pytest.fixture
    def bodies(self) -> dict[str, FlexibleBody]:
        """The plates, reduced."""
        session = plates_session()
        laws = tuple((j.contact_law, j.friction_law) for j in session.project.bodies[0].contact_joints)
        return {"plates": FlexibleBody("plates", session.compute(Target("body", "plates")), laws)}

    @pytest.fixture
    def part(self, member: PartSpec, bodies: dict[str, FlexibleBody]) -> Part:
        """The part that computes."""
        return member.build(bodies)

    @pytest.fixture
    def state(self, part: Part) -> tuple[np.ndarray, np.ndarray]:
        """Position (n,) and velocity (n,) of the part in a general rotating state, with normalised Euler parameters."""
        rng = np.random.default_rng(3)
        q = part.placed(rng.normal(size=3), rotation_about(rng.normal(size=3)))
        q[7:] = 1e-3 * part.scales[7:] * rng.normal(size=part.n - 7)
        v = rng.normal(size=part.n) * part.scales
        v[3:7] -= q[3:7] * (q[3:7] @ v[3:7])
        return q, v

    def test_its_words_are_those_of_the_built_part(
        self, member: PartSpec, part: Part, bodies: dict[str, FlexibleBody]
    ) -> None:
        body = bodies.get(member.body_name())
        interfaces = tuple(body.reduced.interface_nodes) if body is not None else ()
        assert part.name == member.name
        assert {"eye"} <= set(part.marker_names()) <= set(member.marker_names(interfaces))
        for name in part.marker_names():
            part.marker(name)
        for name in member.surface_names():
            assert member.surface(name, part, bodies) is not None
        assert member.surface("no such surface", part, bodies) is None

    def test_kinetic_energy_is_that_of_the_mass(
        self, part: Part, state: tuple[np.ndarray, np.ndarray]
    ) -> None:
        q, v = state
        mass = part.mass(q)
        np.testing.assert_allclose(mass, mass.T, atol=1e-12 * np.abs(mass).max())
        kinetic, _, _ = part.energies(q, v, np.zeros(3))
        assert kinetic == pytest.approx(0.5 * v @ mass @ v, rel=1e-10)
        assert kinetic > 0.0

    def test_changes_are_derivatives(self, part: Part, state: tuple[np.ndarray, np.ndarray]) -> None:
        q, v = state
        a = np.random.default_rng(4).normal(size=part.n) * part.scales
        steps = np.concatenate([np.full(7, 1e-5), 1e-2 * part.scales[7:]])
        by_place, by_speed = part.force_changes(q, v, GRAVITY)
        of_mass = part.mass_change(q, a)
        for k, step in enumerate(steps):
            up, down = q.copy(), q.copy()
            up[k] += step
            down[k] -= step
            for found, wanted in (
                (of_mass[:, k], (part.mass(up) - part.mass(down)) @ a / (2.0 * step)),
                (
                    by_place[:, k],
                    (part.forces(up, v, GRAVITY) - part.forces(down, v, GRAVITY)) / (2.0 * step),
                ),
            ):
                rounding = 1e-14 * np.abs(part.forces(q, v, GRAVITY)).max() / step
                np.testing.assert_allclose(
                    found, wanted, atol=2e-5 * max(np.abs(wanted).max(), 1e-9) + rounding, rtol=1e-4
                )
            up, down = v.copy(), v.copy()
            up[k] += step
            down[k] -= step
            wanted = (part.forces(q, up, GRAVITY) - part.forces(q, down, GRAVITY)) / (2.0 * step)
            scale = max(np.abs(by_speed).max(), 1e-9)
            np.testing.assert_allclose(
                by_speed[:, k],
                wanted,
                atol=2e-5 * scale + 1e-14 * np.abs(part.forces(q, v, GRAVITY)).max() / step,
            )

    def test_it_weighs_what_its_mass_says(self, part: Part, state: tuple[np.ndarray, np.ndarray]) -> None:
        q, _ = state
        rest = np.zeros(part.n)
        weight = part.forces(q, rest, GRAVITY)[:3] - part.forces(q, rest, np.zeros(3))[:3]
        np.testing.assert_allclose(weight, part.total_mass * GRAVITY, rtol=1e-9)
        moving = rest.copy()
        moving[:3] = [3.0, -1.0, 2.0]
        np.testing.assert_allclose(part.momentum(q, moving)[0], part.total_mass * moving[:3], rtol=1e-9)

    def test_damping_only_takes(self, part: Part, state: tuple[np.ndarray, np.ndarray]) -> None:
        assert part.dissipation(state[1]) >= 0.0
