"""Range of the colours: that of the frame, of the whole run, or set by the user."""

from collections.abc import Hashable

import numpy as np

from faying.joints.pairs import ContactPairs
from faying.results.fields import Field, FieldContext, FieldSource
from faying.results.over_run import is_kept_over_run, kept_over_run
from faying.results.results import swings
from faying_app.context import Context
from faying_app.scene.frames import chosen_joints, find_limits, limits_of, node_values, swing_limits

_MOST_FRAMES = 120
FRAME_SPANNED = "limits of this frame"


class ColourLimits:
    """Finds limits; those of whole runs of a body from what the field did over the run."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[Hashable, tuple[float, float]] = {}

    def wants_run(self, found: FieldSource, field: Field | None) -> bool:
        """Return whether the limits shall be those of the whole run; shapes that swing have limits of their own."""
        if field is None or field.colours == "status" or swings(found.frames):
            return False
        if field.followed is not field:  # an extreme over the run is the same in all frames
            return False
        return self._context.view.values.limits == "run" and found.frames.n_frames > 1

    def of(
        self,
        shown: Hashable,
        found: FieldSource,
        pairs: dict[str, ContactPairs],
        field: Field | None,
        beside: FieldContext | None = None,
        frame: int = 0,
    ) -> tuple[tuple[float, float] | None, str]:
        """Return (limits, what they cover in words); the limits are None for those of the frame.

        For a run of a body they are those of the frame until the worker has found the extremes over the run.

        Args:
            shown: key of the frames, different for different results.
            found: the frames; the field's extremes over the run have to be stored there.
            pairs: contact pairs by joint name.
            field: that is shown.
            beside: frames of another result of the body that is compared; the limits cover both.
            frame: that is shown.
        """
        view, axis = self._context.view.values, found.frames.axis
        if swings(found.frames) and field is not None and field.colours != "status":
            if axis.has_size and view.limits == "user" and view.lowest < view.highest:
                return (view.lowest, view.highest), "own limits"
            shape = ("swing", shown, field.text, view.joint, frame)
            if shape not in self._known:
                self._known[shape] = swing_limits(found, pairs, field, view.joint, frame)
            return self._known[shape], "limits of this shape" if axis.has_size else "share of the largest"
        if view.limits == "user" and view.lowest < view.highest:
            return (view.lowest, view.highest), "own limits"
        if view.limits == "most" and field is not None and field.colours != "status":
            values = node_values(field, found, pairs, view.joint, frame, found.n_nodes)
            return limits_of(field, without_peaks(values)), "without the highest 1 %"
        if field is None or not self.wants_run(found, field):
            single = found.frames.n_frames < 2 or field is None
            if single:
                return None, ""
            return None, FRAME_SPANNED if field is None or field.followed is field else "limits of the run"
        if (body := found.of_body) is not None:
            joints = chosen_joints(pairs, view.joint) if field.location == "joint" else ("",)
            contexts = (body,) if beside is None else (body, beside)
            if not all(is_kept_over_run(field, context, joint) for context in contexts for joint in joints):
                return None, FRAME_SPANNED
            over = [kept_over_run(field, context, joint) for context in contexts for joint in joints]
            every = np.concatenate([*(o.minimum for o in over), *(o.maximum for o in over)])
            return limits_of(field, every), "limits of the run"
        key = (shown, self._context.n_frames, field.text, view.joint)
        if key not in self._known:
            # Systems by a sample: limits need not be exact to the last frame.
            chosen = np.unique(np.linspace(0, self._context.n_frames - 1, _MOST_FRAMES).round().astype(int))
            self._known[key] = find_limits(found, pairs, field.text, view.joint, chosen.tolist())
        return self._known[key], "limits of the run"


def without_peaks(values: np.ndarray) -> np.ndarray:
    """Return the values but for the largest hundredth of those that are not zero, by their size.

    One peak at an edge or a node that holds the body leaves a single colour for all else.
    """
    sizes = np.abs(values[np.isfinite(values)])
    sizes = sizes[sizes > 0.0]
    if not len(sizes):
        return values
    return np.asarray(values[np.abs(values) <= np.quantile(sizes, 0.99, method="lower")])
