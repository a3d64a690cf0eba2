"""Materials, sections, and the element blocks: elements of one type, material and section."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from faying.fem.elements import element_kinds
from faying.fem.laminates import laminate_material, plies_of
from faying.fem.model import BeamSection, ElementBlock, Material, Ply, Section, ShellSection
from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_directions import Directions
from faying.fem.readers._abaqus_elasticity import with_constants
from faying.fem.readers._abaqus_generated import GeneratedElements
from faying.fem.readers._abaqus_layers import known_material, layer_directions, read_layers
from faying.fem.readers._abaqus_numbers import real, reals
from faying.fem.readers._abaqus_orientations import (
    SectionCard,
    find_material_orientation,
    material_directions,
    ply_angles,
)
from faying.fem.readers._abaqus_scopes import Deck
from faying.fem.readers._abaqus_sections import read_beam_section, read_shell_section
from faying.fem.readers._abaqus_sets import NamedSets
from faying.fem.readers._abaqus_shell_stiffness import read_shell_matrix, with_shear_stiffness
from faying.fem.readers._abaqus_tables import DeckMesh, ElementRun
from faying.fem.readers._text_files import FileLine

_ANGLE_STEP = 1e-4  # rad: ply angles that differ by less are equal
_SHELLS = ("SHELLSECTION", "SHELLGENERALSECTION")
_SECTIONS = ("SOLIDSECTION", *_SHELLS, "BEAMSECTION", "BEAMGENERALSECTION")


@dataclass(frozen=True, eq=False)
class Property:
    """Material, section and directions that a section card assigns to its elements."""

    place: FileLine
    material: str
    section: Section | None
    orientation: Directions | None = None
    layers: tuple[Directions | float, ...] = ()


def read_materials(deck: Deck) -> dict[str, Material]:
    """Return the materials by name; a modulus or density missing in the deck is zero.

    Raises:
        ReadError: for text instead of a number, impossible constants, or properties outside a material.
    """
    materials: dict[str, Material] = {}
    seen: set[int] = set()
    for scope in deck.scopes:
        name = ""
        for card in scope.having("MATERIAL", "ELASTIC", "DENSITY", "EXPANSION"):
            # The cards of a part are repeated for each of its instances.
            if id(card) in seen:
                continue
            seen.add(id(card))
            if card.keyword == "MATERIAL":
                name = card.needed("NAME")
                if name in materials:
                    deck.unread.card(card, f"the material {name} is defined again; the later values count")
                materials[name] = Material(name, 0.0, 0.0, 0.0)
                continue
            if not name:
                raise card.error(f"{card.title} stands outside of a material.", "Write *MATERIAL before it.")
            materials[name] = with_constants(materials[name], card, deck.unread)
    return materials


def assign_properties(
    deck: Deck, mesh: DeckMesh, elements: NamedSets, materials: dict[str, Material]
) -> tuple[list[Property], np.ndarray]:
    """Return (properties, (n_elements,) index of each element's property, -1 without a section).

    Elements are in the order of reading.

    Materials defined by a `*BEAM GENERAL SECTION` are added to `materials`.

    Raises:
        ReadError: for an unknown set or material.
    """
    chosen = np.full(len(mesh.element_ids), -1)
    properties: list[Property] = []
    for scope in deck.scopes:
        for card in scope.having(*_SECTIONS, "TRANSVERSESHEARSTIFFNESS"):
            if card.keyword == "TRANSVERSESHEARSTIFFNESS":
                if properties:
                    properties[-1] = _with_shear(deck, card, properties[-1], materials)
                continue
            target = card.needed("ELSET")
            section = SectionCard(deck, scope, mesh, elements, card)
            properties.append(_read_property(section, target, materials))
            members = elements.members(scope.name, target, card.place)
            again = chosen[members] >= 0
            if again.any():
                first = properties[chosen[members[again][0]]].place
                deck.unread.note(
                    first, f"the section is overridden for {again.sum()} elements by line {card.place.line}"
                )
            chosen[members] = len(properties) - 1
    for run in mesh.elements:
        if isinstance(run.card, GeneratedElements):
            _inherit(deck, mesh, run, run.card, chosen)
    return properties, chosen


def _inherit(
    deck: Deck, mesh: DeckMesh, run: ElementRun, card: GeneratedElements, chosen: np.ndarray
) -> None:
    """Assign the master's property to generated elements without a section."""
    own = slice(run.first, run.first + len(run.ids))
    of_masters = chosen[mesh.element_tables[run.scope].find(np.array(card.masters, np.int64))]
    bare = (chosen[own] < 0) & (of_masters >= 0)
    if bare.any():
        chosen[own] = np.where(bare, of_masters, chosen[own])
        deck.unread.note(
            card.place,
            f"{card.text}: {bare.sum()} of its elements are in no set with a section; they have that of their master",
        )


def _read_property(given: SectionCard, target: str, materials: dict[str, Material]) -> Property:
    card = given.card
    # With a material, CalculiX's general section is an ordinary section.
    if card.keyword == "BEAMGENERALSECTION" and not card.name("MATERIAL"):
        section = read_beam_section(card)  # raises first if the shape is unknown
        material = _material_of_section(card, target)
        materials[material.name] = material
        return Property(card.place, material.name, section)
    if "COMPOSITE" in card.parameters:
        return _layered(given, target, materials)
    if card.keyword == "SHELLGENERALSECTION" and not card.name("MATERIAL"):
        whole, material = read_shell_matrix(card, target)
        materials[material.name] = material
        return Property(card.place, material.name, whole, find_material_orientation(given))
    name = as_name(card.needed("MATERIAL"))
    material = known_material(card, name, materials)
    if card.keyword.startswith("BEAM"):
        return Property(card.place, name, read_beam_section(card))
    # Directions of isotropic materials are irrelevant.
    turned = material.kind != "isotropic" or bool(material.expansions)
    if "ORIENTATION" in card.parameters and not material.youngs_modulus:
        given.deck.unread.parameter(card, "ORIENTATION")
    orientation = find_material_orientation(given) if turned else None
    of_shell = read_shell_section(card) if card.keyword in _SHELLS else None
    return Property(card.place, name, of_shell, orientation)


def _layered(given: SectionCard, target: str, materials: dict[str, Material]) -> Property:
    """Return the property of composite shells; layers of one isotropic material are merged into one."""
    card = given.card
    if card.keyword not in _SHELLS:
        raise card.error(
            f"{card.title}, COMPOSITE is not known here: only shells have layers.",
            "Mesh the layers, or take shells (*SHELL SECTION, COMPOSITE).",
        )
    layers = read_layers(card, materials)
    section = read_shell_section(card)
    names = {layer.material.name for layer in layers}
    if len(names) == 1 and layers[0].material.kind == "isotropic":
        return Property(card.place, names.pop(), section)
    directions = layer_directions(given, layers)
    orientation = find_material_orientation(given)
    if orientation is None:  # angles between the layers' orientations are constant along a curved shell
        orientation = next((each for each in directions if isinstance(each, Directions)), None)
    plies = tuple(Ply(layer.material, layer.thickness, 0.0) for layer in layers)
    name = f"{target} (laminate)"
    materials[name] = laminate_material(name, plies)
    return Property(card.place, name, replace(section, plies=plies), orientation, directions)


def _material_of_section(card: Card, target: str) -> Material:
    rows = list(card.rows())
    if len(rows) < 3:
        raise card.error(
            "expected three lines: dimensions, first axis, and E and G.",
            "Complete the lines below this card.",
        )
    place, fields = rows[2]
    constants = [real(text, place, "a modulus") for text in fields]
    if len(constants) < 2 or constants[1] <= 0.0:
        raise place.error("expected Young's modulus and the shear modulus.", "Mend this line.")
    density = real(card.parameters.get("DENSITY", ""), card.place, "the density")
    ratio = constants[0] / (2.0 * constants[1]) - 1.0
    expansion = constants[2] if len(fields) > 2 and fields[2] else None
    return Material(f"{target} (beam section)", constants[0], ratio, density, expansion)


def _with_shear(deck: Deck, card: Card, given: Property, materials: dict[str, Material]) -> Property:
    """Return a beam's or shell's property with the transverse shear stiffness of a following card."""
    rows, material = reals(card, "a stiffness"), materials[given.material]
    if given.section is None or not rows:
        deck.unread.card(card, "only that of beams and shells is read")
        return given
    if isinstance(given.section, ShellSection):
        for stuff in (ply.material for ply in plies_of(given.section, material)):
            if not (stuff.youngs_modulus > 0.0 and -1.0 < stuff.poisson_ratio < 0.5):
                deck.unread.card(card, f"the material {stuff.name} has no stiffness")
                return given
        return replace(given, section=with_shear_stiffness(given.section, material, card))
    if not (material.youngs_modulus > 0.0 and material.poisson_ratio > -1.0):
        deck.unread.card(card, f"the material {material.name} has no stiffness")
        return given
    shear = material.youngs_modulus / (2.0 * (1.0 + material.poisson_ratio))
    place, stiffnesses = rows[0]
    if len(stiffnesses) > 1 and stiffnesses[1] not in (0.0, stiffnesses[0]):
        deck.unread.note(
            place, f"the second stiffness of {card.title}: the first one counts in both directions"
        )
    factor = stiffnesses[0] / (shear * given.section.area)
    return replace(given, section=replace(given.section, shear_factor=factor))


def _wanted_section(kind: str) -> tuple[type, str, str]:
    """Return the type of section that an element kind needs, and names of kind and card for messages."""
    member = element_kinds[kind]
    if member.is_shell:
        return ShellSection, "shell", "*SHELL SECTION"
    if member.rotations:
        return BeamSection, "beam", "*BEAM SECTION"
    return type(None), "solid", "*SOLID SECTION"


def build_blocks(
    mesh: DeckMesh, properties: list[Property], chosen: np.ndarray
) -> tuple[tuple[ElementBlock, ...], np.ndarray]:
    """Return the blocks, and (n_elements,) the running position in them of each element, in the order of reading.

    Elements of one type and one property form a block; blocks are in the order of first appearance.

    Raises:
        ReadError: for an element with a section of the wrong kind, such as a beam with a solid section.
    """
    groups: dict[tuple, list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {}
    sections: dict[tuple, Section | None] = {}
    for run in mesh.elements:
        own = chosen[run.first : run.first + len(run.ids)]
        _, begins = np.unique(own, return_index=True)
        for at in np.sort(begins):
            inside = np.flatnonzero(own == own[at])
            given = properties[own[at]] if own[at] >= 0 else None
            wanted, what, title = _wanted_section(run.kind)
            if given is not None and not isinstance(given.section, wanted):
                raise given.place.error(
                    f"element {run.ids[inside[0]]} is a {what} ({run.label}), expected {title} for it.",
                    "Use the card that belongs to the element type.",
                )
            section = given.section if given else None
            numbers = tuple(vars(section).values()) if section else None
            orientation, layers = (given.orientation, given.layers) if given else (None, ())
            key = (run.kind, run.label, given.material if given else "", numbers, orientation, layers)
            sections.setdefault(key, section)
            groups.setdefault(key, []).append(
                (mesh.element_ids[run.first + inside], run.connectivity[inside], run.first + inside)
            )
    blocks, order = [], []
    for key, parts in groups.items():
        kind, label, material, _, orientation, layers = key
        ids, connectivity, read = (np.concatenate(column) for column in zip(*parts, strict=True))
        directions = material_directions(orientation, kind, mesh.nodes[connectivity], read)
        block = ElementBlock(kind, label, ids, connectivity, material, sections[key], directions)
        for rows, part in _with_angles(block, layers, mesh.nodes, read):
            blocks.append(part)
            order.append(read[rows])
    positions = np.empty(len(mesh.element_ids), np.int64)
    positions[np.concatenate([np.zeros(0, np.int64), *order])] = np.arange(len(positions))
    return tuple(blocks), positions


def _with_angles(
    block: ElementBlock, layers: tuple[Directions | float, ...], nodes: np.ndarray, read: np.ndarray
) -> Iterator[tuple[np.ndarray, ElementBlock]]:
    """Yield rows and block of elements with equal ply angles; the whole block if it has no plies."""
    section = block.section
    if not layers or not isinstance(section, ShellSection):
        yield np.arange(len(block.ids)), block
        return
    angles = ply_angles(layers, block.directions, block.element, nodes[block.connectivity], read)
    steps = np.rint(angles / _ANGLE_STEP).astype(np.int64)
    _, first, group = np.unique(steps, axis=0, return_index=True, return_inverse=True)
    for number, at in enumerate(first):
        rows = np.flatnonzero(group.ravel() == number)
        plies = tuple(
            replace(ply, angle=float(angle)) for ply, angle in zip(section.plies, angles[at], strict=True)
        )
        yield rows, replace(block.chosen(rows), section=replace(section, plies=plies))
