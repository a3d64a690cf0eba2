"""A multibody system as the scene sees it: parts with poses, markers, and what acts between them."""

from dataclasses import dataclass, field, replace
from math import cos, sin

import numpy as np

from faying.errors import ModelError
from faying.fem.facet_points import FacetPoints
from faying.joints.fourier import functions_at
from faying.joints.pairs import ContactPairs
from faying.results.field import Field, FieldContext, FieldSource, Pose
from faying.results.results import PartResults, Results
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying.units import UnitSystemName
from faying_app.scene.swung_frames import SwungPart

_MOST_ON_WAY = 400  # frames of a long run on the way of a marker
_STILL = 1e-6  # of the longest way: a marker that stays where it is
AT_REST: Pose = (np.zeros(3), np.eye(3))
_CUBE = np.array([[x, y, z] for z in (-0.5, 0.5) for y in (-0.5, 0.5) for x in (-0.5, 0.5)])


@dataclass(frozen=True, eq=False)
class ShownPart:
    """A part: nodes of its FE model, or a box of its inertia.

    Attributes:
        name: of the part.
        rows: of its nodes among those of all parts; empty without an FE model.
        box: (8, 3) corners in the part's frame of the solid box of the same mass and inertia; None with a model.
        start: pose of its frame before any frame is shown.
        node_ids: numbers that the FE model gives its nodes.
        centre: (3,) its centre of mass in the part's frame; None with a model, and where it cannot be determined.
    """

    name: str
    rows: slice
    box: np.ndarray | None
    start: Pose
    node_ids: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    centre: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class ShownMarker:
    """A marker, on a node (row among those of all parts), or at a place of its part's frame.

    Attributes:
        part: number of its part; -1 for ground.
        node: row of the node; -1 for a place in the frame.
        place: (3,) in the frame.
        axes: (3, 3) in the frame, unit vectors in the columns.
        name: "part.marker".
    """

    part: int
    node: int
    place: np.ndarray
    axes: np.ndarray
    name: str = ""


@dataclass(frozen=True, eq=False)
class ShownMember:
    """A constraint or force between markers, by their numbers.

    Attributes:
        name, kind: of the member.
        markers: numbers of its markers.
        force, moment: (3,) of a force at one marker; `following` has them along the marker's axes.
        outlines: lines that move with a marker: its number, and points (n, 3) in its axes.
    """

    name: str
    kind: str
    markers: tuple[int, ...]
    force: tuple[float, float, float] = (0.0, 0.0, 0.0)
    moment: tuple[float, float, float] = (0.0, 0.0, 0.0)
    following: bool = False
    outlines: tuple[tuple[int, np.ndarray], ...] = ()


@dataclass(frozen=True, eq=False)
class ShownSurface:
    """A surface of a rigid part or of ground.

    Attributes:
        name: "part.surface".
        part: number of its part; -1 for ground.
        points, triangles: (n, 3) in the frame of the part, and (m, 3).
        solid: whether nothing behind it has to be seen.
        fits: whether the picture has to hold all that is drawn of it; of planes it need not.
    """

    name: str
    part: int
    points: np.ndarray
    triangles: np.ndarray
    solid: bool
    fits: bool


