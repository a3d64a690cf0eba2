"""Uncaught exceptions: a mistake of the program is told as one, a problem of the user's as its sentence."""

import sys

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget

from faying.errors import ReadError
from faying_app.shell.crash_guard import CrashGuard


@pytest.mark.window
@pytest.mark.parametrize(
    ("error", "text", "more"),
    [
        (ReadError("run.h5", None, "frame 3 is damaged.", "Run the analysis again."), "run.h5: frame 3 is damaged.",
         "Run the analysis again."),
        (ZeroDivisionError("by purpose"), "Something went wrong inside the program", "ZeroDivisionError: by purpose"),
    ],
)  # fmt: skip
def test_what_is_caught_is_told(qtbot, error, text, more):
    window = QWidget()
    qtbot.addWidget(window)
    guard = CrashGuard(window)
    try:
        sys.excepthook(type(error), error, None)
        qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
        (box,) = window.findChildren(QMessageBox)
        assert box.text().startswith(text) and box.informativeText() == more
        box.close()
    finally:
        guard.remove()


@pytest.mark.window
def test_another_damaged_file_is_told_too_and_the_same_one_once(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    guard = CrashGuard(window)

    def read(name):
        try:
            raise ReadError(name, None, "it is damaged.")
        except ReadError as error:
            sys.excepthook(type(error), error, error.__traceback__)

    def boxes():
        return [box for box in window.findChildren(QMessageBox) if box.isVisible()]

    def told():
        qtbot.waitUntil(lambda: bool(boxes()))
        (box,) = boxes()
        return box

    try:
        read("a.faying")
        box = told()
        read("b.faying")  # while the first is being looked at
        qtbot.wait(20)
        assert box.text().startswith("a.faying") and boxes() == [box]
        box.close()
        qtbot.waitUntil(lambda: not boxes())
        read("a.faying")
        qtbot.wait(20)
        assert boxes() == []
        read("b.faying")
        assert told().text().startswith("b.faying")
        told().close()
    finally:
        guard.remove()
