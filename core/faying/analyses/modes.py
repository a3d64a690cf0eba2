"""Vibration modes of a body with its joints stuck, sliding or open, or as they are in an equilibrium."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.harmonics.joint_springs import JointState, joint_state
from faying.analyses.harmonics.linearized_body import (
    NO_FE_MODEL,
    LinearizedAnalysis,
    elastic,
    fe_problem,
    stiffness_with,
)
from faying.errors import ModelError
from faying.joints.linearized import PairSprings, Sticking
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.body import ReducedBody, rigid_rows
from faying.reduction.fixed_interface_modes import fixed_interface_modes
from faying.reduction.free_modes import free_free_modes
from faying.reduction.quality import modal_assurance, ritz_modes
from faying.results.curve_key import AXES, CurveKey, Quantity
from faying.results.writer import ResultsWriter

_MASS = Quantity("effective mass", "mass", "Mass that a motion of the support moves in the mode.", AXES)
_INERTIA = Quantity("effective inertia", "moment_of_inertia", "The same for turns about the support.", AXES)
_DAMPING = CurveKey("damping ratio")


@dataclass(frozen=True, eq=False)
class BodyModes:
    """Vibration modes of a reduced body with springs in its joints.

    Attributes:
        frequencies: (k,) ascending, without those that are zero.
        shapes: (r, k) orthonormal in the mass.
        n_free: number of motions that nothing resists, which are left out.
    """

    frequencies: np.ndarray
    shapes: np.ndarray
    n_free: int


def body_modes(held: ReducedBody, springs: Sequence[PairSprings], count: int) -> BodyModes:
    """Return the lowest modes of a reduced body.

    Args:
        held: free or clamped.
        springs: of each joint.
        count: number of modes; fewer are returned if the body has fewer.
    """
    frequencies, shapes = ritz_modes(stiffness_with(held, springs), held.mass)
    swings = elastic(frequencies)
    chosen = np.flatnonzero(swings)[:count]
    return BodyModes(frequencies[chosen], shapes[:, chosen], int(np.count_nonzero(~swings)))


@analyses.register("modes")
class Modes(LinearizedAnalysis):
    """Undamped vibration modes of the reduced body in small motion about a state of its joints.

    Each mode is a frame, scaled so that its largest displacement is one. The modes of a second state of the joints, and
    those of the FE model, are compared with them by the modal assurance criterion (Allemang and Brown 1982, A
    correlation coefficient for modal vector analysis): (φᵀ M ψ)² / (φᵀ M φ · ψᵀ M ψ), against the FE model over the
    displacements of nodes, without M.

    Effective masses are (φᵀ M r)² of mass-normalised modes for the six motions r of the support as a rigid body
    (Craig and Kurdila 2006, Fundamentals of structural dynamics, section 11.4).
    """

    title: ClassVar[str] = "Modes"
    order: ClassVar[int] = 0

    count: int = parameter(
        10, title="Number of modes", ge=1, le=10000,
        meaning="Of the lowest ones. A reduced body has as many as coordinates; the upper half of them are wrong.",
    )  # fmt: skip
    against: Literal["nothing", "equilibrium", "tangent", "stuck", "sliding", "open"] = parameter(
        "sliding", title="Compared with",
        meaning="Second state of the joints whose modes are compared with those of the first one.",
    )  # fmt: skip
    full: bool = parameter(
        False, title="FE model, too",
        meaning="Whether the modes of the FE model are computed as well: a factorisation and some iterations.",
    )  # fmt: skip
    mass_damping: float = parameter(
        0.0, title="Mass damping", quantity="frequency", ge=0.0, advanced=True,
        meaning="α of a damping matrix α M + β K, for damping ratios.",
    )  # fmt: skip
    stiffness_damping: float = parameter(
        0.0, title="Stiffness damping", quantity="time", ge=0.0, advanced=True,
        meaning="β of a damping matrix α M + β K, with K of the body without its joints, for damping ratios. Friction "
        "laws with dampers add theirs where closed pairs stick.",
    )  # fmt: skip

    @property
    def uses_matrices(self) -> bool:
        """The parameter `full`."""
        return self.full

    @property
    def second_state(self) -> Sticking | None:
        """State of the joints that is compared; None for none, or the same."""
        return None if self.against in ("nothing", self.sticking) else self.against  # type: ignore[return-value]

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Compute the modes; each is a frame."""
        free = needed(body.reduced)
        for problem in self.problems_of_state(body.interface_nodes):
            raise problem
        held = free.clamped_to(self.support)
        part = PartialProgress(progress, 0.0, 0.3, "equilibrium")
        state = joint_state(body, held, self.preloads, self.equilibrium_frame, part)
        springs = self._springs(state, self.sticking)
        modes = body_modes(held, springs, self.count)
        if not len(modes.frequencies):
            raise ModelError(
                "The reduced body has no vibration mode: nothing resists any of its motions.",
                "Give it vibration modes, or hold it at another node.",
            )
        rows: list[dict[str, float]] = [{"frequency": float(f)} for f in modes.frequencies]
        report: dict[str, Any] = {"modes": rows, "frequencies_reduced": modes.frequencies.tolist()}
        report["motions_without_resistance"] = modes.n_free
        report |= self._joints(body, state, springs)
        self._compare(held, state, modes, report)
        if self.full:
            self._compare_with_fe(body, held, springs, modes, report, PartialProgress(progress, 0.3, 1.0))
        keys, values = self._curves(
            held, modes, _damping_of_joints(body, held, springs, self.sticking, modes)
        )
        report |= self._masses(held)
        shapes = _scaled(held, modes.shapes)
        labels = tuple(f"mode {k + 1}" for k in range(len(modes.frequencies)))
        with ResultsWriter(
            target, axis="mode", body=body.name, frame=self.support, joints={}, curves=keys,
            sizes={"coordinates": held.n_coordinates}, settings=self.model_dump(mode="json"), labels=labels,
        ) as writer:  # fmt: skip
            for k, frequency in enumerate(modes.frequencies):
                progress.report(k / len(modes.frequencies))
                curves = dict(zip(keys, values[:, k].tolist(), strict=True))
                rows[k] |= {f"{key.quantity} {key.component}".strip(): v for key, v in curves.items()}
                writer.append(float(frequency), curves=curves, coordinates=shapes[:, k])
            writer.close(report)
        progress.report(1.0, "modes")
        return report

    def _springs(self, state: JointState, sticking: Sticking) -> tuple[PairSprings, ...]:
        """Return the springs of each joint; where nothing presses, of the pairs that touch."""
        return state.springs(sticking) if state.presses else state.touching_springs(sticking)

    def _joints(self, body: BodyModel, state: JointState, springs: Sequence[PairSprings]) -> dict[str, Any]:
        """Return the entries of the report about the state of the joints."""
        if not body.joints:
            return {}
        found: dict[str, Any] = {"sticking": self.sticking, "touching_counts": not state.presses}
        for name in ("closed", "sticking"):
            found[f"{name}_pairs"] = {
                joint.name: getattr(each, name) for joint, each in zip(body.joints, springs, strict=True)
            }
        return found

    def _compare(
        self, held: ReducedBody, state: JointState, modes: BodyModes, report: dict[str, Any]
    ) -> None:
        """Add to the report which mode of the second state each mode resembles most, and all assurances."""
        if self.second_state is None or not state.joints:
            return
        others = body_modes(held, self._springs(state, self.second_state), self.count)
        if not len(others.frequencies):
            return
        assurance = modal_assurance(modes.shapes, others.shapes, held.mass)
        report |= {
            "compared_with": self.second_state, "frequencies_compared": others.frequencies.tolist(),
            "assurance": assurance.tolist(),
        }  # fmt: skip
        for row, alike in zip(report["modes"], assurance, strict=True):
            best = int(alike.argmax())
            row |= {
                "like": best + 1.0, "frequency_of_like": float(others.frequencies[best]),
                "assurance_of_like": float(alike[best]),
            }  # fmt: skip

    def _compare_with_fe(
        self, body: BodyModel, held: ReducedBody, springs: Sequence[PairSprings], modes: BodyModes,
        report: dict[str, Any], progress: Progress,
    ) -> None:  # fmt: skip
        """Add to the report the FE model's frequencies, and which of its modes each mode resembles most."""
        if body.matrices is None:
            report["no_fe_model"] = NO_FE_MODEL
            return
        interior = fe_problem(body, springs, self.support)
        interior.prepare(PartialProgress(progress, 0.0, 0.5, "factorisation"))
        part, count = PartialProgress(progress, 0.5, 1.0, "modes of the FE model"), len(modes.frequencies)
        if self.support:
            shapes = fixed_interface_modes(interior, count, part)
        else:
            shapes = free_free_modes(interior, count, part, apart=True)
        matrices = interior.matrices
        squares = np.einsum("ij,ij->j", shapes, matrices.stiffness @ shapes)
        frequencies = np.sqrt(squares) / (2.0 * np.pi)
        report["frequencies_of_fe_model"] = frequencies.tolist()
        moved = np.asarray(matrices.dofs.displacement_rows @ shapes)
        assurance = modal_assurance(held.displacements @ modes.shapes, moved)
        for row, alike in zip(report["modes"], assurance, strict=True):
            best = int(alike.argmax())
            row |= {
                "fe_mode": best + 1.0, "fe_frequency": float(frequencies[best]),
                "fe_error": row["frequency"] / float(frequencies[best]) - 1.0, "fe_assurance": float(alike[best]),
            }  # fmt: skip

    def _curves(
        self, held: ReducedBody, modes: BodyModes, of_joints: np.ndarray
    ) -> tuple[list[CurveKey], np.ndarray]:
        """Return the keys of the curves, and their values (curves, k), with the joints' damping φᵀ C φ (k,)."""
        keys, values = list[CurveKey](), list[np.ndarray]()
        if self.support and held.inertia is not None:
            keys += [*_MASS.keys(), *_INERTIA.keys()]
            values += list((self._motions(held).T @ held.inertia.rigid_content @ modes.shapes) ** 2)
        if self.mass_damping or self.stiffness_damping or held.damping is not None or of_joints.any():
            omega = 2.0 * np.pi * modes.frequencies
            matrix = self.stiffness_damping * held.stiffness + (0.0 if held.damping is None else held.damping)
            of_body = np.einsum("ij,ij->j", modes.shapes, matrix @ modes.shapes)
            keys.append(_DAMPING)
            values.append(0.5 * (self.mass_damping + of_body + of_joints) / omega)
        return keys, np.array(values).reshape(len(keys), len(modes.frequencies))

    def _motions(self, held: ReducedBody) -> np.ndarray:
        """Return (6, 6) motions about the origin that are unit motions of the support."""
        return np.linalg.inv(rigid_rows(held.nodes[held.interface_nodes[self.support]], 6))

    def _masses(self, held: ReducedBody) -> dict[str, Any]:
        """Return the entries of the report with what effective masses of all modes of a held body add up to."""
        if not self.support or held.inertia is None:
            return {}
        motions = self._motions(held)
        masses = np.diag(motions.T @ held.rigid_mass @ motions).tolist()
        names = [f"{key.quantity} {key.component}" for key in (*_MASS.keys(), *_INERTIA.keys())]
        return {"moved_masses": dict(zip(names, masses, strict=True))}


