"""Orthotropic materials, orientations and laminates in decks of Abaqus, CalculiX, Nastran and Ansys."""

from pathlib import Path

import h5py
import numpy as np
import pytest
import scipy.sparse.linalg as sla

from faying.errors import ModelError, ReadError
from faying.fem.assembly import assemble
from faying.fem.elasticity import material_stiffness
from faying.fem.laminates import laminate_stiffness
from faying.fem.mass_properties import mass_properties
from faying.fem.material_assignment import with_materials
from faying.fem.materials.isotropic import Isotropic
from faying.fem.model import FeModel, ShellSection
from faying.fem.readers import read_model
from faying.fem.writers import write_model
from faying.records import read_record, write_record

# Wood-like, in the order of Abaqus: E1, E2, E3, ν12, ν13, ν23, G12, G13, G23.
WOOD = (
    "*MATERIAL,NAME=WOOD\n*ELASTIC,TYPE=ENGINEERING CONSTANTS\n12000.,900.,500.,.4,.35,.3,800.,700.\n60.\n"
    "*DENSITY\n5e-10\n"
)
ANISO = (
    "*MATERIAL,NAME=WOOD\n*ELASTIC,TYPE=ANISO\n14000.,400.,1200.,300.,250.,800.,100.,50.\n"
    "30.,900.,60.,40.,20.,35.,500.,25.\n15.,45.,10.,12.,200.\n*DENSITY\n5e-10\n"
)
CARBON = (
    "*MATERIAL,NAME=CARBON\n*ELASTIC,TYPE=LAMINA\n140000.,10000.,.3,5000.,5000.,3500.\n*DENSITY\n1.6e-9\n"
    "*MATERIAL,NAME=GLASS\n*ELASTIC,TYPE=LAMINA\n40000.,8000.,.26,4000.,4000.,3000.\n*DENSITY\n2e-9\n"
)


def bricks(counts: tuple[int, int, int], size: tuple[float, float, float], turn: np.ndarray) -> str:
    """Return the mesh of a block of C3D20R, held at x = 0; element set E, node set HELD."""
    corners = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
    middles = [(1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2)]
    middles += [(0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]
    return _mesh(counts, size, corners + middles, "C3D20R", turn)


def shells(counts: tuple[int, int], size: tuple[float, float]) -> str:
    """Return the mesh of a plate of S8R, held at x = 0."""
    places = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (2, 1), (1, 2), (0, 1)]
    return _mesh((*counts, 0), (*size, 0.0), [(*place, 0) for place in places], "S8R", np.eye(3))


def _mesh(counts, size, places, label: str, turn: np.ndarray) -> str:
    numbers: dict[tuple[int, ...], int] = {}
    elements = [
        [numbers.setdefault((2 * i + a, 2 * j + b, 2 * k + c), len(numbers) + 1) for a, b, c in places]
        for k in range(max(counts[2], 1)) for j in range(counts[1]) for i in range(counts[0])
    ]  # fmt: skip
    step = np.array(size) / (2.0 * np.maximum(counts, 1))
    text = "*NODE\n" + "".join(
        f"{number}," + ",".join(f"{x:.12g}" for x in turn @ (step * place)) + "\n"
        for place, number in numbers.items()
    )
    text += f"*ELEMENT,TYPE={label},ELSET=E\n"
    for number, nodes in enumerate(elements, 1):
        row = [number, *nodes]
        lines = [",".join(map(str, row[at : at + 12])) for at in range(0, len(row), 12)]
        text += ",\n".join(lines) + "\n"
    return text + "*NSET,NSET=HELD\n" + "".join(f"{n},\n" for place, n in numbers.items() if place[0] == 0)


def clamped(model: FeModel, count: int = 4) -> np.ndarray:
    """Return the lowest frequencies (Hz) with the node set HELD clamped."""
    matrices = assemble(model)
    held = np.isin(
        np.concatenate([np.arange(len(model.nodes)), matrices.dofs.rotation_nodes]), model.node_sets["HELD"]
    )
    free = ~np.repeat(held, 3)[matrices.dofs.transformation.tocsc().indices]
    K, M = (each[free][:, free].tocsc() for each in (matrices.stiffness, matrices.mass))
    return np.sqrt(np.sort(sla.eigsh(K, count, M, sigma=0.0, return_eigenvectors=False))) / (2.0 * np.pi)


