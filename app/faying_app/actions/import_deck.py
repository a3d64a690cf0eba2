"""File ▸ Import deck."""

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.tasks import opening


@actions.register("import_deck")
class ImportDeck(Action):
    """Add a body from an FE deck to the project."""

    title = "Import deck…"
    menu = "File"
    order = 140
    shortcut = "Ctrl+I"
    icon = "import"
    meaning = (
        "Read an FE model (Abaqus, CalculiX, Nastran, Ansys, Gmsh, …), a reduced body or condensed matrices (.mat), "
        "and add it to the project as a body."
    )
    in_toolbar = True
    entities = ("project",)

    def trigger(self, context: Context) -> None:
        """Ask for the deck."""
        opening.ask_for_file(context, "Import deck", opening.deck_files(), opening.import_deck)
