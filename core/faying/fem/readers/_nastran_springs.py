"""Rods, springs and bushings of a Nastran deck: CROD, CONROD, CELAS1 to CELAS4, CBUSH, CDAMP1 to CDAMP4."""

from dataclasses import replace

import numpy as np

from faying.fem.model import FeModel, Material, PointMass, Spring
from faying.fem.readers._coordinate_systems import BASIC
from faying.fem.readers._deck_supports import with_held_grounds
from faying.fem.readers._nastran_cards import BulkCard, NastranDeck
from faying.fem.readers._nastran_fields import integer, real
from faying.fem.readers._nastran_frames import GridPoints
from faying.fem.readers._nastran_masses import mass_factor
from faying.fem.readers._nastran_scalars import (
    JOINING,
    MASSES,
    ScalarPoint,
    ScalarPoints,
    ends,
    scalar_masses,
)
from faying.fem.readers._springs import with_springs
from faying.fem.springs import axial_spring, bushing
from faying.fem.whole_numbers import is_whole_number

SPRING_CARDS = (
    "CROD", "CONROD", "CBUSH", *JOINING, *MASSES, "PROD", "PELAS", "PDAMP", "PBUSH", "PMASS", "SPOINT",
)  # fmt: skip


def with_deck_springs(
    deck: NastranDeck, grid: GridPoints, model: FeModel, remarks: list[tuple[BulkCard, str]]
) -> FeModel:
    """Return the model with the deck's rods, springs, dampers and bushings.

    A rod is a spring along and about its axis with half of its mass at each end. Elements with one end get a separate
    ground node.

    Raises:
        ReadError: for missing properties, materials or grid points, or text instead of a number.
    """
    made = _NastranSprings(deck, grid, model, remarks)
    for card in deck.having("CROD", "CONROD"):
        made.rod(card)
    for card in deck.having(*JOINING):
        made.scalar(card)
    for card in deck.having("CBUSH"):
        made.bushing(card)
    masses = scalar_masses(deck, grid, made.scalars, remarks)
    scalars = list(made.scalars.known.values())
    n, n_deck = len(made.ground_points), len(model.nodes) + len(scalars)
    if not made.springs and not masses:
        return model
    ids = np.concatenate([model.node_ids, np.array([point.number for point in scalars], np.int64)])
    places = model.nodes[[point.grid for point in scalars]]
    grown = replace(
        model,
        nodes=np.concatenate([model.nodes, places, np.array(made.ground_points).reshape(-1, 3)]),
        node_ids=np.concatenate([ids, int(ids.max()) + 1 + np.arange(n)]),
        point_masses=(*model.point_masses, *made.masses, *masses),
        equations=(*model.equations, *(point.equations for point in scalars)),
    )
    sprung = with_springs(
        grown, made.springs, n_deck, lambda spring, why: remarks.append((made.cards[spring.name], why))
    )
    return with_held_grounds(sprung, np.arange(n_deck, n_deck + n))


