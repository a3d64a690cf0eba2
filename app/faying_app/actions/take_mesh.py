"""Model ▸ Take another mesh."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from faying.errors import ReadError
from faying.project import edits
from faying.project.deck import deck_path, with_deck_digest
from faying.project.deck_changes import NewMesh, analyses_of_body
from faying.project.model_questions import NewMeshQuestion
from faying_app.actions import Action, actions
from faying_app.actions._needs import a_body
from faying_app.context import Context
from faying_app.look.counts import counted
from faying_app.tasks import opening

_HEADS = ("What", "With the new mesh", "In numbers")
_ROLES = {"lost": "lost: to be chosen again", "changed": "changed", "kept": "kept"}


@actions.register("take_mesh")
class TakeMesh(Action):
    """Replace the deck of the selected body by a new mesh, after a look at what that keeps."""

    title = "Take another mesh…"
    menu = "Model"
    order = 165
    meaning = (
        "Say what a new deck of the same part keeps, changes or loses of this body, and take it in its place."
    )
    entities = ("body", "model")

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        body = context.selected_body()
        if body is not None and body.model.has_own_matrices:
            return "Its matrices come from a file: import the other one as a body."
        return a_body(context)

    def trigger(self, context: Context) -> None:
        """Ask for the deck."""
        opening.ask_for_file(context, "Take another mesh", opening.deck_files(), compare_mesh)


def compare_mesh(context: Context, path: Path) -> None:
    """Compare a deck with that of the selected body in the background; then ask whether to take it."""
    body = context.selected_body()
    assert body is not None
    number = context.project.bodies.index(body)
    present = deck_path(body.model, context.computed.base)
    question = NewMeshQuestion(body.name, present, path.absolute(), context.project.units)

    def ask(answer: NewMesh) -> None:
        if number >= len(context.project.bodies) or context.project.bodies[number].model != body.model:
            return  # another deck is there by now
        stale = analyses_of_body(context.project, body.name)
        dialog = NewMeshDialog(body.name, path, answer, stale, context.window.widget)
        dialog.accepted.connect(lambda: _take(context, number, path))
        dialog.open()

    context.questions.ask(object(), question, ask)
    context.say(f"Comparing {path.name} with the mesh of {body.name} …")


def _take(context: Context, number: int, path: Path) -> None:
    """Let a body have another deck, remembered by its contents; it is then read (`opening.read_again`)."""
    model = context.project.bodies[number].model.with_(path=str(path.absolute()))
    try:
        model = with_deck_digest(model, context.computed.base)
    except OSError as error:
        context.show_error(ReadError(path, None, f"It cannot be read any more: {error.strerror}."))
        return
    if context.apply(f"Take the mesh {path.name}", edits.set_value(("bodies", number, "model"), model)):
        context.settings.last_folder = path.absolute().parent


class NewMeshDialog(QDialog):
    """What a new mesh keeps, with what is lost first.

    Args:
        body: its name.
        path: of the new deck.
        found: the comparison.
        stale: names of the analyses that are then to be computed again.
        parent: of the dialog.
    """

    def __init__(
        self, body: str, path: Path, found: NewMesh, stale: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Another mesh for {body}")
        lost = sum(change.state == "lost" for change in found.changes)
        sizes = [
            f"{counted(nodes, 'node')}, {counted(elements, 'element')}"
            for nodes, elements in zip(found.nodes, found.elements, strict=True)
        ]
        head = QLabel(f"{path.name}: {sizes[1]}, so far {sizes[0]}.", self)
        head.setTextFormat(Qt.TextFormat.PlainText)
        self.table = QTreeWidget(self)
        self.table.setHeaderLabels(_HEADS)
        self.table.setRootIsDecorated(False)
        self.table.setAlternatingRowColors(True)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setAccessibleName("What the new mesh keeps")
        for change in sorted(found.changes, key=lambda each: list(_ROLES).index(each.state)):
            item = QTreeWidgetItem([change.what, _ROLES[change.state], change.told])
            for column in range(3):
                item.setToolTip(column, item.text(column))
            self.table.addTopLevelItem(item)
        for column in range(2):
            self.table.resizeColumnToContents(column)
        told = "Everything of the body is found in it."
        if lost:
            told = f"{counted(lost, 'thing')} of the body cannot be found in it, and will be errors until chosen again."
        if stale:
            told += f" To be computed again: {', '.join(stale)}; results so far stay to compare with."
        note = QLabel(f"{told} One undo brings the present mesh back.", self)
        note.setWordWrap(True)
        note.setProperty("role", "error" if lost else "muted")
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Ok | standard.Cancel, self)
        buttons.button(standard.Ok).setText("&Take this mesh")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column_of = QVBoxLayout(self)
        for widget in (head, self.table, note, buttons):
            column_of.addWidget(widget)
        self.resize(760, 420)
