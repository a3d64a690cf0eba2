"""Contact between two parts, or of a part with itself, as decisions."""

from pydantic import model_validator

from faying.joints.contact_laws import contact_laws
from faying.joints.friction_laws import friction_laws
from faying.multibody.contacts.gear_mesh import GearMeshSpec
from faying.params import Spec, member_of, parameter


class PartContactSpec(Spec):
    """Surfaces of two parts of a system that may touch, slide and part again, and the laws between them.

    A surface is written "part.surface"; one of ground "ground.surface". Where the master surface ends, a node of the
    slave is still in contact up to a hundredth of a facet beyond, so that parts of equal width touch, and no farther.
    Nodes press with the area of their facets that face the master, so that the slave may be the whole skin of a part.

    Two rigid bodies of triangles also carry each other where corners of the master press into faces of the slave, and
    where sharp edges of both cross; the round face of a rigid cylinder touches along a line, and rolls.

    Both surfaces may be of one flexible part, as the ends of a clip that closes. There nodes press on what looks at
    them across a gap of the undeformed body, never on a facet that they belong to. Where both lie behind each other by
    more than a hundredth of a facet, undeformed, there is a wall between them and no contact.
    """

    name: str = parameter(title="Name", meaning="Name of the contact.", min_length=1)
    master: str = parameter(
        title="Master surface", choices="part_surface",
        meaning="The surface on which closest points are sought; the coarser one, or a shape by formula.",
    )  # fmt: skip
    slave: str = parameter(
        title="Slave surface", choices="part_surface",
        meaning="The surface at whose nodes contact is evaluated; the finer one, or a ball, which has one point.",
    )  # fmt: skip
    contact_law: member_of(contact_laws) = parameter(  # type: ignore[valid-type]
        {"kind": "linear_penalty"}, title="Contact law", meaning="Pressure over gap."
    )
    friction_law: member_of(friction_laws) | None = parameter(  # type: ignore[valid-type]
        None, title="Friction law", meaning="Friction stress over slip; none for surfaces that slide freely."
    )
    restitution: float = parameter(
        1.0, title="Restitution", ge=0.01, le=1.0,
        meaning="Speed after an impact over the speed before it, of parts that nothing else moves; 1 is elastic.",
    )  # fmt: skip
    restitution_speed: float = parameter(
        0.0, title="Speed of the restitution", quantity="velocity", ge=0.0, advanced=True,
        meaning="Speed of approach for which the restitution holds: slower impacts lose less, faster ones more. Zero "
        "for the speed of each touch, so that all impacts have it.",
    )  # fmt: skip
    reach: float = parameter(
        0.0, title="Reach", quantity="length", ge=0.0, advanced=True,
        meaning="How far from the master nodes of the slave are looked at, outside and inside; a part that gets "
        "deeper in one step is not noticed. Zero for the mean size of the larger facets of both surfaces.",
    )  # fmt: skip
    two_pass: float = parameter(
        0.0, title="Share of the second pass", ge=0.0, le=1.0, advanced=True,
        meaning="Share of the forces that is evaluated with master and slave exchanged: zero at the slave's nodes "
        "alone, a half without preference for either surface, which halves the area that each node represents.",
    )  # fmt: skip
    gears: GearMeshSpec = parameter(
        GearMeshSpec(), title="Gears", advanced=True,
        meaning="Teeth and axes where both parts are gears, for curves of the mesh.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _gears_in_one_pass(self) -> "PartContactSpec":
        if self.gears.is_there and 0.0 < self.two_pass < 1.0:
            raise ValueError(
                "curves of gears are those of one pass: set the share of the second pass to 0 or 1"
            )
        return self
