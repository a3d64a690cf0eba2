"""Corrections on the FE model against the unreduced solution: statics with and without friction, preload, motion."""

import numpy as np
import pytest

from faying.analyses import BodyModel, JointModel
from faying.analyses.fe_correction import FeCorrection
from faying.analyses.static import Static
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.transient import Transient
from faying.analyses.unreduced_static import UnreducedStatic
from faying.errors import Cancelled, ModelError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import SparseJointForce
from faying.joints.kinematics import sparse_rows
from faying.params import build
from faying.progress import Silent
from faying.project import edits
from faying.project.stage import target_of
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.reduction.body import ReducedBody, build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from faying.results.fields import FieldContext, fields
from faying.results.results import Results
from faying.solvers.condensed_equilibrium import CondensedEquilibrium
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.integrators.hht import Hht
from faying.testing.plates import plates as plates_project
from faying.testing.plates import write_plate_deck
from support.plates import jointed_plates

LAW = LinearPenalty(stiffness=5e4)
FRICTION = Coulomb(friction_coefficient=0.3, sticking_stiffness=1e4, sliding_stiffness=1.0)
PRESSED = LoadSpec(interface="TIP", force=(0.0, 0.0, -10.0))
PUSHED = LoadSpec(interface="TIP", force=(-60.0, 0.0, -20.0))
HELD = {"body": "plates", "support": "HOLD"}


def bodies(plates, joint_modes, friction=None) -> BodyModel:
    """Return plates with a basis of so many joint modes."""
    components = CraigBampton(vibration_modes=8).build(plates.interior, Silent())
    rows = plates.gap, plates.slip, plates.pairs.weights, plates.pairs.initial_gaps
    problem = JointModeProblem(plates.interior, components, rows[0], *rows[2:])
    basis = extend_basis(
        plates.interior, components, *WeightedPod(count=joint_modes).build(problem, Silent())
    )
    reduced = build_reduced_body(
        plates.model.nodes, plates.matrices, basis, plates.interfaces, [("joint", *rows)]
    )
    joint = JointModel("joint", plates.pairs, LAW, friction)
    return BodyModel(
        "plates", reduced, (joint,), plates.interfaces, plates.model, plates.matrices, basis=basis
    )  # fmt: skip


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


@pytest.fixture(scope="module")
def poor(plates):
    """Plates with five joint modes, too few for pressures."""
    return bodies(plates, 5)


def run(analysis, body, folder, start=None) -> Results:
    path = folder / f"{analysis.name}.h5"
    body = body if start is None else with_start(body, start)
    analysis.run(body, path, Silent())
    return Results(path)


def with_start(body, start) -> BodyModel:
    return BodyModel(**{**vars(body), "starts": (start,)})


def field(name, results, body: ReducedBody, plates, friction=None, frame=-1):
    """Return values of a field of the joint or body at a frame."""
    context = FieldContext(
        results, body.clamped_to("HOLD"), {"joint": LAW}, {"joint": friction}, {"joint": plates.pairs},
        plates.model,
    )  # fmt: skip
    found = fields[name]().evaluate(context, "joint", frame % results.n_frames)
    return found[np.isfinite(found)]


def error(found, exact):
    return np.linalg.norm(found - exact) / np.linalg.norm(exact)


