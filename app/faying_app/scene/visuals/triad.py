"""The axes of the model in the lower right corner."""

import numpy as np

from faying_app.scene.actors import flat_actor, paint_text, text_actor
from faying_app.scene.colours import SceneTheme, rgb_bytes
from faying_app.scene.content import SceneContent
from faying_app.scene.meshes import line_data
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.writing import TEXT

_LENGTH = 36.0
CORNER = 58.0
_REACH = 8.0  # pixels from an axis or its name that still mean it
_SHARED = 0.35  # of the length: where the axes meet, a click means none of them
_ALONG = 0.999  # of an axis that points at the camera

_LEGEND = 12.5  # from the right border to the legend, at most


@visuals.register("triad")
class TriadVisual(Visual):
    """Draws three named lines that turn with the camera; `at_left` moves them into the other corner."""

    title = "Axes"
    reads = frozenset({"model"})

    def make(self) -> None:
        """Make lines and names."""
        self._lines = self.add(flat_actor())
        self._names = [self.add(text_actor(bold=True)) for _ in range(3)]
        self._drawn_as: object = None
        self.at_left = self._aside = False
        for actor, name in zip(self._names, "XYZ", strict=True):
            actor.SetInput(name)
            actor.GetTextProperty().SetJustificationToCentered()
            actor.GetTextProperty().SetVerticalJustificationToCentered()

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self._drawn_as = None
        for actor, colour in zip(self._names, theme.axes, strict=True):
            paint_text(actor, colour, theme)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there is a body."""
        return content.skin is not None

    def axis_at(self, x: float, y: float, sheet: Sheet) -> str:
        """Return the direction "+x", "-y" … to look from for a click at a device pixel, "" beside the axes.

        An axis that one looks along already is meant from its other end.
        """
        seen, reach = sheet.axes.T, _REACH * sheet.scale
        away = (np.array([x, y]) - self._origin(sheet)) / sheet.scale
        for i in np.argsort(-seen[:, 2]):  # the one in front first
            tip = _LENGTH * seen[i, :2]
            share = np.clip(away @ tip / max(tip @ tip, 1e-9), _SHARED, 1.4)
            if np.linalg.norm(away - share * tip) * sheet.scale < reach:
                return f"{'-' if seen[i, 2] > _ALONG else '+'}{'xyz'[i]}"
        return ""

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Turn the axes; the one farthest away is drawn first."""
        corner = 2 * CORNER * sheet.scale
        # In a low view the legend reaches down to the corner.
        self._aside = any(
            right >= sheet.width - _LEGEND * sheet.scale and left < sheet.width and bottom < corner
            for left, bottom, right, _ in sheet.plates
        )
        state = (sheet.width, sheet.height, sheet.scale, sheet.axes.tobytes(), self._aside)
        if not self.is_shown(content) or state == self._drawn_as:
            return
        self._drawn_as = state
        seen = sheet.axes.T  # rows: the model's axes in view coordinates
        origin = self._origin(sheet)
        order = np.argsort(seen[:, 2])
        tips = origin + _LENGTH * sheet.scale * seen[:, :2]
        points = np.zeros((6, 3))
        points[0::2, :2], points[1::2, :2] = origin, tips[order]
        drawn = line_data(points, np.arange(6).reshape(3, 2))
        colours = np.array([(*rgb_bytes(self.theme.axes[i]), 255) for i in order], np.uint8)
        drawn.cell_data["colours"] = colours
        drawn.set_active_scalars("colours")
        self._lines.GetMapper().SetInputData(drawn)
        self._lines.GetProperty().SetLineWidth(3.0 * sheet.scale)
        for i, actor in enumerate(self._names):
            actor.set_pixels(TEXT * sheet.scale)
            away = seen[i, :2]
            length = np.linalg.norm(away)
            push = away / length if length > 0.15 else np.array([0.0, 0.0])
            # An axis that points at the camera has no direction: its name steps aside.
            spot = tips[i] + 11 * sheet.scale * (push if length > 0.15 else np.array([-0.9, -0.9]))
            actor.SetPosition(*spot)

    def _origin(self, sheet: Sheet) -> np.ndarray:
        side = CORNER * sheet.scale
        return np.array([side if self.at_left or self._aside else sheet.width - side, side])
