"""A system under harmonic loads at markers, or on ground that is shaken."""

from abc import abstractmethod
from collections.abc import Collection, Iterator

import numpy as np

from faying.analyses import SystemAnalysis
from faying.analyses.harmonics.response_points import load_label
from faying.errors import ModelError
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import GROUND
from faying.params import Spec, parameter
from faying.solvers.integrators import State

Vector = tuple[float, float, float]


class MarkerLoadSpec(Spec):
    """Amplitudes of a force and a moment at a marker."""

    marker: str = parameter(title="Marker", choices="marker", meaning="Where the load acts.")
    force: Vector = parameter(
        (0.0, 0.0, 0.0), title="Force", quantity="force",
        meaning="Components along x, y, z in space; where the part turns they turn with it.",
    )  # fmt: skip
    moment: Vector = parameter(
        (0.0, 0.0, 0.0), title="Moment", quantity="moment", meaning="Components about x, y, z, likewise."
    )
    phase: float = parameter(
        0.0, title="Phase", quantity="angle", meaning="By how much it is ahead of a load of phase zero."
    )

    @property
    def label(self) -> str:
        """Marker and direction of the load: "rod.tip fz"."""
        return load_label(self.marker, (*self.force, *self.moment))

    @property
    def column(self) -> np.ndarray:
        """(6,) complex force and moment."""
        return np.asarray(np.exp(1j * self.phase) * np.array([*self.force, *self.moment]))


class LoadedSystemAnalysis(SystemAnalysis):
    """An analysis of a system under harmonic loads."""

    loads: tuple[MarkerLoadSpec, ...] = parameter(
        (), title="Loads", meaning="Amplitudes and phases of forces and moments at markers."
    )
    base_acceleration: Vector = parameter(
        (0.0, 0.0, 0.0), title="Base acceleration", quantity="acceleration",
        meaning="Amplitudes, along x, y, z, of the acceleration of the ground with all that is fixed to it. The parts "
        "feel a weight against it, and their motion is seen from the ground.",
    )  # fmt: skip
    base_phase: float = parameter(
        0.0, title="Base phase", quantity="angle",
        meaning="By how much the acceleration of the ground is ahead of a load of phase zero.",
    )  # fmt: skip

    @property
    def acting(self) -> list[MarkerLoadSpec]:
        """The loads that are not zero and not on the ground."""
        on_parts = [load for load in self.loads if not load.marker.startswith(f"{GROUND}.")]
        return [load for load in on_parts if any(load.force) or any(load.moment)]

    @property
    def is_shaken(self) -> bool:
        """Whether the ground accelerates."""
        return any(self.base_acceleration)

    @property
    def acting_labels(self) -> list[str]:
        """Names of the columns of `load_columns`: of the loads, and of the acceleration of the ground."""
        return [*(load.label for load in self.acting), *(["base"] if self.is_shaken else [])]

    def load_columns(self, system: MultibodySystem, at: State) -> np.ndarray:
        """Return (n, p) complex generalised forces of each acting load, and of the acceleration of the ground."""
        columns = [marker_rows(system, at, [load.marker]).T @ load.column for load in self.acting]
        if self.is_shaken:
            weight = system.weight(at.q, -np.array(self.base_acceleration))
            columns.append(np.exp(1j * self.base_phase) * weight)
        return np.column_stack(columns) if columns else np.zeros((system.n, 0), complex)

    @abstractmethod
    def problems(self, markers: Collection[str]) -> Iterator[ModelError]:
        """Yield the errors that prevent a run.

        Args:
            markers: names of the system's markers, as part.marker.
        """

    def problems_of_loads(self, markers: Collection[str]) -> Iterator[ModelError]:
        """Yield the errors in markers and loads.

        Args:
            markers: names of the system's markers, as part.marker.
        """
        for name in sorted({load.marker for load in self.loads} - set(markers)):
            known = ", ".join(name for name in markers if not name.startswith(f"{GROUND}."))
            yield ModelError(f"There is no marker called {name!r}.", f"There are: {known or 'none'}.")
        if not self.acting_labels:
            yield ModelError(
                f"The {self.title.split(' of ')[0].lower()} {self.name!r} has no load on a part that moves.",
                "Add a force or a moment at a marker, or an acceleration of the ground.",
            )


def markers_of(system: MultibodySystem) -> tuple[list[str], list[str]]:
    """Return the names of all markers, as part.marker: of parts that move, and of the others."""
    moving = [f"{part.name}.{m}" for part in system.parts if part.n for m in part.marker_names()]
    return moving, [f"{part.name}.{m}" for part in system.parts if not part.n for m in part.marker_names()]


def marker_rows(system: MultibodySystem, at: State, markers: Collection[str]) -> np.ndarray:
    """Return (6 m, n) displacements and rotations in space of markers per δq, three and three of each."""
    rows = np.zeros((6 * len(markers), system.n))
    for i, name in enumerate(markers):
        motion, part = system.motion(name, at.q, at.v), name.partition(".")[0]
        own = next(r for p, r in zip(system.parts, system.ranges, strict=True) if p.name == part)
        rows[6 * i : 6 * i + 6, own] = np.vstack([motion.d_position, motion.d_rotation])
    return rows
