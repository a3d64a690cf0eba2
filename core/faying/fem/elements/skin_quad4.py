"""The four-node quadrilateral of a skin."""

from faying.fem.elements import element_kinds
from faying.fem.elements._skin import QUAD4, SkinElement


@element_kinds.register("skin_quad4")
class SkinQuad4(SkinElement):
    """A quadrilateral with four nodes."""

    facet = QUAD4
