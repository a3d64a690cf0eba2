"""Parameter sweeps: any decision over a grid, a list or a Latin hypercube; a point that fails costs itself."""

import csv
from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest

from faying.analyses.sweep import Sweep, taken
from faying.cli import main
from faying.errors import Cancelled, ModelError
from faying.params import build
from faying.progress import CancelFlag, Silent
from faying.project import edits
from faying.project.decisions import decision_name, decision_of, decisions_of
from faying.project.deck import with_digests
from faying.project.file_names import files_read, with_absolute_files
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.stages.sweep import TABLE
from faying.project.study import read_study, write_study
from faying.project.sweep_points import SweepPlan
from faying.project.sweep_work import SweepWork, prepared, remove_what_nobody_needs
from faying.session import Session, read
from faying.testing.plates import plates, write_plate_deck

FRICTION = "bodies.plates.joints.lap.friction_law.friction_coefficient"
FORCE = "analyses.static.loads.tip.force.z"
STIFFNESS = "bodies.plates.joints.lap.contact_law.stiffness"
TARGET = Target("sweep", "", "sweep")
TIP = {"quantity": "tip uz", "name": "tip"}
WORDS = {
    "kind": "sweep", "name": "sweep", "analysis": "static", "processes": 1,
    "variations": [{"decision": FORCE, "values": [-5.0, "-10 N", 5.0]}], "responses": [TIP],
}  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    project = plates(write_plate_deck(tmp_path_factory.mktemp("deck") / "plates.inp"))
    return project.with_(analyses=(project.analyses[0].with_(name="static", friction=True),))


@pytest.fixture(scope="module")
def artifacts(tmp_path_factory):
    """What sweeps of the same body share."""
    return tmp_path_factory.mktemp("artifacts")


def with_sweep(base, **words):
    return edits.add_analysis({**WORDS, **words})(base)


def table_of(session, name="sweep"):
    with closing(session.results(name)) as results:
        heads, rows = results.table(TABLE)
        return dict(zip(heads, rows.T, strict=True)), results.report


def tip_under(base, force, artifacts, **laws):
    """The analysis alone, with the decisions of a point made by hand."""
    project = edits.set_value(("analyses", 0, "loads", 0, "force"), (0.0, 0.0, force))(base)
    for name, value in laws.items():
        project = edits.set_value(("bodies", 0, "joints", 0, "contact_law", name), value)(project)
    session = Session(project, artifacts)
    session.run()
    with closing(session.results("static")) as results:
        return float(results.curve("tip uz")[-1])


def test_each_point_is_what_the_analysis_gives_with_its_decisions(base, artifacts):
    session = Session(with_sweep(base), artifacts)
    session.compute(TARGET)
    table, report = table_of(session)
    assert list(table) == ["point", "force z", "tip", "seconds"] and table["point"].tolist() == [1, 2, 3]
    expected = [tip_under(base, force, artifacts) for force in (-5.0, -10.0, 5.0)]
    np.testing.assert_allclose(table["tip"], expected, rtol=1e-12)
    assert len(set(expected)) == 3
    # The smallest is best.
    assert report["best_point"] == 1 + int(np.argmin(expected))
    assert report["worst_point"] == 1 + int(np.argmax(expected))


def test_what_all_points_share_is_there_before_the_first(base, tmp_path):
    """Else processes that begin at the same time would each compute the body's matrices."""
    project = with_sweep(base)
    sweep = project.analysis("sweep")
    work = SweepWork(
        SweepPlan(project, sweep), sweep.analysis, sweep.responses, tmp_path, tmp_path / "store", None
    )
    keys = prepared(work, Silent())
    assert keys and all(work.store.has(key) for key in keys)


def test_decisions_are_named_by_their_things_and_numbered_where_names_are_none_or_twice(base):
    """Sweeps decide nothing that another sweep could vary."""
    static = base.analyses[0]
    twice = base.with_(analyses=(static.with_(loads=(*static.loads, *static.loads)),))
    known = decisions_of(with_sweep(twice))
    assert FORCE in decisions_of(base) and FORCE not in known
    for i in (0, 1):
        found = known[f"analyses.static.loads.{i}.force.z"]
        assert found.path == ("analyses", 0, "loads", i, "force", 2)
    assert {name.split(".")[1] for name in known if name.startswith("analyses.")} == {"static"}