def read(path: Path, text: str) -> FeModel:
    path.write_text(text)
    return read_model(path)


@pytest.mark.parametrize(
    ("material", "orientation", "expected"),
    [
        (WOOD, "*ORIENTATION,NAME=O\n1.,.5,0.,-.3,1.,.2\n", [1369.13, 3165.499, 5414.687, 7521.681]),
        (WOOD, "*ORIENTATION,NAME=O\n1.,.5,0.,-.3,1.,.2\n2,35.\n", [665.8806, 1391.797, 3506.662, 4694.849]),
        (ANISO, "*ORIENTATION,NAME=O\n1.,.5,0.,-.3,1.,.2\n", [1444.670, 3356.849, 6209.701, 7986.996]),
    ],
)  # fmt: skip
def test_solids_vibrate_as_in_calculix(
    tmp_path: Path, material: str, orientation: str, expected: list[float]
) -> None:
    """Independent code: CalculiX 2.20 with 8 C3D20R of 40 x 12 x 5; it integrates the mass with fewer points."""
    section = "*SOLID SECTION,ELSET=E,MATERIAL=WOOD,ORIENTATION=O\n"
    model = read(
        tmp_path / "block.inp",
        bricks((4, 2, 1), (40.0, 12.0, 5.0), np.eye(3)) + material + orientation + section,
    )
    found = clamped(model)
    np.testing.assert_allclose(found[:2], expected[:2], rtol=6e-5)
    np.testing.assert_allclose(found, expected, rtol=1.5e-3)
    assert model.unread == ()


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("*SHELL SECTION,ELSET=E,MATERIAL=CARBON\n1.\n", [420.0804, 977.1063, 2607.029, 3613.452]),
        (
            "*ORIENTATION,NAME=O\n.8,.4,.3,-.4,.8,.1\n*SHELL SECTION,ELSET=E,MATERIAL=CARBON,ORIENTATION=O\n1.\n",
            [220.5798, 1146.043, 1720.293, 3223.528],
        ),
        (
            "*ORIENTATION,NAME=A\n1.,0.,0.,0.,1.,0.\n*ORIENTATION,NAME=B\n1.,0.,0.,0.,1.,0.\n3,45.\n"
            "*ORIENTATION,NAME=D\n0.,1.,0.,-1.,0.,0.\n*SHELL SECTION,ELSET=E,COMPOSITE\n"
            ".3,,CARBON,A\n.5,,GLASS,B\n.2,,CARBON,D\n",
            [176.1470, 825.695, 1104.267, 2638.428],
        ),
    ],
)  # fmt: skip
def test_shells_vibrate_as_the_bricks_that_calculix_makes_of_them(
    tmp_path: Path, section: str, expected: list[float]
) -> None:
    """Independent code: CalculiX 2.20, S8R of 60 x 20 x 1 with E3 = E2, ν13 = ν12 and ν23 = 0.4, as C3D20R inside."""
    model = read(tmp_path / "plate.inp", shells((12, 6), (60.0, 20.0)) + CARBON + section)
    np.testing.assert_allclose(clamped(model), expected, rtol=8.5e-3)
    assert model.unread == ()


def test_a_block_turned_with_its_orientation_has_the_same_frequencies(tmp_path: Path) -> None:
    """Cylindrical directions about an axis that turns with the block, and rectangular ones by nodes."""
    angle = np.radians(70.0)
    turn = np.array(
        [[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]]
    )
    tilt = np.array([[1.0, 0.0, 0.0], [0.0, 0.6, -0.8], [0.0, 0.8, 0.6]])
    section = "*SOLID SECTION,ELSET=E,MATERIAL=WOOD,ORIENTATION=O\n"
    found = []
    for rotation in (np.eye(3), turn @ tilt):
        a, b = rotation @ [-20.0, -30.0, 0.0], rotation @ [-20.0, -30.0, 1.0]
        points = ",".join(f"{x:.15g}" for x in (*a, *b))
        mesh = bricks((3, 2, 1), (40.0, 12.0, 5.0), rotation)
        round_ = f"*ORIENTATION,NAME=O,SYSTEM=CYLINDRICAL\n{points}\n3,20.\n"
        by_nodes = "*ORIENTATION,NAME=O,DEFINITION=NODES\n3,4,1\n2,15.\n"
        own = [read(tmp_path / "turned.inp", mesh + WOOD + each + section) for each in (round_, by_nodes)]
        found.append(np.concatenate([clamped(model) for model in own]))
        assert (
            np.ptp(own[0].blocks[0].directions, axis=0).max()
            > 0.1
            > np.ptp(own[1].blocks[0].directions, axis=0).max()
        )
    np.testing.assert_allclose(found[1], found[0], rtol=1e-7)
    assert not np.allclose(found[0][:4], found[0][4:], rtol=0.01)


