"""Analyses. A member is one file: its settings, what it needs, and how it runs."""

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.pairs import ContactPairs
from faying.multibody.bodies import FlexibleBody
from faying.multibody.system_spec import SystemSpec
from faying.params import Member, parameter
from faying.progress import Progress
from faying.reduction.body import ReducedBody
from faying.reduction.preload import PreloadModes
from faying.reduction.problem import JointModeProblem
from faying.registry import Registry

analyses: Registry[type["Analysis"]] = Registry("analysis", __name__)


@dataclass(frozen=True)
class JointModel:
    """One joint of the body as an analysis sees it."""

    name: str
    pairs: ContactPairs
    contact_law: ContactLaw
    friction_law: FrictionLaw | None


@dataclass(frozen=True)
class BodyModel:
    """What an analysis may use of a body; `reduced` is the free body (Buckens frame).

    `model`, `matrices` and `preloads` (forces of preload cases on the unreduced body) are there only when the
    analysis says that it needs them (`needs_matrices`); so is `joint_problem`, from which any joint modes of the
    body can be computed (`needs_joint_problem`).
    """

    name: str
    reduced: ReducedBody
    joints: tuple[JointModel, ...]
    interface_nodes: dict[str, int]
    model: FeModel | None = None
    matrices: StructuralMatrices | None = None
    preloads: PreloadModes | None = None
    joint_problem: JointModeProblem | None = None


@dataclass(frozen=True)
class SystemModel:
    """What an analysis may use of a multibody system: its decisions, and the bodies of its flexible parts."""

    spec: SystemSpec
    bodies: dict[str, BodyModel]

    def flexible_bodies(self) -> dict[str, FlexibleBody]:
        """Return the bodies as parts are built from them."""
        return {
            name: FlexibleBody(
                name, body.reduced, tuple((joint.contact_law, joint.friction_law) for joint in body.joints)
            )
            for name, body in self.bodies.items()
        }


class Analysis(Member):
    """Settings of one analysis, of a body or of a system."""

    stage: ClassVar[str]
    needs_matrices: ClassVar[bool] = False
    needs_joint_problem: ClassVar[bool] = False
    follows: ClassVar[str] = ""  # kind of another analysis whose result may start this one

    name: str = parameter(
        title="Name", meaning="Name of the analysis in the tree and in files.", min_length=1
    )

    @property
    @abstractmethod
    def subject(self) -> str:
        """Name of the body or system that is analysed."""


class BodyAnalysis(Analysis):
    """An analysis of one body; `run` writes its results to a file."""

    stage: ClassVar[str] = "analysis"

    body: str = parameter(title="Body", choices="body", meaning="The flexible body to analyse.")

    @property
    def subject(self) -> str:
        """Name of the body."""
        return self.body

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
    def subject(self) -> str:
        """Name of the system."""
        return self.system

    @abstractmethod
    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Compute and stream the results to `target`; as `BodyAnalysis.run`."""
