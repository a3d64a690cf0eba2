"""Periodic answers of a body with contact and friction to harmonic loads: curves over frequency that may turn back."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.harmonics.forced_curve import ForcedCurveAnalysis, Outputs, Way, way_parameter
from faying.analyses.harmonics.loaded_body import LoadedBodyAnalysis
from faying.analyses.harmonics.periodic_body import PeriodicBody, periodic_body
from faying.analyses.harmonics.response_points import PointRows, load_columns, reduced_points
from faying.errors import ModelError
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.results.results import Results


@analyses.register("harmonic_balance")
class HarmonicBalance(ForcedCurveAnalysis, LoadedBodyAnalysis):
    """Periodic answers of a body to harmonic loads, with contact and friction in its joints, by harmonic balance.

    The motion is a sum of harmonics, contact and friction follow their laws over each period, and all harmonics are in
    balance. The curve is followed by its arc length, so that it passes turning points, where the answer jumps when the
    frequency is swept. Frames are states of the periodic motion, at the instant when its first harmonic is largest,
    and are shown over the period with all harmonics. The motion of a free body as a whole is left out.

    Levels follow one another, each back over the range of the one before. With `start_from` one curve continues at a
    point of another analysis: past the end of its range, the other way, or in finer steps.
    """

    title: ClassVar[str] = "Harmonic balance"
    continued_by: ClassVar[tuple[str, str, str]] = ("start_from", "start_frame", "way")
    follows: ClassVar[tuple[str, ...]] = (*LoadedBodyAnalysis.follows, "harmonic_balance")

    start_from: str = parameter(
        "", title="Start from", choices="analysis",
        meaning="Another harmonic balance of the same body under the same loads, one of whose points this curve begins "
        "at, with the load level of that point. Empty for curves that begin at an end of the range.",
    )  # fmt: skip
    start_frame: int = parameter(
        -1, title="Point of it", ge=-1, meaning="Number of that point, from 0; −1 for the last one."
    )
    way: Way = way_parameter()

    def predecessors(self) -> tuple[str, ...]:
        """Return the static analysis about which the body vibrates, and the continued one, if there are any."""
        return (*super().predecessors(), *((self.start_from,) if self.start_from else ()))

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Follow the curve of each level, or the continued one; each point is a frame."""
        for problem in self.problems(body):
            raise problem
        continued: Results | None = None
        if self.start_from:
            *before, continued = body.starts
            body = replace(body, starts=tuple(before))
        part = PartialProgress(progress, 0.0, 0.05, "equilibrium")
        found = periodic_body(body, self.support, self.preloads, self.equilibrium_frame, part)
        places = reduced_points(self.more_points, body, found.held)
        load = found.shapes.T @ self._load(found, places)
        curve = self.curve_of(found, load, self._outputs(found, places), found.frame, self.damping)
        return self.follow(
            curve, continued, target, PartialProgress(progress, 0.05, 1.0), body=body.name, frame=self.support,
            sizes=found.sizes(self.highest_harmonic), joints=found.joint_sizes(),
        )  # fmt: skip

    def problems(self, body: BodyModel) -> Iterator[ModelError]:
        """Yield the errors in support, loads, range and samples that prevent a run."""
        yield from self.problems_of_state(body.interface_nodes)
        yield from self.problems_of_loads(body.interface_nodes, [joint.name for joint in body.joints])
        yield from self.problems_of_curves()
        kinds = ("static",) * bool(self.equilibrium) + (self.kind,) * bool(self.start_from)
        for start, name, kind in zip(body.starts, self.predecessors(), kinds, strict=False):
            if start.settings["kind"] != kind:
                yield ModelError(
                    f"Analysis {self.name!r} takes {name!r} for a {analyses[kind].title.lower()}, which it is not.",
                    "Vibrate about a static analysis, and start from a harmonic balance.",
                )
            elif kind == self.kind:
                yield from self.problems_of_continued(start)

    def _load(self, found: PeriodicBody, places: tuple[PointRows, ...]) -> np.ndarray:
        """Return (r,) complex amplitude of all loads at level 1, over the coordinates of the body."""
        acting = self.acting_body_loads
        columns = load_columns(self.moving_loads, places)
        of_body = found.held.load_columns([each.load for each in acting])
        together = columns.sum(axis=1) if columns.size else np.zeros(found.held.n_coordinates, complex)
        return np.asarray(together + of_body @ np.array([each.amplitude for each in acting], complex))

    def _outputs(self, found: PeriodicBody, places: tuple[PointRows, ...]) -> Outputs:
        """Return displacements and rotations of all places but the support."""
        shown = self.moving_places(places)
        keys = [key for place in shown for key in place.keys("displacement")]
        none = np.zeros((0, len(found.frequencies)))
        rows = np.vstack([*(place.rows @ found.shapes for place in shown), none])
        return Outputs(tuple(keys), rows, np.array([key.dimension == "length" for key in keys], bool))