_PLACES = [(0.0, 0.0), (2.0, 0.3), (4.0, 0.0), (0.2, 1.5), (2.1, 1.7), (4.0, 1.5)]
_QUADS = [(1, 2, 5, 4), (2, 3, 6, 5)]
_PLIES = [(0.2, 1, 30.0), (0.1, 2, 90.0), (0.15, 1, -60.0)]  # thickness, material, angle


def _by_abaqus() -> str:
    c, s = np.cos(np.radians(20.0)), np.sin(np.radians(20.0))
    text = "*NODE\n" + "".join(f"{i},{x},{y},0.\n" for i, (x, y) in enumerate(_PLACES, 1))
    text += "*ELEMENT,TYPE=S4,ELSET=E\n"
    text += "".join(f"{i},{','.join(map(str, nodes))}\n" for i, nodes in enumerate(_QUADS, 1))
    text += f"{CARBON}*ORIENTATION,NAME=O\n{c},{s},0.,{-s},{c},0.\n3,0.\n"
    text += "*SHELL SECTION,ELSET=E,COMPOSITE,ORIENTATION=O,OFFSET=-.5\n"
    return text + "".join(f"{t},3,{('CARBON', 'GLASS')[m - 1]},{angle}\n" for t, m, angle in _PLIES)


def _by_nastran() -> str:
    text = "BEGIN BULK\n" + "".join(f"GRID,{i},,{x},{y},0.\n" for i, (x, y) in enumerate(_PLACES, 1))
    text += "".join(f"CQUAD4,{i},5,{','.join(map(str, nodes))},9\n" for i, nodes in enumerate(_QUADS, 1))
    c, s = np.cos(np.radians(20.0)), np.sin(np.radians(20.0))
    text += f"CORD2R,9,,0.,0.,0.,0.,0.,1.\n,{c:.14f},{s:.14f},0.\n"
    text += (
        "MAT8,1,140000.,10000.,.3,5000.,5000.,3500.,1.6-9\nMAT8,2,40000.,8000.,.26,4000.,4000.,3000.,2.-9\n"
    )
    first, second, third = (f"{m},{t},{angle},YES" for t, m, angle in _PLIES)
    return text + f"PCOMP,5,0.\n,{first},{second}\n,{third}\nENDDATA\n"


def _by_ansys() -> str:
    text = "/PREP7\nET,1,181\nNBLOCK,6,SOLID\n(3i9,6e21.13e3)\n"
    for i, (x, y) in enumerate(_PLACES, 1):
        text += f"{i:9d}{0:9d}{0:9d}{x:21.13E}{y:21.13E}\n"
    text += "N,R5.3,LOC,       -1,\nEBLOCK,19,SOLID\n(19i9)\n"
    for i, nodes in enumerate(_QUADS, 1):
        text += "".join(f"{n:9d}" for n in (1, 1, 1, 5, 12, 0, 0, 0, 4, 0, i, *nodes)) + "\n"
    text += "       -1\nLOCAL,R5.0,LOC,12,0,0.,0.,0.\nLOCAL,R5.0,ANG,12,0,20.,0.,0.\n"
    labels = ("EX", "EY", "EZ", "PRXY", "PRYZ", "PRXZ", "GXY", "GXZ", "GYZ", "DENS")
    carbon = (140e3, 10e3, 10e3, 0.3, 0.0, 0.0, 5e3, 5e3, 3.5e3, 1.6e-9)
    glass = (40e3, 8e3, 8e3, 0.26, 0.0, 0.0, 4e3, 4e3, 3e3, 2e-9)
    for number, values in ((1, carbon), (2, glass)):
        text += "".join(f"MP,{name},{number},{value}\n" for name, value in zip(labels, values, strict=True))
    text += "SECTYPE,5,SHELL\n" + "".join(f"SECDATA,{t},{m},{angle},3\n" for t, m, angle in _PLIES)
    return text + "SECOFFSET,BOT\n"


