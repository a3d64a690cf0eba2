"""True fields of the flexible parts of a system in motion, in session, export, report and findings."""

from dataclasses import replace

import numpy as np
import pytest

import faying
from faying.cli import main
from faying.errors import ModelError
from faying.exporters.systems import parts_with_true_fields
from faying.project.study import write_study
from faying.results.fields import fields
from faying.results.true_so_far import TrueOfPart
from faying.session import Session
from faying.testing import plates as deck

TRUE = "run, sheets (true fields)"
RUN = {
    "duration": 2e-4, "frames": 4,
    "integrator": {"kind": "hht", "fixed_step": True, "first_step": 1e-5, "largest_step": 1e-5},
}  # fmt: skip
PULL = {"force": (0.0, 0.0, -40.0), "time_history": {"kind": "haversine", "rise_time": 2e-4}}


def words(folder, *, frame="hold", true_fields=True, **contacts):
    """Return plates with two joint modes as a part of a system that is fixed to ground, with a rigid block."""
    found = deck.plates(deck.write_plate_deck(folder / "plates.inp", divisions=8)).model_dump()
    found["bodies"][0]["joint_modes"]["count"] = 2
    found["analyses"] = [
        {"kind": "motion", "name": "run", "system": "clamped", "true_fields": true_fields, **RUN}
    ]
    part = {"kind": "flexible", "name": "sheets", "body": "plates", "frame": frame}
    block = {"kind": "rigid", "name": "block", "mass": 1e-3, "moments_of_inertia": (1e-3, 1e-3, 1e-3)}
    found["systems"] = [{
        "name": "clamped", "ground": [{"name": "wall", "position": (0.0, 5.0, 0.0)}], "parts": [part, block],
        "constraints": [{"kind": "fixed", "name": "clamp", "first": "ground.wall", "second": "sheets.hold"}],
        "forces": [{"kind": "point_force", "name": "pull", "marker": "sheets.tip", **PULL}],
        **contacts,
    }]  # fmt: skip
    return found


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    folder = tmp_path_factory.mktemp("true parts")
    found = faying.build(folder / "artifacts", **words(folder))
    found.base = folder
    found.run()
    return found


def test_each_part_has_its_correction_behind_the_motion(session):
    assert [target.item for target in session.targets()] == ["run", TRUE]
    correction = session.project.analysis(TRUE)
    assert (correction.kind, correction.body, correction.part, correction.frames) == (
        "part_correction", "plates", "sheets", (),
    )  # fmt: skip
    assert all(session.state(target).status == "ready" for target in session.targets())


def test_the_switch_makes_no_motion_stale(session):
    without = session.project.analyses[0].with_(true_fields=False)
    other = session.project.with_(analyses=(without,))
    again = faying.build(session.store.folder, **other.model_dump())
    again.base = session.base
    assert [again.state(target).status for target in again.targets()] == ["ready"]


def test_a_true_field_of_a_part_is_that_of_its_correction(session):
    part, exact = session.move("run").part("sheets"), session.solve(TRUE)
    for frame in (2, -1):
        true, reduced = part.true_field("pressure", frame), part.field("pressure", frame=frame)
        np.testing.assert_array_equal(true, exact.field("pressure", frame=frame))
        assert np.abs(true - reduced).max() > 0.05 * true.max()
        np.testing.assert_array_equal(
            part.true_field("von_mises", frame), exact.field("von_mises", frame=frame)
        )


def test_the_whole_system_is_shown_with_them(session):
    motion = session.move("run")
    true = motion.true_fields
    assert true.n_frames == motion.n_frames and true.curve_names == motion.curve_names
    assert parts_with_true_fields(true._content) == ("sheets",)
    assert parts_with_true_fields(motion._content) == ()
    np.testing.assert_array_equal(true.positions("block"), motion.positions("block"))
    np.testing.assert_array_equal(
        true.part("sheets").field("pressure"), motion.part("sheets").true_field("pressure")
    )


