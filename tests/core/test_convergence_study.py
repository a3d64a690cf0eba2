"""Convergence studies: points, table, errors against the unreduced model, going on after an interruption."""

import csv
from contextlib import closing

import numpy as np
import pytest

from faying.analyses.convergence_study import COLUMNS, TABLE, ConvergenceStudy
from faying.errors import Cancelled, ModelError
from faying.params import build
from faying.progress import CancelFlag, Silent
from faying.project.memory import Memory
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.results.results import Results, earlier_results
from faying.results.table_file import table_text
from faying.testing.plates import plates, write_plate_deck

STUDY, UNREDUCED = Target("analysis", "plates", "study"), Target("analysis", "plates", "full")
LOAD = {"interface": "tip", "force": [0.0, 0.0, -5.0]}
WORDS = {
    "name": "study", "body": "plates", "support": "hold", "both_signs": True,
    "loads": [LOAD, {"interface": "tip", "moment": [40.0, 0.0, 0.0]}],
    "counts": [8, 0, 3, 3],
    "methods": [{"kind": "weighted_pod", "count": 2}, {"kind": "equilibrium_snapshots", "count": 1}],
    "processes": 1,
}  # fmt: skip


class Recording(CancelFlag):
    """Remembers what was reported; cancels at a text."""

    def __init__(self, stop_at="nowhere"):
        super().__init__()
        self.texts, self._stop_at = [], stop_at

    def report(self, fraction, text="", **values):
        self.texts.append(text)
        if self._stop_at in text:
            self.cancel()
        super().report(fraction, text, **values)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    deck = write_plate_deck(tmp_path_factory.mktemp("deck") / "plates.inp", divisions=8)
    base = plates(deck)
    full = {"kind": "unreduced_static", "name": "full", "body": "plates", "support": "hold", "loads": [LOAD]}
    full |= {"friction": False}  # as the study
    unreduced = build(type(base), {**base.model_dump(mode="json"), "analyses": [full]}).analyses
    return base.with_(analyses=(*unreduced, build(ConvergenceStudy, WORDS)))


@pytest.fixture(scope="module")
def outcome(project, tmp_path_factory):
    """The opened results of the study, and the folder and memory of the run."""
    store, memory = ArtifactStore(tmp_path_factory.mktemp("store")), Memory()
    place = PIPELINE.run(project, STUDY, store, progress=Silent(), memory=memory)
    with_results = place.open()
    yield with_results, store, memory
    with_results.close()


def rows_of(results, **wanted):
    columns, values = results.table(TABLE)
    assert columns == COLUMNS
    kept = np.ones(len(values), bool)
    for name, value in wanted.items():
        kept &= values[:, columns.index(name.replace("_", " "))] == value
    return {name: values[kept, i] for i, name in enumerate(columns)}


def test_every_point_is_a_frame_with_a_name(outcome):
    results, *_ = outcome
    assert results.complete and results.n_frames == 2 * 3 * 4 + 4 == results.report["points"]
    assert results.label(0) == "Weighted POD of trial vector derivatives, 0 joint modes, load 1"
    assert results.label(27) == "unreduced, load 4"
    ratios = rows_of(results, method=0, load=0)["ratio"]
    assert np.isnan(ratios[0]) and 0.5 < ratios[1] < ratios[2] < 1.0
    assert np.isnan(rows_of(results, method=-1)["ratio"]).all()
    assert results.displacement(5).any()
    gap, slip = results.gap_and_slip(results.joint_names[0], 5)
    assert gap.any() and slip.shape == (len(gap), 2)
    assert set(results.table_names) == {TABLE}


def test_the_table_is_written_with_names(outcome):
    results, *_ = outcome
    heads, *rows = csv.reader(table_text(results, "", "mm-t-s").splitlines())
    assert heads == ["name", *(f"{c} [mm]" if c in ("gap norm", "rms gap") else c for c in COLUMNS)]
    assert [row[0] for row in rows] == [results.label(i) for i in range(results.n_frames)]
    np.testing.assert_array_equal([float(row[4]) for row in rows], results.table(TABLE)[1][:, 3])


def test_opposite_loads_differ_because_contact_does(outcome):
    motion = rows_of(outcome[0], method=-1)["motion"]
    assert motion[0] > 0 and motion[1] > 0  # along the load, whatever its sign
    assert abs(motion[0] / motion[1] - 1) > 0.05


def test_unreduced_rows_equal_the_unreduced_analysis(project, outcome):
    results, store, memory = outcome
    place = PIPELINE.run(project, UNREDUCED, store, progress=Silent(), memory=memory)
    with_full = place.open()
    row = rows_of(results, method=-1, load=0)
    assert row["motion"][0] == pytest.approx(-with_full.curve("tip uz")[-1], rel=1e-8)
    joint = results.joint_names[0]
    assert row["gap norm"][0] == pytest.approx(with_full.curve(f"{joint} gap norm")[-1], rel=1e-8)
    with_full.close()


