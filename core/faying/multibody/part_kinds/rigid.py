"""Rigid parts."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from pydantic import field_validator

from faying.errors import ModelError
from faying.fem.surface import Surface
from faying.multibody.bodies import FlexibleBody
from faying.multibody.contacts.rigid_shapes import RigidShape
from faying.multibody.contacts.roller import with_roller
from faying.multibody.contacts.surface import PartSurface, surface_of_mesh, surface_of_triangles
from faying.multibody.part import Part
from faying.multibody.part_kinds import PartSpec, frame_markers, part_kinds
from faying.multibody.part_shapes import Solid, SolidShape, part_shapes
from faying.multibody.parts.rigid import CENTRE_OF_MASS, RigidPart
from faying.multibody.placement import Vector
from faying.multibody.rigid_surfaces import RigidSurface, rigid_surfaces, unique_surfaces
from faying.params import member_of, parameter

WHOLE_SHAPE = "shape"  # the surface that every part by its shape has


class _RigidSpec(PartSpec):
    """What rigid parts have in common."""

    built_in: ClassVar[tuple[str, ...]] = ("frame", CENTRE_OF_MASS)

    contact_surfaces: tuple[member_of(rigid_surfaces), ...] = parameter(  # type: ignore[valid-type]
        (), title="Contact surfaces", meaning="Where other parts may touch it."
    )

    @field_validator("contact_surfaces")
    @classmethod
    def _unique_surfaces(cls, items: tuple[RigidSurface, ...]) -> tuple[RigidSurface, ...]:
        return unique_surfaces(items)

    def surface_names(self, of_body: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the names of its surfaces; those of a body first."""
        return (*of_body, *(surface.name for surface in self.contact_surfaces))

    def surface(
        self, name: str, built: Part, bodies: Mapping[str, FlexibleBody]
    ) -> PartSurface | RigidShape | None:
        """Return one of its surfaces."""
        return next((each.build() for each in self.contact_surfaces if each.name == name), None)

    def shown_solid(self) -> Solid | None:
        """Return the solid in the part's frame that it is drawn as, None without; raises a FayingError as `solid`."""
        return None

    def _solid(self, shape: SolidShape) -> Solid:
        places = {f"{self.name}.frame": np.zeros(3)}
        places |= {f"{self.name}.{marker.name}": np.array(marker.position) for marker in self.markers}
        try:
            return shape.solid(places)
        except ModelError as error:
            raise ModelError(f"Part {self.name!r}: {error.message}", error.hint) from None


