"""Elements of an Ansys coded database as element blocks; degenerate bricks become wedges, pyramids or tetrahedra."""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from faying.errors import ReadError
from faying.fem.elements import element_kinds
from faying.fem.laminates import laminate_material
from faying.fem.model import ElementBlock, Material, Ply, Section, ShellSection
from faying.fem.readers._ansys_blocks import AnsysFile
from faying.fem.readers._ansys_directions import ElementSystems
from faying.fem.readers._text_files import FileLine
from faying.fem.whole_numbers import whole_number

# By the number of Ansys' element, older ones included: nodes of bricks, tetrahedra and shells.
_BRICKS = {185: 8, 45: 8, 64: 8, 186: 20, 95: 20}
_TETRAHEDRA = {187: 10, 92: 10, 285: 4}
_SHELLS = {181: 4, 63: 4, 43: 4, 281: 8, 93: 8}
_SHELLS_OF_CONSTANTS = (63, 43, 93)  # have no sections
CONTACT = {173: 4, 174: 8, 170: 8, 154: 8, 175: 1}  # lie on the faces of solids
# Positions of the corners in a degenerate brick, then those of its midside nodes.
_DEGENERATE = {
    "tet": ([0, 1, 2, 4], [8, 9, 11, 16, 17, 18]),
    "pyramid": ([0, 1, 2, 3, 4], [8, 9, 10, 11, 16, 17, 18, 19]),
    "wedge": ([0, 1, 2, 4, 5, 6], [8, 9, 11, 12, 13, 15, 16, 17, 18]),
    "hex": (list(range(8)), list(range(8, 20))),
}
_KINDS = {
    "tet": ("tet4", "tet10"), "pyramid": ("pyramid5", "pyramid13"), "wedge": ("wedge6", "wedge15"),
    "hex": ("hex8", "hex20_reduced"),
}  # fmt: skip


@dataclass(frozen=True)
class ElementType:
    """An element type from ET and KEYOPT: Ansys element number and options."""

    element: int
    options: dict[int, int]


def element_types(file: AnsysFile) -> dict[int, ElementType]:
    """Return the element types by number.

    Raises:
        ReadError: for an ET without numbers.
    """
    found: dict[int, ElementType] = {}
    for place, words in file.commands:
        try:
            if words[0] == "ET":
                name = words[2].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
                found[whole_number(words[1])] = ElementType(whole_number(name), {})
            elif words[0] in ("KEYOPT", "KEYOP") and len(words) > 3 and whole_number(words[1]) in found:
                found[whole_number(words[1])].options[whole_number(words[2])] = whole_number(words[3] or "0")
        except (ValueError, IndexError) as error:
            raise place.error(f"{words[0]} is not as expected ({error}).", "Mend this line.") from error
    return found


@dataclass(frozen=True)
class _LayeredShell:
    """A shell section, its layers from the bottom (material 0: that of the elements), and its place in the file."""

    section: ShellSection
    layers: list["_Layer"]
    place: FileLine

    def with_material(
        self, number: int, of_element: int, materials: dict[int, Material]
    ) -> tuple[ShellSection, Material | None]:
        """Return this section, and its material, for elements with a given material.

        Layers of one isotropic material are merged into one.

        Raises:
            ReadError: for layers of missing materials.
        """
        numbers = {layer.material or of_element for layer in self.layers}
        if len(numbers) == 1:
            material = materials.get(numbers.pop())
            if material is None or material.kind == "isotropic":
                return self.section, material
        missing = sorted(each for each in numbers if each not in materials)
        if missing:
            raise self.place.error(
                f"section {number} has a layer of the material {missing[0]}, which is not there.",
                "Write the file again with all materials (MP).",
            )
        plies = tuple(
            Ply(materials[layer.material or of_element], layer.thickness, float(np.radians(layer.angle)))
            for layer in self.layers
        )
        which = f" of material {of_element}" if any(not layer.material for layer in self.layers) else ""
        return replace(self.section, plies=plies), laminate_material(f"SECTION {number}{which}", plies)


class _Layer(NamedTuple):
    """A layer of a shell section; the angle is in degrees."""

    thickness: float
    material: int
    angle: float


