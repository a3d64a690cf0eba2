"""Pictures without a window: the same scene on an off-screen plotter of any size."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from faying.exporters import ExportContent, ExportSettings
from faying.fem.skin import find_skin
from faying_app.scene.content import Symbols, content_of_model
from faying_app.scene.drawn_system import DrawnSystem
from faying_app.scene.offscreen import MULTI_SAMPLES, Offscreen
from faying_app.scene.scene import Scene

_DESIGN_HEIGHT, _DESIGN_WIDTH = 760.0, 1200.0
_FINER, _LARGEST = (
    2,
    8192,
)  # pixels along each side of one of a transparent picture, and the most that are drawn


class Photographer:
    """An off-screen scene and the means to take pictures of it.

    Args:
        size: width and height in pixels.
        dark: takes the dark theme.
        scale: of the writing; chosen by the size without it.
    """

    def __init__(self, size: tuple[int, int], *, dark: bool = False, scale: float | None = None) -> None:
        self._plotter = Offscreen(size)
        self._plotter.render_window.SetMultiSamples(MULTI_SAMPLES)
        self._scale = text_scale(size) if scale is None else scale
        self.scene = Scene(self._plotter, text_scale=lambda: self._scale)
        self.scene.apply_theme(dark)

    def smooth(self, wanted: bool) -> None:
        """Smooth the edges, or not: a processor takes thrice as long for it."""
        self._plotter.render_window.SetMultiSamples(MULTI_SAMPLES if wanted else 0)

    def draw(self) -> None:
        """Draw the scene as it is now, without taking the picture."""
        self._plotter.render_window.Render()

    def take(self, *, transparent: bool = False) -> np.ndarray:
        """Return (height, width, 3) bytes of the scene as it is now; (…, 4) with a transparent background."""
        if transparent:
            return self._without_background()
        self._plotter.render_window.Render()
        return self._plotter.pixels()[:, :, :3]

    def _without_background(self) -> np.ndarray:
        """Return the picture with the opacity of each pixel, which follows from how it looks on white and on black.

        What VTK writes as opacity itself is not true for layers over each other, and smoothed edges are mixed in
        another colour space than layers are: so it is drawn unsmoothed with several pixels for each one.
        """
        window, renderer = self._plotter.render_window, self._plotter.renderer
        samples, size, scale = window.GetMultiSamples(), window.GetSize(), self._scale
        was = renderer.GetBackground(), renderer.GetBackground2()
        finer = _FINER if max(size) * _FINER <= _LARGEST else 1
        window.SetMultiSamples(0)
        window.SetSize(finer * size[0], finer * size[1])
        self._scale = finer * scale
        on = []
        for shade in (1.0, 0.0):
            renderer.SetBackground(shade, shade, shade)
            renderer.SetBackground2(shade, shade, shade)
            window.Render()
            on.append(self._plotter.pixels()[:, :, :3].astype(np.float32))
        renderer.SetBackground(*was[0])
        renderer.SetBackground2(*was[1])
        window.SetMultiSamples(samples)
        window.SetSize(*size)
        self._scale = scale
        # Colours on black are weighted by their opacity: so they are averaged, and divided by it afterwards.
        opacity = _coarser(255.0 - (on[0] - on[1]).max(axis=-1, keepdims=True), finer)
        weighted = _coarser(on[1], finer)
        colour = np.divide(255.0 * weighted, opacity, out=np.zeros_like(weighted), where=opacity > 0.0)
        return np.asarray(np.dstack([np.minimum(colour, 255.0), opacity]).round(), np.uint8)

    def close(self) -> None:
        """Give back everything of OpenGL."""
        self.scene.close()
        self._plotter.close()


def _coarser(picture: np.ndarray, times: int) -> np.ndarray:
    """Return (height, width, n) means of squares of pixels."""
    height, width, channels = picture.shape
    squares = picture.reshape(height // times, times, width // times, times, channels)
    return np.asarray(squares.mean(axis=(1, 3)))


@contextmanager
def photographer(
    size: tuple[int, int], *, dark: bool = False, scale: float | None = None
) -> Iterator[Photographer]:
    """Give a photographer with an empty scene, and close it afterwards."""
    made = Photographer(size, dark=dark, scale=scale)
    try:
        yield made
    finally:
        made.close()


def text_scale(size: tuple[int, int]) -> float:
    """Return how much larger writing is in a picture than in a small window."""
    return float(np.clip(min(size[1] / _DESIGN_HEIGHT, size[0] / _DESIGN_WIDTH), 0.5, 8.0))


def draw_copy(scene: Scene, size: tuple[int, int], *, transparent: bool = False) -> np.ndarray:
    """Return (height, width, 3 or 4) bytes of what a scene shows, redrawn at a size in pixels."""
    scale = scene.text_scale * size[1] / scene.size[1]
    with photographer(size, scale=scale) as camera:
        camera.scene.copy_from(scene)
        return camera.take(transparent=transparent)


def fill_scene(scene: Scene, content: ExportContent) -> None:
    """Put what there is to be exported, body or system, joints and frames, into an empty scene."""
    if isinstance(content, DrawnSystem):
        picture = content.picture
        found = content_of_model(picture.model, picture.skin, picture.shown)
        pairs, slaves = picture.pairs, picture.slaves
    else:
        body = content.body_context.body
        mounted = [body.interface_nodes[body.frame]] if body.frame in body.interface_nodes else []
        symbols = Symbols(dict(body.interface_nodes), tuple(mounted), tuple(content.loads))
        found = replace(content_of_model(content.model, find_skin(content.model)), symbols=symbols)
        pairs, slaves = content.pairs, {name: pair[1] for name, pair in content.surfaces.items()}
    scene.show(replace(found, title=content.title, units=content.units))
    scene.set_frames(content.context, pairs, slaves)


def aim(scene: Scene, settings: ExportSettings) -> None:
    """Put the camera where the settings want it, so that the body stays in the picture in all frames.

    A frame has to be shown already.
    """
    scene.view(settings.view)
    chosen = np.unique(np.linspace(0, len(settings.frames) - 1, min(len(settings.frames), 12)).round())
    scene.reset_camera([settings.frames[int(i)] for i in chosen])
