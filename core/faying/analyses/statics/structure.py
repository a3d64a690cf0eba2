"""What statics needs of a body: one interface of the reduced body and the FE model."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel
from faying.analyses.recording.curve_source import RecordedBody
from faying.analyses.statics.displacements import DisplacedInSteps
from faying.analyses.statics.load_path import Guess, PathPoint
from faying.analyses.statics.reactions import HeldNode, ReactionBalance
from faying.analyses.statics.settings import SupportedAnalysis
from faying.progress import Progress
from faying.reduction.bolts import BoltEquations, BoltRows
from faying.reduction.load_modes import LoadModes, ReducedLoads
from faying.solvers.displacement_controlled_body import DisplacementControlledBody
from faying.solvers.hard_contact import HardContactSolution


class Structure(ABC):
    """A body with the support, joints, preload cases, bolts and displaced nodes of an analysis.

    Args:
        settings: of the analysis.
        model: the data of the body.

    Attributes:
        names, laws: of the joints; None for a joint where no friction acts.
        equations: of equilibrium; controlled motions are the cuts of bolts, if they are controlled, then the displaced
            components.
        base: (n,) forces of the preload cases.
        mounts: whether the mounted body is a state of its own, from which slip counts.
        bolts: all bolts and bolt-like beams.
        preload_tensions: tension of each under the preload cases; None for a beam that is not cut.
        controlled: numbers of the bolts whose cuts are controlled motions.
        displaced: the components of interface nodes that steps displace.
        node: the interface node that holds the body.
        loads: of the body.
        reduced_loads: the same of a reduced body, for resultants and errors of responses; None of an FE model.
        joint_rows: name and weights of each joint, in any order.
        report: entries of the run report.
        begin_share: of the work of a load path that its beginning takes: the mounted body, or a first guess.
    """

    begin_share: ClassVar[float] = 0.1
    equations: DisplacementControlledBody
    base: np.ndarray
    mounts: bool
    bolts: Sequence[BoltRows | BoltEquations]
    preload_tensions: Sequence[float | None]
    displaced: DisplacedInSteps
    node: HeldNode
    loads: LoadModes | ReducedLoads | None
    reduced_loads: ReducedLoads | None = None
    joint_rows: Sequence[Any]

    def __init__(self, settings: SupportedAnalysis, model: BodyModel) -> None:
        self.settings, self.model, self.report = settings, model, dict[str, Any]()
        self.names = tuple(joint.name for joint in model.joints)
        self.laws = [joint.friction_law if settings.sees_friction else None for joint in model.joints]

    def cuts(self) -> list[Any]:
        """Return the overlap rows of the bolts that are controlled."""
        return [self.bolts[i].overlap for i in self.controlled]

    @property
    def controlled(self) -> list[int]:
        """See above."""
        bolts = self.bolts if self.settings.controls_bolts else ()
        return [i for i, bolt in enumerate(bolts) if bolt.overlap is not None]

    @abstractmethod
    def columns(self) -> np.ndarray:
        """Return (n, k) generalised forces of the loads of all steps at full size."""

    @abstractmethod
    def first_guess(self, force: np.ndarray, progress: Progress) -> Guess | None:
        """Return approximate coordinates under a force (n,), from rest; None for none."""

    @abstractmethod
    def balance(self) -> ReactionBalance:
        """Return the comparison of forces at nodes and supports with the reactions."""

    @abstractmethod
    def recorded(self, **more: Any) -> RecordedBody:
        """Return the body as curves see it; further words are of a `RecordedBody`."""

    @abstractmethod
    def frame(self, point: PathPoint) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Return the coordinates (n,) that curves see, and what a frame stores by path."""

    def tensions(self, point: PathPoint) -> list[float | None]:
        """Return the tension at the cut of each bolt; None for a beam that is not cut."""
        found = list(self.preload_tensions)
        for i, tension in zip(self.controlled, point.tensions.tolist(), strict=True):
            found[i] = tension
        return found

    def mounted(
        self, equilibrium: Callable[..., HardContactSolution], progress: Progress
    ) -> HardContactSolution:
        """Return the body under its preload cases alone, without friction; with the corrections of its guess.

        Args:
            equilibrium: solver with the arguments of `solve_hard_contact`.
            progress: reports and cancels.
        """
        body, free = self.equations, np.zeros(self.equations.motions.shape[0], bool)
        smooth = [joint.without_friction() for joint in body.joints]
        guess = self.first_guess(self.base, progress) or Guess(np.zeros(len(self.base)))
        found = equilibrium(
            body.stiffness, self.base, smooth, guess.coordinates, progress,
            histories=[force.initial_history() for force in smooth], constraints=body.constrained(free),
            tangent=body.tangent(free),
        )  # fmt: skip
        return found.after(guess.iterations)
