"""The field of exported pictures and films, and the limits of its colours."""

from collections.abc import Sequence

import numpy as np

from faying.errors import ModelError
from faying.exporters import ExportContent, ExportSettings
from faying.exporters.output import chosen_field
from faying.results.fields import Field
from faying.results.formula import find_field
from faying_app.scene.drawn_system import DrawnSystem
from faying_app.scene.frames import find_limits, swing_limits


def shown_field(content: ExportContent, settings: ExportSettings) -> Field | None:
    """Return the field that gives the colours, None for the mere motion.

    Raises:
        ModelError: when there is no such field or joint, or nothing that has such a field.
    """
    if not settings.field:
        return None
    field = find_field(settings.field)
    if isinstance(content, DrawnSystem) and content.rigid:
        raise ModelError(
            f"{field.title} is of bodies that deform, and all parts of the system are rigid.",
            "Leave the field out.",
        )
    if isinstance(content, DrawnSystem) and field.location == "joint" and not content.pairs:
        raise ModelError(
            f"{field.title} lives in a joint, and no part of the system has one.",
            "Export a field of the bodies.",
        )
    return chosen_field(content, settings)[0]


def film_limits(
    content: ExportContent, settings: ExportSettings, field: Field | None, *, swings: bool = False
) -> tuple[tuple[float, float] | None, str]:
    """Return limits of the colours for all chosen frames of all that is shown, and what they cover in words.

    The limits are None for status fields, and without a field.

    Args:
        content: what is shown.
        settings: the chosen frames, joint and limits.
        field: gives the colours; None for none.
        swings: whether the frames are shapes that are shown swinging; else they are shown as they are stored.
    """
    if field is None or field.states:
        return None, ""
    if settings.limits is not None:
        return settings.limits, "own limits"
    found = [_limits(content, settings, field, settings.frames, swings)]
    for other in content.beside:
        values = np.asarray(content.context.frames.values)[list(settings.frames)]
        there = np.asarray(other.context.frames.values)
        frames = sorted({int(np.argmin(np.abs(there - value))) for value in values})
        found.append(_limits(other, settings, field, frames, swings))
    spanned = "limits of the film" if len(settings.frames) > 1 else ""
    if content.beside:
        spanned = (
            f"{spanned or 'limits'} of both" if len(content.beside) == 1 else f"{spanned or 'limits'} of all"
        )
    return (min(low for low, _ in found), max(high for _, high in found)), spanned.replace(
        "film of", "films of"
    )


def _limits(
    content: ExportContent, settings: ExportSettings, field: Field, frames: Sequence[int], swings: bool
) -> tuple[float, float]:
    """Return limits of the colours for some frames of one content."""
    if not swings:
        return find_limits(content.context, content.pairs, field, settings.joint, frames)
    each = [swing_limits(content.context, content.pairs, field, settings.joint, frame) for frame in frames]
    return min(low for low, _ in each), max(high for _, high in each)
