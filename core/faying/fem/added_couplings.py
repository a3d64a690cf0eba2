"""Couplings added to the deck: a surface coupled to a new node at its centre."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from faying.errors import ModelError
from faying.fem.model import Coupling, FeModel
from faying.fem.selections import surface_selections
from faying.fem.skin import Skin, facet_areas, facet_centroids, find_skin
from faying.fem.surface import nodal_areas
from faying.params import Spec, member_of, parameter

_KINDS = {"rigid": "kinematic", "distributing": "distributing"}


class CouplingSpec(Spec):
    """A surface coupled to a new node; an interface node may name it as its node set."""

    name: str = parameter(title="Name", min_length=1, meaning="Name of the coupling and of its node's set.")
    surface: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Surface", meaning="The surface whose nodes are coupled."
    )
    behaviour: Literal["rigid", "distributing"] = parameter(
        "rigid", title="Behaviour",
        meaning="Rigid: the surface follows the node without deforming. Distributing: the node follows the mean of the "
        "surface, which stays free to deform; loads spread by area.",
    )  # fmt: skip
    node: tuple[float, float, float] | None = parameter(
        None, title="Place of the node", quantity="length", advanced=True,
        meaning="Where the new node is; without one in the middle of the surface's area.",
    )  # fmt: skip


def with_couplings(model: FeModel, couplings: Sequence[CouplingSpec]) -> FeModel:
    """Return the model with a new node, a node set and a coupling for each spec.

    New nodes are numbered from the deck's largest node number on.

    Raises:
        ModelError: when a surface cannot be chosen, or the deck has a node set of that name.
    """
    if not couplings:
        return model
    skin = find_skin(model)
    first, number = len(model.nodes), int(model.node_ids.max(initial=0)) + 1
    places, added = [], []
    sets = dict(model.node_sets)
    for i, spec in enumerate(couplings):
        if spec.name in sets:
            raise ModelError(
                f"Coupling {spec.name!r}: there is a node set of that name already.",
                "Choose another name for it.",
            )
        place, coupling = _made(model, skin, spec, first + i)
        places.append(place)
        added.append(coupling)
        sets[spec.name] = np.array([first + i])
    return replace(
        model,
        node_ids=np.concatenate([model.node_ids, number + np.arange(len(couplings))]),
        nodes=np.concatenate([model.nodes, places]),
        node_sets=sets,
        couplings=(*model.couplings, *added),
    )


def _made(model: FeModel, skin: Skin, spec: CouplingSpec, row: int) -> tuple[np.ndarray, Coupling]:
    try:
        surface = spec.surface.select(model, skin)
    except ModelError as error:
        raise ModelError(f"Coupling {spec.name!r}: {error.message}", error.hint) from None
    areas = facet_areas(surface, model.nodes)
    middle = areas @ facet_centroids(surface, model.nodes) / areas.sum()
    place = np.array(spec.node) if spec.node is not None else middle
    weights = nodal_areas(surface, model.nodes)
    is_rigid = spec.behaviour == "rigid"
    return place, Coupling(
        spec.name, _KINDS[spec.behaviour], row, surface.nodes, (1, 2, 3, 4, 5, 6),
        np.ones(len(weights)) if is_rigid else weights / weights.sum(),
    )  # fmt: skip
