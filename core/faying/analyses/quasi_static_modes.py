"""Quasi-static modal analysis: frequency and damping by friction over amplitude, from static loops along a mode."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.harmonics.joint_springs import nothing_presses
from faying.analyses.harmonics.modal_loops import LoopPoint, ModalLoopAnalysis, require_dry_friction
from faying.analyses.harmonics.mode_point import BodyModePoint
from faying.analyses.recording.curve_source import BodyState
from faying.analyses.recording.recorder import OfferedCurves, Recorder
from faying.analyses.statics.load_case import LoadCase
from faying.analyses.statics.load_path import PathPoint
from faying.analyses.statics.reactions import contact_forces
from faying.analyses.statics.reduced_structure import ReducedStructure
from faying.analyses.statics.settings import ContactStatics
from faying.analyses.statics.structure import Structure
from faying.joints.interface import DenseRows
from faying.joints.linearized import PairSprings, pair_springs
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.carried import Acting
from faying.reduction.quality import ritz_modes
from faying.solvers.displacement_controlled_body import MotionStates
from faying.solvers.load_steps import LoadState, mounted_state, resting_state
from faying.solvers.modal_loop import ModalPath, ModalState


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
class QuasiStaticModes(ModalLoopAnalysis, BodyModePoint, ContactStatics):
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
        require_dry_friction(
            (joint.name, law) for joint, law in zip(body.joints, structure.laws, strict=True)
        )
        rest = self._rest(structure, PartialProgress(progress, 0.0, 0.05, "preload"))
        mode = self.stuck_mode(structure, rest, PartialProgress(progress, 0.05, 0.1, "mode"))
        point = self.point_of(mode.displacements, mode.interfaces, needed(body.model), mode.shape)
        along, shape = point.sign * mode.column, point.sign * mode.shape
        path = ModalPath(structure.equations, along, shape, structure.base, self.equilibrium)
        offered = OfferedCurves(structure.recorded(run=self.numbers))
        points: list[LoopPoint] = []
        with Recorder(
            target, offered, axis=self.axis, body=body.name, frame=self.support,
            settings=self.model_dump(mode="json"),
        ) as recorder:  # fmt: skip
            for k, at in enumerate(self.follow(path, rest, point.row, PartialProgress(progress, 0.1, 0.99))):
                shown = at.state
                place = _as_point(shown, k)
                x, data = structure.frame(place)
                answers = shown.solved.solution.responses
                contact = contact_forces(structure.names, answers, structure.joint_rows)
                acting = Acting(preloads=self.acting_preloads, contact=contact)
                frame = BodyState(x, answers, acting, tensions=structure.tensions(place), run=at.numbers)
                recorder.frame(at.amplitude, (frame,), data)
                points.append(at)
            report = {
                "stuck_frequency": mode.frequency, "amplitude_of": point.name,
                "friction": self.reported_friction(body), **self.found(path, structure.names, points),
                **structure.report, **recorder.report(),
            }  # fmt: skip
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
        at = self.number_in(frequencies)
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


def _as_point(state: ModalState, number: int) -> PathPoint:
    """Return a state as one of a load path, on which nothing but the force along the mode acts."""
    solved = state.solved
    return PathPoint(
        float(number), 1, 1, solved.state, solved.solution, np.zeros(0), MotionStates.free(0), 0,
        solved.state.histories, 0.0,
    )  # fmt: skip
