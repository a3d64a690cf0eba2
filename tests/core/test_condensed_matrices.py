"""Condensed matrices with contact elements and no mesh (.mat): as the meshed body that they were made of."""

import re
import struct
import tracemalloc

import h5py
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

import faying
from faying.cli import main
from faying.errors import FayingError, ReadError
from faying.fem.condensed import condensed_arrays
from faying.fem.condensed.mat_file import matrix_shapes, read_matrices
from faying.fem.condensed.names import MatrixNames
from faying.fem.readers import read_model
from faying.params import build
from faying.project.serialization import project_from_dict
from faying.testing.plates import write_plate_deck

LAWS = {
    "contact_law": {"kind": "linear_penalty", "stiffness": 1e5},
    "friction_law": {"kind": "coulomb", "friction_coefficient": 0.2},
}
LOAD = {"interface": "tip", "force": (4.0, 3.0, -20.0)}
HELD = {"body": "plates", "support": "hold", "loads": [LOAD]}
# Steps of their own: how long adaptive ones are depends on what is seen to move, which is less of the condensed body.
STEPS = {"kind": "hht", "fixed_step": True, "first_step": 2e-6, "largest_step": 2e-6, "tolerance": 1e-12}
RUNS = [
    {"kind": "static", "name": "press", **HELD},
    {"kind": "static", "name": "mounted", "preloads": ["tight"], **HELD},
    {"kind": "static", "name": "blown", "body_loads": [{"load": "wind", "factor": 0.5}], **HELD},
    {
        "kind": "transient",
        "name": "swing",
        "duration": 1e-4,
        "frames": 5,
        "stiffness_damping": 1e-6,
        **HELD,
        "integrator": STEPS,
    },
]
NAMES = {
    "joints": [{"name": "lap", "motions": "L", "interpolation": "Qm", "weights": "Tm",
                "coordinates": "node_coords", "quadrilaterals": "quad_elem_nodes"}],
    "points": [{"name": "tip", "motions": "R"}],
    "forces": [{"name": "tight", "matrix": "Fv"}, {"name": "wind", "matrix": "Fv", "column": 2, "acts_as": "load"}],
}  # fmt: skip


def meshed(deck):
    """Return the project of the FE model; its joint has pairs at integration points of quadrilaterals that match."""
    body = {
        "name": "plates", "model": {"path": str(deck)},
        "interfaces": [{"name": name.lower(), "node_set": name} for name in ("HOLD", "TIP")],
        "joints": [{
            "name": "lap", "search": {"pairs_at": "integration_points"}, **LAWS,
            "master": {"kind": "deck_surface", "name": "LOWER"}, "slave": {"kind": "deck_surface", "name": "UPPER"},
        }],
        "preloads": [{"name": "tight", "loads": [
            {"kind": "surface_pressure", "pressure": 0.5, "surface": {"kind": "grown", "element": n, "face": f}}
            for n, f in ((1, 1), (9, 2))]}],
        "loads": [{"kind": "traction", "name": "wind", "traction": (0.0, 0.02, 0.0),
                   "surface": {"kind": "deck_surface", "name": "UPPER"}}],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 2},
        "joint_modes": {"kind": "weighted_pod", "count": 3},
    }  # fmt: skip
    return project_from_dict({"name": "plates", "units": "mm-t-s", "bodies": [body], "analyses": RUNS})


