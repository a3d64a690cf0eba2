"""When the program changes, what it computed before is out of date: nothing before it, and nothing for a comment."""

import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

import faying
from faying.cli import main
from faying.errors import FayingError
from faying.exporters import export_content
from faying.project import edits
from faying.project.code import Code
from faying.project.file import open_project, save_project
from faying.project.pipeline import Pipeline
from faying.project.stage import Target, target_of
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.project.syntax import read_syntax
from faying.reduction.preload import PreloadSpec
from faying.reduction.preload_loads.interference import Interference
from faying.testing.plates import plates, write_plate_deck
from support.keyed import give_keys

BODY = Target("body", "plates")


def digest(source, package="faying"):
    return read_syntax(source, package, lambda name: name.startswith("faying.")).digest


SOURCE = '''
"""A module."""
import numpy as np
from faying.errors import SolveError
from faying.fem.model import FeModel

FACTOR = 2.5

def scaled(values: np.ndarray, model: FeModel) -> np.ndarray:
    """Return values."""
    if not len(values):
        raise SolveError("There is nothing.", "Give something.")
    return FACTOR * np.sort(values)
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("FACTOR = 2.5", "FACTOR = 2.5  # of safety"),
        ("\n", "\r\n"),
        ('"""Return values."""', '"""Return values, scaled."""\n    """And more."""'),
        ('"There is nothing.", "Give something."', '"There is nothing to scale."'),
        ("(values: np.ndarray, model: FeModel) -> np.ndarray", "(values, model) -> 'Array'"),
        ("import numpy as np\nfrom faying.errors import SolveError",
         "from faying.errors import SolveError\nimport numpy as np"),
        ("FACTOR * np.sort(values)", "(FACTOR *\n            np.sort(values))"),
        ("FACTOR = 2.5", "FACTOR = 25e-1"),
    ],
)  # fmt: skip
def test_what_computes_nothing_does_not_count(old, new):
    assert old in SOURCE
    assert digest(SOURCE.replace(old, new)) == digest(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2.5", "2.6"),
        ("2.5", "2"),
        ("FACTOR *", "FACTOR +"),
        ("np.sort(values)", "np.sort(values, 0)"),
        ("if not len(values)", "if len(values)"),
        ("import numpy as np", "import scipy as np"),
        ("raise SolveError", "raise ValueError"),
    ],
)
def test_what_computes_counts(old, new):
    assert digest(SOURCE.replace(old, new)) != digest(SOURCE)


def test_digests_are_the_same_with_every_python():
    """The number was found with Python 3.11; other versions write some trees in other ways."""
    source = SOURCE + '''
def text(x, *, width=3, **rest):
    return f"a{x!r:>{width}}" "b" f"c{x:.2f}", -1, 1e300, 2j, b"x", ..., lambda y: y, [z async for z in x][1:, ::2]
