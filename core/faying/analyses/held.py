"""Analyses of a body that is held at one interface node, loaded at others, and perhaps preloaded."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from faying.analyses import BodyAnalysis, BodyModel
from faying.analyses.loads import LoadSpec, load_vectors
from faying.params import parameter
from faying.progress import Progress
from faying.reduction.body import ReducedBody, cannot_hold, no_interface_node
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.hard_contact import AnyJointForce, HardContactSolution, solve_hard_contact


def support_rows(body: BodyModel, support: str) -> sp.csr_matrix:
    """Return CSR (6, n_dofs), the motion of the interface node that holds an unreduced body.

    Raises:
        ModelError: when there is no such interface node, or it has no rotations.
    """
    assert body.matrices is not None
    if support not in body.interface_nodes:
        raise no_interface_node(support, body.interface_nodes)
    dofs = body.matrices.dofs
    rows: sp.csr_matrix = dofs.transformation[dofs.node_rows(body.interface_nodes[support])]
    if rows.shape[0] < 6:
        raise cannot_hold(support)
    return rows


class HeldAnalysis(BodyAnalysis):
    """What such analyses have in common: support, loads, preload cases."""

    support: str = parameter(
        title="Held at", choices="interface", meaning="Interface node whose six dofs are held."
    )
    loads: tuple[LoadSpec, ...] = parameter(
        (), title="Loads", meaning="Forces and moments at interface nodes."
    )
    preloads: tuple[str, ...] = parameter(
        (), title="Preload cases", choices="preload",
        meaning="Preload cases of the body that act at full size, before the loads and all the time.",
    )  # fmt: skip

    def held_body(self, body: ReducedBody) -> ReducedBody:
        """Return the reduced body clamped at the support, its initial gaps those of the preload cases."""
        return body.clamped_to(self.support).preloaded(self.preloads)

    def load_columns(self, held: ReducedBody) -> np.ndarray:
        """Return (r, n_loads) generalised forces of the loads at full size."""
        return load_vectors(self.loads, held.interfaces)

    def load_factors(self, value: float) -> np.ndarray:
        """Return (n_loads,) how much of each load acts where the axis of the results has a value: a load number."""
        return np.full(len(self.loads), value)


class HeldStatics(HeldAnalysis):
    """Static analyses of a held body; contact is as soft as its law, or hard."""

    allowed_penetration: float = parameter(
        0.0, title="Allowed penetration", quantity="length", ge=0.0, advanced=True,
        meaning="Hard contact by augmented Lagrange: equilibria are repeated with growing multipliers until no pair "
        "penetrates by more. Zero leaves the contact law its own penetration. In time integration the law always acts "
        "as it is.",
    )  # fmt: skip

    def equilibrium(
        self,
        stiffness: Any,
        load: np.ndarray,
        joints: Sequence[AnyJointForce],
        start: np.ndarray,
        progress: Progress,
        *,
        histories: Sequence[np.ndarray],
        depths: Sequence[np.ndarray] | None = None,
        constraints: sp.csr_matrix | None = None,
    ) -> HardContactSolution:
        """Return the equilibrium with the contact that was chosen; without hard contact there are no multipliers.

        The arguments are those of `solve_hard_contact`.
        """
        if self.allowed_penetration:
            return solve_hard_contact(
                stiffness, load, joints, histories, start, progress,
                allowed_penetration=self.allowed_penetration, depths=depths, constraints=constraints,
            )  # fmt: skip
        x, responses, report = solve_equilibrium(
            stiffness, load, joints, histories, start, progress, constraints=constraints
        )
        return HardContactSolution(x, responses, [], [], report, 1)
