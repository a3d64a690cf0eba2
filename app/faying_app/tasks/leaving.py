"""Questions before something is left: unsaved decisions, results that no file has, a computation that still runs."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtWidgets import QMessageBox

from faying.durations import duration
from faying.project.stage import Target
from faying_app.context import Context
from faying_app.tasks.saving import save

# Seconds of computing that are given up without a question.
_LITTLE = 60.0
_RUNS = ("analysis", "motion")


def may_leave(context: Context) -> bool:
    """Ask about unsaved changes, and results that are in no file; return whether the present project may be left."""
    results = context.session.unsaved_results(context.computed.pipeline)
    if not (context.session.is_modified or results):
        return True
    box = QMessageBox(context.window.widget)
    box.setIcon(QMessageBox.Icon.Question)
    if context.session.is_modified:
        box.setWindowTitle("Unsaved changes")
        box.setText(f"Save the changes to {context.project.name!r}?")
        box.setInformativeText("What was computed is saved with the project.")
    else:
        named = ", ".join(repr(name) for name in results[:4]) + (", …" if len(results) > 4 else "")
        box.setWindowTitle("Unsaved results")
        box.setText(f"Save the results of {named}?")
        box.setInformativeText("They were computed since the project was saved, and are in no file yet.")
    button = QMessageBox.StandardButton
    box.setStandardButtons(button.Save | button.Discard | button.Cancel)
    box.setDefaultButton(button.Save)
    answer = box.exec()
    if answer == button.Save:
        return save(context)
    return bool(answer == button.Discard)


def ask_to_cancel(context: Context) -> None:
    """Stop what is being computed; ask first when more than a minute of it would be given up."""
    task = context.tasks.current
    if task is None:
        return
    if task.seconds > _LITTLE:
        box = QMessageBox(context.window.widget)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Cancel")
        box.setText(f"Stop “{task.label}” after {duration(task.seconds)}?")
        box.setInformativeText(_what_stays(task.targets))
        stop = box.addButton("Stop it", QMessageBox.ButtonRole.DestructiveRole)
        go_on = box.addButton("Let it run", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(go_on)
        box.setEscapeButton(go_on)
        box.exec()
        if box.clickedButton() is not stop or context.tasks.current is not task:
            return
    context.tasks.cancel()
    context.say("Stopping.")


def what_of_the_run(context: Context) -> Literal["leave", "end", "wait", "stay"]:
    """Ask what to do with a running computation when the window is closed; "leave" if none is worth a question.

    Closing the window once more while a run is stopping does not wait for its end.
    """
    task = context.tasks.current
    if task is None or task.state == "stopping":
        return "leave"
    if task.seconds < _LITTLE and not any(target.stage in _RUNS for target in task.targets):
        return "leave"
    box = QMessageBox(context.window.widget)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Still computing")
    box.setText(f"“{task.label}” is at {100 * task.fraction:.0f} %.")
    box.setInformativeText(_what_stays(task.targets))
    end = box.addButton("End it and close", QMessageBox.ButtonRole.DestructiveRole)
    wait = box.addButton("Close when it is done", QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(wait)
    box.setEscapeButton(stay)
    box.exec()
    return "end" if box.clickedButton() is end else "wait" if box.clickedButton() is wait else "stay"


def _what_stays(targets: Sequence[Target]) -> str:
    if any(target.stage in _RUNS for target in targets):
        return "Its frames so far stay, and it can be continued from there later."
    return "What it has finished stays; the current step starts again next time."
