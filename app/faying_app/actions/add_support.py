"""Model ▸ Add support."""

from functools import partial
from typing import Literal

from faying.errors import ModelError
from faying.fem.supports import GROUND, SupportSpec, require_support
from faying.project import edits
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.actions._needs import something_chosen
from faying_app.actions._surface_at_hand import chosen
from faying_app.context import Context
from faying_app.entities import body_path
from faying_app.selection import EntityPath

Behaviour = Literal["fixed", "frictionless", "symmetry", "elastic"]
_SOFT = 1.0


@actions.register("add_support")
class AddSupport(ChoosingAction):
    """Support the smooth surface round the picked face."""

    title = "Add support"
    menu = "Model"
    order = 104
    icon = "interface"
    meaning = (
        "Fix the smooth surface round the picked face, or the chosen one of the deck, let it slide, or put it on "
        "springs, or displace it. Analyses that hold the "
        "interface node “supports” hold the body on all supports."
    )
    entities = ("body", "supports", "interfaces", "deck_surface", "face")
    needs = (something_chosen,)

    def choices(self, context: Context) -> list[Choice]:
        """Offer each behaviour."""
        if self.why_disabled(context):
            return []
        kinds: tuple[tuple[str, Behaviour], ...] = (
            ("Fixed", "fixed"), ("Frictionless", "frictionless"), ("Symmetry", "symmetry"), ("Elastic", "elastic"),
        )  # fmt: skip
        offered = [Choice(title, partial(_support, context, behaviour)) for title, behaviour in kinds]
        meaning = "Moved by a prescribed displacement, which the analyses of the body give"
        return [
            *offered,
            Choice("Displaced", partial(_support, context, "fixed", moves=True), tooltip=meaning),
        ]


def _support(context: Context, behaviour: Behaviour, *, moves: bool = False) -> None:
    body, surface = chosen(context)
    path = (*body_path(context.project, body), "supports")
    before = context.value(path)
    taken = {support.name for support in before}
    kind = "displaced" if moves else behaviour
    name = next(n for i in range(1, len(taken) + 2) if (n := f"{kind} {i}") not in taken)
    stiffness = _SOFT if behaviour == "elastic" else 0.0
    support = SupportSpec(
        name=name, surface=surface, behaviour=behaviour, normal_stiffness=stiffness, moves=moves
    )
    model, skin = context.computed.model(body), context.computed.skin(body)
    if model is not None and skin is not None:
        try:
            require_support(model, skin, support)
        except ModelError as error:
            context.show_error(error)
            return
    steps = [edits.set_value(path, (*before, support))]
    told = f"Analyses hold it by the interface node {GROUND!r}."
    if moves:
        added = {"interface": name}
        lists = _displaced_in(context, body)
        steps += [edits.set_value(at, (*context.value(at), added)) for at in lists]
        told = "Give its displacement in each analysis of the body: Displacements."
    if context.apply(f"Add support {name}", steps[0] if len(steps) == 1 else edits.together(steps)):
        context.selection.drop_faces()
        context.view.set(couplings=True)
        context.selection.select((*path, len(before)))
        context.say(f"Added {name}. {told}")


def _displaced_in(context: Context, body: str) -> list[EntityPath]:
    """Return the lists of displacements of the body's analyses."""
    return [
        ("analyses", i, "displacements")
        for i, analysis in enumerate(context.project.analyses)
        if getattr(analysis, "body", "") == body and "displacements" in type(analysis).model_fields
    ]
