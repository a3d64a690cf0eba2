"""Bolts added to the deck: a shank, selected by its outer surface, is cut across between two layers of elements."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from pydantic import field_validator

from faying.errors import ModelError
from faying.fem.bolt_cuts import inner_faces, with_cut_bolt
from faying.fem.bolt_strengths import STRENGTH_CLASSES, assembly_force, thread_of
from faying.fem.elements import element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import FeModel
from faying.fem.selections import surface_selections
from faying.fem.skin import Skin, facet_areas, facet_centroids, facet_normals, find_skin
from faying.fem.surface import Surface
from faying.params import Spec, member_of, parameter


class BoltSpec(Spec):
    """A bolt: its shank is cut, so that a preload case can tighten it."""

    name: str = parameter(title="Name", min_length=1, meaning="Name of the bolt.")
    shank: member_of(surface_selections) = parameter(  # type: ignore[valid-type]
        title="Shank", meaning="The outside of the shank, where it is free all round."
    )
    position: float = parameter(
        0.5, title="Place of the cut", gt=0.0, lt=1.0, advanced=True,
        meaning="Where along the chosen surface the shank is cut, between the layers of elements nearest to it.",
    )  # fmt: skip
    size: str = parameter(
        "", title="Size", choices="thread",
        meaning="Of the thread, M8 or M8x1, for stress and safety in the table of bolts, and for the force that is "
        "proposed. Nothing that is computed depends on it.",
    )  # fmt: skip
    strength_class: str = parameter(
        "", title="Strength class", choices="strength_class",
        meaning="Property class of the screw, such as 8.8 or 10.9, for the same.",
    )  # fmt: skip
    utilisation: float = parameter(
        0.9, title="Utilisation", gt=0.0, le=1.0, advanced=True,
        meaning="Share of the yield strength that tension and torsion use when the screw is tightened (VDI 2230), for "
        "the force that is proposed.",
    )  # fmt: skip
    thread_friction: float = parameter(
        0.12, title="Friction in the thread", ge=0.0, advanced=True,
        meaning="Coefficient of friction in the thread (VDI 2230), for the force that is proposed.",
    )  # fmt: skip

    OF_THE_SCREW: ClassVar[tuple[str, ...]] = ("size", "strength_class", "utilisation", "thread_friction")
    """Parameters on which nothing depends that is computed."""

    def proposed_force(self, units: str) -> float | None:
        """Return the tension that tightening gives the screw, to four digits; None without size and strength class."""
        if not (self.size and self.strength_class):
            return None
        force = assembly_force(self.size, self.strength_class, units, self.utilisation, self.thread_friction)
        return None if force is None else float(f"{force:.4g}")

    @field_validator("size")
    @classmethod
    def _a_thread(cls, size: str) -> str:
        if size:
            try:
                thread_of(size)
            except ModelError as error:
                raise ValueError(f"{error.message.rstrip('.')}: {error.hint}") from None
        return size

    @field_validator("strength_class")
    @classmethod
    def _a_class(cls, name: str) -> str:
        if name and name not in STRENGTH_CLASSES:
            raise ValueError(f"{name!r} is no property class of screws: {', '.join(STRENGTH_CLASSES)}")
        return name


@dataclass(frozen=True)
class Shank:
    """The cylinder fitted to a surface: a point on the axis, its direction, radius, and both ends along the axis."""

    point: np.ndarray
    axis: np.ndarray
    radius: float
    ends: tuple[float, float]


def with_bolts(model: FeModel, bolts: Sequence[BoltSpec]) -> FeModel:
    """Return the model with each shank cut and its bolt added; elements keep their order and numbers.

    Raises:
        ModelError: when a surface cannot be chosen, goes round no axis, or its inside cannot be cut there.
    """
    if not bolts:
        return model
    # All shanks are found in the deck's mesh, since a cut must not change a face that another bolt refers to.
    skin = find_skin(model)
    chosen = []
    for bolt in bolts:
        try:
            chosen.append(bolt.shank.select(model, skin))
        except ModelError as error:
            raise ModelError(f"Bolt {bolt.name!r}: {error.message}", error.hint) from None
    for bolt, surface in zip(bolts, chosen, strict=True):
        shank, elements, faces = _found_cut(model, surface, bolt)
        model = with_cut_bolt(model, bolt.name, elements, faces, shank.axis)
    return model


def require_cut(model: FeModel, skin: Skin, bolt: BoltSpec) -> None:
    """Check that a bolt can be cut before it is added to a project.

    Args:
        model: model of the body, with or without other bolts.
        skin: skin of the model.
        bolt: the new bolt.

    Raises:
        ModelError: when its surface cannot be chosen, goes round no axis, or its inside cannot be cut there.
    """
    _found_cut(model, bolt.shank.select(model, skin), bolt)


def _found_cut(model: FeModel, surface: Surface, bolt: BoltSpec) -> tuple[Shank, np.ndarray, np.ndarray]:
    """Return the shank enclosed by a surface, and (elements, faces) of its cut."""
    shank = find_shank(surface, model.nodes, bolt.name)
    return (shank, *_section(model, shank, bolt))


def find_shank(surface: Surface, nodes: np.ndarray, name: str) -> Shank:
    """Return the best-fit cylinder of a surface.

    Args:
        surface: facets around a shank; half of the circumference is enough.
        nodes: (n, 3) coordinates of the model's nodes.
        name: of the bolt, for the error.

    Raises:
        ModelError: when the normals do not lie in one plane, or point one way only.
    """
    areas, normals = facet_areas(surface, nodes), facet_normals(surface, nodes)
    # Normals of a cylinder are perpendicular to its axis.
    spread, directions = np.linalg.eigh(np.einsum("n,ni,nj->ij", areas, normals, normals) / areas.sum())
    if spread[0] > 0.05 or spread[1] < 0.1:
        raise ModelError(
            f"The surface of bolt {name!r} does not go round an axis.",
            "Pick the cylindrical outside of the shank, without the head and the thread's end.",
        )
    axis = directions[:, 0] * np.sign(directions[np.argmax(np.abs(directions[:, 0])), 0])
    # The axis intersects every normal: (p - c) has no component along t = axis × n.
    middles = facet_centroids(surface, nodes)
    across = np.cross(axis, normals)
    weighted = areas[:, None] * across
    point = np.linalg.lstsq(
        weighted.T @ across, weighted.T @ np.einsum("ni,ni->n", across, middles), rcond=1e-9
    )[0]
    arms = nodes[surface.nodes] - point
    along = arms @ axis
    radius = float(np.linalg.norm(arms - along[:, None] * axis, axis=1).max())
    return Shank(point, axis, radius, (float(along.min()), float(along.max())))


def _section(model: FeModel, shank: Shank, bolt: BoltSpec) -> tuple[np.ndarray, np.ndarray]:
    """Return (elements, faces) between the shank's elements below and above the cut."""
    inside = np.zeros(int(model.block_starts[-1]), bool)
    heights = np.zeros(len(inside))
    for block, start in zip(model.blocks, model.block_starts, strict=False):
        arms = model.nodes[block.connectivity].mean(axis=1) - shank.point
        along = arms @ shank.axis
        away = np.linalg.norm(arms - along[:, None] * shank.axis, axis=1)
        own = slice(start, start + len(block.ids))
        heights[own] = along
        inside[own] = (away <= shank.radius) & (along >= shank.ends[0]) & (along <= shank.ends[1])
    near = np.zeros(len(model.nodes), bool)
    for block, start in zip(model.blocks, model.block_starts, strict=False):
        near[block.connectivity[inside[start : start + len(block.ids)]]] = True
    owners, corners = inner_faces(model.blocks, near)
    cut = shank.ends[0] + bolt.position * (shank.ends[1] - shank.ends[0])
    above = heights > cut
    crossing = inside[owners].all(axis=1) & (above[owners[:, 0]] != above[owners[:, 1]])
    if not crossing.any():
        raise ModelError(
            f"Bolt {bolt.name!r}: no faces of elements lie across its shank at that place.",
            "Move the cut, or mesh the shank with several layers of elements.",
        )
    pairs = owners[crossing]
    below = np.where(above[pairs[:, 0]], pairs[:, 1], pairs[:, 0])
    return below, _face_numbers(model, below, corners[crossing])


def _face_numbers(model: FeModel, elements: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Return the number of the face that has these corners (sorted, -1 before those of triangles)."""
    found = np.full(len(elements), -1)
    at_block = np.searchsorted(model.block_starts, elements, side="right") - 1
    for i in np.unique(at_block):
        block, own = model.blocks[i], np.flatnonzero(at_block == i)
        kind = element_kinds[block.element]
        rows = block.connectivity[elements[own] - model.block_starts[i]]
        for face, positions in enumerate(kind.faces):
            count = facet_kind(kind.facets[face]).n_corners
            key = np.sort(rows[:, list(positions[:count])], axis=1)
            same = (corners[own, 4 - count :] == key).all(axis=1)
            same &= (corners[own, : 4 - count] == -1).all(axis=1)
            found[own[same]] = face
    return found
