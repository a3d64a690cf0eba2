"""How much a periodic motion misses by the harmonics that it does not have, and by its samples.

The forces of contact and friction have harmonics above H, the highest of the motion, that harmonic balance drops. They
are known from the samples. Up to 2 H + 1, the linear structure with stuck joints answers to them with a motion of its
own, and with it the forces in the harmonics up to H change. The share of the last harmonic in the motion shows
neither: where a high harmonic meets a vibration mode, its small motion may open pairs and change the damping.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from faying.joints.fourier import FourierBasis, samples_for
from faying.solvers.harmonic_balance import PeriodicMotion, PeriodicProblem

_LEAST_DAMPING = 1e-3  # damping ratio of a free motion below which changes of damping are judged by it


@dataclass(frozen=True)
class MissedShares:
    """What a motion misses, over what there is.

    Attributes:
        work: change of the virtual work of the forces in the first harmonic, by the harmonics above H.
        motion: of the points of interest, in the harmonics above H.
        samples: change of the virtual work by twice the samples.
    """

    work: float
    motion: float
    samples: float


def missed_shares(
    problem: PeriodicProblem, motion: PeriodicMotion, stuck: np.ndarray, points: np.ndarray, load: np.ndarray
) -> MissedShares:
    """Return what a motion misses.

    Args:
        problem: the structure, with the samples with which the motion was found.
        motion: forced, or free with the damping ratio of a nonlinear mode.
        stuck: (r, r) stiffness of the structure with stuck joints.
        points: (m, r) displacements of the points of interest.
        load: (r,) complex amplitude at level 1; does not count for a free motion.
    """
    problem = problem.of_motion(motion)
    size, omega = problem.basis.size, motion.frequency
    highest = 2 * problem.basis.harmonics + 1
    samples = max(2 * problem.basis.samples, samples_for(highest))
    wide = replace(problem, stiffness=stuck, basis=FourierBasis(highest, samples))
    x = wide.basis.padded(motion.coefficients)
    force = wide.force(x, wide.basis, omega, False).force
    more = np.zeros_like(x)
    for h in range(problem.basis.harmonics + 1, highest + 1):
        answer = np.linalg.solve(wide.in_harmonic(h, omega), force[2 * h - 1] - 1j * force[2 * h])
        more[2 * h - 1], more[2 * h] = answer.real, -answer.imag
    changed = wide.force(x + more, wide.basis, omega, False).force - force
    coarse = problem.force(motion.coefficients, problem.basis, omega, False).force
    whole = float(np.linalg.norm(x[1:size] @ points.T))
    return MissedShares(
        _virtual_work(problem, motion, changed, load),
        float(np.linalg.norm(more @ points.T)) / whole if whole else 0.0,
        _virtual_work(problem, motion, force[:size] - coarse, load),
    )


def _virtual_work(
    problem: PeriodicProblem, motion: PeriodicMotion, change: np.ndarray, load: np.ndarray
) -> float:
    """Return the virtual work of a change (size, r) of forces in the first harmonic, over that of the other forces.

    Forced motions change by as much as forces add to the load. In free ones the part in phase with the motion changes
    the frequency, over the forces of inertia, and the other part the damping, over the work of damping.
    """
    first, added = motion.fundamental, change[1] - 1j * change[2]
    if motion.level:
        size = motion.level * float(np.abs(first.conj() * load).sum())
        return float(np.abs(first.conj() * added).sum()) / size if size else 0.0
    inertia = motion.frequency**2 * float((first.conj() @ problem.mass @ first).real)
    work = complex(first.conj() @ added)
    damping = 2.0 * max(abs(motion.damping), _LEAST_DAMPING)
    return max(abs(work.real), abs(work.imag) / damping) / inertia if inertia else 0.0


class HarmonicGrowth:
    """Decides whether periodic motions have enough harmonics, and keeps the largest shares that they miss.

    Args:
        stuck, points, load: see `missed_shares`.
        most: the highest harmonic that a motion may have.
        tolerance: largest share of work and motion that may be missed.
    """

    def __init__(
        self,
        stuck: np.ndarray,
        points: np.ndarray,
        load: np.ndarray,
        most: int,
        tolerance: float = 1e-3,
    ) -> None:
        self.most = most
        self._stuck, self._points, self._load, self._tolerance = stuck, points, load, tolerance
        self._worst = MissedShares(0.0, 0.0, 0.0)
        self._basis = FourierBasis(0, 0)

    def __call__(self, problem: PeriodicProblem, motion: PeriodicMotion, may_grow: bool) -> bool:
        """Return whether the motion has enough harmonics, or as many as it may."""
        missed = missed_shares(problem, motion, self._stuck, self._points, self._load)
        grows = may_grow and motion.harmonics + 2 <= self.most
        if grows and max(missed.work, missed.motion) > self._tolerance:
            return False
        worst = self._worst
        self._worst = MissedShares(
            max(worst.work, missed.work), max(worst.motion, missed.motion), max(worst.samples, missed.samples)
        )
        self._basis = max(
            self._basis, problem.of_motion(motion).basis, key=lambda basis: (basis.harmonics, basis.samples)
        )
        return True

    def padded(self, coefficients: np.ndarray) -> np.ndarray:
        """Return (2 · most + 1, r) coefficients with zeros for the harmonics that a motion does not have."""
        return FourierBasis(self.most, 0).padded(coefficients)

    def checkpoint(self) -> dict[str, float]:
        """Return what was seen so far, as numbers."""
        return self.report

    def restore(self, seen: Mapping[str, float]) -> None:
        """Restore what was seen."""
        self._worst = MissedShares(seen["missed_work"], seen["missed_motion"], seen["missed_by_samples"])
        self._basis = FourierBasis(int(seen["harmonics"]), int(seen["samples"]))

    @property
    def report(self) -> dict[str, float]:
        """The most harmonics and samples of a motion, and the largest shares that motions miss."""
        return {
            "harmonics": self._basis.harmonics,
            "samples": self._basis.samples,
            "missed_work": self._worst.work,
            "missed_motion": self._worst.motion,
            "missed_by_samples": self._worst.samples,
        }
