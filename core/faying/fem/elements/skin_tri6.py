"""The six-node triangle of a skin."""

from faying.fem.elements import element_kinds
from faying.fem.elements._skin import TRI6, SkinElement


@element_kinds.register("skin_tri6")
class SkinTri6(SkinElement):
    """A triangle with six nodes."""

    facet = TRI6
