"""Steady answers of a linear structure to harmonic loads, in its vibration modes.

With s = i ω, and the loads f e^{iωt},

    (s² M + s (α M + β E + C + M Φ diag(2 ζ ω) Φᵀ M) + K + i η E) x = f.

K is the whole stiffness, with that of closed contact; E is the elastic one of the material, which damps: by β
viscously, by the loss factor η in the same way at all frequencies (structural or hysteretic damping). C is the damping
of superelements. Without contact K and E are the same, and without C as well the vibration modes are uncoupled.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la
from scipy.linalg import lapack

from faying.errors import SolveError
from faying.reduction.quality import ritz_modes
from faying.units import amount

# Where a mode's dynamic stiffness over ω² is smaller, or the reciprocal condition of coupled modes, the response is
# unbounded.
_INFINITE = 1e-10


@dataclass(frozen=True)
class Damping:
    """Damping of a linear structure; its terms add up.

    Attributes:
        mass: α of α M.
        stiffness: β of β E.
        structural: loss factor η of i η E.
        modal: damping ratios ζ of the vibration modes, lowest first; the last one counts for all that follow.
    """

    mass: float = 0.0
    stiffness: float = 0.0
    structural: float = 0.0
    modal: tuple[float, ...] = ()

    def modal_ratios(self, count: int) -> np.ndarray:
        """Return (count,) the ratios of so many modes; zero without any."""
        given = np.array(self.modal or (0.0,))
        return np.asarray(given[np.minimum(np.arange(count), len(given) - 1)])

    def ratios(self, frequencies: np.ndarray) -> np.ndarray:
        """Return (k,) the ratio, of critical damping, of modes with these frequencies; all positive."""
        omega = 2.0 * np.pi * np.asarray(frequencies, float)
        viscous = 0.5 * (self.mass / omega + self.stiffness * omega)
        return np.asarray(viscous + 0.5 * self.structural + self.modal_ratios(len(omega)))


class HarmonicModes:
    """The vibration modes of a structure, and its harmonic response in them.

    Args:
        stiffness, mass: K and M (r, r).
        damping: material and modal damping.
        elastic: E (r, r), the part of K that damps; all of K if None.
        viscous: C (r, r), optional.

    Attributes:
        frequencies: (r,) of the modes, ascending.
        shapes: (r, r) modes, orthonormal in the mass.
    """

    def __init__(
        self,
        stiffness: np.ndarray,
        mass: np.ndarray,
        damping: Damping,
        elastic: np.ndarray | None = None,
        viscous: np.ndarray | None = None,
    ) -> None:
        self.frequencies, self.shapes = ritz_modes(stiffness, mass)
        self.damping = damping
        self._squares = (2.0 * np.pi * self.frequencies) ** 2
        self._modal = 2.0 * damping.modal_ratios(len(self._squares)) * np.sqrt(self._squares)
        self._elastic: np.ndarray | None = None
        if elastic is not None and (damping.stiffness or damping.structural):
            self._elastic = self.shapes.T @ elastic @ self.shapes
        self._viscous = None if viscous is None else self.shapes.T @ viscous @ self.shapes

    @property
    def effort(self) -> float:
        """Floating-point operations for the amplitudes at one frequency; zero (negligible) for uncoupled modes."""
        apart = self._elastic is None and self._viscous is None
        return 0.0 if apart else 8.0 / 3.0 * float(len(self.frequencies)) ** 3

    def amplitudes(self, frequency: float, loads: np.ndarray) -> np.ndarray:
        """Return (r, p) complex amplitudes of the modes.

        Args:
            frequency: of the loads.
            loads: (r, p) Φᵀ f, real or complex.

        Raises:
            SolveError: where nothing damps a mode at its own frequency, or holds one at frequency zero.
        """
        s, damping = 2.0j * np.pi * frequency, self.damping
        material = damping.stiffness * s + (1j * damping.structural if frequency else 0.0)
        dynamic = self._squares + s * (s + damping.mass + self._modal)
        if self._elastic is None:
            dynamic = dynamic + material * self._squares
        if self._elastic is None and self._viscous is None:
            infinite = (np.abs(dynamic) < _INFINITE * self._squares) | (dynamic == 0.0)
            if infinite.any():
                raise _unbounded(frequency, int(np.argmax(infinite)))
            return np.asarray(loads / dynamic[:, None])
        matrix = np.zeros((len(dynamic), len(dynamic)), complex)
        if self._elastic is not None:
            matrix += material * self._elastic
        if self._viscous is not None:
            matrix += s * self._viscous
        matrix[np.diag_indices_from(matrix)] += dynamic
        # Coupled modes are judged together, each by its own stiffness or inertia: damping of one may hold no other.
        sizes = np.sqrt(np.maximum(self._squares, abs(s) ** 2))
        sizes[sizes == 0.0] = 1.0
        scaled = matrix / sizes[:, None] / sizes
        factor, pivots, zero = lapack.zgetrf(scaled)
        if zero or lapack.zgecon(factor, np.abs(scaled).sum(axis=0).max())[0] < _INFINITE:
            raise _unbounded(frequency, int(np.argmax(np.abs(la.svd(scaled)[2][-1]))))
        return np.asarray(lapack.zgetrs(factor, pivots, loads / sizes[:, None])[0] / sizes[:, None])


def _unbounded(frequency: float, mode: int) -> SolveError:
    """Return the error that a mode, counted from zero, answers without bounds."""
    if not frequency:
        return SolveError(
            f"At the frequency zero the response has no bounds: nothing holds mode {mode + 1}.",
            "Begin above zero, or hold what moves.",
        )
    return SolveError(
        f"Without damping the response at the frequency {amount(frequency, 'frequency', 6)} has no "
        f"bounds: it is that of vibration mode {mode + 1}.",
        "Give some damping, or another number of points.",
    )
