"""Static responses as shapes that are not stored: contact needs only a few products with them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.progress import Progress
from faying.reduction.contact_responses import contact_responses, response_blocks
from faying.reduction.energy_orthonormal import orthonormal_combinations
from faying.reduction.problem import JointModeProblem

DEPENDENT = 1e-8  # energy of a response's part outside of the others, relative to its own


@dataclass(frozen=True, eq=False)
class ResponseShapes:
    """Responses of a body to loads and to forces on its pairs, combined to be orthonormal in the elastic energy.

    On a million dofs hundreds of responses take gigabytes, and the factor leaves little memory. Their gaps and products
    with other vectors are computed block by block; the few combinations needed in the end are solved for again.

    Attributes:
        problem: body and joints.
        given: (n_dofs, c) responses that are stored.
        forces: (n_pairs, k) forces on the pairs, whose responses are not stored.
        coefficients: (c + k, s) of all responses in each shape.
        gaps: (n_pairs, s) gap of each pair in each shape.
        products: products (m, s) of each of some matrices (n_dofs, m) with the shapes.
    """

    problem: JointModeProblem
    given: np.ndarray
    forces: np.ndarray
    coefficients: np.ndarray
    gaps: np.ndarray
    products: tuple[np.ndarray, ...]

    def combined(self, amounts: np.ndarray, progress: Progress) -> np.ndarray:
        """Return (n_dofs, g) combinations of the shapes with coefficients (s, g)."""
        of_all, count = self.coefficients @ amounts, self.given.shape[1]
        problem = self.problem
        found = contact_responses(
            problem.interior, problem.gap_rows, self.forces @ of_all[count:], progress, free=problem.free
        )
        found += self.given @ of_all[:count]
        return found


def response_shapes(
    problem: JointModeProblem,
    loads: np.ndarray,
    given: np.ndarray,
    forces: np.ndarray,
    others: Sequence[np.ndarray],
    progress: Progress,
) -> ResponseShapes:
    """Return the shapes of responses; dependent directions are left out.

    Args:
        problem: body and joints.
        loads: (n_dofs, c) loads whose responses are given.
        given: (n_dofs, c) these responses.
        forces: (n_pairs, k) forces on the pairs, whose responses are computed.
        others: matrices (n_dofs, m) to be multiplied by the shapes.
        progress: reports and cancels.
    """
    count = given.shape[1] + forces.shape[1]
    gaps = np.empty((len(forces), count))
    products = [np.empty((each.shape[1], count)) for each in (loads, *others)]

    def pass_by(at: slice, block: np.ndarray) -> None:
        gaps[:, at] = problem.gap_rows @ block
        for each, found in zip((loads, *others), products, strict=True):
            found[:, at] = each.T @ block

    pass_by(slice(0, given.shape[1]), given)
    for part, block in response_blocks(
        problem.interior, problem.gap_rows, forces, progress, free=problem.free
    ):
        pass_by(slice(given.shape[1] + part.start, given.shape[1] + part.stop), block)
    # Energies as work of the loads, which is more accurate than products with K times the responses. Loads on held dofs
    # do no work.
    work = np.vstack([products[0], forces.T @ gaps])
    coefficients = orthonormal_combinations(0.5 * (work + work.T), DEPENDENT)
    return ResponseShapes(
        problem, given, forces, coefficients, gaps @ coefficients, tuple(each @ coefficients for each in products[1:])
    )  # fmt: skip
