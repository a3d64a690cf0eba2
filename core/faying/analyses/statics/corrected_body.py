"""Newton corrections on the unreduced body, started from the states that frames of the reduced body store."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.settings import HeldAnalysis
from faying.analyses.transient import Transient
from faying.joints.interface import JointResponse, SparseJointForce
from faying.params import build
from faying.progress import PartialProgress, Progress
from faying.results.results import PartResults, Results
from faying.solvers.condensed_equilibrium import CondensedEquilibrium
from faying.solvers.corrections import Corrected, correct

_BLOCK = 16  # frames that are solved for together
# Share of a correction, in the energy norm, after which a state is near enough to be a reference.
_REFERENCE_ACCURACY = 0.05
_FORCE_ACCURACY = 1e-2  # of pair forces over that of frames: pressures are then some 1e-5 off


class CorrectedFrame(NamedTuple):
    """A frame after its corrections.

    Attributes:
        x: (n_dofs,) displacements.
        responses: of the joints, with their true gaps.
        offsets: (n_pairs,) of the gaps in hard contact; none without.
        changes: relative size of each correction, see `correct`; of a condensed frame see `CorrectedBody.in_order`.
        pressure, pressure_change: root mean squares over the area of all joints, √(Σ A p² / Σ A), of the pressure and
            of its change from the reduced frame.
    """

    x: np.ndarray
    responses: Sequence[JointResponse]
    offsets: list[np.ndarray]
    changes: tuple[float, ...]
    pressure: float
    pressure_change: float


def held_analysis(start: Results) -> HeldAnalysis:
    """Return the settings of the analysis that results are of."""
    words = dict(start.settings)
    settings = build(analyses[words.pop("kind")], words)
    if not isinstance(settings, HeldAnalysis):
        raise TypeError(f"a {settings.kind} analysis has no frames that can be corrected")
    return settings


class CorrectedBody:
    """The unreduced body, held and loaded as in an analysis of the reduced body, for correcting its frames.

    Friction follows the corrected frames where their numbers follow each other. Else its history is that of the
    reduced frame in motion, whose time steps are shorter than the frames' interval, and in statics that of the load
    step before.

    Args:
        body: with basis, reduced body and matrices.
        start: results of that analysis, or of a part in motion.
        settings: of that analysis; of a part those of an equal motion of the body alone.
        most: largest number of corrections of the whole FE model for a frame.
        accuracy: share of a correction, in the energy norm, at which a frame is right.

    Attributes:
        start, settings: see there.
        fe: the FE model as that analysis holds it.
        factorisations, solutions: numbers of factors made, and of right-hand sides solved for.

    Raises:
        ModelError: when an interface node or preload case is not there any more.
    """

    def __init__(
        self,
        body: BodyModel,
        start: Results | PartResults,
        settings: HeldAnalysis,
        most: int,
        accuracy: float,
    ) -> None:
        self.settings, self.start = settings, start
        self._most, self._accuracy = most, accuracy
        self._body, self._matrices = body, needed(body.matrices)
        self.fe = fe = FeStructure(settings, body)
        self._tangent = self._mounted_tangent = fe.equations.sparse_tangent(fe.displaced_motions)
        if fe.displaced.components:  # displaced nodes of the mounted body are free
            self._mounted_tangent = fe.equations.sparse_tangent(np.zeros_like(fe.displaced_motions))
        # The last frame, and the friction histories after its correction.
        self._last: tuple[int, list[np.ndarray]] | None = None
        self._before = (0, 0)  # factorisations and solutions of an interrupted run
        self._condensed = CondensedEquilibrium(
            self._tangent.stiffness, self._tangent.constraints, [joint.rows for joint in fe.joints]
        )

    @property
    def factorisations(self) -> int:
        """Number of factors that were made."""
        made = self._tangent, self._condensed
        return self._before[0] + sum(each.factorisations for each in made)

    @property
    def solutions(self) -> int:
        """Number of right-hand sides that were solved for."""
        made = self._tangent, self._condensed
        return self._before[1] + sum(each.solutions for each in made)

    def corrected(self, frame: int, progress: Progress) -> CorrectedFrame:
        """Return a frame after corrections of the whole FE model; see `correct`."""
        found = self._newton(frame, progress, self._accuracy)
        answers, x = found.responses, found.coordinates
        if self.is_mounted(frame):  # slip counts from there
            joints = self._joints(frame)
            at_rest = [force.resting_history(x) for force in joints]
            answers = [f.evaluate(x, h, 0.0, jacobian=False) for f, h in zip(joints, at_rest, strict=True)]
            self._last = frame, at_rest
        else:
            self._last = frame, [answer.history for answer in answers]
        return self._frame(frame, self._reduced([frame])[:, 0], x, answers, found.changes)

    def in_order(self, frames: Sequence[int], progress: Progress) -> Iterator[CorrectedFrame]:
        """Yield the corrected solutions of ascending frames, each from the one before.

        The first one takes corrections of the whole FE model; the others are condensed to the pairs that differ from
        it (`CondensedEquilibrium`). Their changes are what the correction changed, relative and in the energy norm of
        the body, and the share of the pair forces that is out of balance.

        Args:
            frames: their numbers; not that of the mounted body.
            progress: reports and cancels.
        """
        solver, place = self._condensed, None
        done = 0
        while done < len(frames):
            block = frames[done : done + _BLOCK]
            part = PartialProgress(progress, done / len(frames), (done + len(block)) / len(frames))
            given = [
                None if i and block[i - 1] == frame - 1 else self._histories(frame)
                for i, frame in enumerate(block)
            ]
            if place is None or solver.is_outdated:
                if place is None:
                    place = self._newton(
                        block[0], PartialProgress(part, 0.0, 0.3), _REFERENCE_ACCURACY
                    ).coordinates
                solver.refer_to(
                    place, self._joints(block[0]), needed(given[0]), PartialProgress(part, 0.3, 0.5)
                )
                part = PartialProgress(part, 0.5, 1.0)
            reduced = self._reduced(block)
            values = np.stack([self.fe.given(x) for x in reduced.T], axis=1)
            states = solver.solve(
                self._loads(block), values if len(values) else None,
                [self._joints(frame) for frame in block], given, _FORCE_ACCURACY * self._accuracy, part,
            )  # fmt: skip
            done += len(states)
            place = states[-1].displacement
            off = np.stack([state.displacement for state in states], axis=1) - reduced[:, : len(states)]
            changed, stored = self._energies(off), self._energies(off + reduced[:, : len(states)])
            for i, (frame, state) in enumerate(zip(block, states, strict=False)):
                self._last = frame, [answer.history for answer in state.responses]
                change = np.sqrt(changed[i] / max(stored[i], changed[i])) if changed[i] > 0.0 else 0.0
                changes = float(change), state.out_of_balance
                yield self._frame(frame, reduced[:, i], state.displacement, state.responses, changes)

    def summary(self) -> dict[str, Any]:
        """Return more entries of the run report."""
        return {}

    def checkpoint(self) -> dict[str, Any]:
        """Return what the correction of the next frame starts from, and the numbers of factorisations and solutions."""
        return {
            "last": self._last, "factorisations": self.factorisations, "solutions": self.solutions
        }  # fmt: skip

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Restore the last frame's histories and the counts of an interrupted run."""
        last = checkpoint["last"]
        self._last = None if last is None else (last[0], list(last[1]))
        self._before = checkpoint["factorisations"], checkpoint["solutions"]

    def is_mounted(self, frame: int) -> bool:
        """Return whether a frame is the mounted body, before the loads: in equilibrium without friction."""
        return frame == 0 and not isinstance(self.settings, Transient) and float(self.start.values[0]) == 0.0

    def _newton(self, frame: int, progress: Progress, accuracy: float) -> Corrected:
        """Return the state after corrections of the whole FE model, from the reduced frame."""
        forces, before = self._joints(frame), self._reduced([frame])[:, 0]
        tangent, values = self._tangent, self.fe.given(before)
        if self.is_mounted(frame):
            tangent, values = self._mounted_tangent, values[: len(values) - len(self.fe.displaced.components)]
            forces = [force.without_friction() for force in forces]
            histories = [force.initial_history() for force in forces]
        else:
            histories = self._histories(frame)
        load = self._loads([frame])[:, 0]
        return correct(
            tangent,
            load,
            forces,
            histories,
            before,
            progress,
            most=self._most,
            accuracy=accuracy,
            values=values,
        )

    def _offsets(self, frame: int) -> list[np.ndarray | None]:
        """Return true gaps minus those given to the laws (n_pairs,) of each joint, None without hard contact."""
        return [self.start.gap_offset(joint.name, frame) for joint in self._body.joints]

    def _joints(self, frame: int) -> list[SparseJointForce]:
        """Return the joint forces over the free dofs."""
        found = []
        for joint, own, less in zip(self._body.joints, self.fe.joints, self._offsets(frame), strict=True):
            friction = joint.friction_law if self.start.history(joint.name, frame) is not None else None
            force = replace(own, friction_law=friction)
            found.append(force if less is None else force.lifted(less))
        return found

    def _histories(self, frame: int) -> list[np.ndarray]:
        """Return each joint's friction history at the start of a frame's correction; (n_pairs, 0) without friction."""
        if self._last is not None and self._last[0] == frame - 1:
            return self._last[1]
        if isinstance(self.settings, Transient):
            return self._stored_histories(frame)
        return self._stored_histories(frame - 1) if frame else self._resting_histories()

    def _stored_histories(self, frame: int) -> list[np.ndarray]:
        """Return the friction histories of a reduced frame."""
        kept = [self.start.history(joint.name, frame) for joint in self._body.joints]
        sizes = [len(joint.weights) for joint in self._body.joints]
        return [np.zeros((n, 0)) if each is None else each for n, each in zip(sizes, kept, strict=True)]

    def _resting_histories(self) -> list[np.ndarray]:
        """Return those of the undeformed body at rest, before the first load step."""
        found = []
        for joint, force, offset in zip(self._body.joints, self._joints(0), self._offsets(0), strict=True):
            if offset is not None:  # hard contact begins where surfaces touch
                force = force.lifted(-offset - joint.contact_law.closing_gap())
            found.append(force.resting_history(np.zeros(len(self.fe.free))))
        return found

    def _reduced(self, frames: Sequence[int]) -> np.ndarray:
        """Return (n_free, k) displacements of reduced frames."""
        return self._moved([self.start.coordinates(frame) for frame in frames])[self.fe.free]

    def _moved(self, coordinates: Sequence[np.ndarray | None]) -> np.ndarray:
        """Return (n_dofs, k) displacements or their rates of k coordinates (r,)."""
        return self.fe.displacement(np.stack([q for q in coordinates if q is not None], axis=1))

    def _loads(self, frames: Sequence[int]) -> np.ndarray:
        """Return (n_free, k) loads of frames; in motion with their inertia and damping forces."""
        times = [float(self.start.values[frame]) for frame in frames]
        loads = np.stack([self.fe.load(self.settings.load_factors(time)) for time in times], axis=1)
        if isinstance(self.settings, Transient):
            loads += self._moving(frames, loads)
        return loads[self.fe.free]

    def _moving(self, frames: Sequence[int], loads: np.ndarray) -> np.ndarray:
        """Return (n_dofs, k) the forces that motion adds to the loads (n_dofs, k) of frames: −M a − D v."""
        matrices = self._matrices
        times = [float(self.start.values[frame]) for frame in frames]
        q, v = ([of(frame) for frame in frames] for of in (self.start.coordinates, self.start.velocities))
        states = zip(times, q, v, frames, strict=True)
        a = [self._accelerations(t, q, v, tuple(self._stored_histories(frame))) for t, q, v, frame in states]
        found = -(matrices.mass @ self._moved(a))
        if matrices.damping is not None:
            found -= matrices.damping @ self._moved(v)
        return np.asarray(found)

    @cached_property
    def _accelerations(self) -> Callable[..., np.ndarray]:
        """Accelerations of the reduced body without its stiffness damping.

        Times −M they hold the damping forces, too, distributed like the inertia forces: they do the same work on each
        coordinate. Forces −β K v would be those of the joint modes, whose rates, hardly known at the frequencies that
        time steps pass over, would be as large in pressures as the stiffness of these modes.
        """
        settings = self.settings
        assert isinstance(settings, Transient)
        return settings.with_(stiffness_damping=0.0).accelerations(self._body)

    def _energies(self, x: np.ndarray) -> np.ndarray:
        """Return (k,) twice the elastic energies of displacements (n_free, k)."""
        return np.asarray(np.einsum("nk,nk->k", x, self._tangent.stiffness @ x))

    def _frame(
        self,
        frame: int,
        before: np.ndarray,
        x: np.ndarray,
        answers: Sequence[JointResponse],
        changes: tuple[float, ...],
    ) -> CorrectedFrame:
        """Return the frame of displacements x (n_free,), before the correction those of the reduced body."""
        offsets = [offset for offset in self._offsets(frame) if offset is not None]
        if offsets:
            answers = [replace(each, gap=each.gap + by) for each, by in zip(answers, offsets, strict=True)]
        return CorrectedFrame(
            self.fe.full(x), answers, offsets, changes, *self._pressures(frame, before, answers)
        )

    def _pressures(
        self, frame: int, before: np.ndarray, answers: Sequence[JointResponse]
    ) -> tuple[float, float]:
        """Return `CorrectedFrame.pressure` and `CorrectedFrame.pressure_change`."""
        area = size = change = 0.0
        histories = self._stored_histories(frame)
        for force, history, answer in zip(self._joints(frame), histories, answers, strict=True):
            reduced, weights = force.evaluate(before, history, 0.0, jacobian=False), force.rows.weights
            area += float(weights.sum())
            size += float(weights @ answer.pressure**2)
            change += float(weights @ (answer.pressure - reduced.pressure) ** 2)
        return (float(np.sqrt(size / area)), float(np.sqrt(change / area))) if area else (0.0, 0.0)
