"""Contact between two parts, as decisions."""

from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.params import Spec, member_of, parameter


class PartContactSpec(Spec):
    """Surfaces of two parts of a system that may touch, slide and part again, and the laws between them.

    A surface is written "part.surface"; one of ground "ground.surface".
    """

    name: str = parameter(title="Name", meaning="Name of the contact.", min_length=1)
    master: str = parameter(
        title="Master surface", choices="part_surface",
        meaning="The surface on which closest points are sought; the coarser one, or a shape by formula.",
    )  # fmt: skip
    slave: str = parameter(
        title="Slave surface", choices="part_surface",
        meaning="The surface at whose nodes contact is evaluated; the finer one.",
    )  # fmt: skip
    contact_law: member_of(contact_laws) = parameter(  # type: ignore[valid-type]
        {"kind": "linear_penalty"}, title="Contact law", meaning="Pressure over gap."
    )
    friction_law: member_of(friction_laws) | None = parameter(  # type: ignore[valid-type]
        None, title="Friction law", meaning="Friction stress over slip; none for surfaces that slide freely."
    )
    reach: float = parameter(
        0.0, title="Reach", quantity="length", ge=0.0, advanced=True,
        meaning="How far from the master nodes of the slave are looked at, outside and inside; a part that gets "
        "deeper in one step is not noticed. Zero for the mean size of the larger facets of both surfaces.",
    )  # fmt: skip
    two_pass: float = parameter(
        0.0, title="Share of the second pass", ge=0.0, le=1.0, advanced=True,
        meaning="Share of the forces that is evaluated with master and slave exchanged: zero at the slave's nodes "
        "alone, a half without preference for either surface, which halves the area that each node stands for.",
    )  # fmt: skip
