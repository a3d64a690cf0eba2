"""Slow questions about a body's model, answered by the worker while the window stays responsive."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from faying.errors import ModelError
from faying.fem.element_quality import element_quality
from faying.fem.model import FeModel
from faying.fem.model_checks import CheckedModel, ModelFinding, check_model
from faying.fem.shell_sides import facing_sides
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.joints.candidates import CandidateMeasure, FacingParts, JointCandidate, JointSearch, facing_parts
from faying.progress import PartialProgress, Progress
from faying.project.deck_changes import NewMesh, compare_decks
from faying.project.specs import BodySpec
from faying.units import UnitSystemName


@dataclass(frozen=True)
class ModelQuestion(ABC):
    """A question about a body whose model has been read.

    Attributes:
        body: its name.
    """

    body: str

    @abstractmethod
    def answer(self, spec: BodySpec, model: FeModel, skin: Skin, progress: Progress) -> Any:
        """Return the answer.

        Raises:
            Cancelled: when asked to stop.
        """


@dataclass(frozen=True)
class FacingQuestion(ModelQuestion):
    """Which parts face each other?

    Attributes:
        distance: largest distance that will be used.
        hidden: numbers of excluded parts.
    """

    distance: float
    hidden: frozenset[int]

    def answer(self, spec: BodySpec, model: FeModel, skin: Skin, progress: Progress) -> FacingParts:
        """Return the facets of each pair of parts, for a `JointSearch`."""
        return facing_parts(model, skin, self.distance, self.hidden, progress)


@dataclass(frozen=True, eq=False)
class CandidateQuestion(ModelQuestion):
    """What are the contact pairs of a candidate like?"""

    candidate: JointCandidate

    def answer(
        self, spec: BodySpec, model: FeModel, skin: Skin, progress: Progress
    ) -> CandidateMeasure | None:
        """Return the measures of the pairs; None without pairs."""
        progress.report(0.0, f"pairs of {self.candidate.name}")
        return JointSearch(model, skin, {}).measure(self.candidate)


@dataclass(frozen=True)
class MeshQuestion(ModelQuestion):
    """What is wrong with the mesh, and how well are its elements shaped?"""

    def answer(
        self, spec: BodySpec, model: FeModel, skin: Skin, progress: Progress
    ) -> tuple[list[ModelFinding], np.ndarray]:
        """Return the findings of all checks, and (n_elements,) quality, NaN for elements other than solids."""
        checked = CheckedModel(model, skin, _surfaces(spec, model, skin))
        findings = check_model(checked, PartialProgress(progress, 0.0, 0.9))
        progress.report(0.9, "shapes of elements")
        return findings, element_quality(model)


@dataclass(frozen=True)
class NewMeshQuestion:
    """What does a body keep with another mesh? Both decks are read; no artifacts are needed.

    Attributes:
        body: its name.
        before, after: path of the present deck and of the other one.
        units: unit system of both.
    """

    body: str
    before: Path
    after: Path
    units: UnitSystemName

    def answer(self, spec: BodySpec, progress: Progress) -> NewMesh:
        """Return the changes.

        Raises:
            ReadError: when a deck cannot be read.
        """
        return compare_decks(spec, self.before, self.after, self.units, progress)


AnyModelQuestion = ModelQuestion | NewMeshQuestion


def _surfaces(spec: BodySpec, model: FeModel, skin: Skin) -> dict[str, tuple[Surface, Surface]]:
    """Return the surfaces of joints whose selections fit the model; the project's checks report the others."""
    found = {}
    for joint in spec.joints:
        try:
            chosen = joint.master.select(model, skin), joint.slave.select(model, skin)
        except ModelError:
            continue
        found[joint.name] = facing_sides(model, *chosen)
    return found
