"""Missing midside nodes of quadratic elements in a Nastran deck: such an edge is straight and linear."""

from dataclasses import replace

import numpy as np

from faying.fem.element_edges import edges_of_midsides
from faying.fem.elements import element_kinds
from faying.fem.model import DeckLoad, LinearEquations
from faying.fem.readers._nastran_frames import GridPoints


class MidsideNodes:
    """Nodes in the middle of edges, with the mean displacement of the ends; their rows follow those of the grid points.

    An element with such an edge has the shape functions of an element without the node.
    """

    def __init__(self, grid: GridPoints) -> None:
        self._grid = grid
        self._rows: dict[tuple[int, int], int] = {}
        self._turning: set[int] = set()

    @property
    def edges(self) -> np.ndarray:
        """(n, 2) rows of the ends of each new node."""
        return np.array(list(self._rows), np.int64).reshape(-1, 2)

    def filled(self, kind: str, connectivity: np.ndarray) -> np.ndarray:
        """Return (n, k) the elements' node rows, with new nodes in place of -1."""
        missing = np.argwhere(connectivity < 0)
        if not len(missing):
            return connectivity
        ends = edges_of_midsides(element_kinds[kind])
        filled = connectivity.copy()
        for element, position in missing.tolist():
            first, second = sorted(int(connectivity[element, corner]) for corner in ends[position])
            row = self._rows.setdefault((first, second), len(self._grid.ids) + len(self._rows))
            filled[element, position] = row
            if element_kinds[kind].rotations:
                self._turning.add(row)
        return filled

    def nodes(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (n,) numbers and (n, 3) coordinates of all nodes, the grid points first."""
        grid, n = self._grid, len(self._rows)
        ids = np.concatenate([grid.ids, int(grid.ids.max(initial=0)) + 1 + np.arange(n)])
        return ids, np.concatenate([grid.coordinates, grid.coordinates[self.edges].mean(axis=1)])

    def equations(self) -> tuple[LinearEquations, ...]:
        """Return u = (u_a + u_b) / 2 for each new node, and likewise for rotations of shells."""
        terms = [
            [(row, component, 1.0), (first, component, -0.5), (second, component, -0.5)]
            for (first, second), row in self._rows.items()
            for component in range(1, 7 if row in self._turning else 4)
        ]
        if not terms:
            return ()
        nodes, components, coefficients = zip(*(term for equation in terms for term in equation), strict=True)
        return (
            LinearEquations(
                "edges without midside nodes", 3 * np.arange(len(terms) + 1), np.array(nodes, np.int64),
                np.array(components, np.int64), np.array(coefficients), yields=True,
            ),
        )  # fmt: skip

    def heated(self, load: DeckLoad) -> DeckLoad:
        """Return a load with the mean temperature of the ends at each new node."""
        if not len(self._rows) or not load.temperatures.any():
            return load
        return replace(
            load,
            temperatures=np.concatenate([load.temperatures, load.temperatures[self.edges].mean(axis=1)]),
        )
