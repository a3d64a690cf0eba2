"""Newton corrections on the unreduced body, started from the states that frames of the reduced body store."""

from dataclasses import replace
from typing import Any

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.held import HeldAnalysis
from faying.analyses.held_fe_body import HeldFeBody
from faying.analyses.transient import Transient
from faying.analyses.unreduced_frames import UnreducedSolution, solution_of
from faying.joints.interface import SparseJointForce
from faying.params import build
from faying.progress import Progress
from faying.results.results import Results
from faying.solvers.corrections import correct


class CorrectedBody:
    """The unreduced body, held and loaded as in an analysis of the reduced body, for correcting its frames.

    Args:
        body: with basis, reduced body and matrices.
        start: results of that analysis.

    Attributes:
        settings: of that analysis.
        tangent: tangent stiffness of the held body, with its last factor.

    Raises:
        ModelError: when an interface node or preload case is not there any more.
    """

    def __init__(self, body: BodyModel, start: Results) -> None:
        if body.matrices is None or body.model is None or body.basis is None or body.reduced is None:
            raise ValueError("a correction needs matrices, basis and reduced body")
        words = dict(start.settings)
        settings = build(analyses[words.pop("kind")], words)
        assert isinstance(settings, HeldAnalysis)  # `follows` lets no others through
        self.settings = settings
        self._body, self._start, self._matrices = body, start, body.matrices
        self._held = HeldFeBody(body, settings)
        self.tangent = self._held.tangent
        # The last frame, and the friction histories after its correction.
        self._last: tuple[int, list[np.ndarray]] | None = None

    def corrected(
        self, frame: int, progress: Progress, *, most: int, accuracy: float
    ) -> tuple[UnreducedSolution, tuple[float, ...]]:
        """Return the corrected solution of a frame, and the relative size of each correction; see `correct`."""
        q, held = self._start.coordinates(frame), self._held
        assert q is not None
        names = [joint.name for joint in self._body.joints]
        seen_less = [self._start.gap_offset(name, frame) for name in names]
        offsets = [offset for offset in seen_less if offset is not None]
        rough = [
            SparseJointForce(
                replace(rows, initial_gaps=rows.initial_gaps - (0.0 if less is None else less)),
                joint.contact_law,
                joint.friction_law if self._start.history(joint.name, frame) is not None else None,
            )
            for joint, rows, less in zip(self._body.joints, held.free_rows, seen_less, strict=True)
        ]
        # The mounted body is in equilibrium without friction; slip counts from there.
        mounted = frame == 0 and self._begins_mounted
        forces = [SparseJointForce(force.rows, force.contact_law) for force in rough] if mounted else rough
        histories = [force.initial_history() for force in forces] if mounted else self._histories(frame)
        load, before = self._load(frame, q)[held.free], held.displacement(q)[held.free]
        found = correct(
            held.mounted_tangent if mounted else held.tangent, load, forces, histories, before, progress, most=most,
            accuracy=accuracy, values=None if mounted else held.given(before),
        )  # fmt: skip
        answers, x = found.responses, found.coordinates
        if mounted:
            at_rest = [force.resting_history(x) for force in rough]
            answers = [f.evaluate(x, h, 0.0, jacobian=False) for f, h in zip(rough, at_rest, strict=True)]
            self._last = frame, at_rest
        else:
            self._last = frame, [answer.history for answer in answers]
        displacement = np.zeros(self._matrices.dofs.n_dofs)
        displacement[held.free] = x
        if offsets:
            answers = [replace(a, gap=a.gap + by) for a, by in zip(answers, offsets, strict=True)]
        solution = solution_of(self._body, self._matrices.dofs, displacement, held.rows, answers, offsets)
        return solution, found.changes

    @property
    def _begins_mounted(self) -> bool:
        """Whether the first frame is the mounted body, before the loads."""
        return not isinstance(self.settings, Transient) and float(self._start.values[0]) == 0.0

    def memory(self) -> dict[str, Any]:
        """Return what the correction of the next frame starts from, and the numbers of factorisations and solutions."""
        tangent = self.tangent
        return {
            "last": self._last, "factorisations": tangent.factorisations, "solutions": tangent.solutions
        }  # fmt: skip

    def recall(self, memory: dict[str, Any]) -> None:
        """Restore the memory of an interrupted run: the last frame's histories and the counts."""
        last = memory["last"]
        self._last = None if last is None else (last[0], list(last[1]))
        self.tangent.factorisations = memory["factorisations"]
        self.tangent.solutions = memory["solutions"]

    def _histories(self, frame: int) -> list[np.ndarray]:
        """Return each joint's friction history at the start of a frame's correction; (n_pairs, 0) without friction.

        In statics it is that of the previous load step, as corrected if that frame was corrected too, so that friction
        follows the load path; before the first one the undeformed body rests. In motion, whose time steps are shorter
        than the frames' interval, it is that of the frame itself.
        """
        moves = isinstance(self.settings, Transient)
        if not moves and self._last is not None and self._last[0] == frame - 1:
            return self._last[1]
        found = []
        for joint, rows in zip(self._body.joints, self._held.free_rows, strict=True):
            kept = self._start.history(joint.name, frame if moves or frame == 0 else frame - 1)
            if kept is None:
                kept = np.zeros((len(joint.weights), 0))
            elif frame == 0 and not moves:
                force = SparseJointForce(rows, joint.contact_law, joint.friction_law)
                if (
                    self._start.gap_offset(joint.name, frame) is not None
                ):  # hard contact begins where surfaces touch
                    force = force.lifted(np.full(len(rows.weights), -joint.contact_law.closing_gap()))
                kept = force.resting_history(np.zeros(len(self._held.free)))
            found.append(kept)
        return found

    def _load(self, frame: int, q: np.ndarray) -> np.ndarray:
        """Return (n_dofs,) loads of a frame; in motion with its inertia and damping forces, −M a − D v."""
        settings, time = self.settings, float(self._start.values[frame])
        load = self._held.load(settings.load_factors(time))
        if not isinstance(settings, Transient):
            return load
        v, matrices = self._start.velocities(frame), self._matrices
        assert v is not None
        a = settings.accelerations(self._body, time, q, v, tuple(self._histories(frame)))
        load = load - matrices.mass @ (self._held.displacement(a))
        if matrices.damping is not None:
            load = load - matrices.damping @ self._held.displacement(v)
        if settings.stiffness_damping:
            load = load - settings.stiffness_damping * (matrices.stiffness @ (self._held.displacement(v)))
        return np.asarray(load)
