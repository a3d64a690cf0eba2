"""Nodes and elements that a deck generates: `*NGEN`, `*NFILL`, `*NCOPY`, `*ELGEN`, `*ELCOPY`.

Each is replaced by equivalent `*NODE` or `*ELEMENT` cards, so that later stages need not know about generation (Abaqus
Keywords Guide; only sets defined before are available).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from faying.errors import ReadError
from faying.fem.elements import element_kinds
from faying.fem.mirrored_elements import mirrored_order
from faying.fem.readers._abaqus_cards import Card, as_name, fields_of_line
from faying.fem.readers._abaqus_mesh import Frame, element_kind, read_elements, read_nodes, read_system
from faying.fem.readers._abaqus_numbers import integer, is_integer, real, reals
from faying.fem.readers._abaqus_scopes import Deck, rotation_about
from faying.fem.readers._text_files import FileLine

GENERATING = ("NGEN", "NFILL", "NCOPY", "ELGEN", "ELCOPY")
_LARGEST = (
    50_000_000  # nodes or elements per line: a limit so that a misplaced number does not exhaust memory
)
# Parameters that change the positions of nodes: ignoring them would give a different mesh.
_REFUSED = {"NFILL": ("SINGULAR",), "NGEN": (), "NCOPY": (), "ELGEN": (), "ELCOPY": ()}


@dataclass
class GeneratedElements(Card):
    """A generated `*ELEMENT` card; `masters` are the numbers of the copied elements."""

    masters: list[int] = field(default_factory=list)


def generate(deck: Deck) -> None:
    """Replace generating cards of a deck by the generated cards, scope by scope.

    Raises:
        ReadError: see `with_generated`.
    """
    for scope in deck.scopes:
        scope.cards = with_generated(scope.cards)


def with_generated(cards: list[Card]) -> list[Card]:
    """Return the cards of a scope with generating cards replaced by the generated ones.

    Raises:
        ReadError: for missing nodes, elements or sets, inconsistent numbers, or unsupported options.
    """
    if not any(card.keyword in GENERATING for card in cards):
        return cards
    known, made = _Known(), list[Card]()
    for card in cards:
        if card.keyword not in GENERATING:
            known.add(card)
            made.append(card)
            continue
        for name in _REFUSED[card.keyword]:
            if name in card.parameters:
                raise card.error(
                    f"{card.title} with {name} is not known here, and the mesh would be another one without it.",
                    "Write the nodes out.",
                )
        new = {"NGEN": _ngen, "NFILL": _nfill, "NCOPY": _ncopy, "ELGEN": _elgen, "ELCOPY": _elcopy}[
            card.keyword
        ](known, card)
        for each in new:
            known.add(each)
        made += new
    return made


class _Known:
    """Nodes, elements and sets defined by the cards so far."""

    def __init__(self) -> None:
        self.nodes: dict[int, np.ndarray] = {}
        self.elements: dict[int, tuple[str, str, list[int]]] = {}  # type, kind, nodes
        self.sets: dict[tuple[str, str], list[int]] = {}  # by NSET or ELSET, and name
        self.system: Card | None = None
        self.frame: Frame | None = None

    def add(self, card: Card) -> None:
        """Record the definitions of a card."""
        if card.keyword == "SYSTEM":
            self.system, self.frame = card, read_system(card)
        elif card.keyword == "NODE":
            ids, points, _ = read_nodes(card)
            if self.frame is not None:
                points = points @ self.frame[1] + self.frame[0]
            self.nodes.update(zip(ids.tolist(), points, strict=True))
            self._extend("NSET", card.name("NSET"), ids.tolist())
        elif card.keyword == "ELEMENT":
            self._add_elements(card)
        elif card.keyword in ("NSET", "ELSET") and "INSTANCE" not in card.parameters:
            self._extend(card.keyword, card.name(card.keyword), self._listed(card), card)

    def _add_elements(self, card: Card) -> None:
        label = card.needed("TYPE")
        try:
            found = element_kind(card, outlines=True)
        except ReadError:  # reported when the mesh is read
            return
        if found is None:
            lines = [fields_of_line(line) for line in card.lines]
            rows = [[int(text) for text in fields if is_integer(text)] for fields in lines]
            table = [(row[0], row[1:]) for row in rows if row]
        else:
            ids, connectivity, _ = read_elements(card, found[1].n_nodes)
            table = list(zip(ids.tolist(), connectivity.tolist(), strict=True))
        kind = found[0] if found else ""
        self.elements.update({number: (label, kind, nodes) for number, nodes in table})
        self._extend("ELSET", card.name("ELSET"), [number for number, _ in table])

    def _extend(self, what: str, name: str, members: Iterable[int], card: Card | None = None) -> None:
        if not name:
            return
        own = self.sets.setdefault((what, name), [])
        there = set(own)
        own += [number for number in dict.fromkeys(members) if number not in there]
        if card is None or "UNSORTED" not in card.parameters:
            own.sort()

    def _listed(self, card: Card) -> list[int]:
        if card.keyword == "NSET" and card.name("ELSET"):
            chosen = self.members("ELSET", card.name("ELSET"), card.place)
            return sorted({node for number in chosen for node in self.elements[number][2]})
        found: list[int] = []
        for place, fields in card.rows():
            if "GENERATE" in card.parameters and any(fields):
                first, last, step = [
                    *(integer(text, place, "first, last, step of a range") for text in fields), 1,
                ][:3]  # fmt: skip
                there = self.nodes if card.keyword == "NSET" else self.elements
                found += [number for number in range(first, last + 1, max(step, 1)) if number in there]
                continue
            for text in fields:
                # Later sets, and sets of instances, are not available yet.
                if text and (is_integer(text) or (card.keyword, as_name(text)) in self.sets):
                    found += self.members(card.keyword, text, place)
        return found

    def members(self, what: str, text: str, place: FileLine) -> list[int]:
        """Return the numbers meant by a word: a number, or a set defined before.

        Raises:
            ReadError: when the set is unknown.
        """
        if is_integer(text):
            return [int(text)]
        if (what, as_name(text)) not in self.sets:
            word = "node" if what == "NSET" else "element"
            raise place.error(
                f"there is no {word} set {as_name(text) or 'without a name'} before this line.", "Define it."
            )
        return self.sets[what, as_name(text)]

    def point(self, number: int, place: FileLine) -> np.ndarray:
        """Return (3,) the coordinates of a node.

        Raises:
            ReadError: when it is not there.
        """
        if number not in self.nodes:
            raise place.error(f"node {number} does not exist before this line.", "Define it first.")
        return self.nodes[number]

    def node_cards(
        self, card: Card, made: list[tuple[FileLine, int, np.ndarray]], also: list[int], set_name: str
    ) -> list[Card]:
        """Return the cards of new nodes, in global coordinates, and of the set with them and other nodes."""
        new, segments = list[int](), []
        for place, number, point in made:
            if number in self.nodes and np.allclose(self.nodes[number], point):
                also.append(number)
                continue
            new.append(number)
            text = f"{number}, {', '.join(repr(float(x)) for x in point)}"
            segments.append((place.path, place.line, [text]))
        parameters = {"NSET": set_name} if set_name else {}
        cards = [Card("NODE", card.title, parameters, card.place, card.text, segments)] if new else []
        if self.frame is not None and self.system is not None and cards:
            cards = [Card("SYSTEM", "*SYSTEM", {}, card.place, "*SYSTEM"), *cards, self.system]
        if set_name and also:
            listed = [(card.place.path, card.place.line, [str(number)]) for number in dict.fromkeys(also)]
            cards.append(Card("NSET", card.title, {"NSET": set_name}, card.place, card.text, listed))
        return cards

    def element_card(
        self, card: Card, made: list[tuple[FileLine, int, int, list[int]]], set_name: str
    ) -> list[Card]:
        """Return the cards of new elements (place, number, number of the master, nodes), one for each type."""
        cards: dict[str, GeneratedElements] = {}
        for place, number, master, nodes in made:
            label = self.elements[master][0]
            if label not in cards:
                parameters = {"TYPE": label, **({"ELSET": set_name} if set_name else {})}
                cards[label] = GeneratedElements("ELEMENT", card.title, parameters, card.place, card.text)
            own = cards[label]
            own.masters.append(master)
            words = [str(number), *map(str, nodes)]
            # At most sixteen numbers per line; a comma at the end continues the element.
            lines = [", ".join(words[i : i + 16]) for i in range(0, len(words), 16)]
            own.segments.append((place.path, place.line, [*(f"{line}," for line in lines[:-1]), lines[-1]]))
        return list(cards.values())


def _counted(place: FileLine, count: int, what: str) -> int:
    if not 1 <= count <= _LARGEST:
        raise place.error(f"found {count}, expected {what}.", "Mend this line.")
    return count


def _integers(place: FileLine, fields: list[str], count: int, what: str, blank: int = 1) -> list[int]:
    texts = [*fields, *[""] * count][:count]
    return [integer(text, place, what) if text else blank for text in texts]


def _ngen(known: _Known, card: Card) -> list[Card]:
    """Nodes between two ends: on a line, a parabola through an extra point, or a circle about one."""
    shape = card.name("LINE")
    if shape not in ("", "P", "C"):
        raise card.error(f"found LINE={shape}, expected P, C or none.", "Mend this line.")
    made, ends = list[tuple[FileLine, int, np.ndarray]](), list[int]()
    for place, fields in card.rows():
        if not any(fields):
            continue
        first, last, step = _integers(place, fields, 3, "the numbers of both ends and the increment")
        if not step or (last - first) % step or (last - first) // step < 1:
            raise place.error(
                f"the increment {step} does not lead from node {first} to node {last}.", "Mend this line."
            )
        count = _counted(place, (last - first) // step, "a number of nodes between the ends")
        start, end = (known.point(number, place) for number in (first, last))
        share = np.arange(1, count)[:, None] / count
        if shape:
            path = _arc if shape == "C" else _parabola
            points = path(place, start, end, *_extra_point(known, card, place, fields), share)
        else:
            points = start + share * (end - start)
        ends += [first, last]
        made += [(place, first + step * k, point) for k, point in enumerate(points, 1)]
    return known.node_cards(card, made, ends, card.name("NSET"))


def _extra_point(
    known: _Known, card: Card, place: FileLine, fields: list[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the extra point of a curved line, and the normal of its plane; zero without one."""
    numbers = np.array([real(text, place, "a coordinate") for text in [*fields[4:10], *[""] * 6][:6]])
    if len(fields) > 3 and fields[3]:
        return known.point(integer(fields[3], place, "a node number"), place), numbers[3:]
    system = card.name("SYSTEM")
    if system in ("C", "S"):
        text = f"1, {', '.join(repr(float(x)) for x in numbers[:3])}"
        own = Card("NODE", "*NODE", {"SYSTEM": system}, place, "", [(place.path, place.line, [text])])
        return read_nodes(own)[1][0], numbers[3:]
    return numbers[:3], numbers[3:]


