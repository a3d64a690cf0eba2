"""The program that encodes films: the system's own ffmpeg, or the one that comes with imageio-ffmpeg."""

import os
import shutil
import subprocess
from functools import lru_cache

from faying.errors import MissingDependencyError

_TESTED_IN = 20.0  # s, after which a program that does not answer is skipped


def film_program() -> str:
    """Return the path of an ffmpeg that encodes H.264.

    The program named by the variable IMAGEIO_FFMPEG_EXE comes first, then the system's if it has the encoder: some
    distributions leave it out.

    Raises:
        MissingDependencyError: when there is none.
    """
    own = None if os.environ.get("IMAGEIO_FFMPEG_EXE") else shutil.which("ffmpeg")
    if own and _encodes_h264(own):
        return own
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise MissingDependencyError(
            "Films need the program ffmpeg.", "Install it with: pip install imageio-ffmpeg"
        ) from error


@lru_cache(maxsize=8)
def _encodes_h264(program: str) -> bool:
    try:
        asked = subprocess.run(
            [program, "-hide_banner", "-encoders"], capture_output=True, timeout=_TESTED_IN, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return asked.returncode == 0 and b"libx264" in asked.stdout
