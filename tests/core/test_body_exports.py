"""Reduced bodies for other programs: Exudyn, SID, Nastran and Abaqus; read back, and as the definitions of each say."""

import ast
import dataclasses
import itertools
import re
import runpy
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la

import faying
from faying.errors import ModelError
from faying.exporters.bodies import body_endings, body_writer_for, write_body
from faying.exporters.bodies._integrals import integrals_of
from faying.exporters.bodies.exudyn import exudyn_arrays
from faying.exporters.bodies.nastran import _number
from faying.fem.matrix_files.abaqus import AbaqusMatrixReader
from faying.fem.writers import write_model
from faying.progress import Silent
from faying.project.serialization import project_from_dict
from faying.project.stage import Target
from faying.reduction.boundary_coordinates import superelement
from faying.reduction.quality import ritz_modes
from faying.session.bodies import reduced_body_file
from faying.testing.plates import write_plate_deck
from support.boxes import box
from support.sid import read_sid


@pytest.fixture(scope="module")
def bar(tmp_path_factory):
    """A bar of bricks, free, with modes that bend and twist: the session, and its body with M and K over all nodes."""
    folder = tmp_path_factory.mktemp("bar")
    write_model(box("hex8_incompatible", (4, 2, 1), (40.0, 10.0, 4.0)), folder / "bar.inp")
    body = {
        "name": "bar", "model": {"path": str(folder / "bar.inp")},
        "reduction": {"kind": "free_interface", "vibration_modes": 5}, "joint_modes": {"kind": "weighted_pod"},
    }  # fmt: skip
    with faying.Session(project_from_dict({"bodies": [body]}), folder / "artifacts") as session:
        yield session, reduced_body_file(session.project, session.body(), session.compute)


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    """Two plates, tied, held at two reference nodes."""
    folder = tmp_path_factory.mktemp("plates")
    body = {
        "name": "plates", "model": {"path": str(write_plate_deck(folder / "plates.inp"))}, "joints_tied": True,
        "interfaces": [{"name": "hold", "node_set": "HOLD"}, {"name": "tip", "node_set": "TIP"}],
        "joints": [{
            "name": "lap", "master": {"kind": "deck_surface", "name": "LOWER"},
            "slave": {"kind": "deck_surface", "name": "UPPER"},
        }],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 4},
    }  # fmt: skip
    system = {
        "name": "s",
        "parts": [{"kind": "flexible", "name": "p", "body": "plates", "stiffness_damping": 1e-6}],
    }
    words = {
        "bodies": [body],
        "systems": [system],
        "analyses": [{"kind": "motion", "name": "m", "system": "s"}],
    }
    with faying.Session(project_from_dict(words), folder / "artifacts") as session:
        yield reduced_body_file(session.project, session.body(), session.compute, "m")


def crosses(vectors):
    """Return (3 n, 3 m) of fields (3 n, m): the columns 3 j + c are field j × e_c, node by node."""
    n, m = vectors.shape[0] // 3, vectors.shape[1]
    nodal = vectors.reshape(n, 3, m).transpose(0, 2, 1)
    return np.cross(nodal[:, :, None, :], np.eye(3)).transpose(0, 3, 1, 2).reshape(3 * n, 3 * m)


def test_exudyn_is_given_what_it_defines(bar):
    """Zwölfer and Gerstmayr's matrices by the consistent mass, for modes in space, which are not symmetric."""
    session, body = bar
    mass, model = session.assemble().mass, session.read_model()
    modes = session.compute(Target("basis", "bar")).modes
    place = model.nodes.reshape(-1, 1)
    across, around = crosses(place), crosses(modes)
    fields = {"x": across, "t": np.tile(np.eye(3), (len(model.nodes), 1)), "p": modes, "P": around}
    expected = {
        "inertia": "xx", "mPhitTPsi": "tp", "mPhitTPsiTilde": "tP", "mXRefTildePsi": "xp", "mXRefTildePsiTilde": "xP",
        "mPsiTildePsi": "Pp", "mPsiTildePsiTilde": "PP",
    }  # fmt: skip
    given = exudyn_arrays(body, integrals_of(body, "Exudyn"))
    sizes = {
        letter: np.sqrt(np.einsum("ij,ij->j", field, mass @ field).max()) for letter, field in fields.items()
    }
    for name, (left, right) in expected.items():
        product, scale = fields[left].T @ mass @ fields[right], sizes[left] * sizes[right]
        np.testing.assert_allclose(given[name], product, rtol=0, atol=1e-12 * scale, err_msg=name)
    lopsided = given["mPsiTildePsiTilde"].reshape(5, 3, 5, 3)
    assert np.abs(lopsided - lopsided.transpose(2, 1, 0, 3)).max() > 1e-3 * np.abs(lopsided).max()


