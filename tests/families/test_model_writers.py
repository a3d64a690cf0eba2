"""Every model writer: what it writes, the reader of the same format reads."""

import csv
import dataclasses
from pathlib import Path

import numpy as np
import pytest

from faying.cli import main
from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.beam_bolts import with_cut_beam
from faying.fem.elements import element_kinds
from faying.fem.model import (
    BeamSection,
    Bolt,
    ContactProposal,
    Coupling,
    DeckCase,
    DeckLoad,
    DeckSupport,
    DeckSurface,
    ElementBlock,
    FeModel,
    Foundation,
    Material,
    PointMass,
    ShellSection,
)
from faying.fem.readers import read_model
from faying.fem.writers import write_model
from faying.testing import ModelWriterContract
from support.boxes import STEEL, box
from support.grids import KINDS
from support.plate_deck import write_study

STEEL_THAT_EXPANDS = dataclasses.replace(STEEL, expansion=1.2e-5)


def full_model() -> FeModel:
    """Return a box with a shell, a beam, couplings, masses, sets and surfaces."""
    solid = box("hex20", (2, 1, 1), (2.0, 1.0, 1.0), extra_nodes=((3.0, 0.5, 0.5), (4.0, 0.5, 0.5)))
    n = len(solid.nodes)
    front = solid.blocks[0].connectivity[0]
    shell = ElementBlock(
        "shell8",
        "S8R",
        np.array([71]),
        front[None, [0, 1, 2, 3, 8, 9, 10, 11]],
        "GLASS",
        ShellSection(0.1, 0.02),
    )
    beam = ElementBlock(
        "beam2", "B31", np.array([81]), np.array([[n - 2, n - 1]]), "STEEL",
        BeamSection(0.5, 0.02, 0.03, 0.04, (0.0, 0.6, 0.8), 0.85),
    )  # fmt: skip
    end = solid.node_sets["XMAX"]
    couplings = (
        Coupling("END", "kinematic", n - 2, end, (1, 2, 3, 4, 5, 6), np.ones(len(end))),
        Coupling(
            "MEAN",
            "distributing",
            n - 1,
            solid.node_sets["XMIN"],
            (1, 2, 3),
            np.ones(len(solid.node_sets["XMIN"])),
        ),
    )
    none = np.zeros(0, np.int64)
    surfaces = {
        "TOP": DeckSurface("TOP", np.array([0, 1, 2]), np.array([1, 1, 1]), none),
        "POINTS": DeckSurface("POINTS", none, none, np.sort(end)),
    }
    inertia = np.array([[3.0, 0.1, 0.2], [0.1, 4.0, 0.3], [0.2, 0.3, 5.0]])
    return dataclasses.replace(
        solid,
        title="Small parts",
        blocks=(*solid.blocks, shell, beam),
        materials={"STEEL": STEEL, "GLASS": Material("GLASS", 7e4, 0.22, 2.5e-9)},
        element_sets={"A SET": np.array([1, 2]), "FIRST": np.array([0])},
        surfaces=surfaces,
        couplings=couplings,
        point_masses=(PointMass("MASS", n - 1, 2.5, inertia, np.zeros(3)),),
        contacts=(ContactProposal("points top", "POINTS", "TOP", 0.2, 5e4),),
    )