def test_one_laminate_in_three_formats_has_one_stiffness(tmp_path: Path) -> None:
    """Two skew shells: carbon at 30° and -60° about glass at 90°, from a direction at 20°; the nodes at the bottom."""
    decks = (("a.inp", _by_abaqus()), ("b.bdf", _by_nastran()), ("c.cdb", _by_ansys()))
    models = [read(tmp_path / name, text) for name, text in decks]
    expected = assemble(models[0])
    for model in models:
        assert model.unread == () and len(model.blocks) == 1
        section = model.blocks[0].section
        assert isinstance(section, ShellSection) and len(section.plies) == 3
        assert section.offset == pytest.approx(0.225)
        found = assemble(model)
        for one, other in ((found.stiffness, expected.stiffness), (found.mass, expected.mass)):
            np.testing.assert_allclose(one.toarray(), other.toarray(), rtol=0, atol=1e-9 * abs(other).max())
        weighed = mass_properties(model)
        assert weighed.mass == pytest.approx(weighed.volume / 0.45 * (0.35 * 1.6e-9 + 0.1 * 2e-9))


def test_a_solid_of_mat9_is_that_of_aniso(tmp_path: Path) -> None:
    """One brick by both, in the directions of a cylindrical system; the order of shear differs."""
    places = [(10, 0, 0), (12, 0, 0), (12, 2, 0), (10, 2, 0), (10, 0, 1), (12, 0, 1), (12, 2, 1), (10, 2, 1)]
    abaqus = "*NODE\n" + "".join(f"{i},{x},{y},{z}\n" for i, (x, y, z) in enumerate(places, 1))
    abaqus += f"*ELEMENT,TYPE=C3D8I,ELSET=E\n1,1,2,3,4,5,6,7,8\n{ANISO}"
    abaqus += "*ORIENTATION,NAME=O,SYSTEM=CYLINDRICAL\n0.,0.,0.,0.,0.,1.\n"
    abaqus += "*SOLID SECTION,ELSET=E,MATERIAL=WOOD,ORIENTATION=O\n"
    nastran = "BEGIN BULK\n" + "".join(f"GRID,{i},,{x}.,{y}.,{z}.\n" for i, (x, y, z) in enumerate(places, 1))
    nastran += "CHEXA,1,3,1,2,3,4,5,6\n,7,8\nPSOLID,3,8,7\nCORD2C,7,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
    one = read(tmp_path / "a.inp", abaqus)
    D = material_stiffness(one.materials["WOOD"])
    upper = [
        f"{value:.8g}".replace("e", "") if value % 1 else f"{value:.1f}" for value in D[np.triu_indices(6)]
    ]
    fields = ["MAT9", "8", *upper, "5.-10"]
    lines = [fields[:9]] + [["", *fields[at : at + 8]] for at in range(9, len(fields), 8)]
    nastran += "\n".join(",".join(line) for line in lines) + "\nENDDATA\n"
    other = read(tmp_path / "b.bdf", nastran)
    assert other.materials["MAT9 8"].kind == "anisotropic" and other.unread == ()
    K, L = (assemble(model).stiffness.toarray() for model in (one, other))
    np.testing.assert_allclose(L, K, rtol=0, atol=1e-9 * np.abs(K).max())
    # Radial, tangential, axial at the middle (11, 1).
    radial = np.array([11.0, 1.0, 0.0]) / np.hypot(11.0, 1.0)
    np.testing.assert_allclose(
        other.blocks[0].directions[0], [radial, [-radial[1], radial[0], 0], [0, 0, 1]], atol=1e-12
    )