def test_names_in_an_exudyn_script_are_text(plates, tmp_path):
    evil = 'a"""\nimport os\n"""'
    known = plates.reduced.interfaces, plates.reduced.interface_nodes
    interfaces, nodes = ({{"hold": evil}.get(name, name): each[name] for name in known[0]} for each in known)
    reduced = replace(plates.reduced, interfaces=interfaces, interface_nodes=nodes)
    write_body(replace(plates, name=evil, reduced=reduced), tmp_path / "plates.py")
    code = ast.parse((tmp_path / "plates.py").read_text(encoding="utf-8"))
    imported = [name.name for each in ast.walk(code) if isinstance(each, ast.Import) for name in each.names]
    assert imported == ["exudyn", "numpy"]
    (named,) = (each.value for each in code.body if isinstance(each, ast.Assign))
    assert [*ast.literal_eval(named)] == [evil, "tip"]


def test_an_exudyn_script_of_loose_parts_ends_by_their_elastic_modes(tmp_path):
    """Without contact weak ties alone hold the lower plate, and a part that turns freely has no period to simulate."""
    deck = write_plate_deck(tmp_path / "plates.inp")
    text = deck.read_text()
    coupled = text.index("*SURFACE, TYPE=NODE, NAME=HOLD_NODES"), text.index("*NSET, NSET=TIP\n")
    deck.write_text(text[: coupled[0]] + text[coupled[1] :])
    surfaces = {
        role: {"kind": "deck_surface", "name": name}
        for role, name in (("master", "LOWER"), ("slave", "UPPER"))
    }
    body = {
        "name": "plates", "model": {"path": str(deck)}, "joints": [{"name": "lap", **surfaces}],
        "interfaces": [{"name": "tip", "node_set": "TIP"}],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 8},
    }  # fmt: skip
    with faying.Session(project_from_dict({"bodies": [body]}), tmp_path / "artifacts") as session:
        loose = reduced_body_file(session.project, session.body(), session.compute)
    said = write_body(loose, tmp_path / "loose.py")
    assert (
        "Contact in joint 'lap' is not in the script" in said[0]
        and "hang on weak ties in joint 'lap'" in said[1]
    )
    script = (tmp_path / "loose.py").read_text()
    assert said[0] in script and said[1] in script

    def end(frequencies):
        reduced = replace(loose.reduced, frequencies=np.array(frequencies))
        write_body(replace(loose, reduced=reduced), tmp_path / "loose.py")
        return float(re.search(r"endTime, .* = ([\d.e-]+), 200", (tmp_path / "loose.py").read_text())[1])

    # A bolt that turns freely about its axis has 6.7e-4 Hz by round-off: 1484 s.
    assert end([6.7e-4, 1000.0, 4e4]) == end([0.0, 1000.0, 4e4]) == end([1000.0, 4e4]) == pytest.approx(1e-3)


