"""The way from a value of a diagram or a row of a table to the frame and shape that it is of."""

from faying.results.results import Results, swings
from faying_app.context import Context


def show_shape(context: Context, results: Results, frame: int, shape: int) -> None:
    """Show a frame, and of several shapes the one of that number, over its period; nothing for the frame −1."""
    if not 0 <= frame < results.n_frames:
        return
    context.view.set(frame=frame, shape=max(shape, 0))
    if swings(results):
        context.view.set_playing(True)
