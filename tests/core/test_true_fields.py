"""True fields of an analysis: computed behind it, under its name, and used by session, export, report and findings."""

from dataclasses import replace

import numpy as np
import pytest

from faying.analyses import analyses
from faying.analyses.recording.true_fields import estimated_seconds
from faying.cli import main
from faying.errors import ModelError
from faying.params import build
from faying.project.specs import Project
from faying.project.study import write_study
from faying.results.fields import fields
from faying.results.true_so_far import TrueSoFar
from faying.session import Session
from faying.testing.plates import plates, write_plate_deck

PRESS, TRUE = "press", "press (true fields)"


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """Plates with few joint modes, pressed in three steps; the static analysis has true fields."""
    folder = tmp_path_factory.mktemp("true")
    project = plates(write_plate_deck(folder / "plates.inp", divisions=8))
    (body,) = project.bodies
    poor = body.with_(joint_modes=body.joint_modes.with_(count=1))
    down = {
        "loads": tuple(
            load.with_(force=(0.0, 0.0, -5.0), moment=(60.0, 0.0, 0.0)) for load in project.analyses[0].loads
        )
    }
    press, swing, full = (analysis.with_(**down) for analysis in project.analyses)
    press = press.with_(true_fields=True, load_steps=3)
    found = Session(
        project.with_(bodies=(poor,), analyses=(press, swing, full)), folder / "artifacts", base=folder
    )
    found.run()
    return found


def test_true_fields_are_those_of_the_unreduced_model(session):
    exact = session.solve("full").field("pressure")
    reduced, true = (session.solve(PRESS).field("pressure"), session.solve(PRESS).true_field("pressure"))
    assert np.linalg.norm(true - exact) < 1e-3 * np.linalg.norm(exact)
    assert np.linalg.norm(reduced - exact) > 0.05 * np.linalg.norm(exact)
    assert session.solve(PRESS).true_fields.n_frames == session.solve(PRESS).n_frames


def test_they_are_computed_with_the_run_and_are_no_analysis_of_the_project(session):
    assert [target.item for target in session.targets()] == ["press", TRUE, "swing", "full"]
    assert [analysis.name for analysis in session.project.analyses] == ["press", "swing", "full"]
    assert session.state(session.targets()[1]).status == "ready"


def test_the_switch_makes_no_results_stale(session):
    without = session.project.analyses[0].with_(true_fields=False)
    other = Session(session.project.with_(analyses=(without,)), session.store, base=session.base)
    assert [other.state(target).status for target in other.targets()] == ["ready"]


def test_a_finding_names_the_error_of_the_reduced_pressures_and_its_frames(session):
    errors = session.solve(TRUE).report["pressure_errors"]
    said = [found for found in session.check() if found.check == "true_fields"]
    assert len(said) == 1 and said[0].entity == ("analyses", 0)
    assert f"in {sum(error > 0.05 for error in errors)} of {len(errors)} frames" in said[0].sentence
    # By hand, from the fields of the last frame; the largest pressure is there.
    reduced, true = session.solve(PRESS).field("pressure"), session.solve(TRUE).field("pressure")
    areas = session.find_pairs().weights
    by_hand = np.sqrt(areas @ (true - reduced) ** 2 / (areas @ true**2))
    assert errors[-1] == pytest.approx(by_hand, rel=1e-6)


@pytest.mark.parametrize(("dofs", "seconds"), [(39_510, 21.0), (54_606, 69.0)])
def test_the_estimate_is_within_a_factor_of_two_of_what_was_measured(dofs, seconds):
    """Both friction bars, 200 frames: processor time of `python tests/benchmarks/corrections.py` on a busy machine."""
    assert 0.5 < estimated_seconds(dofs, 200) / seconds < 2.0


def test_frames_that_are_corrected_so_far_are_those_of_the_fe_model(session):
    """What the window shows while true fields are computed: here two of the frames are there."""
    two = build(analyses["fe_correction"], {
        "name": "two", "body": "plates", "corrects": PRESS, "frames": (0, 1),
    })  # fmt: skip
    project = session.project.with_(analyses=(*session.project.analyses, two))
    found = Session(project, session.store, base=session.base).solve("two")
    reduced = session.solve(PRESS)
    frames = TrueSoFar(reduced.results, found.results)
    context = replace(reduced._fields_of_body()[0], frames=frames)
    assert frames.n_frames == reduced.n_frames > 2 and frames.is_true(1) and not frames.is_true(2)
    for frame in range(frames.n_frames):
        wanted = (found if frame < 2 else reduced).field("pressure", frame=frame)
        np.testing.assert_array_equal(fields["pressure"]().evaluate(context, "lap", frame), wanted)


def test_an_analysis_without_reduced_frames_has_none(session):
    with pytest.raises(ModelError, match="'full' has no true fields"):
        session.solve("full").true_field("pressure")


def test_tied_joints_leave_nothing_to_correct(session):
    tied = session.project.bodies[0].with_(joints_tied=True)
    project = session.project.with_(bodies=(tied,))
    assert project.computed_analyses == project.analyses