def test_grids_lists_and_hypercubes_have_their_points(base):
    two = [
        {"decision": FRICTION, "lowest": 0.1, "highest": 0.3, "count": 3},
        {"decision": STIFFNESS, "lowest": 1e4, "highest": "1e6 N/mm^3", "count": 3, "spacing": "logarithmic"},
    ]  # fmt: skip

    def values(**words):
        project = with_sweep(base, variations=two, **words)
        return [point.values for point in SweepPlan(project, project.analysis("sweep")).points]

    grid = values()
    assert len(grid) == 9 and grid[0] == (0.1, 1e4) and grid[-1] == (0.3, 1e6)
    assert grid[1] == (0.1, pytest.approx(1e5))
    assert values(plan="list") == [(0.1, 1e4), (0.2, pytest.approx(1e5)), (0.3, 1e6)]
    cube = np.array(values(plan="latin_hypercube", points=8, seed=3))
    # One point in each of eight intervals of each decision, of the second one's logarithms.
    shares = np.column_stack([(cube[:, 0] - 0.1) / 0.2, np.log10(cube[:, 1] / 1e4) / 2.0])
    for column in shares.T:
        assert sorted(np.floor(8 * column).astype(int)) == list(range(8))
    assert values(plan="latin_hypercube", points=8, seed=3) == [tuple(row) for row in cube.tolist()]
    assert values(plan="latin_hypercube", points=8, seed=4) != [tuple(row) for row in cube.tolist()]


def test_texts_are_varied_as_typed_and_numbers_by_what_is_typed(base):
    def values(decision, given):
        project = with_sweep(base, variations=[{"decision": decision, "values": given}])
        plan = SweepPlan(project, project.analysis("sweep"))
        return [point.values[0] for point in plan.points], [plan.numbers_of(point) for point in plan.points]

    texts = ["001", "1e3", "true"]
    assert values("bodies.plates.interfaces.tip.node_set", texts) == (texts, [(1.0,), (2.0,), (3.0,)])
    assert values(STIFFNESS, ["1e3", "20 N/mm^3", 7])[0] == pytest.approx([1000.0, 20.0, 7.0])
    assert values("analyses.static.friction", ["false", True])[0] == [False, True]
    assert values("bodies.plates.reduction.vibration_modes", ["3", "04"])[0] == [3, 4]


def test_names_with_slashes_are_told_whole_unless_they_are_of_files(base):
    names = ["grips/left", "grips/right"]
    variation = {"decision": "bodies.plates.interfaces.tip.node_set", "values": names}
    project = with_sweep(base, variations=[variation])
    plan = SweepPlan(project, project.analysis("sweep"))
    assert [point.label for point in plan.points] == [f"node set = {name}" for name in names]


def test_decisions_are_found_by_name_and_follow_when_things_are_renamed(base):
    known = decisions_of(base)
    assert known[FRICTION].value == base.bodies[0].joints[0].friction_law.friction_coefficient
    assert decision_of(base, "bodies[0].joints[0].friction_law.friction_coefficient").name == FRICTION
    assert decision_name(base, known[FORCE].path) == FORCE
    project = with_sweep(base, variations=[{"decision": FRICTION, "values": [0.1]}])
    renamed = edits.rename(("bodies", 0, "joints", 0), "dotted. name")(project)
    sweep = renamed.analysis("sweep")
    assert sweep.variations[0].decision == FRICTION.replace("lap", "dotted. name")
    assert SweepPlan(renamed, sweep).decisions[0].path == known[FRICTION].path
    assert edits.rename(("analyses", 0), "end")(renamed).analysis("sweep").analysis == "end"