def condensed(path, names=None):
    """Return the project of the file's body, held at the frame of its coordinates."""
    model = {"path": str(path), **({} if names is None else {"matrices": names})}
    body = {
        "name": "plates", "model": model, "interfaces": [{"name": n, "node_set": n} for n in ("frame", "tip")],
        "joints": [{
            "name": "lap", **LAWS, "master": {"kind": "deck_surface", "name": "lap master"},
            "slave": {"kind": "deck_surface", "name": "lap slave"},
        }],
        "preloads": [{"name": "tight"}], "loads": [{"kind": "of_file", "name": "wind"}],
    }  # fmt: skip
    runs = [{**run, "support": "frame"} for run in RUNS]
    return project_from_dict({"name": "plates", "units": "mm-t-s", "bodies": [body], "analyses": runs})


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    """The session of the meshed body, and the matrices of the body held at one end, laid out as tmdsimpy does."""
    folder = tmp_path_factory.mktemp("condensed")
    session = faying.Session(meshed(write_plate_deck(folder / "plates.inp")), folder / "artifacts")
    held, pairs, model = session.reduce().clamped_to("hold"), session.find_pairs(), session.read_model()
    corners, shares = pairs.slave_shares
    points, at = np.unique(corners, return_inverse=True)
    p, m, r = len(pairs), len(points), held.n_coordinates
    interpolation = sp.csr_matrix(
        (shares.ravel(), (np.repeat(np.arange(p), corners.shape[1]), at.ravel())), shape=(p, m)
    )
    # The nodes of the other plate lie at the same places.
    moved = held.displacements.reshape(-1, 3, r)
    below = np.unique(pairs.master_nodes)
    others = [below[(model.nodes[below] == model.nodes[n]).all(axis=1)].item() for n in points]
    closing = np.zeros((3 * m + 2, r))  # further rows do not count
    closing[: 3 * m] = (moved[others] - moved[points]).reshape(-1, r)
    quads = np.unique(at.reshape(corners.shape), axis=0)
    matrices = {
        "M": held.mass, "K": held.stiffness, "L": closing, "Qm": interpolation,
        "Tm": interpolation.T @ sp.diags(pairs.weights), "R": held.interfaces["tip"][:3],
        "Fv": np.stack([held.preload_forces["tight"], held.load_columns(["wind"])[:, 0]], axis=1),
        "node_coords": model.nodes[points, :2], "tri_elem_nodes": np.zeros((0, 4)),
        "quad_elem_nodes": np.column_stack([1 + np.arange(len(quads)), 1 + quads]).astype(float),
    }  # fmt: skip
    return session, matrices


def write(path, matrices):
    """Write them as MATLAB does, version 7."""
    scipy.io.savemat(path, matrices, do_compression=True)
    return path


def compare(session, project, folder):
    """Compare all runs of a body with those of the meshed one: gaps, pressures, slips, and the loaded point."""
    with faying.Session(project, folder) as again:
        for name in ("press", "mounted", "blown", "swing"):
            ours, theirs = session.solve(name), again.solve(name)
            for field in ("gap", "pressure", "friction_stress", "slip"):
                for frame in (0, -1):
                    expected, found = ours.field(field, frame=frame), theirs.field(field, frame=frame)
                    np.testing.assert_allclose(
                        found,
                        expected,
                        rtol=1e-9,
                        atol=1e-9 * np.abs(expected).max(),
                        err_msg=f"{name}: {field}",
                    )
            for axis in "xyz":
                expected = ours.curve(f"tip u{axis}")
                np.testing.assert_allclose(
                    theirs.curve(f"tip u{axis}"), expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max()
                )
        assert session.solve("press").field("pressure").max() > 0.0
        assert (
            np.abs(session.solve("mounted").field("gap") - session.solve("press").field("gap")).max() > 1e-6
        )
        assert np.abs(session.solve("blown").field("gap") - session.solve("press").field("gap")).max() > 1e-6
        return again.check()


def test_contact_statics_and_motion_are_those_of_the_meshed_body(plates, tmp_path):
    session, matrices = plates
    path = write(tmp_path / "plates.mat", matrices)
    found = compare(session, condensed(path, NAMES), tmp_path / "artifacts")
    assert not [each.sentence for each in found if each.severity == "error"]


def test_modes_and_responses_are_those_of_the_meshed_body(plates, tmp_path):
    session, matrices = plates
    shaken = {
        "kind": "frequency_response", "loads": [LOAD], "lowest_frequency": 300.0, "highest_frequency": 900.0,
        "points": 3, "mass_damping": 9.0, "full": False,
    }  # fmt: skip
    common = {"name": "run", "body": "plates", "preloads": ["tight"], "sticking": "stuck"}
    project = condensed(write(tmp_path / "plates.mat", matrices), NAMES)
    for i, words in enumerate(({"kind": "modes", "count": 5}, shaken)):
        held = [{**common, **words, "support": support} for support in ("hold", "frame")]
        ours, theirs = (
            faying.Session(project_from_dict(made.model_dump() | {"analyses": [run]}), tmp_path / f"{i}{k}")
            for k, (made, run) in enumerate(zip((session.project, project), held, strict=True))
        )
        with ours, theirs:
            expected, found = ours.solve("run"), theirs.solve("run")
            np.testing.assert_allclose(found.results.values, expected.results.values, rtol=1e-8)
            if "points" in words:
                np.testing.assert_allclose(found.curve("tip uz"), expected.curve("tip uz"), rtol=1e-7)


