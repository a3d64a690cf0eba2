"""View ▸ Animation: play, and step through the frames."""

from faying_app.actions import Action, actions
from faying_app.actions._needs import frames
from faying_app.context import Context

# what it does, title, shortcut, icon, meaning
_MOVES = (
    ("toggle", "Play or pause", "Space; K", "play", "Start or stop the animation."),
    ("first", "First frame", "Alt+Home", "first", "Go to the first frame."),
    ("previous", "Previous frame", ",; Alt+Left", "previous", "Go one frame back."),
    ("next", "Next frame", ".; Alt+Right", "next", "Go one frame on."),
    ("last", "Last frame", "Alt+End", "last", "Go to the last frame."),
    ("back", "Back by a tenth", "J", "", "Go back by a tenth of the frames."),
    ("forward", "Forward by a tenth", "L", "", "Go on by a tenth of the frames."),
    ("slower", "Slower", "<; Shift+,", "", "Play half as fast."),
    ("faster", "Faster", ">; Shift+.", "", "Play twice as fast."),
    *(
        (f"to_{i}", f"Go to {10 * i} %", str(i), "", f"Go to {i} tenths of the frames, as in video players.")
        for i in range(10)
    ),
)


def _move(what: str, words: str, key: str, picture: str, sense: str, place: int) -> type[Action]:
    class Move(Action):
        __doc__ = sense
        title = words
        menu = "View/Animation"
        order = 250 + place
        shortcut = key
        icon = picture
        meaning = sense
        needs = (frames,)

        def trigger(self, context: Context) -> None:
            context.window.play(what)

    return Move


for _place, _words in enumerate(_MOVES):
    actions.register(f"play_{_words[0]}")(_move(*_words, place=_place))
