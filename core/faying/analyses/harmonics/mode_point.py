"""One mode of a vibration, and the point whose amplitude stands for that of the vibration."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from faying.analyses import Analysis, BodyAnalysis
from faying.analyses.harmonics.linearized_body import elastic
from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.linalg.symmetric import is_sparse
from faying.params import parameter
from faying.reduction.body import no_interface_node
from faying.results.curve_key import AXES

_STILL = 1e-9  # displacement of a point over the largest of the mode, below which it does not move

Direction = Literal["largest", "x", "y", "z"]


@dataclass(frozen=True, eq=False)
class AmplitudePoint:
    """A point along one direction, whose amplitude stands for that of the vibration.

    Attributes:
        name: for people: "tip z", "node 128 y", "rod.end x".
        row: (n,) its displacement per coordinate.
        sign: by which the mode is multiplied, so that its motion begins along the direction: 1 or −1. Eigenvectors have
            any sign, and friction from a state of rest may depend on the way in which a vibration begins.
    """

    name: str
    row: np.ndarray
    sign: float


def direction_parameter() -> Any:
    """Return the parameter that chooses the component of a point's displacement."""
    return parameter(
        "largest", title="Direction",
        meaning="Component of its displacement; the largest one in the mode by default.",
    )  # fmt: skip


class OfMode(Analysis):
    """An analysis of a vibration in one mode."""

    mode: int = parameter(
        1, title="Mode", ge=1,
        meaning="Number of the mode with the joints stuck, as the analysis Modes lists them, from 1.",
    )  # fmt: skip

    def number_in(self, frequencies: np.ndarray) -> int:
        """Return the number, from 0, of the mode among all motions, whose natural frequencies (k,) are ascending.

        Raises:
            ModelError: when there are fewer modes.
        """
        swinging = np.flatnonzero(elastic(frequencies))
        if self.mode > len(swinging):
            raise ModelError(
                f"There is no mode {self.mode}: there are {len(swinging)}.",
                "Choose a lower number, or keep more vibration modes in the reduction.",
            )
        return int(swinging[self.mode - 1])

    def along(
        self, name: str, rows: Any, shape: np.ndarray, largest: float, direction: Direction
    ) -> AmplitudePoint:
        """Return a point along one direction.

        Args:
            name: of the point.
            rows: (3, n) its displacements, dense or CSR.
            shape: (n,) the mode.
            largest: displacement of any point in it.
            direction: of the parameter.

        Raises:
            ModelError: when the point does not move along it.
        """
        own = np.asarray(rows @ shape)
        axis = AXES.index(direction) if direction in AXES else int(np.abs(own).argmax())
        if abs(own[axis]) <= _STILL * largest:
            raise ModelError(
                f"{name} does not move along {AXES[axis]} in mode {self.mode}, so that its amplitude is no measure of "
                "the vibration.",
                "Choose another point or direction; the largest direction of the place that moves most always works.",
            )
        row = rows[[axis]]
        dense = np.asarray(row.toarray() if is_sparse(row) else row).ravel()
        return AmplitudePoint(f"{name} {AXES[axis]}", dense, float(np.sign(own[axis])))


class BodyModePoint(OfMode, BodyAnalysis):
    """An analysis of a body in one mode, whose amplitude is that of a node."""

    point: str = parameter(
        "", title="Point", choices="interface",
        meaning="Interface node whose amplitude is given; empty for the node of the mesh below.",
    )  # fmt: skip
    node: int = parameter(
        0, title="Node", ge=0, choices="node",
        meaning="Number of the node of the mesh whose amplitude is given, where no interface node is; zero for the "
        "node that moves most in the mode.",
    )  # fmt: skip
    direction: Direction = direction_parameter()

    def point_of(
        self, displacements: Any, interfaces: Mapping[str, Any], model: FeModel, shape: np.ndarray
    ) -> AmplitudePoint:
        """Return the point whose amplitude is given.

        Args:
            displacements: (3 n_nodes, n) displacement of each node per coordinate, node-major; dense or CSR.
            interfaces: (6, n) or (3, n) motion of each interface node, by name.
            model: the FE model, or the nodes of a body that was read reduced.
            shape: (n,) the mode.

        Raises:
            ModelError: when there is no such node, or it does not move in the mode.
        """
        moved = np.asarray(displacements @ shape).reshape(-1, 3)
        if self.point:
            if self.point not in interfaces:
                raise no_interface_node(self.point, interfaces)
            rows, name = interfaces[self.point][:3], self.point
        else:
            at = model.node_row(self.node) if self.node else int((moved**2).sum(axis=1).argmax())
            rows, name = displacements[3 * at : 3 * at + 3], f"node {model.node_ids[at]}"
        largest = float(np.sqrt((moved**2).sum(axis=1).max()))
        return self.along(name, rows, shape, largest, self.direction)
