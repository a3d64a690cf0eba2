"""The older card for distributing couplings: `*DISTRIBUTING COUPLING` of an element DCOUP3D, with weights.

As in Abaqus the reference node follows the weighted mean displacement and rotation of the nodes. CalculiX couples
displacements only; the difference is due to the lever arm between the nodes' weighted centroid and the reference node.
"""

import numpy as np

from faying.fem.model import Coupling
from faying.fem.readers._abaqus_cards import Card
from faying.fem.readers._abaqus_mesh import COUPLING_ELEMENTS
from faying.fem.readers._abaqus_numbers import real
from faying.fem.readers._abaqus_point_elements import read_point_elements
from faying.fem.readers._abaqus_scopes import Deck, DeckScope
from faying.fem.readers._abaqus_sets import NamedSets
from faying.fem.readers._abaqus_tables import DeckMesh


def read_distributing_coupling(
    deck: Deck, mesh: DeckMesh, node_sets: NamedSets, scope: DeckScope, card: Card
) -> Coupling:
    """Return the coupling of one card: lines of node or set, and weight.

    Raises:
        ReadError: for a set that is not a single DCOUP3D, missing nodes, or weights that are not positive.
    """
    elements, sets = read_point_elements(deck, mesh, COUPLING_ELEMENTS)
    members = sets.members(scope.name, card.needed("ELSET"), card.place)
    if len(members) != 1:
        raise card.error(
            f"ELSET={card.name('ELSET')} holds {len(members)} elements of type DCOUP3D, expected one.",
            "Name the set of a single one, whose node is the reference node.",
        )
    reference = elements[members[0]].node
    weights: dict[int, float] = {}
    for place, fields in card.rows():
        weight = real(fields[1], place, "a weight") if len(fields) > 1 else 1.0
        if not weight > 0.0:
            raise place.error(f"found the weight {weight:g}, expected a positive one.", "Mend this line.")
        for row in node_sets.members(scope.name, fields[0], place).tolist():
            weights[row] = weights.get(row, 0.0) + weight
    weights.pop(reference, None)
    if not weights:
        raise card.error("the coupling couples no nodes.", "Name nodes and their weights below the card.")
    rows = np.array(sorted(weights), np.int64)
    shares = np.array([weights[row] for row in rows.tolist()])
    arm = mesh.nodes[reference] - shares @ mesh.nodes[rows] / shares.sum()
    if np.linalg.norm(arm) > 1e-3 * float(np.ptp(mesh.nodes[rows], axis=0).max()):
        deck.unread.note(
            card.place,
            f"{card.title}: the reference node is {np.linalg.norm(arm):.3g} away from the middle of its nodes; "
            "its lever arm counts, as in Abaqus, which CalculiX leaves out",
        )
    return Coupling("DISTRIBUTING COUPLING", "distributing", reference, rows, (1, 2, 3, 4, 5, 6), shares)
