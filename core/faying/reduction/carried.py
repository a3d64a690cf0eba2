"""Force and moment that a tie or a support transmits to its surface."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.support_sections import support_sections, unsupported_body
from faying.fem.tie_sections import tie_sections, untied_body
from faying.records import record
from faying.reduction.load_modes import LoadModes

COMPONENTS = (" force x", " force y", " force z", " moment x", " moment y", " moment z")


@dataclass(frozen=True, eq=False)
class CarriedEquations:
    """A tie or support of the unreduced body.

    Attributes:
        name: of the tied joint or support.
        rows: CSR (6, n_dofs) elastic force and moment at its surface, about the mean of the surface's nodes.
        loads: (6,) resultant of each load of the body directly on these nodes, to be subtracted, by name.
    """

    name: str
    rows: sp.csr_matrix
    loads: dict[str, np.ndarray]

    def carried(self, x: np.ndarray, amounts: Mapping[str, float]) -> np.ndarray:
        """Return (6,) transmitted force and moment at x (n_dofs,); `amounts` are factors of the acting loads."""
        return less_loads(self.rows @ x, self.loads, amounts)


@record("tie_rows", read_only=True)
class CarriedRows:
    """A tie or support of a reduced body.

    Attributes:
        name: of the tied joint or support.
        rows: (6, r), see `CarriedEquations`; zero for rigid motions.
        loads: see `CarriedEquations`.
    """

    name: str
    rows: np.ndarray
    loads: dict[str, np.ndarray]

    def carried(self, q: np.ndarray, amounts: Mapping[str, float]) -> np.ndarray:
        """Return (6,) force and moment; as `CarriedEquations.carried`."""
        return less_loads(self.rows @ q, self.loads, amounts)


def less_loads(
    elastic: np.ndarray, loads: Mapping[str, np.ndarray], amounts: Mapping[str, float]
) -> np.ndarray:
    """Return (6,) the transmitted force and moment: the elastic ones less those of loads on the nodes."""
    found = np.array(elastic, float)
    for name, amount in amounts.items():
        if name in loads:
            found -= amount * loads[name]
    return found


def reduced_sections(sections: Sequence[CarriedEquations], modes: np.ndarray) -> tuple[CarriedRows, ...]:
    """Return ties or supports over the coordinates of trial vectors (n_dofs, r)."""
    return tuple(CarriedRows(each.name, np.asarray(each.rows @ modes), dict(each.loads)) for each in sections)


def find_tie_equations(
    model: FeModel,
    matrices: StructuralMatrices,
    names: Sequence[str],
    loads: LoadModes | None,
    *,
    elements: bool = True,
) -> tuple[CarriedEquations, ...]:
    """Return force and moment of the master on the slave surface in the tied joints of a body, over its dofs.

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
        found.append(CarriedEquations(name, section.rows, own))
    return tuple(found)


def find_support_equations(
    model: FeModel, matrices: StructuralMatrices, loads: LoadModes | None, *, elements: bool = True
) -> tuple[CarriedEquations, ...]:
    """Return force and moment of the supports of a body on their surfaces, over its independent dofs.

    Args:
        model: the body's model.
        matrices: of it.
        loads: of the body; None without any.
        elements: whether the stiffness comes from the model's elements; imported matrices say nothing of sections.
    """
    surfaces = model.held_surfaces
    if not surfaces or not elements:
        return ()
    apart = None if all(each.is_elastic for each in surfaces) else unsupported_body(model)[1]
    found = []
    for i, section in enumerate(support_sections(model, matrices.dofs, apart)):
        own: dict[str, np.ndarray] = {}
        if loads is not None and loads.on_supports is not None:
            own = {load: loads.on_supports[i, :, k].copy() for k, load in enumerate(loads.names)}
        found.append(CarriedEquations(surfaces[i].name, section.rows, own))
    return tuple(found)
