"""The 3D view in a real window: clicks, keys, themes, hiding, pictures of it."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow

from faying_app.scene.viewport import Viewport
from support.windows import move_pointer

pytestmark = pytest.mark.window


@pytest.fixture(params=[True, False], ids=["processor", "card"])
def viewport(request, qtbot, plates):
    window = QMainWindow()
    made = Viewport(window, by_processor=request.param)
    window.setCentralWidget(made)
    window.resize(900, 600)
    made.scene.set_model(plates.model, plates.skin)
    qtbot.addWidget(window, before_close_func=lambda w: made.close())
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: not made.scene.stage.has_moved, timeout=20000)
    qtbot.wait(100)
    yield made  # the window would go with its last name


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).copy()


def seen(viewport: Viewport) -> np.ndarray:
    return pixels(viewport.window().grab().toImage())


def spot(viewport: Viewport, point: np.ndarray) -> QPoint:
    """Where a point of the model is on the widget."""
    x, y = viewport.scene.pixels(point[None])[0] / viewport.view.devicePixelRatioF()
    return QPointF(x, viewport.view.height() - 1 - y).toPoint()


def test_the_view_draws_the_body(viewport):
    assert viewport.problem == ""
    assert seen(viewport).std() > 20


def test_a_click_finds_facet_pair_or_nothing(viewport, plates, qtbot):
    left = Qt.MouseButton.LeftButton
    top = np.flatnonzero(np.abs(plates.skin.centroids[:, 2] - 3.0) < 1e-9)
    for facet in top[5::25]:
        with qtbot.waitSignal(viewport.facet_clicked, timeout=20000) as caught:
            qtbot.mouseClick(viewport.view, left, pos=spot(viewport, plates.skin.centroids[facet]))
        assert caught.args[0] == facet
    with qtbot.waitSignal(viewport.nothing_clicked, timeout=20000) as caught:
        qtbot.mouseClick(viewport.view, left, Qt.KeyboardModifier.ControlModifier, QPoint(4, 4))
    assert caught.args[0] == Qt.KeyboardModifier.ControlModifier
    viewport.scene.set_pairs(plates.pairs)
    node = plates.model.nodes[plates.pairs.slave_nodes[50]]
    with qtbot.waitSignal(viewport.pair_clicked, timeout=20000) as caught:
        qtbot.mouseClick(viewport.view, left, pos=spot(viewport, node))
    assert caught.args[0] == 50


def test_a_drag_turns_and_picks_nothing(viewport, qtbot):
    before = viewport.scene.camera
    clicks = []
    viewport.facet_clicked.connect(lambda *a: clicks.append(a))
    viewport.nothing_clicked.connect(lambda *a: clicks.append(a))
    view, left = viewport.view, Qt.MouseButton.LeftButton
    qtbot.mousePress(view, left, pos=QPoint(300, 300))
    for x in range(310, 400, 15):
        qtbot.mouseMove(view, QPoint(x, 320))
    qtbot.mouseRelease(view, left, pos=QPoint(400, 320))
    assert viewport.scene.camera.position != before.position
    assert not clicks


def test_the_wheel_zooms(viewport):
    before = viewport.scene.camera.half_height
    middle = QPointF(450, 300)
    event = QWheelEvent(
        middle, viewport.view.mapToGlobal(middle), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(viewport.view, event)
    assert viewport.scene.camera.half_height < before


def test_keys_move_the_camera_and_leave_the_rest_to_the_window(viewport, qtbot):
    start = viewport.scene.camera
    qtbot.keyClick(viewport.view, Qt.Key.Key_Left)
    assert viewport.scene.camera.position != start.position
    qtbot.keyClick(viewport.view, Qt.Key.Key_Plus)
    assert viewport.scene.camera.half_height < start.half_height
    zoomed = viewport.scene.camera
    for key in (Qt.Key.Key_Q, Qt.Key.Key_W, Qt.Key.Key_E, Qt.Key.Key_3, Qt.Key.Key_R):
        qtbot.keyClick(viewport.view, key)
    assert viewport.scene.camera == zoomed
    assert viewport.isVisible() and viewport.view.isVisible()
    qtbot.keyClick(viewport.view, Qt.Key.Key_Home)
    assert viewport.scene.camera.half_height > zoomed.half_height


def test_the_pointer_at_rest_tells_what_is_under_it(viewport, plates, qtbot):
    facet = int(np.flatnonzero(np.abs(plates.skin.centroids[:, 2] - 3.0) < 1e-9)[40])
    with qtbot.waitSignal(viewport.hovered, timeout=20000) as caught:
        move_pointer(viewport.view, spot(viewport, plates.skin.centroids[facet]))
    assert caught.args[0].number == facet


def test_themes_and_frames_are_seen_at_once(viewport, plates, qtbot):
    light = seen(viewport)
    viewport.scene.apply_theme(dark=True)
    dark = seen(viewport)
    assert dark.mean() < light.mean() - 80
    viewport.scene.set_frames(plates.run, {"joint": plates.pairs})
    viewport.scene.show_frame(4, field="gap", limits=(-0.05, 0.05))
    one = seen(viewport)
    viewport.scene.show_frame(10, field="gap", limits=(-0.05, 0.05))
    other = seen(viewport)
    assert (np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 20).mean() > 0.01


def test_the_view_survives_hiding_docking_and_floating(viewport, plates, qtbot):
    window = viewport.window()
    window.hide()
    viewport.scene.view("+z")
    window.show()
    qtbot.waitExposed(window)
    qtbot.wait(100)
    assert seen(viewport).std() > 20
    dock = QDockWidget("view", window)
    window.takeCentralWidget()
    dock.setWidget(viewport)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    qtbot.wait(150)
    assert seen(viewport).std() > 15
    dock.setFloating(True)
    qtbot.wait(200)
    assert pixels(viewport.grab_image()).std() > 15
    dock.setFloating(False)
    qtbot.wait(150)
    assert seen(viewport).std() > 15
    window.takeCentralWidget()
    dock.setWidget(None)
    window.setCentralWidget(viewport)


def test_pictures_of_the_view(viewport, plates):
    shown = viewport.grab_image()
    assert (shown.width(), shown.height()) == viewport.scene.size
    assert pixels(shown).std() > 15
    large = viewport.grab_image((1600, 900))
    assert (large.width(), large.height()) == (1600, 900)
    clear = viewport.grab_image(transparent=True)
    assert clear.hasAlphaChannel()
    assert clear.pixelColor(2, 2).alpha() == 0
    assert seen(viewport).std() > 20  # the view itself is undisturbed


def test_a_dropped_file_is_left_to_the_window(viewport):
    assert not viewport.view.acceptDrops()


_SCALED = """
import sys
sys.path.insert(0, {tests!r})
import numpy as np
import pyvista as pv
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from faying.fem.model import ElementBlock, FeModel
from faying.fem.skin import find_skin
from faying_app.scene.viewport import Viewport
from conftest import block
app = QApplication([])
nodes, tets = block((0, 0, 0), (4, 3, 1), (4, 3, 1))
model = FeModel("box", np.arange(1, len(nodes) + 1), nodes,
                (ElementBlock("tet10", "C3D10", np.arange(1, len(tets) + 1), tets, ""),))
