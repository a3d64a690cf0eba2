"""Line drawings of constraints and forces, of about unit size, along the axes of their first marker."""

import numpy as np

Pieces = np.ndarray  # (k, 2, 3) straight pieces from end to end


def _path(points: np.ndarray) -> Pieces:
    return np.stack([points[:-1], points[1:]], axis=1)


def _line(start: tuple[float, ...], end: tuple[float, ...]) -> Pieces:
    return np.array([[start, end]], float)


def _ring(axis: int, radius: float = 0.5, height: float = 0.0, share: float = 1.0) -> Pieces:
    angles = np.linspace(0.0, 2.0 * np.pi * share, 25)
    points = np.full((25, 3), height)
    points[:, (axis + 1) % 3] = radius * np.cos(angles)
    points[:, (axis + 2) % 3] = radius * np.sin(angles)
    return _path(points)


def _square(half: float, height: float = 0.0) -> Pieces:
    corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half], [-half, -half]])
    return _path(np.column_stack([corners, np.full(5, height)]))


def _rails(half: float, length: float) -> Pieces:
    return np.concatenate(
        [_line((x, y, -length), (x, y, length)) for x in (-half, half) for y in (-half, half)]
    )


def _arrow_head(tip: tuple[float, float, float], back: tuple[float, float, float]) -> Pieces:
    end, direction = np.array(tip), np.array(back)
    side = np.cross(direction, (1.0, 0.0, 0.0) if abs(direction[0]) < 0.7 else (0.0, 1.0, 0.0))
    return np.array([[end, end + 0.3 * direction + 0.15 * s * side] for s in (-1.0, 1.0)])


def _all(*parts: Pieces) -> Pieces:
    return np.concatenate(parts)


_AXIS = _line((0.0, 0.0, -1.0), (0.0, 0.0, 1.0))
_TURN = _all(_ring(2, 0.8, 0.0, 0.75), _arrow_head((0.0, -0.8, 0.0), (-0.9, -0.1, 0.0)))


def _sense(height: float) -> Pieces:
    """Return the head of an arrow along the axis: what is positive there."""
    return _arrow_head((0.0, 0.0, height), (0.0, 0.0, -1.0))


_PUSH = _all(_line((0.0, 0.0, 0.0), (0.0, 0.0, 1.6)), _arrow_head((0.0, 0.0, 1.6), (0.0, 0.0, -1.0)))
_SPIRAL_ANGLES = np.linspace(0.0, 6.0 * np.pi, 61)
_SPIRAL = np.column_stack(
    [0.1 * np.sqrt(_SPIRAL_ANGLES) * np.cos(_SPIRAL_ANGLES), 0.1 * np.sqrt(_SPIRAL_ANGLES) * np.sin(_SPIRAL_ANGLES),
     np.zeros(61)]
)  # fmt: skip

