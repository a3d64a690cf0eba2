"""Supports on surfaces: fixed, symmetry, frictionless or elastic, all on one rigid ground whose node an analysis holds.

The ground is a node without mass. Surfaces follow it as far as their supports hold them, so the body stays free to move
with the ground, and whoever holds that node holds the body on all its supports.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from faying.errors import ModelError
from faying.fem.model import Coupling, FeModel, Foundation
from faying.fem.nodal_areas import nodal_areas
from faying.fem.selections import surface_selections
from faying.fem.skin import Skin, facet_areas, facet_centroids, facet_normals, find_skin, nodal_normals
from faying.fem.surface import Surface
from faying.fem.tie_equations import nodes_that_turn
from faying.params import Spec, member_of, parameter

GROUND = "supports"
"""Name of the ground's node set, and of the interface node at it."""
_FLAT = np.cos(np.radians(2.0))
_SAME = 1e-3  # of a direction: held already


class SupportSpec(Spec):
    """A surface that is supported where the analysis holds the interface node "supports"."""

    name: str = parameter(title="Name", min_length=1, meaning="Name of the support.")
    surface: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Surface", meaning="The surface that is supported."
    )
    behaviour: Literal["fixed", "frictionless", "symmetry", "elastic"] = parameter(
        "fixed", title="Behaviour",
        meaning="Fixed: no node of the surface moves. Frictionless: it slides, and moves neither into the support nor "
        "off it. Symmetry: the same of a plane, where shells do not turn out of it either. Elastic: it lies on "
        "springs.",
    )  # fmt: skip
    normal_stiffness: float = parameter(
        0.0, title="Normal stiffness", quantity="contact_stiffness", ge=0.0,
        meaning="Of an elastic support: pressure per displacement along the surface's normal, both ways.",
    )  # fmt: skip
    tangential_stiffness: float = parameter(
        0.0, title="Tangential stiffness", quantity="contact_stiffness", ge=0.0,
        meaning="Of an elastic support: stress per displacement along the surface.",
    )  # fmt: skip


def with_supports(model: FeModel, supports: Sequence[SupportSpec]) -> FeModel:
    """Return the model with the ground's node, its node set, and what ties the supports' surfaces to it.

    Raises:
        ModelError: when a surface cannot be chosen, is not flat as a symmetry asks for, or springs have no stiffness;
            or the deck has a node set called "supports".
    """
    if not supports:
        return model
    if GROUND in model.node_sets:
        raise ModelError(
            f"The deck has a node set called {GROUND!r}, which is the name of the node of all supports.",
            "Give the deck's node set another name.",
        )
    skin, row = find_skin(model), len(model.nodes)
    turning = nodes_that_turn(model.blocks, len(model.nodes))
    held: dict[int, list[np.ndarray]] = {}
    turned: dict[int, list[np.ndarray]] = {}
    foundations, middles, sizes = list(model.foundations), [], []
    for spec in supports:
        try:
            surface = spec.surface.select(model, skin)
        except ModelError as error:
            raise ModelError(f"Support {spec.name!r}: {error.message}", error.hint) from None
        areas = facet_areas(surface, model.nodes)
        middles.append(areas @ facet_centroids(surface, model.nodes))
        sizes.append(areas.sum())
        normals = nodal_normals(surface, model.nodes)
        if spec.behaviour == "elastic":
            foundations.append(_springs(spec, model, surface, normals, row))
            continue
        if spec.behaviour == "symmetry":
            normals = np.broadcast_to(_plane_normal(spec, surface, model.nodes), normals.shape)
        for node, normal in zip(surface.nodes.tolist(), normals, strict=True):
            own = np.eye(3) if spec.behaviour == "fixed" else normal[None]
            held.setdefault(node, []).append(own)
            if not turning[node]:
                continue
            if spec.behaviour == "fixed":
                turned.setdefault(node, []).append(own)
            elif spec.behaviour == "symmetry":
                turned.setdefault(node, []).append(np.eye(3) - np.outer(normal, normal))
    return replace(
        model,
        node_ids=np.append(model.node_ids, int(model.node_ids.max(initial=0)) + 1),
        nodes=np.vstack([model.nodes, np.sum(middles, axis=0) / np.sum(sizes)]),
        node_sets={**model.node_sets, GROUND: np.array([row])},
        couplings=(*model.couplings, *_couplings(held, 0, row), *_couplings(turned, 3, row)),
        foundations=tuple(foundations),
    )


def _couplings(directions: dict[int, list[np.ndarray]], first: int, ground: int) -> list[Coupling]:
    """Return a coupling for the nodes that are held in one, in two and in three directions.

    Args:
        directions: of each node the directions that its supports hold, as rows.
        first: 0 of displacements, 3 of rotations.
        ground: row of the ground's node.
    """
    found = []
    each = {node: _independent(np.vstack(rows)) for node, rows in directions.items()}
    for count in (1, 2, 3):
        nodes = [node for node, (held, _) in each.items() if held == count]
        if nodes:
            components = tuple(first + 1 + i for i in range(count))
            axes = np.stack([each[node][1] for node in nodes]) if count < 3 else None
            found.append(
                Coupling(GROUND, "kinematic", ground, np.array(nodes), components, np.ones(len(nodes)), axes)
            )
    return found


def _independent(rows: np.ndarray) -> tuple[int, np.ndarray]:
    """Return how many independent directions there are, and (3, 3) orthonormal rows that begin with them."""
    _, values, axes = np.linalg.svd(rows)
    return int((values > _SAME * values[0]).sum()), axes


def _springs(
    spec: SupportSpec, model: FeModel, surface: Surface, normals: np.ndarray, ground: int
) -> Foundation:
    if not spec.normal_stiffness and not spec.tangential_stiffness:
        raise ModelError(
            f"The elastic support {spec.name!r} has no stiffness.", "Give its normal or tangential stiffness."
        )
    along = normals[:, :, None] * normals[:, None, :]
    springs = spec.normal_stiffness * along + spec.tangential_stiffness * (np.eye(3) - along)
    areas = nodal_areas(surface, model.nodes)
    return Foundation(spec.name, ground, surface.nodes, areas[:, None, None] * springs)


def require_support(model: FeModel, skin: Skin, spec: SupportSpec) -> None:
    """Refuse a support that its surface does not allow, before it gets into a project.

    Args:
        model: of the body.
        skin: of the model.
        spec: the new support.

    Raises:
        ModelError: when its surface cannot be chosen, or is not flat as a symmetry asks for.
    """
    surface = spec.surface.select(model, skin)
    if spec.behaviour == "symmetry":
        _plane_normal(spec, surface, model.nodes)


def _plane_normal(spec: SupportSpec, surface: Surface, nodes: np.ndarray) -> np.ndarray:
    """Return (3,) the normal of a plane of symmetry."""
    normals = facet_normals(surface, nodes)
    mean = facet_areas(surface, nodes) @ normals
    mean = mean / (np.linalg.norm(mean) or 1.0)
    if (normals @ mean < _FLAT).any():
        raise ModelError(
            f"Support {spec.name!r}: the surface is not flat, so it is no plane of symmetry.",
            "Choose one of its planes, or make the support frictionless.",
        )
    return np.asarray(mean)
