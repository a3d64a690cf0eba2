"""Two pipes with bolted flanges."""

from collections.abc import Mapping
from math import pi

import numpy as np
from pydantic import model_validator

from faying.fem.mesh_makers import mesh_makers
from faying.fem.mesh_makers._bricks import BrickMesh, extruded, merged
from faying.fem.mesh_makers._sections import PlaneMesh, between, joined, pad, round_outline, steps
from faying.fem.mesh_makers._solid import Away, BeamBolt, RoundFace, SolidMaker, both, plane, within
from faying.params import parameter
from faying.units import amount


@mesh_makers.register("bolted_flange")
class BoltedFlange(SolidMaker):
    """Two pipes along z whose flanges meet at z = 0, with bolts around them; the first bolt is on the x axis.

    Bolts are beams BOLT_1, … whose ends follow the seats. The node REF_LOWER_END is rigidly coupled to the lower pipe's
    end; REF_UPPER_END follows the mean motion of the upper pipe's end. Faces: LOWER_FACE and UPPER_FACE, the joint;
    NUT_SEAT_1, HEAD_SEAT_1, … under nuts and heads; LOWER_END and UPPER_END; LOWER_BORE and UPPER_BORE, for internal
    pressure.
    """

    title = "Bolted flange"
    advice = "Two pipes with flanges and a ring of bolts: a joint that opens under pressure and bending."

    bore: float = parameter(
        60.0, title="Bore", quantity="length", gt=0.0, meaning="Inner diameter of the pipes."
    )
    wall: float = parameter(6.0, title="Wall", quantity="length", gt=0.0, meaning="Of the pipes.")
    length: float = parameter(
        60.0, title="Pipes", quantity="length", gt=0.0, meaning="Length of each pipe beyond its flange."
    )
    flange: float = parameter(
        130.0, title="Flanges", quantity="length", gt=0.0, meaning="Outer diameter of the flanges."
    )
    thickness: float = parameter(
        12.0, title="Thickness", quantity="length", gt=0.0, meaning="Of each flange."
    )
    bolts: int = parameter(8, title="Bolts", ge=3, le=100, meaning="Number of bolts, evenly spaced.")
    circle: float = parameter(
        100.0, title="Bolt circle", quantity="length", gt=0.0, meaning="Diameter on which the bolts stand."
    )
    hole: float = parameter(11.0, title="Holes", quantity="length", gt=0.0, meaning="Diameter of the holes.")
    shank: float = parameter(
        10.0, title="Diameter of the bolts", quantity="length", gt=0.0, meaning="Of their shanks."
    )
    seat: float = parameter(
        16.0, title="Seats", quantity="length", gt=0.0,
        meaning="Diameter of the ring round each hole on which head and nut press.",
    )  # fmt: skip
    layers: int = parameter(
        3, title="Elements through each flange", ge=1, le=100, meaning="Across the thickness."
    )
    pipe_layers: int = parameter(2, title="Elements through the wall", ge=1, le=100, meaning="Of the pipes.")

    @model_validator(mode="after")
    def _fits(self) -> "BoltedFlange":
        inner, outer = 0.5 * self.bore + self.wall, 0.5 * self.flange
        room = 2.0 * min(0.5 * self.circle - inner, outer - 0.5 * self.circle)
        if not self.shank <= self.hole < self.seat < 0.95 * room:
            raise ValueError(
                "shanks, holes and seats are each wider than the last, and seats narrower than the room between pipe "
                f"and rim, {amount(max(room, 0.0), 'length')}"
            )
        if self.seat >= 0.95 * self.circle * np.sin(pi / self.bolts):
            raise ValueError("the seats of neighbouring bolts meet: take fewer bolts or a larger bolt circle")
        return self

    @property
    def bolt_places(self) -> list[tuple[float, float]]:
        """Places (x, y) of the bolts."""
        points = round_outline(0.5 * self.circle, 2.0 * pi * np.arange(self.bolts) / self.bolts)
        return [(float(x), float(y)) for x, y in points]

    def joint_area(self) -> float:
        """Return the area of a flange's face."""
        return 0.25 * pi * (self.flange**2 - self.bore**2 - self.bolts * self.hole**2)

    def pieces(self) -> Mapping[str, BrickMesh]:
        """Return both pipes with their flanges."""
        flange, pipe = self._sections()
        thick = np.linspace(0.0, self.thickness, self.layers + 1)
        along = self.thickness + np.linspace(0.0, self.length, steps(self.length, self.size) + 1)
        upper = merged([extruded(flange, thick), extruded(pipe, along)], 1e-6 * self.bore)
        return {"LOWER": upper.mirrored(2), "UPPER": upper}

    def faces(self) -> Mapping[str, tuple[str, Away]]:
        """Return the joint, seats, bores and ends."""
        found: dict[str, tuple[str, Away]] = {}
        for piece, seated, sign in (("LOWER", "NUT", -1.0), ("UPPER", "HEAD", 1.0)):
            found[f"{piece}_FACE"] = piece, plane(2, 0.0)
            found[f"{piece}_END"] = piece, plane(2, sign * (self.thickness + self.length))
            found[f"{piece}_BORE"] = piece, RoundFace(0.5 * self.bore).away
            for number, place in enumerate(self.bolt_places, 1):
                seat = both(plane(2, sign * self.thickness), within(RoundFace(0.5 * self.seat, centre=place)))
                found[f"{seated}_SEAT_{number}"] = piece, seat
        return found

    def grips(self) -> tuple[str, ...]:
        """Return the far ends of both pipes."""
        return "LOWER_END", "UPPER_END"

    def rounds(self) -> tuple[RoundFace, ...]:
        """Return bore, pipe, rim, holes and the rings of the seats."""
        whole = [0.5 * self.bore, 0.5 * self.bore + self.wall, 0.5 * self.flange]
        own = [0.5 * self.hole, 0.5 * self.seat]
        return (
            *(RoundFace(radius) for radius in whole),
            *(RoundFace(radius, centre=place) for place in self.bolt_places for radius in own),
        )

    def beam_bolts(self) -> tuple[BeamBolt, ...]:
        """Return the bolts."""
        t = self.thickness
        return tuple(
            BeamBolt((x, y, -t), (x, y, t), self.shank, (f"NUT_SEAT_{i}", f"HEAD_SEAT_{i}"))
            for i, (x, y) in enumerate(self.bolt_places, 1)
        )

    def volume(self) -> float:
        """Return the volume of flanges, pipes and bolts."""
        pipe = 0.25 * pi * ((self.bore + 2.0 * self.wall) ** 2 - self.bore**2) * self.length
        shanks = 0.25 * pi * self.shank**2 * 2.0 * self.thickness * self.bolts
        return 2.0 * (self.joint_area() * self.thickness + pipe) + shanks

    def facts(self) -> list[tuple[str, str]]:
        """Return volume, mass, and the area of the joint."""
        return [*super().facts(), ("Joint area", amount(self.joint_area(), "area", 6))]

    def _sections(self) -> tuple[PlaneMesh, PlaneMesh]:
        """Return the section of a flange with its pipe, and that of the pipe only."""
        inner, outer, middle = 0.5 * self.bore + self.wall, 0.5 * self.flange, 0.5 * self.circle
        sector = 2.0 * pi / self.bolts
        # The pad around a bolt is about as wide as high, if the next bolt leaves enough room.
        half = min(0.5 * sector, 0.5 * (outer - inner) / middle)
        across = steps(2.0 * half * middle, self.size, 4)
        up = steps(outer - inner, self.size, 4)
        gap = sector - 2.0 * half
        beside = steps(gap * middle, self.size) if gap > 1e-6 * sector else 0
        on_pad = np.linspace(-half, half, across + 1)
        after = np.linspace(half, sector - half, beside + 1)
        radii = np.linspace(inner, outer, up + 1)
        flange: list[PlaneMesh] = []
        pipe: list[PlaneMesh] = []
        for number, place in enumerate(self.bolt_places):
            turn = number * sector
            sides = [radii[:, None] * round_outline(1.0, np.array([turn + a])) for a in (half, -half)]
            low, high = (round_outline(r, turn + on_pad) for r in (inner, outer))
            outline = np.concatenate([low[::-1][:-1], sides[1][:-1], high[:-1], sides[0][::-1][:-1]])
            flange.append(pad(outline, place, [0.5 * self.hole, 0.5 * self.seat], self.size))
            if beside:
                flange.append(
                    between([round_outline(r, turn + after) for r in (inner, outer)], [up], closed=False)
                )
            for angles in (on_pad, after)[: 2 if beside else 1]:
                ends = [round_outline(r, turn + angles) for r in (0.5 * self.bore, inner)]
                pipe.append(between(ends, [self.pipe_layers], closed=False))
        near = 1e-6 * self.bore
        return joined([*flange, *pipe], near), joined(pipe, near)
