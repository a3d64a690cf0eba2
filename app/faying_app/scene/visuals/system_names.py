"""Names of the parts of a system, and what of it is selected, drawn in front of everything with its name."""

import numpy as np

from faying_app.scene.actors import line_actor, paint, paint_text, plain_text, show, text_actor
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.labels import lifted_clear
from faying_app.scene.meshes import line_data
from faying_app.scene.shapes import constraint_lines, force_lines
from faying_app.scene.systems import ShownSystem
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.visuals.system import (
    ARROW,
    BOX_EDGES,
    SYMBOL,
    TRIAD,
    direction,
    member_lines,
    symbol_share,
)
from faying_app.scene.writing import TEXT

_ABOVE = 17.0  # design pixels from a member's place to its name


@visuals.register("system_names")
class SystemNamesVisual(Visual):
    """Writes the name of every part on it; draws what is selected in thick lines and writes its name above."""

    title = "Names of parts"
    reads = frozenset({"model", "highlight"})
    N_NAMES = 24

    def make(self) -> None:
        """Make lines and writing."""
        self._share = 1.0
        self._lines = self.add(line_actor(4.0, in_front=True))
        self._names = [self.add(text_actor(bold=True)) for _ in range(self.N_NAMES)]
        for actor in self._names:
            actor.GetTextProperty().SetJustificationToCentered()
            actor.GetTextProperty().SetVerticalJustificationToCentered()

    def move(self, content: SceneContent) -> None:
        """Follow the frame."""
        self._draw(content)

    def _draw(self, content: SceneContent) -> None:
        if content.system is None:
            return
        pieces = _chosen_lines(content, self._share)
        show(self._lines, line_data(pieces.reshape(-1, 3), np.arange(2 * len(pieces)).reshape(-1, 2)))

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Write the names where the things are now, and keep the sign of what is selected as large as the others."""
        share = symbol_share(content, sheet)
        if share != self._share:
            self._share = share
            self._draw(content)
        names, points = _names(content) if self.is_shown(content) else ([], np.zeros((0, 3)))
        spots = sheet.pixels(points) if len(points) else np.zeros((0, 2))
        chosen = content.highlight.member
        for i, actor in enumerate(self._names):
            actor.SetVisibility(i < len(names))
            if i < len(names):
                kind, name = names[i]
                actor.SetInput(plain_text(name))
                actor.set_pixels(TEXT * sheet.scale)
                colour = self.theme.highlight if (kind, name) == chosen else self.theme.text
                paint_text(actor, colour, self.theme)
                above = (kind != "part") * _ABOVE * sheet.scale
                spot = spots[i][0], spots[i][1] + above
                view = sheet.width, sheet.height
                actor.SetPosition(*lifted_clear(actor.box, spot, view, sheet.plates))

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint(self._lines, theme.highlight)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether a system is shown."""
        return content.system is not None


def _names(content: SceneContent) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Return (kind, name) of all parts and of what is selected, and where (n, 3) they are."""
    system, chosen = content.system, content.highlight.member
    assert system is not None
    names = [("part", part.name) for part in system.parts]
    points = system.middles(content.poses, content.positions)
    place = _place(system, content)
    if place is not None and chosen[0] != "part":
        names, points = [chosen, *names], np.concatenate([place[None], points])
    return names[: SystemNamesVisual.N_NAMES], points[: SystemNamesVisual.N_NAMES]


def _place(system: ShownSystem, content: SceneContent) -> np.ndarray | None:
    """Return (3,) where the selected marker, constraint or force is; None when nothing of these is."""
    kind, name = content.highlight.member
    places, _ = system.marker_poses(content.poses, content.positions)
    if kind == "marker":
        return next((places[i] for i, marker in enumerate(system.markers) if marker.name == name), None)
    member = system.member(kind, name)
    return None if member is None else np.asarray(places[member.markers[0]])


def _chosen_lines(content: SceneContent, share: float) -> np.ndarray:
    """Return pieces (k, 2, 3) of what is selected, signs drawn at a share of their largest size."""
    size = share * content.size
    system, (kind, name) = content.system, content.highlight.member
    assert system is not None
    none = np.zeros((0, 2, 3))
    if kind == "part":
        at = next((i for i, part in enumerate(system.parts) if part.name == name), -1)
        box = system.parts[at].box if at >= 0 else None
        if box is None:
            return none
        position, turn = content.poses[at]
        return np.asarray((position + box @ turn.T)[BOX_EDGES])
    places, axes = system.marker_poses(content.poses, content.positions)
    if kind == "marker":
        i = next((i for i, marker in enumerate(system.markers) if marker.name == name), -1)
        if i < 0:
            return none
        ends = places[i] + 1.3 * TRIAD * size * axes[i].T
        return np.stack([np.repeat(places[i][None], 3, axis=0), ends], axis=1)
    member = system.member(kind, name)
    if member is None:
        return none
    lines = constraint_lines if kind == "constraint" else force_lines
    pieces = [member_lines(lines, member, places, axes, SYMBOL * size)]
    for vector in (member.force, member.moment):
        if any(vector) and len(member.markers) == 1:
            tip = places[member.markers[0]]
            pieces.append(np.array([[tip - ARROW * size * direction(member, vector, axes), tip]]))
    return np.concatenate(pieces)
