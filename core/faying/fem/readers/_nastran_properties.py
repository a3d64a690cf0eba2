"""Properties (PSOLID, PSHELL, PCOMP, PCOMPG, PBAR, PBEAM, PBARL, PBEAML) of a Nastran deck."""

from typing import NamedTuple

from faying.errors import ReadError
from faying.fem.laminates import laminate_material
from faying.fem.model import BeamSection, Material, Ply, Section, ShellSection
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import differs, integer, real
from faying.fem.readers._nastran_layers import read_layers
from faying.fem.readers._nastran_masses import mass_factor
from faying.fem.readers._nastran_materials import MATERIAL_CARDS, read_material
from faying.fem.readers._nastran_shapes import find_shape_remarks, read_shaped_section
from faying.fem.readers._nastran_shells import is_even, own_stiffness

PROPERTY_CARDS = ("PSOLID", "PSHELL", "PCOMP", "PCOMPG", "PBAR", "PBARL", "PBEAM", "PBEAML")
# Properties of unsupported elements; PLOAD4, PARAM and others beginning with P are not properties.
_OTHER_CARDS = (
    "PROD", "PTUBE", "PBUSH", "PBUSH1D", "PBUSHT", "PELAS", "PDAMP", "PVISC", "PMASS", "PGAP", "PSHEAR", "PLSOLID",
    "PCOMPS", "PCOMPLS", "PBCOMP", "PBMSECT", "PBRSECT", "PBEND", "PBEAM3", "PWELD", "PFAST", "PSEAM", "PIHEX",
    "PLPLANE", "PPLANE", "PCONEAX", "PRAC2D", "PRAC3D", "PCOHE", "PACABS", "PHBDY", "PAERO1", "PSHELL1", "PTRMEM",
)  # fmt: skip
_LAYERED = ("PCOMP", "PCOMPG")
_STATION = ("YES", "YESA", "NO")  # first fields of a station along a PBEAM
_RIGID_IN_SHEAR = 1e6  # a PBAR without shear factors has no shear flexibility


class ShellPlace(NamedTuple):
    """Section data on the card of a shell element.

    Attributes:
        offset: offset of its middle from the nodes.
        thickness: thickness at all corners; 0 if given by the property.
        is_share: whether the thickness is relative to the property's.
    """

    offset: float
    thickness: float = 0.0
    is_share: bool = False


Placed = tuple[float, float, float] | ShellPlace