@pytest.mark.parametrize("load", [PRESSED, PUSHED.with_(moment=(3000.0, 0.0, 0.0))])
def test_corrected_stresses_and_pressures_are_those_of_the_unreduced_model(plates, poor, load, tmp_path):
    """The reference has nothing to do with the basis; the reduced values beside it say what was corrected."""
    reduced = run(Static(name="reduced", **HELD, loads=(load,)), poor, tmp_path)
    full = run(UnreducedStatic(name="full", **HELD, loads=(load,)), poor, tmp_path)
    better = FeCorrection(name="better", body="plates", corrects="reduced", accuracy=1e-6)
    corrected = run(better, poor, tmp_path, reduced)
    for name in ("pressure", "gap", "stress_xx", "stress_zz", "von_mises", "displacement"):
        exact, before, after = (field(name, r, poor.reduced, plates) for r in (full, reduced, corrected))
        assert error(after, exact) < 1e-8, name
        if name == "pressure":
            assert error(before, exact) > 0.1
    # What holds the body balances the loads, whatever is corrected: those curves are not written again.
    for curve in (name for name in full.curve_names if " reaction " not in name):
        assert corrected.curve(curve)[-1] == pytest.approx(full.curve(curve)[-1], rel=1e-8, abs=1e-12), curve
    assert corrected.report["largest_correction"] > 5e-3
    assert corrected.report["largest_last_correction"] < 1e-6


def test_a_complete_basis_leaves_nothing_to_correct(plates, tmp_path):
    body = bodies(plates, 40)
    reduced = run(Static(name="reduced", **HELD, loads=(PRESSED,), load_steps=3), body, tmp_path)
    better = FeCorrection(name="better", body="plates", corrects="reduced", frames=(2, 0, -1))
    corrected = run(better, body, tmp_path, reduced)
    np.testing.assert_allclose(corrected.values, [1 / 3, 1.0])
    assert corrected.report["corrections"] == [1, 1]
    assert corrected.report["largest_correction"] < 1e-7
    held = body.reduced.clamped_to("HOLD")
    for i, frame in enumerate((0, 2)):
        exact = held.displacements @ reduced.coordinates(frame)
        np.testing.assert_allclose(corrected.displacement(i), exact, atol=1e-9 * np.abs(exact).max())


def test_hard_contact_keeps_its_multipliers(plates, poor, tmp_path):
    """Whatever the reduced multipliers are, the corrected state is in balance with them and the true gaps small."""
    hard = {"loads": (PRESSED,), "allowed_penetration": 1e-7}
    rich = bodies(plates, 40)
    full = run(UnreducedStatic(name="full", **HELD, **hard), rich, tmp_path)
    reduced = run(Static(name="reduced", **HELD, **hard), rich, tmp_path)
    better = FeCorrection(name="better", body="plates", corrects="reduced", accuracy=1e-6)
    corrected = run(better, rich, tmp_path, reduced)
    exact, after = (field("pressure", r, rich.reduced, plates) for r in (full, corrected))
    assert error(after, exact) < 1e-3
    assert field("gap", corrected, rich.reduced, plates).min() > -2e-7


def test_friction_goes_on_from_that_of_the_frame(plates, tmp_path):
    """Against the unreduced body under the same load steps, each solved to the end with friction."""
    poor, steps = bodies(plates, 8, FRICTION), 4
    push = Static(name="pushed", **HELD, loads=(PUSHED,), load_steps=steps, friction=True)
    reduced = run(push, poor, tmp_path)
    better = FeCorrection(name="better", body="plates", corrects="pushed", accuracy=1e-8)
    corrected = run(better, poor, tmp_path, reduced)

    # The reference: all dofs, friction from step to step.
    dofs = plates.matrices.dofs
    support, tip = (dofs.transformation[dofs.node_rows(plates.interfaces[n])] for n in ("HOLD", "TIP"))
    free = np.setdiff1d(np.arange(dofs.n_dofs), support.indices)
    rows = sparse_rows(plates.pairs, dofs)
    law = SparseJointForce(
        type(rows)(rows.normal[:, free], rows.tangential[:, free], rows.weights, rows.initial_gaps),
        LAW, FRICTION,
    )  # fmt: skip
    load, x = tip.T @ np.array([*PUSHED.force, 0, 0, 0]), np.zeros(len(free))
    history = law.resting_history(x)
    for step in range(steps):
        x, (answer,), _ = solve_equilibrium(
            plates.matrices.stiffness[free][:, free].tocsr(), (step + 1) / steps * load[free], [law], [history],
            x, Silent(),
        )  # fmt: skip
        history = answer.history

    exact = np.linalg.norm(answer.stress, axis=1)
    assert exact.max() > 0.1
    before, after = (
        field("friction_stress", r, poor.reduced, plates, FRICTION) for r in (reduced, corrected)
    )
    pressures = [field("pressure", r, poor.reduced, plates, FRICTION) for r in (reduced, corrected)]
    assert error(before, exact) > 0.1 and error(after, exact) < 0.02
    assert error(pressures[0], answer.pressure) > 0.1 and error(pressures[1], answer.pressure) < 1e-3

    # All steps, one after the other, are the reference's own way.
    whole = better.with_(name="whole", frames=tuple(range(steps)))
    after = field("friction_stress", run(whole, poor, tmp_path, reduced), poor.reduced, plates, FRICTION)
    assert error(after, exact) < 1e-7


