"""What lies under a pixel: a contact pair, a facet of the skin, something of a system, or nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkCellTreeLocator
from vtkmodules.vtkRenderingCore import vtkActor, vtkCellPicker, vtkRenderer

from faying.fem.surface import part_of_surface
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import SurfaceMesh
from faying_app.scene.visuals import Sheet
from faying_app.scene.visuals.body import BodyVisual
from faying_app.scene.visuals.rigid_surfaces import RigidSurfacesVisual

_REACH = 7.0


@dataclass(frozen=True)
class Picked:
    """What was found.

    `number` is a row of the contact pairs, a facet number of the skin, or counts parts, constraints, forces or surfaces
    of rigid parts. Of a part that has an FE model, `facet` counts the facets of all parts' skins. On a facet `nodes`
    are the rows of a triangle's corners, and `shares` where between them the place is.
    """

    kind: Literal["pair", "facet", "part", "constraint", "force", "surface"]
    number: int
    position: tuple[float, float, float]
    facet: int = -1
    nodes: tuple[int, ...] = ()
    shares: tuple[float, ...] = ()

    def place_in(self, nodes: np.ndarray) -> np.ndarray:
        """Return the same place of the skin (3,) where nodes (n_nodes, 3) are elsewhere; as drawn off any facet."""
        return np.array(self.shares) @ nodes[list(self.nodes)] if self.nodes else np.array(self.position)


def pick_pair(content: SceneContent, sheet: Sheet, x: float, y: float) -> Picked | None:
    """Return the contact pair whose slave node or point is nearest to a pixel, within a finger's breadth.

    Args:
        content: gives the pairs and where their nodes are.
        sheet: the plane of the picture.
        x, y: device pixels from the lower left.
    """
    pairs = content.pairs
    if pairs is None or not len(pairs):
        return None
    places = pairs.on_slave(content.positions)
    row = _nearest(content, sheet, places, x, y, _REACH)
    if row is None:
        return None
    return Picked("pair", row, _vector(places[row]))


def nearest_node(
    content: SceneContent, sheet: Sheet, rows: np.ndarray, x: float, y: float, fingers: float
) -> int | None:
    """Return the row of the node nearest to a pixel (x, y), None when none lies within `fingers` * _REACH."""
    found = _nearest(content, sheet, content.positions[rows], x, y, fingers * _REACH)
    return None if found is None else int(rows[found])


def _nearest(
    content: SceneContent, sheet: Sheet, points: np.ndarray, x: float, y: float, reach: float
) -> int | None:
    """Return which of the points (n, 3) is nearest to a pixel, None when all are out of reach."""
    distance = np.linalg.norm(sheet.pixels(points) - [x, y], axis=1)
    near = np.flatnonzero(distance <= reach * sheet.scale)
    if not len(near):
        return None
    # Of those that nearly cover each other the front one is meant.
    return int(near[np.argmin(distance[near] - 1e-3 * (points[near] @ sheet.axes[2]) / content.size)])


def pick_facet(body: BodyVisual, renderer: vtkRenderer, x: float, y: float) -> Picked | None:
    """Return the facet of the skin that is seen at a pixel; of a shell the one on the side that is looked at.

    Args:
        body: the visual that draws the skin.
        renderer: that draws it.
        x, y: device pixels from the lower left.
    """
    if body.mesh is None or not body.skin.GetVisibility():
        return None
    body.draw_fully()
    _, triangle, position = _pick_cell([body.skin], renderer, x, y, body.locator())
    if triangle < 0:
        return None
    triangle = _seen_side(body.mesh, triangle, _towards_onlooker(renderer, position))
    return Picked(
        "facet", int(body.mesh.facets[triangle]), position, -1, *_within(body.mesh, triangle, position)
    )


def pick_in_system(
    content: SceneContent,
    sheet: Sheet,
    body: BodyVisual,
    boxes: vtkActor,
    surfaces: RigidSurfacesVisual,
    renderer: vtkRenderer,
    x: float,
    y: float,
) -> Picked | None:
    """Return the constraint or force whose sign is near a pixel, else the part or rigid surface that is seen there.

    Args:
        content: with a system.
        sheet: the plane of the picture.
        body: the visual that draws the skins of parts with an FE model.
        boxes: the actor of the parts without, six faces each.
        surfaces: the visual that draws surfaces of rigid parts and of ground.
        renderer: that draws them.
        x, y: device pixels from the lower left.
    """
    system = content.system
    assert system is not None
    places, _ = system.marker_poses(content.poses, content.positions)
    for kind, members in (("constraint", system.constraints), ("force", system.forces)):
        if not members:
            continue
        # Between its markers too: a spring is caught by its middle.
        middles = np.array([places[list(member.markers)].mean(axis=0) for member in members])
        firsts = places[[member.markers[0] for member in members]]
        away = [np.linalg.norm(sheet.pixels(points) - [x, y], axis=1) for points in (firsts, middles)]
        distance = np.minimum(*away)
        nearest = int(np.argmin(distance))
        if distance[nearest] <= 2.0 * _REACH * sheet.scale:
            return Picked(kind, nearest, _vector(firsts[nearest]))  # type: ignore[arg-type]
    body.draw_fully()
    covering = [body.skin, boxes, *surfaces.fills(solid=True)]
    actor, cell, position = _pick_cell(covering, renderer, x, y, body.locator())
    if actor is None or cell < 0:  # what one sees through covers nothing
        actor, cell, position = _pick_cell(surfaces.fills(solid=False), renderer, x, y)
    if actor is None or cell < 0:
        return None
    if actor is boxes:
        boxed = [i for i, part in enumerate(system.parts) if part.box is not None]
        return Picked("part", boxed[cell // 6], position)
    if actor is not body.skin:
        return Picked("surface", surfaces.surface_at(content, actor, cell), position)
    assert body.mesh is not None and content.skin is not None
    facet = int(body.mesh.facets[cell])
    node = part_of_surface(content.skin, np.array([facet])).nodes[0]
    part = next(i for i, part in enumerate(system.parts) if part.rows.start <= node < part.rows.stop)
    return Picked("part", part, position, facet, *_within(body.mesh, cell, position))


def _within(
    mesh: SurfaceMesh, triangle: int, position: tuple[float, float, float]
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the node rows of a triangle's corners and the shares (area coordinates) of a place in it."""
    corners = mesh.triangles[triangle]
    a, b, c = mesh.drawn.points[corners].astype(float)
    sides = np.column_stack([b - a, c - a])
    second, third = np.linalg.lstsq(sides, np.array(position) - a, rcond=None)[0]
    return tuple(mesh.nodes[corners].tolist()), (float(1.0 - second - third), float(second), float(third))


