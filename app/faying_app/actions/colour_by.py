"""View ▸ Colour by."""

from functools import partial

from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context
from faying_app.look.colour_maps import GROUPINGS


@actions.register("colour_by")
class ColourBy(ChoosingAction):
    """Choose what of a body has a colour of its own."""

    title = "Colour by"
    menu = "View"
    order = 210
    meaning = (
        "Give each connected part, material or joint of a body a colour of its own where no field is shown."
    )

    def choices(self, context: Context) -> list[Choice]:
        """Offer one colour, parts, materials and joints."""
        view = context.view
        return [
            Choice(words.capitalize(), partial(view.set, colour_by=by), checked=view.values.colour_by == by)
            for by, words in GROUPINGS.items()
        ]
