"""Finished pictures of frames that play in a loop: from the second round on they are only painted."""

from collections.abc import Hashable
from typing import Any

# As much as is kept (bytes); of longer or larger runs the rest is drawn in every round.
_MOST = 600e6


class FinishedPictures:
    """Pictures by frame and phase, of one way of looking at them.

    Whatever else changes, from the camera to the colours, is part of the look: the pictures of another one are
    forgotten.
    """

    def __init__(self, most: float = _MOST) -> None:
        self._most, self._size = most, 0
        self._look: Hashable = None
        self._pictures: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self._pictures)

    def forget(self) -> None:
        """Forget all pictures."""
        self._pictures.clear()
        self._size, self._look = 0, None

    def find(self, look: Hashable, instant: Hashable) -> Any:
        """Return the picture of an instant, None when it has not been drawn with that look."""
        return self._pictures.get(instant) if look == self._look else None

    def keep(self, look: Hashable, instant: Hashable, picture: Any, size: int) -> None:
        """Keep the picture of an instant, as long as there is room.

        Args:
            look: all that decides how the picture looks beside the instant.
            instant: frame and phase.
            picture: what is found again.
            size: its bytes.
        """
        if look != self._look:
            self.forget()
            self._look = look
        if instant not in self._pictures and self._size + size <= self._most:
            self._pictures[instant] = picture
            self._size += size
