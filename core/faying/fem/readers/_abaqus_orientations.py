"""Directions of materials in elements: ORIENTATION= of sections and of the layers of composite shells."""

from dataclasses import dataclass

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_directions import Directions, find_orientation, frame_of
from faying.fem.readers._abaqus_numbers import integer, is_integer, real
from faying.fem.readers._abaqus_scopes import Deck, DeckScope
from faying.fem.readers._abaqus_sets import NamedSets
from faying.fem.readers._abaqus_tables import DeckMesh
from faying.fem.readers._text_files import FileLine
from faying.fem.shell_axes import shell_normals, surface_axes


@dataclass(frozen=True, eq=False)
class SectionCard:
    """A card of a section in its deck.

    Attributes:
        deck: the deck, which collects unread input.
        scope: the part or assembly that contains the card.
        mesh: nodes and elements of all scopes.
        elements: their sets.
        card: the card itself.
    """

    deck: Deck
    scope: DeckScope
    mesh: DeckMesh
    elements: NamedSets
    card: Card


def find_material_orientation(section: SectionCard, wanted: str = "") -> Directions | None:
    """Return the orientation named by a section or one of its layers; None without.

    Raises:
        ReadError: when there is none of that name, or its definition is not supported.
    """

    mesh = section.mesh

    def points(owner: DeckScope, place: FileLine, fields: list[str]) -> np.ndarray:
        """Return (3, 3) the coordinates of nodes a, b and c; without c the part's origin is used."""
        numbers = np.array([integer(text, place, "a node's number") for text in fields if text][:3])
        rows = mesh.node_tables[owner.name].find(numbers)
        if len(numbers) < 2 or (rows < 0).any():
            missing = (
                f"node {numbers[rows < 0][0]} does not exist" if (rows < 0).any() else "expected two nodes"
            )
            raise place.error(f"{missing} (an orientation).", "Mend this line.")
        origin = owner.translation[None] if len(rows) < 3 else mesh.nodes[rows[2:]]
        return np.concatenate([mesh.nodes[rows[:2]], origin])

    def distribution(
        owner: DeckScope, orientation: Card
    ) -> tuple[list[tuple[FileLine, list[str]]], np.ndarray, dict[int, np.ndarray]] | None:
        """Return rows of the orientation, default frame, and frames by element row; None without a distribution."""
        rows = list(orientation.rows())
        named = as_name(rows[0][1][0]) if rows and rows[0][1] else ""
        for candidate in owner.having("DISTRIBUTION"):
            if named and candidate.name("NAME") == named and orientation.name("SYSTEM") in _RECTANGULAR:
                return rows, *_distributed(mesh, section.elements, owner, candidate)
        return None

    return find_orientation(section.deck, section.scope, section.card, wanted, points, distribution)


_RECTANGULAR = ("", "R", "RECTANGULAR")


def _distributed(
    mesh: DeckMesh, elements: NamedSets, scope: DeckScope, card: Card
) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Return the default frame of a distribution, and frames by element row."""
    common, found = np.eye(3), {}
    for place, fields in card.rows():
        numbers = [real(text, place, "a component") for text in fields[1:7]]
        points = np.array([*numbers, *[0.0] * (9 - len(numbers))]).reshape(3, 3)
        _, frame = frame_of("R", points, place)
        frame = frame @ scope.rotation.T
        if not fields[0]:
            common = frame
        elif is_integer(fields[0]):
            number = integer(fields[0], place, "an element's number")
            row = int(mesh.element_tables[scope.name].find(np.array([number]))[0])
            if row >= 0:
                found[row] = frame
        else:
            members = elements.members(scope.name, as_name(fields[0]), place)
            found |= dict.fromkeys(members.tolist(), frame)
    return common, found


def material_directions(
    orientation: Directions | None, kind: str, coordinates: np.ndarray, elements: np.ndarray
) -> np.ndarray | None:
    """Return (n, 3, 3) material axes in elements, as in `ElementBlock.directions`; None for the global axes.

    Args:
        orientation: orientation named by the section.
        kind: of the elements.
        coordinates: (n, k, 3) of their nodes.
        elements: (n,) their rows, in the order of reading.
    """
    member = element_kinds[kind]
    if orientation is None:
        return None
    middles = coordinates.mean(axis=1)
    if not member.is_shell:
        return orientation.at(middles, elements)
    return orientation.on_surfaces(middles, shell_normals(member.facets[0], coordinates), elements)


def ply_angles(
    plies: tuple[Directions | float, ...],
    reference: np.ndarray | None,
    kind: str,
    coordinates: np.ndarray,
    elements: np.ndarray,
) -> np.ndarray:
    """Return (n, n_plies) angles (rad) of plies about the normals, from the shells' directions.

    Args:
        plies: an orientation or an angle (rad) of each ply.
        reference: (n, 3, 3) the shells' directions; None for those without orientation.
        kind: of the shells.
        coordinates: (n, k, 3) of their nodes.
        elements: (n,) their rows, in the order of reading.
    """
    normals = shell_normals(element_kinds[kind].facets[0], coordinates)
    axes = surface_axes(normals, reference)
    found = np.empty((len(coordinates), len(plies)))
    for column, ply in enumerate(plies):
        if isinstance(ply, float):
            found[:, column] = ply
            continue
        own = ply.on_surfaces(coordinates.mean(axis=1), normals, elements)[:, 0]
        found[:, column] = np.arctan2(
            np.einsum("nx,nx->n", own, axes[:, 1]), np.einsum("nx,nx->n", own, axes[:, 0])
        )
    return found
