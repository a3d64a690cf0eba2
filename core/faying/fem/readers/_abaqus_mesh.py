"""`*NODE`, `*ELEMENT` and `*SYSTEM` cards to arrays."""

import re

import numpy as np

from faying.fem.elements import ElementKind, element_kinds
from faying.fem.readers._abaqus_cards import Card, fields_of_line
from faying.fem.readers._abaqus_numbers import as_integers, bulk_numbers, integer, is_integer, real, reals
from faying.fem.readers._text_files import FileLine

_SHAPES = {  # by the number of nodes
    "4": "tet4", "5": "pyramid5", "6": "wedge6", "8": "hex8", "10": "tet10", "15": "wedge15", "20": "hex20"
}  # fmt: skip
MASS_ELEMENTS = ("MASS", "ROTARYI")
COUPLING_ELEMENTS = ("DCOUP3D",)
# Springs, dashpots and trusses, with the number of their nodes.
LINE_ELEMENTS = {
    "SPRINGA": 2, "SPRING1": 1, "SPRING2": 2, "DASHPOTA": 2, "DASHPOT1": 1, "DASHPOT2": 2, "T3D2": 2,
}  # fmt: skip
POINT_ELEMENTS = (*MASS_ELEMENTS, *COUPLING_ELEMENTS, *LINE_ELEMENTS)  # read by separate modules
# Elements that connect nodes without being part of the body, and elements that only represent a surface.
_LEFT_OUT = (
    "SPRING",
    "DASHPOT",
    "GAP",
    "CONN",
    "JOINT",
    "SFM3D",
    "DCOUP2D",
    "DISTCOUP",
    "ITS",
    "R3D",
    "RB3D",
    # Elements that mesh programs write for the faces and edges of a body.
    "CPS",
    "CPE",
    "M3D",
    "T2D",
    "T3D",
    "B2",
)
# The triangles and quadrilaterals among these, with their numbers of nodes.
_FLAT = re.compile(r"(?:CPS|CPE|M3D|R3D|SFM3D)([34689])")
_NO_BODIES = {
    "CAX": "axisymmetric", "CGAX": "axisymmetric", "SAX": "axisymmetric", "MAX": "axisymmetric",
    "F3D": "of a fluid", "AC": "acoustic", "DC": "thermal", "COH": "cohesive",
}  # fmt: skip
Frame = tuple[np.ndarray, np.ndarray]  # origin (3,), rows are the axes (3, 3)


def read_nodes(card: Card) -> tuple[np.ndarray, np.ndarray, list[FileLine]]:
    """Return numbers (n,), coordinates (n, 3) and the places of lines with additional fields (nodal normals).

    Blank or missing coordinates are zero, as in Abaqus; cylindrical and spherical ones (SYSTEM=) are
    turned into Cartesian ones.

    Raises:
        ReadError: for text instead of a number, a wrong node number, or a truncated line.
    """
    lines = card.lines
    if not lines:
        return np.zeros(0, np.int64), np.zeros((0, 3)), []
    longer: list[FileLine] = []
    table = None
    if all(line.count(",") == 3 for line in lines):
        numbers = bulk_numbers(lines)
        table = None if numbers is None else numbers.reshape(-1, 4)
    ids = None if table is None else as_integers(table[:, 0])
    if table is None or ids is None or ids.min() < 1:
        ids, coordinates, longer = _read_nodes_by_line(card)
    else:
        coordinates = table[:, 1:].copy()
    return ids, _cartesian(card, coordinates), longer


def _read_nodes_by_line(card: Card) -> tuple[np.ndarray, np.ndarray, list[FileLine]]:
    ids, coordinates, longer = [], [], []
    previous = 0
    for place, line in card.places():
        fields = line.split(",")
        ids.append(_number(fields[0].strip(), place, "a node number"))
        coordinates.append([real(f.strip(), place, "a coordinate") for f in [*fields[1:4], "", "", ""][:3]])
        if any(f.strip() for f in fields[4:]):
            longer.append(place)
        last, previous = previous, len(fields)
    if card.last_of_file and len(ids) > 1 and previous < min(last, 4):
        raise place.error(
            f"the line ends after {len(fields)} of its fields number, x, y, z; the deck seems to be cut off here.",
            "Write the deck again.",
        )
    return np.array(ids), np.array(coordinates), longer