def _parabola(
    place: FileLine, start: np.ndarray, end: np.ndarray, middle: np.ndarray, normal: np.ndarray, t: np.ndarray
) -> np.ndarray:
    return np.asarray(
        start * (1.0 - t) * (1.0 - 2.0 * t) + middle * 4.0 * t * (1.0 - t) + end * t * (2.0 * t - 1.0)
    )


def _arc(
    place: FileLine, start: np.ndarray, end: np.ndarray, centre: np.ndarray, normal: np.ndarray, t: np.ndarray
) -> np.ndarray:
    """Return nodes at equal angles; without a normal along the shorter arc."""
    arm, last = start - centre, end - centre
    axis = normal if normal.any() else np.cross(arm, last)
    length = float(np.linalg.norm(axis))
    sizes = np.linalg.norm(arm), np.linalg.norm(last)
    if not length > 1e-9 * sizes[0] * sizes[1] or not min(sizes) > 0.0:
        raise place.error(
            "the ends and the centre lie on one line, so that the plane of the arc is not known.",
            "Give its normal in fields 8 to 10.",
        )
    axis = axis / length
    angle = np.arctan2(np.dot(axis, np.cross(arm, last)), np.dot(arm, last)) % (2.0 * np.pi)
    turned = np.array([rotation_about(axis, float(share * angle)) @ arm for share in t[:, 0]]).reshape(-1, 3)
    return np.asarray(centre + turned * (1.0 + t * (sizes[1] / sizes[0] - 1.0)))


