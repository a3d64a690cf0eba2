"""Rigid bodies carry each other wherever they touch: with faces, edges, corners and round faces.

Kinds of reference: closed forms; conservation of energy.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from faying.errors import ModelError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.multibody.contacts.edges import SharpEdges
from faying.multibody.contacts.roller import LineLaw
from faying.multibody.contacts.surface import surface_of_mesh, surface_of_triangles
from faying.multibody.part_shapes import brick, tube
from faying.project.serialization import project_from_dict
from faying.session import Session
from support.systems import moved, system_of

GRAVITY, DENSITY, STIFFNESS = 9806.65, 7.85e-9, 5e3  # mm, t, s
RUBBING = {"kind": "coulomb", "friction_coefficient": 0.6, "sticking_stiffness": 2e3}
FLOOR = {"kind": "plane", "name": "floor"}
LAW = {"kind": "linear_penalty", "stiffness": STIFFNESS}
TOUCH = "touch"


def part(name, shape, position=(0, 0, 0), rotation=(0, 0, 0), velocity=(0, 0, 0), spin=(0, 0, 0)):
    place = {"position": position, "rotation": rotation, "velocity": velocity, "spin": spin}
    return {"kind": "rigid_shape", "name": name, "density": DENSITY, "shape": shape, "placement": place}


def box(name, edges, *args, **where):
    return part(name, {"kind": "box", "edges": edges}, *args, **where)


def cylinder(name, radius, length, *args, **where):
    ends = {"start": (0, -0.5 * length, 0), "end": (0, 0.5 * length, 0)}
    return part(name, {"kind": "cylinder", **ends, "radius": radius}, *args, **where)


def fixed(name):
    return {"kind": "fixed", "name": f"hold {name}", "first": f"ground.at {name}", "second": f"{name}.frame"}


def pair(lower, upper, gravity=(0, 0, -GRAVITY), friction=None):
    """The upper part over the lower one, which is held."""
    name = lower["name"]
    held = {
        "name": f"at {name}",
        "position": lower["placement"]["position"],
        "rotation": lower["placement"]["rotation"],
    }
    touch = {"name": TOUCH, "master": f"{name}.shape", "slave": f"{upper['name']}.shape", "contact_law": LAW,
             "friction_law": friction, "reach": 2.0}  # fmt: skip
    return system_of(
        parts=[lower, upper], ground=[held], constraints=[fixed(name)], gravity=gravity, contacts=[touch]
    )


def on_floor(upper, gravity, friction=RUBBING):
    touch = {"name": TOUCH, "master": "ground.floor", "slave": f"{upper['name']}.shape", "contact_law": LAW,
             "friction_law": friction, "reach": 2.0}  # fmt: skip
    return system_of(parts=[upper], ground_surfaces=[FLOOR], gravity=gravity, contacts=[touch])


def incline(angle):
    return (GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle))


# --- edges and corners


QUARTER = np.pi / 4.0
FALLS = {
    # Neither has a corner over a face of the other.
    "a plank across a beam": (box("low", (100, 8, 10)), box("up", (8, 60, 6)), 8.0),
    "a slab on a block": (box("low", (10, 10, 10)), box("up", (40, 40, 6)), 8.0),
    "an edge on an edge": (
        box("low", (40, 10, 10), rotation=(QUARTER, 0, 0)), box("up", (10, 40, 10), rotation=(0, QUARTER, 0)),
        10.0 * np.sqrt(2.0),
    ),
    "an edge on a face": (box("low", (20, 20, 10)), box("up", (10, 60, 10), rotation=(0, QUARTER, 0)),
                          5.0 + 5.0 * np.sqrt(2.0)),
    "a face on an edge": (box("low", (60, 10, 10), rotation=(QUARTER, 0, 0)), box("up", (30, 30, 6)),
                          3.0 + 5.0 * np.sqrt(2.0)),
    "a cylinder on a cylinder": (cylinder("low", 6.0, 40.0), cylinder("up", 4.0, 20.0), 10.0),
    "a cylinder on a box": (box("low", (30, 40, 10)), cylinder("up", 4.0, 20.0), 9.0),
    "a cylinder along an edge": (box("low", (10, 60, 10), rotation=(0, QUARTER, 0)), cylinder("up", 4.0, 20.0),
                              4.0 + 5.0 * np.sqrt(2.0)),
    "a cylinder across an edge": (box("low", (60, 10, 10), rotation=(QUARTER, 0, 0)), cylinder("up", 4.0, 24.0),
                              4.0 + 5.0 * np.sqrt(2.0)),
    "a box on a cylinder": (cylinder("low", 4.0, 20.0), box("up", (30, 40, 10)), 9.0),
    "a box on its ball": (part("low", {"kind": "sphere", "radius": 5.0}), box("up", (30, 40, 10)), 10.0),
    "a standing cylinder": (box("low", (60, 60, 10)), cylinder("up", 4.0, 20.0, rotation=(np.pi / 2, 0, 0)), 15.0),
    "a slab on a standing cylinder": (
        cylinder("low", 4.0, 20.0, rotation=(np.pi / 2, 0, 0)), box("up", (60, 60, 10)), 15.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FALLS)
def test_an_elastic_fall_comes_back(kind, tmp_path):
    """From 1 mm above the place of the touch: never deeper than the energy allows, and as high as before."""
    lower, upper, height = FALLS[kind]
    placed = {**upper, "placement": {**upper["placement"], "position": (0.0, 0.0, height + 1.0)}}
    results = moved(pair(lower, placed), tmp_path, 0.032, frames=161)
    z = results.curve("up.frame z")
    assert z.min() > height - 0.3
    assert z[100:].max() == pytest.approx(height + 1.0, abs=0.02)


def test_a_plank_that_overlaps_a_beam_with_its_edges_is_named(tmp_path):
    """Before a run, once, as an overlap of the contact that the user made."""
    spec = pair(box("low", (100, 8, 10)), box("up", (8, 60, 6), (0, 0, 7.8)))
    motion = {"kind": "motion", "name": "fall", "system": spec.name, "duration": 0.01}
    words = {"units": "mm-t-s", "systems": [spec.model_dump()], "analyses": [motion]}
    found = [
        each for each in Session(project_from_dict(words), tmp_path).check() if each.check == "contact_starts"
    ]
    assert len(found) == 1 and "overlap in contact 'touch' by 0.2 mm" in found[0].sentence


def test_sharp_edges_of_bodies():
    """A box has twelve, whose quarter products of widths are those of its faces; a cylinder its rims."""
    solid = brick(4.0, 6.0, 10.0)
    edges = SharpEdges.of(surface_of_mesh(*surface_of_triangles("box", solid.points, solid.triangles)))
    assert len(edges) == 12
    along = edges.places[:, 1] - edges.places[:, 0]
    sizes = np.abs(along).max(axis=1)
    assert sorted(sizes) == [4.0] * 4 + [6.0] * 4 + [10.0] * 4
    np.testing.assert_allclose(np.einsum("kc,kac->ka", along, edges.inward), 0.0, atol=1e-12)
    np.testing.assert_allclose(edges.widths, 0.5 * (20.0 - sizes))
    centre = -edges.places.mean(axis=1)
    assert (np.einsum("kc,kac->ka", centre, edges.inward) > 0.0).all()
    solid = tube(3.0, 0.0, 8.0)
    edges = SharpEdges.of(surface_of_mesh(*surface_of_triangles("bar", solid.points, solid.triangles)))
    assert len(edges) == 96


# --- round faces


def test_the_force_per_length_of_a_round_face():
    """Closed form of a linear law at the depth δ: 4/3 k δ √(2 R δ); the slope by differences."""
    law, depth = LineLaw(LinearPenalty(stiffness=50.0), 8.0), np.array([-0.1, 0.0, 0.01, 0.2])
    deep = np.maximum(depth, 0.0)
    force, slope = law.pressure(-depth)
    np.testing.assert_allclose(force, 4.0 / 3.0 * 50.0 * deep * np.sqrt(16.0 * deep), rtol=1e-12)
    ahead, behind = (law.pressure(-depth[2:] + step)[0] for step in (1e-6, -1e-6))
    np.testing.assert_allclose(slope[2:], (ahead - behind) / 2e-6, rtol=1e-6)


def test_a_shaft_that_does_not_fit_into_its_bearing_is_refused():
    bearing = {"kind": "cylinder", "name": "bearing", "axis": (0, 1, 0), "radius": 5.0, "hollow": True}
    touch = {"name": TOUCH, "master": "ground.bearing", "slave": "shaft.shape"}
    spec = system_of(parts=[cylinder("shaft", 5.0, 20.0)], ground_surfaces=[bearing], contacts=[touch])
    with pytest.raises(ModelError, match=r"'shaft\.shape' does not fit into the hollow 'ground\.bearing'"):
        spec.build({})


def test_a_cylinder_rolls_down_an_incline(tmp_path):
    """Closed form: it sticks for tan α < 3 μ, and its acceleration is 2/3 g sin α."""
    bar = cylinder("bar", 5.0, 20.0, (0, 0, 5.0 - 4e-5))
    results = moved(on_floor(bar, incline(0.2)), tmp_path, 0.06, frames=7)
    v = results.curve("bar.frame vx")[-1]
    assert v == pytest.approx(2.0 / 3.0 * GRAVITY * np.sin(0.2) * 0.06, rel=0.005)


def test_a_tall_box_tips(tmp_path):
    """Closed form: a box of width b and height h tips for tan α > b/h; it turns about its lower edge."""
    angle = np.arctan(0.45)
    pull, _, push = incline(angle)

    def turning(_time, state):
        """Of the angle state[0]: its middle begins at (−4, 10) from the edge."""
        x = 10.0 * np.sin(state[0]) - 4.0 * np.cos(state[0])
        z = 10.0 * np.cos(state[0]) + 4.0 * np.sin(state[0])
        return state[1], (pull * z - push * x) / ((8.0**2 + 20.0**2) / 12.0 + 4.0**2 + 10.0**2)

    theta = solve_ivp(turning, (0.0, 0.06), (0.0, 0.0), rtol=1e-8).y[0, -1]
    risen = 10.0 * (np.cos(theta) - 1.0) + 4.0 * np.sin(theta)
    assert risen > 0.15
    tall = box("b", (8, 8, 20), (0, 0, 10.0 - 3e-7))
    z = moved(on_floor(tall, incline(angle)), tmp_path, 0.06, frames=13).curve("b.frame z")
    assert z[-1] - 10.0 == pytest.approx(risen, abs=0.02)


@pytest.mark.parametrize("slope", [0.45, 0.8])
def test_a_flat_box_slides_beyond_the_angle_of_friction(slope, tmp_path):
    """Closed form: it stays for tan α < μ, else its acceleration is g (sin α − μ cos α)."""
    angle = np.arctan(slope)
    flat = box("b", (20, 20, 8), (0, 0, 4.0 - 1.2e-7))
    v = moved(on_floor(flat, incline(angle)), tmp_path, 0.03, frames=7).curve("b.frame vx")[-1]
    expected = GRAVITY * max(np.sin(angle) - 0.6 * np.cos(angle), 0.0) * 0.03
    assert v == pytest.approx(expected, rel=0.02, abs=1.0)
