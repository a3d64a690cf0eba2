"""CAD files: a dialog for settings, meshing in the background, and the import."""

from functools import partial
from pathlib import Path

from faying.errors import MissingDependencyError
from faying.fem.cad.meshing import CadMesh, is_installed
from faying.fem.cad_files import GEOMETRY_HINT
from faying.fem.one_material import OneMaterial
from faying.project.outputs import remember_outputs
from faying.worker.mesh_process import MeshProcess
from faying_app.context import Context
from faying_app.forms.mesh_dialog import MeshDialog
from faying_app.output_file import ask_for_output
from faying_app.tasks import opening
from faying_app.tasks.meshing import Meshing

_KINDS = [("Abaqus or CalculiX deck", (".inp",))]


def mesh_cad(context: Context, path: Path) -> None:
    """Open the dialog for a CAD file, and mesh it with the chosen settings."""
    if not is_installed():
        context.show_error(MissingDependencyError(f"{path.name} is geometry, not a mesh.", GEOMETRY_HINT))
        return
    units = context.project.units
    advice = f"{path.name} is geometry. Gmsh meshes its bodies; faces that touch become joints by the joint search."
    spec = CadMesh.decided({}, units)
    dialog = MeshDialog(spec, "Mesh a CAD file", advice, units, _told, context.window.widget)
    dialog.accepted.connect(partial(_make, context, dialog, path))
    dialog.open()


def _told(spec: OneMaterial) -> str:
    automatic = isinstance(spec, CadMesh) and not spec.size
    return "Size 0: a twenty-fifth of the diagonal of all bodies." if automatic else ""


def _make(context: Context, dialog: MeshDialog, path: Path) -> None:
    """Ask for the deck, make it, and import it."""
    to = ask_for_output(context, "Mesh a CAD file", path.stem, _KINDS)
    if to is None:
        return

    def done(told: str) -> None:
        remember_outputs([to])
        context.say(told)
        opening.import_deck(context, to)

    parameters = dialog.spec.model_dump(mode="json")
    process = MeshProcess(str(path.absolute()), to, context.project.units, parameters)
    Meshing(context, process, f"Mesh {path.name}", done)
