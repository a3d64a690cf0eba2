"""A bolt cut through its shank: both sides move together, apart from a relative displacement along the bolt's axis.

Every node of the cut is duplicated. Both nodes of a pair have the same displacement, apart from one displacement along
the axis that all pairs share: the relative displacement of two centre nodes. So the cut neither stiffens the section
nor restrains its contraction, the cut may be jagged, and the bolt still carries shear and bending (as pre-tension
sections of Abaqus and CalculiX).
"""

from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.errors import ModelError
from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import Bolt, Coupling, ElementBlock, FeModel, LinearEquations
from faying.fem.skin import facet_areas, facet_normals, surface_of_faces
from faying.fem.surface import Surface, nodal_areas

ALL_COMPONENTS = (1, 2, 3, 4, 5, 6)


def with_cut_bolt(
    model: FeModel, name: str, elements: np.ndarray, faces: np.ndarray, axis: np.ndarray | None = None
) -> FeModel:
    """Return the model cut along faces inside a solid, with two centre nodes, a node set of each, and the bolt.

    Args:
        model: the body's model.
        name: of the bolt; the node sets are called "name 1" and "name 2".
        elements, faces: (n,) running positions and face numbers of the section, all on its first side.
        axis: (3,) axis of the bolt, of either sign; by default the mean normal of the faces.

    Raises:
        ModelError: when the faces do not form a section, or the names are taken.
    """
    sets = refuse_taken_sets(model, name)
    section = surface_of_faces(model.blocks, name, elements, faces)
    first = section.nodes
    second_side = _second_side(model, name, section, elements)
    n = len(model.nodes)
    copies = np.arange(len(model.nodes))
    copies[first] = n + np.arange(len(first))
    weights = nodal_areas(section, model.nodes)
    shares = weights / weights.sum()
    middle = shares @ model.nodes[first]
    centres = n + len(first) + np.arange(2)
    direction = _axis(model, name, section, axis)
    numbers = int(model.node_ids.max(initial=0)) + 1 + np.arange(len(first) + 2)
    return replace(
        model,
        node_ids=np.concatenate([model.node_ids, numbers]),
        nodes=np.concatenate([model.nodes, model.nodes[first], [middle, middle]]),
        blocks=_moved(model.blocks, second_side, copies),
        node_sets={**model.node_sets, sets[0]: centres[:1], sets[1]: centres[1:]},
        couplings=(
            *model.couplings,
            Coupling(
                f"{name} section",
                "distributing",
                int(centres[0]),
                first,
                ALL_COMPONENTS,
                shares,
            ),
        ),
        equations=(*model.equations, slide(name, first, copies[first], centres, direction)),
        bolts=(*model.bolts, Bolt(name, (int(centres[0]), int(centres[1])), direction)),
    )


def sides_of_cuts(model: FeModel) -> np.ndarray:
    """Return (n, 2) node rows of both sides of the cuts of all bolts, each pair at one place, centre nodes included.

    A pair may occur several times.
    """
    names = {f"bolt {bolt.name}" for bolt in model.bolts}
    pairs = [np.zeros((0, 2), np.int64)]
    for equations in model.equations:
        if equations.name in names:  # as `slide` writes them: each begins with a node and the one opposite
            begins = equations.starts[:-1]
            pairs.append(np.stack([equations.nodes[begins + 1], equations.nodes[begins]], axis=1))
    return np.concatenate(pairs)


def nodes_of_cuts(model: FeModel) -> np.ndarray:
    """Return (n_nodes,) whether each node lies on the cut of a bolt, on either side."""
    found = np.zeros(len(model.nodes), bool)
    found[sides_of_cuts(model)] = True
    return found


def refuse_taken_sets(model: FeModel, name: str) -> tuple[str, str]:
    """Return the names of the node sets of a bolt's two sides.

    Raises:
        ModelError: when the model has one of them already.
    """
    sets = f"{name} 1", f"{name} 2"
    for taken in sets:
        if taken in model.node_sets:
            raise ModelError(
                f"Bolt {name!r}: there is a node set called {taken!r} already.", "Choose another name for it."
            )
    return sets


def _axis(model: FeModel, name: str, section: Surface, given: np.ndarray | None) -> np.ndarray:
    areas = facet_areas(section, model.nodes)
    ahead = areas @ facet_normals(section, model.nodes) / areas.sum()
    given = ahead if given is None else given if given @ ahead >= 0.0 else -given
    length = float(np.linalg.norm(given))
    if not length > 1e-6:
        raise ModelError(
            f"The axis of bolt {name!r} has no length.",
            "Choose faces that all look along the bolt, or give its axis.",
        )
    return np.asarray(given, float) / length


