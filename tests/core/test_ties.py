"""Ties: a cut body tied along the cut is the uncut body, and a uniform stress passes meshes that do not match."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import ModelError
from faying.examples import friction_bar_deck
from faying.examples.friction_bar_deck import write_friction_bar
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.connectivity import connected_parts
from faying.fem.imported import imported_matrices
from faying.fem.matrix_export import write_matrices
from faying.fem.model import FeModel
from faying.fem.pressure import pressure_forces
from faying.fem.readers import read_model
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.skin import surface_from_deck
from faying.fem.stress import StressRecovery
from faying.fem.ties import TiedSurfaces, TieSpec, refuse_failed_ties, with_ties
from faying.progress import Silent
from faying.reduction.interior import InteriorProblem
from faying.reduction.quality import free_frequencies
from support.stacks import merged, stacked_boxes


def tied(model: FeModel, master: str = "LOW", slave: str = "UP", **words: object) -> FeModel:
    sides = [DeckSurfaceSelection(name=name) for name in (master, slave)]
    return with_ties(model, [TiedSurfaces("lap", *sides, TieSpec(**words))])


def frequencies(model: FeModel, count: int = 8) -> np.ndarray:
    """Return the lowest elastic frequencies of the free body, squared and in units of each other."""
    matrices = assemble(model)
    values = la.eigh(matrices.stiffness.toarray(), matrices.mass.toarray(), eigvals_only=True)
    assert np.abs(values[:6]).max() < 1e-7 * values[6]
    return values[6 : 6 + count]


@pytest.mark.parametrize("kind", ["hex8_incompatible", "hex20", "tet4", "tet10", "wedge15"])
def test_a_body_tied_along_a_cut_is_the_uncut_body(kind: str) -> None:
    cut = stacked_boxes(kind, (3, 2, 1), (3, 2, 1))
    together = tied(cut)
    assert len(together.ties[0].nodes) == len(np.flatnonzero(cut.nodes[:, 2] == 1.0)) / 2
    assert not len(together.ties[0].left_out) and connected_parts(together)[1] == 1
    np.testing.assert_allclose(frequencies(together), frequencies(merged(cut)), rtol=1e-9)


@pytest.mark.parametrize(
    ("kind", "lower", "upper"),
    [
        ("hex8_incompatible", (3, 2, 2), (4, 3, 2)),
        ("hex8_incompatible", (5, 3, 2), (2, 2, 2)),  # the coarser side is the slave
        ("hex20", (2, 2, 1), (3, 3, 1)),
        ("tet10", (2, 2, 1), (3, 2, 1)),
        ("tet4", (3, 2, 2), (4, 3, 2)),
    ],
)
def test_a_uniform_pressure_passes_meshes_that_do_not_match(
    kind: str, lower: tuple[int, int, int], upper: tuple[int, int, int]
) -> None:
    model = tied(stacked_boxes(kind, lower, upper))
    matrices = assemble(model)
    top = surface_from_deck(model, "TOP")
    load = matrices.dofs.displacement_rows.T @ (100.0 * pressure_forces(top, model.nodes)).ravel()
    # Symmetry at x = 0, y = 0 and z = 0.
    held = np.isclose(model.nodes, 0.0).ravel()
    free = np.flatnonzero(~held[matrices.dofs.own_rows])
    x = np.zeros(matrices.dofs.n_dofs)
    x[free] = np.linalg.solve(matrices.stiffness[free][:, free].toarray(), load[free])
    u = matrices.dofs.displacement_rows @ x
    exact = model.nodes * [0.3, 0.3, -1.0] * 100.0 / 210000.0
    np.testing.assert_allclose(u.reshape(-1, 3), exact, atol=0.01 * np.abs(exact).max())
    stresses = StressRecovery(model).at_points(u)
    wanted = np.zeros_like(stresses)
    wanted[:, 2] = -100.0
    np.testing.assert_allclose(stresses, wanted, atol=1.0)


@pytest.mark.parametrize("adjust", [False, True])
def test_no_rigid_motion_strains_a_tie_across_a_gap(adjust: bool) -> None:
    apart = stacked_boxes("hex20", (2, 2, 1), (3, 3, 1), gap=0.01)
    model = tied(apart, distance=0.02, adjust=adjust)
    assert model.ties[0].moved == pytest.approx(0.01 if adjust else 0.0, abs=1e-12)
    heights = model.nodes[model.ties[0].nodes, 2]
    np.testing.assert_allclose(heights, 1.0 if adjust else 1.01, atol=1e-12)
    matrices = assemble(model)
    rigid = rigid_body_modes(model.nodes, matrices.dofs)
    full = (matrices.dofs.displacement_rows @ rigid).reshape(-1, 3, 6)
    np.testing.assert_allclose(full[:, :, :3], np.broadcast_to(np.eye(3), full[:, :, :3].shape), atol=1e-10)
    for axis in range(3):
        turned = np.cross(np.eye(3)[axis], model.nodes)
        np.testing.assert_allclose(full[:, :, 3 + axis], turned, atol=1e-10)
    assert frequencies(model)[0] == pytest.approx(
        frequencies(tied(stacked_boxes("hex20", (2, 2, 1), (3, 3, 1))))[0], rel=0.05
    )


def test_a_tied_node_is_not_taken_for_the_node_that_it_follows(tmp_path: Path) -> None:
    """Coincident nodes have the same rows in T; the dofs are those of the master, in imported matrices, too."""
    model = tied(stacked_boxes("hex8", (2, 2, 1), (2, 2, 1)))
    matrices = assemble(model)
    imported = imported_matrices(model, *write_matrices(tmp_path, model, matrices)[:2])
    for dofs in (matrices.dofs, imported.dofs):
        own = dofs.own_rows
        assert not np.isin(own // 3, model.ties[0].nodes).any()
        np.testing.assert_array_equal(dofs.transformation[own].toarray(), np.eye(dofs.n_dofs))


def test_nodes_beside_the_master_stay_loose_and_are_told() -> None:
    wide = stacked_boxes("hex8_incompatible", (4, 2, 1), (3, 2, 1))
    narrow = tied(wide, master="LOW", slave="UP")
    assert len(narrow.ties[0].nodes) == 12
    # The upper box is pushed by half its length: what is over the edge stays loose.
    nodes = np.array(wide.nodes)
    nodes[np.unique(wide.blocks[1].connectivity)] += [2.5, 0.0, 0.0]
    tie = tied(replace(wide, nodes=nodes)).ties[0]
    assert not tie.problem
    assert (nodes[tie.nodes, 0] <= 4.0).all() and (nodes[tie.left_out, 0] > 4.0).all()
    assert len(tie.nodes) == len(tie.left_out) == 6


def test_a_tie_that_finds_nothing_says_so_and_leaves_the_model_readable() -> None:
    model = tied(stacked_boxes("hex8_incompatible", (2, 2, 1), (3, 2, 1), gap=0.2))
    assert not model.equations and connected_parts(model)[1] == 2
    with pytest.raises(
        ModelError,
        match=r"none of the 12 nodes .* within 0\.075 \[length\] over .* 0\.2 \[length\] apart",
    ):
        refuse_failed_ties(model)
    assert "Raise the distance" in model.ties[0].hint
    with pytest.raises(ModelError, match="'lap', which is tied: master surface"):
        refuse_failed_ties(tied(stacked_boxes("hex8_incompatible", (2, 2, 1), (3, 2, 1)), master="NOWHERE"))


def _friction_bar(path: Path) -> FeModel:
    """Return the friction bar without its beams and their couplings, so that the joint alone holds the sheets."""
    write_friction_bar(path, size=9.0)
    model = read_model(path)
    solid = tuple(block for block in model.blocks if not block.element.startswith("beam"))
    return replace(model, blocks=solid, couplings=(), node_sets={}, element_sets={})


def _lowest(model: FeModel) -> np.ndarray:
    interior = InteriorProblem(assemble(model), model.nodes, np.zeros(0, np.int64))
    return free_frequencies(interior, 8, Silent())[0]


@pytest.mark.slow  # four eigenvalue problems of 12 000 equations: 15 s on an idle machine
def test_the_tied_friction_bar_swings_as_a_bar_of_one_mesh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bar with sheets whose meshes match is the merged one; with the finer upper sheet it is within 0.1 %."""
    finer = tied(_friction_bar(tmp_path / "finer.inp"), "JOINT_MASTER", "JOINT_SLAVE")
    monkeypatch.setattr(friction_bar_deck, "_FINER", 1.0)
    alike = _friction_bar(tmp_path / "alike.inp")
    whole = _lowest(merged(replace(alike, surfaces={})))
    np.testing.assert_allclose(_lowest(tied(alike, "JOINT_MASTER", "JOINT_SLAVE")), whole, rtol=1e-9)
    np.testing.assert_allclose(_lowest(finer), whole, rtol=1e-3)
