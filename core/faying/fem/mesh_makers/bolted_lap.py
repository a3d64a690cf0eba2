"""Two overlapping plates with bolts through both."""

from collections.abc import Mapping
from math import pi

import numpy as np
from pydantic import model_validator

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._bolt import HEXAGON, bolt_bricks
from faying.fem.mesh_makers._bricks import BrickMesh, extruded
from faying.fem.mesh_makers._sections import PlaneMesh, joined, rectangle, steps, with_hole
from faying.fem.mesh_makers._solid import (
    Away,
    BeamBolt,
    RoundFace,
    SolidMaker,
    both,
    inside,
    plane,
    within,
)
from faying.params import parameter
from faying.units import amount


@mesh_makers.register("bolted_lap")
class LapMaker(SolidMaker):
    """Two plates along x that overlap at the origin, with the joint at z = 0 and bolts along z.

    The lower plate extends to x < 0, the upper one to x > 0; the node REF_LOWER_END is rigidly coupled to the lower
    plate's end, and REF_UPPER_END follows the mean motion of the upper plate's end. Faces: LOWER_LAP and UPPER_LAP, the
    joint; NUT_SEAT_1, HEAD_SEAT_1, … under nuts and heads; LOWER_HOLE_1, …; LOWER_END and UPPER_END. Bolts are beams
    BOLT_1, … whose ends follow the seats, or separate solid parts with the faces NUT_1, HEAD_1 and SHANK_1; then the
    seats are further joints.
    """

    title = "Bolted lap"
    advice = "Two plates that overlap, and one bolt or several through both: a first model of a joint."

    length: float = parameter(
        100.0, title="Length", quantity="length", gt=0.0, meaning="Of each plate, along x."
    )
    width: float = parameter(
        40.0, title="Width", quantity="length", gt=0.0, meaning="Of both plates, along y."
    )
    thickness: float = parameter(
        8.0, title="Thickness", quantity="length", gt=0.0, meaning="Of each plate, along z."
    )
    overlap: float = parameter(40.0, title="Overlap", quantity="length", gt=0.0, meaning="Along x.")
    bolts: int = parameter(1, title="Bolts", ge=1, le=20, meaning="In a row along x, evenly spaced.")
    hole: float = parameter(9.0, title="Holes", quantity="length", gt=0.0, meaning="Diameter of the holes.")
    shank: float = parameter(
        8.0, title="Diameter of the bolts", quantity="length", gt=0.0, meaning="Of their shanks."
    )
    across: float = parameter(
        13.0, title="Width of heads and nuts", quantity="length", gt=0.0,
        meaning="Across flats; beams press on the ring of this diameter round the hole.",
    )  # fmt: skip
    solid_bolts: bool = parameter(
        False, title="Bolts as solids",
        meaning="Bolts with head and nut that touch the plates, rather than beams whose ends move with the seats.",
    )  # fmt: skip
    layers: int = parameter(
        3, title="Elements through each plate", ge=1, le=100, meaning="Across the thickness."
    )
    size: float = parameter(
        3.0, title="Element size", quantity="length", gt=0.0, meaning="Edge length of the bricks, about."
    )

    @model_validator(mode="after")
    def _fits(self) -> "LapMaker":
        if self.overlap >= self.length:
            raise ValueError("the overlap is as long as the plates or longer")
        room = min(self.width, self.pitch)
        if not self.shank <= self.hole < self.across < 0.95 * room:
            raise ValueError(
                "shanks, holes and heads are each wider than the last, and heads narrower than the room of each bolt, "
                f"{amount(room, 'length')}"
            )
        return self

    @property
    def pitch(self) -> float:
        """Pitch of the bolts: overlap divided by their number."""
        return self.overlap / self.bolts

    @property
    def bolt_places(self) -> list[float]:
        """Positions of the bolts along x."""
        return [(i + 0.5) * self.pitch - 0.5 * self.overlap for i in range(self.bolts)]

    def joint_area(self) -> float:
        """Return the area of the overlap without the holes."""
        return self.overlap * self.width - 0.25 * pi * self.hole**2 * self.bolts

    def pieces(self) -> Mapping[str, BrickMesh]:
        """Return both plates, and the bolts if they are solids."""
        plate = self._plate()
        mirrored = PlaneMesh(-plate.points, plate.quads)
        up = np.linspace(0.0, self.thickness, self.layers + 1)
        found = {"LOWER_PLATE": extruded(mirrored, up - self.thickness), "UPPER_PLATE": extruded(plate, up)}
        if self.solid_bolts:
            height = 0.7 * self.shank  # head and nut, approximately as in ISO 4014 and ISO 4032
            bolt = bolt_bricks(
                self.shank,
                self.across,
                height,
                2.0 * self.thickness,
                height,
                min(self.size, 0.25 * self.shank),
            )
            for number, x in enumerate(self.bolt_places, 1):
                found[f"BOLT_{number}"] = bolt.moved((x, 0.0, -self.thickness))
        return found

    def faces(self) -> Mapping[str, tuple[str, Away]]:
        """Return the joint, seats, holes and ends."""
        end, t = self.length - 0.5 * self.overlap, self.thickness
        lap = both(plane(2, 0.0), inside(0, -0.5 * self.overlap, 0.5 * self.overlap))
        found: dict[str, tuple[str, Away]] = {
            "LOWER_LAP": ("LOWER_PLATE", lap), "UPPER_LAP": ("UPPER_PLATE", lap),
            "LOWER_END": ("LOWER_PLATE", plane(0, -end)), "UPPER_END": ("UPPER_PLATE", plane(0, end)),
        }  # fmt: skip
        for number, x in enumerate(self.bolt_places, 1):
            for side, seated, at in (("LOWER", "NUT", -t), ("UPPER", "HEAD", t)):
                piece, about = f"{side}_PLATE", (x, 0.0)
                seat = both(plane(2, at), within(RoundFace(0.5 * self.across, centre=about)))
                found[f"{seated}_SEAT_{number}"] = piece, seat
                found[f"{side}_HOLE_{number}"] = piece, RoundFace(0.5 * self.hole, centre=about).away
            if self.solid_bolts:
                bolt, shank = f"BOLT_{number}", RoundFace(0.5 * self.shank, centre=(x, 0.0))
                found[f"NUT_{number}"] = bolt, plane(2, -t)
                found[f"HEAD_{number}"] = bolt, plane(2, t)
                found[f"SHANK_{number}"] = bolt, both(shank.away, inside(2, -t, t))
        return found

    def grips(self) -> tuple[str, ...]:
        """Return the far ends of both plates."""
        return "LOWER_END", "UPPER_END"

    def rounds(self) -> tuple[RoundFace, ...]:
        """Return holes, the rings of the seats, and shanks."""
        radii = [0.5 * self.hole, 0.5 * self.across, *([0.5 * self.shank] if self.solid_bolts else [])]
        return tuple(RoundFace(radius, centre=(x, 0.0)) for x in self.bolt_places for radius in radii)

    def beam_bolts(self) -> tuple[BeamBolt, ...]:
        """Return the bolts if they are beams."""
        if self.solid_bolts:
            return ()
        t = self.thickness
        return tuple(
            BeamBolt((x, 0.0, -t), (x, 0.0, t), self.shank, (f"NUT_SEAT_{i}", f"HEAD_SEAT_{i}"))
            for i, x in enumerate(self.bolt_places, 1)
        )

    def volume(self) -> float:
        """Return the volume of the plates without the holes, and of the bolts."""
        holes = 0.25 * pi * self.hole**2 * self.bolts
        shanks = 0.25 * pi * self.shank**2 * 2.0 * self.thickness * self.bolts
        heads = 1.4 * self.shank * HEXAGON * self.across**2 * self.bolts if self.solid_bolts else 0.0
        return 2.0 * self.thickness * (self.length * self.width - holes) + shanks + heads

    def facts(self) -> list[tuple[str, str]]:
        """Return volume, mass, and the area of the joint."""
        return [*super().facts(), ("Joint area", amount(self.joint_area(), "area", 6))]

    def _plate(self) -> PlaneMesh:
        """Return the upper plate in x and y."""
        radii = [0.5 * self.hole, 0.5 * self.across]
        room, across = with_hole(self.pitch, self.width, radii, self.size)
        parts = [PlaneMesh(room.points + np.array([x, 0.0]), room.quads) for x in self.bolt_places]
        free = self.length - self.overlap
        x = 0.5 * self.overlap + np.linspace(0.0, free, steps(free, self.size) + 1)
        return joined([*parts, rectangle(x, across)], 1e-6 * self.hole)