'''  # fmt: skip
    assert digest(source) == "29c40857609fafca"


def test_imports_count_as_far_as_they_are_used():
    source = """
from typing import TYPE_CHECKING
from faying.errors import SolveError
from faying.fem.model import FeModel
from faying.fem import skin
from .near import here
from ..fem.far import there
if TYPE_CHECKING:
    from faying.fem.surface import Surface
def f(model: FeModel, surface: "Surface") -> None:
    from faying.fem.assembly import assemble
    assemble(SolveError, skin, here, there)
"""
    modules = {
        "faying.errors", "faying.fem.model", "faying.fem.skin", "faying.fem.surface", "faying.fem.assembly",
        "faying.joints.near", "faying.fem.far",
    }  # fmt: skip
    found = read_syntax(source, "faying.joints", modules.__contains__)
    assert set(found.imports) == modules - {"faying.fem.model", "faying.fem.surface"}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The folder of a copy of the package, in which things are changed."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        Path(faying.__file__).parent, root / "faying", ignore=shutil.ignore_patterns("__pycache__")
    )
    return root


@pytest.fixture(scope="module")
def computed(copy, tmp_path_factory):
    """A small project, computed by the program as it is: (project, store)."""
    folder = tmp_path_factory.mktemp("computed")
    project, store = plates(write_plate_deck(folder / "plates.inp")), ArtifactStore(folder / "store")
    pipeline = Pipeline(STAGES, Code(copy, copy / "digests.json"))
    for analysis in project.analyses:
        pipeline.run(project, target_of(analysis), store)
    return project, store


@pytest.fixture
def change(copy, computed):
    """A function: change the source of a module of the copy; return what is stale then and why."""
    undo = []

    def make(module, *changes, pipeline=None):
        path = copy.joinpath("faying", *module.split(".")).with_suffix(".py")
        text = path.read_text(encoding="utf-8")
        undo.append((path, text))
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        states = Pipeline(STAGES, Code(copy, copy / "digests.json")).states(*computed)
        return {
            " ".join(p for p in (t.stage, t.item) if p): s.why
            for t, s in states.items()
            if s.status == "stale"
        }

    yield make
    for path, text in reversed(undo):
        path.write_text(text, encoding="utf-8")


RESULTS = {"analysis press", "analysis swing", "analysis full"}
BEHIND_PAIRS = {"pairs lap", "components", "basis", "body", *RESULTS}  # modes by the ties of loose parts
ALL = {"model", *BEHIND_PAIRS}


def test_a_constant_makes_stale_what_is_behind_it_and_nothing_before(change):
    found = change("joints.pairing", ("return ", "return 1.0000001 * "))
    assert set(found) == BEHIND_PAIRS
    assert found["basis"] == ("the program's code changed: joints.pairing",)


@pytest.mark.parametrize(
    ("module", "stale"),
    [
        ("joints.contact_laws.linear_penalty", RESULTS),
        ("joints.contact_laws.quadratic_linear", set()),  # no joint has this law
        ("joints.friction_laws.coulomb", {"analysis swing"}),  # friction is switched off in the others
        ("joints.friction_laws.dahl", set()),
        ("solvers.integrators.hht", {"analysis swing"}),
        ("analyses.static", {"analysis press"}),
        ("analyses.motion", set()),
        ("reduction.joint_modes.weighted_pod", {"basis", "body", *RESULTS} - {"analysis full"}),
        ("reduction.methods.craig_bampton", BEHIND_PAIRS - {"pairs lap", "analysis full"}),
        ("fem.readers.abaqus", ALL),
        ("fem.readers.nastran", set()),
        ("fem.elements.hex8_incompatible", ALL),  # found by no import: a member of a family
        ("project.stages.pairs", BEHIND_PAIRS),
        ("exporters.report", set()),
        ("project.store", set()),
    ],
)
def test_only_what_a_target_computes_with_counts(change, module, stale):
    assert set(change(module, ("\n\n\n", "\n\n\nCHANGED = 1\n\n\n"))) == stale


def test_a_comment_changes_nothing(change):
    assert change("joints.pairing", ("\n\n\n", "\n\n\n# A comment.\n\n\n")) == {}


def test_a_change_and_its_way_back(change, computed, copy):
    project, store = computed
    change("joints.contact_laws.linear_penalty", ("\n\n\n", "\n\n\nCHANGED = 1\n\n\n"))
    press = Target("analysis", "plates", "press")
    newer = Pipeline(STAGES, Code(copy, copy / "digests.json"))
    assert newer.state(project, press, store).status == "stale"
    earlier = newer.earlier(project, press, store)
    results = store.results(earlier.key).open()  # stays readable
    assert results.n_frames == 1
    results.close()
    newer.run(project, press, store)
    assert newer.state(project, press, store).status == "ready"
    assert newer.earlier(project, press, store).key == earlier.key
    assert (
        Pipeline(STAGES).state(project, press, store).status == "ready"
    )  # the program as it was finds its own


def test_digests_are_kept_by_time_and_size(copy, tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(
        "faying.project.syntax.read_syntax", lambda *args: read.append(args) or read_syntax(*args)
    )
    modules = ("faying.joints.pairing",)
    first = Code(copy, tmp_path / "home" / "digests.json").digests(modules)
    count = len(read)
    assert count > 10 and len(first) > 10
    assert Code(copy, tmp_path / "home" / "digests.json").digests(modules) == first
    assert len(read) == count
    (tmp_path / "home" / "digests.json").write_text('{"a": [1], "b": 3')  # damaged: made again
    assert Code(copy, tmp_path / "home" / "digests.json").digests(modules) == first
    assert len(read) == 2 * count
    (tmp_path / "file").write_text("")
    assert Code(copy, tmp_path / "file" / "digests.json").digests(modules) == first  # no such folder can be


@pytest.fixture
def old(tmp_path):
    """A project file and a store that were written before the code counted for keys, and before checksums."""
    packed = Path(__file__).parents[1] / "decks" / "before_digests" / "plates.zip"
    with zipfile.ZipFile(packed) as file:
        file.extractall(tmp_path)
    give_keys(tmp_path)
    return tmp_path


def test_a_project_file_of_before_opens_and_its_results_are_readable_and_out_of_date(old, tmp_path):
    project = open_project(old / "plates.faying").project
    assert [analysis.name for analysis in project.analyses] == ["press", "swing", "full"]
    for store in (
        ArtifactStore(tmp_path / "fresh", below=old / "plates.faying"),
        ArtifactStore(old / "store"),
    ):
        pipeline = Pipeline(STAGES)
        swing = Target("analysis", "plates", "swing")
        state = pipeline.state(project, swing, store)
        assert state.status == "stale" and state.why[0] == "the program is newer"
        earlier = pipeline.earlier(project, swing, store)
        results = store.results(earlier.key).open()
        assert results.complete and results.n_frames == 5
        assert results.curve("tip uz")[-1] == pytest.approx(0.01828047584, rel=1e-9)
        results.close()
        assert store.read(earlier.needs["body"]).total_mass == pytest.approx(2 * 40 * 10 * 2 * 7.85e-9)


def test_results_of_an_earlier_program_stay_in_the_file_beside_the_new_ones(old, tmp_path):
    path = old / "plates.faying"
    project, press = open_project(path).project, Target("analysis", "plates", "press")
    store, pipeline = ArtifactStore(tmp_path / "fresh", below=path), Pipeline(STAGES)
    earlier = pipeline.earlier(project, press, store)
    for _ in range(2):
        pipeline.run(project, press, store)
        save_project(path, project, "", store, pipeline.reached(project, store))
        store = ArtifactStore(tmp_path / "again", below=path)
    assert pipeline.state(project, press, store).status == "ready"
    assert pipeline.earlier(project, press, store).key == earlier.key
    found = [store.results(key).open() for key in (earlier.key, pipeline.key_of(project, press))]
    assert found[0].curve("tip uz")[-1] == pytest.approx(found[1].curve("tip uz")[-1], rel=1e-6)
    for results in found:
        results.close()
    assert store.read(earlier.needs["body"]) is not None


def test_earlier_results_are_shown_and_compared_with_the_new_ones(old, tmp_path, capsys):
    path = old / "plates.faying"
    assert main(["run", str(path)]) == 0
    capsys.readouterr()
    deformed = ["--field", "displacement"]
    for name, more in (
        ("new", ["--analysis", "press"]),
        ("old", ["--analysis", "press (earlier)"]),
        ("both", ["--analysis", "press", "--minus", "press (earlier)"]),
        ("full", ["--analysis", "full", "--minus", "full (earlier)"]),
    ):
        to = tmp_path / f"{name}.csv"
        assert main(["export", str(path), *deformed, *more, "--to", str(to)]) == 0, capsys.readouterr().err
    new, before, both, full = (
        np.genfromtxt(tmp_path / f"{name}.csv", delimiter=",", names=True)
        for name in ("new", "old", "both", "full")
    )
    column = new.dtype.names[-1]
    largest = np.abs(new[column]).max()
    assert largest > 0.05
    np.testing.assert_allclose(new[column], before[column], atol=1e-6 * largest)
    assert np.abs(both[both.dtype.names[-1]]).max() < 1e-6 * largest
    assert np.abs(full[full.dtype.names[-1]]).max() < 1e-6 * largest
    curves = ["--curves", "tip uz", "--analysis", "swing (earlier)", "--to", str(tmp_path / "swing.csv")]
    assert main(["export", str(path), *curves]) == 0
    assert "0.01828" in (tmp_path / "swing.csv").read_text()
    assert main(["export", str(path), *deformed, "--analysis", "pressed (earlier)", "--to", str(to)]) == 1


def test_earlier_results_keep_their_laws(old, tmp_path):
    path = old / "plates.faying"
    project, store = open_project(path).project, ArtifactStore(tmp_path / "fresh", below=path)
    stiffer = edits.set_value(("bodies", 0, "joints", 0, "contact_law", "stiffness"), 123.0)(project)
    found = export_content(stiffer, store, "press (earlier)", base=old)
    assert found.context.contact_laws["lap"].stiffness == 50000.0
    found.context.frames.close()
    named = edits.rename(("bodies", 0, "joints", 0), "overlap")(project)
    with pytest.raises(FayingError, match="other joints: lap"):
        export_content(named, store, "press (earlier)", base=old)
    with pytest.raises(FayingError, match="no earlier results"):
        export_content(project, ArtifactStore(tmp_path / "empty"), "press (earlier)", base=old)


def test_earlier_results_keep_pairs_surfaces_and_preload_of_each_joint(tmp_path):
    project = plates(write_plate_deck(tmp_path / "plates.inp", divisions=1))
    (lap,) = project.bodies[0].joints
    back = lap.with_(name="back", master=lap.slave, slave=lap.master)
    tight = PreloadSpec(name="tight", loads=(Interference(joint="back", amount=0.01),))
    project = edits.set_value(("bodies", 0, "joints"), (lap, back))(project)
    project = edits.set_value(("bodies", 0, "preloads"), (tight,))(project)
    project = edits.set_value(("analyses", 0, "preloads"), ("tight",))(project)
    store, pipeline = ArtifactStore(tmp_path / "store"), Pipeline(STAGES)
    for name in ("press", "full"):
        pipeline.run(project, Target("analysis", "plates", name), store)
    moved = edits.move(("bodies", 0, "joints", 0), 1)(project)
    chosen = edits.set_value(("bodies", 0, "joints", 0, "master"), lap.master)(moved)  # another than it was
    chosen = edits.set_value(("analyses", 0, "preloads"), ())(chosen)
    for name in ("press", "full"):
        now = export_content(project, store, name)
        old = export_content(chosen, store, f"{name} (earlier)")
        for joint in ("lap", "back"):
            np.testing.assert_array_equal(old.pairs[joint].slave_nodes, now.pairs[joint].slave_nodes)
            np.testing.assert_array_equal(old.pairs[joint].normals, now.pairs[joint].normals)
            for was, side in zip(old.surfaces[joint], now.surfaces[joint], strict=True):
                np.testing.assert_array_equal(was.nodes, side.nodes)
        for was, side in zip(old.context.body.joints, now.context.body.joints, strict=True):
            np.testing.assert_array_equal(was.initial_gaps, side.initial_gaps)
        for content in (now, old):
            content.context.frames.close()


@pytest.mark.slow  # seconds, and not what decides alone
def test_the_report_says_what_is_out_of_date(old, tmp_path):
    target = tmp_path / "report.html"
    assert main(["report", str(old / "plates.faying"), "--to", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    assert text.count("These results are out of date: the program is newer") == 3
