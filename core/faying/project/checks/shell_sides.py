"""Surfaces with both sides of shells: node surfaces, and element sets without a given side."""

from collections.abc import Iterator

from faying.errors import FayingError
from faying.fem.elements import element_kinds
from faying.fem.model import FeModel
from faying.fem.selections.deck_surface import DeckSurfaceSelection
from faying.fem.shell_sides import two_sided
from faying.fem.skin import Skin, surface_from_deck
from faying.fem.surface import Surface
from faying.project.checks import CheckedProject, Finding, checks
from faying.project.specs import BodySpec


@checks.register("shell_sides")
def shell_sides(checked: CheckedProject) -> Iterator[Finding]:
    """Report the side of shells used by a joint whose surface contains both, and other such surfaces of the deck."""
    for path, body, joint, model in checked.joints():
        if model is None or not _has_shells(model):
            continue
        for side, surface in checked.surfaces(body, joint).items():
            whole = checked.selected(model, joint, side)
            if not isinstance(whole, Surface) or not isinstance(surface, Surface):
                continue
            where, count = f"Joint {joint.name!r}, {side} surface", int(two_sided(model, whole).sum()) // 2
            if two_sided(model, surface).any():
                yield Finding(
                    "warning", (*path, side),
                    f"{where}: it holds both sides of shells, and neither faces the other surface more.",
                    "Pick the side in the 3D view, or name SPOS or SNEG in the deck.",
                )  # fmt: skip
            elif count:
                yield Finding(
                    "note", (*path, side),
                    f"{where}: of {count} shells it holds both sides; the one that faces the other surface is taken.",
                    "If the other one is meant, pick it in the 3D view, or name SPOS or SNEG in the deck.",
                )  # fmt: skip
    for path, body, model in checked.bodies():
        if model is None or not _has_shells(model):
            continue
        names = _unused_and_two_sided(body, model, checked.skin(model))
        if names:
            yield Finding(
                "note", (*path, "model"),
                f"Body {body.name!r}: both sides of shells are in the deck's surface{'s'[: len(names) > 1]} "
                f"{', '.join(names)}.",
                "A joint takes the side that faces its other surface.",
            )  # fmt: skip


def _has_shells(model: FeModel) -> bool:
    return any(element_kinds[block.element].is_shell for block in model.blocks)


def _unused_and_two_sided(body: BodySpec, model: FeModel, skin: Skin) -> list[str]:
    chosen = [side for joint in body.joints for side in (joint.master, joint.slave)]
    used = {side.name.upper() for side in chosen if isinstance(side, DeckSurfaceSelection)}
    found = []
    for name in model.surfaces:
        if name.upper() in used:
            continue
        try:
            surface = surface_from_deck(model, name, skin)
        except FayingError:
            continue  # reported if it is used for a joint
        if two_sided(model, surface).any():
            found.append(name)
    return found