def shell_sections(file: AnsysFile) -> tuple[dict[int, _LayeredShell], list[tuple[int, str]]]:
    """Return the shell sections by number (SECTYPE, SECDATA or SECBLOCK, SECOFFSET), and the unread input.

    Raises:
        ReadError: for text instead of a thickness, a material or an angle.
    """
    layers: dict[int, list[_Layer]] = {}
    begun: dict[int, FileLine] = {}
    places: dict[int, str] = {}
    notes: list[tuple[int, str]] = []
    current = 0
    for at, (place, words) in enumerate(file.commands):
        if words[0] == "SECTYPE":
            current = _number(words[1], place) if len(words) > 2 and words[2].startswith("SHEL") else 0
            begun[current] = place
        elif current and words[0] == "SECDATA" and len(words) > 1:
            layers.setdefault(current, []).append(_layer(words[1:], place))
        elif current and words[0] == "SECBLOCK":
            # One line per layer follows, with thickness, material, angle, integration points.
            count = _number(words[1], place) if len(words) > 1 else 1
            for line, fields in file.commands[at + 1 : at + 1 + count]:
                apart = fields if len(fields) > 1 else fields[0].split()
                layers.setdefault(current, []).append(_layer(apart or [""], line))
        elif current and words[0] == "SECOFFSET" and len(words) > 1:
            places[current] = words[1]
            if words[1] not in ("MID", "TOP", "BOT", ""):
                notes.append((place.line, f"{','.join(words)}: the nodes are taken to lie in the middle"))
    # The nodes lie on top (TOP), on the bottom (BOT) or in the middle (MID).
    shares = {number: {"TOP": -0.5, "BOT": 0.5}.get(place, 0.0) for number, place in places.items()}
    found = {}
    for number, own in layers.items():
        thickness = sum(layer.thickness for layer in own)
        section = ShellSection(thickness, shares.get(number, 0.0) * thickness)
        found[number] = _LayeredShell(section, own, begun[number])
    return found, notes


def _layer(words: list[str], place: FileLine) -> _Layer:
    """Return a layer; an omitted material is 0; a material may be written as 2.0."""
    material = re.sub(r"\.0*$", "", words[1]) if len(words) > 1 else ""
    angle = _real(words[2], place, "an angle") if len(words) > 2 and words[2] else 0.0
    return _Layer(_real(words[0], place), _number(material or "0", place), angle)


def shells_of_constants(
    constants: dict[int, list[float]],
) -> tuple[dict[int, ShellSection], list[tuple[int, str]]]:
    """Return the sections of older shells by number of their real constants, and the unread input.

    The first four constants are the thicknesses at the corners; omitted or zero ones equal the first. Differing
    thicknesses are replaced by their mean.

    Args:
        constants: constants of the sets used by shells.
    """
    found: dict[int, ShellSection] = {}
    notes: list[tuple[int, str]] = []
    for number, values in constants.items():
        corners = [value or values[0] for value in values[:4]]
        if not corners or not corners[0]:
            continue
        if len(set(corners)) > 1:
            notes.append(
                (1, f"real constants {number}: the shells have the mean of their corners' thicknesses")
            )
        if any(values[4:]):
            notes.append((1, f"real constants {number} beyond the thickness of shells"))
        found[number] = ShellSection(float(np.mean(corners)))
    return found, notes


def _number(word: str, place: FileLine) -> int:
    try:
        return whole_number(word)
    except ValueError as error:
        raise place.error(f"{error} (a section).", "Mend this line.") from None


def _real(word: str, place: FileLine, what: str = "a thickness") -> float:
    try:
        return float(word)
    except ValueError as error:
        raise place.error(f"found {word!r}, expected {what}.", "Mend this line.") from error


@dataclass(frozen=True)
class _Found:
    kind: str
    nodes: list[int]


