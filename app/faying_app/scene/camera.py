"""Where the camera stands: plain numbers, standard directions, and fitting a body into the free area."""

from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera, vtkRenderer

from faying.errors import ModelError

# Direction from the body to the camera, and what is up there.
DIRECTIONS: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "+x": ((1, 0, 0), (0, 0, 1)),
    "-x": ((-1, 0, 0), (0, 0, 1)),
    "+y": ((0, 1, 0), (0, 0, 1)),
    "-y": ((0, -1, 0), (0, 0, 1)),
    "+z": ((0, 0, 1), (0, 1, 0)),
    "-z": ((0, 0, -1), (0, 1, 0)),
    "iso": ((0.55, -1.0, 0.62), (0, 0, 1)),
}

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class CameraPose:
    """A parallel camera: where it stands, where it looks, what is up, half the height that it sees."""

    position: Vector
    focal_point: Vector
    view_up: Vector
    half_height: float


@dataclass(frozen=True)
class Margins:
    """Parts of the view (0 to 1) at each side that shall stay free of the body."""

    left: float = 0.04
    right: float = 0.04
    bottom: float = 0.05
    top: float = 0.05


def read_pose(camera: vtkCamera) -> CameraPose:
    """Return the pose of a camera."""
    return CameraPose(
        camera.GetPosition(), camera.GetFocalPoint(), camera.GetViewUp(), camera.GetParallelScale()
    )


def apply_pose(renderer: vtkRenderer, pose: CameraPose) -> None:
    """Put the renderer's camera into a pose."""
    camera = renderer.GetActiveCamera()
    camera.SetParallelProjection(True)
    camera.SetPosition(*pose.position)
    camera.SetFocalPoint(*pose.focal_point)
    camera.SetViewUp(*pose.view_up)
    camera.SetParallelScale(pose.half_height)


def axes_of(pose: CameraPose) -> np.ndarray:
    """Return (3, 3) unit vectors in rows: to the right, up, and towards the camera."""
    back = np.subtract(pose.position, pose.focal_point).astype(float)
    length = np.linalg.norm(back)
    back = back / length if length > 0 else np.array([0.0, 0.0, 1.0])
    right = np.cross(pose.view_up, back)
    if np.linalg.norm(right) < 1e-9:
        right = np.cross((0.0, 1.0, 0.0) if abs(back[1]) < 0.9 else (1.0, 0.0, 0.0), back)
    right = right / np.linalg.norm(right)
    return np.array([right, np.cross(back, right), back])


def towards(direction: str) -> np.ndarray:
    """Return the unit vector (3,) from the model to a camera that looks from a direction; isometric for others."""
    back = np.array(DIRECTIONS.get(direction, DIRECTIONS["iso"])[0], float)
    return np.asarray(back / np.linalg.norm(back))


def turned_pose(pose: CameraPose, direction: str, upwards: Vector = (0, 0, 1)) -> CameraPose:
    """Return the pose that looks from a direction ("iso", "+x", … "-z") at the same point.

    Args:
        pose: gives the point and the distance.
        direction: from where.
        upwards: a direction along an axis that is up in the isometric view, and in others that do not look along it.

    Raises:
        ModelError: when there is no such direction.
    """
    if direction not in DIRECTIONS:
        raise ModelError(f"There is no view called {direction!r}.", f"Known are: {', '.join(DIRECTIONS)}.")
    back, up = DIRECTIONS[direction]
    if upwards != (0, 0, 1):
        back, up = _upright(direction, np.array(back, float), np.array(up, float), np.array(upwards, float))
    distance = float(np.linalg.norm(np.subtract(pose.position, pose.focal_point))) or 1.0
    position = np.add(pose.focal_point, distance * np.array(back) / np.linalg.norm(back))
    return CameraPose(_vector(position), pose.focal_point, up, pose.half_height)


def _upright(direction: str, back: np.ndarray, up: np.ndarray, upwards: np.ndarray) -> tuple[Vector, Vector]:
    """Return back and up of a standard direction where another axis than z is up."""
    if direction == "iso":
        # Seen from the right, the front and above again; the front is z where y is up, as on paper.
        front = np.array([0.0, 0.0, 1.0]) if upwards[2] == 0.0 else np.array([0.0, 1.0, 0.0])
        right, ahead, above = np.abs(back)
        return _vector(right * np.cross(upwards, front) + ahead * front + above * upwards), _vector(upwards)
    return _vector(back), _vector(up if abs(back @ upwards) > 0.5 else upwards)


