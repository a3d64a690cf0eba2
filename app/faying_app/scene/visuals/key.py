"""The key of the model: what the colours of surfaces and contact pairs mean, at the lower left."""

import numpy as np

from faying.units import unit_text
from faying_app.scene.actors import flat_actor, paint_text, plain_text, show_quads, text_actor, text_extent
from faying_app.scene.colours import SceneTheme, rgb_bytes
from faying_app.scene.content import SceneContent
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.visuals.pairs import gap_limits
from faying_app.scene.writing import TEXT

_LONGEST_NAME = 56  # letters, which are half of a small view
MOST_GROUPS = 9  # names of parts, materials or joints


def key_entries(content: SceneContent, theme: SceneTheme) -> list[tuple[str, str]]:
    """Return (colour, words) of what is shown of the model."""
    entries: list[tuple[str, str]] = []
    shown = "surfaces" in content.shown
    rigid = content.touching if "rigid_surfaces" in content.shown else ("", "")
    sides = (content.slave, rigid[1], theme.slave), (content.master, rigid[0], theme.master)
    for (surface, name, colour), role in zip(sides, reversed(content.roles), strict=True):
        name = surface.name if surface is not None and shown else name
        if name:
            entries.append((colour, f"{role}: {_short(name)}"))
    if content.groups is not None and content.system is None:
        names, room = content.groups.names, MOST_GROUPS
        shown_names = names if len(names) <= room else names[: room - 1]
        entries += [(theme.of_group(i), _short(name)) for i, name in enumerate(shown_names)]
        if len(names) > room:
            entries.append((theme.body, f"and {len(names) - room + 1} more, in the same colours again"))
    pairs = content.pairs
    if pairs is not None and "pairs" in content.shown:
        low, high = gap_limits(pairs.initial_gaps)
        closed = f", initial gap 0 {unit_text('length', content.units)}" if low == high else ""
        entries.append((theme.point, f"{len(pairs)} contact pairs{closed}"))
        if pairs.n_unpaired:
            entries.append((theme.unpaired, f"{pairs.n_unpaired} {pairs.slave_word} without a pair"))
    if pairs is not None and "normals" in content.shown:
        entries.append((theme.normal, "normals of the master surface"))
    return entries


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


@visuals.register("key")
class KeyVisual(Visual):
    """Lists coloured squares with their meaning."""

    title = "Key"
    reads = frozenset(
        {"model", "master", "slave", "roles", "touching", "pairs", "context", "units", "groups"}
    )
    N_ENTRIES = 6 + MOST_GROUPS

    def make(self) -> None:
        """Make squares and writing."""
        self._squares = self.add(flat_actor())
        self._names = [self.add(text_actor()) for _ in range(self.N_ENTRIES)]
        for actor in self._names:
            actor.GetTextProperty().SetVerticalJustificationToCentered()
        self.entries: list[tuple[str, str]] = []
        self._laid_out: object = None

    def move(self, content: SceneContent) -> None:
        """Take over what there is to say."""
        said = key_entries(content, self.theme)
        if said != self.entries:
            self.entries, self._laid_out = said, None

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for actor in self._names:
            paint_text(actor, theme.text, theme)
        self._laid_out = None

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether the model itself is shown, with something to be explained."""
        return content.frame is None and bool(key_entries(content, self.theme))

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Lay the key out; only after a change of its text or of the view's size."""
        state = (sheet.width, sheet.height, sheet.scale)
        if not self.is_shown(content):
            self.plates, self._laid_out = [], None
            return
        if self._laid_out == state:
            return
        self._laid_out = state
        unit, box, line = sheet.scale, 12 * sheet.scale, 20 * sheet.scale
        left = bottom = 16 * unit
        width, boxes = 0.0, []
        for i, actor in enumerate(self._names):
            actor.SetInput(plain_text(self.entries[i][1]) if i < len(self.entries) else "")
            if i >= len(self.entries):
                continue
            actor.set_pixels(TEXT * unit)
            middle = bottom + (len(self.entries) - i - 0.5) * line
            boxes.append((left, middle - box / 2, left + box, middle + box / 2))
            actor.SetPosition(left + box + 8 * unit, middle)
            width = max(width, text_extent(actor)[0])
        colours = np.array([[*rgb_bytes(colour), 255] for colour, _ in self.entries], np.uint8)
        show_quads(self._squares, boxes, colours)
        right, top = left + box + 8 * unit + width, bottom + len(self.entries) * line
        self.plates = [(left, bottom, right, top)]
