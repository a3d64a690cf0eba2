"""The machine of the tests: a window test runs in a window that VTK draws in."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest


@pytest.mark.window
def test_vtk_renders_in_a_shown_window(qtbot):
    import pyvista as pv
    from pyvistaqt import QtInteractor

    view = QtInteractor(None, auto_update=False, multi_samples=0)
    qtbot.addWidget(view, before_close_func=lambda widget: widget.close())
    view.resize(400, 300)
    with qtbot.waitExposed(view):
        view.show()
    view.set_background("white")
    view.add_mesh(pv.Cube(), color="red")
    view.render()
    picture = np.asarray(view.screenshot(None, return_img=True))[..., :3].astype(int)
    red = (picture[..., 0] > picture[..., 1] + 60).mean()
    assert 0.05 < red < 0.9
    assert "OpenGL" in view.render_window.ReportCapabilities()


DRAWN_FIRST = """
import pytest

def test_a_curve(tmp_path):
    from faying.cli import main
    assert main(["plot-law", "linear_penalty", "--to", str(tmp_path / "law.png")]) == 0

@pytest.mark.window
def test_a_window(qtbot):
    import os
    from PySide6.QtGui import QGuiApplication
    assert QGuiApplication.platformName() not in ("offscreen", "minimal"), os.environ.get("QT_QPA_PLATFORM")
"""


@pytest.mark.window
@pytest.mark.slow  # tests of its own, in a process of their own
def test_curves_drawn_before_the_first_window_leave_it_its_screen(tmp_path):
    """Qt has one application in a process: a picture without a window must not be what makes it."""
    tests, file = Path(__file__).parents[1], tmp_path / "test_drawn_first.py"
    file.write_text(DRAWN_FIRST)
    paths = os.pathsep.join([str(tests), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [
            sys.executable, "-m", "pytest", "-c", str(tests.parent / "pyproject.toml"), "-p", "conftest", "-n", "0",
            "-q", str(file),
        ],
        capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
