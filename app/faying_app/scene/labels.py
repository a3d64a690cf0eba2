"""Places of labels: beside their points, inside the view, and clear of the plates that are laid over it."""

from collections.abc import Iterator, Sequence
from itertools import product

Box = tuple[float, float, float, float]  # left, bottom, right, top in pixels from the lower left
Spot = tuple[float, float]
_TRIES = 6  # at places for a name above others


def label_corner(point: Spot, size: Spot, away: Spot, view: Spot, plates: Sequence[Box]) -> Spot:
    """Return the lower left corner of a label: up and right of its point, or the first other corner that is free.

    Where none is, it is the nearest free place that leaves the point to be seen; in a view without one, and for a point
    out of sight, the first corner.

    Args:
        point: pixels from the lower left of the view, as all that follows.
        size: width and height of the label.
        away: distances from the point, to the side and up or down.
        view: width and height.
        plates: boxes that the label shall not cover.
    """
    (x, y), (width, height), (aside, up) = point, size, away
    lefts, bottoms = (x + aside, x - aside - width), (y + up, y - up - height)
    first = lefts[0], bottoms[0]
    if not (0.0 <= x <= view[0] and 0.0 <= y <= view[1]):
        return first

    def is_free(left: float, bottom: float) -> bool:
        box = left, bottom, left + width, bottom + height
        inside = left >= 0.0 and bottom >= 0.0 and box[2] <= view[0] and box[3] <= view[1]
        return inside and not any(overlap(box, plate) for plate in (*plates, (x, y, x, y)))

    for bottom, left in product(bottoms, lefts):
        if is_free(left, bottom):
            return left, bottom
    rest = [place for place in _places(lefts, bottoms, size, away, view, plates) if is_free(*place)]
    middle = x - width / 2, y - height / 2
    return min(rest, key=lambda c: (c[0] - middle[0]) ** 2 + (c[1] - middle[1]) ** 2, default=first)


def _places(
    lefts: Sequence[float],
    bottoms: Sequence[float],
    size: Spot,
    away: Spot,
    view: Spot,
    plates: Sequence[Box],
) -> Iterator[Spot]:
    """Yield places beside and below the point and the plates, pushed into the view."""
    across = [*lefts, sum(lefts) / 2, *(plate[0] - away[0] - size[0] for plate in plates)]
    along = [*bottoms, sum(bottoms) / 2, *(plate[1] - away[1] - size[1] for plate in plates)]
    for left, bottom in product(across, along):
        yield min(max(left, 0.0), view[0] - size[0]), min(max(bottom, 0.0), view[1] - size[1])


def lifted_clear(letters: Box, spot: Spot, view: Spot, taken: list[Box]) -> Spot:
    """Return the place of a name above those that it would cover, and add its box to those that are taken.

    The edge of the view cuts no name of a spot in sight: where there is no room above, it goes below.

    Args:
        letters: box of the name around its place.
        spot: where it would be best.
        view: width and height.
        taken: boxes that others cover; where there is no room within a few lines, the name covers one of them.
    """
    left, bottom, right, top = letters
    x, y = float(spot[0]), float(spot[1])
    in_sight = 0.0 <= x <= view[0] and 0.0 <= y <= view[1]
    if in_sight:
        x = max(min(x, view[0] - right), -left)

    def covered(y: float) -> list[Box]:
        box = (x + left, y + bottom, x + right, y + top)
        return [other for other in taken if overlap(box, other)]

    lifted = lowered = max(min(y, view[1] - top), -bottom) if in_sight else y
    for _ in range(_TRIES):
        lifted = max((other[3] - bottom for other in covered(lifted)), default=lifted)
        lowered = min((other[1] - top for other in covered(lowered)), default=lowered)
    above = lifted + top > view[1]
    y = lowered if in_sight and above and lowered + bottom >= 0.0 else lifted
    if in_sight:
        y = max(min(y, view[1] - top), -bottom)
    taken.append((x + left, y + bottom, x + right, y + top))
    return x, y


def overlap(a: Box, b: Box) -> bool:
    """Return whether two boxes cover each other somewhere."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
