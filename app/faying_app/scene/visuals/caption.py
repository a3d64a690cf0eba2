"""The caption: which result, which frame, at which scale, and why its numbers cannot be trusted."""

import textwrap

from faying.units import unit_text
from faying_app.scene.actors import paint_text, plain_text, text_actor
from faying_app.scene.colours import SceneTheme
from faying_app.scene.content import SceneContent
from faying_app.scene.number_texts import number_text
from faying_app.scene.systems import frame_text
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.writing import TITLE

_BETWEEN = "   "
_NARROW = 480.0  # design pixels
_WIDTH, _NARROW_WIDTH = 88, 44  # characters of a line of sentences, in a wide and a narrow view


def caption_text(content: SceneContent, width: int = _WIDTH) -> str:
    """Return the caption's lines; "" when there is nothing to say.

    Args:
        content: what is shown.
        width: characters at which sentences are broken.
    """
    lines = [content.title] if content.title else []
    frame, context = content.frame, content.context
    if frame is not None and context is not None:
        source = context.frames
        words = [frame_text(context, frame.number, content.units)]
        if source.axis.in_time:
            digits = _decimals(float(source.values[-1]))
            words = [f"t = {source.values[frame.number]:.{digits}f} {unit_text('time', content.units)}"]
        if source.axis.long_labels:
            lines.append(words.pop())  # a long name
        if source.n_frames > 1:
            words.append(source.axis.number_text(frame.number, source.n_frames))
        words.append(f"deformation × {number_text(frame.scale)}")
        lines.append(_BETWEEN.join(words))
        for warning in source.warnings[:1]:
            lines += textwrap.wrap(f"Doubtful: {warning.sentence}", width)
    return "\n".join(lines)


def _decimals(largest: float) -> int:
    """Return decimals that keep the time's width still while it runs: five significant digits at its end."""
    digits = 0
    while digits < 9 and largest * 10**digits < 1e4:
        digits += 1
    return digits


@visuals.register("caption")
class CaptionVisual(Visual):
    """Writes the caption at the upper left."""

    title = "Caption"
    reads = frozenset({"model", "context", "units", "title"})

    def make(self) -> None:
        """Make the writing."""
        self._text = self.add(text_actor())
        self._text.GetTextProperty().SetVerticalJustificationToTop()

    def move(self, content: SceneContent) -> None:
        """Write the frame's time or name."""
        self._text.SetInput(plain_text(caption_text(content)))

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        paint_text(self._text, theme.text, theme)

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there is anything to say."""
        return bool(self._text.GetInput())

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Keep it in its corner; in a narrow view each part has a line of its own."""
        narrow = sheet.width < _NARROW * sheet.scale
        text = caption_text(content, _NARROW_WIDTH if narrow else _WIDTH)
        if narrow:
            text = text.replace(_BETWEEN, "\n")
        self._text.SetInput(plain_text(text))
        self._text.set_pixels(TITLE * sheet.scale)
        left, top = 16 * sheet.scale, sheet.height - 16 * sheet.scale
        self._text.SetPosition(left, top)
        box = self._text.box
        covered = (left + box[0], top + box[1], left + box[2], top + box[3])
        self.plates = [covered] if self.is_shown(content) else []
