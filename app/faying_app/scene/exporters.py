"""Pictures and films for the family of exporters; the core finds this module by an entry point.

VTK and imageio load when something is drawn, not when the family is listed.
"""

from pathlib import Path
from typing import ClassVar

from faying.exporters import ExportContent, Exporter, ExportSettings, exporters
from faying.exporters._output import check_frames, chosen_field, replacing
from faying.progress import Progress


@exporters.register("png")
class PngExporter(Exporter):
    """A picture of one frame."""

    title: ClassVar[str] = "Picture (PNG)"
    many_frames: ClassVar[bool] = False

    def write(self, content: ExportContent, settings: ExportSettings, path: Path, progress: Progress) -> None:
        """Write the first of the chosen frames."""
        import imageio.v3 as imageio

        from faying_app.scene.picture import aim, fill_scene, photographer

        check_frames(content, settings)
        chosen_field(content, settings)
        progress.report(0.0, "drawing the picture")
        with photographer(settings.size, dark=settings.dark) as camera:
            fill_scene(camera.scene, content)
            scale = settings.scale if settings.scale is not None else camera.scene.suggest_scale()
            camera.scene.show_frame(
                settings.frames[0], field=settings.field, joint=settings.joint, scale=scale
            )
            aim(camera.scene, settings)
            taken = camera.take()
        progress.report(0.9, "writing the picture")
        with replacing(path) as beside:
            imageio.imwrite(beside, taken, extension=".png")


class _FilmExporter(Exporter):
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
