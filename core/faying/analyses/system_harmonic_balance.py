"""Periodic answers of a system with contact and friction in the joints of its parts: curves that may turn back."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemModel, analyses
from faying.analyses.harmonics.about_system_rest import AboutSystemRest
from faying.analyses.harmonics.about_system_state import placed_states
from faying.analyses.harmonics.forced_curve import ForcedCurveAnalysis, Outputs, Way, way_parameter
from faying.analyses.harmonics.loaded_system import LoadedSystemAnalysis, markers_of
from faying.analyses.harmonics.response_points import output_keys
from faying.errors import ModelError
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.results.results import Results
from faying.solvers.harmonic import Damping


@analyses.register("system_harmonic_balance")
class SystemHarmonicBalance(ForcedCurveAnalysis, LoadedSystemAnalysis, AboutSystemRest):
    """Periodic answers of a system to harmonic loads, with contact and friction in joints inside its parts.

    The system moves little about a state of rest. Constraints hold, and forces and reactions have their tangents there,
    while joints inside flexible parts and contacts between parts follow their laws over each period, from their state
    at rest; damping is that of the system. All else is as in the harmonic balance of a body: the motion is a sum of
    harmonics, all in balance, and the curve is followed by its arc length. Frames
    are states of the periodic motion, at the instant when its first harmonic is largest.
    """

    is_linearised: ClassVar[bool] = True
    title: ClassVar[str] = "Harmonic balance of a system"
    follows: ClassVar[tuple[str, ...]] = (*AboutSystemRest.follows, "system_harmonic_balance")
    continued_by: ClassVar[tuple[str, str, str]] = ("continues", "continues_at", "way")

    continues: str = parameter(
        "", title="Continues", choices="analysis",
        meaning="Another harmonic balance of the same system under the same loads, one of whose points this curve "
        "begins at, with the load level of that point. Empty for curves that begin at an end of the range.",
    )  # fmt: skip
    continues_at: int = parameter(
        -1, title="Point of it", ge=-1, meaning="Number of that point, from 0; −1 for the last one."
    )
    way: Way = way_parameter()

    def predecessors(self) -> tuple[str, ...]:
        """Return the motion about a frame of which it vibrates, and the continued curve, if there are any."""
        return (*super().predecessors(), *((self.continues,) if self.continues else ()))

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Find the state, and follow the curve of each level, or the continued one; each point is a frame."""
        continued: Results | None = None
        if self.continues:
            starts = (*((system.start,) if system.start else ()), *system.more_starts)
            *before, continued = starts
            system = replace(system, start=before[0] if before else None, more_starts=())
            for problem in self._problems_of_curve(continued):
                raise problem
        found, more = self.at_rest(system, PartialProgress(progress, 0.0, 0.05))
        built, at = found.built, found.at
        moving, still = markers_of(built)
        for problem in self.problems([*moving, *still]):
            raise problem
        load = found.motions.T @ self.load_columns(built, at).sum(axis=1)
        keys = [key for name in moving for key in output_keys("displacement", "marker", name)]
        _, rows = found.marker_motions
        outputs = Outputs(tuple(keys), rows, np.arange(len(rows)) % 6 < 3)
        curve = self.curve_of(found, load, outputs, found.frame, Damping())
        return self.follow(
            curve, continued, target, PartialProgress(progress, 0.05, 1.0), more, system=system.spec.name,
            sizes=found.sizes(self.highest_harmonic), joints={}, constants=placed_states(built, at.q),
        )  # fmt: skip

    def problems(self, markers: Collection[str]) -> Iterator[ModelError]:
        """Yield the errors in loads, range and samples that prevent a run.

        Args:
            markers: names of the system's markers, as part.marker.
        """
        yield from self.problems_of_loads(markers)
        yield from self.problems_of_curves()

    def _problems_of_curve(self, start: Results) -> Iterator[ModelError]:
        if start.settings["kind"] != self.kind:
            yield ModelError(
                f"Analysis {self.name!r} takes {self.continues!r} for a {self.title.lower()}, which it is not.",
                "Continue a harmonic balance of the same system.",
            )
        else:
            yield from self.problems_of_continued(start)
