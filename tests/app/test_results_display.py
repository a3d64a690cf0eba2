"""The display panel in the real window: section, opened joint, units; and two analyses side by side."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from faying.results.fields import fields
from faying_app.scene.camera import axes_of
from faying_app.scene.colours import ColourStyle
from faying_app.scene.section_handles import handles_of
from faying_app.settings import Settings
from faying_app.shell.report_dialog import ReportDialog
from faying_app.view_state import SectionValues
from support.pictures import SIZES
from support.windows import settle

pytestmark = pytest.mark.window
PRESS, TWIST = ("analyses", 0), ("analyses", 1)


def choose(box, value):
    box.setCurrentIndex(box.findData(value))
    assert box.currentData() == value
    box.activated.emit(box.currentIndex())


def test_the_panel_changes_what_is_seen(qtbot, results_window):
    window, panel = results_window, results_window.docks.panels["display"]
    window.show_panel("display")
    view, scene = window.context.view, window.presenter.scene
    row = panel.sections[0]
    assert not row.slider.isEnabled() and not row.place.isEnabled() and not panel.reference.isEnabled()
    view.set(field="von_mises", frame=20)
    settle(qtbot)
    choose(panel.unit, "MPa")
    assert view.values.units == {"stress": "MPa"}
    assert "[MPa]" in scene.visuals["legend"].text.title
    row.switch.setChecked(True)
    settle(qtbot)
    section, faces = scene.visuals["section"], scene.visuals["section"].cuts
    assert len(faces) == 1 and faces[0].face.GetVisibility()
    assert scene.content.display.sections[0].at == 0.5
    # The place in mm, as the deck counts; what is cut away may stay as a ghost.
    x = scene.content.model.nodes[:, 0]
    assert row.place.suffix() == " mm"
    assert row.place.value() == pytest.approx((x.min() + x.max()) / 2)
    assert not faces[0].ghost.GetVisibility()
    row.place.setValue(x.min() + 0.25 * np.ptp(x))
    view.set(section_ghost=True)
    settle(qtbot)
    assert view.values.sections[0].at == pytest.approx(0.25, abs=1e-3) and row.slider.value() == 50
    assert faces[0].ghost.GetVisibility()
    beyond, kept = (
        v.GetMapper().GetClippingPlanes().GetItem(0) for v in (faces[0].ghost, scene.visuals["body"].skin)
    )
    assert np.allclose(np.array(beyond.GetNormal()), -np.array(kept.GetNormal()))
    at = faces[0].face.GetMapper().GetInput()
    cut = np.array([at.GetPoint(i)[0] for i in range(at.GetNumberOfPoints())])
    assert np.abs(cut - (x.min() + 0.25 * np.ptp(x))).max() < 2.0
    # A second plane, on its other side; switched off and on again it is where it was.
    other = panel.sections[2]
    other.switch.setChecked(True)
    other.slider.setValue(60)
    other.flip.setChecked(True)
    settle(qtbot)
    assert len(section.cuts) == 2 and scene.content.display.sections[1].normal == (0.0, 0.0, -1.0)
    other.switch.setChecked(False)
    other.switch.setChecked(True)
    assert view.values.sections[1].at == 0.3 and view.values.sections[1].flipped
    assert scene.visuals["body"].skin.GetMapper().GetClippingPlanes().GetNumberOfItems() == 2
    other.switch.setChecked(False)
    view.set(section_ghost=False)
    panel.isolines.setValue(5)
    assert scene.visuals["isolines"].lines.GetMapper().GetInput().GetNumberOfCells() > 0
    # Colours as the user wants them, kept as a preset and taken again.
    assert view.values.isolines == 5 and not view.values.values_at_points
    assert not scene.is_wanted("joint_points")
    choose(panel.maps["sequential"], "inferno")
    panel.bands.setValue(6)
    panel.gaps.setChecked(True)
    panel.opacity.setValue(100)
    choose(panel.background, "white")
    assert scene.content.display.style == ColourStyle(sequential="inferno", gaps_reversed=True, bands=6)
    assert scene.content.display.opacity == pytest.approx(0.55) and scene.theme.background == "#FFFFFF"
    panel.preset.setCurrentText("for papers")
    panel.save_preset()
    choose(panel.maps["sequential"], "")
    panel.bands.setValue(0)
    choose(panel.background, "")
    panel.opacity.setValue(200)
    assert scene.content.display.style == ColourStyle(gaps_reversed=True)
    other = Settings().colour_presets["for papers"]  # what another start of the program reads
    assert other["bands"] == 6 and "section" not in other
    panel.preset.setCurrentText("for papers")
    panel.preset.activated.emit(0)
    assert scene.content.display.style.bands == 6 and panel.maps["sequential"].currentData() == "inferno"
    panel.delete_preset()
    assert Settings().colour_presets == {} and panel.preset.count() == 0
    # Settings can be written by hand.
    window.context.settings.colour_presets = {"broken": {"bands": "many", "opacity": 0.9}}
    panel.preset.setCurrentText("broken")
    panel.preset.activated.emit(0)
    assert "'broken' has no usable value of bands" in window.statusBar().currentMessage()
    panel.delete_preset()
    # A sheet of 2 mm in metres is cut at a quarter of its thickness.
    thin = panel.sections[2]
    thin.switch.setChecked(True)
    window.context.show_extent(np.array([[0.0, 0.0, 0.0], [0.1, 0.1, 0.002]]))
    thin.place.setValue(0.00050)
    assert view.values.sections[-1].at == pytest.approx(0.25, abs=1e-3)
    thin.switch.setChecked(False)
    window.context.show_extent(np.array([x.min(), *[0.0] * 5]).reshape(2, 3))
    window.presenter.refresh()
    row.switch.setChecked(False)
    view.set(field="pressure", bands=0, colour_map="", background="", gaps_reversed=False)
    panel.opened.setValue(200)
    settle(qtbot)
    assert view.values.opened == 180.0 and scene.visuals["book"].pages.GetVisibility()
    panel.opened.setValue(0)
    panel.joint_scale.setValue(50.0)
    settle(qtbot)
    assert scene.content.display.joint_scale == 50.0
    assert not scene.visuals["book"].pages.GetVisibility()


def test_a_section_is_dragged_by_its_handle(qtbot, results_window):
    window = results_window
    viewport, view = window.viewport, window.context.view
    scene, widget = viewport.scene, viewport.view
    window.context.view.turn("-y")
    view.set(sections=(SectionValues(axis="x"), SectionValues(axis="y")))
    settle(qtbot, 150)
    seen_from, ratio = axes_of(scene.camera), widget.devicePixelRatioF()
    (middle, way), (_, unseen) = handles_of(scene)
    assert way.any() and not unseen.any()  # a plane that is looked at from the front has no handle

    def place(pixel):
        return QPoint(round(pixel[0] / ratio), round(widget.height() - 1 - pixel[1] / ratio))

    x = scene.content.model.nodes[:, 0]
    ends = scene.pixels(np.array([[x.min(), 0.0, 0.0], [x.max(), 0.0, 0.0]]))
    qtbot.mouseMove(widget, place(middle))
    qtbot.mousePress(widget, Qt.MouseButton.LeftButton, pos=place(middle))
    for share in (0.1, 0.25):
        qtbot.mouseMove(widget, place(middle + share * (ends[1] - ends[0])))
        settle(qtbot, 50)
    qtbot.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=place(middle + 0.25 * (ends[1] - ends[0])))
    assert view.values.sections[0].at == pytest.approx(0.75, abs=0.02)
    assert view.values.sections[1].at == 0.5
    np.testing.assert_allclose(axes_of(scene.camera), seen_from, atol=1e-9)
    # Beside the handle the camera turns as ever.
    empty = QPoint(12, 12)
    qtbot.mousePress(widget, Qt.MouseButton.LeftButton, pos=empty)
    qtbot.mouseMove(widget, empty + QPoint(60, 40))
    qtbot.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=empty + QPoint(60, 40))
    assert view.values.sections[0].at == pytest.approx(0.75, abs=0.02)
    assert not np.allclose(axes_of(scene.camera), seen_from, atol=1e-3)


def spans(viewport):
    """Return whether the colours of a view are drawn and span something."""
    frame = viewport.scene.content.frame
    return frame.field is not None and frame.limits[1] > frame.limits[0]


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_two_analyses_side_by_side_and_their_difference(qtbot, results_window, shoot):
    window, panel = results_window, results_window.docks.panels["display"]
    context = window.context
    context.selection.select(PRESS)
    settle(qtbot)
    window.show_panel("display")
    context.view.set(frame=2, field="von_mises")
    settle(qtbot)
    assert {panel.compare.itemData(i) for i in range(panel.compare.count())} == {"", "twist", "shake"}
    choose(panel.compare, "twist")
    settle(qtbot, 200)
    first, second = window.viewport, window.comparison.viewport
    assert second.isVisible() and abs(first.width() - second.width()) < 60
    a, b = first.scene.content.frame, second.scene.content.frame
    assert a.limits == b.limits and (a.number, b.number) == (2, 2)
    assert second.scene.content.title == "twist"
    assert not np.allclose(a.values, b.values, equal_nan=True)
    # One camera, one time.
    first.scene.view("+y")
    assert second.scene.camera == first.scene.camera
    context.view.set(frame=0)
    settle(qtbot)
    assert second.scene.content.frame.number == 0
    context.view.set(frame=2)
    first.scene.view("iso")
    for theme, size in zip(("light", "dark"), SIZES, strict=True):
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 200)
        window.docks.arrange()
        window.show_panel("display")
        shoot(window, "8-compare", theme, size)
    # Limits of the run are those of both runs, in both views.
    context.view.set(limits="run", frame=0)
    qtbot.waitUntil(lambda: not window.questions.is_busy and spans(first), timeout=120000)
    settle(qtbot)
    everything = [
        fields["von_mises"]().evaluate(found, "", i)
        for found in (context.computed.results_context(name) for name in ("press", "twist"))
        for i in range(found.frames.n_frames)
    ]
    limits = first.scene.content.frame.limits
    assert limits == second.scene.content.frame.limits
    assert limits[1] == pytest.approx(max(np.nanmax(values) for values in everything))
    assert limits[1] > max(np.nanmax(values) for values in everything[: len(everything) // 2])
    context.view.set(limits="frame", frame=2)
    # The difference is one picture.
    panel.difference.setChecked(True)
    settle(qtbot)
    assert not second.isVisible()
    shown = first.scene.content.frame
    assert shown.field.title == "Von Mises stress, less twist"
    contexts = [context.computed.results_context(name) for name in ("press", "twist")]
    here, there = (fields["von_mises"]().evaluate(c, "", 2) for c in contexts)
    np.testing.assert_allclose(shown.values, here - there)
    choose(panel.compare, "")
    settle(qtbot)
    assert first.scene.content.frame.field.text == "von_mises"
    # Results that are about to be closed are let go of by both views.
    panel.difference.setChecked(False)
    choose(panel.compare, "twist")
    settle(qtbot, 200)
    assert second.scene.content.frame is not None
    context.computed.releasing.emit()
    assert first.scene.content.frame is None and second.scene.content.frame is None


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_data_and_report_are_written_from_the_window(qtbot, results_window, tmp_path, monkeypatch):
    """Opened again by VTK's own reader and by an HTML parser."""
    from html.parser import HTMLParser

    import pyvista
    from PySide6.QtWidgets import QFileDialog
    from vtkmodules.vtkIOHDF import vtkHDFReader

    from support.windows import trigger

    window = results_window
    window.context.view.set(field="von_mises")
    target = tmp_path / "shake.vtkhdf"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(target), ""))
    trigger(qtbot, window, "export_data")
    reader = vtkHDFReader()
    reader.SetFileName(str(target))
    reader.UpdateInformation()
    assert reader.GetNumberOfSteps() == 41
    reader.SetStep(20)
    reader.Update()
    expected = fields["von_mises"]().evaluate(window.presenter.field_context, "", 20)
    np.testing.assert_allclose(pyvista.wrap(reader.GetOutput()).point_data["von_mises"], expected, rtol=1e-5)
    page = tmp_path / "report.html"
    monkeypatch.setattr(ReportDialog, "exec", lambda dialog: ReportDialog.DialogCode.Accepted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(page), ""))
    trigger(qtbot, window, "export_report")
    text = page.read_text(encoding="utf-8")
    HTMLParser().feed(text)
    assert text.count("data:image/png") == 4 and "shake</h3>" in text
    assert not window.problems
