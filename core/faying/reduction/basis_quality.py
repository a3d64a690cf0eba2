"""Quality of a reduction basis: errors against the full model's vibration modes, and condition and held modes."""

import numpy as np
import scipy.linalg as la

from faying.fem.assembly import rigid_body_modes
from faying.records import record
from faying.reduction.basis import ReductionBasis
from faying.reduction.inertia import centre_of_mass
from faying.reduction.interior import InteriorProblem
from faying.reduction.quality import (
    admissible_step,
    condition_number,
    effective_masses,
    modal_assurance,
    relative_frequency_differences,
    ritz_modes,
)

COMPARED_MODES = 20  # lowest vibration modes of the free body that are compared
_RANK = 1e-9
_LOOSE = 1e-3  # relative to the lowest elastic frequency: below, a frequency is round-off of zero


@record("basis_quality", read_only=True)
class BasisQuality:
    """Measures of one basis.

    Attributes:
        full_frequencies: (k,) of the free full model, without those of zero-energy motions, ascending.
        reduced_frequencies: (k',) the lowest of the free reduced body; k' < k for a basis of fewer vectors.
        assurance: (k, k') modal assurance of full (rows) and reduced modes in the mass.
        held_frequencies: (h,) of the reduced body with all interface dofs at rest.
        held_masses: (h, 6) effective masses of those modes along x, y, z and about axes through the centre of mass.
        body_masses: (6,) mass of the body (three times), and moments of inertia about axes through its centre of mass.
        stiffness_condition, mass_condition: of the reduced matrices, scaled to unit diagonals.
        highest_frequency: of the free reduced body; zero if it was not computed.
    """

    full_frequencies: np.ndarray
    reduced_frequencies: np.ndarray
    assurance: np.ndarray
    held_frequencies: np.ndarray
    held_masses: np.ndarray
    body_masses: np.ndarray
    stiffness_condition: float
    mass_condition: float
    highest_frequency: float = 0.0

    @property
    def frequency_differences(self) -> np.ndarray:
        """(k',) NRED, the relative frequency differences."""
        return relative_frequency_differences(self.reduced_frequencies, self.full_frequencies)

    @property
    def admissible_step(self) -> float:
        """Largest time step that resolves the highest frequency of the free reduced body; infinite without one."""
        return admissible_step(self.highest_frequency) if self.highest_frequency else float("inf")

    @property
    def mass_shares(self) -> np.ndarray:
        """(h, 6) effective masses as shares of the body's."""
        # Nodes on one line that cannot turn have no inertia about it.
        return np.asarray(self.held_masses / np.where(self.body_masses > 0.0, self.body_masses, np.inf))


def measure_basis(
    interior: InteriorProblem, basis: ReductionBasis, frequencies: np.ndarray, modes: np.ndarray
) -> BasisQuality:
    """Return the measures of a basis.

    Args:
        interior: the body.
        basis: its trial vectors, in the Buckens frame.
        frequencies, modes: (k,) and (n_dofs, k) of the free full model, see `quality.free_frequencies`.
    """
    matrices, vectors = interior.matrices, basis.modes
    stiffness = vectors.T @ (matrices.stiffness @ vectors)
    mass = vectors.T @ (matrices.mass @ vectors)
    found, shapes = ritz_modes(stiffness, mass)
    # Motions of parts that only contact holds are left out, here as in the full model.
    most = min(interior.loose_motions.shape[1], len(found)) if len(frequencies) else 0
    loose = int((found[:most] < _LOOSE * frequencies[0]).sum()) if most else 0
    found, shapes = found[loose:], shapes[:, loose:]
    kept = min(len(frequencies), len(found))
    held_frequencies, held_masses, body_masses = _held(interior, vectors, stiffness, mass)
    return BasisQuality(
        full_frequencies=frequencies.copy(),
        reduced_frequencies=found[:kept],
        assurance=modal_assurance(modes, vectors @ shapes[:, :kept], matrices.mass),
        held_frequencies=held_frequencies,
        held_masses=held_masses,
        body_masses=body_masses,
        stiffness_condition=condition_number(stiffness),
        mass_condition=condition_number(mass),
        highest_frequency=float(found[-1]) if len(found) else 0.0,
    )


def _held(
    interior: InteriorProblem, vectors: np.ndarray, stiffness: np.ndarray, mass: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return frequencies and effective masses with the interface dofs at rest, and the body's masses.

    The coordinates are those of the trial vectors, then the rigid body motions that are orthonormal in the mass. In
    the Buckens frame the two are orthogonal in mass and stiffness.
    """
    matrices, rigid, at = interior.matrices, interior.rigid_modes, interior.interface_dofs
    count = rigid.shape[1]
    mass, stiffness = la.block_diag(mass, np.eye(count)), la.block_diag(stiffness, np.zeros((count, count)))
    lengths = 1.0 / np.sqrt(np.diag(mass))
    rows = np.hstack([vectors[at], rigid[at]]) * lengths
    resting = np.diag(lengths)
    if len(at):  # scaled, so that a rotation counts as much as a displacement
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        resting = lengths[:, None] * la.null_space(rows, rcond=_RANK)
    frequencies, shapes = ritz_modes(resting.T @ stiffness @ resting, resting.T @ mass @ resting)
    free = 6 - interior.n_held_motions  # rigid motions that the interface leaves are no vibrations
    frequencies, shapes = frequencies[free:], shapes[:, free:]

    # Unit rigid motions about the centre of mass, in the coordinates of the orthonormal motions.
    unit = rigid_body_modes(interior.nodes, matrices.dofs)
    centre = centre_of_mass(unit.T @ (matrices.mass @ unit))
    unit = rigid_body_modes(interior.nodes, matrices.dofs, centre)
    motion = np.vstack([np.zeros((vectors.shape[1], 6)), rigid.T @ (matrices.mass @ unit)])
    masses = effective_masses(resting @ shapes, mass, motion)
    return frequencies, masses, np.diag(motion.T @ mass @ motion).copy()
