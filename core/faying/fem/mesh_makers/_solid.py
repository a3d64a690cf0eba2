"""Base of makers of solid parts: pieces of bricks, named faces, reference nodes for supports and loads."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import pi

import numpy as np

from faying.fem.beam_bolts import with_cut_beam
from faying.fem.element_topology import HEXAHEDRON_FACES
from faying.fem.elements import element_kinds
from faying.fem.mesh_makers import MeshMaker
from faying.fem.mesh_makers._bricks import BrickMesh, with_midsides
from faying.fem.model import BeamSection, Coupling, DeckSurface, ElementBlock, FeModel
from faying.fem.skin import exterior_faces
from faying.params import parameter
from faying.units import amount

_CORNERS = np.array(HEXAHEDRON_FACES)
_ALL = (1, 2, 3, 4, 5, 6)
_MERGE_DISTANCE = 1e-6  # relative to the overall size: nearer nodes coincide
_KINDS = {1: ("hex8_incompatible", "C3D8I"), 2: ("hex20", "C3D20")}
_BOLT_ELEMENTS = 4
_SHEAR_FACTOR = 0.886  # shear factor of a round section, Cowper 1966 for ν = 0.3

Away = Callable[[np.ndarray], np.ndarray]
"""Distances (n,) of points (n, 3) from a face."""


@dataclass(frozen=True)
class RoundFace:
    """A cylindrical surface along an axis (0, 1, 2), about a point in the plane of the next two axes."""

    radius: float
    axis: int = 2
    centre: tuple[float, float] = (0.0, 0.0)

    def away(self, points: np.ndarray) -> np.ndarray:
        """Return the distances (n,) of points from it."""
        return np.asarray(np.abs(np.linalg.norm(self._arms(points), axis=1) - self.radius))

    def nearest(self, points: np.ndarray) -> np.ndarray:
        """Return the nearest points (n, 3) of it."""
        arms, found = self._arms(points), points.copy()
        found[:, self._across] = np.array(self.centre) + self.radius * arms / np.linalg.norm(
            arms, axis=1, keepdims=True
        )
        return found

    @property
    def _across(self) -> list[int]:
        return [(self.axis + 1) % 3, (self.axis + 2) % 3]

    def _arms(self, points: np.ndarray) -> np.ndarray:
        return np.asarray(points[:, self._across] - np.array(self.centre))


def plane(axis: int, place: float) -> Away:
    """Return a function of distances from the plane normal to an axis at a coordinate."""
    return lambda points: np.abs(points[:, axis] - place)


def both(*aways: Away) -> Away:
    """Return a function of distances from the intersection of several faces."""
    return lambda points: np.max([away(points) for away in aways], axis=0)


def inside(axis: int, low: float, high: float) -> Away:
    """Return a function of distances from the slab between two coordinates along an axis."""
    return lambda points: np.maximum(np.maximum(low - points[:, axis], points[:, axis] - high), 0.0)


def within(disc: RoundFace) -> Away:
    """Return a function of distances from the inside of a cylinder."""
    return lambda points: np.where(
        np.linalg.norm(disc._arms(points), axis=1) > disc.radius, disc.away(points), 0.0
    )


@dataclass(frozen=True)
class BeamBolt:
    """A bolt as a beam whose ends follow the seats around its hole, cut for tightening.

    Attributes:
        start, end: its ends.
        diameter: shank diameter.
        seats: names of the faces at the start and at the end.
    """

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    diameter: float
    seats: tuple[str, str]


class SolidMaker(MeshMaker):
    """Makes solid parts of bricks, with reference nodes REF_… at faces: one for supports, further ones for loads."""

    size: float = parameter(
        5.0, title="Element size", quantity="length", gt=0.0, meaning="Edge length of the bricks, about."
    )
    order: int = parameter(
        1, title="Order of the elements", ge=1, le=2,
        meaning="1: bricks of 8 nodes with incompatible modes, which bend well and suit contact; 2: bricks of 20 "
        "nodes, which follow round faces.",
    )  # fmt: skip

    @abstractmethod
    def pieces(self) -> Mapping[str, BrickMesh]:
        """Return the bricks of the separate parts by name."""

    @abstractmethod
    def faces(self) -> Mapping[str, tuple[str, Away]]:
        """Return the faces by name: their piece, and a function of the distances of points from them."""

    @abstractmethod
    def grips(self) -> tuple[str, ...]:
        """Return the faces with nodes REF_…: the first is coupled rigidly, the others in the mean."""

    def rounds(self) -> tuple[RoundFace, ...]:
        """Return the curved faces, on which midside nodes lie."""
        return ()

    def beam_bolts(self) -> tuple[BeamBolt, ...]:
        """Return the beam bolts."""
        return ()

    @abstractmethod
    def volume(self) -> float:
        """Return the exact volume."""

    def facts(self) -> list[tuple[str, str]]:
        """Return volume and mass."""
        volume = self.volume()
        return [("Volume", amount(volume, "volume", 6)), ("Mass", amount(volume * self.density, "mass", 6))]

    def model(self) -> FeModel:
        """Return the parts with their faces and reference nodes."""
        made = dict(self.pieces())
        near = _MERGE_DISTANCE * float(
            np.ptp(np.vstack([each.nodes for each in made.values()]), axis=0).max()
        )
        if self.order == 2:
            made = {name: with_midsides(each, self.rounds(), near) for name, each in made.items()}
        starts = np.cumsum([0, *(len(each.nodes) for each in made.values())])
        firsts = np.cumsum([0, *(len(each.cells) for each in made.values())])
        nodes = np.concatenate([each.nodes for each in made.values()])
        cells = np.concatenate([each.cells + at for each, at in zip(made.values(), starts, strict=False)])
        kind, label = _KINDS[self.order]
        solid = ElementBlock(kind, label, np.arange(1, len(cells) + 1), cells, "MATERIAL")
        ranges = {name: (firsts[i], firsts[i + 1]) for i, name in enumerate(made)}
        surfaces = self._surfaces(nodes, solid, ranges, near)
        node_sets: dict[str, np.ndarray] = {}
        couplings: list[Coupling] = []

        def couple(name: str, place: np.ndarray, face: str, rigid: bool) -> int:
            nonlocal nodes
            nodes = np.vstack([nodes, place])
            rows = _nodes_of(surfaces[face], solid)
            node_sets[name] = np.array([len(nodes) - 1])
            couplings.append(
                Coupling(
                    name,
                    "kinematic" if rigid else "distributing",
                    len(nodes) - 1,
                    rows,
                    _ALL,
                    np.ones(len(rows)),
                )
            )
            return len(nodes) - 1

        for number, face in enumerate(self.grips()):
            rows = _nodes_of(surfaces[face], solid)
            middle = 0.5 * (nodes[rows].min(axis=0) + nodes[rows].max(axis=0))
            couple(f"REF_{face}", middle, face, rigid=number == 0)
        blocks, sets = [solid], {name: np.arange(*own) for name, own in ranges.items()}
        beams, bolts = [], self.beam_bolts()
        for number, bolt in enumerate(bolts, 1):
            ends = [
                couple(f"{word}_{number}", np.array(place), face, rigid=True)
                for word, place, face in zip(("NUT", "HEAD"), (bolt.start, bolt.end), bolt.seats, strict=True)
            ]
            inner = np.linspace(bolt.start, bolt.end, _BOLT_ELEMENTS + 1)[1:-1]
            rows = np.array([ends[0], *range(len(nodes), len(nodes) + len(inner)), ends[1]])
            nodes = np.vstack([nodes, inner])
            beams.append(np.column_stack([rows[:-1], rows[1:]]))
            first = len(cells) + _BOLT_ELEMENTS * (number - 1)
            sets[f"BOLT_{number}"] = np.arange(first, first + _BOLT_ELEMENTS)
        if beams:
            area, inertia = 0.25 * pi * bolts[0].diameter ** 2, pi * bolts[0].diameter ** 4 / 64.0
            section = BeamSection(area, inertia, inertia, 2.0 * inertia, (1.0, 0.0, 0.0), _SHEAR_FACTOR)
            connectivity = np.concatenate(beams)
            ids = len(cells) + np.arange(1, len(connectivity) + 1)
            blocks.append(ElementBlock("beam2", "B31", ids, connectivity, "MATERIAL", section))
        whole = FeModel(
            self.title, np.arange(1, len(nodes) + 1), nodes, tuple(blocks), node_sets=node_sets, element_sets=sets,
            surfaces=surfaces, materials={"MATERIAL": self.material}, couplings=tuple(couplings),
        )  # fmt: skip
        for number in range(1, len(bolts) + 1):
            whole = with_cut_beam(whole, f"BOLT_{number}", int(sets[f"BOLT_{number}"][0]))
        return whole

    def _surfaces(
        self, nodes: np.ndarray, solid: ElementBlock, ranges: Mapping[str, tuple[int, int]], near: float
    ) -> dict[str, DeckSurface]:
        elements, faces = exterior_faces((solid,))
        corners = solid.connectivity[elements[:, None], _CORNERS[faces]]
        found = {}
        for name, (piece, away) in self.faces().items():
            low, high = ranges[piece]
            on = (away(nodes) < near)[corners].all(axis=1) & (low <= elements) & (elements < high)
            found[name] = DeckSurface(name, elements[on], faces[on], np.zeros(0, np.int64))
        return found


def _nodes_of(surface: DeckSurface, solid: ElementBlock) -> np.ndarray:
    """Return the rows of a surface's nodes, including midside nodes."""
    faces = element_kinds[solid.element].faces
    rows = [
        solid.connectivity[surface.elements[surface.faces == i]][:, list(own)] for i, own in enumerate(faces)
    ]
    return np.unique(np.concatenate([each.ravel() for each in rows]))