def test_loads_of_the_body_act_in_every_case(project, outcome):
    """Load modes carry them: with eight joint modes the reduced plates are near the unreduced ones."""
    words = project.model_dump(mode="json")
    press = {"kind": "pressure", "name": "press", "pressure": 2.0}
    press["surface"] = words["bodies"][0]["joints"][0]["slave"]
    words["bodies"][0]["loads"] = [press]
    common = {"body": "plates", "support": "hold", "body_loads": [{"load": "press", "factor": 0.5}]}
    both = WORDS | {"counts": [0, 8], "methods": WORDS["methods"][1:], "loads": [LOAD], "both_signs": False}
    words["analyses"] = [
        both | common,
        {"kind": "convergence_study", **both, **common, "name": "alone", "loads": []},
    ]
    words["analyses"][0]["kind"] = "convergence_study"
    loaded, (_, store, memory) = build(type(project), words), outcome
    for name in ("study", "alone"):
        place = PIPELINE.run(
            loaded, Target("analysis", "plates", name), store, progress=Silent(), memory=memory
        )
        with closing(place.open()) as results:
            full = rows_of(results, method=-1)["gap norm"][0]
            norms = rows_of(results, method=0)["gap norm"]
        plain = rows_of(outcome[0], method=-1, load=0)["gap norm"][0]
        assert abs(full / plain - 1.0) > 0.1  # it does act
        assert norms[1] == pytest.approx(full, rel=0.03)


@pytest.mark.parametrize("method", [0, 1])
def test_errors_shrink_with_the_number_of_modes(method, outcome):
    for load in range(4):
        rows = rows_of(outcome[0], method=method, load=load)
        np.testing.assert_array_equal(rows["joint modes"], [0, 3, 8])
        assert rows["motion change"][-1] == 0.0 == rows["gap norm change"][-1]
        # A reduced body is too stiff: its own load moves it less, and the less the fewer modes it has.
        assert (np.diff(rows["motion error"]) >= -1e-9).all() and rows["motion error"].max() < 1e-9
        assert abs(rows["motion error"][-1]) < 0.012


def test_changes_are_those_of_the_thesis(outcome):
    """e(g) = (u(most) − u(g)) / u(most), thesis eq. 4.1."""
    rows = rows_of(outcome[0], method=0, load=2)
    expected = (rows["motion"][-1] - rows["motion"]) / rows["motion"][-1]
    np.testing.assert_allclose(rows["motion change"], expected, atol=1e-14)


def test_an_interrupted_study_goes_on(project, outcome, tmp_path):
    results, *_ = outcome
    store, memory = ArtifactStore(tmp_path), Memory()
    with pytest.raises(Cancelled):
        PIPELINE.run(project, STUDY, store, progress=Recording("snapshots, 3 joint modes"), memory=memory)
    key = PIPELINE.key_of(project, STUDY)
    assert store.results(key).path == store.partial_path(key)

    progress = Recording()
    place = PIPELINE.run(project, STUDY, store, progress=progress, memory=memory)
    again = place.open()
    assert again.report["points_kept"] == 4 + 12 + 4
    assert not any("trial vector derivatives, 3 joint" in text for text in progress.texts)
    np.testing.assert_allclose(again.table(TABLE)[1], results.table(TABLE)[1], rtol=1e-6, atol=1e-9)
    again.close()
    assert not earlier_results(store.partial_path(key)).exists()


def test_the_number_of_processes_makes_no_result_stale(project, outcome):
    _, store, _ = outcome
    full, study = project.analyses
    two = project.with_(analyses=(full, study.with_(processes=2)))
    assert PIPELINE.state(two, STUDY, store).status == "ready"


def test_a_load_given_twice_is_solved_once(project, outcome, tmp_path):
    _, _, memory = outcome
    study = project.analysis("study").with_(
        loads=(LOAD, LOAD), both_signs=False, methods=({"kind": "pod"},), counts=(0,), processes=2
    )
    twice, done = project.with_(analyses=(study,)), []
    PIPELINE.run(
        twice,
        STUDY,
        ArtifactStore(tmp_path),
        memory=memory,
        on_step=lambda step, _: done.append(step.target.item),
    )
    assert done[-3:] == ["study, load 1 unreduced", "study, load 2 unreduced", "study"]


@pytest.mark.slow  # seconds, and not what decides alone
def test_an_interrupted_study_keeps_points_of_all_processes(project, outcome, tmp_path):
    """The second method comes before the first one: what it has found is not computed again."""
    results, _, memory = outcome
    full, study = project.analyses
    twice = study.with_(methods=study.methods * 2, processes=2, unreduced=False)
    beside = project.with_(analyses=(full, twice))
    motion = COLUMNS.index("motion")
    expected = np.tile(results.table(TABLE)[1][:24, motion], 2)
    store = ArtifactStore(tmp_path)
    partial = store.partial_path(PIPELINE.key_of(beside, STUDY))

    class UntilTheSecondHasSome(CancelFlag):
        def report(self, fraction, text="", **values):
            if partial.exists() and not self.cancelled:
                with closing(Results(partial)) as so_far:
                    if (so_far.frames_there >= 12).any():
                        self.cancel()
            super().report(fraction, text, **values)

    with pytest.raises(Cancelled):
        PIPELINE.run(beside, STUDY, store, progress=UntilTheSecondHasSome(), memory=memory)
    with closing(store.results(partial.name.split(".")[0]).open()) as so_far:
        there = so_far.frames_there
        rows = so_far.table(TABLE)[1][there]
        np.testing.assert_allclose(rows[:, motion], expected[there], rtol=1e-9)
        assert so_far.n_frames <= len(there) < 48 and (there >= 12).any()

    with closing(PIPELINE.run(beside, STUDY, store, progress=Silent(), memory=memory).open()) as again:
        assert again.report == {"points": 48, "points_kept": len(there)}
        np.testing.assert_allclose(again.table(TABLE)[1][:, motion], expected, rtol=1e-9)


