"""Nonlinear mode of a body with contact and friction: frequency and damping of its free vibration over amplitude."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.harmonics.damped_body import DampedBodyAnalysis
from faying.analyses.harmonics.mode_curve import NonlinearModeAnalysis
from faying.analyses.harmonics.mode_point import BodyModePoint
from faying.analyses.harmonics.periodic_body import periodic_body
from faying.errors import ModelError
from faying.progress import PartialProgress, Progress


@analyses.register("nonlinear_mode")
class NonlinearMode(NonlinearModeAnalysis, BodyModePoint, DampedBodyAnalysis):
    """Frequency and damping of the free vibration in one mode over its amplitude, with contact and friction.

    Free motion with friction decays. It is made periodic by a damping force −2ζωM q̇ that gives back what friction and
    damping take, so that frequency ω and damping ratio ζ follow at each amplitude, with the shape and the harmonics of
    the motion (Krack 2015, Nonlinear modal analysis of nonconservative systems, Comput. Struct. 154, 59-71). A negative
    ζ is self-excitation. Frames are states of the periodic motion, at the instant when its first harmonic is largest.
    """

    title: ClassVar[str] = "Nonlinear mode"

    def problems(self, body: BodyModel) -> Iterator[ModelError]:
        """Yield the errors in support, equilibrium and samples that prevent a run."""
        yield from self.problems_of_state(body.interface_nodes)
        yield from self.problems_of_samples()

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Follow the mode from the smallest amplitude to the largest; each amplitude is a frame."""
        for problem in self.problems(body):
            raise problem
        part = PartialProgress(progress, 0.0, 0.05, "equilibrium")
        found = periodic_body(body, self.support, self.preloads, self.equilibrium_frame, part)
        number = self.number_in(found.frequencies)
        point = self.point_of(
            found.held.displacements, found.held.interfaces, needed(body.model), found.shapes[:, number]
        )
        return self.follow(
            found, number, replace(point, row=found.shapes.T @ point.row), found.frame, self.damping, target,
            PartialProgress(progress, 0.05, 1.0), body=body.name, frame=self.support,
            sizes=found.sizes(self.highest_harmonic), joints=found.joint_sizes(),
        )  # fmt: skip
