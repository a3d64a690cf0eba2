"""Copies of a part of a system along a line or round an axis, under names of their own, as one edit."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.multibody.placement import Vector, with_few_digits
from faying.params import Spec, parameter, unused_name
from faying.project import edits
from faying.project.paths import SpecPath, value_at
from faying.project.recorded import RecordedEdit
from faying.project.references import called
from faying.project.specs import Project
from faying.spatial.rotations import rotation_about, rotation_matrix, rotation_vector

Motion = tuple[np.ndarray, np.ndarray]  # x in space becomes (3,) + (3, 3) x


class PartPattern(Spec):
    """How many parts there are to be, and where: the part itself stays, the others are copies of it."""

    title: ClassVar[str]

    count: int = parameter(3, title="Parts", ge=2, le=200, meaning="Of all, the selected part included.")

    @abstractmethod
    def motions(self) -> Iterator[Motion]:
        """Yield how each copy is moved from the part.

        Raises:
            ModelError: when all would be in one place.
        """

    def edit(self, project: Project, path: SpecPath) -> RecordedEdit:
        """Return the edit that adds the copies of the part at a path; raises as `motions`."""
        part = value_at(project, path)
        names = {each.name for each in value_at(project, path[:-1])}
        place, items = part.placement, list[Spec]()
        frame = rotation_matrix(rotation_about(np.array(place.rotation)))
        for shift, turn in self.motions():
            name = unused_name(part.name, names)
            names.add(name)
            placement = place.with_(
                position=with_few_digits(shift + turn @ np.array(place.position)),
                rotation=with_few_digits(rotation_vector(turn @ frame)),
                velocity=with_few_digits(turn @ np.array(place.velocity)),
            )
            items.append(called(part, name).with_(placement=placement))
        return edits.add_items(path[:-1], items)


class LinePattern(PartPattern):
    """Parts in a row."""

    title: ClassVar[str] = "Along a line"

    step: Vector = parameter(
        (50.0, 0.0, 0.0), title="Step", quantity="length", meaning="From each part to the next one, in space."
    )

    def motions(self) -> Iterator[Motion]:
        """Yield multiples of the step."""
        if not any(self.step):
            raise ModelError("The step has no length: all parts would lie in one place.", "Give a step.")
        for k in range(1, self.count):
            yield k * np.array(self.step), np.eye(3)


class CirclePattern(PartPattern):
    """Parts round an axis."""

    title: ClassVar[str] = "Round an axis"

    point: Vector = parameter(
        (0.0, 0.0, 0.0), title="Point of the axis", quantity="length", meaning="In space."
    )
    axis: Vector = parameter((0.0, 0.0, 1.0), title="Direction of the axis", meaning="In space.")
    angle: float = parameter(
        2.0 * np.pi, title="Angle", quantity="angle",
        meaning="From the first to the last part; a full turn is shared out, so that no two parts lie on each other.",
    )  # fmt: skip

    def motions(self) -> Iterator[Motion]:
        """Yield turns round the axis."""
        length = float(np.linalg.norm(self.axis))
        if not length or not self.angle:
            raise ModelError("Parts round an axis need its direction and an angle.", "Give both.")
        whole = abs(abs(self.angle) - 2.0 * np.pi) < 1e-9
        each = self.angle / (self.count if whole else self.count - 1)
        for k in range(1, self.count):
            turn = rotation_matrix(rotation_about(k * each / length * np.array(self.axis)))
            yield np.array(self.point) - turn @ np.array(self.point), turn


PATTERNS: tuple[type[PartPattern], ...] = (LinePattern, CirclePattern)