def test_theta_of_a_shell_counts_from_its_first_side(tmp_path: Path) -> None:
    grid = "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,0.,2.,0.\nGRID,3,,-1.,2.,0.\nGRID,4,,-1.,0.,0.\n"
    cards = "CQUAD4,1,3,1,2,3,4,30.\nCTRIA3,2,3,1,2,3,30.\nPSHELL,3,1,.5,1,,1\nENDDATA\n"
    mat8 = "MAT8,1,140000.,10000.,.3,5000.,5000.,3500.,1.6-9\n,1.-6,3.-5\n"
    model = read(tmp_path / "theta.bdf", grid + mat8 + cards)
    expected = [-np.sin(np.radians(30.0)), np.cos(np.radians(30.0)), 0.0]
    for block in model.blocks:
        np.testing.assert_allclose(block.directions[0, 0], expected, atol=1e-12)
    assert model.materials["MAT8 1"].expansions == (1e-6, 3e-5, 0.0, 0.0, 0.0, 0.0)
    plane = "MAT2,1,140909.09,3019.4805,0.,10064.935,0.,5000.,1.6-9\n"
    other = read(tmp_path / "mat2.bdf", grid + plane + cards)
    K, L = (assemble(each).stiffness.toarray() for each in (model, other))
    # In its plane the same; MAT2 has no shear flexibility across.
    stretch = np.repeat(np.arange(4) * 3, 2) + np.tile([0, 1], 4)
    np.testing.assert_allclose(L[np.ix_(stretch, stretch)], K[np.ix_(stretch, stretch)], rtol=1e-4, atol=1.0)
    assert np.trace(L) > np.trace(K)


def test_a_symmetric_laminate_is_written_by_half(tmp_path: Path) -> None:
    grid = "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,2.,1.,0.\nGRID,4,,0.,1.,0.\nCQUAD4,1,3,1,2,3,4\n"
    mats = "MAT8,1,140000.,10000.,.3,5000.,5000.,3500.\nMAT1,2,70.,,.3\n"
    half = "PCOMP,3,,,,,,,SYM\n,1,.1,45.,,2,.5\nENDDATA\n"
    whole = "PCOMPG,3\n,1,1,.1,45.\n,2,2,.5\n,3,2,.5\n,4,1,.1,45.\nENDDATA\n"
    K, L = (
        assemble(read(tmp_path / "p.bdf", grid + mats + each)).stiffness.toarray() for each in (half, whole)
    )
    np.testing.assert_allclose(K, L, atol=1e-9 * np.abs(L).max())
    model = read(
        tmp_path / "a.inp",
        shells((1, 1), (2.0, 1.0))
        + CARBON
        + "*SHELL SECTION,ELSET=E,COMPOSITE,SYMMETRIC\n.1,,CARBON,45.\n.5,,GLASS,0.\n",
    )
    assert [round(np.degrees(ply.angle)) for ply in model.blocks[0].section.plies] == [45, 0, 0, 45]
    assert model.blocks[0].section.thickness == pytest.approx(1.2)


def test_a_pshell_with_four_materials_is_the_laminate_that_they_are_of(tmp_path: Path) -> None:
    """What Nastran writes of a PCOMP: G1 = A/T, G2 = D/I, G4 = -B/T² (its curvature is the negative) and G3 = H/T."""
    grid = "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,2.,.3,0.\nGRID,3,,2.,1.,.2\nGRID,4,,0.,1.,0.\n"
    grid += "CQUAD4,1,3,1,2,3,4,25.\n"
    mats = (
        "MAT8,1,140000.,10000.,.3,5000.,5000.,3500.,1.6-9\nMAT8,2,40000.,8000.,.26,4000.,4000.,3000.,1.6-9\n"
    )
    model = read(tmp_path / "plies.bdf", grid + mats + "PCOMP,3\n,1,.1,45.,,2,.3,-10.\nENDDATA\n")
    section, T = model.blocks[0].section, 0.4
    assert isinstance(section, ShellSection)
    found = laminate_stiffness(section.plies)
    shear = np.zeros((3, 3))
    shear[:2, :2], shear[2, 2] = found.shear / T, 1.0
    lines = ""
    matrices = (found.membrane / T, 12.0 * found.bending / T**3, shear, -found.coupling / T**2)
    for number, G in enumerate(matrices, 11):
        six = [f"{G[i, j]:.9e}" for i in range(3) for j in range(i, 3)]
        lines += f"MAT2*,{number},{','.join(six[:3])}\n*,{','.join(six[3:])},1.6-9\n"
    whole = f"{lines}PSHELL,3,11,.4,12,1.,13,1.\n,,,14\nENDDATA\n"
    other = read(tmp_path / "whole.bdf", grid + whole)
    assert other.unread == () and other.blocks[0].section.stiffness
    K, L = (assemble(each).stiffness.toarray() for each in (model, other))
    np.testing.assert_allclose(L, K, rtol=0, atol=1e-7 * np.abs(K).max())
    # Without the coupling it is another shell; with hardly any bending stiffness beside the coupling none at all.
    even = assemble(read(tmp_path / "even.bdf", grid + whole.replace("\n,,,14", ""))).stiffness.toarray()
    assert np.abs(even - K).max() > 1e-3 * np.abs(K).max()
    wrong = whole.replace("PSHELL,3,11,.4,12,1.,13", "PSHELL,3,11,.4,12,.001,13")
    with pytest.raises(
        ReadError, match="PSHELL 3: its materials make a stiffness that is not positive definite"
    ):
        read(tmp_path / "wrong.bdf", grid + wrong)


