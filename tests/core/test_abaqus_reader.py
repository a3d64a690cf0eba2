"""Every feature of the deck reader on a small deck of its own."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import Cancelled, ReadError
from faying.fem.mass_properties import mass_properties
from faying.fem.model import BeamSection, Coupling, FeModel
from faying.fem.readers import files_of_model, read_model
from faying.fem.skin import facet_normals, surface_area, surface_from_deck
from faying.progress import CancelFlag

DECKS = Path(__file__).parents[1] / "decks"


def ids_of(model: FeModel, rows: np.ndarray) -> list[int]:
    return model.node_ids[rows].tolist()


def elements_of(model: FeModel, positions: np.ndarray) -> list[int]:
    return model.element_ids[positions].tolist()


def faces_of(model: FeModel, name: str) -> set[tuple[int, int]]:
    surface = model.surfaces[name]
    return set(zip(elements_of(model, surface.elements), (surface.faces + 1).tolist(), strict=True))


@pytest.fixture(scope="module")
def bricks() -> FeModel:
    return read_model(DECKS / "two_bricks.inp")


def test_nodes_with_blank_fields_comments_and_fortran_numbers(bricks: FeModel) -> None:
    assert bricks.title == "Two bricks side by side"
    by_id = dict(zip(bricks.node_ids.tolist(), bricks.nodes.tolist(), strict=True))
    assert by_id[2] == [1.0, 0.0, 0.0]
    assert by_id[4] == [0.0, 1.0, 0.0]
    assert by_id[6] == [1.0, 0.0, 1.0]
    assert by_id[99] == [5.0, 5.0, -0.5]  # used by nothing, kept
    assert len(by_id) == 13


def test_elements_on_one_line_and_on_two(bricks: FeModel) -> None:
    assert [(b.label, b.ids.tolist(), b.material) for b in bricks.blocks] == [
        ("C3D8", [10], "STEEL"),
        ("C3D8R", [20], "RUBBER"),
    ]
    assert ids_of(bricks, bricks.blocks[1].connectivity[0]) == [2, 9, 10, 3, 6, 11, 12, 7]


def test_sets(bricks: FeModel) -> None:
    sets = {name: ids_of(bricks, rows) for name, rows in bricks.node_sets.items()}
    assert sets["ALL_NODES"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 99]
    assert sets["BOTTOM"] == [1, 2, 3, 4, 9, 10, 12]  # two cards, the second adds
    assert sets["ODD"] == [1, 3, 5, 7, 9, 11]
    assert sets["BOTH"] == [1, 2, 3, 4, 5, 7, 9, 10, 11, 12]
    assert sets["LAST ONE"] == [12, 1, 99]
    assert sets["OF_RIGHT"] == [2, 3, 6, 7, 9, 10, 11, 12]
    assert elements_of(bricks, bricks.element_sets["EVERYTHING"]) == [10, 20]
    assert elements_of(bricks, bricks.element_sets["LEFT"]) == [10]


def test_surfaces(bricks: FeModel) -> None:
    assert faces_of(bricks, "ENDS") == {(10, 6), (20, 4)}
    # The common face is the left brick's S4 and the right brick's S6.
    free = {(10, f) for f in (1, 2, 3, 5, 6)} | {(20, f) for f in (1, 2, 3, 4, 5)}
    assert faces_of(bricks, "FREE") == free
    assert faces_of(bricks, "FREE_RIGHT") == {(e, f) for e, f in free if e == 20}
    assert faces_of(bricks, "SIDES") == free - {(10, 6), (20, 4)}
    assert ids_of(bricks, bricks.surfaces["POINTS"].nodes) == [1, 2, 3, 4, 7, 9, 10, 12]


def test_materials(bricks: FeModel) -> None:
    steel, rubber = bricks.materials["STEEL"], bricks.materials["RUBBER"]
    assert (steel.youngs_modulus, steel.poisson_ratio, steel.density) == (2.1e5, 0.3, 7.85e-9)
    assert (rubber.youngs_modulus, rubber.poisson_ratio, rubber.density) == (5.0, 0.45, 0.0)


def test_everything_else_is_listed_with_its_line(bricks: FeModel) -> None:
    lines = (DECKS / "two_bricks.inp").read_text().splitlines()
    unread = dict(bricks.unread)
    for word in ("*STEP", "*NODE PRINT"):
        number = next(i for i, line in enumerate(lines, 1) if line.startswith(word))
        assert unread.pop(number).startswith(word)
    ((number, text),) = unread.items()
    assert "other temperatures" in text and lines[number - 1] == "2.0D5, .3, 200."
    assert "nothing acts" in dict(bricks.unread)[lines.index("*STEP") + 1]


def test_long_connectivity_and_node_surface_before_its_set() -> None:
    model = read_model(DECKS / "brick20.inp")
    assert model.blocks[0].label == "C3D20R"
    assert ids_of(model, model.blocks[0].connectivity[0]) == list(range(1, 21))
    assert faces_of(model, "TOP") == {(1, 2)}
    assert ids_of(model, model.surfaces["TOP_POINTS"].nodes) == [5, 6, 7, 8, 13, 14, 15, 16]
    assert model.blocks[0].material == ""


def test_instances_are_moved_then_turned() -> None:
    model = read_model(DECKS / "assembly.inp")
    # First instance as it is; second moved by 10 along x, turned by 90 degrees about z through (10, 0, 0).
    expected = [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [10, 0, 0],
        [10, 1, 0],
        [9, 0, 0],
        [10, 0, 1],
        [5, 0, 2],
    ]
    assert np.allclose(model.nodes, expected, atol=1e-12)
    assert model.node_ids.tolist() == [1, 2, 3, 4, 11, 12, 13, 14, 21]
    assert model.element_ids.tolist() == [1, 11]
    shifts = [text for _, text in model.unread if "shifted" in text]
    assert len(shifts) == 3
    assert any("SPARE" in text for _, text in model.unread)


def test_names_of_instances() -> None:
    model = read_model(DECKS / "assembly.inp")
    sets = {name: rows.tolist() for name, rows in model.node_sets.items()}
    assert sets["BLOCK-1.TIP"] == [3] and sets["BLOCK-2.TIP"] == [7]
    assert "TIP" not in sets  # both instances have one
    assert sets["EXTRA"] == sets["BLOCK-2.EXTRA"] == [4, 5]
    assert sets["TIPS"] == [3, 5, 6, 7]
    assert model.surfaces["TOP"].elements.tolist() == [0] and model.surfaces["TOP"].faces.tolist() == [1]
    assert model.surfaces["BLOCK-2.FOOT"].elements.tolist() == [1]
    hold, hang = model.couplings
    assert (hold.kind, hold.reference, hold.nodes.tolist(), hold.components) == (
        "kinematic",
        8,
        [4, 5, 6],
        (1, 2, 3),
    )
    assert (hang.kind, hang.nodes.tolist()) == ("distributing", [0, 1, 3])


def test_includes_count_from_the_including_file() -> None:
    model = read_model(DECKS / "included.inp")
    assert model.node_ids.tolist() == [1, 2, 3, 4]
    assert model.element_ids.tolist() == [1]
    assert model.element_sets["TET"].tolist() == [0]
    assert model.unread == () and model.deck_support is not None
    names = [file.name for file in files_of_model(DECKS / "included.inp")]
    assert names == ["included.inp", "nodes.txt", "elements.inp", "one_element.txt"]
    assert files_of_model(DECKS / "nowhere.inp") == ()


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\n** a comment\n\n  "])
def test_files_are_found_behind_continued_keyword_lines(tmp_path: Path, break_: str) -> None:
    (tmp_path / "nodes.inc").write_text("1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n")
    (tmp_path / "set.inc").write_text("*NSET, NSET=A\n1,2\n")
    deck = tmp_path / "deck.inp"
    text = (
        f"*NODE, NSET=N,{break_}INPUT=nodes.inc\n*ELEMENT, TYPE=C3D4,{break_}ELSET=E\n1,1,2,3,4\n"
        f"*INCLUDE,{break_}INPUT = set.inc\n*NSET, NSET=B,\n1\n"
    )
    deck.write_bytes(text.encode())
    assert len(read_model(deck).node_sets["A"]) == 2
    assert [file.name for file in files_of_model(deck)] == ["deck.inp", "nodes.inc", "set.inc"]


@pytest.fixture(scope="module")
def coupled() -> tuple[FeModel, dict[str, Coupling]]:
    model = read_model(DECKS / "couplings.inp")
    return model, {c.name: c for c in model.couplings}


def test_couplings_of_surfaces(coupled: tuple[FeModel, dict[str, Coupling]]) -> None:
    model, couplings = coupled
    foot, head, face = couplings["FOOT"], couplings["HEAD"], couplings["FACE"]
    assert (foot.kind, foot.components) == ("kinematic", (1, 2, 6))
    assert ids_of(model, np.array([foot.reference, *foot.nodes])) == [101, 1, 2, 3, 4]
    assert (head.kind, head.components) == ("distributing", (1, 2, 3, 4))
    assert np.allclose(head.weights, 0.25)  # a unit square, a quarter at each corner
    assert ids_of(model, face.nodes) == [1, 2, 5, 6] and np.all(face.weights == 1.0)


def test_rigid_bodies_and_multi_point_constraints(coupled: tuple[FeModel, dict[str, Coupling]]) -> None:
    model, couplings = coupled
    body = couplings["RIGID BODY 1"]
    assert ids_of(model, np.array([body.reference])) == [104]
    assert ids_of(model, body.nodes) == [2, 3, 6, 7]  # without the reference itself
    tied, pinned = couplings["RIGID BODY 2"], couplings["RIGID BODY 3"]
    assert ids_of(model, tied.nodes) == [1, 2, 3, 4, 5, 6, 7, 8] and tied.components == (1, 2, 3, 4, 5, 6)
    assert ids_of(model, pinned.nodes) == [1, 2, 5, 6] and pinned.components == (1, 2, 3)
    beams = [(ids_of(model, np.array([c.reference]))[0], ids_of(model, c.nodes))
             for name, c in couplings.items() if name.startswith("MPC BEAM")]  # fmt: skip
    assert beams == [(106, [1, 2, 5, 6]), (105, [8]), (106, [7])]
    assert all(c.components == (1, 2, 3, 4, 5, 6) for n, c in couplings.items() if n.startswith("MPC"))


def test_old_kinematic_coupling_groups_equal_components(coupled: tuple[FeModel, dict[str, Coupling]]) -> None:
    model, couplings = coupled
    first, second = couplings["KINEMATIC COUPLING 1"], couplings["KINEMATIC COUPLING 2"]
    assert (ids_of(model, first.nodes), first.components) == ([3, 4], (1, 2, 3))
    assert (ids_of(model, second.nodes), second.components) == ([1, 2, 5, 6], (1, 2, 3, 4, 5, 6))


def test_parameters_of_couplings_that_matter_are_listed(coupled: tuple[FeModel, dict[str, Coupling]]) -> None:
    texts = [text for _, text in coupled[0].unread]
    assert len(texts) == 3
    for word in ("INFLUENCERADIUS=9.", "WEIGHTINGMETHOD=LINEAR", "*MPC: SLIDER,2,3"):
        assert any(word in text for text in texts)


def test_beam_sections() -> None:
    model = read_model(DECKS / "beams.inp")
    rod, bar, tube, profile, oval, curved = (b.section for b in model.blocks)
    assert all(s is not None for s in (rod, bar, tube, profile, oval, curved))
    assert (rod.area, rod.inertia_11, rod.torsion) == pytest.approx((4 * np.pi, 4 * np.pi, 8 * np.pi))
    assert rod.direction == (0.0, 1.0, 0.0) and bar.direction == (0.0, 0.0, -1.0)
    # 4 along the first axis, 2 along the second; the torsion of a 2:1 rectangle is 0.2287 a b³ (Timoshenko).
    assert (bar.area, bar.inertia_11, bar.inertia_22) == pytest.approx((8.0, 4 * 2**3 / 12, 2 * 4**3 / 12))
    assert bar.torsion == pytest.approx(0.2287 * 4 * 2**3, rel=1e-3)
    assert (tube.area, tube.inertia_11) == pytest.approx((5 * np.pi, np.pi / 4 * (81 - 16)))
    assert (profile.area, profile.inertia_11, profile.inertia_22, profile.torsion) == (10.0, 20.0, 30.0, 40.0)
    assert (oval.area, oval.inertia_11, oval.inertia_22) == pytest.approx((2 * np.pi, np.pi / 2, 2 * np.pi))
    assert (curved.shear_factor, curved.torsion) == (0.9, 50.0)
    own = model.materials[model.blocks[3].material]
    assert (own.youngs_modulus, own.poisson_ratio, own.density) == (70000.0, 0.25, 2.7e-9)


TET = "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT, TYPE=C3D4, ELSET=T\n1,1,2,3,4\n"


BEAM = "*NODE\n1,0,0,0\n2,1,0,0\n*ELEMENT, TYPE=B31, ELSET=E\n1,1,2\n"


def test_a_blank_line_of_a_general_section_stands_for_the_usual_direction(tmp_path: Path) -> None:
    section = "*BEAM GENERAL SECTION, ELSET=E, SECTION=GENERAL\n100.,800.,0.,900.,1500.\n,\n210000.,80000.\n"
    (tmp_path / "beam.inp").write_text(BEAM + section)
    (block,) = read_model(tmp_path / "beam.inp").blocks
    assert isinstance(block.section, BeamSection) and block.section.direction == (0.0, 0.0, -1.0)


@pytest.mark.parametrize(
    ("elastic", "stiffness", "factor", "told"),
    [
        ("*ELASTIC\n2e5,.25\n", "4e5,4e5", 0.5, ""),
        ("*ELASTIC\n2e5,.25\n", "4e5,,.25", 0.5, ""),
        ("*ELASTIC\n2e5,.25\n", "4e5,8e5", 0.5, "the first one counts in both directions"),
        ("", "4e5,4e5", 0.85, "the material M has no stiffness"),
    ],
)
def test_shear_stiffness_of_beams(
    tmp_path: Path, elastic: str, stiffness: str, factor: float, told: str
) -> None:
    section = "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n10.,1.\n0,0,-1\n"
    text = f"{BEAM}*MATERIAL, NAME=M\n{elastic}{section}*TRANSVERSE SHEAR STIFFNESS\n{stiffness}\n"
    (tmp_path / "beam.inp").write_text(text)
    model = read_model(tmp_path / "beam.inp")
    (block,) = model.blocks
    assert isinstance(block.section, BeamSection) and block.section.shear_factor == pytest.approx(factor)
    assert [told in text for _, text in model.unread] == ([True] if told else [])


NAMED = (
    "*NODE\n1,0,0,0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n*ELEMENT, TYPE=C3D4, ELSET=T\n1,1,2,3,4\n"
    "*NSET, NSET=FIX\n1,2\n*SURFACE, NAME=S\nT,\n*SURFACE, NAME=ONE\n1,S1\n"
)


@pytest.mark.parametrize(
    ("lines", "held"),
    [
        ("FIX,1,3", {1, 2, 3}),
        ("FIX,1,999999999", {1, 2, 3, 4, 5, 6}),
        ("FIX,1,2\nFIX,3", {1, 2, 3}),
        ("FIX,,3", set()),
        (",\nFIX,2,3", {2, 3}),
        ("FIX,ZSYMM", {3, 4, 5}),
        ("FIX,11,11", set()),
    ],
)
def test_held_directions_of_a_boundary(tmp_path: Path, lines: str, held: set[int]) -> None:
    (tmp_path / "held.inp").write_text(f"{NAMED}*BOUNDARY\n{lines}\n")
    model = read_model(tmp_path / "held.inp")
    support = model.deck_support
    assert (set() if support is None else set(support.components.tolist())) == held
    assert support is None or set(support.nodes.tolist()) == {0, 1}
    assert any("expected a direction" in text for _, text in model.unread) == (lines == "FIX,,3")


@pytest.mark.parametrize(
    ("pair", "told"),
    [
        ("S,", "contact of a surface with itself"),
        ("S, S", "contact of a surface with itself"),
        ("S, ROUND", "the surface ROUND is not read"),
    ],
)
def test_contact_that_is_not_of_two_surfaces_is_listed(tmp_path: Path, pair: str, told: str) -> None:
    cards = "*SURFACE, NAME=ROUND, TYPE=CYLINDER\nSTART,0,0\nLINE,1,0\n*SURFACE INTERACTION, NAME=I\n"
    (tmp_path / "contact.inp").write_text(f"{NAMED}{cards}*CONTACT PAIR, INTERACTION=I\n{pair}\nS, ONE\n")
    model = read_model(tmp_path / "contact.inp")
    assert [(each.slave, each.master) for each in model.contacts] == [("S", "ONE")]
    assert [told in text for _, text in model.unread if "CONTACT PAIR" in text] == [True]


def test_cylindrical_and_spherical_nodes_and_local_systems(tmp_path: Path) -> None:
    deck = tmp_path / "systems.inp"
    deck.write_text(
        TET + "*NODE, SYSTEM=C\n5, 2., 90., 3.\n*NODE, SYSTEM=S\n6, 2., 0., 90.\n"
        "*SYSTEM\n1., 0., 0., 1., 1., 0.\n0., 1., 0.\n*NODE\n7, 1., 2., 3.\n*SYSTEM\n*NODE\n8, 1., 2., 3.\n"
    )
    model = read_model(deck)
    assert np.allclose(model.nodes[4:], [[0, 2, 3], [0, 0, 2], [-1, 1, 3], [1, 2, 3]], atol=1e-12)


def test_a_later_section_overrides_and_says_so(tmp_path: Path) -> None:
    deck = tmp_path / "sections.inp"
    materials = "*MATERIAL, NAME=A\n*ELASTIC\n1.\n*MATERIAL, NAME=B\n*ELASTIC\n2.\n"
    sections = "*SOLID SECTION, ELSET=T, MATERIAL=A\n*SOLID SECTION, ELSET=T, MATERIAL=B\n"
    deck.write_text(TET + materials + sections)
    model = read_model(deck)
    assert model.blocks[0].material == "B"
    ((line, text),) = model.unread
    assert deck.read_text().splitlines()[line - 1].endswith("MATERIAL=A") and "overridden for 1" in text


def test_latin_text_windows_lines_and_a_byte_order_mark(tmp_path: Path) -> None:
    deck = tmp_path / "windows.inp"
    deck.write_bytes(("*HEADING\nTräger\n" + TET).replace("\n", "\r\n").encode("latin-1"))
    assert read_model(deck).title == "Träger"
    deck.write_bytes(("*HEADING\nTräger\n" + TET).encode("utf-8-sig"))
    assert read_model(deck).title == "Träger"


def test_parameters_that_are_not_taken_over_are_listed(tmp_path: Path) -> None:
    deck = tmp_path / "parameters.inp"
    deck.write_text(
        TET + "*MATERIAL, NAME=A\n*ELASTIC, TYPE=TRACTION\n1.,1.,1.\n"
        "*SOLID SECTION, ELSET=T, MATERIAL=A, ORIENTATION=O\n*SURFACE, NAME=P, TYPE=NODE\n1, 2.5\n"
        "*SURFACE, NAME=CUT, TYPE=CUTTING SURFACE\n1.,0.,0.\n*NODE\n9, 1., 1., 1., 0., 0., 1."
    )
    model = read_model(deck)
    texts = dict(model.unread)
    assert {line: words for line, words in ((9, "elasticity"), (11, "ORIENTATION=O"), (12, "areas"), (14, "TYPE"))
            if words not in texts[line]} == {}  # fmt: skip
    # The last line has a nodal normal, and no end.
    assert [text for line, text in model.unread if line == 17] == [
        "the file ends within this line: is the deck complete?",
        "directions of nodal normals below *NODE (1 line)",
    ]
    assert model.materials["A"].youngs_modulus == 0.0 and "CUT" not in model.surfaces


def test_large_gaps_in_a_range_cost_nothing_and_are_listed(tmp_path: Path) -> None:
    deck = tmp_path / "range.inp"
    deck.write_text(TET + "*NSET, NSET=ALL, GENERATE\n1, 900000000000\n")
    model = read_model(deck)
    assert model.node_sets["ALL"].tolist() == [0, 1, 2, 3]
    assert "899999999996 of the 900000000000 numbers" in model.unread[0][1]


def test_reading_can_be_cancelled() -> None:
    flag = CancelFlag()
    flag.cancel()
    with pytest.raises(Cancelled):
        read_model(DECKS / "two_bricks.inp", flag)


@pytest.mark.parametrize("name", ["two_bricks.inp", "assembly.inp", "included.inp"])
def test_reading_reports_rising_progress(name: str) -> None:
    class Listener:
        def __init__(self) -> None:
            self.fractions: list[float] = []

        def report(self, fraction: float, text: str = "", **values: object) -> None:
            self.fractions.append(fraction)

    listener = Listener()
    read_model(DECKS / name, listener)
    assert listener.fractions == sorted(listener.fractions) and listener.fractions[-1] == 1.0


SHELLS = """*NODE
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,2,0,0
6,2,1,0
7,3,0,0
*ELEMENT, TYPE=S4R, ELSET=PLATE
1,1,2,3,4
2,2,5,6,3
*ELEMENT, TYPE=S3, ELSET=TIP
3,5,7,6
*SHELL SECTION, ELSET=PLATE, MATERIAL=STEEL, OFFSET=SPOS
0.5, 5
*SHELL SECTION, ELSET=TIP, MATERIAL=STEEL, OFFSET=-0.25
2.
*MATERIAL, NAME=STEEL
*ELASTIC
210000.,.3
*DENSITY
7.85E-9
*SURFACE, NAME=UPPER
PLATE, SPOS
*SURFACE, NAME=LOWER
PLATE, SNEG
TIP, S1
*SURFACE, NAME=BOTH
TIP
"""


def test_shells_with_thickness_offset_and_sides(tmp_path: Path) -> None:
    path = tmp_path / "shells.inp"
    path.write_text(SHELLS)
    model = read_model(path)
    plate, tip = model.blocks
    assert (plate.element, tip.element) == ("shell4", "shell3") and model.unread == ()
    # The nodes lie on the side of the normal, so the middle lies below them.
    assert vars(plate.section) == {
        "thickness": 0.5,
        "offset": -0.25,
        "nonstructural_mass": 0.0,
        "plies": (),
        "stiffness": (),
    }
    assert vars(tip.section) == {
        "thickness": 2.0,
        "offset": 0.5,
        "nonstructural_mass": 0.0,
        "plies": (),
        "stiffness": (),
    }
    areas = {name: surface_area(surface_from_deck(model, name), model.nodes) for name in model.surfaces}
    assert areas == {"UPPER": 2.0, "LOWER": 2.5, "BOTH": 1.0}
    assert (facet_normals(surface_from_deck(model, "LOWER"), model.nodes)[:, 2] == -1.0).all()
    assert mass_properties(model).volume == pytest.approx(2.0)


def test_layers_of_one_material_are_one_layer(tmp_path: Path) -> None:
    path = tmp_path / "layers.inp"
    layered = SHELLS.replace(
        "MATERIAL=STEEL, OFFSET=SPOS\n0.5, 5", "COMPOSITE, OFFSET=SPOS\n.2,,Steel\n.3,3,STEEL"
    )
    path.write_text(layered)
    plate, _ = read_model(path).blocks
    assert plate.material == "STEEL"
    assert (plate.section.thickness, plate.section.offset) == (0.5, -0.25)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "*SHELL SECTION, ELSET=TIP",
            "*SOLID SECTION, ELSET=TIP",
            "is a shell .S3., expected .SHELL SECTION",
        ),
        ("PLATE, SPOS", "PLATE, S3", "expected SPOS or SNEG"),
        ("0.5, 5", "0., 5", "a positive thickness"),
        (
            "OFFSET=SPOS\n0.5, 5",
            "COMPOSITE\n0.2,3,STEEL\n0.3,3,GLUE",
            "there is no material GLUE. Known are: STEEL",
        ),
    ],
)
def test_wrong_shells_are_sentences(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = tmp_path / "wrong.inp"
    path.write_text(SHELLS.replace(old, new))
    with pytest.raises(ReadError, match=words):
        read_model(path)


def test_numbers_behind_the_nodes_of_an_element_do_not_count_but_are_told(tmp_path: Path) -> None:
    """CalculiX stops at the last node that the type has, also where a comma says that the line goes on."""
    nodes = "".join(
        f"{1 + i + 2 * j + 4 * k}, {i}., {j}., {k}.\n" for k in (0, 1) for j in (0, 1) for i in (0, 1)
    )
    head = f"*NODE\n{nodes}*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 4, 3, 5, 6, 8, 7"
    (tmp_path / "more.inp").write_text(head + ", 3, 9\n")
    model = read_model(tmp_path / "more.inp")
    assert model.blocks[0].connectivity.tolist() == [[0, 1, 3, 2, 4, 5, 7, 6]]
    assert [text for _, text in model.unread] == [
        "surplus numbers behind the 8 nodes of C3D8 elements (1 line): is the type right?"
    ]
    (tmp_path / "more.inp").write_text(head + ", 3,\n9, 10\n")
    with pytest.raises(ReadError, match=r"element 9 has 1 nodes,.* expected 8"):
        read_model(tmp_path / "more.inp")
