"""Contact surfaces: existing, used, with outward normals, and without too many contact shapes."""

from collections.abc import Iterator

import numpy as np

from faying.errors import FayingError
from faying.fem.elements import element_kinds
from faying.fem.model import FeModel
from faying.fem.shell_sides import two_sided
from faying.fem.skin import shell_facets
from faying.fem.surface import Surface
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.rigid_surfaces import RigidSurface
from faying.multibody.rigid_surfaces.surface_mesh import MeshSurface
from faying.project.checks import CheckedProject, EntityPath, Finding, checks, spoils
from faying.project.checks._normals import inward_facets
from faying.project.file_names import with_absolute_files
from faying.project.specs import BodySpec, Project
from faying.reduction.contact_shapes import bytes_of_shapes

_MOST_SHAPES = 2000


@checks.register("contact_surfaces")
@spoils("contact_surfaces", "motion")
def contact_surfaces(checked: CheckedProject) -> Iterator[Finding]:
    """Check the surfaces of bodies, and surfaces of rigid parts from files."""
    used = _used_by_contacts(checked.project)
    for path, body, model in checked.bodies():
        counts: dict[str, int] = {}
        for j, each in enumerate(body.contact_surfaces):
            at = (*path, "contact_surfaces", j)
            found = checked.contact_surface(body, each)
            where = f"Contact surface {each.name!r} of body {body.name!r}"
            if isinstance(found, FayingError):
                yield Finding("error", at, f"{where}: {found.message}", found.hint)
            elif found is not None and not found[1].n_facets:
                yield Finding("error", at, f"{where} has no facets.", "Choose a surface with element faces.")
            elif found is not None:
                yield from _sides(at, where, *found)
                counts[each.name] = each.shapes.shape_count(len(found[1].nodes))
            if each.shapes.shape_count(1) and (body.name, each.name) not in used:
                yield Finding(
                    "note", at,
                    f"{where} has contact shapes, but no contact between parts uses it on a flexible part.",
                    "Add a contact to a system, or choose no shapes: they cost time and memory in every run.",
                )  # fmt: skip
        if model is not None and sum(counts.values()) > _MOST_SHAPES:
            yield _too_many((*path, "contact_surfaces"), body, model, counts)
    yield from _meshes(checked)


def _used_by_contacts(project: Project) -> set[tuple[str, str]]:
    """Return (body, surface) for all surfaces of flexible parts used in contacts."""
    used = set()
    for system in project.systems:
        bodies = {p.name: p.body_name() for p in system.parts if isinstance(p, FlexiblePartSpec)}
        for contact in system.contacts:
            for name in (contact.master, contact.slave):
                part, _, surface = name.partition(".")
                used.add((bodies.get(part, ""), surface))
    return used


def _sides(at: EntityPath, where: str, model: FeModel, surface: Surface) -> Iterator[Finding]:
    """Yield findings on facets with inward normals, or on both sides of shells."""
    if count := inward_facets(model, surface):
        yield Finding(
            "error", at,
            f"{where}: the normals of {count} of {surface.n_facets} facets point into the body.",
            "Turn the normals of the surface round, or let the mesher repair the node order of elements there.",
        )  # fmt: skip
    if two_sided(model, surface).any():
        yield Finding(
            "error", at,
            f"{where} holds both sides of shells: which one is touched cannot be determined.",
            "Pick the side in the 3D view, or name SPOS or SNEG in the deck.",
        )  # fmt: skip
    elif shell_facets(model.blocks, surface).any():
        yield Finding(
            "note", at,
            f"{where} is on shells: contact is at their nodes, not half a thickness outside.",
            "Place the other part nearer by that much, or mesh this one with solids.",
        )  # fmt: skip


def _too_many(at: EntityPath, body: BodySpec, model: FeModel, counts: dict[str, int]) -> Finding:
    count = sum(counts.values())
    shells = any(element_kinds[block.element].is_shell for block in model.blocks)
    memory = bytes_of_shapes((6 if shells else 3) * len(model.nodes), count) / 2.0**30
    return Finding(
        "warning", at,
        f"Body {body.name!r} gets up to {count} contact shapes: about {memory:.2g} GB of trial vectors, and equations "
        f"of that order in every step of a motion ({count**3 / 3.0:.1e} operations to factor them once).",
        "Choose a smaller surface, normal directions alone, or patches of pressure.",
        details=tuple(f"{name}: {n}" for name, n in counts.items()),
    )  # fmt: skip


def _meshes(checked: CheckedProject) -> Iterator[Finding]:
    """Yield findings on surface meshes of rigid parts and of ground."""
    for i, system in enumerate(checked.project.systems):
        groups: list[tuple[EntityPath, str, tuple[RigidSurface, ...]]] = [
            (("systems", i, "ground_surfaces"), "ground", system.ground_surfaces)
        ]
        groups += [
            (("systems", i, "parts", k, "contact_surfaces"), f"part {part.name!r}", part.contact_surfaces)
            for k, part in enumerate(system.parts)
            if not isinstance(part, FlexiblePartSpec)
        ]
        for path, owner, surfaces in groups:
            for j, spec in enumerate(surfaces):
                if isinstance(spec, MeshSurface):
                    yield from _mesh((*path, j), f"Surface {spec.name!r} of {owner}", spec, checked)


def _mesh(at: EntityPath, where: str, spec: MeshSurface, checked: CheckedProject) -> Iterator[Finding]:
    try:
        surface, nodes = with_absolute_files(spec, checked.base).mesh()
    except FayingError as error:
        yield Finding("error", at, f"{where}: {error.message}", error.hint)
        return
    triangles = surface.blocks[0].connectivity
    ways = np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    if len(np.unique(ways, axis=0)) < len(ways):
        yield Finding(
            "warning", at,
            f"{where}: neighbouring triangles look to opposite sides, so that its outside cannot be determined.",
            "Let the program that wrote the file make the normals uniform.",
        )  # fmt: skip
        return
    _, counts = np.unique(np.sort(ways, axis=1), axis=0, return_counts=True)
    x = nodes[triangles] - nodes.mean(axis=0)
    if (counts == 2).all() and np.einsum("ni,ni->", x[:, 0], np.cross(x[:, 1], x[:, 2])) < 0.0:
        yield Finding(
            "note", at,
            f"{where} is closed and its normals look inward: it is a hollow that other parts are in.",
            "Where it is the outside of a part, set Flipped.",
        )  # fmt: skip
