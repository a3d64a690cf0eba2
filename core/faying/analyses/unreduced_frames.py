"""States of the unreduced body: displacements of all nodes, gaps and slips of all pairs."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from faying.analyses import BodyModel
from faying.fem.matrices import DofMap
from faying.joints.interface import JointResponse
from faying.joints.kinematics import SparseRows
from faying.results.names import path_of


@dataclass(frozen=True, eq=False)
class UnreducedSolution:
    """A state of the FE model.

    Attributes:
        dofs: (n_dofs,) independent dofs.
        displacement: (3 n_nodes,).
        motions: (6,) or (3,) of each interface node by name.
        responses: of the joints.
        slips: (n_pairs, 2) of the joints.
        offsets: (n_pairs,) of the joints, true gap minus the gap given to the law; empty without hard contact.
        summary: plain numbers for the run report.
    """

    dofs: np.ndarray
    displacement: np.ndarray
    motions: dict[str, np.ndarray]
    responses: list[JointResponse]
    slips: list[np.ndarray]
    offsets: list[np.ndarray]
    summary: dict[str, Any] = field(default_factory=dict)


def interface_rows(body: BodyModel, dofs: DofMap) -> dict[str, Any]:
    """Return CSR (6, n_dofs) or (3, n_dofs), the motion of each interface node, by name."""
    return {name: dofs.transformation[dofs.node_rows(node)] for name, node in body.interface_nodes.items()}


def solution_of(
    body: BodyModel,
    dofs: DofMap,
    x: np.ndarray,
    rows: list[SparseRows],
    responses: list[JointResponse],
    offsets: list[np.ndarray],
    summary: dict[str, Any] | None = None,
) -> UnreducedSolution:
    """Return the state of displacements x (n_dofs,), with the joints' responses there; `rows` are over all dofs."""
    return UnreducedSolution(
        x,
        dofs.displacement_rows @ x,
        {name: np.asarray(motion @ x) for name, motion in interface_rows(body, dofs).items()},
        responses,
        [(joint.tangential @ x).reshape(-1, 2) for joint in rows],
        offsets,
        summary or {},
    )


def frame_data(body: BodyModel, solution: UnreducedSolution) -> dict[str, np.ndarray]:
    """Return what a frame stores of a state, by path: displacements (3 n_nodes,), gaps (n,), slips (n, 2) of pairs."""
    found = {"displacement": solution.displacement}
    for i, joint in enumerate(body.joints):
        answer, base = solution.responses[i], path_of("joints", joint.name)
        found |= {f"{base}/gap": answer.gap, f"{base}/slip": solution.slips[i]}
        if answer.history.size:
            found[f"{base}/history"] = answer.history
        if i < len(solution.offsets):
            found[f"{base}/gap_offset"] = solution.offsets[i]
    return found
