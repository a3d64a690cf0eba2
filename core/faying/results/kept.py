"""Cached values of fields, so that the next frame or field is fast."""

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from faying.fem.stress import StressRecovery

STRESSES = "stresses"
"""Under which the number of the last frame and its stresses (n_nodes, 6) are kept of a source of frames."""


@dataclass(eq=False)
class Kept:
    """Cache of values of one body that are expensive to compute; values of deleted frames are deleted with them.

    Attributes:
        recovery: stress recovery of the body, after its first use.
        ties: surfaces of its tied joints, after their first use.
        of_frames: values by name for each source of frames.
    """

    recovery: StressRecovery | None = None
    ties: Any = None
    of_frames: "WeakKeyDictionary[Any, dict[Any, Any]]" = field(default_factory=WeakKeyDictionary)

    def of(self, frames: Any) -> dict[Any, Any]:
        """Return the cached values of a source of frames, by name."""
        return self.of_frames.setdefault(frames, {})
