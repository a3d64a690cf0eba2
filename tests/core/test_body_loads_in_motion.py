"""Loads of a body on a part that moves: they do the work of forces that turn with the part."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from faying.analyses import BodyModel
from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.skin import find_skin
from faying.multibody.part import RIGID
from faying.params import build
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.body_loads import LoadedBody, body_loads
from faying.reduction.extend import with_load_modes
from faying.reduction.interior import InteriorProblem
from faying.reduction.load_modes import load_modes
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.results.field import FieldContext
from faying.results.fields import fields
from faying.spatial.rotations import rates_of_body_rotation, rotation_about, rotation_matrix
from support.boxes import STEEL, box
from support.loaded_bodies import held_box, loaded_body
from support.systems import flexible, moved, system_of

TOP = {"kind": "box", "corner": [-1, -1, 3.999], "opposite": [50, 50, 4.001]}
LOADS = (
    {"kind": "traction", "name": "wind", "surface": TOP, "traction": [0.3, 0.1, -0.2]},
    {"kind": "node_force", "name": "poke", "node": 20, "force": [5.0, -20.0, 3.0]},
    {"kind": "gravity", "name": "weight", "acceleration": [0.0, 0.0, -9810.0]},
)


@pytest.fixture(scope="module")
def solid():
    """A box of bricks without couplings, so that every node moves by itself."""
    model = box("hex8_incompatible", (4, 2, 1), (40.0, 10.0, 4.0), distortion=0.2)
    matrices = assemble(model)
    rows = {"node 1": 0, "node 2": len(model.nodes) // 2, "node 3": len(model.nodes) - 1}
    interior = InteriorProblem(matrices, model.nodes, np.array(list(rows.values())))
    specs = [build(body_loads[w["kind"]], {k: v for k, v in w.items() if k != "kind"}) for w in LOADS]
    found = load_modes(interior, specs, LoadedBody(model, find_skin(model), matrices), False, Silent())
    basis = with_load_modes(interior, CraigBampton(vibration_modes=3).build(interior, Silent()), found.modes)
    reduced = build_reduced_body(model.nodes, matrices, basis, rows, [], loads=found)
    return BodyModel("box", reduced, (), rows, model, matrices, loads=found)


def part_of(*names, **words):
    return {"kind": "flexible", "name": "box", "body": "box",
            "body_loads": [{"load": name} for name in names], **words}  # fmt: skip


def test_the_work_is_that_of_nodal_forces_which_turn_with_the_part(solid):
    """Against the finite elements: Σ ∂x/∂q · A f over all nodes, with the deformation where it is."""
    plain, loaded = (
        system_of(parts=[part_of(*names)]).build({"box": flexible(solid)}) for names in ((), ("wind", "poke"))
    )
    rng = np.random.default_rng(3)
    body, n = solid.reduced, len(solid.model.nodes)
    q = np.zeros(loaded.n)
    q[:3], q[3:RIGID] = rng.uniform(-20, 20, 3), rotation_about(np.array([0.4, -1.1, 0.7]))
    q[RIGID:] = 0.5 * rng.standard_normal(body.n_coordinates) / body.modal_magnitudes
    forces = [
        s.forces(0.3, q, np.zeros(s.n), s.initial_history(), jacobian=False).force for s in (plain, loaded)
    ]
    dofs = solid.matrices.dofs
    f = (dofs.displacement_rows @ solid.loads.columns(("wind", "poke")).sum(axis=1)).reshape(n, 3)

    def places(q):
        shape = solid.model.nodes + (body.displacements @ q[RIGID:]).reshape(n, 3)
        return q[:3] + shape @ rotation_matrix(q[3:RIGID]).T

    turned = f @ rotation_matrix(q[3:RIGID]).T
    for i in range(loaded.n):
        step = 1e-5 * (1.0 if i < RIGID else 1.0 / body.modal_magnitudes[i - RIGID])
        if 3 <= i < RIGID:
            continue
        ahead, behind = (places(q + s * np.eye(loaded.n)[i]) for s in (step, -step))
        work = ((ahead - behind) / (2 * step) * turned).sum()
        assert (forces[1] - forces[0])[i] == pytest.approx(work, rel=1e-6, abs=1e-6 * np.abs(forces[1]).max())
    # The moment, by a rotation about the frame's own axes.
    for axis in np.eye(3):
        rates = rates_of_body_rotation(q[3:RIGID], axis)
        arms = (places(q) - q[:3]) @ rotation_matrix(q[3:RIGID])
        moment = np.cross(arms, f).sum(axis=0) @ axis
        assert (forces[1] - forces[0])[3:RIGID] @ rates == pytest.approx(moment, rel=1e-6, abs=1e-6)


def test_a_load_in_a_clamped_frame_does_the_same_work():
    model = held_box("hex8_incompatible", (4, 1, 1), (40.0, 10.0, 4.0), tip=True)
    tip = len(model.nodes) - 2
    words = {"kind": "node_force", "name": "tip", "node": tip + 1, "force": [3.0, -20.0, 5.0]}
    body = loaded_body(model, [words], interfaces={"HOLD": tip + 1, "TIP": tip})
    # At an interface node the same as a point force that follows the part's frame.
    part = {"kind": "flexible", "name": "it", "body": "it", "frame": "HOLD"}
    by_load = system_of(parts=[{**part, "body_loads": [{"load": "tip"}]}]).build({"it": flexible(body)})
    plain = system_of(parts=[part]).build({"it": flexible(body)})
    rng = np.random.default_rng(1)
    q = np.zeros(plain.n)
    q[:3], q[3:RIGID] = rng.uniform(-20, 20, 3), rotation_about(np.array([0.4, -1.1, 0.7]))
    q[RIGID:] = 0.5 * rng.standard_normal(plain.n - RIGID) / body.reduced.modal_magnitudes
    a, b = (
        s.forces(0.0, q, np.zeros(s.n), s.initial_history(), jacobian=False).force for s in (by_load, plain)
    )
    motion = plain.motion("it.TIP", q)
    force = rotation_matrix(q[3:RIGID]) @ np.array([3.0, -20.0, 5.0])
    np.testing.assert_allclose(a - b, motion.d_position.T @ force, rtol=1e-9, atol=1e-9 * np.abs(a - b).max())


def test_a_free_body_that_spins_is_pushed_round_in_circles(tmp_path):
    """Analytical: a = F/m (cos ωt, sin ωt) of the centre of mass, as long as the force is through it."""
    model = held_box("hex8_incompatible", (2, 1, 1), (20.0, 10.0, 4.0))
    end = {
        "kind": "pressure",
        "name": "thrust",
        "surface": {"kind": "deck_surface", "name": "XMAX"},
        "pressure": 0.01,
    }
    body = loaded_body(model, [end])
    omega, mass = 20.0, body.reduced.total_mass
    middle = np.array([10.0, 5.0, 2.0])
    start = {"spin": [0, 0, omega], "velocity": (np.cross([0, 0, omega], -middle)).tolist()}
    part = {
        "kind": "flexible",
        "name": "it",
        "body": "it",
        "placement": start,
        "body_loads": [{"load": "thrust"}],
    }
    with closing(moved(system_of(parts=[part]), tmp_path, 0.2, {"it": body}, frames=20)) as results:
        t, frames = results.values, [results.part("it").position(k) for k in range(results.n_frames)]
    centre = np.array([q[:3] + rotation_matrix(q[3:RIGID]) @ middle for q in frames]) - middle
    force = -0.01 * 40.0
    exact = (
        force / (mass * omega**2) * np.column_stack([1 - np.cos(omega * t), omega * t - np.sin(omega * t)])
    )
    assert np.abs(exact).max() > 1.0
    np.testing.assert_allclose(centre[:, :2], exact, atol=0.01 * np.abs(exact).max())


def test_a_marker_may_be_called_as_loads_might(solid):
    """Loads bring markers of their own, which take the place of none."""
    at = {"interface": "node 1", "rotation": (0.0, 0.0, 0.5)}
    markers = [{"name": name, **at} for name in ("load wind", "work of wind", "lever of wind", "wind")]
    plain, loaded = (
        system_of(parts=[part_of(*names, markers=markers)]).build({"box": flexible(solid)})
        for names in ((), ("wind",))
    )
    q = plain.parts[1].placed(np.zeros(3), np.array([1.0, 0, 0, 0]))
    for marker in markers:
        a, b = (s.motion(f"box.{marker['name']}", q) for s in (plain, loaded))
        assert (a.position == b.position).all() and (a.axes == b.axes).all()


def test_what_cannot_act_in_motion_is_a_sentence(solid):
    bodies = {"box": flexible(solid)}
    with pytest.raises(ModelError, match="the load 'weight' of its body: a system has its own gravity"):
        system_of(parts=[part_of("weight")]).build(bodies)
    with pytest.raises(ModelError, match="has no load called 'rain'"):
        system_of(parts=[part_of("rain")]).build(bodies)
    with pytest.raises(ModelError, match="has the load 'wind' twice"):
        system_of(parts=[part_of("wind", "wind")]).build(bodies)


def heated_box():
    """Return a box that is coupled to nodes at both ends, with a temperature."""
    hot = replace(STEEL, expansion=12e-6, poisson_ratio=0.0)
    model = held_box("hex8_incompatible", (4, 1, 1), (40.0, 10.0, 4.0), material=hot, tip=True)
    tip = len(model.nodes) - 2
    load = {"kind": "temperature", "name": "warm", "change": 100.0}
    return loaded_body(model, [load], interfaces={"HOLD": tip + 1, "TIP": tip})


HEATED = {"kind": "flexible", "name": "it", "body": "it", "body_loads": [{"load": "warm", "factor": 0.5}]}


def test_a_heated_part_between_walls_pushes_them_apart_and_is_stressed(tmp_path):
    """Analytical: E A α ΔT at the walls, a stress of −E α ΔT all along the part."""
    body = heated_box()
    walls = {"left": [0.0, 5.0, 2.0], "right": [40.0, 5.0, 2.0]}
    system = system_of(
        parts=[HEATED],
        ground=[{"name": name, "position": at} for name, at in walls.items()],
        constraints=[
            {"kind": "fixed", "name": name, "first": f"ground.{name}", "second": f"it.{node}"}
            for name, node in (("left", "HOLD"), ("right", "TIP"))
        ],
    )
    exact = STEEL.youngs_modulus * 12e-6 * 50.0
    with closing(moved(system, tmp_path, 1e-5, {"it": body}, frames=1, from_equilibrium=True)) as results:
        assert abs(results.curve("right force x")) == pytest.approx(np.full(2, 40.0 * exact), rel=1e-6)
        context = FieldContext(results.part("it"), body.reduced, {}, {}, {}, body.model)
        stress = fields["stress_xx"]().evaluate(context, "", 1)[: len(body.model.nodes) - 2]
        np.testing.assert_allclose(stress, -exact, rtol=1e-6)
        assert results.curve("it: warm factor") == pytest.approx(np.full(2, 0.5))


def test_a_temperature_pushes_no_part_and_turns_none_however_it_is_deformed():
    """Its forces are the body's own: without resultant on the deformed shape, too, unlike those from outside."""
    body = heated_box()
    plain, heated = (
        system_of(parts=[{**HEATED, "body_loads": loads}]).build({"it": flexible(body)})
        for loads in ((), HEATED["body_loads"])
    )
    rng, q = np.random.default_rng(5), np.zeros(plain.n)
    q[3:RIGID] = rotation_about(np.array([0.4, -1.1, 0.7]))
    q[RIGID:] = rng.standard_normal(plain.n - RIGID) / body.reduced.modal_magnitudes
    without, found = (
        s.forces(0.0, q, np.zeros(s.n), s.initial_history(), jacobian=False).force for s in (plain, heated)
    )
    np.testing.assert_allclose((found - without)[:RIGID], 0.0, atol=1e-9 * np.abs(found - without).max())
    np.testing.assert_allclose(
        (found - without)[RIGID:], 0.5 * body.reduced.loads.forces[:, 0], rtol=1e-9, atol=1e-5
    )


def test_a_load_acts_by_its_factor_and_by_its_time_history(solid):
    """Half of a haversine's rise is half of the force."""
    grown = {"load": "poke", "factor": 3.0, "time_history": {"kind": "haversine", "rise_time": 0.6}}
    forces = []
    for loads in ([], [{"load": "poke"}], [grown]):
        system = system_of(parts=[{**part_of(), "body_loads": loads}]).build({"box": flexible(solid)})
        q, still = np.zeros(system.n), np.zeros(system.n)
        q[3:RIGID] = rotation_about(np.zeros(3))
        forces.append(system.forces(0.3, q, still, system.initial_history(), jacobian=False).force)
    none, whole, growing = forces
    assert np.abs(whole - none).max() > 1.0
    np.testing.assert_allclose(growing - none, 1.5 * (whole - none), rtol=1e-12, atol=1e-9)
