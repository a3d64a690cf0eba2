"""Analyses. A member is one file: its settings, what it needs, and how it runs."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.pairs import ContactPairs
from faying.joints.sampled import JointSample
from faying.multibody.bodies import FlexibleBody
from faying.multibody.system_spec import SystemSpec
from faying.params import Member, parameter
from faying.progress import Progress
from faying.reduction.basis import ReductionBasis
from faying.reduction.body import ReducedBody
from faying.reduction.body_loads import no_body_load
from faying.reduction.carried import (
    CarriedEquations,
    find_node_equations,
    find_support_equations,
    find_tie_equations,
)
from faying.reduction.interior import InteriorProblem
from faying.reduction.load_modes import LoadModes
from faying.reduction.preload import PreloadModes, no_preload_case
from faying.reduction.problem import JointModeProblem
from faying.registry import Registry
from faying.results.results import Results
from faying.units import OF_DEFAULTS, UnitSystemName

if TYPE_CHECKING:
    from faying.analyses.statics.load_case import LoadCase

T = TypeVar("T")
analyses: Registry[type["Analysis"]] = Registry("analysis", __name__)


def needed(value: T | None) -> T:
    """Return data of a body that an analysis declares to need.

    Raises:
        TypeError: when there are none: the analysis does not declare the need.
    """
    if value is None:
        raise TypeError("an analysis uses data of its body that it does not declare to need")
    return value


@dataclass(frozen=True)
class JointModel:
    """One joint of the body as an analysis sees it; where it is sampled, `sample` says which pairs act in motion."""

    name: str
    pairs: ContactPairs
    contact_law: ContactLaw
    friction_law: FrictionLaw | None
    sample: JointSample | None = None

    @property
    def weights(self) -> np.ndarray:
        """(n_pairs,) areas."""
        return self.pairs.weights


@dataclass(frozen=True)
class BodyModel:
    """The data of one body that an analysis may use.

    Which attributes are set depends on what the analysis declares:

    - `needs_reduced`: `reduced`, the free body in the Buckens frame;
    - `needs_model`: `model`;
    - `needs_matrices`, or `uses_matrices` where the body has some: `model`, `matrices`, `preloads` (forces of the
      preload cases on the unreduced body), and `loads` if the analysis applies
      loads of the body;
    - `needs_basis`: `basis`, the trial vectors over all dofs;
    - `estimates_error`: matrices and basis too, for a body with joints;
    - `needs_joint_problem`: `joint_problem`, from which any joint modes of the body can be computed;
    - `needs_interior`: `interior`, the body held at its interface nodes;
    - `references()`: `references`, their results in the same order;
    - `predecessors()`: `starts`, their results in the same order;
    - `knows_units`: `units`, the unit system of all numbers;
    - `needs_system`: `system`, the one whose motion its first predecessor is.

    `has_elements` is true when the matrices were assembled from the model's elements, false when they were imported;
    `tied_joints` are the names of the tied joints.
    """

    name: str
    reduced: ReducedBody | None
    joints: tuple[JointModel, ...]
    interface_nodes: dict[str, int]
    model: FeModel | None = None
    matrices: StructuralMatrices | None = None
    preloads: PreloadModes | None = None
    joint_problem: JointModeProblem | None = None
    references: tuple[Results, ...] = ()
    basis: ReductionBasis | None = None
    starts: tuple[Results, ...] = ()
    interior: InteriorProblem | None = None
    loads: LoadModes | None = None
    has_elements: bool = True
    tied_joints: tuple[str, ...] = ()
    units: UnitSystemName = OF_DEFAULTS
    system: "SystemModel | None" = None

    @property
    def start(self) -> Results | None:
        """Results of the first of its `predecessors`; None without any."""
        return self.starts[0] if self.starts else None

    @property
    def n_displacements(self) -> int:
        """Three for each node of the reduced body."""
        return 3 * len(needed(self.reduced).nodes)

    def load_columns(self, names: Sequence[str]) -> np.ndarray:
        """Return (n_dofs, k) forces of loads of the body on the unreduced one, at full size.

        Raises:
            ModelError: when there is no such load.
        """
        if self.loads is not None:
            return self.loads.columns(names)
        if names:
            raise no_body_load(names[0], ())
        return np.zeros((needed(self.matrices).dofs.n_dofs, 0))

    def tie_equations(self) -> tuple[CarriedEquations, ...]:
        """Return the tied joints of the unreduced body."""
        return find_tie_equations(
            needed(self.model),
            needed(self.matrices),
            self.tied_joints,
            self.loads,
            self.preloads,
            self.pairs,
            elements=self.has_elements,
        )

    def support_equations(self) -> tuple[CarriedEquations, ...]:
        """Return the supports of the unreduced body."""
        return find_support_equations(
            needed(self.model),
            needed(self.matrices),
            self.loads,
            self.preloads,
            self.pairs,
            elements=self.has_elements,
        )

    def node_equations(self) -> tuple[CarriedEquations, ...]:
        """Return what holds the interface nodes of the unreduced body."""
        return find_node_equations(
            needed(self.model),
            needed(self.matrices),
            self.interface_nodes,
            self.loads,
            self.preloads,
            self.pairs,
        )

    @property
    def pairs(self) -> dict[str, ContactPairs]:
        """Contact pairs of the joints, by name."""
        return {joint.name: joint.pairs for joint in self.joints}

    def acting_preloads(self, cases: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return (n_dofs,) forces of preload cases on the unreduced body, (n_joints,) how much they close the joints.

        Raises:
            ModelError: when there is no such case.
        """
        force, closings = np.zeros(needed(self.matrices).dofs.n_dofs), np.zeros(len(self.joints))
        for case in cases:
            if self.preloads is None:
                raise no_preload_case(case, ())
            at = self.preloads.number_of(case)
            force, closings = force + self.preloads.forces[:, at], closings + self.preloads.closings[at]
        return force, closings


