"""A part that touches itself: a clip whose ends meet, in poses of its own, over notches and walls.

Kinds of reference: the unreduced model with a joint between the same surfaces, cantilevers (Euler and Bernoulli), the
same surfaces on two parts, laws of mechanics, differences.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from faying.fem.assembly import assemble
from faying.fem.skin import find_skin
from faying.fem.surface import part_of_surface
from faying.fem.writers import write_model
from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.multibody.contacts.surface import surface_of_body, surface_of_mesh
from faying.multibody.parts.flexible import FlexiblePart
from faying.multibody.system import MultibodySystem
from faying.params import build
from faying.progress import Silent
from faying.project.memory import Memory
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.reduction.body import build_reduced_body
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.spatial.rotations import spatial_rates
from support.boxes import box
from support.touching import contact, pose

LENGTH, ROOT, LEG, GAP, WIDTH = 60.0, 6.0, 2.0, 0.2, 2.0  # mm, of a clip of two legs
END = 6.0  # of each leg, which may touch the other
LOADED, FORCE, FRAMES = 36.0, 6.0, 6  # where on the legs, how much in N, and in how many steps
PADS = ("below", "above")
LAW = {"kind": "linear_penalty", "stiffness": 1e5}


def clip(element="hex8_incompatible"):
    """Return a clip: two legs along x with a narrow gap between them, on a root at x < 0."""
    model = box(element, (22, 1, 3), (LENGTH + ROOT, WIDTH, 3.0))
    x, y, z = model.nodes.T
    heights = np.interp(z, (0.0, 1.0, 2.0, 3.0), (0.0, LEG, LEG + GAP, 2 * LEG + GAP))
    nodes = np.column_stack([x - ROOT, y, heights])
    (block,) = model.blocks
    middle = nodes[block.connectivity].mean(axis=1)
    solid = (middle[:, 0] < 0.0) | (np.abs(middle[:, 2] - LEG - 0.5 * GAP) > 0.5 * GAP)
    blocks = (replace(block, ids=block.ids[solid], connectivity=block.connectivity[solid]),)
    used = np.unique(blocks[0].connectivity)  # midside nodes in the gap belong to nothing
    number = np.full(len(nodes), -1)
    number[used] = np.arange(len(used))
    blocks = (replace(blocks[0], connectivity=number[blocks[0].connectivity]),)
    nodes = nodes[used]
    x, _, z = nodes.T
    ends, loaded = x > LENGTH - END - 0.1, np.abs(x - LOADED) < 3.1
    sets = {
        "ROOT": np.isclose(x, -ROOT),
        "LOWER": ends & np.isclose(z, LEG), "UPPER": ends & np.isclose(z, LEG + GAP),
        "BELOW": loaded & np.isclose(z, 0.0), "ABOVE": loaded & np.isclose(z, 2 * LEG + GAP),
    }  # fmt: skip
    found = {name: np.flatnonzero(mask) for name, mask in sets.items()}
    return replace(model, node_ids=np.arange(1, len(nodes) + 1), nodes=nodes, blocks=blocks, node_sets=found)


def of_set(name):
    return {"kind": "deck_set", "name": name}


@pytest.fixture(scope="module")
def closing(tmp_path_factory):
    """(results of a system whose part touches itself, results of the unreduced model with a joint there)."""
    folder = tmp_path_factory.mktemp("clip")
    write_model(clip(), folder / "clip.inp")
    common = {
        "model": {"path": str(folder / "clip.inp")},
        "supports": [{"name": "root", "surface": of_set("ROOT"), "behaviour": "fixed"}],
        "couplings": [{"name": n, "behaviour": "distributing", "surface": of_set(n.upper())} for n in PADS],
        "interfaces": [{"name": n, "node_set": n} for n in PADS],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 2},
    }  # fmt: skip
    sides = {name.lower(): {"name": name.lower(), "surface": of_set(name)} for name in ("LOWER", "UPPER")}
    joint = {
        "name": "ends", "master": of_set("LOWER"), "slave": of_set("UPPER"), "contact_law": LAW,
        "search": {"distance": 1.0},
    }  # fmt: skip
    up, down = zip(PADS, (FORCE, -FORCE), strict=True)
    ramp = {"kind": "table", "points": [(0.0, 0.0), (1.0, 1.0)]}
    ground = np.array([-ROOT, 0.5 * WIDTH, LEG + 0.5 * GAP])
    system = {
        "name": "clip", "ground": [{"name": "root", "position": tuple(ground)}],
        "parts": [{"kind": "flexible", "name": "clip", "body": "clip", "frame": "supports"}],
        "constraints": [{"kind": "fixed", "name": "root", "first": "ground.root", "second": "clip.supports"}],
        "forces": [
            {"kind": "point_force", "name": n, "marker": f"clip.{n}", "force": (0.0, 0.0, f), "time_history": ramp}
            for n, f in (up, down)
        ],
        "contacts": [{"name": "ends", "master": "clip.lower", "slave": "clip.upper", "contact_law": LAW, "reach": 1.0}],
    }  # fmt: skip
    project = build(Project, {
        "bodies": [
            {**common, "name": "clip", "contact_surfaces": list(sides.values())},
            {**common, "name": "jointed", "joints": [joint]},
        ],
        "systems": [system],
        "analyses": [
            {"kind": "quasi_static", "name": "system", "system": "clip", "duration": 1.0, "frames": FRAMES},
            {
                "kind": "unreduced_static", "name": "unreduced", "body": "jointed", "support": "supports",
                "load_steps": FRAMES, "loads": [{"interface": n, "force": (0.0, 0.0, f)} for n, f in (up, down)],
            },
        ],
    })  # fmt: skip
    store, memory = ArtifactStore(folder / "store"), Memory()
    places = [
        PIPELINE.run(project, target, store, memory=memory)
        for target in (Target("motion", "clip", "system"), Target("analysis", "jointed", "unreduced"))
    ]
    results = [place.open() for place in places]
    yield results
    for each in results:
        each.close()


def test_a_clip_that_closes_follows_the_unreduced_model(closing):
    """Reference kind: the same mesh, unreduced, with a joint between the same surfaces."""
    system, unreduced = closing
    for ours, theirs in (("clip.below z", "below uz"), ("ends normal force", "ends normal force")):
        found, expected = system.curve(ours)[1:], unreduced.curve(theirs)[-FRAMES:]
        if ours.endswith("z"):
            found = found - system.curve(ours)[0]
        np.testing.assert_allclose(found, expected, atol=1e-4 * expected.max())
    assert (system.curve("ends closed nodes")[1:] > 0.0).all()
    np.testing.assert_allclose(
        system.curve("ends force z"), system.curve("ends normal force"), rtol=1e-3, atol=1e-9
    )
    assert "ends restitution" not in system.curve_names
    assert system.report["contacts"]["ends"]["parts"] == ["clip", "clip"]


def test_its_legs_are_cantilevers_and_then_propped_ones(closing):
    """Reference kind: beams, whose root is stiffer than that of the clip by some percent."""
    system, _ = closing
    forces, moved = FORCE / FRAMES * np.arange(FRAMES + 1), system.curve("clip.below z")
    props = system.curve("ends normal force")
    a, bending = LOADED, 210000.0 * WIDTH * LEG**3 / 12.0
    propping = a**2 * (3.0 * LENGTH - a) / (2.0 * LENGTH**3)
    first, others = moved[1] - moved[0], np.diff(moved)[1:4]
    np.testing.assert_allclose(np.diff(props)[1:4] / np.diff(forces)[1:4], propping, rtol=0.03)
    meets = forces[1] - props[1] / propping
    assert meets == pytest.approx(0.5 * GAP * 6.0 * bending / (a**2 * (3.0 * LENGTH - a)), rel=0.1)
    # The load acts on a free leg until the ends meet, and then on a propped one.
    open_slope = (first - (forces[1] - meets) * others[0]) / meets
    assert open_slope == pytest.approx(a**3 / (3.0 * bending), rel=0.1)
    np.testing.assert_allclose(others / open_slope, 1.0 - propping**2 * (LENGTH / a) ** 3, rtol=0.15)


@pytest.fixture(scope="module")
def bent():
    """A clip whose ends overlap a little, in a pose of its own: (surfaces by name, body, its coordinates)."""
    model = clip()
    matrices = assemble(model, Silent())
    rows = model.node_sets["ROOT"][[0, -1]]
    rows = np.append(rows, model.node_sets["LOWER"][-1])
    interior = InteriorProblem(matrices, model.nodes, rows)
    basis = CraigBampton(vibration_modes=6).build(interior, Silent())
    body = build_reduced_body(model.nodes, matrices, basis, {f"n{k}": int(r) for k, r in enumerate(rows)}, [])
    surfaces = {name: surface_of_body(_side(model, name), body) for name in ("LOWER", "UPPER")}
    lower, upper = (surfaces[name].displacements for name in ("LOWER", "UPPER"))
    together = upper.mean(axis=0)[2] - lower.mean(axis=0)[2]
    # The softest way to close the gap, and something of all else.
    rng, soft = np.random.default_rng(4), 1.0 / body.modal_magnitudes**2
    q = soft * together * (-1.02 * GAP / (together @ (soft * together)))
    q += 3e-4 * rng.normal(size=len(q)) * np.sqrt(soft)
    at = pose((20.0, -40.0, 7.0), rng.normal(size=3), q)
    return SimpleNamespace(surfaces=surfaces, body=body, q=at, model=model)


def _side(model, name):
    """Return the facets of the skin whose nodes are all of a node set."""
    skin = find_skin(model).surface
    inside = np.concatenate([np.isin(b.connectivity, model.node_sets[name]).all(axis=1) for b in skin.blocks])
    return part_of_surface(skin, inside)


def system_of(bent, parts, **laws):
    clips = [FlexiblePart(name, bent.body, origin=np.zeros(3)) for name in parts]
    sides = (parts[0], bent.surfaces["LOWER"]), (parts[-1], bent.surfaces["UPPER"])
    return MultibodySystem(clips, contacts=(contact(*sides, reach=1.0, **laws),))


LAWS = {"law": contact_laws["power_function"](), "friction": friction_laws["dahl"]().beside(1e4)}


def slid(system, q):
    """Return a history with friction, and a place a little farther on."""
    history = system.resting_history(q, system.initial_history())
    moved = q.copy()
    moved[7:] *= 1.0 + 2e-3
    return history, moved


def test_its_forces_are_those_of_two_parts_and_leave_nothing_over(bent):
    """Reference kind: the same surfaces of two bodies in the same pose; action and reaction."""
    one, two = system_of(bent, ("clip",), **LAWS), system_of(bent, ("left", "right"), **LAWS)
    history, q = slid(one, bent.q)
    found = one.contact(q, history, 1e-3, jacobian=True)
    both = np.concatenate([bent.q, bent.q])
    apart, moved = two.resting_history(both, two.initial_history()), np.concatenate([q, q])
    expected = two.contact(moved, apart, 1e-3, jacobian=True)
    (answer,) = one.contacts.respond(q, history.contacts, 1e-3)
    size = np.abs(answer.normal.forces).sum()
    assert answer.is_closed.sum() >= 3 and np.abs(answer.friction.stresses).max() > 0.0
    n = one.n
    sums = expected.force[:n] + expected.force[n:]
    np.testing.assert_allclose(found.force, sums, atol=1e-12 * np.abs(expected.force).max())
    blocks = expected.d_position.reshape(2, n, 2, n).sum(axis=(0, 2))
    np.testing.assert_allclose(found.d_position, blocks, atol=1e-11 * np.abs(blocks).max())
    # On the whole body there is neither force nor moment.
    np.testing.assert_allclose(found.force[:3], 0.0, atol=1e-12 * size)
    turning = np.linalg.lstsq(spatial_rates(q[3:7]).T, found.force[3:7])[0]
    np.testing.assert_allclose(turning, 0.0, atol=1e-12 * size * LENGTH)
    assert np.abs(found.force[7:]).max() > 0.0
    assert not np.isfinite(one.contacts.longest_step(q, np.zeros(n), history.contacts))


def test_the_tangent_has_both_ends_in_the_same_coordinates(bent):
    system = system_of(bent, ("clip",), **LAWS)
    history, q = slid(system, bent.q)
    exact = system.contact(q, history, 1e-3, jacobian=True).d_position
    steps = 1e-7 / system.scales
    rough = np.column_stack([
        (system.contact(q + h * e, history, 1e-3, jacobian=False).force
         - system.contact(q - h * e, history, 1e-3, jacobian=False).force) / (2.0 * h)
        for h, e in zip(steps, np.eye(system.n), strict=True)
    ])  # fmt: skip
    lengths = np.outer(system.scales, system.scales)
    assert np.abs((rough - exact) / lengths).max() < 1e-6 * np.abs(exact / lengths).max()


@pytest.mark.parametrize("element", ["hex8_incompatible", "hex20", "tet4", "tet10"])
def test_nothing_presses_on_itself_round_edges_or_through_walls(element):
    """The whole skin on itself: across the gap alone there is contact, though all else is nearer than the reach."""
    model = clip(element)
    skin = surface_of_mesh(find_skin(model).surface, model.nodes)
    at = pose((5.0, -3.0, 2.0), (0.3, -0.7, 1.1))
    touch = contact(("clip", skin), ("clip", skin), reach=1.5 * LEG)
    answer = touch.evaluate(at, at, touch.initial_memory(), 0.0, jacobian=False)
    np.testing.assert_allclose(answer.gaps.gaps, GAP, rtol=1e-9)
    inner = np.isclose(skin.places[:, 2], LEG) | np.isclose(skin.places[:, 2], LEG + GAP)
    expected = inner & (skin.places[:, 0] > -1e-6)
    assert set(answer.gaps.slaves) == set(np.flatnonzero(expected))
    assert not answer.pressing.any()
    # As two parts the other side of each wall would press.
    apart = contact(("one", skin), ("other", skin), reach=1.5 * LEG)
    assert (apart.evaluate(at, at, apart.initial_memory(), 0.0, jacobian=False).gaps.gaps < GAP / 2).any()


@pytest.mark.parametrize("opening", [0.0, 0.5])
def test_faces_that_lie_on_each_other_touch_and_those_of_a_notch_do_not(opening):
    """Reference kind: geometry. A slit without width, or a notch of 53 degrees, whose faces share an edge."""
    model = clip()
    upper, x = model.nodes[:, 2] > LEG + 0.5 * GAP, model.nodes[:, 0]
    nodes = model.nodes - np.outer(upper, (0.0, 0.0, GAP))
    nodes[:, 2] += opening * np.maximum(x, 0.0) * np.where(upper, 1.0, -1.0)
    # One node where there were two up to the notch's ground, and no bricks between them.
    low, high = (np.flatnonzero(np.isclose(model.nodes[:, 2], z) & (x < 1e-6)) for z in (LEG, LEG + GAP))
    number = np.arange(len(nodes))
    number[high[np.lexsort(nodes[high, :2].T)]] = low[np.lexsort(nodes[low, :2].T)]
    (block,) = model.blocks
    cells = number[block.connectivity]
    whole = np.array([len(set(cell)) == 8 for cell in cells.tolist()])
    block = replace(block, ids=block.ids[whole], connectivity=cells[whole])
    skin = find_skin(replace(model, nodes=nodes, blocks=(block,)))
    at, inner = pose(), np.isclose(model.nodes[:, 2], LEG) | np.isclose(model.nodes[:, 2], LEG + GAP)
    into = np.concatenate([(inner & (x > -1e-6))[b.connectivity].all(axis=1) for b in skin.surface.blocks])
    sides = [
        surface_of_mesh(part_of_surface(skin.surface, into & (sign * skin.normals[:, 2] > 0.1)), nodes)
        for sign in (1.0, -1.0)
    ]
    assert len(np.intersect1d(*(side.numbers for side in sides))) == 2
    for master, slave in (sides, sides[::-1], 2 * [surface_of_mesh(skin.surface, nodes)]):
        touch = contact(("clip", master), ("clip", slave), reach=3.0)
        gaps = touch.evaluate(at, at, touch.initial_memory(), 0.0, jacobian=False).gaps
        places = slave.places[gaps.slaves]
        both = 1 + (len(slave.places) > 50)
        if opening:
            # Beside the notch's ground; no node of the ground itself, nor those farther on.
            away = 3.0 * np.hypot(1.0, opening) * np.sin(2.0 * np.arctan(opening))
            np.testing.assert_allclose(gaps.gaps, away)
            assert len(places) == 2 * both
        else:
            np.testing.assert_allclose(gaps.gaps, 0.0, atol=1e-12)
            assert (places[:, 0] > 1e-6).all() and len(places) == 40 * both
