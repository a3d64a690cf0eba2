"""Materials given to a deck's elements, the library, the guess of units, and what a model weighs."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from faying.errors import ModelError
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.elements import element_kinds
from faying.fem.mass_properties import mass_properties
from faying.fem.material_assignment import with_materials
from faying.fem.materials import material_choices
from faying.fem.materials.library import LIBRARY, FromLibrary
from faying.fem.model import (
    BeamSection,
    DeckSurface,
    ElementBlock,
    FeModel,
    Material,
    PointMass,
    ShellSection,
)
from faying.fem.skin import surface_area, surface_from_deck
from faying.fem.unit_guess import as_written_in, likely_units, system_title
from faying.project.findings import find_findings
from faying.project.pipeline import Pipeline
from faying.project.stage import Target
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from faying.project.study import read_study, study_text
from support.boxes import box

MESH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
3 1 "lower"
3 2 "upper"
$EndPhysicalNames
$Nodes
12
{nodes}
$EndNodes
$Elements
2
1 5 2 1 1 1 2 3 4 5 6 7 8
2 5 2 2 2 5 6 7 8 9 10 11 12
$EndElements
"""


def two_cubes(path: Path, size: float = 10.0) -> Path:
    square = [(0, 0), (size, 0), (size, size), (0, size)]
    points = [(x, y, size * level) for level in range(3) for x, y in square]
    path.write_text(MESH.format(nodes="\n".join(f"{i} {x} {y} {z}" for i, (x, y, z) in enumerate(points, 1))))
    return path


@pytest.mark.parametrize("name", list(LIBRARY))
def test_materials_of_the_library_are_the_same_in_all_units(name: str) -> None:
    in_mm, in_m = (FromLibrary(name=name).material(units) for units in ("mm-t-s", "m-kg-s"))
    assert in_mm.youngs_modulus == pytest.approx(in_m.youngs_modulus * 1e-6)
    assert in_mm.density == pytest.approx(in_m.density * 1e-12)
    # Within what the speed of sound of solids allows.
    assert 1000.0 < np.sqrt(in_m.youngs_modulus / in_m.density) < 6000.0


def test_a_mesh_gets_its_materials_from_the_study(tmp_path: Path) -> None:
    two_cubes(tmp_path / "cubes.msh")
    study = tmp_path / "cubes.toml"
    study.write_text(
        'name = "Cubes"\n[[bodies]]\nname = "cubes"\nmodel = { path = "cubes.msh" }\n'
        'materials = [{ kind = "library", name = "aluminium" },'
        ' { kind = "isotropic", element_set = "upper", name = "special", youngs_modulus = "150 GPa",'
        ' poisson_ratio = 0.25, density = "7000 kg/m^3" }]\n'
    )
    project = read_study(study)
    assert read_study(_written(tmp_path / "again.toml", study_text(project, tmp_path))) == project
    store = ArtifactStore(tmp_path / "artifacts")
    model = Pipeline(STAGES).run(project, Target("model", "cubes"), store, tmp_path)
    assert [(b.material, b.ids.tolist()) for b in model.blocks] == [("aluminium", [1]), ("special", [2])]
    assert model.materials["special"].youngs_modulus == pytest.approx(150e3)
    found = mass_properties(model)
    assert found.volume == pytest.approx(2000.0)
    assert found.by_material["aluminium"][1] == pytest.approx(2.7e-9 * 1000.0)
    assert found.mass == pytest.approx(9.7e-6)
    assert found.mass == pytest.approx(assemble(model).mass.sum() / 3)
    np.testing.assert_allclose(found.centre, [5.0, 5.0, (2.7 * 5 + 7 * 15) / 9.7])
    # In other units the library's material is another one, so the model is another artifact.
    state = Pipeline(STAGES).state(project.with_(units="m-kg-s"), Target("model", "cubes"), store, tmp_path)
    assert state.status == "stale"


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_parting_a_block_keeps_sets_and_surfaces_where_they_were() -> None:
    plain, tet_faces = box("tet4", (2, 2, 2), (2.0, 2.0, 2.0)), element_kinds["tet4"].faces
    n = len(plain.element_ids)
    odd = np.arange(1, n, 2)
    top = [
        (e, f) for e, row in enumerate(plain.blocks[0].connectivity) for f, face in enumerate(tet_faces)
        if (plain.nodes[row[list(face)], 2] == 2.0).all()
    ]  # fmt: skip
    elements, faces = np.array(top).T
    surface = DeckSurface("TOP", elements, faces, np.zeros(0, np.int64))
    model = dataclasses.replace(plain, element_sets={"ODD": odd}, surfaces={"TOP": surface})
    choice = material_choices["library"](name="titanium", element_set="odd")
    parted = with_materials(model, [choice], "mm-t-s")
    assert [b.material for b in parted.blocks] == ["STEEL", "titanium"]
    assert set(parted.element_ids[parted.element_sets["ODD"]]) == set(plain.element_ids[odd])
    assert surface_area(surface_from_deck(parted, "TOP"), parted.nodes) == pytest.approx(4.0)
    assert set(parted.element_ids[parted.surfaces["TOP"].elements]) == set(plain.element_ids[elements])


