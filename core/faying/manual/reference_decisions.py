"""Every decision of a study file: the tables of project, bodies, joints, systems."""

from faying.manual import reference_pages
from faying.manual._tables import UNITS, about, inner_specs, parameters
from faying.params import Spec
from faying.project.specs import Project


@reference_pages.register("reference-decisions")
def decisions() -> str:
    """Return the page: a section for each table that a study may have, from the outside inwards."""
    parts = [
        "# Decisions",
        "All that a study file can say, in the words of its tables; the forms of the window show the same. Units are "
        f'those of the system {UNITS}; a number may be a text with any unit of its dimension, such as `"0.1 kN"`.',
    ]
    seen: set[type[Spec]] = set()

    def tell(place: str, kind: type[Spec]) -> None:
        if kind in seen:
            return
        seen.add(kind)
        parts.extend([f"## {place}", about(kind), parameters(kind)])
        for name, inner in inner_specs(kind):
            tell(name if kind is Project else f"{place}.{name}", inner)

    tell("project", Project)
    return "\n\n".join(parts) + "\n"