def test_a_shell_may_be_given_by_its_stiffness_or_its_transverse_shear(tmp_path: Path) -> None:
    """The numbers of a laminate by *SHELL GENERAL SECTION are that laminate; small K11 and K22 make plies softer."""
    mesh = shells((3, 2), (6.0, 2.0)) + CARBON + "*ORIENTATION,NAME=O\n1.,.2,0.,-.2,1.,0.\n3,0.\n"
    plies = ".1,,CARBON,45.\n.3,,GLASS,0.\n"
    layered = read(tmp_path / "plies.inp", mesh + f"*SHELL SECTION,ELSET=E,COMPOSITE,ORIENTATION=O\n{plies}")
    general = read(
        tmp_path / "same.inp", mesh + f"*SHELL GENERAL SECTION,ELSET=E,COMPOSITE,ORIENTATION=O\n{plies}"
    )
    found = laminate_stiffness(layered.blocks[0].section.plies)
    whole = np.block([[found.membrane, found.coupling], [found.coupling, found.bending]])
    numbers = [f"{whole[i, j]:.12e}" for j in range(6) for i in range(j + 1)]
    lines = "".join(",".join(numbers[at : at + 8]) + "\n" for at in (0, 8, 16))
    per_area = 0.1 * 1.6e-9 + 0.3 * 2e-9
    section = f"*SHELL GENERAL SECTION,ELSET=E,ORIENTATION=O,DENSITY={per_area}\n{lines}*TRANSVERSE SHEAR STIFFNESS\n"
    H = found.shear
    by_numbers = read(tmp_path / "numbers.inp", mesh + section + f"{H[0, 0]},{H[1, 1]},{H[0, 1]}\n")
    assert by_numbers.unread == general.unread == ()
    np.testing.assert_allclose(by_numbers.blocks[0].section.stiffness, found.numbers, rtol=1e-11, atol=1e-6)
    np.testing.assert_allclose(clamped(general), clamped(layered), rtol=1e-9)
    # Its thickness is another one, by which the shear of long elements is softened.
    np.testing.assert_allclose(clamped(by_numbers), clamped(layered), rtol=0.01)
    assert mass_properties(by_numbers).mass == pytest.approx(12.0 * per_area)
    softer = read(
        tmp_path / "soft.inp",
        mesh + f"*SHELL SECTION,ELSET=E,COMPOSITE\n{plies}*TRANSVERSE SHEAR STIFFNESS\n1.,1.\n",
    )
    assert (clamped(softer) < 0.7 * clamped(layered)).all() and len(softer.blocks[0].section.plies) == 2
    write_model(by_numbers, tmp_path / "back.inp")
    back = read_model(tmp_path / "back.inp")
    np.testing.assert_allclose(clamped(back), clamped(by_numbers), rtol=1e-7)


