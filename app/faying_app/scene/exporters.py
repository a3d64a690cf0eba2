"""Pictures and films for the family of exporters; the core finds this module by an entry point.

VTK and imageio load when something is drawn, not when the family is listed.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

from faying.errors import MissingDependencyError
from faying.exporters import ExportContent, Exporter, ExportSettings, SystemContent, exporters
from faying.exporters.output import check_frames, replacing
from faying.progress import Progress

_PACKAGES = {
    "vtkmodules": "vtk",
    "pyvista": "pyvista",
    "imageio": "imageio",
}  # what draws, and what brings it


class _Drawing(Exporter):
    """What is drawn in three dimensions: a body, or all parts of a system by the same means."""

    def prepare(self) -> None:
        """Look for the packages, then whether OpenGL draws, which a child process tries."""
        from faying.cli import system

        missing = [name for name in _PACKAGES if find_spec(name) is None]
        if missing:
            raise MissingDependencyError(
                f"No picture can be drawn: {', '.join(missing)} is not installed.",
                f"Install it: {sys.executable} -m pip install {' '.join(_PACKAGES[name] for name in missing)}",
            )
        renderer, why = system.graphics_renderer()
        if not renderer:
            raise MissingDependencyError("No picture can be drawn on this machine.", why)
        os.environ.update(system.headless_environment())

    def write_system(
        self, content: SystemContent, settings: ExportSettings, path: Path, progress: Progress
    ) -> None:
        """Write a system in motion."""
        from faying_app.scene.drawn_system import drawn_system

        self.write(drawn_system(content), settings, path, progress)


@exporters.register("png")
class PngExporter(_Drawing):
    """A picture of one frame."""

    title: ClassVar[str] = "Picture (PNG)"
    many_frames: ClassVar[bool] = False

    def files(self, settings: ExportSettings, path: Path) -> tuple[Path, ...]:
        """Return the path, or with `settings.series` one for each of the chosen frames."""
        if not settings.series:
            return (path,)
        return tuple(path.with_stem(f"{path.stem}_{frame:04d}") for frame in settings.frames)

    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write the first of the chosen frames, or with `settings.series` all of them, numbered."""
        import imageio.v3 as imageio

        from faying_app.scene.exported_field import limits_over, shown_field
        from faying_app.scene.picture import aim, fill_scene, photographer

        check_frames(content, settings)
        field = shown_field(content, settings)
        frames = settings.frames if settings.series else settings.frames[:1]
        with photographer(settings.size, dark=settings.dark) as camera:
            fill_scene(camera.scene, content)
            scale = settings.scale if settings.scale is not None else camera.scene.suggest_scale()
            limits = limits_over(content, settings, field) if settings.series else None
            for i, (frame, target) in enumerate(zip(frames, self.files(settings, path), strict=True)):
                progress.report(i / len(frames), f"drawing frame {frame}")
                camera.scene.show_frame(frame, field=field, joint=settings.joint, scale=scale, limits=limits)
                if i == 0:
                    aim(camera.scene, settings)
                taken = camera.take(transparent=settings.transparent)
                with replacing(target) as beside:
                    imageio.imwrite(beside, taken, extension=".png")


class _FilmExporter(_Drawing):
    kind: ClassVar[str]

    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write all chosen frames."""
        from faying_app.scene.film import film_steps

        for _ in film_steps(content, settings, path, progress, kind=self.kind):
            pass


@exporters.register("mp4")
class Mp4Exporter(_FilmExporter):
    """A film as H.264."""

    title: ClassVar[str] = "Film (MP4)"
    kind: ClassVar[str] = "mp4"


@exporters.register("gif")
class GifExporter(_FilmExporter):
    """A film as an endless GIF."""

    title: ClassVar[str] = "Film (GIF)"
    kind: ClassVar[str] = "gif"