def read_blocks(
    file: AnsysFile,
    types: dict[int, ElementType],
    materials: dict[int, Material],
    constants: dict[int, list[float]],
    find: dict[int, int],
) -> tuple[
    tuple[ElementBlock, ...],
    dict[str, list[list[int]]],
    dict[int, int],
    list[tuple[int, int]],
    list[tuple[int, str]],
    dict[str, Material],
]:
    """Return the element blocks, and data of contact, surface and mass elements.

    Args:
        file: blocks and commands.
        types: by number.
        materials: by number.
        constants: real constants by number of their set.
        find: gives the row of each node number.

    Returns:
        Blocks; corners (node rows) of contact and surface elements by name; number of omitted elements by Ansys
        element; (node row, real constant set) of point masses; (line, text) of unread input of shell sections; all
        materials by name, including equivalent ones of laminates.

    Raises:
        ReadError: for an element with too few or missing nodes, and for missing layers or coordinate systems.
    """
    sections, notes = shell_sections(file)
    without = {
        real
        for _, kind, real, section, *_ in file.elements
        if kind in types and types[kind].element in _SHELLS
        and (types[kind].element in _SHELLS_OF_CONSTANTS or section not in sections)
    }  # fmt: skip
    of_constants, more = shells_of_constants(
        {number: constants[number] for number in constants if number in without}
    )
    notes += more
    groups: dict[tuple[str, str, Section | None, int, int], list[tuple[int, list[int]]]] = {}
    named = {material.name: material for material in materials.values()}
    layered: dict[tuple[int, int], tuple[ShellSection, Material | None]] = {}
    systems = ElementSystems(file)
    facets: dict[str, list[list[int]]] = {}
    left_out: dict[int, int] = {}
    masses: list[tuple[int, int]] = []
    for system, (material, kind, real, section, number, *nodes) in zip(
        file.systems, file.elements, strict=True
    ):
        known = types.get(kind)
        element = known.element if known is not None else 0
        missing = [node for node in nodes if node and node not in find]
        if missing:
            raise ReadError(
                file.path, None, f"element {number} uses node {missing[0]}, which does not exist.",
                "Write the file again.",
            )  # fmt: skip
        rows = [find[node] if node else -1 for node in nodes]
        if element in CONTACT and element != 175:
            name = "TARGET" if element == 170 else "CONTACT" if element in (173, 174) else "SURFACE"
            # A target of six nodes is a triangle with midside nodes.
            corners = list(dict.fromkeys(rows[: 3 if element == 170 and len(rows) == 6 else 4]))
            if len(corners) > 2 and min(corners) >= 0:
                facets.setdefault(f"{name} {real}", []).append(corners)
            continue
        if element == 21 and rows and rows[0] >= 0:
            masses.append((rows[0], real))
            continue
        found = _element(element, rows, known.options if known is not None else {})
        if found is None:
            left_out[element] = left_out.get(element, 0) + 1
            continue
        n_nodes = element_kinds[found.kind].n_nodes if found.kind in element_kinds else 0
        if not n_nodes or len(found.nodes) != n_nodes or min(found.nodes) < 0:
            raise ReadError(
                file.path,
                None,
                f"element {number} of type {element} has too few nodes.",
                "Write the file again.",
            )
        shell, stuff = None, materials.get(material)
        if found.kind.startswith("shell"):
            shell = of_constants.get(real)
            if element not in _SHELLS_OF_CONSTANTS and section in sections:
                if (section, material) not in layered:
                    layered[section, material] = sections[section].with_material(section, material, materials)
                shell, stuff = layered[section, material]
        if stuff is not None:
            named.setdefault(stuff.name, stuff)
        key = found.kind, stuff.name if stuff is not None else "", shell, section, system
        groups.setdefault(key, []).append((number, found.nodes))
    blocks = []
    for (made, name, of_shell, _, own_system), own in groups.items():
        ids = np.array([number for number, _ in own], np.int64)
        connectivity = np.array([nodes for _, nodes in own], np.int64)
        turned = name in named and (named[name].kind != "isotropic" or bool(named[name].expansions))
        axes = systems.directions(file, own_system, made, file.nodes[connectivity]) if turned else None
        label = element_kinds[made].labels[0]
        blocks.append(ElementBlock(made, label, ids, connectivity, name, of_shell, axes))
    return tuple(blocks), facets, left_out, masses, notes, named


def _element(element: int, rows: list[int], options: dict[int, int]) -> _Found | None:
    if element in _TETRAHEDRA:
        whole = len(rows) >= 10 and min(rows[:10]) >= 0
        return _Found("tet10", rows[:10]) if whole else _Found("tet4", rows[:4])
    if element in _BRICKS:
        return _brick(element, rows, options)
    if element in _SHELLS:
        corners = list(dict.fromkeys(rows[:4]))
        middle = rows[4:8]
        quadratic = len(middle) == 4 and min(middle) >= 0
        if len(corners) == 3 and quadratic:
            # The third side has zero length: its midside node is the corner.
            return _Found("shell6", [*corners, middle[0], middle[1], middle[3]])
        if quadratic:
            return _Found("shell8", [*corners, *middle])
        return _Found(f"shell{len(corners)}", corners)
    return None


def _brick(element: int, rows: list[int], options: dict[int, int]) -> _Found:
    corners = rows[:8]
    if len(corners) < 8:
        return _Found("hex8", corners)
    shape = {4: "tet", 5: "pyramid", 6: "wedge"}.get(len(set(corners)), "hex")
    own, between = _DEGENERATE[shape]
    nodes = [corners[i] for i in own]
    middle = [rows[i] for i in between] if len(rows) >= 20 else []
    linear, quadratic = _KINDS[shape]
    if middle and min(middle) >= 0:
        if shape == "hex" and options.get(2, 0) == 1:
            quadratic = "hex20"  # fully integrated
        return _Found(quadratic, nodes + middle)
    if shape == "hex" and element in (185, 45):
        # Enhanced strains, simplified or full; SOLID45 has extra shapes unless they are suppressed.
        softer = options.get(2, 0) in (2, 3) if element == 185 else options.get(1, 0) == 0
        linear = "hex8_incompatible" if softer else "hex8"
    return _Found(linear, nodes)