def _damping_of_joints(
    body: BodyModel, held: ReducedBody, springs: Sequence[PairSprings], sticking: Sticking, modes: BodyModes
) -> np.ndarray:
    """Return (k,) φᵀ C φ of the friction laws that depend on velocity, at the frequency of each mode."""
    found = np.zeros(len(modes.frequencies))
    if sticking in ("sliding", "open"):
        return found
    omega = 2.0 * np.pi * modes.frequencies
    for joint, rows, each in zip(body.joints, held.joints, springs, strict=True):
        if joint.friction_law is None:
            continue
        damping = np.array([joint.friction_law.damping_at(float(rate)) for rate in omega])
        if damping.any():
            closed = np.flatnonzero(each.normal)
            slips = rows.tangential[closed] @ modes.shapes
            found += damping * np.einsum("n,nik->k", joint.weights[closed], slips**2)
    return found


def _scaled(held: ReducedBody, shapes: np.ndarray) -> np.ndarray:
    """Return shapes (r, k) with a largest displacement of one; one of no displacement as it is."""
    nodal = (held.displacements @ shapes).reshape(-1, 3, shapes.shape[1])
    largest = np.sqrt((nodal**2).sum(axis=1).max(axis=0, initial=0.0))
    return np.asarray(shapes / np.where(largest > 0.0, largest, 1.0))