CONSTRAINTS: dict[str, Pieces] = {
    "fixed": _all(_square(0.4, -0.4), _square(0.4, 0.4), _rails(0.4, 0.4)),
    "revolute": _all(1.3 * _AXIS, _sense(1.3), _ring(2, 0.5, -0.4), _ring(2, 0.5, 0.4), 0.9 * _TURN),
    "cylindrical": _all(1.6 * _AXIS, _sense(1.6), _ring(2, 0.5, -0.6), _ring(2, 0.5, 0.6), 0.9 * _TURN),
    "translational": _all(_square(0.4, -1.0), _square(0.4, 1.0), _rails(0.4, 1.0), 1.5 * _AXIS, _sense(1.5)),
    "spherical": _all(_ring(0), _ring(1), _ring(2)),
    "universal": _all(_line((-0.7, 0, 0), (0.7, 0, 0)), _line((0, -0.7, 0), (0, 0.7, 0)), _ring(2, 0.7)),
    "planar": _all(_square(1.0), _line((0, 0, 0), (0, 0, 0.7))),
    "point_on_line": _all(2.5 * _AXIS, _ring(0, 0.3), _ring(1, 0.3), _ring(2, 0.3)),
    "gear": _all(_ring(2, 0.9), _ring(2, 0.75)),
    "belt": _all(_ring(2, 0.9), _ring(2, 0.75)),
    "rack_and_pinion": _all(_ring(2, 0.9), _ring(2, 0.75)),
    "screw": _all(1.6 * _AXIS, _sense(1.6), *(_ring(2, 0.5, 0.3 * k) for k in range(-2, 3))),
    "constant_velocity": _all(_line((0, 0, -0.9), (0, 0, 0.9)), _ring(0, 0.7), _ring(1, 0.7), _ring(2, 0.7)),
    "curve_on_curve": _all(_ring(2, 0.7), _line((-0.9, 0.7, 0), (0.9, 0.7, 0))),
    "point_on_curve": _all(
        _line((-1.2, -0.5, 0), (-0.4, 0, 0)),
        _line((-0.4, 0, 0), (0.4, 0, 0)),
        _line((0.4, 0, 0), (1.2, 0.5, 0)),
        _ring(0, 0.3),
        _ring(1, 0.3),
        _ring(2, 0.3),
    ),
    "rolling": _line((0, 0, 0), (0, 0, 0.7)),
    "in_plane": _square(1.0),
    "parallel_axes": 1.6 * _AXIS,
    "orientation": _all(*(np.roll(_AXIS, shift, axis=2) for shift in range(3))),
    "distance": np.zeros((0, 2, 3)),
    "prescribed_angle": _TURN,
    "prescribed_angular_speed": _TURN,
    "prescribed_angular_acceleration": _TURN,
    "prescribed_acceleration": _PUSH,
    "prescribed_displacement": _PUSH,
    "prescribed_speed": _PUSH,
}
FORCES: dict[str, Pieces] = {
    "bushing": _all(_ring(2, 0.6), _ring(2, 0.3)),
    "field": _all(_ring(2, 0.6), _ring(2, 0.3), _square(0.6)),
    "beam": np.zeros((0, 2, 3)),
    "torsion_spring": _path(_SPIRAL),
    "rotational_stop": _path(_SPIRAL),
    "rotary_actuator": _TURN,
    "actuator": np.zeros((0, 2, 3)),
    "stop": np.zeros((0, 2, 3)),
    "spring_damper": np.zeros((0, 2, 3)),
    "point_force": np.zeros((0, 2, 3)),
}
# Ground is a hatched plate.
_HATCHES = [
    (-0.8, 0.8 - s, s - 0.8, 0.8) if s <= 0.8 else (s - 1.6, -0.8, 0.8, 1.6 - s) for s in (0.4, 0.8, 1.2)
]
GROUND = _all(_square(0.8), *(_line((a, b, 0.0), (c, d, 0.0)) for a, b, c, d in _HATCHES))
# A member of another package has a sign of its own too: a star.
OTHER = _all(*(0.6 * np.roll(_AXIS, shift, axis=2) for shift in range(3)))

_TURNS, _PER_TURN = 9, 12
N_COIL = _TURNS * _PER_TURN + 1


def coil(start: np.ndarray, end: np.ndarray, radius: float) -> np.ndarray:
    """Return the points (N_COIL, 3) of a coil spring between two places."""
    way = end - start
    length = float(np.linalg.norm(way))
    if length == 0.0:
        return np.repeat(start[None], N_COIL, axis=0)
    along = way / length
    side = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
    side /= np.linalg.norm(side)
    share = np.linspace(0.0, 1.0, N_COIL)
    angles = 2.0 * np.pi * _TURNS * share
    # It begins and ends on its axis.
    wide = radius * np.minimum(1.0, 12.0 * np.minimum(share, 1.0 - share))[:, None]
    round_ = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * np.cross(along, side)
    return np.asarray(start + share[:, None] * way + wide * round_)


def constraint_lines(kind: str, places: np.ndarray, axes: np.ndarray, size: float) -> Pieces:
    """Return the sign of a constraint at its first marker, and a straight piece to its second one.

    Args:
        kind: of the constraint.
        places: (k, 3) of its markers.
        axes: (3, 3) of the first one.
        size: of the sign.
    """
    sign = places[0] + size * CONSTRAINTS.get(kind, OTHER) @ axes.T
    return np.concatenate([sign, places[None, :2]]) if len(places) >= 2 else sign


def force_lines(kind: str, places: np.ndarray, axes: np.ndarray, size: float) -> Pieces:
    """Return the sign of a force at its first marker, and a coil to its second one; see `constraint_lines`."""
    sign = np.asarray(places[0] + size * FORCES.get(kind, OTHER) @ axes.T)
    return (
        np.concatenate([sign, _path(coil(places[0], places[1], 0.35 * size))]) if len(places) == 2 else sign
    )