def test_wrong_choices_are_sentences() -> None:
    model = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0))
    steel = material_choices["library"](element_set="LID")
    with pytest.raises(ModelError, match="no element set 'LID' for a material"):
        with_materials(model, [steel], "mm-t-s")
    two = [material_choices["isotropic"](name="A", youngs_modulus=e, density=1.0) for e in (1.0, 2.0)]
    with pytest.raises(ModelError, match="Two different materials are called 'A'"):
        with_materials(model, two, "mm-t-s")


def test_a_material_of_some_elements_does_not_replace_one_of_the_deck_on_others() -> None:
    plain = box("hex8", (2, 1, 1), (1.0, 1.0, 1.0))
    model = dataclasses.replace(plain, element_sets={"HALF": np.array([1]), "ALL": np.arange(2)})
    other = {"name": "STEEL", "youngs_modulus": 190e3, "poisson_ratio": 0.3, "density": 7.85e-9}
    isotropic = material_choices["isotropic"]
    half = isotropic(element_set="half", **other)
    with pytest.raises(ModelError, match="another material called 'STEEL', on elements outside"):
        with_materials(model, [half], "mm-t-s")
    # The same material, all of its elements, or a choice without elements that is to replace it.
    same = isotropic(element_set="half", **{**other, "youngs_modulus": 210e3})
    for choices in ([same], [isotropic(element_set="ALL", **other)], [half, isotropic(**other)]):
        found = with_materials(model, choices, "mm-t-s")
        assert {block.material for block in found.blocks} == {"STEEL"}
        assert found.materials["STEEL"].youngs_modulus == choices[0].youngs_modulus


def test_mass_counts_beams_point_masses_and_elements_without_material() -> None:
    solid = box("hex20", (1, 2, 1), (2.0, 3.0, 4.0), extra_nodes=((10.0, 0.0, 0.0), (10.0, 0.0, 6.0)))
    section = BeamSection(0.5, 1.0, 1.0, 2.0, (1.0, 0.0, 0.0), 0.85)
    n = len(solid.nodes)
    beam = ElementBlock("beam2", "B31", np.array([90]), np.array([[n - 2, n - 1]]), "LEAD", section)
    bare = dataclasses.replace(solid.blocks[0], material="", ids=solid.blocks[0].ids + 50)
    point = PointMass("MASS element 1", n - 1, 5.0, np.zeros((3, 3)), np.array([0.0, 1.0, 0.0]))
    materials = {**solid.materials, "LEAD": Material("LEAD", 1.0, 0.4, 2.0)}
    found = mass_properties(
        dataclasses.replace(
            solid, blocks=(*solid.blocks, beam, bare), materials=materials, point_masses=(point,)
        )
    )
    assert found.volume == pytest.approx(24.0 + 24.0 + 3.0)
    assert found.by_material["LEAD"] == pytest.approx((3.0, 6.0))
    assert found.by_material[""] == pytest.approx((24.0, 0.0))
    assert found.point_masses == 5.0 and found.mass == pytest.approx(11.0, rel=1e-6)
    np.testing.assert_allclose(found.centre, [10.0, 5 / 11, (6 * 3 + 5 * 6) / 11], rtol=1e-6)