@pytest.mark.needs("exudyn")
@pytest.mark.filterwarnings("error::DeprecationWarning")
def test_a_pendulum_falls_in_exudyn_as_it_does_here(tmp_path, capfd, monkeypatch):
    """Reference kind: another code. A bar of 1 m bends by 0.05 mm while it falls; the tips are 0.1 µm apart."""
    import exudyn
    from exudyn.itemInterface import GenericJoint, MarkerBodyRigid, ObjectGround, SensorMarker

    from faying.examples import examples

    project = examples["flexible-pendulum"]().build(quick=True)
    system = project.systems[0].with_(parts=(project.systems[0].parts[0].with_(frame=""),))
    analysis = project.analyses[0].with_(duration=0.1, frames=5)
    body = project.bodies[0].with_(reduction={"kind": "craig_bampton", "vibration_modes": 4})
    made = project.with_(systems=(system,), analyses=(analysis,), bodies=(body,))
    with faying.Session(made, tmp_path / "artifacts", base=examples_folder()) as session:
        write_body(
            reduced_body_file(session.project, session.body(), session.compute, "fall"), tmp_path / "bar.py"
        )
        motion = session.move("fall")
        ours = np.stack([motion.curve(f"bar.end {axis}") for axis in "xyz"], axis=1)
        times = motion.values
    script = runpy.run_path(str(tmp_path / "bar.py"))
    mbs = exudyn.SystemContainer().AddSystem()
    added = script["add_body"](mbs, gravity=(0.0, -9.81, 0.0))
    ground = mbs.AddMarker(MarkerBodyRigid(bodyNumber=mbs.AddObject(ObjectGround())))
    hinge = [ground, added["markers"]["start"]]
    mbs.AddObject(GenericJoint(markerNumbers=hinge, constrainedAxes=[1, 1, 1, 1, 1, 0]))
    place = exudyn.OutputVariableType.Position
    sensor = mbs.AddSensor(SensorMarker(
        markerNumber=added["markers"]["end"], outputVariableType=place, storeInternal=True, writeToFile=False,
    ))  # fmt: skip
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    settings.timeIntegration.endTime, settings.timeIntegration.numberOfSteps = 0.1, 1000
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.solution.file.write = False
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    mbs.SolveDynamic(settings)
    theirs = np.asarray(mbs.GetSensorStoredData(sensor))
    at = [int(np.abs(theirs[:, 0] - time).argmin()) for time in times]
    np.testing.assert_allclose(theirs[at, 1:], ours, atol=1e-7)
    assert np.abs(ours[-1] - ours[0]).max() > 0.05
    runpy.run_path(str(tmp_path / "bar.py"), run_name="__main__")  # as it stands, it runs beside itself
    assert "modal coordinates at the end" in capfd.readouterr().out
    assert (tmp_path / "bar_solution.txt").is_file() and not list(elsewhere.iterdir())


def examples_folder():
    from importlib.resources import files
    from pathlib import Path

    return Path(str(files("faying_resources") / "examples"))


@pytest.mark.parametrize(
    ("units", "gravity"), [("mm-t-s", "9810.0"), ("m-kg-s", "9.81"), ("mm-kg-ms", "0.00981")]
)
def test_a_body_falls_in_exudyn_by_the_gravity_of_its_units(bar, tmp_path, units, gravity):
    _, body = bar
    write_body(dataclasses.replace(body, units=units), tmp_path / "bar.py")
    assert f"gravity=({gravity}, 0, 0)" in (tmp_path / "bar.py").read_text()


def test_sid_holds_the_equations_of_motion_of_a_deformed_body(bar, tmp_path):
    """With q, q' and ω of any size: J, m c, Cr, and the gyroscopic and centrifugal forces by sums over all nodes.

    Schwertassek and Wallrapp (1999), eqs. 6.402 to 6.407, against ∫ of ρ times what each is the integral of.
    """
    session, body = bar
    assert write_body(body, tmp_path / "bar.sid") == ()
    matrices, _ = read_sid((tmp_path / "bar.sid").read_text())
    mass, nodes = session.assemble().mass, session.read_model().nodes
    modes = session.compute(Target("basis", "bar")).modes
    rng = np.random.default_rng(3)
    r = modes.shape[1]
    q, rate, spin = rng.normal(size=r), rng.normal(size=r), rng.normal(size=3)
    q *= 3.0 / np.abs(modes @ q).max()
    place = nodes + (modes @ q).reshape(-1, 3)
    across = crosses(place.reshape(-1, 1))
    coriolis = 2.0 * np.cross(spin, (modes @ rate).reshape(-1, 3)).ravel()
    centrifugal = np.cross(spin, np.cross(spin, place)).ravel()

    def at_q(name):
        constant, slopes = matrices[name]
        return constant + np.einsum("iqj,q->ij", slopes, q) if slopes.size else constant

    inertia = across.T @ mass @ across
    # J goes to first order in q: the rest is what q moves itself.
    own = crosses(modes @ q[:, None])
    close(at_q("J"), inertia - own.T @ mass @ own)
    close(at_q("mdCM")[:, 0], np.tile(np.eye(3), (len(nodes), 1)).T @ (mass @ place.ravel()))
    close(at_q("Cr"), -(across.T @ (mass @ modes)).T)
    close(at_q("Me"), modes.T @ mass @ modes)
    forces = at_q("Ge").reshape(r, r, 3) @ spin @ rate
    close(forces, modes.T @ (mass @ coriolis))
    products = np.array([spin[k] * spin[m] for k, m in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))])
    close(at_q("Oe") @ products, modes.T @ (mass @ centrifugal))
    turning = np.einsum("alc,l,c->a", at_q("Gr").reshape(3, r, 3), rate, spin)
    close(turning, -across.T @ (mass @ coriolis))
    assert matrices["Ke"][0].shape == (r, r)


