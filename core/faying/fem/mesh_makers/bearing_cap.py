"""A main bearing: cap and block segment with their bore, and two bolts; bricks are small at the joint faces."""

from math import atan2, log1p, pi

import numpy as np
from pydantic import model_validator

from faying.fem.mesh_makers import MeshMaker, graded, mesh_makers
from faying.fem.mesh_makers._bricks import BrickMesh, bricks, merged
from faying.fem.model import BeamSection, Coupling, DeckSurface, ElementBlock, FeModel
from faying.params import parameter
from faying.units import amount

_ALL = (1, 2, 3, 4, 5, 6)
_FACES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))  # S1 to S6
_COARSENING = 3.0  # edge length far from the joint relative to that at the joint
_LEAST = 2  # least number of elements along every edge
_MERGED = 1e-6  # relative to the bore's radius: nearer nodes coincide
BOLT_ELEMENTS = 4
_SHEAR_FACTOR = 0.886  # shear factor of a round section, Cowper 1966 for ν = 0.3
SECTORS = 8


@mesh_makers.register("bearing_cap")
class BearingCap(MeshMaker):
    """A bearing cap below a segment of the block, separated by the plane y = 0; the bore is about the z axis.

    Each of the two bolts along y is a beam: its node HEAD_1 or HEAD_2 follows the seat on the cap, its node THREAD_1 or
    THREAD_2 the wall of the hole in the block. The top of the block is coupled to the node BLOCK. Surfaces: CAP_FACE
    and BLOCK_FACE, the joint; SECTOR_1 to SECTOR_8, eighths of the bore, the first from 0 to 45° about z.
    """

    title = "Bearing cap"
    advice = "Main bearing cap on a block segment, with two bolts: a joint of as many nodes as wanted."

    bore: float = parameter(60.0, title="Bore", quantity="length", gt=0.0, meaning="Diameter of the bore.")
    length: float = parameter(24.0, title="Length", quantity="length", gt=0.0, meaning="Along the bore.")
    wall: float = parameter(
        4.0, title="Wall beside the bore", quantity="length", gt=0.0,
        meaning="Of the joint faces, between the bore and the pads of the bolts.",
    )  # fmt: skip
    pad: float = parameter(
        22.0,
        title="Width of the pads",
        quantity="length",
        gt=0.0,
        meaning="Across, of the pad round each bolt.",
    )
    hole: float = parameter(
        11.0, title="Holes", quantity="length", gt=0.0, meaning="Diameter of the bolts' holes."
    )
    shank: float = parameter(10.0, title="Bolts", quantity="length", gt=0.0, meaning="Diameter of the bolts.")
    seat: float = parameter(
        18.0, title="Seats", quantity="length", gt=0.0, meaning="Diameter of the seat under each head."
    )
    cap_height: float = parameter(
        45.0, title="Height of the cap", quantity="length", gt=0.0, meaning="From the joint down."
    )
    block_height: float = parameter(
        60.0, title="Height of the block", quantity="length", gt=0.0, meaning="From the joint up."
    )
    size: float = parameter(
        0.9, title="Elements of the joint", quantity="length", gt=0.0,
        meaning="Edge length of the cap's elements at the joint faces; 0.9 mm make 60 000 degrees of freedom.",
    )  # fmt: skip
    growth: float = parameter(
        0.25, title="Growth", gt=0.0, le=2.0, advanced=True,
        meaning="By how much an element is higher, per distance from the joint.",
    )  # fmt: skip
    coarser: float = parameter(
        1.25, title="Block over cap", ge=1.0, le=3.0,
        meaning="Edge length of the block's elements over that of the cap's: 1 makes meshes that match.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _fits(self) -> "BearingCap":
        if self.cap_height <= 0.55 * self.bore or self.block_height <= 0.55 * self.bore:
            raise ValueError(
                f"cap and block need a height of more than {amount(0.55 * self.bore, 'length', 6)} over a bore of "
                f"{amount(self.bore, 'length', 6)}"
            )
        if not self.shank <= self.hole < self.seat < min(self.pad, self.length):
            raise ValueError(
                "bolts, holes, seats and pads are each wider than the last, and seats fit on the length"
            )
        if self.size > 0.25 * self.length:
            raise ValueError(
                f"elements of {amount(self.size, 'length', 6)} are too large for a length of "
                f"{amount(self.length, 'length', 6)}"
            )
        return self

    def facts(self) -> list[tuple[str, str]]:
        """Return the joint area and the distance of the bolts, as names and values with units."""
        face = 2.0 * ((self.wall + self.pad) * self.length - 0.25 * pi * self.hole**2)
        return [
            ("Joint area", amount(face, "area", 5)),
            ("Distance of the bolts", amount(2.0 * self.bolt_place, "length", 6)),
        ]

    @property
    def bolt_place(self) -> float:
        """Distance of the bolts' axes from the centre plane."""
        return 0.5 * self.bore + self.wall + 0.5 * self.pad

    def model(self) -> FeModel:
        """Return cap, block and bolts."""
        cap = self._half(self.cap_height, self.size).mirrored(1)
        block = self._half(self.block_height, self.coarser * self.size)
        n_cap, n_solid = len(cap.nodes), len(cap.nodes) + len(block.nodes)
        cells = np.vstack([cap.cells, block.cells + n_cap])
        along = np.linspace(-self.cap_height, 0.5 * self.block_height, BOLT_ELEMENTS + 1)
        sides = (-self.bolt_place, self.bolt_place)
        bolts = n_solid + np.arange(2 * len(along)).reshape(2, -1)
        points = [(side, y, 0.0) for side in sides for y in along.tolist()]
        nodes = np.vstack([cap.nodes, block.nodes, points, [(0.0, self.block_height, 0.0)]])
        followers = {
            "BLOCK": (len(nodes) - 1, np.flatnonzero(self._at(nodes[:n_solid, 1], self.block_height)))
        }
        for number, (bolt, side) in enumerate(zip(bolts, sides, strict=True), 1):
            followers[f"HEAD_{number}"] = int(bolt[0]), self._seat(cap.nodes, side)
            followers[f"THREAD_{number}"] = int(bolt[-1]), n_cap + self._thread(block.nodes, side)
        beams = np.column_stack([bolts[:, :-1].ravel(), bolts[:, 1:].ravel()])
        area, inertia = 0.25 * pi * self.shank**2, pi * self.shank**4 / 64.0
        section = BeamSection(area, inertia, inertia, 2.0 * inertia, (1.0, 0.0, 0.0), _SHEAR_FACTOR)
        first = len(cells)
        ids = np.arange(1, first + len(beams) + 1)
        return FeModel(
            f"bearing cap, bore {self.bore:g}, elements of {self.size:g}",
            np.arange(1, len(nodes) + 1), nodes,
            (
                ElementBlock("hex8_incompatible", "C3D8I", ids[:first], cells, "MATERIAL"),
                ElementBlock("beam2", "B31", ids[first:], beams, "MATERIAL", section),
            ),
            node_sets={name: np.array([reference]) for name, (reference, _) in followers.items()},
            element_sets={
                "CAP": np.arange(len(cap.cells)), "BLOCK_SEGMENT": np.arange(len(cap.cells), first),
                "BOLTS": first + np.arange(len(beams)),
            },
            surfaces={each.name: each for each in self._surfaces(nodes, cells, len(cap.cells))},
            materials={"MATERIAL": self.material},
            couplings=tuple(
                Coupling(name, "kinematic", reference, rows, _ALL, np.ones(len(rows)))
                for name, (reference, rows) in followers.items()
            ),
        )  # fmt: skip

    def _at(self, values: np.ndarray, place: float) -> np.ndarray:
        return np.abs(values - place) < _MERGED * self.bore

    def _seat(self, nodes: np.ndarray, place: float) -> np.ndarray:
        """Return the nodes of the cap under a head: nodes of its lower face within the seat."""
        away = np.hypot(nodes[:, 0] - place, nodes[:, 2])
        return np.flatnonzero(self._at(nodes[:, 1], -self.cap_height) & (away < 0.5 * self.seat))

    def _thread(self, nodes: np.ndarray, place: float) -> np.ndarray:
        """Return the nodes on the wall of a hole in the block along the thread, at least one layer."""
        on_wall = self._at(np.hypot(nodes[:, 0] - place, nodes[:, 2]), 0.5 * self.hole)
        away = np.abs(nodes[:, 1] - 0.5 * self.block_height)
        return np.flatnonzero(on_wall & (away <= max(self.shank, away[on_wall].min() + _MERGED)))

    def _surfaces(self, nodes: np.ndarray, cells: np.ndarray, n_cap: int) -> list[DeckSurface]:
        corners = cells[:, np.array(_FACES)]
        joint = self._at(nodes[:, 1], 0.0)[corners].all(axis=2)
        bored = self._at(np.hypot(nodes[:, 0], nodes[:, 1]), 0.5 * self.bore)[corners].all(axis=2)
        of_cap = np.arange(len(cells))[:, None] < n_cap
        found = {"CAP_FACE": joint & of_cap, "BLOCK_FACE": joint & ~of_cap}
        elements, faces = np.nonzero(bored)
        middles = nodes[corners[elements, faces]].mean(axis=1)
        angle = np.arctan2(middles[:, 1], middles[:, 0])
        sector = np.floor(angle / (2.0 * pi / SECTORS)).astype(np.int64) % SECTORS
        chosen = {name: np.nonzero(on) for name, on in found.items()}
        chosen |= {f"SECTOR_{i + 1}": (elements[sector == i], faces[sector == i]) for i in range(SECTORS)}
        return [DeckSurface(name, at, face, np.zeros(0, np.int64)) for name, (at, face) in chosen.items()]

    def _half(self, height: float, size: float) -> BrickMesh:
        """Return a block segment above y = 0: two legs with the holes, and the arch between them."""
        along = max(_LEAST, round(self.length / size))
        across = max(_LEAST, round(self.pad / size))
        up = self._layers(height, size)
        leg = self._leg(along, across, up, size)
        arch = self._arch(along, up, size)
        return merged([leg, leg.mirrored(0), arch, arch.mirrored(0)], _MERGED * self.bore)

    def _layers(self, height: float, size: float) -> np.ndarray:
        """Return heights of the layers from the joint on, increasing with distance."""
        count = max(_LEAST, round(log1p(self.growth * height / size) / self.growth))
        return graded(height, count, size)

    def _leg(self, along: int, across: int, up: np.ndarray, size: float) -> BrickMesh:
        """Return the pad around the right hole: rays from the hole to the outline, extruded in layers."""
        half_x, half_z = 0.5 * self.pad, 0.5 * self.length
        x, z = np.linspace(-half_x, half_x, across + 1), np.linspace(-half_z, half_z, along + 1)
        outline = np.vstack([
            np.column_stack([x[:-1], np.full(across, -half_z)]), np.column_stack([np.full(along, half_x), z[:-1]]),
            np.column_stack([x[:0:-1], np.full(across, half_z)]), np.column_stack([np.full(along, -half_x), z[:0:-1]]),
        ])  # fmt: skip
        circle = 0.5 * self.hole * outline / np.linalg.norm(outline, axis=1, keepdims=True)
        rings = max(_LEAST, round((half_x - 0.5 * self.hole) / size))
        shares = np.linspace(0.0, 1.0, rings + 1)[:, None, None]
        plane = circle + shares * (outline - circle)  # (rings + 1, places, 2)
        grid = np.empty((len(up), *plane.shape[:2], 3))
        grid[..., 0], grid[..., 2] = plane[..., 0] + self.bolt_place, plane[..., 1]
        grid[..., 1] = up[:, None, None]
        return bricks(np.concatenate([grid, grid[:, :, :1]], axis=2))

    def _arch(self, along: int, up: np.ndarray, size: float) -> BrickMesh:
        """Return the right half of the arch between bore and legs: rays from the bore to leg and top, extruded."""
        radius, inner, height = 0.5 * self.bore, 0.5 * self.bore + self.wall, float(up[-1])
        corner = atan2(height, inner)
        over = max(_LEAST, round(inner / (_COARSENING * size)))
        x = np.linspace(inner, 0.0, over + 1)[1:]
        outer = np.vstack(
            [np.column_stack([np.full(len(up), inner), up]), np.column_stack([x, np.full(over, height)])]
        )
        angles = np.concatenate([corner * up / height, np.linspace(corner, 0.5 * pi, over + 1)[1:]])
        circle = radius * np.column_stack([np.cos(angles), np.sin(angles)])
        circle[-1, 0] = 0.0
        rows = max(_LEAST, round(self.wall / size))
        plane = circle + np.linspace(0.0, 1.0, rows + 1)[:, None, None] * (outer - circle)
        z = np.linspace(-0.5 * self.length, 0.5 * self.length, along + 1)
        grid = np.empty((len(z), *plane.shape[:2], 3))
        grid[..., :2], grid[..., 2] = plane, z[:, None, None]
        return bricks(grid)
