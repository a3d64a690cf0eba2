"""Counts the files of Faying that are visited on the way of one thing through the program.

    python -m tests.walks [--files] [pair mode project step press]

A file counts when one of its functions is called in this process on the way, kernels included. All modules are imported
before, so that imports count for nothing. `--files` prints names. The press of a button needs a display; on Linux
without one: `xvfb-run -a python -m tests.walks`.
"""

import argparse
import os
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

TOP = Path(__file__).parents[1]
sys.path[:0] = [str(TOP / folder) for folder in ("core", "app", "resources", "tests")]
_ALL = tempfile.TemporaryDirectory(prefix="faying-walks-", ignore_cleanup_errors=True)  # goes at the end
os.environ["FAYING_HOME"] = tempfile.mkdtemp(dir=_ALL.name)
os.environ.setdefault("QT_API", "pyside6")
os.environ["PYVISTA_OFF_SCREEN"] = "false"

_OWN = tuple(str(TOP / folder) + os.sep for folder in ("core/faying", "app/faying_app"))
_FUNCTION = 1  # the flag of the code of functions, which modules and classes have not


class Walk:
    """The files that are visited while it is on."""

    def __init__(self) -> None:
        self.files: set[str] = set()

    @contextmanager
    def on(self, on: bool = True) -> Iterator[None]:
        """Look, or look away, as long as the block lasts."""
        before = sys.getprofile()
        sys.setprofile(self._look if on else None)
        try:
            yield
        finally:
            sys.setprofile(before)

    def go_on(self) -> None:
        """Look from now on."""
        sys.setprofile(self._look)

    def _look(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & _FUNCTION and code.co_filename.startswith(_OWN):
            self.files.add(os.path.relpath(code.co_filename, TOP))


def pair() -> Iterator[tuple[str, Walk]]:
    """From the deck of the friction bar to its contact pairs."""
    from faying.examples import examples
    from faying.session import Session

    walk, session = Walk(), Session(examples["friction-bar"]().build(quick=True))
    with walk.on():
        session.find_pairs()
    yield "contact pair", walk


def mode() -> Iterator[tuple[str, Walk]]:
    """From contact pairs to the body of two plates, reduced with joint modes."""
    session = _plates()
    session.find_pairs()
    walk = Walk()
    with walk.on():
        session.reduce()
    yield "joint mode", walk


def project() -> Iterator[tuple[str, Walk]]:
    """A project with results, saved and opened again."""
    from faying.session import read

    session, folder, walk = _plates(), _folder(), Walk()
    session.solve("press")
    with walk.on():
        session.save(folder / "plates.faying")
        read(folder / "plates.faying").results("press").close()
    yield "saved project", walk


def step() -> Iterator[tuple[str, Walk]]:
    """The fifty-first step of two jointed plates that swing about a hinge and are pushed."""
    from faying.solvers.integrators._stepping import SteppedIntegrator
    from support.systems import jointed_plates_model, moved, system_of

    walk, steps = Walk(), 0
    inner: Callable[..., Any] = SteppedIntegrator.integrate

    def integrate(
        self: Any, system: Any, start: Any, end: float, accepted: Any, *rest: Any, **more: Any
    ) -> Any:
        def counted(*states: Any) -> None:
            nonlocal steps
            sys.setprofile(None)
            accepted(*states)
            steps += 1
            if steps == 50:
                walk.go_on()

        def remember(recall: Any) -> None:  # from time to time, by the clock
            with walk.on(False):
                more_remember(recall)

        if more_remember := more.get("remember"):
            more["remember"] = remember
        return inner(self, system, start, end, counted, *rest, **more)

    down, settings = (-1.5708, 0.0, 0.0), {"tolerance": 1e-5, "first_step": 1e-7, "largest_step": 2e-6}
    hold = {"name": "hold", "interface": "HOLD", "rotation": down}
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0), "rotation": down}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "markers": [hold]}],
        constraints=[{"kind": "revolute", "name": "hinge", "first": "ground.wall", "second": "plates.hold"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (0, 0, -20.0),
                 "time_history": {"kind": "haversine", "rise_time": 1e-4}}],
    )  # fmt: skip
    SteppedIntegrator.integrate = integrate  # type: ignore[method-assign]
    try:
        moved(spec, _folder(), 2e-4, {"plates": jointed_plates_model()}, frames=10, **settings)
    finally:
        SteppedIntegrator.integrate = inner  # type: ignore[method-assign]
    assert steps > 50
    yield "one step", walk


def press() -> Iterator[tuple[str, Walk]]:
    """Compute reduction basis, then Run analysis of two plates, until the press returns and until all is shown."""
    if sys.platform == "linux" and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        print("a press of Run needs a display: xvfb-run -a python -m tests.walks")
        return
    from PySide6.QtWidgets import QApplication, QMessageBox

    from faying_app.shell.window import MainWindow
    from support.windows import plates_in, settle, wait_for_frames, wait_idle

    app, bot, window = QApplication.instance() or QApplication([]), _Waiting(), MainWindow()
    window.resize(1280, 800)
    window.show()
    plates_in(bot, window, _folder(), analysis=True)
    presses = (("compute_basis", ("bodies", 0)), ("run_analysis", ("analyses", 0)))
    for kind, at in presses:
        window.context.selection.select(at)
        wait_idle(bot, window)
        settle(bot, 600)  # checks, too, have been made
        walk, title = Walk(), window.menus.actions[kind].title
        with walk.on():
            window.menus.qt_actions[kind].trigger()
        yield f"press of {title}, until it returns", walk
        with walk.on():
            bot.waitUntil(lambda: not window.runner.is_busy, timeout=100000)
            if kind == "run_analysis":
                wait_for_frames(bot, window)
            settle(bot, 600)
        yield f"press of {title}, until all is shown", walk
    QMessageBox.exec = lambda box: QMessageBox.StandardButton.Discard  # type: ignore[assignment, method-assign]
    window.close()
    app.processEvents()


class _Waiting:
    """What `support.windows` needs of pytest-qt."""

    def wait(self, milliseconds: int) -> None:
        from PySide6.QtCore import QEventLoop, QTimer

        loop = QEventLoop()
        QTimer.singleShot(milliseconds, loop.quit)
        loop.exec()

    def waitUntil(self, condition: Callable[[], bool], timeout: int) -> None:
        for _ in range(timeout // 10):
            if condition():
                return
            self.wait(10)
        raise TimeoutError


def _folder() -> Path:
    return Path(tempfile.mkdtemp(dir=_ALL.name))


def _plates() -> Any:
    from faying.session import Session
    from faying.testing.plates import plates, write_plate_deck

    return Session(plates(write_plate_deck(_folder() / "plates.inp")))


WALKS = {walk.__name__: walk for walk in (pair, mode, project, step, press)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.walks", description=__doc__)
    parser.add_argument("walks", nargs="*", choices=[*WALKS, []], help="all of them by default")
    parser.add_argument("--files", action="store_true", help="print the names of the files, too")
    arguments = parser.parse_args()
    names = arguments.walks or list(WALKS)
    for package in ("faying", "faying_app") if "press" in names else ("faying",):
        found = pkgutil.walk_packages(import_module(package).__path__, f"{package}.")
        for name in (each.name for each in found):
            if not name.endswith("__main__") and ".testing" not in name:
                import_module(name)
    from faying.compiled import all_kernels

    for kernel in all_kernels.values():
        kernel.run = kernel.source  # machine code is not seen
    for name in names:
        for title, walk in WALKS[name]():
            print(f"{len(walk.files):4} files: {title}", flush=True)
            if arguments.files:
                print("\n".join(sorted(walk.files)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
