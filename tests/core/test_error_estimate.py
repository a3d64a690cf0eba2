"""Error estimates of reduced equilibria. Kind of reference: unreduced model."""

import json
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from faying.analyses import BodyModel, JointModel
from faying.analyses.static import Static
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.unreduced_static import UnreducedStatic
from faying.cli import main
from faying.errors import Cancelled
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.ties import weakly_tied
from faying.progress import Silent
from faying.project.file import open_project
from faying.project.pipeline import Pipeline
from faying.project.stage import target_of
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.joint_modes.weighted_pod import WeightedPod
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from faying.results.results import Results
from support.plate_deck import STUDY, write_study
from support.plates import guided_blocks, jointed_plates
from support.unreduced import unreduced_end

COUNTS = (0, 5, 10, 20, 40)
FRICTION = Coulomb(friction_coefficient=0.3, sticking_stiffness=1e4, sliding_stiffness=1.0)
PLATES = ("HOLD", "TIP", LinearPenalty(stiffness=2e4))
BLOCKS = ("BOTTOM", "TOP", LinearPenalty(stiffness=1e6))
PUSH = {"force": (-60.0, 0.0, -20.0)}


@pytest.fixture(scope="module")
def plates():
    return jointed_plates(upper=(12, 4, 1), lower=(8, 3, 1))


@pytest.fixture(scope="module")
def blocks():
    """Blocks that a weak tie holds, as those of a project."""
    found = guided_blocks()
    tied = weakly_tied(found.matrices, found.model.nodes, [found.pairs], 1e-6)
    interior = InteriorProblem(tied, found.model.nodes, np.array(list(found.interfaces.values())))
    return replace(found, matrices=tied, interior=interior)


def body_of(fe, count, law, friction=None) -> BodyModel:
    """Return a body with so many joint modes."""
    components = CraigBampton(vibration_modes=8).build(fe.interior, Silent())
    rows = fe.gap, fe.slip, fe.pairs.weights, fe.pairs.initial_gaps
    joint_modes, values = np.zeros((fe.interior.n_dofs, 0)), np.zeros(0)
    if count:
        problem = JointModeProblem(fe.interior, components, rows[0], *rows[2:])
        joint_modes, values = WeightedPod(count=count).build(problem, Silent())
    basis = extend_basis(fe.interior, components, joint_modes, values)
    reduced = build_reduced_body(fe.model.nodes, fe.matrices, basis, fe.interfaces, [("joint", *rows)])
    joint = JointModel("joint", fe.pairs, law, friction)
    return BodyModel("body", reduced, (joint,), fe.interfaces, fe.model, fe.matrices, basis=basis)


def state(path, node, law):
    """Return motion of the loaded node, normal force and pressures of the last frame."""
    results = Results(path)
    motion = np.array([results.curve(f"{node} u{axis}")[-1] for axis in "xyz"])
    force = results.curve("joint normal force")[-1]
    return results, motion, force


def errors(fe, place, load, folder, friction=None):
    """Yield number of joint modes, true errors and the run report."""
    support, node, law = place
    words = {"body": "body", "support": support, "loads": (LoadSpec(interface=node, **load),)}
    weights, exact = fe.pairs.weights, None
    for count in COUNTS:
        body = body_of(fe, count, law, friction)
        if exact is None:
            UnreducedStatic(name="full", **words).run(body, folder / "full.h5", Silent())
            results, *others = state(folder / "full.h5", node, law)
            exact = *others, law.pressure(results.root["joints/joint/gap"][-1])[0]
            x, _ = unreduced_end(UnreducedStatic(name="full", **words), body)
        report = Static(name="it", **words).run(body, folder / f"{count}.h5", Silent())
        results, motion, force = state(folder / f"{count}.h5", node, law)
        rows = body.reduced.clamped_to(support).joints[0]
        pressure = law.pressure(rows.initial_gaps + rows.normal @ results.coordinates(results.n_frames - 1))[
            0
        ]
        q = results.coordinates(results.n_frames - 1)
        missed = FeStructure(Static(name="it", **words), body).displacement(q) - x
        stiffness = body.matrices.stiffness
        of_pressure = weights @ (pressure - exact[2]) ** 2 / (weights @ exact[2] ** 2)
        yield count, {
            "motion": np.linalg.norm(motion - exact[0]) / np.linalg.norm(exact[0]),
            "force": abs(force - exact[1]) / exact[1],
            "pressure": np.sqrt(of_pressure),
            "stress": np.sqrt(missed @ (stiffness @ missed) / (x @ (stiffness @ x))),
        }, report  # fmt: skip