def test_unreduced_solutions_outlive_another_choice_of_modes(project, outcome):
    """They depend on model, joints, support and loads alone; so nobody waits for them twice."""
    _, store, memory = outcome
    body, (full, study) = project.bodies[0], project.analyses

    def computed_by(changed):
        plan = PIPELINE.plan(changed, STUDY, store, memory=memory)
        return {step.target.item for step in plan if step.target.stage == "analysis" and not step.ready}

    references = {reference.name for reference in study.references()}
    assert computed_by(project) == set()
    for method in ({"kind": "weighted_pod", "count": 7}, {"kind": "pod"}):
        other = project.with_(bodies=(body.with_(joint_modes=method),))
        assert computed_by(other) == set()  # the study has methods and numbers of its own
    for changes in ({"counts": (0, 9)}, {"methods": ({"kind": "pod"},)}):
        other = project.with_(analyses=(full, study.with_(**changes)))
        assert computed_by(other) == {"study"}
    elsewhere = project.with_(
        analyses=(full, study.with_(support="tip", loads=({**LOAD, "interface": "hold"},)))
    )
    assert computed_by(elsewhere) >= {"study", "study, load 1 unreduced"}
    softer = body.joints[0].with_(contact_law={"kind": "linear_penalty", "stiffness": 1234.0})
    assert computed_by(project.with_(bodies=(body.with_(joints=(softer,)),))) == {"study", *references}


def test_an_unreduced_analysis_of_the_same_load_serves_the_study(project, outcome):
    _, store, _ = outcome
    reference = Target("analysis", "plates", "study, load 1 unreduced")
    assert PIPELINE.key_of(project, reference) == PIPELINE.key_of(project, UNREDUCED)
    kept = {recipe.item for recipe in PIPELINE.reached(project, store)}
    assert {"study", "study, load 4 unreduced"} <= kept


def test_two_analyses_of_one_name_are_a_sentence(project):
    taken = project.analyses[0].with_(name="study, load 1 unreduced")
    with pytest.raises(ModelError, match="two analyses called"):
        PIPELINE.key_of(project.with_(analyses=(taken, project.analyses[1])), STUDY)


def test_body_without_joint_or_load_is_a_sentence(project, tmp_path):
    study = project.analysis("study")
    silent = project.with_(analyses=(study.with_(loads=()),))
    with pytest.raises(ModelError, match="no load"):
        PIPELINE.run(silent, STUDY, ArtifactStore(tmp_path))
    still = project.with_(analyses=(study.with_(loads=({"interface": "tip"},)),))
    with pytest.raises(ModelError, match="is zero"):
        PIPELINE.run(still, STUDY, ArtifactStore(tmp_path))
    alone = project.with_(bodies=(project.bodies[0].with_(joints=()),), analyses=(study,))
    with pytest.raises(ModelError, match="no joint"):
        PIPELINE.run(alone, STUDY, ArtifactStore(tmp_path))


def test_preload_cases_without_a_load_are_a_load_case(project, outcome, tmp_path):
    """Kind: unreduced model. Gaps under a preload case are those under its one force that no support takes."""
    taken = {"kind": "node_force", "node_set": "HOLD", "force": [0.0, 0.0, 5.0], "moment": [0.0, -200.0, 0.0]}
    case = {"name": "pull", "loads": [{"kind": "node_force", **LOAD}, taken]}
    body = project.bodies[0].with_(preloads=(case,))
    study = project.analysis("study").with_(loads=(), preloads=("pull",), preload_modes=False)
    pulled = project.with_(bodies=(body,), analyses=(study,))
    with closing(PIPELINE.run(pulled, STUDY, ArtifactStore(tmp_path)).open()) as results:
        assert results.n_frames == 2 * 3 + 1
        full = rows_of(results, method=-1)
        loaded = rows_of(outcome[0], method=-1, load=0)
        assert full["gap norm"] == pytest.approx(loaded["gap norm"], rel=1e-6)
        assert np.isnan(rows_of(results, method=0)["motion"]).all()
        errors = np.abs(rows_of(results, method=1)["gap norm error"])
        assert errors[-1] < 0.5 * errors[0]


def test_counts_are_sorted_and_bounded():
    study = build(ConvergenceStudy, WORDS)
    assert study.counts == (0, 3, 8)
    with pytest.raises(ModelError, match="0 to 2000"):
        study.with_(counts=(-1,))
