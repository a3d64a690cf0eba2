"""A spur or helical gear: involute flanks, fillets cut by a rack, graded rows of bricks where flanks touch."""

from dataclasses import replace
from itertools import pairwise
from math import atan, cos, degrees, pi, radians, sin, tan

import numpy as np
from pydantic import model_validator

from faying.fem.mesh_makers import MeshMaker, graded, mesh_makers
from faying.fem.mesh_makers._involute import (
    ToothProfile,
    backlash,
    contact_ratio,
    tight_distance,
    working_pressure_angle,
)
from faying.fem.model import Coupling, DeckSurface, ElementBlock, FeModel
from faying.params import parameter
from faying.units import amount

_ALL = (1, 2, 3, 4, 5, 6)
_BOTTOM_OF_TOOTH = radians(
    50.0
)  # slope of the fillet at which the rows of the tooth end and the columns of the rim begin
# Faces of a brick over a quadrilateral a, b, c, d, by its edges.
_EDGE_FACES = {"ab": 2, "bc": 3, "cd": 4, "da": 5}


@mesh_makers.register("spur_gear")
class SpurGear(MeshMaker):
    """An involute wheel about the z axis, with the middle of its first tooth on the x axis.

    Its bore, and the cut faces of a partial wheel, are coupled to the node AXIS. Surfaces: FLANKS_LEFT (leading when
    the wheel rotates about +z) and FLANKS_RIGHT, FLANKS with both, ROOTS with the fillets, and single flanks
    TOOTH_1_LEFT, TOOTH_1_RIGHT, …
    """

    title = "Spur gear"
    advice = "Involute wheels with straight or helical teeth, whole or a few teeth."

    teeth: int = parameter(18, title="Teeth", ge=6, le=500, meaning="Number of teeth of the whole wheel.")
    module: float = parameter(
        5.0, title="Module", quantity="length", gt=0.0,
        meaning="Pitch diameter over the number of teeth; of helical teeth across them (normal module).",
    )  # fmt: skip
    pressure_angle: float = parameter(
        radians(20.0), title="Pressure angle", quantity="angle", gt=radians(10.0), lt=radians(35.0),
        meaning="Of the rack that cuts the teeth; of helical teeth across them.",
    )  # fmt: skip
    profile_shift: float = parameter(
        0.0, title="Profile shift", ge=-1.0, le=2.0, meaning="Of the rack, outwards, in modules."
    )
    width: float = parameter(20.0, title="Width", quantity="length", gt=0.0, meaning="Along the axis.")
    bore: float = parameter(40.0, title="Bore", quantity="length", gt=0.0, meaning="Diameter of the bore.")
    addendum: float = parameter(1.0, title="Addendum", gt=0.0, le=2.0, meaning="Of the teeth, in modules.")
    dedendum: float = parameter(1.25, title="Dedendum", gt=0.0, le=2.5, meaning="Of the teeth, in modules.")
    tip_rounding: float = parameter(
        0.38, title="Tip rounding of the rack", ge=0.05, le=0.6,
        meaning="Radius in modules, which makes the fillet at the root of the teeth.",
    )  # fmt: skip
    helix_angle: float = parameter(
        0.0, title="Helix angle", quantity="angle", gt=-radians(45.0), lt=radians(45.0),
        meaning="At the pitch circle; positive where teeth lean as the thread of a right-handed screw.",
    )  # fmt: skip
    modelled_teeth: int = parameter(
        0,
        title="Teeth in the model",
        ge=0,
        meaning="How many of them are meshed, from the first on; 0 for all.",
    )
    mate_teeth: int = parameter(
        0, title="Teeth of the mate", ge=0, le=500,
        meaning="Number of teeth of a wheel of the same rack that this one runs with, to see contact ratio and "
        "backlash; 0 for none.",
    )  # fmt: skip
    mate_shift: float = parameter(
        0.0, title="Profile shift of the mate", ge=-1.0, le=2.0, meaning="In modules."
    )
    centre_distance: float = parameter(
        0.0, title="Centre distance", quantity="length", ge=0.0,
        meaning="Of both axes; zero for that without backlash. Where teeth would overlap there is no mesh.",
    )  # fmt: skip
    flank_elements: int = parameter(
        10, title="Elements along a flank", ge=2, le=2000, meaning="From the fillet to the tip."
    )
    contact_size: float = parameter(
        0.0, title="Smallest element", quantity="length", ge=0.0,
        meaning="Length along the flank of its smallest elements, at the contact radius, and depth of those under the "
        "flank; from there they grow. Zero makes all alike.",
    )  # fmt: skip
    contact_radius: float = parameter(
        0.0, title="Contact radius", quantity="length", ge=0.0,
        meaning="At which the elements are smallest; zero for the pitch circle.",
    )  # fmt: skip
    tooth_elements: int = parameter(
        8,
        title="Elements across a tooth",
        ge=2,
        le=2000,
        multiple_of=2,
        meaning="From flank to flank; an even number.",
    )
    fillet_elements: int = parameter(
        3, title="Elements along each half of a fillet", ge=1, le=500,
        meaning="In the upper half as rows of the tooth, in the lower as columns of the rim.",
    )  # fmt: skip
    root_elements: int = parameter(
        1,
        title="Elements of the root",
        ge=1,
        le=500,
        meaning="From the fillet to the middle between two teeth.",
    )
    rim_elements: int = parameter(
        5,
        title="Elements through the rim",
        ge=1,
        le=500,
        meaning="From the root to the bore; they grow inwards.",
    )
    width_elements: int = parameter(
        4, title="Elements along the width", ge=1, le=2000, meaning="Along the axis."
    )

    @model_validator(mode="after")
    def _fits(self) -> "SpurGear":
        profile = self.profile  # reports parameters that do not define a tooth
        if 0.5 * self.bore >= 0.95 * profile.root_radius:
            raise ValueError(
                f"the bore of {amount(self.bore, 'length', 6)} leaves no rim: the root circle has "
                f"{amount(2 * profile.root_radius, 'length', 5)}"
            )
        if self.modelled_teeth > self.teeth:
            raise ValueError(f"of {self.teeth} teeth {self.modelled_teeth} cannot be in the model")
        if self.contact_radius and not profile.form_radius <= self.contact_radius <= profile.tip_radius:
            raise ValueError(
                f"the contact radius {amount(self.contact_radius, 'length', 6)} is not on the flank, which goes from "
                f"{profile.form_radius:.5g} to {amount(profile.tip_radius, 'length', 5)}"
            )
        if (mate := self.mate) is not None:
            play = backlash(profile, mate, self.distance)
            if play < -1e-6 * self.module:
                raise ValueError(
                    f"at a centre distance of {amount(self.distance, 'length', 6)} teeth overlap by "
                    f"{amount(-play, 'length', 3)}; without backlash it is "
                    f"{amount(tight_distance(profile, mate), 'length', 6)}"
                )
            if contact_ratio(profile, mate, self.distance) < 1.0:
                raise ValueError(
                    f"at a centre distance of {amount(self.distance, 'length', 6)} a pair of teeth parts before the "
                    "next one touches"
                )
        return self

    @property
    def mate(self) -> ToothProfile | None:
        """The tooth profile of the mating wheel; None without mate."""
        if not self.mate_teeth:
            return None
        return replace(self.profile, teeth=self.mate_teeth, shift=self.mate_shift * self.module)

    @property
    def distance(self) -> float:
        """Centre distance: as given, or that without backlash."""
        mate = self.mate
        assert mate is not None
        return self.centre_distance or tight_distance(self.profile, mate)

    def facts(self) -> list[tuple[str, str]]:
        """Return the diameters, and data of the gear pair if there is a mate, as names and values with units."""
        profile = self.profile
        diameters = [
            (f"{name} diameter", amount(2.0 * radius, "length", 6))
            for name, radius in (
                ("Tip", profile.tip_radius), ("Pitch", profile.pitch_radius), ("Base", profile.base_radius),
                ("Root", profile.root_radius), ("Lowest flank", profile.form_radius),
            )
        ]  # fmt: skip
        if (mate := self.mate) is None:
            return diameters
        return [
            *diameters,
            ("Centre distance", amount(self.distance, "length", 6)),
            (
                "Working pressure angle",
                f"{degrees(working_pressure_angle(profile, mate, self.distance)):.5g}°",
            ),
            ("Contact ratio", f"{contact_ratio(profile, mate, self.distance):.4g}"),
            ("Backlash", amount(max(backlash(profile, mate, self.distance), 0.0), "length", 3)),
        ]

    @property
    def profile(self) -> ToothProfile:
        """The tooth profile in the transverse section."""
        lean = cos(self.helix_angle)
        return ToothProfile(
            self.teeth, self.module / lean, atan(tan(self.pressure_angle) / lean), self.profile_shift * self.module,
            self.addendum * self.module, self.dedendum * self.module, self.tip_rounding * self.module,
        )  # fmt: skip

    def model(self) -> FeModel:
        """Return the wheel, or some of its teeth with their part of the rim."""
        plane, tooth_nodes, rim_nodes = self._plane()
        count = self.modelled_teeth or self.teeth
        quads: list[tuple[int, int, int, int]] = []
        sides: dict[str, list[tuple[int, str]]] = {}
        for tooth in range(count):
            left, right = f"TOOTH_{tooth + 1}_LEFT", f"TOOTH_{tooth + 1}_RIGHT"
            self._tooth(tooth_nodes[tooth], quads, sides, (left, right))
            self._rim(rim_nodes[tooth], quads, sides)
        layers = self.width_elements + 1
        turn = tan(self.helix_angle) / self.profile.pitch_radius
        heights = np.linspace(-0.5 * self.width, 0.5 * self.width, layers)
        nodes = np.concatenate([_turned(plane, turn * z, z) for z in heights])
        n, m = len(plane), len(quads)
        flat = np.array(quads)
        bricks = np.concatenate([np.hstack([flat + k * n, flat + (k + 1) * n]) for k in range(layers - 1)])
        nodes = np.vstack([nodes, np.zeros(3)])

        def face_set(name: str, of: list[tuple[int, str]]) -> DeckSurface:
            elements = np.array([[q + k * m for q, _ in of] for k in range(layers - 1)], np.int64)
            faces = np.tile([_EDGE_FACES[edge] for _, edge in of], layers - 1)
            return DeckSurface(name, elements.ravel(), faces.astype(np.int64), np.zeros(0, np.int64))

        for side in ("LEFT", "RIGHT"):
            sides[f"FLANKS_{side}"] = [x for t in range(count) for x in sides[f"TOOTH_{t + 1}_{side}"]]
        sides["FLANKS"] = [*sides["FLANKS_LEFT"], *sides["FLANKS_RIGHT"]]
        held = [row for rows in rim_nodes for row in rows[-1]]
        if count < self.teeth:
            held += [*rim_nodes[0][:, 0], *rim_nodes[-1][:, -1]]
        bore = np.unique(np.concatenate([np.array(held, np.int64) + k * n for k in range(layers)]))
        axis = len(nodes) - 1
        return FeModel(
            f"gear of {self.teeth} teeth, module {self.module:g}",
            np.arange(1, len(nodes) + 1), nodes,
            (ElementBlock("hex8_incompatible", "C3D8I", np.arange(1, len(bricks) + 1), bricks, "MATERIAL"),),
            node_sets={"AXIS": np.array([axis]), "BORE": bore},
            surfaces={name: face_set(name, of) for name, of in sides.items()},
            materials={"MATERIAL": self.material},
            couplings=(Coupling("BORE", "kinematic", axis, bore, _ALL, np.ones(len(bore))),),
        )  # fmt: skip

    def _outline(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (rows, 2) radius and τ along the side of a tooth, and (columns, 2) continuing along the root."""
        profile = self.profile
        first, last = (profile.roll_length(r) for r in (profile.form_radius, profile.tip_radius))
        at = profile.roll_length(self.contact_radius or min(profile.pitch_radius, profile.tip_radius))
        places = first + graded(last - first, self.flank_elements, self.contact_size, at - first)
        split = profile.slope_share(_BOTTOM_OF_TOOTH)
        upper = profile.fillet(np.linspace(split, 1.0, self.fillet_elements + 1))
        lower = profile.fillet(np.linspace(split, 0.0, self.fillet_elements + 1))
        angles = np.linspace(profile.root_angle, pi / profile.teeth, self.root_elements + 1)[1:]
        land = np.column_stack([np.full(len(angles), profile.root_radius), angles])
        side = np.vstack([profile.flank(places)[::-1], upper[::-1][1:]])
        return side, np.vstack([lower, land])

    def _plane(self) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
        """Return nodes (n, 2) of the section, and for each tooth the node rows from the tip and those of its rim.

        The last row of a tooth is part of the first row of its rim; adjacent rims share a column between teeth.
        """
        side, root = self._outline()
        profile, across = self.profile, self.tooth_elements
        radius = self.contact_radius or profile.pitch_radius
        half = graded(radius * profile.half_angle(radius), across // 2, self.contact_size)
        share = 1.0 - half / half[-1]  # of τ, from the flank to the middle
        shares = np.concatenate([-share, share[::-1][1:]])
        step = float(np.hypot(root[1, 0] - root[0, 0], root[0, 0] * (root[1, 1] - root[0, 1])))
        inwards = graded(1.0, self.rim_elements, step / (root[0, 0] - 0.5 * self.bore))
        outer = np.vstack(
            [
                np.column_stack([root[::-1, 0], -root[::-1, 1]]),
                np.column_stack([np.full(across - 1, root[0, 0]), root[0, 1] * shares[1:-1]]),
                root,
            ]
        )
        points: list[tuple[float, float]] = []

        def add(radius: float, angle: float) -> int:
            points.append((radius * cos(angle), radius * sin(angle)))
            return len(points) - 1

        count, pitch = self.modelled_teeth or self.teeth, 2.0 * pi / self.teeth
        teeth: list[np.ndarray] = []
        rims: list[np.ndarray] = []
        columns = len(root) - 1
        first: list[int] = []
        for tooth in range(count):
            middle = tooth * pitch
            heights = [outer[:, 0] + share * (0.5 * self.bore - outer[:, 0]) for share in inwards]
            grid = np.full((len(inwards), len(outer)), -1)
            if tooth:
                grid[:, 0] = rims[-1][:, -1]
            if tooth == count - 1 and count == self.teeth:
                grid[:, -1] = first
            for i, row in enumerate(heights):
                for j, (height, angle) in enumerate(zip(row, outer[:, 1], strict=True)):
                    if grid[i, j] < 0:
                        grid[i, j] = add(float(height), middle + float(angle))
            first = first or grid[:, 0].tolist()
            rims.append(grid)
            rows = [[add(float(r), middle + float(t * s)) for s in shares] for r, t in side[:-1]]
            teeth.append(np.array([*rows, grid[0, columns : columns + across + 1].tolist()]))
        return np.array(points), teeth, rims

    def _tooth(
        self, grid: np.ndarray, quads: list[tuple[int, int, int, int]], sides: dict[str, list[tuple[int, str]]],
        names: tuple[str, str],
    ) -> None:  # fmt: skip
        """Add the quadrilaterals of a tooth, and mark their edges on flanks and fillets."""
        left, right = names
        last = grid.shape[1] - 2
        for i, (above, below) in enumerate(pairwise(grid)):
            for j in range(grid.shape[1] - 1):
                on_flank = i < self.flank_elements
                if j == 0:
                    sides.setdefault(right if on_flank else "ROOTS", []).append((len(quads), "ab"))
                if j == last:
                    sides.setdefault(left if on_flank else "ROOTS", []).append((len(quads), "cd"))
                # Below, above, and with increasing angle: anticlockwise, since a → b points outwards.
                quads.append((below[j], above[j], above[j + 1], below[j + 1]))

    def _rim(
        self,
        grid: np.ndarray,
        quads: list[tuple[int, int, int, int]],
        sides: dict[str, list[tuple[int, str]]],
    ) -> None:
        """Add the quadrilaterals of the rim below a tooth."""
        columns = self.fillet_elements + self.root_elements
        for i, (above, below) in enumerate(pairwise(grid)):
            for j in range(grid.shape[1] - 1):
                beside = j < columns or j >= grid.shape[1] - 1 - columns
                if i == 0 and beside:
                    sides.setdefault("ROOTS", []).append((len(quads), "bc"))
                quads.append((below[j], above[j], above[j + 1], below[j + 1]))


def _turned(plane: np.ndarray, angle: float, height: float) -> np.ndarray:
    """Return (n, 3) points of a plane, rotated about the axis and placed at a height."""
    turn = np.array([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])
    return np.column_stack([plane @ turn, np.full(len(plane), height)])
