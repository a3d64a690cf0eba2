"""Qt where nobody has started it: for plots and writing in files, no screen is needed."""

from faying.cli import system
from faying.errors import MissingDependencyError


def start_qt() -> None:
    """Have an application; without a window yet, one that needs no screen.

    Raises:
        MissingDependencyError: when libraries that Qt draws with are missing.
    """
    missing = system.missing_libraries(system.PICTURE_LIBRARIES)
    if missing:
        raise MissingDependencyError(
            f"No picture can be drawn here: {', '.join(missing)} is missing.",
            system.install_sentence(list(missing.values())),
        )
    from PySide6.QtWidgets import QApplication

    if QApplication.instance() is None:
        # By its words, not by the environment, which processes that this one starts would take over.
        QApplication(["faying", "-platform", "offscreen"])  # PySide keeps the one application alive
