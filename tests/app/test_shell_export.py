"""Pictures, films, studies and scripts written from the window."""

import re
from dataclasses import replace

import imageio.v3 as imageio
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QProgressDialog

from faying.project.study import read_study
from faying_app.shell.export_dialog import (
    ExportDialog,
    running_curves,
    shown_settings,
    write_image,
    write_video,
)
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


def _small(window):
    shown = shown_settings(window.context, window.presenter)
    return replace(shown, size=(320, 240), frames=(0,), frames_per_second=20)


def test_image_of_any_size(qtbot, modes, tmp_path):
    shown = shown_settings(modes.context, modes.presenter)
    write_image(modes.context, modes.presenter, tmp_path / "mode.png", replace(shown, size=(800, 450)))
    picture = imageio.imread(tmp_path / "mode.png")
    assert picture.shape[:2] == (450, 800)
    assert picture[..., :3].std() > 15
    # Own limits are of values, and modes are shown as a share of their largest one.
    modes.context.view.set(limits="user", lowest=0.0, highest=1e-9)
    assert shown_settings(modes.context, modes.presenter).limits is None


@pytest.mark.parametrize("ending", ["mp4", pytest.param("gif", marks=pytest.mark.slow)])
def test_film_of_a_mode(qtbot, modes, tmp_path, ending):
    path = tmp_path / f"mode.{ending}"
    write_video(modes.context, modes.presenter, path, _small(modes))
    frames = imageio.imread(path, index=None) if ending == "gif" else imageio.imread(path, plugin="FFMPEG")
    assert len(frames) >= 20
    assert frames.shape[1:3] == (240, 320)
    assert np.abs(frames[0].astype(int) - frames[len(frames) // 4].astype(int)).max() > 40
    assert modes.isVisible()


def test_cancelled_film_leaves_no_file(qtbot, modes, tmp_path, monkeypatch):
    monkeypatch.setattr(QProgressDialog, "wasCanceled", lambda box: box.value() > 200)
    write_video(modes.context, modes.presenter, tmp_path / "mode.mp4", _small(modes))
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


def test_the_picture_is_what_the_view_shows(qtbot, modes, tmp_path):
    """Probes, camera, limits and colours of the view are those of the picture, which is as large as the view here."""
    modes.context.view.set(isolines=5, colour_map="plasma")
    modes.presenter.scene.view("+y")
    settle(qtbot)
    shown = shown_settings(modes.context, modes.presenter)
    ratio = modes.devicePixelRatioF()
    write_image(modes.context, modes.presenter, tmp_path / "it.png", shown)
    picture = imageio.imread(tmp_path / "it.png")[..., :3].astype(float)
    grabbed = modes.viewport.grab_image()
    assert ratio == 1.0 and picture.shape[:2] == (grabbed.height(), grabbed.width())
    grabbed.save(str(tmp_path / "view.png"))
    view = imageio.imread(tmp_path / "view.png")[..., :3].astype(float)
    text = modes.presenter.scene.text_scale
    assert text == 1.0
    # Writing may be smaller or larger; bodies and colours are at the same places.
    middle = np.s_[80:-80, 80:-200]
    assert np.abs(picture[middle] - view[middle]).mean() < 4.0
    assert np.corrcoef(picture[middle].ravel(), view[middle].ravel())[0, 1] > 0.9


def test_the_dialogs_choices_reach_the_settings(qtbot, modes):
    dialog = ExportDialog(film=True, view_size=(800, 600), n_frames=50, has_curves=True, parent=modes)
    qtbot.addWidget(dialog)
    dialog.first.setValue(11)
    dialog.last.setValue(31)
    dialog.every.setValue(10)
    assert dialog.frames == (10, 20, 30)
    dialog.seconds.setValue(4.0)
    dialog.play.setCurrentIndex(dialog.play.findData("swing"))
    dialog.turn.setValue(90)
    dialog.repeat.setValue(2)
    dialog.title.setText(" Lap joint ")
    dialog.views.item(1).setCheckState(Qt.CheckState.Checked)
    dialog.slide.setCurrentIndex(2)
    found = dialog.settings(shown_settings(modes.context, modes.presenter))
    assert (found.seconds, found.play, found.turn, found.repeat) == (4.0, "swing", 90.0, 2)
    assert (found.title, found.view, found.dark) == ("Lap joint", "shown,+x", True)
    image = ExportDialog(film=False, view_size=(800, 600), n_frames=1, parent=modes)
    qtbot.addWidget(image)
    image.size_box.setCurrentIndex(image.size_box.findData("mm"))
    image.dpi.setValue(600)
    image.transparent.setChecked(True)
    image.style_box.setCurrentIndex(1)
    on_paper = image.settings(shown_settings(modes.context, modes.presenter))
    assert (on_paper.size, on_paper.dpi) == ((2008, 1417), 600)
    assert on_paper.transparent and on_paper.style == "journal"
    assert running_curves(modes.context) is None  # mode shapes have none


@pytest.mark.parametrize("ending", ["svg", "pdf"])
def test_pictures_for_print_have_letters(qtbot, modes, tmp_path, ending):
    path = tmp_path / f"mode.{ending}"
    shown = shown_settings(modes.context, modes.presenter)
    write_image(
        modes.context, modes.presenter, path, replace(shown, size=(600, 400), dpi=150, style="journal")
    )
    written = path.read_bytes()
    if ending == "svg":
        text = written.decode()
        assert ">Displacement<" in text and "<text" in text and 'width="101.6mm"' in text
        assert len(re.findall("data:image/png", text)) == 1
    else:
        assert written.startswith(b"%PDF") and b"/Font" in written