def test_curves_that_a_sweep_takes_follow_when_what_they_belong_to_is_renamed(base):
    taken = ("lap closed share", "lap top u", "tip uz", "steps", "maximum(von_mises)")
    project = with_sweep(base, responses=[{"quantity": quantity} for quantity in taken])
    project = edits.add_joint("plates", project.bodies[0].joints[0].with_(name="lap top"))(project)
    tip = [each.name for each in project.bodies[0].interfaces].index("tip")
    for path, name in (((0, "joints", 0), "seam"), ((0, "interfaces", tip), "end")):
        project = edits.rename(("bodies", *path), name)(project)
    names = tuple(each.quantity for each in project.analysis("sweep").responses)
    assert names == ("seam closed share", "lap top u", "end uz", "steps", "maximum(von_mises)")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"variations": [{"decision": FRICTION.replace("lap", "lab"), "values": [1]}]}, f"Did you mean '{FRICTION}'"),
        ({"variations": [{"decision": FRICTION, "values": [-0.5]}]}, "cannot set .*-0.5.*bounds are ≥ 0"),
        ({"variations": [{"decision": FRICTION, "values": ["red"]}]}, "cannot set .*'red'"),
        ({"variations": [{"decision": FRICTION, "lowest": 0.3, "highest": 0.1}]}, "smaller end first"),
        (
            {"variations": [{"decision": FRICTION, "lowest": 0, "highest": 1, "spacing": "logarithmic"}]},
            "no logarithm",
        ),
        ({"variations": [{"decision": "bodies.plates.joints_tied", "lowest": 0, "highest": 1}]}, "is no number"),
        ({"variations": [{"decision": FRICTION, "values": [0.1]}] * 2}, "varied twice"),
        (
            {
                "plan": "list",
                "variations": [{"decision": FRICTION, "values": [0.1]}, {"decision": FORCE, "values": [1.0, 2.0]}],
            },
            "have 1 and 2 values",
        ),
        (
            {"variations": [{"decision": d, "lowest": 1, "highest": 2, "count": 999} for d in (FRICTION, FORCE)]},
            "998001 points, more than",
        ),
        ({"analysis": "sweep"}, "is a sweep itself"),
        ({"analysis": "statik"}, "Did you mean 'static'"),
    ],
)  # fmt: skip
def test_what_cannot_be_varied_is_told_before_anything_is_computed(base, tmp_path, words, sentence):
    session = Session(with_sweep(base, **words), tmp_path / "artifacts")
    with pytest.raises(ModelError, match=sentence):
        session.compute(TARGET)
    assert not list((tmp_path / "artifacts").glob("*.h5"))
    errors = [found for found in session.check() if found.severity == "error"]
    assert any(found.entity[:2] == ("analyses", 1) for found in errors)


def test_a_point_that_fails_costs_itself_and_is_named(base, artifacts, tmp_path):
    sweep = {"variations": [{"decision": "analyses.static.support", "values": ["nowhere", "hold"]}]}
    session = Session(with_sweep(base, **sweep), artifacts)
    session.compute(TARGET)
    table, report = table_of(session)
    assert np.isnan(table["tip"]).tolist() == [True, False]
    ((label, why),) = report["not_computed"].items()
    assert label == "support = nowhere" and "nowhere" in why
    path = tmp_path / "sweep.faying"
    session.save(path)
    assert main(["export", str(path), "--table", "--to", str(tmp_path / "table.csv")]) == 0
    rows = list(csv.DictReader((tmp_path / "table.csv").open()))
    assert [row["name"] for row in rows] == ["support = nowhere", "support = hold"]
    assert [bool(row["not computed"]) for row in rows] == [True, False]
    assert rows[0]["tip [mm]"] == "" and float(rows[1]["tip [mm]"]) == table["tip"][1]


