"""Pictures with what stands around them: several views side by side, a title, curves under them."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from faying.errors import ModelError
from faying.exporters import ExportContent, ExportSettings
from faying.exporters.cuts import read_cuts
from faying.plot import Plot
from faying.progress import Progress, Silent
from faying.results.fields import Field
from faying_app.scene import camera as cameras
from faying_app.scene.camera import CameraPose
from faying_app.scene.colours import rgb_bytes
from faying_app.scene.content import DisplayOptions, SceneContent
from faying_app.scene.cutting import planes_of
from faying_app.scene.film_timing import Shot
from faying_app.scene.page_layout import Area, Layout, layout_of
from faying_app.scene.picture import Photographer, aim, fill_scene, photographer, text_scale
from faying_app.scene.scene import Scene
from faying_app.scene.visuals import Visual
from faying_app.scene.visuals.triad import TriadVisual

if TYPE_CHECKING:  # Qt loads with the first curve
    from faying_app.scene.curve_strip import CurveStrip

AS_SHOWN = "shown"
"""The view of a scene that a picture is to be like."""

_PRINT_SIZE, _TEXT = 8.0, 13.0  # points on paper of what is 13 design pixels on a screen
_SMALLER = 0.8  # letters in one of several views
_MARKS = (
    "symbols",
    "supports",
    "system",
    "system_forces",
    "system_names",
)  # visuals of what acts, holds and joins
_TURNS = 24  # angles at which a model that is turned has to fit


@dataclass
class _View:
    """One of the views: who draws it, where it is looked from, and where it stands in the picture."""

    camera: Photographer
    source: int
    area: Area
    pose: CameraPose | None = None
    has_legend: bool = True
    has_caption: bool = True


class PicturePage:
    """Draws one frame after the other in the same layout; `opened_page` makes one.

    Args:
        settings: how.
        contents: what is shown beside each other; none for a model without frames, which `like` has.
        cameras_of: a filled scene for each of them, or the only one.
        layout: where everything stands.
        scale: pixels per design pixel.
        field, limits, spanned, like: as of `opened_page`.
    """

    def __init__(
        self,
        settings: ExportSettings,
        contents: Sequence[ExportContent],
        cameras_of: Sequence[Photographer],
        layout: Layout,
        scale: float,
        *,
        field: Field | None,
        limits: tuple[float, float] | None,
        spanned: str,
        like: Scene | None,
    ) -> None:
        self._settings, self._contents, self.layout = settings, contents, layout
        self._field, self._limits, self._spanned, self._like = field, limits, spanned, like
        self._cameras = cameras_of
        self._shown: list[object] = [None] * len(cameras_of)
        self._scales = [self._scale_of(camera.scene) for camera in cameras_of[:1]] * len(cameras_of)
        self._views = [
            _View(cameras_of[i % len(cameras_of)], i % len(cameras_of), area)
            for i, area in enumerate(layout.views)
        ]
        self._centre: np.ndarray | None = None
        self._canvas = np.zeros((settings.size[1], settings.size[0], 4), np.uint8)
        self._strip: CurveStrip | None = None
        self._dress(scale)

    def _dress(self, scale: float) -> None:
        """Draw what stands still: title, logo and curves; and fill what no view covers."""
        settings, theme = self._settings, self._cameras[0].scene.theme
        dark = theme.name == "dark"
        if not settings.transparent:
            self._canvas[...] = (*rgb_bytes(theme.background), 255)
        if (head := self.layout.head) is not None:
            from faying_app.scene.page_head import head_picture

            drawn = head_picture(
                head.size, scale, settings.title, settings.logo, theme, font=settings.font,
                transparent=settings.transparent,
            )  # fmt: skip
            _put(self._canvas, head, drawn)
        curves = self._contents[0].curves if self._contents else None
        if self.layout.strip is not None and curves is not None:
            from faying_app.scene.curve_strip import CurveStrip

            self._strip = CurveStrip(
                _of_frames(curves, settings.frames), self.layout.strip.size, scale, dark=dark,
                transparent=settings.transparent,
            )  # fmt: skip

    @property
    def cameras(self) -> tuple[Photographer, ...]:
        """The scene of each content, in the order of the contents, for callers that show them in another way."""
        return tuple(self._cameras)

    def take(self, shot: Shot) -> np.ndarray:
        """Return (height, width, 3) bytes of a frame; (…, 4) of transparent pictures."""
        for view in self._looked_at(shot):
            _put(self._canvas, view.area, view.camera.take(transparent=self._settings.transparent))
        if self._strip is not None and self.layout.strip is not None:
            _put(self._canvas, self.layout.strip, self._strip.picture(shot.frame))
        return self._canvas.copy() if self._settings.transparent else self._canvas[:, :, :3].copy()

    def paint(self, shot: Shot, path: Path, kind: str) -> None:
        """Write a frame as a drawing ("svg") or page ("pdf"): bodies are pixels, all else letters and lines.

        Raises:
            FayingError: when it cannot be written.
        """
        from PySide6.QtCore import QPointF, QRectF
        from PySide6.QtGui import QImage

        from faying_app.scene.vector_writing import VectorFile, paint_view

        settings, head, strip = self._settings, self.layout.head, self.layout.strip
        file = VectorFile(path, kind, settings.size, settings.dpi, settings.title)
        try:
            for view in self._looked_at(shot):
                paint_view(file.painter, view.camera, QPointF(view.area.left, view.area.top), settings.font)
            if head is not None:
                drawn = np.ascontiguousarray(self._canvas[: head.height])
                image = QImage(
                    drawn.data, head.width, head.height, 4 * head.width, QImage.Format.Format_RGBA8888
                )
                file.painter.drawImage(QRectF(0.0, 0.0, head.width, head.height), image.copy())
            if strip is not None and self._strip is not None:
                self._strip.paint(file.painter, QPointF(strip.left, strip.top), shot.frame)
        finally:
            file.close()

    def _looked_at(self, shot: Shot) -> Iterator[_View]:
        """Give one view after the other, its scene ready to be drawn."""
        for number in range(len(self._cameras)):
            self._show(number, shot)
        if self._views[0].pose is None:
            self._aim()
        for view in self._views:
            scene = view.camera.scene
            for kind, wanted in (("legend", view.has_legend), ("caption", view.has_caption)):
                _wish(scene.visuals[kind], wanted, scene)
            assert view.pose is not None
            scene.camera = self._turned(view.pose, shot.turned)
            yield view

    def _show(self, number: int, shot: Shot) -> None:
        """Bring the frame into one of the scenes, of others the one nearest to it in time or load."""
        if not self._contents:
            return
        frame = shot.frame
        if number:
            value = float(self._contents[0].context.frames.values[frame])
            frame = int(np.argmin(np.abs(np.asarray(self._contents[number].context.frames.values) - value)))
        if self._shown[number] == (frame, shot.phase):
            return
        self._shown[number] = (frame, shot.phase)
        self._cameras[number].scene.show_frame(
            frame, field=self._field, joint=self._settings.joint, scale=self._scales[number],
            limits=self._limits, phase=shot.phase, spanned=self._spanned if self._limits is not None else "",
        )  # fmt: skip

    def _scale_of(self, scene: Scene) -> float:
        return self._settings.scale if self._settings.scale is not None else scene.suggest_scale()

    def _aim(self) -> None:
        """Put all cameras where the settings want them; a frame has to be shown already."""
        settings, count = self._settings, len(self._cameras)
        directions = settings.views
        for i, view in enumerate(self._views):
            first_of_direction = i % count == 0
            view.has_caption = i < count and self._wants("caption") and settings.style != "journal"
            view.has_legend = i == len(self._views) - 1 and self._wants("legend")
            if not first_of_direction:
                view.pose = self._views[i - 1].pose
                continue
            direction = directions[i // count]
            scene = view.camera.scene
            # Beside each other bodies stand at the same place, with room for the one legend.
            _wish(scene.visuals["legend"], view.has_legend or count > 1, scene)
            if self._like is not None and direction == AS_SHOWN:
                scene.camera = self._like.camera
            else:
                aim(scene, replace(settings, view="iso" if direction == AS_SHOWN else direction))
                if settings.turn:
                    self._widen(scene)
            view.pose = scene.camera

    def _wants(self, kind: str) -> bool:
        return self._like is None or self._like.is_wanted(kind)

    def _widen(self, scene: Scene) -> None:
        """Step back so far that the model stays in the picture while the camera goes round it."""
        pose, heights = scene.camera, [scene.camera.half_height]
        for angle in np.linspace(0.0, self._settings.turn, _TURNS)[1:]:
            scene.camera = self._turned(pose, float(angle))
            scene.reset_camera()
            heights.append(scene.camera.half_height)
        scene.camera = replace(pose, half_height=max(heights))

    def _turned(self, pose: CameraPose, angle: float) -> CameraPose:
        if not angle:
            return pose
        if self._centre is None:
            content = self._cameras[0].scene.content
            nodes = content.positions
            if content.skin is not None:
                nodes = nodes[content.skin.nodes]
            self._centre = (nodes.min(axis=0) + nodes.max(axis=0)) / 2.0 if len(nodes) else np.zeros(3)
        return cameras.orbited_pose(pose, self._centre, angle)


@contextmanager
def opened_page(
    settings: ExportSettings,
    content: ExportContent | None,
    *,
    field: Field | None = None,
    limits: tuple[float, float] | None = None,
    spanned: str = "",
    like: Scene | None = None,
    smooth: bool = True,
    progress: Progress | None = None,
) -> Iterator[PicturePage]:
    """Give a page, and close its scenes afterwards.

    Args:
        settings: how pictures look; `like` has the theme if it is given.
        content: what is shown; None for a scene without frames.
        field: gives the colours; None for none.
        limits: of the colours; None for those of each frame.
        spanned: what the limits are those of, for the legend.
        like: a scene whose content and switches are taken over, and whose camera is the view "shown".
        smooth: whether edges are smoothed.
        progress: hears of each scene that is made; may cancel.

    Raises:
        ModelError: for a view that there is none of, or a section that cuts nothing.
    """
    progress = progress or Silent()
    contents = [content, *content.beside] if content is not None else []
    unknown = set(settings.views) - {*cameras.DIRECTIONS, *([AS_SHOWN] if like is not None else [])}
    if unknown:
        raise ModelError(
            f"There is no view called {sorted(unknown)[0]!r}.", f"Known are: {', '.join(cameras.DIRECTIONS)}."
        )
    sources = max(len(contents), 1)
    count = len(settings.views) * sources
    scale = settings.dpi * _PRINT_SIZE / 72.0 / _TEXT if settings.dpi else text_scale(settings.size)
    layout = layout_of(
        settings.size, count, scale, head=bool(settings.title or settings.logo),
        strip=content is not None and content.curves is not None,
    )  # fmt: skip
    letters = scale if count == 1 or settings.dpi else _SMALLER * scale
    with ExitStack() as stack:
        takers = []
        for i in range(sources):
            camera = stack.enter_context(
                photographer(layout.views[i].size, dark=settings.dark, scale=letters)
            )
            camera.smooth(smooth)
            progress.report(0.0, "preparing the picture")
            _fill(camera.scene, contents, i, settings, like)
            progress.report(0.0, "preparing the picture")
            takers.append(camera)
        yield PicturePage(
            settings, contents, takers, layout, scale, field=field, limits=limits, spanned=spanned, like=like
        )


def _fill(
    scene: Scene, contents: Sequence[ExportContent], number: int, settings: ExportSettings, like: Scene | None
) -> None:
    """Put what one of the scenes shows into it."""
    if like is not None:
        scene.copy_from(like)
        scene.apply_theme(settings.dark)
        if number:
            other = contents[number]
            scene.change(title=other.title)
            scene.set_frames(other.context, other.pairs)
    else:
        fill_scene(scene, contents[number])
        scene.change(display=_display(settings, scene.content))
        scene.set_visible("centre_of_mass", settings.centre_of_mass)
        for kind in () if settings.marks else _MARKS:
            scene.set_visible(kind, False)
    if settings.dpi:
        # On paper letters are large: beside a legend as high as the picture there is no room for the axes.
        axes = scene.visuals["triad"]
        assert isinstance(axes, TriadVisual)
        axes.at_left = True
    if settings.style == "journal":
        scene.change(display=replace(scene.content.display, background="white"))
    if settings.font != "sans":
        scene.stage.write_with(settings.font)


def _display(settings: ExportSettings, content: SceneContent) -> DisplayOptions:
    cuts = read_cuts(settings.section, content.units)
    return DisplayOptions(
        reference=settings.reference, joint_scale=settings.joint_scale, opened=settings.opened,
        isolines=settings.isolines, section_ghost=settings.ghost,
        sections=planes_of(cuts, content, settings.views[0], content.units),
    )  # fmt: skip


def _of_frames(plot: Plot, frames: Sequence[int]) -> Plot:
    """Return curves with the axis that some of their frames span; where one is drawn over another, as they are."""
    if len(frames) < 2 or not plot.series:
        return plot
    over = plot.series[0].x
    if not (np.diff(over) >= 0.0).all() or len(frames) == len(over):
        return plot
    return replace(plot, x=replace(plot.x, limits=(float(over[frames[0]]), float(over[frames[-1]]))))


def _wish(visual: Visual, wanted: bool, scene: Scene) -> None:
    if visual.wanted != wanted:
        visual.wanted = wanted
        visual.refresh(scene.content)


def _put(canvas: np.ndarray, area: Area, picture: np.ndarray) -> None:
    """Copy a picture (height, width, 3 or 4) to its place."""
    rows, columns = slice(area.top, area.top + area.height), slice(area.left, area.left + area.width)
    channels = picture.shape[2]
    canvas[rows, columns, :channels] = picture
    if channels == 3:
        canvas[rows, columns, 3] = 255
