"""The machine of the tests: a window test runs in a window that VTK draws in."""

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
