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


class Analysis(Member):
    """Settings of one analysis; `run` writes its results to a file."""

    needs_matrices: ClassVar[bool] = False
    needs_joint_problem: ClassVar[bool] = False
    follows: ClassVar[str] = ""  # kind of another analysis whose result may start this one

    name: str = parameter(
        title="Name", meaning="Name of the analysis in the tree and in files.", min_length=1
    )
    body: str = parameter(title="Body", choices="body", meaning="The flexible body to analyse.")

    @abstractmethod
    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Compute and stream the results to `target` (HDF5, see `faying.results.results`).

        Returns:
            Plain numbers and texts for the run report (also stored in the file).

        Raises:
            SolveError: when no solution is found; what was written so far stays readable.
        """
