"""Pictures, films, studies and scripts written from the window."""

import imageio.v3 as imageio
import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QProgressDialog

from faying.project.study import read_study
from faying_app.shell.export_dialog import write_image, write_video
from support.windows import plates_in, settle, trigger, wait_idle

pytestmark = pytest.mark.window


@pytest.fixture
def modes(qtbot, window, tmp_path):
    """The window with the mode shapes of the plates."""
    plates_in(qtbot, window, tmp_path, analysis=True)
    trigger(qtbot, window, "compute_basis")
    wait_idle(qtbot, window)
    settle(qtbot)
    assert window.presenter.is_mode
    return window


def test_image_of_any_size(qtbot, modes, tmp_path):
    write_image(modes.context, modes.presenter, tmp_path / "mode.png", (800, 450))
    picture = imageio.imread(tmp_path / "mode.png")
    assert picture.shape[:2] == (450, 800)
    assert picture[..., :3].std() > 15


@pytest.mark.parametrize("ending", ["mp4", pytest.param("gif", marks=pytest.mark.slow)])
def test_film_of_a_mode(qtbot, modes, tmp_path, ending):
    path = tmp_path / f"mode.{ending}"
    write_video(modes.context, modes.presenter, path, (320, 240), (0,), 20)
    frames = imageio.imread(path, index=None) if ending == "gif" else imageio.imread(path, plugin="FFMPEG")
    assert len(frames) >= 20
    assert frames.shape[1:3] == (240, 320)
    assert np.abs(frames[0].astype(int) - frames[len(frames) // 4].astype(int)).max() > 40
    assert modes.isVisible()


def test_cancelled_film_leaves_no_file(qtbot, modes, tmp_path, monkeypatch):
    monkeypatch.setattr(QProgressDialog, "wasCanceled", lambda box: box.value() > 200)
    write_video(modes.context, modes.presenter, tmp_path / "mode.mp4", (320, 240), (0,), 20)
    assert list(tmp_path.glob("*.mp4*")) == []
    assert QApplication.activeModalWidget() is None


def test_study_and_script_rebuild_the_project(qtbot, window, tmp_path, monkeypatch):
    plates_in(qtbot, window, tmp_path, analysis=True)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "plates.toml"), ""))
    trigger(qtbot, window, "export_study")
    assert read_study(tmp_path / "plates.toml").analyses == window.context.project.analyses
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(tmp_path / "plates.py"), ""))
    trigger(qtbot, window, "export_script")
    names = {}
    exec((tmp_path / "plates.py").read_text(encoding="utf-8"), names)
    assert names["document"].project == window.context.project
