"""Values at the nodes of surfaces where other parts touch a body."""

import numpy as np

from faying.errors import ModelError
from faying.results.field import FieldContext, Need
from faying.results.results import PartResults


def _no_contacts(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if isinstance(context.frames, PartResults) and context.frames.on_surfaces("pressure", frame):
        return None
    return ModelError(
        "No other part touches this body at nodes of its surfaces in these frames.",
        "Choose the frames of a motion of a system with contacts between parts, of the part with the slave surface.",
    )


def _no_rubbing(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if isinstance(context.frames, PartResults) and context.frames.on_surfaces("slip", frame):
        return None
    return _no_contacts(context, joint, frame) or ModelError(
        "No contact of this part with others has a friction law, so there is no friction to show.",
        "Give the contact a friction law and run again, or choose another field.",
    )


CONTACTS = Need("contacts", _no_contacts)
RUBBING = Need("friction between parts", _no_rubbing)


def surface_values(
    context: FieldContext, what: str, frame: int, join: np.ufunc, needs: tuple[Need, ...] = (CONTACTS,)
) -> np.ndarray:
    """Return (n_nodes,) values; NaN at nodes of no contact surface.

    Args:
        context: of the frames.
        what: "pressure", "gap", "slip" or "friction_stress"; the length of vectors.
        frame: number of the frame.
        join: combines values of contacts that meet at a node, such as `numpy.add`.
        needs: the requirements on the frames.

    Raises:
        ModelError: where the frames do not meet them.
    """
    for need in needs:
        need.require(context, "", frame)
    assert isinstance(context.frames, PartResults)
    values = np.full(context.n_nodes, np.nan)
    for surface, found in context.frames.on_surfaces(what, frame):
        rows = context.body.surfaces[surface].nodes
        own = np.linalg.norm(found, axis=1) if found.ndim == 2 else found
        values[rows] = np.where(np.isnan(values[rows]), own, join(values[rows], own))
    return values