def test_the_centre_of_gravity_of_a_shell_with_an_offset_is_that_of_its_mass_matrix() -> None:
    square = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    turned = square @ Rotation.from_euler("xyz", [30.0, 20.0, 40.0], degrees=True).as_matrix().T
    beam = BeamSection(0.5, 1.0, 1.0, 2.0, (0.0, 0.0, 1.0), 0.85)
    steel = box("hex8", (1, 1, 1), (1.0, 1.0, 1.0)).materials
    for kind, nodes, section in (
        ("shell4", square, ShellSection(0.1, 0.05)),
        ("shell4", turned, ShellSection(0.1, -0.3)),
        ("shell3", turned[:3], ShellSection(0.1, 0.05)),
        ("beam2", turned[:2], beam),
    ):
        block = ElementBlock(
            kind, element_kinds[kind].labels[0], np.array([1]), np.arange(len(nodes))[None], "STEEL", section
        )
        model = FeModel("", np.arange(1, len(nodes) + 1), nodes, (block,), materials=steel)
        matrices = assemble(model)
        rigid = rigid_body_modes(nodes, matrices.dofs)
        inertia = rigid.T @ (matrices.mass @ rigid)
        x, y, z = inertia[1, 5], inertia[2, 3], inertia[0, 4]
        np.testing.assert_allclose(
            mass_properties(model).centre, np.array([x, y, z]) / inertia[0, 0], atol=1e-12
        )


@pytest.mark.parametrize(
    ("size", "modulus", "density", "expected"),
    [
        (200.0, 210e3, 7.85e-9, ("mm-t-s",)),
        (0.2, 210e9, 7850.0, ("m-kg-s",)),
        (200.0, 210.0, 7.85e-6, ("mm-kg-ms",)),
        (200.0, 3000.0, 1.14e-9, ("mm-t-s",)),
        (200.0, 210e3, 7850.0, ()),
        (8.0, 30e6, 7.35e-4, ("in-lbf-s",)),
        (8.0, 10e6, 2.54e-4, ("in-lbf-s",)),
        (8.0, 30e6, 0.284, ()),  # a weight
        (90.0, 70e3, 0.0, ("mm-t-s",)),
        (90.0, 210e3, 0.0, ("mm-t-s",)),  # statics has no density: the modulus tells
    ],
)
def test_units_are_guessed_from_modulus_density_and_size(size, modulus, density, expected) -> None:
    model = box("hex8", (1, 1, 1), (size, size, size), Material("M", modulus, 0.3, density))
    assert likely_units(model) == expected


def test_what_a_unit_system_would_mean_is_said_in_words() -> None:
    model = box("hex8", (1, 1, 1), (30.0, 40.0, 120.0), Material("STEEL", 210e3, 0.3, 7.85e-9))
    assert as_written_in(model, "mm-t-s") == "120 mm long; STEEL: 210 GPa, 7850 kg/m³"
    assert as_written_in(model, "m-kg-s") == "120 m long; STEEL: 0.00021 GPa, 7.85e-09 kg/m³"
    assert system_title("mm-t-s") == "mm, t, s (N, N/mm²)"


def test_a_deck_in_other_units_is_a_finding(tmp_path: Path) -> None:
    two_cubes(tmp_path / "cubes.msh", 0.1)
    study = tmp_path / "cubes.toml"
    study.write_text('name = "Cubes"\n[[bodies]]\nname = "cubes"\nmodel = { path = "cubes.msh" }\n')
    store = ArtifactStore(tmp_path / "artifacts")
    said = [f.sentence for f in find_findings(read_study(study), store, tmp_path, compute=True)]
    assert (
        "Body 'cubes': size and materials look as if written in m-kg-s, but the project counts in mm-t-s."
        in said
    )


def test_a_material_that_no_element_gets_is_a_finding(tmp_path: Path) -> None:
    """One without an element set fills only what the deck leaves empty; later ones override earlier ones."""
    two_cubes(tmp_path / "cubes.msh")
    by_sets = "".join(
        f'\n[[bodies.materials]]\nkind = "library"\nname = "steel"\nelement_set = "{name}"\n'
        for name in ("lower", "upper")
    )
    lead = '\n[[bodies.materials]]\nkind = "isotropic"\nname = "lead"\nyoungs_modulus = 16000.0\ndensity = 1.13e-8\n'
    study, store = tmp_path / "cubes.toml", ArtifactStore(tmp_path / "artifacts")
    head = 'name = "Cubes"\n[[bodies]]\nname = "cubes"\nmodel = { path = "cubes.msh" }\n'
    for materials, numbers in ((by_sets, []), (by_sets + lead, [0, 1]), (lead + by_sets, [0])):
        study.write_text(head + materials)
        found = find_findings(read_study(study), store, tmp_path, compute=True)
        told = [f for f in found if "no element is of the material" in f.sentence]
        assert [f.entity for f in told] == [("bodies", 0, "materials", i) for i in numbers]
    assert told[0].severity == "warning" and "has no element set" in told[0].sentence
    assert told[0].hint.endswith("replace: 'steel'.")
