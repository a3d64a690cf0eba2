"""Pictures and films for the family of exporters; the core finds this module by an entry point.

VTK and imageio load when something is drawn, not when the family is listed.
"""

import os
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

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

        self.write(drawn_system(content, settings.shape), settings, path, progress)


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

        from faying_app.scene.exported_field import film_limits, shown_field
        from faying_app.scene.film_timing import Shot
        from faying_app.scene.page import opened_page

        check_frames(content, settings)
        field = shown_field(content, settings)
        if not settings.series:
            settings = replace(settings, frames=settings.frames[:1])
        frames = settings.frames
        limits, spanned = settings.limits, "own limits"
        if limits is None and (settings.series or content.beside):
            limits, spanned = film_limits(content, settings, field)
        words: dict[str, Any] = {"dpi": (settings.dpi, settings.dpi)} if settings.dpi else {}
        with opened_page(settings, content, field=field, limits=limits, spanned=spanned) as page:
            for i, (frame, target) in enumerate(zip(frames, self.files(settings, path), strict=True)):
                progress.report(i / len(frames), f"drawing frame {frame}")
                taken = page.take(Shot(frame))
                with replacing(target) as beside:
                    imageio.imwrite(beside, taken, extension=".png", **words)


class _VectorExporter(_Drawing):
    """A picture for print of one frame: bodies as pixels, legend, names and curves as letters and lines."""

    many_frames: ClassVar[bool] = False
    kind: ClassVar[str]

    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write the first of the chosen frames."""
        from faying_app.scene.exported_field import film_limits, shown_field
        from faying_app.scene.film_timing import Shot
        from faying_app.scene.page import opened_page
        from faying_app.without_screen import start_qt

        check_frames(content, settings)
        start_qt()
        field = shown_field(content, settings)
        settings = replace(settings, frames=settings.frames[:1], series=False, transparent=False)
        limits, spanned = settings.limits, "own limits"
        if limits is None and content.beside:
            limits, spanned = film_limits(content, settings, field)
        with opened_page(settings, content, field=field, limits=limits, spanned=spanned) as page:
            progress.report(0.0, f"drawing frame {settings.frames[0]}")
            with replacing(path) as beside:
                page.paint(Shot(settings.frames[0]), beside, self.kind)


@exporters.register("svg")
class SvgExporter(_VectorExporter):
    """A drawing."""

    title: ClassVar[str] = "Drawing with letters and lines (SVG)"
    kind: ClassVar[str] = "svg"


@exporters.register("pdf")
class PdfExporter(_VectorExporter):
    """A page as large as the picture."""

    title: ClassVar[str] = "Page with letters and lines (PDF)"
    kind: ClassVar[str] = "pdf"


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
    """A film as a GIF, which begins again at its end unless it is to be played once."""

    title: ClassVar[str] = "Film (GIF)"
    kind: ClassVar[str] = "gif"
