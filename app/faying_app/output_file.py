"""Output files: one dialog, one question before replacing and one message for everything that the window writes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from faying.errors import Cancelled, FayingError, ReadError
from faying.project.file import EXTENSION, open_project
from faying.project.file_names import files_read
from faying.project.outputs import OutputExists, check_output, file_name, is_same_file, remember_outputs
from faying_app.context import Context

Kinds = Sequence[tuple[str, Sequence[str]]]
"""What can be written: (title, endings in lower case with the dot), the proposed one first."""


def ask_for_output(
    context: Context,
    title: str,
    name: str,
    kinds: Kinds,
    *,
    parent: QWidget | None = None,
    tell: Callable[[FayingError], None] | None = None,
    files: Callable[[Path], Sequence[Path]] = lambda path: (path,),
) -> Path | None:
    """Ask for a file and return it; None when the user gave up or it must not be written.

    Args:
        context: what the window works with.
        title: of the dialog.
        name: proposed, without ending; what no file name can have is left out.
        kinds: what can be written.
        parent: of the dialogs; the window by default.
        tell: shows why a file cannot be written; the window by default.
        files: all that are written for a path, itself among them.
    """
    proposed = context.folder() / f"{file_name(name)}{kinds[0][1][0]}"
    filters = [f"{kind} ({' '.join(f'*{e}' for e in endings)})" for kind, endings in kinds]
    parent = parent or context.window.widget
    # The dialog would ask only about what was typed, before an ending is put behind it.
    option = QFileDialog.Option.DontConfirmOverwrite
    chosen, of_kind = QFileDialog.getSaveFileName(
        parent, title, str(proposed), ";;".join(filters), filters[0], option
    )
    if not chosen:
        return None
    path, known = Path(chosen), [ending for _, endings in kinds for ending in endings]
    is_project = known == [EXTENSION]
    if not path.suffix or path.suffix[1:].isdigit() or (is_project and path.suffix.lower() != EXTENSION):
        _, endings = kinds[filters.index(of_kind)] if of_kind in filters else kinds[0]
        path = path.with_name(path.name + endings[0])
    may = (
        _may_write(context, each, known if each == path else (), parent, tell or context.show_error)
        for each in files(path)
    )
    return path if all(may) else None


@dataclass
class Written:
    """How writing a file went.

    Attributes:
        more: sentences that the user reads when it was written.
        done: whether it was.
    """

    more: str = ""
    done: bool = False


@contextmanager
def writing(
    context: Context, path: Path, tell: Callable[[FayingError], None] | None = None
) -> Iterator[Written]:
    """Write a file in the block: then it is remembered as Faying's, and the user is told of it, or why it failed.

    Args:
        context: what the window works with.
        path: of the file.
        tell: shows why it could not be written; the window by default.
    """
    writes, tell = Written(), tell or context.show_error
    try:
        yield writes
    except OSError as error:
        tell(
            FayingError(f"{path} could not be written ({error.strerror or error}).", "Choose another place.")
        )
    except Cancelled:
        context.say(f"{path.name} was not written.")
    except FayingError as error:
        tell(error)
    else:
        remember_outputs([path])
        writes.done = True
        context.say(f"Wrote {path.name}. {writes.more}".strip())


def _may_write(
    context: Context,
    path: Path,
    endings: Sequence[str],
    parent: QWidget,
    tell: Callable[[FayingError], None],
) -> bool:
    """Return whether a file may be written, asking the user when something is there."""
    own = context.document.path
    is_project = tuple(endings) == (EXTENSION,)
    reads = [*files_read(context.project, context.computed.base)]
    if own is not None and not is_project:
        reads.append(own)
    try:
        check_output(path, endings, reads)
    except OutputExists:
        if is_project and own is not None and is_same_file(path, own):
            return True  # saving itself asks when somebody else has changed it
        words = _held_by(path) if is_project else "Faying did not write it, or somebody has changed it since."
        return _asked(path, words, parent)
    except FayingError as error:
        tell(error)
        return False
    return not path.exists() or _asked(path, "Faying wrote it, and it has not been changed since.", parent)


def _held_by(path: Path) -> str:
    try:
        return f"It holds the project {open_project(path).project.name!r}."
    except ReadError as error:
        return f"It cannot be read here: {error.message}"


def _asked(path: Path, words: str, parent: QWidget) -> bool:
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Replace the file?")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"{path.name} is there already.")
    box.setInformativeText(f"{words} Replace it?")
    button = QMessageBox.StandardButton
    box.setStandardButtons(button.Yes | button.Cancel)
    box.button(button.Yes).setText("Replace")
    box.setDefaultButton(button.Cancel)
    return bool(box.exec() == button.Yes)
