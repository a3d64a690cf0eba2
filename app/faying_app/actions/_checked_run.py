"""Starting a computation from the menu: the checks run first, and the user has to confirm a run with errors."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from faying.project.stage import Target
from faying_app.context import Context, counted_findings


def start_checked(
    context: Context, label: str, targets: list[Target], panel: str, done: Callable[[Any], None] | None = None,
    *, restart: bool = False,
) -> None:  # fmt: skip
    """Compute targets in the background and bring a panel to the front; ask first where the checks find errors.

    Nothing is computed while a form has a field whose value was refused: it would be done with the former one.

    Args:
        context: of the window.
        label: what it is, for people.
        targets: what is to be computed.
        panel: kind of the panel that shows how it goes.
        done: called with the task at its end.
        restart: interrupted analyses begin at their start.
    """
    if context.window.has_refused_field():
        return
    project = context.project
    context.refresh_findings()
    found = context.findings_of(targets)
    errors = [finding for finding in found if finding.severity == "error"]

    def start() -> None:
        context.tasks.run(label, targets, project, done, restart=restart)
        context.window.show_panel(panel)
        if len(found) == 1:
            context.say(f"{label}: {found[0].sentence}")
        elif found:
            context.say(f"{label}, with {counted_findings(found)}: see Findings.")

    if not errors:
        start()
        return
    box = QMessageBox(context.window.widget)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(label)
    box.setText(
        errors[0].sentence if len(errors) == 1 else f"There are {len(errors)} errors in what is computed."
    )
    box.setInformativeText(
        errors[0].hint if len(errors) == 1 else "\n".join(f"• {e.sentence}" for e in errors[:4])
    )
    look = box.addButton("Show findings", QMessageBox.ButtonRole.RejectRole)
    anyway = box.addButton("Run anyway", QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(look)
    box.setEscapeButton(look)
    anyway.clicked.connect(start)
    look.clicked.connect(lambda: context.window.show_panel("findings"))
    box.open()
