"""Diagrams in the real window: Campbell, poles, energies, main effects; clicks on them and on tables show shapes."""

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

from faying.cli import main
from faying.params import build
from faying.project.specs import Project
from faying.session import Session, read
from faying_app.scene.visuals.caption import caption_text
from faying_app.tasks import opening
from support.pictures import SIZES
from support.rotors import rotor
from support.windows import settle, wait_for_frames, wait_idle

pytestmark = pytest.mark.window
DIAGRAM, MODES, STATES, PUSHES = range(4)


@pytest.fixture(scope="session")
def rotor_file(tmp_path_factory):
    """A computed project: a rotor's Campbell diagram, its modes and state space at rest, and a sweep."""
    folder = tmp_path_factory.mktemp("rotor")
    turning = rotor(damping=(4.0, 6.0), stiffness=(3e4, 4.5e4))
    push = {"kind": "point_force", "name": "push", "marker": "disc.high", "force": (1.0, 0.0, 0.0),
            "time_history": {"kind": "input", "input": "push"}}  # fmt: skip
    seen = {
        "kind": "displacement",
        "name": "x",
        "first": "ground.high",
        "second": "disc.high",
        "component": "x",
    }
    still = rotor(damping=(4.0, 6.0), stiffness=(3e4, 4.5e4), speed=0.0)
    words = still.model_dump(mode="json") | {"name": "still", "measures": [seen]}
    words["forces"] = [*words["forces"], push]
    analyses = [
        {"kind": "campbell", "name": "diagram", "system": "system", "drive": "turn", "highest_speed": 400.0,
         "speeds": 21, "count": 4, "orders": [1.0, 2.0]},
        {"kind": "system_modes", "name": "modes", "system": "still"},
        {"kind": "state_space", "name": "plant", "system": "still", "lowest_frequency": 1.0, "highest_frequency": 100.0,
         "points": 60},
        {"kind": "sweep", "name": "pushes", "analysis": "modes", "processes": 1,
         "variations": [
             {"decision": "systems.still.parts.disc.mass", "values": [3.0, 4.0, 5.0]},
             {"decision": "systems.still.forces.low.stiffness.x", "values": [2e4, 4e4]},
         ],
         "responses": [{"quantity": "damping ratio", "take": "largest", "name": "damping"}]},
    ]  # fmt: skip
    systems = [turning.model_dump(mode="json"), words]
    session = Session(
        build(Project, {"name": "rotor", "systems": systems, "analyses": analyses}), folder / "store"
    )
    session.run()
    session.save(folder / "rotor.faying")
    return folder / "rotor.faying"


@pytest.fixture
def rotor_window(qtbot, window, rotor_file):
    opening.open_project(window.context, rotor_file)
    wait_idle(qtbot, window)
    return window


def panel_of(qtbot, window, kind, analysis):
    """Select an analysis, and return a panel that is in front."""
    window.context.selection.select(("analyses", analysis))
    wait_for_frames(qtbot, window)
    window.show_panel(kind)
    settle(qtbot, 300)
    return window.docks.panels[kind]


def click(qtbot, view, series, number):
    """Click a value of a drawn curve; of bars the middle of one."""
    from faying.plot import Series

    places = view.places_of(series)
    if series.base is not None:
        middle = Series("", series.x, 0.5 * (series.base + series.y))
        places = view.places_of(middle)
    place = view.widget.mapFromScene(*places[number].tolist())
    qtbot.mouseClick(
        view.widget.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(round(place.x()), round(place.y()))
    )
    settle(qtbot, 200)


def choose_view(qtbot, curves, title):
    at = curves.view.findText(title)
    assert at >= 0, [curves.view.itemText(i) for i in range(curves.view.count())]
    curves.view.setCurrentIndex(at)
    curves.view.activated.emit(at)
    settle(qtbot, 200)


def series_named(view, name):
    return next(each for each in view.plot.series if each.name.startswith(name))


