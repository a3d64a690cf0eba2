"""Systems of parts that touch each other, built by hand."""

import numpy as np

from faying.fem.skin import find_skin
from faying.fem.surface import part_of_surface
from faying.joints.contact_laws import contact_laws
from faying.multibody.contacts.contact import PartContact
from faying.multibody.contacts.gaps import SurfaceGaps
from faying.multibody.contacts.search import NearFacets, closest_points, gaps_at
from faying.multibody.contacts.surface import PartSurface, surface_of_mesh
from faying.multibody.parts.rigid import RigidPart
from faying.progress import Silent
from faying.solvers.integrators import consistent_start, integrators
from faying.spatial.rotations import rates_of_body_rotation, rotation_about
from support.boxes import box


def block(name="block", size=(10.0, 10.0, 10.0), cells=(1, 1, 1), mass=2e-3):
    """Return a rigid block about its middle, and its whole skin."""
    model = box("hex8_full", cells, size)
    a, b, c = (x * x for x in size)
    inertia = mass / 12.0 * np.diag([b + c, a + c, a + b])
    surface = surface_of_mesh(find_skin(model).surface, model.nodes, origin=0.5 * np.array(size))
    return RigidPart(name, mass, inertia), surface


def face(size=(10.0, 10.0, 10.0), cells=(1, 1, 1), direction=(0.0, 0.0, -1.0)):
    """Return one side of such a block as a surface of its own."""
    model = box("hex8_full", cells, size)
    skin = find_skin(model)
    side = part_of_surface(skin.surface, skin.normals @ np.array(direction) > 0.9)
    return surface_of_mesh(side, model.nodes, origin=0.5 * np.array(size))


def contact(master, slave, *, reach=3.0, stiffness=200.0, friction=None, law=None, name="touch", share=1.0):
    """Return a contact between (part name, surface) and (part name, surface)."""
    law = law or contact_laws["linear_penalty"](stiffness=stiffness)
    return PartContact(name, master[0], slave[0], master[1], slave[1], law, friction, reach, share)


def surface_gaps(master: PartSurface, q: np.ndarray, places: np.ndarray, near: NearFacets) -> SurfaceGaps:
    """Return the gaps of all points whose closest point on the surface is within reach, one for each.

    A point beside the surface's own end, by more than a hundredth of a facet, has no gap.

    Args:
        master: the surface.
        q: its part's coordinates.
        places: (n, 3) points in its frame.
        near: pairs that hold for them.
    """
    nodes = master.deformed(q)
    return gaps_at(master, nodes, places, closest_points(master, nodes, places, near), near.reach)


def pose(position=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0), flexible=()):
    """Return the coordinates of a part at a place."""
    return np.concatenate([np.asarray(position, float), rotation_about(np.asarray(turn, float)), flexible])


def rates(q, velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0)):
    """Return the velocities of a part that moves and turns, along its own axes."""
    return np.concatenate(
        [
            np.asarray(velocity, float),
            rates_of_body_rotation(q[3:7], np.array(spin, float)),
            np.zeros(len(q) - 7),
        ]
    )


def run(system, q, v, duration, history=None, **settings):
    """Return all states of a motion, the first included, and its report."""
    history = system.accepted(0.0, q, system.initial_history()) if history is None else history
    start = consistent_start(system, 0.0, q, v, system.resting_history(q, history))
    states = [start]
    kind = settings.pop("kind", "hht")
    report = integrators[kind](**settings).integrate(
        system, start, duration, lambda before, after: states.append(after), Silent()
    )
    return states, report
