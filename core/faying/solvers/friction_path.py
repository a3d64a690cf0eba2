"""The path of a load on a reduced body with contact and friction, from the mounted body to the full load."""

from collections.abc import Sequence

import numpy as np

from faying.errors import SolveError
from faying.joints.interface import JointForce
from faying.progress import PartialProgress, Progress
from faying.reduction.training import TrainingPoint
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.hard_contact import HardContactSolution
from faying.solvers.load_steps import Arrays, LoadStepping, begin, marched, mounted_state, resting_state
from faying.solvers.stuck import stuck_start


def friction_path(
    stiffness: np.ndarray,
    preload: np.ndarray,
    load: np.ndarray,
    joints: Sequence[JointForce],
    progress: Progress,
    *,
    constraints: np.ndarray,
    values: np.ndarray,
) -> list[TrainingPoint]:
    """Return the equilibria from no load (the mounted body) to the full one, or as far as there are any.

    The preload acts first and without friction, as in static analyses, whose load steps these are.

    Args:
        stiffness: (r, r) of the held body.
        preload, load: (r,) generalised forces.
        joints: joint forces over the same coordinates.
        progress: reports and cancels.
        constraints: C (m, r) of imposed displacements; m may be zero.
        values: d (m,) of C q = d at the full load; before that it grows from the value of C q under preload.
    """
    q = np.zeros(len(load))
    start = resting_state(joints, q)
    if preload.any() or any(joint.gaps(q).min(initial=0.0) < 0.0 for joint in joints):
        smooth = [joint.without_friction() for joint in joints]
        part = PartialProgress(progress, 0.0, 0.1, "preload")
        open_ = [joint.initial_history() for joint in smooth]
        q, answers, report = solve_equilibrium(stiffness, preload, smooth, open_, q, part)
        start = mounted_state(joints, HardContactSolution(q, answers, [], [], report, 1)).state
    given = constraints if len(values) else None
    first = constraints @ q

    def solve(
        share: float, guess: np.ndarray, histories: Arrays, depths: Arrays | None, progress: Progress
    ) -> HardContactSolution:
        x, answers, report = solve_equilibrium(
            stiffness, preload + share * load, joints, histories, guess, progress,
            constraints=given, values=first + share * (values - first) if given is not None else None,
        )  # fmt: skip
        return HardContactSolution(x, answers, [], [], report, 1)

    guess = None
    if not preload.any() and start.has_friction:
        guess = stuck_start(stiffness, load, joints, progress, given, values if given is not None else None)
    method, points = LoadStepping(solve, tuple(joints)), [TrainingPoint(0.0, q, start.histories)]
    try:
        for march, _ in marched(method, begin(method, start, guess), PartialProgress(progress, 0.1, 1.0)):
            points.append(TrainingPoint(march.state.load, march.state.coordinates, march.came_from))
    except SolveError:
        pass  # the load exceeds the capacity of the joints: the path ends at their capacity
    return points
