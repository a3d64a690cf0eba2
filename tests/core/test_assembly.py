"""Assembly: the friction bar as a whole, what the dof map says, and what is refused."""

import dataclasses
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse.linalg as spla

from faying.errors import Cancelled, ModelError
from faying.fem import assembly
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.elements import element_kinds
from faying.fem.model import ElementBlock, FeModel
from faying.fem.readers import read_model
from faying.linalg.factor import SingularSystemError, factorize
from faying.linalg.modes import lowest_modes
from faying.progress import CancelFlag, Silent
from support.boxes import STEEL, box


@pytest.fixture(scope="module")
def bar():
    model = read_model(Path(str(files("faying_resources") / "examples" / "friction_bar_19k.inp")), Silent())
    return model, assemble(model)


def _reference_dofs(model, matrices, name):
    rows = matrices.dofs.node_rows(int(model.node_sets[name][0]))
    return matrices.dofs.transformation[rows].indices


def test_friction_bar_has_its_mass_and_six_free_motions(bar):
    """Analytical: two sheets of 200 by 20 by 3 mm with four holes of 6 mm each, and two beams, weigh 0.1844 kg."""
    model, matrices = bar
    rigid = rigid_body_modes(model.nodes, matrices.dofs)
    mass = rigid.T @ (matrices.mass @ rigid)
    np.testing.assert_allclose(np.diag(mass)[:3], 0.1844e-3, rtol=3e-4)
    size = spla.norm(matrices.stiffness)
    for column in rigid.T:
        assert np.linalg.norm(matrices.stiffness @ column) <= 1e-12 * size * np.linalg.norm(column)
    assert abs(matrices.stiffness - matrices.stiffness.T).max() <= 1e-14 * abs(matrices.stiffness).max()
    assert abs(matrices.mass - matrices.mass.T).max() <= 1e-14 * abs(matrices.mass).max()
    coupled = sum(len(c.nodes) for c in model.couplings)
    assert matrices.dofs.n_dofs == 3 * (len(model.nodes) - coupled) + 3 * len(model.couplings)
    assert matrices.constraints.shape == (0, matrices.dofs.n_dofs)


def test_friction_bar_without_contact_bends_as_another_code_says(bar):
    """Reference kind: independent code, tests/references/friction_bar.py (34.9325 mm at 100 N, without contact).

    The beams' shear factor is Abaqus' 0.89 here and Cowper's 0.8864 there, which is 2e-5 of the deflection.
    """
    model, matrices = bar
    held = _reference_dofs(model, matrices, "REF_MOUNT")
    free = np.setdiff1d(np.arange(matrices.dofs.n_dofs), held)
    load = np.zeros(len(free))
    tip = np.searchsorted(free, _reference_dofs(model, matrices, "REF_LOAD")[2])
    load[tip] = 100.0
    deflection = factorize(matrices.stiffness[free][:, free]).solve(load)[tip]
    assert deflection == pytest.approx(34.9325, rel=4e-5)


def test_friction_bar_vibrates_a_little_above_a_finer_mesh(bar):
    """Theorem: a coarser mesh is stiffer. Frequencies in Hz, both ends held, recorded of a mesh of 38 000 nodes."""
    model, matrices = bar
    held = np.concatenate([_reference_dofs(model, matrices, name) for name in ("REF_MOUNT", "REF_LOAD")])
    free = np.setdiff1d(np.arange(matrices.dofs.n_dofs), held)
    stiffness, mass = matrices.stiffness[free][:, free], matrices.mass[free][:, free]
    values, _ = lowest_modes(mass, 6, factorize(stiffness))
    frequencies = np.sqrt(values) / (2 * np.pi)
    finer = np.array([246.0, 413.0, 708.7, 1204.8, 1230.0, 1269.3])
    np.testing.assert_allclose(frequencies, finer, rtol=1e-2)
    assert (frequencies > finer - 0.05).all()


def test_friction_bar_held_nowhere_can_move(bar):
    with pytest.raises(SingularSystemError, match="can still move"):
        factorize(bar[1].stiffness)


def test_parts_that_only_touch_are_found_singular():
    """Two boxes that share no node: one is held, the other is not."""
    model = box("hex8_full", (2, 2, 1), (2.0, 2.0, 1.0))
    nodes = np.concatenate([model.nodes, model.nodes + np.array([0, 0, 1.0])])
    block = model.blocks[0]
    cells = np.concatenate([block.connectivity, block.connectivity + len(model.nodes)])
    ids = np.arange(len(cells)) + 1
    two = dataclasses.replace(
        model, nodes=nodes, node_ids=np.arange(len(nodes)) + 1,
        blocks=(dataclasses.replace(block, ids=ids, connectivity=cells),),
    )  # fmt: skip
    K = assemble(two).stiffness
    held = (3 * model.node_sets["XMIN"][:, None] + np.arange(3)).ravel()
    free = np.setdiff1d(np.arange(K.shape[0]), held)
    with pytest.raises(SingularSystemError, match="a part of it, can still move") as caught:
        factorize(K[free][:, free])
    if caught.value.motion is not None:
        full = np.zeros(K.shape[0])
        full[free] = caught.value.motion
        still, moving = np.abs(full[: 3 * len(model.nodes)]).max(), np.abs(full[3 * len(model.nodes) :]).max()
        assert still < 1e-6 * moving


