"""Tied joints of a body: the force and moment of the master on the slave surface, about the mean of the tied nodes."""

from collections.abc import Sequence

import numpy as np

from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.tie_sections import tie_sections, untied_body
from faying.reduction.carried import CarriedEquations
from faying.reduction.load_modes import LoadModes


def find_tie_equations(
    model: FeModel,
    matrices: StructuralMatrices,
    names: Sequence[str],
    loads: LoadModes | None,
    *,
    elements: bool = True,
) -> tuple[CarriedEquations, ...]:
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
        found.append(CarriedEquations(name, section.rows, own))
    return tuple(found)
