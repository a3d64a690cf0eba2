"""Every matrix reader gives back, through files, the matrices of a small body; and says what does not fit."""

import numpy as np
import pytest
import scipy.sparse as sp

from faying.errors import ReadError
from faying.fem.assembly import assemble
from faying.fem.imported import imported_matrices
from faying.fem.matrix_files import read_matrix
from faying.fem.matrix_files._dof_lists import dof_list_of
from faying.fem.matrix_files.nastran import read_columns
from faying.fem.readers import read_model
from faying.progress import Silent
from faying.testing import MatrixReaderContract
from support.matrix_writers import WRITERS
from support.plate_deck import write_plate_deck


@pytest.fixture(scope="module")
def body(tmp_path_factory):
    model = read_model(write_plate_deck(tmp_path_factory.mktemp("deck") / "plates.inp"))
    return model, assemble(model)


class TestMatrixReaders(MatrixReaderContract):
    pass


@pytest.mark.parametrize("kind", WRITERS)
def test_round_trip(kind, body, tmp_path):
    model, ours = body
    stiffness, mass = WRITERS[kind](tmp_path, model, ours)
    digits = 1e-9 if kind == "nastran" else 1e-15  # fields of sixteen characters
    imported = imported_matrices(model, stiffness, mass)
    assert not imported.remarks
    # The same independent dofs, perhaps in another order, which the map tells.
    order = np.argmax(abs(imported.dofs.transformation.T @ ours.dofs.transformation).toarray(), axis=1)
    assert abs(imported.dofs.transformation - ours.dofs.transformation[:, order]).max() == 0.0
    for found, wanted in ((imported.stiffness, ours.stiffness), (imported.mass, ours.mass)):
        difference = abs(found - wanted[order][:, order]).max()
        assert difference <= digits * abs(wanted).max()
        assert abs(found - found.T).max() == 0.0


def test_both_triangles_are_no_double(body, tmp_path):
    model, ours = body
    stiffness, _ = WRITERS["abaqus"](tmp_path, model, ours, full=True)
    full = read_matrix(stiffness).matrix
    WRITERS["abaqus"](tmp_path, model, ours)
    assert abs(full - read_matrix(stiffness).matrix).max() <= 1e-15 * abs(full).max()


DMIG = """$ small fields, large fields and commas; a scalar point
DMIG    KAAX    0       6       2       0
DMIG    KAAX    1       1               1       1       3.0
DMIG*   KAAX                           2               1
*                      1               1        -3.0D+00
*                      2               1             3.5
DMIG,KAAX,7,0,,7,0,1.0-3
+,2,1,.25
DMIG    MAAX    0       6       2       0
DMIG    MAAX    1       1               1       1       .5
"""


def test_dmig_in_all_its_fields_and_which_matrix_of_a_file(tmp_path):
    path = tmp_path / "K.pch"
    path.write_text(DMIG)
    matrix = read_matrix(path)
    assert matrix.dofs.nodes.tolist() == [1, 2, 7] and matrix.dofs.components.tolist() == [1, 1, 0]
    np.testing.assert_array_equal(matrix.matrix.toarray(), [[3, -3, 0], [-3, 3.5, 0.25], [0, 0.25, 1e-3]])
    np.testing.assert_array_equal(read_matrix(path, wanted="mass").matrix.toarray(), [[0.5]])
    for wrong, sentence in (
        (DMIG.replace("MAAX", "PAAX"), "none of the matrices KAAX, PAAX is plainly the mass"),
        (DMIG.replace("3.5", "x.5"), "line 4: found 'KAAX"),
        (DMIG.replace("       6       2", "       6       3"), "line 2: the matrix KAAX is complex"),
        ("$ no DMIG here\nGRID,1\n", "no DMIG matrix"),
    ):
        path.write_text(wrong)
        with pytest.raises(ReadError, match=sentence):
            read_matrix(path, wanted="mass" if "mass" in sentence else "stiffness")


def test_a_square_dmig_holds_both_triangles(tmp_path):
    path = tmp_path / "K.pch"
    one_sided = "DMIG,KX,0,1,2,0\nDMIG,KX,1,1,,1,1,2.\nDMIG,KX,2,1,,1,1,-1.\n,2,1,2.\n"
    path.write_text(one_sided)
    with pytest.raises(ReadError, match="not symmetric: 0 and -1 stand for node 2, component 1"):
        read_matrix(path)
    path.write_text(one_sided.replace("1,1,2.\n", "1,1,2.\n,2,1,-1.\n", 1))
    np.testing.assert_array_equal(read_matrix(path).matrix.toarray(), [[2, -1], [-1, 2]])
    path.write_text(one_sided.replace("DMIG,KX,2,1,,1,1", "DMIG,KX,2,17,,1,1"))
    with pytest.raises(ReadError, match="found component 17 of node 2"):
        read_matrix(path)


def test_components_of_arrays_and_load_vectors_are_checked(tmp_path):
    np.save(tmp_path / "dofs.npy", np.array([[1, 1], [1, 17]]))
    np.save(tmp_path / "K.npy", np.eye(2))
    with pytest.raises(ReadError, match="found component 17 of node 1"):
        read_matrix(tmp_path / "K.npy")
    with pytest.raises(ReadError, match="found component 17 of node 1"):
        dof_list_of(tmp_path / "K.npz", np.array([[1, 17]]))
    loads = tmp_path / "P.pch"
    loads.write_text("DMIG,PX,0,9,2,0,,,1\nDMIG,PX,1,0,,1,17,2.\n")
    with pytest.raises(ReadError, match="found component 17 of node 1"):
        read_columns(loads, Silent())


