"""Supports of a body: the force and moment that each exerts on its surface, about the surface's mean."""

import numpy as np

from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.support_sections import support_sections, unsupported_body
from faying.reduction.carried import CarriedEquations
from faying.reduction.load_modes import LoadModes


def find_support_equations(
    model: FeModel, matrices: StructuralMatrices, loads: LoadModes | None, *, elements: bool = True
) -> tuple[CarriedEquations, ...]:
    """Return the supports of a body over its independent dofs.

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