def close(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-11 * np.abs(theirs).max())


def test_frames_of_sid_are_the_interface_nodes(plates, tmp_path):
    write_body(plates, tmp_path / "plates.sid")
    text = (tmp_path / "plates.sid").read_text()
    assert text.split()[:2] == ["2", str(plates.reduced.n_coordinates)]
    matrices, frames = read_sid(text)
    for frame, (name, row) in zip(frames, plates.reduced.interface_nodes.items(), strict=True):
        np.testing.assert_allclose(frame["origin"][0][:, 0], plates.reduced.nodes[row])
        np.testing.assert_allclose(frame["phi"][0], plates.reduced.interfaces[name][:3])
        np.testing.assert_allclose(frame["psi"][0], plates.reduced.interfaces[name][3:])
        turns = plates.reduced.interfaces[name][3:]
        np.testing.assert_allclose(frame["AP"][1][2, :, 1], turns[0], atol=1e-15)  # e_z × … of a turn about x
    np.testing.assert_allclose(matrices["De"][0], 1e-6 * matrices["Ke"][0], rtol=1e-12)


def test_the_superelement_is_the_body(plates):
    """Free frequencies are those of the body; rigid motions cost nothing and weigh what the body does."""
    found, reduced = superelement(plates.reduced, plates.damping), plates.reduced
    values = la.eigvalsh(found.stiffness, found.mass)
    free = np.sqrt(np.abs(values)) / (2.0 * np.pi)
    expected, _ = ritz_modes(reduced.stiffness, reduced.mass)
    np.testing.assert_allclose(free[6:], expected, rtol=1e-6)
    assert free[5] < 1e-4 * free[6]
    held = found.frequencies[0]
    clamped, _ = ritz_modes(reduced.clamped_to("hold").stiffness, reduced.clamped_to("hold").mass)
    assert len(found.frequencies) == reduced.n_coordinates - 6 and held > clamped[0]
    rigid = np.zeros((len(found.mass), 3))
    for c in range(3):
        rigid[np.flatnonzero(found.components == c + 1), c] = 1.0
    # What moves as a whole is not in the other coordinates.
    np.testing.assert_allclose(found.stiffness @ rigid, 0.0, atol=1e-8 * np.abs(found.stiffness).max())
    np.testing.assert_allclose(
        rigid.T @ found.mass @ rigid, reduced.total_mass * np.eye(3), rtol=1e-9, atol=1e-16
    )
    np.testing.assert_allclose(
        found.damping, 1e-6 * found.stiffness, rtol=0, atol=1e-9 * np.abs(found.damping).max()
    )


def test_nastran_punch_is_read_back_by_fields(plates, tmp_path):
    write_body(plates, tmp_path / "plates.pch")
    found, lines = (
        superelement(plates.reduced, plates.damping),
        (tmp_path / "plates.pch").read_text().splitlines(),
    )
    assert all(len(line) <= 72 + 1 for line in lines if not line.startswith("$"))
    grids = [(line, after) for line, after in itertools.pairwise(lines) if line.startswith("GRID*")]
    for (line, after), row in zip(grids, plates.reduced.interface_nodes.values(), strict=True):
        place = [float(line[40:56]), float(line[56:72]), float(after[8:24])]
        assert int(line[8:24]) == plates.node_ids[row] and place == pytest.approx(plates.reduced.nodes[row])
    for name, matrix in (("KFAYING", found.stiffness), ("MFAYING", found.mass), ("BFAYING", found.damping)):
        numbers, read, column = {}, {}, None
        for line in lines:
            if line.startswith("DMIG*"):
                column = (int(line[24:40]), int(line[40:56])) if line[8:24].strip() == name else None
                numbers.setdefault(column, len(numbers))
            elif line.startswith("*") and column is not None and len(line) > 50:
                read[(int(line[8:24]), int(line[24:40])), column] = float(line[40:56].replace("D", "E"))
        labels = sorted({label for pair in read for label in pair})
        assert len(labels) == len(matrix)
        again = np.zeros_like(matrix)
        for (i, j), value in read.items():
            again[labels.index(i), labels.index(j)] = again[labels.index(j), labels.index(i)] = value
        np.testing.assert_allclose(again, matrix, rtol=1e-9, atol=1e-300)