def test_a_condensed_body_is_held_somewhere_to_be_shaken(plates, tmp_path):
    project = condensed(write(tmp_path / "plates.mat", plates[1]), NAMES)
    words = {
        "kind": "frequency_response",
        "name": "run",
        "body": "plates",
        "loads": [LOAD],
        "preloads": ["tight"],
    }
    made = project_from_dict(project.model_dump() | {"analyses": [words]})
    with faying.Session(made, tmp_path / "s") as session, pytest.raises(FayingError, match="held nowhere"):
        session.solve("run")


def test_three_matrices_of_rows_and_bare_areas_say_the_same(plates, tmp_path):
    session, matrices = plates
    rows = np.asarray(
        matrices["Qm"] @ matrices["L"][: 3 * matrices["Qm"].shape[1]].reshape(matrices["Qm"].shape[1], -1)
    )
    rows = rows.reshape(len(rows), 3, -1)
    named = {
        "masses": matrices["M"], "springs": sp.csc_matrix(matrices["K"]), "opening": -rows[:, 2], "along": rows[:, 0],
        "across": rows[:, 1], "areas": session.find_pairs().weights, "R": matrices["R"], "Fv": matrices["Fv"],
    }  # fmt: skip
    path = write(tmp_path / "rows.mat", named)
    names = {
        **NAMES, "mass": "masses", "stiffness": "springs",
        "joints": [{"name": "lap", "normal": "opening", "tangent_1": "along", "tangent_2": "across",
                    "weights": "areas", "positive": "opens"}],
    }  # fmt: skip
    compare(session, condensed(path, names), tmp_path / "artifacts")


def as_hdf(path, matrices):
    """Write matrices as MATLAB's version 7.3: HDF5 with columns first, after a header of 512 bytes."""
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, value in matrices.items():
            if sp.issparse(value):
                columns = sp.csc_matrix(value)
                group = file.create_group(name)
                group.attrs["MATLAB_sparse"] = np.uint64(columns.shape[0])
                for part, numbers in (
                    ("data", columns.data),
                    ("ir", columns.indices),
                    ("jc", columns.indptr),
                ):
                    group[part] = numbers if part == "data" else numbers.astype(np.uint64)
            else:
                file[name] = np.asarray(value).T
    return path


@pytest.mark.parametrize("order", "<>")
def test_numbers_stand_in_the_smallest_type_that_holds_them(tmp_path, order):
    """As MATLAB writes whole numbers, on processors of either order of bytes."""

    def element(kind, content):
        return struct.pack(f"{order}II", kind, len(content)) + content + bytes(-len(content) % 8)

    name = struct.pack(f"{order}I", 1 << 16 | 1) + b"A\0\0\0"  # up to four bytes stand in the tag
    sizes = element(5, struct.pack(f"{order}2i", 2, 3))
    numbers = (
        element(2, bytes([1, 2, 3, 4, 5, 6])),
        element(3, struct.pack(f"{order}6h", -1, 2, 300, 4, 5, 6)),
    )
    for values, first in zip(numbers, (1.0, -1.0), strict=True):
        matrix = element(14, element(6, struct.pack(f"{order}2I", 6, 0)) + sizes + name + values)
        mark = struct.pack(f"{order}HH", 0x0100, 0x4D49)
        path = tmp_path / "small.mat"
        path.write_bytes(b"MATLAB 5.0 MAT-file".ljust(124) + mark + matrix)
        assert matrix_shapes(path) == {"A": (2, 3)}
        found = read_matrices(path, ["A"])["A"]
        assert found[0, 0] == first and found[1, 0] == 2.0 and found[0, 2] == 5.0


