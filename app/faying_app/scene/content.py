"""What a scene shows: plain values that the visuals read."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from dataclasses import field as dataclass_field
from functools import cached_property
from typing import Literal

import numpy as np

from faying.exporters.shown_loads import ShownLoad
from faying.fem.model import FeModel
from faying.fem.skin import Skin
from faying.fem.surface import Surface
from faying.joints.pairs import ContactPairs
from faying.multibody.system_spec import SystemSpec
from faying.results.field import Pose
from faying.results.fields import Field, FieldSource
from faying.units import UnitSystemName, shown_unit
from faying_app.scene.at_nodes import AtNodes
from faying_app.scene.colours import PLAIN_STYLE, Colouring, ColourStyle, colouring_of
from faying_app.scene.facet_groups import FacetGroups, part_groups
from faying_app.scene.number_texts import common_power, number_text
from faying_app.scene.systems import ShownSystem

BodyStyle = Literal["auto", "solid", "ghost", "hidden"]


@dataclass(frozen=True)
class Symbols:
    """Marks on nodes, by row: interface nodes by name, supports, loads."""

    interfaces: dict[str, int] = dataclass_field(default_factory=dict)
    supports: tuple[int, ...] = ()
    loads: tuple[ShownLoad, ...] = ()


@dataclass(frozen=True)
class CuttingPlane:
    """A plane that cuts the body: `normal` (3,) points to what is left out, `at` is its place along it (0 to 1)."""

    normal: tuple[float, float, float]
    at: float


@dataclass(frozen=True)
class DisplayOptions:
    """How frames are shown, beside what the user switches on and off.

    Attributes:
        units: that numbers are written in, by quantity; those of the unit system without.
        joint_scale: enlarges the motion of the slave side against the master surface once more.
        reference: part of a system that appears at rest; "" for the inertial frame.
        reference_turns: whether it keeps its orientation too, not only its place.
        sections: the cuts; what one of them leaves out is not seen.
        section_ghost: whether what is left out stays to be seen faintly.
        opened: angle (degrees) by which the joints are opened like books; 0 leaves them closed.
        isolines: number of lines of equal value; 0 for none.
        style: how values become colours.
        opacity: of a body that is drawn solid.
        marker_size: factor of the size of points.
        background: of the view, see `colours.theme_with`.
    """

    units: tuple[tuple[str, str], ...] = ()
    joint_scale: float = 1.0
    reference: str = ""
    reference_turns: bool = True
    sections: tuple[CuttingPlane, ...] = ()
    section_ghost: bool = False
    opened: float = 0.0
    isolines: int = 0
    style: ColourStyle = PLAIN_STYLE
    opacity: float = 1.0
    marker_size: float = 1.0
    background: str = ""


PLAIN_DISPLAY = DisplayOptions()


@dataclass(frozen=True)
class Highlight:
    """What is selected: rows of contact pairs, facet numbers of the skin, or something of a system.

    `member` is its kind and name: ("part", "rod"), ("marker", "rod.tip"), ("constraint", "hinge"), ("force", "spring").
    """

    pairs: tuple[int, ...] = ()
    facets: tuple[int, ...] = ()
    member: tuple[str, str] = ("", "")


@dataclass(frozen=True, eq=False)
class ShownFrame:
    """One shown frame, evaluated: at all nodes, or while pictures follow each other at those that are drawn.

    Attributes:
        number: the frame.
        field: the shown field, None for the mere deformation.
        joint: the joint of a joint field; "" for all.
        scale: factor of the displacements.
        limits: of the colours.
        positions_at: (n_nodes, 3) where the nodes are drawn; ask for rows.
        values_at: (n_nodes,) of the field, NaN where it has none; ask for rows. None without a field.
        poses: of the parts of a system.
        of_pairs: (n_pairs,) values of a joint field by joint, as they are before nodes get them.
    """

    number: int
    field: Field | None
    joint: str
    scale: float
    limits: tuple[float, float]
    positions_at: AtNodes
    values_at: AtNodes | None
    poses: tuple[Pose, ...] = ()
    of_pairs: Mapping[str, np.ndarray] = dataclass_field(default_factory=dict)

    @property
    def positions(self) -> np.ndarray:
        """(n_nodes, 3) where the nodes are drawn."""
        return self.positions_at.whole

    @property
    def values(self) -> np.ndarray | None:
        """(n_nodes,) of the field, NaN where it has none; None without a field."""
        return self.values_at.whole if self.values_at is not None else None

    @property
    def is_whole(self) -> bool:
        """Whether all nodes have been evaluated."""
        return self.positions_at.is_whole and (self.values_at is None or self.values_at.is_whole)

    def complete(self) -> None:
        """Evaluate all nodes."""
        _ = self.positions, self.values

    @cached_property
    def extremes(self) -> tuple[float, float] | None:
        """Smallest and largest value of all nodes; None without values."""
        if self.values is None:
            return None
        finite = self.values[np.isfinite(self.values)]
        return (float(finite.min()), float(finite.max())) if len(finite) else None


@dataclass(frozen=True, eq=False)
class Subject:
    """What of the project is shown.

    Attributes:
        name: of the body or system; "" for nothing.
        system: the shown system, None for a body.
        skin: of the whole body, hidden parts too; None for a system.
        facets: (n_facets,) numbers on that skin of the facets that are shown; None for all of them.
        frames: key of the shown frames, another for other results; None without any.
    """

    name: str = ""
    system: SystemSpec | None = None
    skin: Skin | None = None
    facets: np.ndarray | None = None
    frames: tuple[str, ...] | None = None

    def skin_facet(self, shown: int) -> int:
        """Return the number on the whole skin of a facet in the picture."""
        return shown if self.facets is None else int(self.facets[shown])

    def shown_facets(self, facets: np.ndarray) -> np.ndarray:
        """Return the numbers in the picture of facets of the whole skin, without hidden ones."""
        if self.facets is None or not len(self.facets):
            return facets if self.facets is None else np.zeros(0, np.int64)
        at = np.minimum(np.searchsorted(self.facets, facets), len(self.facets) - 1)
        return np.asarray(at[self.facets[at] == facets])


NOTHING = Subject()


@dataclass(frozen=True, eq=False)
class SceneContent:
    """All that there is to draw, as a value: the scene draws the difference of two (`changed_in`).

    Attributes:
        subject: what of the project is shown; only those who choose and pick ask for it.
        model: the body; for a system the nodes of all of its parts, where they start.
        system: the parts of a multibody system, None for a single body.
        skin, skin_normals: its exterior facets and their unit normals (n_facets, 3).
        size: diagonal of the undeformed body's box.
        master, slave: surfaces of the chosen joint, or of the chosen contact between parts.
        roles: what the two are called.
        front: "master" or "slave", which is drawn on top of the other; "" for neither.
        touching: names "part.surface" of its master and slave where these are surfaces of rigid parts or of ground.
        pairs: its contact pairs, and the joint's name.
        highlight, symbols: see there.
        context: frames of a result or of mode shapes.
        joint_pairs, joint_slaves: contact pairs and slave surfaces by joint name, for joint fields.
        frame: the shown frame; None shows the model itself.
        body_style: "auto" draws the body as a ghost when something inside has to be seen.
        probes: rows of the nodes whose values are written beside them.
        display: how frames are shown.
        groups: of the skin's facets, each with a colour of its own; None for one colour.
        marks: (n, 3) places that a check points at.
        title: of what is shown, for the caption.
        spanned: which values the limits of the colours cover, in words ("limits of the run"); "" says nothing.
        units: unit system of all numbers.
        switches: kinds of visuals that are switched on or off; others are as the scene begins.
        shown: kinds of the visuals that are shown now; the scene finds out.
    """

    subject: Subject = dataclass_field(default=NOTHING, compare=False)
    model: FeModel | None = None
    skin: Surface | None = None
    size: float = 1.0
    skin_normals: np.ndarray = dataclass_field(default_factory=lambda: np.zeros((0, 3)))
    master: Surface | None = None
    slave: Surface | None = None
    roles: tuple[str, str] = ("Master", "Slave")
    front: str = ""
    touching: tuple[str, str] = ("", "")
    pairs: ContactPairs | None = None
    highlight: Highlight = Highlight()
    symbols: Symbols = Symbols()
    system: ShownSystem | None = None
    context: FieldSource | None = None
    joint_pairs: dict[str, ContactPairs] = dataclass_field(default_factory=dict)
    joint_slaves: dict[str, Surface] = dataclass_field(default_factory=dict)
    frame: ShownFrame | None = None
    body_style: BodyStyle = "auto"
    probes: tuple[int, ...] = ()
    display: DisplayOptions = PLAIN_DISPLAY
    groups: FacetGroups | None = None
    marks: np.ndarray = dataclass_field(default_factory=lambda: np.zeros((0, 3)))
    title: str = ""
    spanned: str = ""
    units: UnitSystemName = "mm-t-s"
    switches: dict[str, bool] = dataclass_field(default_factory=dict)
    shown: frozenset[str] = dataclass_field(default=frozenset(), compare=False)

    @property
    def positions(self) -> np.ndarray:
        """(n_nodes, 3) where the nodes are drawn."""
        if self.frame is not None:
            return self.frame.positions
        return self.model.nodes if self.model is not None else np.zeros((0, 3))

    @property
    def positions_at(self) -> AtNodes:
        """Where the nodes are drawn; ask for rows."""
        return self.frame.positions_at if self.frame is not None else AtNodes(self.positions)

    @property
    def poses(self) -> tuple[Pose, ...]:
        """Poses of the parts of a system."""
        if self.frame is not None:
            return self.frame.poses
        return self.system.starts if self.system is not None else ()

    def facets_of_part(self, name: str) -> list[int]:
        """Return the facets of the skin that belong to a part of the shown system."""
        part = next((p for p in self.system.parts if p.name == name), None) if self.system else None
        if part is None or self.skin is None:
            return []
        firsts = self.skin.first_nodes
        return np.flatnonzero((firsts >= part.rows.start) & (firsts < part.rows.stop)).tolist()

    def unit_of(self, quantity: str) -> tuple[str, float]:
        """Return the unit that a quantity is shown in, and the factor from project units to it."""
        return shown_unit(quantity, self.units, dict(self.display.units))

    @property
    def field_unit(self) -> tuple[str, float]:
        """Display unit of the shown field, and the factor from its values to it; ("", 1.0) without a field."""
        if self.frame is None or self.frame.field is None:
            return "", 1.0
        field, axis = self.frame.field, None if self.context is None else self.context.frames.axis
        if axis is None or axis.has_size:
            return self.unit_of(field.quantity_over(axis) if axis else field.quantity)
        # Mode shapes have no size of their own: they are shown as fractions of their largest value.
        largest = max(abs(limit) for limit in self.frame.limits)
        return "relative", 1.0 / largest if largest > 0.0 else 1.0

    def value_text(self, value: float, digits: int = 3) -> str:
        """Return a value of the shown field as text, in the unit of the legend and with its power of ten."""
        assert self.frame is not None
        factor = self.field_unit[1]
        low, high = factor * self.frame.limits[0], factor * self.frame.limits[1]
        noise = 1e-6 * max(abs(low), abs(high))
        return number_text(
            factor * value if abs(factor * value) > noise else 0.0, common_power(low, high), digits
        )

    def load_factor(self, load: ShownLoad) -> float:
        """Return the factor of a load in the shown frame; 1 for a load that is constant over the frames."""
        if load.time_history is None or self.frame is None or self.context is None:
            return 1.0
        frames = self.context.frames
        value = float(frames.values[self.frame.number])
        return load.time_history.factor(value) if load.follows(frames.axis) else 1.0

    @property
    def colouring(self) -> Colouring:
        """How the values of the shown field become colours."""
        assert self.frame is not None and self.frame.field is not None
        return colouring_of(self.frame.field, self.frame.limits, self.display.style)

    @property
    def is_opened(self) -> bool:
        """Whether the joints are opened like books, and nothing else is shown."""
        return self.display.opened > 0.0 and self.shows_joint_field and self.system is None

    @property
    def shows_joint_field(self) -> bool:
        """Whether the shown frame has values on the joints."""
        return (
            self.frame is not None and self.frame.field is not None and self.frame.field.location == "joint"
        )

    @property
    def body_look(self) -> str:
        """How the body is drawn now: "solid", "ghost" or "hidden"."""
        if self.is_opened:
            return "hidden"
        if self.body_style != "auto":
            return self.body_style
        inside = self.shown & {"surfaces", "pairs", "normals", "joint_field", "joint_points", "joint_colours"}
        return "ghost" if inside else "solid"


def content_of_model(model: FeModel, skin: Skin, system: ShownSystem | None = None) -> SceneContent:
    """Return a body by its exterior facets, and nothing else; of a system all its parts, in colours of their own."""
    points = model.nodes[skin.surface.nodes]
    if system is not None:
        points = np.concatenate([points, system.points(system.starts, model.nodes)])
    size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 1.0
    groups = None if system is None else part_groups(skin.surface, [(p.name, p.rows) for p in system.parts])
    return SceneContent(
        model=model, skin=skin.surface, skin_normals=skin.normals, size=size, system=system, groups=groups
    )


def changed_in(before: SceneContent, after: SceneContent) -> set[str]:
    """Return the names of the attributes that are drawn and in which two contents differ."""
    names = [each.name for each in fields(SceneContent) if each.compare]
    each = ((name, getattr(before, name), getattr(after, name)) for name in names)
    return {name for name, one, other in each if one is not other and not _equal(one, other)}


def _equal(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and np.array_equal(one, other)
    return one == other
