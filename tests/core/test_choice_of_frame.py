"""The floating frame of a flexible part: mean axes, principal axes, or an interface node.

Theory: the recombination of modes with rigid motions is exact to first order in the deformation a. What is left are
products of two deformations, a², and of a deformation with the stress of the spin, a (Ω/ω)², which a frame with
linear modes has in part alone. With forces and spin² in one proportion both are of second order in it.

A rest of first order comes with rigid couplings under spin: shape integrals turn their nodes with half the curl of a
field, which the field of a turned deformation does not have all over a coupled face. It vanishes with the coupled
elements (the last test), and is small beside the force here.

Kinds of reference: that theorem; the tensor of inertia by the consistent mass of the finite elements.
"""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.model import Material
from faying.fem.stress import StressRecovery
from faying.multibody.bodies import FlexibleBody
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.params import build
from faying.progress import Silent
from faying.solvers.integrators import consistent_start
from faying.solvers.integrators.hht import Hht
from faying.spatial.rotations import body_rates, rotation_matrix, skew
from support.boxes import box
from support.flexible_bodies import held_bar, solid_box
from support.systems import ready, system_of

STEEL = Material("STEEL", 210e9, 0.3, 7850.0)
COUNTS, SIZE = (6, 2, 2), (1.0, 0.2, 0.1)
FORCE, SPIN = np.array([4e5, 6e5, 8e5]), np.array([60.0, 80.0, 160.0])
FRAMES = {"mean axes": {}, "principal axes": {"free_frame": "principal_axes"}, "node": {"frame": "start"}}


@pytest.fixture(scope="module")
def bar():
    return held_bar(COUNTS, SIZE, (0.0, 0.0, 0.0), STEEL, 2, element="hex8_incompatible")


def part_of(body, **words):
    return build(FlexiblePartSpec, {"name": "bar", "body": "bar", **words}).build(
        {"bar": FlexibleBody("bar", body)}
    )


