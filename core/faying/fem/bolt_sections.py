"""Section forces of bolts: force and moment across a bolt's section, from the elements behind it.

A cut shank carries the forces that the nodes of its second side exert on the elements there; a beam those that its ends
exert on it. Beams count as bolts where they join parts: a straight chain whose two ends belong to couplings or other
elements.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from faying.fem.assembly import assemble
from faying.fem.couplings import cross_matrices
from faying.fem.elements import element_kinds
from faying.fem.matrices import DofMap
from faying.fem.model import Bolt, FeModel
from faying.fem.thermal import thermal_forces

_STRAIGHT = 1e-3  # largest distance of a chain's nodes from a straight line, divided by its length


@dataclass(frozen=True)
class BoltSection:
    """A section of a bolt: elements on one side of it, and those of their nodes that lie in it.

    Attributes:
        elements: running positions.
        nodes: rows.
        middle: (3,) reference point of the moments.
        outward: (3,) unit vector out of the elements, along the bolt.
    """

    elements: np.ndarray
    nodes: np.ndarray
    middle: np.ndarray
    outward: np.ndarray


@dataclass(frozen=True)
class BoltPlace:
    """A bolt or bolt-like beam of a model.

    Attributes:
        name: name of the bolt; for an uncut beam, the element set that contains it alone, else "beam 12" after its
            first element.
        axis: (3,) unit vector.
        middle: (3,) of the cut, or of the beam.
        cut: the cut bolt, None for an uncut beam.
        elements: running positions of elements that certainly belong to it.
        sections: one across a shank, two (the ends) for a beam.
    """

    name: str
    axis: np.ndarray
    middle: np.ndarray
    cut: Bolt | None
    elements: np.ndarray
    sections: tuple[BoltSection, ...]


def find_bolts(model: FeModel) -> tuple[BoltPlace, ...]:
    """Return the cut bolts in the model's order, then uncut beams that join parts as bolts do."""
    chains = list(_chains(model))
    found, used = [], set[int]()
    for bolt in model.bolts:
        beam = next((ids for ids, ends in chains if bolt.centres[1] in ends), None)
        if beam is None:  # where the chain branches or bends, use the cut beam alone
            beam = next((np.array([element]) for element in _beams(model, bolt.centres[1])), None)
        if beam is None:
            found.append(_of_shank(model, bolt))
            continue
        place = _of_beam(model, beam, bolt)
        # Beams that continue along the axis on the first side of the cut belong to the same bolt.
        rest = [ids for ids, ends in chains if bolt.centres[0] in ends and _goes_on(model, ends, bolt)]
        found.append(replace(place, elements=np.concatenate([beam, *rest])))
        used.update(int(ids.min()) for ids in (beam, *rest))
    known = {place.name for place in found}
    for elements, ends in chains:
        if int(elements.min()) not in used and _joins(model, elements, ends):
            place = _of_beam(model, elements, None)
            if place.name not in known:
                known.add(place.name)
                found.append(place)
    return tuple(found)


def overlap_row(bolt: Bolt, dofs: DofMap) -> sp.csr_matrix:
    """Return CSR (1, n_dofs): overlap of the two sides of a cut along the axis, positive when tightened.

    Its transpose times a tension is the generalised force of that tension.
    """
    first, second = (dofs.transformation[dofs.node_rows(centre)[:3]] for centre in bolt.centres)
    return sp.csr_matrix(sp.csr_matrix(bolt.axis[None]) @ (first - second))


def cut_dof(bolt: Bolt, dofs: DofMap) -> int:
    """Return the independent dof that moves only the second side of a cut along the axis."""
    main = int(np.argmax(np.abs(bolt.axis)))
    row: sp.csr_matrix = dofs.transformation[dofs.node_rows(bolt.centres[1])[main]]
    assert row.nnz == 1, "the second centre of a cut is free along its main direction"
    return int(row.indices[0])


