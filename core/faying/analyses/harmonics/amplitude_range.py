"""Amplitudes of a vibration in one mode: which mode, at which point, from where to where."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from pydantic import field_validator, model_validator

from faying.analyses import BodyAnalysis
from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.linalg.symmetric import is_sparse
from faying.params import parameter
from faying.reduction.body import no_interface_node
from faying.results.curve_key import AXES

_STILL = 1e-9  # displacement of a point over the largest of the mode, below which it does not move


@dataclass(frozen=True, eq=False)
class AmplitudePoint:
    """A point along one direction, whose amplitude stands for that of the vibration.

    Attributes:
        name: for people: "tip z", "node 128 y".
        row: (n,) its displacement per coordinate.
    """

    name: str
    row: np.ndarray


class AmplitudeRange(BodyAnalysis):
    """An analysis of a vibration in one mode over its amplitude."""

    mode: int = parameter(
        1, title="Mode", ge=1,
        meaning="Number of the mode with the joints stuck, as the analysis Modes lists them, from 1.",
    )  # fmt: skip
    point: str = parameter(
        "", title="Point", choices="interface",
        meaning="Interface node whose amplitude is given; empty for the node of the mesh below.",
    )  # fmt: skip
    node: int = parameter(
        0, title="Node", ge=0, choices="node",
        meaning="Number of the node of the mesh whose amplitude is given, where no interface node is; zero for the "
        "node that moves most in the mode.",
    )  # fmt: skip
    direction: Literal["largest", "x", "y", "z"] = parameter(
        "largest", title="Direction",
        meaning="Component of its displacement; the largest one in the mode by default.",
    )  # fmt: skip
    smallest_amplitude: float = parameter(
        1e-3,
        title="From amplitude",
        quantity="length",
        gt=0.0,
        meaning="Amplitude of the point at the first frame.",
    )
    largest_amplitude: float = parameter(
        1.0,
        title="To amplitude",
        quantity="length",
        gt=0.0,
        meaning="Amplitude of the point at the last frame.",
    )
    points: int = parameter(
        20, title="Amplitudes", ge=2, le=10000, meaning="How many, at equal ratios to each other."
    )

    chosen_amplitudes: tuple[float, ...] = parameter(
        (), title="Amplitudes of choice", quantity="length", advanced=True,
        meaning="Amplitudes of the point, such as those of a test, in place of the range.",
    )  # fmt: skip

    @field_validator("chosen_amplitudes")
    @classmethod
    def _ascending(cls, amplitudes: tuple[float, ...]) -> tuple[float, ...]:
        if amplitudes and (len(set(amplitudes)) < 2 or min(amplitudes) <= 0.0):
            raise ValueError("there are at least two different amplitudes, and all are above zero")
        return tuple(sorted(set(amplitudes)))

    @model_validator(mode="after")
    def _in_order(self) -> "AmplitudeRange":
        if self.largest_amplitude <= self.smallest_amplitude:
            raise ValueError("the range of amplitudes does not end above its beginning")
        return self

    @property
    def amplitudes(self) -> np.ndarray:
        """(n,) amplitudes of the point, ascending."""
        if self.chosen_amplitudes:
            return np.array(self.chosen_amplitudes)
        return np.geomspace(self.smallest_amplitude, self.largest_amplitude, self.points)

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
        own = np.asarray(rows @ shape)
        axis = AXES.index(self.direction) if self.direction in AXES else int(np.abs(own).argmax())
        if abs(own[axis]) <= _STILL * np.sqrt((moved**2).sum(axis=1).max()):
            raise ModelError(
                f"{name} does not move along {AXES[axis]} in mode {self.mode}, so that its amplitude is no measure of "
                "the vibration.",
                "Choose another point or direction; the largest direction of the node that moves most always works.",
            )
        row = rows[[axis]]
        return AmplitudePoint(
            f"{name} {AXES[axis]}", np.asarray(row.toarray() if is_sparse(row) else row).ravel()
        )
