"""Error of a reduced equilibrium against the FE model: motion, normal force and pressure."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.settings import HeldStatics
from faying.joints.interface import JointResponse
from faying.progress import Progress
from faying.solvers.corrections import correct

# The force after the first correction alone is no estimate: many pairs have the wrong status. The corrections after it
# take a few solutions each with its factor. Measured on plates of 65 pairs with bases of 0 to 40 joint modes: after one
# correction the estimated force error is 0.01 to 400 times the true one, after the last one 1.00 times.
_MOST = 6
_ACCURACY = 1e-4  # relative size of a correction in the energy norm, below which it is the last one
_SETTLED = 0.03  # the same, relative to the first correction
_NOISE = 1e-9  # normal force, relative to the load, that is round-off


def estimated_error(
    body: BodyModel, settings: HeldStatics, q: np.ndarray, histories: Sequence[np.ndarray], progress: Progress
) -> dict[str, float]:
    """Return the relative errors of a reduced equilibrium under the full load, from corrections on the FE model.

    They are relative to the corrected values. "motion": displacements of the nodes with forces and rotations of those
    with moments alone; of all nodes, if no interface node is loaded or loads of the body act. "force": the normal
    forces Σ w p of the joints. "pressure": √(Σ w Δp² / Σ w p²) over all pairs. "friction": √(Σ w |Δτ|² / Σ w |τ|²)
    likewise, for joints with friction. "stress": √(Δuᵀ K Δu / uᵀ K u), of the stresses in the whole body in the mean.
    Friction starts from the histories of the reduced body before its last load step, so errors of the load path up to
    there are not seen.

    Args:
        body: with basis and matrices.
        settings: of the analysis; without hard contact.
        q: (r,) coordinates of the reduced body.
        histories: friction histories of the joints at the start of its last load step.
        progress: reports and cancels.

    Raises:
        SolveError: when the tangent is singular, or too far from its symmetric half to be solved with.
    """
    fe = FeStructure(settings, body)
    free, load, joints = fe.free, fe.load(np.ones(settings.path_loads.count)), fe.joints
    reduced = fe.displacement(q)
    answers = [
        joint.evaluate(reduced[free], history, 0.0, jacobian=False)
        for joint, history in zip(joints, histories, strict=True)
    ]
    found = correct(
        fe.equations.sparse_tangent(fe.displaced_motions), load[free], joints, histories, reduced[free], progress,
        most=_MOST, accuracy=_ACCURACY, share=_SETTLED, values=fe.given(reduced[free]),
    )  # fmt: skip
    corrected = np.zeros_like(reduced)
    corrected[free] = found.coordinates

    motion = max(_share(part @ reduced, part @ corrected) for part in _watched(fe, settings))
    off = np.array([reduced - corrected, corrected])
    energies = np.einsum("ij,ij->i", off, (fe.matrices.stiffness @ off.T).T)
    stress = float(np.sqrt(energies[0] / energies[1])) if energies[1] > 0.0 else 0.0
    weights = [joint.rows.weights for joint in joints]
    noise = _NOISE * float(np.abs(load).max(initial=0.0))
    forces = [_normal_forces(weights, each) for each in (answers, found.responses)]
    if max(np.linalg.norm(each) for each in forces) <= noise:
        return {"motion": motion, "force": 0.0, "pressure": 0.0, "stress": stress}
    pressures = [
        np.concatenate([np.sqrt(w) * a.pressure for w, a in zip(weights, each, strict=True)])
        for each in (answers, found.responses)
    ]
    found_errors = {
        "motion": motion,
        "force": _share(*forces),
        "pressure": _share(*pressures),
        "stress": stress,
    }
    if any(joint.friction_law is not None for joint in joints):
        rubbing = [
            np.concatenate(
                [(np.sqrt(w)[:, None] * a.stress).ravel() for w, a in zip(weights, each, strict=True)]
            )
            for each in (answers, found.responses)
        ]
        found_errors["friction"] = _share(*rubbing)
    return found_errors


def _watched(fe: FeStructure, settings: HeldStatics) -> list[Any]:
    """Return rows over all dofs of the compared displacements and, in a block of their own, rotations."""
    loads = [load for load in settings.loads if load.interface != settings.support]
    pushed = dict.fromkeys(load.interface for load in loads if any(load.force))
    turned = dict.fromkeys(
        each.interface for each in loads if any(each.moment) and each.interface not in pushed
    )
    displacements = [fe.motions[name][:3] for name in pushed]
    rotations = [fe.motions[name][3:] for name in turned]
    found: list[Any] = [np.vstack(rows) for rows in (displacements, rotations) if rows]
    if settings.body_loads:
        found.append(fe.matrices.dofs.displacement_rows)
    return found or [fe.matrices.dofs.displacement_rows]


def _normal_forces(weights: list[np.ndarray], answers: Sequence[JointResponse]) -> np.ndarray:
    return np.array([w @ answer.pressure for w, answer in zip(weights, answers, strict=True)])


def _share(found: np.ndarray, exact: np.ndarray) -> float:
    """Return the norm of the difference relative to that of the exact values, or of the found ones if that is zero."""
    size = float(np.linalg.norm(exact)) or float(np.linalg.norm(found))
    return float(np.linalg.norm(found - exact)) / size if size else 0.0
