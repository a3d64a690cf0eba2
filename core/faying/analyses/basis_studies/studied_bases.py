"""Computation of the points of a reduction study: bases of one body, each measured against the FE model."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as la

from faying.errors import ModelError, ReadError, SolveError
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairs import ContactPairs
from faying.linalg.background import patiently
from faying.progress import PartialProgress, Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.basis_quality import measure_basis
from faying.reduction.dof_choice import spread_dofs
from faying.reduction.free_modes import free_free_modes
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import ReductionMethod
from faying.reduction.quality import (
    admissible_step,
    modal_transfer,
    relative_frequency_differences,
    ritz_modes,
    subspace_assurance,
    transfer_error,
)
from faying.reduction.responses import DeformationResponses, free_responses

MEASURES = (
    "order", "largest transfer error", "mean transfer error", "first transfer error", "NRED", "MAC",
    "effective mass x", "effective mass y", "effective mass z", "highest frequency", "admissible step",
    "reduction time", "time per second",
)  # fmt: skip
_MOST_PAIRS = 12  # dofs up to which transfer functions of all pairs are kept; of more, only the diagonal
_SHOWN = 0.01  # of the body's size: largest displacement of a shape that is shown
_TIMED, _FEWEST = 0.02, 20  # shortest time in s, and fewest steps, for measuring the time of a step
_COMPONENTS = ("ux", "uy", "uz", "rx", "ry", "rz")

Dof = tuple[int, int]  # row of a node, component 1 … 6


@dataclass(frozen=True, eq=False)
class Reference:
    """The FE model in the frequency range, against which bases are compared.

    Attributes:
        frequencies, modes: (m,) and (n_dofs, m) vibration modes of the free body in the range, mass-normalised.
        below: number of vibration modes below the range.
        at: (k,) frequencies at which transfer functions are compared.
        transfer: (k, p, p) complex, of deformations between the dofs of interest.
    """

    frequencies: np.ndarray
    modes: np.ndarray
    below: int
    at: np.ndarray
    transfer: np.ndarray


@dataclass(frozen=True, eq=False)
class MeasuredBasis:
    """Results of one point of the study.

    Attributes:
        measures: (len(MEASURES),) numbers, in the order of `MEASURES`.
        error: (k,) transfer error over frequency.
        responses: (k, entries, 2) real and imaginary part of the transfer functions that are kept.
        differences: (m,) NRED of the modes in the range; NaN for those that the basis does not have.
        assurance: (m,) modal assurance of these, of subspaces where frequencies are repeated.
        shape: (n_dofs,) the basis' mode in the range with the largest frequency error; zero if it has none.
        kept: whether it comes from an interrupted run.
    """

    measures: np.ndarray
    error: np.ndarray
    responses: np.ndarray
    differences: np.ndarray
    assurance: np.ndarray
    shape: np.ndarray
    kept: bool = False


@dataclass(frozen=True)
class BasisPoint:
    """A basis to be measured; `further` is its number of further interface dofs, −1 for all that the body gives."""

    number: int
    name: str
    method: ReductionMethod
    further: int = 0


class StudiedBody:
    """A body whose bases are measured; it is pickled without its factors, which each process computes for itself.

    Args:
        interior: the body held at all its interface nodes.
        of_interest: numbers of the nodes that are loaded and evaluated, and are interface nodes for all methods.
        names: of all interface nodes.
        damping: α and β of the compared responses, as `faying.reduction.responses` names them.

    Attributes:
        dofs: (p,) displacements of the nodes of interest, where unit forces act and motions are compared.
        dof_names: "A uy", …
        further: interface dofs of methods that need more, the best ones first; see `with_further`.
        given: how many of these belong to interface nodes of the body.
    """

    def __init__(
        self,
        interior: InteriorProblem,
        of_interest: Sequence[int],
        names: Sequence[str],
        damping: dict[str, float],
    ) -> None:
        self._whole, self._damping = interior, damping
        self._nodes = [int(node) for node in interior.interface_nodes]
        self._names = dict(zip(self._nodes, names, strict=True))
        self._base = [(self._nodes[i], c) for i in of_interest for c in self._components(i)]
        others = [i for i in range(len(self._nodes)) if i not in set(of_interest)]
        self.further: list[Dof] = [(self._nodes[i], c) for i in others for c in self._components(i)]
        self.given = len(self.further)
        self._interiors: dict[int, tuple[InteriorProblem, float]] = {}
        base = self._with(0)
        moving = [i for i, (_, c) in enumerate(self._base) if c <= 3]
        self.dofs = base.interface_dofs[moving]
        self.dof_names = tuple(self.name_of(self._base[i]) for i in moving)

    def __getstate__(self) -> dict[str, Any]:
        """Return the body for another process."""
        return {**self.__dict__, "_interiors": {}}

    @property
    def n_base(self) -> int:
        """Number of interface dofs of the nodes of interest, which all methods have."""
        return len(self._base)

    @property
    def matrices(self) -> Any:
        """Stiffness and mass of the FE model."""
        return self._whole.matrices

    @property
    def entries(self) -> np.ndarray:
        """(e, 2) pairs of dofs whose transfer functions are kept: motion of the first, force at the second."""
        return entries_of(len(self.dofs))

    def name_of(self, dof: Dof) -> str:
        """Return "A uy" for a dof of an interface node, "node 12 uy" for another one."""
        node, component = dof
        own = self._names.get(node, f"node {self._whole.node_ids[node]}")
        return f"{own} {_COMPONENTS[component - 1]}"

    def place_of(self, dof: Dof) -> np.ndarray:
        """Return (3,) coordinates of a dof's node."""
        return np.asarray(self._whole.nodes[dof[0]])

    def with_further(
        self, count: int, responses: DeformationResponses, nodes: np.ndarray, progress: Progress
    ) -> None:
        """Choose interface dofs beyond those of the body's interface nodes.

        Args:
            count: wanted number of all further interface dofs.
            responses: of the FE model, whose modes are used.
            nodes: rows of the nodes where they may be.
            progress: reports and cancels.
        """
        if count <= self.given:
            return
        interior, _ = self.interior(0, progress)
        needed = len(self._base) + count
        modes, frequencies = responses.modes, responses.frequencies
        if modes.shape[1] < needed:
            modes = free_free_modes(interior, needed, progress)
            squares = np.einsum("ij,ij->j", modes, self.matrices.stiffness @ modes)
            frequencies = np.sqrt(squares) / (2.0 * np.pi)
        first = self._with(self.given)
        self.further += spread_dofs(first, modes, frequencies, count - self.given, nodes)

    def interior(self, further: int, progress: Progress) -> tuple[InteriorProblem, float]:
        """Return the body with this number of further interface dofs, factored, and the processor time for it in s.

        Constraint modes are made too: all methods need them, if only for the flexibility of the free body.
        """
        if further not in self._interiors:
            began = time.process_time()
            interior = self._with(further)
            interior.prepare(PartialProgress(progress, 0.0, 0.8, "factorisation"))
            patiently(interior.constraint_modes, progress, 0.8, "constraint modes")
            self._interiors[further] = interior, time.process_time() - began
        return self._interiors[further]

    def reference(
        self, lowest: float, highest: float, points: int, progress: Progress
    ) -> tuple[Reference, DeformationResponses]:
        """Return the FE model's modes and transfer functions in a frequency range, and all its responses.

        Raises:
            SolveError: when parts of the body can move apart.
        """
        interior, _ = self.interior(0, PartialProgress(progress, 0.0, 0.4))
        loads = np.zeros((interior.n_dofs, len(self.dofs)))
        loads[self.dofs, np.arange(len(self.dofs))] = 1.0
        part = PartialProgress(progress, 0.4, 0.9, "FE model")
        responses = free_responses(interior, loads, highest, part, **self._damping)
        every = responses.frequencies
        inside = (every >= lowest) & (every <= highest)
        at = np.linspace(lowest, highest, points)
        if any(self._damping.values()):  # without damping, nothing is compared where all is infinite
            at = np.unique(np.concatenate([at, every[inside]]))
        progress.report(0.9, "transfer functions of the FE model")
        transfer = responses.transfer(self.dofs, at)
        found = Reference(
            every[inside], responses.modes[:, inside], int((every < lowest).sum()), at, transfer
        )
        return found, responses

    def of_full(self, reference: Reference) -> MeasuredBasis:
        """Return the FE model as a point of the study."""
        measures = np.full(len(MEASURES), np.nan)
        measures[MEASURES.index("order")] = self._whole.n_dofs
        m = len(reference.frequencies)
        shape = reference.modes[:, 0] if m else np.zeros(self._whole.n_dofs)
        return MeasuredBasis(
            measures,
            np.zeros(len(reference.at)),
            self._kept(reference.transfer),
            np.zeros(m),
            np.ones(m),
            shape,
        )

    def measured(self, basis: ReductionBasis, reference: Reference, seconds: float) -> MeasuredBasis:
        """Return the measures of a basis.

        Args:
            basis: in the Buckens frame.
            reference: the FE model.
            seconds: processor time of its reduction.
        """
        interior, vectors = self._interiors[0][0], basis.modes
        stiffness, mass = (vectors.T @ (m @ vectors) for m in (self.matrices.stiffness, self.matrices.mass))
        frequencies, shapes = ritz_modes(stiffness, mass)
        transfer = modal_transfer(frequencies, (vectors[self.dofs] @ shapes), reference.at, **self._damping)
        error = transfer_error(transfer, reference.transfer)

        # The modes in the range, each with the one of the same number.
        count = len(reference.frequencies)
        own = frequencies[reference.below : reference.below + count]
        modes = vectors @ shapes[:, reference.below : reference.below + count]
        differences = np.full(count, np.nan)
        differences[: len(own)] = relative_frequency_differences(own, reference.frequencies)
        assurance = subspace_assurance(reference.modes, modes, reference.frequencies, self.matrices.mass)
        shape = np.zeros(len(vectors))
        if len(own):
            shape = modes[:, int(np.argmax(differences[: len(own)]))]

        quality = measure_basis(interior, basis, reference.frequencies, reference.modes)
        step = admissible_step(quality.highest_frequency)
        measures = [
            len(frequencies), error.max(), error.mean(), error[0],
            np.nan if np.isnan(differences).all() else np.nanmax(np.abs(differences)),
            assurance.min() if count else np.nan,
            *quality.mass_shares.sum(axis=0)[:3], quality.highest_frequency, step, seconds,
            _time_of_step(stiffness, mass, step) / step,
        ]  # fmt: skip
        return MeasuredBasis(
            np.array(measures, float), error, self._kept(transfer), differences, assurance, shape
        )

    def build(self, point: BasisPoint, progress: Progress) -> tuple[ReductionBasis, float]:
        """Return the basis of a point, and its processor time in s, including that of the factor."""
        self.interior(0, PartialProgress(progress, 0.0, 0.2))
        further = self.given if point.further < 0 else min(point.further, len(self.further))
        interior, factoring = self.interior(further, PartialProgress(progress, 0.2, 0.4))
        began = time.process_time()
        basis = point.method.build(interior, PartialProgress(progress, 0.4, 0.9))
        return basis, factoring + time.process_time() - began

    def _components(self, number: int) -> tuple[int, ...]:
        node = self._nodes[number]
        there = len(self._whole.matrices.dofs.node_rows(node))
        return tuple(c for c in self._whole.components[number] if c <= there)

    def _with(self, further: int) -> InteriorProblem:
        """Return the body with the dofs of interest and this number of further interface dofs."""
        chosen: dict[int, list[int]] = {}
        for node, component in [*self._base, *self.further[:further]]:
            chosen.setdefault(node, []).append(component)
        return self._whole.with_interface(list(chosen), [tuple(sorted(c)) for c in chosen.values()])

    def _kept(self, transfer: np.ndarray) -> np.ndarray:
        """Return (k, e, 2) of the entries that are kept."""
        entries = transfer[:, self.entries[:, 0], self.entries[:, 1]]
        return np.stack([entries.real, entries.imag], axis=-1)


