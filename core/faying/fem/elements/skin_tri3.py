"""The three-node triangle of a skin."""

from faying.fem.elements import element_kinds
from faying.fem.elements._skin import TRI3, SkinElement


@element_kinds.register("skin_tri3")
class SkinTri3(SkinElement):
    """A triangle with three nodes."""

    facet = TRI3
