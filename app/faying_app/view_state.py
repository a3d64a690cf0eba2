"""View state: how things are shown. Saved with the project, not undoable, never in the domain."""

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from PySide6.QtCore import QObject, Signal

Limits = Literal["frame", "run", "most", "user"]
ColourBy = Literal["", "part", "material", "joint"]
PlayMode = Literal["loop", "swing", "once"]
OverRunName = Literal["", "maximum", "minimum", "mean", "range", "time_of_maximum", "case_of_maximum"]
PointerMode = Literal["select", "probe", "distance", "angle", "face angle", "radius", "joint", "move"]


class SectionValues(BaseModel):
    """A section across an axis at a share of the extent; `flipped` shows the other side."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    axis: Literal["x", "y", "z"]
    at: float = 0.5
    flipped: bool = False


class Probe(BaseModel):
    """A node whose values are written next to it and drawn over time.

    Attributes:
        subject: name of the body or system that it belongs to.
        node: number that the FE model gives it, which outlives another mesh, a coupling more, a part less.
        part: of a system whose node it is; "" for a body.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    subject: str
    node: int
    part: str = ""


class PlotValues(BaseModel):
    """A plot that is saved with the project.

    Attributes:
        name: of the plot.
        analysis: whose curves it shows.
        curves: names of the curves, and the number that gives each its colour.
        right: names of those with the axis at the right.
        over: what they are drawn over; "" for the frames' axis.
        view: how: "values", "spectrum", ….
    """

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    name: str
    analysis: str
    curves: tuple[tuple[str, int], ...] = ()
    right: tuple[str, ...] = ()
    over: str = ""
    view: str = "values"


