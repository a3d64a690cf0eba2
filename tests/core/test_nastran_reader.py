"""Every feature of the Nastran reader on small decks."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ReadError
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.mass_properties import mass_properties, nodal_masses
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
        ("PBEAM,5,7,10.,100.,200.,,300.,2.\n+\n,.5,.5\n", []),
        ("PBEAM,5,7,10.,100.,200.,,300.\n+\n,.5,.5\n,,,,,1.\n",
         ["shear relief, warping, or offsets of its axis and non-structural mass"]),
        ("PBAR,5,7,10.,100.,200.,300.\n+\n,.5,.5\n", []),
        ("PBAR,5,7,10.,100.,200.,300.\n+\n,.5,.7\n", [SHEAR]),
        ("PBAR,5,7,10.,100.,200.,300.\n+\n,.5\n", [SHEAR]),
        ("PBAR,5,7,10.,100.,200.,300.,2.\n+\n,.5,.5\n", []),
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
        ("PBARL,5,7,,BAR\n,2.,3.,4.\n", []),
        ("PBEAML,5,7,,BAR\n,2.,3.,0.,YES,1.,2.,3.\n", []),
        ("PBEAML,5,7,,BAR\n,2.,3.,0.,NO,.5,2.,3.,0.\n,YES,1.,2.,2.5\n", [TAPER]),
        ("PBEAML,5,7,,BAR\n,2.,3.,4.\n", []),
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
        + "PLOAD1,1,1.,1,2\nCONM1,9,1,,0.5\nPLOAD1,1,1.,3\nENDDATA\n"
    )
    model = read_model(deck(tmp_path / "sets.bdf", text, whole=True))
    assert model.node_ids[model.node_sets["SET 4"]].tolist() == [1, 2, 3, 4, 9, 12]
    assert model.element_ids[model.element_sets["SET 4"]].tolist() == [1, 2]
    assert model.node_ids[model.node_sets["SET 6"]].tolist() == [1, 3, 4, 5, 6, 7, 8]
    assert model.element_ids[model.element_sets["SET 5"]].tolist() == [2]
    surface = surface_from_deck(model, "BSURFS 8")
    assert surface.n_facets == 2 and surface_area(surface, model.nodes) == pytest.approx(2.0)
    said = " ".join(text for _, text in model.unread)
    assert "PLOAD1 (2 cards)" in said and "CONM1 (1 card)" in said and "a set of PROP" in said


def test_includes_are_read_and_named_in_sentences(tmp_path: Path) -> None:
    (tmp_path / "props.inc").write_text(MATERIAL + "PLOAD1,1,1.,1\n")
    path = deck(tmp_path / "main.dat", bricks().replace(MATERIAL, "INCLUDE 'props.inc'\n"))
    model = read_model(path)
    assert model.materials["MAT1 7"].density == 7.85e-9
    assert files_of_model(path) == (path, tmp_path / "props.inc")
    assert model.unread == ((3, "PLOAD1 (1 card) (in props.inc)"),)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("GRID,3,,1.,1.,0.\n", "grid point 3 is there twice, first on line 7"),
        ("CTETRA,1,3,1,2,3,5\n", "element 1 is there twice, first on line 17"),
        ("CTETRA,9,3,1,2,3,77\n", "uses grid point 77, which does not exist"),
        ("CTETRA,9,33,1,2,3,5\n", "has the property 33, which is not there"),
        ("GRID,77,4,1.,1.,0.\n", "the coordinate system 4 is not defined"),
        ("GRID,77,,one,1.,0.\n", "found 'one', expected a number"),
        ("CTETRA,9,3,1,2,3,,6\n", "has 3 corners, expected 4"),
        ("CTETRA,9,3,1,2,00,4\n", "CTETRA 9 has no grid point at a corner"),
        ("CORD2R,4,4,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nGRID,77,4,1.,1.,0.\n", "is defined by itself"),
        ("RBE2,9,1,127,2\n", "found '127' in field 4 of RBE2"),
        (
            "PSOLID,6,1\nCTETRA,9,6,1,2,3,5\n",
            "names the material 1, which has no card MAT1, MAT2, MAT8 or MAT9",
        ),
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
    assert vars(quad.section) == {
        "thickness": 0.5,
        "offset": 0.75,
        "nonstructural_mass": 0.1,
        "plies": (),
        "stiffness": (),
    }
    assert vars(triangle.section) == {
        "thickness": 0.25,
        "offset": 0.0,
        "nonstructural_mass": 0.0,
        "plies": (),
        "stiffness": (),
    }
    said = " ".join(text for _, text in model.unread)
    assert "PSHELL 3" not in said and "PSHELL 4: no bending stiffness" in said
    assert assemble(model).mass.diagonal().min() > 0.0


def test_without_a_corner_an_element_is_refused(tmp_path: Path) -> None:
    text = "PSHELL,5,7,0.5,7\nCQUAD8,9,5,1,2,3,,5\n"
    with pytest.raises(ReadError, match="CQUAD8 9 has 3 corners, expected 4"):
        read_model(deck(tmp_path / "some.bdf", bricks(text)))
    with pytest.raises(ReadError, match="CHEXA 9 has 7 corners, expected 8"):
        read_model(deck(tmp_path / "some.bdf", bricks("CHEXA,9,3,1,2,3,4,5,6,+\n+,,8\n")))
    with pytest.raises(ReadError, match="CHEXA 9 has 6 corners, expected 8"):
        read_model(deck(tmp_path / "some.bdf", bricks("CHEXA,9,3,1,2,3,4,5,6\n")))


def quadratic(card: str, left_out: list[int]) -> str:
    """Return an element with some of its midside nodes, and its grid points from 101 on."""
    corners, edges, _ = SHAPES[card]
    points = [np.array(c, float) for c in corners]
    points += [0.5 * (points[a] + points[b]) for a, b in edges]
    names = [101 + i if i not in left_out else "" for i in range(len(points))]
    text = "".join(
        written(["GRID", name, "", *map(float, point)], "small")
        for name, point in zip(names, points, strict=True) if name
    )  # fmt: skip
    return text + written([card, 50, 3, *names], "small")


@pytest.mark.parametrize("card", list(SHAPES))
def test_edges_without_midside_nodes_stay_straight(tmp_path: Path, card: str) -> None:
    n, m = len(SHAPES[card][0]), len(SHAPES[card][1])
    left_out = [n, n + 2, n + m - 1]
    model = read_model(deck(tmp_path / "some.bdf", quadratic(card, left_out) + MATERIAL))
    whole = read_model(deck(tmp_path / "whole.bdf", quadratic(card, []) + MATERIAL))
    assert not model.unread and model.blocks[0].element == whole.blocks[0].element
    np.testing.assert_allclose(mass_properties(model).mass, mass_properties(whole).mass, rtol=1e-12)
    matrices = assemble(model)
    assert matrices.dofs.n_dofs == 3 * (n + m - 3)
    stiffness = matrices.stiffness.toarray()
    values = np.linalg.eigvalsh(stiffness)
    assert (values < 1e-9 * values[-1]).sum() == 6
    # The whole element under the constraint that these nodes lie between their ends.
    ends = {row: tuple(at) for row, at in zip(range(n, n + m), SHAPES[card][1], strict=True)}
    T = np.zeros((n + m, n + m - 3))
    kept = [i for i in range(n + m) if i not in left_out]
    for column, node in enumerate(kept):
        T[node, column] = 1.0
    for node in left_out:
        for corner in ends[node]:
            T[node, kept.index(corner)] += 0.5
    order = [whole.node_row(101 + i) for i in range(n + m)]
    K = assemble(whole).stiffness.toarray().reshape(n + m, 3, n + m, 3)[order][:, :, order]
    expected = np.einsum("ap,aibj,bq->piqj", T, K, T).reshape(stiffness.shape)
    np.testing.assert_allclose(np.linalg.eigvalsh(expected), values, atol=1e-9 * values[-1])


def test_neighbours_share_the_node_that_both_leave_out(tmp_path: Path) -> None:
    grid = "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nGRID,4,,0.,1.,0.\nGRID,5,,.5,0.,0.\n"
    text = grid + "MAT1,7,210000.,,0.3,7.85-9\nPSHELL,6,7,.1,7\nCTRIA6,1,6,1,2,3,5\nCTRIA6,2,6,1,3,4\n,,\n"
    text = text.replace("CTRIA6,2,6,1,3,4\n,,\n", "CTRIA6,2,6,1,3,4,,,6\nGRID,6,,0.,.5,0.\n")
    model = read_model(deck(tmp_path / "shells.bdf", text))
    first, second = model.blocks[0].connectivity
    middles = set(first[3:].tolist()) & set(second[3:].tolist())
    assert len(middles) == 1 and model.nodes[middles.pop()].tolist() == [0.5, 0.5, 0.0]
    matrices = assemble(model)
    assert matrices.dofs.n_dofs == 6 * 6
    values = np.linalg.eigvalsh(matrices.stiffness.toarray())
    assert (values < 1e-9 * values[-1]).sum() == 6


def test_presets_of_bars_and_beams(tmp_path: Path) -> None:
    points = "GRID,60,,0.,0.,5.\nGRID,61,,10.,0.,5.\nGRID,62,,20.,0.,5.\n"
    text = (
        points
        + "BAROR,,5,,,0.,0.,1.\nBEAMOR,,6,,,0.,1.,0.\nCBAR,70,,60,61\nCBAR,71,7,61,62,0.,1.,0.\nCBEAM,72,,60,62\n"
    )
    text += "PBAR,5,7,1.,2.,3.,4.\nPBEAM,6,7,2.,2.,3.,,4.\nPBAR,7,7,3.,2.,3.,4.\n"
    model = read_model(deck(tmp_path / "preset.bdf", bricks(text)))
    found = {int(n): b.section for b in model.blocks if b.section for n in b.ids}
    assert {n: (s.area, s.direction) for n, s in found.items()} == {
        70: (1.0, (0.0, 0.0, 1.0)), 71: (3.0, (0.0, 1.0, 0.0)), 72: (2.0, (0.0, 1.0, 0.0)),
    }  # fmt: skip
    assert not model.unread
    with pytest.raises(ReadError, match=r"CBAR 70 has no orientation vector.*or by BAROR"):
        read_model(deck(tmp_path / "none.bdf", bricks(text.replace("BAROR,,5,,,0.,0.,1.", "BAROR,,5"))))


def test_a_property_that_is_not_there_is_no_load(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="CTETRA 9 has the property 2, which is not there"):
        read_model(deck(tmp_path / "load.bdf", bricks("PLOAD4,2,1,10.\nCTETRA,9,2,1,2,3,5\n")))
    with pytest.raises(ReadError, match="CTETRA 9 has the property PELAS 2, which is of no known kind"):
        read_model(deck(tmp_path / "other.bdf", bricks("PELAS,2,10.\nCTETRA,9,2,1,2,3,5\n")))
    # With a material the deck is no mere mesh, although it has no property at all.
    with pytest.raises(ReadError, match="CHEXA 1 has the property 3, which is not there"):
        read_model(deck(tmp_path / "none.bdf", bricks().replace("PSOLID,3,7\n", "")))


def outline(card: str, numbers: list[float]) -> list[tuple[float, float, float, float, float]]:
    """Return rectangles (left, right, bottom, top, sign) of a section, z to the right and y upwards, drawn by hand."""
    d = [0.0, *numbers]
    match card:
        case "CROSS":
            return [(-d[2] / 2, d[2] / 2, -d[3] / 2, d[3] / 2, 1),
                    (-d[2] / 2 - d[1] / 2, -d[2] / 2, -d[4] / 2, d[4] / 2, 1),
                    (d[2] / 2, d[2] / 2 + d[1] / 2, -d[4] / 2, d[4] / 2, 1)]  # fmt: skip
        case "T1":
            return [(0, d[3], 0, d[1], 1), (-d[2], 0, d[1] / 2 - d[4] / 2, d[1] / 2 + d[4] / 2, 1)]
        case "Z":
            t = (d[4] - d[3]) / 2
            return [(0, d[2], 0, d[4], 1), (-d[1], 0, d[4] - t, d[4], 1), (d[2], d[2] + d[1], 0, t, 1)]
        case "CHAN2":
            return [(0, d[4], 0, d[3], 1), (d[1], d[4] - d[1], d[2], d[3], -1)]
        case "L":
            return [(0, d[1], 0, d[2], 1), (d[4], d[1], d[3], d[2], -1)]
        case "BOX1":
            return [(0, d[1], 0, d[2], 1), (d[6], d[1] - d[5], d[4], d[2] - d[3], -1)]
        case "DBOX":
            return [(0, d[1], 0, d[2], 1), (d[4], d[3] - d[5] / 2, d[8], d[2] - d[7], -1),
                    (d[3] + d[5] / 2, d[1] - d[6], d[10], d[2] - d[9], -1)]  # fmt: skip
    assert card == "HAT1"
    side = (d[1] - d[3]) / 2
    return [(0, d[1], 0, d[5] + d[4], 1), (side, d[1] - side, d[5] + d[4], d[2], 1),
            (side + d[4], d[1] - side - d[4], d[5], d[2] - d[4], -1)]  # fmt: skip


@pytest.mark.parametrize("card", ["PBARL", "PBEAML"])
@pytest.mark.parametrize(
    ("shape", "numbers", "torsion"),
    [
        ("CROSS", [6.0, 1.0, 8.0, 0.5], None),
        ("T1", [8.0, 5.0, 1.0, 0.5], None),
        ("Z", [4.0, 0.5, 9.0, 10.0], None),
        ("CHAN2", [0.5, 1.0, 6.0, 9.0], None),
        ("L", [6.0, 9.0, 0.5, 0.75], None),
        ("BOX1", [8.0, 6.0, 0.25, 0.5, 0.3, 0.2],
         4.0 * (7.75 * 5.625) ** 2 / (7.75 / 0.25 + 7.75 / 0.5 + 5.625 / 0.3 + 5.625 / 0.2)),
        # Walls alike all round and one between equal cells: the inner wall carries no flow.
        ("DBOX", [12.2, 6.2, 6.1, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2], 4.0 * 72.0**2 / (36.0 / 0.2)),
        ("HAT1", [12.0, 6.0, 6.0, 0.25, 0.5],
         4.0 * (5.75 * 5.625) ** 2 / (5.75 / 0.25 + 5.75 / 0.5 + 2 * 5.625 / 0.25)),
    ],
)  # fmt: skip
def test_shapes_of_sections(
    tmp_path: Path, card: str, shape: str, numbers: list[float], torsion: float | None
) -> None:
    text = written([card, 5, 7, "", shape, "", "", "", "", *numbers, 0.5], "free")
    model = read_model(deck(tmp_path / "shape.bdf", bricks(BEAM + text)))
    (section,) = [b.section for b in model.blocks if b.element == "beam2"]
    parts = outline(shape, numbers)
    area = sum(s * (r - left) * (t - b) for left, r, b, t, s in parts)
    z = sum(s * (r**2 - left**2) / 2 * (t - b) for left, r, b, t, s in parts) / area
    y = sum(s * (r - left) * (t**2 - b**2) / 2 for left, r, b, t, s in parts) / area
    yy = sum(s * (r - left) * ((t - y) ** 3 - (b - y) ** 3) / 3 for left, r, b, t, s in parts)
    zz = sum(s * ((r - z) ** 3 - (left - z) ** 3) / 3 * (t - b) for left, r, b, t, s in parts)
    yz = sum(
        s * ((r - z) ** 2 - (left - z) ** 2) / 2 * ((t - y) ** 2 - (b - y) ** 2) / 2
        for left, r, b, t, s in parts
    )
    assert section.area == pytest.approx(area, rel=1e-12)
    # Plane 1, along y, bends with ∫ y² dA: our second moment about the second axis.
    assert section.inertia_22 == pytest.approx(yy, rel=1e-12)
    assert section.inertia_11 == pytest.approx(zz, rel=1e-12)
    assert section.inertia_12 == pytest.approx(yz, rel=1e-12, abs=1e-9)
    assert section.nonstructural_mass == 0.5 and 0.1 < section.shear_factor < 1.0
    if torsion is None:  # open: Σ of the rectangles, near Σ s t³ / 3
        assert 0.0 < section.torsion < 0.1 * (yy + zz)
    else:
        assert section.torsion == pytest.approx(torsion, rel=1e-9)


def test_a_hexagon_and_the_walls_that_a_double_box_leaves_out(tmp_path: Path) -> None:
    # Regular, side 2: A = 3√3/2 a², I = 5√3/16 a⁴; J = 1.03 a⁴ (Timoshenko and Goodier 1970: 0.1154 of (2 a cos 30°)⁴).
    text = written(["PBARL", 5, 7, "", "HEXA", "", "", "", "", 1.0, 4.0, 2.0 * 3**0.5], "free")
    (section,) = [
        b.section for b in read_model(deck(tmp_path / "h.bdf", bricks(BEAM + text))).blocks if b.section
    ]
    assert section.area == pytest.approx(1.5 * 3**0.5 * 4.0, rel=1e-5)
    assert section.inertia_11 == pytest.approx(5 * 3**0.5, rel=1e-5)
    assert section.inertia_22 == pytest.approx(5 * 3**0.5, rel=1e-5)
    assert section.torsion == pytest.approx(0.1154 * (2 * 3**0.5) ** 4, rel=0.02)
    few = written(["PBARL", 5, 7, "", "DBOX", "", "", "", "", 12.2, 6.2, 6.1, 0.2, "", 0.2], "free")
    (section,) = [
        b.section for b in read_model(deck(tmp_path / "d.bdf", bricks(BEAM + few))).blocks if b.section
    ]
    assert section.area == pytest.approx(12.2 * 6.2 - 2 * 5.8 * 5.8)


def test_a_product_of_inertia_turns_the_principal_axes(tmp_path: Path) -> None:
    """An angle, bent along y: PBARL and PBAR with its I12 deflect alike, sideways too, as in closed form."""
    shape = written(["PBARL", 5, 7, "", "L", "", "", "", "", 6.0, 9.0, 0.5, 0.75], "free")
    grid = "GRID,60,,0.,0.,0.\nGRID,61,,400.,0.,0.\nCBAR,71,5,60,61,0.,1.,0.\nMAT1,7,210000.,,0.3,7.85-9\n"
    tips, card = [], shape
    for name in ("pbarl", "pbar"):
        model = read_model(deck(tmp_path / f"{name}.bdf", grid + card))
        (section,) = [b.section for b in model.blocks]
        matrices = assemble(model)
        free, load = matrices.dofs.node_rows(model.node_row(61)), np.zeros(6)
        load[1] = 1000.0
        turned = matrices.dofs.transformation[free]
        K = (turned @ matrices.stiffness @ turned.T).toarray()
        tips.append(np.linalg.solve(K, load))
        numbers = (section.area, section.inertia_22, section.inertia_11, section.torsion)
        fields = [5, 7, *(f"{x:.10g}" for x in numbers), *[""] * 12, f"{section.inertia_12:.10g}"]
        card = written(["PBAR", *fields], "free")
    E, L, F = 210000.0, 400.0, 1000.0
    i1, i2, i12 = section.inertia_22, section.inertia_11, section.inertia_12
    factor = F * L**3 / (3.0 * E * (i1 * i2 - i12**2))
    for tip in tips:
        # Unsymmetric bending (Timoshenko 1955): v = F L³ I2 / 3E(I1 I2 - I12²), w = -F L³ I12 / 3E(…), shear aside.
        assert tip[1] == pytest.approx(factor * i2, rel=0.02)
        assert tip[2] == pytest.approx(-factor * i12, rel=0.02)


@pytest.mark.parametrize("factor", ["", "PARAM,WTMASS,.5\n"])
def test_non_structural_mass_moves_with_bars_and_shells(tmp_path: Path, factor: str) -> None:
    grid = "GRID,60,,0.,0.,0.\nGRID,61,,10.,0.,0.\nGRID,62,,10.,4.,0.\nGRID,63,,0.,4.,0.\n"
    grid += factor + "MAT1,7,210000.,,0.3,2.\n"
    bar = grid + "CBAR,71,5,60,61,0.,0.,1.\nPBAR,5,7,3.,1.,1.,1.,7.\n"
    shell = grid + "CQUAD4,71,5,60,61,62,63\nPSHELL,5,7,.5,7,,,,7.\n"
    layers = grid + "CQUAD4,71,5,60,61,62,63\nPCOMP,5,,7.\n,7,.25,,,7,.25\n"
    scale = 0.5 if factor else 1.0
    for name, text, mass, volume in (
        ("bar", bar, 10.0 * (2.0 * 3.0 + 7.0), 30.0), ("shell", shell, 40.0 * (2.0 * 0.5 + 7.0), 20.0),
        ("layers", layers, 40.0 * (2.0 * 0.5 + 7.0), 20.0),
    ):  # fmt: skip
        model = read_model(deck(tmp_path / f"{name}.bdf", text))
        assert not model.unread
        measured = mass_properties(model)
        assert measured.mass == pytest.approx(scale * mass, rel=1e-12)
        assert measured.volume == pytest.approx(volume, rel=1e-12)
        assert nodal_masses(model).sum() == pytest.approx(scale * mass, rel=1e-12)
        matrices = assemble(model)
        rigid = rigid_body_modes(model.nodes, matrices.dofs)
        np.testing.assert_allclose(np.diag(rigid.T @ (matrices.mass @ rigid))[:3], scale * mass, rtol=1e-12)


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
