"""Connected parts of a body: nodes that elements, couplings or equations connect."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from faying.fem.bolt_cuts import sides_of_cuts
from faying.fem.model import FeModel


def connected_parts(model: FeModel, *, couplings: bool = True) -> tuple[np.ndarray, int]:
    """Return ((n,) part of each node, -1 for nodes of no element and no coupling; number of parts).

    Elements connect nodes, and so do couplings, equations and springs, whatever components these couple; contact is
    ignored. A bolt remains one part where it is cut. Parts are numbered from 0 in the order of their first node.

    Args:
        model: the body's model.
        couplings: whether couplings, equations and springs connect parts; elements and the cuts of bolts always do.
    """
    stars = [(b.connectivity[:, :1].repeat(b.connectivity.shape[1] - 1, axis=1), b.connectivity[:, 1:])
             for b in model.blocks]  # fmt: skip
    if couplings:
        stars += [(np.full(len(c.nodes), c.reference), c.nodes) for c in model.couplings]
        stars += [(np.full(len(f.nodes), f.reference), f.nodes) for f in model.foundations]
        stars += [(np.repeat(e.nodes[e.starts[:-1]], np.diff(e.starts)), e.nodes) for e in model.equations]
        stars += [(spring.nodes[:1], spring.nodes[1:]) for spring in model.springs]
    elif model.bolts:
        sides = sides_of_cuts(model)
        of_elements = np.zeros(len(model.nodes), bool)
        of_elements[np.concatenate([b.connectivity.ravel() for b in model.blocks])] = True
        sides = sides[of_elements[sides].all(axis=1)]  # without the centre nodes of a solid's cut
        stars.append((sides[:, 0], sides[:, 1]))
    return _components(stars, len(model.nodes))


def moved_together(model: FeModel) -> np.ndarray:
    """Return (n,) a group number for each node, equal for nodes that are tied to each other; -1 for untied nodes.

    Ties, equations and kinematic couplings count, whatever components they couple; a distributing coupling does not tie
    its nodes to each other.
    """
    stars = [(np.full(len(c.nodes), c.reference), c.nodes) for c in model.couplings if c.kind == "kinematic"]
    stars += [(np.repeat(e.nodes[e.starts[:-1]], np.diff(e.starts)), e.nodes) for e in model.equations]
    return _components(stars, len(model.nodes))[0]


def _components(stars: list[tuple[np.ndarray, np.ndarray]], n: int) -> tuple[np.ndarray, int]:
    """Return ((n,) component of each node that occurs in an edge, -1 for others; number of components)."""
    first = np.concatenate([np.zeros(0, np.int64), *(a.ravel() for a, _ in stars)])
    second = np.concatenate([np.zeros(0, np.int64), *(b.ravel() for _, b in stars)])
    graph = sp.coo_matrix((np.ones(len(first), np.int8), (first, second)), shape=(n, n))
    _, labels = connected_components(graph, directed=False)
    used = np.zeros(n, bool)
    used[first] = used[second] = True
    # Number the parts in the order of their first used node.
    _, begins, inverse = np.unique(labels[used], return_index=True, return_inverse=True)
    rank = np.empty(len(begins), np.int64)
    rank[np.argsort(begins)] = np.arange(len(begins))
    parts = np.full(n, -1, np.int64)
    parts[used] = rank[inverse]
    return parts, len(begins)


def part_titles(model: FeModel, labels: np.ndarray) -> list[str]:
    """Return a short, unique name for each part: that of an element set or physical group, else "part 3".

    A part is named after the smallest set that contains it; several parts of one set are numbered.

    Args:
        model: the body's model.
        labels: (n,) part of each node (`connected_parts`).
    """
    of_element = labels[model.first_nodes]
    count = int(labels.max(initial=-1)) + 1
    elements = np.bincount(of_element, minlength=count)
    fitting = [""] * count
    smallest_first = sorted((len(rows), name) for name, rows in model.element_sets.items())
    for size, name in reversed(smallest_first):
        if size < len(of_element):
            inside = np.bincount(of_element[np.unique(model.element_sets[name])], minlength=count)
            for held in np.flatnonzero((inside == elements) & (elements > 0)):
                fitting[held] = name
    titles = []
    for part, name in enumerate(fitting):
        number = f" {fitting[: part + 1].count(name)}" if fitting.count(name) > 1 else ""
        titles.append(f"{name}{number}" if name else f"part {part + 1}")
    return titles


def part_sizes(model: FeModel, labels: np.ndarray) -> list[str]:
    """Return the size of each part in words: "1200 elements and 2310 nodes"."""
    of_element = labels[model.first_nodes]
    count = int(labels.max(initial=-1)) + 1
    elements = np.bincount(of_element, minlength=count)
    nodes = np.bincount(labels[labels >= 0], minlength=count)
    return [f"{e} elements and {n} nodes" for e, n in zip(elements, nodes, strict=True)]


def part_names(model: FeModel, labels: np.ndarray) -> list[str]:
    """Return descriptions of the parts for messages: their names, where an element set provides one, and sizes.

    Args:
        model: the body's model.
        labels: (n,) part of each node (`connected_parts`).
    """
    titles, sizes = part_titles(model, labels), part_sizes(model, labels)
    return [
        f"the part of {size}" if title == f"part {part + 1}" else f"part {title!r} of {size}"
        for part, (title, size) in enumerate(zip(titles, sizes, strict=True))
    ]


def held_parts(labels: np.ndarray, held_nodes: Sequence[int]) -> set[int]:
    """Return the parts to which all others must be connected: those with a held node, else the largest part.

    Args:
        labels: (n,) part of each node (`connected_parts`).
        held_nodes: rows of the held nodes; nodes of no part are ignored.
    """
    held = set(labels[list(held_nodes)].tolist()) - {-1}
    return held or {int(np.bincount(labels[labels >= 0], minlength=1).argmax())}


def loose_parts(model: FeModel, held_nodes: Sequence[int]) -> tuple[str, ...]:
    """Return the names of parts without any held node; contact does not count as a connection.

    Args:
        model: the body's model.
        held_nodes: rows of the held nodes; if there are none, all parts but the largest are loose.
    """
    labels, _ = connected_parts(model)
    held = held_parts(labels, held_nodes)
    return tuple(name for part, name in enumerate(part_names(model, labels)) if part not in held)
