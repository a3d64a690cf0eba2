"""Contact of shells at their outside: gaps less thickness and offset, slip by rotations."""

from pathlib import Path

import numpy as np
import pytest

from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.shell_heights import facet_heights, nodal_heights
from faying.fem.skin import surface_from_deck
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import ContactPairs
from faying.joints.search import SearchSpec


def sheets(
    path: Path, distance: float, lower: str, upper: str, *, solid: bool = False, upper_first: bool = False
) -> FeModel:
    """Return two sheets of shells (or a shell over a brick), LOW and UP, facing at the nodes' distance along z."""
    lines = ["*NODE"]
    grids = ((1, 4, 0.0), (101, 5, distance))
    for first, n, z in grids[::-1] if upper_first else grids:
        for i, (x, y) in enumerate((x, y) for y in np.linspace(0, 3, n) for x in np.linspace(0, 3, n)):
            lines.append(f"{first + i},{x:.9f},{y:.9f},{z:.9f}")
    if solid:
        lines += [
            f"{201 + i},{x},{y},-1." for i, (x, y) in enumerate((x, y) for y in range(4) for x in range(4))
        ]
        lines.append("*ELEMENT, TYPE=C3D8, ELSET=LOW")
    else:
        lines.append("*ELEMENT, TYPE=S4, ELSET=LOW")
    for k in range(9):
        a = 1 + k % 3 + 4 * (k // 3)
        corners = [a, a + 1, a + 5, a + 4]
        lines.append(
            f"{k + 1}," + ",".join(map(str, [c + 200 for c in corners] + corners if solid else corners))
        )
    lines.append("*ELEMENT, TYPE=S4, ELSET=UP")
    for k in range(16):
        a = 101 + k % 4 + 5 * (k // 4)
        lines.append(f"{k + 101},{a},{a + 1},{a + 6},{a + 5}")
    lines += ["*MATERIAL, NAME=M", "*ELASTIC", "2.E5,.3", "*DENSITY", "7.85E-9"]
    lines += (
        ["*SOLID SECTION, ELSET=LOW, MATERIAL=M"]
        if solid
        else [f"*SHELL SECTION, ELSET=LOW, MATERIAL=M{lower}"]
    )
    lines += [f"*SHELL SECTION, ELSET=UP, MATERIAL=M{upper}"]
    lines += [
        "*SURFACE, NAME=MASTER",
        f"LOW,{'S2' if solid else 'SPOS'}",
        "*SURFACE, NAME=SLAVE",
        "UP,SNEG",
        "",
    ]
    path.write_text("\n".join(lines))
    return read_model(path)


def pairs_of(model: FeModel, **search) -> ContactPairs:
    surfaces = [surface_from_deck(model, name) for name in ("MASTER", "SLAVE")]
    return find_contact_pairs(model.nodes, *surfaces, SearchSpec(**search), blocks=model.blocks)


@pytest.mark.parametrize(
    ("lower", "upper", "taken_off"),
    [
        ("\n.5", "\n1.", 0.75),
        # Nodes at the top of the lower sheet, and at the bottom of the upper one: nothing sticks out.
        (", OFFSET=SPOS\n.5", ", OFFSET=SNEG\n1.", 0.0),
        (", OFFSET=SNEG\n.5", ", OFFSET=SPOS\n1.", 1.5),
        (", OFFSET=0.25\n.8", "\n.4", 0.4),
    ],
)
def test_gaps_are_between_the_outsides(tmp_path: Path, lower: str, upper: str, taken_off: float) -> None:
    model = sheets(tmp_path / "sheets.inp", taken_off + 0.1, lower, upper)
    pairs = pairs_of(model)
    assert len(pairs) == 25
    np.testing.assert_allclose(pairs.initial_gaps, 0.1, atol=1e-12)
    at_nodes = pairs_of(model, shell_thickness=False)
    np.testing.assert_allclose(at_nodes.initial_gaps, taken_off + 0.1, atol=1e-12)


def test_a_thick_shell_over_a_brick_is_found_and_counts_alone(tmp_path: Path) -> None:
    # The nodes are farther apart than the search distance, the outsides are not.
    model = sheets(tmp_path / "thick.inp", 5.05, "", "\n10.", solid=True)
    pairs = pairs_of(model, distance=0.2)
    np.testing.assert_allclose(pairs.initial_gaps, 0.05, atol=1e-12)
    assert pairs.master_heights is not None and not pairs.master_heights.any()


def test_heights_of_both_sides_and_where_thicknesses_meet(tmp_path: Path) -> None:
    model = sheets(tmp_path / "sides.inp", 1.0, ", OFFSET=0.25\n.8", "\n.4")
    slave = surface_from_deck(model, "SLAVE")
    heights = np.where(np.arange(16) % 4 < 2, 1.0, 3.0)
    at_nodes = nodal_heights(slave, heights, model.nodes).reshape(5, 5)
    np.testing.assert_allclose(at_nodes, np.tile([1.0, 1.0, 2.0, 3.0, 3.0], (5, 1)))
    # Nodes a quarter of the thickness above the middle: 0.2 above them, 0.6 below.
    np.testing.assert_allclose(facet_heights(model.blocks, surface_from_deck(model, "MASTER")), 0.2)


def test_turning_touching_sheets_as_one_is_no_slip(tmp_path: Path) -> None:
    model = sheets(tmp_path / "rigid.inp", 0.75, "\n.5", "\n1.")
    dofs = assemble(model).dofs
    pairs = pairs_of(model)
    np.testing.assert_allclose(pairs.initial_gaps, 0.0, atol=1e-12)
    rigid = rigid_body_modes(model.nodes, dofs)
    assert abs(gap_rows(pairs, dofs) @ rigid).max() < 1e-12
    assert abs(slip_rows(pairs, dofs) @ rigid).max() < 1e-12
    # Contact at the nodes would slip: there the same rotation moves the sheets by their distance.
    loose = slip_rows(pairs_of(model, shell_thickness=False), dofs) @ rigid
    assert abs(loose).max() == pytest.approx(0.75)


@pytest.mark.parametrize("upper_first", [False, True])
def test_turning_a_shell_with_a_brick_as_one_is_no_slip(tmp_path: Path, upper_first: bool) -> None:
    """Whichever nodes come first in the deck: those of the brick have no rotations."""
    model = sheets(tmp_path / "rigid.inp", 0.5, "", "\n1.", solid=True, upper_first=upper_first)
    dofs = assemble(model).dofs
    pairs = pairs_of(model)
    np.testing.assert_allclose(pairs.initial_gaps, 0.0, atol=1e-12)
    rigid = rigid_body_modes(model.nodes, dofs)
    assert abs(gap_rows(pairs, dofs) @ rigid).max() < 1e-12
    assert abs(slip_rows(pairs, dofs) @ rigid).max() < 1e-12


def test_sheets_that_bend_alike_slip_by_rotation_times_half_of_both_thicknesses(tmp_path: Path) -> None:
    model = sheets(tmp_path / "bent.inp", 0.75, "\n.5", "\n1.")
    dofs = assemble(model).dofs
    pairs = pairs_of(model)
    curvature = 1e-3
    x = model.nodes[:, 0]
    # w = κ x² / 2, fibres turn by θ_y = −κ x; the middle surfaces keep their length.
    full = np.zeros(dofs.transformation.shape[0])
    full[2 : 3 * len(x) : 3] = 0.5 * curvature * x**2
    full[3 * len(x) + 1 :: 3] = -curvature * x[dofs.rotation_nodes]
    slip = (slip_rows(pairs, dofs) @ full[dofs.own_rows]).reshape(-1, 2)
    moved = slip[:, :1] * pairs.tangents_1 + slip[:, 1:] * pairs.tangents_2
    # The upper sheet's bottom moves forward (+κ x / 2), the lower one's top back (−κ x / 4).
    expected = curvature * x[pairs.slave_nodes] * 0.75
    np.testing.assert_allclose(moved[:, 0], expected, atol=1e-12)
    np.testing.assert_allclose(moved[:, 1], 0.0, atol=1e-12)