LABELLED = """** two nodes, and one that the program made up
1,1, 1,1, 3.0
2,1, 1,1, -3.0e+00
2,1, 2,1, 3.5
-1,2, 2,1, 0.25D0
-1,2, -1,2, 1.0
"""


def test_labels_negative_nodes_and_fortran_exponents(tmp_path):
    path = tmp_path / "K.mtx"
    path.write_text(LABELLED)
    matrix = read_matrix(path)
    assert matrix.dofs.nodes.tolist() == [-1, 1, 2] and matrix.dofs.components.tolist() == [2, 1, 1]
    np.testing.assert_array_equal(matrix.matrix.toarray(), [[1, 0, 0.25], [0, 3, -3], [0.25, -3, 3.5]])


def test_parts_of_both_triangles_are_completed(tmp_path):
    path = tmp_path / "K.mtx"
    path.write_text("1,1, 1,1, 2\n1,2, 1,1, 1\n1,2, 1,2, 2\n1,2, 1,3, 1\n1,3, 1,3, 2\n")
    np.testing.assert_array_equal(read_matrix(path).matrix.toarray(), [[2, 1, 0], [1, 2, 1], [0, 1, 2]])


COORDINATES = "1 1 2.0\n2 1 -1.0\n2 2 2.0\n"


def test_components_are_read_as_words_not_as_decimals(tmp_path):
    (tmp_path / "job.sti").write_text(COORDINATES)
    (tmp_path / "job.dof").write_text("1200.1\n1210.2\n")
    assert read_matrix(tmp_path / "job.sti").dofs.nodes.tolist() == [1200, 1210]


@pytest.mark.parametrize(
    ("matrix", "dofs", "words"),
    [
        ("1,1, 1,1, 2\n1,2, 1,1\n", None, "line 2: found 4 fields, expected 5"),
        ("1,1, 1,1, 2\n\n1,2, 1,1, x\n", None, "line 3: found 'x', expected a number"),
        ("1,1, 1,1, 2\n1,2, 1,1, 1.0-100\n", None, "line 2: found '1.0-100'"),
        ("1,1, 1,1.5, 2\n", None, "found 1.5, expected a whole number"),
        ("1,1, 1,1, 2\n1,1, 1,2, 1\n1,2, 1,1, 3\n1,2, 1,2, 2\n", None, "not symmetric: 3 and 1"),
        ("1,1, 1,1, nan\n", None, "not finite"),
        ("1,1, 1,1, 2\n1,17, 1,17, 3\n", None, "found component 17 of node 1"),
        ("1,1, 1,1, 2\n1,-1, 1,1, 3\n", None, "found component -1 of node 1"),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 3\n" + COORDINATES,
            "1.1\n1.2\n",
            "not symmetric: -1 and 0 stand for node 1, component 2",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 2\n2.\n-1.\n0.\n2.\n",
            "1.1\n1.2\n",
            "not symmetric: -1 and 0 stand for node 1, component 2",
        ),
        (COORDINATES, None, "nothing says which nodes the 2 rows belong to"),
        (COORDINATES, "1.1\n", "has 2 rows, but its list of degrees of freedom has 1 lines"),
        (COORDINATES, "1.1\n1.1\n", "names node 1, component 1 twice"),
        (COORDINATES, "1.1\n1.0\n", "found component 0 of node 1"),
        (COORDINATES, "1.1\n1 2 3\n", "line 2: found '1 2 3', expected a node number and a component"),
        (COORDINATES, "1.1\n1.2\n1.3\n2.1\n2.2\n", "ends before node 1, component 3"),
        ("0 1 2.0\n", "1.1\n", "found row or column 0"),
        ("a matrix\n", None, "none of the matrix formats"),
        ("%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 2\n", "1.1\n", "2 rows and 3 columns"),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2\n",
            "1.1\n1.2\n",
            "says that it holds 2 entries, but 1 are there",
        ),
    ],
)
def test_sentences(matrix, dofs, words, tmp_path):
    path = tmp_path / "job.mtx"
    path.write_text(matrix)
    if dofs:
        (tmp_path / "job.dof").write_text(dofs)
    with pytest.raises(ReadError) as error:
        read_matrix(path)
    assert words in str(error.value) and str(error.value).startswith("job.")


def test_other_wrong_files(tmp_path):
    with pytest.raises(ReadError, match="is not there"):
        read_matrix(tmp_path / "none.mtx")
    np.save(tmp_path / "cube.npy", np.zeros((2, 2, 2)))
    with pytest.raises(ReadError, match="expected a square matrix"):
        read_matrix(tmp_path / "cube.npy")
    np.savez(tmp_path / "things.npz", a=np.zeros(3))
    with pytest.raises(ReadError, match="no sparse matrix"):
        read_matrix(tmp_path / "things.npz")
    np.save(tmp_path / "objects.npy", np.array([object()]), allow_pickle=True)
    with pytest.raises(ReadError, match="no array of numbers"):
        read_matrix(tmp_path / "objects.npy")
    sp.save_npz(tmp_path / "complex.npz", sp.csr_matrix([[1j]]))
    with pytest.raises(ReadError, match="expected real"):
        read_matrix(tmp_path / "complex.npz")
