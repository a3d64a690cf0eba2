"""The legend: what colours mean, with title, unit and limits, at the right border."""

import textwrap
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy

from faying.results.fields import Field
from faying.units import unit_text
from faying_app.scene.actors import flat_actor, paint_text, plain_text, show_quads, text_actor, text_extent
from faying_app.scene.colours import Colouring, SceneTheme, lookup_table, rgb_bytes
from faying_app.scene.content import SceneContent
from faying_app.scene.number_texts import common_power, number_text, number_texts, ticks, unit_line
from faying_app.scene.visuals import Sheet, Visual, visuals
from faying_app.scene.visuals.extremes import extreme_nodes
from faying_app.scene.visuals.pairs import gap_colouring, gap_limits
from faying_app.scene.visuals.probes import node_name
from faying_app.scene.visuals.triad import CORNER
from faying_app.scene.writing import NOTE, TEXT, TITLE, Writing

_STRIPES = 128
_SHORTEST_BAR = 30.0  # that can be read; a shorter one would rather cover the triad
_BORDER = 8.0
_NUMBER = 15.0  # height of a number with the room that it needs
_WIDEST = 22  # letters of a title's line; half of them in a narrow view
_UNKNOWN = (
    "max …\nmin …"  # while things move: of a few nodes they would be others than of the frame that stays
)
_NARROW = 480.0  # design pixels


@dataclass(frozen=True)
class Scale:
    """A coloured bar with numbers."""

    colouring: Colouring
    power: int

    @property
    def numbers(self) -> np.ndarray:
        """Values that are written beside the bar: round ones, powers of ten, or the ends of the bands."""
        bands, (low, high) = self.colouring.style.bands, self.colouring.limits
        if not high > low:
            return np.array([low])
        if 0 < bands < LegendVisual.N_NUMBERS:
            return self.colouring.values_at(np.linspace(0.0, 1.0, bands + 1))
        low, high = self.colouring.ends
        if self.colouring.is_logarithmic and high / low >= 10.0:
            return np.asarray(10.0 ** np.arange(np.ceil(np.log10(low) - 1e-9), np.log10(high) + 1e-9))
        return ticks(low, high)[: LegendVisual.N_NUMBERS]

    @property
    def texts(self) -> list[str]:
        """The numbers as they are written."""
        if self.colouring.is_logarithmic or 0 < self.colouring.style.bands < LegendVisual.N_NUMBERS:
            return [number_text(value, self.power) for value in self.numbers]
        return number_texts(self.numbers, self.power)


@dataclass(frozen=True)
class LegendText:
    """All that a legend says: a title with its unit, named colours, a bar, a remark below."""

    title: str = ""
    entries: tuple[tuple[str, str], ...] = ()
    scale: Scale | None = None
    remark: str = ""


def legend_text(content: SceneContent, theme: SceneTheme) -> LegendText:
    """Return what the legend says of the scene's content."""
    frame = content.frame
    if frame is None:
        return _model_legend(content)
    field = frame.field
    if field is None:
        return LegendText()
    unit, factor = content.field_unit
    if field.colours == "status":
        named = tuple(zip(theme.states, field.states, strict=False))
        missing = ((theme.missing, "no pair"),) if _has_unpaired(content, frame.joint) else ()
        return LegendText(field.title, named + missing)
    limits = frame.limits[0] * factor, frame.limits[1] * factor
    power = common_power(*limits)
    title = "\n".join(part for part in (field.title, unit_line(unit, power)) if part)
    remarks = []
    if not frame.is_whole:
        remarks = [_UNKNOWN]
    elif frame.extremes is not None:
        places = {name: f"  {node_name(content, row)}" for name, row in extreme_nodes(content)}
        low, high = (content.value_text(v) for v in frame.extremes)
        remarks = [f"max {high}{places.get('max', '')}", f"min {low}{places.get('min', '')}"]
    if content.spanned:
        remarks.append(content.spanned)
    remarks += _model_of(content, field)
    remark = "\n".join(remarks)
    colouring = content.colouring
    entries = [(theme.body, "open")] if colouring.shows_open else []
    if content.shows_joint_field and _has_unpaired(content, frame.joint):
        entries.append((theme.missing, "no pair"))
    return LegendText(title, tuple(entries), Scale(replace(colouring, limits=limits), power), remark)


