"""File ▸ Mesh a CAD file."""

from pathlib import Path

from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.tasks import opening


@actions.register("mesh_cad")
class MeshCadFile(Action):
    """Mesh the bodies of a STEP, IGES, BREP or STL file with Gmsh, and add them to the project."""

    title = "Mesh a CAD file…"
    menu = "File"
    order = 146
    meaning = "Mesh the bodies of a STEP, IGES, BREP or STL file with Gmsh, where it is installed, and import the deck."
    entities = ("project",)

    def trigger(self, context: Context) -> None:
        """Ask for the file, then how it is meshed."""

        def mesh(context: Context, path: Path) -> None:
            context.window.mesh_cad(path)

        opening.ask_for_file(context, "Mesh a CAD file", opening.CAD_FILES, mesh)
