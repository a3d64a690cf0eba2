"""View state: how things are shown. Saved with the project, not undoable, never in the domain."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from PySide6.QtCore import QObject, Signal

Limits = Literal["frame", "run", "user"]
PlayMode = Literal["loop", "swing", "once"]
OverRunName = Literal["", "maximum", "minimum", "mean", "range", "time_of_maximum"]


class ViewValues(BaseModel):
    """All view state as plain values; what an older or newer program wrote beside them is left out.

    A `field` is a kind or a formula; None shows the pressure where there is a joint, "" shows no colours. `over_run`
    shows its extreme over all frames instead. `formulas` were written by the user and can be chosen again.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    selected: tuple[str | int, ...] = ()
    field: str | None = None
    mode_field: str = "displacement"
    over_run: OverRunName = ""
    formulas: tuple[str, ...] = ()
    joint: str = ""
    frame: int = 0
    scale: float | None = None
    limits: Limits = "frame"
    lowest: float = 0.0
    highest: float = 1.0
    play_mode: PlayMode = "loop"
    frames_per_second: float = 20.0
    mesh_edges: bool = False
    surfaces: bool = True
    points: bool = True
    normals: bool = False
    symbols: bool = True
    legend: bool = True
    ghost: bool = True
    camera: dict[str, Any] | None = None


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
        """Change some values and tell for each that did change."""
        new = ViewValues.model_validate({**self.values.model_dump(), **changes})
        told = [name for name in changes if getattr(new, name) != getattr(self.values, name)]
        self.values = new
        for name in told:
            self.changed.emit(name)

    def toggle(self, name: str) -> None:
        """Switch a yes/no value."""
        self.set(**{name: not getattr(self.values, name)})

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
        """Take over what `write` wrote; text that is none leaves the defaults."""
        try:
            values = ViewValues.model_validate_json(text) if text else ViewValues()
        except ValidationError:
            values = ViewValues()
        self.set(**values.model_dump())
