"""Two stacked plates with a joint between them: a small real model for the scene and the window."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from faying.fem.matrices import DofMap
from faying.fem.model import ElementBlock, FeModel, Material
from faying.fem.skin import Skin, find_skin
from faying.fem.surface import Surface
from faying.joints.contact_laws import contact_laws
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import ContactPairs
from faying.joints.search import SearchSpec
from faying.reduction.body import JointRows, ReducedBody
from faying.results.fields import FieldContext
from faying.results.mode_shapes import ModeShapes
from faying.results.results import Results
from faying.results.writer import ResultsWriter

# The six tetrahedra of a cube round its diagonal 0-7; corner i has the bits x, y, z.
_KUHN = np.array([[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]])
_EDGES = np.array([[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]])


def block(
    low: tuple[float, ...], high: tuple[float, ...], counts: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and ten-node tetrahedra of a box."""
    axes = [np.linspace(a, b, n + 1) for a, b, n in zip(low, high, counts, strict=True)]
    corners = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    shape = tuple(n + 1 for n in counts)
    first = np.stack(np.meshgrid(*[np.arange(n) for n in counts], indexing="ij"), axis=-1).reshape(-1, 1, 3)
    offsets = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)])
    cubes = np.ravel_multi_index(tuple(np.moveaxis(first + offsets, -1, 0)), shape)
    tets = cubes[:, _KUHN].reshape(-1, 4)
    p = corners[tets]
    flipped = np.einsum("ij,ij->i", np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), p[:, 3] - p[:, 0]) < 0
    tets[flipped] = tets[flipped][:, [0, 2, 1, 3]]
    edges, where = np.unique(np.sort(tets[:, _EDGES].reshape(-1, 2), axis=1), axis=0, return_inverse=True)
    nodes = np.concatenate([corners, corners[edges].mean(axis=1)])
    return nodes, np.hstack([tets, len(corners) + where.reshape(-1, 6)])


@dataclass
class Plates:
    """The model, its joint, its modes and a run of 24 frames."""

    model: FeModel
    skin: Skin
    master: Surface
    slave: Surface
    pairs: ContactPairs
    body: ReducedBody
    modes: FieldContext
    run: FieldContext
    tip: int


@pytest.fixture(scope="session")
def plates(tmp_path_factory: pytest.TempPathFactory) -> Plates:
    below, lower = block((0.0, -10.0, -3.0), (200.0, 10.0, 0.0), (16, 3, 1))
    above, upper = block((25.0, -10.0, 0.0), (225.0, 10.0, 3.0), (21, 4, 1))
    nodes = np.concatenate([below, above])
    connectivity = np.concatenate([lower, upper + len(below)])
    model = FeModel(
        "two plates",
        np.arange(1, len(nodes) + 1),
        nodes,
        (ElementBlock("tet10", "C3D10", np.arange(1, len(connectivity) + 1), connectivity, "steel"),),
        materials={"steel": Material("steel", 210000.0, 0.3, 7.85e-9)},
    )
    skin = find_skin(model)
    flat = np.abs(skin.centroids[:, 2]) < 1e-9
    overlap = flat & (skin.centroids[:, 0] < 225.0)
    master = skin.chosen(np.flatnonzero(overlap & (skin.normals[:, 2] > 0)), "MASTER")
    slave = skin.chosen(np.flatnonzero(overlap & (skin.normals[:, 2] < 0)), "SLAVE")
    pairs = find_contact_pairs(nodes, master, slave, SearchSpec())
    body = _body(nodes, len(below), pairs)
    laws = {"joint": contact_laws["linear_penalty"]()}
    modes = ModeShapes(body, ["opening", "bending", "sliding"], np.array([123.4, 456.7, 0.0]))
    path = tmp_path_factory.mktemp("plates") / "run.h5"
    _write_run(path)
    results = Results(path)
    tip = int(np.argmax(nodes[:, 0] + nodes[:, 2] - np.abs(nodes[:, 1])))
    return Plates(
        model, skin, master, slave, pairs, body,
        FieldContext(modes, body, laws, {"joint": None}, {"joint": pairs}, model),
        FieldContext(results, body, laws, {"joint": None}, {"joint": pairs}, model),
        tip,
    )  # fmt: skip


def _body(nodes: np.ndarray, n_below: int, pairs: ContactPairs) -> ReducedBody:
    """Three smooth movements; the rows of the joint follow from them exactly."""
    x = nodes[:, 0] / 225.0
    above = np.arange(len(nodes)) >= n_below
    shapes = np.zeros((len(nodes), 3, 3))
    shapes[above, 2, 0] = np.sin(3 * np.pi * x[above]) * x[above] ** 2
    shapes[:, 2, 1] = x**2
    shapes[above, 0, 2] = 1.0
    dofs = DofMap(len(nodes), np.zeros(0, np.int64), sp.identity(3 * len(nodes), format="csr"))
    flat = shapes.reshape(-1, 3)
    joint = JointRows(
        "joint",
        np.asarray(gap_rows(pairs, dofs) @ flat),
        np.asarray(slip_rows(pairs, dofs) @ flat).reshape(-1, 2, 3),
        pairs.weights,
        pairs.initial_gaps,
        np.zeros((len(pairs), 6)),
        np.zeros((len(pairs), 2, 6)),
    )
    return ReducedBody(
        "", np.eye(3), np.eye(3), np.eye(6), nodes, flat, {}, {}, (joint,), (("modes", 3),), np.zeros(3)
    )


