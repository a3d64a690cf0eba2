"""Joint modes from contact equilibria under many loads, instead of derivatives at the undeformed state."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import scipy.linalg as la
from pydantic import field_validator

from faying.errors import ModelError
from faying.joints.ties import surface_stiffness
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.condensed import CondensedContact
from faying.reduction.contact_fields import linear_contact_loads
from faying.reduction.energy_coordinates import EnergyCoordinates, ShapeProducts
from faying.reduction.energy_orthonormal import orthonormal_combinations
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.joint_modes._counted import CountedModes
from faying.reduction.orthogonal import with_largest_positive
from faying.reduction.problem import JointModeProblem
from faying.reduction.response_shapes import DEPENDENT, response_shapes
from faying.reduction.snapshot_loads import (
    SHARES,
    SURFACE_SHARE,
    MountedState,
    SnapshotLoads,
    mounted_states,
    snapshot_loads,
    vectors_of,
)
from faying.reduction.tvd import AMPLITUDES

_LEAST_SPAN, _SPAN_FOR_RATIO = 60, 120
_NOTHING = 1e-9  # singular values below this share of the largest are round-off
_DEPENDENT = 1e-8  # energy of a response's part outside of the trial vectors, relative to its own
_NOISE = 1e-4  # part of a snapshot outside of the trial vectors, relative to the largest, to be kept


@joint_mode_methods.register("equilibrium_snapshots")
class EquilibriumSnapshots(CountedModes):
    """POD of the part of contact equilibria outside the span of the trial vectors, in the elastic energy.

    Loads are the trial vectors' own in both directions, forces and moments at the interface nodes, and
    combinations of both. On a body with preload cases they act on top of the mounting forces, and a snapshot
    is the change from the mounted state; that state is held exactly where no preload mode is a trial vector. The first
    equilibria are found with the trial vectors alone; then the static responses to the contact forces found so far
    extend them, round after round.

    The first joint modes come from the responses to pressures that vary linearly over a joint, and to uniform shear;
    the others from the decomposition of the remainder. All are sorted by their share of the equilibria.

    Tried with 10 and 20 modes and dropped: no combinations (friction bar: 4 times the error under combined loads),
    snapshots that count by their size (preloaded bar: up to 5 times the error), a start from 220 trial vector
    derivatives (not better, dearer), ten times the contact stiffness (5 times the error). Without the linear fields
    20 modes miss 5 instead of 0.7 % of the gaps between two blocks that are pressed together.
    """

    title: ClassVar[str] = "POD of equilibrium snapshots"
    advice: ClassVar[str] = (
        "Gaps and pressures under many loads by few modes, from contact equilibria without friction: a joint that "
        "sticks is too stiff sideways. Blind to loads unlike those of the snapshots."
    )

    count: int = parameter(
        20, title="Joint modes", ge=0, le=2000,
        meaning="Number g of joint modes. The ratio w(g) is the share of the decomposed snapshots that they contain.",
    )  # fmt: skip
    combinations: int = parameter(
        64, title="Combined loads", ge=0, le=10_000,
        meaning="Number of combinations of loads besides the single ones; more of them serve loads of all kinds.",
    )  # fmt: skip
    amplitudes: tuple[float, ...] = parameter(
        AMPLITUDES, title="Deflections of open joints", advanced=True,
        meaning="For joints with initial gaps: how far each load closes them, as multiples of the largest initial gap.",
    )  # fmt: skip
    shares: tuple[float, ...] = parameter(
        SHARES, title="Loads of mounted joints", advanced=True,
        meaning="For bodies with preload cases: how large each load is, by how much it would change the contact forces "
        "if no pair opened, in multiples of those of the preload.",
    )  # fmt: skip
    contact_stiffness: float = parameter(
        0.0, title="Contact stiffness", quantity="contact_stiffness", ge=0.0, advanced=True,
        meaning="Pressure over penetration in the snapshots, near that of the contact law; zero takes a tenth of "
        "the stiffness that the surface nodes have in the mesh.",
    )  # fmt: skip
    linear_fields: bool = parameter(
        True, title="Linear pressures and shear", advanced=True,
        meaning="Whether the responses to pressures that vary linearly over each joint, and to uniform shear, are "
        "among the joint modes where snapshots hold much of them. They bring the resultants of contact into balance.",
    )  # fmt: skip
    rounds: int = parameter(
        2, title="Rounds", ge=1, le=10, advanced=True,
        meaning="How often the equilibria are found again with the responses to the contact forces of the last ones.",
    )  # fmt: skip

    @field_validator("amplitudes", "shares")
    @classmethod
    def _positive(cls, sizes: tuple[float, ...]) -> tuple[float, ...]:
        if not sizes or min(sizes) <= 0.0:
            raise ValueError("sizes of loads are positive multiples, at least one")
        return tuple(sorted(set(sizes)))

    def build(self, problem: JointModeProblem, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
        """Return (joint modes (n_dofs, g), singular values of the snapshots, each of length one)."""
        if self.wants_none:
            return np.zeros((problem.interior.n_dofs, 0)), np.zeros(0)
        progress.report(0.0, "loads of the snapshots")
        stiffness = self.contact_stiffness or SURFACE_SHARE * surface_stiffness(
            problem.interior.matrices.stiffness, problem.gap_rows,
            problem.weights if problem.node_areas is None else problem.node_areas,
        )  # fmt: skip
        springs = stiffness * problem.weights
        snapshot_sets = [
            _Snapshots(
                springs, state,
                snapshot_loads(problem, springs, state, self.combinations, self.amplitudes, self.shares),
            )
            for state in mounted_states(problem, springs)
        ]  # fmt: skip
        span = _SPAN_FOR_RATIO if self.ratio else max(_LEAST_SPAN, 2 * self.count)

        vectors = vectors_of(problem)
        linear_loads = np.zeros((problem.interior.n_dofs, 0))
        if self.linear_fields:
            linear_loads = linear_contact_loads(problem)
        linear = (
            problem.interior.solve_free(linear_loads)
            if problem.free
            else problem.interior.solve(linear_loads)
        )
        of_vectors = ShapeProducts.of(problem, vectors)
        for k, snapshots in enumerate(snapshot_sets):
            share = _share(k, len(snapshot_sets), 0.02, 0.1)
            products = [each.T @ vectors for each in snapshots.acting]
            snapshots.find(of_vectors, products, PartialProgress(progress, *share, "first equilibria"))
        own, matrix = problem.trial_vectors, problem.interior.matrices.stiffness
        pulls = np.asarray(matrix @ vectors)
        own_pulls = pulls if own is vectors else np.asarray(matrix @ own)
        acting = [each for snapshots in snapshot_sets for each in snapshots.acting]
        for turn in range(self.rounds):
            begin, end = 0.1 + 0.8 * turn / self.rounds, 0.1 + 0.8 * (turn + 1) / self.rounds
            # Static responses to the leading contact forces extend the trial vectors.
            forces = np.hstack([snapshots.forces_by_load() for snapshots in snapshot_sets])
            if not forces.any():
                raise ModelError(
                    "No load of the snapshots changes the contact in the joint, so there are no joint modes.",
                    "Check the joint's surfaces and the interface nodes, or ask for no joint modes.",
                )
            left, values, _ = la.svd(forces, full_matrices=False)
            kept = np.flatnonzero(values > _NOTHING * values[0])[:span]
            part = PartialProgress(progress, begin, begin + 0.6 * (end - begin), "static responses")
            others = (
                [pulls, linear_loads, *acting]
                if own is vectors
                else [pulls, linear_loads, *acting, own_pulls]
            )
            responses = response_shapes(problem, linear_loads, linear, left[:, kept], others, part)
            on_vectors, on_linear, *on_acting = responses.products
            # The equilibria again, with these responses as further shapes.
            extended = ShapeProducts(
                np.block([[of_vectors.elastic, on_vectors], [on_vectors.T, np.eye(on_vectors.shape[1])]]),
                np.hstack([of_vectors.gaps, responses.gaps]),
                np.concatenate([of_vectors.alone, np.zeros(on_vectors.shape[1])]),
            )
            for k, snapshots in enumerate(snapshot_sets):
                ends = _share(k, len(snapshot_sets), begin + 0.6 * (end - begin), end)
                products = [
                    np.hstack([each.T @ vectors, on_acting[2 * k + i]])
                    for i, each in enumerate(snapshots.acting)
                ]
                snapshots.find(
                    extended, products, PartialProgress(progress, *ends, f"equilibria, round {turn + 1}")
                )

        # The part of each snapshot outside of the trial vectors, scaled to unit energy norm.
        trial = orthonormal_combinations(own.T @ own_pulls, DEPENDENT)
        on_own = on_vectors if own is vectors else responses.products[-1]
        common = trial.T @ on_own
        combinations = _outside(common)
        rows, of_linear = (
            combinations.T @ (on_responses - common.T @ (trial.T @ on_trial))
            for on_responses, on_trial in (
                (
                    np.hstack([on_vectors.T, np.eye(on_vectors.shape[1])]),
                    np.hstack([own_pulls.T @ vectors, on_own]),
                ),
                (on_linear.T, own_pulls.T @ linear),
            )
        )
        parts = np.hstack([rows @ snapshots.changes for snapshots in snapshot_sets])
        lengths = np.linalg.norm(parts, axis=0)
        sizes = lengths / np.concatenate([snapshots.loads.sizes for snapshots in snapshot_sets])
        kept = sizes > _NOISE * sizes.max(initial=0.0)
        parts = parts[:, kept] / lengths[kept]

        # Mounted states come first. Then linear fields and the decomposition of the rest, sorted by their energy.
        mounted = [
            rows @ snapshots.rest for snapshots in snapshot_sets if not snapshots.state.in_trial_vectors
        ]
        held = _directions(np.column_stack([np.zeros((len(parts), 0)), *mounted]))
        fixed = _directions(np.hstack([held, of_linear]))
        of_fixed = fixed.T @ parts
        left, values, _ = la.svd(parts - fixed @ of_fixed, full_matrices=False)
        values = np.concatenate([np.linalg.norm(of_fixed, axis=1), values])
        first = held.shape[1]
        order = np.concatenate([np.arange(first), first + np.argsort(-values[first:], kind="stable")])
        directions, values = np.hstack([fixed, left])[:, order], values[order]
        directions = directions[:, : self.kept(values)]
        last = PartialProgress(progress, 0.9, 1.0, "joint modes")
        modes = responses.combined(combinations @ directions, last)
        progress.report(1.0, self.title)
        return with_largest_positive(modes), values


class _Snapshots:
    """Contact equilibria under the loads around one state.

    Attributes:
        state, loads: the body before the loads, and the loads.
        changes: (r', N) coefficients of the last shapes in the changes from the mounted state.
        rest: (r',) coefficients of these shapes in the mounted state itself.
    """

    def __init__(self, springs: np.ndarray, state: MountedState, loads: SnapshotLoads) -> None:
        self._springs, self.state, self.loads = springs, state, loads
        self._forces = np.zeros((len(springs), 0))
        self._mounted = np.zeros(len(springs))
        self.changes, self.rest = np.zeros((0, 0)), np.zeros(0)

    def forces_by_load(self) -> np.ndarray:
        """Return (n_pairs, N) changes of the contact forces, each divided by the size of its load."""
        return np.asarray((self._forces - self._mounted[:, None]) / self.loads.sizes)

    @property
    def acting(self) -> tuple[np.ndarray, np.ndarray]:
        """Forces: (n_dofs, 1) those of the mounted state, and (n_dofs, k) the single loads."""
        return self.state.force[:, None], self.loads.forces

    def find(self, shapes: ShapeProducts, products: Sequence[np.ndarray], progress: Progress) -> None:
        """Find the equilibria in the span of r' shapes, starting from those found before, if any.

        Args:
            shapes: energies and gaps of the r' shapes.
            products: (1, r') and (k, r') work of the forces in `acting` on the shapes.
            progress: reports and cancels.
        """
        state, number = self.state, self.loads.mixtures.shape[1]
        joined = state.touching if state.is_mounted else np.ones(len(self._springs), bool)
        body = EnergyCoordinates(shapes, self._springs, joined)
        contact = CondensedContact(body.gaps, self._springs, state.initial_gaps)
        loads = body.of_loads(products[1].T @ self.loads.mixtures)
        mounting = body.of_loads(products[0].T)[:, 0]
        rest, self._mounted = np.zeros_like(mounting), np.zeros(len(self._springs))
        if state.is_mounted:
            rest, self._mounted = contact.equilibrium(mounting, state.touching)

        near = self._forces > 0 if self._forces.shape[1] else np.tile(state.touching[:, None], number)
        found, self._forces = contact.equilibria(mounting[:, None] + loads, near, progress)
        self.changes, self.rest = body.amplitudes @ (found - rest[:, None]), body.amplitudes @ rest


def _share(k: int, count: int, begin: float, end: float) -> tuple[float, float]:
    """Return where the k-th of equal parts between two fractions begins and ends."""
    return begin + (end - begin) * k / count, begin + (end - begin) * (k + 1) / count


def _directions(columns: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis of columns (s, k) by Gram-Schmidt; dependent columns are left out."""
    found = np.zeros((len(columns), 0))
    for column in columns.T:
        rest = column - found @ (found.T @ column)
        rest -= found @ (found.T @ rest)
        if np.linalg.norm(rest) > _NOISE * np.linalg.norm(column):
            found = np.column_stack([found, rest / np.linalg.norm(rest)])
    return found


def _outside(common: np.ndarray) -> np.ndarray:
    """Return combinations (s', s) of responses whose parts outside of the trial vectors are orthonormal in the energy.

    Args:
        common: (r, s') products of trial vectors and responses in the energy, in which both are orthonormal.
    """
    values, directions = la.eigh(np.eye(common.shape[1]) - common.T @ common)
    kept = values > _DEPENDENT * values[-1]
    return np.asarray(directions[:, kept] / np.sqrt(values[kept]))
