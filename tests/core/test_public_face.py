"""What a script or notebook gets from `import faying`: sessions, arrays, pictures, and sentences for bad use."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import faying
from faying import edits
from faying.cli import main, system
from faying.project.file import ProjectChanged
from faying.testing.plates import plates, write_plate_deck


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    folder = tmp_path_factory.mktemp("face")
    with faying.Session(plates(write_plate_deck(folder / "plates.inp")), folder / "artifacts") as session:
        session.apply(edits.set_value(("analyses", 0, "loads", 0, "force"), (0, 0, "-5 N")))
        session.run("body")
        yield session


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def test_the_import_alone_loads_nothing():
    done = run("import faying, sys; print([m for m in ('numpy', 'h5py', 'pydantic') if m in sys.modules])")
    assert done.stdout.strip() == "[]", done.stderr


def test_every_public_name_is_there_and_says_what_it_is():
    assert sorted(faying._PLACES) == sorted(set(faying.__all__) - {"__version__"})
    for name in faying.__all__:
        assert name in dir(faying)
        assert getattr(faying, name).__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        faying.nothing  # noqa: B018


def test_type_checkers_see_the_same_names():
    import ast
    from pathlib import Path

    tree = ast.parse(Path(faying.__file__).read_text(encoding="utf-8"))
    guarded = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.name: node.module for node in guarded.body for alias in node.names}
    assert seen == faying._PLACES


def test_a_project_of_words_with_units(tmp_path):
    deck = write_plate_deck(tmp_path / "plates.inp")
    made = faying.build(
        name="Plates",
        bodies=[
            {
                "name": "plates",
                "model": {"path": deck},
                "interfaces": ({"name": "hold", "node_set": "HOLD"}, {"name": "tip", "node_set": "TIP"}),
            }
        ],
        analyses=[
            {
                "kind": "static",
                "name": "press",
                "body": "plates",
                "support": "hold",
                "loads": [{"interface": "tip", "force": (0, 0, "0.1 kN")}],
            }
        ],
    )
    assert made.project.analyses[0].loads[0].force == (0.0, 0.0, 100.0)
    assert "'press' (missing)" in repr(made)
    with pytest.raises(
        faying.FayingError, match=r"analyses\[0\]\.loads\[0\]\.force\[2\]: '5 mm' is not a force"
    ):
        analysis = {"kind": "static", "name": "x", "body": "plates", "support": "hold"}
        faying.build(analyses=[{**analysis, "loads": [{"interface": "tip", "force": [0, 0, "5 mm"]}]}])
    folder = made.store.folder
    assert folder.is_dir()
    made.close()
    assert not folder.exists()


def test_every_edit_takes_units():
    session = faying.build(systems=[{"name": "s"}])
    session.apply(edits.add_part("s", {"kind": "rigid", "name": "a", "mass": "3 kg"}))
    session.apply(edits.set_value(("systems", 0, "parts", 0, "placement"), {"position": ("1 m", 0, "2 cm")}))
    session.apply(
        edits.add_force(
            "s",
            {
                "kind": "spring_damper",
                "name": "f",
                "first": "ground.a",
                "second": "a.b",
                "stiffness": "5 kN/mm",
            },
        )
    )
    system = session.project.systems[0]
    assert system.parts[0].mass == pytest.approx(3e-3)
    assert system.parts[0].placement.position == pytest.approx((1000.0, 0.0, 20.0))
    assert system.forces[0].stiffness == pytest.approx(5000.0)
    with pytest.raises(faying.FayingError, match=r"forces.*stiffness: '5 kg' is not a stiffness"):
        session.apply(
            edits.add_force(
                "s",
                {
                    "kind": "spring_damper",
                    "name": "g",
                    "first": "ground.a",
                    "second": "a.b",
                    "stiffness": "5 kg",
                },
            )
        )


def test_from_pairs_to_arrays(session):
    pairs, body = session.find_pairs("lap"), session.reduce()
    press = session.solve("press")
    pressure = press.field("pressure")
    assert pressure.shape == (len(pairs),) and np.all(pressure >= 0.0) and pressure.max() > 0.0
    np.testing.assert_allclose(press.field("pressure", unit="kPa"), 1e3 * pressure)
    assert press.field("displacement").shape == (len(session.read_model().nodes), 3)
    np.testing.assert_array_equal(press.points("lap"), session.read_model().nodes[pairs.slave_nodes])
    assert len(press.node_numbers()) == len(press.points())
    assert session.modes().n_frames == body.n_coordinates
    assert session.assemble().stiffness.shape[0] == session.assemble().dofs.n_dofs
    # Normal forces in the joint: what the curve of the run says.
    np.testing.assert_allclose(press.field("maximum(pressure)"), press.field("pressure", frame=-1))


def test_frames_by_number_and_by_time(session):
    swing = session.solve("swing")
    assert swing.n_frames == len(swing.values) == 5
    last = swing.field("gap")
    np.testing.assert_array_equal(swing.field("gap", frame=4), last)
    np.testing.assert_array_equal(swing.field("gap", at="0.1 ms"), last)
    np.testing.assert_array_equal(swing.field("gap", at=0.0), swing.field("gap", frame=0))


def test_curves_make_a_table(session):
    swing = session.solve("swing")
    table = swing.curves()
    assert next(iter(table)) == "Time" and set(table) == {"Time", *swing.curve_names}
    assert {len(column) for column in table.values()} == {swing.n_frames}
    np.testing.assert_allclose(swing.curve("tip uz", unit="m"), table["tip uz"] / 1000.0)
    assert swing.unit("tip uz") == "mm" and swing.unit("pressure") == "N/mm²"


@pytest.mark.needs("pandas")
def test_tables_of_a_solution_are_those_of_pandas(session):
    import pandas

    swing = session.solve("swing")
    table = pandas.DataFrame(swing.curves(units=True))
    assert list(table.columns) == list(swing.curves(units=True)) and len(table) == swing.n_frames
    assert list(pandas.DataFrame(swing.fields()).columns) == ["name", "title", "unit", "place"]


def test_nothing_private_is_offered():
    assert {name for name in dir(faying) if not name.startswith("__")} == set(faying.__all__) - {
        "__version__"
    }


def test_what_a_solution_has_is_listed(session):
    press, swing = session.solve("press"), session.solve("swing")
    assert len(swing.curve_keys) == len(swing.curve_names)
    np.testing.assert_array_equal(swing.curve(swing.curve_keys[0]), swing.curve(swing.curve_names[0]))
    assert {"Time [s]", "tip uz [mm]"} <= set(swing.curves("tip uz", units=True))
    offered = press.fields()
    assert {len(column) for column in offered.values()} == {len(offered["name"])}
    at = offered["name"].index("pressure")
    assert (offered["unit"][at], offered["place"][at]) == ("N/mm²", "joint")
    assert "velocity" not in offered["name"] and "velocity" in swing.fields()["name"]
    for name in offered["name"]:  # what is offered can be had
        assert len(press.field(name, joint="lap"))
    assert "reactions" in press.tables
    reactions = press.table("reactions")
    at = next(head for head in reactions if head.startswith("Force z"))
    assert at.endswith("[N]") and np.nanmax(np.abs(reactions[at])) == pytest.approx(5.0, rel=1e-6)
    with pytest.raises(faying.FayingError, match=r"has no table 'x'.*reactions"):
        press.table("x")


def test_extremes_leave_out_nodes_without_a_value(session):
    swing = session.solve("swing")
    stresses = np.stack([swing.field("von_mises", frame=i) for i in range(swing.n_frames)])
    assert np.isnan(stresses).any()  # reference nodes have no stress
    value, frame, row, point = swing.largest("von_mises", unit="Pa")
    assert value == pytest.approx(1e6 * np.nanmax(stresses)) and value == pytest.approx(
        1e6 * stresses[frame, row]
    )
    np.testing.assert_array_equal(point, swing.points()[row])
    assert swing.smallest("gap", frame=-1).value == pytest.approx(swing.field("gap").min())


def test_key_results_and_pages_for_notebooks(session, tmp_path):
    press = session.solve("press")
    found = press.key_results()
    assert {len(column) for column in found.values()} == {len(found["title"])} and found["title"]
    largest = next(i for i, title in enumerate(found["title"]) if title.startswith("Largest pressure"))
    assert (
        found["value"][largest] == pytest.approx(press.largest("pressure").value)
        and found["unit"][largest] == "N/mm²"
    )
    assert "Largest pressure" in press._repr_html_() and "&lt;" not in press._repr_html_()
    assert "<th>state</th>" in session._repr_html_() and "press" in session._repr_html_()
    session.write_report(tmp_path / "plates.html", author="Somebody & Son")
    assert "Somebody &amp; Son" in (tmp_path / "plates.html").read_text(encoding="utf-8")


def test_what_is_computed_is_found_again_and_edits_make_other_things(session):
    again = faying.Session(session.project, session.store.folder)
    assert again.state(again.targets()[0]).status == "ready"
    before = again.solve("press").field("gap")
    again.apply(edits.set_value(("analyses", 0, "loads", 0, "force"), (0, 0, "-0.01 kN")))
    assert again.state(again.targets()[0]).status in ("stale", "missing")
    assert not np.allclose(again.solve("press").field("gap"), before)
    again.apply(edits.set_value(("analyses", 0, "loads", 0, "force"), (0, 0, "-5 N")))
    np.testing.assert_array_equal(again.solve("press").field("gap"), before)


def test_the_command_line_and_the_face_read_the_same(session, tmp_path, capsys):
    file, table = tmp_path / "plates.faying", tmp_path / "pressure.csv"
    session.save(file)
    with faying.read(file) as opened:
        np.testing.assert_array_equal(
            opened.solve("press").field("pressure"), session.solve("press").field("pressure")
        )
    assert main(["export", str(file), "--field", "pressure", "--analysis", "press", "--to", str(table)]) == 0
    mine = tmp_path / "mine.csv"
    session.solve("press").write(mine, "pressure")
    assert mine.read_bytes() == table.read_bytes()
    with pytest.raises(faying.FayingError, match="nothing here writes"):
        session.solve("press").write(session.project.bodies[0].model.path, "gap")


@pytest.mark.parametrize("ending", [".faying", ".toml"])
def test_what_somebody_decided_in_the_file_meanwhile_is_not_overwritten_unasked(tmp_path, ending):
    file = tmp_path / f"plates{ending}"
    faying.build(note="first").save(file)
    mine, other = faying.read(file), faying.read(file)
    other.apply(edits.set_value(("note",), "decided by somebody else"))
    other.save(file)
    other.apply(edits.set_value(("name",), "again"))
    other.save(file)  # its own decisions it may replace as often as it likes
    mine.apply(edits.set_value(("note",), "mine"))
    with pytest.raises(ProjectChanged, match=f"plates{ending} was changed by another program meanwhile"):
        mine.save(file)
    assert faying.read(file).project.note == "decided by somebody else"
    (tmp_path / "folder").mkdir()
    with pytest.raises(ProjectChanged):
        mine.save(tmp_path / "folder" / ".." / file.name)
    mine.save(file, replace=True)
    assert faying.read(file).project.note == "mine"


def test_check_finds_what_the_command_finds(session):
    assert all(isinstance(found, faying.Finding) for found in session.check())


TWO = [{"name": name, "model": {"path": f"{name}.inp"}} for name in ("one", "two")]


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (
            lambda s: s.solve("pres"),
            "no analysis called 'pres'. Did you mean 'press'? There are: press, swing, full",
        ),
        (lambda s: s.solve(), "not said which analysis. There are: 'press', 'swing', 'full'"),
        (lambda s: s.move("press"), "'press' is of a body. Call solve"),
        (lambda s: s.find_pairs("lid"), "no joint called 'lid'. There are: 'lap' of 'plates'"),
        (lambda s: s.reduce("plate"), "no body called 'plate'. Did you mean 'plates'? There are: plates"),
        (lambda s: s.run("pear"), "no stage called 'pear'. Stages are: model"),
        (lambda s: s.solve("press").field("presure"), "no field called 'presure'. Known are: "),
        (lambda s: s.solve("press").field("pressure", joint="lid"), "no joint called 'lid'. There are: lap"),
        (
            lambda s: s.solve("press").field("pressure", unit="mm"),
            "'mm' is not a unit of stress. Write one such as N/mm²",
        ),
        (lambda s: s.solve("press").field("status", unit="mm"), "plain numbers, not in 'mm'"),
        (lambda s: s.solve("press").field("pressure", frame=90), "has no frame 90. Its frames are 0 to"),
        (lambda s: s.solve("swing").field("pressure", at="3 mm"), "'3 mm' is not a time"),
        (lambda s: s.solve("press").field("velocity"), "no moments in time, so nothing moves between them"),
        (
            lambda s: s.solve("press").curve("tip u"),
            "no curve 'tip u'. Did you mean 'tip uz'? It has: tip ux, ",
        ),
        (lambda s: s.solve("press").table("errors"), "no table 'errors'. It has: reactions"),
        (lambda s: s.solve("press").plot("tip uz", view="spectrum"), "over time"),
        (
            lambda s: s.solve("press").write("x.doc", "gap"),
            "nothing here writes files of this kind. Known are: ",
        ),
        (
            lambda s: s.solve("press").write("x.png", "gap", frames="0:2"),
            "x.png shows a single frame, no range of frames. Choose it by its number",
        ),
        (
            lambda s: s.solve("press").write("x.csv", "gap", frame=0, frames="0:2"),
            "Both one frame and a range",
        ),
        (lambda s: s.results("swing (earlier)"), "has no results yet"),
        (lambda _: faying.read("nowhere.toml"), "no such study file"),
        (lambda _: faying.build(bodys=[]), "no parameter 'bodys'"),
        (lambda _: faying.build().reduce(), "has no body"),
        (lambda _: faying.build(bodies=TWO).reduce(), "not said which body. There are: 'one', 'two'"),
        (lambda _: faying.build(bodies=TWO).modes(), "not said which body. There are: 'one', 'two'"),
    ],
)
def test_bad_use_is_a_sentence(session, bad, sentence):
    with pytest.raises(faying.FayingError) as caught:
        bad(session)
    assert sentence in str(caught.value)


def test_pictures(session, tmp_path):
    press = session.solve("press")
    renderer, why = system.graphics_renderer()
    if not renderer:
        pytest.skip(f"no pictures on this machine: {why}")
    picture = press.picture("pressure", size=(320, 240))
    assert picture.png.startswith(b"\x89PNG") and picture._repr_png_() == picture.png
    picture.save(tmp_path / "pressure.png")
    assert (tmp_path / "pressure.png").read_bytes() == picture.png
    with pytest.raises(faying.FayingError, match=r"\.png"):
        picture.save(tmp_path / "pressure.jpg")


WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "faying_app":
            raise ModuleNotFoundError(f"No module named {name!r}")

sys.meta_path.insert(0, Missing())
import faying
session = faying.read(sys.argv[1])
for draw in (session.solve("press").picture, lambda: session.solve("press").plot("tip uz")):
    try:
        draw()
    except faying.FayingError as error:
        print(error)
print(session.solve("press").field("pressure").max() > 0.0)
"""