class ViewValues(BaseModel):
    """All view state as plain values; entries that only another version of the program knows are ignored.

    `field` is a field kind or a formula; None shows the contact pressure where there is a joint, "" no colours.
    `over_run` shows the field's extreme over all frames instead. `colour_by` gives each connected part, material or
    joint of a body a colour where no field has any; "" draws the body in one. `hidden_parts` are (body, part number).
    `formulas` are those that the user has written; they are offered again.

    `shape` is the number of the shape that is shown of a frame with several, such as the modes at a speed.

    `units` are display units by quantity. `joint_scale` further enlarges the motion of slave nodes relative to the
    master surface. `reference` is the part of a system that is held still in the view; with `reference_turns` off
    only its position is. `sections` are cutting planes; with `section_ghost` what they remove stays faintly visible.
    `opened` is the angle (degrees) by which the joint is opened like a book.
    `colour_map` and `signed_map` are colour maps for amounts and for signed values, "" for the default ones; `bands`
    is the number of discrete colours, 0 for a smooth map. `values_at_points` draws values of a joint as points.
    `time_factor` is the playback speed over real time; zero plays by frames per second. Mode and operating shapes
    take `swing_seconds` for a period. `compare` is another analysis of the same body, shown beside this one or, with
    `difference`, subtracted from it. `pointer` is what clicks do.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    selected: tuple[str | int, ...] = ()
    field: str | None = None
    mode_field: str = "displacement"
    over_run: OverRunName = ""
    formulas: tuple[str, ...] = ()
    joint: str = ""
    frame: int = 0
    shape: int = 0
    scale: float | None = None
    limits: Limits = "run"
    lowest: float = 0.0
    highest: float = 1.0
    play_mode: PlayMode = "loop"
    frames_per_second: float = 20.0
    swing_seconds: float = 1.6
    mesh_edges: bool = False
    surfaces: bool = True
    points: bool = True
    normals: bool = False
    frames: bool = False
    colour_by: ColourBy = ""
    couplings: bool = False
    hidden_parts: tuple[tuple[str, int], ...] = ()
    symbols: bool = True
    centre_of_mass: bool = False
    traces: bool = False
    reactions: bool = False
    legend: bool = True
    extremes: bool = True
    ghost: bool = True
    undeformed: bool = True
    units: dict[str, str] = {}
    joint_scale: float = 1.0
    reference: str = ""
    reference_turns: bool = True
    sections: tuple[SectionValues, ...] = ()
    section_ghost: bool = False
    opened: float = 0.0
    isolines: int = 0
    colour_map: str = ""
    signed_map: str = ""
    colours_reversed: bool = False
    gaps_reversed: bool = False
    bands: int = 0
    logarithmic: bool = False
    opacity: float = 1.0
    marker_size: float = 1.0
    background: str = ""
    values_at_points: bool = False
    time_factor: float = 0.0
    pointer: PointerMode = "select"
    probes: tuple[Probe, ...] = ()
    plots: tuple[PlotValues, ...] = ()
    compare: str = ""
    difference: bool = False
    camera: dict[str, Any] | None = None


# What a preset keeps: how colours, lines and background look, whatever is shown.
PRESET = (
    "colour_map", "signed_map", "colours_reversed", "gaps_reversed", "bands", "logarithmic", "opacity", "marker_size",
    "background", "isolines", "legend",
)  # fmt: skip


class ViewState(QObject):
    """The view state of the window.

    `changed(name)` tells which value changed; `turned(direction)` asks for a standard view ("iso", "+x",
    …, "fit"). `playing` is not saved.
    """

    changed = Signal(str)
    turned = Signal(str)
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.values = ViewValues()
        self.playing = False

    def set(self, **changes: Any) -> None:
        """Change some values, and emit a signal for each that did change."""
        new = ViewValues.model_validate({**self.values.model_dump(), **changes})
        told = [name for name in changes if getattr(new, name) != getattr(self.values, name)]
        self.values = new
        for name in told:
            self.changed.emit(name)

    def cut(self, number: int, at: float) -> None:
        """Put one of the sections to a share of the extent."""
        sections = list(self.values.sections)
        if number < len(sections):
            sections[number] = sections[number].model_copy(update={"at": min(max(at, 0.0), 1.0)})
            self.set(sections=tuple(sections))

    def toggle(self, name: str) -> None:
        """Switch a yes/no value."""
        self.set(**{name: not getattr(self.values, name)})

    def show_part(self, body: str, part: int, *, shown: bool) -> None:
        """Show or hide a part of a body; the picture and the search for joints leave hidden ones out."""
        hidden = {*self.values.hidden_parts, (body, part)}
        self.set(hidden_parts=tuple(sorted(hidden - {(body, part)} if shown else hidden)))

    def rename(self, before: str, after: str) -> None:
        """Let hidden parts and probes go with a body or system that has another name now."""
        values = self.values
        hidden = ((after if body == before else body, part) for body, part in values.hidden_parts)
        probes = (
            probe.model_copy(update={"subject": after}) if probe.subject == before else probe
            for probe in values.probes
        )  # fmt: skip
        self.set(hidden_parts=tuple(sorted(hidden)), probes=tuple(probes))

    def set_playing(self, playing: bool) -> None:
        """Start or stop the animation."""
        if playing != self.playing:
            self.playing = playing
            self.playing_changed.emit(playing)

    def turn(self, direction: str) -> None:
        """Ask the 3D view for a standard view."""
        self.turned.emit(direction)

    def write(self) -> str:
        """Return the values as JSON text for the project file."""
        return self.values.model_dump_json()

    def read(self, text: str) -> None:
        """Take over what `write` wrote; values that cannot be read are the default ones, of other text all are."""
        try:
            values = ViewValues.model_validate_json(text) if text else ViewValues()
        except ValidationError as error:
            wrong = {fault["loc"][0] if fault["loc"] else None for fault in error.errors()}
            known = {} if None in wrong else json.loads(text)
            values = ViewValues.model_validate({name: known[name] for name in known if name not in wrong})
        self.set(**values.model_dump())
