"""Positions or values at a body's nodes, of which only those that are drawn need to be evaluated."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Rows = np.ndarray | Sequence[int] | int


class AtNodes:
    """What a frame has at its nodes; ``[rows]`` gives some of it.

    While only a few nodes are known, asking for any other node evaluates all nodes, once.

    Args:
        whole: (n_nodes, …) of all nodes, or what evaluates it.
        place: (n_nodes,) where in `few` each node is, -1 for those that are not.
        few: (m, …) of the few.
    """

    def __init__(
        self,
        whole: np.ndarray | Callable[[], np.ndarray],
        place: np.ndarray | None = None,
        few: np.ndarray | None = None,
    ) -> None:
        self._whole = whole
        self._place, self._few = place, few

    @property
    def is_whole(self) -> bool:
        """Whether all nodes have been evaluated."""
        return isinstance(self._whole, np.ndarray)

    @property
    def whole(self) -> np.ndarray:
        """(n_nodes, …) of all nodes."""
        if not isinstance(self._whole, np.ndarray):
            self._whole = self._whole()
        return self._whole

    def __getitem__(self, rows: Rows) -> Any:
        """Return (n, …) of some rows, or of one."""
        if not self.is_whole and self._place is not None and self._few is not None:
            found = self._place[rows]
            if np.min(found, initial=0) >= 0:
                return self._few[found]
        return self.whole[rows]
