"""Every example, run to its end by the command line, gives the numbers that it promises."""

import json
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import faying.examples
from faying.cli import main, system
from faying.cli.commands.demo import QUICK_FILM_FRAMES, Demo
from faying.errors import FayingError
from faying.examples import ExampleRun, Expected, examples, summary_of
from faying.project.file import open_project
from faying.project.findings import find_findings
from faying.project.store import ArtifactStore
from faying.project.study import read_study, write_study
from faying.results.results import Results, swings
from support.made_once import made_once

PERIOD_FRAMES = 24  # of a film of a periodic motion, which shows its last frame alone
FILM_FRAMES = 8  # that a film moves is seen in these; drawing all of a quick run takes longer than some runs
SLOWEST = 4  # modes whose frequencies are compared, joints stuck and sliding
TOO_STIFF = 0.01
# Their joint modes are those of other times or of normal contact, and what these do is what they measure.
STUDIES = {
    "friction-bar-convergence", "friction-bar-dynamics", "friction-bar-preloaded", "contact-law-benchmark",
    "hertz-static",
}  # fmt: skip
KEYS = {"name", "value", "unit", "reference", "reference_kind", "tolerance", "passed"}


def _runs(kind):
    return pytest.param(kind, marks=pytest.mark.slow if examples[kind].takes_long else ())


def and_stiffness(folder: Path):
    """Return `summary_of`, which also compares the joints of a run's bodies with those of their FE models."""

    def summary_of_run(name: str, run: ExampleRun, *others):
        errors = {}
        for body in run.project.bodies:
            if body.contact_joints and not body.model.is_reduced and name not in STUDIES:
                quality = run.value("joint_quality", body=body.name)
                lowest = np.nan_to_num(quality.errors[:, :SLOWEST]).tolist()
                errors[body.name] = dict(zip(quality.states, lowest, strict=True))
        (folder / "stiffness.json").write_text(json.dumps(errors), encoding="utf-8")
        return summary_of(name, run, *others)

    return summary_of_run


@pytest.fixture(scope="module", params=[_runs(kind) for kind in sorted(examples)])
def demo(request, tmp_path_factory):
    """(kind, folder, exit code) of an example's quick run."""

    def run(folder: Path) -> int:
        with pytest.MonkeyPatch.context() as patch:
            assert FILM_FRAMES < QUICK_FILM_FRAMES
            patch.setattr(sys.modules[Demo.__module__], "QUICK_FILM_FRAMES", FILM_FRAMES)
            patch.setattr(faying.examples, "summary_of", and_stiffness(folder))
            return main(["demo", request.param, "--quick", "--no-window", "--out", str(folder)])

    return request.param, *made_once(tmp_path_factory, f"demo-{request.param}", run)


def results_of(folder: Path, kind: str, analysis: str, reopened: Path) -> Results:
    """Return the opened results of an analysis that the demo saved."""
    opened = open_project(folder / f"{kind}.faying")
    store = ArtifactStore(reopened, below=opened.path)
    key = next(
        k for k, r in store.recipes().items() if r.stage in ("analysis", "motion") and r.item == analysis
    )
    results: Results = store.results(key).open()
    return results


def test_expected_numbers_hold(demo):
    kind, folder, code = demo
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    missed = [q for q in summary["quantities"] if not q["passed"]]
    assert not missed
    assert summary["quantities"]
    assert code == (0 if system.graphics_renderer()[0] or not examples[kind].picture else 1)
    assert summary["example"] == kind


def test_joints_are_as_stiff_as_those_of_the_fe_model(demo):
    """Kind of reference: the FE model. Flex plates with 40 modes of normal contact: 150 % too high, joints stuck."""
    kind, folder, _ = demo
    errors = json.loads((folder / "stiffness.json").read_text(encoding="utf-8"))
    bodies = [body for body in examples[kind]().build(quick=True).bodies if not body.model.is_reduced]
    jointed = [body.name for body in bodies if body.contact_joints]
    if kind in STUDIES or not jointed:
        pytest.skip("no joint whose stiffness is promised")
    assert set(errors) == set(jointed)
    for of_states in errors.values():
        assert of_states
        assert np.abs([*of_states.values()]).max() < TOO_STIFF


