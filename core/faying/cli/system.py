"""What this machine offers: cores, a display, graphics libraries. It imports no Qt, since it runs before Qt starts.

Qt ends the whole process when its platform plugin cannot load, so the libraries that it needs are looked for
here first; where that does not settle it, Qt is started in a child process as a trial.
"""

import ctypes
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec

from faying.linalg.threads import physical_cores

# What Qt's xcb plugin and VTK load at run time: file and the Debian package that brings it.
WINDOW_LIBRARIES = {
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
}
PICTURE_LIBRARIES = {"libEGL.so.1": "libegl1", "libGL.so.1": "libgl1"}

CORE_ALONE = (
    "Faying is installed without its window, pictures and films (faying-core). "
    "To have them, install the whole: pip install . at the top of its source."
)
# Platform plugins of Qt that start on any machine and show no window.
_UNSEEN = ("offscreen", "minimal", "minimalegl")
_TRY_QT = "from PySide6.QtWidgets import QApplication as A; A([]); print('ready')"
_TRY_GL = """
import vtkmodules.vtkRenderingOpenGL2
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow
window = vtkRenderWindow()
window.SetOffScreenRendering(1)
window.SetSize(16, 16)
window.AddRenderer(vtkRenderer())
window.Render()
for line in window.ReportCapabilities().splitlines():
    if "renderer string" in line:
        print("renderer", line.split(":", 1)[1].strip())
"""


def is_linux() -> bool:
    """Return whether windows need X or Wayland here, rather than a system's own."""
    return sys.platform not in ("win32", "darwin", "cygwin")


@cache
def has_window() -> bool:
    """Return whether the window's package is installed, and not the computation alone."""
    return find_spec("faying_app") is not None


def display() -> str:
    """Return the name of the display, "" when there is none."""
    if not is_linux():
        return "native"
    return os.environ.get("DISPLAY", "") or os.environ.get("WAYLAND_DISPLAY", "")


def missing_libraries(libraries: dict[str, str] = WINDOW_LIBRARIES) -> dict[str, str]:
    """Return those of the libraries (file: Debian package) that cannot be loaded here."""
    if not is_linux():
        return {}
    return {name: package for name, package in libraries.items() if not _loads(name)}


@cache
def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def install_sentence(packages: list[str] | tuple[str, ...]) -> str:
    """Return the command that installs Debian packages."""
    return f"Install on Debian or Ubuntu: sudo apt-get install {' '.join(packages)}"


def why_no_qt() -> str:
    """Return why Qt's xcb platform could not start even with a display; "" when its libraries are here."""
    missing = missing_libraries()
    if not missing:
        return ""
    return f"Qt needs {', '.join(missing)}. {install_sentence(list(missing.values()))}"


def why_no_window() -> str:
    """Return a sentence why no window can be opened here; "" when one can.

    Looks for a display and for the libraries, then connects to the X server. On other platforms than X, Windows and
    macOS, such as Wayland, Qt is started in a child process instead.
    """
    if not has_window():
        return CORE_ALONE
    platform = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
    if platform in _UNSEEN:
        return f"QT_QPA_PLATFORM is set to {platform}, which shows nothing; unset it."
    if not is_linux():
        return ""
    if not display():
        return "There is no screen (neither DISPLAY nor WAYLAND_DISPLAY is set)."
    if not os.environ.get("WAYLAND_DISPLAY") and why_no_qt():
        return why_no_qt()
    if platform in ("", "xcb") and not os.environ.get("WAYLAND_DISPLAY") and x_answers():
        return ""
    return _qt_starts()


def x_answers() -> bool:
    """Return whether the X server that DISPLAY names accepts a connection; tried with libxcb, as Qt does."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    answers = bool(xcb.xcb_connection_has_error(connection) == 0)
    xcb.xcb_disconnect(connection)
    return answers


@cache
def _qt_starts() -> str:
    code, output, errors = _child(_TRY_QT)
    if code == 0 and "ready" in output:
        return ""
    return f"Qt cannot open a window on display {display()}: {_reason(errors) or f'exit code {code}'}."


def headless_environment() -> dict[str, str]:
    """Return environment variables that let VTK draw pictures without a display; empty with one."""
    if display() or not is_linux() or "VTK_DEFAULT_OPENGL_WINDOW" in os.environ:
        return {}
    return {"VTK_DEFAULT_OPENGL_WINDOW": "vtkEGLRenderWindow"}


@cache
def graphics_renderer() -> tuple[str, str]:
    """Return (name of the OpenGL renderer, ""), or ("", why no picture can be drawn); tried in a child."""
    if not has_window():
        return "", CORE_ALONE
    code, output, errors = _child(_TRY_GL, headless_environment())
    for line in output.splitlines():
        if line.startswith("renderer "):
            return line.removeprefix("renderer "), ""
    missing = missing_libraries(PICTURE_LIBRARIES)
    if missing:
        packages = [*missing.values(), "libgl1-mesa-dri"]
        return "", f"OpenGL needs {', '.join(missing)}. {install_sentence(packages)}"
    why = _reason(errors) or f"exit code {code}"
    return "", f"VTK draws nothing here ({why}). {install_sentence(['libgl1-mesa-dri'])}"


def _child(code: str, environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    variables = {**os.environ, **(environment or {}), "PYTHONUNBUFFERED": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True, text=True, timeout=120, env=variables, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return -1, "", "no answer within two minutes"
    return done.returncode, done.stdout, done.stderr


def _reason(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    reasons = [line for line in lines if "could not" in line.lower() or "cannot" in line.lower()]
    return (reasons[:1] or lines[-1:] or [""])[0].rstrip(".")


def use_physical_cores() -> None:
    """Set the thread counts of numerical libraries; to be called before numpy is imported.

    Hyper-threads slow dense kernels down; idle OpenMP threads that spin slow everything else down.
    """
    count = str(physical_cores())
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, count)
    os.environ.setdefault("KMP_BLOCKTIME", "0")
