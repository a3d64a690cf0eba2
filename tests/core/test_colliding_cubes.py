"""Two rigid cubes that meet in free flight: momentum, angular momentum and energy before, during and after."""

import numpy as np
from scipy.integrate import solve_ivp

from faying.fem.skin import find_skin
from faying.joints.contact_laws import contact_laws
from faying.multibody.contacts.force import RelativeMotion, normal_forces, places_in_frame
from faying.multibody.contacts.search import near_facets
from faying.multibody.contacts.surface import surface_of_mesh
from faying.multibody.parts.rigid import RigidPart
from faying.spatial.rotations import rates_of_body_rotation, rotation_about
from support.boxes import box
from support.touching import surface_gaps

EDGE, MASS, STILL = 10.0, 2e-3, np.zeros(3)
LAW = contact_laws["linear_penalty"](stiffness=20.0)


def a_cube(name):
    model = box("hex8_full", (1, 1, 1), (EDGE, EDGE, EDGE))
    surface = surface_of_mesh(find_skin(model).surface, model.nodes, origin=np.full(3, 0.5 * EDGE))
    return RigidPart(name, MASS, MASS * EDGE**2 / 6.0 * np.eye(3)), surface


def a_state(position, turn, velocity, spin):
    p = rotation_about(np.array(turn))
    return (
        np.concatenate([position, p]),
        np.concatenate([velocity, rates_of_body_rotation(p, np.array(spin))]),
    )


def test_momentum_and_energy_of_a_collision():
    (first, ground_plate), (second, corner) = a_cube("first"), a_cube("second")
    # The second comes down with a corner on the first one's top, off its middle, both turning.
    q1, v1 = a_state([0.0, 0.0, 0.0], [0.1, -0.05, 0.3], [30.0, -10.0, 200.0], [3.0, -2.0, 4.0])
    q2, v2 = a_state([1.5, -1.0, 14.5], [0.6, 0.7, 0.2], [-20.0, 15.0, -900.0], [5.0, 4.0, -6.0])
    near = [None, None]

    def contact(qa, qb):
        """Both passes: each cube is master once, and each pass bears half."""
        force, energy = [np.zeros(7), np.zeros(7)], 0.0
        for k, (master, slave, qm, qs) in enumerate(
            ((ground_plate, corner, qa, qb), (corner, ground_plate, qb, qa))
        ):
            places = places_in_frame(slave, qs, qm)
            if near[k] is None or not near[k].hold_for(places, np.zeros_like(master.places)):
                near[k] = near_facets(master, qm, places, 3.0, 1.0)
            gaps = surface_gaps(master, qm, places, near[k])
            found = normal_forces(
                RelativeMotion(master, slave, qm, qs), gaps, LAW, share=0.5, derivatives=False
            )
            force[k] += found.on_master
            force[1 - k] += found.on_slave
            depth = np.maximum(-gaps.gaps, 0.0)
            energy += 0.5 * 0.5 * LAW.stiffness * float(found.areas @ depth**2)
        return force, energy

    def rates(_, state):
        qs, vs = (state[:7], state[14:21]), (state[7:14], state[21:])
        forces, _ = contact(*qs)
        accelerations = []
        for part, q, v, force in zip((first, second), qs, vs, forces, strict=True):
            # Lagrange's equations on the unit sphere: the multiplier holds p · p = 1.
            row = np.concatenate([STILL, 2.0 * q[3:]])
            matrix = np.block([[part.mass(q), row[:, None]], [row[None], np.zeros((1, 1))]])
            right = np.append(part.forces(q, v, STILL) + force, -2.0 * v[3:] @ v[3:])
            accelerations.append(np.linalg.solve(matrix, right)[:7])
        return np.concatenate([vs[0], accelerations[0], vs[1], accelerations[1]])

    def balance(state):
        qs, vs = (state[:7], state[14:21]), (state[7:14], state[21:])
        momenta = [part.momentum(q, v) for part, q, v in zip((first, second), qs, vs, strict=True)]
        energy = sum(
            sum(part.energies(q, v, STILL)) for part, q, v in zip((first, second), qs, vs, strict=True)
        )
        return momenta[0][0] + momenta[1][0], momenta[0][1] + momenta[1][1], energy, contact(*qs)[1]

    start = np.concatenate([q1, v1, q2, v2])
    scale = np.concatenate([np.full(3, 1.0), np.full(4, 0.1), np.full(3, 100.0), np.full(4, 10.0)] * 2)
    found = solve_ivp(
        rates,
        (0.0, 4.6e-3),
        start,
        method="DOP853",
        rtol=1e-8,
        atol=1e-9 * scale,
        dense_output=True,
        max_step=2e-4,
    )
    assert found.success
    linear, angular, energy, stored = balance(start)
    assert stored == 0.0
    spent = [balance(found.sol(t)) for t in np.linspace(0.0, 4.6e-3, 17)]
    assert max(s[3] for s in spent) > 0.05 * energy and spent[-1][3] == 0.0  # they met and parted
    size = MASS * 900.0
    for momentum, moment, kinetic, in_contact in spent:
        np.testing.assert_allclose(momentum, linear, atol=1e-12 * size)
        np.testing.assert_allclose(moment, angular, atol=1e-12 * size * EDGE)
        assert abs(kinetic + in_contact - energy) < 1e-7 * energy
    # The second bounced off.
    assert found.y[21 + 2, -1] - found.y[7 + 2, -1] > 0.0
