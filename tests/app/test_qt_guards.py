"""Guards against what is known to be broken in releases of Qt for Python."""

import sys

from PySide6 import QtCore


def test_emit_keeps_references_of_true(qapp):
    """PySide6 6.12.0 on Python 3.11 loses one reference of True per emit and dies after some hundred."""

    class Emitter(QtCore.QObject):
        fired = QtCore.Signal(int)

    emitter = Emitter()
    heard = []
    emitter.fired.connect(heard.append)
    before = sys.getrefcount(True)
    for number in range(200):
        emitter.fired.emit(number)
    assert len(heard) == 200
    assert abs(sys.getrefcount(True) - before) < 50
