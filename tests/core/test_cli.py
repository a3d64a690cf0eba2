"""The command line: its contract is used by scripts."""

import csv
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time
import tomllib
from contextlib import closing
from importlib.resources import files
from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.sparse

from faying import __version__
from faying.cli import _parser, main, system
from faying.cli.terminal import TerminalProgress, table
from faying.errors import Cancelled
from faying.linalg.backends import factor_backends
from faying.params import build
from faying.project import made_with
from faying.project.file import open_project
from faying.project.specs import Project
from faying.project.study import read_study
from faying.project.tied import all_tied
from faying.session import read
from support.plate_deck import STUDY, write_plate_deck, write_study


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A project file that was run to its end."""
    folder = tmp_path_factory.mktemp("plates")
    assert main(["run", str(write_study(folder))]) == 0
    return folder / "plates.faying"


def _faying(*words: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "faying", *map(str, words)],
        capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL, **options,
    )  # fmt: skip


def test_help_names_every_command():
    done = _faying("--help")
    assert done.returncode == 0
    for command in ("demo", "new", "run", "check", "info", "quality", "export", "doctor", "gui"):
        assert f"\n    {command} " in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="no times of child processes")
def test_help_is_quick():
    """Processor time, so that a busy machine does not matter; 0.15 s where this was written."""
    spent = []
    for _ in range(3):
        before = os.times()
        _faying("--help")
        after = os.times()
        spent.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    assert min(spent) < 0.4


def test_help_imports_no_numpy():
    code = "import sys\nfrom faying.cli import main\nmain(['--help'])\nassert 'numpy' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("words", [[], ["fly"], ["run"], ["export", "a.faying"], ["demo", "x", "--sideways"]])
def test_wrong_usage_is_two(words, capsys):
    assert main(words) == 2
    assert "usage: faying" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--view", "-x"],
        ["--view", "-x,+z"],
        ["--section", "-y=3mm"],
        ["--limits", "-5:5"],
        ["--frames", "-20:"],
        ["--field", "-gap"],
        ["--frame", "-1"],
    ],
)
def test_values_may_begin_with_a_minus(words):
    """As words of their own and behind an equals sign alike."""
    name = words[0].removeprefix("--")
    common = ["export", "a.faying", "--to", "a.png"]
    apart, joined = (_parser().parse_args([*common, *more]) for more in (words, ["=".join(words)]))
    assert vars(apart)[name] == vars(joined)[name] != vars(_parser().parse_args(common))[name]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--scale", "nan"], "not a number"),
        (["--scale", "inf"], "not a number"),
        (["--joint-scale", "nan"], "not a number"),
        (["--opened", "nan"], "not a number"),
        (["--turn", "-inf"], "not a number"),
        (["--limits", "0:inf"], "no limits"),
        (["--up-to", "nan"], "not a number"),
        (["--up-to", "-5"], "less than zero"),
        (["--peaks", "-3"], "not a whole number"),
        (["--dpi", "99999"], "more than 2400"),
        (["--fps", "999"], "999 frames per second are more than 240"),
        (["--repeat", "101"], "101 repetitions are more than 100"),
        (["--isolines", "9" * 30], "lines are more than 50"),
        (["--fps", "²"], "not a positive whole number"),
    ],
)
def test_numbers_of_pictures_are_finite_and_within_bounds(words, sentence, capsys):
    assert main(["export", "a.faying", "--to", "a.png", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_options_are_no_values(capsys):
    for words in (["--view", "--dark"], ["--view"], ["--view", "-h"]):
        assert main(["export", "a.faying", "--to", "a.png", *words]) == 2
        assert "expected one argument" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["12", "1x2x3", "0x100", "ax7"])
def test_a_wrong_size_is_wrong_usage(size, capsys):
    assert main(["export", "a.faying", "--field", "gap", "--to", "a.png", "--size", size]) == 2
    assert "1280x720" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "nowhere.toml"], "there is no such study file"),
        (["run", "nowhere.faying"], "there is no such file"),
        (["info", "deck.inp"], "there is no such file"),
        (["check", "deck.inp"], "this is a deck"),
        (["check", "notes.txt"], "there is no such file"),
        (["demo", "perpetuum-mobile", "--no-window"], "There is no example called 'perpetuum-mobile'"),
    ],
)
def test_errors_are_one_sentence_on_stderr(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("error: ") and sentence in told.err
    assert "Traceback" not in told.err and told.err.count("\n") == 1


def test_verbose_shows_the_traceback(tmp_path):
    done = _faying("run", "nowhere.toml", "--verbose", cwd=tmp_path)
    assert done.returncode == 1
    assert "Traceback" in done.stderr and "error: " in done.stderr
    assert "Traceback" in _faying("--verbose", "run", "nowhere.toml", cwd=tmp_path).stderr


def test_run_writes_the_project_and_leaves_nothing_else(project):
    assert sorted(p.name for p in project.parent.iterdir()) == ["plates.faying", "plates.inp", "plates.toml"]
    assert open_project(project).project.bodies[0].joints[0].name == "lap"


def test_run_again_computes_nothing(project, capsys):
    assert main(["run", str(project)]) == 0
    told = capsys.readouterr()
    assert "written" in told.out
    assert "component modes" not in told.err


def test_run_with_everything_tied_leaves_the_decisions_and_results_of_the_file(project, tmp_path, capsys):
    before, study = project.read_bytes(), project.with_name("plates.toml")
    assert main(["run", str(study), "--tied"]) == 0
    told = capsys.readouterr()
    assert "All joints are tied: a first answer without contact and friction." in told.err
    tied = project.with_name("plates-tied.faying")
    assert f"written: {tied}" in told.out and project.read_bytes() == before
    opened = open_project(tied).project
    assert opened.bodies[0].joints_tied and opened.bodies[0].joints[0].contact_law is not None
    with read(tied) as found, closing(found.results("press")) as results:
        names = results.curve_names
    assert "lap force z" in names and "lap closed share" not in names
    assert main(["run", str(study), "--tied"]) == 0  # its own file may be replaced
    assert not tied.with_name("plates-tied-2.faying").exists()
    assert main(["run", str(project), "--tied", "--out", str(project)]) == 1
    assert "--tied does not write into it" in capsys.readouterr().err
    tied.unlink()


def test_what_asks_for_contact_is_left_out_of_a_tied_run(tmp_path):
    words = read_study(write_study(tmp_path)).model_dump(mode="json")
    common = {"body": "plates", "support": "hold"}
    words["analyses"] = [
        {"kind": "convergence_study", "name": "study", "body": "plates", "support": "hold",
         "methods": [{"kind": "weighted_pod"}], "counts": [2]},
        {"kind": "static", "name": "press", **common},
    ]  # fmt: skip
    found, left_out = all_tied(build(Project, words))
    assert left_out == ("study",) and [a.name for a in found.analyses] == ["press"]
    assert found.bodies[0].joints_tied and not found.bodies[0].contact_joints


def test_run_until_a_stage(tmp_path, capsys):
    study = write_study(tmp_path)
    assert main(["run", str(study), "--until", "pairs", "--out", str(tmp_path / "half.faying")]) == 0
    capsys.readouterr()
    assert main(["info", str(tmp_path / "half.faying"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    status = {state["target"]: state["status"] for state in found["states"]}
    assert status["pairs of lap of plates"] == "ready"
    assert status["body of plates"] == "missing"
    assert main(["run", str(study), "--until", "the end"]) == 1
    assert "Stages are" in capsys.readouterr().err


PENDULUM = """
name = "Pendulum"
units = "m-kg-s"

