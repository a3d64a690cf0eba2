"""Ties of shells in Abaqus decks: at their outsides, with rotations."""

from pathlib import Path

import numpy as np
import pytest

from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.model import FeModel
from faying.fem.readers import read_model

LENGTH, THICKNESS = 6.0, 0.25


def sheet(first: int, cells: int, z: float, name: str, thickness: float) -> str:
    """Return a strip of shells along x, 1 wide."""
    xs = np.linspace(0.0, LENGTH, cells + 1)
    text = "*NODE\n" + "".join(
        f"{first + 2 * i + j},{x:.9g},{j}.,{z}\n" for i, x in enumerate(xs) for j in (0, 1)
    )
    text += f"*ELEMENT, TYPE=S4, ELSET={name}\n"
    for k in range(cells):
        a = first + 2 * k
        text += f"{first + k},{a},{a + 2},{a + 3},{a + 1}\n"
    return (
        text
        + f"*SHELL SECTION, ELSET={name}, MATERIAL=M\n{thickness}\n*NSET, NSET=END_{name}\n{first},{first + 1}\n"
    )


MATERIAL = "*MATERIAL, NAME=M\n*ELASTIC\n2.E5,0.\n*DENSITY\n7.85E-9\n"


def tied(path: Path, tie: str, gap: float = 0.0, lower: str = "SPOS", upper: str = "SNEG") -> FeModel:
    text = sheet(1, 12, 0.0, "LOW", THICKNESS) + sheet(101, 18, THICKNESS + gap, "UP", THICKNESS) + MATERIAL
    text += f"*SURFACE, NAME=LOWER\nLOW,{lower}\n*SURFACE, NAME=UPPER\nUP,{upper}\n{tie}\nUPPER,LOWER\n"
    path.write_text(text)
    return read_model(path)


def tip(model: FeModel, loaded: int, ends: tuple[str, ...]) -> float:
    """Return the deflection of a tip node under a force across, of both its corners, with the ends clamped."""
    matrices = assemble(model)
    rows = matrices.dofs.transformation
    held = np.unique(
        np.concatenate(
            [rows[matrices.dofs.node_rows(int(n))].indices for name in ends for n in model.node_sets[name]]
        )
    )
    free = np.setdiff1d(np.arange(matrices.dofs.n_dofs), held)
    at = [matrices.dofs.node_rows(model.node_row(n))[2] for n in (loaded, loaded + 1)]
    load = np.asarray(rows[at].sum(axis=0)).ravel()
    x = np.zeros(matrices.dofs.n_dofs)
    x[free] = np.linalg.solve(matrices.stiffness[free][:, free].toarray(), load[free])
    return float((rows[at] @ x).mean())


def test_tied_sheets_bend_as_one_of_their_common_thickness(tmp_path: Path) -> None:
    model = tied(tmp_path / "tied.inp", "*TIE, NAME=T")
    assert model.unread == ()
    (tie,) = model.equations
    assert len(tie.starts) - 1 == 6 * 38
    path = tmp_path / "one.inp"
    path.write_text(sheet(1, 12, 0.0, "ONE", 2.0 * THICKNESS) + MATERIAL)
    whole, single = read_model(path), tmp_path / "thin.inp"
    single.write_text(sheet(1, 12, 0.0, "ONE", THICKNESS) + MATERIAL)
    together = tip(model, 25, ("END_LOW", "END_UP"))
    # Eight times as stiff as one sheet, where loose ones would be twice as stiff; as stiff as a sheet of both, but for
    # the 2.7 % by which nodes of the finer mesh are held straight between those of the coarser one.
    assert together == pytest.approx(tip(whole, 25, ("END_ONE",)), rel=0.03)
    assert together == pytest.approx(tip(read_model(single), 25, ("END_ONE",)) / 8.0, rel=0.03)


def test_a_tie_passes_rigid_motions_and_adds_nothing_to_them(tmp_path: Path) -> None:
    model = tied(tmp_path / "rigid.inp", "*TIE, NAME=T, ADJUST=NO", gap=0.01)
    matrices = assemble(model)
    rigid = rigid_body_modes(model.nodes, matrices.dofs)
    assert abs(matrices.stiffness @ rigid).max() < 1e-9 * abs(matrices.stiffness).max() * LENGTH
    values = np.linalg.eigvalsh(matrices.stiffness.toarray())
    assert (np.abs(values) < 1e-10 * values[-1]).sum() == 6


def test_where_nodes_go_and_what_is_too_far(tmp_path: Path) -> None:
    def heights(tie: str, gap: float) -> np.ndarray:
        model = tied(tmp_path / "where.inp", tie, gap)
        return np.unique(model.nodes[model.node_sets["END_UP"], 2].round(9))

    # Onto the outside, or left; with the middle surfaces together where thickness does not count.
    assert heights("*TIE, NAME=T", 0.02).tolist() == [THICKNESS]
    assert heights("*TIE, NAME=T, ADJUST=NO", 0.02).tolist() == [THICKNESS + 0.02]
    assert heights("*TIE, NAME=T", -0.1).tolist() == [THICKNESS - 0.1]
    assert heights("*TIE, NAME=T, NO THICKNESS, POSITION TOLERANCE=0.5", 0.0).tolist() == [0.0]
    far = tied(tmp_path / "far.inp", "*TIE, NAME=T, POSITION TOLERANCE=0.05", gap=0.06)
    assert "38 of 38 nodes of UPPER are farther than 0.05 from LOWER" in far.unread[0][1]


def test_no_rotation_leaves_a_hinge(tmp_path: Path) -> None:
    model = tied(tmp_path / "hinge.inp", "*TIE, NAME=T, NO ROTATION")
    assert np.unique(model.equations[0].components[model.equations[0].starts[:-1]]).tolist() == [1, 2, 3]
