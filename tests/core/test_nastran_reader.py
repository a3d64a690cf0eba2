"""Every feature of the Nastran reader on small decks."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.mass_properties import mass_properties
from faying.fem.readers import files_of_model, read_model
from faying.fem.skin import surface_area, surface_from_deck
from support.boxes import box

CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
# By card: corners, edges in the order of Nastran's midside nodes, volume (Quick Reference Guide's pictures).
SHAPES = {
    "CTETRA": (
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
        [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)], 1 / 6,
    ),
    "CPYRAM": (
        [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)],
        [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)], 1 / 3,
    ),
    "CPENTA": (
        [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)],
        [(0, 1), (1, 2), (2, 0), (0, 3), (1, 4), (2, 5), (3, 4), (4, 5), (5, 3)], 1 / 2,
    ),
    "CHEXA": (
        CUBE, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 5), (2, 6), (3, 7), (4, 5), (5, 6), (6, 7), (7, 4)], 1.0,
    ),
}  # fmt: skip
MATERIAL = "MAT1,7,210000.,,0.3,7.85-9\nPSOLID,3,7\n"


def written(fields: list, form: str) -> str:
    """Return a card as lines of small, large or free fields."""
    name, *rest = [f"{f:g}" if isinstance(f, float) else str(f) for f in fields]
    per = 4 if form == "large" else 8
    rows = [rest[i : i + per] for i in range(0, len(rest), per)] or [[]]
    if form == "free":
        return "".join(",".join([name if not i else "+", *row]) + "\n" for i, row in enumerate(rows))
    if form == "large":
        return "".join(
            f"{name + '*' if not i else '*':<8}" + "".join(f"{f:>16}" for f in row) + "\n"
            for i, row in enumerate(rows)
        )
    return "".join(
        f"{name if not i else '':<8}" + "".join(f"{f:>8}" for f in row) + "\n" for i, row in enumerate(rows)
    )


def deck(path: Path, text: str, *, whole: bool = False) -> Path:
    path.write_text(text if whole else f"SOL 103\nCEND\nTITLE = Small parts\nBEGIN BULK\n{text}ENDDATA\n")
    return path


@pytest.mark.parametrize("form", ["small", "large", "free"])
@pytest.mark.parametrize("midsides", [False, True])
@pytest.mark.parametrize("card", list(SHAPES))
def test_solid_elements_in_every_field_format(tmp_path: Path, card: str, midsides: bool, form: str) -> None:
    corners, edges, volume = SHAPES[card]
    points = np.array(corners, float)
    if midsides:
        points = np.concatenate([points, points[np.array(edges)].mean(axis=1)])
    text = "".join(written(["GRID", 11 + i, "", *map(float, p)], form) for i, p in enumerate(points))
    text += written([card, 100, 3, *range(11, 11 + len(points))], form) + MATERIAL
    model = read_model(deck(tmp_path / "one.bdf", text))
    kind = element_kinds[model.blocks[0].element]
    assert model.title == "Small parts"
    assert kind.n_nodes == len(points)
    nodes = model.nodes[model.blocks[0].connectivity[0]]
    for face, facet in zip(kind.faces, kind.facets, strict=True):
        for edge in facet_kind(facet).edges:
            if len(edge) == 3:
                start, end, middle = nodes[[face[i] for i in edge]]
                np.testing.assert_allclose(middle, (start + end) / 2, atol=1e-12)
    # A positive Jacobian everywhere, and the whole mass.
    mass = assemble(model).mass
    assert mass.sum() / 3 == pytest.approx(7.85e-9 * volume, rel=1e-12)
    assert model.materials["MAT1 7"].youngs_modulus == 210000.0
    assert model.element_sets["PSOLID 3"].tolist() == [0]


def bricks(extra: str = "", grid: str = "") -> str:
    points = [*CUBE, *((x, y, z + 1) for x, y, z in CUBE[4:])]
    text = "".join(written(["GRID", 1 + i, "", *map(float, p)], "small") for i, p in enumerate(points))
    text += "CHEXA   1       3       1       2       3       4       5       6       +A\n+A      7       8\n"
    text += "CHEXA,2,3,5,6,7,8,9,10\n,11,12\n"
    return text + MATERIAL + grid + extra


def test_grid_points_in_cylindrical_and_spherical_systems_of_other_systems(tmp_path: Path) -> None:
    grid = (
        # Origin (1, 2, 3), z axis along x, x axis along y.
        "CORD2R,5,0,1.,2.,3.,2.,2.,3.\n,1.,3.,3.\n"
        "CORD2C,6,5,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
        "CORD2S,8,0,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
        "CORD1R,9,1,5,2\n"
        "GRID,101,5,1.,2.,4.\nGRID,102,6,2.,90.,1.\nGRID,103,8,2.,90.,90.\nGRID,104,9,0.5,0.,1.\nGRID,105,,5.-1,1.+1,-2.5D0\n"
    )
    model = read_model(deck(tmp_path / "systems.bdf", bricks(grid=grid)))
    at = {int(i): model.nodes[model.node_row(int(i))] for i in range(101, 106)}
    # In system 5 the axes are y, z, x of the global one.
    np.testing.assert_allclose(at[101], [5.0, 3.0, 5.0], atol=1e-12)
    np.testing.assert_allclose(at[102], [2.0, 2.0, 5.0], atol=1e-12)
    np.testing.assert_allclose(at[103], [0.0, 2.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(at[104], [0.5, 0.0, 1.0], atol=1e-12)
    assert at[105].tolist() == [0.5, 10.0, -2.5]


def test_couplings(tmp_path: Path) -> None:
    extra = (
        "GRID,50,,0.5,0.5,3.\nGRID,51,,0.5,0.5,-1.\n"
        "RBE2,900,50,123456,9,10,11,12\n"
        "RBE3,901,,51,123456,1.,123,1,2\n,2.5,123,3,4\n"
    )
    model = read_model(deck(tmp_path / "coupled.bdf", bricks(extra)))
    rigid, mean = model.couplings
    assert (rigid.name, rigid.kind, mean.name, mean.kind) == (
        "RBE2 900", "kinematic", "RBE3 901", "distributing",
    )  # fmt: skip
    assert model.node_ids[rigid.reference] == 50 and model.node_ids[mean.reference] == 51
    assert model.node_ids[rigid.nodes].tolist() == [9, 10, 11, 12]
    assert dict(zip(model.node_ids[mean.nodes].tolist(), mean.weights.tolist(), strict=True)) == {
        1: 1.0, 2: 1.0, 3: 2.5, 4: 2.5,
    }  # fmt: skip
    assert mean.components == (1, 2, 3, 4, 5, 6)
    assemble(model)


def test_bars_have_their_planes_the_right_way_round(tmp_path: Path) -> None:
    extra = (
        "GRID,60,,0.,0.,5.\nGRID,61,,10.,0.,5.\nCBAR,70,4,60,61,0.,0.,1.\n"
        "PBAR,4,7,12.,30.,8.,20.\nCBEAM,71,5,61,9,0.,1.,0.\nPBARL,5,7,,BAR\n,2.,3.\n"
    )
    model = read_model(deck(tmp_path / "bars.bdf", bricks(extra)))
    sections = {int(b.ids[0]): b.section for b in model.blocks if b.element == "beam2"}
    bar, shaped = sections[70], sections[71]
    assert bar is not None and shaped is not None
    # Bending in plane 1 (along z here) is about our second axis.
    assert (bar.inertia_22, bar.inertia_11, bar.area, bar.torsion) == (30.0, 8.0, 12.0, 20.0)
    assert bar.direction == (0.0, 0.0, 1.0)
    assert shaped.inertia_22 == pytest.approx(2.0 * 3.0**3 / 12.0)
    # A cantilever along x under a force along z bends with I1.
    matrices = assemble(model)
    assert matrices.dofs.node_rows(model.node_row(60)).min() >= 0


BEAM = "GRID,60,,0.,0.,5.\nGRID,61,,10.,0.,5.\nCBEAM,71,5,60,61,0.,1.,0.\n"
SHEAR = "its shear factor K2; both planes have K1"
TAPER = "its taper; it has the section of its end A all along"


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ("PBEAM,5,7,10.,100.,200.,,300.\n,,,,,,,,\n,.5,.5\n", []),
        ("PBEAM,5,7,10.,100.,200.,,300.\n,1.,1.\n,NO,1.,10.,100.,200.\n,.5,.5\n", []),
        ("PBEAM,5,7,10.,100.,200.,,300.\n,YES,1.\n,9.,9.,9.,9.\n,.5,.5\n", []),
        ("PBEAM,5,7,10.,100.,200.,,300.\n,1.\n,YESA,.5\n,YES,1.\n,9.\n,.5,.5\n", []),
        ("PBEAM          5       7     10.    100.    200.      0.    300.\n+\n+             .5      .5\n", []),
        ("PBEAM*  5               7               10.             100.\n*       200.\n*\n*\n*       .5\n", [SHEAR]),
        ("PBEAM,5,7,10.,100.,200.,,300.\n,NO,1.,8.,100.,200.\n,.5,.5\n", [TAPER]),
        ("PBEAM,5,7,10.,100.,200.,,300.,2.\n+\n,.5,.5\n", ["its non-structural mass"]),
        ("PBEAM,5,7,10.,100.,200.,,300.\n+\n,.5,.5\n,,,,,1.\n",
         ["shear relief, warping, or offsets of its axis and non-structural mass"]),
        ("PBAR,5,7,10.,100.,200.,300.\n+\n,.5,.5\n", []),
        ("PBAR,5,7,10.,100.,200.,300.\n+\n,.5,.7\n", [SHEAR]),
        ("PBAR,5,7,10.,100.,200.,300.\n+\n,.5\n", [SHEAR]),
        ("PBAR,5,7,10.,100.,200.,300.,2.\n+\n,.5,.5\n", ["its non-structural mass"]),
    ],
)  # fmt: skip
def test_lines_of_beams_keep_their_places(tmp_path: Path, card: str, told: list[str]) -> None:
    model = read_model(deck(tmp_path / "beam.bdf", bricks(BEAM + card)))
    (section,) = [b.section for b in model.blocks if b.element == "beam2"]
    assert section is not None
    assert (section.area, section.shear_factor) == (10.0, 0.5)
    assert [text.split(": ")[1] for _, text in model.unread] == told


@pytest.mark.parametrize(
    ("card", "told"),
    [
        ("PBARL,5,7,,BAR\n,2.,3.\n", []),
        ("PBARL,5,7,,BAR\n,2.,3.,4.\n", ["its non-structural mass"]),
        ("PBEAML,5,7,,BAR\n,2.,3.,0.,YES,1.,2.,3.\n", []),
        ("PBEAML,5,7,,BAR\n,2.,3.,0.,NO,.5,2.,3.,0.\n,YES,1.,2.,2.5\n", [TAPER]),
        ("PBEAML,5,7,,BAR\n,2.,3.,4.\n", ["its non-structural mass"]),
    ],
)
def test_what_shaped_sections_lose_is_told(tmp_path: Path, card: str, told: list[str]) -> None:
    model = read_model(deck(tmp_path / "beam.bdf", bricks(BEAM + card)))
    assert [text.split(": ")[1] for _, text in model.unread] == told


@pytest.mark.parametrize(
    ("card", "thickness"),
    [
        ("CQUAD4,80,6,1,2,3,4\n", 2.0),
        ("CQUAD4,80,6,1,2,3,4\n,,,1.5,1.5,1.5,1.5\n", 1.5),
        ("CQUAD4,80,6,1,2,3,4\n,,1,1.5,1.5,1.5,1.5\n", 3.0),
        ("CTRIA3,80,6,1,2,3\n,,,1.5,1.5,1.5\n", 1.5),
        ("CTRIA6,80,6,1,2,3\n,,,1.5,1.5,1.5,1\n", 3.0),
        ("CQUAD8,80,6,1,2,3,4\n,,,1.5,1.5,1.5,1.5,,,\n,1\n", 3.0),
        ("CQUAD4,80,6,1,2,3,4\n,,,1.5,1.5,1.5,1.\n", 0.0),
    ],
)
def test_shells_may_have_their_own_thickness(tmp_path: Path, card: str, thickness: float) -> None:
    model = read_model(deck(tmp_path / "shell.bdf", bricks(card + "PSHELL,6,7,2.,7\n")))
    (section,) = [b.section for b in model.blocks if b.element.startswith("shell")]
    assert section is not None and section.thickness == (thickness or 2.0)
    told = "1 elements: thicknesses that differ at their corners; that of the property is taken"
    assert [text for _, text in model.unread] == ([] if thickness else [f"CQUAD4 80: {told}"])


def test_sets_and_contact_surfaces(tmp_path: Path) -> None:
    text = (
        "CEND\nTITLE = Sets\nSET 4 = 1 THRU 4, 9,\n  12\nBEGIN BULK\n"
        + bricks("SET1,5,2\nSET3,6,GRID,1,THRU,8,EXCEPT,2\nSET3,7,PROP,3\nBSURFS,8,,,,1,1,2,3\n,2,5,6,10\n")
        + "PLOAD2,1,1.,1,2\nCONM1,9,1,,0.5\nPLOAD2,1,1.,3\nENDDATA\n"
    )
    model = read_model(deck(tmp_path / "sets.bdf", text, whole=True))
    assert model.node_ids[model.node_sets["SET 4"]].tolist() == [1, 2, 3, 4, 9, 12]
    assert model.element_ids[model.element_sets["SET 4"]].tolist() == [1, 2]
    assert model.node_ids[model.node_sets["SET 6"]].tolist() == [1, 3, 4, 5, 6, 7, 8]
    assert model.element_ids[model.element_sets["SET 5"]].tolist() == [2]
    surface = surface_from_deck(model, "BSURFS 8")
    assert surface.n_facets == 2 and surface_area(surface, model.nodes) == pytest.approx(2.0)
    said = " ".join(text for _, text in model.unread)
    assert "PLOAD2 (2 cards)" in said and "CONM1 (1 card)" in said and "a set of PROP" in said


def test_includes_are_read_and_named_in_sentences(tmp_path: Path) -> None:
    (tmp_path / "props.inc").write_text(MATERIAL + "PLOAD2,1,1.,1\n")
    path = deck(tmp_path / "main.dat", bricks().replace(MATERIAL, "INCLUDE 'props.inc'\n"))
    model = read_model(path)
    assert model.materials["MAT1 7"].density == 7.85e-9
    assert files_of_model(path) == (path, tmp_path / "props.inc")
    assert model.unread == ((3, "PLOAD2 (1 card) (in props.inc)"),)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("GRID,3,,1.,1.,0.\n", "grid point 3 is there twice, first on line 7"),
        ("CTETRA,1,3,1,2,3,5\n", "element 1 is there twice, first on line 17"),
        ("CTETRA,9,3,1,2,3,77\n", "uses grid point 77, which does not exist"),
        ("CTETRA,9,33,1,2,3,5\n", "has the property 33, which is not there"),
        ("GRID,77,4,1.,1.,0.\n", "the coordinate system 4 is not defined"),
        ("GRID,77,,one,1.,0.\n", "found 'one', expected a number"),
        ("CTETRA,9,3,1,2,3,5,6\n", "has 5 nodes, expected 4 or 10"),
        ("CORD2R,4,4,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nGRID,77,4,1.,1.,0.\n", "is defined by itself"),
        ("RBE2,9,1,127,2\n", "found '127' in field 4 of RBE2"),
        ("PSOLID,6,1\nCTETRA,9,6,1,2,3,5\n", "names the material 1, which has no MAT1"),
        ("INCLUDE 'nowhere.bdf'\n", "does not exist"),
    ],
)
def test_mistakes_are_sentences_with_their_line(tmp_path: Path, wrong: str, words: str) -> None:
    with pytest.raises(ReadError, match=words) as caught:
        read_model(deck(tmp_path / "wrong.bdf", bricks(wrong)))
    assert "wrong.bdf, line 23:" in str(caught.value)


def test_a_file_without_grid_points_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no GRID card"):
        read_model(deck(tmp_path / "empty.bdf", "MAT1,1,2.\n"))


def test_bricks_have_the_matrices_of_the_same_abaqus_deck(tmp_path: Path) -> None:
    model = box("hex8_incompatible", (3, 2, 1), (3.0, 1.0, 1.0), distortion=0.2)
    nodes = list(enumerate(model.nodes.tolist(), 1))
    cells = list(enumerate((model.blocks[0].connectivity + 1).tolist(), 1))
    text = "".join(f"GRID*,{i},,{x!r},{y!r}\n*,{z!r}\n" for i, (x, y, z) in nodes)
    text += "".join(written(["CHEXA", i, 3, *cell], "free") for i, cell in cells) + MATERIAL
    other = "*NODE\n" + "".join(f"{i},{x!r},{y!r},{z!r}\n" for i, (x, y, z) in nodes)
    other += "*ELEMENT, TYPE=C3D8I, ELSET=E\n" + "".join(f"{i},{','.join(map(str, c))}\n" for i, c in cells)
    other += (
        "*MATERIAL, NAME=S\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85e-9\n*SOLID SECTION, ELSET=E, MATERIAL=S\n"
    )
    ours = assemble(read_model(deck(tmp_path / "box.bdf", text)))
    theirs = assemble(read_model(deck(tmp_path / "box.inp", other, whole=True)))
    assert abs(ours.stiffness - theirs.stiffness).max() == 0.0
    assert abs(ours.mass - theirs.mass).max() == 0.0


def test_shells_with_offset_thickness_and_bending(tmp_path: Path) -> None:
    grid = "".join(
        f"GRID,{i},,{x}.,{y}.,0.\n" for i, (x, y) in enumerate([(0, 0), (2, 0), (2, 2), (0, 2), (4, 0)], 1)
    )
    grid += "GRID,6,,1.,0.,0.\nGRID,7,,2.,1.,0.\nGRID,8,,1.,2.,0.\nGRID,9,,0.,1.,0.\n"
    text = (
        f"BEGIN BULK\n{grid}MAT1,7,210000.,,0.3,7.85-9\nPSHELL,3,7,0.5,7,,,,0.1\nPSHELL,4,7,0.25\n"
        "CQUAD8,1,3,1,2,3,4,6,7\n,8,9,,,,,,0.75\nCTRIA3,2,4,2,5,3\nENDDATA\n"
    )
    model = read_model(deck(tmp_path / "shells.bdf", text, whole=True))
    quad, triangle = model.blocks if model.blocks[0].element == "shell8" else model.blocks[::-1]
    assert (quad.element, triangle.element) == ("shell8", "shell3")
    assert vars(quad.section) == {"thickness": 0.5, "offset": 0.75}
    assert vars(triangle.section) == {"thickness": 0.25, "offset": 0.0}
    said = " ".join(text for _, text in model.unread)
    assert "PSHELL 3: its non-structural mass" in said and "PSHELL 4: no or another bending stiffness" in said
    assert assemble(model).mass.diagonal().min() > 0.0


def test_a_shell_with_some_midside_nodes_is_refused(tmp_path: Path) -> None:
    text = "PSHELL,5,7,0.5,7\nCQUAD8,9,5,1,2,3,4,5\n"
    with pytest.raises(ReadError, match="CQUAD8 9 has 5 nodes, expected 4 or 8"):
        read_model(deck(tmp_path / "some.bdf", bricks(text)))


WEIGHTS = "CONM2,9,5,,2.5,1.,0.,0.,,\n,4.,,5.,,,6.\n"


@pytest.mark.parametrize("where", ["bulk", "case"])
def test_wtmass_multiplies_all_mass(tmp_path: Path, where: str) -> None:
    card = "PARAM,WTMASS,.5\n"
    plain = read_model(deck(tmp_path / "plain.bdf", bricks(WEIGHTS)))
    text = bricks(WEIGHTS + (card if where == "bulk" else ""))
    path = deck(tmp_path / "factor.bdf", text)
    if where == "case":
        path.write_text(path.read_text().replace("BEGIN BULK", card + "BEGIN BULK"))
    halved = read_model(path)
    assert mass_properties(halved).mass == pytest.approx(0.5 * mass_properties(plain).mass, rel=1e-12)
    assert halved.point_masses[0].mass == 1.25
    np.testing.assert_allclose(halved.point_masses[0].inertia, np.diag([2.0, 2.5, 3.0]))
    np.testing.assert_allclose(halved.point_masses[0].offset, plain.point_masses[0].offset)
    assert not any("WTMASS" in text or "PARAM" in text for _, text in halved.unread)
    # The frequencies of the bricks go with the root: their mass matrix is half of it.
    np.testing.assert_allclose(
        assemble(halved).mass.toarray(), 0.5 * assemble(plain).mass.toarray(), rtol=1e-12
    )


def test_other_parameters_are_told_and_a_factor_of_zero_is_refused(tmp_path: Path) -> None:
    model = read_model(deck(tmp_path / "post.bdf", bricks("PARAM,WTMASS,2.\nPARAM,POST,-1\n")))
    assert [text for _, text in model.unread] == ["PARAM (1 card)"]
    with pytest.raises(ReadError, match=r"WTMASS,0, expected a positive factor"):
        read_model(deck(tmp_path / "zero.bdf", bricks("PARAM,WTMASS,0.\n")))
