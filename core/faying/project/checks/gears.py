"""Gears: placement of the meshing teeth and smoothness of flanks."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from faying.analyses.recording.gear_mesh import distance_of_axes, gears_in_mesh
from faying.errors import FayingError
from faying.multibody.assembly import Assembled
from faying.multibody.contacts.force import places_in_frame
from faying.multibody.contacts.spec import PartContactSpec
from faying.multibody.contacts.surface import PartSurface, surface_of_mesh
from faying.multibody.markers import MarkerMotion
from faying.project.checks import CheckedProject, EntityPath, Finding, checks, spoils
from faying.project.contact_sides import ContactSide
from faying.units import unit_text

_JUMP = 20.0  # degrees between the normals of neighbouring facets
_DEEP = 0.01  # relative to the module: a larger overlap is not due to the mesh
_LOOK = 0.5  # relative to the module: search distance for flanks


@checks.register("gears")
@spoils("motion")
def gears(checked: CheckedProject) -> Iterator[Finding]:
    """Check flanks, and axes and teeth of the assembled wheels."""
    for path, system, contact in checked.contacts():
        if not contact.gears.is_there:
            continue
        name = f"Contact {contact.name!r} of system {system.name!r}"
        for role, side in checked.contact_sides(system, contact).items():
            if isinstance(side, ContactSide):
                yield from _smooth((*path, role), f"{name}: {getattr(contact, role)!r}", side)
        at = checked.assembled.get(system.name)
        if isinstance(at, Assembled):
            yield from _placed(path, name, contact, at, unit_text("length", checked.project.units))


def _smooth(path: EntityPath, where: str, side: ContactSide) -> Iterator[Finding]:
    """Yield a finding if normals of neighbouring facets jump, which makes forces fluctuate as flanks roll over them."""
    if side.surface is None or side.nodes is None or not side.surface.n_facets:
        return
    surface = surface_of_mesh(side.surface, side.nodes)
    jumps = _jumps(surface)
    count = int((jumps > _JUMP).sum())
    if count:
        yield Finding(
            "note", path,
            f"{where} has {count} edges at which the normals of facets jump by more than {_JUMP:.0f}°, by "
            f"{jumps.max():.0f}° at most: the line of action swings as far as that while the flanks roll over them.",
            "Choose flanks alone, without tips and fillets, and mesh them with more elements.",
        )  # fmt: skip


def _jumps(surface: PartSurface) -> np.ndarray:
    """Return (k,) angles in degrees between the normals of facets that share an edge."""
    normals, pairs = surface.facets.normals, []
    for start, others in zip(surface.facets.starts, surface.neighbours, strict=True):
        own = np.repeat(int(start) + np.arange(len(others)), others.shape[1])
        both = np.column_stack([own, others.ravel()])
        pairs.append(both[both[:, 0] < both[:, 1]])
    one, other = np.concatenate(pairs).T
    cosines = np.einsum("kc,kc->k", normals[one], normals[other])
    return np.asarray(np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))))


def _placed(
    path: EntityPath, name: str, contact: PartContactSpec, at: Assembled, unit: str
) -> Iterator[Finding]:
    """Yield findings on teeth that cannot mesh: missing axes, excessive distance, or overlap."""
    try:
        gears_in_mesh(at.system, at.position)
    except FayingError as error:
        yield Finding("error", path, f"{name}: {error.message}", error.hint)
        return
    decided = contact.gears
    member = next(each for each in at.system.contacts.members if each.name == contact.name)
    if member.gears is None or not isinstance(member.master, PartSurface):
        return
    markers = member.gears.master_axis, member.gears.slave_axis
    axes = [at.system.motion(marker, at.position) for marker in markers]
    coordinates = [at.system.of_part(part, at.position) for part in (member.master_part, member.slave_part)]
    tight = 0.5 * decided.module * (decided.master_teeth + decided.slave_teeth)
    hint = f"Without profile shift and backlash they are {tight:.6g} {unit} apart."
    apart = distance_of_axes(*axes)
    still = np.zeros(0)
    tips = [
        float(_radii(places_in_frame(surface, own, still), axis).max())
        for surface, own, axis in zip((member.master, member.slave), coordinates, axes, strict=True)
    ]
    if apart > sum(tips):
        yield Finding(
            "error", path,
            f"{name}: the teeth never touch: their tips are {tips[0]:.5g} and {tips[1]:.5g} {unit} from their axes, "
            f"which are {apart:.6g} {unit} apart.",
            hint,
        )  # fmt: skip
        return
    wide = replace(member, reach=_LOOK * decided.module)
    master, slave = coordinates
    gaps = wide.evaluate(master, slave, wide.initial_memory(), 0.0, jacobian=False).gaps.gaps
    depth = -float(gaps.min(initial=0.0))
    if depth > _DEEP * decided.module:
        turn = np.degrees(depth / member.gears.base_radii[1])
        yield Finding(
            "error", path,
            f"{name}: at the start the teeth overlap by {depth:.3g} {unit}; the axes are {apart:.6g} {unit} apart.",
            f"{hint} Where that is right, turn {member.slave_part!r} back by about {turn:.2g}°.",
        )  # fmt: skip
    elif not len(gaps):
        yield Finding(
            "warning", path,
            f"{name}: at the start no teeth are within {_LOOK * decided.module:.3g} {unit} of each other.",
            f"Turn {member.slave_part!r} until its teeth are in the spaces of {member.master_part!r}.",
        )  # fmt: skip


def _radii(places: np.ndarray, axis: MarkerMotion) -> np.ndarray:
    """Return (n,) distances of points (n, 3) from an axis."""
    along = axis.axes[:, 2]
    away = places - axis.position
    return np.asarray(np.linalg.norm(away - np.outer(away @ along, along), axis=1))