@pytest.mark.needs("pyNastran")
def test_nastran_punch_is_read_back_by_pynastran(plates, tmp_path, monkeypatch):
    monkeypatch.setattr(np, "in1d", np.isin, raising=False)  # 1.4.1 is of the time of NumPy 1
    from pyNastran.bdf.bdf import BDF

    write_body(plates, tmp_path / "plates.pch")
    deck, found = BDF(debug=False), superelement(plates.reduced, plates.damping)
    deck.read_bdf(str(tmp_path / "plates.pch"), punch=True, xref=False)
    matrix, _rows, _columns = deck.dmigs["KFAYING"].get_matrix(is_sparse=False)
    np.testing.assert_allclose(matrix, found.stiffness, rtol=1e-8, atol=1e-8 * np.abs(found.stiffness).max())


def test_abaqus_matrices_are_read_back(plates, tmp_path):
    deck = tmp_path / "plates.inp"
    write_body(plates, deck)
    found, text = superelement(plates.reduced, plates.damping), deck.read_text()
    for kind in ("stiffness", "mass", "damping"):
        assert f"INPUT=plates_{kind}.mtx" in text
        read = AbaqusMatrixReader.read(tmp_path / f"plates_{kind}.mtx", None, Silent())
        np.testing.assert_allclose(read.matrix.toarray(), getattr(found, kind), rtol=1e-14)
    nodes = set(read.dofs.nodes.tolist())
    defined = {
        int(line.split(",")[0]) for line in re.search(r"\*NODE\n(.*?)\n\*", text, re.S)[1].splitlines()
    }
    assert nodes == defined
    assert body_writer_for(deck).files(deck)[1:] == tuple(
        tmp_path / f"plates_{kind}.mtx" for kind in ("stiffness", "mass", "damping")
    )


def test_names_with_commas_are_quoted_in_abaqus_matrices(plates, tmp_path):
    deck, reduced = tmp_path / "plates, both.inp", plates.reduced
    renamed = {f"{name}, left": row for name, row in reduced.interface_nodes.items()}
    rows = {f"{name}, left": rows for name, rows in reduced.interfaces.items()}
    named = dataclasses.replace(reduced, interface_nodes=renamed, interfaces=rows)
    write_body(dataclasses.replace(plates, name="*both", reduced=named), deck)
    text = deck.read_text()
    assert text.splitlines()[1].startswith("both, exported by Faying")
    assert re.findall("NSET=(.*)", text) == [f'"{name.upper()},_LEFT"' for name in reduced.interface_nodes]
    assert 'INPUT="plates, both_mass.mtx", ' in text


@pytest.mark.parametrize("value", [-1.234e-101, 1.234e-101, -1.5e300, -2.5, 0.0])
def test_numbers_of_a_punch_file_have_sixteen_characters(value):
    for exponent in "DE":
        text = _number(value, exponent)
        assert len(text) <= 16
        assert float(text.replace("D", "E")) == pytest.approx(value, rel=1e-8)