@pytest.mark.parametrize(
    ("of", "place", "load"),
    [
        ("plates", PLATES, {"force": (0.0, 0.0, -10.0)}),
        ("plates", PLATES, {**PUSH, "moment": (3000.0, 0.0, 0.0)}),
        ("blocks", BLOCKS, {"force": (0.0, 0.0, -1000.0)}),
        ("blocks", BLOCKS, {"force": (0.0, 0.0, -1000.0), "moment": (3000.0, 1000.0, 0.0)}),
    ],
)
def test_the_estimate_is_the_error(of, place, load, request, tmp_path):
    """From 118 % of the force, and 205 % of the pressure, to a few millionths."""
    found = list(errors(request.getfixturevalue(of), place, load, tmp_path))
    for count, true, report in found:
        for name, share in report["error_estimate"].items():
            # Where force and moment hold the joint shut, its force is theirs: what is left are remains of iterations.
            shut = 2e-4 if of == "blocks" and name == "force" else 1e-8
            assert share == pytest.approx(true[name], rel=0.02, abs=shut), (count, name)
    assert found[0][1]["pressure"] > 0.1 and found[-1][1]["pressure"] < 0.5 * found[0][1]["pressure"]
    assert found[-1][1]["motion"] < 0.1 * found[0][1]["motion"]


def test_the_estimate_with_friction(plates, tmp_path):
    """The steps before the last one are those of the reduced body: that shows in the motion of a poor basis."""
    for count, true, report in errors(plates, PLATES, PUSH, tmp_path, FRICTION):
        assert report["load_steps"] > 1
        found = report["error_estimate"]
        for name in ("force", "pressure", "stress"):
            assert found[name] == pytest.approx(true[name], rel=0.1), (count, name)
        assert true["motion"] / 1.5 < found["motion"] < 1.5 * true["motion"] + 1.5e-3, count
        assert 0.0 < found["friction"] < 2.0
    assert found["motion"] < 1e-5 and found["friction"] < 0.01


def test_a_complete_basis_has_no_error(tmp_path):
    body = body_of(jointed_plates(), 40, LinearPenalty(stiffness=5e4))
    load = LoadSpec(interface="TIP", force=(0.0, 0.0, -10.0))
    run = Static(name="it", body="body", support="HOLD", loads=(load,))
    assert max(run.run(body, tmp_path / "it.h5", Silent())["error_estimate"].values()) < 1e-7


def test_a_node_that_only_a_moment_turns(plates, tmp_path):
    """The tip turns about its own axis, and hardly moves."""
    load = LoadSpec(interface="TIP", moment=(2000.0, 0.0, 0.0))
    run = Static(name="it", body="body", support="HOLD", loads=(load,))
    full = UnreducedStatic(name="full", body="body", support="HOLD", loads=(load,))
    body = body_of(plates, 5, PLATES[2])
    report = run.run(body, tmp_path / "it.h5", Silent())
    full.run(body, tmp_path / "full.h5", Silent())
    turns = [
        np.array([Results(tmp_path / f"{name}.h5").curve(f"TIP r{axis}")[-1] for axis in "xyz"])
        for name in ("it", "full")
    ]
    true = np.linalg.norm(turns[0] - turns[1]) / np.linalg.norm(turns[1])
    assert report["error_estimate"]["motion"] == pytest.approx(true, rel=0.02)


