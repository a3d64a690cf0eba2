"""Frequency and damping from static loops along a mode, over amplitude: common to quasi-static modes of all kinds."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from faying.analyses.harmonics.amplitude_range import AmplitudeRange
from faying.analyses.harmonics.mode_point import OfMode
from faying.errors import ModelError
from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import JointResponse
from faying.joints.pointwise import ContactStatus
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.solvers.load_steps import LoadState
from faying.solvers.modal_loop import ModalLoop, ModalPath, ModalState, backbone_of, masing_dissipation

_RATE = (
    1e-9  # relative change of a friction stress with the time of a step, above which its law depends on it
)
_WHOLE = 1e-3  # of the closed area, which may stick where a joint slides as a whole
_NUMBERS = (
    "natural frequency", "damping by friction", "work of friction per cycle", "modal amplitude", "modal load",
)  # fmt: skip
_OF_LOOP = ("natural frequency by Masing", "damping by friction by Masing", "closure")


class LoopPoint(NamedTuple):
    """A vibration at one amplitude.

    Attributes:
        amplitude: of the point.
        state: at the amplitude, at the end of the loop if there is one.
        numbers: of the vibration, by the names of their curves.
        sliding: of each joint, whether all of its closed pairs slip.
    """

    amplitude: float
    state: ModalState
    numbers: dict[str, float]
    sliding: tuple[bool, ...]


class ModalLoopAnalysis(AmplitudeRange, OfMode):
    """An analysis of a vibration in one mode by static loops along it, over the amplitude."""

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
    def numbers(self) -> tuple[str, ...]:
        """Names of the curves of `LoopPoint.numbers`."""
        return _NUMBERS + (_OF_LOOP if self.loop == "full" else ())

    def follow(
        self, path: ModalPath, rest: LoadState, row: np.ndarray, progress: Progress
    ) -> Iterator[LoopPoint]:
        """Yield the vibration at each amplitude.

        Args:
            path: the structure along the mode.
            rest: its state of rest.
            row: (n,) displacement of the point whose amplitude is given, over the coordinates of the path.
            progress: reports and cancels.

        Raises:
            SolveError: when no equilibrium is found, however small the step.
        """
        motions = self.amplitudes / abs(float(row @ path.shape))
        full = self.loop == "full"
        share = 0.25 if full else 1.0
        loading = self._first_loading(
            path, rest, motions, PartialProgress(progress, 0.0, share, "first loading")
        )
        ends = [each[-1] for each in loading]
        points = np.array([[state.motion, state.load] for each in loading for state in each])
        areas = masing_dissipation(*points.T)[np.cumsum([len(each) for each in loading]) - 1]
        for k, (state, area) in enumerate(zip(ends, areas.tolist(), strict=True)):
            by_masing = backbone_of(state.load, state.motion, area)
            numbers = dict(zip(_NUMBERS, (*by_masing, state.motion, state.load), strict=True))
            shown, opposite = state, rest.coordinates - (state.coordinates - rest.coordinates)
            if full:
                begin, end = (share + (1.0 - share) * at / len(ends) for at in (k, k + 1))
                part = PartialProgress(progress, begin, end, f"loop {k + 1} of {len(ends)}")
                found = path.loop(rest, state, self.loop_steps, part)
                numbers = _of_loop(found) | dict(zip(_OF_LOOP, (*by_masing[:2], found.closure), strict=True))
                shown, opposite = found.end, found.turned.coordinates
            amplitude = 0.5 * abs(float(row @ (shown.coordinates - opposite)))
            told = zip(path.body.joints, shown.solved.solution.responses, strict=True)
            sliding = tuple(_slides(answer, np.asarray(joint.rows.weights)) for joint, answer in told)
            yield LoopPoint(amplitude, shown, numbers, sliding)

    def found(self, path: ModalPath, joints: Sequence[str], points: Sequence[LoopPoint]) -> dict[str, Any]:
        """Return the report's entries about the loops.

        Args:
            path: that was followed.
            joints: names.
            points: at all amplitudes.
        """
        report: dict[str, Any] = {
            "mode": self.mode, "backbone": [{"amplitude": at.amplitude, **at.numbers} for at in points],
            "load_steps": path.n_steps, "iterations": path.iterations, "divided_load_steps": path.divided,
        }  # fmt: skip
        whole = {}
        for number, joint in enumerate(joints):
            # From the last amplitude on at which some pair sticks.
            from_here = next((k for k in range(len(points), 0, -1) if not points[k - 1].sliding[number]), 0)
            if from_here < len(points):
                whole[joint] = points[from_here].amplitude
        if whole:
            report["slides_as_a_whole"] = whole
        if self.loop == "full":
            report["largest_loop_closure"] = max(at.numbers["closure"] for at in points)
        return report

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


def require_dry_friction(laws: Iterable[tuple[str, FrictionLaw | None]]) -> None:
    """Refuse a friction law that depends on velocity, which statics does not know; names of joints and their laws.

    Raises:
        ModelError: when there is one.
    """
    for joint, law in laws:
        if law is not None and depends_on_rate(law):
            raise ModelError(
                f"The friction law of joint {joint!r}, {law.title}, depends on velocity, and there is no time in a "
                "quasi-static analysis.",
                "Choose a law of dry friction, or find the decay of a transient.",
            )


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


def _slides(answer: JointResponse, areas: np.ndarray) -> bool:
    """Return whether all closed pairs of a joint slip."""
    closed = float(areas[answer.status != ContactStatus.GAPING].sum())
    slipping = float(areas[answer.status == ContactStatus.SLIPPING].sum())
    return closed > 0.0 and slipping >= (1.0 - _WHOLE) * closed


def _of_loop(loop: ModalLoop) -> dict[str, float]:
    """Return the numbers of a loop by the names of their curves."""
    half = 0.5 * (loop.end.load - loop.turned.load)
    return dict(zip(_NUMBERS, (*loop.backbone, loop.end.motion, half), strict=True))
