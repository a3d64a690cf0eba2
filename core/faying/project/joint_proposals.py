"""Joints proposed where parts of a body face each other, with the deck's surfaces where they match."""

import re
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError
from faying.fem.facet_sets import facets_of
from faying.fem.model import FeModel
from faying.fem.selections import SurfaceSelection
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.skin import Skin, surface_from_deck
from faying.joints.candidates import (
    CandidateMeasure,
    JointCandidate,
    JointSearch,
    merged_candidates,
    usual_distance,
)
from faying.joints.search import FOR_NEW_JOINTS
from faying.params import unused_name
from faying.progress import Progress
from faying.project.specs import JointSpec
from faying.units import UnitSystemName, unit_text

_COVERED = 0.95  # share of a candidate's area that a matching surface of the deck must contain
_LEAST_SEARCH_ANGLE = 45.0


@dataclass(frozen=True)
class ProposedJoint:
    """A proposed joint.

    Attributes:
        joint: the decision.
        parts: numbers of the parts of master and slave (`faying.fem.facet_sets.facet_parts`).
        areas: areas of the facing facets of master and slave.
        measure: key figures of its contact pairs; None when there are no pairs.
        facets: numbers of these facets on the skin.
    """

    joint: JointSpec
    parts: tuple[int, int]
    areas: tuple[float, float]
    measure: CandidateMeasure | None
    facets: tuple[np.ndarray, np.ndarray]


def proposed_joints(
    model: FeModel, skin: Skin, distance: float = 0.0, angle: float = 30.0, progress: Progress | None = None
) -> list[ProposedJoint]:
    """Return a joint for each region where two parts of a body face each other, the largest first.

    Regions between the same two surfaces of the deck form one joint of these surfaces.

    Args:
        model: the body's model.
        skin: its skin.
        distance: largest distance of facing facets; 0 means 4 % of the typical edge length.
        angle: largest angle between their normals, in degrees.
        progress: reports and cancels.

    Raises:
        Cancelled: when asked to stop.
    """
    distance = distance or usual_distance(skin)
    search = JointSearch.of(model, skin, distance, progress=progress)
    surfaces = _facets_of_surfaces(model, skin)
    grouped: dict[object, list[JointCandidate]] = {}
    for candidate in search.candidates(distance, angle):
        named = tuple(_surface_of(facets, surfaces, skin) for facets in candidate.facets)
        known = all(named)
        if known and named[::-1] in grouped:
            candidate, named = candidate.swapped(), named[::-1]
        grouped.setdefault(named if known else candidate.name, []).append(candidate)
    found, taken = list[ProposedJoint](), set[str]()
    for key, own in sorted(grouped.items(), key=lambda each: -sum(one.areas[1] for one in each[1])):
        candidate = own[0] if len(own) == 1 else merged_candidates(own, own[0].name)
        master: SurfaceSelection = candidate.master
        slave: SurfaceSelection = candidate.slave
        wish = search.title(candidate.parts)
        if isinstance(key, tuple):
            master, slave = (DeckSurfaceSelection(name=name) for name in key)
            wish = _common_name(*key)
        name = unused_name(wish, taken)
        taken.add(name)
        chosen = FOR_NEW_JOINTS.with_(distance=distance, angle=max(angle, _LEAST_SEARCH_ANGLE))
        joint = JointSpec(name=name, master=master, slave=slave, search=chosen)
        areas = candidate.areas
        if isinstance(key, tuple):
            areas = (float(skin.areas[surfaces[key[0]]].sum()), float(skin.areas[surfaces[key[1]]].sum()))
        found.append(
            ProposedJoint(joint, candidate.parts, areas, search.measure(candidate), candidate.facets)
        )
    return found


def touched_surfaces(model: FeModel, skin: Skin, joints: list[ProposedJoint]) -> set[str]:
    """Return the names of the deck's surfaces where parts touch, which are neither supported nor loaded.

    These are the surfaces of proposed joints, and surfaces that mostly face another part.
    """
    facing = np.zeros(len(skin.areas), bool)
    for joint in joints:
        for facets in joint.facets:
            facing[facets] = True
    sides = [side for each in joints for side in (each.joint.master, each.joint.slave)]
    found = {side.name for side in sides if isinstance(side, DeckSurfaceSelection)}
    for name, facets in _facets_of_surfaces(model, skin).items():
        areas = skin.areas[facets]
        if areas[facing[facets]].sum() > 0.5 * areas.sum():
            found.add(name)
    return found


def _facets_of_surfaces(model: FeModel, skin: Skin) -> dict[str, np.ndarray]:
    """Return by name the skin's facets of each exterior surface of the deck."""
    found = {}
    for name in model.surfaces:
        with suppress(ModelError):  # without facets, or inside the body
            found[name] = facets_of(skin, surface_from_deck(model, name, skin))
    return found


def _surface_of(facets: np.ndarray, surfaces: dict[str, np.ndarray], skin: Skin) -> str:
    """Return the smallest surface of the deck that contains nearly all of some facets; "" without one."""
    area = skin.areas[facets].sum()
    holding = [
        (float(skin.areas[own].sum()), name)
        for name, own in surfaces.items()
        if skin.areas[np.intersect1d(facets, own)].sum() >= _COVERED * area
    ]
    return min(holding)[1] if holding else ""


def _common_name(master: str, slave: str) -> str:
    """Return the common part of two names, such as "flanks" of FLANKS_BLADE and FLANKS_DISK, else both names."""
    words = [re.split(r"[^0-9A-Za-z]+", name.lower()) for name in (master, slave)]
    common = [word for word in words[0] if word and word in words[1]]
    return " ".join(common) or f"{slave} {master}".lower()


def in_words(proposed: ProposedJoint, units: UnitSystemName) -> str:
    """Return areas, share of nodes with pairs, and gaps of a proposal as text for the window's panel."""
    area, length = unit_text("area", units), unit_text("length", units)
    told = f"{proposed.joint.name}: areas {proposed.areas[0]:.4g} and {proposed.areas[1]:.4g} {area}"
    if proposed.measure is None:
        return f"{told}, no contact pairs"
    low, high = proposed.measure.gaps
    told += (
        f", {proposed.measure.paired:.0%} of the slave's nodes paired, gaps {low:.3g} to {high:.3g} {length}"
    )
    deep = proposed.measure.penetration
    return f"{told}, penetration {deep:.3g} {length}" if deep else told
