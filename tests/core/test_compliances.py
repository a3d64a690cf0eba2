"""Compliances of pairs with a reference that changes: those of a factor of the changed stiffness."""

import numpy as np

from faying.progress import Silent
from faying.solvers.compliances import Compliances

DOFS, PAIRS = 40, 8


def test_a_changed_reference_has_the_compliances_of_its_own_factor():
    random = np.random.default_rng(3)
    half = random.normal(size=(DOFS, DOFS))
    stiffness = half @ half.T + DOFS * np.eye(DOFS)
    rows = random.normal(size=(3 * PAIRS, DOFS))

    def of(tangents):
        """Return W with the stiffness less Gᵀ Δ G."""
        return rows @ np.linalg.solve(stiffness - rows.T @ tangents @ rows, rows.T)

    made = []

    def answers(components):
        made.extend(components)
        return of(np.zeros((3 * PAIRS, 3 * PAIRS)))[:, components]

    first, later = np.array([0, 1, 2, 9, 10, 11, 20]), np.array([5, 21])
    kept = Compliances(3 * PAIRS, answers)
    kept.keep(first, Silent())
    changes = []
    # Pairs open, others close, and all are again as they were.
    for at, size in ((first[:3], 20.0), (first[:6], -300.0), (first[[2, 6]], 5.0), (first[:1], 0.0)):
        tangents = np.zeros((3 * PAIRS, 3 * PAIRS))
        block = size * np.eye(len(at))
        tangents[np.ix_(at, at)] = block
        kept.refer_to(at, block)
        kept.keep(np.concatenate([first, later]), Silent())
        changes.append(np.abs(of(tangents) / of(0.0 * tangents) - 1.0).max())
        wanted, forces = of(tangents), random.normal(size=(2, 3 * PAIRS))
        components = np.concatenate([first[:5], later])
        np.testing.assert_allclose(
            kept.among(components, later), wanted[np.ix_(components, later)], rtol=1e-9
        )
        np.testing.assert_allclose(kept.moved(later, np.array([2.0, -1.0])), wanted[:, later] @ [2.0, -1.0])
        under = forces @ of(0.0 * tangents)  # slips and gaps under any forces
        np.testing.assert_allclose(kept.referred(under), forces @ wanted, rtol=1e-9)
    assert made == [*first, *later]  # each one once
    assert min(changes[:3]) > 0.1  # the changes matter