def upwards_of(gravity: Vector) -> Vector:
    """Return the axis (3,) against gravity; z without gravity, and where it is oblique."""
    weight = np.array(gravity, float)
    size = np.linalg.norm(weight)
    axis = int(np.argmax(np.abs(weight)))
    if size == 0.0 or abs(weight[axis]) < 0.99 * size:
        return 0, 0, 1
    up = [0, 0, 0]
    up[axis] = -1 if weight[axis] > 0.0 else 1
    return up[0], up[1], up[2]


def fitted_pose(pose: CameraPose, points: np.ndarray, aspect: float, margins: Margins) -> CameraPose:
    """Return the pose with the same direction in which all points (n, 3) just fit between the margins.

    Args:
        pose: gives the direction.
        points: what is to be seen; without points the pose stays as it is.
        aspect: width of the view over its height.
        margins: parts of the view that stay free.
    """
    if not len(points):
        return pose
    axes = axes_of(pose)
    seen = points @ axes.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    width, height, depth = np.maximum(high - low, 1e-9)
    free_width = 1.0 - margins.left - margins.right
    free_height = 1.0 - margins.bottom - margins.top
    half = 0.5 * max(height / free_height, width / (aspect * free_width))
    # The middle of the free area is beside the middle of the view.
    centre = (low + high) / 2
    centre[0] += half * aspect * (margins.right - margins.left)
    centre[1] += half * (margins.top - margins.bottom)
    focal = centre @ axes
    position = focal + axes[2] * (depth + 4.0 * half)
    return CameraPose(_vector(position), _vector(focal), _vector(axes[1]), float(half))


def moved_pose(pose: CameraPose, right: float, up: float) -> CameraPose:
    """Return the pose moved sideways by parts of the half height."""
    step = pose.half_height * (right * axes_of(pose)[0] + up * axes_of(pose)[1])
    return CameraPose(
        _vector(np.add(pose.position, step)),
        _vector(np.add(pose.focal_point, step)),
        pose.view_up,
        pose.half_height,
    )


def zoomed_pose(pose: CameraPose, factor: float) -> CameraPose:
    """Return the pose that sees everything larger by a factor."""
    return CameraPose(pose.position, pose.focal_point, pose.view_up, pose.half_height / factor)


def rolled_pose(pose: CameraPose, azimuth: float, elevation: float) -> CameraPose:
    """Return the pose turned round the focal point: sideways and upwards, in degrees."""
    axes = axes_of(pose)
    back = np.subtract(pose.position, pose.focal_point)
    up = axes[1]
    for axis, angle in ((up, azimuth), (axes[0], -elevation)):
        back, up = _turn(back, axis, np.radians(angle)), _turn(up, axis, np.radians(angle))
    return CameraPose(
        _vector(np.add(pose.focal_point, back)), pose.focal_point, _vector(up), pose.half_height
    )


def orbited_pose(pose: CameraPose, centre: np.ndarray, angle: float) -> CameraPose:
    """Return the pose gone round a point (3,) by an angle in degrees, about what is up in the picture."""
    up, turn = axes_of(pose)[1], np.radians(angle)
    position, focal = (
        centre + _turn(np.subtract(place, centre), up, turn) for place in (pose.position, pose.focal_point)
    )
    return CameraPose(_vector(position), _vector(focal), _vector(up), pose.half_height)


def projection(renderer: vtkRenderer, width: int, height: int) -> np.ndarray:
    """Return the (4, 4) matrix from the world to view coordinates from -1 to 1."""
    matrix = renderer.GetActiveCamera().GetCompositeProjectionTransformMatrix(width / max(height, 1), -1, 1)
    return np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])


def to_pixels(matrix: np.ndarray, points: np.ndarray, width: int, height: int) -> np.ndarray:
    """Return pixels (n, 2), counted from the lower left, of points (n, 3)."""
    seen = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    plane = seen[:, :2] / seen[:, 3:4]
    return np.asarray((plane + 1.0) / 2.0 * np.array([width, height]))


def _turn(vector: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    # Rodrigues' formula.
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.asarray(vector * cosine + np.cross(axis, vector) * sine + axis * (axis @ vector) * (1 - cosine))


def _vector(values: np.ndarray) -> Vector:
    return (float(values[0]), float(values[1]), float(values[2]))