def test_blocks_of_different_elements_share_their_nodes(monkeypatch):
    """Hexahedra beside tetrahedra on the same corner nodes: volume and rigid motions stay right."""
    hexa, tetra = (box(kind, (2, 1, 1), (2.0, 1.0, 1.0)) for kind in ("hex8_full", "tet4"))
    right = tetra.nodes[tetra.blocks[0].connectivity].mean(axis=1)[:, 0] > 1.0
    left = hexa.blocks[0]
    blocks = (
        ElementBlock("hex8_full", "C3D8F", left.ids[:1], left.connectivity[:1], "STEEL"),
        ElementBlock(
            "tet4", "C3D4", np.arange(10, 10 + right.sum()), tetra.blocks[0].connectivity[right], "STEEL"
        ),
    )
    model = dataclasses.replace(hexa, blocks=blocks)
    first = assemble(model)
    rigid = rigid_body_modes(model.nodes, first.dofs, np.array([1.0, 0.5, 0.5]))
    np.testing.assert_allclose(np.diag(rigid.T @ (first.mass @ rigid))[:3], 2.0 * STEEL.density, rtol=1e-13)
    assert np.abs(first.stiffness @ rigid).max() < 1e-12 * abs(first.stiffness).max()
    # The number of elements worked on at a time changes nothing.
    monkeypatch.setattr(assembly, "CHUNK_BYTES", 1)
    second = assemble(model)
    assert abs(first.stiffness - second.stiffness).max() < 1e-14 * abs(first.stiffness).max()
    assert abs(first.mass - second.mass).max() < 1e-14 * abs(first.mass).max()


@pytest.mark.parametrize("kind", [k for k, m in element_kinds.items() if not (m.rotations or m.is_outline)])
def test_mass_of_every_solid_kind_is_the_boxs(kind):
    model = box(kind, (2, 2, 2), (2.0, 3.0, 1.0), distortion=0.2)
    matrices = assemble(model)
    rigid = rigid_body_modes(model.nodes, matrices.dofs)
    total = STEEL.density * 6.0
    inertia = rigid.T @ (matrices.mass @ rigid)
    np.testing.assert_allclose(np.diag(inertia)[:3], total, rtol=1e-12)
    # First moments: the centre of mass (linear elements integrate them exactly too).
    np.testing.assert_allclose(inertia[1, 5], total * 1.0, rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"youngs_modulus": 0.0}, "'STEEL' has a Young's modulus of 0"),
        ({"youngs_modulus": -1.0}, "'STEEL' has a Young's modulus of -1"),
        ({"youngs_modulus": float("nan")}, "'STEEL' has Young's modulus nan"),
        ({"density": -7.85e-9}, "'STEEL' has a density of -7.85e-09"),
        ({"poisson_ratio": 0.5}, "'STEEL' has a Poisson's ratio of 0.5"),
        ({"poisson_ratio": -1.0}, "'STEEL' has a Poisson's ratio of -1"),
    ],
)
def test_impossible_materials_are_refused_by_name(change, words):
    material = dataclasses.replace(STEEL, **change)
    with pytest.raises(ModelError, match=words) as caught:
        assemble(box("tet4", (1, 1, 1), (1.0, 1.0, 1.0), material))
    assert caught.value.hint


def test_missing_materials_and_elements_are_refused():
    model = box("tet4", (1, 1, 1), (1.0, 1.0, 1.0))
    nameless = dataclasses.replace(model, blocks=(dataclasses.replace(model.blocks[0], material=""),))
    with pytest.raises(
        ModelError, match=r"6 elements of type C3D4 \(the first is element 1\) have no material"
    ):
        assemble(nameless)
    unknown = dataclasses.replace(model, blocks=(dataclasses.replace(model.blocks[0], material="IRON"),))
    with pytest.raises(ModelError, match=r"no material called 'IRON'.*STEEL"):
        assemble(unknown)
    beam = ElementBlock("beam2", "B31", np.array([77]), np.array([[0, 1]]), "STEEL")
    with pytest.raises(ModelError, match=r"1 beams of type B31 \(the first is element 77\) have no section"):
        assemble(dataclasses.replace(model, blocks=(*model.blocks, beam)))
    with pytest.raises(ModelError, match="no elements"):
        assemble(FeModel("empty", np.array([1]), np.zeros((1, 3)), ()))


def test_assembly_can_be_cancelled():
    flag = CancelFlag()
    flag.cancel()
    with pytest.raises(Cancelled):
        assemble(box("tet4", (1, 1, 1), (1.0, 1.0, 1.0)), flag)