skin = find_skin(model)
view = Viewport()
view.scene.set_model(model, skin)
view.resize(500, 350)
view.show()
QTest.qWaitForWindowExposed(view)
QTest.qWait(300)
view.scene.view("+z")
QTest.qWait(100)
assert view.view.devicePixelRatioF() == 2.0, view.view.devicePixelRatioF()
assert view.scene.size == (1000, 700), view.scene.size
found = []
view.facet_clicked.connect(lambda number, keys: found.append(number))
wanted = np.flatnonzero(skin.normals[:, 2] > 0.9)[::5]
for facet in wanted:
    x, y = view.scene.pixels(skin.centroids[[facet]])[0] / 2
    QTest.mouseClick(view.view, Qt.MouseButton.LeftButton, pos=QPointF(x, view.view.height() - 1 - y).toPoint())
assert found == wanted.tolist(), (found, wanted)
view.close()
print("picked", len(found))
"""


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_picking_on_a_screen_with_two_device_pixels():
    code = _SCALED.format(tests=str(Path(__file__).parent))
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "QT_SCALE_FACTOR": "2"},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "picked" in done.stdout


def test_without_opengl_there_is_a_message_instead_of_a_crash():
    code = (
        "from PySide6.QtWidgets import QApplication, QLabel\n"
        "app = QApplication([])\n"
        "from faying_app.scene.viewport import Viewport\n"
        "view = Viewport(); view.show()\n"
        "view.scene.view('iso')\n"
        "print(view.problem, view.findChild(QLabel, 'no_view_message').text())\n"
        "view.close()\n"
        "view.close()\n"
        "print('thread closed:', view.scene._ahead._thread._shutdown)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "no OpenGL" in done.stdout and "faying doctor" in done.stdout
    assert "thread closed: True" in done.stdout


def test_the_body_stays_fitted_until_somebody_moves_the_camera(viewport, qtbot):
    window, scene = viewport.window(), viewport.scene
    scene.view("iso")
    wide = scene.camera.half_height * scene.size[0] / scene.size[1]
    window.resize(500, 600)
    qtbot.wait(150)
    narrow = scene.camera.half_height * scene.size[0] / scene.size[1]
    assert scene.is_fitted
    assert narrow == pytest.approx(wide, rel=0.35)  # the bar still goes from border to border
    qtbot.keyClick(viewport.view, Qt.Key.Key_Minus)
    moved = scene.camera
    window.resize(900, 600)
    qtbot.wait(150)
    assert scene.camera == moved