[[systems]]
name = "pendulum"
gravity = [0.0, -9.81, 0.0]
ground = [{ name = "pivot" }]
constraints = [{ kind = "revolute", name = "pivot", first = "ground.pivot", second = "bar.end" }]

[[systems.parts]]
kind = "rigid"
name = "bar"
mass = 1.0
moments_of_inertia = [0.001, 0.1, 0.1]
placement = { position = [0.5, 0.0, 0.0] }
markers = [{ name = "end", position = [-0.5, 0.0, 0.0] }]

[[analyses]]
kind = "motion"
name = "fall"
system = "pendulum"
duration = 0.05
frames = 5
"""


def test_run_computes_the_motions_of_systems_too(tmp_path, capsys):
    study = tmp_path / "pendulum.toml"
    study.write_text(PENDULUM, encoding="utf-8")
    assert main(["run", str(study)]) == 0
    capsys.readouterr()
    assert main(["info", str(tmp_path / "pendulum.faying"), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["analyses"]
    assert found["kind"] == "motion" and found["status"] == "ready" and found["frames"] == 6


def test_info(project, capsys):
    assert main(["info", str(project), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["name"] == "Plates"
    assert found["bodies"][0]["counts"]["nodes"] == 302
    assert found["bodies"][0]["counts"]["contact_pairs"] == 55
    (press,) = found["analyses"]
    made, error = press.pop("made_with"), press.pop("error_estimate")
    assert list(error) == ["motion", "force", "pressure", "stress"]
    assert press == {
        "name": "press",
        "kind": "static",
        "tie_shares": {},
        "sampling": {},
        "contacts": {},
        "failed_tries": "",
        "of": "plates",
        "status": "ready",
        "warnings": [],
        "frames": 3,
    }
    assert made["Faying"] == __version__ and made["NumPy"] == np.__version__
    assert made["SciPy"] == scipy.__version__ and made["platform"] == platform.platform()
    solver, library = made["sparse solver"].rstrip(")").split(" (")  # of the basis, which went into it
    assert solver in factor_backends and library.split()[0] == factor_backends[solver].library
    assert main(["info", str(project)]) == 0
    text = capsys.readouterr().out
    assert "analysis press (static): ready, 3 frames" in text
    assert f"estimated error of the reduction: motion {100 * error['motion']:.2g} %, force " in text
    assert f"made with Faying {__version__}; " in text and f"sparse solver {made['sparse solver']}" in text


def test_info_compares_the_libraries_with_those_that_computed(project, capsys, monkeypatch):
    monkeypatch.setattr(made_with, "_version", lambda name: "99.1" if name == "NumPy" else "")
    assert main(["info", str(project)]) == 0
    said = capsys.readouterr().out
    assert (
        f"NumPy {np.__version__}, now 99.1;" in said and f"SciPy {scipy.__version__}, now not here;" in said
    )
    assert re.search(r"sparse solver (\w+) \(.+\), now \1 \(", said)
    assert f"Python {platform.python_version()};" in said  # which is the same


def test_check(project, capsys, tmp_path):
    assert main(["check", str(project)]) == 0
    assert "error" not in capsys.readouterr().out
    assert main(["check", str(write_study(tmp_path, density=0.0)), "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)
    assert findings[0]["severity"] == "error"
    assert "no density of material" in findings[0]["sentence"]


def test_study_to_project_and_back(project, tmp_path, capsys):
    assert main(["export", str(project), "--to", str(tmp_path / "back.toml")]) == 0
    assert read_study(tmp_path / "back.toml") == open_project(project).project


def test_export_matrices(project, tmp_path, capsys):
    folder = tmp_path / "matrices"
    assert main(["export", str(project), "--matrices", "--to", str(folder)]) == 0
    assert {path.name for path in folder.iterdir()} == {"constraints.npz", "mass.npz", "stiffness.npz"}
    with np.load(folder / "mass.npz") as found:
        size = int(found["shape"][0])
        shift = (found["dofs"][:, 1] == 1).astype(float)
        mass = scipy.sparse.csr_matrix((found["data"], found["indices"], found["indptr"]), (size, size))
    # Two plates of 40 × 10 × 2 mm, steel; what the coupled nodes carry is at their reference nodes.
    assert shift @ mass @ shift == pytest.approx(2 * 800 * 7.85e-9, rel=1e-9)
    assert main(["export", str(project), "--matrices", "moon", "--to", str(folder)]) == 1
    assert "no body called 'moon'" in capsys.readouterr().err


def test_export_the_pairs_of_the_body_that_is_named(tmp_path, capsys):
    head, body, rest = re.split(r"(?=\[\[bodies\]\]|\[\[analyses\]\])", STUDY)
    other = body.replace('name = "plates"', 'name = "apart"').replace("plates.inp", "apart.inp")
    study = write_study(tmp_path, head + body + other + rest)
    write_plate_deck(tmp_path / "apart.inp", gap=0.125)
    target = tmp_path / "pairs.csv"

    def export(*words):
        code = main(["export", str(study), "--to", str(target), "--force", *words])
        return code, capsys.readouterr().err

    for name, gap in (("plates", 0.0), ("apart", 0.125)):
        assert export("--pairs", "lap", "--body", name)[0] == 0
        with target.open(encoding="utf-8") as stream:
            heads, *rows = csv.reader(stream)
        column = next(i for i, head in enumerate(heads) if head.startswith("initial gap"))
        assert {round(float(row[column]), 9) for row in rows} == {gap}
    for words, sentence in (
        (
            ["--pairs", "lap"],
            "Several bodies have a joint called 'lap'. Add --body with one of: plates, apart.",
        ),
        (["--pairs", "lop", "--body", "apart"], "no joint of body 'apart' called 'lop'. Did you mean 'lap'?"),
        (["--pairs", "lap", "--body", "moon"], "no body called 'moon'"),
    ):
        code, told = export(*words)
        assert code == 1 and sentence in told


@pytest.mark.parametrize(
    ("words", "together"),
    [
        (["--pairs", "lap", "--model", "plates"], "--model and --pairs"),
        (["--matrices", "--body"], "--matrices and --body"),
        (["--bolts", "--table"], "--table and --bolts"),
        (["--model", "--field", "gap"], "--model and --field"),
        (["--table", "--curves", "tip uz"], "--table and --curves"),
    ],
)
def test_export_writes_one_thing_at_a_time(project, tmp_path, capsys, words, together):
    assert main(["export", str(project), *words, "--to", str(tmp_path / "x.csv")]) == 1
    assert f"{together} are not written together" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_export_a_table(project, tmp_path, capsys):
    target = tmp_path / "pressure.csv"
    assert main(["export", str(project), "--field", "pressure", "--to", str(target)]) == 0
    with target.open(encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    assert rows[0][:2] == ["joint", "node"] and rows[0][5] == "area [mm²]"
    assert len(rows) == 1 + 55 and len(rows[0]) == 6 + 3
    assert "[N/mm²] at load" in rows[0][6]
    assert main(["export", str(project), "--field", "pressure", "--to", str(target), "--frame", "-1"]) == 0
    with target.open(encoding="utf-8") as stream:
        last = list(csv.reader(stream))
    assert [row[6] for row in last] == [row[8] for row in rows]


def test_export_for_paraview(project, tmp_path, capsys):
    target = tmp_path / "gap.vtkhdf"
    assert main(["export", str(project), "--field", "gap", "--to", str(target)]) == 0
    with h5py.File(target) as file:
        assert file["VTKHDF/Steps"].attrs["NSteps"] == 3
        gap = file["VTKHDF/PointData/gap"][:302]
    assert np.isfinite(gap).sum() == 55


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--field", "colour", "--to", "a.csv"], "There is no field called 'colour'"),
        (["--to", "a.csv"], "A field is needed"),
        (["--field", "gap", "--to", "a.xyz"], "nothing here writes files of this kind"),
        (["--field", "gap", "--to", "a.csv", "--analysis", "spin"], "There is no analysis called 'spin'"),
        (["--field", "gap", "--to", "a.csv", "--frame", "3"], "has no frame 3"),
        (["--field", "gap", "--to", "a.csv", "--joint", "hip"], "There is no joint called 'hip'"),
        (["--field", "gap", "--to", "nowhere/a.csv"], "does not exist"),
    ],
)
def test_export_says_what_is_wrong(project, tmp_path, monkeypatch, words, sentence, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["export", str(project), *words]) == 1
    assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_export_before_the_run(tmp_path, capsys):
    study = write_study(tmp_path)
    assert main(["export", str(study), "--field", "gap", "--to", str(tmp_path / "a.csv")]) == 1
    assert "Run it first" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.slow  # three processes; a test below shows without any that SIGINT and SIGTERM do the same
def test_interrupted_run_goes_on_later(tmp_path):
    """It ends with 130 and a sentence; finished stages are kept next to the output, frames also in the project file."""
    study = write_study(tmp_path, STUDY.replace("load_steps = 3", "load_steps = 10000"))
    process = subprocess.Popen(
        [sys.executable, "-m", "faying", "run", str(study)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # it may be ignored here
    )  # fmt: skip
    work = tmp_path / "plates.faying.work"
    deadline = time.monotonic() + 300
    while not list(work.glob("*.partial.h5")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "run again to continue" in errors and "Traceback" not in errors
    assert "error: Interrupted." in errors
    assert list(work.glob("*.partial.h5"))
    found = json.loads(_faying("info", tmp_path / "plates.faying", "--json", cwd=tmp_path).stdout)
    assert [(a["status"], a["frames"] > 0) for a in found["analyses"]] == [("partial", True)]
    write_study(tmp_path)
    done = _faying("run", study, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "component modes" not in done.stderr
    assert not work.exists()


def test_doctor_names_what_it_looked_at(capsys):
    code = main(["doctor"])
    told = capsys.readouterr().out
    for thing in ("Python", "pyside6-essentials", "window libraries", "pictures", "films", "disk"):
        assert f" {thing}: " in told
    best = min(
        (kind for _, kind in factor_backends.items() if kind.is_available()), key=lambda kind: kind.rank
    )
    assert re.search(rf" sparse solvers: in use is \w+ \({best.library} [\d.]+", told)
    assert code == (1 if "missing " in told else 0)


@pytest.mark.parametrize(
    ("marker", "holds"),
    [
        ("", True),
        ("sys_platform == 'linux'", True),
        ("sys_platform != 'linux'", False),
        ("sys_platform != 'win32' and platform_machine == 'aarch64'", True),
        ("platform_machine == 'x86_64'", False),
        ("platform_machine == 'arm64' or platform_machine == 'aarch64'", True),
        ("(sys_platform == 'win32' or sys_platform == 'darwin') and extra == 'manual'", False),
    ],
)
def test_doctor_asks_for_what_this_platform_needs(monkeypatch, marker, holds):
    from faying.cli.commands import doctor

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert doctor._holds(marker) is holds


def test_doctor_of_the_core_alone_asks_for_nothing_of_the_window(monkeypatch, capsys):
    """As `pip install ./core` leaves it: another distribution, without faying_app, on a machine without screen."""
    from faying.cli.commands import doctor

    listed = ["scipy>=1.15", "nowhere>=2; sys_platform == 'nowhere'", "atlantis>=1; extra == 'fmi'"]

    def requires(name):
        if name == "faying":
            raise doctor.PackageNotFoundError(name)
        return listed

    monkeypatch.setattr(doctor, "requires", requires)
    monkeypatch.setattr(doctor.system, "has_window", lambda: False)
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    assert "ok      scipy:" in told and "nowhere" not in told and "window libraries" not in told
    assert "note    motions as FMUs: atlantis not installed" in told
    assert "note    window: Faying is installed without its window" in told
    assert doctor.system.why_no_window() == doctor.system.CORE_ALONE


def test_the_core_alone_needs_what_the_whole_needs_but_for_the_window():
    top = Path(__file__).parents[2]
    whole, core = (
        tomllib.loads((top / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for folder in (".", "core")
    )
    of_window = (
        "vtk",
        "pyvista",
        "pyvistaqt",
        "PySide6-Essentials",
        "pyqtgraph",
        "imageio",
        "imageio-ffmpeg",
    )
    left = [each for each in whole["dependencies"] if re.match(r"[\w-]+", each)[0] not in of_window]
    assert core["dependencies"] == left and len(left) == len(whole["dependencies"]) - len(of_window)
    for extra, packages in core["optional-dependencies"].items():
        assert whole["optional-dependencies"][extra] == packages
    assert (core["version"], core["requires-python"]) == (whole["version"], whole["requires-python"])


def test_all_places_name_one_version():
    """Of the program, of its packages, and for citing it."""
    resources = files("faying_resources")
    cited = (resources / "CITATION.cff").read_text(encoding="utf-8")
    page = (resources / "manual" / "citing.md").read_text(encoding="utf-8")
    changes = (resources / "manual" / "changes.md").read_text(encoding="utf-8")
    packed = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert packed["project"]["version"] == __version__
    assert f"\nversion: {__version__}\n" in cited and f"version = {{{__version__}}}" in page
    assert re.search(r"^## (\S+)", changes, re.MULTILINE)[1] == __version__


@pytest.mark.parametrize(
    ("requirement", "found", "well", "needed", "words"),
    [
        ("numpy>=2.1", "", False, True, 'pip install "numpy>=2.1"'),
        ("numpy>=2.1", "1.26.4", False, True, "1.26.4, which has not been tried"),
        ("numpy>=2.1", "2.4.0", True, True, "2.4.0"),
        ("vtk<9.8,>=9.7", "9.8.1", False, False, "neither window nor picture"),
        ("vtk<9.8,>=9.7", "9.7.0", True, True, "9.7.0"),
        ("PySide6-Essentials<6.12,>=6.9", "", False, False, "no window"),
        ("imageio-ffmpeg>=0.6", "", False, False, "ffmpeg of the system"),
        ("rslab<1.8,>=1.7", "", False, False, 'pip install "rslab<1.8,>=1.7"'),
    ],
)  # fmt: skip
def test_doctor_judges_each_package_by_its_requirement(monkeypatch, requirement, found, well, needed, words):
    from faying.cli.commands import doctor

    def version(name):
        if not found:
            raise doctor.PackageNotFoundError(name)
        return found

    monkeypatch.setattr(doctor, "version", version)
    judged = doctor._package(requirement)
    assert (judged.well, judged.needed) == (well, needed) and words in judged.sentence


def test_doctor_knows_the_broken_qt(monkeypatch):
    from faying.cli.commands import doctor

    monkeypatch.setattr(doctor, "version", lambda name: "6.12.0")
    monkeypatch.setattr(doctor.sys, "version_info", (3, 11, 7))
    found = doctor._package("PySide6-Essentials")
    assert not found.well and found.needed and "<6.12" in found.sentence


_SCREEN = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def test_a_window_is_not_tried_without_a_display():
    """Qt would end the whole process; the reason is found before it starts."""
    code = "from faying.cli import system; print(system.why_no_window())"
    environment = {k: v for k, v in os.environ.items() if k not in _SCREEN}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    if sys.platform.startswith("linux"):
        assert "no screen" in done.stdout
    environment["DISPLAY"] = ":987"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    if sys.platform.startswith("linux"):
        assert "987" in done.stdout or "apt-get install" in done.stdout


def test_a_platform_that_shows_nothing_is_no_window(monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert "shows nothing" in system.why_no_window()


def test_missing_libraries_are_named_by_their_package(monkeypatch):
    monkeypatch.setattr(system, "_loads", lambda name: name != "libxcb-icccm.so.4")
    monkeypatch.setattr(system, "is_linux", lambda: True)
    assert system.missing_libraries() == {"libxcb-icccm.so.4": "libxcb-icccm4"}
    assert "apt-get install libxcb-icccm4" in system.why_no_qt()


class _Screen:
    """A stream that says that it is a terminal."""

    def __init__(self, terminal):
        self.terminal, self.text = terminal, ""

    def isatty(self):
        return self.terminal

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_progress_is_plain_lines_when_nobody_looks():
    stream = _Screen(False)
    with TerminalProgress(stream) as progress:
        progress.report(0.0, "model: reading")
        time.sleep(0.1)
        progress.report(0.5, "contact pairs: searching")
        time.sleep(0.1)
    lines = stream.text.splitlines()
    assert [line.split(" … ")[0] for line in lines] == ["model", "contact pairs"]
    assert lines[0].endswith(" s") and "\r" not in stream.text


def test_progress_rewrites_one_line_on_a_terminal():
    stream = _Screen(True)
    with TerminalProgress(stream) as progress:
        progress.report(0.25, "analysis: step", step_size=1e-4)
    assert "\r\x1b[K 25 % analysis: step, step size 0.0001" in stream.text
    assert stream.text.endswith("\r\x1b[K")


@pytest.fixture
def heeded_interrupts():
    """Python's own answer to Ctrl-C, which a process started in the background (nohup, some CI) does not have."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_the_first_interrupt_waits_for_a_report_and_the_second_does_not(heeded_interrupts, way):
    before = signal.getsignal(way)
    with TerminalProgress(_Screen(False)) as progress:
        signal.raise_signal(way)
        with pytest.raises(Cancelled):
            progress.report(0.5, "model")
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(way)
    assert signal.getsignal(way) is before


