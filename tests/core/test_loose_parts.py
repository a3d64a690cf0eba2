"""A body whose parts nothing but contact would hold together, and one without interface nodes."""

from dataclasses import replace

import numpy as np
import pytest

from faying.errors import SolveError
from faying.fem.assembly import assemble
from faying.reduction.interior import InteriorProblem
from support.boxes import box
from support.plates import stacked_plates


def test_parts_that_nothing_holds_together_have_loose_motions() -> None:
    """Six of them, which cost no energy; inertia balances each part, so that responses have no share in them."""
    model = stacked_plates()
    lower, upper = (np.unique(block.connectivity) for block in model.blocks)
    hold, tip = model.couplings
    model = replace(
        model,
        couplings=(_of(hold, np.intersect1d(hold.nodes, lower)), _of(tip, np.intersect1d(tip.nodes, upper))),
    )
    matrices = assemble(model)
    free = lower[
        np.argmax(model.nodes[lower, 0])
    ]  # a third node that may be moved, so that not all motions are rigid
    interior = InteriorProblem(matrices, model.nodes, np.array([hold.reference, tip.reference, free]))
    loose = interior.loose_motions
    assert loose.shape[1] == 6
    np.testing.assert_allclose(loose.T @ (matrices.mass @ loose), np.eye(6), atol=1e-9)
    np.testing.assert_allclose(loose.T @ (matrices.mass @ interior.rigid_modes), np.zeros((6, 6)), atol=1e-8)
    energies = np.einsum("ij,ij->j", loose, matrices.stiffness @ loose)
    assert np.abs(energies).max() < 1e-6 * float((matrices.stiffness.diagonal() @ loose**2).max())
    loads = np.random.default_rng(1).normal(size=(interior.n_dofs, 2))
    answer = interior.solve_free(loads, apart=True)
    still = np.hstack([loose, interior.rigid_modes])
    balanced = loads - matrices.mass @ (still @ (still.T @ loads))
    np.testing.assert_allclose(matrices.stiffness @ answer, balanced, atol=1e-6 * np.abs(balanced).max())
    assert np.abs(still.T @ (matrices.mass @ answer)).max() < 1e-8 * np.abs(answer).max()
    with pytest.raises(SolveError, match="not of one piece"):
        interior.solve_free(loads)


def _of(coupling, rows):
    return replace(coupling, nodes=rows, weights=np.ones(len(rows)))


def test_a_body_without_interface_nodes_has_responses_too() -> None:
    model = box("hex8_full", (2, 1, 1), (4.0, 2.0, 1.0))
    matrices = assemble(model)
    interior = InteriorProblem(matrices, model.nodes, np.zeros(0, np.int64))
    assert interior.loose_motions.shape == (interior.n_dofs, 0)
    loads = np.random.default_rng(1).normal(size=(interior.n_dofs, 2))
    rigid = interior.rigid_modes
    balanced = loads - matrices.mass @ (rigid @ (rigid.T @ loads))
    answer = interior.solve_free(loads)
    np.testing.assert_allclose(matrices.stiffness @ answer, balanced, atol=1e-6 * np.abs(balanced).max())
