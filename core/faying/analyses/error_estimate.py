"""How far a reduced equilibrium is from that of the FE model: motion, normal force and pressure."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.held import HeldStatics
from faying.analyses.held_fe_body import HeldFeBody
from faying.joints.interface import JointResponse, SparseJointForce
from faying.progress import Progress
from faying.solvers.corrections import correct

# The first correction alone says little of the force: it takes pairs for open or closed that are not. Those that
# follow take a few solutions each with its factor. Measured on plates of 65 pairs, bases of 0 to 40 joint modes: the
# force of one correction is 0.01 to 400 times as far off as in truth, that of the last one 1.00 times.
_MOST = 6
_ACCURACY = 1e-4  # share of a correction in the energy norm, below which there is no other one
_SETTLED = 0.03  # of the first correction, likewise
_NOISE = 1e-9  # normal force, relative to the load, that is round-off


def estimated_error(
    body: BodyModel, settings: HeldStatics, q: np.ndarray, histories: Sequence[np.ndarray], progress: Progress
) -> dict[str, float]:
    """Return by how much a reduced equilibrium under the full load differs from the FE model, corrected from there.

    All are shares of what the FE model has: "motion" of the loaded interface nodes, of those that only a moment turns
    their rotation, of all nodes where there is no such load or the body has some of its own; "force", the normal forces
    Σ w p of the joints; "pressure", √(Σ w Δp² / Σ w p²) over all pairs. Friction goes on from the reduced body's load
    step before: what the basis did to the way until there is not seen.

    Args:
        body: with basis and matrices.
        settings: of the analysis; contact as soft as its law.
        q: (r,) coordinates of the reduced body.
        histories: friction histories of the joints from which its last step went on.
        progress: reports and cancels.

    Raises:
        SolveError: when the tangent is singular, or too far from its symmetric half to be solved with.
    """
    held = HeldFeBody(body, settings)
    free, load = held.free, held.load(settings.load_factors(1.0))
    joints = [
        SparseJointForce(rows, joint.contact_law, settings.acting_friction(joint))
        for rows, joint in zip(held.free_rows, body.joints, strict=True)
    ]
    reduced = held.displacement(q)
    answers = [
        joint.evaluate(reduced[free], history, 0.0, jacobian=False)
        for joint, history in zip(joints, histories, strict=True)
    ]
    found = correct(
        held.tangent,
        load[free],
        joints,
        histories,
        reduced[free],
        progress,
        most=_MOST,
        accuracy=_ACCURACY,
        share=_SETTLED,
        values=held.given(reduced[free]),
    )
    corrected = np.zeros_like(reduced)
    corrected[free] = found.coordinates

    motion = max(_share(part @ reduced, part @ corrected) for part in _watched(held, settings))
    weights = [joint.rows.weights for joint in joints]
    noise = _NOISE * float(np.abs(load).max(initial=0.0))
    forces = [_normal_forces(weights, each) for each in (answers, found.responses)]
    if max(np.linalg.norm(each) for each in forces) <= noise:
        return {"motion": motion, "force": 0.0, "pressure": 0.0}
    pressures = [
        np.concatenate([np.sqrt(w) * a.pressure for w, a in zip(weights, each, strict=True)])
        for each in (answers, found.responses)
    ]
    return {"motion": motion, "force": _share(*forces), "pressure": _share(*pressures)}


def _watched(held: HeldFeBody, settings: HeldStatics) -> list[Any]:
    """Return rows over all dofs of what counts as motion, displacements apart from rotations."""
    loads = [load for load in settings.loads if load.interface != settings.support]
    pushed = dict.fromkeys(load.interface for load in loads if any(load.force))
    turned = dict.fromkeys(
        each.interface for each in loads if any(each.moment) and each.interface not in pushed
    )
    displacements = [held.motions[name][:3] for name in pushed]
    rotations = [held.motions[name][3:] for name in turned]
    found: list[Any] = [np.vstack(rows) for rows in (displacements, rotations) if rows]
    if settings.body_loads:
        found.append(held.matrices.dofs.displacement_rows)
    return found or [held.matrices.dofs.displacement_rows]


def _normal_forces(weights: list[np.ndarray], answers: Sequence[JointResponse]) -> np.ndarray:
    return np.array([w @ answer.pressure for w, answer in zip(weights, answers, strict=True)])


def _share(found: np.ndarray, exact: np.ndarray) -> float:
    """Return the difference as a share of the exact value, where that is zero of the other one."""
    size = float(np.linalg.norm(exact)) or float(np.linalg.norm(found))
    return float(np.linalg.norm(found - exact)) / size if size else 0.0