def test_a_later_frame_becomes_the_reference(plates, tmp_path, monkeypatch):
    """With a reference for each frame, and with one for all, frames are the same."""
    poor = bodies(plates, 8, FRICTION)
    push = Static(name="pushed", **HELD, loads=(PUSHED,), load_steps=8, friction=True)
    reduced = run(push, poor, tmp_path)
    better = FeCorrection(name="better", body="plates", corrects="pushed", frames=())
    once = run(better, poor, tmp_path, reduced)
    monkeypatch.setattr(
        CondensedEquilibrium, "_judge_reference", lambda self, *_: setattr(self, "is_outdated", True)
    )
    often = run(better.with_(name="often"), poor, tmp_path, reduced)
    assert once.report["factorisations"] < often.report["factorisations"]
    for frame in range(8):
        scale = 1e-6 * np.abs(once.displacement(frame)).max()
        np.testing.assert_allclose(once.displacement(frame), often.displacement(frame), atol=scale)
    assert max(once.curve("last correction")) < 1e-6 < max(once.curve("correction"))


def test_frames_in_motion_are_corrected_with_their_inertia(plates, tmp_path):
    """A basis of few joint modes, corrected, against a complete one in the same motion."""
    load = PRESSED.with_(time_history={"kind": "haversine", "rise_time": 5e-5})
    # What goes past the damping of young contact, by which stresses are off by 2 % with α = −0.3, is small.
    words = {"duration": 1e-4, "frames": 10, "stiffness_damping": 1e-7, "integrator": Hht(alpha=-0.05)}
    motion = Transient(name="motion", **HELD, loads=(load,), **words)
    rich, poor = (bodies(plates, count) for count in (40, 8))
    exact = run(motion.with_(name="exact"), rich, tmp_path)
    reduced = run(motion, poor, tmp_path)
    better = FeCorrection(name="better", body="plates", corrects="motion", frames=tuple(range(1, 11)))
    corrected = run(better, poor, tmp_path, reduced)
    assert corrected.axis.kind == "time"
    np.testing.assert_allclose(corrected.values, reduced.values[1:])
    for i in range(2, 10):
        of_frames = ((exact, rich, i + 1), (reduced, poor, i + 1), (corrected, poor, i))
        pressures, stresses = (
            [field(name, r, body.reduced, plates, frame=f) for r, body, f in of_frames]
            for name in ("pressure", "von_mises")
        )
        before, after = (error(found, pressures[0]) for found in pressures[1:])
        assert before > 0.9 and after < 0.06
        before, after = (error(found, stresses[0]) for found in stresses[1:])
        assert after < before


