"""What a scene shows: plain values that the visuals read."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.joints.pairs import ContactPairs
from faying.results.fields import Field, FieldContext
from faying_app.scene.systems import Pose, ShownSystem, SystemContext

BodyStyle = Literal["auto", "solid", "ghost", "hidden"]


@dataclass(frozen=True)
class Load:
    """A force or moment on a node: `kind` is "force" or "moment", `vector` (3,) gives its direction."""

    node: int
    vector: tuple[float, float, float]
    text: str = ""
    kind: Literal["force", "moment"] = "force"


@dataclass(frozen=True)
class Symbols:
    """Marks on nodes, by row: interface nodes by name, supports, loads."""

    interfaces: dict[str, int] = field(default_factory=dict)
    supports: tuple[int, ...] = ()
    loads: tuple[Load, ...] = ()


@dataclass(frozen=True)
class Highlight:
    """What is selected: rows of contact pairs, or facet numbers of the skin."""

    pairs: tuple[int, ...] = ()
    facets: tuple[int, ...] = ()


@dataclass(frozen=True)
class Frame:
    """One shown frame, evaluated.

    Attributes:
        number: the frame.
        field: the shown field, None for the mere deformation.
        joint: the joint of a joint field; "" for all.
        scale: factor of the displacements.
        limits: of the colours.
        extremes: smallest and largest value of this frame; None without values.
        positions: (n_nodes, 3) where the nodes are drawn.
        values: (n_nodes,) of the field, NaN where it has none; None without a field.
        poses: of the parts of a system.
    """

    number: int
    field: Field | None
    joint: str
    scale: float
    limits: tuple[float, float]
    extremes: tuple[float, float] | None
    positions: np.ndarray
    values: np.ndarray | None
    poses: tuple[Pose, ...] = ()


@dataclass
class Content:
    """All that there is to draw. Only the scene writes it.

    Attributes:
        model: the body; for a system the nodes of all of its parts, where they start.
        system: the parts of a multibody system, None for a single body.
        skin, skin_normals: its exterior facets and their unit normals (n_facets, 3).
        size: diagonal of the undeformed body's box.
        master, slave: surfaces of the chosen joint.
        pairs: its contact pairs, and the joint's name.
        highlight, symbols: see there.
        context: frames of a result or of mode shapes.
        joint_pairs, joint_slaves: contact pairs and slave surfaces by joint name, for joint fields.
        frame: the shown frame; None shows the model itself.
        body_style: "auto" draws the body as a ghost when something inside has to be seen.
        title: of what is shown, for the caption.
        units: unit system of all numbers.
        shown: kinds of the visuals that are shown now.
    """

    model: FeModel | None = None
    skin: Surface | None = None
    size: float = 1.0
    skin_normals: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    master: Surface | None = None
    slave: Surface | None = None
    pairs: ContactPairs | None = None
    highlight: Highlight = Highlight()
    symbols: Symbols = Symbols()
    system: ShownSystem | None = None
    context: FieldContext | SystemContext | None = None
    joint_pairs: dict[str, ContactPairs] = field(default_factory=dict)
    joint_slaves: dict[str, Surface] = field(default_factory=dict)
    frame: Frame | None = None
    body_style: BodyStyle = "auto"
    title: str = ""
    units: str = "mm-t-s"
    shown: set[str] = field(default_factory=set)

    @property
    def positions(self) -> np.ndarray:
        """(n_nodes, 3) where the nodes are drawn."""
        if self.frame is not None:
            return self.frame.positions
        return self.model.nodes if self.model is not None else np.zeros((0, 3))

    @property
    def poses(self) -> tuple[Pose, ...]:
        """Poses of the parts of a system."""
        if self.frame is not None:
            return self.frame.poses
        return self.system.starts if self.system is not None else ()

    @property
    def shows_joint_field(self) -> bool:
        """Whether the shown frame has values on the joints."""
        return (
            self.frame is not None and self.frame.field is not None and self.frame.field.location == "joint"
        )

    @property
    def body_look(self) -> str:
        """How the body is drawn now: "solid", "ghost" or "hidden"."""
        if self.body_style != "auto":
            return self.body_style
        inside = self.shown & {"surfaces", "pairs", "normals", "joint_field", "joint_points"}
        return "ghost" if inside else "solid"
