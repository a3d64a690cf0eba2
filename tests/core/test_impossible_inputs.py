"""Inputs that no program may fall over: once a crash, a traceback, a wrong number or a machine without memory."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest

from faying.errors import FayingError, ModelError, ReadError, SolveError
from faying.fem.matrix_files import read_matrix
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.load_histories.expression import Expression
from faying.params import build
from faying.project.study import read_study
from faying.records import read_record, write_record
from faying.results.formula import find_field
from faying.units import read_quantity
from support.boxes import box

SEEDS = Path(__file__).parents[1] / "fuzz" / "seeds"


def changed(tmp_path: Path, name: str, *replacements: tuple[str, str]) -> Path:
    """Return a copy of a small file in which each text, which must be there, is replaced once."""
    content = (SEEDS / name).read_bytes()
    for old, new in replacements:
        assert old.encode() in content, old
        content = content.replace(old.encode(), new.encode(), 1)
    (tmp_path / name).write_bytes(content)
    return tmp_path / name


# Coordinates and numbers of nodes, one check in FeModel for all readers.

_COORDINATES = {
    "brick_2.msh": ("10 0 0 0", "10 {} 0 0"),
    "brick_4.msh": ("40\n0 0 0\n", "40\n0 {} 0\n"),
    "wedges.unv": ("   0.0000000000000000D+00", " {}"),
    "bricks.bdf": ("GRID,50,,0.5,", "GRID,50,,{},"),
    "tetrahedra.cdb": ("  1.0000000000000E+00", "{:>21}"),
}


@pytest.mark.parametrize("number", ["nan", "inf", "1e308", "-1e60"])
@pytest.mark.parametrize("name", list(_COORDINATES))
def test_a_coordinate_that_is_no_place_is_told_by_all_readers(tmp_path: Path, name: str, number: str) -> None:
    old, new = _COORDINATES[name]
    with pytest.raises(FayingError, match=r"no place|expected a number|not as expected"):
        read_model(changed(tmp_path, name, (old, new.format(number))))


def test_what_cannot_be_computed_with_is_no_model() -> None:
    whole = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0))
    material = next(iter(whole.materials.values()))
    from dataclasses import replace

    for changes, words in (
        ({"nodes": np.where(whole.nodes == 1.0, np.nan, whole.nodes)}, "lies at .* no place"),
        ({"nodes": whole.nodes * 1e308}, "no place"),
        ({"nodes": whole.nodes[:, :2]}, "expected x, y, z"),
        ({"node_ids": whole.node_ids + 2**53}, "has the number"),
        ({"node_sets": {"A": np.array([-1])}}, "node set A names nodes that do not exist"),
        ({"element_sets": {"A": np.array([1])}}, "element set A names elements that do not exist"),
        ({"materials": {"A": replace(material, density=np.inf)}}, "has density inf"),
        ({"materials": {"A": replace(material, youngs_modulus=1e308)}}, "Young's modulus 1e.308"),
    ):
        with pytest.raises(ModelError, match=words):
            replace(whole, **changes)
    assert isinstance(replace(whole), FeModel)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("brick_2.msh", "\n20 1", "\n99999999999999999999 1"),
        ("brick_2.msh", '2 3 "lower', '"lower'),
        ("brick_2.msh", "$Nodes\n8", "$Nodes\ninf"),
        ("brick_4.msh", "$Nodes\n2 8", "$Nodes\n-2 8"),
        ("brick_4.msh", "3 1 0 4", "3 1 0 -4"),
        ("wedges.unv", "       101         1", "99999999999999999999"),
        (
            "wedges.unv",
            "       112         1         1         7         6",
            "       112         1         1         7         7",
        ),
        ("tetrahedra.cdb", "ET,1,187", "ET,1,999999"),
        (
            "shells.cdb",
            "        4        0        1        1        5        7        3",
            "        0        0        1",
        ),
        ("tetrahedra.cdb", "        1        0        0", "999999999999999999999999999"),
        ("tetrahedra.cdb", "(3i9,6e21.13e3)", "(3i9,999999999e1.1)"),
        ("text_4.vtk", "CELLS 26", "CELLS 999999999"),
        ("text_4.vtk", "POINTS 22", "POINTS -22"),
        ("text_5.vtk", "OFFSETS", "CELLS"),
        ("text_5.vtk", "SCALARS group int", "SCALARS"),
        ("text_plain_32.vtu", 'header_type="UInt32"', 'header_type="Float64"'),
        ("bricks.bdf", "GRID,50,", "GRID,99999999999999999999,"),
        ("bricks.bdf", "CHEXA,2,3,5", "CHEXA,2,3,\u0665"),
    ],
)
def test_damage_in_text_files_is_told_in_a_sentence(tmp_path: Path, name: str, old: str, new: str) -> None:
    if old.encode() not in (SEEDS / name).read_bytes():
        pytest.fail(f"{old!r} is not in {name}")
    with pytest.raises(FayingError):
        read_model(changed(tmp_path, name, (old, new)))


@pytest.mark.parametrize("name", ["text_4.vtk", "text_5.vtk"])
@pytest.mark.parametrize("wrong", ["-1", "22", "999999999999"])
def test_cells_use_only_points_that_are_there(tmp_path: Path, name: str, wrong: str) -> None:
    text = (SEEDS / name).read_text()
    head, mark, rest = text.partition("CELLS" if name == "text_4.vtk" else "CONNECTIVITY")
    lines = rest.splitlines()
    words = lines[1].split()
    lines[1] = " ".join([*words[:-1], wrong])
    (tmp_path / name).write_text(head + mark + "\n".join(lines) + "\n")
    with pytest.raises(ReadError, match=r"does not exist|not fit"):
        read_model(tmp_path / name)


def test_long_ranges_take_no_memory(tmp_path: Path) -> None:
    begin = time.monotonic()
    cdb = changed(
        tmp_path, "tetrahedra.cdb", ("         1         3        -5\n", "         1         3-999999999\n")
    )
    assert len(read_model(cdb).node_sets["SOME"]) == 26  # all but node 2
    bdf = changed(
        tmp_path, "bricks.bdf", ("SET3,6,GRID,1,THRU,8,EXCEPT,2", "SET3,6,GRID,1,THRU,999999999,EXCEPT,2")
    )
    assert len(read_model(bdf).node_sets["SET 6"]) == 18
    rbe = changed(tmp_path, "bricks.bdf", ("9,10,11,12\n", "9,THRU,999999999\n"))
    with pytest.raises(ReadError, match="uses grid point 13, which does not exist"):
        read_model(rbe)
    assert time.monotonic() - begin < 20.0


def _broken_hdf(tmp_path: Path, name: str, change) -> Path:
    shutil.copyfile(SEEDS / name, tmp_path / name)
    with h5py.File(tmp_path / name, "r+") as file:
        change(file)
    return tmp_path / name


def _put(where: str, value: object):
    def change(file: h5py.File) -> None:
        attributes = dict(file[where].attrs) if where in file else {}
        if where in file:
            del file[where]
        file[where] = value
        file[where].attrs.update(attributes)

    return change


_STEP = "ENS_MAA/box/-0000000000000000001-0000000000000000001"


@pytest.mark.parametrize(
    ("name", "where", "value"),
    [
        ("bricks.med", f"{_STEP}/NOE/COO", np.zeros(5)),
        ("bricks.med", f"{_STEP}/NOE/COO", "text"),
        ("bricks.med", f"{_STEP}/MAI/HE8/NOD", np.zeros((3, 2))),
        ("bricks.med", f"{_STEP}/MAI/HE8/NOD", np.ones(14, np.int64)),
        ("bricks.med", f"{_STEP}/MAI/HE8/FAM", np.zeros(1, np.int64)),
        ("bricks.med", f"{_STEP}/MAI", 5),
        ("bricks.med", "FAS/box/ELEME/FAM_-7/GRO", 5),
        ("bricks.med", "FAS/box/ELEME/FAM_-7/GRO/NOM", "text"),
        ("bricks.med", "ENS_MAA", np.zeros(3)),
        ("pyramids.vtkhdf", "VTKHDF/NumberOfCells", np.zeros(0, np.int64)),
        ("pyramids.vtkhdf", "VTKHDF/NumberOfCells", np.array([2.5])),
        ("pyramids.vtkhdf", "VTKHDF/Offsets", np.zeros(0, np.int64)),
        ("pyramids.vtkhdf", "VTKHDF/Offsets", np.arange(40)[::-1].copy()),
        ("pyramids.vtkhdf", "VTKHDF/Points", np.zeros((22, 2))),
        ("pyramids.vtkhdf", "VTKHDF/Connectivity", np.full(200, -1)),
        ("pyramids.vtkhdf", "VTKHDF", 5),
    ],
)
def test_damage_in_hdf_files_is_told_in_a_sentence(
    tmp_path: Path, name: str, where: str, value: object
) -> None:
    path = _broken_hdf(tmp_path, name, _put(where, value))
    try:
        model = read_model(path)
    except FayingError:
        return
    assert "GRO" in where and len(model.blocks) == 1  # groups without names are no reason to refuse a mesh


# Matrices.

_DOFS = "1.1\n1.2\n"


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ("1 1 2.0\n2 2 3.5e", "line 2: found '3.5e'"),
        ("1 1 2.0\n2 2 3.5e-", "line 2: found '3.5e-'"),
        ("1 1 2.0\n2 2 3.5e 2 2 1.0\n", "line 2: found 6 fields"),
        ("1 1 3.5e\n2 2 2.0\n", "line 1: found '3.5e'"),
        ("1 1 3.5.1\n2 2 2.0\n", "line 1: found '3.5.1'"),
        ("1 1 2.0\n2\n2 3.0 1 1\n", "line 2: found 1 fields"),
        ("1 1 2.0\n2 2 1e400\n", "not finite"),
        ("1 1 2.0\n999999999 999999999 1.0\n", "has 999999999 rows, but its list"),
        ("1 1 2.0\n1e18 2 1.0\n", "expected a row number"),
        ("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2.0\n2 2 3.5e", "line 4: found '3.5e'"),
        (
            "%%MatrixMarket matrix coordinate real symmetric\n999999999 999999999 1\n1 1 2.0\n",
            "999999999 rows, but",
        ),
        (
            "%%MatrixMarket matrix array real general\n999999999 999999999\n1\n",
            "999999999 rows, but its list",
        ),
        ("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 2.0\n", "outside of 1 to 2"),
        (
            "%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 2.0 1.0\n",
            "expected coordinate or array",
        ),
    ],
)
def test_matrices_that_are_cut_off_or_enormous(tmp_path: Path, matrix: str, words: str) -> None:
    (tmp_path / "job.sti").write_text(matrix)
    (tmp_path / "job.dof").write_text(_DOFS)
    with pytest.raises(ReadError, match=words):
        read_matrix(tmp_path / "job.sti")


def test_matrix_market_in_its_forms(tmp_path: Path) -> None:
    (tmp_path / "job.dof").write_text(_DOFS)
    expected = [[2.0, -1.0], [-1.0, 3.0]]
    for text in (
        "coordinate real symmetric\n% a word\n2 2 3\n1 1 2\n2 1 -1.\n2 2 .3e1\n",
        "coordinate integer general\n2 2 4\n1 1 2\n2 1 -1\n1 2 -1\n2 2 3\n",
        "array real symmetric\n2 2\n2\n-1\n3\n",
        "array real general\n2 2\n2\n-1\n-1\n3\n",
    ):
        (tmp_path / "job.mtx").write_text(f"%%MatrixMarket matrix {text}")
        assert read_matrix(tmp_path / "job.mtx").matrix.toarray().tolist() == expected


def test_arrays_that_say_they_are_enormous_are_not_made_room_for(tmp_path: Path) -> None:
    np.save(tmp_path / "K.npy", np.eye(2))
    np.save(tmp_path / "dofs.npy", np.array([[1, 1], [1, 2]]))
    content = (tmp_path / "K.npy").read_bytes()
    (tmp_path / "K.npy").write_bytes(
        content.replace(b"(2, 2), }" + b" " * 12, b"(99999999, 99999999), }"[:21])
    )
    with pytest.raises(ReadError):
        read_matrix(tmp_path / "K.npy")
    import scipy.sparse as sp

    matrix = sp.csr_matrix(np.eye(2))
    matrix.indices[:] = [0, 2**30]  # reaches far beyond the arrays
    sp.save_npz(tmp_path / "M.npz", matrix)
    with pytest.raises(ReadError, match="no sparse matrix"):
        read_matrix(tmp_path / "M.npz")


def test_a_device_is_no_input(tmp_path: Path) -> None:
    for name in ("deck.inp", "job.toml", "job.sti", "box.vtu", "job.faying", "box.med"):
        (tmp_path / name).symlink_to("/dev/zero")
    begin = time.monotonic()
    for name in ("deck.inp", "box.vtu", "box.med"):
        with pytest.raises(ReadError, match="device"):
            read_model(tmp_path / name)
    with pytest.raises(ReadError, match="device"):
        read_matrix(tmp_path / "job.sti")
    with pytest.raises(ReadError, match="device"):
        read_study(tmp_path / "job.toml")
    study = tmp_path / "study.toml"
    study.write_text('[[bodies]]\nname = "a"\nmodel = { path = "/dev/zero" }\n')
    outcome = _faying("check", study)
    assert outcome.returncode == 1 and "/dev/zero" in outcome.stdout + outcome.stderr
    assert time.monotonic() - begin < 60.0


# Studies, formulas, names.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = " + "[" * 400 + "]" * 400, "nested too deep"),
        ("name = " + "[" * 4000 + "]" * 4000, "nested too deep"),
        ("note = " + "{ a = " * 60 + "1" + " }" * 60, "nested too deep"),
        ("[a" + ".a" * 1000 + "]\nb = 1", "nested too deep"),
        ("schema_version = " + "9" * 5000, "a number is too long"),
        ("schema_version = 0x" + "f" * 5000, "an integer is too large"),
        ('name = "a\\u0000b"', "code zero"),
    ],
)
def test_studies_that_are_nested_or_large_without_end(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "job.toml").write_text(text)
    with pytest.raises(ReadError, match=words):
        read_study(tmp_path / "job.toml")


@pytest.mark.parametrize(
    "formula",
    [
        "*".join(["3**4000000"] * 80), "9**9**9**9", "'a'*99999999", "(" * 150 + "t" + ")" * 150, "-" * 1500 + "t",
        "[t]*999999", "t.hex()", "9" * 1900, "+".join(["t"] * 900), "f'{t:999999999}'", "max(*[t])",
        "floor(1e308)**99999",
    ],
)  # fmt: skip
def test_formulas_end_soon_in_a_number_or_a_sentence(formula: str) -> None:
    begin = time.process_time()
    try:
        build(Expression, {"formula": formula}).factor(0.5)
    except (ModelError, SolveError) as error:
        assert len(str(error)) < 5000
    with pytest.raises(ModelError):
        find_field(formula.replace("t", "pressure") + " and")
    try:
        find_field(formula.replace("t", "pressure"))
    except ModelError as error:
        assert len(str(error)) < 1000
    assert time.process_time() - begin < 1.0


def test_formulas_of_today_keep_their_values() -> None:
    def value(formula: str, time: float = 0.3) -> float:
        return build(Expression, {"formula": formula}).factor(time)

    assert value("0.5*(1 - cos(pi*t/0.25)) if t < 0.25 else 1") == 1.0
    assert value("floor(10*t) % 2") == 1.0 and value("7 // 2") == 3.0 and value("2**3") == 8.0
    assert value("1 if t > 0.2 and not t > 0.4 or t == 9 else 0") == 1.0
    assert value("max(t, 1, 2) + min(1, t)") == 2.3 and value("+t") == 0.3


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9 mm",
        "N**9**9**9",
        "mm9**9**9",
        "(3)^2²51 mm",
        "(9)(9)²^99",
        "((((((9)²)²)²)²)²)²",
        "((9)**99)**99 mm",
        "mm**999999999",
        "9" * 5000 + " mm",
        "(" * 300 + "mm",
    ],
)
def test_units_end_soon(text: str) -> None:
    begin = time.process_time()
    with pytest.raises(ModelError):
        read_quantity(text, "length", "mm-t-s")
    assert time.process_time() - begin < 5.0  # with the import of pint


def test_units_of_today_keep_their_values() -> None:
    for text, quantity, value in (
        ("5 m ** 2", "area", 5e6), ("3 (mm)**2", "area", 3.0), ("3(mm)²", "area", 3.0),
        ("5 N (mm)**-2", "stress", 5.0), ("10**3 kg (m)²/(s)²", "energy", 1e6),
        ("2 (1/s)", "frequency", 2.0), ("10**3 N", "force", 1000.0),
        ("10 1/s", "frequency", 10.0), ("2 kg*m^-3", "density", 2e-12), ("210 GPa", "stress", 210000.0),
    ):  # fmt: skip
        assert read_quantity(text, quantity, "mm-t-s") == pytest.approx(value)


def test_names_with_any_letter_are_stored(tmp_path: Path) -> None:
    value = {"a\0b": ("c\0d", "\ud800"), "plain": ("e", "")}
    with h5py.File(tmp_path / "names.h5", "w") as file:
        write_record(file, "value", value)
        assert read_record(file["value"]) == value


# The command line.


def _faying(*words: object, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "faying", *map(str, words)],
        stderr=subprocess.PIPE, text=True, timeout=120, check=False, **({"stdout": subprocess.PIPE} | options),
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_behind_the_output_is_told(tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text('name = "job"\n')
    for words in (("info",), ("info", "--json"), ("check",)):
        with Path("/dev/full").open("w") as full:
            outcome = _faying(words[0], tmp_path / "job.toml", *words[1:], stdout=full)
        assert outcome.returncode == 1
        assert outcome.stderr.splitlines()[-1].startswith(
            "error: The output could not be written (No space left"
        )
        assert "Traceback" not in outcome.stderr and "Exception" not in outcome.stderr
