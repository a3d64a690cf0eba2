"""Motions that another program steps: by a script, and as an FMU that FMPy runs."""

import ast
import zipfile
from xml.etree import ElementTree

import numpy as np
import psutil
import pytest

import faying
from faying import edits
from faying.cli import main
from faying.errors import FayingError, MissingDependencyError
from faying.load_histories import load_histories
from faying.project.serialization import project_from_dict
from faying.session.co_simulation import CoSimulation, inputs_of
from faying.session.fmu import why_no_inputs, write_fmu
from faying.session.fmu_description import variable_name
from faying.testing.plates import write_plate_deck
from support.fmi_rules import FUNCTIONS, broken_rules
from support.systems import BAR

STEP, COUNT = 1e-4, 4
PUSH, SPEED = {"kind": "input", "input": "push"}, {"kind": "input", "input": "speed"}


def push(time):
    return np.sin(2.0 * np.pi * 400.0 * time)


def speed(time):
    return 1.0 - np.cos(2.0 * np.pi * 200.0 * time)


def as_it_was_set(history):
    """Each value is reached by the end of the step at whose start it was set."""
    points = [(0.0, history(0.0)), *(((k + 1) * STEP, history(k * STEP)) for k in range(COUNT))]
    return {"kind": "table", "points": points}


def project(deck, push, speed, contact=True):
    surfaces = {"master": "LOWER", "slave": "UPPER"}
    joint = {
        "name": "lap",
        **{role: {"kind": "deck_surface", "name": name} for role, name in surfaces.items()},
    }
    body = {
        "name": "plates", "model": {"path": str(deck)}, "joints": [{**joint, "friction_law": {"kind": "coulomb"}}],
        "interfaces": [{"name": "hold", "node_set": "HOLD"}, {"name": "tip", "node_set": "TIP"}],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 3},
        "joint_modes": {"kind": "weighted_pod", "count": 3},
    }  # fmt: skip
    at = {"first": "ground.hinge", "second": "bar.hold"}
    system = {
        "name": "arm", "ground": [{"name": "hinge"}],
        "parts": [
            {"kind": "flexible", "name": "bar", "body": "plates", "stiffness_damping": 1e-6, "joint_contact": contact}
        ],
        "constraints": [
            {"kind": "revolute", "name": "hinge", **at},
            {"kind": "prescribed_angular_speed", "name": "motor", "speed": 10.0, "time_history": speed, **at},
        ],
        "forces": [
            {"kind": "point_force", "name": "push", "marker": "bar.tip", "force": (0, 0, -20.0), "time_history": push}
        ],
    }  # fmt: skip
    run = {
        "kind": "motion", "name": "run", "system": "arm", "duration": STEP * COUNT, "frames": COUNT,
        "integrator": {"kind": "hht", "largest_step": 1e-5, "first_step": 1e-5, "fixed_step": True},
    }  # fmt: skip
    return project_from_dict({"name": "Arm", "bodies": [body], "systems": [system], "analyses": [run]})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("fmu")
    write_plate_deck(made / "plates.inp")
    return made


def stepped(folder, contact):
    """Return the outputs after each step of a motion that a script steps."""
    with faying.Session(
        project(folder / "plates.inp", PUSH, SPEED, contact), folder / "artifacts"
    ) as session:
        motion = CoSimulation(session, "run")
        rows = [motion.outputs]
        for k in range(COUNT):
            motion.set("push", push(k * STEP))
            motion.set("speed", speed(k * STEP))
            motion.advance((k + 1) * STEP)
            rows.append(motion.outputs)
        assert motion.time == pytest.approx(COUNT * STEP, rel=1e-9)
    return rows


def moved(folder, contact):
    tables = [as_it_was_set(history) for history in (push, speed)]
    session = faying.Session(project(folder / "plates.inp", *tables, contact), folder / "artifacts")
    return session.move("run")


def test_a_motion_that_is_stepped_is_the_one_of_a_run_with_the_same_loads(folder):
    rows, motion = stepped(folder, contact=False), moved(folder, contact=False)
    for name in ("bar.tip x", "bar.tip y", "bar.tip z", "hinge angle", "elastic energy", "motor moment z"):
        found, expected = np.array([row[name] for row in rows]), motion.curve(name)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8 * np.abs(expected).max(), err_msg=name)
        assert np.abs(expected).max() > 0.0


