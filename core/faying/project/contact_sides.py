"""Master and slave of a contact between parts, from decisions and meshes before bodies are reduced."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from faying.errors import FayingError
from faying.fem.facet_index import build_facet_index
from faying.fem.model import FeModel
from faying.fem.surface import Surface, nodal_areas
from faying.joints.contact_stiffness import ElasticSide, StiffnessProposal, side_of, stiffness_between
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.part_kinds.rigid import RigidShapeSpec
from faying.multibody.rigid_surfaces import RigidSurface
from faying.multibody.rigid_surfaces.surface_mesh import MeshSurface
from faying.multibody.system_spec import GROUND, SystemSpec, no_part_surface
from faying.project.file_names import with_absolute_files
from faying.project.specs import BodySpec, Project
from faying.reduction.contact_surfaces import ContactSurfaceSpec

# Model and facets of a body's contact surface; None while there is no model.
SurfaceOfBody = Callable[[BodySpec, ContactSurfaceSpec], tuple[FeModel, Surface] | FayingError | None]


@dataclass(frozen=True, eq=False)
class ContactSide:
    """One surface of a contact between parts.

    Attributes:
        part: name of the part, "ground" for ground.
        rigid: whether the part does not deform.
        spec: decisions about the surface of a rigid part or of ground; None for a surface of a body.
        body: body of the surface; None for a rigid part or ground.
        model: FE model of the body; None for a rigid part or ground, and before it has been read.
        surface, nodes: facets, and (n, 3) coordinates in the part's frame; None for an analytical shape, and while
            unknown.
    """

    part: str
    rigid: bool
    spec: RigidSurface | None
    body: BodySpec | None
    model: FeModel | None
    surface: Surface | None
    nodes: np.ndarray | None

    @property
    def is_formula(self) -> bool:
        """Whether it is an analytical shape, which has no nodes."""
        return self.spec is not None and not self.spec.has_nodes

    @property
    def may_be_slave(self) -> bool:
        """Whether contact can be evaluated at its points: at nodes, or as that of a ball."""
        return self.spec is None or self.spec.may_be_slave

    @cached_property
    def mean_edge(self) -> float:
        """Mean edge length of its facets; zero while unknown."""
        if self.surface is None or self.nodes is None or not self.surface.n_facets:
            return 0.0
        return build_facet_index(self.nodes, self.surface).mean_edge

    @cached_property
    def elastic(self) -> ElasticSide:
        """The material of its elements; zeros for a rigid part, and while unknown."""
        if self.rigid or self.model is None or self.surface is None:
            return ElasticSide()
        return side_of(self.model, self.surface.nodes)

    @property
    def compliance(self) -> float | None:
        """(1 − ν²)/E of its elements, zero for a rigid part; None while unknown."""
        return 0.0 if self.rigid else self.elastic.normal or None

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,) nodal areas: each node's share of the surface; empty where the facets are not known."""
        if self.surface is None or self.nodes is None:
            return np.zeros(0)
        return nodal_areas(self.surface, self.nodes)


def contact_side(
    project: Project, system: SystemSpec, name: str, whose: str, of_body: SurfaceOfBody, base: Path
) -> ContactSide | FayingError:
    """Return the side of a contact named "part.surface", or the error if there is none.

    Args:
        project: the decisions.
        system: one of its systems.
        name: see above.
        whose: referring entity, for the error: "contact 'impact'".
        of_body: returns facets of contact surfaces of bodies.
        base: folder from which relative names of files count.
    """
    owner, _, own = name.partition(".")
    part = next((each for each in system.parts if each.name == owner), None)
    if part is not None:
        rigid = not isinstance(part, FlexiblePartSpec)
        body = next((each for each in project.bodies if each.name == part.body_name()), None)
        own_surfaces = body.contact_surfaces if body is not None else ()
        chosen_of_body = next((each for each in own_surfaces if each.name == own), None)
        if body is not None and chosen_of_body is not None:
            found = of_body(body, chosen_of_body)
            if isinstance(found, FayingError):
                return found
            model, surface = found or (None, None)
            nodes = None if model is None else model.nodes
            return ContactSide(owner, rigid, None, body, model, surface, nodes)
    chosen = system.ground_surfaces if owner == GROUND else getattr(part, "contact_surfaces", ())
    for spec in chosen:
        if spec.name == own:
            return _rigid_side(owner, spec, base)
    if isinstance(part, RigidShapeSpec) and own in part.surface_names():
        return _side_of_shape(part, own, base)
    surfaces = {body.name: [each.name for each in body.contact_surfaces] for body in project.bodies}
    error = no_part_surface(name, whose, system.surface_names(surfaces))
    parts = [repr(each.name) for each in system.parts if owner and each.body_name() == owner]
    if part is None and parts:
        error = type(error)(
            error.message, f"{owner!r} is a body; it is in the system as {' and '.join(parts)}. {error.hint}"
        )
    elsewhere = [
        repr(s.name) for s in project.systems if s is not system and name in s.surface_names(surfaces)
    ]
    if part is None and not parts and elsewhere:
        error = type(error)(
            error.message,
            f"It is a surface of system {' and of '.join(elsewhere)}; only parts of one system touch each other. "
            f"{error.hint}",
        )
    return error


def _rigid_side(owner: str, spec: RigidSurface, base: Path) -> ContactSide | FayingError:
    if not isinstance(spec, MeshSurface):
        return ContactSide(owner, True, spec, None, None, None, None)
    try:
        surface, nodes = with_absolute_files(spec, base).mesh()
    except FayingError as error:
        return error
    return ContactSide(owner, True, spec, None, None, surface, nodes)


def _side_of_shape(part: RigidShapeSpec, own: str, base: Path) -> ContactSide | FayingError:
    """Return the outside of a part by its shape, or the error why there is none."""
    spec = part.shape.contact_surface(own)
    if spec is not None:
        return ContactSide(part.name, True, spec, None, None, None, None)
    try:
        surface, nodes = with_absolute_files(part, base).shape_mesh()
    except FayingError as error:
        return error
    return ContactSide(part.name, True, None, None, None, surface, nodes)


def propose_part_stiffness(master: ContactSide, slave: ContactSide) -> StiffnessProposal | None:
    """Return the proposed stiffness for the meshes of a contact between parts; None while unknown.

    There is none for two rigid parts, since only the law is compliant.
    """
    if master.compliance is None or slave.compliance is None:
        return None
    return stiffness_between((master.compliance, slave.compliance), slave.areas)