def test_a_deck_holds_the_whole_model(tmp_path: Path) -> None:
    model = full_model()
    assert write_model(model, tmp_path / "again.inp") == ()
    read = read_model(tmp_path / "again.inp")
    assert read.unread == () and read.title == model.title
    np.testing.assert_array_equal(read.node_ids, model.node_ids)
    np.testing.assert_allclose(read.nodes, model.nodes, atol=1e-11)
    for mine, theirs in zip(read.blocks, model.blocks, strict=True):
        assert (mine.element, mine.label) == (theirs.element, theirs.label)
        np.testing.assert_array_equal(mine.connectivity, theirs.connectivity)
        if theirs.section is not None:
            ours, written = (np.hstack(list(vars(s).values())) for s in (mine.section, theirs.section))
            np.testing.assert_allclose(ours, written, rtol=1e-11)
    for name, rows in model.node_sets.items():
        np.testing.assert_array_equal(read.node_sets[name], rows)
    for name, rows in model.element_sets.items():
        np.testing.assert_array_equal(read.element_sets[name], rows)
    for name, surface in model.surfaces.items():
        np.testing.assert_array_equal(read.surfaces[name].elements, surface.elements)
        np.testing.assert_array_equal(read.surfaces[name].faces, surface.faces)
        np.testing.assert_array_equal(read.surfaces[name].nodes, surface.nodes)
    for mine, theirs in zip(read.couplings, model.couplings, strict=True):
        assert (mine.name, mine.kind, mine.reference, mine.components) == (
            theirs.name, theirs.kind, theirs.reference, theirs.components,
        )  # fmt: skip
        np.testing.assert_array_equal(mine.nodes, theirs.nodes)
    assert [vars(c) for c in read.contacts] == [vars(c) for c in model.contacts]
    before, after = assemble(model), assemble(read)
    for a, b in ((before.stiffness, after.stiffness), (before.mass, after.mass)):
        assert abs(a - b).max() <= 1e-9 * abs(a).max()


def test_a_deck_holds_weights_and_masses_beside_their_nodes(tmp_path: Path) -> None:
    model = full_model()
    (point,) = model.point_masses
    mean = model.couplings[1]
    uneven = dataclasses.replace(
        mean, weights=np.arange(1.0, 1 + len(mean.nodes)), components=(1, 2, 3, 4, 5, 6)
    )
    beside = dataclasses.replace(point, offset=np.array([0.5, -1.0, 2.0]))
    model = dataclasses.replace(
        model, point_masses=(beside,), couplings=(model.couplings[0], uneven), contacts=()
    )
    assert write_model(model, tmp_path / "again.inp") == ()
    read = read_model(tmp_path / "again.inp")
    again = next(c for c in read.couplings if c.kind == "distributing")
    np.testing.assert_allclose(again.weights, uneven.weights)
    assert again.reference == uneven.reference and len(read.nodes) == len(model.nodes) + 1
    before, after = assemble(model), assemble(read)
    for name in ("stiffness", "mass", "constraints"):
        a, b = getattr(before, name), getattr(after, name)
        assert abs(a - b).max() <= 1e-9 * abs(a).max()
    # The arm is felt: without it the mass is another one.
    plain = assemble(dataclasses.replace(model, point_masses=(point,)))
    assert abs(plain.mass - before.mass).max() > 1.0


def test_what_a_deck_cannot_hold_is_told(tmp_path: Path) -> None:
    model = full_model()
    (point,) = model.point_masses
    uneven = dataclasses.replace(
        model.couplings[1], weights=np.arange(1.0, 1 + len(model.couplings[1].nodes))
    )
    end = model.couplings[0]
    turned = dataclasses.replace(end, components=(1,), directions=np.tile(np.eye(3), (len(end.nodes), 1, 1)))
    beside = dataclasses.replace(point, node=int(model.node_sets["XMAX"][0]), offset=np.ones(3))
    changed = dataclasses.replace(model, point_masses=(beside,), couplings=(uneven, turned))
    said = write_model(changed, tmp_path / "less.inp")
    assert [s.split(";")[0] for s in said] == [
        "The weights of the coupling 'MEAN' differ and it leaves rotations free: a deck can hold one of the two",
        "The coupling 'END' holds directions of their own at its nodes",
        "MASS has an offset from its node, which has no rotations",
    ]


