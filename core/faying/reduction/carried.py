"""What passes through a section of a body that equations close, a tie or a support: force and moment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.records import freeze, record

COMPONENTS = (" force x", " force y", " force z", " moment x", " moment y", " moment z")


@dataclass(frozen=True, eq=False)
class CarriedEquations:
    """A section of the unreduced body.

    Attributes:
        name: of the tied joint or support.
        rows: CSR (6, n_dofs) force and moment on its surface about the surface's mean, of the deformation alone.
        loads: (6,) resultant of each load of the body at its nodes themselves, by name, which does not pass through.
    """

    name: str
    rows: sp.csr_matrix
    loads: dict[str, np.ndarray]

    def carried(self, x: np.ndarray, amounts: Mapping[str, float]) -> np.ndarray:
        """Return (6,) force and moment, see `rows`; `amounts` of loads that act, by name."""
        return less_loads(self.rows @ x, self.loads, amounts)


@record("tie_rows")
class CarriedRows:
    """A section of a reduced body.

    Attributes:
        name: of the tied joint or support.
        rows: (6, r), see `CarriedEquations`; no rigid motion changes them.
        loads: see `CarriedEquations`.
    """

    name: str
    rows: np.ndarray
    loads: dict[str, np.ndarray]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        freeze(self.rows, *self.loads.values())

    def carried(self, q: np.ndarray, amounts: Mapping[str, float]) -> np.ndarray:
        """Return (6,) force and moment; as `CarriedEquations.carried`."""
        return less_loads(self.rows @ q, self.loads, amounts)


def less_loads(
    elastic: np.ndarray, loads: Mapping[str, np.ndarray], amounts: Mapping[str, float]
) -> np.ndarray:
    """Return (6,) what passes through: what the elements need at the nodes less the loads there."""
    found = np.array(elastic, float)
    for name, amount in amounts.items():
        if name in loads:
            found -= amount * loads[name]
    return found


def reduced_sections(sections: Sequence[CarriedEquations], modes: np.ndarray) -> tuple[CarriedRows, ...]:
    """Return sections over the coordinates of trial vectors (n_dofs, r)."""
    return tuple(CarriedRows(each.name, np.asarray(each.rows @ modes), dict(each.loads)) for each in sections)
