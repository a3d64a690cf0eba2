"""Joint modes to an accuracy: a squeezed lap that holds by friction, reduced against the unreduced model.

Kind of reference: the unreduced model of the same equations; without friction, or with modes that know none, each
statement fails.
"""

from dataclasses import replace

import numpy as np
import pytest

import faying
from faying.errors import ModelError
from faying.params import build
from faying.progress import Silent
from faying.project.checks import CheckedProject, checks
from faying.project.findings import find_run_findings
from faying.project.serialization import project_from_dict
from faying.project.specs import Project
from faying.project.stage import Target
from faying.reduction.joint_modes.error_controlled import ErrorControlled
from faying.testing import plates as deck

PULL = 30.0  # N at the end of the upper plate, which hangs on the held ones by the joint and at its root
COMMON = {"body": "plates", "support": "hold", "preloads": ["squeeze"]}
PULLED = {**COMMON, "loads": [{"interface": "tip", "force": [PULL, 0.0, 2.0]}]}
WEIGHTED = {"kind": "weighted_pod", "count": 10}


def lap(folder, joint_modes, **changes):
    """Return the session of the two plates, pressed on each other from outside, their joint rough."""
    path = deck.write_plate_deck(folder / "plates.inp", divisions=8)
    outer = "*SURFACE, NAME=TOP\nPLATE2, S2\n*SURFACE, NAME=BOTTOM\nPLATE1, S1\n"
    path.write_text(path.read_text() + outer)
    words = deck.plates(path).model_dump()
    body = words["bodies"][0]
    sides = [{"kind": "deck_surface", "name": name} for name in ("TOP", "BOTTOM")]
    squeeze = [{"kind": "surface_pressure", "surface": side, "pressure": 1.0} for side in sides]
    body["preloads"] = [{"name": "squeeze", "loads": squeeze}]
    body["joint_modes"] = joint_modes
    law = {
        "kind": "coulomb",
        "friction_coefficient": 0.15,
        "sticking_stiffness": 4e4,
        "sliding_stiffness": 0.0,
    }
    contact = {"kind": "linear_penalty", "stiffness": 5e4}
    body["joints"] = [body["joints"][0] | {"contact_law": contact, "friction_law": law} | changes]
    words["analyses"] = [
        {"kind": "static", "name": "pull", **PULLED},
        {"kind": "unreduced_static", "name": "full", **PULLED},
        {"kind": "transient", "name": "swing", **COMMON, "duration": 1e-4, "frames": 2},
    ]
    return faying.build(folder / "artifacts", **build(Project, words).model_dump())


@pytest.fixture(scope="module")
def controlled(tmp_path_factory):
    return lap(tmp_path_factory.mktemp("controlled"), {"kind": "error_controlled"})


@pytest.fixture(scope="module")
def weighted(tmp_path_factory):
    return lap(tmp_path_factory.mktemp("weighted"), WEIGHTED)


def stuck_errors(session):
    quality = session.compute(Target("joint_quality", "plates"))
    return {state: errors[:4] for state, errors in zip(quality.states, quality.errors, strict=True)}


def test_stuck_and_sliding_frequencies_are_those_of_the_fe_model(controlled, weighted):
    right, blind = stuck_errors(controlled), stuck_errors(weighted)
    assert set(right) == {"stuck", "sliding"}
    assert max(np.abs(errors).max() for errors in right.values()) < 0.01
    assert blind["stuck"].max() > 0.02  # modes of normal contact are too stiff sideways


def test_what_friction_carries_is_carried(controlled, weighted):
    """The slip and the shear of the joint under a pull, at 1 % where modes of normal contact miss much more."""
    errors = []
    for session in (controlled, weighted):
        reduced, full = session.solve("pull"), session.solve("full")
        ends = np.array([[run.curve(f"tip {c}")[-1] for c in ("ux", "uz")] for run in (reduced, full)])
        rest = np.array([[run.curve(f"tip {c}")[0] for c in ("ux", "uz")] for run in (reduced, full)])
        moved = ends - rest
        errors.append(np.abs(moved[0] / moved[1] - 1.0).max())
        force = [run.curve("lap normal force")[-1] for run in (reduced, full)]
        assert force[0] == pytest.approx(force[1], rel=0.02)
    assert errors[0] < 0.01 < errors[1]


