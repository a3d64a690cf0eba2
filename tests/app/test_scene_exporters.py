"""Pictures and films as files, opened again; also in a process without any display."""

import os
import subprocess
import sys
from itertools import pairwise

import imageio.v3 as imageio
import numpy as np
import pytest

from faying.errors import Cancelled, FayingError, ModelError
from faying.exporters import ExportContent, ExportSettings, exporter_for, exporters
from faying.progress import CancelFlag, Silent
from faying_app.scene.film import film_steps

pytestmark = pytest.mark.window


@pytest.fixture
def content(plates):
    surfaces = {"joint": (plates.master, plates.slave)}
    return ExportContent("run", "mm-t-s", plates.model, plates.run, surfaces, {"joint": plates.pairs})


def test_the_family_has_pictures_and_films():
    assert {"png", "mp4", "gif"} <= set(exporters)


def test_a_picture_has_its_size_and_shows_the_field(content, tmp_path):
    path = tmp_path / "a.png"
    exporter_for(path).write(content, ExportSettings("pressure", (6,), size=(641, 363)), path, Silent())
    picture = imageio.imread(path)
    assert picture.shape == (363, 641, 3)
    assert picture.std() > 15
    dark = tmp_path / "b.png"
    exporter_for(dark).write(
        content, ExportSettings("pressure", (6,), size=(641, 363), dark=True), dark, Silent()
    )
    assert imageio.imread(dark).mean() < 90 < 180 < picture.mean()


def test_without_a_field_the_mere_deformation_is_drawn(content, tmp_path):
    pictures = {}
    for field in ("displacement", ""):
        path = tmp_path / f"a{field}.png"
        exporter_for(path).write(content, ExportSettings(field, (6,), size=(640, 360)), path, Silent())
        pictures[field] = np.ptp(imageio.imread(path).astype(int), axis=-1) > 80  # far from grey
    assert 0 < pictures[""].mean() < 0.2 * pictures["displacement"].mean()


@pytest.mark.parametrize("extension", [".mp4", ".gif"])
def test_a_film_has_all_frames_at_an_even_size(content, tmp_path, extension):
    path = tmp_path / f"film{extension}"
    settings = ExportSettings("pressure", tuple(range(0, 24, 3)), size=(481, 271), frames_per_second=10)
    exporter_for(path).write(content, settings, path, Silent())
    film = imageio.imread(path, index=None)
    assert film.shape == (8, 270, 480, 3)
    assert film.std() > 10
    assert all(np.abs(a.astype(int) - b.astype(int)).max() > 40 for a, b in pairwise(film))
    if extension == ".mp4":
        facts = imageio.immeta(path)
        assert facts["fps"] == pytest.approx(10.0)
        assert "h264" in facts["codec"]
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_mode_swings_in_a_film(plates, tmp_path):
    path = tmp_path / "mode.mp4"
    content = ExportContent("modes", "mm-t-s", plates.model, plates.modes, {}, {})
    exporter_for(path).write(content, ExportSettings("displacement", (1,), size=(320, 180)), path, Silent())
    film = imageio.imread(path).astype(int)
    assert len(film) == 24
    assert np.abs(film[6] - film[18]).max() > 60  # up and down
    assert np.abs(film[0] - film[12]).mean() < 2.0  # twice through the middle


def test_a_cancelled_film_leaves_nothing_behind(content, tmp_path):
    flag, path = CancelFlag(), tmp_path / "film.mp4"
    settings = ExportSettings("gap", tuple(range(24)), size=(320, 180))
    steps = film_steps(content, settings, path, flag)
    assert next(steps) == pytest.approx(1 / 24)
    flag.cancel()
    with pytest.raises(Cancelled):
        next(steps)
    assert not list(tmp_path.iterdir())
    steps = film_steps(content, settings, path, Silent())
    next(steps)
    steps.close()
    assert not list(tmp_path.iterdir())


def test_wrong_wishes_get_a_sentence(content, plates, tmp_path):
    path = tmp_path / "a.png"
    with pytest.raises(ModelError, match="no frame 99"):
        exporter_for(path).write(content, ExportSettings("gap", (99,)), path, Silent())
    for play in ("loop", "swing"):
        wish = ExportSettings("gap", (0, 1, 99), seconds=2.0, play=play)
        with pytest.raises(ModelError, match="no frame 99"):
            exporter_for(tmp_path / "a.mp4").write(content, wish, tmp_path / "a.mp4", Silent())
    with pytest.raises(ModelError, match="'bolt'"):
        exporter_for(path).write(content, ExportSettings("gap", (1,), joint="bolt"), path, Silent())
    with pytest.raises(ModelError, match="no view called 'up'"):
        exporter_for(path).write(content, ExportSettings("gap", (1,), view="up"), path, Silent())
    nowhere = tmp_path / "missing" / "a.mp4"
    with pytest.raises(FayingError, match="cannot be written"):
        exporter_for(nowhere).write(content, ExportSettings("gap", (1, 2), size=(160, 90)), nowhere, Silent())


_BARE = """
import sys
import numpy as np
import pyvista as pv
from faying_app.scene.picture import Photographer
camera = Photographer((320, 200))
camera.scene.apply_theme(True)
picture = camera.take()
name = camera._plotter.render_window.GetClassName()
camera.close()
assert picture.shape == (200, 320, 3) and picture.std() > 3, picture.std()
print(name)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_pictures_need_no_display():
    bare = {
        k: v
        for k, v in os.environ.items()
        if k not in ("DISPLAY", "WAYLAND_DISPLAY", "VTK_DEFAULT_OPENGL_WINDOW")
    }
    done = subprocess.run(
        [sys.executable, "-c", _BARE], env=bare, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() in ("vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow")
    assert "bad X server" not in done.stderr
