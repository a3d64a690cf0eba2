"""The interior problem: the body held at its interface nodes, factored once for all static responses.

The interface nodes need not hold the body: there may be none, one without rotations, several on a line. The motions
that they leave free are then held by as many supports elsewhere. Loads in balance with respect to these motions cause
no reaction there, so results do not depend on the choice of supports.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import ModelError, SolveError
from faying.fem.assembly import rigid_body_modes
from faying.fem.matrices import StructuralMatrices
from faying.linalg.factor import Factor, factorize
from faying.linalg.freed_memory import give_back_freed_memory
from faying.linalg.room import free_memory
from faying.linalg.symmetric import SymmetricPart
from faying.progress import Progress, Silent
from faying.records import freeze

ALL_COMPONENTS = (1, 2, 3, 4, 5, 6)
# Elastic energy of a motion v, relative to Σ |K_ii| v_i², below which it is round-off of a rigid motion.
ROUND_OFF = 1e-14
_ROUND_OFF = 1e-11
_COMPONENT_NAMES = ("ux", "uy", "uz", "rx", "ry", "rz")


class InteriorProblem:
    """K_II and everything around it: the stiffness with all interface dofs held (x_B = 0).

    The trial vector derivatives span, together with the component modes, the same space for every
    statically admissible support; with x_B = 0 the factor of the Craig-Bampton method serves both.

    Args:
        matrices: stiffness, mass, dof map, constraints of the free body.
        nodes: (n_nodes, 3) coordinates.
        interface_nodes: (k,) rows of the interface nodes; there may be none.
        components: which of the dofs 1 … 6 of each node are interface dofs; all without it. A node without
            rotations has only the first three.
        loose_parts: names of parts that no interface node holds and only contact joins to the rest; for the
            message when the stiffness is singular.
        node_ids: (n_nodes,) the deck's node numbers; 1 … n without it.

    Raises:
        ModelError: when an interface node is itself moved by a coupling, or a dof is named twice.

    Attributes:
        interface_dofs: (n_B,) the dofs of the interface nodes.
        interface_dof_names: their names, "node 12 uz".
        components: which of the dofs 1 … 6 of each node are interface dofs.
        solver, entries: name of the solver and number of entries of the factor; "" and 0 before the first one.
    """

    def __init__(
        self,
        matrices: StructuralMatrices,
        nodes: np.ndarray,
        interface_nodes: np.ndarray,
        components: Sequence[tuple[int, ...]] | None = None,
        loose_parts: Sequence[str] = (),
        node_ids: np.ndarray | None = None,
    ) -> None:
        self.matrices, self.nodes = matrices, nodes
        self.node_ids = np.arange(1, len(nodes) + 1) if node_ids is None else np.asarray(node_ids)
        self.interface_nodes = np.asarray(interface_nodes, dtype=np.int64)
        chosen = list(components or [ALL_COMPONENTS] * len(self.interface_nodes))
        self.components = chosen
        of_nodes = [self._dofs_of(int(n), some) for n, some in zip(self.interface_nodes, chosen, strict=True)]
        self.interface_dofs = np.concatenate([np.zeros(0, np.int64), *of_nodes])
        self.interface_dof_names = [
            f"node {self.node_ids[node]} {_COMPONENT_NAMES[c - 1]}"
            for node, some, dofs in zip(self.interface_nodes, chosen, of_nodes, strict=True)
            for c in some[: len(dofs)]
        ]
        self._refuse_repeated()
        self._loose_parts = tuple(loose_parts)
        self._progress: Progress = Silent()
        self.solver, self.entries = "", 0

    def __getstate__(self) -> dict[str, Any]:
        """Return the problem for another process, without the factor, which it has to compute for itself."""
        mine = {name: value for name, value in self.__dict__.items() if name != "factor"}
        return {**mine, "_progress": Silent()}

    def with_interface(
        self, nodes: Sequence[int], components: Sequence[tuple[int, ...]]
    ) -> "InteriorProblem":
        """Return the problem of the same body with other interface nodes (rows) and components of them."""
        rows = np.array(nodes, np.int64)
        return InteriorProblem(self.matrices, self.nodes, rows, components, self._loose_parts, self.node_ids)

    @property
    def n_dofs(self) -> int:
        """Number of independent dofs of the whole body."""
        return self.matrices.dofs.n_dofs

    @cached_property
    def _free_shapes(self) -> np.ndarray:
        """(n_dofs, p) rigid body motions, as lengths, under which no interface dof moves."""
        middle = self.nodes.mean(axis=0)
        motions = rigid_body_modes(self.nodes, self.matrices.dofs, middle)
        motions[:, 3:] /= np.linalg.norm(self.nodes - middle, axis=1).max() or 1.0
        shapes = motions @ free_directions(motions[self.interface_dofs])
        shapes[self.interface_dofs] = 0.0
        # Nodes on one line that cannot turn, as of springs, have no motion about it.
        return np.asarray(shapes[:, np.abs(shapes).max(axis=0, initial=0.0) > _ROUND_OFF])

    @property
    def holds_body(self) -> bool:
        """Whether the interface dofs hold the body against all rigid body motions."""
        return not self._free_shapes.shape[1]

    @property
    def n_held_motions(self) -> int:
        """Number of the six rigid body motions that the interface dofs hold."""
        return 6 - int(self._free_shapes.shape[1])

    @cached_property
    def free_motions(self) -> np.ndarray:
        """(n_dofs, p) the rigid body motions that the interface dofs leave free, orthonormal in the mass."""
        shapes = self._free_shapes
        lower = np.linalg.cholesky(shapes.T @ (self.inertia @ shapes))
        return np.linalg.solve(lower, shapes.T).T

    @cached_property
    def held_dofs(self) -> np.ndarray:
        """(n_B + p,) the interface dofs, and supports against the motions that these leave free."""
        shapes, matrices = self._free_shapes, self.matrices
        if not shapes.shape[1]:
            return self.interface_dofs
        # Supports hold single displacements of nodes; dofs in constraint equations are not suitable.
        own = matrices.dofs.own_rows
        allowed = (own >= 0) & (own < 3 * len(self.nodes))
        allowed[matrices.constraints.indices] = False
        allowed[self.interface_dofs] = False
        supports = determinate_supports(shapes, matrices.stiffness.diagonal(), allowed)
        return np.concatenate([self.interface_dofs, supports])

    @cached_property
    def interior_dofs(self) -> np.ndarray:
        """(n_I,) the dofs that are not held."""
        return np.setdiff1d(np.arange(self.n_dofs), self.held_dofs)

    @cached_property
    def factor(self) -> Factor:
        """The factor of K_II (with the constraints of distributing couplings, if any)."""
        inner = self.interior_dofs
        constraints = self.matrices.constraints[:, inner] if self.matrices.constraints.shape[0] else None
        try:
            factor = factorize(
                SymmetricPart(self.matrices.stiffness, inner),
                constraints,
                progress=self._progress,
                near_null=lambda: rigid_body_modes(self.nodes, self.matrices.dofs, self.nodes.mean(axis=0))[
                    inner
                ],
            )
        except SolveError as error:
            loose = f": {' and '.join(self._loose_parts)}" if self._loose_parts else ""
            what = (
                f"The body held at its interface nodes can still move{loose}"
                if self.holds_body
                else f"The body is not of one piece, its parts can move against each other{loose}"
            )
            raise SolveError(
                f"{what}. Its stiffness is singular.",
                "A part that touches the others by contact alone needs an interface node of its own, "
                "a coupling or a beam to the rest, or weak ties in its joints (weak_ties of the body).",
            ) from error
        self.solver, self.entries = factor.backend, int(factor.entries)
        return factor

    def spare_factor(self) -> None:
        """Drop the factor if less than twice its memory is free; the next solution computes it again."""
        if "factor" in self.__dict__ and 16.0 * self.entries > free_memory():
            del self.__dict__["factor"]
            give_back_freed_memory()

    def prepare(self, progress: Progress) -> None:
        """Compute the factor now, with progress; `Cancelled` leaves the problem as it was."""
        self._progress = progress
        try:
            factor: Any = self.factor
        finally:
            self._progress = Silent()
        # Each stage that solves records the residual of an iterative solver.
        if getattr(factor, "residual", None) is not None:
            progress.report(1.0, solver=factor.backend, residual=factor.residual)

    def solve(self, loads: np.ndarray) -> np.ndarray:
        """Return (n_dofs, k) displacements under loads (n_dofs, k) with all interface dofs held.

        If these do not hold the body, the loads must be in balance with respect to the `free_motions`, and the
        displacements are determined up to such motions.
        """
        out = np.zeros((self.n_dofs, loads.shape[1]))
        out[self.interior_dofs] = self.factor.solve(loads[self.interior_dofs])
        return out

    def constraint_modes(self) -> np.ndarray:
        """Return Φ_S (n_dofs, n_B): static shapes under a unit motion of each interface dof (thesis eq. 2.83).

        If the interface dofs do not hold the body, the shapes are determined up to the `free_motions`.
        """
        return self._constraint_modes

    @cached_property
    def _constraint_modes(self) -> np.ndarray:
        inner, outer = self.interior_dofs, self.interface_dofs
        if not len(outer):
            return np.zeros((self.n_dofs, 0))
        stiffness, constraints = self.matrices.stiffness, self.matrices.constraints
        coupling = (
            stiffness[outer][:, inner].toarray().T
        )  # symmetric: few rows are quicker to find than columns
        modes = np.zeros((self.n_dofs, len(outer)))
        modes[outer, np.arange(len(outer))] = 1.0
        if constraints.shape[0]:
            modes[inner] = self.factor.solve(-coupling, -constraints[:, outer].toarray())
        else:
            modes[inner] = self.factor.solve(-coupling)
        freeze(modes)
        return modes

    def solve_free(self, loads: np.ndarray, *, apart: bool = False) -> np.ndarray:
        """Return (n_dofs, k) elastic displacements of the free body under loads (n_dofs, k), in the Buckens frame.

        Loads that are not in balance accelerate the body; its inertia balances them (inertia relief). The factor of the
        held body is used; the reactions of its supports are released through the constraint modes.

        Args:
            loads: see above.
            apart: whether parts may move apart without any force (`loose_motions`); inertia then balances each.

        Raises:
            SolveError: when parts can move apart and `apart` is false.
        """
        flexibility, loose = self._interface_flexibility
        if loose.shape[1] and not apart:
            raise _not_one_piece()
        free = [self.rigid_modes, self.loose_motions] if loose.shape[1] else [self.rigid_modes]
        balanced = loads
        for motions in free:
            balanced = balanced - self.inertia @ (motions @ (motions.T @ loads))
        shapes = self.constraint_modes()
        answer = self.solve(balanced) + shapes @ flexibility @ (shapes.T @ balanced)
        answer = self.without_rigid_content(answer)
        if loose.shape[1]:
            answer = answer - self.loose_motions @ (self.loose_motions.T @ (self.inertia @ answer))
        return np.asarray(answer)

    @cached_property
    def loose_motions(self) -> np.ndarray:
        """(n_dofs, k) zero-energy motions of parts relative to each other, without those of the whole body.

        They are orthonormal in the mass, and orthogonal to the rigid body motions. A part that only contact holds has
        six of them, a cut bolt one; mostly there are none.
        """
        motions = self.without_rigid_content(self.constraint_modes() @ self._interface_flexibility[1])
        lower = np.linalg.cholesky(motions.T @ (self.inertia @ motions))
        return np.linalg.solve(lower, motions.T).T

    @cached_property
    def _interface_flexibility(self) -> tuple[np.ndarray, np.ndarray]:
        """Inverse (n_B, n_B) of the stiffness condensed to the interface dofs, on the elastic motions.

        With it the zero-energy motions (n_B, k) of the interface dofs, without the rigid ones.
        """
        shapes, stiffness = self.constraint_modes(), self.matrices.stiffness
        if not shapes.shape[1]:
            return np.zeros((0, 0)), np.zeros((0, 0))
        condensed = shapes.T @ (stiffness @ shapes)
        # If the terms of these sums cancel, the remainder is round-off.
        alone, diagonal = stiffness.diagonal() @ shapes**2, np.diag(condensed)
        sizes = np.where(diagonal < _ROUND_OFF * alone, alone, diagonal)
        scale = 1.0 / np.sqrt(np.where(sizes > 0.0, sizes, 1.0))
        condensed = scale[:, None] * condensed * scale
        condensed = 0.5 * (condensed + condensed.T)
        whole, _, _ = la.qr(self.rigid_modes[self.interface_dofs] / scale[:, None], pivoting=True)
        rigid, rest = whole[:, : self.n_held_motions], whole[:, self.n_held_motions :]
        values, vectors = np.linalg.eigh(rest.T @ condensed @ rest)
        loose = rest @ vectors[:, values < _ROUND_OFF]
        # A unit stiffness on rigid and loose motions makes it regular; responses to balanced loads stay the same.
        regular = condensed + rigid @ rigid.T + loose @ loose.T
        return scale[:, None] * np.linalg.inv(regular) * scale, scale[:, None] * loose

    @cached_property
    def inertia(self) -> sp.csr_matrix:
        """(n_dofs, n_dofs) the mass, in which motions are orthonormal and which balances loads.

        The unit matrix where the mass hinders not all rigid body motions, as of a deck without densities: statics of
        the unreduced body, which does without, then still has a frame. A reduction refuses such a body.
        """
        mass = self.matrices.mass
        rigid = rigid_body_modes(self.nodes, self.matrices.dofs, self.nodes.mean(axis=0))
        rigid = rigid[
            :, np.abs(rigid).max(axis=0, initial=0.0) > 0.0
        ]  # nodes on one line may not turn about it
        of_rigid = rigid.T @ (mass @ rigid)
        sizes = np.sqrt(np.diag(of_rigid))
        if (sizes > 0.0).all() and np.linalg.eigvalsh(of_rigid / np.outer(sizes, sizes))[0] > ROUND_OFF:
            return mass
        return sp.identity(mass.shape[0], format="csr")

    @cached_property
    def rigid_modes(self) -> np.ndarray:
        """(n_dofs, 6) rigid body motions, orthonormal in the mass; fewer where nothing turns about a line of nodes."""
        rigid = rigid_body_modes(self.nodes, self.matrices.dofs)
        of_rigid = rigid.T @ (self.inertia @ rigid)
        sizes = np.sqrt(np.diag(of_rigid))
        unit = sizes / np.where(sizes > 0.0, sizes, 1.0) ** 2
        values, axes = np.linalg.eigh(of_rigid * np.outer(unit, unit))
        some = values > ROUND_OFF
        if not some.all():
            return np.asarray(rigid * unit @ axes[:, some] / np.sqrt(values[some]))
        lower = np.linalg.cholesky(of_rigid)
        return np.linalg.solve(lower, rigid.T).T

    @cached_property
    def _rigid_momentum(self) -> np.ndarray:
        """(n_dofs, 6) the mass times the rigid body motions."""
        return np.asarray(self.inertia @ self.rigid_modes)

    def without_rigid_content(self, modes: np.ndarray) -> np.ndarray:
        """Return modes (n_dofs, k) made orthogonal to the rigid body motions in the mass (Buckens frame)."""
        return np.asarray(modes - self.rigid_modes @ (self._rigid_momentum.T @ modes))

    def _refuse_repeated(self) -> None:
        first, counts = np.unique(self.interface_dofs, return_index=True, return_counts=True)[1:]
        if (counts > 1).any():
            names = ", ".join(self.interface_dof_names[i] for i in np.sort(first[counts > 1]))
            raise ModelError(
                f"Some interface dofs are there more than once: {names}.",
                "Leave one interface node of those that are the same.",
            )

    def _dofs_of(self, node: int, components: tuple[int, ...]) -> np.ndarray:
        of_node = self.matrices.dofs.node_rows(node)
        wanted = [c - 1 for c in components if c <= len(of_node)]
        rows: sp.csr_matrix = self.matrices.dofs.transformation[of_node[wanted]]
        single = np.diff(rows.indptr) == 1
        if not single.all() or not np.array_equal(rows.data, np.ones(len(rows.data))):
            raise ModelError(
                f"Interface node {self.node_ids[node]} follows another node through a coupling, or belongs to nothing.",
                "Choose the coupling's reference node as interface node.",
            )
        return rows.indices.astype(np.int64)


def _not_one_piece() -> SolveError:
    return SolveError(
        "The free body is not of one piece: parts that touch by contact alone can move apart without any force.",
        "Free vibration modes need a coupling, a beam or a tie between the parts.",
    )


_FREE = 1e-7  # an arm below this share of the body's size holds nothing


def free_directions(motions: np.ndarray) -> np.ndarray:
    """Return (6, p) orthonormal combinations of rigid body motions under which the held dofs stay where they are.

    Args:
        motions: (k, 6) motion of the k held dofs under the body's six rigid motions.
    """
    sizes = np.linalg.norm(motions, axis=1)
    rows = motions[sizes > 0.0] / sizes[sizes > 0.0, None]
    if not len(rows):
        return np.eye(motions.shape[1])
    _, values, transposed = la.svd(rows)
    return np.asarray(transposed[int((values > _FREE * values[0]).sum()) :].T)


def determinate_supports(motions: np.ndarray, stiffness: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Return (p,) dofs, ascending, that hold p free motions of a body statically determinate.

    Loads in balance with respect to these motions cause no reaction there, so responses depend on the choice only by a
    free motion. The dofs are chosen by a QR factorisation with pivoting (Golub and Van Loan 2013, section 5.4.2): one
    after the other that with the largest motion independent of those before.

    Args:
        motions: (n_dofs, p) the free motions, scaled to comparable lengths.
        stiffness: (n_dofs,) diagonal of the stiffness; soft dofs are avoided, as they are poor supports.
        allowed: (n_dofs,) which dofs may be held; all dofs are considered if these do not suffice.
    """
    count = motions.shape[1]
    firm = np.sqrt(np.clip(stiffness / np.median(stiffness[stiffness > 0.0]), 0.0, 1.0))
    for wanted in (allowed, np.ones(len(allowed), bool)):
        candidates = np.flatnonzero(wanted & (stiffness > 0.0))
        if len(candidates) < count:
            continue
        _, triangle, order = la.qr(
            (firm[candidates, None] * motions[candidates]).T, pivoting=True, mode="economic"
        )
        sizes = np.abs(np.diag(triangle))
        if sizes[-1] > _FREE * sizes[0]:
            break
    return np.sort(candidates[order[:count]])
