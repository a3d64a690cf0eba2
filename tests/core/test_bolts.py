"""Cut bolts: the same bolt as before the cut, and tension by a preload."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve

from faying.cli import main
from faying.errors import ModelError
from faying.fem.added_bolts import BoltSpec, find_shank, with_bolts
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.bolt_cuts import nodes_of_cuts, with_cut_bolt
from faying.fem.connectivity import connected_parts, part_titles
from faying.fem.mass_properties import mass_properties
from faying.fem.matrices import StructuralMatrices
from faying.fem.mesh_makers import maker_of
from faying.fem.model import FeModel
from faying.fem.selections.connected_part import ConnectedPartSelection
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.selections.grown import GrownSelection
from faying.fem.skin import find_skin
from faying.fem.stress import StressRecovery
from faying.fem.writers import write_model
from faying.joints.candidates import JointSearch
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.reduction.preload_loads import PreloadedBody
from faying.reduction.preload_loads.bolt_force import BoltForce
from support.boxes import box
from support.shanks import LENGTH, RADIUS, shank, turn

KINDS = ("tet4", "tet10", "hex8_incompatible", "hex20", "wedge6", "pyramid5")


def outside(model: FeModel) -> GrownSelection:
    """Return the selection of the round outside."""
    skin = find_skin(model)
    ends = [model.nodes[model.node_sets[name]].mean(axis=0) for name in ("ZMIN", "ZMAX")]
    facet = int(np.argmin(abs(skin.normals @ (ends[1] - ends[0]))))
    return GrownSelection.picked(model, skin, facet, 80.0)


def full(model: FeModel, matrices: StructuralMatrices, nodal: np.ndarray) -> np.ndarray:
    """Return the independent dofs of nodal displacements (n, 3), without rotations."""
    values = np.zeros(matrices.dofs.transformation.shape[0])
    values[: nodal.size] = nodal.ravel()
    x = values[matrices.dofs.own_rows]
    np.testing.assert_allclose((matrices.dofs.transformation @ x)[: nodal.size], nodal.ravel(), atol=1e-12)
    return np.asarray(x)


@pytest.mark.parametrize("kind", KINDS)
def test_a_cut_that_stays_closed_changes_nothing(kind: str) -> None:
    model = shank(kind)
    cut = with_bolts(model, [BoltSpec(name="M4", shank=outside(model), position=0.4)])
    (bolt,) = cut.bolts
    axis = turn()[:, 2]
    np.testing.assert_allclose(bolt.axis, axis * np.sign(axis[np.argmax(abs(axis))]), atol=1e-9)
    assert connected_parts(cut)[1] == 1 and connected_parts(replace(cut, bolts=()), couplings=False)[1] == 2
    assert mass_properties(cut).mass == pytest.approx(mass_properties(model).mass, rel=1e-12)
    one, other = assemble(model), assemble(cut)
    rigid = rigid_body_modes(cut.nodes, other.dofs)
    assert abs(other.stiffness @ rigid).max() < 1e-9 * abs(other.stiffness).max() * LENGTH
    # Any displacement of the whole shank, taken over by the copies; the centres move with the mean of the cut.
    u = np.random.default_rng(1).standard_normal((len(model.nodes), 3))
    first = cut.couplings[0]
    mean = np.average(u[first.nodes], axis=0, weights=first.weights)
    moved = np.concatenate([u, u[first.nodes], [mean, mean]])
    x, y = full(model, one, u), full(cut, other, moved)
    assert y @ other.stiffness @ y == pytest.approx(x @ one.stiffness @ x, rel=1e-9)
    assert y @ other.mass @ y == pytest.approx(x @ one.mass @ x, rel=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_a_tightened_shank_has_force_over_area_everywhere(kind: str) -> None:
    force, model = 1000.0, shank(kind)
    cut = with_bolts(model, [BoltSpec(name="M4", shank=outside(model))])
    matrices, (bolt,) = assemble(cut), cut.bolts
    preloaded = PreloadedBody(cut, find_skin(cut), matrices.dofs, {}, ())
    load = BoltForce(bolt="M4", force=force).act(preloaded).forces
    assert abs(rigid_body_modes(cut.nodes, matrices.dofs).T @ load).max() < 1e-9 * force * LENGTH
    # Both ends are held along the axis only.
    ends = np.concatenate([cut.node_sets["ZMIN"], cut.node_sets["ZMAX"]])
    along = sp.csr_matrix(
        (
            np.tile(bolt.axis, len(ends)),
            (np.repeat(np.arange(len(ends)), 3), (3 * ends[:, None] + [0, 1, 2]).ravel()),
        ),
        shape=(len(ends), matrices.dofs.displacement_rows.shape[0]),
    )
    # What is left are two motions across and the spin, in balance with the load.
    rigid = rigid_body_modes(cut.nodes, matrices.dofs)
    left = np.column_stack([rigid[:, :3] @ turn()[:, :2], rigid[:, 3:] @ bolt.axis])
    rows = sp.vstack([matrices.constraints, along @ matrices.dofs.displacement_rows, left.T])
    scale = abs(matrices.stiffness).max()
    system = sp.block_array([[matrices.stiffness / scale, rows.T], [rows, None]], format="csc")
    solution = spsolve(system, np.concatenate([load / scale, np.zeros(rows.shape[0])]))
    u = (matrices.dofs.displacement_rows @ solution[: matrices.dofs.n_dofs]).reshape(-1, 3)
    # A straight mesh has the same section all along, so volume over length is its area.
    area = mass_properties(cut).volume / LENGTH
    stresses = StressRecovery(cut).at_nodes(u)
    xx, yy, zz, xy, yz, zx = stresses[: len(model.nodes)].T
    tensors = np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])
    axial = np.einsum("i,ijn,j->n", bolt.axis, tensors, bolt.axis)
    # Curved sides of tetrahedra are not straight along the axis, so that the section varies a little.
    tolerance = 2e-4 if kind == "tet10" else 1e-6
    np.testing.assert_allclose(axial, force / area, rtol=tolerance)
    # The shank grows shorter between the ends by F L / (E A), all of it at the cut.
    overlap = (u[bolt.centres[0]] - u[bolt.centres[1]]) @ bolt.axis
    assert overlap == pytest.approx(force * LENGTH / (210000.0 * area), rel=tolerance)


def test_what_is_no_shank_is_refused() -> None:
    model = shank("hex8_incompatible", turned=False)
    spec = BoltSpec(name="M4", shank=outside(model))
    with pytest.raises(ModelError, match="'M4' does not go round an axis"):
        with_bolts(model, [spec.with_(shank={"kind": "connected_part", "element": 1})])
    with pytest.raises(ModelError, match=r"Bolt 'M4': .* not on the outside"):
        inner = {"kind": "grown", "element": 1, "face": 2}
        with_bolts(model, [spec.with_(shank=inner)])
    once = with_bolts(model, [spec])
    with pytest.raises(ModelError, match="node set called 'M4 1' already"):
        with_bolts(once, [spec])
    # One face inside is no section.
    with pytest.raises(ModelError, match="does not cut all the way through"):
        with_cut_bolt(model, "half", np.array([3 * 16]), np.array([1]))


def test_half_of_the_outside_is_enough_to_find_the_axis() -> None:
    model = shank("hex8_incompatible", turned=False, roundness=1.0)
    skin = find_skin(model)
    half = np.flatnonzero((abs(skin.normals[:, 2]) < 0.1) & (skin.centroids[:, 0] > 0.5))
    found = find_shank(skin.chosen(half, "half"), model.nodes, "half")
    np.testing.assert_allclose(found.axis, [0.0, 0.0, 1.0], atol=1e-9)
    np.testing.assert_allclose(found.point[:2], 0.0, atol=1e-9)
    assert found.radius == pytest.approx(RADIUS) and found.ends == pytest.approx((0.0, LENGTH))


STUDY = """
name = "Clamp"
units = "mm-t-s"