def test_rates_that_are_noise_do_not_spoil_pressures_of_a_damped_body(plates, tmp_path):
    """Large stiffness damping, against a complete basis in the same motion, and with noise on the stored rates.

    The rates of joint modes are noise at the frequencies that time steps pass over. Damping forces −β K Φ v of the FE
    model are ten times too large in the frame in which the plates open first: pressures are 280 % off.
    """
    load = PRESSED.with_(time_history={"kind": "haversine", "rise_time": 2e-4})
    words = {"duration": 4e-4, "frames": 10, "stiffness_damping": 3e-5, "integrator": Hht(alpha=-0.05)}
    motion = Transient(name="motion", **HELD, loads=(load,), **words)
    rich, poor = (bodies(plates, count) for count in (40, 8))
    exact = run(motion.with_(name="exact"), rich, tmp_path)
    reduced = run(motion, poor, tmp_path)
    better = FeCorrection(name="better", body="plates", corrects="motion", frames=(2, 3, 4, 5))
    corrected = run(better, poor, tmp_path, reduced)
    wanted = [field("pressure", exact, rich.reduced, plates, frame=frame) for frame in better.frames]
    for i, pressure in enumerate(wanted):
        after = field("pressure", corrected, poor.reduced, plates, frame=i)
        assert error(after, pressure) < 0.15
        assert error(field("pressure", reduced, poor.reduced, plates, frame=i + 2), pressure) > 0.8

    random, velocities = np.random.default_rng(1), type(reduced).velocities

    def noisy(self, frame):
        v = velocities(self, frame)
        return v + 0.1 * np.abs(v).max() * random.normal(size=v.shape)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(reduced), "velocities", noisy)
        again = run(better.with_(name="noisy"), poor, tmp_path, reduced)
    for i in range(4):
        found, before = (field("pressure", r, poor.reduced, plates, frame=i) for r in (again, corrected))
        np.testing.assert_allclose(found, before, atol=1e-6 * before.max())


def test_frames_and_analyses_that_are_not_there(plates, poor, tmp_path):
    reduced = run(Static(name="reduced", **HELD, loads=(PRESSED,)), poor, tmp_path)
    better = FeCorrection(name="better", body="plates", corrects="reduced", frames=(7,))
    with pytest.raises(ModelError, match="no frame 7 of 'reduced'"):
        run(better, poor, tmp_path, reduced)
    with pytest.raises(ModelError, match="counted from 0"):
        build(FeCorrection, {"name": "better", "body": "plates", "corrects": "reduced", "frames": (-2,)})


def test_a_correction_can_be_cancelled(plates, poor, tmp_path):
    reduced = run(Static(name="reduced", **HELD, loads=(PRESSED,)), poor, tmp_path)

    class Impatient(Silent):
        def report(self, fraction, message="", **values):
            if fraction > 0.1:
                raise Cancelled

    better = FeCorrection(name="better", body="plates", corrects="reduced")
    with pytest.raises(Cancelled):
        better.run(with_start(poor, reduced), tmp_path / "better.h5", Impatient())


def test_a_project_computes_what_is_corrected_first(tmp_path):
    """In a study file by name; the name itself makes no result stale, the corrected analysis does."""
    project = plates_project(write_plate_deck(tmp_path / "plates.inp"))
    words = {"name": "better", "body": "plates", "corrects": "press"}
    project = project.with_(analyses=(*project.analyses, build(FeCorrection, words)))
    store = ArtifactStore(tmp_path / "store")
    target = target_of(project.analysis("better"))
    results = PIPELINE.run(project, target, store, tmp_path).open()
    full = PIPELINE.run(project, target_of(project.analysis("full")), store, tmp_path).open()
    assert results.curve("tip uz")[-1] == pytest.approx(full.curve("tip uz")[-1], rel=1e-6)

    renamed = edits.rename(("analyses", 0), "pressed")(project)
    assert renamed.analysis("better").corrects == "pressed"
    assert PIPELINE.state(renamed, target, store, tmp_path).status == "ready"
    more = edits.set_value(("analyses", 0, "load_steps"), 2)(project)
    assert PIPELINE.state(more, target, store, tmp_path).status == "stale"
    for other in ("full", "better", "nothing"):
        wrong = edits.set_value(("analyses", 3, "corrects"), other)(project)
        assert PIPELINE.state(wrong, target, store, tmp_path).status == "blocked"
