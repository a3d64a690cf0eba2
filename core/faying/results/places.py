"""Fields over a run at a few nodes and elements, without evaluating the whole body at each frame."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.fem.stress_modes import StressModes
from faying.params import Spec, parameter
from faying.progress import PartialProgress, Progress
from faying.results.fields import Field, FieldContext
from faying.results.kept import STRESSES, Kept
from faying.results.results import FrameSource

_NAME = re.compile(r"(?:(?P<part>.+)\.)?(?P<place>el|node) (?P<number>\d+) (?P<field>\S.*)")


@dataclass(frozen=True)
class Places:
    """Rows of nodes, and running positions of elements behind them."""

    nodes: tuple[int, ...]
    elements: tuple[int, ...] = ()


class ProbeSpec(Spec):
    """A field at a node or element of a body, as a curve of each of its analyses; nothing that is computed needs it."""

    place: Literal["element", "node"] = parameter(
        "element", title="Where", meaning="At an element or a node."
    )
    number: int = parameter(
        1,
        title="Number",
        ge=0,
        meaning="Of the element or node in the deck; of an element its mean stress counts.",
    )
    field: str = parameter(
        "von_mises", title="Field", min_length=1,
        meaning="A stress (von_mises, stress_xx, principal_stress_1, …), a displacement, or a formula of these.",
    )  # fmt: skip

    def curve(self, part: str = "") -> "PlaceCurve":
        """Return the curve, of a part of a system where one is named."""
        return PlaceCurve(part, "el" if self.place == "element" else "node", self.number, self.field)


@dataclass(frozen=True)
class PlaceCurve:
    """A field at one place over a run: "gear.el 47823 von_mises".

    Attributes:
        part: of a system; "" for an analysis of a body.
        place: "el" or "node".
        number: that the deck gives it.
        field: kind or formula.
    """

    part: str
    place: str
    number: int
    field: str

    @classmethod
    def read(cls, text: str) -> "PlaceCurve | None":
        """Return the curve that a name describes; None for a name of another form."""
        found = _NAME.fullmatch(text.strip())
        if found is None:
            return None
        return cls(found["part"] or "", found["place"], int(found["number"]), found["field"])

    @property
    def name(self) -> str:
        """Name of the curve, as `read` understands it."""
        return f"{f'{self.part}.' if self.part else ''}{self.place} {self.number} {self.field}"

    def places(self, model: FeModel) -> Places:
        """Return where it is in the body's model.

        Raises:
            ModelError: when there is no such node or element.
        """
        if self.place == "node":
            return Places((model.node_row(self.number),))
        positions = np.flatnonzero(model.element_ids == self.number)
        if not len(positions):
            raise ModelError(f"There is no element {self.number}.", "Choose one of the model's elements.")
        return Places((), (int(positions[0]),))


def field_at_places(field: Field) -> Field:
    """Return the field; raise a ModelError when it needs more than motion and stress of a place."""
    if field.location != "body" or field.reach == "body":
        raise ModelError(
            f"{field.title} at a place does not follow from the stress there alone.",
            "Choose a stress, a displacement or a formula of these; or show the field and probe its nodes.",
        )
    return field


def history_at(field: Field, context: FieldContext, places: Places, progress: Progress) -> np.ndarray:
    """Return (n_frames, n_places) a field's shown numbers over the run; for elements those of their mean stress.

    The stress modes of the elements round the places are found once; a frame costs six numbers per place and mode.

    Args:
        field: field of the body that needs only the motion and stress of the place.
        context: of the whole body.
        places: the nodes or elements.
        progress: reports each mode and frame, and cancels.

    Raises:
        ModelError: when the field needs other data, or is not available.
        Cancelled: when asked to stop.
    """
    field_at_places(field)
    if (refusal := field.refusal(context)) is not None:
        raise refusal
    small, stresses = _at_places(
        context, places, field.reach == "stress", PartialProgress(progress, 0.0, 0.3)
    )
    part = PartialProgress(progress, 0.3, 1.0)
    found = np.empty((context.frames.n_frames, len(places.nodes) + len(places.elements)))
    kept = small.kept.of(small.frames)
    for frame in range(len(found)):
        part.report(frame / len(found), f"{field.title}: frame {frame}")
        if stresses is not None:
            kept[STRESSES] = frame, stresses(frame)
        found[frame] = field.shown(small, "", frame)
    return found


class _FewFrames:
    """Frames as they are, but with the displacements of the places alone."""

    def __init__(self, frames: FrameSource, gathered: Callable[[np.ndarray], np.ndarray]) -> None:
        self._frames, self._gathered = frames, gathered

    def __getattr__(self, name: str) -> Any:
        return getattr(self._frames, name)

    def displacement(self, frame: int) -> np.ndarray | None:
        """Return (3 n_places,) of unreduced results, None for reduced ones."""
        found = self._frames.displacement(frame)
        return None if found is None else self._gathered(found.reshape(-1, 3)).ravel()


def _at_places(
    context: FieldContext, places: Places, with_stress: bool, progress: Progress
) -> tuple[FieldContext, Callable[[int], np.ndarray] | None]:
    """Return a context with the places as its nodes, and a function from frame to stresses (n_places, 6) or None."""
    model, body, frames = context.model, context.body, context.frames
    corners: list[np.ndarray] = [np.array([row]) for row in places.nodes]
    if places.elements:
        assert model is not None
        corners += [_nodes_of(model, position) for position in places.elements]

    def gathered(values: np.ndarray) -> np.ndarray:
        return np.array([values[rows].mean(axis=0) for rows in corners])

    shapes = body.displacements
    few = gathered(shapes.reshape(len(body.nodes), 3, -1))
    small = replace(
        context,
        frames=cast(FrameSource, _FewFrames(frames, gathered)),
        body=replace(body, nodes=gathered(body.nodes), displacements=few.reshape(3 * len(corners), -1)),
        model=None, pairs={}, kept=Kept(),
    )  # fmt: skip
    if not with_stress:
        return small, None
    assert model is not None
    # Stress fields refuse a context without a model, although stresses are put into the cache beforehand here.
    small = replace(small, model=model)
    modes = StressModes(model, shapes, places.nodes, places.elements, progress)

    def stresses(frame: int) -> np.ndarray:
        if (told := frames.stresses(frame)) is not None:  # of elements the mean of their nodes
            return gathered(told)
        temperatures = frames.temperatures(frame)
        coordinates = frames.coordinates(frame)
        if (stored := frames.displacement(frame)) is not None:
            return modes.of_displacement(stored, temperatures)
        if coordinates is None:
            raise ModelError(
                "This result holds neither coordinates nor displacements.", "Run the analysis again."
            )
        return modes.at(coordinates, temperatures)

    return small, stresses


def _nodes_of(model: FeModel, position: int) -> np.ndarray:
    """Return the rows of the nodes of an element by its running position."""
    number = int(np.searchsorted(model.block_starts, position, side="right")) - 1
    return np.asarray(model.blocks[number].connectivity[position - model.block_starts[number]])
