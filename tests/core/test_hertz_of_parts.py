"""A rigid ball pressed on an elastic half space, by the pieces of contact between parts (Hertz 1882)."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la

from faying.fem.assembly import assemble
from faying.fem.skin import find_skin
from faying.fem.surface import part_of_surface
from faying.joints.contact_laws import contact_laws
from faying.linalg.factor import factorize
from faying.multibody.contacts.force import RelativeMotion, normal_forces, places_in_frame
from faying.multibody.contacts.rigid_shapes import RigidSphere
from faying.multibody.contacts.surface import PartSurface, surface_of_mesh
from support.boxes import STEEL, box

RADIUS = 100.0
ACROSS = np.concatenate([np.linspace(0.0, 1.2, 11), 1.2 + 0.12 * np.cumsum(1.5 ** np.arange(1, 13))])
DOWN = np.concatenate([np.linspace(0.0, 0.6, 6), 0.6 + 0.12 * np.cumsum(1.5 ** np.arange(1, 13))])


@pytest.fixture(scope="module")
def half_space():
    """A quarter of a block that grows coarse away from the contact: its surface over forces on nodes near the contact.

    The planes of symmetry hold it across, the far faces hold it altogether; 65 contact radii away that takes less than
    one percent off the approach.
    """
    n, m = len(ACROSS) - 1, len(DOWN) - 1
    model = box("hex8_incompatible", (n, n, m), (float(n), float(n), float(m)))
    at = np.round(model.nodes).astype(int)
    nodes = np.column_stack([ACROSS[at[:, 0]], ACROSS[at[:, 1]], DOWN[at[:, 2]]])
    matrices = assemble(_moved(model, nodes))
    far = (at == [n, n, m]).any(axis=1)
    held = np.repeat(far, 3)
    held[0::3] |= nodes[:, 0] == 0.0
    held[1::3] |= nodes[:, 1] == 0.0
    free = np.flatnonzero(~held)
    skin = find_skin(_moved(model, nodes))
    near = (skin.normals[:, 2] < -0.9) & (np.abs(skin.centroids[:, :2]).max(axis=1) < 1.3)
    top = part_of_surface(skin.surface, near)
    factor = factorize(matrices.stiffness[free][:, free].tocsr())
    loads = np.zeros((3 * len(nodes), len(top.nodes)))
    loads[3 * top.nodes + 2, np.arange(len(top.nodes))] = 1.0
    responses = np.zeros_like(loads)
    responses[free] = factor.solve(loads[free])
    surface = surface_of_mesh(top, nodes, responses)
    return surface, responses[3 * top.nodes + 2]


def _moved(model, nodes):
    return replace(model, nodes=nodes)


def pressed(surface: PartSurface, compliance: np.ndarray, depth: float, stiffness: float = 2e8):
    """Return (force on the whole ball, contact radius, nodal distances from the middle and pressures)."""
    ball, law = (
        RigidSphere(np.array([0.0, 0.0, depth - RADIUS]), RADIUS),
        contact_laws["linear_penalty"](stiffness=stiffness),
    )
    q = np.concatenate([np.zeros(3), [1.0, 0.0, 0.0, 0.0], np.zeros(compliance.shape[1])])
    ground = np.zeros(0)
    for _ in range(60):
        gaps = ball.gaps(places_in_frame(surface, q, ground), 1.0)
        found = normal_forces(RelativeMotion(ball, surface, ground, q), gaps, law)
        residual = found.on_slave[7:] - compliance @ q[7:]
        step = la.solve(compliance - found.change[7:, 7:], residual, assume_a="sym")
        q[7:] += step
        if np.abs(step).max() < 1e-7 * np.abs(q[7:]).max():
            break
    else:
        raise AssertionError("no equilibrium")
    radii = np.linalg.norm(surface.places[gaps.slaves, :2], axis=1)
    return 4.0 * found.forces[:, 2].sum(), radii, found.pressures


def test_force_and_pressure_are_those_of_hertz(half_space):
    surface, compliance = half_space
    modulus = STEEL.youngs_modulus / (1.0 - STEEL.poisson_ratio**2)
    for depth in (0.005, 0.008):
        force, radii, pressures = pressed(surface, compliance, depth)
        expected = 4.0 / 3.0 * modulus * np.sqrt(RADIUS) * depth**1.5
        radius = np.sqrt(RADIUS * depth)
        assert radius / 0.12 > 5.8  # facets in the contact's radius
        assert force == pytest.approx(expected, rel=0.03)
        largest = 1.5 * force / (np.pi * radius**2)
        inner = (radii > 0.0) & (radii < 0.8 * radius)
        hertz = largest * np.sqrt(1.0 - (radii[inner] / radius) ** 2)
        np.testing.assert_allclose(pressures[inner], hertz, atol=0.03 * largest)
        assert radii[pressures > 0.0].max() == pytest.approx(radius, abs=0.17)
        # With the responses to forces at all nodes the result does not depend on the penalty.
        softer, _, _ = pressed(surface, compliance, depth, 0.5 * 2e8)
        assert softer == pytest.approx(force, rel=0.005)