def test_summary_says_what_was_promised(demo):
    kind, folder, _ = demo
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert set(summary) == {"example", "units", "quantities", "seconds", "counts", "tables"}
    assert all(set(q) == KEYS for q in summary["quantities"])
    measured = [q["name"] for q in summary["quantities"]]  # a quick run may end too soon for some
    assert measured == [e.name for e in examples[kind].expected if e.name in measured]
    assert all(spent >= 0 for spent in summary["seconds"].values())
    project = examples[kind]().build(quick=True)
    counted = ["parts"] if project.systems else []
    counted += ["constraints"] if any(system.constraints for system in project.systems) else []
    is_read = bool(project.bodies) and project.bodies[0].model.is_reduced
    counted += ["nodes"] if project.bodies else []
    counted += ["dofs", "vibration_modes"] if project.bodies and not is_read else []
    if project.bodies and project.bodies[0].joints:
        counted += ["contact_pairs", "flexible_coordinates" if is_read else "joint_modes"]
    assert all(summary["counts"][name] > 0 for name in counted)


def test_project_file_holds_the_whole_run(demo, tmp_path):
    kind, folder, _ = demo
    opened = open_project(folder / f"{kind}.faying")
    assert opened.project.analyses == examples[kind]().build(quick=True).analyses
    assert not list(folder.glob("*.work"))
    store = ArtifactStore(tmp_path, below=opened.path)
    assert len(store.recipes()) >= len(opened.project.analyses) + len(opened.project.bodies)


def test_curves_are_drawn(demo):
    kind, folder, _ = demo
    for plot in examples[kind].plots:
        columns = (folder / f"{kind}-{plot.name}.csv").read_text(encoding="utf-8").splitlines()
        assert len(columns) > 10


