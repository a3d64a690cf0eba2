"""Frames of the unreduced body on disk: displacements of all nodes, gaps and slips of all pairs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.bolt_curves import told_bolts
from faying.analyses.curves import joint_curves, spring_curves, told_springs
from faying.analyses.tie_forces import tie_force, tie_shares
from faying.analyses.tied_joints import told_ties
from faying.fem.matrices import DofMap
from faying.joints.interface import JointResponse
from faying.joints.kinematics import SparseRows
from faying.reduction.carried import CarriedEquations
from faying.results.names import curves_by_path, path_of
from faying.results.results import Results
from faying.results.writer import ResultsWriter

_COMPONENTS = ("ux", "uy", "uz", "rx", "ry", "rz")


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
        tie_forces: (3,) of the joints that have weak ties, by name.
    """

    dofs: np.ndarray
    displacement: np.ndarray
    motions: dict[str, np.ndarray]
    responses: list[JointResponse]
    slips: list[np.ndarray]
    offsets: list[np.ndarray]
    summary: dict[str, Any] = field(default_factory=dict)
    tie_forces: dict[str, np.ndarray] = field(default_factory=dict)


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
    assert body.matrices is not None
    ties = zip(body.joints, body.matrices.tie_forces or (None,) * len(body.joints), strict=True)
    return UnreducedSolution(
        x,
        dofs.displacement_rows @ x,
        {name: np.asarray(motion @ x) for name, motion in interface_rows(body, dofs).items()},
        responses,
        [(joint.tangential @ x).reshape(-1, 2) for joint in rows],
        offsets,
        summary or {},
        {joint.name: np.asarray(force @ x) for joint, force in ties if force is not None},
    )


class UnreducedFrames:
    """Writes states of the unreduced body as frames of a results file.

    Args:
        target: file to be made.
        body: the body.
        axis, settings: see `ResultsWriter`.
        support: the held interface node, relative to which displacements are.
        more_curves: names of curves besides those of interface nodes and joints.
        constants: see `ResultsWriter`.
        after, keep: see `ResultsWriter`; used when the first state is appended.
    """

    def __init__(
        self,
        target: Path,
        body: BodyModel,
        *,
        axis: str,
        support: str,
        settings: dict[str, Any],
        more_curves: tuple[str, ...] = (),
        constants: Mapping[str, np.ndarray] | None = None,
        after: Results | None = None,
        keep: int | None = None,
    ) -> None:
        self._target, self._body, self._support = target, body, support
        self._words: dict[str, Any] = {
            "axis": axis,
            "body": body.name,
            "frame": support,
            "settings": settings,
            "constants": constants,
            "after": after,
            "keep": keep,
        }
        self._names, self._more = [joint.name for joint in body.joints], more_curves
        self._laws = [joint.friction_law for joint in body.joints]
        self._writer: ResultsWriter | None = None

    def append(self, value: float, solution: UnreducedSolution, curves: Mapping[str, float]) -> None:
        """Write a state at a time or load, with the values of `more_curves`; shapes are those of the first state."""
        self._writer = self._writer or self._opened_for(solution)
        of_joints = joint_curves(self._names, solution.responses, self._body.joints)
        of_joints |= spring_curves(self._names, self._laws, solution.responses, self._body.joints)
        named = curves_by_path(self._motions(solution) | of_joints | _of_ties(solution) | dict(curves))
        named["displacement"] = solution.displacement
        for i, name in enumerate(self._names):
            answer, base = solution.responses[i], path_of("joints", name)
            named |= {f"{base}/gap": answer.gap, f"{base}/slip": solution.slips[i]}
            if answer.history.size:
                named[f"{base}/history"] = answer.history
            if i < len(solution.offsets):
                named[f"{base}/gap_offset"] = solution.offsets[i]
        self._writer.append(value, named)
        self._writer.flush()

    def remember(self, recall: Callable[[], dict[str, Any] | None]) -> None:
        """See `ResultsWriter.remember`; after the first state."""
        assert self._writer is not None
        self._writer.remember(recall)

    def close(self, report: dict[str, Any] | None = None) -> None:
        """Close the file; with a report it counts as complete."""
        if self._writer is not None:
            self._writer.close(report)

    def tie_shares(self, applied: float) -> dict[str, float]:
        """See `faying.analyses.tie_forces.tie_shares`."""
        return {} if self._writer is None else tie_shares(self._writer, applied, self._support)

    def told_bolts(self) -> dict[str, dict[str, list[float]]]:
        """See `faying.analyses.bolt_curves.told_bolts`."""
        return {} if self._writer is None else told_bolts(self._writer)

    def told_springs(self) -> dict[str, dict[str, float]]:
        """See `faying.analyses.curves.told_springs`."""
        return {} if self._writer is None else told_springs(self._writer)

    def told_ties(self, ties: tuple[CarriedEquations, ...]) -> dict[str, dict[str, list[float]]]:
        """See `faying.analyses.tied_joints.told_ties`."""
        return {} if self._writer is None else told_ties(self._writer, ties)

    def _opened_for(self, first: UnreducedSolution) -> ResultsWriter:
        shapes: dict[str, dict[str, tuple[int, ...]]] = {}
        for i, (name, answer) in enumerate(zip(self._names, first.responses, strict=True)):
            n = len(answer.gap)
            shapes[name] = {"gap": (n,), "slip": (n, 2)}
            if answer.history.size:
                shapes[name]["history"] = answer.history.shape
            if i < len(first.offsets):
                shapes[name]["gap_offset"] = (n,)
        curves = (
            *self._motions(first), *joint_curves(self._names, []),
            *spring_curves(self._names, self._laws, [], self._body.joints), *_of_ties(first), *self._more,
        )  # fmt: skip
        sizes = {"displacement": len(first.displacement)}
        return ResultsWriter(self._target, sizes=sizes, joints=shapes, curves=curves, **self._words)

    def _motions(self, solution: UnreducedSolution) -> dict[str, float]:
        return {
            f"{name} {component}": float(value)
            for name, motion in solution.motions.items()
            if name != self._support
            for component, value in zip(_COMPONENTS, motion, strict=False)
        }

    def __enter__(self) -> "UnreducedFrames":
        return self

    def __exit__(self, *error: Any) -> None:
        if self._writer is not None:
            self._writer.__exit__(*error)


def _of_ties(solution: UnreducedSolution) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, force in solution.tie_forces.items():
        found |= tie_force(name, force)
    return found