def motion(bar, frame, size):
    """Return paths (times, 3 points, 3) in space, energies (times, 2), stresses at the end, largest deformation.

    The bar turns about an axis askew and is pulled at its end, for more than a period of its first bending mode.
    """
    pull = {"kind": "point_force", "name": "pull", "marker": "bar.end", "force": tuple(size * FORCE)}
    placement = {"position": (0.1, 0.2, 0.3), "spin": tuple(np.sqrt(size) * SPIN)}
    spec = {"kind": "flexible", "name": "bar", "body": "bar", "placement": placement, **FRAMES[frame]}
    found = ready(system_of(parts=[spec], forces=[pull]), bar=FlexibleBody("bar", bar))
    states = [consistent_start(found.system, 0.0, found.q, found.v, found.history)]
    hht = Hht(alpha=0.0, tolerance=1e-11, fixed_step=True, first_step=5e-5, largest_step=5e-5)
    hht.integrate(found.system, states[0], 3e-3, lambda _, after: states.append(after), Silent())

    part = next(part for part in found.system.parts if part.n)
    points = [0, part.body.interface_nodes["end"], len(part.body.nodes) // 2]
    deformed = [(part.body.displacements @ state.q[7:]).reshape(-1, 3) for state in states]
    paths = [
        state.q[:3] + (part.body.nodes + own)[points] @ rotation_matrix(state.q[3:7]).T
        for state, own in zip(states, deformed, strict=True)
    ]
    model = box("hex8_incompatible", COUNTS, SIZE, STEEL)
    stresses = StressRecovery(model).at_nodes(deformed[-1][: len(model.nodes)])
    energies = np.array([part.energies(state.q, state.v, np.zeros(3))[:2] for state in states])
    return np.array(paths), energies, stresses, np.abs(deformed).max()


def test_a_motion_in_space_does_not_depend_on_the_frame(bar):
    """Of paths, energies and stresses what frames differ by, over their size, falls with the deformation."""
    apart = {}
    for size in (0.4, 0.1):
        paths, energies, stresses, deformation = motion(bar, "mean axes", size)
        assert deformation > 3e-3 * size
        for frame in ("principal axes", "node"):
            others = motion(bar, frame, size)
            kinetic, elastic = abs(others[1] - energies).max(axis=0) / energies.max(axis=0)
            path = abs(others[0] - paths).max() / deformation
            assert path > 0.0 and kinetic < 2e-4
            apart[frame, size] = [path, elastic, abs(others[2] - stresses).max() / abs(stresses).max()]
    # Of a straight bar they are the mean axes but for the turning of its cross sections.
    assert max(apart["principal axes", 0.4]) < 1e-4
    assert max(apart["node", 0.4]) < 0.1
    np.testing.assert_allclose(np.divide(apart["node", 0.4], apart["node", 0.1]), 4.0, rtol=0.35)


def test_no_mode_moves_the_principal_axes():
    """∂J/∂q of the finite elements has no products of inertia along the axes; with the mean axes it has."""
    model, matrices, _, body = solid_box()
    held = body.in_principal_axes()
    centre = body.inertia.centre_of_mass

    def tensor(places):
        turned = [(places @ skew(axis).T).ravel() for axis in np.eye(3)]
        return np.array([[one @ (matrices.mass @ other) for other in turned] for one in turned])

    _, axes = np.linalg.eigh(tensor(model.nodes - centre))

    def products(modes):
        """Return (r, 3) changes of the products of inertia, and the size of all changes."""
        changes = []
        for mode in modes.T:
            nodal = mode.reshape(-1, 3) / abs(mode).max()
            both = [axes.T @ tensor(model.nodes - centre + sign * nodal) @ axes for sign in (0.5, -0.5)]
            changes.append(both[0] - both[1])
        return np.array(changes)[:, [0, 0, 1], [1, 2, 2]], abs(np.array(changes)).max()

    wrong, size = products(body.displacements)
    right, _ = products(held.displacements)
    assert abs(wrong).max() > 0.05 * size
    assert abs(right).max() < 1e-10 * size
    drift = (matrices.mass @ held.displacements).reshape(-1, 3, held.n_coordinates).sum(axis=0)
    assert abs(drift).max() < 1e-12 * body.total_mass * abs(held.displacements).max()


def test_free_frames_damp_alike(bar):
    """Mass and modal damping are those of the free modes whatever the free frame follows."""
    damping = {"mass_damping": 20.0, "modal_damping": (0.1, 0.2), "rest_damping": 0.3}
    parts = [part_of(bar, **FRAMES[frame], **damping) for frame in ("mean axes", "principal axes")]
    v = np.concatenate([np.zeros(7), np.linspace(-1.0, 1.0, parts[0].n - 7)])
    assert parts[1].dissipation(v) == pytest.approx(parts[0].dissipation(v), rel=1e-12)
    assert parts[0].dissipation(v) > 0.0


def test_a_round_body_has_no_principal_axes_to_follow():
    rod = held_bar((4, 2, 2), (1.0, 0.1, 0.1), (0.0, 0.0, 0.0), STEEL, 1)
    with pytest.raises(ModelError, match=r"'bar'.*principal moments of inertia.*the same.*mean axes"):
        part_of(rod, free_frame="principal_axes")
    part_of(rod, free_frame="principal_axes", frame="start")  # not used there


def test_what_couplings_leave_between_frames_vanishes_with_the_mesh():
    """Elastic accelerations as a spin begins: 2.4, 1.2, 0.6 % of their size apart, with elements half as long each."""
    apart = []
    for count in (6, 12, 24):
        body = held_bar((count, 2, 2), SIZE, (0.0, 0.0, 0.0), STEEL, 2, element="hex8_incompatible")
        found = []
        for frame in ("mean axes", "node"):
            spec = {"kind": "flexible", "name": "bar", "body": "bar", "placement": {"spin": tuple(SPIN)}}
            held = ready(system_of(parts=[{**spec, **FRAMES[frame]}]), bar=FlexibleBody("bar", body))
            state = consistent_start(held.system, 0.0, held.q, held.v, held.history)
            part = next(part for part in held.system.parts if part.n)
            p, nodes = state.q[3:7], part.body.nodes
            spin, turn = body_rates(p) @ state.v[3:7], body_rates(p) @ state.all_accelerations[3:7]
            elastic = (part.body.displacements @ state.all_accelerations[7:]).reshape(-1, 3)
            rigid = np.cross(turn, nodes) + np.cross(spin, np.cross(spin, nodes))
            found.append((state.all_accelerations[:3] + (rigid + elastic) @ rotation_matrix(p).T, elastic))
        (mean, elastic), (node, _) = found
        apart.append(abs(mean - node).max() / abs(elastic).max())
    assert apart[0] < 0.03
    np.testing.assert_allclose(np.divide(apart[1:], apart[:-1]), 0.5, atol=0.03)
