"""Loads, supports and bolts that act on a model at the end of a deck's step, carried on from step to step."""

import re
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.model import FeModel
from faying.fem.readers._abaqus_amplitudes import Amplitude, read_amplitudes
from faying.fem.readers._abaqus_cards import Card, as_name
from faying.fem.readers._abaqus_directions import read_transforms
from faying.fem.readers._abaqus_numbers import integer, is_integer, real
from faying.fem.readers._abaqus_parts import Parts
from faying.fem.readers._abaqus_rigid_bodies import rotation_nodes
from faying.fem.readers._deck_supports import Held
from faying.fem.readers._text_files import FileLine

_NAMED = {
    "ENCASTRE": (1, 2, 3, 4, 5, 6), "PINNED": (1, 2, 3), "XSYMM": (1, 5, 6), "YSYMM": (2, 4, 6), "ZSYMM": (3, 4, 5),
    "XASYMM": (2, 3, 4), "YASYMM": (1, 3, 5), "ZASYMM": (1, 2, 6), "NOWARP": (), "NOOVAL": (), "NODEFORM": (),
}  # fmt: skip
_FACE = re.compile(r"P([1-6])?$")
_ALONG = {"BX": 0, "BY": 1, "BZ": 2}
_Sized = Callable[[float], float]  # factor from the magnitude on a line to that at the end of the step
# Parameters that do not change the meaning of a load.
_PLAIN = {"OP", "AMPLITUDE", "TYPE", "CONSTANTRESULTANT", "FIXED", "REALONLY", "REAL"}


@dataclass
class EndOfStep:
    """Loads, supports and bolts at the end of a step.

    Attributes:
        held: held or displaced components.
        forces: by row of a node and component, in the node's own directions.
        pressed: pressure on faces, by running position of the element and face.
        surfaces: pressure on the deck's surfaces, by name.
        fields: nodal forces (n, 3) of weight, centrifugal and other body forces, by the line's text.
        weights: acceleration (3,) of the whole body, by the line's text.
        temperatures: by row of a node.
        bolts: tension of each tightened bolt.
        locked: bolts of fixed length.
        odd: unsupported loads and supports, with the keyword of each card.
    """

    held: Held = field(default_factory=dict)
    forces: dict[tuple[int, int], float] = field(default_factory=dict)
    pressed: dict[tuple[int, int], float] = field(default_factory=dict)
    surfaces: dict[str, float] = field(default_factory=dict)
    fields: dict[str, np.ndarray] = field(default_factory=dict)
    weights: dict[str, np.ndarray] = field(default_factory=dict)
    temperatures: dict[int, float] = field(default_factory=dict)
    bolts: dict[str, float] = field(default_factory=dict)
    locked: set[str] = field(default_factory=set)
    odd: dict[str, str] = field(default_factory=dict)

    def copied(self) -> "EndOfStep":
        """Return a copy that may be changed."""
        return EndOfStep(**{name: copy(value) for name, value in vars(self).items()})

    def without_loads(self) -> "EndOfStep":
        """Return a copy with supports only."""
        return EndOfStep(held=dict(self.held))

    def clear(self, keyword: str) -> None:
        """Remove the loads or supports of a keyword from earlier steps (OP=NEW)."""
        of_keyword: dict[str, tuple[dict[Any, Any] | set[str], ...]] = {
            "BOUNDARY": (self.held, self.locked), "CLOAD": (self.forces, self.bolts),
            "DLOAD": (self.pressed, self.fields, self.weights), "DSLOAD": (self.surfaces,),
            "TEMPERATURE": (self.temperatures,),
        }  # fmt: skip
        for own in of_keyword.get(keyword, ()):
            own.clear()
        for text in [text for text, owner in self.odd.items() if owner == keyword]:
            del self.odd[text]


