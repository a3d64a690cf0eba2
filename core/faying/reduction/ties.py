"""Tied joints of a body: what they carry, over its dofs or its reduced coordinates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.tie_sections import tie_sections, untied_body
from faying.records import freeze, record
from faying.reduction.load_modes import LoadModes


@dataclass(frozen=True, eq=False)
class TieEquations:
    """A tied joint of the unreduced body.

    Attributes:
        name: of the joint.
        rows: CSR (6, n_dofs) force and moment that the master exerts on the slave surface, about the mean of the tied
            nodes, of the deformation alone.
        loads: (6,) resultant of each load of the body at the tied nodes themselves, by name, which is none of the
            master's.
    """

    name: str
    rows: sp.csr_matrix
    loads: dict[str, np.ndarray]

    def carried(self, x: np.ndarray, amounts: Mapping[str, float]) -> np.ndarray:
        """Return (6,) force and moment that the tie carries, see `rows`; `amounts` of loads that act, by name."""
        return carried_by_tie(self.rows @ x, self.loads, amounts)


@record("tie_rows")
class TieRows:
    """A tied joint of a reduced body.

    Attributes:
        name: of the joint.
        rows: (6, r), see `TieEquations`; no rigid motion changes them.
        loads: see `TieEquations`.
    """

    name: str
    rows: np.ndarray
    loads: dict[str, np.ndarray]

    def __post_init__(self) -> None:
        """Make the arrays read-only."""
        freeze(self.rows, *self.loads.values())

    def carried(self, q: np.ndarray, amounts: Mapping[str, float]) -> np.ndarray:
        """Return (6,) force and moment that the tie carries; as `TieEquations.carried`."""
        return carried_by_tie(self.rows @ q, self.loads, amounts)


def carried_by_tie(
    elastic: np.ndarray, loads: Mapping[str, np.ndarray], amounts: Mapping[str, float]
) -> np.ndarray:
    """Return (6,) what a tie carries: what the slave's elements need at its nodes less the loads there."""
    found = np.array(elastic, float)
    for name, amount in amounts.items():
        if name in loads:
            found -= amount * loads[name]
    return found


def find_tie_equations(
    model: FeModel,
    matrices: StructuralMatrices,
    names: Sequence[str],
    loads: LoadModes | None,
    *,
    elements: bool = True,
) -> tuple[TieEquations, ...]:
    """Return the tied joints of a body over its independent dofs.

    Args:
        model: the body's model.
        matrices: of it.
        names: of its tied joints, in the order of the model's ties.
        loads: of the body; None without any.
        elements: whether the stiffness comes from the model's elements; imported matrices say nothing of sections.
    """
    if not model.ties or not elements:
        return ()
    sections = tie_sections(model, matrices.dofs, untied_body(model)[1])
    found = []
    for i, (name, section) in enumerate(zip(names, sections, strict=True)):
        own: dict[str, np.ndarray] = {}
        if loads is not None and loads.on_ties is not None:
            own = {load: loads.on_ties[i, :, k].copy() for k, load in enumerate(loads.names)}
        found.append(TieEquations(name, section.rows, own))
    return tuple(found)


def reduced_ties(ties: Sequence[TieEquations], modes: np.ndarray) -> tuple[TieRows, ...]:
    """Return tied joints over the coordinates of trial vectors (n_dofs, r)."""
    return tuple(TieRows(tie.name, np.asarray(tie.rows @ modes), dict(tie.loads)) for tie in ties)
