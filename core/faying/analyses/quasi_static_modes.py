"""Quasi-static modal analysis: frequency and damping by friction over amplitude, from static loops along a mode."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, cast

import numpy as np

from faying.analyses import BodyModel, JointModel, analyses, needed
from faying.analyses.harmonics.amplitude_range import AmplitudeRange
from faying.analyses.harmonics.joint_springs import nothing_presses
from faying.analyses.harmonics.linearized_body import elastic
from faying.analyses.recording.curve_source import BodyState
from faying.analyses.recording.recorder import OfferedCurves, Recorder
from faying.analyses.statics.load_case import LoadCase
from faying.analyses.statics.load_path import PathPoint
from faying.analyses.statics.reactions import contact_forces
from faying.analyses.statics.reduced_structure import ReducedStructure
from faying.analyses.statics.settings import ContactStatics
from faying.analyses.statics.structure import Structure
from faying.errors import ModelError
from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import DenseRows
from faying.joints.linearized import PairSprings, pair_springs
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.carried import Acting
from faying.reduction.quality import ritz_modes
from faying.results.curve_key import CurveKey
from faying.solvers.displacement_controlled_body import MotionStates
from faying.solvers.load_steps import LoadState, mounted_state, resting_state
from faying.solvers.modal_loop import ModalLoop, ModalPath, ModalState, backbone_of, masing_dissipation

_RATE = (
    1e-9  # relative change of a friction stress with the time of a step, above which its law depends on it
)
_WHOLE = 1e-3  # of the closed area, which may stick where a joint slides as a whole
_NUMBERS = (
    "natural frequency", "damping by friction", "work of friction per cycle", "modal amplitude", "modal load",
)  # fmt: skip
_OF_LOOP = ("natural frequency by Masing", "damping by friction by Masing", "closure")


class StuckMode(NamedTuple):
    """A vibration mode with all closed pairs stuck, over the coordinates of a body in statics.

    Attributes:
        frequency: of it.
        shape: (n,) φ, with a mass of one.
        column: (n,) M φ.
        displacements: (3 n_nodes, n) displacements of nodes per coordinate, dense or CSR.
        interfaces: (6, n) or (3, n) motion of each interface node, by name.
    """

    frequency: float
    shape: np.ndarray
    column: np.ndarray
    displacements: Any
    interfaces: Mapping[str, Any]


@analyses.register("quasi_static_modes")
class QuasiStaticModes(AmplitudeRange, ContactStatics):
    """Frequency and damping by friction of a mode over its amplitude, without inertia or time.

    The mounted body is pushed along a mode φ with stuck joints: K q − Q(q; history) = f₀ + α M φ, up to the amplitude
    a = φᵀ M (q − q₀), then to −a and back (Festjens, Chevallier and Dion 2013, A numerical tool for the design of
    assembled structures under dynamic loads; Lacayo and Allen 2019, Updating structural models containing nonlinear
    Iwan joints using quasi-static modal analysis). The motion along the mode is controlled and α follows, so that the
    path goes on where a joint slides as a whole.

    It holds while the shape of the vibration stays that of the mode, apart from the motion in the joints, and while
    neither its harmonics nor other modes matter.
    """

    title: ClassVar[str] = "Quasi-static modes"
    axis: ClassVar[str] = "amplitude"
    order: ClassVar[int] = 10
    may_be_free: ClassVar[bool] = True
    needs_model: ClassVar[bool] = True

    preloads: tuple[str, ...] = parameter(
        (),
        title="Preload cases",
        choices="preload",
        meaning="Preload cases of the body under which it rests.",
    )
    loop: Literal["full", "masing"] = parameter(
        "full", title="Loop",
        meaning="Full: to each amplitude, to the opposite one and back. Masing: the loop that follows from the first "
        "loading if its branches are that at twice the size, which takes a small part of the time; it holds where "
        "pressures do not change in the cycle.",
    )  # fmt: skip
    load_steps: int = parameter(
        4, title="Steps between amplitudes", ge=1, le=1000,
        meaning="Load steps from one amplitude to the next on the first loading, at equal ratios.",
    )  # fmt: skip
    loop_steps: int = parameter(
        24, title="Steps of half a loop", ge=2, le=10000,
        meaning="Load steps from an amplitude to the opposite one, the shortest after the turn; their trapezoids are "
        "the area of the loop. As many lead to the first amplitude.",
    )  # fmt: skip

    @property
    def acting_preloads(self) -> tuple[str, ...]:
        """The parameter `preloads`."""
        return self.preloads

    def load_cases(self) -> tuple[LoadCase, ...]:
        """Return the support and preload at which the body vibrates."""
        return (LoadCase(self.support, self.preloads, friction=self.sees_friction, inertia=True),)

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Follow the first loading, then the loop at each amplitude; each amplitude is a frame."""
        structure = self.structure(body)
        for joint, law in zip(body.joints, structure.laws, strict=True):
            if law is not None and depends_on_rate(law):
                raise _has_rate(joint)
        rest = self._rest(structure, PartialProgress(progress, 0.0, 0.05, "preload"))
        mode = self.stuck_mode(structure, rest, PartialProgress(progress, 0.05, 0.1, "mode"))
        path = ModalPath(structure.equations, mode.column, mode.shape, structure.base, self.equilibrium)
        point = self.point_of(mode.displacements, mode.interfaces, needed(body.model), mode.shape)
        motions = self.amplitudes / abs(float(point.row @ path.shape))
        full = self.loop == "full"
        share = 0.3 if full else 0.99
        part = PartialProgress(progress, 0.1, share, "first loading")
        loading = self._first_loading(path, rest, motions, part)
        ends = [each[-1] for each in loading]
        points = np.array([[state.motion, state.load] for each in loading for state in each])
        areas = masing_dissipation(*points.T)[np.cumsum([len(each) for each in loading]) - 1]
        offered = OfferedCurves(structure.recorded(run=_NUMBERS + (_OF_LOOP if full else ())))
        rows: list[dict[str, float]] = []
        with Recorder(
            target, offered, axis=self.axis, body=body.name, frame=self.support,
            settings=self.model_dump(mode="json"),
        ) as recorder:  # fmt: skip
            for k, (state, area) in enumerate(zip(ends, areas.tolist(), strict=True)):
                by_masing = backbone_of(state.load, state.motion, area)
                numbers = dict(zip(_NUMBERS, (*by_masing, state.motion, state.load), strict=True))
                shown, opposite = state, rest.coordinates - (state.coordinates - rest.coordinates)
                if full:
                    first, last = (share + (0.99 - share) * at / len(ends) for at in (k, k + 1))
                    heading = f"loop {k + 1} of {len(ends)}"
                    found = path.loop(
                        rest, state, self.loop_steps, PartialProgress(progress, first, last, heading)
                    )
                    numbers = _of_loop(found) | dict(
                        zip(_OF_LOOP, (*by_masing[:2], found.closure), strict=True)
                    )
                    shown, opposite = found.end, found.turned.coordinates
                amplitude = 0.5 * abs(float(point.row @ (shown.coordinates - opposite)))
                place = _as_point(shown, k)
                x, data = structure.frame(place)
                answers = shown.solved.solution.responses
                contact = contact_forces(structure.names, answers, structure.joint_rows)
                acting = Acting(preloads=self.acting_preloads, contact=contact)
                frame = BodyState(x, answers, acting, tensions=structure.tensions(place), run=numbers)
                recorder.frame(amplitude, (frame,), data)
                rows.append({"amplitude": amplitude, **numbers})
            report = {
                "mode": self.mode, "stuck_frequency": mode.frequency, "amplitude_of": point.name, "backbone": rows,
                "friction": self.reported_friction(body), "load_steps": path.n_steps, "iterations": path.iterations,
                "divided_load_steps": path.divided, **structure.report,
            } | recorder.report()  # fmt: skip
            if whole := _slides_as_a_whole(structure.names, recorder, [row["amplitude"] for row in rows]):
                report["slides_as_a_whole"] = whole
            if full:
                report["largest_loop_closure"] = max(row["closure"] for row in rows)
            recorder.close(report)
        progress.report(1.0, self.title)
        return report

    def structure(self, body: BodyModel) -> Structure:
        """Return the body that is pushed."""
        found = ReducedStructure(self, body)
        found.report["mounted_error"] = found.body.mounted_error(self.preloads)
        return found

    def stuck_mode(self, structure: Structure, rest: LoadState, progress: Progress) -> StuckMode:
        """Return the mode with all closed pairs stuck.

        Args:
            structure: the body.
            rest: its state of rest.
            progress: reports and cancels.

        Raises:
            ModelError: when no pair is under pressure, or the body has too few modes.
        """
        assert isinstance(structure, ReducedStructure)
        held, stiffness = structure.body, np.array(structure.body.stiffness)
        for each, force in zip(stuck_springs(structure, rest), structure.equations.joints, strict=True):
            stiffness += each.over(cast(DenseRows, force.rows))  # those of a reduced body are dense
        frequencies, shapes = ritz_modes(stiffness, held.mass)
        swings = np.flatnonzero(elastic(frequencies))
        if self.mode > len(swings):
            raise ModelError(
                f"There is no mode {self.mode}: the reduced body has {len(swings)}.",
                "Choose a lower number, or give the body more vibration modes.",
            )
        at = swings[self.mode - 1]
        shape = shapes[:, at]
        return StuckMode(
            float(frequencies[at]), shape, held.mass @ shape, held.displacements, held.interfaces
        )

    def _rest(self, structure: Structure, progress: Progress) -> LoadState:
        """Return the body at rest, mounted if there are preload cases."""
        joints = structure.equations.joints
        if not structure.mounts:
            hard = bool(self.allowed_penetration)
            return resting_state(joints, np.zeros(len(structure.base)), hard=hard)
        return mounted_state(joints, structure.mounted(self.equilibrium, progress)).state

    def _first_loading(
        self, path: ModalPath, rest: LoadState, motions: np.ndarray, progress: Progress
    ) -> list[list[ModalState]]:
        """Return the states of the first loading, those up to each amplitude."""
        found: list[list[ModalState]] = []
        for k, motion in enumerate(motions.tolist()):
            part = PartialProgress(progress, k / len(motions), (k + 1) / len(motions))
            if found:
                begin, steps = found[-1][-1], np.geomspace(motions[k - 1], motion, self.load_steps + 1)[1:]
            else:
                begin, steps = None, motion * (np.arange(1, self.loop_steps + 1) / self.loop_steps) ** 2
            found.append(path.follow(rest, begin, steps, part))
        return found


