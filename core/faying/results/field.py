"""Fields: values per contact pair or node at a frame, the data they are evaluated from, and what they require."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

import numpy as np

from faying.errors import ModelError
from faying.fem.model import FeModel
from faying.fem.strength import StrengthSpec
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.pairs import ContactPairs, Joining
from faying.progress import Progress, Silent
from faying.reduction.body import ReducedBody
from faying.results.frame_axis import FrameAxis
from faying.results.kept import Kept
from faying.results.results import FrameSource

Group = Literal["motion", "joint", "stress", "strain", "durability"]
Pose = tuple[np.ndarray, np.ndarray]  # position (3,) and rotation matrix (3, 3) of a frame of reference


class FieldSource(Protocol):
    """Frames with fields that can be shown: of one body (`FieldContext`), or of all parts of a system in motion."""

    @property
    def frames(self) -> FrameSource:
        """Times, loads or modes, and names of the frames."""

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""

    @property
    def of_body(self) -> "FieldContext | None":
        """Context of the fields of a single body; None where the frames are of several."""

    @property
    def has_fields(self) -> bool:
        """Whether there is anything but rigid motion to show."""

    def on_fe_model(self, frame: int) -> dict[str, bool]:
        """Return by name of each flexible part, "" for a body, whether its frame is of the FE model, not reduced."""

    def displacement(self, frame: int) -> np.ndarray:
        """Return (n_nodes, 3), read-only, in the frame of reference of the body that each node is of."""

    def movement(self, frame: int) -> np.ndarray:
        """Return (n, 3) the motion enlarged by a picture's scale: displacements, or vibrations of a system's points."""

    def placed(
        self, frame: int, scale: float, reference: str = "", turns: bool = False
    ) -> tuple[tuple[Pose, ...], np.ndarray]:
        """Return poses of the parts' frames, none for a single body, and where the nodes (n_nodes, 3) are drawn.

        Args:
            frame: its number.
            scale: factor of the deformation, and of operating shapes; motion of the parts is true to scale.
            reference: part that one moves along with; "" for none.
            turns: whether one turns with it too.
        """

    def shown(self, field: "Field", joint: str, frame: int) -> np.ndarray:
        """Return (n,) one number per pair of a joint, or for a body field per node; NaN at nodes without one."""

    def refusal(self, field: "Field", joint: str = "") -> ModelError | None:
        """Return the error that names missing data which a field requires; None when it can be shown."""


@dataclass(frozen=True)
class FieldContext:
    """The data that a field is evaluated from.

    `body` must be in the frame of reference of the results (`ReducedBody.frame`); laws and pairs by joint name.

    Attributes:
        frames: displacements and histories.
        body: the reduced body.
        contact_laws, friction_laws: of the joints.
        pairs: contact pairs; without them no forces as vectors.
        model: the FE model; without it no stresses.
        strengths: of its materials; without them no safety factors.
        progress: of computations longer than a frame: first stresses, extremes over a run.
        kept: cached values; one cache for all contexts of a body, so that stress recovery is prepared once.
    """

    frames: FrameSource
    body: ReducedBody
    contact_laws: dict[str, ContactLaw]
    friction_laws: dict[str, FrictionLaw | None]
    pairs: dict[str, ContactPairs] = field(default_factory=dict)
    model: FeModel | None = None
    kept: Kept = field(default_factory=Kept)
    progress: Progress = field(default_factory=Silent)
    strengths: tuple[StrengthSpec, ...] = ()

    @property
    def n_nodes(self) -> int:
        """Number of nodes of the body."""
        return len(self.body.nodes)

    @property
    def of_body(self) -> "FieldContext | None":
        """The context itself: it is that of a body."""
        return self

    @property
    def is_reduced(self) -> bool:
        """Whether the frames are of a reduced body; else they hold displacements of the FE model."""
        kept = self.kept.of(self.frames)
        if "is reduced" not in kept:
            kept["is reduced"] = self.frames.n_frames > 0 and self.frames.coordinates(0) is not None
        return bool(kept["is reduced"])

    @property
    def has_fields(self) -> bool:
        """True: a body deforms."""
        return True

    def on_fe_model(self, frame: int) -> dict[str, bool]:
        """Return whether the frame is of the FE model, not of the reduced body."""
        return {"": self.frames.coordinates(frame) is None}

    def displacement(self, frame: int) -> np.ndarray:
        """Return (n_nodes, 3), read-only.

        Those of the last frame are cached: the drawn shape, displacements and all stresses use them.

        Raises:
            ModelError: when the frames hold neither coordinates nor displacements.
        """
        modes, kept = self.body.displacements, self.kept.of(self.frames)
        last = kept.get("displacement")
        if last is not None and last[0] == frame and last[1] is modes:
            return np.asarray(last[2])
        stored = self.frames.displacement(frame)
        if stored is None:
            coordinates = self.frames.coordinates(frame)
            if coordinates is None:
                raise ModelError(
                    "This result holds neither coordinates nor displacements.", "Run the analysis again."
                )
            stored = modes @ coordinates
        return self.keep_displacement(frame, np.asarray(stored))

    def keep_displacement(self, frame: int, values: np.ndarray) -> np.ndarray:
        """Keep the displacements of a frame in place of the last ones; return them (n_nodes, 3), read-only.

        Args:
            frame: its number.
            values: (3 n_nodes,) or (n_nodes, 3), the product of modes and coordinates.
        """
        found = values.reshape(-1, 3)
        found.flags.writeable = False
        self.kept.of(self.frames)["displacement"] = frame, self.body.displacements, found
        return found

    def movement(self, frame: int) -> np.ndarray:
        """Return (n_nodes, 3) what the scale enlarges: the displacement, of a periodic motion that from its mean."""
        mean = self.mean_displacement(frame)
        return self.displacement(frame) if mean is None else self.displacement(frame) - mean

    def mean_displacement(self, frame: int) -> np.ndarray | None:
        """Return (n_nodes, 3) the mean over the period of a periodic motion, read-only; None for other frames."""
        period, modes, kept = self.frames.period(frame), self.body.displacements, self.kept.of(self.frames)
        if period is None:
            return None
        last = kept.get("mean displacement")
        if last is None or last[0] != frame or last[1] is not modes:
            found = np.asarray(modes @ period[0]).reshape(-1, 3)
            found.flags.writeable = False
            kept["mean displacement"] = last = frame, modes, found
        return np.asarray(last[2])

    def enlarged(self, frame: int, scale: float, moved: np.ndarray | None = None) -> np.ndarray:
        """Return (n_nodes, 3) displacements as they are drawn: enlarged, those of a periodic motion from its mean.

        Args:
            frame: its number.
            scale: factor.
            moved: (n_nodes, 3) displacements in place of the frame's own.
        """
        found = scale * (self.displacement(frame) if moved is None else moved)
        mean = self.mean_displacement(frame) if scale != 1.0 else None
        return np.asarray(found if mean is None else found + (1.0 - scale) * mean)

    def placed(
        self, frame: int, scale: float, reference: str = "", turns: bool = False
    ) -> tuple[tuple[Pose, ...], np.ndarray]:
        """Return no poses, and the nodes (n_nodes, 3) in the body's own frame of reference."""
        return (), self.body.nodes + self.enlarged(frame, scale)

    def shown(self, field: "Field", joint: str, frame: int) -> np.ndarray:
        """Return (n,) one number per pair of a joint, or per node."""
        return field.shown(self, joint, frame)

    def refusal(self, field: "Field", joint: str = "") -> ModelError | None:
        """Return the error that names missing data which a field requires; None when it can be shown."""
        return field.refusal(self, joint)