def _nfill(known: _Known, card: Card) -> list[Card]:
    """Nodes on straight lines between the nodes of two sets, equally spaced or biased towards one end."""
    bias = real(card.parameters.get("BIAS") or "1", card.place, "a ratio of adjacent distances")
    if not bias > 0.0:
        raise card.error(
            f"found BIAS={bias:g}, expected a positive ratio of adjacent distances.", "Mend this line."
        )
    made, bounds = list[tuple[FileLine, int, np.ndarray]](), list[int]()
    for place, fields in card.rows():
        if not any(fields):
            continue
        if len(fields) < 3:
            raise place.error(
                "expected two node sets and the number of intervals between.", "Mend this line."
            )
        firsts, lasts = (known.members("NSET", text, place) for text in fields[:2])
        count, step = _integers(place, fields[2:], 2, "a number of intervals and an increment")
        # Each spacing is the previous one divided by the ratio; with TWOSTEP in pairs, for midside nodes.
        intervals = np.arange(_counted(place, count, "a number of intervals"))
        distances = bias ** -(intervals // 2 if "TWOSTEP" in card.parameters else intervals).astype(float)
        share = (np.cumsum(distances) / distances.sum())[:-1, None]
        for first, last in zip(firsts, lasts, strict=False):  # surplus nodes of the longer set are ignored
            start, end = (known.point(number, place) for number in (first, last))
            points = start + share * (end - start)
            made += [(place, first + step * k, point) for k, point in enumerate(points, 1)]
        bounds += [*firsts, *lasts]
    return known.node_cards(card, made, bounds, card.name("NSET"))


def _ncopy(known: _Known, card: Card) -> list[Card]:
    """Copies of a set: translated and rotated (possibly repeatedly), reflected, or projected from a pole."""
    old = known.members("NSET", card.needed("OLDSET", "OLD SET"), card.place)
    step = integer(card.needed("CHANGENUMBER", "CHANGE NUMBER"), card.place, "a change of the numbers")
    times = integer(card.parameters.get("MULTIPLE") or "1", card.place, "a number of copies")
    move = _motion(known, card)
    made, points = list[tuple[FileLine, int, np.ndarray]](), [known.point(n, card.place) for n in old]
    for k in range(1, 1 + _counted(card.place, times, "a number of copies")):
        points = [move(point) for point in points]
        made += [(card.place, number + k * step, point) for number, point in zip(old, points, strict=True)]
    return known.node_cards(card, made, [], card.name("NEWSET"))


def _motion(known: _Known, card: Card) -> Callable[[np.ndarray], np.ndarray]:
    rows = reals(card, "a coordinate")
    numbers = [np.array(values) for _, values in rows]
    how = card.name("REFLECT")
    flat = np.concatenate([np.zeros(0), *numbers])
    if "SHIFT" in card.parameters:
        shift = np.array([*flat[:3], 0.0, 0.0, 0.0][:3]) if rows else np.zeros(3)
        turn, centre = np.eye(3), np.zeros(3)
        if len(numbers) > 1:
            if len(numbers[1]) != 7 or not np.linalg.norm(numbers[1][3:6] - numbers[1][:3]) > 0.0:
                raise rows[1][0].error(
                    "expected two points of an axis and an angle: 7 numbers.", "Mend this line."
                )
            centre = numbers[1][:3]
            turn = rotation_about(numbers[1][3:6] - centre, float(np.radians(numbers[1][6])))
        return lambda x: turn @ (x + shift - centre) + centre
    if "POLE" in card.parameters:
        pole = flat[:3] if len(flat) >= 3 else known.point(int(flat[0]) if len(flat) else 0, card.place)
        return lambda x: 2.0 * x - pole
    wanted = {"POINT": 3, "LINE": 6, "MIRROR": 9}.get(how)
    if wanted is None or len(flat) < wanted:
        raise card.error(
            "expected SHIFT, POLE, or REFLECT=POINT, LINE or MIRROR with one, two or three points.",
            "Mend it.",
        )
    points = flat[:wanted].reshape(-1, 3)
    if how == "POINT":
        return lambda x: 2.0 * points[0] - x
    along = points[1] - points[0]
    axis = along if how == "LINE" else np.cross(along, points[2] - points[0])
    if not np.linalg.norm(axis) > 0.0:
        raise card.error("its points do not span a line or plane.", "Give other points.")
    outer = np.outer(axis, axis) / (axis @ axis)
    across = 2.0 * outer - np.eye(3) if how == "LINE" else np.eye(3) - 2.0 * outer
    return lambda x: points[0] + across @ (x - points[0])


def _elgen(known: _Known, card: Card) -> list[Card]:
    """Rows of elements from a master element, then adjacent rows, then layers above them."""
    made, masters = list[tuple[FileLine, int, int, list[int]]](), list[int]()
    for place, fields in card.rows():
        if not any(fields):
            continue
        master, *rest = _integers(place, fields, 10, "a number of elements or an increment")
        if master not in known.elements:
            raise place.error(f"element {master} does not exist before this line.", "Define it first.")
        masters.append(master)
        nodes = np.array(known.elements[master][2], np.int64)
        counts = [max(1, count) for count in (rest[0], rest[3], rest[6])]
        _counted(place, int(np.prod(counts)), "numbers of elements")
        for at in np.ndindex(counts[2], counts[1], counts[0]):
            if not any(at):
                continue
            steps = list(zip(at[::-1], (1, 4, 7), strict=True))
            number = master + sum(k * rest[i + 1] for k, i in steps)
            made.append((place, number, master, (nodes + sum(k * rest[i] for k, i in steps)).tolist()))
    cards = known.element_card(card, made, card.name("ELSET"))
    if card.name("ELSET") and masters:
        listed = [(card.place.path, card.place.line, [str(number)]) for number in masters]
        cards.append(Card("ELSET", card.title, {"ELSET": card.name("ELSET")}, card.place, card.text, listed))
    return cards


def _elcopy(known: _Known, card: Card) -> list[Card]:
    """Copies of a set of elements on shifted node numbers; with REFLECT in the order of mirror images."""
    shifts = [card.needed(name, word) for name, word in (("ELEMENTSHIFT", "ELEMENT SHIFT"),
                                                          ("SHIFTNODES", "SHIFT NODES"))]  # fmt: skip
    of_elements, of_nodes = (integer(text, card.place, "a shift of the numbers") for text in shifts)
    made = []
    for master in known.members("ELSET", card.needed("OLDSET", "OLD SET"), card.place):
        if master not in known.elements:
            raise card.error(f"element {master} does not exist before this line.", "Define it first.")
        _, kind, nodes = known.elements[master]
        if "REFLECT" in card.parameters and kind:
            nodes = [nodes[i] for i in mirrored_order(element_kinds[kind])]
        made.append((card.place, master + of_elements, master, [node + of_nodes for node in nodes]))
    return known.element_card(card, made, card.name("NEWSET"))