def stuck_springs(structure: Structure, rest: LoadState) -> tuple[PairSprings, ...]:
    """Return the springs of all joints with their closed pairs stuck.

    Args:
        structure: the body.
        rest: its state of rest.

    Raises:
        ModelError: when no pair is under pressure.
    """
    found = []
    for force, history in zip(structure.equations.joints, rest.histories, strict=True):
        answer = force.evaluate(rest.coordinates, history, 0.0, jacobian=False)
        laws, weights = (force.contact_law, force.friction_law), np.asarray(force.rows.weights)
        found.append(pair_springs(*laws, answer, weights, "stuck"))
    if structure.names and not any(springs.closed for springs in found):
        raise nothing_presses(structure.names)
    return tuple(found)


def _slides_as_a_whole(
    joints: Sequence[str], recorder: Recorder, amplitudes: Sequence[float]
) -> dict[str, float]:
    """Return the amplitude from which on all closed pairs of a joint slip, by joint, as far as it is reached."""
    found = {}
    for joint in joints:
        closed, slips = (
            recorder.curve(CurveKey(f"{what} share", kind="joint", owner=joint))
            for what in ("closed", "slipping")
        )
        sliding = (slips >= (1.0 - _WHOLE) * closed) & (closed > 0.0)
        first = len(sliding) - int(np.argmin(np.append(sliding[::-1], False)))
        if first < len(sliding):
            found[joint] = amplitudes[first]
    return found


