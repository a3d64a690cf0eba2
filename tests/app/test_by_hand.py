"""The whole way by mouse and keyboard alone, with no study: from a deck to a film, from nothing to curves."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from faying.fem.writers import write_model
from support.hand import CTRL, Hand
from support.two_boxes import SIZE, two_boxes
from support.windows import wait_for_frames, wait_idle

pytestmark = [pytest.mark.window, pytest.mark.slow]  # each a whole session of clicks with all computations


@pytest.fixture
def hand(qtbot, window):
    return Hand(qtbot, window)


def bare_deck(folder):
    """Write two boxes, one on the other: no sets, no surfaces, no interface nodes."""
    model = two_boxes("hex8", (10, 3, 2), (8, 3, 2))
    path = folder / "unknown.inp"
    write_model(replace(model, node_sets={}, element_sets={}, surfaces={}), path)
    return path


def test_from_an_unknown_deck_to_a_film(qtbot, window, hand, tmp_path):
    context = window.context
    hand.menu("File", "Import deck", answers=[hand.file(bare_deck(tmp_path))])
    qtbot.waitUntil(lambda: bool(context.project.bodies), timeout=30000)
    wait_idle(qtbot, window)
    hand.press("Use these units")
    assert not window.units_question.isVisible() and not context.project.bodies[0].interfaces
    # Interface nodes: an end face of each box is clicked and coupled.
    length, width, height = SIZE
    hand.menu("View", "Standard views", "From −x")
    hand.point((0.0, width / 3, -height / 2))
    hand.menu("Model", "Couple face", "Rigid")
    wait_idle(qtbot, window)
    hand.key(Qt.Key.Key_1, CTRL)
    hand.point((length, width / 3, height / 2), Qt.MouseButton.RightButton)
    hand.context_menu("Couple face", "Rigid")
    wait_idle(qtbot, window)
    body = context.project.bodies[0]
    assert [each.name for each in body.interfaces] == ["coupling 1", "coupling 2"]
    # The joint is searched.
    hand.key(Qt.Key.Key_J, CTRL)
    panel = window.docks.panels["joint_search"]
    qtbot.waitUntil(lambda: panel.search is not None or not window.questions.is_busy, timeout=60000)
    qtbot.waitUntil(lambda: not window.questions.is_busy, timeout=60000)
    hand.rest()
    assert panel.count.text() == "1 candidate"
    hand.press("Create 1 joint")
    (name,) = [joint.name for joint in context.project.bodies[0].joints]
    assert name == "BLOCK_1 / BLOCK_2"
    hand.choose("Friction law", "Coulomb")
    hand.key(Qt.Key.Key_U, CTRL)
    wait_idle(qtbot, window)
    assert len(context.computed.pairs("unknown", name)) > 30
    # Reduction.
    hand.tree("Untitled", "unknown", "Component modes")
    hand.type("Vibration modes", "4")
    hand.tree("Untitled", "unknown", "Joint modes")
    hand.choose_kind("Joint modes", "POD of equilibrium snapshots")
    hand.type("Joint modes", "8")
    body = context.project.bodies[0]
    assert body.joint_modes.kind == "equilibrium_snapshots" and body.joint_modes.count == 8
    # A load case, run.
    hand.menu("Model", "Add analysis", "Transient")
    hand.type("Force", "0", "0", "-40")
    hand.choose("Load history", "Harmonic")
    hand.type("Frequency", "500")
    hand.type("Duration", "0.004")
    hand.type("Frames", "12")
    (analysis,) = context.project.analyses
    assert analysis.loads[0].force == (0.0, 0.0, -40.0) and analysis.loads[0].time_history.frequency == 500.0
    hand.key(Qt.Key.Key_F5)
    wait_idle(qtbot, window, seconds=180)
    wait_for_frames(qtbot, window)
    assert context.n_frames == 13 and not window.problems
    # What is looked at, and its picture and film.
    hand.pick_from(window.time_bar.field, "Pressure")
    hand.menu("View", "Standard views", "Isometric")
    hand.key(Qt.Key.Key_End, Qt.KeyboardModifier.AltModifier)
    assert context.view.values.frame == 12
    picture, film = tmp_path / "end.png", tmp_path / "swing.mp4"
    hand.menu("File", "Export image", answers=[hand.enter, hand.file(picture)])
    hand.menu("File", "Export video", answers=[hand.enter, hand.file(film)])
    qtbot.waitUntil(film.exists, timeout=120000)
    image = QImage(str(picture))
    assert image.width() > 400 and film.stat().st_size > 5000
    hand.menu("File", "Save as", answers=[hand.file(tmp_path / "mine.faying")])
    assert (tmp_path / "mine.faying").exists() and not window.isWindowModified()
    assert np.isfinite(context.computed.results(analysis.name).curve("elastic energy")).all()


def test_from_an_empty_project_to_the_curves_of_a_pendulum(qtbot, window, hand, tmp_path):
    context = window.context
    hand.menu("Model", "Add multibody system")
    hand.menu("Model", "System", "Add part", "Rigid part: Link")
    hand.palette("add constraint revolute")
    (hinge,) = context.project.systems[0].constraints
    assert (hinge.kind, hinge.marker_names()) == ("revolute", ("ground.origin", "part.a"))
    hand.press("Y")
    hand.tree("Untitled", "system")
    hand.press("g along −Z")
    hand.menu("Model", "Add analysis", "Motion")
    hand.type("Duration", "0.5")
    hand.type("Frames", "50")
    hand.key(Qt.Key.Key_F5)
    wait_idle(qtbot, window, seconds=120)
    wait_for_frames(qtbot, window)
    assert context.n_frames == 51 and not window.problems
    # It falls from where it lies, and swings through: its centre goes down by its distance from the hinge.
    hand.palette("panels curves")
    panel = window.docks.panels["curves"]
    curves = [panel.names.item(i).text() for i in range(panel.names.count())]
    wanted = next(name for name in curves if name.startswith("kinetic energy"))
    if not hand.is_ticked(panel.names, wanted):
        hand.tick(panel.names, wanted)
    energy = next(series.y for series in panel.plot.plot.series if series.name.startswith("kinetic energy"))
    results = context.computed.results(context.project.analyses[0].name)
    mass, half = 7.85e-5, 50.0  # t and mm of 100 x 10 x 10 mm of steel
    assert energy.max() == pytest.approx(mass * 9806.65 * half, rel=2e-2)
    assert results.n_frames == 51
    hand.lay_ready([hand.file(tmp_path / "energy.svg")])
    hand.press("Export…", panel)
    assert (tmp_path / "energy.svg").read_text().count("<path") > 2
