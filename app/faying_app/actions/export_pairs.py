"""File ▸ Export contact pairs."""

from faying.joints.pairs import ContactPairs
from faying.joints.pairs_file import PAIRS_FILES, write_pairs
from faying_app.actions import Action, actions
from faying_app.context import Context
from faying_app.entities import body_at, joint_at
from faying_app.output_file import ask_for_output, writing


@actions.register("export_pairs")
class ExportPairs(Action):
    """Write the contact pairs of a joint, and what has none, as a table or a grid."""

    title = "Export contact pairs…"
    menu = "File"
    order = 326
    icon = "pairs"
    meaning = (
        "Write the contact pairs of the joint as a table (.csv), or as lines in space for ParaView (.vtu)."
    )
    entities = ("joint",)

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        joint = joint_at(context.project, context.entity)
        if joint is None:
            return "There is no joint yet: Model ▸ Add joint."
        missing = (
            f"The contact pairs of joint {joint.name!r} have not been found yet: Run ▸ Update contact pairs."
        )
        return "" if _pairs(context) is not None else missing

    def trigger(self, context: Context) -> None:
        """Ask for the file and write it."""
        body, joint = body_at(context.project, context.entity), joint_at(context.project, context.entity)
        pairs, model = _pairs(context), context.computed.model(body.name) if body is not None else None
        if pairs is None or model is None:
            return
        kinds = [(title, (ending,)) for ending, (title, _) in PAIRS_FILES.items()]
        path = ask_for_output(context, "Export contact pairs", joint.name, kinds)
        if path is None:
            return
        with writing(context, path) as writes:
            write_pairs(path, pairs, model, context.project.units)
            writes.more = f"It holds {len(pairs)} contact pairs."


def _pairs(context: Context) -> ContactPairs | None:
    body, joint = body_at(context.project, context.entity), joint_at(context.project, context.entity)
    return None if body is None or joint is None else context.computed.pairs(body.name, joint.name)
