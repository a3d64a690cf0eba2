"""Which values the colours span: those of the frame, of the whole run, or what the user wants."""

from collections.abc import Hashable

import numpy as np

from faying.joints.pairs import ContactPairs
from faying.results.fields import Field, FieldContext, FieldSource
from faying.results.over_run import kept_over_run
from faying_app.context import Context
from faying_app.scene.frames import chosen_joints, find_limits, limits_of

_MOST_FRAMES = 120


class ColourLimits:
    """Finds limits; those of whole runs of a body from what the field did over the run."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[Hashable, tuple[float, float]] = {}

    def wants_run(self, found: FieldSource, field: Field | None) -> bool:
        """Return whether the limits are those of the whole run."""
        if field is None or field.colours == "status" or found.frames.axis == "mode":
            return False
        return self._context.view.values.limits == "run"

    def of(
        self,
        shown: Hashable,
        found: FieldSource,
        pairs: dict[str, ContactPairs],
        field: Field | None,
        beside: FieldContext | None = None,
    ) -> tuple[float, float] | None:
        """Return the limits that are wanted now; None leaves them to the frame.

        Args:
            shown: tells the frames from all others.
            found: the frames; what the field did over the run has to be kept there.
            pairs: contact pairs by joint name.
            field: that is shown.
            beside: frames of another result of the body that is compared; the limits suit both.
        """
        view = self._context.view.values
        if view.limits == "user" and view.lowest < view.highest:
            return view.lowest, view.highest
        if field is None or not self.wants_run(found, field):
            return None
        if (body := found.of_body) is not None:
            joints = chosen_joints(pairs, view.joint) if field.location == "joint" else ("",)
            contexts = (body,) if beside is None else (body, beside)
            over = [kept_over_run(field, context, joint) for context in contexts for joint in joints]
            return limits_of(field, np.concatenate([*(o.minimum for o in over), *(o.maximum for o in over)]))
        key = (shown, self._context.n_frames, field.text, view.joint)
        if key not in self._known:
            # Systems by a sample: limits need not be exact to the last frame.
            chosen = np.unique(np.linspace(0, self._context.n_frames - 1, _MOST_FRAMES).round().astype(int))
            self._known[key] = find_limits(found, pairs, field.text, view.joint, chosen.tolist())
        return self._known[key]
