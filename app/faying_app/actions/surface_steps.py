"""Model ▸ Surface: steps that change the selected surface of a joint."""

from collections.abc import Callable

from faying.fem.selections import SurfaceSelection
from faying.fem.selections.enlarged import EnlargedSelection
from faying.fem.selections.flipped import FlippedSelection
from faying.fem.selections.inverted import InvertedSelection
from faying_app.actions import Action, actions
from faying_app.actions._needs import a_face, a_surface
from faying_app.actions._surface_at_hand import (
    picked,
    picked_alone,
    set_surface,
    together,
    without,
)
from faying_app.context import Context

_Step = Callable[[Context, SurfaceSelection], SurfaceSelection]


def _ring(step: int) -> _Step:
    def change(context: Context, now: SurfaceSelection) -> SurfaceSelection:
        # Rings of one sign add up; shrinking what was grown is a step of its own: it rounds corners.
        if isinstance(now, EnlargedSelection) and now.rings * step > 0:
            return now.with_(rings=now.rings + step)
        return EnlargedSelection(of=now, rings=step)

    return change


def _inverted(context: Context, now: SurfaceSelection) -> SurfaceSelection:
    inner: SurfaceSelection = now.of if isinstance(now, InvertedSelection) else InvertedSelection(of=now)
    return inner


def _flipped(context: Context, now: SurfaceSelection) -> SurfaceSelection:
    inner: SurfaceSelection = now.of if isinstance(now, FlippedSelection) else FlippedSelection(of=now)
    return inner


# name, title, shortcut, meaning, whether it needs a picked face, what it does
_STEPS: tuple[tuple[str, str, str, str, bool, _Step], ...] = (
    ("grow_surface", "Grow by a ring", "Ctrl+Shift+Up", "Add the facets round the selected surface.", False, _ring(1)),
    ("shrink_surface", "Shrink by a ring", "Ctrl+Shift+Down", "Take the outermost facets away.", False, _ring(-1)),
    ("invert_surface", "Invert", "Ctrl+Shift+I", "Take all other exterior facets instead.", False, _inverted),
    (
        "flip_surface", "Turn normals round", "", "Let the surface look to its other side, for shells.", False,
        _flipped,
    ),
    (
        "add_face", "Add picked face", "Ctrl+Shift+A", "Add the smooth surface round the picked face.", True,
        lambda context, now: together(now, picked(context)),
    ),
    (
        "remove_face", "Take picked face away", "Ctrl+Shift+D", "Leave out the smooth surface round the picked face.",
        True, lambda context, now: without(now, picked(context)),
    ),
    (
        "add_facet", "Add picked facet alone", "Ctrl+Alt+A", "Add the one facet that was clicked.", True,
        lambda context, now: together(now, picked_alone(context)),
    ),
    (
        "remove_facet", "Take picked facet alone away", "Ctrl+Alt+D", "Leave out the one facet that was clicked.", True,
        lambda context, now: without(now, picked_alone(context)),
    ),
)  # fmt: skip


def _step(
    name: str, words: str, key: str, sense: str, needs_face: bool, change: _Step, place: int
) -> type[Action]:
    class SurfaceAction(Action):
        __doc__ = sense
        title = words
        menu = "Model/Surface"
        order = 140 + place
        shortcut = key
        meaning = sense
        entities = ("surface", "face") if needs_face else ("surface",)
        needs = (a_surface, a_face) if needs_face else (a_surface,)

        def trigger(self, context: Context) -> None:
            set_surface(context, words, change(context, context.value(context.entity)))

    return SurfaceAction


for _place, _words in enumerate(_STEPS):
    actions.register(_words[0])(_step(*_words, place=_place))