def _seen_side(mesh: SurfaceMesh, triangle: int, towards: np.ndarray) -> int:
    """Return a triangle, or the one with its corners that looks the other way, if that one faces the onlooker."""
    a, b, c = mesh.drawn.points[mesh.triangles[triangle]].astype(float)
    if np.cross(b - a, c - a) @ towards >= 0.0:
        return triangle
    # Only shells have two triangles in one place; of solids nothing is found.
    corners = mesh.welded[triangle]
    near = np.flatnonzero((mesh.welded == corners[0]).any(axis=1))
    same = near[(np.sort(mesh.welded[near], axis=1) == np.sort(corners)).all(axis=1)]
    others = same[same != triangle]
    return int(others[0]) if len(others) else triangle


def _towards_onlooker(renderer: vtkRenderer, position: tuple[float, float, float]) -> np.ndarray:
    """Return the direction from a place to whoever looks at it."""
    camera = renderer.GetActiveCamera()
    if camera.GetParallelProjection():
        return -np.array(camera.GetDirectionOfProjection())
    return np.array(camera.GetPosition()) - position


def _pick_cell(
    actors: Iterable[vtkActor],
    renderer: vtkRenderer,
    x: float,
    y: float,
    locator: vtkCellTreeLocator | None = None,
) -> tuple[vtkActor | None, int, tuple[float, float, float]]:
    """Return the nearest of some actors that is seen at a pixel, its cell and the place; (None, -1, …) for none."""
    picker = vtkCellPicker()
    picker.SetTolerance(0.0)
    picker.PickFromListOn()
    for actor in actors:
        if actor.GetVisibility():
            picker.AddPickList(actor)
    if locator is not None:
        picker.AddLocator(locator)
    picker.Pick(x, y, 0.0, renderer)
    return picker.GetActor(), picker.GetCellId(), _vector(picker.GetPickPosition())


def _vector(values: object) -> tuple[float, float, float]:
    x, y, z = np.asarray(values, float)
    return (float(x), float(y), float(z))