def test_the_errors_it_says_are_those_there_are(controlled):
    """Estimated from forces out of balance alone; the true ones are those against the unreduced run."""
    basis = controlled.compute(Target("basis", "plates"))
    [pull] = [each for each in basis.trained if each.load == "load at tip"]
    assert pull.reached == 1.0 and 0.0 < pull.motion <= 0.01 and pull.pressure <= 0.05
    assert any(each.load.startswith("inertia in stuck mode") for each in basis.trained)


def test_modes_that_are_too_few_say_what_they_came_to(controlled):
    problem = controlled.compute(Target("joint_problem", "plates"))
    training = controlled.compute(Target("training", "plates"))
    problem = replace(problem, training=training, trained=())
    modes, _ = ErrorControlled(most=3).build(problem, Silent())
    assert modes.shape[1] == 3 and max(each.motion for each in problem.trained) > 0.01
    modes, _ = ErrorControlled(most=0).build(problem, Silent())
    assert modes.shape[1] == 0
    with pytest.raises(ModelError, match="laws of the joints"):
        ErrorControlled().build(replace(problem, training=None), Silent())


def test_without_friction_there_is_but_the_sliding_state(tmp_path):
    session = lap(tmp_path, {"kind": "error_controlled"}, friction_law=None)
    assert list(stuck_errors(session)) == ["sliding"]


def test_a_joint_that_is_too_stiff_is_a_finding(controlled, weighted):
    for session, count in ((controlled, 0), (weighted, 1)):
        jointed = {"plates": session.compute(Target("joint_quality", "plates"))}
        found = list(
            checks["joint_stiffness"](CheckedProject(session.project, session.base, jointed=jointed))
        )
        assert len(found) == count
    assert "stuck joints" in found[0].sentence and "too stiff sideways" in found[0].sentence


def test_an_accuracy_that_was_missed_is_a_finding(controlled, tmp_path):
    few = lap(tmp_path, {"kind": "error_controlled", "most": 3})
    for session, count in ((controlled, 0), (few, 1)):
        reduced = {"plates": session.compute(Target("body", "plates"))}
        found = list(checks["joint_accuracy"](CheckedProject(session.project, session.base, reduced=reduced)))
        assert len(found) == count
    assert "miss the accuracy" in found[0].sentence and any(
        "load at tip" in line for line in found[0].details
    )
    assert found[0].sentence in [each.sentence for each in few.check()]
    of_runs = find_run_findings(
        few.project, few.store, few.base, few.pipeline, few.memory, [Target("analysis", "plates", "pull")]
    )
    assert found[0].sentence in [each.sentence for each in of_runs]


def test_frequency_responses_say_that_the_joint_is_too_stiff(weighted, controlled, tmp_path):
    shaken = {
        "kind": "frequency_response", "name": "shaken", **PULLED, "sticking": "stuck", "modal_damping": [0.02],
        "highest_frequency": 30000.0, "points": 5,
    }  # fmt: skip
    warnings = []
    for name, session in (("weighted", weighted), ("controlled", controlled)):
        words = session.project.model_dump()
        words["analyses"] = [*words["analyses"], shaken]
        other = faying.build(tmp_path / name, **words)
        warnings.append([sentence for sentence, _ in other.solve("shaken").results.warnings])
    assert any("stuck body" in sentence and "too high" in sentence for sentence in warnings[0])
    assert not any("too high" in sentence for sentence in warnings[1])


def test_loads_of_analyses_count_for_the_key_but_names_do_not(controlled):
    def key(change):
        words = controlled.project.model_dump()
        change(words)
        return controlled.pipeline.key_of(build(Project, words), Target("basis", "plates"), controlled.base)

    def changed(number, **values):
        def change(words):
            words["analyses"] = [
                {**each, **values} if k == number else each for k, each in enumerate(words["analyses"])
            ]

        return change

    renamed, longer = changed(0, name="tug"), changed(2, duration=1.0)
    harder = changed(0, loads=[{"interface": "tip", "force": [2.0 * PULL, 0.0, 2.0]}])

    here = key(lambda words: None)
    assert key(renamed) == key(longer) == here != key(harder)


def test_projects_of_before_keep_the_method_that_they_had():
    words = {"name": "x", "bodies": [{"name": "b", "model": {"path": "b.inp"}}]}
    assert project_from_dict({**words, "schema_version": 3}).bodies[0].joint_modes.kind == "weighted_pod"
    assert project_from_dict(words).bodies[0].joint_modes.kind == "error_controlled"