def _cartesian(card: Card, coordinates: np.ndarray) -> np.ndarray:
    system = card.name("SYSTEM") or "R"
    if system == "R":
        return coordinates
    if system not in ("C", "S"):
        raise card.error(f"found SYSTEM={system}, expected R, C or S.", "Mend this line.")
    radius, first = coordinates[:, 0], np.radians(coordinates[:, 1])
    if system == "C":
        return np.stack([radius * np.cos(first), radius * np.sin(first), coordinates[:, 2]], axis=1)
    second = np.radians(coordinates[:, 2])
    return np.stack(
        [
            radius * np.cos(first) * np.cos(second),
            radius * np.sin(first) * np.cos(second),
            radius * np.sin(second),
        ],
        axis=1,
    )


def read_system(card: Card) -> Frame | None:
    """Return the frame for the nodes that follow a `*SYSTEM` card; None for the global one.

    Raises:
        ReadError: when its points do not define a frame.
    """
    rows = reals(card, "a coordinate")
    if not rows:
        return None
    numbers = np.array([value for _, row in rows for value in row])
    if len(numbers) == 3:
        return numbers, np.eye(3)
    if len(numbers) < 6:
        raise card.error("expected the coordinates of two or three points.", "Mend the lines below *SYSTEM.")
    origin, on_x = numbers[:3], numbers[3:6]
    # Without a third point the global z axis stays.
    third = (
        numbers[6:9] - origin
        if len(numbers) >= 9
        else np.array([-on_x[1] + origin[1], on_x[0] - origin[0], 0])
    )
    x_axis = on_x - origin
    z_axis = np.cross(x_axis, third)
    if not np.linalg.norm(z_axis) > 1e-12 * np.linalg.norm(x_axis) * np.linalg.norm(third):
        raise card.error("its points lie on one line, expected three that span a plane.", "Mend the points.")
    axes = np.stack([x_axis, np.cross(z_axis, x_axis), z_axis])
    return origin, axes / np.linalg.norm(axes, axis=1)[:, None]


def element_kind(card: Card, outlines: bool = False) -> tuple[str, type[ElementKind], str] | None:
    """Return (kind, class, label) of an `*ELEMENT` card; None for elements that are left out.

    Args:
        card: the card.
        outlines: accept unsupported types: return a kind of the same shape, or None if there is none.

    Raises:
        ReadError: for an unsupported type.
    """
    label = card.needed("TYPE")
    for kind, member in element_kinds.items():
        if label in member.labels:
            return kind, member, label
    if label in POINT_ELEMENTS or label == "D" or label.startswith(_LEFT_OUT):
        return None  # D: CalculiX' networks of flowing fluids
    if outlines:
        # Hybrid, thermal, modified, … variants have the nodes of the basic element.
        shape = re.fullmatch(r"C3D(\d+)[A-Z]*", label)
        kind = _SHAPES.get(shape[1], "") if shape else ""
        return (kind, element_kinds[kind], label) if kind else None
    why = next((words for start, words in _NO_BODIES.items() if label.startswith(start)), "")
    if why:
        raise card.error(
            f"elements of type {label!r} are {why}; bodies are three-dimensional solids, shells and beams here.",
            "Model the part in three dimensions, or remove the elements from the deck.",
        )
    known = ", ".join(sorted(label for _, member in element_kinds.items() for label in member.labels))
    raise card.error(
        f"elements of type {label!r} are not known here, expected one of {known}.",
        "Mesh this part with one of these types, remove the elements from the deck, or import stiffness and mass of "
        "the program that knows them.",
    )


def flat_nodes(label: str) -> int:
    """Return the number of nodes of a type of triangles or quadrilaterals without thickness; 0 for others."""
    found = _FLAT.match(label)
    return int(found[1]) if found else 0