def test_without_the_window_all_but_pictures_works(session, tmp_path):
    session.save(tmp_path / "plates.faying")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(tmp_path / "plates.faying")],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    sentence = "Pictures come with the window's package, faying_app, which is not installed here."
    assert done.stdout.count(sentence) == 2 and done.stdout.splitlines()[-1] == "True", done.stderr


_SCRIPT = """
import numpy as np

import faying
from faying import edits


def largest_pressure(deck: str) -> float:
    bar = faying.build(name="Friction bar")
    bar.apply(edits.add_body({"name": "bar", "model": {"path": deck}}))
    for finding in bar.check():
        print(finding.severity, finding.sentence, finding.hint)
    end: faying.Solution = bar.solve("end force")
    pressure: np.ndarray = end.field("pressure", unit="MPa")
    print(end.unit("load uz"), end.curve("load uz")[-1])
    end.picture("pressure").save("pressure.png")
    return float(pressure.max())
"""


@pytest.mark.slow
@pytest.mark.needs("mypy")
@pytest.mark.parametrize(("method", "code"), [("bar.check()", 0), ("bar.chek()", 1)])
def test_a_users_script_is_checked_by_its_types(tmp_path, method, code):
    """Strictly, by mypy without settings: the packages say that they are typed (py.typed)."""
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT.replace("bar.check()", method), encoding="utf-8")
    cache = Path(__file__).parents[2] / "build" / "mypy-of-users"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "--cache-dir", cache, script],
        cwd=tmp_path, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout
