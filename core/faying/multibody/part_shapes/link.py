"""A bar from marker to marker."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from faying.errors import ModelError, there_are
from faying.multibody.part_shapes import Solid, SolidShape, axes_along, brick, part_shapes
from faying.multibody.placement import Vector
from faying.params import parameter


@part_shapes.register("link")
class LinkShape(SolidShape):
    """A straight bar between two markers of the part: cranks, rods, rockers. It follows when they are moved."""

    title: ClassVar[str] = "Link from marker to marker"

    first: str = parameter(
        "",
        title="From marker",
        choices="marker",
        meaning="One of the part's own markers, where the bar begins.",
    )
    second: str = parameter(
        "", title="To marker", choices="marker", meaning="Another of its markers, where the bar ends."
    )
    width: float = parameter(
        5.0, title="Width", quantity="length", gt=0.0, meaning="Of the bar, across its flat side."
    )
    depth: float = parameter(
        5.0, title="Depth", quantity="length", gt=0.0, meaning="Of the bar, the other way."
    )
    across: Vector = parameter(
        (0.0, 0.0, 1.0), title="Direction of the depth", advanced=True,
        meaning="In the part's frame; only what is square to the bar counts.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a bar between two markers."""
        return {"first": "rod.a", "second": "rod.b"}

    def solid(self, markers: Mapping[str, np.ndarray]) -> Solid:
        """Return the bar; raises ModelError for markers that are not the part's, or in one place."""
        for name in (self.first, self.second):
            if name not in markers:
                raise ModelError(
                    f"A link goes from marker to marker of its own part; {name or 'none'!r} is none of them.",
                    there_are(name, markers),
                )
        start, end = markers[self.first], markers[self.second]
        along = end - start
        length = float(np.linalg.norm(along))
        if length <= 0.0:
            raise ModelError(
                f"The markers {self.first!r} and {self.second!r} are in one place.", "Move one of them."
            )
        axes = axes_along(along, np.array(self.across))
        return brick(self.depth, self.width, length).turned(axes, 0.5 * (start + end))