def section_rows(
    model: FeModel, section: BoltSection, dofs: DofMap, temperatures: Sequence[np.ndarray | None] = ()
) -> tuple[sp.csr_matrix, np.ndarray]:
    """Return force and moment on a section's elements: CSR (6, n_dofs), and (k, 6) to subtract for temperatures.

    Args:
        model: model of the body.
        section: section through a bolt.
        dofs: dof map of the body's matrices.
        temperatures: (n,) changes at the nodes of all elements, element after element; None without.

    Raises:
        ModelError: when the elements have no formulation or no material, as in a body with imported matrices.
    """
    # Nodal forces of these elements alone: stiffness times displacement, less the equivalent forces of their thermal
    # expansion.
    blocks, corners, before = [], [], 0
    for block, start in zip(model.blocks, model.block_starts, strict=False):
        own = section.elements[(section.elements >= start) & (section.elements < start + len(block.ids))]
        if len(own):
            at = own - start
            blocks.append(block.chosen(at))
            size = block.connectivity.shape[1]
            corners.append((before + at[:, None] * size + np.arange(size)).ravel())
        before += block.connectivity.size
    bare = FeModel("", model.node_ids, model.nodes, tuple(blocks), materials=model.materials)
    alone = assemble(bare)
    # Rows of the whole model's full vector: displacement indices agree, rotation indices are mapped by the lists of
    # nodes.
    rows = alone.dofs.own_rows
    turning = rows >= 3 * len(model.nodes)
    at, component = np.divmod(rows[turning] - 3 * len(model.nodes), 3)
    places = np.searchsorted(dofs.rotation_nodes, alone.dofs.rotation_nodes[at])
    full = rows.copy()
    full[turning] = 3 * len(model.nodes) + 3 * places + component
    # Resultants of the forces at the section's nodes.
    resultants = np.zeros((6, len(rows)))
    node, part = np.divmod(rows, 3)
    for i in np.flatnonzero(np.isin(node, section.nodes) & ~turning):
        resultants[part[i], i] = 1.0
        resultants[3:, i] = cross_matrices((model.nodes[node[i]] - section.middle)[None])[0].T[:, part[i]]
    turned = np.flatnonzero(turning)
    for i, row, direction in zip(turned, at, component, strict=True):
        if alone.dofs.rotation_nodes[row] in section.nodes:
            resultants[3 + direction, i] = 1.0
    own_corners = np.concatenate(corners)
    growing = [
        np.zeros(6) if field is None else resultants @ thermal_forces(bare, alone.dofs, field[own_corners])
        for field in temperatures
    ]
    stiffness = sp.csr_matrix(resultants @ alone.stiffness)
    return sp.csr_matrix(stiffness @ dofs.transformation[full]), np.array(growing).reshape(-1, 6)


def _of_shank(model: FeModel, bolt: Bolt) -> BoltPlace:
    """Return the place of a cut shank; the bolt's equations list the second side's nodes after the first's."""
    equations = next(e for e in model.equations if e.name == f"bolt {bolt.name}")
    leading = equations.nodes[equations.starts[:-1]]
    nodes = np.setdiff1d(leading, bolt.centres)
    members = [
        start + np.flatnonzero(np.isin(block.connectivity, nodes).any(axis=1))
        for block, start in zip(model.blocks, model.block_starts, strict=False)
    ]
    elements, middle = np.concatenate(members), model.nodes[bolt.centres[1]]
    section = BoltSection(elements, nodes, middle, -bolt.axis)
    return BoltPlace(bolt.name, bolt.axis, middle, bolt, elements, (section,))