def test_tables_of_contact_laws_count_from_the_folder_of_the_project(folder):
    """Where the project names its files relative to its folder, which is not the current one."""
    made = project(folder / "plates.inp", {"kind": "constant"}, {"kind": "constant"}, contact=False)
    (folder / "law.csv").write_text("gap,pressure\n0,0\n-0.001,5\n", encoding="utf-8")
    law = {"kind": "tabulated", "path": "law.csv"}
    made = edits.set_value(("bodies", 0, "joints", 0, "contact_law"), law)(made)
    made = edits.set_value(("analyses", 0, "duration"), STEP)(made)
    with faying.Session(made, folder / "artifacts", base=folder) as session:
        assert "bar.tip z" in CoSimulation(session, "run").outputs
        assert session.move("run").curve("bar.tip z").shape == (COUNT + 1,)


@pytest.mark.slow  # two more motions; joints in motion have tests of their own
def test_a_joint_in_a_stepped_motion_closes_as_in_a_run(folder):
    """Steps end where another program asks them to: with contact they are others, and the motion is the same within
    their error."""
    rows, motion = stepped(folder, contact=True), moved(folder, contact=True)
    for name, share in (("bar.tip z", 0.01), ("bar: lap normal force", 0.1), ("elastic energy", 0.1)):
        found, expected = np.array([row[name] for row in rows]), motion.curve(name)
        np.testing.assert_allclose(found, expected, rtol=0, atol=share * np.abs(expected).max(), err_msg=name)
    pressed = np.array([row["bar: lap largest pressure"] for row in rows])
    gaps = np.array([row["bar: lap smallest gap"] for row in rows])
    assert pressed.max() > 0.0 and (gaps[pressed > 0.0] < 0.0).all()


def test_fast_modes_may_follow_their_statics_in_a_stepped_motion(folder):
    made = project(folder / "plates.inp", {**PUSH, "value": 1.0}, SPEED)
    separate = made.analyses[0].integrator.with_(separate_modes=True, separation_frequency=1.0)
    made = made.with_(analyses=(made.analyses[0].with_(integrator=separate),))
    with faying.Session(made, folder / "artifacts") as session:
        motion = CoSimulation(session, "run")
        motion.advance(STEP)
        motion.advance(2 * STEP)
        moved = session.move("run").curve("bar.tip z")[:3]
        assert motion.outputs["bar.tip z"] == pytest.approx(moved[2], abs=0.02 * np.ptp(moved))


def test_a_motion_that_goes_on_from_another_leaves_its_results_closed(folder):
    """Also where it cannot begin, for as long as somebody looks at the error."""
    made = project(folder / "plates.inp", {**PUSH, "value": 1.0}, SPEED, contact=False)
    run = made.analyses[0]
    on = run.with_(name="on", start_from="run")
    made = made.with_(analyses=(run, on, on.with_(name="too late", start_frame=10 * COUNT)))

    def opened():
        return [file.path for file in psutil.Process().open_files() if file.path.endswith(".results.h5")]

    with faying.Session(made, folder / "artifacts") as session:
        motion = CoSimulation(session, "on")
        assert motion.outputs["bar.tip z"] == pytest.approx(session.move("run").curve("bar.tip z")[-1])
        before = opened()
        with pytest.raises(FayingError, match="frame") as caught:
            CoSimulation(session, "too late")
        assert opened() == before and caught.tb is not None


def test_inputs_are_known_and_wrong_ones_are_told(folder):
    made = project(folder / "plates.inp", {**PUSH, "value": 0.5}, SPEED)
    assert inputs_of(made, "arm") == {"push": 0.5, "speed": 0.0}
    with faying.Session(made, folder / "artifacts") as session:
        motion = CoSimulation(session, "run")
        assert motion.inputs == {"push": 0.5, "speed": 0.0}
        with pytest.raises(FayingError, match=r"no input called 'pull'. There are: speed, push"):
            motion.set("pull", 1.0)


def test_an_input_goes_straight_from_value_to_value_and_so_does_its_integral():
    history = load_histories["input"](input="a", value=2.0)
    assert (history.factor(5.0), history.integral(5.0)) == (2.0, 10.0)
    for time, value in ((1.0, 4.0), (3.0, 8.0), (4.0, 0.0)):
        history.reach(time, value)
    assert [history.factor(t) for t in (0.0, 1.0, 2.0, 3.5, 9.0)] == [4.0, 4.0, 6.0, 4.0, 0.0]
    times = np.linspace(0.0, 6.0, 6001)
    expected = np.trapezoid([history.factor(t) for t in times], times)
    assert history.integral(6.0) == pytest.approx(expected, rel=1e-6)
    assert history.integral(0.5) == 2.0


