"""Surfaces made on the spot, for tests that need no deck."""

from collections.abc import Callable

import numpy as np
import pytest

from faying.fem.surface import FacetBlock, Surface

Height = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _sheet(
    cells: tuple[int, int],
    kind: str,
    *,
    upward: bool = True,
    size: tuple[float, float] = (10.0, 6.0),
    origin: tuple[float, float] = (0.0, 0.0),
    height: Height = lambda x, y: 0.0 * x,
    first_node: int = 0,
    first_element: int = 0,
    name: str = "sheet",
) -> tuple[np.ndarray, Surface]:
    """Return nodes (n, 3) and a surface over a rectangle, whose node rows begin at `first_node`."""
    x, y = np.meshgrid(
        origin[0] + np.linspace(0.0, size[0], 2 * cells[0] + 1),
        origin[1] + np.linspace(0.0, size[1], 2 * cells[1] + 1),
        indexing="ij",
    )
    row = np.arange(x.size).reshape(x.shape)
    a, b, c, d = row[:-2:2, :-2:2], row[2::2, :-2:2], row[2::2, 2::2], row[:-2:2, 2::2]
    ab, bc, cd, da = row[1::2, :-2:2], row[2::2, 1::2], row[1::2, 2::2], row[:-2:2, 1::2]
    middle = row[1::2, 1::2]
    halves = [
        np.stack([a, b, c, ab, bc, middle], -1).reshape(-1, 6),
        np.stack([a, c, d, middle, cd, da], -1).reshape(-1, 6),
    ]
    quads = np.stack([a, b, c, d, ab, bc, cd, da], -1).reshape(-1, 8)
    corners = {"tri3": 3, "tri6": 3, "quad4": 4, "quad8": 4}[kind]
    facets = np.concatenate(halves) if corners == 3 else quads
    if not upward:
        turned = [0, *range(corners - 1, 0, -1)]
        facets = facets[:, [*turned, *range(2 * corners - 1, corners - 1, -1)]]
    if kind in ("tri3", "quad4"):
        facets = facets[:, :corners]
    used, rows = np.unique(facets, return_inverse=True)
    nodes = np.column_stack([x.ravel(), y.ravel(), height(x, y).ravel()])[used]
    block = FacetBlock(
        kind,
        rows.reshape(facets.shape) + first_node,
        np.arange(len(facets)) + first_element,
        np.zeros(len(facets), np.int64),
    )
    return nodes, Surface(name, (block,))


@pytest.fixture
def make_sheet() -> Callable[..., tuple[np.ndarray, Surface]]:
    """A maker of meshed rectangles, flat or with a height over x and y."""
    return _sheet
