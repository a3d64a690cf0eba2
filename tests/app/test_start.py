"""What a start costs: a splash at once, and nothing loaded that the first window does not show."""

import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from faying_app.shell.opened_files import OpenedFiles

pytestmark = pytest.mark.window

# Each takes from a tenth of a second to two to load; a window without a curve or a coloured field has no use for them.
TOO_EARLY = (
    "matplotlib", "pyvista.plotting", "pyqtgraph.functions", "pyqtgraph.graphicsItems", "numba", "pint", "scipy.signal",
    "scipy.stats", "scipy.optimize", "scipy.interpolate", "scipy.integrate", "scipy.io", "scipy.spatial", "imageio",
    "faying_app.law_editor", "faying_app.plotting.axis", "faying.fem.readers.abaqus", "faying.results.fields.pressure",
)  # fmt: skip
_START = """
import sys, time
from faying.cli import system
system._child = lambda *_: sys.exit("a child process was tried")
assert system.why_no_window() == ""
from PySide6.QtWidgets import QApplication, QLabel, QSplashScreen
app = QApplication([])
from faying_app import main
shown = QSplashScreen.show
QSplashScreen.show = lambda splash: (shown(splash), print("splash", time.process_time(), len(sys.modules)))
window = main.open_window(app)
for _ in range(5):
    app.processEvents()
assert "Friction bar" in {label.text() for label in window.start_page.findChildren(QLabel)}
print("window", time.process_time(), len(sys.modules))
print("loaded", *sys.modules)
window.close()
"""


@pytest.mark.slow  # a process of its own, which no other test can share
def test_a_file_that_the_desktop_asks_to_open_is_opened(qtbot, tmp_path):
    opened = []
    app = QApplication.instance()
    watcher = OpenedFiles(opened.append, app)
    app.installEventFilter(watcher)
    QApplication.sendEvent(app, QFileOpenEvent(str(tmp_path / "bar.faying")))
    app.removeEventFilter(watcher)
    watcher.deleteLater()
    assert opened == [tmp_path / "bar.faying"]


@pytest.mark.slow  # seconds in the window, and not what decides alone
def test_a_start_loads_what_the_first_window_shows(tmp_path):
    environment = {**os.environ, "FAYING_HOME": str(tmp_path), "LIBGL_ALWAYS_SOFTWARE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _START], capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    splash, window = (int(lines[name].split()[1]) for name in ("splash", "window"))
    # 240 and 1878 modules when this was written, without the developers' tools.
    assert splash < 300 and window < 1900
    loaded = lines["loaded"].split()
    early = {
        name for name in loaded if any(name == each or name.startswith(f"{each}.") for each in TOO_EARLY)
    }
    assert not early
