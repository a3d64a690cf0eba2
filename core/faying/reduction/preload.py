"""Preload modes: the shapes of a body under its mounting forces, with contact (thesis eq. 3.63, algorithm 3.4)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from faying.errors import ModelError, SolveError
from faying.fem.assembly import rigid_body_modes
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.params import Spec, member_of, parameter
from faying.progress import PartialProgress, Progress
from faying.records import record
from faying.reduction.held_contact import (
    EquilibriumSolver,
    FrictionlessJoint,
    HeldContactBody,
    statically_holding_dofs,
)
from faying.reduction.interior import InteriorProblem
from faying.reduction.load_modes import forces_on_supports, forces_on_ties
from faying.reduction.preload_loads import PreloadedBody, preload_loads

BALANCE = 0.01  # share of a preload that may be out of balance, as with different meshes of two washer areas


class PreloadSpec(Spec):
    """A preload case: loads that mounting brings about together, in balance with each other."""

    name: str = parameter(title="Name", meaning="Name of the preload case.", min_length=1)
    loads: tuple[member_of(preload_loads), ...] = parameter(  # type: ignore[valid-type]
        (), title="Loads", meaning="Bolt forces in pairs, pressures, interferences. They act together."
    )


@record("preload_modes", read_only=True)
class PreloadModes:
    """Preload modes of a body, one column per case.

    Attributes:
        names: (p,) of the cases.
        modes: (n_dofs, p) shapes at full preload, free of rigid body content.
        forces: (n_dofs, p) loads at full size, in balance.
        closings: (p, n_joints) interferences, subtracted from the initial gaps of each joint.
        unbalanced: (p,) share of each case that was out of balance and is balanced by the body's inertia.
        reactions: (p,) largest remaining reaction at the support, relative to the largest load or contact force.
        iterations: (p,) Newton corrections of each case.
        on_ties: (t, 6, p) resultants of the loads that act directly on the tied nodes of each tie, about their mean.
        on_supports: (s, 6, p) the same of each held surface.
    """

    names: tuple[str, ...]
    modes: np.ndarray
    forces: np.ndarray
    closings: np.ndarray
    unbalanced: np.ndarray
    reactions: np.ndarray
    iterations: np.ndarray
    on_ties: np.ndarray | None = None
    on_supports: np.ndarray | None = None

    def number_of(self, case: str) -> int:
        """Return the column of a case.

        Raises:
            ModelError: when there is no such case.
        """
        if case not in self.names:
            raise no_preload_case(case, self.names)
        return self.names.index(case)


def no_preload_case(case: str, known: Iterable[str]) -> ModelError:
    """Return the error that a body has no preload case of that name."""
    return ModelError(
        f"The body has no preload case called {case!r}.", f"There are: {', '.join(known) or 'none'}."
    )


def preload_modes(
    interior: InteriorProblem,
    cases: Sequence[PreloadSpec],
    preloaded: PreloadedBody,
    joints: Sequence[FrictionlessJoint],
    solve: EquilibriumSolver,
    progress: Progress,
    *,
    elements: bool = True,
) -> PreloadModes:
    """Return the contact equilibrium of the unreduced body under each case, without rigid body content.

    The free body is held statically determinate at interface dofs, whose reactions vanish because the loads are in
    balance. Newton's method starts as `HeldContactBody` describes, and takes load steps if it fails.

    Args:
        interior: matrices and interface dofs of the body.
        cases: the preload cases.
        preloaded: the body on which the loads act.
        joints: all joints of the body.
        solve: solver of the nonlinear equilibrium.
        progress: reports and cancels.
        elements: whether the stiffness comes from the model's elements; imported matrices contain nothing about
            sections.

    Raises:
        ModelError: when a case has no load, does not deform the body, or its loads are not in balance.
        SolveError: when an equilibrium is not found.
    """
    held = HeldContactBody(interior.matrices, interior.nodes, statically_holding_dofs(interior), joints)
    n = len(cases)
    modes, forces = np.zeros((interior.n_dofs, n)), np.zeros((interior.n_dofs, n))
    closings = np.zeros((n, len(joints)))
    unbalanced, reactions, iterations = np.zeros(n), np.zeros(n), np.zeros(n, np.int64)
    progress.report(0.0, "loads")
    for k, case in enumerate(cases):
        raw, closing = _loads_of(case, preloaded)
        closings[k] = [closing.get(joint.name, 0.0) for joint in joints]
        forces[:, k], unbalanced[k] = _balanced(interior, case.name, raw)
    try:
        starts = held.starts(
            forces, closings, solve, PartialProgress(progress, 0.0, 0.3, "starts of all cases")
        )
    except SolveError as error:  # of the body, whatever its loads
        raise _named(error, *(case.name for case in cases)) from error
    for k, case in enumerate(cases):
        begin, end = 0.3 + 0.7 * k / n, 0.3 + 0.7 * (k + 1) / n
        part = PartialProgress(progress, begin, end, f"preload {case.name}")
        try:
            x, iterations[k] = held.equilibrium(forces[:, k], closings[k], starts[:, k], solve, part)
        except SolveError as error:
            raise _named(error, case.name) from error
        reactions[k] = held.reaction(x, forces[:, k], closings[k])
        modes[:, k] = interior.without_rigid_content(x[:, None])[:, 0]
        if not modes[:, k].any():
            raise ModelError(
                f"Preload case {case.name!r} does not deform the body.",
                "Give its loads a size; an interference must be larger than the initial gap that it closes.",
            )
    progress.report(1.0, "preload modes")
    names = tuple(case.name for case in cases)

    def acting(model: FeModel, matrices: StructuralMatrices) -> np.ndarray:
        there = replace(preloaded, model=model, dofs=matrices.dofs)
        return np.column_stack([_loads_of(case, there)[0] for case in cases])

    known = (preloaded.model, preloaded.dofs, acting) if elements and forces.any() else None
    return PreloadModes(
        names, modes, forces, closings, unbalanced, reactions, iterations,
        None if known is None else forces_on_ties(*known), None if known is None else forces_on_supports(*known),
    )  # fmt: skip


def _named(error: SolveError, *cases: str) -> SolveError:
    """Return an error with the names of the preload cases in which it came up."""
    names = ", ".join(map(repr, cases))
    return SolveError(f"Preload case{'s' * (len(cases) > 1)} {names}: {error.message}", error.hint)


def _loads_of(case: PreloadSpec, preloaded: PreloadedBody) -> tuple[np.ndarray, dict[str, float]]:
    """Return the forces of a case (n_dofs,) and its closings by joint."""
    forces = np.zeros(preloaded.dofs.n_dofs)
    closings: dict[str, float] = {}
    for load in case.loads:
        try:
            action = load.act(preloaded)
        except ModelError as error:
            raise ModelError(f"Preload case {case.name!r}: {error.message}", error.hint) from None
        forces += action.forces
        for joint, amount in action.closings.items():
            closings[joint] = closings.get(joint, 0.0) + amount
    if not forces.any() and not any(closings.values()):
        raise ModelError(
            f"Preload case {case.name!r} has no load.", "Give its forces, pressures or interferences a size."
        )
    return forces, closings


def _balanced(interior: InteriorProblem, name: str, forces: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the forces without their resultant, and the share of the forces that it was.

    A small resultant, as of two washer areas with different meshes, is balanced by the body's inertia. In the free
    reduced body it has no effect either: its trial vectors do no work against these inertia forces.
    """
    if not forces.any():
        return forces, 0.0
    rigid = interior.rigid_modes
    # Resultants relative to the sum of the single forces' magnitudes, for translations and rotations separately.
    motions = rigid_body_modes(interior.nodes, interior.matrices.dofs, interior.nodes.mean(axis=0))
    work, sizes = motions.T @ forces, np.abs(motions).T @ np.abs(forces)
    # Forces along lines through the middle have no moments at all: the sum of these is zero then.
    share = max(np.abs(work[at]).max() / (sizes[at].max() or 1.0) for at in (slice(0, 3), slice(3, 6)))
    if share > BALANCE:
        force, moment = np.array2string(work[:3], precision=4), np.array2string(work[3:], precision=4)
        raise ModelError(
            f"Preload case {name!r} is not in balance: force {force} and moment {moment} about the middle are left.",
            "Mounting forces come in pairs: add the opposite of each force.",
        )
    return forces - interior.inertia @ (rigid @ (rigid.T @ forces)), float(share)
