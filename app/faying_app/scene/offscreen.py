"""A picture that VTK draws out of sight, in plain VTK: pyvista's plotter would load matplotlib with the window."""

import os
import sys
from typing import Any

import numpy as np
import vtkmodules.vtkRenderingFreeType
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - the class that draws, as above the one that writes
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

MULTI_SAMPLES = 4  # of each pixel of a picture that stays, for smooth edges


class Offscreen:
    """A renderer and its window, which nobody sees.

    Args:
        size: width and height in pixels.

    Attributes:
        renderer, render_window: VTK's.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
            # Without X VTK draws through EGL; asking for it spares a complaint about the missing display.
            os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
        self.renderer, self.render_window = vtkRenderer(), vtkRenderWindow()
        self.render_window.SetMultiSamples(0)
        self.render_window.SetOffScreenRendering(1)
        if hasattr(self.render_window, "SetConnectContextToNSView"):
            self.render_window.SetConnectContextToNSView(
                False
            )  # else macOS makes a window and shows its icon
        self.render_window.AlphaBitPlanesOn()
        self.render_window.SetSize(*size)
        self.render_window.AddRenderer(self.renderer)
        self._bytes = vtkUnsignedCharArray()

    def pixels(self) -> np.ndarray:
        """Return (height, width, 4) bytes of the last picture, top row first, as a copy."""
        window: Any = self.render_window
        width, height = window.GetSize()
        window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 1, self._bytes)
        # VTK counts rows upwards, and writes the next picture into the same memory.
        return np.ascontiguousarray(vtk_to_numpy(self._bytes).reshape(height, width, 4)[::-1])

    def close(self) -> None:
        """Give back everything of OpenGL."""
        self.renderer.RemoveAllViewProps()
        self.renderer.RemoveAllLights()
        self.render_window.Finalize()
        self.render_window.RemoveRenderer(self.renderer)