def _of_beam(model: FeModel, elements: np.ndarray, cut: Bolt | None) -> BoltPlace:
    connections = {int(e): _ends(model, int(e)) for e in elements}
    nodes, counts = np.unique([n for ends in connections.values() for n in ends], return_counts=True)
    first, last = nodes[counts == 1]
    along = model.nodes[last] - model.nodes[first]
    axis = along / np.linalg.norm(along)
    if cut is not None and cut.axis @ axis < 0.0:
        first, last, axis = last, first, -axis
    sections = tuple(
        BoltSection(
            np.array([e for e, ends in connections.items() if node in ends]), np.array([node]), model.nodes[node],
            sense * axis,
        )
        for node, sense in ((first, -1.0), (last, 1.0))
    )  # fmt: skip
    middle = 0.5 * (model.nodes[first] + model.nodes[last])
    name = cut.name if cut is not None else _name_of_beam(model, elements)
    return BoltPlace(name, axis, middle, cut, elements, sections)


def _goes_on(model: FeModel, ends: Sequence[int], bolt: Bolt) -> bool:
    along = model.nodes[ends[1]] - model.nodes[ends[0]]
    return bool(np.linalg.norm(np.cross(along, bolt.axis)) <= _STRAIGHT * np.linalg.norm(along))


def _chains(model: FeModel) -> Iterator[tuple[np.ndarray, tuple[int, int]]]:
    """Yield (running positions, end nodes) of each straight chain of beams."""
    of_nodes: dict[int, list[int]] = {}
    for element in _beams(model):
        for node in _ends(model, element):
            of_nodes.setdefault(node, []).append(element)
    left = {element for members in of_nodes.values() for element in members}
    while left:
        found, front = set[int](), [min(left)]
        while front:
            element = front.pop()
            if element not in found:
                found.add(element)
                front += [other for node in _ends(model, element) for other in of_nodes[node]]
        left -= found
        nodes = sorted({node for element in found for node in _ends(model, element)})
        ends = [node for node in nodes if len(of_nodes[node]) == 1]
        if len(ends) == 2 and all(len(of_nodes[node]) <= 2 for node in nodes):
            along = model.nodes[ends[1]] - model.nodes[ends[0]]
            length = float(np.linalg.norm(along))
            arms = model.nodes[nodes] - model.nodes[ends[0]]
            off = np.linalg.norm(np.cross(arms, along), axis=1).max() if length else np.inf
            if off <= _STRAIGHT * length**2:
                yield np.array(sorted(found)), (ends[0], ends[1])


def _beams(model: FeModel, end: int | None = None) -> Iterator[int]:
    """Yield the running positions of all beams, or of those that end at a node."""
    for block, start in zip(model.blocks, model.block_starts, strict=False):
        kind = element_kinds[block.element]
        if kind.rotations and not kind.is_shell:
            elements = range(int(start), int(start) + len(block.ids))
            yield from (e for e in elements if end is None or end in _ends(model, e))


def _ends(model: FeModel, element: int) -> tuple[int, int]:
    """Return the nodes at the two ends of a beam."""
    at = int(np.searchsorted(model.block_starts, element, side="right")) - 1
    own = model.blocks[at].connectivity[element - int(model.block_starts[at])]
    return int(own[0]), int(own[1] if len(own) == 2 else own[-1])


def _joins(model: FeModel, elements: np.ndarray, ends: Sequence[int]) -> bool:
    """Return whether each end of a chain of beams belongs to a coupling, an equation or another element."""
    others = [c.nodes for c in model.couplings] + [e.nodes for e in model.equations]
    others.append(np.array([c.reference for c in model.couplings], np.int64))
    for block, start in zip(model.blocks, model.block_starts, strict=False):
        rows = np.setdiff1d(np.arange(len(block.ids)), elements - start)
        others.append(block.connectivity[rows].ravel())
    return bool(np.isin(ends, np.concatenate(others)).all())


def _name_of_beam(model: FeModel, elements: np.ndarray) -> str:
    for name, members in model.element_sets.items():
        if len(members) == len(elements) and np.array_equal(np.sort(members), elements):
            return name
    return f"beam {int(model.element_ids[elements].min())}"