def test_numbers_of_curves_reports_and_fields(base, artifacts):
    responses = [
        TIP,
        {"quantity": "maximum(pressure)", "take": "maximum", "name": "most pressure"},
        {"quantity": "pressure", "take": "mean", "joint": "lap"},
        {"quantity": "von_mises", "take": "maximum"},
        {"quantity": "steps", "name": "steps"},
    ]
    session = Session(with_sweep(base, responses=responses[:4]), artifacts)
    session.compute(TARGET)
    table, report = table_of(session)
    assert not report["not_computed"]
    solution = Session(base, artifacts).solve("static")
    alone = [np.nanmax(solution.field("pressure")), np.nanmean(solution.field("pressure"))]
    row = int(np.argmin(np.abs(table["tip"] - solution.curve("tip uz")[-1])))
    np.testing.assert_allclose([table["most pressure"][row], table["pressure, mean"][row]], alone, rtol=1e-9)
    assert (table["von_mises, maximum"] > 0.0).all()
    unknown = Session(with_sweep(base, responses=[{"quantity": "tip uy_"}]), artifacts)
    unknown.compute(TARGET)
    _, report = table_of(unknown)
    assert len(report["not_computed"]) == 3
    assert all("Did you mean 'tip uy'" in why for why in report["not_computed"].values())
    values = np.array([3.0, np.nan, -4.0, 1.0])
    taken_of = {
        how: taken(values, how) for how in ("first", "last", "maximum", "minimum", "largest", "mean", "range")
    }
    assert taken_of == {
        "first": 3.0, "last": 1.0, "maximum": 3.0, "minimum": -4.0, "largest": 4.0, "mean": 0.0, "range": 7.0,
    }  # fmt: skip


def test_results_are_left_of_the_best_and_worst_point_alone_and_an_edit_makes_it_stale(base, tmp_path):
    others = [tmp_path / f"{'e' * 32}{ending}" for ending in (".partial.h5", ".h5", ".json")]

    class Meanwhile:
        """Somebody else computes in the same store."""

        def report(self, fraction, text="", **values):
            for path in others if "force z" in text else ():
                path.write_text("{}")

    session = Session(
        with_sweep(base, variations=[{"decision": FORCE, "lowest": 1, "highest": 4, "count": 4}]), tmp_path
    )
    session.compute(TARGET, Meanwhile())
    assert len(list(tmp_path.glob("*.results.h5"))) == 3  # and those of the sweep
    assert all(path.exists() for path in others)
    # They are not taken for earlier results of the analysis itself.
    assert session.state(Target("analysis", "plates", "static")).status == "missing"
    assert session.state(TARGET).status == "ready"
    for edit in (
        edits.set_value(("bodies", 0, "joints", 0, "contact_law", "stiffness"), 1e5),
        edits.set_value(("analyses", 1, "variations", 0, "count"), 5),
        edits.set_value(("analyses", 0, "loads", 0, "force"), (1.0, 0.0, 0.0)),
    ):
        assert Session(edit(session.project), tmp_path).state(TARGET).status == "stale"
    renamed = edits.rename(("analyses", 1), "another name")(session.project)
    assert Session(renamed, tmp_path).state(Target("sweep", "", "another name")).status == "ready"


@pytest.mark.slow
def test_what_single_points_are_made_of_goes_with_them(base, tmp_path):
    """Each point has a basis of its own; those of the best and the worst stay, and what the project itself has."""
    count = {"decision": "bodies.plates.joint_modes.count", "values": [1, 2, 4]}
    pressed = edits.set_value(("analyses", 0, "loads", 0, "force"), (0.0, 0.0, -10.0))
    law = {"kind": "coulomb", "sticking_stiffness": 1e4, "sliding_stiffness": 500.0}
    rubbing = edits.set_value(("bodies", 0, "joints", 0, "friction_law"), law)
    base = rubbing(pressed(base))  # that no two points are alike
    session = Session(with_sweep(base, variations=[count]), tmp_path)
    session.compute(TARGET)
    bodies = [recipe for recipe in session.store.recipes().values() if recipe.stage == "body"]
    there = {recipe.key for recipe in bodies if session.store.has(recipe.key)}
    table, report = table_of(session)
    assert np.diff(np.sort(table["tip"])).min() > 1e-3 and len(there) == 2
    for number in (report["best_point"], report["worst_point"]):
        project = edits.set_value(("bodies", 0, "joint_modes", "count"), count["values"][number - 1])(base)
        assert Session(project, tmp_path).state(Target("analysis", "plates", "static")).status == "ready"
        assert Session(project, tmp_path).state(Target("body", "plates")).status == "ready"