def test_loads_supports_and_bolts_of_a_deck_are_told(tmp_path: Path) -> None:
    model, none = full_model(), np.zeros(0, np.int64)
    weight = DeckLoad("LOAD 5", none, np.zeros((0, 6)), (), np.array([0.0, 0.0, -9810.0]), np.zeros(0))
    n = len(model.nodes)
    changed = dataclasses.replace(
        model,
        bolts=(Bolt("M8", (n - 2, n - 1), np.array([1.0, 0.0, 0.0]), 500.0),),
        deck_support=DeckSupport(np.array([0]), np.array([1]), np.eye(3)[:1], np.array([-1])),
        deck_loads={"LOAD 5": weight},
        deck_cases=(DeckCase("subcase 1", (("LOAD 5", 1.0),)),),
    )
    assert write_model(changed, tmp_path / "less.inp") == (
        "The bolt 'M8' is left out; the two sides of its cut are free along its axis.",
        "The deck's supports are left out; hold its nodes yourself.",
        "The deck's loads are left out: 'LOAD 5'.",
        "The deck's load cases are left out: 'subcase 1'.",
    )
    assert "1 bolt has no place in a grid." in write_model(changed, tmp_path / "less.vtu")


def test_a_bolt_that_is_a_beam_stays_one_that_can_be_tightened(tmp_path: Path) -> None:
    """Written as a pre-tension section of a whole beam, it is cut again when it is read."""
    model = full_model()
    block = next(each for each in model.blocks if each.element == "beam2")
    position = int(np.flatnonzero(model.element_ids == block.ids[0])[0])
    cut = with_cut_beam(model, "M8", position)
    assert write_model(cut, tmp_path / "cut.inp") == ()
    (bolt,) = read_model(tmp_path / "cut.inp").bolts
    again = read_model(tmp_path / "cut.inp")
    assert bolt.name == "BOLT SECTION_1" and bolt.axis == pytest.approx(cut.bolts[0].axis)
    np.testing.assert_allclose(again.nodes[list(bolt.centres)], cut.nodes[list(cut.bolts[0].centres)])
    assert sorted(len(each.nodes) for each in again.equations) == sorted(
        len(each.nodes) for each in cut.equations
    )
    tight = dataclasses.replace(cut, bolts=(dataclasses.replace(cut.bolts[0], force=500.0),))
    assert write_model(tight, tmp_path / "tight.inp") == (
        "The tension of the bolt 'M8' is left out; its section is there.",
    )


def test_beams_keep_their_thermal_expansion(tmp_path: Path) -> None:
    model = full_model()
    warm = dataclasses.replace(model, materials={**model.materials, "STEEL": STEEL_THAT_EXPANDS})
    assert write_model(warm, tmp_path / "warm.inp") == ()
    read = read_model(tmp_path / "warm.inp")
    assert [read.materials[block.material].expansion for block in read.blocks] == [1.2e-5, None, 1.2e-5]


def test_element_sets_of_any_name_leave_numbers_and_materials_of_a_grid(tmp_path: Path) -> None:
    model = box("hex8", (2, 1, 1), (2.0, 1.0, 1.0))
    sets = {"material": np.array([0]), "element": np.array([1]), "set material": np.array([1])}
    write_model(dataclasses.replace(model, element_sets=sets), tmp_path / "grid.vtu")
    read = read_model(tmp_path / "grid.vtu")
    assert read.element_ids.tolist() == model.element_ids.tolist()
    wanted = {"material 1": [0, 1], "set set material 1": [0], "set element 1": [1], "set material 1": [1]}
    assert {name: read.element_sets[name].tolist() for name in wanted} == wanted


def test_what_holds_and_loads_a_model_has_no_place_in_a_grid(tmp_path: Path) -> None:
    model = full_model()
    none = np.zeros(0, np.int64)
    end = model.couplings[0]
    model = dataclasses.replace(
        model,
        bolts=(Bolt("BOLT", (end.reference, end.reference), np.array([1.0, 0.0, 0.0])),),
        deck_support=DeckSupport(np.array([0]), np.array([1]), np.eye(3)[:1], np.array([-1])),
        foundations=(
            Foundation("BED", end.reference, end.nodes, np.tile(np.eye(3), (len(end.nodes), 1, 1))),
        ),
        deck_loads={
            "LOAD 1": DeckLoad(
                "LOAD 1", none, np.zeros((0, 6)), (), np.array([0.0, 0.0, -9810.0]), np.zeros(0)
            )
        },
    )
    assert write_model(model, tmp_path / "grid.vtu")[-4:] == tuple(
        f"1 {thing} has no place in a grid." for thing in ("bolt", "elastic support", "support", "load")
    )


