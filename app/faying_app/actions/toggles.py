"""View ▸ what is shown in the 3D view: one switch for each kind of thing."""

from faying_app.actions import Action, actions
from faying_app.context import Context

# name in the view state, title, icon, shortcut, meaning, whether it has a button
_SWITCHES = (
    ("mesh_edges", "Mesh edges", "edges", "Alt+W", "Draw the edges of all elements.", True),
    ("surfaces", "Master and slave surfaces", "surface", "Alt+S", "Colour the surfaces of the joint.", False),
    (
        "points",
        "Intersection points",
        "points",
        "Alt+P",
        "Draw slave nodes or integration points, and their intersection points.",
        True,
    ),
    (
        "values_at_points",
        "Values as points",
        "points",
        "Alt+U",
        "Draw values of a joint as points where they are: at slave nodes or integration points.",
        False,
    ),
    (
        "normals",
        "Normals",
        "normals",
        "Alt+N",
        "Draw normals of the surfaces, or at intersection points.",
        True,
    ),
    (
        "frames",
        "Local coordinate systems",
        "marker",
        "Alt+T",
        "Draw tangents and normal at each intersection point.",
        False,
    ),
    (
        "couplings",
        "Couplings and ties",
        "interface",
        "Alt+O",
        "Draw lines from reference nodes to coupled nodes, and points at tied nodes.",
        False,
    ),
    (
        "symbols",
        "Interface nodes, loads and springs",
        "interface",
        "Alt+I",
        "Mark interface nodes, supports, loads and springs.",
        False,
    ),
    (
        "centre_of_mass",
        "Centre of mass",
        "marker",
        "Alt+B",
        "Mark the centre of mass of the body, or of each part of a system.",
        False,
    ),
    (
        "traces",
        "Traces of markers",
        "marker",
        "Alt+Q",
        "Draw the ways of the markers of a system's parts over the whole run.",
        False,
    ),
    (
        "reactions",
        "Forces in constraints and springs",
        "force",
        "Alt+Y",
        "Draw the force on the second marker of each constraint and spring, as long as it is strong.",
        False,
    ),
    (
        "ghost",
        "See through the body",
        "ghost",
        "Alt+G",
        "Draw the body translucent when it hides a joint.",
        False,
    ),
    (
        "extremes",
        "Largest and smallest value",
        "probe",
        "Alt+X",
        "Mark where the shown field is largest and smallest, with its value.",
        False,
    ),
    ("legend", "Legend", "legend", "Alt+L", "Show what the colours mean.", False),
)


def _switch(
    name: str, words: str, picture: str, key: str, sense: str, button: bool, place: int
) -> type[Action]:
    class Switch(Action):
        __doc__ = sense
        title = words
        menu = "View/Show"
        order = 300 + place
        shortcut = key
        icon = picture
        meaning = sense
        in_toolbar = button
        checkable = True

        def is_checked(self, context: Context) -> bool:
            return bool(getattr(context.view.values, name))

        def trigger(self, context: Context) -> None:
            context.view.toggle(name)

    return Switch


for _place, _words in enumerate(_SWITCHES):
    actions.register(f"show_{_words[0]}")(_switch(*_words, place=_place))
