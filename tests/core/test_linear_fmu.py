"""State spaces as FMUs in C: run by their own library through ctypes, and by FMPy; against SciPy's exact steps."""

import ctypes
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile

import numpy as np
import pytest
from scipy.signal import lsim

import faying
from faying.cli import main
from faying.errors import ModelError
from faying.session import c_compiler
from faying.session.fmu_description import seconds
from support.fmi_rules import FUNCTIONS, MODEL_EXCHANGE, broken_rules
from support.systems import chain

PLANT = {"kind": "state_space", "name": "plant", "system": "system", "highest_frequency": 20.0}
COMPILER = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
H, COUNT = 0.013, 60


def push(time):
    return 4.0 * np.sin(11.0 * time) + 1.0


@pytest.fixture(scope="module")
def plant(tmp_path_factory):
    """Return the FMU of three masses on springs, its state space, and what was said of it."""
    path = tmp_path_factory.mktemp("linear") / "plant.fmu"
    with faying.build(name="Chain", systems=[chain(3).model_dump()], analyses=[PLANT]) as session:
        model = session.move("plant").state_space()
        sentence = session.write_fmu(path)
    return path, model, sentence


def by_scipy(model, interpolated):
    times = H * np.arange(COUNT + 1)
    return times, lsim((model.a, model.b, model.c, model.d), push(times), times, interp=interpolated)[1]


class Library:
    """The library of an FMU, called as importers call it."""

    def __init__(self, path, folder, guid):
        with zipfile.ZipFile(path) as file:
            (name,) = (each for each in file.namelist() if each.startswith("binaries/"))
            self.all = ctypes.CDLL(file.extract(name, folder))
        self.all.fmi2Instantiate.restype = ctypes.c_void_p
        self.unit = self.all.fmi2Instantiate(b"one", 1, guid.encode(), b"", None, 0, 0)

    def call(self, name, *arguments):
        return getattr(self.all, name)(ctypes.c_void_p(self.unit), *arguments)

    def reals(self, references):
        numbers = (ctypes.c_double * len(references))()
        assert not self.call("fmi2GetReal", (ctypes.c_uint * len(references))(*references),
                             ctypes.c_size_t(len(references)), numbers)  # fmt: skip
        return np.array(numbers)

    def put(self, references, values):
        size = len(references)
        return self.call("fmi2SetReal", (ctypes.c_uint * size)(*references), ctypes.c_size_t(size),
                         (ctypes.c_double * size)(*values))  # fmt: skip

    def step(self, time, length):
        return self.call("fmi2DoStep", ctypes.c_double(time), ctypes.c_double(length), 1)


def described(path):
    with zipfile.ZipFile(path) as file:
        return ElementTree.fromstring(file.read("modelDescription.xml"))


@COMPILER
@pytest.mark.parametrize("interpolated", [False, True], ids=["held", "straight"])
def test_steps_are_those_of_scipy(plant, tmp_path, interpolated):
    """Of inputs that are held over a step, or go straight to their next value (`fmi2SetRealInputDerivatives`)."""
    path, model, sentence = plant
    assert "linux64" in sentence or "64" in sentence
    unit = Library(path, tmp_path, described(path).get("guid"))
    times, expected = by_scipy(model, interpolated)
    found = []
    for k in range(COUNT + 1):
        assert unit.put([0], [push(times[k])]) == 0
        found.append(unit.reals([1, 2, 3]))
        if k < COUNT:
            slope = (push(times[k + 1]) - push(times[k])) / H if interpolated else 0.0
            one = (
                (ctypes.c_uint * 1)(0),
                ctypes.c_size_t(1),
                (ctypes.c_int * 1)(1),
                (ctypes.c_double * 1)(slope),
            )
            assert unit.call("fmi2SetRealInputDerivatives", *one) == 0
            assert unit.step(times[k], times[k + 1] - times[k]) == 0  # lengths differ by round-off
    found = np.array(found)
    size = np.abs(expected).max(axis=0)
    np.testing.assert_allclose(found / size, expected / size, rtol=0, atol=1e-9)
    unit.call("fmi2FreeInstance")