def test_an_interrupted_sweep_keeps_its_points(base, artifacts):
    class AfterTwo(CancelFlag):
        def report(self, fraction, text="", **values):
            if "= 3 N" in text:
                self.cancel()
            super().report(fraction, text, **values)

    varied = {"decision": FORCE, "values": [1.0, 2.0, 3.0, 4.0]}
    session = Session(with_sweep(base, variations=[varied]), artifacts)
    with pytest.raises(Cancelled):
        session.compute(TARGET, AfterTwo())
    assert session.state(TARGET).status == "partial"
    session.compute(TARGET)
    table, report = table_of(session)
    assert report["points_kept"] == 2 and not np.isnan(table["tip"]).any()


@pytest.mark.slow
def test_points_of_two_processes_are_those_of_one(base, artifacts, tmp_path):
    one, two = (
        Session(with_sweep(base, processes=n), folder) for n, folder in ((1, artifacts), (2, tmp_path))
    )
    for session in (one, two):
        session.compute(TARGET)
    np.testing.assert_allclose(table_of(two)[0]["tip"], table_of(one)[0]["tip"], rtol=1e-12)


def test_a_study_file_holds_a_sweep_and_the_command_line_computes_it(base, tmp_path):
    Session(with_sweep(base)).save(tmp_path / "study.toml")
    text = (tmp_path / "study.toml").read_text()
    assert "-10 N" in text and FORCE in text
    assert read(tmp_path / "study.toml").project.analysis("sweep") == build(
        Sweep, {k: v for k, v in WORDS.items() if k != "kind"}
    )
    assert main(["run", str(tmp_path / "study.toml")]) == 0
    session = read(tmp_path / "study.faying")
    assert session.state(TARGET).status == "ready"
    assert not np.isnan(table_of(session)[0]["tip"]).any()


# --- decks that are varied

DECKS = {"decision": "bodies.plates.model.path"}


@pytest.fixture
def over_decks(base, tmp_path):
    """A project of decks in two folders, that has a sweep over them with relative paths."""
    for name in ("coarse", "fine"):
        (tmp_path / name).mkdir()
        write_plate_deck(tmp_path / name / "plates.inp", divisions=4 if name == "coarse" else 6)
    values = [f"{name}/plates.inp" for name in ("coarse", "fine")]
    project = edits.set_value(("bodies", 0, "model", "path"), values[0])(base)
    return with_sweep(project, variations=[DECKS | {"values": values}])


def test_a_sweep_depends_on_what_is_in_the_files_that_it_varies(over_decks, tmp_path):
    fine = tmp_path / "fine" / "plates.inp"

    def key():
        return PIPELINE.key_of(over_decks, TARGET, tmp_path)

    before = key()
    fine.write_text(f"{fine.read_text()}*INCLUDE, INPUT=more.inc\n")
    (tmp_path / "fine" / "more.inc").write_text("** one\n")
    including = key()
    (tmp_path / "fine" / "more.inc").write_text("** two, longer\n")
    assert len({before, including, key()}) == 3
    # The same files elsewhere are the same sweep, and one that is not there is told.
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in ("coarse", "fine"):
        (tmp_path / name).rename(moved / name)
    assert PIPELINE.key_of(over_decks, TARGET, moved) == PIPELINE.key_of(
        with_absolute_files(over_decks, moved), TARGET
    )
    (moved / "fine" / "plates.inp").unlink()
    with pytest.raises(ModelError, match=r"The file .*plates\.inp is not there"):
        PIPELINE.key_of(over_decks, TARGET, moved)


def test_paths_of_varied_files_count_from_the_file_that_has_the_sweep(over_decks, tmp_path):
    study = tmp_path / "study.toml"
    write_study(over_decks, study, tmp_path)
    decks = [tmp_path / name / "plates.inp" for name in ("coarse", "fine")]
    project = read_study(study)
    plan = SweepPlan(project, project.analysis("sweep"))
    assert [point.values for point in plan.points] == [(str(deck),) for deck in decks]
    assert [point.label for point in plan.points] == ["path = coarse/plates.inp", "path = fine/plates.inp"]
    # Workers elsewhere get them, no output replaces them, and the study can move with them.
    assert {*decks} <= set(files_read(project, tmp_path))
    assert '"fine/plates.inp"' in study.read_text()
    write_study(project, study)
    assert '"fine/plates.inp"' in study.read_text()


