"""A small jointed body: two stacked plates of bricks, both coupled to one reference node at x = 0."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from faying.fem.assembly import assemble
from faying.fem.elements import element_kinds
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import Coupling, DeckSurface, ElementBlock, FeModel, Material
from faying.fem.skin import find_skin, surface_from_deck
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import ContactPairs
from faying.joints.search import SearchSpec
from faying.progress import Silent
from faying.reduction.interior import InteriorProblem

STEEL = Material("STEEL", 210000.0, 0.3, 7.85e-9)


def _bricks(n, size, origin, first_node):
    """Return nodes and 8-node connectivity of a block of n bricks; bottom face counter-clockwise first."""
    axes = [o + np.linspace(0, s, k + 1) for k, s, o in zip(n, size, origin, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    number = first_node + np.arange(grid[..., 0].size).reshape(grid.shape[:3])
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    cells = [number[i : i + n[0], j : j + n[1], k : k + n[2]].ravel() for i, j, k in corners]
    return grid.reshape(-1, 3), np.stack(cells, axis=1)


def stacked_plates(
    upper=(6, 2, 1),
    lower=(4, 2, 1),
    length=40.0,
    width=10.0,
    height=2.0,
    gap=0.0,
    element="hex8_full",
    tied_tip=False,
    coupling="kinematic",
) -> FeModel:
    """Return a model: lower plate z −h…0, upper plate z gap…gap+h, node sets HOLD and TIP, surfaces LOWER and UPPER.

    Surfaces UNDER and OVER are the outer faces of the half towards the tip.

    HOLD is the reference node of both plates' x = 0 faces; TIP that of the upper (with `tied_tip` of both)
    x = length face, coupled in the given way.
    """
    low, low_cells = _bricks(lower, (length, width, height), (0, 0, -height), 0)
    up, up_cells = _bricks(upper, (length, width, height), (0, 0, gap), len(low))
    nodes = np.vstack([low, up, [[0, width / 2, 0], [length, width / 2, gap + height / 2]]])
    hold, tip = len(nodes) - 2, len(nodes) - 1
    solid = np.arange(hold)
    at_start = solid[np.isclose(nodes[solid, 0], 0)]
    at_end = solid[np.isclose(nodes[solid, 0], length) & (tied_tip | (solid >= len(low)))]
    every = (1, 2, 3, 4, 5, 6)
    n_low = len(low_cells)
    top = np.flatnonzero(np.isclose(nodes[low_cells].mean(axis=1)[:, 2], -height / lower[2] / 2))
    bottom = n_low + np.flatnonzero(
        np.isclose(nodes[up_cells].mean(axis=1)[:, 2], gap + height / upper[2] / 2)
    )
    none, label = np.zeros(0, np.int64), element_kinds[element].labels[0]
    # Outer faces of the half towards the tip, where a clamp presses.
    centre = np.vstack([nodes[low_cells].mean(axis=1), nodes[up_cells].mean(axis=1)])
    outer = centre[:, 0] > length / 2
    z, number = centre[:, 2], np.arange(len(centre))
    under = np.flatnonzero(outer & (number < n_low) & np.isclose(z, -height + height / lower[2] / 2))
    over = np.flatnonzero(outer & (number >= n_low) & np.isclose(z, gap + height - height / upper[2] / 2))
    return FeModel(
        title="stacked plates",
        node_ids=np.arange(1, len(nodes) + 1),
        nodes=nodes,
        blocks=(
            ElementBlock(element, label, 1 + np.arange(n_low), low_cells, "STEEL"),
            ElementBlock(element, label, 1 + n_low + np.arange(len(up_cells)), up_cells, "STEEL"),
        ),
        node_sets={"HOLD": np.array([hold]), "TIP": np.array([tip])},
        surfaces={
            "LOWER": DeckSurface("LOWER", top, np.ones(len(top), np.int64), none),
            "UPPER": DeckSurface("UPPER", bottom, np.zeros(len(bottom), np.int64), none),
            "UNDER": DeckSurface("UNDER", under, np.zeros(len(under), np.int64), none),
            "OVER": DeckSurface("OVER", over, np.ones(len(over), np.int64), none),
        },
        materials={"STEEL": STEEL},
        couplings=(
            Coupling("C_HOLD", "kinematic", hold, at_start, every, np.ones(len(at_start))),
            Coupling("C_TIP", coupling, tip, at_end, every, np.ones(len(at_end))),
        ),
    )


@dataclass(frozen=True)
class JointedBody:
    """The plates with everything that reduction and analyses start from."""

    model: FeModel
    matrices: StructuralMatrices
    pairs: ContactPairs
    interior: InteriorProblem
    gap: sp.csr_matrix
    slip: sp.csr_matrix
    interfaces: dict[str, int]


def jointed_plates(**choices) -> JointedBody:
    """Return the assembled plates: master LOWER, slave UPPER, interfaces HOLD and TIP."""
    return _jointed(stacked_plates(**choices), ("HOLD", "TIP"))


def guided_blocks(upper=(6, 6, 4), lower=(5, 5, 4), side=10.0, element="hex8_incompatible") -> JointedBody:
    """Return two cubes, one on the other, that only contact at z = 0 keeps apart.

    BOTTOM and TOP are the reference nodes of the outer faces. Two nodes of the upper cube are guided sideways, so that
    it can neither slide nor turn away about z.
    """
    low, low_cells = _bricks(lower, (side,) * 3, (0, 0, -side), 0)
    up, up_cells = _bricks(upper, (side,) * 3, (0, 0, 0), len(low))
    half = side / 2
    nodes = np.vstack([low, up, [[half, half, -side], [half, half, side]]])
    bottom, top = len(nodes) - 2, len(nodes) - 1
    solid = np.arange(bottom)

    def near(x):
        return np.array([len(low) + np.argmin(np.linalg.norm(up - [x, half, half], axis=1))])

    def coupled(name, reference, rows, components=(1, 2, 3, 4, 5, 6)):
        return Coupling(name, "kinematic", reference, rows, components, np.ones(len(rows)))

    cells, n_low = (low_cells, up_cells), len(low_cells)
    under = np.flatnonzero(np.isclose(nodes[low_cells].mean(axis=1)[:, 2], -half / lower[2]))
    over = n_low + np.flatnonzero(np.isclose(nodes[up_cells].mean(axis=1)[:, 2], half / upper[2]))
    none, label = np.zeros(0, np.int64), element_kinds[element].labels[0]
    model = FeModel(
        title="two blocks",
        node_ids=np.arange(1, len(nodes) + 1),
        nodes=nodes,
        blocks=tuple(
            ElementBlock(element, label, 1 + first + np.arange(len(part)), part, "STEEL")
            for first, part in zip((0, n_low), cells, strict=True)
        ),
        node_sets={"BOTTOM": np.array([bottom]), "TOP": np.array([top])},
        surfaces={
            "LOWER": DeckSurface("LOWER", under, np.ones(len(under), np.int64), none),
            "UPPER": DeckSurface("UPPER", over, np.zeros(len(over), np.int64), none),
        },
        materials={"STEEL": STEEL},
        couplings=(
            coupled("C_BOTTOM", bottom, solid[np.isclose(nodes[solid, 2], -side)]),
            coupled("C_TOP", top, solid[np.isclose(nodes[solid, 2], side)]),
            coupled("C_PIN", bottom, near(0.0), (1, 2)),
            coupled("C_SLOT", bottom, near(side), (2,)),
        ),
    )
    return _jointed(model, ("BOTTOM", "TOP"))


def _jointed(model: FeModel, names) -> JointedBody:
    """Return the assembled model with the pairs of LOWER and UPPER and its interface nodes."""
    matrices = assemble(model, Silent())
    skin = find_skin(model)
    assert skin is not None
    master, slave = surface_from_deck(model, "LOWER"), surface_from_deck(model, "UPPER")
    pairs = find_contact_pairs(model.nodes, master, slave, SearchSpec(), Silent())
    interfaces = {name: int(model.node_sets[name][0]) for name in names}
    interior = InteriorProblem(matrices, model.nodes, np.array(list(interfaces.values())))
    return JointedBody(
        model, matrices, pairs, interior,
        gap_rows(pairs, matrices.dofs), slip_rows(pairs, matrices.dofs), interfaces,
    )  # fmt: skip


def three_plates(length=40.0, width=10.0, height=2.0, element="hex8_incompatible") -> FeModel:
    """Return three stacked plates with two joints: LOW_TOP on MID_BOTTOM at z = 0, MID_TOP on HIGH_BOTTOM above.

    HOLD is the reference node of all x = 0 faces, TIP that of the uppermost plate's other end.
    """
    counts = ((4, 2, 1), (5, 2, 1), (6, 2, 1))
    blocks, nodes, surfaces, at = [], np.zeros((0, 3)), {}, 0
    label, none = element_kinds[element].labels[0], np.zeros(0, np.int64)
    for k, (name, count) in enumerate(zip(("LOW", "MID", "HIGH"), counts, strict=True)):
        points, cells = _bricks(count, (length, width, height), (0, 0, (k - 1) * height), len(nodes))
        nodes = np.vstack([nodes, points])
        blocks.append(ElementBlock(element, label, 1 + at + np.arange(len(cells)), cells, "STEEL"))
        elements = at + np.arange(len(cells))
        for side, face in (("BOTTOM", 0), ("TOP", 1)):
            surface = f"{name}_{side}"
            surfaces[surface] = DeckSurface(surface, elements, np.full(len(elements), face), none)
        at += len(cells)
    solid = len(nodes)
    nodes = np.vstack([nodes, [[0, width / 2, 0], [length, width / 2, 1.5 * height]]])
    hold, tip = solid, solid + 1
    start = np.flatnonzero(np.isclose(nodes[:solid, 0], 0.0))
    end = np.flatnonzero(np.isclose(nodes[:solid, 0], length))
    end = end[np.isin(end, blocks[-1].connectivity)]
    every = (1, 2, 3, 4, 5, 6)
    return FeModel(
        title="three plates",
        node_ids=np.arange(1, len(nodes) + 1),
        nodes=nodes,
        blocks=tuple(blocks),
        node_sets={"HOLD": np.array([hold]), "TIP": np.array([tip])},
        surfaces=surfaces,
        materials={"STEEL": STEEL},
        couplings=(
            Coupling("C_HOLD", "kinematic", hold, start, every, np.ones(len(start))),
            Coupling("C_TIP", "kinematic", tip, end, every, np.ones(len(end))),
        ),
    )