@COMPILER
def test_stiff_models_keep_their_slow_motion(tmp_path):
    """Masses on springs of 1e12 and 800 N/m: steps of 2 000 periods of the fast motion."""
    system = chain(2, damping=0.0).model_dump()
    system["forces"][1]["stiffness"] = 1e12
    path = tmp_path / "stiff.fmu"
    with faying.build(systems=[system], analyses=[{**PLANT, "highest_frequency": 1e6}]) as session:
        model = session.move("plant").state_space()
        session.write_fmu(path)
    fast = np.abs(np.linalg.eigvals(model.a)).max()
    unit, h = Library(path, tmp_path, described(path).get("guid")), 2000 * 2.0 * np.pi / fast
    unit.put([0], [1.0])
    at = []
    for k in range(1000):
        unit.step(k * h, h)
        at.append(unit.reals([1])[0])
    # Both masses as one of 4 on the spring of 800, from rest under a force of 3.
    expected = 3.0 / 800.0 * (1.0 - np.cos(np.sqrt(800.0 / 4.0) * h * np.arange(1, 1001)))
    np.testing.assert_allclose(at, expected, rtol=0, atol=1e-6 * 3.0 / 800.0)


@COMPILER
def test_model_exchange_has_rates_states_and_derivatives(plant, tmp_path):
    path, model, _ = plant
    unit, n = Library(path, tmp_path, described(path).get("guid")), len(model.a)
    states = [4 + k for k in range(n)]
    assert unit.put([0, *states], [2.0, *np.arange(1.0, n + 1.0)]) == 0
    rates = (ctypes.c_double * n)()
    assert unit.call("fmi2GetDerivatives", rates, ctypes.c_size_t(n)) == 0
    np.testing.assert_array_equal(rates, unit.reals([4 + n + k for k in range(n)]))
    # One step forward and back by the state that was kept; poles of the library's A are those of the model's.
    columns = np.zeros((n, n))
    for k in range(n):
        known, seed = (ctypes.c_uint * 1)(states[k]), (ctypes.c_double * 1)(1.0)
        column, unknown = (ctypes.c_double * n)(), (ctypes.c_uint * n)(*(4 + n + j for j in range(n)))
        assert unit.call("fmi2GetDirectionalDerivative", unknown, ctypes.c_size_t(n), known, ctypes.c_size_t(1),
                         seed, column) == 0  # fmt: skip
        columns[:, k] = column
    found, wanted = (np.sort_complex(np.linalg.eigvals(a)) for a in (columns, model.a))
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    kept = ctypes.c_void_p()
    assert unit.call("fmi2GetFMUstate", ctypes.byref(kept)) == 0
    before = unit.reals([1, 2, 3])
    unit.step(0.0, H)
    assert not np.allclose(unit.reals([1, 2, 3]), before)
    assert unit.call("fmi2SetFMUstate", kept) == 0
    np.testing.assert_array_equal(unit.reals([1, 2, 3]), before)
    assert unit.put([1], [0.0]) == 3  # outputs cannot be set


@COMPILER
def test_a_unit_with_another_description_is_refused(plant, tmp_path):
    assert Library(plant[0], tmp_path, "{another}").unit is None


@COMPILER
def test_it_keeps_the_rules_of_omsimulator(plant):
    path, _, _ = plant
    root = described(path)
    assert broken_rules(root) == []
    with zipfile.ZipFile(path) as file:
        (library,) = (file.read(each) for each in file.namelist() if each.startswith("binaries/"))
    assert [name for name in (*FUNCTIONS, *MODEL_EXCHANGE) if f"fmi2{name}\0".encode() not in library] == []
    unknowns = root.find("ModelStructure/InitialUnknowns")
    unknowns.remove(unknowns[0])
    assert "Initial unknowns" in broken_rules(root)[0]


def test_models_that_differ_have_identities_that_differ(plant, tmp_path):
    """OMSimulator unpacks units of one GUID once."""
    guids = {described(plant[0]).get("guid")}
    for masses in (3, 2):
        with faying.build(name="Chain", systems=[chain(masses).model_dump()], analyses=[PLANT]) as session:
            session.move("plant")
            session.write_fmu(tmp_path / f"{masses}.fmu")
        guids.add(described(tmp_path / f"{masses}.fmu").get("guid"))
    assert len(guids) == 2