def _model_of(content: SceneContent, field: Field) -> list[str]:
    """Return a line that says whose field it is: motion is nearly the same, pressures and stresses are not."""
    context = content.context
    if context is None or not context.frames.axis.has_size or field.group == "motion":
        return []
    parts = context.on_fe_model(0 if content.frame is None else content.frame.number)
    full = [name for name, is_full in parts.items() if is_full]
    if not full:
        return ["reduced body"] if parts else []
    return ["FE model"] if len(full) == len(parts) else [f"FE model: {', '.join(full)}", "others reduced"]


def _has_unpaired(content: SceneContent, joint: str) -> bool:
    chosen = [joint] if joint else list(content.joint_pairs)
    return any(content.joint_pairs[name].n_unpaired for name in chosen)


def _model_legend(content: SceneContent) -> LegendText:
    pairs = content.pairs
    if pairs is None or "pairs" not in content.shown:
        return LegendText()
    limits = gap_limits(pairs.initial_gaps)
    if limits[0] == limits[1]:
        return LegendText()
    power = common_power(*limits)
    low, high = (number_text(float(v), power) for v in (pairs.initial_gaps.min(), pairs.initial_gaps.max()))
    title = f"Initial gap\n{unit_line(unit_text('length', content.units), power)}"
    return LegendText(title, (), Scale(gap_colouring(content), power), f"max {high}\nmin {low}")


