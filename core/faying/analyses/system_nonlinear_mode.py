"""Nonlinear mode of a system with contact and friction in the joints of its parts, over amplitude."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemModel, analyses
from faying.analyses.harmonics.about_system_state import placed_states
from faying.analyses.harmonics.mode_curve import NonlinearModeAnalysis
from faying.analyses.harmonics.system_mode_point import SystemModePoint
from faying.errors import ModelError
from faying.progress import PartialProgress, Progress
from faying.solvers.harmonic import Damping


@analyses.register("system_nonlinear_mode")
class SystemNonlinearMode(NonlinearModeAnalysis, SystemModePoint):
    """Frequency and damping of the free vibration of a system in one mode over its amplitude, with friction in joints.

    The system moves little about a state of rest. Constraints hold, and forces and reactions have their tangents there,
    while joints inside flexible parts and contacts between parts follow their laws over each period; damping is that of
    the system. All else is as in the nonlinear mode of a body: a damping force gives back
    what friction and damping take (Krack 2015), and frames are states of the periodic motion.
    """

    is_linearised: ClassVar[bool] = True
    title: ClassVar[str] = "Nonlinear mode of a system"

    def problems(self) -> Iterator[ModelError]:
        """Yield the errors in the samples that prevent a run."""
        yield from self.problems_of_samples()

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Find the state, and follow the mode from the smallest amplitude to the largest; each is a frame."""
        for problem in self.problems():
            raise problem
        found, more = self.at_rest(system, PartialProgress(progress, 0.0, 0.05))
        number = self.number_in(found.frequencies)
        point = self.point_of(*found.marker_motions, np.eye(len(found.frequencies))[number])
        return self.follow(
            found, number, point, found.frame, Damping(), target, PartialProgress(progress, 0.05, 1.0), more,
            system=system.spec.name, sizes=found.sizes(self.highest_harmonic), joints={},
            constants=placed_states(found.built, found.at.q),
        )  # fmt: skip
