"""Qt for processes without a window: plots and text in files need no screen."""

from faying.cli import system
from faying.errors import MissingDependencyError


def start_qt() -> None:
    """Make sure that there is a QApplication; one that is made here needs no screen.

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
        # By an argument, not by an environment variable, which child processes would inherit.
        QApplication(["faying", "-platform", "offscreen"])  # PySide keeps the one application alive