@dataclass(frozen=True, eq=False)
class ShownSystem:
    """All parts, markers, members and rigid surfaces of a system."""

    parts: tuple[ShownPart, ...]
    markers: tuple[ShownMarker, ...] = ()
    constraints: tuple[ShownMember, ...] = ()
    forces: tuple[ShownMember, ...] = ()
    surfaces: tuple[ShownSurface, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def starts(self) -> tuple[Pose, ...]:
        """Poses of the parts before any frame is shown."""
        return tuple(part.start for part in self.parts)

    def marker_poses(self, poses: tuple[Pose, ...], positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return places (m, 3) and axes (m, 3, 3) of all markers.

        Args:
            poses: of the parts' frames.
            positions: (n_nodes, 3) where the nodes are drawn; markers on nodes follow the shown deformation.
        """
        places, axes = np.zeros((len(self.markers), 3)), np.zeros((len(self.markers), 3, 3))
        for i, marker in enumerate(self.markers):
            position, turn = poses[marker.part] if marker.part >= 0 else AT_REST
            places[i] = positions[marker.node] if marker.node >= 0 else position + turn @ marker.place
            axes[i] = turn @ marker.axes
        return places, axes

    def member(self, kind: str, name: str) -> ShownMember | None:
        """Return the "constraint" or "force" of a name, None when there is none."""
        members = {"constraint": self.constraints, "force": self.forces}.get(kind, ())
        return next((member for member in members if member.name == name), None)

    def middles(self, poses: tuple[Pose, ...], positions: np.ndarray) -> np.ndarray:
        """Return the middles (n_parts, 3) of the parts as they are drawn; of the frame where there is nothing."""
        found = np.zeros((len(self.parts), 3))
        for i, (part, (position, turn)) in enumerate(zip(self.parts, poses, strict=True)):
            nodes = positions[part.rows]
            if part.box is not None:
                found[i] = position + turn @ part.box.mean(axis=0)
            elif len(nodes):
                found[i] = nodes.mean(axis=0)
            else:
                own = [k for k, each in enumerate(self.surfaces) if each.part == i and each.solid]
                found[i] = self.surface_places(own[0], poses).mean(axis=0) if own else position
        return found

    def corners(self, poses: tuple[Pose, ...]) -> np.ndarray:
        """Return (8 k, 3) corners of the boxes of all parts without an FE model."""
        found = [
            position + part.box @ turn.T
            for part, (position, turn) in zip(self.parts, poses, strict=True)
            if part.box is not None
        ]
        return np.concatenate(found) if found else np.zeros((0, 3))

    def surface_places(self, number: int, poses: tuple[Pose, ...]) -> np.ndarray:
        """Return (n, 3) where the points of a rigid surface are."""
        surface = self.surfaces[number]
        position, turn = poses[surface.part] if surface.part >= 0 else AT_REST
        return np.asarray(position + surface.points @ turn.T)

    def points(self, poses: tuple[Pose, ...], positions: np.ndarray) -> np.ndarray:
        """Return points (n, 3) that have to be seen: boxes, markers, and surfaces but for planes."""
        surfaces = [self.surface_places(i, poses) for i, each in enumerate(self.surfaces) if each.fits]
        return np.concatenate([self.corners(poses), self.marker_poses(poses, positions)[0], *surfaces])


@dataclass(frozen=True, eq=False)
class PartFrames:
    """Frames of one part; `context` evaluates its fields, None for a part that has none.

    Operating shapes and periodic motions are shown at `angle` of their period; zero is the instant that is stored.
    """

    results: PartResults
    context: FieldContext | None
    angle: float = 0.0

    def swung(self, angle: float) -> "PartFrames":
        """Return the frames at another angle of their period."""
        if self.context is None:
            return replace(self, angle=angle)
        return PartFrames(self.results, replace(self.context, frames=SwungPart(self.results, angle)), angle)

    def swing(self, frame: int) -> np.ndarray | None:
        """Return (6 + r,) translation, rotation vector and flexible coordinates of a swing; None without a swing."""
        if (period := self.results.period(frame)) is not None:
            return np.asarray(functions_at(self.angle, len(period)) @ period)
        found = self.results.swing(frame)
        return None if found is None else np.asarray(found[0] * cos(self.angle) + found[1] * sin(self.angle))

    def pose(self, frame: int, scale: float) -> Pose:
        """Return the pose of the part's frame: true to scale, but a swing is enlarged."""
        swing, state = self.swing(frame), self.results.state
        if swing is None or state is None:
            return self.results.placement(frame)
        turn = rotation_matrix(state[3:7]) @ rotation_matrix(rotation_about(scale * swing[3:6]))
        return state[:3] + scale * swing[:3], turn

    def deformation(self, frame: int, scale: float) -> np.ndarray | None:
        """Return displacements (n_nodes, 3) in the part's frame; of an operating shape the swing alone is enlarged."""
        coordinates, swing, state = self.results.coordinates(frame), self.swing(frame), self.results.state
        if self.context is None or coordinates is None:
            return None
        if swing is None or state is None:
            return scale * self.context.displacement(frame)
        return self._moved(state[7:] + scale * swing[6:])

    def movement(self, frame: int, points: np.ndarray, fixed: np.ndarray) -> np.ndarray:
        """Return what the scale enlarges, to first order: (n + m, 3) of a swing, else the deformation (n, 3) or (0, 3).

        Args:
            frame: its number.
            points: (n, 3) nodes of the part, in its frame.
            fixed: (m, 3) points that do not deform.
        """
        swing = self.swing(frame)
        if swing is None:
            found = self.deformation(frame, 1.0)
            return np.zeros((0, 3)) if found is None else found
        moved = self._moved(swing[6:]) if self.context is not None else 0.0
        of_nodes = np.cross(swing[3:6], points) + moved
        state = self.results.state
        assert state is not None
        turn = rotation_matrix(state[3:7])
        return np.asarray(swing[:3] + np.concatenate([of_nodes, np.cross(swing[3:6], fixed)]) @ turn.T)

    def _moved(self, coordinates: np.ndarray) -> np.ndarray:
        assert self.context is not None
        return np.asarray(self.context.body.displacements @ coordinates).reshape(-1, 3)


@dataclass(frozen=True, eq=False)
class SystemContext:
    """Frames of a system in motion, a `FieldSource` as `FieldContext` is for one body.

    Attributes:
        frames: times and names of the frames.
        shown_system: the parts and their rows of nodes.
        parts: frames of each part, in the same order.
        nodes: (n_nodes, 3) of all parts, undeformed, each in its part's frame.
        owners: (number of the part, its own name) of each joint, by the name that it has in the system.
        shape: number of the shape that is shown of frames with several.
    """

    frames: Results
    shown_system: ShownSystem
    parts: tuple[PartFrames, ...]
    nodes: np.ndarray
    owners: dict[str, tuple[int, str]]
    shape: int = 0

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all parts together."""
        return len(self.nodes)

    @property
    def of_body(self) -> None:
        """None: the frames are of several parts."""
        return

    @property
    def has_fields(self) -> bool:
        """Whether a part is flexible."""
        return any(part.context is not None for part in self.parts)

    def on_fe_model(self, frame: int) -> dict[str, bool]:
        """Return whether the frame of each flexible part is of its FE model."""
        return {
            part.name: all(frames.context.on_fe_model(frame).values())
            for part, frames in zip(self.shown_system.parts, self.parts, strict=True)
            if frames.context is not None
        }

    def refusal(self, field: Field, joint: str = "") -> ModelError | None:
        """Return why the field exists on no part (its inputs are missing); None when at least one part has it."""
        if joint:
            number, own = self.owners[joint]
            context = self.parts[number].context
            return None if context is None else field.refusal(context, own)
        each = [field.refusal(part.context) for part in self.parts if part.context is not None]
        return None if None in each or not each else each[0]

    def swung(self, angle: float) -> "SystemContext":
        """Return the frames at another angle of the period of their operating shapes."""
        return replace(self, parts=tuple(part.swung(angle) for part in self.parts))

    def poses(self, frame: int, scale: float = 1.0) -> tuple[Pose, ...]:
        """Return the poses of all parts' frames: true, but enlarged where they swing."""
        return tuple(part.pose(frame, scale) for part in self.parts)

    def displacement(self, frame: int, scale: float = 1.0) -> np.ndarray:
        """Return (n_nodes, 3) the deformation of each part, along the axes of its frame."""
        moved = np.zeros_like(self.nodes)
        for part, frames in zip(self.shown_system.parts, self.parts, strict=True):
            found = frames.deformation(frame, scale)
            if found is not None:
                moved[part.rows] = found
        return moved

    def movement(self, frame: int) -> np.ndarray:
        """Return (n, 3) what the scale enlarges: deformations, or how far nodes, boxes and surfaces swing."""
        system, found = self.shown_system, [np.zeros((0, 3))]
        for i, (part, frames) in enumerate(zip(system.parts, self.parts, strict=True)):
            fixed = [s.points for s in system.surfaces if s.part == i]
            fixed += [np.zeros((1, 3)) if part.box is None else part.box]
            found.append(frames.movement(frame, self.nodes[part.rows], np.concatenate(fixed)))
        return np.concatenate(found)

    def positions(self, frame: int, scale: float) -> np.ndarray:
        """Return (n_nodes, 3) where the nodes are, deformation and swing enlarged and motion true."""
        moved = self.nodes + self.displacement(frame, scale)
        return placed(self.shown_system, moved, self.poses(frame, scale))

    def placed(
        self, frame: int, scale: float, reference: str = "", turns: bool = False
    ) -> tuple[tuple[Pose, ...], np.ndarray]:
        """Return the poses of all parts and the nodes (n_nodes, 3), as seen from a part or from the ground."""
        poses, moved = self.poses(frame, scale), self.positions(frame, scale)
        return seen_from(self.shown_system, reference, turns, poses, moved) if reference else (poses, moved)

    def shown(self, field: Field, joint: str, frame: int) -> np.ndarray:
        """Return one number per pair of a joint, or for a body field per node, NaN on rigid parts."""
        if field.location == "joint":
            number, own = self.owners[joint]
            context = self.parts[number].context
            assert context is not None
            return field.shown(context, own, frame)
        values = np.full(len(self.nodes), np.nan)
        for part, frames in zip(self.shown_system.parts, self.parts, strict=True):
            if frames.context is not None:
                values[part.rows] = field.shown(frames.context, "", frame)
        return values


def marker_ways(context: SystemContext, scale: float, reference: str = "", turns: bool = False) -> np.ndarray:
    """Return (k, n, 3) where the markers of moving parts are over frames that follow each other.

    Of a long run n is a few hundred of its frames. Markers that the system's decisions or members name are counted;
    frames of shapes and cases, and markers that do not move, have no ways.

    Args:
        context: the frames.
        scale: of deformations.
        reference, turns: as of `seen_from`.
    """
    system, axis = context.shown_system, context.frames.axis
    markers = [marker for marker in system.markers if marker.part >= 0]
    if not axis.follows or not markers or context.frames.n_frames < 2:
        return np.zeros((0, 0, 3))
    count = context.frames.n_frames
    numbers = np.unique(np.linspace(0, count - 1, min(count, _MOST_ON_WAY)).round().astype(int))
    ways = np.zeros((len(markers), len(numbers), 3))
    for k, frame in enumerate(numbers.tolist()):
        poses = context.poses(frame)
        places = np.array([_place(context, marker, frame, scale, poses) for marker in markers])
        ways[:, k] = seen_from(system, reference, turns, poses, places)[1] if reference else places
    moving = np.ptp(ways, axis=1).max(axis=1) > _STILL * max(
        float(np.ptp(ways.reshape(-1, 3), axis=0).max()), 1e-300
    )
    return np.asarray(ways[moving])


def _place(
    context: SystemContext, marker: ShownMarker, frame: int, scale: float, poses: tuple[Pose, ...]
) -> np.ndarray:
    """Return (3,) where a marker is in a frame."""
    (position, turn), frames, place = poses[marker.part], context.parts[marker.part], marker.place
    if marker.node >= 0:
        place = context.nodes[marker.node]
        own = marker.node - context.shown_system.parts[marker.part].rows.start
        coordinates = frames.results.coordinates(frame)
        if frames.context is not None and coordinates is not None:
            place = place + scale * (frames.context.body.displacements[3 * own : 3 * own + 3] @ coordinates)
    return np.asarray(position + turn @ place)


def frame_text(context: FieldSource, frame: int, units: UnitSystemName) -> str:
    """Return the name of a frame with its unit, and which of its shapes is shown where it has several."""
    source = context.frames
    words = [source.axis.label_with_unit(source, frame, units)]
    if isinstance(context, SystemContext):
        words.append(context.frames.axis.shape_text(context.frames, frame, context.shape, units))
    return ", ".join(filter(None, words))


def placed(system: ShownSystem, nodes: np.ndarray, poses: tuple[Pose, ...]) -> np.ndarray:
    """Return nodes (n_nodes, 3), given in the frames of their parts, where the poses put them."""
    found = np.empty_like(nodes)
    for part, (position, turn) in zip(system.parts, poses, strict=True):
        found[part.rows] = position + nodes[part.rows] @ turn.T
    return found


def seen_from(
    system: ShownSystem, name: str, turns: bool, poses: tuple[Pose, ...], positions: np.ndarray
) -> tuple[tuple[Pose, ...], np.ndarray]:
    """Return poses and positions relative to a moving part, which stays where it started.

    Args:
        system: the parts.
        name: of the part.
        turns: whether they turn with it too.
        poses: of all parts.
        positions: (n_nodes, 3).
    """
    number = next((i for i, part in enumerate(system.parts) if part.name == name), None)
    if number is None:
        return poses, positions
    (place, turn), (start, first) = poses[number], system.starts[number]
    back = first @ turn.T if turns else np.eye(3)

    def seen(points: np.ndarray) -> np.ndarray:
        return np.asarray(start + (points - place) @ back.T)

    return tuple((seen(p), back @ r) for p, r in poses), seen(positions)


def inertia_box(mass: float, inertia: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Return the (8, 3) corners of the solid box that has a mass and inertia tensor about its centre.

    Where no solid box has that inertia, edges of imaginary length are taken as zero. No edge is drawn shorter than
    2 % of the longest.
    """
    moments, axes = np.linalg.eigh(inertia)
    # I_x = m (b² + c²)/12 and so on, solved for the squares of the edges.
    squares = 6.0 * (moments.sum() - 2.0 * moments) / mass
    edges = np.sqrt(np.maximum(squares, 0.0))
    edges = np.maximum(edges, 0.02 * edges.max())
    return np.asarray(centre + (_CUBE * edges) @ axes.T)


def moved_pairs(pairs: ContactPairs, first: int) -> ContactPairs:
    """Return contact pairs with their node rows shifted by `first`, as the nodes of all parts are counted."""

    def moved(rows: np.ndarray | None) -> np.ndarray | None:
        return None if rows is None else rows + first

    def moved_points(points: FacetPoints | None) -> FacetPoints | None:
        return None if points is None else replace(points, nodes=points.nodes + first)

    return replace(
        pairs, slave_nodes=moved(pairs.slave_nodes), master_nodes=pairs.master_nodes + first,
        unpaired_nodes=moved(pairs.unpaired_nodes), slave_points=moved_points(pairs.slave_points),
        unpaired_points=moved_points(pairs.unpaired_points),
    )  # fmt: skip
