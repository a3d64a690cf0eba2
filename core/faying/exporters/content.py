"""The input of exporters: the content (model, joints, frames) and the settings of a picture, film or table."""

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
from faying.results.results import FrameSource, PartResults, Results
from faying.results.true_so_far import TrueSoFar
from faying.units import UnitSystemName

PlayMode = Literal["once", "loop", "swing"]
PictureStyle = Literal["", "journal"]
FontName = Literal["sans", "serif"]


@dataclass(frozen=True)
class ExportContent:
    """A body, its joints, and the frames of one result or its modes.

    Attributes:
        title: source of the frames: the name of the analysis, or "modes".
        units: unit system of all numbers.
        model: the body's FE model.
        context: the frames, and everything needed to evaluate fields.
        surfaces: (master, slave) by joint name.
        pairs: contact pairs by joint name.
        bolts: the body's bolt specifications, for their sizes and strength classes.
        loads: arrows of all loads on the body.
        minus: name and frames of another result of the body, to subtract from the field; None for none.
        beside: other results of the same body or system to show next to this one, on the same scale.
        curves: curves below pictures, with a mark at the current frame; None for none.
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
        """Return a row for each bolt; none unless the frames are a run of a body or part with bolts.

        Args:
            prefix: beginning of the names.

        Raises:
            ModelError: for an unknown size or strength class.
        """
        found = self.context.of_body
        frames = found.frames if found is not None else None
        if isinstance(frames, TrueSoFar):
            frames = frames.reduced  # bolt forces are curves of the run
        if found is None or not isinstance(frames, Results | PartResults):
            return ()
        return bolt_table(frames, found, self.bolts, self.units, prefix)

    @property
    def frames(self) -> FrameSource:
        """The frames themselves."""
        return self.context.frames

    @property
    def n_frames(self) -> int:
        """Number of frames, or of modes."""
        return self.context.frames.n_frames

    @property
    def body_context(self) -> FieldContext:
        """The frames of a single body.

        Raises:
            ModelError: when they belong to a system.
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
        system: the moving system.
        results: its frames.
        bodies: model, joints and frames of each flexible part, by the part's name.
        models: FE models of the rigid parts that have one, by the part's name.
        beside, curves: as in `ExportContent`.
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
            ModelError: for an unknown size or strength class.
        """
        return tuple(row for name, part in self.bodies.items() for row in part.bolt_table(f"{name}: "))

    @property
    def frames(self) -> FrameSource:
        """The frames themselves."""
        return self.results

    @property
    def n_frames(self) -> int:
        """Number of frames of the analysis."""
        return self.results.n_frames


@dataclass(frozen=True)
class ExportSettings:
    """Display settings of content.

    Attributes:
        field: kind of a field ("pressure"), or a formula of some ("maximum(pressure)"); "" for only the motion, in
            pictures and films.
        frames: frame numbers in order; exporters of a single frame take the first.
        shape: number from 0 of the shape to show of frames with several, such as the modes at a speed.
        joint: the joint of a joint field; "" for all joints that the exporter can show, or the first.
        size: pixels of a picture or film.
        frames_per_second: of a film.
        scale: factor of the shown displacements; None chooses a visible one.
        view: "iso", "+x", … "-z": direction of the camera; several, separated by commas, are shown side by side.
        dark: a dark background; without a background, light text for dark slides.
        transparent: no background, for pictures.
        series: a numbered picture of every frame instead of one picture.
        limits: of the colours, in the project's units; by default those of all shown values.
        seconds: duration of a film with frames evenly spread over time; 0 shows each frame once.
        play: "once", "loop" for an endless GIF, or "swing" for one that runs forwards and backwards.
        repeat: number of times that a film shows all frames.
        turn: degrees by which the camera moves around the model during a film.
        title, logo: shown at the top: a text, and a picture file (.png, .jpg, .svg) next to it; "" for none.
        dpi: pixels per inch on paper, which gives letters the size of print; 0 for a screen.
        style: "" as in the window, or "journal": on white, without caption.
        font: "sans" or "serif", for all text.
        reference: part of a system that appears at rest; "" for none.
        joint_scale: additional magnification of the motion of slave nodes relative to the master surface.
        opened: angle (degrees) by which the joints of a body are opened like books; 0 leaves them closed.
        section: planes that cut the model, "x=12mm, -z=50%" (`exporters.cuts.read_cuts`); "" for none.
        ghost: whether the removed side remains faintly visible.
        isolines: number of labelled lines of equal value; 0 for none.
        centre_of_mass: whether to mark it, for the body or each part of a system.
        marks: whether to draw interface nodes, markers, supports, constraints and loads with their names.
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
    shape: int = 0

    @property
    def views(self) -> tuple[str, ...]:
        """Directions of the cameras that show the model side by side."""
        return tuple(view.strip() for view in self.view.split(","))