def test_directions_by_a_distribution(tmp_path: Path) -> None:
    """Element 2 and the set OTHERS have directions of their own, the rest those of the first line."""
    mesh = bricks((4, 1, 1), (4.0, 1.0, 1.0), np.eye(3)) + WOOD + "*ELSET,ELSET=OTHERS\n3,4\n"
    mesh += "*DISTRIBUTION,NAME=D,LOCATION=ELEMENT\n,1.,0.,0.,0.,1.,0.\n2,0.,1.,0.,-1.,0.,0.\n"
    mesh += "OTHERS,0.,0.,1.,1.,0.,0.\n*ORIENTATION,NAME=O\nD\n3,30.\n"
    mesh += "*SOLID SECTION,ELSET=E,MATERIAL=WOOD,ORIENTATION=O\n"
    model = read(tmp_path / "spread.inp", mesh)
    c, s = np.cos(np.radians(30.0)), 0.5
    firsts = {1: [c, s, 0.0], 2: [-s, c, 0.0], 3: [s, 0.0, c], 4: [s, 0.0, c]}
    for number, axes in zip(model.blocks[0].ids.tolist(), model.blocks[0].directions, strict=True):
        np.testing.assert_allclose(axes[0], firsts[number], atol=1e-12)
    assert model.unread == ()


def test_a_ply_without_stiffness_is_named(tmp_path: Path) -> None:
    text = shells((1, 1), (1.0, 1.0)) + CARBON + "*MATERIAL,NAME=NONE\n*DENSITY\n1e-9\n"
    model = read(tmp_path / "p.inp", text + "*SHELL SECTION,ELSET=E,COMPOSITE\n.1,,CARBON,0.\n.1,,NONE,0.\n")
    with pytest.raises(ModelError, match="'NONE' has a Young's modulus of 0"):
        assemble(model)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*ELASTIC,TYPE=ENGINEERING CONSTANTS\n1e3,1e3,1e3,.3,.3,.3,400.,400.\n",
         "ENGINEERINGCONSTANTS|ENGINEERING CONSTANTS.*of material WOOD has 8 constants, expected 9"),
        ("*ELASTIC,TYPE=ENGINEERING CONSTANTS\n1e3,1e3,1e3,1.3,.3,.3,400.,400.\n400.\n",
         r"ENGINEERING CONSTANTS of material WOOD: ν12 is 1.3, expected one smaller than √\(E1/E2\) = 1"),
        ("*ELASTIC,TYPE=ORTHO\n1.,2.,1.,0.,0.,1.,1.,1.\n1.\n", "TYPE=ORTHO of material WOOD: its stiffness is not"),
        ("*ELASTIC,TYPE=LAMINA\n1.,2.,.1,0.,1.,1.\n", "TYPE=LAMINA of material WOOD: G12 is 0, expected a"),
    ],
)  # fmt: skip
def test_constants_of_no_material_name_their_card(tmp_path: Path, text: str, words: str) -> None:
    deck = bricks((1, 1, 1), (1.0, 1.0, 1.0), np.eye(3)) + "*MATERIAL,NAME=WOOD\n" + text
    with pytest.raises(ReadError, match=words):
        read(tmp_path / "wrong.inp", deck + "*SOLID SECTION,ELSET=E,MATERIAL=WOOD\n")


def test_nastran_and_ansys_constants_of_no_material_name_their_card(tmp_path: Path) -> None:
    grid = (
        "BEGIN BULK\nGRID,1,,0.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,2.,1.,0.\nCTRIA3,1,3,1,2,3\nPSHELL,3,1,.5\n"
    )
    for card, words in (
        ("MAT8,1,100.,100.,2.,5.\n", "MAT8 1: ν12 is 2, expected one smaller"),
        ("MAT2,1,100.,200.,0.,100.,0.,5.\n", "MAT2 1: its stiffness is not positive definite"),
        ("MAT9,1,100.,200.\n", "MAT9 1: entry"),
    ):
        with pytest.raises(ReadError, match=words):
            read(tmp_path / "wrong.bdf", grid + card + "ENDDATA\n")


def test_orientations_that_are_not_known_are_refused_where_stiffness_depends_on_them(tmp_path: Path) -> None:
    mesh = bricks((1, 1, 1), (1.0, 1.0, 1.0), np.eye(3))
    section = "*SOLID SECTION,ELSET=E,MATERIAL=WOOD,ORIENTATION=O\n"
    for orientation in (
        "*ORIENTATION,NAME=O,SYSTEM=USER\n",
        "*ORIENTATION,NAME=O,DEFINITION=OFFSET TO NODES\n2,4\n",
    ):
        with pytest.raises(
            ReadError, match=r"orientation O \(line \d+\) is defined in a way that is not known here"
        ):
            read(tmp_path / "user.inp", mesh + WOOD + orientation + section)
        steel = "*MATERIAL,NAME=WOOD\n*ELASTIC\n210000.,.3\n*DENSITY\n7.85e-9\n"
        assert read(tmp_path / "steel.inp", mesh + steel + orientation + section).blocks[0].directions is None