@pytest.mark.parametrize("kind", KINDS)
def test_grids_are_read_back(tmp_path: Path, kind: str) -> None:
    model = box(kind, (2, 1, 2), (2.0, 1.0, 3.0), distortion=0.1)
    model = dataclasses.replace(model, element_sets={"FEW": np.array([0, 2])}, node_sets={}, surfaces={})
    assert all("material" in told for told in write_model(model, tmp_path / "grid.vtu"))
    read = read_model(tmp_path / "grid.vtu")
    np.testing.assert_array_equal(read.nodes, model.nodes)
    np.testing.assert_array_equal(read.blocks[0].connectivity, model.blocks[0].connectivity)
    assert read.element_sets["FEW 1"].tolist() == [0, 2]
    assert len(read.element_sets["material 1"]) == len(model.element_ids)


def test_grids_of_shells_and_beams_are_read_by_vtk(tmp_path: Path) -> None:
    pyvista = pytest.importorskip("pyvista")
    model = full_model()
    assert write_model(model, tmp_path / "all.vtu") == (
        "The grid has numbers of materials, not their values: 1 STEEL, 2 GLASS.",
        "2 sections have no place in a grid.",
        "2 surfaces have no place in a grid.",
        "6 node sets have no place in a grid.",
        "2 couplings have no place in a grid.",
        "1 point mass has no place in a grid.",
        "1 contact has no place in a grid.",
    )
    grid = pyvista.read(tmp_path / "all.vtu")
    assert grid.n_points == len(model.nodes)
    assert grid.celltypes.tolist() == [element_kinds[b.element].vtk_type for b in model.blocks for _ in b.ids]
    assert grid.cell_data["element"].tolist() == model.element_ids.tolist()


class TestModelWriters(ModelWriterContract):
    pass


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"No writer knows model files ending in '\.stl'"):
        write_model(full_model(), tmp_path / "model.stl")


def test_the_command_line_exports_model_and_pairs(tmp_path: Path, capsys) -> None:
    study = write_study(tmp_path)
    assert main(["run", str(study), "--until", "pairs"]) == 0
    (project,) = tmp_path.glob("*.faying")
    assert main(["export", str(project), "--model", "--to", str(tmp_path / "model.inp")]) == 0
    assert main(["export", str(project), "--pairs", "--to", str(tmp_path / "pairs.csv")]) == 0
    model = read_model(tmp_path / "model.inp")
    with (tmp_path / "pairs.csv").open(newline="") as stream:
        head, *rows = csv.reader(stream)
    assert head[0] == "slave node" and head[10] == "initial gap [mm]"
    assert {int(row[0]) for row in rows} <= set(model.node_ids.tolist()) and rows
    assert main(["export", str(project), "--pairs", "nothing", "--to", str(tmp_path / "x.csv")]) == 1
    assert "no joint called 'nothing'" in capsys.readouterr().err


@pytest.mark.parametrize("ending", [".inp", ".vtu"])
def test_a_full_disk_leaves_the_file_that_was_there(tmp_path, ending):
    resource = pytest.importorskip("resource", reason="Windows limits no files")
    path = tmp_path / f"box{ending}"
    path.write_text("what was there before")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_model(full_model(), path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "what was there before" and list(tmp_path.iterdir()) == [path]


def test_names_add_no_keywords_to_a_deck(tmp_path):
    model = full_model()
    evil = 'a"\n*INCLUDE, INPUT="/etc/passwd'
    model = dataclasses.replace(
        model, title=f"*INCLUDE, INPUT=x\r{evil}", node_sets={evil: np.array([0, 1]), "*node": np.array([2])}
    )
    write_model(model, tmp_path / "box.inp")
    text = (tmp_path / "box.inp").read_text()
    keywords = {line.split(",")[0] for line in text.splitlines() if line.startswith("*")}
    assert "*INCLUDE" not in keywords
    read = read_model(tmp_path / "box.inp")
    assert sorted(rows.tolist() for rows in read.node_sets.values()) == [[0, 1], [2]]
