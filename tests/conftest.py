"""Where and how the tests run: on all cores, slow ones only when asked for, window tests on a screen of their own.

A run of whole folders is shared out over the cores if pytest-xdist is here (``-n 0`` prevents it). Tests marked
``slow`` run with ``-m slow``, with ``--all``, and when they are named one by one.

Window tests need a display: the one that there is, or Xvfb, started here; of several processes each starts its own.
Otherwise they are skipped, and one loud line says so, unless FAYING_REQUIRE_WINDOW=1, which fails the run. Qt ends the
whole process when its platform plugin cannot load: that is found out first, in a child. A run without window tests
looks for none of this.
"""

import contextlib
import ctypes
import gc
import importlib.util
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from faying.cli import system
from faying.linalg.freed_memory import give_back_freed_memory
from faying.linalg.threads import physical_cores

TOP = Path(__file__).parents[1]
BUILD = TOP / "build"
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
_NO_WINDOW = "no window here: "
# The last is that of Mesa, which draws without a graphics card: a tenth of the time of windows goes into its threads.
_THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "LP_NUM_THREADS",
)
_undecided_threads = [name for name in _THREADS if name not in os.environ]
_AT_TOP = pytest.StashKey[set[str]]()
_xvfb: subprocess.Popen[bytes] | None = None  # ends with this process

if sys.dont_write_bytecode:
    # Tests start a hundred processes that import Faying: compiled once, kept out of the source tree.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(BUILD / "pycache")
    sys.dont_write_bytecode = False

with contextlib.suppress(ImportError):  # Windows
    import resource

    # Some tests let a child die; a system that keeps its memory would leave that at the top of the checkout.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))

# These count at the first import of numpy or Qt, so before the tests' own modules.
system.use_physical_cores()
os.environ.setdefault("QT_API", "pyside6")
os.environ["PYVISTA_OFF_SCREEN"] = "false"  # "true" would make every view in a window black
if _WORKER:
    os.environ["FAYING_HOME"] = str(BUILD / f"test-home-{_WORKER}")
