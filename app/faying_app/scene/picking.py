"""What lies under a pixel: a contact pair, a facet of the skin, or nothing."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCellPicker, vtkRenderer

from faying_app.scene.content import Content
from faying_app.scene.visuals import Sheet
from faying_app.scene.visuals.body import BodyVisual

_REACH = 7.0


@dataclass(frozen=True)
class Picked:
    """What was found: `number` is a row of the contact pairs or a facet number of the skin."""

    kind: Literal["pair", "facet"]
    number: int
    position: tuple[float, float, float]


def pick_pair(content: Content, sheet: Sheet, x: float, y: float) -> Picked | None:
    """Return the contact pair whose slave node is nearest to a pixel, within a finger's breadth.

    Args:
        content: gives the pairs and where their nodes are.
        sheet: the plane of the picture.
        x, y: device pixels from the lower left.
    """
    pairs = content.pairs
    if pairs is None or not len(pairs):
        return None
    row = _nearest(content, sheet, pairs.slave_nodes, x, y, _REACH)
    if row is None:
        return None
    return Picked("pair", row, _vector(content.positions[pairs.slave_nodes[row]]))


def nearest_node(
    content: Content, sheet: Sheet, rows: np.ndarray, x: float, y: float, fingers: float
) -> int | None:
    """Return the one of some nodes that is nearest to a pixel, within so many fingers' breadths."""
    found = _nearest(content, sheet, rows, x, y, fingers * _REACH)
    return None if found is None else int(rows[found])


def _nearest(
    content: Content, sheet: Sheet, rows: np.ndarray, x: float, y: float, reach: float
) -> int | None:
    """Return the place in `rows` of the node that is nearest to a pixel, None when all are out of reach."""
    points = content.positions[rows]
    distance = np.linalg.norm(sheet.pixels(points) - [x, y], axis=1)
    near = np.flatnonzero(distance <= reach * sheet.scale)
    if not len(near):
        return None
    # Of those that nearly cover each other the front one is meant.
    return int(near[np.argmin(distance[near] - 1e-3 * (points[near] @ sheet.axes[2]) / content.size)])


def pick_facet(body: BodyVisual, renderer: vtkRenderer, x: float, y: float) -> Picked | None:
    """Return the facet of the skin that is seen at a pixel.

    Args:
        body: the visual that draws the skin.
        renderer: that draws it.
        x, y: device pixels from the lower left.
    """
    if body.mesh is None or not body.skin.GetVisibility():
        return None
    picker = vtkCellPicker()
    picker.SetTolerance(0.0)
    picker.PickFromListOn()
    picker.AddPickList(body.skin)
    picker.Pick(x, y, 0.0, renderer)
    triangle = picker.GetCellId()
    if triangle < 0:
        return None
    return Picked("facet", int(body.mesh.facets[triangle]), _vector(picker.GetPickPosition()))


def _vector(values: object) -> tuple[float, float, float]:
    x, y, z = np.asarray(values, float)
    return (float(x), float(y), float(z))
