"""View ▸ Standard views: one action for each direction."""

from faying_app.actions import Action, actions
from faying_app.actions._needs import content
from faying_app.context import Context

_VIEWS = (
    ("iso", "Isometric", "0", "Look at the body from the front, right and above."),
    ("+x", "From +x", "1", "Look along −x."),
    ("-x", "From −x", "2", "Look along +x."),
    ("+y", "From +y", "3", "Look along −y."),
    ("-y", "From −y", "4", "Look along +y."),
    ("+z", "From +z (top)", "5", "Look along −z."),
    ("-z", "From −z (bottom)", "6", "Look along +z."),
)


def _standard_view(direction: str, name: str, key: str, words: str, place: int) -> type[Action]:
    class StandardView(Action):
        __doc__ = words
        title = name
        menu = "View/Standard views"
        order = 100 + place
        shortcut = f"Ctrl+{key}"
        icon = "iso" if direction == "iso" else ""
        meaning = words
        in_toolbar = direction == "iso"
        needs = (content,)

        def trigger(self, context: Context) -> None:
            context.view.turn(direction)

    return StandardView


for _place, (_direction, _name, _key, _words) in enumerate(_VIEWS):
    actions.register(f"view_{_direction}")(_standard_view(_direction, _name, _key, _words, _place))
