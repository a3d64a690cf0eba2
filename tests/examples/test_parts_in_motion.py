"""Rigid and flexible parts in motion. The kind of each reference is named with its test."""

import numpy as np
import pytest

from faying.fem.model import Material
from faying.multibody.constraints.spherical import Spherical
from faying.multibody.parts.flexible import FlexiblePart
from faying.multibody.parts.ground import Ground
from faying.multibody.parts.rigid import RigidPart
from faying.multibody.system import MultibodySystem
from faying.progress import Silent
from faying.reduction.quality import ritz_modes
from faying.solvers.integrators import State, consistent_start
from faying.solvers.integrators.hht import Hht
from faying.spatial.rotations import IDENTITY, rates_of_body_rotation, rotation_about
from support.flexible_bodies import held_bar, plates_body
from support.smooth_motion import free_motion

WEIGHT = np.array([0.0, 0.0, -9.81])
TOP_ENERGY = 5435.69679087


def _top():
    """Return (part, q, v) of the heavy top: its point is the frame's origin."""
    top = RigidPart("top", 15.0, np.diag([0.234375, 0.46875, 0.234375]), (0.0, 1.0, 0.0))
    q, v = top.placed(np.zeros(3), IDENTITY), np.zeros(7)
    v[3:] = rates_of_body_rotation(IDENTITY, np.array([0.0, 150.0, -4.61538]))
    return top, q, v


def test_heavy_top_is_where_another_program_finds_it():
    """Independent code, tests/references/rigid_bodies.py: centre of mass and energy after one second."""
    top, q, v = _top()
    _, states = free_motion(top, q, v, WEIGHT, 1.0, pinned=True, tolerance=1e-9)
    q, v = states[-1]
    np.testing.assert_allclose(top.centre_of_mass(q), [0.17334396, 0.64008859, -0.74849079], atol=3e-8)
    assert sum(top.energies(q, v, WEIGHT)) == pytest.approx(TOP_ENERGY, abs=1e-6)


@pytest.mark.parametrize("alpha", [-0.05, -0.3])
def test_hht_keeps_the_energy_of_a_fast_top_with_second_order(alpha):
    """Theorem: the mass matrix turns with the top, so that a scheme of first order gains energy at once."""
    top, q, v = _top()
    pin = Spherical(name="pin", first="ground.origin", second="top.frame")
    system = MultibodySystem([Ground(), top], [pin], gravity=WEIGHT)
    errors = []
    for step in (4e-4, 2e-4):
        states: list[State] = [consistent_start(system, 0.0, q, v, system.initial_history())]
        hht = Hht(alpha=alpha, tolerance=1e-7, fixed_step=True, first_step=step, largest_step=step)
        hht.integrate(system, states[0], 0.02, lambda _, after, s=states: s.append(after), Silent())
        energies = np.array([sum(system.energies(s.q, s.v, s.history)) for s in states])
        errors.append(abs(energies - TOP_ENERGY).max())
    assert errors[0] < 3e-4 * TOP_ENERGY
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)


@pytest.mark.parametrize("frame", ["", "HOLD"])
def test_free_flight_keeps_momentum_and_energy(frame):
    """Theorem: nothing acts but the weight. The plates vibrate, spin fast about no axis of theirs, and tumble."""
    _, body = plates_body(vibration_modes=4)
    body = body.clamped_to(frame)
    part = FlexiblePart("plates", body)
    _, shapes = ritz_modes(body.stiffness, body.mass)
    bent = 0.5 * shapes[:, 0] / abs(body.displacements @ shapes[:, 0]).max()
    start = rotation_about(np.array([0.3, -0.5, 0.2]))
    q, v = part.placed(np.array([10.0, 20.0, 30.0]), start, bent), np.zeros(part.n)
    v[:3], v[3:7] = [1000.0, -500.0, 2000.0], rates_of_body_rotation(start, np.array([3e3, 2e3, -4e3]))
    weight = 1000.0 * WEIGHT
    times, states = free_motion(part, q, v, weight, 3e-4, tolerance=1e-7)

    energies = np.array([part.energies(*state, weight) for state in states])
    elastic = energies[:, 1]
    assert np.ptp(elastic) > 0.9 * elastic.max() > 0.0  # it does vibrate
    np.testing.assert_allclose(energies.sum(axis=1), energies.sum(axis=1)[0], atol=2e-6 * elastic.max())
    centres = np.array([part.centre_of_mass(q) for q, _ in states])
    linear, angular = np.moveaxis([part.momentum(*state) for state in states], 1, 0)
    fall = centres[0] + np.outer(times, linear[0] / part.total_mass) + 0.5 * np.outer(times**2, weight)
    np.testing.assert_allclose(centres, fall, atol=1e-7)
    own = angular - np.cross(centres, linear)
    np.testing.assert_allclose(own, np.tile(own[0], (len(own), 1)), atol=1e-8 * abs(own).max())


def test_a_spinning_bar_stretches_by_the_closed_form():
    """Analytical: u = ρ ω² L³ / 3 E for a bar that turns about its end."""
    length, density, modulus, spin = 1.0, 7850.0, 210e9, 20.0
    material = Material("STEEL", modulus, 0.0, density)
    bar = held_bar((10, 2, 2), (length, 0.2, 0.2), (0.0, -0.1, -0.1), material, 6)
    body = bar.clamped_to("start")
    part = FlexiblePart("bar", body)
    q, v = part.placed(np.zeros(3), IDENTITY), np.zeros(part.n)
    v[3:7] = rates_of_body_rotation(IDENTITY, np.array([0.0, 0.0, spin]))
    for _ in range(3):  # equilibrium in the turning frame; softening makes it slightly nonlinear in q
        change = part.force_changes(q, v, np.zeros(3))[0][7:, 7:]
        q[7:] -= np.linalg.solve(change, part.forces(q, v, np.zeros(3))[7:])
    tip = part.marker("end").motion(q).position
    assert tip[0] - length == pytest.approx(density * spin**2 * length**3 / (3.0 * modulus), rel=2e-5)
    np.testing.assert_allclose(tip[1:], 0.0, atol=1e-12)
