"""Facet sizes in joints."""

from collections.abc import Iterator

import numpy as np

from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks, named
from faying.fem.skin import elements_and_faces, facet_areas
from faying.fem.surface import Surface
from faying.units import amount

# Edge lengths beyond this factor of the median are out of proportion.
_FACTOR = 5.0
# A slave is coarse if its median edge is longer than the master's by this factor.
COARSE_SLAVE = 1.25


def coarseness(master: Surface, slave: Surface, nodes: np.ndarray) -> float:
    """Return the slave's median edge length divided by the master's."""
    own, other = (float(np.median(_edges(surface, nodes))) for surface in (slave, master))
    return own / other if other else 1.0


def _edges(surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (n,) an edge length for each facet: that of a square with its area."""
    return np.asarray(np.sqrt(facet_areas(surface, nodes)))


@model_checks.register("joint_sizes")
def joint_sizes(checked: CheckedModel) -> Iterator[ModelFinding]:
    """Find facets of unusual size on a faying surface, and slaves that are much coarser than their masters."""
    model = checked.model
    for name, joint in checked.joints.items():
        medians = []
        for role, surface in zip(("master", "slave"), joint, strict=True):
            sizes = _edges(surface, model.nodes)
            medians.append(float(np.median(sizes)))
            elements = elements_and_faces(surface)[0]
            for word, odd in (
                ("tiny", sizes < medians[-1] / _FACTOR),
                ("huge", sizes > medians[-1] * _FACTOR),
            ):
                if odd.any():
                    found = np.unique(elements[odd])
                    yield ModelFinding(
                        "note",
                        f"The {role} surface of joint {name!r} has {word} facets: "
                        f"{named(model.element_ids[found], 'element')}; the median edge is "
                        f"{amount(medians[-1], 'length', 3)}.",
                        "Contact is evaluated per node area: an even mesh gives even pressures.",
                        elements=found,
                    )
        if coarseness(*joint, model.nodes) > COARSE_SLAVE:
            yield ModelFinding(
                "note",
                f"The slave surface of joint {name!r} is coarser than its master "
                f"(median edges {medians[1]:.3g} and {amount(medians[0], 'length', 3)}).",
                "Swap master and slave: the finer side as slave sees more of the contact.",
                elements=np.unique(elements_and_faces(joint[1])[0]),
            )
