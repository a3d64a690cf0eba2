"""A system in small motion about a state: common to its modes and its frequency responses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemAnalysis, SystemModel
from faying.analyses.frequency_response import operating_shape
from faying.analyses.motion import Motion
from faying.analyses.quasi_static import QuasiStatic
from faying.multibody.system import MultibodySystem
from faying.params import build, parameter
from faying.progress import Progress
from faying.results.names import path_of
from faying.solvers.integrators import State
from faying.spatial.rotations import body_rates


@dataclass(frozen=True, eq=False)
class LinearizationPoint:
    """A state of a system to linearise about.

    Attributes:
        built: the system, without redundant equations.
        state: position, velocity, reactions and history.
        degrees: number of degrees of freedom.
        stability: entry of the report about the equilibrium; empty for another state.
    """

    built: MultibodySystem
    state: State
    degrees: int
    stability: dict[str, Any]


class AboutSystemState(SystemAnalysis):
    """An analysis of a system that is linearised about its equilibrium, its start, or a frame of a motion."""

    follows: ClassVar[tuple[str, ...]] = ("motion", "quasi_static")

    from_equilibrium: bool = parameter(
        True, title="About equilibrium",
        meaning="Whether the system first finds its rest under preload, weight and the forces at time zero; else it is "
        "linearised about its assembled start with its velocities.",
    )  # fmt: skip
    start_from: str = parameter(
        "", title="About a frame of", choices="analysis",
        meaning="A motion or quasi-static motion of the same system about one of whose frames it is linearised; empty "
        "for equilibrium or start.",
    )  # fmt: skip
    start_frame: int = parameter(
        -1, title="Frame of it", ge=-1, meaning="Number of that frame, from 0; −1 for the last one."
    )

    def predecessors(self) -> tuple[str, ...]:
        """Return the motion about a frame of which it is linearised, if there is one."""
        return (self.start_from,) if self.start_from else ()

    def state(self, system: SystemModel, progress: Progress) -> LinearizationPoint:
        """Return the assembled system and its state.

        Raises:
            ModelError: for a system without parts, or a frame that is not there.
            SolveError: when the parts cannot be put together, or no equilibrium is found.
        """
        progress.report(0.0, "assembly; the very first run also makes machine code")
        words = {"name": self.name, "system": self.system, "start_frame": self.start_frame}
        rests = self.from_equilibrium and system.start is None
        motion = build(Motion, {**words, "from_equilibrium": rests})
        at_rest = system.start is not None and system.start.settings.get("kind") == QuasiStatic.kind
        built, freedom, at = motion.assembled(system, progress, at_rest=at_rest)
        return LinearizationPoint(built, at, freedom.degrees, motion.stability_of(system, built, at))


def shape_sizes(system: MultibodySystem, count: int = 0) -> dict[str, int | tuple[int, ...]]:
    """Return the sizes of what frames store of the parts, by path.

    Args:
        system: the parts.
        count: number of shapes in a frame; 0 where each frame is one.
    """
    sizes: dict[str, int | tuple[int, ...]] = {}
    for part in system.parts:
        if part.n:
            sizes[path_of("parts", part.name, "motion")] = 7
            one = (2, part.n - 1)
            sizes[path_of("parts", part.name, "swing")] = (count, *one) if count else one
            if part.n > 7:
                sizes[path_of("parts", part.name, "coordinates")] = part.n - 7
    return sizes


def placed_parts(system: MultibodySystem, q: np.ndarray) -> dict[str, Any]:
    """Return position and flexible coordinates of the parts at q, by path; Euler parameters are normalised."""
    named: dict[str, Any] = {}
    for part, at in zip(system.parts, system.ranges, strict=True):
        if part.n:
            motion = q[at][:7].copy()
            motion[3:] /= np.linalg.norm(motion[3:])
            named[path_of("parts", part.name, "motion")] = motion
            if part.n > 7:
                named[path_of("parts", part.name, "coordinates")] = q[at][7:]
    return named


def placed_states(system: MultibodySystem, q: np.ndarray) -> dict[str, np.ndarray]:
    """Return (7 + r,) position, Euler parameters and flexible coordinates of each moving part, by path."""
    parts = zip(system.parts, system.ranges, strict=True)
    return {path_of("parts", part.name, "state"): q[at] for part, at in parts if part.n}


def swings(
    system: MultibodySystem, q: np.ndarray, shape: np.ndarray, later: np.ndarray
) -> dict[str, np.ndarray]:
    """Return of each part (2, 6 + r): δR, δθ in its frame, δq_f of a shape, now and a quarter period later."""
    found = {}
    for part, at in zip(system.parts, system.ranges, strict=True):
        if part.n:
            turn = body_rates(q[at][3:7])
            rows = [np.concatenate([d[:3], turn @ d[3:7], d[7:]]) for d in (shape[at], later[at])]
            found[path_of("parts", part.name, "swing")] = np.array(rows)
    return found


def several_swings(
    system: MultibodySystem, q: np.ndarray, shapes: Sequence[tuple[np.ndarray, np.ndarray]]
) -> dict[str, np.ndarray]:
    """Return of each part (m, 2, 6 + r) of m shapes as `swings` has them, by path."""
    each = [swings(system, q, *shape) for shape in shapes]
    return {path: np.array([found[path] for found in each]) for path in each[0]}


def scaled_shape(system: MultibodySystem, shape: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a complex shape (n,) when it is largest, about one, and a quarter of a period later."""
    now, later = operating_shape(shape)
    largest = float(np.abs(system.scales * now).max())
    return now / largest, later / largest