def numbers_of_unknown(card: Card) -> np.ndarray:
    """Return (n,) element numbers of a card of unknown type: first fields of lines that are not continuations."""
    numbers, goes_on = [], False
    for place, line in card.places():
        fields = fields_of_line(line)
        if fields and not goes_on and is_integer(fields[0]):
            numbers.append(integer(fields[0], place, "an element number"))
        goes_on = line.rstrip().endswith(",")
    return np.array(numbers, np.int64)


def read_elements(card: Card, n_nodes: int) -> tuple[np.ndarray, np.ndarray, list[FileLine]]:
    """Return numbers (n,), node numbers (n, n_nodes), and the places of lines with surplus numbers, of a card.

    Further fields after the last node of an element are ignored, as in CalculiX.

    Raises:
        ReadError: for text instead of a number, or a wrong number of nodes.
    """
    lines = card.lines
    if not lines:
        return np.zeros(0, np.int64), np.zeros((0, n_nodes), np.int64), []
    length = n_nodes + 1
    if all(line.count(",") == n_nodes for line in lines) and not lines[0].rstrip().endswith(","):
        # One element a line.
        numbers = bulk_numbers(lines)
    else:
        # Long ones continue in the next line; every element must begin on a new line.
        lines = [line.rstrip(", \t") for line in lines]
        ends = np.cumsum([line.count(",") + 1 for line in lines])
        starts_well = ends[-1] % length == 0 and np.isin(np.arange(length, ends[-1], length), ends).all()
        numbers = bulk_numbers(lines) if starts_well else None
    table = None if numbers is None else as_integers(numbers)
    if table is None or len(table) % length or table.min() < 1:
        return _read_elements_by_line(card, n_nodes)
    table = table.reshape(-1, length)
    return table[:, 0].copy(), table[:, 1:].copy(), []


def _read_elements_by_line(card: Card, n_nodes: int) -> tuple[np.ndarray, np.ndarray, list[FileLine]]:
    rows: list[list[int]] = []
    longer: list[FileLine] = []
    start, goes_on = card.place, False
    row: list[int] = []
    for place, line in card.places():
        if row and len(row) <= n_nodes and not goes_on:
            raise _wrong_count(start, row, n_nodes, "")
        if not row or len(row) > n_nodes:
            start, row = place, []
            rows.append(row)
        fields = fields_of_line(line) or [""]
        row += [
            _number(f, place, "a node number" if row or i else "an element number")
            for i, f in enumerate(fields)
        ]
        goes_on = line.rstrip().endswith(",")
        if len(row) > n_nodes + 1:
            longer.append(place)
            del row[n_nodes + 1 :]
            goes_on = False
    if len(row) <= n_nodes:
        end = " the deck seems to be cut off here;" if card.last_of_file else ""
        raise _wrong_count(start, row, n_nodes, end)
    table = np.array(rows, np.int64)
    return table[:, 0].copy(), table[:, 1:].copy(), longer


def _wrong_count(place: FileLine, row: list[int], n_nodes: int, remark: str) -> Exception:
    return place.error(
        f"element {row[0]} has {len(row) - 1} nodes,{remark} expected {n_nodes}.",
        "Mend the line, or write the deck again.",
    )


def _number(text: str, place: FileLine, what: str) -> int:
    value = integer(text, place, what)
    if value < 1:
        raise place.error(f"found {value}, expected {what}: these begin at 1.", "Mend this line.")
    return value


def place_of_number(cards: list[Card], number: int, occurrence: int = 1) -> FileLine | None:
    """Return the line whose first field is the given number, for error messages; None if there is none.

    Args:
        cards: cards to search, in order.
        number: of a node or element.
        occurrence: 1 for the first such line, 2 for the second, …
    """
    for card in cards:
        goes_on = False
        for place, line in card.places():
            begins, goes_on = not goes_on, line.rstrip().endswith(",")
            if begins and fields_of_line(line)[:1] == [str(number)]:
                occurrence -= 1
                if not occurrence:
                    return place
    return None
