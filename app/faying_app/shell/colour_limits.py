"""Which values the colours span: those of the frame, of the whole run, or what the user wants."""

from collections.abc import Hashable

import numpy as np

from faying.joints.pairs import ContactPairs
from faying.results.fields import FieldContext, fields
from faying_app.context import Context
from faying_app.scene.frames import find_limits
from faying_app.scene.systems import SystemContext

_MOST_FRAMES = 120


class ColourLimits:
    """Finds limits and remembers those of whole runs."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[Hashable, tuple[float, float]] = {}

    def of(
        self, shown: Hashable, found: FieldContext | SystemContext, pairs: dict[str, ContactPairs], field: str
    ) -> tuple[float, float] | None:
        """Return the limits that are wanted now; None leaves them to the frame.

        Args:
            shown: tells the frames from all others.
            found: the frames.
            pairs: contact pairs by joint name.
            field: kind of the shown field.
        """
        view = self._context.view.values
        if view.limits == "user" and view.lowest < view.highest:
            return view.lowest, view.highest
        is_mode = found.frames.axis == "mode"
        if view.limits != "run" or is_mode or field not in fields or fields[field].colours == "status":
            return None
        key = (shown, self._context.n_frames, field, view.joint)
        if key not in self._known:
            # Long runs by a sample: limits need not be exact to the last frame.
            chosen = np.unique(np.linspace(0, self._context.n_frames - 1, _MOST_FRAMES).round().astype(int))
            self._known[key] = find_limits(found, pairs, field, view.joint, chosen.tolist())
        return self._known[key]