def test_a_click_on_the_campbell_diagram_shows_the_mode_at_the_speed(qtbot, rotor_window):
    window = rotor_window
    context = window.context
    curves = panel_of(qtbot, window, "curves", DIAGRAM)
    assert curves.plot.plot.title == "Campbell diagram"
    first, *_ = entries = [curves.names.item(row) for row in range(curves.names.count())]
    assert [each.text().split(",")[0] for each in entries] == [
        *(f"mode {k + 1}" for k in range(4)),
        "critical speed",
    ]
    first.setCheckState(Qt.CheckState.Unchecked)
    settle(qtbot, 100)
    assert not any(each.name.startswith("mode 1") for each in curves.plot.plot.series)
    curves.names.item(0).setCheckState(Qt.CheckState.Checked)
    settle(qtbot, 100)
    line = series_named(curves.plot, "mode 3")
    click(qtbot, curves.plot, line, 16)
    assert (context.view.values.frame, context.view.values.shape) == (16, 2) and context.view.playing
    context.view.set_playing(False)
    settle(qtbot, 200)
    text = f"speed 320 rad/s, mode 3, {line.y[16]:.4g} Hz"
    assert window.time_bar.label.text().startswith(text) and text in caption_text(
        window.presenter.scene.content
    )
    results = context.computed.results("diagram")
    shown = window.presenter.field_context.parts[0].swing(16)
    np.testing.assert_array_equal(shown, results.part("disc", 2).swing(16)[0])
    # A quarter of a period later the other half of the complex shape is shown.
    later = window.presenter.field_context.swung(np.pi / 2).parts[0].swing(16)
    np.testing.assert_allclose(later, results.part("disc", 2).swing(16)[1], atol=1e-15)
    # A critical speed: its mode, at the frame nearest to it. A ring tells which one is shown.
    marks = series_named(curves.plot, "critical speed")
    click(qtbot, curves.plot, marks, 1)
    context.view.set_playing(False)
    values = context.view.values
    assert (values.frame, values.shape) == tuple(marks.shows[1])
    ring = curves.plot._ring.getData()
    assert curves.plot.plot.series[values.shape].x[values.frame] in ring[0]