def entries_of(count: int) -> np.ndarray:
    """Return (e, 2) pairs of `count` dofs whose transfer functions are kept; each once, as they are symmetric."""
    if count > _MOST_PAIRS:
        return np.repeat(np.arange(count)[:, None], 2, axis=1)
    return np.stack(np.tril_indices(count), axis=1)


@dataclass(frozen=True, eq=False)
class StudyOfBases:
    """The data that all points of a study need."""

    body: StudiedBody
    reference: Reference


def measure_point(
    study: StudyOfBases, point: BasisPoint, progress: Progress
) -> Iterator[tuple[int, MeasuredBasis | tuple[str, str]]]:
    """Yield the number of a point and its results, or sentence and hint why its basis cannot be computed."""
    part = PartialProgress(progress, 0.0, 1.0, point.name)
    try:
        basis, seconds = study.body.build(point, part)
        found = patiently(
            lambda: study.body.measured(basis, study.reference, seconds), part, 0.9, "comparison"
        )
    except (ModelError, SolveError, ReadError) as error:
        yield point.number, (error.message, error.hint)
    else:
        yield point.number, found


@dataclass(frozen=True, eq=False)
class ShownShapes:
    """Makes frames of mode shapes: displacements of all nodes, and gaps and slips of the joints."""

    displacements: Any
    rows: tuple[tuple[str, Any, Any, np.ndarray], ...]
    size: float

    @classmethod
    def of(cls, nodes: np.ndarray, matrices: Any, pairs: Sequence[tuple[str, ContactPairs]]) -> "ShownShapes":
        """Return the maker of frames for a body with these joints."""
        rows = tuple(
            (name, gap_rows(p, matrices.dofs), slip_rows(p, matrices.dofs), p.initial_gaps)
            for name, p in pairs
        )
        return cls(matrices.dofs.displacement_rows, rows, float(np.linalg.norm(np.ptp(nodes, axis=0))))

    def frame(self, shape: np.ndarray) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, np.ndarray]]]:
        """Return (3 n_nodes,) displacements, and by joint gaps (n,) and slips (n, 2), of a scaled shape (n_dofs,)."""
        moved = np.asarray(self.displacements @ shape)
        largest = np.abs(moved).max(initial=0.0)
        factor = _SHOWN * self.size / largest if largest else 0.0
        joints = {
            name: (gaps + factor * (normal @ shape), factor * (tangential @ shape).reshape(-1, 2))
            for name, normal, tangential, gaps in self.rows
        }
        return factor * moved, joints


def _time_of_step(stiffness: np.ndarray, mass: np.ndarray, step: float) -> float:
    """Return the seconds of an implicit step (Newmark 1959, constant average acceleration) of the linear body."""
    n = len(mass)
    factor = la.lu_factor(mass + 0.25 * step**2 * stiffness)
    load = np.ones(n) / np.sqrt(n)
    u, v, a = np.zeros(n), np.zeros(n), la.solve(mass, load)
    count, began = 0, time.process_time()
    while count < _FEWEST or time.process_time() < began + _TIMED:
        predicted = u + step * v + 0.25 * step**2 * a
        new = la.lu_solve(factor, load - stiffness @ predicted, check_finite=False)
        v = v + 0.5 * step * (a + new)
        u, a = predicted + 0.25 * step**2 * new, new
        count += 1
    return (time.process_time() - began) / count