class LoadReader:
    """Applies cards of loads and supports to the state at the end of a step.

    Args:
        parts: mesh, sets and surfaces of the deck.
        model: model with bolts already cut.

    Attributes:
        time: beginning of the next step.
        transforms: (3, 3) directions, as rows, by node row, for nodes with their own directions.
        followed: names of the amplitudes that loads follow.
        bolts: names of bolts by row of the pre-tension node.
    """

    def __init__(self, parts: Parts, model: FeModel) -> None:
        self._parts, self._model = parts, model
        self._amplitudes = read_amplitudes(parts.deck)
        self._turning = rotation_nodes(parts)
        self.transforms = read_transforms(parts.deck, parts.node_sets, parts.mesh.nodes)
        self.bolts = dict(self._bolts())
        self.followed: set[str] = set()
        self._cleared: set[str] = set()
        self._given: set[object] = set()
        self._again = False
        self.time, self._length = 0.0, 1.0

    def begin(self, length: float) -> None:
        """Begin a step at `time`; loads given in it add up, and replace those of earlier steps."""
        self._cleared, self._given, self._length = set(), set(), length

    def take(self, card: Card, acting: EndOfStep) -> None:
        """Update the state by a card.

        Raises:
            ReadError: for missing sets and surfaces, or text in place of numbers.
        """
        if card.name("OP") == "NEW" and card.keyword not in self._cleared:
            self._cleared.add(card.keyword)
            acting.clear(card.keyword)
        for name in card.parameters:
            if name not in _PLAIN:
                acting.odd[f"{name} of {card.title}"] = card.keyword
        if card.name("TYPE") not in ("", "DISPLACEMENT", "CARTESIAN"):
            acting.odd[f"TYPE={card.name('TYPE')} of {card.title}"] = card.keyword
        factor, is_absolute = self._factor(card, acting)
        take = {
            "BOUNDARY": self._boundary, "CLOAD": self._force, "DLOAD": self._distributed, "DSLOAD": self._surface,
            "TEMPERATURE": self._temperature,
        }[card.keyword]  # fmt: skip
        for place, fields in card.rows():
            if any(fields):
                take(card, place, fields, acting, lambda size: factor if is_absolute else factor * size)

    def _factor(self, card: Card, acting: EndOfStep) -> tuple[float, bool]:
        """Return a card's amplitude at the end of the step, and whether it replaces the magnitude."""
        name = card.name("AMPLITUDE")
        if not name:
            return 1.0, False
        self.followed.add(name)
        amplitude = self._amplitudes.get(name, f"there is no *AMPLITUDE {name}")
        if not isinstance(amplitude, Amplitude):
            acting.odd[amplitude] = card.keyword
            return 1.0, False
        factor, one_way = amplitude.end(self.time, self._length)
        if not one_way:
            reason = "goes up and down within the step, of which its end is taken"
            self._parts.deck.unread.note(card.place, f"AMPLITUDE={name} of {card.title} {reason}")
        return factor, amplitude.absolute

    def _bolts(self) -> Iterator[tuple[int, str]]:
        """Yield the row of a bolt's pre-tension node, and its name."""
        known = {bolt.name for bolt in self._model.bolts}
        for scope in self._parts.deck.scopes:
            for card in scope.having("PRE-TENSIONSECTION"):
                if "ELEMENT" in card.parameters:
                    name = f"BOLT {card.name('ELEMENT')}"
                else:
                    name = self._parts.surfaces.full_name(scope.name, card.needed("SURFACE"), card.place)
                rows = self._parts.node_sets.members(scope.name, card.needed("NODE"), card.place)
                if name in known and len(rows) == 1:
                    yield int(rows[0]), name

    def _nodes(self, text: str, place: FileLine) -> list[int]:
        return [int(row) for row in self._parts.node_sets.members("", as_name(text), place)]

    def _motion(self, row: int, component: int) -> tuple[int, int]:
        """Return node and component; displacements of CalculiX' rotation nodes are rotations of the reference node."""
        if row in self._turning and component <= 3:
            return self._turning[row], component + 3
        return row, component

    def _boundary(
        self, card: Card, place: FileLine, fields: list[str], acting: EndOfStep, sized: _Sized
    ) -> None:
        word = fields[1].upper() if len(fields) > 1 else ""
        if word in _NAMED:
            chosen, size = _NAMED[word], 0.0
        elif is_integer(word):
            first = integer(word, place, "a direction")
            last = integer(fields[2], place, "a direction") if len(fields) > 2 and fields[2] else first
            chosen = tuple(k for k in range(1, 7) if first <= k <= last)
            size = real(fields[3], place, "a displacement") if len(fields) > 3 else 0.0
        else:
            raise place.error(f"found {word!r}, expected a direction or a name such as ENCASTRE.", "Mend it.")
        value = sized(size) if size or "AMPLITUDE" in card.parameters else 0.0
        for row in self._nodes(fields[0], place):
            if row in self.bolts:
                self._bolt_length(card, self.bolts[row], chosen, value, acting)
                continue
            for component in chosen:
                key = self._motion(row, component)
                if "FIXED" in card.parameters and key not in acting.held:
                    acting.odd["FIXED of *BOUNDARY holds nodes where they are"] = card.keyword
                elif "FIXED" not in card.parameters:
                    acting.held[key] = value

    @staticmethod
    def _bolt_length(card: Card, bolt: str, chosen: tuple[int, ...], value: float, acting: EndOfStep) -> None:
        if 1 not in chosen:
            return  # the node moves along the bolt only
        if "FIXED" in card.parameters or (bolt in acting.bolts and not value):
            acting.locked.add(bolt)
        elif value:
            acting.odd[f"the shortening of bolt {bolt}"] = card.keyword

    def _force(
        self, card: Card, place: FileLine, fields: list[str], acting: EndOfStep, sized: _Sized
    ) -> None:
        component = integer(fields[1] if len(fields) > 1 else "", place, "a component 1 to 6")
        size = sized(real(fields[2] if len(fields) > 2 else "", place, "a force"))
        if not 1 <= component <= 6:
            raise place.error(f"found the component {component}, expected 1 to 6.", "Mend this line.")
        for row in self._nodes(fields[0], place):
            if row in self.bolts and component == 1:
                acting.bolts[self.bolts[row]] = size
                acting.locked.discard(self.bolts[row])
                continue
            key = self._motion(row, component)
            self._replace("force", key)
            acting.forces[key] = size + (acting.forces.get(key, 0.0) if self._again else 0.0)

    def _replace(self, what: str, key: object) -> None:
        """Record whether the step gives a value for the second time: then values add up."""
        self._again = (what, key) in self._given
        self._given.add((what, key))

    def _distributed(
        self, card: Card, place: FileLine, fields: list[str], acting: EndOfStep, sized: _Sized
    ) -> None:
        word = fields[1].upper() if len(fields) > 1 else ""
        size = sized(real(fields[2] if len(fields) > 2 else "", place, "a size"))
        numbers = [real(text, place, "a coordinate") for text in fields[3:9]]
        numbers += [0.0] * (6 - len(numbers))
        members = self._elements(fields[0], place)
        name = f"{as_name(fields[0])} {word}"
        if found := _FACE.match(word):
            for key in self._faces(members, found[1] or "", place):
                self._replace("face", key)
                acting.pressed[key] = size + (acting.pressed.get(key, 0.0) if self._again else 0.0)
        elif word == "GRAV":
            direction = np.array(numbers[:3])
            direction /= np.linalg.norm(direction) or 1.0
            self._weight(name, members, np.broadcast_to(size * direction, self._model.nodes.shape), acting)
        elif word == "CENTRIF":
            axis = np.array(numbers[3:])
            axis /= np.linalg.norm(axis) or 1.0
            arms = self._model.nodes - numbers[:3]
            self._weight(name, members, size * (arms - np.outer(arms @ axis, axis)), acting)
        elif word in _ALONG:
            per_volume = np.zeros(self._model.nodes.shape)
            per_volume[:, _ALONG[word]] = size
            acting.fields[name] = self._body_forces(members, per_volume, per_volume=True)
        else:
            acting.odd[f"{word or 'a blank type'} of {card.title}"] = card.keyword

    def _weight(self, name: str, members: np.ndarray, field: np.ndarray, acting: EndOfStep) -> None:
        """Add the forces of an acceleration (n, 3) of some elements; a uniform one of all elements is a weight."""
        even, every = np.ptp(field, axis=0).max() == 0.0, len(members) == len(self._model.element_ids)
        self._replace("body", name)
        before = {own: getattr(acting, own).pop(name, None) for own in ("weights", "fields")}
        own = "weights" if even and every else "fields"
        force = field[0].copy() if own == "weights" else self._body_forces(members, field)
        known = before[own]
        getattr(acting, own)[name] = force + known if self._again and known is not None else force

    def _elements(self, text: str, place: FileLine) -> np.ndarray:
        """Return the running positions of the elements named by a word; all for a blank."""
        if not text:
            return np.arange(len(self._model.element_ids))
        return np.unique(self._parts.positions[self._parts.element_sets.members("", text, place)])

    def _faces(self, members: np.ndarray, number: str, place: FileLine) -> list[tuple[int, int]]:
        return self._parts.surfaces.pressed_faces(members, number, place)

    def _body_forces(self, members: np.ndarray, field: np.ndarray, *, per_volume: bool = False) -> np.ndarray:
        """Return (n, 3) nodal forces of a force per mass or volume (n, 3) on some elements, by their mass matrices."""
        starts, blocks = self._model.block_starts, []
        for block, start, stop in zip(self._model.blocks, starts[:-1], starts[1:], strict=True):
            own = members[(members >= start) & (members < stop)] - start
            if len(own):
                blocks.append(replace(block, ids=block.ids[own], connectivity=block.connectivity[own]))
        materials = self._model.materials
        if per_volume:
            materials = {name: replace(each, density=1.0) for name, each in materials.items()}
        part = FeModel("", self._model.node_ids, self._model.nodes, tuple(blocks), materials=materials)
        try:
            matrices = assemble(part)
        except ModelError as error:
            raise self._parts.deck.top.place.error(error.message, error.hint) from None
        rows, n = matrices.dofs.own_rows, 3 * len(field)
        accelerations = np.zeros(len(rows))
        of_nodes = (rows >= 0) & (rows < n)
        accelerations[of_nodes] = field.reshape(-1)[rows[of_nodes]]
        forces = np.zeros(n)
        forces[rows[of_nodes]] = (matrices.mass @ accelerations)[of_nodes]
        return forces.reshape(-1, 3)

    def _surface(
        self, card: Card, place: FileLine, fields: list[str], acting: EndOfStep, sized: _Sized
    ) -> None:
        word = fields[1].upper() if len(fields) > 1 else ""
        if word != "P":
            acting.odd[f"{word or 'a blank type'} of {card.title}"] = card.keyword
            return
        name = self._parts.surfaces.full_name("", fields[0], place)
        size = sized(real(fields[2] if len(fields) > 2 else "", place, "a pressure"))
        self._replace("surface", name)
        acting.surfaces[name] = size + (acting.surfaces.get(name, 0.0) if self._again else 0.0)

    def _temperature(
        self, card: Card, place: FileLine, fields: list[str], acting: EndOfStep, sized: _Sized
    ) -> None:
        if len(fields) > 2 and any(fields[2:]):
            acting.odd["temperatures that vary over a section"] = card.keyword
        value = sized(real(fields[1] if len(fields) > 1 else "", place, "a temperature"))
        for row in self._nodes(fields[0], place):
            acting.temperatures[row] = value
