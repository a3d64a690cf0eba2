"""Ties: equations of the model that bond the slave surface of a joint to its master."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.facet_index import build_facet_index
from faying.fem.model import FeModel, LinearEquations, Tie
from faying.fem.mortar import mortar_shares
from faying.fem.selections import SurfaceSelection
from faying.fem.shell_heights import facet_heights, nodal_heights
from faying.fem.shell_sides import facing_sides
from faying.fem.skin import Skin, find_skin
from faying.fem.surface import Surface
from faying.fem.tie_equations import nodes_that_turn, tie_equations
from faying.fem.tied_nodes import USUAL_DISTANCE, find_tied_nodes
from faying.params import Spec, parameter
from faying.progress import Progress, Silent
from faying.units import amount


class TieSpec(Spec):
    """Settings of a tie: tied nodes of the slave surface and their positions."""

    distance: float = parameter(
        0.0, title="Tie within", quantity="length", ge=0.0,
        meaning="Nodes of the slave surface that lie farther from the master surface than this stay loose; of shells "
        "the distance counts between their outsides. 0 takes a twentieth of the mean edge of the master's facets.",
    )  # fmt: skip
    adjust: bool = parameter(
        False, title="Move nodes onto the master",
        meaning="Moves tied nodes of the slave surface onto the master, as Abaqus does. Otherwise the mesh stays as it "
        "is, and a gap is bridged rigidly.",
    )  # fmt: skip


@dataclass(frozen=True)
class TiedSurfaces:
    """Two surfaces to be tied: name of the joint, selections and settings."""

    joint: str
    master: SurfaceSelection
    slave: SurfaceSelection
    tie: TieSpec


def with_ties(model: FeModel, asked: Sequence[TiedSurfaces], progress: Progress | None = None) -> FeModel:
    """Return the model with ties and their equations, and with adjusted nodes if requested.

    Nodes of slave facets that lie entirely over the master surface follow it in the mean (`faying.fem.mortar`); other
    nodes over the master surface follow the point below them. Existing conditions on a node take precedence.
    `Tie.problem` tells why a tie could not be made; `refuse_failed_ties` raises it as an error.

    Args:
        model: model with all other additions.
        asked: the surfaces to tie.
        progress: reports and cancels.
    """
    if not asked:
        return model
    skin, nodes, made = find_skin(model), np.array(model.nodes), []
    equations: list[LinearEquations] = []
    for surfaces in asked:
        sides = []
        try:
            for role, selection in (("master", surfaces.master), ("slave", surfaces.slave)):
                sides.append(_chosen(selection, role, model, skin))
            tie, of_tie, nodes = _tied(
                model, nodes, surfaces, *facing_sides(model, *sides), progress or Silent()
            )
        except ModelError as error:
            nothing = np.zeros(0, np.int64)
            made.append(Tie(surfaces.joint, nothing, nothing, 0.0, problem=error.message, hint=error.hint))
            continue
        made.append(tie)
        equations.append(of_tie)
    return replace(model, nodes=nodes, equations=(*model.equations, *equations), ties=(*model.ties, *made))


def refuse_failed_ties(model: FeModel) -> None:
    """Raise `ModelError` when a tie of the model could not be made."""
    for tie in model.ties:
        if tie.problem:
            raise ModelError(f"Joint {tie.joint!r}, which is tied: {tie.problem}", tie.hint)


def _chosen(selection: SurfaceSelection, role: str, model: FeModel, skin: Skin) -> Surface:
    try:
        surface: Surface = selection.select(model, skin)
    except ModelError as error:
        raise ModelError(f"{role} surface: {error.message}", error.hint) from None
    if not surface.n_facets:
        raise ModelError(f"the {role} surface has no facets.", "Choose element faces for it.")
    return surface


def _tied(
    model: FeModel,
    nodes: np.ndarray,
    asked: TiedSurfaces,
    master: Surface,
    slave: Surface,
    progress: Progress,
) -> tuple[Tie, LinearEquations, np.ndarray]:
    """Return a tie, its equations, and the coordinates that nodes then have."""
    from scipy.spatial import cKDTree  # late: takes long to import

    own = np.setdiff1d(slave.nodes, master.nodes)
    index = build_facet_index(nodes, master)
    heights = facet_heights(model.blocks, master)
    own_heights = nodal_heights(slave, facet_heights(model.blocks, slave), nodes)
    own_heights = own_heights[np.searchsorted(slave.nodes, own)]
    distance = asked.tie.distance or USUAL_DISTANCE * index.mean_edge
    below = find_tied_nodes(nodes, own, own_heights, index, heights, distance, adjust=asked.tie.adjust)
    if not below.within.any():
        nearest = float(np.min(cKDTree(nodes[master.nodes]).query(nodes[slave.nodes])[0]))
        raise ModelError(
            f"none of the {len(slave.nodes)} nodes of its slave surface lies within {amount(distance, 'length')} over "
            f"its master surface; their nearest nodes are {amount(nearest, 'length')} apart.",
            "Raise the distance within which nodes are tied, choose other surfaces, or make it a joint with contact.",
        )
    tied, left_out = own[below.within], own[~below.within]
    moved = float(np.linalg.norm(below.nodes - nodes, axis=1).max())
    nodes = below.nodes
    usable = np.isin(np.arange(len(nodes)), np.union1d(tied, master.nodes))
    # On curved surfaces the middle of a facet is farther away than its nodes.
    thickest = float(heights.max(initial=0.0)) + float(own_heights.max(initial=0.0))
    reach = distance + thickest + 0.1 * index.mean_edge
    in_the_mean, following = mortar_shares(nodes, slave, usable, index, reach, progress)
    mean = following[tied]
    shares = sp.diags((~mean).astype(float)) @ below.shares + sp.diags(mean.astype(float)) @ in_the_mean[tied]
    turning = nodes_that_turn(model.blocks, len(nodes))
    tie = Tie(asked.joint, tied, left_out, distance, moved)
    return tie, tie_equations(tie.equations, nodes, tied, shares, below.facets, turning), nodes