def test_a_part_that_floats_keeps_its_frame(tmp_path):
    """Its frame is held at no node, the correction at one; displacements are counted from the part's frame."""
    session = faying.build(tmp_path / "artifacts", **words(tmp_path, frame=""))
    session.base = tmp_path
    part = session.move("run").part("sheets")
    reduced = part.field("displacement").reshape(-1, 3)
    true = part.true_field("displacement").reshape(-1, 3)
    held = session.solve(TRUE).field("displacement").reshape(-1, 3)
    scale = np.abs(reduced).max()
    assert np.abs(true - reduced).max() < 0.1 * scale
    assert np.abs(held - reduced).max() > 0.3 * scale  # as it is stored
    # No translation and no rotation is left of the difference.
    off, nodes = true - reduced, part.points()
    arms = nodes - nodes.mean(axis=0)
    assert np.abs(off.mean(axis=0)).max() < 1e-9 * scale
    assert np.abs(np.cross(arms, off).mean(axis=0)).max() < 1e-9 * scale * np.abs(arms).max()


def test_a_part_that_touches_another_has_none(tmp_path):
    found = words(tmp_path)
    found["systems"][0]["contacts"] = [{"name": "hit", "master": "ground.floor", "slave": "sheets.top"}]
    session = faying.build(tmp_path / "artifacts", **found)
    assert session.project.computed_analyses == session.project.analyses
    with pytest.raises(ModelError, match="'run' has no true fields"):
        session.project.analysis("run (true fields)")
    said = [found for found in session.check() if found.check == "true_fields"]
    assert len(said) == 1 and "no flexible part of 'clamped'" in said[0].sentence


def test_a_finding_names_the_part_and_its_frames(session):
    errors = session.solve(TRUE).report["pressure_errors"]
    (said,) = [found for found in session.check() if found.check == "true_fields"]
    assert said.entity == ("analyses", 0) and "part 'sheets' in 'run'" in said.sentence
    assert f"in {sum(error > 0.05 for error in errors)} of {len(errors)} frames" in said.sentence


def test_the_report_says_so(session, tmp_path):
    session.write_report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "Pressures and stresses of sheets are true fields" in text
    largest = max(session.solve(TRUE).field("pressure", frame=frame).max() for frame in range(5))
    assert f"{largest:.4g}" in text


def test_export_uses_them_where_they_are_there(session, tmp_path, capsys):
    write_study(session.project, tmp_path / "plates.toml", session.base)
    assert "true_fields = true" in (tmp_path / "plates.toml").read_text()
    project = tmp_path / "plates.faying"
    assert main(["run", str(tmp_path / "plates.toml")]) in (0, 1)
    capsys.readouterr()
    assert main(["export", str(project), "--to", str(tmp_path / "true.png"), "--field", "pressure"]) == 0
    assert "those of the FE model" in capsys.readouterr().err


def test_frames_that_are_corrected_so_far_are_those_of_the_fe_model(session):
    """What the window shows while true fields are computed: here two of the frames are there."""
    two = session.project.analysis(TRUE).with_(name="two", frames=(0, 1))
    project = session.project.with_(analyses=(*session.project.analyses, two))
    found = Session(project, session.store, base=session.base).solve("two")
    part = session.move("run").part("sheets")
    context = part._content.body_context
    frames = TrueOfPart(context.frames, found.results, context.body)
    mixed = replace(context, frames=frames)
    assert frames.n_frames == part.n_frames > 2 and frames.is_true(1) and not frames.is_true(2)
    for frame in range(part.n_frames):
        wanted = (found if frame < 2 else part).field("pressure", frame=frame)
        np.testing.assert_array_equal(fields["pressure"]().evaluate(mixed, "lap", frame), wanted)
        np.testing.assert_array_equal(frames.placement(frame)[0], context.frames.placement(frame)[0])
