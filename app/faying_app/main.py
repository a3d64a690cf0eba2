"""Starts the window."""

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

# What is loaded while the window waits for its user, a piece at a time: what the first deck, plot, colour map and law
# editor need. Loading them before the window is shown would make it late by as long as all of this takes.
_WHEN_IDLE = (
    "scipy.spatial",
    "pyqtgraph.Qt",
    "faying_app.plotting.axis",
    "matplotlib",
    "faying_app.law_editor.dialog",
)
INTERRUPTED = 130  # exit code, as of the command line
_IDLE = 1500  # milliseconds after the window was shown


def main(argv: list[str] | None = None) -> int:
    """Open the window, with a file if one is named; return the exit code.

    Args:
        argv: words after the program's name; those of the process by default.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    os.environ.setdefault("QT_API", "pyside6")
    from faying.cli.system import why_no_window
    from faying.foreign_settings import without_settings_of_the_folder

    why = why_no_window()
    if why:
        sys.stderr.write(f"error: no window can be opened: {why}\n")
        return 1
    with without_settings_of_the_folder():
        return _show([Path(word) for word in words if not word.startswith("-")][:1])


def _show(files: list[Path]) -> int:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    # One per process; a test's is taken over.
    app = QApplication.instance() or QApplication([sys.argv[0]])
    assert isinstance(app, QApplication)
    app.setApplicationName("Faying")
    app.setApplicationDisplayName("Faying")
    window = open_window(app)
    from faying_app.shell.ending_signals import EndingSignals
    from faying_app.shell.opened_files import OpenedFiles

    ending = EndingSignals(app)
    ending.asked.connect(lambda name: _end(window, name))

    def begin() -> None:
        dialog = window.offer_recovery()
        if files and dialog is None:
            window.open_path(files[0])
        elif files and dialog is not None:
            dialog.rejected.connect(lambda: window.open_path(files[0]))

    app.installEventFilter(OpenedFiles(window.open_path, window))
    QTimer.singleShot(0, begin)
    load_the_rest(window)
    code = int(app.exec())
    ending.remove()
    return code


def _end(window: Any, name: str) -> None:
    """End the process by a signal: what is in no file is kept for the next start."""
    kept = window.end_at_once()
    stays = "What is in no file is offered at the next start" if kept else "Everything is in its file"
    with suppress(OSError, AttributeError):  # the terminal is closed, or there never was one
        sys.stderr.write(f"error: interrupted by {name}. {stays}.\n")
        sys.stderr.flush()
    # Qt's own end would first have to leave every dialog that is open, each with its question.
    os._exit(INTERRUPTED)


def open_window(app: Any) -> Any:
    """Show and return the main window, with a splash screen while its modules load."""
    from faying_app.look.splash import splash

    standing = splash()
    standing.show()
    app.processEvents()
    from threadpoolctl import threadpool_limits

    from faying_app.logs import start_log
    from faying_app.look.icons import application_icon

    app.setWindowIcon(application_icon())
    start_log()
    from faying_app.shell.collector import GarbageCollector
    from faying_app.shell.window import MainWindow

    # Solvers run in the child process. Here threads of linear algebra would spin between the pictures of an animation
    # and take a processor from whoever draws.
    threadpool_limits(limits=1, user_api="blas")
    GarbageCollector(app)
    window = MainWindow()
    window.show()
    standing.finish(window)
    window.runner.warm_up()
    return window


def load_the_rest(window: Any) -> None:
    """Load what the first deck, curve, colour map and law editor need, piece by piece while the window waits."""
    from PySide6.QtCore import QTimer

    from faying.analyses import analyses
    from faying.fem.readers import readers
    from faying.joints.contact_laws import contact_laws
    from faying.joints.friction_laws import friction_laws
    from faying.results.fields import fields

    families = (readers, contact_laws, friction_laws, analyses, fields)
    waiting: list[Callable[[], object]] = [family.discover for family in families]
    waiting += [partial(import_module, name) for name in _WHEN_IDLE]

    def load() -> None:
        waiting.pop(0)()
        if waiting:
            QTimer.singleShot(50, window, load)
        else:  # what is there by now stays to the end: a collection need not look through it again and again
            gc.collect()
            gc.freeze()

    QTimer.singleShot(_IDLE, window, load)


if __name__ == "__main__":
    raise SystemExit(main())
