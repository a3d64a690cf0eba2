"""Where a part or a marker is, as an engineer gives it."""

import numpy as np

from faying.params import Spec, parameter, unique_names
from faying.spatial.rotations import rotation_about, rotation_vector

Vector = tuple[float, float, float]


class MarkerSpec(Spec):
    """A named point with axes on a part; constraints and forces act at markers.

    On a flexible part it sits on an interface node and moves with it.
    """

    name: str = parameter(title="Name", meaning="Name of the marker.", min_length=1, pattern=r"^[^.]+$")
    position: Vector = parameter(
        (0.0, 0.0, 0.0), title="Position", quantity="length",
        meaning="In the part's frame; not used on an interface node.",
    )  # fmt: skip
    interface: str = parameter(
        "", title="Interface node", choices="interface",
        meaning="Interface node of a flexible part that the marker sits on.",
    )  # fmt: skip
    rotation: Vector = parameter(
        (0.0, 0.0, 0.0), title="Rotation", quantity="angle",
        meaning="Rotation vector of its axes in the part's frame: the axis of rotation times the angle.",
    )  # fmt: skip

    @property
    def euler_parameters(self) -> np.ndarray:
        """(4,) of its axes in the part's frame."""
        return rotation_about(np.array(self.rotation))


def seen_from_frame(
    place: np.ndarray, axes: np.ndarray, origin: np.ndarray, turn: np.ndarray
) -> dict[str, Vector]:
    """Return "position" and "rotation" in a frame of a place and axes in space, as markers are given.

    Args:
        place: (3,) in space.
        axes: (3, 3) unit vectors in the columns.
        origin, turn: (3,) and (3, 3) of the frame.
    """
    return {
        "position": with_few_digits(turn.T @ (place - origin)),
        "rotation": with_few_digits(rotation_vector(turn.T @ axes)),
    }


def with_few_digits(vector: np.ndarray) -> Vector:
    """Return a vector (3,) with the digits that its size allows, round-off as zero."""
    size = float(np.abs(vector).max(initial=0.0))
    x, y, z = (float(f"{v:.10g}") if abs(v) > 1e-12 * size else 0.0 for v in vector)
    return x, y, z


def unique_markers(items: tuple[MarkerSpec, ...], built_in: tuple[str, ...]) -> tuple[MarkerSpec, ...]:
    """Return the markers; a name used twice, or that of a marker that is always there, is an error."""
    for item in items:
        if item.name in built_in:
            raise ValueError(f"the name {item.name!r} is taken by a marker that is always there")
    return unique_names(items)


class PlacementSpec(Spec):
    """Place and motion of a part's frame at the start.

    Assembly changes nonzero values as little as the constraints require; values of zero follow.
    """

    position: Vector = parameter(
        (0.0, 0.0, 0.0), title="Position", quantity="length", meaning="Of the part's frame, in space."
    )
    rotation: Vector = parameter(
        (0.0, 0.0, 0.0), title="Rotation", quantity="angle",
        meaning="Rotation vector of the part's frame: the axis of rotation times the angle.",
    )  # fmt: skip
    velocity: Vector = parameter(
        (0.0, 0.0, 0.0), title="Velocity", quantity="velocity", meaning="Of the part's frame, in space."
    )
    spin: Vector = parameter(
        (0.0, 0.0, 0.0), title="Angular velocity", quantity="angular_velocity",
        meaning="Along the axes of the part's frame.",
    )  # fmt: skip