@part_kinds.register("rigid")
class RigidPartSpec(_RigidSpec):
    """A rigid part by its mass and inertia. Its frame may be anywhere on it."""

    title: ClassVar[str] = "Rigid part"

    mass: float = parameter(1.0, title="Mass", quantity="mass", gt=0.0, meaning="Of the whole part.")
    centre_of_mass: Vector = parameter(
        (0.0, 0.0, 0.0), title="Centre of mass", quantity="length", meaning="In the part's frame."
    )
    moments_of_inertia: Vector = parameter(
        (1.0, 1.0, 1.0), title="Moments of inertia", quantity="moment_of_inertia",
        meaning="Ixx, Iyy, Izz about the centre of mass, along the axes of the part's frame.",
    )  # fmt: skip
    products_of_inertia: Vector = parameter(
        (0.0, 0.0, 0.0), title="Products of inertia", quantity="moment_of_inertia", advanced=True,
        meaning="Ixy, Ixz, Iyz of the inertia tensor, with its sign: minus the integral of x y.",
    )  # fmt: skip

    looks: member_of(part_shapes) | None = parameter(  # type: ignore[valid-type]
        None, title="Looks",
        meaning="What the part is drawn as; mass and inertia stay as they are given. Without looks it is drawn as the "
        "box of its mass and inertia.",
    )  # fmt: skip

    def marker_names(self, interfaces: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the names of all markers."""
        return (*super().marker_names(interfaces), CENTRE_OF_MASS)

    def without_looks(self) -> "RigidPartSpec":
        """Return the part without its appearance."""
        return self if self.looks is None else self.with_(looks=None)

    def shown_solid(self) -> Solid | None:
        """Return its drawn shape, None if that is not decided; raises a FayingError when it cannot be made."""
        return None if self.looks is None else self._solid(self.looks)

    def build(self, bodies: Mapping[str, FlexibleBody]) -> Part:
        """Return the rigid part.

        Raises:
            ModelError: for moments of inertia that no body has.
        """
        xy, xz, yz = self.products_of_inertia
        tensor = np.diag(self.moments_of_inertia) + np.array([[0, xy, xz], [xy, 0, yz], [xz, yz, 0]])
        return RigidPart(self.name, self.mass, tensor, self.centre_of_mass, frame_markers(self.markers))


@part_kinds.register("rigid_shape")
class RigidShapeSpec(_RigidSpec):
    """A rigid part by its shape, which determines its mass, its inertia, its appearance and its outside.

    The whole outside is a contact surface called "shape".
    """

    title: ClassVar[str] = "Rigid part by its shape"

    shape: member_of(part_shapes) = parameter(  # type: ignore[valid-type]
        {"kind": "box"}, title="Shape", meaning="Of the part, in its frame."
    )
    density: float = parameter(
        0.0, title="Density", quantity="density", ge=0.0, meaning="Of the part, the same all through."
    )
    mass: float = parameter(
        0.0, title="Mass", quantity="mass", ge=0.0, advanced=True,
        meaning="Of the whole part, in place of the density: the shape tells only how it is spread. Zero goes by the "
        "density.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return a box of steel in mm, t and s."""
        return {"name": "block", "density": 7.85e-9}

    def marker_names(self, interfaces: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the names of all markers."""
        return (*super().marker_names(interfaces), CENTRE_OF_MASS)

    def surface_names(self, of_body: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the names of its surfaces; its whole outside last, unless one of them has that name."""
        own = super().surface_names(of_body)
        return own if WHOLE_SHAPE in own else (*own, WHOLE_SHAPE)

    def surface(
        self, name: str, built: Part, bodies: Mapping[str, FlexibleBody]
    ) -> PartSurface | RigidShape | None:
        """Return one of its surfaces; raises as `solid`."""
        found = super().surface(name, built, bodies)
        if found is not None or name != WHOLE_SHAPE:
            return found
        shape: SolidShape = self.shape
        spec = shape.contact_surface(name)
        if spec is not None:
            return spec.build()
        roller, mesh = shape.roller(), surface_of_mesh(*self.shape_mesh())
        return mesh if roller is None else with_roller(mesh, roller)

    def shape_mesh(self) -> tuple[Surface, np.ndarray]:
        """Return the triangles of its outside, and (n, 3) their nodes in the part's frame; raises as `solid`."""
        solid = self.solid()
        return surface_of_triangles(WHOLE_SHAPE, solid.points, solid.triangles)

    def solid(self) -> Solid:
        """Return the solid in the part's frame; raises a FayingError when the shape cannot be made."""
        return self._solid(self.shape)

    def shown_solid(self) -> Solid:
        """Return its solid; raises as `solid`."""
        return self.solid()

    def inertia(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Return mass, centre of mass (3,) and inertia tensor (3, 3) about it, in the part's frame.

        Raises:
            ModelError: without density and mass.
            FayingError: when the shape cannot be made.
        """
        solid = self.solid()
        density = self.mass / solid.volume if self.mass > 0.0 else self.density
        if density <= 0.0:
            raise ModelError(f"Part {self.name!r} has neither density nor mass.", "Give it one of them.")
        return density * solid.volume, solid.centre, density * solid.inertia

    def build(self, bodies: Mapping[str, FlexibleBody]) -> Part:
        """Return the rigid part; raises as `inertia`."""
        mass, centre, tensor = self.inertia()
        return RigidPart(self.name, mass, tensor, centre, frame_markers(self.markers))


@part_kinds.register("rigid_body")
class RigidBodySpec(_RigidSpec):
    """A body of the project without its flexibility: mass and inertia from its FE model, markers at its nodes."""

    title: ClassVar[str] = "Rigid part from an FE model"

    body: str = parameter(title="Body", choices="body", meaning="The project's body.")

    def body_name(self) -> str:
        """Return the body."""
        return self.body

    def marker_names(self, interfaces: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the names of all markers."""
        return (*super().marker_names(interfaces), CENTRE_OF_MASS)

    def surface(
        self, name: str, built: Part, bodies: Mapping[str, FlexibleBody]
    ) -> PartSurface | RigidShape | None:
        """Return a contact surface of the body, which is rigid here, or one of the part's own."""
        body = bodies[self.body].reduced
        chosen = body.surfaces.get(name)
        return super().surface(name, built, bodies) if chosen is None else surface_of_mesh(chosen, body.nodes)

    def build(self, bodies: Mapping[str, FlexibleBody]) -> Part:
        """Return the rigid part; its frame is the coordinate system of the deck."""
        if self.body not in bodies:
            raise ModelError(f"Part {self.name!r}: there is no body called {self.body!r}.")
        self.require_own_names(bodies[self.body].reduced.interface_nodes)
        return RigidPart.of_body(self.name, bodies[self.body].reduced, frame_markers(self.markers))