def _extptfm(path):
    """Return mass, stiffness, damping and loads of a superelement, found as OpenFAST finds them."""
    lines = [line.upper() for line in path.read_text().splitlines()]
    numbers = {}
    for row, line in enumerate(lines):
        for words in ("!DIMENSION", "!TIME INCREMENT IN SIMULATION:", "!TOTAL SIMULATION TIME IN FILE:"):
            if line.startswith(words):
                numbers[words] = float(line[len(words) :].lstrip(":"))
        size = int(numbers.get("!DIMENSION", 0))
        for words, count in (
            ("!MASS MATRIX", size),
            ("!STIFFNESS MATRIX", size),
            ("!DAMPING MATRIX", size),
            ("!LOADING", 2),
        ):
            if line.startswith(words):
                numbers[words] = np.array([text.split() for text in lines[row + 2 : row + 2 + count]], float)
    steps = numbers["!TOTAL SIMULATION TIME IN FILE:"] / numbers["!TIME INCREMENT IN SIMULATION:"] + 1
    assert len(numbers["!LOADING"]) == steps and not numbers["!LOADING"][:, 1:].any()
    return [numbers[f"!{words} MATRIX"] for words in ("MASS", "STIFFNESS", "DAMPING")]


def test_an_extptfm_superelement_swings_as_the_body_held_at_its_base(plates, tmp_path):
    """In SI units: frequencies in Hz, and what a force of 1 N moves, in m."""
    said = write_body(plates, tmp_path / "plates.extptfm")
    assert "'tip'; held are: 'hold'" in said[0]
    mass, stiffness, damping = _extptfm(tmp_path / "plates.extptfm")
    held = plates.reduced.clamped_to("hold")
    expected, _ = ritz_modes(held.stiffness, held.mass)
    found = np.sqrt(la.eigvalsh(stiffness, mass)) / (2.0 * np.pi)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    np.testing.assert_allclose(np.diag(mass)[6:], 1.0, rtol=1e-9)
    flexibility = la.inv(stiffness)[:6, :6]
    rows = held.interfaces["tip"]
    own = rows @ la.solve(held.stiffness, rows.T)  # mm/N, 1/N, and so on
    turns = np.array([1e-3] * 3 + [1.0] * 3)
    np.testing.assert_allclose(
        flexibility, own * np.outer(turns, turns) * 1e3, rtol=0, atol=1e-6 * np.abs(flexibility).max()
    )
    np.testing.assert_allclose(damping, 1e-6 * stiffness, rtol=0, atol=1e-9 * np.abs(damping).max())


def test_bodies_that_a_format_cannot_hold_are_refused(bar, tmp_path):
    _, body = bar
    for ending in (".pch", ".inp", ".extptfm"):
        with pytest.raises(ModelError, match="no interface node"):
            write_body(body, tmp_path / f"bar{ending}")
    assert not list(tmp_path.iterdir())
    assert {".npz", ".h5", ".py", ".sid", ".pch", ".inp"} <= set(body_endings())


def test_output4_holds_the_matrices_column_by_column(plates, tmp_path):
    """Read by the words of the format: column, first row and number of words, then the numbers."""
    told, *_ = write_body(plates, tmp_path / "plates.op4")
    assert "matrices alone" in told
    found = superelement(plates.reduced, plates.damping)
    for name, wanted in (("KGG", found.stiffness), ("MGG", found.mass), ("BGG", found.damping)):
        matrix = _output4(tmp_path / "plates.op4", name)
        np.testing.assert_allclose(matrix, wanted, rtol=1e-15)


def _output4(path, name):
    lines = iter(path.read_text().splitlines())
    for line in lines:
        if line[32:40].strip() == name:
            break
    columns, rows = int(line[:8]), int(line[8:16])
    matrix = np.zeros((rows, columns))
    for line in lines:
        column, first, words = (int(line[k : k + 8]) for k in (0, 8, 16))
        text = ""
        for _ in range(-(-words // 6)):
            text += next(lines)
        if column > columns:
            return matrix
        values = [float(text[k : k + 24]) for k in range(0, len(text), 24)]
        matrix[first - 1 : first - 1 + len(values), column - 1] = values
    raise AssertionError("the matrix has no end")


@pytest.mark.needs("pyNastran")
def test_pynastran_reads_output4(plates, tmp_path):
    from pyNastran.op4.op4 import OP4

    write_body(plates, tmp_path / "plates.op4")
    read = OP4(debug=False).read_op4(str(tmp_path / "plates.op4"))
    found = superelement(plates.reduced, plates.damping)
    for name, wanted in (("KGG", found.stiffness), ("MGG", found.mass), ("BGG", found.damping)):
        matrix = read[name][1] if isinstance(read[name], tuple) else read[name].data
        np.testing.assert_allclose(matrix, wanted, rtol=1e-14)
