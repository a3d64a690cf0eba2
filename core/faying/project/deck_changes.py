"""Interface nodes, surfaces and sets of a body that another mesh keeps by name, and those that must be chosen again."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.selections import SurfaceSelection
from faying.fem.skin import Skin, facet_areas, facet_centroids, find_skin, surface_area
from faying.fem.surface import Surface
from faying.params import Spec, fields_of
from faying.progress import PartialProgress, Progress
from faying.project.bodies import interface_row
from faying.project.specs import BodySpec, Project
from faying.units import UnitSystemName, amount, with_units

_CLOSE = 0.01  # relative change of area or position that another mesh of the same part may cause
_SETS = ("element_set", "node_set")


@dataclass(frozen=True)
class DeckChange:
    """One entity of a body in its present deck and in another one.

    Attributes:
        what: "interface node 'tip'", "joint 'lap': master".
        state: "kept" if unchanged to within the mesh size; "changed" if its position or size differs; "lost" if missing
            in the new deck.
        told: description in both decks, or why it is lost.
    """

    what: str
    state: Literal["kept", "changed", "lost"]
    told: str

    def __str__(self) -> str:
        return f"{self.state}: {self.what}: {self.told}"


@dataclass(frozen=True)
class NewMesh:
    """Numbers of nodes and elements before and after, and kept, changed and lost entities."""

    nodes: tuple[int, ...]
    elements: tuple[int, ...]
    changes: tuple[DeckChange, ...]


def compare_decks(
    body: BodySpec, before: Path, after: Path, units: UnitSystemName, progress: Progress
) -> NewMesh:
    """Read the present deck of a body and another one; return the changes of the body's entities.

    Raises:
        ReadError: when a deck cannot be read.
    """
    decks = [
        read_model(path, PartialProgress(progress, 0.45 * i, 0.45 * (i + 1)), outlines=True)
        for i, path in enumerate((before, after))
    ]
    progress.report(0.9, "comparing")
    return NewMesh(
        tuple(len(deck.nodes) for deck in decks),
        tuple(len(deck.element_ids) for deck in decks),
        deck_changes(body, decks[0], decks[1], units),
    )


def analyses_of_body(project: Project, body: str) -> tuple[str, ...]:
    """Return the names of the analyses to recompute when a body changes: its own, and those of systems."""

    def is_of(analysis: Any) -> bool:
        system = getattr(analysis, "system", "")
        return body in (project.system(system).body_names() if system else (getattr(analysis, "body", ""),))

    own = {analysis.name for analysis in project.analyses if is_of(analysis)}
    # A sweep is of another analysis.
    names = [each.name for each in project.analyses if {each.name, getattr(each, "analysis", "")} & own]
    return tuple(names)


def deck_changes(
    body: BodySpec, before: FeModel, after: FeModel, units: UnitSystemName
) -> tuple[DeckChange, ...]:
    """Return the kept, changed and lost entities of a body with another deck.

    Args:
        body: the decisions.
        before: model of the present deck, as read.
        after: model of the other deck.
        units: unit system of both.
    """
    skins = find_skin(before), find_skin(after)
    # Reference nodes of couplings added to the body are not in the deck: compare their surfaces instead.
    made = {coupling.name for coupling in body.couplings}
    inherited = [each for each in body.interfaces if each.node_set not in made]
    found = [_interface(each.name, each, before, after) for each in inherited]
    for what, selection in _selections(body, ""):
        found.append(_surface(what, selection, before, after, skins))
    for what, kind, name in _sets_of(body, ""):
        known = after.element_sets if kind == "element_set" else after.node_sets
        if name.strip().upper() not in {each.upper() for each in known}:
            found.append(DeckChange(what, "lost", f"the new deck has no {kind.replace('_', ' ')} {name!r}"))
    for name in sorted(set(before.materials) - set(after.materials)):
        found.append(DeckChange(f"material {name!r}", "lost", "the new deck has none of that name"))
    return tuple(replace(change, told=with_units(change.told, units)) for change in found)


def _interface(name: str, interface: Any, before: FeModel, after: FeModel) -> DeckChange:
    what = f"interface node {name!r}"
    try:
        new = after.nodes[interface_row(interface, after)]
    except FayingError as error:
        return DeckChange(what, "lost", error.message)
    place = f"at {_point(new)}"
    try:
        old = before.nodes[interface_row(interface, before)]
    except FayingError:
        return DeckChange(what, "changed", f"{place}; the deck so far has none")
    size = float((before.nodes.max(axis=0) - before.nodes.min(axis=0)).max())
    if abs(new - old).max() <= 1e-6 * size:
        return DeckChange(what, "kept", place)
    return DeckChange(what, "changed", f"{place}, so far at {_point(old)}")


def _surface(
    what: str, selection: SurfaceSelection, before: FeModel, after: FeModel, skins: tuple[Skin, Skin]
) -> DeckChange:
    try:
        new = selection.select(after, skins[1])
    except FayingError as error:
        return DeckChange(what, "lost", error.message)
    area = surface_area(new, after.nodes)
    now = f"{new.n_facets} facets of {amount(area, 'area', 6)}"
    try:
        old = selection.select(before, skins[0])
    except FayingError:
        return DeckChange(what, "changed", f"{now}; in the deck so far there are none")
    was = surface_area(old, before.nodes)
    middles = [_middle(surface, model) for model, surface in ((before, old), (after, new))]
    moved = bool(np.abs(middles[1] - middles[0]).max() > _CLOSE * was**0.5)
    alike = abs(area - was) <= _CLOSE * was and not moved
    elsewhere = ", elsewhere" if moved else ""
    told = f"{now}, so far {old.n_facets} of {amount(was, 'area', 6)}{elsewhere}"
    return DeckChange(what, "kept" if alike else "changed", told)


def _point(place: np.ndarray) -> str:
    return f"({place[0]:.6g}, {place[1]:.6g}, {amount(place[2], 'length', 6)})"


def _middle(surface: Surface, model: FeModel) -> np.ndarray:
    """Return (3,) the centre of a surface's area."""
    areas = facet_areas(surface, model.nodes)
    return np.asarray(areas @ facet_centroids(surface, model.nodes) / areas.sum())


def _selections(value: Any, place: str) -> Iterator[tuple[str, SurfaceSelection]]:
    """Yield each surface chosen in a spec with its place as text."""
    if isinstance(value, SurfaceSelection):
        yield place, value
    elif isinstance(value, Spec):
        for name, field, _ in fields_of(value):
            yield from _selections(getattr(value, name), _place(place, field.title or name))
    elif isinstance(value, tuple):
        for item in value:
            own = f" {item.name!r}" if isinstance(getattr(item, "name", None), str) else ""
            yield from _selections(item, place + own)


def _sets_of(value: Any, place: str) -> Iterator[tuple[str, str, str]]:
    """Yield place as text, kind and name of each set named by a spec, except those in surfaces and nodes."""
    if isinstance(value, Spec) and not isinstance(value, SurfaceSelection):
        for name, field, extra in fields_of(value):
            inner, where = getattr(value, name), _place(place, field.title or name)
            if extra.get("choices") in _SETS and isinstance(inner, str):
                if inner and not place.startswith("Interface"):
                    yield where, str(extra["choices"]), inner
            else:
                yield from _sets_of(inner, where)
    elif isinstance(value, tuple):
        for item in value:
            own = f" {item.name!r}" if isinstance(getattr(item, "name", None), str) else ""
            yield from _sets_of(item, place + own)


def _place(place: str, title: str) -> str:
    return f"{place}: {title.lower()}" if place else title