@dataclass(frozen=True)
class Need:
    """A requirement of a field that frames may not meet.

    Attributes:
        name: of the requirement, in a word.
        lacking: (context, joint, frame) -> the error to raise if it is not met, else None.
    """

    name: str
    lacking: Callable[["FieldContext", str, int], ModelError | None]

    def require(self, context: "FieldContext", joint: str = "", frame: int = 0) -> None:
        """Raise that error where it is missing."""
        if (error := self.lacking(context, joint, frame)) is not None:
            raise error


def _no_friction(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if context.friction_laws.get(joint) is None:
        return ModelError(
            f"Joint {joint!r} has no friction law, so there is no friction to show.",
            "Give the joint a friction law and run again, or choose another field.",
        )
    if context.frames.history(joint, frame) is None:
        return ModelError(
            f"These frames were computed without the friction of joint {joint!r}.",
            "Switch friction on in the analysis and run again, or choose another field.",
        )
    return None


def _no_time(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if context.frames.axis.in_time and context.frames.n_frames > 1:
        return None
    return ModelError(
        "These frames are no moments in time, so nothing moves between them.",
        "Choose the frames of a transient analysis, or another field.",
    )


def _no_run(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if context.frames.axis.has_size and context.frames.n_frames:
        return None
    return ModelError(
        "Mode shapes have no largest, mean or summed values over a run: they do not follow each other.",
        "Choose the frames of an analysis.",
    )


def _no_cases(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if context.frames.axis.several_cases:
        return None
    return ModelError(
        "These frames are of one load case, so that there is no number of a case.",
        "Choose the frames of an envelope or of combinations.",
    )


def _no_model(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if context.model is not None:
        return None
    return ModelError("Stresses need the FE model, which is not there.", "Read the deck again.")


def _no_strength(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if context.model is None:
        return _no_model(context, joint, frame)
    known, there = {spec.material for spec in context.strengths}, {b.material for b in context.model.blocks}
    if known & there:
        return None
    names = ", ".join(repr(name) for name in context.model.materials) or "none"
    return ModelError(
        "No strength is known of the body's materials, so it has no safety factors.",
        f"Add one in the body's properties (strengths); its materials are: {names}.",
    )


def _no_pairs(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if joint in context.pairs:
        return None
    return ModelError(f"The contact pairs of joint {joint!r} are not there.", "Find the contact pairs first.")


def _no_cycle(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if context.frames.n_frames and context.frames.cycle_work(joint, frame) is not None:
        return None
    return ModelError(
        "These frames are no periodic vibrations, so there is no work of a cycle.",
        "Choose the frames of a harmonic balance or of a nonlinear mode, or the field of dissipated work.",
    )


def _no_contact(context: FieldContext, joint: str, frame: int) -> ModelError | None:
    if context.frames.axis.has_contact:
        return None
    return ModelError(
        f"These frames are shapes of small motions, so joint {joint!r} has no pressure and no friction in them.",
        "Look at displacements, gaps and slips, or at the static analysis of the equilibrium.",
    )


CONTACT = Need("contact", _no_contact)
FRICTION = Need("friction", _no_friction)
CYCLE = Need("cycle", _no_cycle)
TIME = Need("time", _no_time)
RUN = Need("run", _no_run)
CASES = Need("cases", _no_cases)
MODEL = Need("model", _no_model)
STRENGTH = Need("strength", _no_strength)
PAIRS = Need("pairs", _no_pairs)


class Field(ABC):
    """Evaluates one quantity; has no state.

    Attributes:
        kind: its name in formulas, files and options, from the registry.
        title: for legends and menus; by default the kind in words.
        quantity: physical dimension (`faying.units.QUANTITIES`), "" for none.
        group: "motion", "joint", "stress", "strain" or "durability": its section in a chooser.
        order: its place in the group; those of the same place are sorted by title.
        location: "joint" (a value per contact pair) or "body" (a value per node).
        colours: "sequential" from zero, "diverging" about zero, or "status" for the named states.
        states: names of the values 0, 1, 2, … of a status field.
        open_at_zero: whether zero means open surfaces, so that pictures leave the place without colour.
        severe_below: whether small values are the severe ones, as of gaps; users may reverse their colours.
        components: 1, or 3 for a vector per pair or node.
        reach: "node" when the value at a node follows from the motion of that node alone, so that it can be evaluated
            at a few nodes as well (`some_nodes.context_of_nodes`); "stress" when also from the stress tensor there
            (`places.history_at`); "body" otherwise.
        needs: requirements on the frames in addition to the motion; frames that do not meet them are refused.
    """

    kind: ClassVar[str] = ""
    title: str = ""
    quantity: str = ""
    group: Group = "joint"
    order: int = 50
    location: Literal["joint", "body"] = "joint"
    colours: Literal["sequential", "diverging", "status"] = "sequential"
    states: tuple[str, ...] = ()
    open_at_zero: bool = False
    severe_below: bool = False
    components: int = 1
    reach: Literal["node", "stress", "body"] = "body"
    needs: tuple[Need, ...] = ()

    @property
    def text(self) -> str:
        """Its name in a formula, a file or an option: its kind."""
        return self.kind

    def refusal(self, context: FieldContext, joint: str = "", frame: int = 0) -> ModelError | None:
        """Return the error that names missing data which the field requires; None when nothing is missing.

        Args:
            context: of the frames.
            joint: of a joint field; "" for any of them.
            frame: number of the frame.
        """
        of_joint = self.location == "joint" and not joint
        joints = tuple(context.contact_laws) if of_joint else (joint,)
        each = [
            next((e for need in self.needs if (e := need.lacking(context, name, frame)) is not None), None)
            for name in joints
        ]
        return None if None in each or not each else each[0]

    def quantity_over(self, axis: FrameAxis) -> str:
        """Return the physical dimension of its numbers in frames along an axis."""
        return self.quantity

    @property
    def joining(self) -> Joining:
        """Rule that forms nodal values from those at a joint's integration points, see `ContactPairs.at_nodes`."""
        return "nearest" if self.colours == "status" else "sum" if self.quantity == "force" else "mean"

    @property
    def followed(self) -> "Field":
        """The field to plot over time: itself, or for an extreme over the run the field of the extreme."""
        return self

    def looks_over_run(self) -> tuple["Field", ...]:
        """Return the fields of which it needs extremes over the run; its evaluation takes a whole run."""
        return ()

    @abstractmethod
    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,) for a joint field, (n_nodes,) for a body field; (…, 3) for a vector.

        Raises:
            ModelError: with the reason why there is no such value (a joint without friction, a result without time, …).
        """

    def shown(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n,) one number per pair or node: the value, or the length of a vector."""
        values = np.asarray(self.evaluate(context, joint, frame), float)
        return np.asarray(np.linalg.norm(values, axis=1)) if values.ndim == 2 else values
