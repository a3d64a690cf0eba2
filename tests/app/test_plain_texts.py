"""Names with tags are shown as typed: in labels, boxes and tooltips of the real window."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolTip

from faying.errors import FayingError
from faying.params import build
from faying.project import edits
from faying.project.specs import Project
from faying_app.shell.problem_dialog import show_problem
from faying_app.shell.start_page import _Link
from support.windows import settle

TAG = '<h1>joint</h1><img src="//host/share/x.png">'


def _plain(label):
    label.ensurePolished()
    return label.textFormat() == Qt.TextFormat.PlainText


@pytest.fixture
def named(qtbot, window):
    """The real window with a body, joint and analysis of a name with tags, the joint selected."""
    joint = {
        "name": TAG,
        "master": {"kind": "deck_surface", "name": TAG},
        "slave": {"kind": "deck_surface", "name": "S"},
    }
    body = {"name": TAG, "model": {"path": f"{TAG}.inp"}, "joints": [joint]}
    words = {"name": TAG, "note": TAG, "bodies": [body],
             "analyses": [{"kind": "static", "name": TAG, "body": TAG, "support": TAG}]}  # fmt: skip
    window.context.document.apply("Open", edits.replace_project(build(Project, words)))
    window.context.selection.select(("bodies", 0, "joints", 0))
    settle(qtbot, 100)
    return window


def test_every_label_of_the_window_shows_names_as_typed(qtbot, named):
    labels = [label for label in named.findChildren(QLabel) if not isinstance(label, _Link)]
    assert any(TAG in label.text() for label in labels)
    assert not [label.text() for label in labels if not _plain(label)]
    named.context.say(TAG)
    assert named.statusBar().currentMessage() == TAG  # which is painted, not laid out


def test_boxes_show_messages_as_typed(qtbot, named):
    problem = FayingError(f"{TAG} is not there.", f"Look at {TAG}.")
    box = show_problem(problem, "", named)
    qtbot.waitUntil(box.isVisible)
    shown = [label for label in box.findChildren(QLabel) if "host" in label.text()]
    assert len(shown) == 2 and all(_plain(label) for label in shown)
    box.close()
    other = QMessageBox(named)
    other.setText(TAG)
    other.open()
    assert all(_plain(label) for label in other.findChildren(QLabel))
    other.close()


def test_tooltips_show_names_as_typed(qtbot, named):
    QToolTip.showText(QPoint(40, 40), TAG, named)
    tips = [w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel") and w.text() == TAG]
    assert tips and all(_plain(tip) for tip in tips)
    QToolTip.hideText()


def test_recent_files_are_links_to_files_as_they_are_called(qtbot, tmp_path):
    link = _Link(tmp_path / "<b>x</b>.faying", lambda: None)
    qtbot.addWidget(link)
    assert "&lt;b&gt;x" in link.text() and "<b>" not in link.text()