@visuals.register("legend")
class LegendVisual(Visual):
    """Lays out swatches, title, bar, numbers and remark; `width` is what it takes of the view in pixels."""

    title = "Legend"
    reads = frozenset({"model", "pairs", "context", "units", "display"})
    N_NUMBERS, N_ENTRIES = 12, 7

    def make(self) -> None:
        """Make swatches and writing."""
        self._swatches = self.add(flat_actor())
        self._title: Writing = self.add(text_actor(bold=True))
        self._remark: Writing = self.add(text_actor())
        self._numbers: list[Writing] = [self.add(text_actor()) for _ in range(self.N_NUMBERS)]
        self._names: list[Writing] = [self.add(text_actor()) for _ in range(self.N_ENTRIES)]
        self.text, self.width = LegendText(), 0.0
        self._laid_out: object = None

    def move(self, content: SceneContent) -> None:
        """Take over what there is to say."""
        said = legend_text(content, self.theme)
        if said != self.text:
            self.text, self._laid_out = said, None

    def choose_detail(self, content: SceneContent, moving: bool) -> None:
        """Say the extremes of a frame that stays."""
        if not moving:
            self.move(content)

    def apply_theme(self, theme: SceneTheme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for actor in (self._title, self._remark, *self._numbers, *self._names):
            paint_text(actor, theme.text, theme)
        self._laid_out = None

    def is_relevant(self, content: SceneContent) -> bool:
        """Return whether there is anything to say."""
        said = self.text
        return bool(said.title or said.entries or said.scale)

    def write(self, content: SceneContent, sheet: Sheet) -> None:
        """Lay the legend out; only after a change of its text or of the view's size."""
        state = (sheet.width, sheet.height, sheet.scale)
        if not self.is_shown(content):
            self.width, self.plates, self._laid_out = 0.0, [], None
            return
        if self._laid_out != state:
            self._laid_out = state
            self._lay_out(sheet)

    def _lay_out(self, sheet: Sheet) -> None:
        said, unit = self.text, sheet.scale
        for actor, size in ((self._title, TITLE), (self._remark, NOTE)):
            actor.set_pixels(size * unit)
        letters = _WIDEST if sheet.width > _NARROW * unit else _WIDEST // 2
        lines = [
            line
            for part in said.title.split("\n")
            for line in textwrap.wrap(part, letters, break_long_words=False)
        ]
        self._title.SetInput(plain_text("\n".join(lines)))
        self._remark.SetInput(plain_text(said.remark))
        values = said.scale.numbers if said.scale else np.zeros(0)
        numbers = said.scale.texts if said.scale else []
        self._fill(self._numbers, numbers, TEXT * unit)
        self._fill(self._names, [plain_text(name) for _, name in said.entries], TEXT * unit)

        # Sizes first: the widest line decides how much of the view it takes.
        pad, gap, box, bar = 4 * unit, 8 * unit, 12 * unit, 16 * unit
        title_size, remark_size = self._extent(self._title), self._extent(self._remark)
        number_width = max((self._extent(a)[0] for a in self._numbers[: len(numbers)]), default=0.0)
        name_width = max((self._extent(a)[0] for a in self._names[: len(said.entries)]), default=0.0)
        content_width = max(
            title_size[0],
            remark_size[0],
            bar + gap + number_width if said.scale else 0.0,
            box + gap + name_width if said.entries else 0.0,
        )
        line = 21 * unit
        parts = [title_size[1], len(said.entries) * line, remark_size[1]]
        count = sum(part > 0 for part in parts) + (said.scale is not None)
        height = sum(parts) + 1.6 * gap * (count - 1) + 2 * pad
        if said.scale is not None and sheet.height - 2 * _BORDER * unit - height < _SHORTEST_BAR * unit:
            # In a low view what the colours mean comes before the extremes.
            height -= remark_size[1] + 1.6 * gap if said.remark else 0.0
            said, remark_size = replace(said, remark=""), (0.0, 0.0)
            self._remark.SetInput("")
        bar_height = 0.0
        if said.scale is not None:
            left_over = sheet.height - 2 * _BORDER * unit - height
            above = sheet.height - (2 * CORNER + _BORDER) * unit - height  # the triad
            left_over = above if above >= _SHORTEST_BAR * unit else left_over
            bar_height = float(np.clip(min(0.42 * sheet.height, left_over), 30 * unit, 340 * unit))
        height += bar_height
        if said.scale is not None:
            every = max(1, int(np.ceil(len(numbers) * _NUMBER * unit / (bar_height + _NUMBER * unit))))
            values, numbers = values[::every], numbers[::every]
            self._fill(self._numbers, numbers, TEXT * unit)
        # In the middle of the right border, above the triad if there is room.
        room = sheet.height - 2 * CORNER * unit
        right, top = sheet.width - 12 * unit, sheet.height - max(_BORDER * unit, (room - height) / 2)
        left = right - content_width - 2 * pad
        self.width = content_width + 2 * pad + 12 * unit
        self.plates = [(left, top - height, right, top)]

        boxes: list[tuple[float, float, float, float]] = []
        colours: list[tuple[int, ...]] = []
        x, y = left + pad, top - pad
        if said.title:
            y -= title_size[1]
            self._title.SetPosition(x, y)
            y -= 1.6 * gap
        if said.scale:
            y -= bar_height
            self._bar(said.scale, values, (x, y, x + bar, y + bar_height), gap, unit, boxes, colours)
            y -= 1.6 * gap
        for actor, (colour, _) in zip(self._names, said.entries, strict=False):
            y -= line
            boxes.append((x, y + (line - box) / 2, x + box, y + (line + box) / 2))
            colours.append((*rgb_bytes(colour), 255))
            self._put(actor, x + box + gap, y + line / 2)
        if said.remark:
            y -= remark_size[1] + (1.6 * gap if said.entries else 0.0)
            self._remark.SetPosition(x, y)
        show_quads(self._swatches, boxes, np.array(colours, np.uint8).reshape(-1, 4))

    def _bar(
        self,
        scale: Scale,
        values: np.ndarray,
        frame: tuple[float, float, float, float],
        gap: float,
        unit: float,
        boxes: list[tuple[float, float, float, float]],
        colours: list[tuple[int, ...]],
    ) -> None:
        left, bottom, right, top = frame
        table = lookup_table(scale.colouring, self.theme)
        # A rim keeps pale ends of the map apart from the plate.
        boxes.append((left - unit, bottom - unit, right + unit, top + unit))
        colours.append((*rgb_bytes(self.theme.text), 255))
        edges = np.linspace(bottom, top, _STRIPES + 1).tolist()
        boxes.extend((left, below, right, above) for below, above in pairwise(edges))
        painted = vtk_to_numpy(table.GetTable())
        rows = (np.arange(_STRIPES) * len(painted)) // _STRIPES
        colours.extend(map(tuple, painted[rows].tolist()))
        places = scale.colouring.shares(values) if len(scale.numbers) > 1 else np.array([0.5])
        for actor, share in zip(self._numbers, places, strict=False):
            y = bottom + (top - bottom) * float(share)
            boxes.append((right, y - 0.5 * unit, right + 0.6 * gap, y + 0.5 * unit))
            colours.append((*rgb_bytes(self.theme.text), 255))
            self._put(actor, right + gap, y)

    def _fill(self, actors: list[Writing], texts: list[str], pixels: float) -> None:
        for i, actor in enumerate(actors):
            actor.SetInput(texts[i] if i < len(texts) else "")
            actor.set_pixels(pixels)
            actor.GetTextProperty().SetVerticalJustificationToCentered()

    def _put(self, actor: Writing, x: float, y: float) -> None:
        actor.SetPosition(x, y)

    def _extent(self, actor: Writing) -> tuple[float, float]:
        return text_extent(actor)
