"""Help ▸ About."""

from importlib.metadata import version

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QMessageBox

from faying import __version__
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.look.icons import application_icon


@actions.register("about")
class About(Action):
    """Say what this program is, and which versions it is made of."""

    title = "About Faying"
    menu = "Help"
    order = 300
    icon = "note"
    meaning = "Say what this program is, and which versions it is made of."

    def trigger(self, context: Context) -> None:
        """Show the box."""
        box = QMessageBox(context.window.widget)
        box.setWindowTitle("About Faying")
        box.setIconPixmap(application_icon().pixmap(64, 64))
        box.setText(f"Faying {__version__}\nContact and friction inside jointed flexible bodies.")
        parts = ", ".join(f"{name} {version(name)}" for name in ("vtk", "pyvista", "numpy", "scipy", "h5py"))
        box.setInformativeText(f"Qt {qVersion()}, {parts}. Free software under the BSD 3-clause licence.")
        box.exec()
