"""Starts the window."""

import os
import sys
from pathlib import Path


def main(argv: list[str] | None = None) -> int:
    """Open the window, with a file if one is named; return the exit code.

    Args:
        argv: words after the program's name; those of the process by default.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    os.environ.setdefault("QT_API", "pyside6")
    from faying.cli.system import why_no_window

    why = why_no_window()
    if why:
        sys.stderr.write(f"error: no window can be opened: {why}\n")
        return 1
    return _show([Path(word) for word in words if not word.startswith("-")][:1])


def _show(files: list[Path]) -> int:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    from threadpoolctl import threadpool_limits

    from faying_app.logs import start_log
    from faying_app.look.icons import application_icon

    # One per process; a test's is taken over.
    app = QApplication.instance() or QApplication([sys.argv[0]])
    assert isinstance(app, QApplication)
    app.setApplicationName("Faying")
    app.setApplicationDisplayName("Faying")
    app.setWindowIcon(application_icon())
    start_log()
    from faying_app.shell.window import MainWindow  # late: the 3D view takes a second to import

    # Solvers run in the child process. Here threads of linear algebra would spin between the pictures of an animation
    # and take a processor from whoever draws.
    threadpool_limits(limits=1, user_api="blas")
    window = MainWindow()
    window.show()
    window.runner.warm_up()

    def begin() -> None:
        dialog = window.offer_recovery()
        if files and dialog is None:
            window.open_path(files[0])
        elif files and dialog is not None:
            dialog.rejected.connect(lambda: window.open_path(files[0]))

    QTimer.singleShot(0, begin)
    return int(app.exec())


if __name__ == "__main__":
    raise SystemExit(main())
