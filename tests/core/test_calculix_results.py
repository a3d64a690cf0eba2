"""Results of CalculiX: blocks of a .frd file, and its vibration modes as component modes."""

import shutil
import subprocess

import numpy as np
import pytest

import faying
from faying.errors import ReadError
from faying.fem.frd import read_frd
from faying.fem.writers import write_model
from faying.project.serialization import project_from_dict
from support.boxes import box

# As CalculiX 2.20 writes them; the stresses of a node need a second line.
FRD = """    1C
    2C                             2                                     1
 -3
    1PSTEP                         1           1           1
  100CL  101 2153.089121           2                     2    1MODAL      1
 -4  DISP        4    1
 -5  D1          1    2    1    0
 -5  D2          1    2    2    0
 -5  D3          1    2    3    0
 -5  ALL         1    2    0    0    1ALL
 -1         7 1.00000E+00-2.50000E-01 0.00000E+00
 -1        12 3.00000E+00 4.00000E+00-5.00000E+00
 -3
  100CL  101 2153.089121           1                     2    1MODAL      1
 -4  STRESS      6    1
 -5  SXX         1    4    1    1
 -5  SYY         1    4    2    2
 -5  SZZ         1    4    3    3
 -5  SXY         1    4    1    2
 -5  SYZ         1    4    2    3
 -5  SZX         1    4    3    1
 -1         7 1.00000E+00 2.00000E+00 3.00000E+00 4.00000E+00 5.00000E+00
 -2           6.00000E+00
 -3
 9999
"""


def test_blocks_of_a_file(tmp_path):
    path = tmp_path / "run.frd"
    path.write_text(FRD)
    moved, stress = read_frd(path)
    assert (moved.name, moved.value, moved.kind, moved.components) == (
        "DISP",
        2153.089121,
        2,
        ("D1", "D2", "D3"),
    )
    assert moved.nodes.tolist() == [7, 12]
    np.testing.assert_array_equal(moved.values, [[1.0, -0.25, 0.0], [3.0, 4.0, -5.0]])
    np.testing.assert_array_equal(stress.values, [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])
    assert [block.name for block in read_frd(path, "STRESS")] == ["STRESS"]


def test_blank_fields_of_a_head_count_as_zero(tmp_path):
    head = "  100CL  101 2153.089121           1                     2    1MODAL      1"
    assert head in FRD
    path = tmp_path / "run.frd"
    path.write_text(FRD.replace(head, f"{head[:56]}  {' ' * 5}{head[63:]}"))
    stress = read_frd(path, "STRESS")[0]
    assert (stress.kind, stress.step, stress.nodes.tolist()) == (0, 0, [7])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("    1C\n", "\n"), "no results file of CalculiX"),
        ((" -3\n 9999\n", ""), "line 14: the block that begins here never ends"),
        (("-5.00000E+00", "-5.0000xE+00"), "line 5: the block that begins here is damaged"),
        ((" -1        12 3.00000E+00 4.00000E+00-5.00000E+00\n", ""), "has 1 nodes, but its head says 2"),
        (("1MODAL      1", "1MODAL      2"), "line 5: the results are binary"),
    ],
)
def test_wrong_files_are_told(tmp_path, change, words):
    path = tmp_path / "run.frd"
    assert change[0] in FRD
    path.write_text(FRD.replace(*change))
    with pytest.raises(ReadError, match=words):
        read_frd(path)


@pytest.mark.skipif(not shutil.which("ccx"), reason="CalculiX is not installed")
def test_vibration_modes_of_calculix_are_component_modes(tmp_path):
    """Reference kind: another code. Frequencies of the same mesh, of a free body: CalculiX' own to 1e-6."""
    write_model(box("hex20", (4, 2, 1), (40.0, 10.0, 4.0)), tmp_path / "box.inp")
    step = "*STEP\n*FREQUENCY\n10\n*NODE FILE\nU\n*END STEP\n"
    (tmp_path / "run.inp").write_text((tmp_path / "box.inp").read_text() + step)
    subprocess.run(["ccx", "run"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    theirs = np.array([block.value for block in read_frd(tmp_path / "run.frd", "DISP")])
    body = {
        "name": "box", "model": {"path": str(tmp_path / "box.inp")},
        "reduction": {"kind": "imported_modes", "file": str(tmp_path / "run.frd")},
    }  # fmt: skip
    with faying.Session(project_from_dict({"bodies": [body]}), tmp_path / "artifacts") as session:
        ours = session.reduce().frequencies
    assert len(ours) == 4
    np.testing.assert_allclose(ours, theirs[6:], rtol=1e-6)
