"""Analyses. A member is one file: its settings, what it needs, and how it runs."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

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
from faying.reduction.carried import CarriedEquations, find_support_equations, find_tie_equations
from faying.reduction.interior import InteriorProblem
from faying.reduction.load_modes import LoadModes
from faying.reduction.preload import PreloadModes, no_preload_case
from faying.reduction.problem import JointModeProblem
from faying.registry import Registry
from faying.results.results import Results

analyses: Registry[type["Analysis"]] = Registry("analysis", __name__)


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
    """What an analysis may use of a body.

    What of it is there depends on what the analysis says that it needs: `reduced`, the free body in the Buckens
    frame, by `needs_reduced`; `model` by `needs_model`; `model`, `matrices` and `preloads` (forces of preload cases on
    the unreduced body), and `loads` where it applies any of the body, by `needs_matrices`; `basis`, the trial vectors
    over all dofs, by `needs_basis`; these for a body with joints also by `estimates_error`; `joint_problem`, from which
    any joint modes of the body can be computed, by `needs_joint_problem`; `interior`, the body held at its interface
    nodes, by `needs_interior`; the results of its `references`, in their order; and `starts`, those of its
    `predecessors`.
    `has_elements` says whether the matrices are those of the model's elements, or imported; `tied_joints` are the names
    of joints that are tied.
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

    @property
    def start(self) -> Results | None:
        """Results of the first of its `predecessors`; None without any."""
        return self.starts[0] if self.starts else None

    @property
    def n_displacements(self) -> int:
        """Three for each node of the reduced body."""
        assert self.reduced is not None
        return 3 * len(self.reduced.nodes)

    def load_columns(self, names: Sequence[str]) -> np.ndarray:
        """Return (n_dofs, k) forces of loads of the body on the unreduced one, at full size.

        Raises:
            ModelError: when there is no such load.
        """
        assert self.matrices is not None
        if self.loads is not None:
            return self.loads.columns(names)
        if names:
            raise no_body_load(names[0], ())
        return np.zeros((self.matrices.dofs.n_dofs, 0))

    def tie_equations(self) -> tuple[CarriedEquations, ...]:
        """Return the tied joints of the unreduced body."""
        assert self.matrices is not None and self.model is not None
        names, own = self.tied_joints, self.has_elements
        return find_tie_equations(self.model, self.matrices, names, self.loads, elements=own)

    def support_equations(self) -> tuple[CarriedEquations, ...]:
        """Return the supports of the unreduced body."""
        assert self.matrices is not None and self.model is not None
        return find_support_equations(self.model, self.matrices, self.loads, elements=self.has_elements)

    def acting_preloads(self, cases: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return (n_dofs,) forces of preload cases on the unreduced body, (n_joints,) how much they close the joints.

        Raises:
            ModelError: when there is no such case.
        """
        assert self.matrices is not None
        force, closings = np.zeros(self.matrices.dofs.n_dofs), np.zeros(len(self.joints))
        for case in cases:
            if self.preloads is None:
                raise no_preload_case(case, ())
            at = self.preloads.number_of(case)
            force, closings = force + self.preloads.forces[:, at], closings + self.preloads.closings[at]
        return force, closings


@dataclass(frozen=True)
class SystemModel:
    """What an analysis may use of a multibody system: its decisions, and the bodies of its flexible parts.

    `start` are the results of the motion from which another one goes on.
    """

    spec: SystemSpec
    bodies: dict[str, BodyModel]
    start: Results | None = None

    def flexible_bodies(self) -> dict[str, FlexibleBody]:
        """Return the bodies as parts are built from them."""
        found = {}
        for name, body in self.bodies.items():
            assert body.reduced is not None  # a system analysis always needs it
            laws = tuple((joint.contact_law, joint.friction_law) for joint in body.joints)
            samples = tuple(joint.sample for joint in body.joints)
            found[name] = FlexibleBody(name, body.reduced, laws, samples)
        return found

    def mounted_error(self) -> float:
        """Return the largest share that a body's basis misses of the state that its preload cases bring about."""
        errors = [0.0]
        for part in self.spec.parts:
            if (name := part.body_name()) and (reduced := self.bodies[name].reduced) is not None:
                errors.append(reduced.mounted_error(getattr(part, "preloads", ())))
        return max(errors)


class Analysis(Member):
    """Settings of one analysis, of a body or of a system.

    What it says that it needs is what its results depend on: they do not go stale when anything else changes.
    """

    stage: ClassVar[str]
    needs_reduced: ClassVar[bool] = True
    needs_matrices: ClassVar[bool] = False
    needs_model: ClassVar[bool] = False
    needs_joint_problem: ClassVar[bool] = False
    needs_basis: ClassVar[bool] = False
    needs_interior: ClassVar[bool] = False
    samples_joints: ClassVar[bool] = False  # whether few pairs act in joints that are sampled
    follows: ClassVar[tuple[str, ...]] = ()  # kinds of analyses on whose results it builds

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
        """Whether it compares with the FE model, for which it needs matrices and basis of a body with joints too."""
        return False

    def references(self) -> tuple["BodyAnalysis", ...]:
        """Return analyses of the same body that this one compares with; they run before it, under their own names.

        They must not build on other results.
        """
        return ()

    @property
    def n_processes(self) -> int:
        """In how many processes its references, and pieces of its own, are computed beside each other."""
        return 1

    @classmethod
    def first_parameters(cls, followed: Sequence[str]) -> dict[str, Any] | None:
        """Return first decisions of a new one about what it builds on; None when it needs something and has nothing.

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

    system: str = parameter(title="System", choices="system", meaning="The multibody system to analyse.")

    @property
    def owner(self) -> str:
        """Name of the system."""
        return self.system

    @abstractmethod
    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Compute and stream the results to `target`; as `BodyAnalysis.run`."""
