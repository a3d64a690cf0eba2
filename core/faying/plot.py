"""Plots as values: axes and curves. Other modules draw and write them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Axis:
    """An axis of a plot.

    Attributes:
        title: quantity in words, "Pressure".
        unit: "MPa"; "" for none.
        limits: range to show; None for the full range.
        logarithmic: whether its scale is logarithmic, which leaves out values that are not positive.
        ticks: places and texts of its ticks; () for numbers.
    """

    title: str
    unit: str = ""
    limits: tuple[float, float] | None = None
    logarithmic: bool = False
    ticks: tuple[tuple[float, str], ...] = ()

    @property
    def label(self) -> str:
        """Title and unit: "Pressure [MPa]"."""
        return f"{self.title} [{self.unit}]" if self.unit else self.title


@dataclass(frozen=True)
class ResponsePlace:
    """Response and reference node of a response function, and their directions.

    Directions are 1 to 3 along x, y, z and 4 to 6 about them, 0 for none. Reference node 0 means several loads, or
    none; `size` is the amplitude of the load there, in SI units.
    """

    node: int
    direction: int = 0
    reference_node: int = 0
    reference_direction: int = 0
    size: float = 1.0


@dataclass(frozen=True, eq=False)
class Series:
    """One curve: `y` over `x`, both (n,). `style` (from 0) keeps its appearance when curves come or go.

    A curve without a name is not in the legend. With `points` each value has a marker, with `scatter` there is no line
    between the markers. With `right` it belongs to the axis on the right. `counts` has the curve's own title and unit
    where its axis has several quantities. A curve of a frequency response holds its complex values as `response` over
    `frequencies`, both (n,) in SI units; `place` names its nodes and directions, `quantity` its physical dimension.
    `dashed` (n,) tells at which values the line is dashed, as that of motions that are not stable; None for none.
    `role` is a colour of the theme ("error", "muted", "text") in place of that of the style. `sizes` (n,) are the
    diameters of its markers in pixels, `texts` are written next to its values, and `shows` (n, 2) has the frame and
    the shape in it that each value is of, −1 for none: a click shows them. With `base` (n,) each value is a bar from
    there on. Points that are `movable` can be dragged.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    style: int = 0
    points: bool = False
    scatter: bool = False
    right: bool = False
    counts: Axis | None = None
    frequencies: np.ndarray | None = None
    response: np.ndarray | None = None
    place: ResponsePlace | None = None
    quantity: str = ""
    dashed: np.ndarray | None = None
    role: str = ""
    sizes: np.ndarray | None = None
    texts: tuple[str, ...] = ()
    shows: np.ndarray | None = None
    base: np.ndarray | None = None
    movable: bool = False

    @property
    def dashed_parts(self) -> np.ndarray | None:
        """(n,) which parts of the line, each from a value to the next one, are dashed; None for none."""
        if self.dashed is None or not self.dashed.any():
            return None
        return np.append(self.dashed[:-1] | self.dashed[1:], False)

    @property
    def label(self) -> str:
        """Its name, with its own unit where its axis has several: "bolt force [N]"."""
        unit = self.counts.unit if self.counts is not None else ""
        return f"{self.name} [{unit}]" if unit else self.name


@dataclass(frozen=True, eq=False)
class Plot:
    """Curves over common axes.

    Attributes:
        title: what it shows, in few words.
        x, y: the axes.
        series: the curves.
        mark: (x, y) of a marked point, or None.
        right: a second vertical axis, or None.
        peaks: number of the highest peaks of each curve of the left axis to label with their position.
        meaning: how it is to be read, in a sentence or two; "" for plain curves.
        over_frames: whether its x axis is that of the frames, so that a cursor tells the shown one.
    """

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    mark: tuple[float, float] | None = None
    right: Axis | None = None
    peaks: int = 0
    meaning: str = ""
    over_frames: bool = False

    def axis_of(self, series: Series) -> Axis:
        """Return the vertical axis of a curve."""
        return self.right if series.right and self.right is not None else self.y

    def with_others(self, others: Iterable["Plot"]) -> "Plot":
        """Return the plot with the curves of others that count as its own do, in further styles.

        A curve belongs where an axis has its title and unit, and the axis along has the same unit.
        """
        found = list(self.series)
        for other in others:
            if other.x.unit != self.x.unit:
                continue
            styles: dict[int, int] = {}
            first = max((each.style for each in found), default=-1) + 1
            for series in other.series:
                counts = other.counted(series)
                side = next((each for each in self.series if _alike(self.counted(each), counts)), None)
                if side is None:
                    continue
                style = styles.setdefault(series.style, first + len(styles))
                found.append(replace(series, style=style, right=side.right, counts=side.counts))
        return replace(self, series=tuple(found))

    def counted(self, series: Series) -> Axis:
        """Return title and unit of a curve's values, its own where the axis has several."""
        return series.counts or self.axis_of(series)


def _alike(one: Axis, other: Axis) -> bool:
    return (one.title, one.unit) == (other.title, other.unit)
