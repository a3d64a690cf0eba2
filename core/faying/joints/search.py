"""Settings of the search for contact pairs."""

from typing import Literal

import numpy as np

from faying.params import Spec, parameter


class SearchSpec(Spec):
    """Where contact is evaluated, and how intersection points on the master surface are found and accepted."""

    pairs_at: Literal["nodes", "integration_points"] = parameter(
        "nodes", title="Contact pairs at",
        meaning="Where on the slave surface contact is evaluated. At its nodes, each for the area around it: few "
        "pairs, and uneven pressure on quadratic facets and where the meshes do not match. At the integration points "
        "of its facets: several times as many pairs, and forces and stiffness as the facets have them. Files that do "
        "not say so mean nodes.",
    )  # fmt: skip
    distance: float = parameter(
        0.0, title="Search distance", quantity="length", ge=0.0,
        meaning="Largest distance between a slave node or integration point and its intersection point; of shells, "
        "between their outsides. 0 takes twice the mean edge length of the master facets.",
    )  # fmt: skip
    angle: float = parameter(
        45.0, title="Largest angle between normals", unit="°", gt=0.0, le=90.0,
        meaning="Degrees by which the slave normal may deviate from exactly facing the master normal.",
    )  # fmt: skip
    edge_tolerance: float = parameter(
        0.01, title="Edge tolerance", ge=0.0, le=0.5, advanced=True,
        meaning="How far, in parts of a facet, an intersection point may lie next to the master surface's edge.",
    )  # fmt: skip
    zero_gap_below: float = parameter(
        1e-6, title="Zero gap below", quantity="length", ge=0.0, advanced=True,
        meaning="Initial gaps smaller than this in amount are set to zero: round-off of the mesher.",
    )  # fmt: skip
    close_gaps_below: float = parameter(
        0.0, title="Close gaps below", quantity="length", ge=0.0,
        meaning="Open gaps smaller than this are taken to be closed: the mesh does not quite touch, the parts do.",
    )  # fmt: skip
    remove_penetration_below: float = parameter(
        0.0, title="Remove penetration below", quantity="length", ge=0.0,
        meaning="Penetrations smaller than this are taken to be just closed: facets of curved parts cut each other.",
    )  # fmt: skip
    gap_offset: float = parameter(
        0.0, title="Offset of the gap", quantity="length",
        meaning="Added to every initial gap after that: positive for a layer that the mesh has and the joint has not, "
        "negative for an interference fit.",
    )  # fmt: skip
    shell_thickness: bool = parameter(
        True, title="Thickness of shells", advanced=True,
        meaning="Contact is at the outside of shells: half of their thickness, and their offset, are taken off the "
        "gaps. Without it contact is where their nodes are.",
    )  # fmt: skip
    smooth_normals: bool = parameter(
        False, title="Smooth master normals", advanced=True,
        meaning="Interpolate the normals between the nodes of the master surface, over edges up to 30°, so that they "
        "do not jump from facet to facet of a curved surface.",
    )  # fmt: skip

    def adjusted(self, gaps: np.ndarray) -> np.ndarray:
        """Return (n,) the initial gaps that the joint has, from those of the mesh: rounded, closed, offset."""
        closed = (gaps > 0.0) & (gaps < self.close_gaps_below)
        removed = (gaps < 0.0) & (gaps > -self.remove_penetration_below)
        rounded = np.abs(gaps) < self.zero_gap_below
        return np.asarray(np.where(closed | removed | rounded, 0.0, gaps) + self.gap_offset)


# In files without this entry pairs are at nodes; new joints get the more accurate pairs at integration points.
FOR_NEW_JOINTS = SearchSpec(pairs_at="integration_points")
