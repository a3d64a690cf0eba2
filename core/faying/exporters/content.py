"""What exporters are given: frames with all that is shown of them, and how they are to be shown."""

from dataclasses import dataclass

from faying.errors import ModelError
from faying.fem.added_bolts import BoltSpec
from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.joints.pairs import ContactPairs
from faying.multibody.system_spec import SystemSpec
from faying.project.specs import Project
from faying.results.bolt_table import BoltRow, bolt_table
from faying.results.fields import FieldContext, FieldSource
from faying.results.results import Results
from faying.units import UnitSystemName


@dataclass(frozen=True)
class ExportContent:
    """What there is to be shown: a body, its joints, and the frames of one result or its modes.

    Attributes:
        title: what the frames are of: the name of the analysis, or "modes".
        units: unit system of all numbers.
        model: the body's FE model.
        context: the frames, and what their fields look at.
        surfaces: (master, slave) by joint name.
        pairs: contact pairs by joint name.
        bolts: the body's decisions about bolts, for their sizes and strength classes.
        minus: name and frames of another result of the body, which fields are to be less; None shows them as they are.
    """

    title: str
    units: UnitSystemName
    model: FeModel
    context: FieldSource
    surfaces: dict[str, tuple[Surface, Surface]]
    pairs: dict[str, ContactPairs]
    minus: tuple[str, FieldContext] | None = None
    bolts: tuple[BoltSpec, ...] = ()

    def bolt_table(self) -> tuple[BoltRow, ...]:
        """Return a row for each bolt; none where the frames are no run of a single body with bolts.

        Raises:
            ModelError: for a size or strength class that is not known.
        """
        found = self.context.of_body
        if found is None or not isinstance(found.frames, Results):
            return ()
        return bolt_table(found.frames, found, self.bolts, self.units)

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
    """What there is to be shown of a system in motion: all of its parts.

    Attributes:
        title: name of the analysis.
        project: the decisions.
        system: the one that moves.
        results: its frames.
        bodies: model, joints and frames of each flexible part, by its name.
        models: FE models of the rigid parts that have one, by the part's name.
    """

    title: str
    project: Project
    system: SystemSpec
    results: Results
    bodies: dict[str, ExportContent]
    models: dict[str, FeModel]

    @property
    def n_frames(self) -> int:
        """Number of frames of the analysis."""
        return self.results.n_frames


@dataclass(frozen=True)
class ExportSettings:
    """How it is to be shown.

    Attributes:
        field: kind of a field ("pressure"), or a formula of some ("maximum(pressure)"); "" for the mere motion, in
            pictures and films.
        joint: the joint of a joint field; "" for all joints that the exporter can show, or the first.
        frames: frame numbers in order; exporters of a single frame take the first.
        size: pixels of a picture or film.
        frames_per_second: of a film.
        scale: factor of the shown displacements; None chooses one that can be seen.
        view: "iso", "+x", … "-z": where the camera stands.
        dark: a dark background.
        transparent: no background, for pictures.
        series: a picture of every frame, numbered, instead of one.
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
