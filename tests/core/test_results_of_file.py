"""Results that CalculiX 2.20 computed, as an analysis beside ours: the same mesh, another one, vibration modes."""

from pathlib import Path

import numpy as np
import pytest

import faying
from faying.errors import FayingError
from faying.testing.plates import write_plate_deck

# The two plates of `write_plate_deck`, apart: HOLD_FACE held, TIP_FACE moved by 0.1 mm along z, nothing turns.
BY_CALCULIX = Path(__file__).parents[1] / "support" / "plates_by_calculix.frd"
BODY = {
    "name": "plates", "model": {"path": "plates.inp"},
    "interfaces": [{"name": "hold", "node_set": "HOLD"}, {"name": "tip", "node_set": "TIP"}],
    "joints": [
        {
            "name": "lap", "master": {"kind": "deck_surface", "name": "LOWER"},
            "slave": {"kind": "deck_surface", "name": "UPPER"},
        }
    ],
}  # fmt: skip
OURS = {
    "kind": "unreduced_static", "name": "ours", "body": "plates", "support": "hold",
    "displacements": [{"interface": "tip"} | dict.fromkeys(("ux", "uy", "rx", "ry", "rz"), 0.0) | {"uz": 0.1}],
}  # fmt: skip


def solved(folder: Path, frd: str, divisions: int = 4, **more):
    write_plate_deck(folder / "plates.inp", divisions)
    (folder / "run.frd").write_text(frd)
    body = BODY | {"model": {"path": str(folder / "plates.inp")}}
    theirs = {"kind": "results_of_file", "name": "theirs", "body": "plates", "file": str(folder / "run.frd")}
    return faying.build(bodies=[body], analyses=[OURS, theirs | more])


def test_displacements_stresses_and_gaps_are_those_of_another_program(tmp_path):
    """Reference kind: another code. The file has six digits."""
    project = solved(tmp_path, BY_CALCULIX.read_text())
    ours, theirs = project.solve("ours"), project.solve("theirs")
    for field, close in (("displacement", 1e-6), ("gap", 1e-6), ("von_mises", 1e-3), ("stress_xx", 1e-3)):
        expected, found = ours.field(field), theirs.field(field)
        np.testing.assert_array_equal(np.isnan(expected), np.isnan(found))
        np.testing.assert_allclose(found, expected, atol=close, rtol=0.0)
    assert np.abs(theirs.field("von_mises")[np.isfinite(theirs.field("von_mises"))]).max() > 60.0
    np.testing.assert_allclose(
        theirs.curve("tip uz"), [0.1], rtol=1e-5
    )  # of a node that CalculiX did not have
    assert theirs.report["stresses"] == "of the file"
    assert not theirs.report.get("warnings")


def test_stresses_are_those_of_the_file_and_not_of_its_displacements(tmp_path):
    lines = BY_CALCULIX.read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith(" -4  STRESS"))
    twice = [
        line[:13] + "".join(f"{2.0 * float(line[i : i + 12]):12.5E}" for i in range(13, 85, 12)) + "\n"
        if line.startswith(" -1") and len(line) > 80
        else line
        for line in lines[at:]
    ]
    whole = solved(tmp_path, BY_CALCULIX.read_text()).solve("theirs").field("stress_xx")
    doubled = solved(tmp_path, "".join([*lines[:at], *twice])).solve("theirs").field("stress_xx")
    np.testing.assert_allclose(doubled, 2.0 * whole, rtol=1e-5, atol=1e-5)
    without = solved(tmp_path, "".join([*lines[: at - 1], " 9999\n"])).solve("theirs")
    assert without.report["stresses"] == "of the displacements"
    np.testing.assert_allclose(without.field("stress_xx"), whole, atol=0.01)


def test_another_mesh_takes_the_nearest_nodes_only_as_far_as_is_said(tmp_path):
    with pytest.raises(
        FayingError, match=r"no node at the places of 48 nodes of the body; .* is 4 mm away\."
    ):
        solved(tmp_path, BY_CALCULIX.read_text(), divisions=5).solve("theirs")
    near = solved(tmp_path, BY_CALCULIX.read_text(), divisions=5, distance=4.5).solve("theirs")
    assert near.report["nodes_from_the_nearest"] == 48
    assert near.report["farthest_nearest_node"] == pytest.approx(4.0)
    ours = near.field("displacement")
    assert np.abs(ours).max() == pytest.approx(0.1)


def test_vibration_modes_are_frames_with_their_frequencies(tmp_path):
    head = "  100CL  101 1.000000000          60                     0    1           1"
    mode = "  100CL  101 2153.089121          60                     2    1MODAL      1"
    text = BY_CALCULIX.read_text()
    assert head in text
    modes = solved(tmp_path, text.replace(head, mode)).solve("theirs")
    assert modes.frames.axis.kind == "mode"
    assert modes.frames.label(0) == "mode 1: f = 2153.09"
    np.testing.assert_allclose(modes.frames.values, [2153.089121])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((" -4  DISP", " -4  NONE"), "there are no displacements in it"),
        (("    2C", "    3C"), "it has no nodes of a mesh"),
    ],
)
def test_files_without_what_is_needed_are_refused(tmp_path, change, words):
    with pytest.raises(FayingError, match=words):
        solved(tmp_path, BY_CALCULIX.read_text().replace(*change)).solve("theirs")
