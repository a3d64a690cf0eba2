"""Where the tests run: a display for the 3D window if there is a way to one, else one loud line.

With a display, or with Xvfb installed (then started here), the tests marked ``window`` run in a real
window and VTK really renders. Otherwise they are skipped, unless FAYING_REQUIRE_WINDOW=1, which fails the
run. Qt ends the whole process when its platform plugin cannot load: that is found out first, in a child.
"""

import contextlib
import ctypes
import os
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from faying.cli import system

system.use_physical_cores()
os.environ.setdefault("QT_API", "pyside6")
os.environ["PYVISTA_OFF_SCREEN"] = "false"  # "true" would make every view in a window black
os.environ.setdefault("FAYING_HOME", str(Path(__file__).parents[1] / "build" / "test-home"))

import pytest  # noqa: E402 - the variables above count at import

BUILD = Path(__file__).parents[1] / "build"
_xvfb: subprocess.Popen[bytes] | None = None
_why_no_window = ""


def _die_with_the_parent() -> None:
    """Let the kernel end Xvfb when the tests are killed (prctl PR_SET_PDEATHSIG)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _start_xvfb() -> str:
    """Start Xvfb on a free display, in a process group of its own; return why that failed, or ""."""
    global _xvfb
    program = shutil.which("Xvfb")
    if not program:
        return "there is neither a display nor Xvfb. " + system.install_sentence(["xvfb"])
    read, write = os.pipe()
    # Without -noreset the server starts anew when its last client leaves, and refuses the next one meanwhile.
    _xvfb = subprocess.Popen(
        [program, "-displayfd", str(write), "-screen", "0", "1920x1200x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, preexec_fn=_die_with_the_parent,
    )  # fmt: skip
    os.close(write)
    number = b""
    while not number.endswith(b"\n") and select.select([read], [], [], 30)[0]:
        got = os.read(read, 16)
        if not got:
            break
        number += got
    os.close(read)
    if not number.strip():
        return "Xvfb is installed but does not start."
    os.environ["DISPLAY"] = f":{number.decode().strip()}"
    return ""


def pytest_configure(config: pytest.Config) -> None:
    """Find or make a display, and decide whether window tests can run."""
    global _why_no_window
    if hasattr(config, "workerinput") and "FAYING_WHY_NO_WINDOW" in os.environ:
        _why_no_window = os.environ["FAYING_WHY_NO_WINDOW"]  # a worker of pytest-xdist: decided already
    else:
        _why_no_window = _decide()
        os.environ["FAYING_WHY_NO_WINDOW"] = _why_no_window
    # Everything of Qt but the 3D view also works without a screen.
    os.environ["QT_QPA_PLATFORM"] = "offscreen" if _why_no_window else _platform()
    if _why_no_window and os.environ.get("FAYING_REQUIRE_WINDOW") == "1":
        raise pytest.UsageError(
            f"FAYING_REQUIRE_WINDOW is set, but no window can be opened: {_why_no_window}"
        )


def _platform() -> str:
    return "xcb" if system.is_linux() and os.environ.get("DISPLAY") else os.environ.get("QT_QPA_PLATFORM", "")


def _decide() -> str:
    if system.is_linux():
        os.environ.pop("QT_QPA_PLATFORM", None)
        if not system.display():
            why = system.why_no_qt() or _start_xvfb()
            if why:
                return why
        if os.environ.get("DISPLAY"):
            os.environ["QT_QPA_PLATFORM"] = "xcb"
    return system.why_no_window()


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the Xvfb that was started here."""
    if _xvfb is not None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(_xvfb.pid, signal.SIGTERM)
        _xvfb.wait(10)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests of the 3D window where no window can be opened."""
    if _why_no_window:
        for item in items:
            if item.get_closest_marker("window"):
                item.add_marker(pytest.mark.skip(reason="no window here"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one loud line that window tests were skipped; fail when they must not be."""
    skipped = terminalreporter.stats.get("skipped", [])
    missed = [report for report in skipped if "window" in report.keywords]
    if missed:
        why = _why_no_window or "see above"
        terminalreporter.write_line(
            f"!!! {len(missed)} TESTS OF THE 3D WINDOW WERE SKIPPED: {why}", red=True, bold=True
        )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With FAYING_REQUIRE_WINDOW=1 a skipped window test fails the run."""
    if os.environ.get("FAYING_REQUIRE_WINDOW") != "1":
        return
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    stats = reporter.stats if reporter else {}
    if any("window" in report.keywords for report in stats.get("skipped", [])):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def screenshots() -> Path:
    """Folder for pictures of the window."""
    folder = BUILD / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(autouse=True)
def _no_vtk_errors(request: pytest.FixtureRequest) -> Iterator[None]:
    """A VTK error or warning fails a window test; VTK itself only prints."""
    if request.node.get_closest_marker("window") is None:
        yield
        return
    from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow

    before, sink = vtkOutputWindow.GetInstance(), vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(sink)
    yield
    text = sink.GetOutput()
    vtkOutputWindow.SetInstance(before)
    assert not text.strip(), f"VTK says: {text}"