def test_picture_and_film_show_something(demo, tmp_path):
    if examples[demo[0]].picture is None:
        pytest.skip("curves tell this example")
    if not system.graphics_renderer()[0]:
        pytest.skip(f"no pictures on this machine: {system.graphics_renderer()[1]}")
    imageio = pytest.importorskip("imageio.v3")
    kind, folder, _ = demo
    picture = imageio.imread(folder / f"{kind}.png")
    assert picture.shape[:2] == (720, 1280) and picture[..., :3].std() > 5
    if examples[kind].film is None:
        assert not (folder / f"{kind}.mp4").exists()
        return
    film = np.stack(list(imageio.imiter(folder / f"{kind}.mp4")))
    analysis, _ = examples[kind].film
    results = results_of(folder, kind, analysis, tmp_path)
    shown = range(0, results.n_frames, -(-results.n_frames // FILM_FRAMES))
    count = PERIOD_FRAMES if swings(results) else len(shown)
    assert film.shape == (count, 720, 1280, 3)
    results.close()
    assert np.abs(film[0].astype(int) - film[len(film) // 2].astype(int)).max() > 60  # it moves


@pytest.mark.slow  # half a minute of the processor
@pytest.mark.parametrize("demo", ["friction-bar"], indirect=True)
def test_dynamic_deflection_of_the_bar_is_between_once_and_twice_the_static_one(demo):
    """A step load swings to less than twice its static deflection, to more than once; kind: analytical bound.

    Zero initial gaps make statics positively homogeneous: 50 N give half of what 100 N give.
    """
    _, folder, _ = demo
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    values = {q["name"]: q["value"] for q in summary["quantities"]}
    quasi_static = values["tip_deflection_static"] / 2
    assert quasi_static < values["tip_deflection_dynamic_max"] < 2 * quasi_static


@pytest.mark.slow  # half a minute of the processor
@pytest.mark.parametrize("demo", ["friction-bar"], indirect=True)
def test_dynamic_energy_of_the_bar_stays_bounded(demo, tmp_path):
    """After the rise the load is constant, so kinetic + elastic energy − F·u never grows: friction only takes."""
    kind, folder, _ = demo
    results = results_of(folder, kind, "dynamic", tmp_path)
    after = results.values >= 0.01
    energy = (
        results.curve("kinetic energy") + results.curve("elastic energy") - 50.0 * results.curve("load uz")
    )
    results.close()
    scale = np.abs(energy).max()
    # Energy in the contact springs is not counted; it is small and comes and goes.
    assert energy[after][-1] <= energy[after][0] + 0.02 * scale


@pytest.mark.parametrize("kind", sorted(examples))
def test_quick_leaves_out_no_station(kind, tmp_path):
    full, quick = examples[kind]().build(), examples[kind]().build(quick=True)
    models = [body.model for body in full.bodies]  # a quick run may take a coarser mesh
    bodies = tuple(body.with_(model=model) for body, model in zip(quick.bodies, models, strict=True))
    assert full.bodies == bodies and full.systems == quick.systems
    assert [a.name for a in full.analyses] == [a.name for a in quick.analyses]
    write_study(full, tmp_path / "x.toml")
    assert read_study(tmp_path / "x.toml") == full


@pytest.mark.parametrize("kind", [_runs(kind) for kind in sorted(examples)])
def test_checks_find_nothing_wrong(kind, tmp_path):
    findings = find_findings(examples[kind]().build(), ArtifactStore(tmp_path), tmp_path, compute=True)
    # Statics whose references have no friction switch it off on purpose, and are told so.
    wrong = [f for f in findings if f.severity in ("error", "warning") and f.check != "static_friction"]
    assert not wrong


@pytest.mark.parametrize("kind", sorted(examples))
def test_references_say_where_they_are_from(kind):
    example = examples[kind]
    assert example.title and example.summary
    for expected in example.expected:
        assert expected.source
        assert (expected.reference_kind == "regression") == ("not a verification" in expected.source)
    # The motion of the bar has no reference but that of other bases; the thesis prints its errors as curves alone.
    assert kind == "friction-bar-dynamics" or any(e.reference_kind != "regression" for e in example.expected)


@pytest.mark.slow  # a deck of 49 000 elements
@pytest.mark.parametrize("demo", ["conrod-static"], indirect=True)
def test_the_rods_deck_is_about_the_model_of_the_thesis(demo, tmp_path):
    """Section 4.2.1, table 4.1: 150 mm, 1.03 kg, about 51 702 tetrahedra and 631 pairs. Made so: no result of ours."""
    kind, folder, _ = demo
    run = ExampleRun(examples[kind]().build(), ArtifactStore(tmp_path, below=folder / f"{kind}.faying"))
    model, pairs = run.value("model"), run.value("pairs", "cap joint")
    big, small = (int(model.node_sets[name][0]) for name in ("REF_BIG", "REF_SMALL"))
    spread = {coupling.reference for coupling in model.couplings if coupling.kind == "distributing"}
    (block,) = (b for b in model.blocks if b.element == "tet4")
    corners = model.nodes[block.connectivity]
    volume = np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1])).sum() / 6.0
    assert volume * model.materials[block.material].density == pytest.approx(1.03e-3, rel=0.01)
    assert np.linalg.norm(model.nodes[big] - model.nodes[small]) == pytest.approx(150.0, rel=1e-9)
    assert {big, small} <= spread
    assert len(block.connectivity) == pytest.approx(51_702, rel=0.06)
    assert len(pairs) == pytest.approx(631, rel=0.02)


@pytest.mark.slow  # an unreduced solution with friction
def test_friction_holds_the_bar_back_in_one_load_step_as_in_twenty(tmp_path):
    """Kind: unreduced model. Where friction begins with the second load step, one step gives the tip of none.

    Gaps of zero and one load make the path proportional: one step gives what many do, 23.317 mm, against 23.665 mm
    without friction.
    """
    project = examples["friction-bar"]().build(quick=True)
    given = project.analysis("static").with_(error_estimate=False)
    full = project.analysis("unreduced")
    variants = {
        "none": given,
        "one": given.with_(friction=True, load_steps=1),
        "chosen": given.with_(friction=True),
        "twenty": given.with_(friction=True, load_steps=20),
        "full": full.with_(friction=True),
    }
    tips, store = {}, ArtifactStore(tmp_path)
    for name, analysis in variants.items():
        run = ExampleRun(project.with_(analyses=(analysis.with_(name=name),)), store)
        with closing(run.results(name)) as results:
            tips[name] = float(results.curve("load uz")[-1])
            assert results.n_frames == {"none": 1, "one": 1, "twenty": 20}.get(name, results.n_frames)
    assert tips["one"] == pytest.approx(tips["twenty"], rel=1e-9)
    assert tips["chosen"] == pytest.approx(tips["twenty"], rel=1e-9)
    assert tips["one"] == pytest.approx(tips["full"], rel=2e-3)
    assert tips["one"] < 0.99 * tips["none"]


def test_a_number_that_is_none_never_holds():
    expected = Expected("x", "", 1.0, "analytical", 0.1, "")
    assert expected.holds(1.09) and not expected.holds(1.11) and not expected.holds(float("nan"))
    assert Expected("x", "", 0.0, "analytical", 0.1, "").holds(0.05)


def test_the_deck_is_shipped():
    project = examples["friction-bar"]().build()
    assert Path(project.bodies[0].model.path).is_file()
    with pytest.raises(FayingError, match="friction-bar"):
        _ = examples["friction-barr"]
