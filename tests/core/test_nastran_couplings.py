"""Rigid elements in their points' own directions, RBE3 with UM, and layered shells of Nastran decks."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import ModelError, ReadError
from faying.fem.assembly import assemble
from faying.fem.model import BeamSection, FeModel, ShellSection
from faying.fem.readers import read_model

BRICK = (
    "GRID,1,,1.,0.,0.\nGRID,2,,2.,0.,0.\nGRID,3,,2.,1.,0.\nGRID,4,,1.,1.,0.\n"
    "GRID,5,,1.,0.,1.{cd}\nGRID,6,,2.,0.,1.{cd}\nGRID,7,,2.,1.,1.{cd}\nGRID,8,,1.,1.,1.\n"
    "CHEXA,1,3,1,2,3,4,5,6\n,7,8\nMAT1,7,210000.,,0.3,7.85-9\nPSOLID,3,7\nGRID,50,,0.,0.,2.\n"
    "CORD2C,4,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nCORD2S,5,,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n"
    "CORD2R,6,,0.,0.,0.,0.,0.,1.\n,1.,1.,0.\n"
)


def read(path: Path, extra: str, system: str = "") -> FeModel:
    path.write_text(BRICK.format(cd=f",{system}" if system else "") + extra)
    return read_model(path)


def motion(model: FeModel) -> tuple[np.ndarray, np.ndarray]:
    dofs = assemble(model).dofs
    u = dofs.transformation @ np.random.default_rng(8).standard_normal(dofs.n_dofs)
    return u[: 3 * dofs.n_nodes].reshape(-1, 3), u[3 * dofs.n_nodes :].reshape(-1, 3)


@pytest.mark.parametrize("system", ["", "4", "5", "6"])
def test_components_of_an_rbe2_count_in_each_points_directions(tmp_path: Path, system: str) -> None:
    model = read(tmp_path / "radial.bdf", "RBE2,9,50,1,5,6,7\n", system)
    (coupling,) = model.couplings
    assert model.unread == () and (coupling.directions is None) == (not system)
    u, theta = motion(model)
    points = model.nodes[coupling.nodes]
    # The first directions: x; away from the axis; away from the origin; between x and y.
    first = {
        "": np.tile([1.0, 0.0, 0.0], (3, 1)), "4": points * [1.0, 1.0, 0.0], "5": points,
        "6": np.tile([1.0, 1.0, 0.0], (3, 1)),
    }[system]  # fmt: skip
    slip = (
        u[coupling.nodes]
        - u[coupling.reference]
        - np.cross(theta[0], points - model.nodes[coupling.reference])
    )
    np.testing.assert_allclose(np.einsum("ij,ij->i", slip, first), 0.0, atol=1e-12)
    assert np.linalg.norm(slip, axis=1).min() > 1e-3


def test_orientation_vectors_count_in_the_first_points_directions_unless_basic(tmp_path: Path) -> None:
    bar = "PBARL,4,7,,BAR\n,.1,.2\nCBAR,8,4,7,3,1.,0.,0.{}\n"
    away = np.array([2.0, 1.0, 0.0]) / np.sqrt(5.0)
    for flag, wanted in (("", away), (",GGG", away), (",BGG", [1.0, 0.0, 0.0])):
        section = read(tmp_path / "bar.bdf", bar.format(flag), "4").blocks[1].section
        assert isinstance(section, BeamSection)
        np.testing.assert_allclose(section.direction, wanted, atol=1e-12)


def test_a_mere_mesh_of_solids_opens_without_materials(tmp_path: Path) -> None:
    path = tmp_path / "mesh.fem"
    bare = "".join(
        line for line in BRICK.format(cd="").splitlines(True) if not line.startswith(("PSOLID", "MAT1"))
    )
    path.write_text(bare + "CQUAD4,2,2,5,6,7,8\nCQUAD4,3,2,1,2,3,4\n")
    model = read_model(path)
    (solid,) = model.blocks
    assert (solid.material, list(model.element_sets)) == ("", ["property 3"])
    assert [text for _, text in model.unread] == [
        "CHEXA 1: 1 elements: their property 3 is not there, so they have no material",
        "CQUAD4 2: 2 elements: their property 2 is not there, so they are left out",
    ]
    with pytest.raises(ModelError, match="have no material"):
        assemble(model)


def test_properties_of_no_known_kind_are_named(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="has the property PLPLANE 2, which is of no known kind"):
        read(tmp_path / "kind.bdf", "CQUAD4,2,2,5,6,7,8\nPLPLANE,2,7\n")
    path = tmp_path / "gone.bdf"
    path.write_text("GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,1.,1.,0.\nCTRIA3,2,2,1,2,3\n")
    with pytest.raises(ReadError, match="has the property 2, which is not there"):
        read_model(path)


def test_second_and_third_directions_of_curved_systems(tmp_path: Path) -> None:
    for system, second in (("4", [0.0, 1.0, 0.0]), ("5", np.array([1.0, 0.0, -2.0]) / np.sqrt(5.0))):
        model = read(tmp_path / "second.bdf", "RBE2,9,50,2,6\n", system)
        directions = model.couplings[0].directions
        assert directions is not None
        # At (2, 0, 1): round the axis it is y; from the axis down it is away from z.
        np.testing.assert_allclose(directions[0, 1], second, atol=1e-12)
        np.testing.assert_allclose(directions @ directions.transpose(0, 2, 1), np.eye(3)[None], atol=1e-12)
        assert np.linalg.det(directions[0]) == pytest.approx(1.0)


def test_um_says_how_an_rbe3_is_solved_and_changes_nothing(tmp_path: Path) -> None:
    plain = "RBE3,9,,50,123456,1.,123,5,6\n,7,8{}\n"
    first = read(tmp_path / "plain.bdf", plain.format(""))
    second = read(tmp_path / "um.bdf", plain.format(",UM,5,123,6,23\n,7,3"))
    assert second.unread == ()
    one, other = assemble(first), assemble(second)
    assert abs(one.constraints - other.constraints).max() == 0.0
    assert abs(one.stiffness - other.stiffness).max() == 0.0


@pytest.mark.parametrize(
    ("card", "name"),
    [
        ("RBE2,9,50,123456,5,6,7{}\n", "RBE2"),
        ("RBAR,9,50,5,123456,,,123,{}\n", "RBAR"),
        ("RBE3,9,,50,123456,1.,123,5,6\n,7,8,ALPHA{}\n", "RBE3"),
        ("RBE3,9,,50,123456,1.,123,5,6\n,7,8,UM,5,123,6,23\n,7,3,ALPHA{}\n", "RBE3"),
    ],
)
def test_thermal_expansion_of_rigid_elements_is_told(tmp_path: Path, card: str, name: str) -> None:
    comma = "" if name == "RBAR" else ","
    model = read(tmp_path / "warm.bdf", card.format(comma + "1.2-5"))
    assert [text for _, text in model.unread] == [f"{name} 9: its thermal expansion; it keeps its size"]
    assert len(model.couplings) == 1 and 1.2e-5 not in model.couplings[0].weights
    assert read(tmp_path / "cold.bdf", card.format(comma + "0.")).unread == ()


def test_an_rbe3_weighs_displacements_by_the_group_that_names_them(tmp_path: Path) -> None:
    model = read(tmp_path / "groups.bdf", "RBE3,9,,50,123456,2.,123,5,6\n,7,.5,456,5,6,7\n")
    (coupling,) = model.couplings
    assert coupling.weights.tolist() == [2.0, 2.0, 2.0]
    assert [text for _, text in model.unread] == [
        "RBE3 9: components other than 123 of its grid points; they are taken as 123"
    ]


def test_a_grid_point_that_two_groups_of_an_rbe3_name_has_both_weights(tmp_path: Path) -> None:
    (coupling,) = read(tmp_path / "twice.bdf", "RBE3,9,,50,123456,2.,123,5,6\n,7,.5,123,5\n").couplings
    assert coupling.weights.tolist() == [2.5, 2.0, 2.0]


@pytest.mark.parametrize("system", ["", "6"])
def test_an_rbar_couples_the_components_that_depend(tmp_path: Path, system: str) -> None:
    (pin,) = read(tmp_path / "pin.bdf", "RBAR,9,50,5,123456,,,123\n", system).couplings
    assert pin.components == (1, 2, 3) and pin.directions is None
    (slide,) = read(tmp_path / "slide.bdf", "RBAR,9,50,5,123456,,,13\n", system).couplings
    assert slide.components == (1, 3) and (slide.directions is None) == (not system)
    (rigid,) = read(tmp_path / "rigid.bdf", "RBAR,9,50,5,123456\n", system).couplings
    assert rigid.components == (1, 2, 3, 4, 5, 6)
    left = read(tmp_path / "left.bdf", "RBAR,9,50,5,123456,,3\n", system)
    assert left.couplings == () and "none of its components depends" in left.unread[0][1]
    two = read(tmp_path / "two.bdf", "RBAR,9,50,5,123456,3\n", system)
    assert two.couplings == () and "7 independent components are not six" in two.unread[0][1]


@pytest.mark.parametrize("system", ["", "4", "6"])
def test_an_rbe1_of_several_points_moves_as_a_rigid_body(tmp_path: Path, system: str) -> None:
    """Three points fix the motion by 3, 2 and 1 displacements; all others of them and two more points follow."""
    cards = "RBE1,9,1,123,2,23,4,3\n,UM,2,1,4,12,5,123\n,,6,123\n"
    model = read(tmp_path / "body.bdf", cards, system)
    assert model.unread == () and model.couplings == () and len(model.equations[0].starts) == 10
    rows = np.array([0, 1, 3, 4, 5])
    u, _ = motion(model)
    arms = model.nodes[rows] - model.nodes[0]
    turns = np.concatenate([np.cross(np.eye(3)[i], arms)[:, :, None] for i in range(3)], axis=2)
    rigid = np.concatenate([np.tile(np.eye(3), (5, 1)), turns.reshape(15, 3)], axis=1)
    fitted = rigid @ np.linalg.lstsq(rigid, u[rows].ravel(), rcond=None)[0]
    np.testing.assert_allclose(fitted, u[rows].ravel(), atol=1e-12)
    assert np.abs(u[rows] - u[rows].mean(axis=0)).max() > 1e-3


def test_an_rbe1_of_one_point_is_a_coupling(tmp_path: Path) -> None:
    model = read(tmp_path / "one.bdf", "RBE1,9,50,123456\n,UM,5,123,6,12,7,123\n")
    assert [(each.reference, each.nodes.tolist(), each.components) for each in model.couplings] == [
        (8, [4, 6], (1, 2, 3)), (8, [5], (1, 2)),
    ]  # fmt: skip
    assert model.unread == ()


@pytest.mark.parametrize("system", ["", "4"])
def test_an_rrod_keeps_its_length(tmp_path: Path, system: str) -> None:
    model = read(tmp_path / "rod.bdf", "RROD,9,1,7,,3\n", system)
    u, _ = motion(model)
    along = model.nodes[6] - model.nodes[0]
    assert abs((u[6] - u[0]) @ along) < 1e-12 and np.linalg.norm(u[6] - u[0]) > 1e-3
    assert model.unread == ()
    for card, words in (
        ("RROD,9,1,2,,3\n", "at right angles"),
        ("RROD,9,1,7\n", "names 0 dependent components"),
    ):
        with pytest.raises(ReadError, match=words):
            read(tmp_path / "wrong.bdf", card)


def test_an_rbe3_may_leave_any_component_free(tmp_path: Path) -> None:
    model = read(tmp_path / "free.bdf", "RBE3,9,,50,12,1.,123,5,6\n,7,8\n")
    assert model.unread == () and model.couplings[0].components == (1, 2)
    assert assemble(model).constraints.shape[0] == 2


@pytest.mark.parametrize(
    ("card", "words"),
    [
        ("RBE3,9,,50,123456,1.,123,5,6\n,7,8,UM,5,123\n", "names 3 components behind UM, expected 6"),
        ("RBE3,9,,50,123,1.,123,5,6\n,7,8,UM,77,123\n", "uses grid point 77, which does not exist"),
        ("RBE3,9,,50,123,1.,123,5,6\n,7,8,UM,5,789\n", "some of the components 1 to 6"),
    ],
)
def test_mistakes_are_sentences(tmp_path: Path, card: str, words: str) -> None:
    with pytest.raises(ReadError, match=words):
        read(tmp_path / "wrong.bdf", card)


@pytest.mark.parametrize(
    ("cards", "thickness", "offset"),
    [
        ("PCOMP,2\n,7,.1,,,7,.2\n,,.3\n", 0.6, 0.0),
        ("PCOMP,2,0.\n,7,.1,45.,YES,,,90.,YES\n", 0.2, 0.1),
        ("PCOMPG,2\n,1,7,.1\n,2,7,.2\n", 0.3, 0.0),
        ("PCOMP,2,,,,,,,SYM\n,7,.1,,,,.3\n", 0.8, 0.0),
    ],
)
def test_layers_of_one_isotropic_material_are_one_layer(
    tmp_path: Path, cards: str, thickness: float, offset: float
) -> None:
    model = read(tmp_path / "layers.bdf", "CQUAD4,2,2,5,6,7,8\n" + cards)
    shell = model.blocks[1]
    assert isinstance(shell.section, ShellSection) and shell.material == "MAT1 7"
    assert (shell.section.thickness, shell.section.offset) == pytest.approx((thickness, offset))


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("PCOMP,2\n", "has no layers"),
        ("PCOMP,2\n,7\n", "has no thickness"),
        ("PCOMP,2\n,9,.1\n", "names the material 9, which has no card MAT1"),
        ("PCOMP,2,,,,,,,MEM\n,7,.1\n", "LAM=MEM, expected blank or SYM"),
    ],
)
def test_other_layers_are_refused(tmp_path: Path, cards: str, words: str) -> None:
    with pytest.raises(ReadError, match=words):
        read(tmp_path / "layers.bdf", "CQUAD4,2,2,5,6,7,8\n" + cards)


SHEETS = (
    "CQUAD4,21,31,1,2,3,4\nCQUAD4,22,31,5,6,7,8\nPSHELL,31,7,.1,7,,,,.5\nCTRIA3,23,32,1,2,6\nPSHELL,32,7,.2,7\n"
    "CBAR,24,33,1,5,0.,1.,0.\nPBAR,33,7,1.,1.,1.,1.\n"
)


@pytest.mark.parametrize(
    ("cards", "masses"),
    [  # of the elements 21 to 24, two squares of area 1, a triangle of 0.5 and a bar of length 1
        ("NSM,5,PSHELL,31,2.\n", (2.5, 2.5, 0.0, 0.0)),
        ("NSM,5,PSHELL,31,2.,32,3.\n", (2.5, 2.5, 3.0, 0.0)),
        ("NSM1,5,PBAR,4.,33\n", (0.5, 0.5, 0.0, 4.0)),
        ("NSM1,5,ELEMENT,4.,21,THRU,23\n", (4.5, 4.5, 4.0, 0.0)),
        ("NSM1,5,PSHELL,1.,ALL\n", (1.5, 1.5, 1.0, 0.0)),
        ("NSML,5,PSHELL,31,3.,32,1.\n", (2.0, 2.0, 2.0, 0.0)),
        ("NSML1,5,PSHELL,5.,31,32\n", (2.5, 2.5, 2.0, 0.0)),
        ("NSM1,6,ELEMENT,1.,21\nNSML1,7,ELEMENT,2.,21,22\nNSMADD,5,6,7\n", (2.5, 1.5, 0.0, 0.0)),
        ("PARAM,WTMASS,.5\nNSM,5,PSHELL,31,2.\n", (1.25, 1.25, 0.0, 0.0)),
    ],
)
def test_nonstructural_mass_is_added_by_property_and_element(
    tmp_path: Path, cards: str, masses: tuple[float, ...]
) -> None:
    path = tmp_path / "mass.bdf"
    path.write_text("SOL 103\nCEND\nNSM = 5\nBEGIN BULK\n" + BRICK.format(cd="") + SHEETS + cards)
    model = read_model(path)
    found = {
        number: block.section.nonstructural_mass
        for block in model.blocks if block.section is not None for number in block.ids.tolist()
    }  # fmt: skip
    assert tuple(found[number] for number in (21, 22, 23, 24)) == pytest.approx(masses)
    assert model.unread == ()
    ids = model.element_ids
    members = [sorted(ids[model.element_sets[name]].tolist()) for name in ("PSHELL 31", "PBAR 33")]
    assert members == [[21, 22], [24]]


def test_mass_that_is_not_chosen_or_of_other_elements_is_told(tmp_path: Path) -> None:
    head = "SOL 103\nCEND\nSUBCASE 1\n{}BEGIN BULK\n" + BRICK.format(cd="") + SHEETS
    path = tmp_path / "mass.bdf"
    for case, cards, words in (
        ("LOAD = 3\n", "NSM,5,PSHELL,31,2.\n", "no load case chooses it"),
        ("NSM = 5\n", "NSM1,5,PROD,2.,1\n", "mass of PROD; left out"),
        ("NSM = 5\n", "NSM1,5,PSHELL,2.,99\n", "of no shells, bars or beams here"),
        (
            "NSM = 5\nSUBCASE 2\nNSM = 6\n",
            "NSM,5,PSHELL,31,2.\nNSM,6,PSHELL,31,1.\n",
            "choose different ones",
        ),
    ):
        path.write_text(head.format(case) + cards)
        model = read_model(path)
        assert any(words in text for _, text in model.unread), words
        assert {b.section.nonstructural_mass for b in model.blocks if b.section is not None} == {0.5, 0.0}
