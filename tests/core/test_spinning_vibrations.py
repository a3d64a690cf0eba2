"""Small vibrations about steady rotations. Kinds of reference: closed forms of rigid rotors and of turning beams."""

import numpy as np
import pytest

from faying.fem.model import Material
from faying.multibody.bodies import FlexibleBody
from faying.multibody.linearized import vibrations
from faying.solvers.integrators import consistent_start
from support.flexible_bodies import held_bar
from support.systems import ready, system_of

ACROSS, ALONG, MASS, STIFF = 1.0, 1.6, 2.0, 200.0


def eigenvalues(found):
    state = consistent_start(found.system, 0.0, found.q, found.v, found.history)
    modes = vibrations(
        found.system, found.q, found.v, state.all_multipliers, state.history, 0.0, state.all_accelerations
    )
    np.testing.assert_allclose(modes.eigenvalues.real, 0.0, atol=1e-4)
    return modes.eigenvalues.imag


def rotor(speed, **more):
    part = {
        "kind": "rigid", "name": "rotor", "mass": MASS, "moments_of_inertia": (ACROSS, ACROSS, ALONG),
        "placement": {"spin": (0, 0, speed)},
    }  # fmt: skip
    return system_of(ground=[{"name": "bed"}], parts=[part], **more)


def test_a_free_top_nutates_as_euler_says():
    """(I_z − I_x)/I_x times the spin, seen from the top, where a straight flight and a tilted axis turn."""
    found = eigenvalues(ready(rotor(10.0)))
    assert found[found > 1e-3] == pytest.approx([6.0, 10.0, 10.0, 10.0], rel=1e-5)


@pytest.mark.parametrize("speed", [0.0, 10.0, 50.0])
def test_a_rotor_in_round_bearings_whirls(speed):
    """ω² I_x − ω Ω I_z − k = 0 of tilting and ω² m = k of the centre, less Ω as seen from the rotor."""
    bearing = {
        "kind": "bushing", "name": "bearing", "first": "ground.bed", "second": "rotor.frame",
        "stiffness": (STIFF, STIFF, 500.0), "torsional_stiffness": (90.0, 90.0, 0.0),
    }  # fmt: skip
    found = eigenvalues(ready(rotor(speed, forces=[bearing])))
    tilting = np.roots([ACROSS, -ALONG * speed, -90.0]) - speed
    centre = np.sqrt(STIFF / MASS) + np.array([speed, -speed])
    wanted = np.sort(np.abs([*tilting, *centre, np.sqrt(500.0 / MASS)]))
    assert found[found > 1e-3] == pytest.approx(wanted[wanted > 1e-3], rel=1e-5)


def test_a_turning_beam_softens_in_its_plane_alone():
    """ω² = ω₀² − Ω² in the plane of rotation, ω₀² across it: a beam without geometric stiffening.

    By Southwell ω₀² + 0.193 Ω² and ω₀² + 1.193 Ω² would be true: what a floating frame with linear modes leaves out.
    """
    material = Material("STEEL", 210e9, 0.3, 7850.0)
    bar = held_bar(
        (10, 2, 2), (1.0, 0.03, 0.02), (0.0, -0.015, -0.01), material, 6, element="hex8_incompatible"
    )
    between = {"first": "ground.hub", "second": "bar.start"}

    def spun(speed):
        drive = {"kind": "prescribed_angular_speed", "name": "drive", **between, "speed": speed}
        part = {"kind": "flexible", "name": "bar", "body": "bar", "frame": "start",
                "placement": {"spin": (0, 0, speed)}}  # fmt: skip
        spec = system_of(
            ground=[{"name": "hub"}], parts=[part],
            constraints=[
                {"kind": "revolute", "name": "axle", **between}, {**drive, "time_history": {"kind": "constant"}},
            ],
        )  # fmt: skip
        return eigenvalues(ready(spec, bar=FlexibleBody("bar", bar)))[:2]

    across, within = spun(0.0)  # thinner across the plane
    assert across < 0.8 * within
    speed = 0.5 * across
    assert spun(speed) == pytest.approx([across, np.sqrt(within**2 - speed**2)], rel=2e-3)