def test_its_source_compiles_without_a_warning(plant, tmp_path):
    """As a library, and with the prefix of programs that link several units."""
    compiler = shutil.which("cc") or pytest.skip("no C compiler")
    with zipfile.ZipFile(plant[0]) as file:
        file.extractall(tmp_path)
    for words in ((), ("-DFMI2_FUNCTION_PREFIX=one_",)):
        call = [compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-c", *words, "-o", str(tmp_path / "x.o"),
                str(tmp_path / "sources" / "linear.c")]  # fmt: skip
        done = subprocess.run(call, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_without_a_compiler_the_source_is_there_and_it_is_said(plant, tmp_path, monkeypatch):
    monkeypatch.setattr(c_compiler, "_COMPILERS", ("no-such-compiler",))
    with faying.build(name="Chain", systems=[chain().model_dump()], analyses=[PLANT]) as session:
        session.move("plant")
        sentence = session.write_fmu(tmp_path / "plant.fmu", outputs=["v"])
        with pytest.raises(ModelError, match="no output 'w'"):
            session.write_fmu(tmp_path / "other.fmu", outputs=["w"])
    assert sentence.startswith("No C compiler")
    with zipfile.ZipFile(tmp_path / "plant.fmu") as file:
        assert sorted(file.namelist()) == ["modelDescription.xml", "sources/linear.c", "sources/model.h"]
    outputs = [v.get("name") for v in described(tmp_path / "plant.fmu").iter("ScalarVariable")
               if v.get("causality") == "output"]  # fmt: skip
    assert outputs == ["v"]


def test_time_is_in_seconds_in_every_unit_system(tmp_path):
    """A mass of 2 kg on 800 N/m swings with 20 rad/s, also where a project counts in ms."""
    system = chain(mass=2.0, stiffness=8e-4, damping=0.0).model_dump()  # kg, kN/mm
    analysis = {**PLANT, "highest_frequency": 0.02, "lowest_frequency": 1e-4}  # kHz
    with faying.build(units="mm-kg-ms", systems=[system], analyses=[analysis]) as session:
        session.move("plant")
        session.write_fmu(tmp_path / "plant.fmu")
    with zipfile.ZipFile(tmp_path / "plant.fmu") as file:
        (line,) = (each for each in file.read("sources/model.h").decode().splitlines() if " A[]" in each)
    a = np.array([float(x) for x in line.partition("{")[2].rstrip("};").split(",")]).reshape(2, 2)
    np.testing.assert_allclose(np.abs(np.linalg.eigvals(a)), 20.0, rtol=1e-6)
    assert float(
        described(tmp_path / "plant.fmu").find("DefaultExperiment").get("stepSize")
    ) == pytest.approx(1 / 400)
    assert seconds("mm-kg-ms") == 1e-3


def test_the_command_line_writes_it(tmp_path, capsys):
    with faying.build(systems=[chain().model_dump()], analyses=[PLANT]) as session:
        session.move("plant")
        session.save(tmp_path / "p.faying")
    assert main(["export", str(tmp_path / "p.faying"), "--state-space", "--to", str(tmp_path / "p.fmu")]) == 0
    assert "C source" in capsys.readouterr().err
    with zipfile.ZipFile(tmp_path / "p.fmu") as file:
        assert "sources/linear.c" in file.namelist()


@COMPILER
@pytest.mark.needs("fmpy")
@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_fmpy_runs_it_without_a_remark(plant, kind):
    from fmpy import simulate_fmu
    from fmpy.validation import validate_fmu

    path, model, _ = plant
    assert validate_fmu(str(path)) == []
    times, expected = by_scipy(model, interpolated=False)
    # FMPy interpolates between rows; two rows at one time make a step.
    rows = [(t, push(times[k + d])) for k in range(COUNT) for d, t in ((0, times[k]), (0, times[k + 1]))]
    signals = np.array(rows, dtype=[("time", float), ("push", float)])
    found = simulate_fmu(
        str(path), fmi_type=kind, stop_time=times[-1], step_size=H, output_interval=H, input=signals, validate=True,
        relative_tolerance=1e-10, set_input_derivatives=False,
    )  # fmt: skip
    assert len(found) >= COUNT
    at = np.round(found["time"] / H).astype(int)
    near = 1e-9 if kind == "CoSimulation" else 1e-4  # its integrator there is FMPy's
    for column, name in enumerate(("x", "v")):
        wanted = expected[at, column]
        np.testing.assert_allclose(
            found[name], wanted, rtol=0, atol=near * np.abs(wanted).max(), err_msg=name
        )
