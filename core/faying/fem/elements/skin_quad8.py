"""The eight-node quadrilateral of a skin."""

from faying.fem.elements import element_kinds
from faying.fem.elements._skin import QUAD8, SkinElement


@element_kinds.register("skin_quad8")
class SkinQuad8(SkinElement):
    """A quadrilateral with eight nodes."""

    facet = QUAD8
