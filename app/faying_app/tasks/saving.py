"""Saving the project."""

from pathlib import Path

from PySide6.QtWidgets import QMessageBox

from faying.errors import FayingError
from faying.project.file import EXTENSION, ProjectChanged
from faying_app.context import Context
from faying_app.output_file import ask_for_output


def save(context: Context) -> bool:
    """Save where the project was saved before, or ask; return whether it was saved."""
    path = context.document.path
    return save_to(context, path) if path is not None and path.suffix == ".faying" else save_as(context)


def save_as(context: Context) -> bool:
    """Ask for a file and save there; return whether it was saved."""
    path = ask_for_output(context, "Save project", context.project.name, [("Faying projects", (EXTENSION,))])
    return path is not None and save_to(context, path)


def save_to(context: Context, path: Path, *, overwrite: bool = False) -> bool:
    """Save the project; return whether that worked."""
    context.window.keep_view()
    context.computed.release()
    try:
        context.session.save(path, context.computed.pipeline, overwrite=overwrite)
    except ProjectChanged:
        return _save_after_others(context, path)
    except FayingError as error:
        context.show_error(error)
        return False
    context.settings.remember_file(path)
    context.settings.last_folder = path.absolute().parent
    context.computed.use_store(context.session.store, same_project=True)
    context.say(f"Saved {path.name}.")
    return True


def _save_after_others(context: Context, path: Path) -> bool:
    """Ask what to do with a file that somebody else has changed; return whether the project was saved."""
    box = QMessageBox(context.window.widget)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Changed by another program")
    box.setText(f"{path.name} holds other decisions than when you opened it.")
    box.setInformativeText("Another window or a run has saved it meanwhile. Replace what is decided there?")
    replace = box.addButton("Replace", QMessageBox.ButtonRole.DestructiveRole)
    beside = box.addButton("Save as…", QMessageBox.ButtonRole.AcceptRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(beside)
    box.exec()
    if box.clickedButton() is replace:
        return save_to(context, path, overwrite=True)
    return save_as(context) if box.clickedButton() is beside else False
