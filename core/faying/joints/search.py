"""Settings of the search for contact pairs."""

from faying.params import Spec, parameter


class SearchSpec(Spec):
    """How intersection points on the master surface are found and accepted."""

    distance: float = parameter(
        0.0, title="Search distance", quantity="length", ge=0.0,
        meaning="Largest distance between a slave node and its intersection point. "
        "0 takes twice the mean edge length of the master facets.",
    )  # fmt: skip
    angle: float = parameter(
        45.0, title="Largest angle between normals", gt=0.0, le=90.0,
        meaning="Degrees by which the slave normal may deviate from exactly facing the master normal.",
    )  # fmt: skip
    edge_tolerance: float = parameter(
        0.01, title="Edge tolerance", ge=0.0, le=0.5, advanced=True,
        meaning="How far, in parts of a facet, an intersection point may lie beside the master surface's edge.",
    )  # fmt: skip
    zero_gap_below: float = parameter(
        1e-6, title="Zero gap below", quantity="length", ge=0.0, advanced=True,
        meaning="Initial gaps smaller than this in amount are set to zero: round-off of the mesher.",
    )  # fmt: skip
