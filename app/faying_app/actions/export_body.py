"""File ▸ Export reduced body."""

from faying.exporters.bodies import body_writer_for, body_writers, write_body
from faying.project.stage import Target
from faying.session.bodies import reduced_body_file
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import body_at
from faying_app.output_file import ask_for_output, writing


@actions.register("export_body")
class ExportBody(Action):
    """Write the reduced body for Faying itself and for other programs."""

    title = "Export reduced body…"
    menu = "File"
    order = 327
    icon = "reduced"
    meaning = (
        "Write the body's trial vectors, reduced matrices, inertia integrals and contact pairs as files that Faying, "
        "scripts and other programs read. The body has to be reduced already."
    )

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        body = body_at(context.project, context.selection.entity)
        if body is None:
            return "There is no body yet: File ▸ Import deck."
        wanted = [
            Target("body", body.name),
            *(Target("pairs", body.name, j.name) for j in body.contact_joints),
        ]
        if any(context.computed.value(target) is None for target in wanted):
            return f"Body {body.name!r} has not been reduced yet: Run ▸ Compute reduction basis, or run an analysis."
        return ""

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        body = body_at(context.project, context.selection.entity)
        assert body is not None
        kinds = [(writer.title, writer.extensions) for _, writer in body_writers.items()]
        path = ask_for_output(
            context, "Export reduced body", body.name, kinds, files=lambda to: body_writer_for(to).files(to)
        )
        if path is None:
            return

        def value_of(target: Target) -> object:
            return (
                context.computed.skin(body.name) if target.stage == "skin" else context.computed.value(target)
            )

        with writing(context, path) as writes:
            writes.more = " ".join(write_body(reduced_body_file(context.project, body, value_of), path))
