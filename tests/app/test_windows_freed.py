"""What a window took is free when it is closed; and only the window's thread destroys what Python collects."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from faying.linalg.freed_memory import give_back_freed_memory
from faying_app.context import Context
from faying_app.scene.scene import Scene
from faying_app.shell.collector import GarbageCollector
from faying_app.shell.window import MainWindow
from support.windows import settle


def resident_megabytes() -> float:
    give_back_freed_memory()  # pages that are free in the allocator, as earlier tests leave them, count for nobody
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def open_and_close(qtbot, every_panel: bool) -> list[weakref.ref]:
    window = MainWindow()
    window.show()
    settle(qtbot, 30)
    window.show_panel("curves")
    if every_panel:
        for kind in window.docks.docks:
            window.show_panel(kind)
        window.show_manual()
        window.show_palette()
        window.edit_law(("bodies", 0, "joints", 0, "contact_law"))
        settle(qtbot, 30)
    held = [weakref.ref(thing) for thing in (window, window.context, window.presenter.scene)]
    assert isinstance(held[1](), Context) and isinstance(held[2](), Scene)
    window.close()
    return held


def swept(qtbot) -> None:
    for _ in range(5):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()


@pytest.mark.window
def test_a_closed_window_leaves_nothing_behind(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path))
    before = set(QApplication.allWidgets())
    held = open_and_close(qtbot, every_panel=False)
    swept(qtbot)
    assert [ref() for ref in held] == [None, None, None]
    assert not set(QApplication.allWidgets()) - before


@pytest.mark.window
@pytest.mark.slow  # eight windows with all their panels, and the law editor
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read as Linux tells it")
def test_eight_windows_take_no_more_than_four(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("FAYING_HOME", str(tmp_path))
    taken = []
    for i in range(8):
        held = open_and_close(qtbot, every_panel=i < 4)
        swept(qtbot)
        assert [ref() for ref in held] == [None, None, None]
        taken.append(resident_megabytes())
    assert taken[-1] - taken[3] < 20.0  # of a leak each window took 20; fifty without one took 11 in all


def test_garbage_is_collected_by_the_windows_thread_alone(qtbot):
    class Cycle:
        def __init__(self):
            self.me = self

        def __del__(self):
            destroyed_by.add(threading.current_thread())

    destroyed_by: set[threading.Thread] = set()
    collector = GarbageCollector()
    try:
        with ThreadPoolExecutor(1) as elsewhere:  # as frames are read ahead
            elsewhere.submit(lambda: [Cycle() for _ in range(5000)] and None).result()
        assert not destroyed_by
        qtbot.waitUntil(lambda: bool(destroyed_by))
        assert destroyed_by == {threading.main_thread()}
    finally:
        collector.stop()
    assert gc.isenabled()