@pytest.mark.parametrize("name", [b"s", b"text"])
def test_a_file_may_hold_objects_beside_matrices(tmp_path, name):
    """As MATLAB writes strings in double quotes and tables: without a shape, and what they share without a name."""

    def element(kind, content):
        return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)

    def flags(kind):
        return element(6, struct.pack("<2I", kind, 0))

    def matrix(kind, name, numbers):
        sizes = element(5, struct.pack("<2i", 1, len(numbers)))
        return element(14, flags(kind) + sizes + element(1, name) + element(2, bytes(numbers)))

    words = (element(1, each) for each in (name, b"MCOS", b"string"))
    text = element(14, flags(17) + b"".join(words) + matrix(13, b"", [1, 2, 3]))
    path = tmp_path / "objects.mat"
    head = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack("<HH", 0x0100, 0x4D49)
    path.write_bytes(head + text + matrix(6, b"K", [7, 8]) + matrix(9, b"", [0, 1, 0, 0]))
    assert matrix_shapes(path) == {"K": (1, 2)}
    np.testing.assert_array_equal(read_matrices(path, ["K"])["K"], [[7.0, 8.0]])


def test_both_kinds_of_matlab_files_hold_the_same(plates, tmp_path):
    first, second = write(tmp_path / "a.mat", plates[1]), as_hdf(tmp_path / "b.mat", plates[1])
    assert matrix_shapes(first) == matrix_shapes(second)
    one, other = read_matrices(first, list(plates[1])), read_matrices(second, list(plates[1]))
    for name in plates[1]:
        assert sp.issparse(one[name]) == sp.issparse(other[name])
        assert abs(one[name] - other[name]).max() == 0.0 if one[name].size else True


@pytest.mark.parametrize("part", ["data", "ir", "jc"])
def test_a_sparse_matrix_takes_no_more_memory_than_it_holds(tmp_path, part):
    path = as_hdf(tmp_path / "large.mat", {"K": sp.eye(3, format="csc")})
    with h5py.File(path, "r+") as file:
        del file[f"K/{part}"]
        file["K"].create_dataset(part, shape=(1 << 27,), dtype="f8", chunks=(1 << 20,))
    tracemalloc.start()
    try:
        with pytest.raises(ReadError, match=r"damaged|too large"):
            read_matrices(path, ["K"])
        assert tracemalloc.get_traced_memory()[1] < 1 << 26
    finally:
        tracemalloc.stop()