def test_a_row_of_the_table_of_critical_speeds_shows_its_mode(qtbot, rotor_window):
    window = rotor_window
    tables = panel_of(qtbot, window, "run_tables", DIAGRAM)
    view = tables.views["critical speeds"]
    tables.pages.setCurrentWidget(view)
    view.sortByColumn(3, Qt.SortOrder.DescendingOrder)  # by frequency: rows are others than in the report
    settle(qtbot, 100)
    rows = window.context.computed.results("diagram").report["critical_speeds"]
    highest = max(rows, key=lambda row: row["frequency"])
    place = view.visualRect(view.model().index(0, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, 100)
    window.context.view.set_playing(False)
    values = window.context.view.values
    speeds = window.context.computed.results("diagram").values
    assert values.shape == highest["mode"] - 1
    assert abs(speeds[values.frame] - highest["speed"]) <= 0.5 * (speeds[1] - speeds[0])


def test_poles_and_bars_of_modes_show_their_shapes(qtbot, rotor_window):
    window = rotor_window
    view = window.context.view
    curves = panel_of(qtbot, window, "curves", MODES)
    assert curves.plot.plot.title == "Kinetic energy"  # with bars
    click(qtbot, curves.plot, curves.plot.plot.series[0], 2)
    assert view.values.frame == 2 and view.playing
    view.set_playing(False)
    choose_view(qtbot, curves, "Pole map")
    click(qtbot, curves.plot, series_named(curves.plot, "poles"), 1)
    assert view.values.frame == 1 and view.playing
    view.set_playing(False)
    choose_view(qtbot, curves, "Values")
    assert "damping ratio" in [curves.names.item(row).text() for row in range(curves.names.count())]


def test_a_state_space_has_poles_and_bode_plots(qtbot, rotor_window):
    window = rotor_window
    curves = panel_of(qtbot, window, "curves", STATES)
    assert [s.name for s in curves.plot.plot.series] == [
        "push: x"
    ]  # not its phase, which may be the larger number
    choose_view(qtbot, curves, "Bode")
    drawn = curves.plot.plot
    assert [s.name for s in drawn.series] == ["push: x", "push: x phase"] and drawn.right.title == "Phase"
    choose_view(qtbot, curves, "Pole map")
    poles = series_named(curves.plot, "poles")
    upper = np.flatnonzero((poles.y > 0.0) & (poles.shows[:, 0] >= 0))
    click(qtbot, curves.plot, poles, int(upper[0]))
    window.context.view.set_playing(False)
    values = window.context.computed.results("plant").values
    frame = window.context.view.values.frame
    assert abs(np.log(2 * np.pi * values[frame] / np.hypot(poles.x[upper[0]], poles.y[upper[0]]))) < 0.1


def test_main_effects_are_drawn_beside_a_sweep(qtbot, rotor_window):
    window = rotor_window
    window.context.selection.select(("analyses", PUSHES))
    window.show_panel("sweep")
    settle(qtbot, 300)
    panel = window.docks.panels["sweep"]
    at = panel.over.findText("Main effects")
    assert at == panel.over.count() - 1
    panel.over.setCurrentIndex(at)
    panel.over.activated.emit(at)
    settle(qtbot, 200)
    plot = panel.plot.plot
    assert plot.title == "Main effects on damping" and [s.name for s in plot.series[:2]] == [
        "mass",
        "stiffness x",
    ]


def test_mode_and_angle_are_chosen_in_the_time_bar(qtbot, rotor_window):
    window = rotor_window
    panel_of(qtbot, window, "curves", DIAGRAM)
    bar, view = window.time_bar, window.context.view
    view.set(frame=20)
    settle(qtbot, 100)
    assert [bar.modes.itemText(i).split(",")[0] for i in range(bar.modes.count())] == [
        f"mode {k + 1}" for k in range(4)
    ]
    bar.modes.setCurrentIndex(3)
    bar.modes.activated.emit(3)
    settle(qtbot, 100)
    assert (view.values.frame, view.values.shape) == (20, 3) and bar.phase.isVisible()
    start = window.presenter.scene.content.frame.poses[0][0].copy()
    bar.phase.setValue(90)
    settle(qtbot, 100)
    assert window.presenter.phase == pytest.approx(np.pi / 2)
    moved = window.presenter.scene.content.frame.poses[0][0]
    assert np.abs(moved - start).max() > 1e-6  # a whirl is elsewhere a quarter of a period later
    bar.phase.setValue(0)


def test_what_has_curves_is_dragged_from_the_tree_onto_the_plot(qtbot, rotor_window):
    """As Qt does it: the tree's data enter the plot and are dropped; selecting the line has hidden the analysis."""
    window = rotor_window
    context = window.context
    curves = panel_of(qtbot, window, "curves", MODES)
    choose_view(qtbot, curves, "Values")
    force = ("systems", 1, "forces", 0)
    context.selection.select(force)
    settle(qtbot, 100)
    tree = window.docks.panels["project"].model
    data = tree.mimeData([tree.find(force)])
    middle, left, none = QPoint(300, 60), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(middle, Qt.DropAction.CopyAction, data, left, none)
    QApplication.sendEvent(curves, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(curves, QDropEvent(QPointF(middle), Qt.DropAction.CopyAction, data, left, none))
    settle(qtbot, 200)
    assert context.entity == ("analyses", MODES)
    name = context.project.systems[1].forces[0].name
    assert any(each.name.startswith(f"{name} ") for each in curves.plot.plot.series)
    # What is nothing of the system changes nothing.
    context.selection.select(("systems", 1))
    settle(qtbot, 100)
    QApplication.sendEvent(
        curves, QDropEvent(QPointF(middle), Qt.DropAction.CopyAction, tree.mimeData([]), left, none)
    )
    assert context.entity == ("systems", 1)


@pytest.mark.slow  # processes of their own that draw pictures
def test_report_and_pictures_have_the_diagrams(rotor_file, tmp_path):
    def faying(*words):
        # A process of its own, as for a user: after pictures drawn in this one, widgets of later tests have no window.
        subprocess.run([sys.executable, "-m", "faying", *map(str, words)], check=True, capture_output=True)

    report = tmp_path / "report.html"
    faying("report", rotor_file, "--to", report)
    text = report.read_text(encoding="utf-8")
    for title in ("Campbell diagram", "Kinetic energy", "Pole map", "Main effects on damping"):
        assert f": {title}. " in text, title
    for heading in ("Critical speeds", "Main effects"):
        assert f"<h4>{heading}</h4>" in text
    pictures = []
    for number in ("1", "4"):
        path = tmp_path / f"{number}.png"
        faying(
            "export", rotor_file, "--analysis", "diagram", "--to", path, "--shape", number, "--frame", "20"
        )
        pictures.append(path.read_bytes())
    assert pictures[0] != pictures[1]


def test_exports_and_scripts_have_the_diagrams(rotor_file, tmp_path):
    table = tmp_path / "c.csv"
    words = ["export", str(rotor_file), "--analysis", "diagram", "--to"]
    assert main([*words, str(table), "--diagram"]) == 0
    assert table.read_text(encoding="utf-8").startswith("Speed of rotation [rad/s],")
    with read(rotor_file) as session:
        assert session.diagrams("modes") == ("Kinetic energy", "Potential energy", "Damping", "Pole map")
        assert session.diagram("pushes").title == "Main effects on damping"
        mass, stiffness = session.main_effects("pushes")
        assert (mass.decision, stiffness.decision) == ("mass", "stiffness x") and mass.share > 0.99


def test_an_unknown_diagram_is_a_sentence_with_those_that_there_are(rotor_file, tmp_path, capsys):
    words = [
        "export",
        str(rotor_file),
        "--analysis",
        "modes",
        "--to",
        str(tmp_path / "x.svg"),
        "--diagram",
        "Pole maps",
    ]
    assert main(words) != 0
    said = capsys.readouterr().err
    assert "no diagram called 'Pole maps'" in said and "Pole map" in said


@pytest.mark.slow  # pictures for people to look at
def test_pictures(qtbot, rotor_window, shoot):
    window = rotor_window
    for theme, size in (
        ("light", SIZES[0]),
        ("dark", SIZES[1]),
        ("light", (1920, 1080)),
        ("dark", (1024, 700)),
    ):
        window.choose_theme(theme)
        window.resize(*size)
        settle(qtbot, 200)
        window.docks.arrange()
        curves = panel_of(qtbot, window, "curves", DIAGRAM)
        window.context.view.set(frame=12, shape=1)
        shoot(window, "campbell", theme, size)
        curves = panel_of(qtbot, window, "curves", MODES)
        for title in ("Kinetic energy", "Damping", "Pole map"):
            choose_view(qtbot, curves, title)
            shoot(window, title.lower().replace(" ", "-"), theme, size)
        curves = panel_of(qtbot, window, "curves", STATES)
        choose_view(qtbot, curves, "Bode")
        shoot(window, "state-space-bode", theme, size)
        window.context.selection.select(("analyses", PUSHES))
        window.show_panel("sweep")
        settle(qtbot, 300)
        panel = window.docks.panels["sweep"]
        panel.over.setCurrentIndex(panel.over.count() - 1)
        panel.over.activated.emit(panel.over.count() - 1)
        shoot(window, "main-effects", theme, size, view=False)