[[bodies]]
name = "clamp"
model = { path = "clamp.inp" }
couplings = [{ name = "side", surface = { kind = "box", corner = [3, 0, 0], opposite = [3, 1, 6] } }]
interfaces = [{ name = "side", node_set = "side" }]
bolts = [{ name = "M1", shank = { kind = "box", corner = [0, 0, 1], opposite = [1, 1, 5], whole = true } }]
preloads = [{ name = "tighten", loads = [{ kind = "bolt_force", bolt = "m1", force = "100 N" }] }]
reduction = { kind = "craig_bampton", vibration_modes = 2 }
"""


def test_a_bolt_of_a_study_is_tightened_by_a_preload_case(tmp_path: Path) -> None:
    """A frame of bars 1 × 1: the left one is the bolt, the others are clamped by it. Names match in any case."""
    solid = box("hex8_incompatible", (3, 1, 6), (3.0, 1.0, 6.0))
    middles = solid.nodes[solid.blocks[0].connectivity].mean(axis=1)
    frame = (abs(middles[:, 0] - 1.5) > 0.9) | (abs(middles[:, 2] - 3.0) > 2.1)
    block = solid.blocks[0]
    block = replace(block, ids=block.ids[frame], connectivity=block.connectivity[frame])
    write_model(replace(solid, blocks=(block,)), tmp_path / "clamp.inp")
    (tmp_path / "clamp.toml").write_text(STUDY, encoding="utf-8")
    project, store = read_study(tmp_path / "clamp.toml"), ArtifactStore(tmp_path / "store")
    assert main(["check", str(tmp_path / "clamp.toml")]) == 0
    preload = PIPELINE.run(project, Target("preload", "clamp"), store, base=tmp_path)
    model = PIPELINE.value(project, Target("model", "clamp"), store, base=tmp_path)
    matrices = assemble(model)
    (bolt,), mode = model.bolts, preload.modes[:, 0]
    assert bolt.axis.tolist() == pytest.approx([0.0, 0.0, 1.0]) and preload.unbalanced[0] < 1e-12
    u = (matrices.dofs.displacement_rows @ mode).reshape(-1, 3)
    overlap = u[bolt.centres[0], 2] - u[bolt.centres[1], 2]
    assert mode @ preload.forces[:, 0] == pytest.approx(100.0 * overlap, rel=1e-9)
    # The bars bend besides, so the frame gives more than its two long bars alone: 2 F L / (E A).
    assert overlap > 2.0 * 100.0 * 4.0 / 210000.0
    # The body may shorten its bolt: one mode more, which is the answer to a tension.
    basis = PIPELINE.run(project, Target("components", "clamp"), store, base=tmp_path)
    assert [(group.name, group.stop - group.start) for group in basis.groups][-1] == ("bolt modes", 1)
    assert not [text for text in basis.removed if "depend" in text] and "joint modes" not in [
        group.name for group in basis.groups
    ]
    span = np.hstack([basis.modes, rigid_body_modes(model.nodes, matrices.dofs)])
    left = mode - span @ np.linalg.lstsq(span, mode, rcond=None)[0]
    assert np.linalg.norm(left) < 1e-8 * np.linalg.norm(mode)
    in_bolt = np.isclose(model.nodes[:, 2], 3.0) & (model.nodes[:, 0] < 1.5)
    assert np.nanmean(StressRecovery(model).at_nodes(u)[in_bolt, 2]) == pytest.approx(100.0, rel=0.02)


@pytest.mark.parametrize("kind", ["tet10", "hex20"])
def test_the_faces_of_a_cut_are_no_joint(kind: str) -> None:
    whole = shank(kind)
    cut = with_bolts(whole, [BoltSpec(name="M4", shank=outside(whole), position=0.4)])
    skin = find_skin(cut)
    assert nodes_of_cuts(cut).sum() == 2 * len(cut.couplings[0].nodes) + 2
    assert JointSearch.of(cut, skin, 1.0).candidates(1.0) == ()
    # The same halves without a bolt that holds them do face each other.
    loose = replace(cut, bolts=())
    assert len(JointSearch.of(loose, skin, 1.0).candidates(1.0)) == 1


def test_parts_keep_numbers_and_names_where_bolts_are_cut() -> None:
    whole = maker_of("bolted_lap", {"bolts": 2, "solid_bolts": True, "size": 6.0}, "mm-t-s").model()
    shanks = (DeckSurfaceSelection(name=f"SHANK_{i}") for i in (1, 2))
    cut = with_bolts(whole, [BoltSpec(name=f"M8 {i}", shank=s) for i, s in enumerate(shanks, 1)])
    (before, n), (after, m) = (connected_parts(model, couplings=False) for model in (whole, cut))
    assert n == m == 4
    np.testing.assert_array_equal(after[cut.first_nodes], before[whole.first_nodes])
    assert part_titles(cut, after) == part_titles(whole, before)
    # A bolt is chosen as a whole by any of its elements, on either side of the cut.
    first, last = (
        ConnectedPartSelection(element=int(cut.element_ids[element])).select(cut, find_skin(cut))
        for element in np.flatnonzero(after[cut.first_nodes] == 3)[[0, -1]]
    )
    np.testing.assert_array_equal(first.nodes, last.nodes)