def test_export_writes_true_fields(session, tmp_path, capsys):
    """The study has no true fields; the table of --true differs from the other one, and its heads say so."""
    without = session.project.with_(analyses=(session.project.analyses[0].with_(true_fields=False),))
    write_study(without, tmp_path / "plates.toml", session.base)
    assert main(["run", str(tmp_path / "plates.toml")]) in (0, 1)
    tables = []
    for more in ([], ["--true"]):
        table = tmp_path / f"pressure{len(more)}.csv"
        words = ["export", str(tmp_path / "plates.faying"), "--to", str(table), "--field", "pressure"]
        assert main([*words, *more]) == 0, capsys.readouterr().err
        tables.append(table.read_text())
    (head, *reduced), (true_head, *true) = (table.splitlines() for table in tables)
    assert true_head == head.replace("pressure [", "pressure (FE model) [") != head and reduced != true


def test_curves_of_fields_follow_from_them(session, tmp_path):
    """A script names the source; exports take true fields where they are there, and say so in the curve's name."""
    reduced = session.solve(PRESS)
    true, node = reduced.true_fields, session.read_model().node_ids[0]
    largest = [max(each.field("pressure", frame=frame)) for each in (reduced, true) for frame in range(3)]
    for each, wanted in ((reduced, largest[:3]), (true, largest[3:])):
        np.testing.assert_allclose(each.curve("largest pressure in lap"), wanted)
        np.testing.assert_allclose(each.curve("largest pressure"), wanted)
    with pytest.raises(ModelError, match="names none of the body's"):
        reduced.curve("largest pressure in lob")
    table = tmp_path / "curves.csv"
    project = tmp_path / "plates.toml"
    write_study(session.project, project, session.base)
    assert main(["run", str(project)]) in (0, 1)
    names = f"largest pressure in lap, node {node} von_mises, lap normal force"
    words = [
        "export",
        str(tmp_path / "plates.faying"),
        "--analysis",
        PRESS,
        "--curves",
        names,
        "--to",
        str(table),
    ]
    assert main(words) == 0
    head, *rows = [line.split(",") for line in table.read_text().splitlines()]
    found = {name.split(": ")[0]: [float(row[i]) for row in rows] for i, name in enumerate(head)}
    np.testing.assert_allclose(found["largest pressure in lap (FE model)"], largest[3:], rtol=1e-5)
    stress = [true.field("von_mises", frame=frame)[0] for frame in range(3)]
    np.testing.assert_allclose(found[f"node {node} von_mises (FE model)"], stress, rtol=1e-5)
    np.testing.assert_allclose(found["lap normal force"], reduced.curve("lap normal force"), rtol=1e-5)
    # Under a picture of true fields all curves of the run can be drawn, also those that its correction does not have.
    own = [name for name in reduced.curve_names if name not in true.curve_names]
    words[-3:] = [f"{own[0]}, largest pressure", "--to", str(tmp_path / "picture.png"), "--field", "pressure"]
    assert main(words) == 0


def test_the_report_shows_them(session, tmp_path):
    session.write_report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "all frames were corrected on the FE model" in text


def test_frames_of_sampled_joints_are_those_of_all_pairs(tmp_path):
    """Few pairs act in the run, whose accelerations load the FE model, on which all pairs act.

    Accelerations by the equations of all pairs would keep the error of the sample: pressures are half the largest off.
    """
    pressures = []
    for sampling in ({"active": True, "tolerance": 0.3, "combinations": 4}, {"active": False}):
        folder = tmp_path / f"{len(pressures)}"
        folder.mkdir()
        words = plates(write_plate_deck(folder / "plates.inp", divisions=8)).model_dump()
        (body,) = words["bodies"]
        body["joint_modes"]["count"], body["joints"][0]["sampling"] = 6, sampling
        pull = {"force": (0.0, 0.0, -40.0), "time_history": {"kind": "haversine", "rise_time": 1e-3}}
        swing = {
            "kind": "transient", "name": "swing", "body": "plates", "support": "hold", "stiffness_damping": 1e-6,
            "loads": [{"interface": "tip", **pull}], "duration": 1e-3, "frames": 5,
            "integrator": {"kind": "hht", "fixed_step": True, "first_step": 4e-6, "largest_step": 4e-6},
        }  # fmt: skip
        words["analyses"] = [swing | {"true_fields": True}]
        solution = Session(build(Project, words), folder / "artifacts", base=folder).solve("swing")
        pressures.append(
            [
                (solution.field("pressure", frame=frame), solution.true_field("pressure", frame=frame))
                for frame in range(1, 6)
            ]
        )
    off, reduced_off = [], []
    for (reduced, true), (wanted_reduced, wanted) in zip(*pressures, strict=True):
        off.append(np.abs(true - wanted).max() / wanted.max())
        reduced_off.append(np.abs(reduced - wanted_reduced).max() / wanted.max())
    assert max(off) < 0.03 < 0.3 < min(reduced_off)
