"""Decisions on the surfaces of a body that other parts may touch."""

from faying.fem.selections import surface_selections
from faying.params import Spec, member_of, parameter
from faying.reduction.contact_shapes import contact_shapes

GROUP = "contact shapes of"  # name of a group of trial vectors, before the surface's name


class ContactSurfaceSpec(Spec):
    """A surface that other parts may touch, and how the body deforms where they do."""

    name: str = parameter(
        title="Name", meaning="Name of the surface, unique on its body.", min_length=1, pattern=r"^[^.]+$"
    )
    surface: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Surface", meaning="The facets where other parts may touch the body."
    )
    shapes: member_of(contact_shapes) = parameter(  # type: ignore[valid-type]
        {"kind": "every_node"}, title="Contact shapes",
        meaning="Trial vectors for the local deformation. Without them peak forces depend on the contact law.",
    )  # fmt: skip
