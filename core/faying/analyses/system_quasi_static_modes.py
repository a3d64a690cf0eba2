"""Quasi-static modal analysis of a system: frequency and damping by friction in the joints of its parts."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import SystemModel, analyses
from faying.analyses.curve_sources.amplitudes import OverAmplitude
from faying.analyses.harmonics.about_system_state import placed_states
from faying.analyses.harmonics.modal_loops import LoopPoint, ModalLoopAnalysis, require_dry_friction
from faying.analyses.harmonics.system_mode_point import SystemModePoint
from faying.progress import PartialProgress, Progress
from faying.results.writer import ResultsWriter
from faying.solvers.displacement_controlled_body import DisplacementControlledBody
from faying.solvers.hard_contact import solve_with_laws
from faying.solvers.modal_loop import ModalPath


@analyses.register("system_quasi_static_modes")
class SystemQuasiStaticModes(ModalLoopAnalysis, SystemModePoint):
    """Frequency and damping by friction of a mode of a system over its amplitude, without inertia or time.

    The system moves little about a state of rest. Constraints hold, and forces and reactions have their tangents there,
    while joints inside flexible parts and contacts between parts follow their laws along the loops. All else is as in
    the quasi-static modes of a body: the system is pushed along a mode with stuck joints by its inertia in that shape,
    to the amplitude, to the opposite one and back (Festjens, Chevallier and Dion 2013).
    """

    title: ClassVar[str] = "Quasi-static modes of a system"

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Follow the first loading, then the loop at each amplitude; each amplitude is a frame."""
        found, more = self.at_rest(system, PartialProgress(progress, 0.0, 0.05))
        require_dry_friction(
            (name, joint.friction_law) for name, joint in zip(found.names, found.joints, strict=True)
        )
        number = self.number_in(found.frequencies)
        shape = np.eye(len(found.frequencies))[number]
        point = self.point_of(*found.marker_motions, shape)
        none = np.zeros((0, len(shape)))
        pushed = DisplacementControlledBody(found.stiffness, found.joints, none)
        # Modes have a mass of one: the inertia in the shape of the mode is the mode.
        shape = point.sign * shape
        path = ModalPath(pushed, shape, shape, found.static_load, solve_with_laws)
        keys = {key.quantity: key for each in OverAmplitude.quantities for key in each.keys()}  # noqa: SIM118
        points: list[LoopPoint] = []
        with ResultsWriter(
            target, axis="amplitude", system=system.spec.name, sizes=found.state_sizes, joints={},
            curves=[keys[name] for name in self.numbers], settings=self.model_dump(mode="json"),
            constants=placed_states(found.built, found.at.q), flush_every=1,
        ) as writer:  # fmt: skip
            part = PartialProgress(progress, 0.05, 1.0)
            for at in self.follow(path, found.resting_state, point.row, part):
                state = at.state.solved.state
                values = {keys[name]: value for name, value in at.numbers.items()}
                writer.append(at.amplitude, found.state(state.coordinates, state.histories), curves=values)
                points.append(at)
            report = {
                "stuck_frequency": float(found.frequencies[number]), "amplitude_of": point.name,
                **more, **self.found(path, found.names, points),
            }  # fmt: skip
            writer.close(report)
        progress.report(1.0, self.title)
        return report