def test_written_decks_come_back_with_their_directions(tmp_path: Path) -> None:
    solid = read(
        tmp_path / "solid.inp",
        bricks((3, 2, 1), (40.0, 12.0, 5.0), np.eye(3)) + ANISO
        + "*ORIENTATION,NAME=O,SYSTEM=CYLINDRICAL\n-20.,-30.,0.,-20.,-30.,1.\n"
        + "*SOLID SECTION,ELSET=E,MATERIAL=WOOD,ORIENTATION=O\n",
    )  # fmt: skip
    plate = read(
        tmp_path / "plate.inp",
        shells((3, 2), (6.0, 2.0)) + CARBON
        + "*SHELL SECTION,ELSET=E,COMPOSITE,OFFSET=.2\n.1,,CARBON,45.\n.5,,GLASS,0.\n",
    )  # fmt: skip
    orthotropic = read(
        tmp_path / "wood.inp",
        bricks((3, 2, 1), (40.0, 12.0, 5.0), np.eye(3)) + WOOD
        + "*ORIENTATION,NAME=O\n1.,.2,.3,-.2,1.,0.\n*SOLID SECTION,ELSET=E,MATERIAL=WOOD,ORIENTATION=O\n",
    )  # fmt: skip
    for model in (solid, plate, orthotropic):
        write_model(model, tmp_path / "back.inp")
        back = read_model(tmp_path / "back.inp")
        assert {each.kind for each in back.materials.values()} == {m.kind for m in model.materials.values()}
        np.testing.assert_allclose(clamped(back), clamped(model), rtol=1e-7)


def test_a_material_given_to_a_laminate_replaces_that_of_its_plies(tmp_path: Path) -> None:
    text = (
        shells((2, 1), (2.0, 1.0))
        + CARBON
        + "*SHELL SECTION,ELSET=E,COMPOSITE\n.1,,CARBON,45.\n.5,,GLASS,0.\n"
    )
    model = read(tmp_path / "plate.inp", text)
    steel = {"youngs_modulus": 210e3, "poisson_ratio": 0.3, "density": 7.85e-9}
    of_ply = with_materials(model, [Isotropic(name="GLASS", **steel)], "mm-t-s")
    assert [ply.material.kind for ply in of_ply.blocks[0].section.plies] == ["lamina", "isotropic"]
    assert mass_properties(of_ply).mass == pytest.approx(2.0 * (0.1 * 1.6e-9 + 0.5 * 7.85e-9))
    of_all = with_materials(model, [Isotropic(name="STEEL", element_set="E", **steel)], "mm-t-s")
    assert of_all.blocks[0].section.plies == () and of_all.blocks[0].material == "STEEL"
    assert mass_properties(of_all).mass == pytest.approx(2.0 * 0.6 * 7.85e-9)


def test_models_with_plies_and_directions_are_stored_and_read_back(tmp_path: Path) -> None:
    text = shells((2, 1), (2.0, 1.0)) + CARBON + "*ORIENTATION,NAME=O\n1.,.2,0.,-.2,1.,0.\n3,0.\n"
    model = read(
        tmp_path / "p.inp",
        text + "*SHELL SECTION,ELSET=E,COMPOSITE,ORIENTATION=O\n.1,,CARBON,45.\n.5,,GLASS,0.\n"
        "*TRANSVERSE SHEAR STIFFNESS\n100.,90.,2.\n",
    )
    with h5py.File(tmp_path / "model.h5", "w") as file:
        write_record(file, "model", model)
    with h5py.File(tmp_path / "model.h5", "r") as file:
        back = read_record(file["model"])
    for name, material in model.materials.items():
        assert vars(back.materials[name]) == vars(material)
    np.testing.assert_array_equal(back.blocks[0].directions, model.blocks[0].directions)
    K, L = (assemble(each).stiffness.toarray() for each in (model, back))
    np.testing.assert_array_equal(L, K)
