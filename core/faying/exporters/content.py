"""What exporters are given: the content (model, joints, frames) and the settings of a picture, film or table."""

from dataclasses import dataclass
from typing import Literal

from faying.errors import ModelError
from faying.exporters.shown_loads import ShownLoad
from faying.fem.added_bolts import BoltSpec
from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.joints.pairs import ContactPairs
from faying.multibody.system_spec import SystemSpec
from faying.plot import Plot
from faying.project.specs import Project
from faying.results.bolt_table import BoltRow, bolt_table
from faying.results.fields import FieldContext, FieldSource
from faying.results.results import PartResults, Results
from faying.units import UnitSystemName

PlayMode = Literal["once", "loop", "swing"]
PictureStyle = Literal["", "journal"]
FontName = Literal["sans", "serif"]


@dataclass(frozen=True)
class ExportContent:
    """A body, its joints, and the frames of one result or its modes.

    Attributes:
        title: what the frames are of: the name of the analysis, or "modes".
        units: unit system of all numbers.
        model: the body's FE model.
        context: the frames, and all that fields are evaluated from.
        surfaces: (master, slave) by joint name.
        pairs: contact pairs by joint name.
        bolts: the body's decisions about bolts, for their sizes and strength classes.
        loads: arrows of all that acts on the body.
        minus: name and frames of another result of the body, whose values are subtracted from the field; None for none.
        beside: other results of the same body or system that are shown beside this one, on the same scale.
        curves: drawn under pictures, with a mark that runs with the frame; None for none.
    """

    title: str
    units: UnitSystemName
    model: FeModel
    context: FieldSource
    surfaces: dict[str, tuple[Surface, Surface]]
    pairs: dict[str, ContactPairs]
    minus: tuple[str, FieldContext] | None = None
    bolts: tuple[BoltSpec, ...] = ()
    beside: tuple["ExportContent", ...] = ()
    curves: Plot | None = None
    loads: tuple[ShownLoad, ...] = ()

    def bolt_table(self, prefix: str = "") -> tuple[BoltRow, ...]:
        """Return a row for each bolt; none where the frames are no run of a body or part with bolts.

        Args:
            prefix: stands before the names.

        Raises:
            ModelError: for a size or strength class that is not known.
        """
        found = self.context.of_body
        if found is None or not isinstance(found.frames, Results | PartResults):
            return ()
        return bolt_table(found.frames, found, self.bolts, self.units, prefix)

    @property
    def n_frames(self) -> int:
        """Number of frames, or of modes."""
        return self.context.frames.n_frames

    @property
    def body_context(self) -> FieldContext:
        """The frames of a single body.

        Raises:
            ModelError: when they are of a system.
        """
        if (found := self.context.of_body) is None:
            raise ModelError(f"{self.title} has no frames of a single body.", "Choose an analysis of a body.")
        return found


@dataclass(frozen=True)
class SystemContent:
    """A system in motion: the content of all of its parts.

    Attributes:
        title: name of the analysis.
        project: the decisions.
        system: the one that moves.
        results: its frames.
        bodies: model, joints and frames of each flexible part, by its name.
        models: FE models of the rigid parts that have one, by the part's name.
        beside, curves: as of `ExportContent`.
    """

    title: str
    project: Project
    system: SystemSpec
    results: Results
    bodies: dict[str, ExportContent]
    models: dict[str, FeModel]
    beside: tuple["SystemContent", ...] = ()
    curves: Plot | None = None

    def bolt_table(self) -> tuple[BoltRow, ...]:
        """Return a row for each bolt of each flexible part, "rod: M8".

        Raises:
            ModelError: for a size or strength class that is not known.
        """
        return tuple(row for name, part in self.bodies.items() for row in part.bolt_table(f"{name}: "))

    @property
    def n_frames(self) -> int:
        """Number of frames of the analysis."""
        return self.results.n_frames


@dataclass(frozen=True)
class ExportSettings:
    """How content is to be shown.

    Attributes:
        field: kind of a field ("pressure"), or a formula of some ("maximum(pressure)"); "" for the mere motion, in
            pictures and films.
        frames: frame numbers in order; exporters of a single frame take the first.
        joint: the joint of a joint field; "" for all joints that the exporter can show, or the first.
        size: pixels of a picture or film.
        frames_per_second: of a film.
        scale: factor of the shown displacements; None chooses one that can be seen.
        view: "iso", "+x", … "-z": where the camera stands; several with commas between them are shown side by side.
        dark: a dark background; without one, writing for dark slides.
        transparent: no background, for pictures.
        series: a picture of every frame, numbered, instead of one.
        limits: of the colours, in the project's units; None takes those of all that is shown.
        seconds: how long a film lasts, its moments evenly spread over time; 0 shows each frame once.
        play: "once", "loop" for a GIF without end, or "swing" for one that goes back and forth.
        repeat: how often a film shows all of it.
        turn: degrees that the camera goes round the model in the course of a film.
        title, logo: written at the top; a picture file (.png, .jpg, .svg) beside it; "" for none.
        dpi: pixels per inch on paper, by which letters have the size of print; 0 for a screen.
        style: "" as in the window, or "journal": on white, without caption.
        font: "sans" or "serif", of all that is written.
        reference: part of a system that stands still; "" for none.
        joint_scale: enlarges the motion of slave nodes against the master surface once more.
        opened: angle (degrees) by which the joints of a body are opened like books; 0 leaves them closed.
        section: planes that cut the model, "x=12mm, -z=50%" (`exporters.cuts.read_cuts`); "" for none.
        ghost: whether what they leave out stays to be seen faintly.
        isolines: number of lines of equal value with their numbers; 0 for none.
        centre_of_mass: whether it is marked, of the body or of each part of a system.
        marks: whether interface nodes, markers, supports, constraints and loads are drawn, and names written.
    """

    field: str
    frames: tuple[int, ...]
    joint: str = ""
    size: tuple[int, int] = (1280, 720)
    frames_per_second: int = 25
    scale: float | None = None
    view: str = "iso"
    dark: bool = False
    transparent: bool = False
    series: bool = False
    limits: tuple[float, float] | None = None
    seconds: float = 0.0
    play: PlayMode = "loop"
    repeat: int = 1
    turn: float = 0.0
    title: str = ""
    logo: str = ""
    dpi: int = 0
    style: PictureStyle = ""
    font: FontName = "sans"
    reference: str = ""
    joint_scale: float = 1.0
    opened: float = 0.0
    section: str = ""
    ghost: bool = False
    isolines: int = 0
    centre_of_mass: bool = False
    marks: bool = True

    @property
    def views(self) -> tuple[str, ...]:
        """Where the cameras stand that look at the model side by side."""
        return tuple(view.strip() for view in self.view.split(","))