class _NastranSprings:
    """Springs and masses made from the cards, one card at a time."""

    def __init__(
        self, deck: NastranDeck, grid: GridPoints, model: FeModel, remarks: list[tuple[BulkCard, str]]
    ) -> None:
        self._grid, self._model, self._remarks = grid, model, remarks
        self._factor = mass_factor(deck)
        self.scalars = ScalarPoints(deck, grid, len(model.nodes))
        self._rods = {card.text(0): card for card in deck.having("PROD")}
        self._bushings = {card.text(0): card for card in deck.having("PBUSH")}
        # A PELAS card contains two properties of four fields, a PDAMP card four of two.
        self._constants = {
            (name, card.text(at)): (card, at + 1)
            for name, step in (("PELAS", 4), ("PDAMP", 2))
            for card in deck.having(name)
            for at in range(0, 8, step)
            if card.text(at)
        }
        self.springs: list[Spring] = []
        self.masses: list[PointMass] = []
        self.cards: dict[str, BulkCard] = {}
        self.ground_points: list[np.ndarray] = []

    def _add(self, card: BulkCard, spring: Spring) -> None:
        self.springs.append(spring)
        self.cards[spring.name] = card

    def _ends(self, card: BulkCard, first: int, second: int) -> tuple[tuple[int, int], np.ndarray] | None:
        """Return rows and coordinates of both ends, the second on ground if omitted; None for scalar points."""
        texts = [card.text(i) for i in (first, second)]
        if any(self.scalars.is_scalar(text) for text in texts):
            self._remarks.append((card, "it is joined to a scalar point; left out"))
            return None
        named = [i for i, text in zip((first, second), texts, strict=True) if text not in ("", "0")]
        if not named:
            self._remarks.append((card, "it has no grid point; left out"))
            return None
        rows = [self._grid.row(card, i) for i in named]
        points = [self._grid.coordinates[row] for row in rows]
        if len(rows) == 1:
            rows.append(self._on_ground(points[0]))
            points.append(points[0])
        return (rows[0], rows[1]), np.array(points)

    def _on_ground(self, point: np.ndarray) -> int:
        """Return the row of a new ground node."""
        self.ground_points.append(point)
        return len(self._model.nodes) + len(self.scalars.known) + len(self.ground_points) - 1

    def rod(self, card: BulkCard) -> None:
        """Add a CROD or CONROD."""
        name = f"{card.name} {card.text(0)}"
        has_own = card.name == "CONROD"
        given, at = (card, 3) if has_own else (self._property(card, self._rods, "PROD"), 1)
        found = self._ends(card, *((1, 2) if has_own else (2, 3)))
        if found is None:
            return
        nodes, points = found
        length = float(np.linalg.norm(points[1] - points[0]))
        if not length > 0.0:
            self._remarks.append((card, "its ends are at the same place; left out"))
            return
        material = self._material(given, at)
        area, torsion = (real(given, at + i, "a section constant") for i in (1, 2))
        shear = material.youngs_modulus / (2.0 * (1.0 + material.poisson_ratio))
        self._add(
            card,
            axial_spring(
                name, nodes, points, material.youngs_modulus * area / length, twist=shear * torsion / length
            ),
        )
        per_length = material.density * area + self._factor * real(given, at + 4, "a mass per length")
        if per_length:
            half, nothing = 0.5 * per_length * length, np.zeros(3)
            self.masses += [PointMass(name, node, half, np.zeros((3, 3)), nothing) for node in nodes]

    def scalar(self, card: BulkCard) -> None:
        """Add a CELAS or CDAMP between one component of each end."""
        name, own = f"{card.name} {card.text(0)}", card.name[-1] in "24"
        if own:
            size = real(card, 1, "a constant")
        else:
            kind = "PELAS" if card.name.startswith("CELAS") else "PDAMP"
            key = kind, card.text(1) or card.text(0)
            if key not in self._constants:
                raise card.place.error(
                    f"{name} has the property {key[1]}, which is not there.", f"Add its {kind}."
                )
            given, at = self._constants[key]
            size = real(given, at, "a constant")
        stiff_or_damped = card.name.startswith("CELAS")
        if any(self.scalars.is_scalar(number) for number, _ in ends(card)):
            self._between_scalars(card, name, size, stiff_or_damped)
            return
        grounded = [card.text(i) in ("", "0") for i in (2, 4)]
        components = [
            integer(card, i + 1, "a component 1 to 6")
            for i, off in zip((2, 4), grounded, strict=True) if not off
        ]  # fmt: skip
        if not all(1 <= component <= 6 for component in components) or len(set(components)) > 1:
            self._remarks.append((card, "it joins different components; left out"))
            return
        found = self._ends(card, 2, 4)
        if found is None or not size:
            return
        nodes, points = found
        named = [row for row in nodes if row < len(self._grid.ids)]
        frames = [self._directions(card, row) for row in named]
        if len(frames) == 2 and not np.allclose(frames[0], frames[1]):
            self._remarks.append((card, "its ends count in different directions (CD); left out"))
            return
        constants = np.zeros(6)
        constants[components[0] - 1] = size
        self._add_scalar(card, name, nodes, points[0], frames[0], constants, stiff_or_damped)

    def _between_scalars(self, card: BulkCard, name: str, size: float, is_spring: bool) -> None:
        """Add a spring or damper with at least one scalar point as its end."""
        rows, hanging = list[int](), list[ScalarPoint]()
        for number, _ in ends(card):
            if number in self.scalars.known:
                hanging.append(self.scalars.known[number])
                rows.append(hanging[-1].node)
            elif not number or number in self.scalars.held:
                rows.append(-1)
            elif self.scalars.is_scalar(number):
                self._remarks.append(
                    (card, "its scalar points hang on no displacement of a grid point; left out")
                )
                return
            else:
                rows.append(int(self._grid.rows(card, np.array([int(number)]))[0]))
        if not hanging:
            return  # between points that are held
        at, component = hanging[0].grid, hanging[0].component
        of_grid = [
            (row, of) for row, (_, of) in zip(rows, ends(card), strict=True) if 0 <= row < len(self._grid.ids)
        ]
        if any(point.grid != at or point.component != component for point in hanging) or any(
            pair != (at, str(component)) for pair in of_grid
        ):
            self._remarks.append((card, "it joins scalar points that hang on different motions; left out"))
            return
        place = self._grid.coordinates[at]
        first, second = (row if row >= 0 else self._on_ground(place) for row in rows)
        constants = np.zeros(6)
        constants[component - 1] = size
        self._add_scalar(card, name, (first, second), place, np.eye(3), constants, is_spring)

    def _add_scalar(
        self,
        card: BulkCard,
        name: str,
        nodes: tuple[int, int],
        point: np.ndarray,
        axes: np.ndarray,
        constants: np.ndarray,
        is_spring: bool,
    ) -> None:
        stiff, damped = (constants, None) if is_spring else (np.zeros(6), constants)
        # Without rigid arms; a warning reports that a rotation of both nodes strains it.
        same = np.broadcast_to(point, (2, 3))
        self._add(card, bushing(name, nodes, same, point, axes, stiff, damped))

    def bushing(self, card: BulkCard) -> None:
        """Add a CBUSH with its PBUSH."""
        given = self._property(card, self._bushings, "PBUSH")
        found = self._ends(card, 2, 3)
        if found is None:
            return
        nodes, points = found
        axes = self._bushing_axes(card, nodes, points)
        if axes is None:
            return
        constants: dict[str, np.ndarray] = {"K": np.zeros(6), "B": np.zeros(6)}
        # Each line of the property begins with the keyword of its constants.
        for at in range(1, len(given.fields), 8):
            if given.text(at).upper() in constants:
                constants[given.text(at).upper()] = np.array(
                    [real(given, at + 1 + i, "a constant") for i in range(6)]
                )
        share = real(card, 8, "where the springs are", 0.5)
        place = points[0] + share * (points[1] - points[0])
        if card.text(9) not in ("", "-1"):
            self._remarks.append((card, "the offset of its springs (OCID); they are between its ends"))
        self._add(
            card, bushing(f"CBUSH {card.text(0)}", nodes, points, place, axes, constants["K"], constants["B"])
        )

    def _bushing_axes(self, card: BulkCard, nodes: tuple[int, int], points: np.ndarray) -> np.ndarray | None:
        """Return the directions (3, 3) of a bushing as rows; None if the deck does not define them."""
        if card.text(7):
            system = integer(card, 7, "a coordinate system")
            frame = self._grid.frame(card, system) if system else BASIC
            return np.asarray(frame.directions(points[:1])[0])
        along = points[1] - points[0]
        if not np.linalg.norm(along) > 0.0:
            self._remarks.append(
                (card, "its ends are at the same place, and it names no coordinate system; left out")
            )
            return None
        if is_whole_number(card.text(4)) and not card.text(5):
            beside = self._grid.coordinates[self._grid.row(card, 4)] - points[0]
        else:
            beside = np.array([real(card, i, "a direction") for i in (4, 5, 6)])
            beside = beside @ self._directions(card, nodes[0])
        if not np.linalg.norm(np.cross(along, beside)) > 0.0:
            # Only constants along and about the line matter then, so the other axes are arbitrary.
            beside = np.eye(3)[int(np.argmin(np.abs(along)))]
        third = np.cross(along, beside)
        axes = np.stack([along, np.cross(third, along), third])
        return np.asarray(axes / np.linalg.norm(axes, axis=1)[:, None])

    def _directions(self, card: BulkCard, row: int) -> np.ndarray:
        system = self._grid.displacement_systems.get(int(self._grid.ids[row]), 0)
        frame = self._grid.frame(card, system) if system else BASIC
        return np.asarray(frame.directions(self._grid.coordinates[[row]])[0])

    def _property(self, card: BulkCard, known: dict[str, BulkCard], kind: str) -> BulkCard:
        number = card.text(1) or card.text(0)
        if number not in known:
            raise card.place.error(
                f"{card.name} {card.text(0)} has the property {number}, which is not there.",
                f"Add its {kind}.",
            )
        return known[number]

    def _material(self, card: BulkCard, at: int) -> Material:
        name = f"MAT1 {integer(card, at, 'a material number')}"
        if name not in self._model.materials:
            raise card.place.error(
                f"{card.name} {card.text(0)} names the material {card.text(at)}, which has no MAT1 card.",
                "Give it an isotropic material (MAT1).",
            )
        return self._model.materials[name]
