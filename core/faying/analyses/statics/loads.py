"""Loads at interface nodes."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from faying.errors import ModelError
from faying.load_histories import load_histories
from faying.params import Spec, member_of, parameter
from faying.reduction.acting_loads import ActingLoadSpec
from faying.units import UnitSystemName, unit_text

Vector = tuple[float, float, float]
NodeValues = Mapping[tuple[str, int], float]
"""Forces and moments by interface node and number of the component, from 0 to 5."""


class LoadSpec(Spec):
    """A force and a moment at an interface node, fixed in direction."""

    interface: str = parameter(title="Interface node", choices="interface", meaning="Where the load acts.")
    force: Vector = parameter(
        (0.0, 0.0, 0.0), title="Force", quantity="force", meaning="Components along x, y, z."
    )
    moment: Vector = parameter(
        (0.0, 0.0, 0.0), title="Moment", quantity="moment", meaning="Components about x, y, z."
    )
    time_history: member_of(load_histories) = parameter(  # type: ignore[valid-type]
        {"kind": "constant"},
        title="Load history",
        meaning="How the load grows over time; static analyses use all of it.",
    )

    def text(self, units: UnitSystemName) -> str:
        """Return the load in a few words: "force (0, 0, 100) N at load"."""
        parts = [
            f"{name} ({', '.join(f'{component + 0.0:g}' for component in vector)}) {unit_text(name, units)}"
            for name, vector in (("force", self.force), ("moment", self.moment))
            if any(vector)
        ]
        return f"{' and '.join(parts) or 'no load'} at {self.interface}"


def load_vectors(loads: tuple[LoadSpec, ...], rows: dict[str, np.ndarray]) -> np.ndarray:
    """Return (n, n_loads) generalised forces of each load at its full size.

    Args:
        loads: at least one.
        rows: (6, n) or (3, n) motion of each interface node by name (n coordinates or dofs).

    Raises:
        ModelError: when a load acts on an unknown interface node, or a moment on a node without rotations.
    """
    columns = []
    for load in loads:
        if load.interface not in rows:
            known = ", ".join(rows) or "none"
            raise ModelError(
                f"A load acts on the interface node {load.interface!r}, which does not exist.",
                f"There are: {known}.",
            )
        motion = rows[load.interface]
        if motion.shape[0] < 6 and any(load.moment):
            raise ModelError(
                f"A moment acts on interface node {load.interface!r}, which has no rotations.",
                "Apply it to the reference node of a coupling.",
            )
        columns.append(np.array([*load.force, *load.moment])[: motion.shape[0]] @ motion)
    return np.array(columns).T


def all_load_columns(
    loads: tuple[LoadSpec, ...],
    rows: dict[str, np.ndarray],
    body_loads: Sequence[ActingLoadSpec],
    of_body: Callable[[Sequence[str]], np.ndarray],
) -> np.ndarray:
    """Return (n, k) generalised forces of loads at interface nodes, then of loads of the body times their factors.

    Args:
        loads: at interface nodes.
        rows: (6, n) or (3, n) motion of each interface node by name; a body held nowhere may have none.
        body_loads: loads of the body that act.
        of_body: function from names of loads of the body to their forces (n, k) at full size.

    Raises:
        ModelError: as `load_vectors`, or when the body has no such load.
    """
    on_body = of_body([acting.load for acting in body_loads])
    on_body = on_body * np.array([acting.factor for acting in body_loads])
    return np.hstack([load_vectors(loads, rows), on_body]) if loads else on_body