class Properties:
    """The properties by number, and their materials.

    Attributes:
        materials: by name, "MAT1 7" for the material 7; "PCOMP 5" for the equivalent material of a property's plies.

    Raises:
        ReadError: for text instead of a number.
    """

    def __init__(self, deck: NastranDeck) -> None:
        self._mass_factor = mass_factor(deck)
        self.materials: dict[str, Material] = {}
        self._by_number: dict[int, Material] = {}
        self._material_cards: dict[int, BulkCard] = {}
        self._impossible: dict[int, ReadError] = {}
        for card in deck.having(*MATERIAL_CARDS):
            number = integer(card, 0, "a material number")
            self._material_cards[number] = card
            try:
                material = read_material(card, self._mass_factor)
            except ReadError as error:  # reported where it is used: a MAT2 may be for shear only
                self._impossible[number] = error
                continue
            self.materials[material.name] = self._by_number[number] = material
        self._cards = {integer(card, 0, "a property's number"): card for card in deck.having(*PROPERTY_CARDS)}
        self._others = {card.text(0): f"{card.name} {card.text(0)}" for card in deck.having(*_OTHER_CARDS)}

    def is_missing(self, number: int) -> bool:
        """Return whether the deck has neither properties nor materials, so that property numbers are only groups."""
        return not (self._cards or self.materials or str(number) in self._others)

    def name_of(self, number: int) -> str:
        """Return the name of the set of a property's elements: "PSOLID 3"; "property 3" if it is missing."""
        return f"{self._cards[number].name if number in self._cards else 'property'} {number}"

    def material_of(self, user: BulkCard, number: int) -> str:
        """Return the name of a property's material.

        Raises:
            ReadError: when the property or the material is missing or of another kind.
        """
        card = self._card(user, number)
        if card.name not in _LAYERED:
            return self._material(card, integer(card, 1, "a material number")).name
        plies = self._plies(card)
        if not plies:
            return self._material(card, read_layers(card).materials[0]).name
        name = f"{card.name} {number}"
        self.materials[name] = laminate_material(name, plies)
        return name

    def is_directional(self, user: BulkCard, number: int) -> bool:
        """Return whether a property's material has directional stiffness or expansion."""
        card = self._card(user, number)
        # A PSHELL may have separate materials for bending, shear and coupling.
        numbers = (
            [integer(card, i, "a material number", 0) for i in (3, 5, 10)] if card.name == "PSHELL" else []
        )
        found = [self._by_number[each] for each in numbers if each in self._by_number]
        found.append(self.materials[self.material_of(user, number)])
        return any(material.kind != "isotropic" or material.expansions for material in found)

    def card(self, user: BulkCard, number: int) -> BulkCard:
        """Return the card of a property; raises a ReadError if it is missing."""
        return self._card(user, number)

    def _material(self, card: BulkCard, number: int) -> Material:
        if number in self._impossible:
            raise self._impossible[number]
        if number not in self._by_number:
            raise card.place.error(
                f"{card.name} {card.text(0)} names the material {number}, which has no card "
                f"{', '.join(MATERIAL_CARDS[:-1])} or {MATERIAL_CARDS[-1]}.",
                "Add the card, or the file with it.",
            )
        return self._by_number[number]

    def _plies(self, card: BulkCard) -> tuple[Ply, ...]:
        """Return the plies of a layered property; none if all are of one isotropic material."""
        layers = read_layers(card)
        plies = tuple(
            Ply(self._material(card, number), thickness, angle) for number, thickness, angle in layers.plies
        )
        plain = len(layers.materials) == 1 and plies[0].material.kind == "isotropic"
        return () if plain else plies

    def section(self, user: BulkCard, number: int, placed: Placed) -> Section:
        """Return the section of a bar or beam with a given first local axis, or of a shell.

        Args:
            user: the element's card.
            number: number of its property.
            placed: first local axis of a bar or beam; offset and thickness of a shell.

        Raises:
            ReadError: when the property is missing or of another kind, or its section is not supported.
        """
        card = self._card(user, number)
        if isinstance(placed, ShellPlace):
            return self._shell_section(card, user, placed)
        if card.name in ("PSOLID", "PSHELL", *_LAYERED):
            raise user.place.error(
                f"{user.name} {user.text(0)} has the property of a solid or shell ({card.name}).",
                "Give it a PBAR.",
            )
        return _beam_section(card, placed, self._mass_factor)

    def _shell_section(self, card: BulkCard, user: BulkCard, placed: ShellPlace) -> ShellSection:
        carried = self._mass_factor * real(card, 2 if card.name in _LAYERED else 7, "a mass per area")
        if card.name in _LAYERED:
            layers = read_layers(card)
            offset = layers.offset + placed.offset
            return ShellSection(layers.thickness, offset, carried, self._plies(card))
        if card.name != "PSHELL":
            raise user.place.error(
                f"{user.name} {user.text(0)} is a shell with the property {card.name}.", "Give it a PSHELL."
            )
        thickness = real(card, 2, "a thickness")
        if placed.thickness:
            thickness = placed.thickness * (thickness if placed.is_share else 1.0)
        if not thickness > 0.0:
            raise card.place.error("the thickness of the shells is not positive.", "Mend this card.")
        if is_even(card):
            return ShellSection(thickness, placed.offset, carried)
        stiffness = own_stiffness(
            card, thickness, lambda number: self._material(card, number), self._material_cards
        )
        return ShellSection(thickness, placed.offset, carried, stiffness=stiffness)

    def remarks(self) -> list[tuple[BulkCard, str]]:
        """Return remarks on unsupported fields of shell and beam properties."""
        found = []
        for card in self._cards.values():
            if card.name == "PSHELL" and card.text(3) in ("", "0", "-1"):
                found.append((card, "no bending stiffness; it is that of the full thickness"))
            if card.name in ("PBARL", "PBEAML"):
                found += [(card, text) for text in find_shape_remarks(card)]
            if card.name in ("PBAR", "PBEAM"):
                first, second = _shear_factors(card)
                if second != first:
                    found.append((card, "its shear factor K2; both planes have K1"))
            if card.name == "PBEAM":
                stations, last = _stations(card)
                if any(differs(card, at + i, i) for at in stations for i in range(2, 8)):
                    found.append((card, "its taper; it has the section of its end A all along"))
                if any(real(card, i, "a section constant") for i in range(last + 2, last + 16)):
                    found.append(
                        (card, "shear relief, warping, or offsets of its axis and non-structural mass")
                    )
        return found

    def _card(self, user: BulkCard, number: int) -> BulkCard:
        if number not in self._cards:
            other = self._others.get(str(number), "")
            raise user.place.error(
                f"{user.name} {user.text(0)} has the property {other or number}, "
                f"which is {'of no known kind' if other else 'not there'}.",
                f"Known kinds are {', '.join(PROPERTY_CARDS)}."
                if other
                else "Add its card, or the file with it.",
            )
        return self._cards[number]


def _beam_section(card: BulkCard, direction: tuple[float, float, float], mass_factor: float) -> BeamSection:
    if card.name in ("PBARL", "PBEAML"):
        return read_shaped_section(card, direction, mass_factor)
    is_bar = card.name == "PBAR"
    area, first, second = (real(card, i, "a section constant") for i in (2, 3, 4))
    product = real(card, 18 if is_bar else 5, "I12")
    carried = mass_factor * real(card, 6 if is_bar else 7, "a mass per length")
    torsion = real(card, 5 if is_bar else 6, "the torsion constant") or first + second
    shear = _shear_factors(card)[0] or _RIGID_IN_SHEAR
    # Nastran's I1 is for bending in plane 1, about our second axis.
    return BeamSection(area, second, first, torsion, direction, shear, product, carried)


def _shear_factors(card: BulkCard) -> tuple[float, float]:
    """Return K1 and K2 of a PBAR or PBEAM, zero without shear flexibility; the default is zero for PBAR, 1 for
    PBEAM."""
    at, default = (16, 0.0) if card.name == "PBAR" else (_stations(card)[1], 1.0)
    first, second = (real(card, at + i, "a shear factor", default) for i in (0, 1))
    return first, second


def _stations(card: BulkCard) -> tuple[list[int], int]:
    """Return the first fields of further stations along a PBEAM, and the field of its shear factors after them.

    The line with stress recovery points of end A may be omitted before a station. A station has such a line only with
    YES.
    """
    found, at = [], 8 if card.text(8).upper() in _STATION else 16
    while card.text(at).upper() in _STATION:
        found.append(at)
        at += 16 if card.text(at).upper() == "YES" else 8
    return found, at
