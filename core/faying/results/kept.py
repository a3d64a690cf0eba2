"""What fields keep between frames, so that the next one comes quickly."""

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

from faying.fem.stress import StressRecovery

STRESSES = "stresses"
"""Under which the number of the last frame and its stresses (n_nodes, 6) are kept of a source of frames."""


@dataclass(eq=False)
class Kept:
    """Values of one body that are dear to make; frames that are gone take theirs along.

    Attributes:
        recovery: of the body's stresses, once somebody asked for one.
        ties: of its tied joints, likewise.
        of_frames: values by name for each source of frames.
    """

    recovery: StressRecovery | None = None
    ties: Any = None
    of_frames: "WeakKeyDictionary[Any, dict[Any, Any]]" = field(default_factory=WeakKeyDictionary)

    def of(self, frames: Any) -> dict[Any, Any]:
        """Return what is kept of a source of frames."""
        return self.of_frames.setdefault(frames, {})