def slide(
    name: str, first: np.ndarray, second: np.ndarray, centres: np.ndarray, axis: np.ndarray
) -> LinearEquations:
    """Return the equations u_second = u_first + s a of all pairs and of the centres, with sliding s along the axis a.

    With a_k the largest component, s a_j = a_j / a_k (u_2k - u_1k) of the centres 1 and 2; the centres' own equation
    for k is trivial and left out.
    """
    main = int(np.argmax(np.abs(axis)))
    rows, components, coefficients, counts = [], [], [], []
    pairs = [*zip(first.tolist(), second.tolist(), strict=True), (int(centres[0]), int(centres[1]))]
    for here, there in pairs:
        for j in range(3):
            if there == centres[1] and j == main:
                continue
            ratio = axis[j] / axis[main]
            terms = [(there, j, -1.0), (here, j, 1.0)]
            if ratio:
                terms += [(int(centres[1]), main, ratio), (int(centres[0]), main, -ratio)]
            for node, component, coefficient in terms:
                rows.append(node)
                components.append(component + 1)
                coefficients.append(coefficient)
            counts.append(len(terms))
    return LinearEquations(
        f"bolt {name}", np.cumsum([0, *counts]), np.array(rows, np.int64), np.array(components, np.int64),
        np.array(coefficients, float),
    )  # fmt: skip


def _moved(
    blocks: tuple[ElementBlock, ...], elements: np.ndarray, rows: np.ndarray
) -> tuple[ElementBlock, ...]:
    """Return the blocks with some nodes replaced in the given elements (running positions)."""
    start, made = 0, []
    for block in blocks:
        own = elements[(elements >= start) & (elements < start + len(block.ids))] - start
        if len(own):
            connectivity = np.array(block.connectivity)
            connectivity[own] = rows[connectivity[own]]
            block = replace(block, connectivity=connectivity)
        made.append(block)
        start += len(block.ids)
    return tuple(made)


def _second_side(model: FeModel, name: str, section: Surface, elements: np.ndarray) -> np.ndarray:
    """Return the running positions of the elements behind the section that touch it.

    The elements that touch the section are grouped by shared faces other than the section's.
    """
    near = np.zeros(len(model.nodes), bool)
    near[section.nodes] = True
    owners, corners = inner_faces(model.blocks, near)
    cut = {tuple(key) for b in section.blocks for key in _corner_keys(b.facet, b.connectivity).tolist()}
    is_cut = np.array([tuple(key) in cut for key in corners.tolist()], bool)
    n = int(model.block_starts[-1])
    through = owners[~is_cut]
    graph = sp.coo_matrix((np.ones(len(through), np.int8), (through[:, 0], through[:, 1])), shape=(n, n))
    _, groups = connected_components(graph, directed=False)
    ahead = np.isin(owners[is_cut], elements)
    if len(owners[is_cut]) < len(cut) or (ahead.sum(axis=1) != 1).any():
        raise ModelError(
            f"The section of bolt {name!r} has faces with no element behind them, or with both of theirs in it.",
            "Name faces inside the shank, all from elements of the same side.",
        )
    behind = np.unique(groups[owners[is_cut][~ahead]])
    if np.isin(groups[elements], behind).any():
        raise ModelError(
            f"The section of bolt {name!r} does not cut all the way through.",
            "Cut a shank whose outside is free all round at that place.",
        )
    touched = np.unique(owners)
    return np.asarray(touched[np.isin(groups[touched], behind)])


def inner_faces(blocks: tuple[ElementBlock, ...], near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ((m, 2) running positions of two solid elements, (m, 4) sorted corners) of the faces they share.

    Args:
        blocks: of the model.
        near: (n,) mask of nodes; only elements with at least one of them are considered.
    """
    keys, owners = [np.zeros((0, 4), np.int64)], [np.zeros(0, np.int64)]
    start = 0
    for block in blocks:
        kind = element_kinds[block.element]
        if not kind.is_shell:
            own = np.flatnonzero(near[block.connectivity].any(axis=1))
            for face, positions in enumerate(kind.faces):
                keys.append(_corner_keys(kind.facets[face], block.connectivity[own][:, list(positions)]))
                owners.append(start + own)
        start += len(block.ids)
    key, owner = np.concatenate(keys), np.concatenate(owners)
    order = np.lexsort(key.T)
    key, owner = key[order], owner[order]
    same = np.flatnonzero((key[1:] == key[:-1]).all(axis=1))
    return np.stack([owner[same], owner[same + 1]], axis=1), key[same]


def _corner_keys(facet: str, connectivity: np.ndarray) -> np.ndarray:
    """Return (n, 4) sorted corners of facets; -1 before those of triangles."""
    n_corners = facet_kind(facet).n_corners
    corners = np.sort(connectivity[:, :n_corners], axis=1)
    return np.hstack([np.full((len(corners), 4 - n_corners), -1, np.int64), corners])
