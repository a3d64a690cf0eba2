"""A bolt modelled as a beam and cut at one end: the end can slide along the beam relative to its original node."""

from dataclasses import replace

import numpy as np

from faying.errors import ModelError
from faying.fem.bolt_cuts import refuse_taken_sets, slide
from faying.fem.elements import element_kinds
from faying.fem.model import Bolt, ElementBlock, FeModel, LinearEquations


def with_cut_beam(model: FeModel, name: str, element: int, axis: np.ndarray | None = None) -> FeModel:
    """Return the model with a beam cut from its first node, a node set of each side, and the bolt.

    The beam gets a new node at the same place. This moves with the first node, and rotates with it if that has
    rotations, apart from one motion along the axis: the elongation that tightens the bolt.

    Args:
        model: the body's model.
        name: of the bolt; the node sets are called "name 1" and "name 2".
        element: running position of the beam.
        axis: (3,) axis of the bolt, of either sign; by default the line between the beam's ends.

    Raises:
        ModelError: when the element is not a beam, the axis is perpendicular to it, or the names are taken.
    """
    refuse_taken_sets(model, name)
    at = int(np.searchsorted(model.block_starts, element, side="right")) - 1
    block, row = model.blocks[at], element - int(model.block_starts[at])
    kind = element_kinds[block.element]
    if not kind.rotations or kind.is_shell:
        raise ModelError(
            f"Bolt {name!r}: element {block.ids[row]} ({block.label}) is no beam.",
            "Name a beam, or a surface inside the shank of a solid bolt.",
        )
    own = block.connectivity[row]
    ends = own[[0, 1]] if len(own) == 2 else own[[0, -1]]
    along = model.nodes[ends[1]] - model.nodes[ends[0]]
    given = along if axis is None else np.asarray(axis, float)
    share = float(given @ along)
    if not abs(share) > 1e-6 * float(np.linalg.norm(given) * np.linalg.norm(along)):
        raise ModelError(
            f"The axis of bolt {name!r} is across its beam.", "Give the direction from end to end."
        )
    direction = given * np.sign(share) / np.linalg.norm(given)
    first, second = int(ends[0]), len(model.nodes)
    connectivity = np.array(block.connectivity)
    connectivity[row, own == first] = second
    blocks = (*model.blocks[:at], replace(block, connectivity=connectivity), *model.blocks[at + 1 :])
    none = np.zeros(0, np.int64)
    equations = [slide(name, none, none, np.array([first, second]), direction)]
    if _turns(model, blocks, first):
        equations.append(_turning_alike(name, first, second))
    return replace(
        model,
        node_ids=np.append(model.node_ids, int(model.node_ids.max()) + 1),
        nodes=np.vstack([model.nodes, model.nodes[first]]),
        blocks=blocks,
        node_sets={**model.node_sets, f"{name} 1": np.array([first]), f"{name} 2": np.array([second])},
        equations=(*model.equations, *equations),
        bolts=(*model.bolts, Bolt(name, (first, second), direction)),
    )


def _turns(model: FeModel, blocks: tuple[ElementBlock, ...], node: int) -> bool:
    """Return whether a node still has rotations; without them the beam is hinged to it."""
    return any(c.reference == node for c in model.couplings) or any(
        element_kinds[b.element].rotations and bool((b.connectivity == node).any()) for b in blocks
    )


def _turning_alike(name: str, first: int, second: int) -> LinearEquations:
    return LinearEquations(
        f"bolt {name}, rotations", np.array([0, 2, 4, 6]), np.tile([second, first], 3),
        np.repeat([4, 5, 6], 2), np.tile([-1.0, 1.0], 3),
    )  # fmt: skip