def test_without_pythonfmu_it_is_said_what_lacks(folder, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pythonfmu.builder", None)
    made = project(folder / "plates.inp", PUSH, SPEED)
    with (
        faying.Session(made, folder / "artifacts") as session,
        pytest.raises(MissingDependencyError, match=r"faying\[fmi\]"),
    ):
        write_fmu(session, "run", tmp_path / "arm.fmu", replace=False)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("read", [("bar.tip z", "hinge force y", "motor moment z", "kinetic energy")])
def test_a_motion_whose_inputs_rest_is_that_of_a_run(folder, read):
    """Also where steps are as long as the error allows, in forces as in positions: each step is one of the run."""
    made = project(folder / "plates.inp", {**PUSH, "value": 0.5}, {"kind": "constant"}, contact=False)
    made = edits.set_value(
        ("analyses", 0, "integrator"), {"kind": "hht", "largest_step": 7e-5, "first_step": 1e-6}
    )(made)
    with faying.Session(made, folder / "artifacts") as session:
        motion, run = CoSimulation(session, "run"), session.move("run")
        rows = [motion.outputs]
        for k in range(COUNT):
            motion.advance((k + 1) * STEP)
            rows.append(motion.outputs)
        for name in read:
            expected = run.curve(name)
            found = [row[name] for row in rows]
            np.testing.assert_allclose(
                found, expected, rtol=0, atol=1e-9 * np.abs(expected).max(), err_msg=name
            )
        # Once an input changes the steps end where it does; the step that went past that is taken back.
        motion.set("push", 1.0)
        motion.advance((COUNT + 1) * STEP)
        assert motion.time == pytest.approx((COUNT + 1) * STEP, rel=1e-9)


def test_inputs_set_at_the_start_act_there(folder):
    """Outputs before the first step are under them: the push of 20 N at the tip holds the plates down at once."""
    made = project(folder / "plates.inp", PUSH, {"kind": "constant"}, contact=False)
    with faying.Session(made, folder / "artifacts") as session:
        free, pushed = CoSimulation(session, "run"), CoSimulation(session, "run")
        free.begin()
        pushed.set("push", 1.0)
        pushed.begin()
        assert pushed.time == 0.0
        assert pushed.outputs["hinge moment y"] != pytest.approx(free.outputs["hinge moment y"], rel=0.01)


def test_an_fmu_without_inputs_is_called_so_before_it_is_written(folder, tmp_path, capsys):
    made = project(folder / "plates.inp", {"kind": "constant"}, {"kind": "constant"}, contact=False)
    assert "has no inputs" in why_no_inputs(made, "run")
    assert not why_no_inputs(project(folder / "plates.inp", PUSH, {"kind": "constant"}), "run")
    with faying.Session(made, folder / "artifacts") as session:
        session.save(tmp_path / "arm.toml")
    main(["export", str(tmp_path / "arm.toml"), "--outputs", "nothing", "--to", str(tmp_path / "arm.fmu")])
    assert "has no inputs" in capsys.readouterr().err


def test_names_of_variables_are_those_that_importers_read():
    taken = set()
    found = [
        variable_name(name, taken)
        for name in ("2nd.tip x", "ü 3", "a..b", "2nd tip.x", "tip x", "tip_x", "§")
    ]
    assert found == ["_2nd.tip_x", "_3", "a.b", "_2nd_tip.x", "tip_x", "tip_x_", "_"]


@pytest.mark.needs("pythonfmu", "fmpy")
def test_the_time_of_an_fmu_is_in_seconds(tmp_path):
    """A mass falls for 0.1 s, in a project that counts in mm, kg and ms: by 49 mm."""
    from fmpy import simulate_fmu

    system = {
        "name": "fall", "gravity": (0.0, 0.0, -9.81e-3), "parts": [{**BAR, "name": "m"}],
        "measures": [{"kind": "displacement", "name": "z", "second": "m.frame", "component": "z"}],
    }  # fmt: skip
    run = {"kind": "motion", "name": "run", "system": "fall", "duration": 100.0, "frames": 10}
    target = tmp_path / "fall.fmu"
    with faying.build(units="mm-kg-ms", systems=[system], analyses=[run]) as session:
        assert "needs Python" in session.write_fmu(target, outputs=["z"])
    found = simulate_fmu(target, stop_time=0.1, step_size=0.01, output_interval=0.01)
    np.testing.assert_allclose(found["z"], -0.5 * 9.81e3 * found["time"] ** 2, rtol=1e-6, atol=1e-9)
    with zipfile.ZipFile(target) as file:
        root = ElementTree.fromstring(file.read("modelDescription.xml"))
    assert float(root.find("DefaultExperiment").get("stopTime")) == pytest.approx(0.1)


@pytest.mark.needs("pythonfmu")
def test_names_in_an_fmu_are_text(folder, tmp_path):
    """What somebody else calls a motion is no code, and the FMU's own name is one of C."""
    evil = f'''ü" + open({str(tmp_path / "evil")!r}, "w").name + """'''
    made = project(folder / "plates.inp", PUSH, SPEED, contact=False)
    made = edits.rename(("systems", 0), 'he said "arm"')(edits.rename(("analyses", 0), evil)(made))
    target, other = tmp_path / "arm.fmu", tmp_path / "other.fmu"
    target.write_text("what was there")
    other.hardlink_to(target)
    with faying.Session(made, folder / "artifacts") as session:
        write_fmu(session, evil, target, outputs=["bar.tip z"], replace=True)
    assert not (tmp_path / "evil").exists()
    assert other.read_text() == "what was there"  # it is replaced as a whole
    with zipfile.ZipFile(target) as file:
        (script,) = (name for name in file.namelist() if name.endswith("_slave.py"))
        code = ast.parse(file.read(script))
    assert repr(evil) in ast.get_docstring(code)
    (slave,) = (part for part in code.body if isinstance(part, ast.ClassDef))
    assert slave.name.isascii() and slave.name.startswith("Arm_")
    described = next(p for p in slave.body if isinstance(p, ast.Assign) and p.targets[0].id == "description")
    assert repr(evil) in ast.literal_eval(described.value)


@pytest.mark.needs("pythonfmu", "fmpy")
def test_an_fmu_moves_as_the_program_does(folder, tmp_path):
    from fmpy import read_model_description, simulate_fmu
    from fmpy.validation import validate_fmu

    study = tmp_path / "arm.toml"
    with faying.Session(
        project(folder / "plates.inp", PUSH, SPEED, contact=False), folder / "artifacts"
    ) as session:
        session.save(study)
    target = tmp_path / "arm.fmu"
    wanted = "bar.tip x, bar.tip z, hinge angle, bar.hold x"
    assert main(["export", str(study), "--outputs", wanted, "--to", str(target)]) == 0
    assert main(["export", str(study), "--outputs", "bar.top z", "--to", str(tmp_path / "x.fmu")]) == 1
    assert validate_fmu(str(target)) == []
    described = read_model_description(target, validate=True)
    causes = {v.name: v.causality for v in described.modelVariables}
    assert causes == {"push": "input", "speed": "input",
                      **dict.fromkeys(("bar.tip_x", "bar.tip_z", "hinge_angle", "bar.hold_x"), "output")}  # fmt: skip
    units = {v.name: (v.unit, v.displayUnit) for v in described.modelVariables}
    assert units["bar.tip_z"] == ("mm", None) and units["push"] == ("1", None)
    assert units["hinge_angle"] == ("rad", "deg")
    factors = {unit.name: unit.baseUnit.factor for unit in described.unitDefinitions}
    assert factors["mm"] == 0.001
    texts = {v.name: v.description for v in described.modelVariables}
    assert texts["push"] == "push: factor of 'push'." and texts["speed"] == "speed: factor of 'motor'."
    assert all(text.endswith(".") and len(text) > len(name) + 3 for name, text in texts.items())
    assert {each.variable.name for each in described.initialUnknowns} == {
        n for n, c in causes.items() if c == "output"
    }
    assert float(described.defaultExperiment.stopTime) == pytest.approx(COUNT * STEP)
    with zipfile.ZipFile(target) as file:
        inside = {name.rpartition("/")[2] for name in file.namelist()}
        assert broken_rules(ElementTree.fromstring(file.read("modelDescription.xml"))) == []
        (library,) = (file.read(name) for name in file.namelist() if name.endswith(".so"))
    assert [name for name in FUNCTIONS if f"fmi2{name}\0".encode() not in library] == []
    assert {"study.toml", "body_1.npz", "modelDescription.xml"} <= inside and "plates.inp" not in inside
    times = STEP * np.arange(COUNT + 1)
    signals = np.array(
        [(t, push(t), speed(t)) for t in times], dtype=[("time", float), ("push", float), ("speed", float)]
    )
    found = simulate_fmu(
        target, stop_time=COUNT * STEP, step_size=STEP, output_interval=STEP, input=signals, validate=True
    )
    rows = stepped(folder, contact=False)
    for variable, name in (
        ("bar.tip_x", "bar.tip x"),
        ("bar.tip_z", "bar.tip z"),
        ("hinge_angle", "hinge angle"),
    ):
        expected = np.array([row[name] for row in rows])
        np.testing.assert_allclose(found[variable], expected, rtol=0, atol=1e-9 * np.abs(expected).max())
