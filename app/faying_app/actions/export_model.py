"""File ▸ Export model."""

from faying.fem.model import FeModel
from faying.fem.writers import write_model, writers
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import body_at
from faying_app.output_file import ask_for_output, writing


@actions.register("export_model")
class ExportModel(Action):
    """Write the FE model of a body, as it was read and given materials."""

    title = "Export model…"
    menu = "File"
    order = 325
    icon = "model"
    meaning = "Write the body's FE model as an Abaqus or CalculiX deck, or as a VTK grid."

    def why_disabled(self, context: Context) -> str:
        """Say that no model was read."""
        return "" if self._model(context) is not None else "No model has been read."

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        model = self._model(context)
        assert model is not None
        kinds = [(writer.title, writer.extensions) for _, writer in writers.items()]
        path = ask_for_output(context, "Export model", model.title or "model", kinds)
        if path is None:
            return
        with writing(context, path) as writes:
            writes.more = " ".join(write_model(model, path))

    @staticmethod
    def _model(context: Context) -> FeModel | None:
        body = body_at(context.project, context.selection.entity)
        return context.computed.model(body.name) if body is not None else None