def _as_point(state: ModalState, number: int) -> PathPoint:
    """Return a state as one of a load path, on which nothing but the force along the mode acts."""
    solved = state.solved
    return PathPoint(
        float(number), 1, 1, solved.state, solved.solution, np.zeros(0), MotionStates.free(0), 0,
        solved.state.histories, 0.0,
    )  # fmt: skip


def _of_loop(loop: ModalLoop) -> dict[str, float]:
    """Return the numbers of a loop by the names of their curves."""
    half = 0.5 * (loop.end.load - loop.turned.load)
    return dict(zip(_NUMBERS, (*loop.backbone, loop.end.motion, half), strict=True))


def depends_on_rate(law: FrictionLaw) -> bool:
    """Return whether the friction stress of a step depends on the time that it takes.

    Args:
        law: asked for a short slip within two times.
    """
    nothing, limit = np.zeros((1, law.history_size)), np.ones(1)
    begun = law.traction(np.zeros((1, 2)), limit, nothing, 1.0).d_slip
    stiffness = 1.0 if begun is None or begun[0, 0, 0] <= 0.0 else float(begun[0, 0, 0])
    slip = np.array([[0.5 / stiffness, 0.0]])
    slow, fast = (law.traction(slip, limit, nothing, time, derivatives=False).stress for time in (1.0, 1e-3))
    return bool(np.abs(slow - fast).max() > _RATE * max(np.abs(slow).max(), np.abs(fast).max()))


def _has_rate(joint: JointModel) -> ModelError:
    """Return the error that a law depends on velocity, which statics does not know."""
    title = "" if joint.friction_law is None else joint.friction_law.title
    return ModelError(
        f"The friction law of joint {joint.name!r}, {title}, depends on velocity, and there is no time in a "
        "quasi-static analysis.",
        "Choose a law of dry friction, or find the decay of a transient.",
    )
