"""A multibody system as decisions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import field_validator, model_validator

from faying.errors import ModelError, there_are
from faying.multibody.bodies import FlexibleBody
from faying.multibody.constraints import constraints as constraint_kinds
from faying.multibody.contacts.ball import BallContact, ball_surface, patch_size
from faying.multibody.contacts.completing import completing
from faying.multibody.contacts.contact import PartContact
from faying.multibody.contacts.rigid_shapes import RigidShape, RigidSphere, can_be_slave, is_ball
from faying.multibody.contacts.spec import PartContactSpec
from faying.multibody.contacts.surface import PartSurface
from faying.multibody.controllers import controllers as controller_kinds
from faying.multibody.events import events as event_kinds
from faying.multibody.forces import forces as force_kinds
from faying.multibody.measures import Measure
from faying.multibody.measures import measures as measure_kinds
from faying.multibody.part import RIGID, Part
from faying.multibody.part_kinds import part_kinds
from faying.multibody.parts.ground import ORIGIN, Ground
from faying.multibody.parts.markers import GroundMarker
from faying.multibody.placement import MarkerSpec, Vector, unique_markers
from faying.multibody.rigid_surfaces import rigid_surfaces
from faying.multibody.system import MultibodySystem
from faying.params import Spec, member_of, parameter
from faying.spatial.rotations import rates_of_body_rotation, rotation_about, rotation_matrix

NO_NODES_HINT = (
    "One of both has to be a ball, the shape of a part, a surface of a body, or triangles from a file."
)
GROUND = "ground"  # the part that never moves, there in every system


class SystemSpec(Spec):
    """Parts, and the constraints, forces and contacts between them."""

    name: str = parameter(title="Name", meaning="Name of the system.", min_length=1)
    parts: tuple[member_of(part_kinds), ...] = parameter(  # type: ignore[valid-type]
        (), title="Parts", meaning="What moves: rigid and flexible parts."
    )
    ground: tuple[MarkerSpec, ...] = parameter(
        (), title="Markers on ground", meaning="Points in space that do not move, as ground.name."
    )
    constraints: tuple[member_of(constraint_kinds), ...] = parameter(  # type: ignore[valid-type]
        (), title="Constraints", meaning="Kinematic joints and prescribed motions."
    )
    forces: tuple[member_of(force_kinds), ...] = parameter(  # type: ignore[valid-type]
        (), title="Forces", meaning="Forces, springs and dampers."
    )
    ground_surfaces: tuple[member_of(rigid_surfaces), ...] = parameter(  # type: ignore[valid-type]
        (),
        title="Surfaces of ground",
        meaning="Surfaces that do not move, which parts may touch, as ground.name.",
    )
    contacts: tuple[PartContactSpec, ...] = parameter(
        (),
        title="Contacts between parts",
        meaning="Surfaces of two parts, or of one flexible part, that may touch, slide and part.",
    )
    measures: tuple[member_of(measure_kinds), ...] = parameter(  # type: ignore[valid-type]
        (), title="Measures", meaning="Scalars that become curves: distances, angles, forces, formulas of them."
    )  # fmt: skip
    controllers: tuple[member_of(controller_kinds), ...] = parameter(  # type: ignore[valid-type]
        (), title="Controllers", meaning="Scalars with states of their own, such as PID; forces and measures take "
        "their outputs by name, as measures.",
    )  # fmt: skip
    events: tuple[member_of(event_kinds), ...] = parameter(  # type: ignore[valid-type]
        (), title="Events", meaning="What happens in a motion when a measure crosses a value, or at a time."
    )  # fmt: skip
    gravity: Vector = parameter(
        (0.0, 0.0, 0.0), title="Gravity", quantity="acceleration", meaning="Acceleration of the weight, in space."
    )  # fmt: skip

    @field_validator(
        "parts",
        "ground",
        "constraints",
        "forces",
        "ground_surfaces",
        "contacts",
        "measures",
        "controllers",
        "events",
    )
    @classmethod
    def _unique_names(cls, items: tuple[Any, ...]) -> tuple[Any, ...]:
        seen: set[str] = set()
        for item in items:
            if item.name in seen or item.name == GROUND:
                raise ValueError(
                    f"the name {item.name!r} is used twice" if item.name in seen else f"{GROUND!r} is taken"
                )
            seen.add(item.name)
        return items

    @field_validator("ground")
    @classmethod
    def _unique_markers(cls, items: tuple[MarkerSpec, ...]) -> tuple[MarkerSpec, ...]:
        return unique_markers(items, (ORIGIN,))

    @model_validator(mode="after")
    def _unique_scalars(self) -> "SystemSpec":
        if taken := {each.name for each in self.measures} & {each.name for each in self.controllers}:
            raise ValueError(f"{min(taken)!r} is the name of a measure and of a controller")
        return self

    @property
    def scalars(self) -> tuple[Measure, ...]:
        """The measures, and the controllers, which are measures with states of their own."""
        return (*self.measures, *self.controllers)

    def without_looks(self) -> "SystemSpec":
        """Return the system without the settings that only affect how its parts are drawn."""
        return self.with_(parts=tuple(part.without_looks() for part in self.parts))

    def body_names(self) -> tuple[str, ...]:
        """Return the flexible bodies that the parts are made of, each once, in order."""
        return tuple(dict.fromkeys(name for part in self.parts if (name := part.body_name())))

    def touches(self, part: str) -> bool:
        """Return whether a part has a surface in a contact between parts."""
        sides = (side for contact in self.contacts for side in (contact.master, contact.slave))
        return part in [side.partition(".")[0] for side in sides]

    def marker_names(self, interfaces: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
        """Return the markers that members may name, as "part.marker"; those of ground first.

        Args:
            interfaces: names of the interface nodes of each body.
        """
        still = [f"{GROUND}.{name}" for name in (ORIGIN, *(marker.name for marker in self.ground))]
        moving = [
            f"{part.name}.{name}"
            for part in self.parts
            for name in part.marker_names(interfaces.get(part.body_name(), ()))
        ]
        return (*still, *moving)

    def surface_names(self, surfaces: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
        """Return the surfaces that contacts may name, as "part.surface"; those of ground first.

        Args:
            surfaces: names of the contact surfaces of each body.
        """
        still = [f"{GROUND}.{surface.name}" for surface in self.ground_surfaces]
        moving = [
            f"{part.name}.{name}"
            for part in self.parts
            for name in part.surface_names(surfaces.get(part.body_name(), ()))
        ]
        return (*still, *moving)

    def surface(
        self, name: str, parts: Sequence[Part], bodies: Mapping[str, FlexibleBody], whose: str
    ) -> tuple[int, PartSurface | RigidShape]:
        """Return the number of the part that a surface belongs to, and the surface in that part's frame.

        Args:
            name: "part.surface".
            parts: of the computing system, ground first.
            bodies: the project's reduced bodies that the system needs, by name.
            whose: name of its user for the error message: "contact 'impact'".

        Raises:
            ModelError: when there is no such surface; names the ones there are.
            ReadError: when the file that it comes from cannot be read.
        """
        owner, _, own = name.partition(".")
        found = None
        if owner == GROUND:
            number = 0
            found = next((each.build() for each in self.ground_surfaces if each.name == own), None)
        for k, part in enumerate(self.parts, start=1):
            if part.name == owner:
                number, found = k, part.surface(own, parts[k], bodies)
        if found is None:
            known = self.surface_names({name: tuple(body.reduced.surfaces) for name, body in bodies.items()})
            raise no_part_surface(name, whose, known)
        return number, found

    def build(self, bodies: Mapping[str, FlexibleBody]) -> MultibodySystem:
        """Return the computing system with all of its equations; redundant ones are still in.

        Raises:
            ModelError: when a body, marker or surface is missing, or neither surface of a contact has nodes.
        """
        still = [
            GroundMarker(m.name, np.array(m.position), rotation_matrix(m.euler_parameters))
            for m in self.ground
        ]
        built = [Ground(still, GROUND), *(part.build(bodies) for part in self.parts)]
        contacts = [contact for spec in self.contacts for contact in self._passes(spec, built, bodies)]
        names = [contact.name for contact in contacts]
        for name in names:
            if names.count(name) > 1:
                raise ModelError(
                    f"The contact {name!r} has the name of the second pass of another one, or of its corners, edges "
                    "or roller.", "Rename it.",
                )  # fmt: skip
        own = (force for part in self.parts for force in part.own_forces(bodies))
        known = {constraint.name: constraint for constraint in self.constraints}
        measures = {measure.name: measure for measure in self.scalars}
        forces = (*(force.loaded().bound(known, measures) for force in self.forces), *own)
        constraints = [constraint.loaded().bound(measures) for constraint in self.constraints]
        return MultibodySystem(built, constraints, forces, self.gravity, contacts=contacts)

    def _passes(
        self, spec: PartContactSpec, parts: Sequence[Part], bodies: Mapping[str, FlexibleBody]
    ) -> Iterator[PartContact]:
        """Yield a contact with master and slave as given, and one with both exchanged, if their shares are not zero."""
        whose = f"contact {spec.name!r}"
        (one, master), (other, slave) = (
            self.surface(name, parts, bodies, whose) for name in (spec.master, spec.slave)
        )
        if not can_be_slave(slave) or (is_ball(master) and isinstance(slave, PartSurface) and slave.is_rigid):
            # Which one is which does not matter where only one of both can be evaluated, or touches with any point.
            spec = spec.with_(master=spec.slave, slave=spec.master)
            (one, master), (other, slave) = (other, slave), (one, master)
        if is_ball(slave):
            yield self._of_ball(spec, parts[one], parts[other], master, slave)
            return
        if not isinstance(slave, PartSurface):
            raise ModelError(f"Contact {spec.name!r}: {no_nodes(spec.master, spec.slave)}", NO_NODES_HINT)
        edges = [each.facets.mean_edge for each in (master, slave) if isinstance(each, PartSurface)]
        law = spec.contact_law.loaded()
        reach = spec.reach or max(*edges, 2.0 * law.closing_gap())
        names, second = (parts[one].name, parts[other].name), spec.two_pass
        gears = spec.gears if spec.gears.is_there else None
        impact = spec.restitution, spec.restitution_speed, _impact_mass(parts[one], parts[other])
        both = isinstance(master, PartSurface) and second > 0.0
        if second < 1.0 or not both:
            share = 1.0 - second if both else 1.0
            own = spec.slave.partition(".")[2]
            first = PartContact(
                spec.name, *names, master, slave, law, spec.friction_law, reach, share, own, gears, *impact
            )
            yield first
            yield from completing(first, (spec.slave, spec.master), both_ways=both)
        if isinstance(master, PartSurface) and both:
            name, own = f"{spec.name} (exchanged)", spec.master.partition(".")[2]
            gears = gears and gears.exchanged()
            exchanged = PartContact(
                name, *names[::-1], slave, master, law, spec.friction_law, reach, second, own, gears, *impact
            )
            yield exchanged
            if second >= 1.0:
                yield from completing(exchanged, (spec.master, spec.slave), both_ways=False)

    def _of_ball(
        self,
        spec: PartContactSpec,
        one: Part,
        other: Part,
        master: PartSurface | RigidShape,
        ball: RigidSphere,
    ) -> BallContact:
        """Return the contact of a ball, the slave, with a surface."""
        law = spec.contact_law.loaded()
        size = patch_size(ball, master, (spec.slave, spec.master))
        reach = spec.reach or max(ball.radius, 2.0 * law.closing_gap())
        return BallContact(
            spec.name, one.name, other.name, master, ball_surface(ball), law, spec.friction_law, reach, 1.0,
            spec.slave.partition(".")[2], None, spec.restitution, spec.restitution_speed,
            _impact_mass(one, other), np.array([size]), ball.radius,
        )  # fmt: skip

    def given(self, system: MultibodySystem) -> tuple[np.ndarray, np.ndarray]:
        """Return which of (q, v) at the start the user gave: a vector of zeros counts as not given.

        Deformations count as given: assembly moves parts, and bends them only where it must.
        """
        q, v = np.ones(system.n, dtype=bool), np.ones(system.n, dtype=bool)
        for spec, at in zip(self.parts, system.ranges[1:], strict=True):
            place, frame, rotation = (
                spec.placement,
                slice(at.start, at.start + 3),
                slice(at.start + 3, at.start + RIGID),
            )
            q[frame], q[rotation] = any(place.position), any(place.rotation)
            v[frame], v[rotation] = any(place.velocity), any(place.spin)
        return q, v

    def start(self, system: MultibodySystem) -> tuple[np.ndarray, np.ndarray]:
        """Return (q, v) of the parts as they are placed, before assembly."""
        q, v = np.zeros(system.n), np.zeros(system.n)
        for spec, part, at in zip(self.parts, system.parts[1:], system.ranges[1:], strict=True):
            place = spec.placement
            turned = rotation_about(np.array(place.rotation))
            q[at] = part.placed(np.array(place.position), turned)
            speed = np.zeros(part.n)
            speed[:3] = place.velocity
            speed[3:7] = rates_of_body_rotation(turned, np.array(place.spin))
            v[at] = speed
        return q, v


def _impact_mass(one: Part, other: Part) -> float:
    """Return 1/(1/m₁ + 1/m₂) of two parts; ground is without end."""
    inverse = sum(1.0 / part.total_mass for part in (one, other) if part.total_mass > 0.0)
    return 1.0 / inverse if inverse else 0.0


def no_nodes(master: str, slave: str) -> str:
    """Return that neither surface of a contact has points at which it can be evaluated."""
    return f"neither {master!r} nor {slave!r} is a ball, or has nodes to evaluate contact at."


def no_part_surface(name: str, whose: str, known: Sequence[str]) -> ModelError:
    """Return the error that a surface which something names is not there, with those that are."""
    there = there_are(name, known) if known else "No part has one yet: add a contact surface first."
    return ModelError(f"There is no surface {name!r}, which {whose} names.", there)
