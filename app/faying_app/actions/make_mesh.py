"""File ▸ Make a mesh."""

from functools import partial

from faying.fem.mesh_makers import MeshMaker, facts_of, maker_of, mesh_makers
from faying.fem.one_material import OneMaterial
from faying.fem.writers import write_model
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context
from faying_app.forms.mesh_dialog import MeshDialog
from faying_app.output_file import ask_for_output, writing
from faying_app.tasks import opening

_KINDS = [("Abaqus or CalculiX deck", (".inp",))]


@actions.register("make_mesh")
class MakeMesh(ChoosingAction):
    """Make the deck of a part of known shape, such as a gear, and add it to the project."""

    title = "Make a mesh"
    menu = "File"
    order = 145
    meaning = (
        "Make the deck of a part of known shape from a few numbers, and add it to the project as a body."
    )
    entities = ("project",)

    def choices(self, context: Context) -> list[Choice]:
        """Offer all parts that can be made."""
        return [
            Choice(f"{maker.title}…", partial(_ask, context, kind), tooltip=maker.advice)
            for kind, maker in mesh_makers.items()
        ]


def _ask(context: Context, kind: str) -> None:
    units = context.project.units

    def told(spec: OneMaterial) -> str:
        assert isinstance(spec, MeshMaker)
        return "   ".join(f"{name} {value}" for name, value in facts_of(spec, units))

    maker = maker_of(kind, {}, units)
    dialog = MeshDialog(
        maker, f"Make a mesh: {maker.title}", maker.advice, units, told, context.window.widget
    )
    dialog.accepted.connect(lambda: _make(context, dialog))
    dialog.open()


def _make(context: Context, dialog: MeshDialog) -> None:
    """Ask for the file, write the deck, and import it."""
    maker = dialog.spec
    assert isinstance(maker, MeshMaker)
    path = ask_for_output(context, "Make a mesh", maker.kind, _KINDS)
    if path is None:
        return
    with writing(context, path) as writes:
        writes.more = " ".join(write_model(maker.model(), path))
    if writes.done:
        opening.import_deck(context, path)