def test_what_has_no_estimate_costs_nothing(plates, tmp_path):
    """Neither matrices nor basis are there, and nobody asks for them."""
    body = body_of(plates, 5, PLATES[2])
    bare = replace(body, matrices=None, basis=None, model=None)
    load = LoadSpec(interface="TIP", force=(0.0, 0.0, -10.0))
    run = Static(name="it", body="body", support="HOLD", loads=(load,))
    off, hard = run.with_(error_estimate=False), run.with_(allowed_penetration=1e-5)
    assert run.estimates_error and not off.estimates_error and not hard.estimates_error
    report = off.run(bare, tmp_path / "off.h5", Silent())
    assert not {"error_estimate", "no_error_estimate"} & set(report)
    report = hard.run(bare, tmp_path / "hard.h5", Silent())
    assert "hard contact" in report["no_error_estimate"] and "error_estimate" not in report
    jointless = replace(bare, joints=(), reduced=replace(body.reduced, joints=()))
    assert "error_estimate" not in run.run(jointless, tmp_path / "jointless.h5", Silent())


def test_a_run_that_was_stopped_in_its_estimate_goes_on_with_it(plates, tmp_path):
    body = body_of(plates, 5, PLATES[2], FRICTION)
    run = Static(name="it", body="body", support="HOLD", loads=(LoadSpec(interface="TIP", **PUSH),))
    whole = run.run(body, tmp_path / "whole.h5", Silent())
    store, texts = ArtifactStore(tmp_path / "store"), []

    class Listen(Silent):
        stops = True

        def report(self, fraction, text="", **values):
            texts.append(text)
            if self.stops and "error estimate" in text:
                raise Cancelled("Stopped.")

    with pytest.raises(Cancelled):
        run.run(body, store.begin_results("k"), Listen())
    assert store.results("k").reached[1] == whole["load_steps"]
    texts.clear()
    Listen.stops = False
    again = run.run(body, store.begin_results("k"), Listen())
    assert not [text for text in texts if text.startswith("load ")]  # no step was taken again
    assert again == whole


def test_the_estimate_of_a_preloaded_body_is_told_wherever_its_run_is_shown(tmp_path, capsys):
    """Without joint modes, against the unreduced analysis of the same project."""
    held = ('{ kind = "node_force", interface = "tip", force = [0, 0, -10.0] }',
            '{ kind = "node_force", node_set = "HOLD", force = [0, 0, 10.0], moment = [0, -400.0, 0] }')  # fmt: skip
    case = f'preloads = [{{ name = "close", loads = [{", ".join(held)}] }}]\npreload_modes = false\n'
    text = STUDY.replace("count = 6", "count = 0").replace("load_steps = 3", 'preloads = ["close"]')
    text = text.replace("\n[[bodies.interfaces]]", f"{case}\n[[bodies.interfaces]]", 1)
    press = text[text.index("[[analyses]]") :]
    full = press.replace('"static"', '"unreduced_static"').replace('"press"', '"full"')
    study, project = write_study(tmp_path, text + full), tmp_path / "plates.faying"
    assert (
        main(["run", str(study)]) == 1
    )  # doubtful: what it says of the support is a quarter of the loads off
    told = capsys.readouterr().err
    sentence = "The trial vectors of 'press' do not hold the state under the full load"
    assert told.count(sentence) == 1
    assert main(["check", str(project)]) == 0
    assert sentence in capsys.readouterr().out
    assert main(["info", str(project)]) == 0
    assert "estimated error of the reduction: motion " in capsys.readouterr().out
    assert main(["info", str(project), "--json"]) == 0
    found, none = (each["error_estimate"] for each in json.loads(capsys.readouterr().out)["analyses"])
    assert none == {}
    opened, store = open_project(project).project, ArtifactStore(tmp_path / "opened", below=project)
    ends = []
    for analysis in opened.analyses:
        place = Pipeline(STAGES).run(opened, target_of(analysis), store, tmp_path)
        with closing(place.open()) as results:
            motion = [results.curve(f"tip u{axis}")[-1] for axis in "xyz"]
            ends.append((np.array(motion), results.curve("lap normal force")[-1]))
    (motion, force), (true_motion, true_force) = ends
    true = np.linalg.norm(motion - true_motion) / np.linalg.norm(true_motion)
    assert found["motion"] == pytest.approx(true, rel=0.02)
    assert found["force"] == pytest.approx(abs(force / true_force - 1.0), rel=0.02)
    assert main(["report", str(project), "--to", str(tmp_path / "it.html")]) == 0
    assert "Error estimate" in (tmp_path / "it.html").read_text(encoding="utf-8")
