"""Dynamic condensation: shapes under harmonic motions of the interface at one frequency."""

from typing import ClassVar

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spla

from faying.errors import ModelError
from faying.linalg.background import patiently
from faying.linalg.factor import Factor, SingularSystemError, factorize
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.fixed_interface_modes import fixed_interface_modes
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import ReductionMethod, reduction_methods
from faying.reduction.methods._orthogonalised import orthogonalised_basis
from faying.units import amount

_TOO_NEAR = 0.01  # of the centre frequency


@reduction_methods.register("dynamic_condensation")
class DynamicCondensation(ReductionMethod):
    """Shapes under unit harmonic motions of the interface dofs at a centre frequency (Leung 1978).

    With Z = K − ω² M they are −Z_ii⁻¹ Z_ib. Responses to loads at the interface are exact at that frequency; statics
    are not. Fixed-interface modes may be added. At frequency zero this is the Craig-Bampton method.
    """

    advice: ClassVar[str] = (
        "A narrow band of frequencies around one centre with few coordinates; wrong away from it."
    )
    size: ClassVar[str] = "vibration_modes"

    centre_frequency: float = parameter(
        0.0, title="Centre frequency", quantity="frequency", ge=0.0,
        meaning="Where the reduced body is exact; the middle of the range of interest.",
    )  # fmt: skip
    vibration_modes: int = parameter(
        10, title="Vibration modes", ge=0, le=2000,
        meaning="Number of modes with all interface nodes held, from the lowest elastic frequency upwards.",
    )  # fmt: skip
    static_shapes: bool = parameter(
        False, title="Static shapes", advanced=True,
        meaning="Whether the constraint modes are trial vectors as well, so that statics are exact too.",
    )  # fmt: skip

    def build(self, interior: InteriorProblem, progress: Progress) -> ReductionBasis:
        """Return the orthogonalised basis; the rigid body motions are removed.

        Raises:
            ModelError: when the centre frequency is within 1 % of one of the body with its interface nodes held.
        """
        interior.prepare(PartialProgress(progress, 0.0, 0.2, "factorisation"))
        vectors = []
        if self.centre_frequency and len(interior.interface_dofs):
            part = PartialProgress(progress, 0.2, 0.4, "factorisation at the centre frequency")
            vectors.append(self._harmonic_shapes(interior, part))
        if not vectors or self.static_shapes:
            vectors.append(patiently(interior.constraint_modes, progress, 0.4, "constraint modes"))
        if self.vibration_modes:
            part = PartialProgress(progress, 0.5, 0.9, "vibration modes")
            vectors.append(fixed_interface_modes(interior, self.vibration_modes, part))
        basis = orthogonalised_basis(interior, np.hstack(vectors), PartialProgress(progress, 0.9, 1.0))
        progress.report(1.0, "component modes")
        return basis

    def _harmonic_shapes(self, interior: InteriorProblem, progress: Progress) -> np.ndarray:
        """Return (n_dofs, n_B) shapes under unit harmonic motions of each interface dof."""
        matrices, outer = interior.matrices, interior.interface_dofs
        inner = np.setdiff1d(np.arange(interior.n_dofs), outer)
        dynamic = (matrices.stiffness - (2.0 * np.pi * self.centre_frequency) ** 2 * matrices.mass).tocsr()
        constraints = matrices.constraints
        held = constraints[:, inner] if constraints.shape[0] else None
        try:
            factor = factorize(dynamic[inner][:, inner], held, definite=False, progress=progress)
        except SingularSystemError:
            raise self._at_resonance(self.centre_frequency) from None
        nearest = patiently(
            lambda: _nearest_frequency(
                factor, matrices.stiffness[inner][:, inner], matrices.mass[inner][:, inner], self.centre_frequency
            ),
            progress, 1.0, "nearest frequency",
        )  # fmt: skip
        if abs(nearest - self.centre_frequency) <= _TOO_NEAR * self.centre_frequency:
            raise self._at_resonance(nearest)
        shapes = np.zeros((interior.n_dofs, len(outer)))
        shapes[outer, np.arange(len(outer))] = 1.0
        loads = -dynamic[inner][:, outer].toarray()
        values = None if held is None else -constraints[:, outer].toarray()
        shapes[inner] = patiently(lambda: factor.solve(loads, values), progress, 1.0, "harmonic shapes")
        return shapes

    def _at_resonance(self, nearest: float) -> ModelError:
        return ModelError(
            f"Dynamic condensation: the centre frequency {amount(self.centre_frequency, 'frequency', 6)} is as good as "
            f"{amount(nearest, 'frequency', 6)}, a frequency of the body with its interface nodes held, where "
            "motions of these have no bounded answer.",
            f"Take one that is more than {100 * _TOO_NEAR:g} % away.",
        )


def _nearest_frequency(factor: Factor, stiffness: sp.csr_matrix, mass: sp.csr_matrix, centre: float) -> float:
    """Return the frequency of vibration nearest to the centre, by Lanczos on the factor of K − ω² M."""
    n = factor.n
    inverse = spla.LinearOperator((n, n), matvec=lambda load: factor.solve(load.reshape(n)), dtype=float)
    start = factor.solve(mass @ np.random.default_rng(3).standard_normal(n))
    shift = (2.0 * np.pi * centre) ** 2
    squares = spla.eigsh(
        stiffness, 1, mass, sigma=shift, OPinv=inverse, v0=start, tol=1e-4, return_eigenvectors=False
    )
    return float(np.sqrt(max(squares[0], 0.0)) / (2.0 * np.pi))