else:
    os.environ.setdefault("FAYING_HOME", str(BUILD / "test-home"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--all`` and ``--manual-pictures``."""
    parser.addoption("--all", action="store_true", help="run slow tests, too")
    parser.addoption(
        "--manual-pictures", action="store_true", help="put the pictures that tests take into the manual"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Share a large run out over the cores, with one thread each, before pytest-xdist reads its options."""
    if (
        not _WORKER
        and config.pluginmanager.hasplugin("xdist")
        and config.option.numprocesses is None
        and not config.option.collectonly
        and not config.option.usepdb
        and _names_folders(config)
        and _each_can_have_a_screen()
        and physical_cores() > 1
    ):
        config.option.numprocesses = physical_cores()
        config.option.dist = "worksteal"  # keeps neighbours, and so what they share, in one process
        os.environ.update(dict.fromkeys(_undecided_threads, "1"))


def _names_folders(config: pytest.Config) -> bool:
    """Return whether the run is a large one; a few files are done before other processes have started."""
    return any((config.invocation_params.dir / name).is_dir() for name in config.args)


def _each_can_have_a_screen() -> bool:
    """Return whether processes need not meet on one screen, which has one pointer and one focus."""
    return system.is_linux() and (shutil.which("Xvfb") is not None or not system.display())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow tests, unless they are asked for, and skip those that need a package that is not here."""
    for item in items:
        lacking = [
            name
            for mark in item.iter_markers("needs")
            for name in mark.args
            if importlib.util.find_spec(name) is None
        ]
        if lacking:
            item.add_marker(pytest.mark.skip(reason=f"{', '.join(lacking)}: not installed"))
    if config.option.all or config.option.markexpr:
        return
    named = [name.replace("\\", "/").rsplit("/", 1)[-1] for name in config.args if "::" in name]

    def is_named(item: pytest.Item) -> bool:
        own = item.nodeid.rsplit("/", 1)[-1]
        return any(own == name or own.startswith((f"{name}::", f"{name}[")) for name in named)

    left = [item for item in items if item.get_closest_marker("slow") and not is_named(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        out = set(left)
        items[:] = [item for item in items if item not in out]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Find or make a display if window tests are going to run, and skip them where no window can be opened."""
    # Thousands of tests and all modules live to the end: the collector need not look at them again and again.
    gc.collect()
    gc.freeze()
    tests = [item for item in session.items if item.get_closest_marker("window")]
    if session.config.option.collectonly:
        return
    why = _why_no_window() if tests else ""
    # Everything of Qt but the 3D view also works without a screen.
    os.environ["QT_QPA_PLATFORM"] = _platform() if tests and not why else "offscreen"
    if tests and not why:
        _begin_qt()
    if why:
        for item in tests:
            item.add_marker(pytest.mark.skip(reason=_NO_WINDOW + why))


def _begin_qt() -> None:
    """Make the process' one application on the screen: a test that draws curves first would make one without."""
    from PySide6.QtWidgets import QApplication

    if QApplication.instance() is None:
        QApplication(["faying"])  # PySide keeps it alive


def _platform() -> str:
    return "xcb" if system.is_linux() and os.environ.get("DISPLAY") else os.environ.get("QT_QPA_PLATFORM", "")


def _why_no_window() -> str:
    """Start Xvfb where that is needed; return why no window can be opened, or ""."""
    if system.is_linux():
        os.environ.pop("QT_QPA_PLATFORM", None)
        if not system.display() or (_WORKER and shutil.which("Xvfb")):
            why = system.why_no_qt() or _start_xvfb()
            if why:
                return why
        if os.environ.get("DISPLAY"):
            os.environ["QT_QPA_PLATFORM"] = "xcb"
    return system.why_no_window()


def _start_xvfb() -> str:
    """Start Xvfb on a free display, in a process group of its own; return why that failed, or ""."""
    global _xvfb
    program = shutil.which("Xvfb")
    if not program:
        return "there is neither a display nor Xvfb. " + system.install_sentence(["xvfb"])
    read, write = os.pipe()
    # Without -noreset the server starts again when its last client leaves, and refuses the next one meanwhile.
    _xvfb = subprocess.Popen(
        [program, "-displayfd", str(write), "-screen", "0", "1920x1200x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[write], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True, preexec_fn=_die_with_the_parent,
    )  # fmt: skip
    os.close(write)
    number = b""
    while not number.endswith(b"\n") and select.select([read], [], [], 120)[0]:
        got = os.read(read, 16)
        if not got:
            break
        number += got
    os.close(read)
    if not number.strip():
        return "Xvfb is installed but does not start."
    os.environ["DISPLAY"] = f":{number.decode().strip()}"
    os.environ.pop("WAYLAND_DISPLAY", None)
    return ""


def _die_with_the_parent() -> None:
    """Let the kernel end Xvfb after the tests, however they end (prctl PR_SET_PDEATHSIG).

    Not before: Xlib ends a process that loses its screen with code 1, and VTK's windows live until the last moment.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one loud line that window tests were skipped."""
    missed = _missed(terminalreporter)
    if missed:
        _, _, why = missed[0].longrepr  # type: ignore[misc]
        why = str(why).rpartition(_NO_WINDOW)[2]
        terminalreporter.write_line(
            f"!!! {len(missed)} TESTS OF THE 3D WINDOW WERE SKIPPED: {why}", red=True, bold=True
        )


def pytest_sessionstart(session: pytest.Session) -> None:
    """Remember what is at the top of the checkout."""
    session.config.stash[_AT_TOP] = _at_top()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Fail a test that left a file at the top by name; of several processes, also the one that ran beside it.

    After each file, what it freed goes back to the system: a command line run here lets 500 MB be kept.
    """
    yield
    if nextitem is None or nextitem.path != item.path:
        give_back_freed_memory()
    left = sorted(_at_top() - item.config.stash[_AT_TOP])
    if left:
        item.config.stash[_AT_TOP] |= set(left)
        pytest.fail(
            f"{', '.join(left)} left at the top of the checkout, by this test or one beside it", False
        )


def _at_top() -> set[str]:
    """Return the names of files and folders at the top; those of tools begin with a dot."""
    return {path.name for path in TOP.iterdir() if not path.name.startswith(".")} - {"build"}


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that left a file at the top, and with FAYING_REQUIRE_WINDOW=1 one that skipped a window test."""
    left = sorted(_at_top() - session.config.stash[_AT_TOP])
    if left and not _WORKER:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        sys.stderr.write(f"\nThe tests left {', '.join(left)} at the top of the checkout.\n")
    plugins = session.config.pluginmanager
    if "hypothesis" not in sys.modules and plugins.has_plugin("hypothesispytest"):
        plugins.unregister(
            name="hypothesispytest"
        )  # its summary imports all of it, half a second, to say nothing
    reporter = plugins.get_plugin("terminalreporter")
    if os.environ.get("FAYING_REQUIRE_WINDOW") == "1" and reporter and _missed(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _missed(reporter: pytest.TerminalReporter) -> list[pytest.TestReport]:
    """Return the reports of tests that were skipped since no window can be opened."""
    return [report for report in reporter.stats.get("skipped", []) if _NO_WINDOW in str(report.longrepr)]


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
