"""Model ▸ System ▸ Pattern of parts."""

from functools import partial

from faying.params import Spec
from faying.project.part_patterns import PATTERNS, PartPattern
from faying.units import factor_to_si
from faying_app.actions import Choice, ChoosingAction, actions
from faying_app.context import Context
from faying_app.forms.spec_dialog import SpecDialog
from faying_app.selection import EntityPath


@actions.register("pattern_part")
class PatternPart(ChoosingAction):
    """Copy the selected part along a line or round an axis."""

    title = "Pattern of parts"
    menu = "Model/System"
    order = 160
    icon = "part"
    meaning = (
        "Add copies of the selected part in a row or round an axis, each with a name and markers of its own."
    )
    entities = ("part",)

    def why_disabled(self, context: Context) -> str:
        """Say what is missing."""
        return "" if context.entity_kind == "part" else "Select a part of a system in the tree."

    def choices(self, context: Context) -> list[Choice]:
        """Offer both patterns."""
        if self.why_disabled(context):
            return []
        return [Choice(f"{cls.title}…", partial(_ask, context, cls, context.entity)) for cls in PATTERNS]


def _ask(context: Context, cls: type[PartPattern], path: EntityPath) -> None:
    name, units = context.value(path).name, context.project.units
    first = cls()
    if "step" in cls.model_fields:  # five centimetres, in the units of the project
        step = float(f"{0.05 / factor_to_si('length', units):.6g}")
        first = first.with_(step=(step, 0.0, 0.0))

    def told(spec: Spec) -> str:
        assert isinstance(spec, PartPattern)
        added = len(spec.edit(context.project, path).arguments["items"])
        return f"{added} copies of {name!r}, with its markers, looks and contact surfaces. Constraints are not copied."

    dialog = SpecDialog(first, f"{cls.title}: {name}", "Add parts", units, told, context.window.widget)
    dialog.setObjectName("pattern")
    dialog.accepted.connect(lambda: _add(context, dialog.spec, path))
    dialog.open()


def _add(context: Context, spec: Spec, path: EntityPath) -> None:
    assert isinstance(spec, PartPattern)
    before, name = len(context.value(path[:-1])), context.value(path).name
    if context.apply(f"Pattern of {name!r}", spec.edit(context.project, path)):
        count = len(context.value(path[:-1]))
        context.selection.select_all([(*path[:-1], k) for k in range(before, count)])
