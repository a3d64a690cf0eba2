"""Shared by exporters of tables: files written as a whole or not at all, and the values of a field by node."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from faying import atomic
from faying.analyses.recording.true_fields import TRUE_FIELDS
from faying.errors import FayingError, ModelError, there_are
from faying.exporters import ExportContent, ExportSettings
from faying.results.curves import OF_FE_MODEL
from faying.results.difference import Difference
from faying.results.fields import Field
from faying.results.formula import find_field
from faying.units import unit_text


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to `path` to write to; it replaces `path` at the end, or is removed after an error.

    Raises:
        FayingError: when the file cannot be written.
    """
    try:
        with atomic.replacing(path, durable=False) as beside:
            yield beside
    except OSError as error:
        reason = error.strerror or str(error)
        raise FayingError(f"{path} cannot be written: {reason}.", "Choose another place.") from error


def chosen_field(content: ExportContent, settings: ExportSettings) -> tuple[Field, tuple[str, ...]]:
    """Return the field and the names of the joints to evaluate it at; ("",) for a field of the body.

    Raises:
        ModelError: when the body has no such joint, or none at all for a joint field.
    """
    field = find_field(settings.field)
    if content.minus is not None:
        field = Difference(field, content.minus[1], content.minus[0])
    if field.location == "body":
        return _offered(field, content, ("",))
    if not content.pairs:
        raise ModelError(
            f"{field.title} lives in a joint, and the body has none.", "Export a field of the body."
        )
    if settings.joint and settings.joint not in content.pairs:
        raise ModelError(
            f"There is no joint called {settings.joint!r}.", there_are(settings.joint, content.pairs)
        )
    return _offered(field, content, (settings.joint,) if settings.joint else tuple(content.pairs))


def _offered(field: Field, content: ExportContent, joints: tuple[str, ...]) -> tuple[Field, tuple[str, ...]]:
    """Return field and joints; refuse a field that needs values that the frames lack before anything is written."""
    for joint in joints:
        if (error := content.context.refusal(field, joint)) is not None:
            raise error
    return field, joints


def check_frames(content: ExportContent, settings: ExportSettings) -> None:
    """Raise a ModelError when a requested frame does not exist in the result."""
    count = content.context.frames.n_frames
    for frame in settings.frames:
        if not 0 <= frame < count:
            raise ModelError(f"{content.title} has no frame {frame}.", f"Its frames are 0 to {count - 1}.")
    if not settings.frames:
        raise ModelError(f"{content.title} has no frames yet.", "Run the analysis first.")


def at_nodes(content: ExportContent, field: Field, joint: str, frame: int) -> tuple[np.ndarray, np.ndarray]:
    """Return node rows (n,) and a field's values there: at the slave nodes of a joint, or at all nodes."""
    values = np.asarray(field.evaluate(content.body_context, joint, frame), float)
    if not joint:
        return np.arange(len(content.model.nodes)), values
    pairs = content.pairs[joint]
    return pairs.nodes_with_values, pairs.at_nodes(values, field.joining)


def field_name(field: Field, content: ExportContent) -> str:
    """Return a field's name with its unit, which says when it is a true field: "pressure (FE model) [N/mm²]"."""
    of_fe_model = OF_FE_MODEL if is_true(field, content) else ""
    return named(f"{field.text}{of_fe_model}", field.quantity_over(content.context.frames.axis), content)


def is_true(field: Field, content: ExportContent) -> bool:
    """Return whether values are of the FE model while the run is of a reduced body; motion is nearly the same."""
    return field.group != "motion" and content.title.endswith(TRUE_FIELDS)


def named(name: str, quantity: str, content: ExportContent) -> str:
    """Return a column's name with its unit: "pressure [N/mm²]"."""
    unit = unit_text(quantity, content.units)
    return f"{name} [{unit}]" if unit else name
