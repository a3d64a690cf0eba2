"""View ▸ Deformation scale."""

from functools import partial

from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context

_FACTORS = (0.0, 1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 1000.0)


@actions.register("deformation_scale")
class DeformationScale(ChoosingAction):
    """Choose how much displacements are enlarged."""

    title = "Deformation scale"
    menu = "View"
    order = 200
    meaning = "Choose how much displacements are enlarged; automatic makes the largest one visible."

    def choices(self, context: Context) -> list[Choice]:
        """Offer automatic and round factors."""
        now = context.view.values.scale
        automatic = Choice("Automatic", partial(context.view.set, scale=None), checked=now is None)
        return [
            automatic,
            *(Choice(f"× {f:g}", partial(context.view.set, scale=f), checked=now == f) for f in _FACTORS),
        ]