def test_a_point_whose_deck_is_not_there_is_not_the_deck_of_the_project(over_decks, tmp_path):
    project = with_digests(over_decks, tmp_path)
    gone = edits.set_value(("analyses", 1, "variations", 0, "values"), ["gone/plates.inp", "gone.inp"])(
        project
    )
    plan = SweepPlan(gone, gone.analysis("sweep"))
    for point in plan.points:
        with pytest.raises(ModelError, match="The deck of body 'plates' is not there"):
            PIPELINE.key_of(plan.project_of(point), Target("model", "plates"), tmp_path)


# --- who else is there


def test_what_somebody_computes_just_now_stays(base, tmp_path):
    session = Session(base, tmp_path)
    for digit in "abc":
        (tmp_path / f"{digit * 32}.partial.h5").touch()
    (tmp_path / f"{'b' * 32}.lock").touch()
    work = SimpleNamespace(base=session.base, analysis="static", store=session.store, plan=None)
    remove_what_nobody_needs(work, ("a" * 32, "b" * 32), set(), base, ())
    assert {path.name[0] for path in tmp_path.glob("*.partial.h5")} == {"b", "c"}


def test_a_result_that_is_called_like_a_decision_decides_what_is_best(base, artifacts):
    responses = [TIP | {"name": "force z", "take": "largest"}, TIP | {"take": "largest"}]
    project = with_sweep(base, responses=responses)
    session = Session(project, artifacts)
    session.compute(TARGET)
    table, report = table_of(session)
    assert list(table) == ["point", "tip force z", "force z", "tip", "seconds"]
    assert (
        report["best_point"] == 1 + int(np.argmin(table["tip"])) != 1 + int(np.argmin(table["tip force z"]))
    )


def test_a_result_may_be_called_like_the_number_of_the_point(base, artifacts):
    session = Session(with_sweep(base, responses=[TIP | {"name": "point"}]), artifacts)
    session.compute(TARGET)
    with closing(session.results("sweep")) as results:
        heads, rows = results.table(TABLE)
        assert heads == ("point", "force z", "point", "seconds")
        assert results.report["best_point"] == 1 + int(np.argmin(rows[:, 2])) == 2


def test_a_search_finds_the_decision_by_which_a_measured_curve_was_made(base, artifacts, tmp_path):
    """And takes up where it was interrupted, with the same points."""

    class Later(CancelFlag):
        def report(self, fraction, text="", **values):
            if fraction > 0.1:
                self.cancel()
            super().report(fraction, text, **values)

    steps = base.analyses[0].with_(load_steps=2)
    true = edits.set_value(("analyses", 0, "loads", 0, "force"), (0.0, 0.0, -7.3))(
        base.with_(analyses=(steps,))
    )
    session = Session(true, artifacts)
    session.run()
    with closing(session.results("static")) as results:
        factors, curve = results.values, results.curve("tip uz")
    lines = [f"{a};{b * 1e3}" for a, b in zip(factors, curve, strict=True)]
    file = tmp_path / "measured.csv"
    file.write_text("\n".join(["load factor;uz [um]", *lines]))
    project = with_sweep(
        base.with_(analyses=(steps,)), plan="search", points=40, precision=1e-3,
        variations=[{"decision": FORCE, "lowest": -10.0, "highest": 0.0}],
        responses=[{"quantity": "tip uz", "measured": str(file), "name": "misfit"}],
    )  # fmt: skip
    session = Session(project, artifacts)
    with pytest.raises(Cancelled):
        session.compute(TARGET, Later())
    assert session.state(TARGET).status == "partial"
    session.compute(TARGET)
    table, report = table_of(session)
    count = report["points"]
    assert 0 < report["points_kept"] < count < 40 and report["search"] == "ended at its precision"
    best = report["best_point"] - 1
    assert table["force z"][best] == pytest.approx(-7.3, rel=2e-3)
    assert table["misfit"][best] < 2e-3 * abs(curve[-1]) < 1e-1 * table["misfit"][0]
    assert np.isnan(table["misfit"][count:]).all()


def test_a_search_says_what_it_needs(base):
    with pytest.raises(ModelError, match="A search needs ends between which"):
        SweepPlan(with_sweep(base, plan="search"), with_sweep(base, plan="search").analysis("sweep"))
