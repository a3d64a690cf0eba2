"""Model ▸ Add interface node."""

from functools import partial

from faying.project import edits
from faying.project.specs import InterfaceSpec
from faying.reduction.interior import ALL_COMPONENTS
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import a_model
from faying_app.context import Context
from faying_app.entities import body_path


@actions.register("add_interface")
class AddInterface(ChoosingAction):
    """Make a node of the deck an interface node."""

    title = "Add interface node"
    menu = "Model"
    order = 100
    icon = "interface"
    meaning = (
        "Make the node of a one-node set of the deck, or any other, a place where the body is held or loaded. A marker "
        "alone has no modes of its own: for measures, and for forces where the body is stiff."
    )
    entities = ("body", "model", "interfaces", "interface", "node_set")
    needs = (a_model,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer the deck's sets of one node that are no interface yet, and a node by its number."""
        body = context.selected_body()
        model = context.computed.model(body.name) if body is not None else None
        if body is None or model is None:
            return []
        taken = {interface.node_set for interface in body.interfaces}
        sets = [n for n, rows in model.node_sets.items() if len(rows) == 1 and n not in taken]
        first = int(model.node_ids[0]) if len(model.node_ids) else 1
        return [
            *(Choice(name, partial(_add, context, body.name, name, 0)) for name in sets),
            Choice("By node number", partial(_add, context, body.name, "", first)),
            Choice("By node number, a marker alone", partial(_add, context, body.name, "", first, ())),
        ]


def _add(
    context: Context, body: str, node_set: str, node: int, components: tuple[int, ...] = ALL_COMPONENTS
) -> None:
    path = (*body_path(context.project, body), "interfaces")
    wish = node_set.removeprefix("REF_").lower() or f"node {node}"
    name = edits.unused_name(context.project, path, wish)
    interface = InterfaceSpec(name=name, node_set=node_set, node=node, components=components)
    if context.apply(f"Add interface node {name!r}", edits.add_interface(body, interface)):
        context.selection.select((*path, len(context.value(path)) - 1))
