"""Which ffmpeg encodes films: the system's if it can, or else the one that pip installed."""

import os

import pytest

from faying.exporters.film_program import film_program

pytest.importorskip("imageio_ffmpeg")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")


@pytest.mark.parametrize(("encoders", "chosen"), [(" V..... libx264  H.264", True), (" V..... mpeg4", False)])
def test_the_system_s_own_is_taken_if_it_encodes_h264(tmp_path, monkeypatch, encoders, chosen):
    own = tmp_path / "ffmpeg"
    own.write_text(f"#!/bin/sh\necho '{encoders}'\n")
    own.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.delenv("IMAGEIO_FFMPEG_EXE", raising=False)
    assert (film_program() == str(own)) is chosen
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", "/somewhere/ffmpeg")
    assert film_program() == "/somewhere/ffmpeg"