@dataclass(frozen=True)
class SystemModel:
    """The data of a multibody system that an analysis may use: its specs, and the bodies of its flexible parts.

    `start` are the results of the first of the analysis's `predecessors()`, such as an earlier motion that it starts
    from; None without one. `more_starts` are those of the others.
    """

    spec: SystemSpec
    bodies: dict[str, BodyModel]
    start: Results | None = None
    more_starts: tuple[Results, ...] = ()

    def flexible_bodies(self) -> dict[str, FlexibleBody]:
        """Return, by name, the bodies with contact and friction laws, from which flexible parts are built."""
        found = {}
        for name, body in self.bodies.items():
            laws = tuple((joint.contact_law, joint.friction_law) for joint in body.joints)
            samples = tuple(joint.sample for joint in body.joints)
            found[name] = FlexibleBody(name, needed(body.reduced), laws, samples)
        return found

    def mounted_error(self) -> float:
        """Return the largest relative error of the gap motion under preload cases of any part (`mounted_errors`)."""
        errors = [0.0]
        for part in self.spec.parts:
            if (name := part.body_name()) and (reduced := self.bodies[name].reduced) is not None:
                errors.append(reduced.mounted_error(getattr(part, "preloads", ())))
        return max(errors)


class Analysis(Member):
    """Settings of one analysis, of a body or of a system.

    Its results depend only on what the `needs_…` attributes name, and do not become stale when anything else changes.
    """

    stage: ClassVar[str]
    needs_reduced: ClassVar[bool] = True
    needs_matrices: ClassVar[bool] = False
    needs_model: ClassVar[bool] = False
    needs_joint_problem: ClassVar[bool] = False
    needs_basis: ClassVar[bool] = False
    needs_interior: ClassVar[bool] = False
    knows_units: ClassVar[bool] = False
    needs_system: ClassVar[bool] = False  # whose motion it builds on
    samples_joints: ClassVar[bool] = False  # whether few pairs act in joints that are sampled
    follows: ClassVar[tuple[str, ...]] = ()  # kinds of analyses on whose results it builds
    order: ClassVar[int] = 100  # among the analyses to choose from; those of one order by kind

    name: str = parameter(
        title="Name", meaning="Name of the analysis in the tree and in files.", min_length=1
    )

    @property
    @abstractmethod
    def owner(self) -> str:
        """Name of the body or system that is analysed."""

    @property
    def sees_friction(self) -> bool:
        """Whether the joints' friction laws count for its results."""
        return True

    def predecessors(self) -> tuple[str, ...]:
        """Return the names of the analyses of the same body or system on whose results it builds."""
        return ()


class BodyAnalysis(Analysis):
    """An analysis of one body; `run` writes its results to a file."""

    stage: ClassVar[str] = "analysis"

    body: str = parameter(title="Body", choices="body", meaning="The flexible body to analyse.")

    @property
    def owner(self) -> str:
        """Name of the body."""
        return self.body

    @property
    def estimates_error(self) -> bool:
        """Whether it compares its result with the FE model; it then needs matrices and basis of a body with joints."""
        return False

    def load_cases(self) -> "tuple[LoadCase, ...]":
        """Return the loads that the reduction basis should hold; none for an analysis that only evaluates others."""
        return ()

    @property
    def uses_matrices(self) -> bool:
        """Whether FE matrices go into it; an analysis that does not need them runs without for a body read reduced."""
        return self.needs_matrices

    @property
    def counts_mass(self) -> bool:
        """Whether the mass of the body goes into it; a reduction has some of its vibration modes."""
        return self.needs_reduced or self.needs_interior

    def references(self) -> tuple["BodyAnalysis", ...]:
        """Return analyses of the same body that this one compares with; they run before it, under their own names.

        They must not build on other results.
        """
        return ()

    @property
    def n_processes(self) -> int:
        """Number of processes in which its references and its own pieces of work are computed in parallel."""
        return 1

    @classmethod
    def first_parameters(cls, followed: Sequence[str]) -> dict[str, Any] | None:
        """Return initial parameters of a new analysis: the analyses it builds on; None if it needs one and has none.

        Args:
            followed: names of the body's analyses of the kinds that it `follows`.
        """
        return {}

    @abstractmethod
    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Compute and stream the results to `target` (HDF5, see `faying.results.results`).

        Returns:
            Plain numbers and texts for the run report (also stored in the file).

        Raises:
            SolveError: when no solution is found; what was written so far stays readable.
        """


class SystemAnalysis(Analysis):
    """An analysis of a multibody system; `run` writes its results to a file."""

    stage: ClassVar[str] = "motion"
    has_events: ClassVar[bool] = False  # whether events of the system happen in it
    is_linearised: ClassVar[bool] = (
        False  # whether it is of vibrations about a state, which controllers do not sample
    )

    system: str = parameter(title="System", choices="system", meaning="The multibody system to analyse.")

    @property
    def owner(self) -> str:
        """Name of the system."""
        return self.system

    @abstractmethod
    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Compute and stream the results to `target`; as `BodyAnalysis.run`."""