def test_names_of_tmdsimpy_need_no_decision(plates, tmp_path, capsys):
    path = write(tmp_path / "beam.mat", plates[1])
    model = read_model(path)
    assert list(model.node_sets) == ["frame", "point"]
    assert model.preload_cases == ("bolts",) and [each.name for each in model.contacts] == ["interface"]
    assert main(["new", str(path)]) == 0
    assert main(["check", str(tmp_path / "beam.toml")]) == 0
    assert main(["run", str(tmp_path / "beam.toml")]) == 0
    assert main(["info", str(tmp_path / "beam.faying")]) == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"K": None}, "it has no matrix 'K'.*It has: M"),
        ({"K": lambda k: k[:-1, :-1]}, "M has 13 rows and K 12"),
        ({"M": lambda m: m[:-1]}, "M is 12 × 13, expected a square matrix"),
        ({"K": lambda k: k + 0.01 * np.abs(k).max() * np.eye(len(k), k=1)}, "K is not symmetric: .* in row"),
        ({"M": lambda m: -m}, "mass matrix M is not positive definite"),
        ({"K": lambda k: -k}, "stiffness matrix K is not positive"),
        ({"M": lambda m: m * np.nan}, "M is no matrix of finite real numbers"),
        ({"L": lambda rows: rows[:, :-1]}, "L is 47 × 12, expected 13 columns"),
        ({"L": lambda rows: rows[:30]}, "Qm has 15 columns, and L 30 rows; three are needed"),
        ({"Qm": lambda q: 2.0 * q}, "Qm gives joint 'interface' rows that do not sum to one: 2"),
        ({"Tm": lambda t: t.T}, "Tm is 32 × 15, expected 32 areas, or 15 × 32"),
        ({"Tm": lambda t: sp.csc_matrix(np.full(t.shape, 0.1))}, "Tm is not the transpose of Qm times areas"),
        ({"Tm": lambda t: -t}, "Tm gives an area of -"),
        ({"R": lambda rows: rows[:2]}, "R has 2 rows, expected three for each point"),
        ({"Fv": lambda f: f[:-1]}, "Fv has 12 rows, expected 13"),
        ({"node_coords": lambda x: x[:, :1]}, "coordinates of joint 'interface' are 15 × 1"),
        ({"quad_elem_nodes": lambda n: n + 9}, "are to have 4 numbers of points each, from 1 to 15"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_a_sentence(plates, tmp_path, change, words):
    matrices = dict(plates[1])
    for name, changed in change.items():
        if changed is None:
            del matrices[name]
        else:
            matrices[name] = changed(matrices[name])
    with pytest.raises(ReadError) as told:
        condensed_arrays(write(tmp_path / "bad.mat", matrices))
    assert re.search(words, f"{told.value} {told.value.hint}"), told.value


def test_an_interpolation_of_other_points_than_the_motions_is_refused_in_a_sentence(tmp_path):
    matrices = {name: np.ones((4, 6)) for name in ("N", "T1", "T2")}
    matrices |= {"M": np.eye(6), "K": 2.0 * np.eye(6), "Q": np.full((3, 2), 0.5), "W": np.ones(3)}
    joint = {"normal": "N", "tangent_1": "T1", "tangent_2": "T2", "interpolation": "Q", "weights": "W"}
    names = build(MatrixNames, {"joints": [joint]})
    with pytest.raises(ReadError, match="Q has 2 columns, and N 4 rows; one column is needed for each point"):
        condensed_arrays(write(tmp_path / "bad.mat", matrices), names)


def test_damaged_files_are_refused_in_a_sentence(plates, tmp_path):
    whole = write(tmp_path / "whole.mat", plates[1]).read_bytes()
    path = tmp_path / "cut.mat"
    for part in (
        b"",
        b"no such file",
        whole[:100],
        whole[:200],
        whole[: len(whole) // 2],
        whole[:128] + whole[300:],
    ):
        path.write_bytes(part)
        with pytest.raises(ReadError):
            condensed_arrays(path)


def test_a_frame_alone_holds_it_and_no_system_moves_it(plates, tmp_path):
    path = write(tmp_path / "plates.mat", plates[1])
    free = condensed(path, NAMES)
    free = free.with_(
        analyses=(free.analyses[0].with_(support=""), free.analyses[0].with_(name="at tip", support="tip"))
    )
    with faying.Session(free, tmp_path / "artifacts") as session:
        found = [each.sentence for each in session.check() if each.severity == "error"]
        assert any("'press'" in sentence and "frame" in sentence for sentence in found)
        for name in ("press", "at tip"):
            with pytest.raises(FayingError):
                session.solve(name)
    system = {
        "name": "falling", "ground": [{"name": "hinge"}],
        "parts": [{"kind": "flexible", "name": "bar", "body": "plates"}],
        "constraints": [{"kind": "spherical", "name": "hinge", "first": "ground.hinge", "second": "bar.tip"}],
    }  # fmt: skip
    moving = free.with_(
        analyses=({"kind": "motion", "name": "fall", "system": "falling", "duration": 1e-4},),
        systems=(system,),
    )
    with faying.Session(moving, tmp_path / "artifacts") as session:
        found = [each.sentence for each in session.check() if each.severity == "error"]
        assert any("cannot have body 'plates'" in sentence for sentence in found)
        with pytest.raises(FayingError, match="as a whole"):
            session.move("fall")


def test_names_that_cannot_be():
    with pytest.raises(ValueError, match="frame"):
        MatrixNames(points=({"name": "frame", "motions": "R"},))
    with pytest.raises(ValueError, match="twice"):
        MatrixNames(forces=({"name": "a", "matrix": "Fv"}, {"name": "a", "matrix": "Fv"}))
