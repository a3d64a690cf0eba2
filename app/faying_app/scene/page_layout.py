"""Where on a picture its views, the title and the curves under them stand."""

from dataclasses import dataclass

# Design pixels: the band with title and logo, and the least that curves can be read in.
_HEAD, _LEAST_STRIP = 44.0, 150.0
_STRIP = 0.27  # of the height, for curves
_SHAPE = 1.5  # width over height that suits a body with legend and caption


@dataclass(frozen=True)
class Area:
    """A part of a picture in pixels, counted from the upper left."""

    left: int
    top: int
    width: int
    height: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height


@dataclass(frozen=True)
class Layout:
    """Areas of a picture: the views in rows, `head` and `strip` where they are wanted."""

    views: tuple[Area, ...]
    head: Area | None = None
    strip: Area | None = None


def layout_of(size: tuple[int, int], count: int, scale: float, *, head: bool, strip: bool) -> Layout:
    """Return the areas of a picture.

    Args:
        size: of the picture in pixels.
        count: of the views; all get the same size.
        scale: pixels per design pixel.
        head, strip: whether there are a title or logo, and curves.
    """
    width, height = size
    top = min(round(_HEAD * scale), height // 3) if head else 0
    below = min(round(max(_STRIP * height, _LEAST_STRIP * scale)), (height - top) // 2) if strip else 0
    free = height - top - below

    def misfit(columns: int) -> float:
        rows = -(-count // columns)
        shape = (width / columns) / (free / rows)
        empty = rows * columns - count
        return max(shape / _SHAPE, _SHAPE / shape) + 0.5 * empty

    columns = min(range(1, count + 1), key=misfit)
    across, up = width // columns, free // -(-count // columns)
    views = tuple(Area(across * (i % columns), top + up * (i // columns), across, up) for i in range(count))
    return Layout(
        views,
        Area(0, 0, width, top) if head else None,
        Area(0, height - below, width, below) if strip else None,
    )
