"""Line fitting: the shapes that fit the responses to loads at the interface over a range of frequencies."""

from typing import ClassVar

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import reduction_methods
from faying.reduction.methods._band import BandMethod
from faying.reduction.methods._orthogonalised import orthogonalised_basis
from faying.reduction.responses import DeformationResponses, free_modes, free_responses
from faying.units import amount

_DEPENDENT = 1e-10  # pivot, relative to the largest, below which an interface dof depends on the others
_ONE = 1e-6  # relative difference below which two resonances count as one


@reduction_methods.register("line_fitting")
class LineFitting(BandMethod):
    """One trial vector for each interface dof, in least squares of the body's responses (Makhavikou 2015, 3.2).

    The coordinates are the deformation parts of the interface displacements: u = V u_B. At the points of the range V
    is fitted so that it gives all displacements from those of the interface, whichever interface dof is loaded. The
    order is the number of interface dofs, which should be about twice the number of vibration modes in the range,
    at nodes that are spread over the body.
    """

    advice: ClassVar[str] = (
        "Fewest coordinates for responses between interface nodes in a given range of frequencies; "
        "stresses inside are rough."
    )

    points: int = parameter(
        20, title="Points", ge=1, le=10000,
        meaning="How many frequencies of the range are fitted: all its resonances, and the others evenly spread.",
    )  # fmt: skip

    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return the orthogonalised basis.

        Raises:
            ModelError: without interface nodes or a vibration mode in the range, with fewer points than resonances, or
                when the responses of some interface dofs depend on those of others.
        """
        dofs = interior.interface_dofs
        if not len(dofs):
            raise ModelError(
                "Line fitting takes one trial vector for each interface dof, and the body has no interface node.",
                "Add interface nodes, spread over the body.",
            )
        interior.prepare(PartialProgress(progress, 0.0, 0.2, "factorisation"))
        part = PartialProgress(progress, 0.2, 0.4, "range of frequencies")
        end = self.range_end(interior, max(len(dofs) // 2, 1), free_modes(interior), part)
        loads = np.zeros((interior.n_dofs, len(dofs)))
        loads[dofs, np.arange(len(dofs))] = 1.0
        part = PartialProgress(progress, 0.4, 0.8, "responses")
        responses = free_responses(interior, loads, end, part, **self.damping(end))
        frequencies = self.points_between(self.resonances(responses.squares, end), end)
        progress.report(0.8, f"fit at {len(frequencies)} frequencies")
        vectors = _fitted(interior, responses, frequencies)
        basis = orthogonalised_basis(interior, vectors, PartialProgress(progress, 0.9, 1.0))
        progress.report(1.0, "component modes")
        return basis

    def points_between(self, resonances: np.ndarray, end: float) -> np.ndarray:
        """Return (m,) the fitted frequencies, ascending: the resonances, and others evenly spaced over the range.

        Raises:
            ModelError: when there are fewer points than resonances.
        """
        apart = resonances[np.concatenate([[True], np.diff(resonances) > _ONE * resonances[1:]])]
        if self.points < len(apart):
            raise ModelError(
                f"Line fitting: {self.points} points are too few for the {len(apart)} resonances between the "
                f"frequencies {self.lowest_frequency:g} and {amount(end, 'frequency', 6)}.",
                f"Take about three times as many points as resonances, {3 * len(apart)}.",
            )
        even = np.linspace(self.lowest_frequency, end, self.points - len(apart))
        return np.sort(np.concatenate([apart, even]))


def _fitted(
    interior: InteriorProblem, responses: DeformationResponses, frequencies: np.ndarray
) -> np.ndarray:
    """Return V (n_dofs, r) with V T_o = T in least squares; T = [Re X, Im X] of all points, T_o its interface rows.

    All X are combinations T = S G of a few shapes, so V = S G T_o⁺ never needs T itself, which may be gigabytes. With
    T_oᵀ = Q R it is S (G Q) R⁻ᵀ.
    """
    amplitudes = [responses.amplitudes(float(f)) for f in frequencies]
    combined = np.hstack([*(a.real for a in amplitudes), *(a.imag for a in amplitudes)])
    at_interface = responses.shapes[interior.interface_dofs] @ combined
    # Rows are scaled to length one, so that displacements and rotations count equally.
    sizes = np.linalg.norm(at_interface, axis=1)
    scaled = at_interface / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    orthonormal, upper, order = la.qr(scaled.T, mode="economic", pivoting=True)
    pivots = np.abs(np.diag(upper))
    independent = int((pivots > _DEPENDENT * pivots[0]).sum()) if pivots[0] > 0.0 else 0
    if independent < len(order):
        names = [interior.interface_dof_names[i] for i in np.sort(order[independent:])]
        raise ModelError(
            f"Line fitting: of {len(order)} interface dofs only {independent} move independently of each other at the "
            f"{len(frequencies)} points. Those that follow the others are: {', '.join(names)}.",
            "Leave these components out of the interface nodes, or widen the range of frequencies.",
        )
    coefficients = la.solve_triangular(upper, (combined @ orthonormal).T).T
    # These columns are of scaled, reordered interface dofs; scale and order do not change the space.
    return np.asarray(responses.shapes @ coefficients)