def test_table_is_aligned():
    lines = table([("a", "1"), ("long name", "22")], ("what", "n")).splitlines()
    assert (
        len(
            {line.index(cell) for line, cell in zip(lines, ("n", "─", "1", "22"), strict=True) if cell != "─"}
        )
        == 1
    )


def test_running_until_an_earlier_stage_keeps_the_results_that_are_there(tmp_path):
    study = write_study(tmp_path)
    assert main(["run", str(study)]) == 0
    with h5py.File(tmp_path / "plates.faying") as file:
        results = set(file["results"])
    assert results
    assert main(["run", str(study), "--until", "basis"]) == 0
    with h5py.File(tmp_path / "plates.faying") as file:
        assert set(file["results"]) == results


def test_two_runs_of_one_output_are_refused(tmp_path, capsys):
    from faying.cli.session import work_folder
    from faying.project.lock import FolderLock

    study, work = write_study(tmp_path), work_folder(tmp_path / "plates.faying")
    work.mkdir()
    lock = FolderLock(work)
    assert main(["run", str(study)]) == 1
    assert "Another Faying" in capsys.readouterr().err
    lock.release()
    assert main(["run", str(study)]) == 0


def test_vtk_steps_through_an_export_in_time(project, tmp_path):
    """ParaView's own reader: its times, and at each the values of that frame."""
    io = pytest.importorskip("vtkmodules.vtkIOHDF")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline

    from faying.results.fields import fields
    from faying.session import read

    target = tmp_path / "gap.vtkhdf"
    assert main(["export", str(project), "--field", "gap", "--to", str(target)]) == 0
    reader = io.vtkHDFReader()
    reader.SetFileName(str(target))
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    with read(project) as session:
        shown = session.shown(session.last_with_results())
        frames, context = shown.context.frames, shown.body_context
        np.testing.assert_allclose(times, frames.values)
        for frame, time in enumerate(times):
            reader.UpdateTimeStep(time)
            grid = reader.GetOutputDataObject(0)
            found = vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
            expected = fields["displacement"]().evaluate(context, "", frame)
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-12)
            assert grid.GetNumberOfPoints() == len(shown.model.nodes)
            assert grid.GetNumberOfCells() == len(shown.model.element_ids)