def _write_run(path: Path) -> None:
    times = np.linspace(0.0, 0.023, 24)
    with ResultsWriter(
        path, axis="time", body="plates", frame="", sizes={"coordinates": 3}, joints={}
    ) as writer:
        for time in times:
            phase = 2 * np.pi * time / 0.023
            coordinates = np.array([0.02 * np.sin(phase), 9.0 * np.sin(phase / 2), 0.3 * np.sin(phase)])
            writer.append(time, coordinates=coordinates)
        writer.close({})


@pytest.fixture
def qtbot(qtbot):
    """pytest-qt's, which gives up on what it waits for after minutes only: a busy machine is slow, not wrong."""
    for name in ("waitUntil", "waitExposed"):
        wait = getattr(qtbot, name)
        setattr(qtbot, name, partial(_wait_long, wait))
    return qtbot


def _wait_long(wait, awaited, *, timeout=0):
    return wait(awaited, timeout=max(timeout, 120_000))


@pytest.fixture(scope="session")
def warm_workers():
    """The class of worker processes whose children stay warm from window to window; they end with the session."""
    from support.warm_workers import WarmWorker

    yield WarmWorker
    WarmWorker.end_all()


@pytest.fixture
def smooth_edges():
    """Views of the window draw as smoothly as people see them, which takes a tenth of a test's time."""


@pytest.fixture
def make_window(qtbot, request, tmp_path, monkeypatch, warm_workers):
    """Return a function that opens the real main window with its own home folder; it is closed afterwards."""
    import shiboken6
    from PySide6.QtWidgets import QApplication, QMenu, QMessageBox

    from faying_app.shell.window import MainWindow

    monkeypatch.setenv("FAYING_HOME", str(tmp_path / "home"))
    if not {"shoot", "manual_picture", "screenshots", "smooth_edges"} & set(request.fixturenames):
        monkeypatch.setattr("faying_app.scene.picture_view.MULTI_SAMPLES", 0)  # nobody looks at its edges
    for module in ("runner", "questions"):
        monkeypatch.setattr(f"faying_app.tasks.{module}.WorkerProcess", warm_workers)

    # A box that waits for an answer would stop the tests: leaving discards, as tests that care ask for otherwise.
    def discard(box):
        return QMessageBox.StandardButton.Discard

    monkeypatch.setattr(QMessageBox, "exec", discard)
    opened = []

    def make(size=(1280, 800)):
        window = MainWindow()
        opened.append(window)
        window.resize(*size)
        with qtbot.waitExposed(window):
            window.show()
        qtbot.wait(80)
        return window

    before = set(QApplication.topLevelWidgets())
    yield make
    monkeypatch.setattr(QMessageBox, "exec", discard)  # whatever the test answered
    for window in opened:
        # One that stayed open would be styled again with every window after it.
        assert not shiboken6.isValid(window) or window.close()
    # pyqtgraph's menus have no parent: all those of a session would be styled again with each new window.
    for widget in set(QApplication.topLevelWidgets()) - before:
        if isinstance(widget, QMenu) and widget.parent() is None:
            widget.deleteLater()
        elif isinstance(widget, QMessageBox):  # it would take the clicks that the next window is to get
            widget.close()
    qtbot.wait(20)


@pytest.fixture
def window(make_window):
    """Return the real main window at 1280 × 800."""
    return make_window()


@pytest.fixture
def shoot(qtbot, screenshots):
    """Return a function that takes a picture of the window, checks it and returns the 3D view's pixels."""

    from support.pictures import assert_good
    from support.windows import settle, view_pixels

    def take(window, name, theme, size, *, view=True):
        settle(qtbot, 250)
        label = f"{name}-{theme}-{size[0]}x{size[1]}"
        picture = window.grab()
        assert picture.save(str(screenshots / f"{label}.png"))
        assert (window.width(), window.height()) == size, label
        assert_good(window, label)
        if not view:
            return None
        seen = view_pixels(window)
        assert seen.std() > 12, f"{label}: the 3D view is blank"
        return seen.astype(int)

    return take


@pytest.fixture(scope="session")
def computed_file(tmp_path_factory):
    """A project file with results of press and twist (static, friction) and shake (in motion)."""
    from support.computed_plates import computed_plates

    return computed_plates(tmp_path_factory.mktemp("computed"))


@pytest.fixture
def results_window(qtbot, window, computed_file):
    """The real window with that project; the motion is selected."""
    from faying_app.tasks import opening
    from support.windows import settle, wait_idle

    opening.open_project(window.context, computed_file)
    wait_idle(qtbot, window)
    window.context.selection.select(("analyses", 2))
    settle(qtbot, 150)
    assert window.context.n_frames == 41
    return window


@pytest.fixture
def manual_picture(qtbot, request, screenshots):
    """Return a function that takes a picture of the window, and with ``--manual-pictures`` puts it into the manual.

    A picture of the manual is the window, with a dialog over it if one is given, at 680 points across: as wide as the
    manual's own window shows it.
    """
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QPainter

    from manual_pictures import PICTURES
    from support.windows import settle

    def take(window, name, dialog=None):
        settle(qtbot, 250)
        picture = window.grab()
        if dialog is not None:
            with QPainter(picture) as painter:
                painter.drawPixmap(dialog.pos() - window.pos(), dialog.grab())
                painter.drawRect(dialog.geometry().translated(-window.pos()))
        assert picture.save(str(screenshots / f"{name}.png"))
        if request.config.option.manual_pictures:
            small = picture.toImage().scaledToWidth(680, Qt.TransformationMode.SmoothTransformation)
            assert small.save(str(PICTURES / f"{name}.png"))

    return take
