"""Films: the frames of a result one after the other, or a mode shape or operating shape that swings."""

import subprocess
import tempfile
from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from faying.errors import FayingError
from faying.exporters import ExportContent, ExportSettings
from faying.exporters.film_program import film_program
from faying.exporters.output import check_frames, replacing
from faying.fem.skin import find_skin
from faying.linalg.threads import one_thread
from faying.progress import Progress
from faying_app.scene.drawn_system import DrawnSystem
from faying_app.scene.exported_field import film_limits, shown_field
from faying_app.scene.film_timing import Shot, shots_of, swings
from faying_app.scene.page import opened_page
from faying_app.scene.scene import Scene

# Films of larger bodies are drawn without smoothed edges: hundreds of pictures have to be done in a minute.
_MOST_SMOOTH_FACETS = 30_000
# Palettes of a whole film hold all its pictures in memory: beyond this every picture gets its own.
_LARGEST_PALETTE_MEMORY = 400e6


def film_frames(
    content: ExportContent, settings: ExportSettings, progress: Progress, like: Scene | None = None
) -> Generator[np.ndarray]:
    """Yield (height, width, 3) bytes of every picture of a film.

    Args:
        content: what there is to be shown.
        settings: how; the size is cut to even numbers.
        progress: told how far it is; may cancel.
        like: a scene whose content and switches are taken over; its camera is the view "shown".
    """
    check_frames(content, settings)
    settings = replace(settings, size=even(settings.size), transparent=False)
    field = shown_field(content, settings)
    limits, spanned = film_limits(content, settings, field, swings=swings(content, settings))
    progress.report(0.0, "preparing the film")
    shots = shots_of(content, settings)
    smooth = _n_facets(content, like) < _MOST_SMOOTH_FACETS
    # Threads of linear algebra would spin between the frames and take the processor from whoever draws and encodes.
    with (
        one_thread(),
        opened_page(
            settings,
            content,
            field=field,
            limits=limits,
            spanned=spanned,
            like=like,
            smooth=smooth,
            progress=progress,
        ) as page,
    ):
        for camera in page.cameras:  # signs of markers and constraints would dance over what moves
            camera.scene.set_visible("system", False)
        last: tuple[Shot, np.ndarray] | None = None
        for i, shot in enumerate(shots):
            progress.report(i / len(shots), "drawing the film", picture=i + 1, pictures=len(shots))
            if last is None or shot != last[0]:
                last = shot, np.ascontiguousarray(page.take(shot))
            yield last[1]


def _n_facets(content: ExportContent, like: Scene | None) -> int:
    if like is not None and like.content.skin is not None:
        return like.content.skin.n_facets
    if isinstance(content, DrawnSystem):
        return content.picture.skin.surface.n_facets
    return find_skin(content.model).surface.n_facets


def even(size: tuple[int, int]) -> tuple[int, int]:
    """Return a size cut to even numbers, as H.264 wants it."""
    return max(size[0] // 2 * 2, 16), max(size[1] // 2 * 2, 16)


class FilmWriter:
    """Hands pictures to an ffmpeg process; at a failure the process is ended.

    Args:
        path: file to be made.
        size: width and height of every picture.
        frames_per_second: how fast it plays.
        encoding: what ffmpeg is to make of them.
    """

    def __init__(
        self, path: Path, size: tuple[int, int], frames_per_second: int, encoding: list[str]
    ) -> None:
        self._messages: Any = tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end of the film
        taken = [
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-s",
            f"{size[0]}x{size[1]}",
            "-r",
            str(frames_per_second),
        ]
        command = [film_program(), "-y", "-loglevel", "error", *taken, "-i", "-", "-an", *encoding, str(path)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._messages
        )

    def add(self, picture: np.ndarray) -> None:
        """Append a picture (height, width, 3)."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(picture.data)
        except OSError:
            self._finish()

    def _finish(self) -> None:
        """Wait until ffmpeg has written everything.

        Raises:
            FayingError: with what ffmpeg said, when it failed.
        """
        assert self._process.stdin is not None
        with suppress(OSError):  # a process that has ended: its exit code tells why
            self._process.stdin.close()
        if self._process.wait() != 0:
            self._messages.seek(0)
            said = self._messages.read().decode(errors="replace").strip().splitlines()
            reason = said[-1] if said else f"exit code {self._process.returncode}"
            raise FayingError(f"The film cannot be written: {reason}.", "Choose another place or size.")

    def __enter__(self) -> "FilmWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            self._messages.close()


def mp4_encoding() -> list[str]:
    """Return what ffmpeg needs to make H.264 that every player shows."""
    return ["-vcodec", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-preset", "veryfast",
            "-movflags", "+faststart", "-f", "mp4"]  # fmt: skip


def gif_encoding(size: tuple[int, int], count: int, *, endless: bool = True) -> list[str]:
    """Return what ffmpeg needs to make a GIF with well chosen colours, which begins again at its end or stays there."""
    single = 3 * size[0] * size[1] * count > _LARGEST_PALETTE_MEMORY
    make, use = ("stats_mode=single", ":new=1") if single else ("stats_mode=diff", "")
    chain = f"split[a][b];[a]palettegen={make}[p];[b][p]paletteuse=dither=sierra2_4a{use}"
    return ["-filter_complex", chain, "-loop", "0" if endless else "-1", "-f", "gif"]


def film_steps(
    content: ExportContent,
    settings: ExportSettings,
    path: Path,
    progress: Progress,
    *,
    kind: str = "mp4",
    like: Scene | None = None,
) -> Generator[float]:
    """Write a film step by step; yield the done share after every picture.

    A window can take a step at a time and stay alive; closing the iterator early leaves no file behind.

    Args:
        content, settings: what is shown and how.
        path: file to be made.
        progress: told how far it is; may cancel.
        kind: "mp4" or "gif".
        like: a scene whose camera and switches are taken over.

    Raises:
        FayingError: when the field or joint is not there, or the file cannot be written.
        Cancelled: leaves no file behind.
    """
    check_frames(content, settings)
    size, count = even(settings.size), len(shots_of(content, settings))
    endless = settings.play != "once"
    encoding = mp4_encoding() if kind == "mp4" else gif_encoding(size, count, endless=endless)
    with closing(film_frames(content, settings, progress, like)) as pictures:
        first = next(pictures)
        with (
            replacing(path) as beside,
            FilmWriter(beside, size, settings.frames_per_second, encoding) as film,
        ):
            film.add(first)
            yield 1 / count
            for i, picture in enumerate(pictures, start=2):
                film.add(picture)
                yield i / count
            progress.report(1.0, "finishing the film")
