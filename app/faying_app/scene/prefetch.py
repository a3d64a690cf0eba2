"""The frame that will be shown next, made while the present one is drawn."""

from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from faying.results.fields import FieldSource
from faying.results.results import FrameSource

# Numbers in the modes from which on a product takes so long that another thread is worth it.
_LARGE = 2_000_000


class FramePrefetch:
    """Multiplies modes and coordinates of the next frame in a thread of its own, as long as frames are played."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "read ahead")
        self._shown: tuple[FrameSource, int] | None = None
        self._made: tuple[FrameSource, np.ndarray, int, Future[np.ndarray]] | None = None

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def hand_over(self, context: FieldSource, frame: int) -> None:
        """Give the context what was made for a frame; to be called before its fields are evaluated."""
        made, self._made = self._made, None
        body = context.of_body
        if made is None or body is None:
            return
        frames, modes, number, product = made
        if frames is body.frames and modes is body.body.displacements and number == frame:
            body.keep_displacement(frame, product.result())

    def go_on(self, context: FieldSource, frame: int) -> None:
        """Begin the frame that comes as far after this one as this one came after the last."""
        shown = self._shown
        body = context.of_body
        if body is None:
            self._shown = None
            return
        frames, modes = body.frames, body.body.displacements
        self._shown = frames, frame
        if shown is None or shown[0] is not frames or modes.size < _LARGE:
            return
        coming = 2 * frame - shown[1]
        if coming == frame or not 0 <= coming < frames.n_frames:
            return
        coordinates = frames.coordinates(coming)
        if coordinates is not None and frames.displacement(coming) is None:
            product = self._thread.submit(np.matmul, modes, coordinates)
            self._made = frames, modes, coming, product
