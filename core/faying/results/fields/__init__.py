"""Fields: a value per contact pair or node at a frame, evaluated on demand. A member is one file."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from faying.fem.model import FeModel
from faying.fem.strength import StrengthSpec
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.pairs import ContactPairs
from faying.progress import Progress, Silent
from faying.reduction.body import ReducedBody
from faying.registry import Registry
from faying.results.fields._kept import Kept
from faying.results.results import FrameSource

__all__ = ["Field", "FieldContext", "Kept", "fields"]

fields: Registry[type["Field"]] = Registry("field", __name__)


@dataclass(frozen=True)
class FieldContext:
    """What a field may look at.

    `body` must be in the frame of reference of the results (`ReducedBody.frame`); laws and pairs by joint name.

    Attributes:
        frames: displacements and histories.
        body: the reduced body.
        contact_laws, friction_laws: of the joints.
        pairs: contact pairs; without them no forces as vectors.
        model: the FE model; without it no stresses.
        strengths: of its materials; without them no safety factors.
        progress: of what takes longer than a frame: stresses for the first time, extremes over a run.
        kept: what fields keep between frames; one for all contexts of a body, so that stresses begin at once.
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


class Field(ABC):
    """Evaluates one quantity; has no state.

    Attributes:
        title: for legends and menus.
        quantity: physical dimension (`faying.units.QUANTITIES`), "" for none.
        location: "joint" (a value per contact pair) or "body" (a value per node).
        colours: "sequential" from zero, "diverging" about zero, or "status" for the named states.
        states: names of the values 0, 1, 2, … of a status field.
        components: 1, or 3 for a vector per pair or node.
        reach: "node" when the value at a node follows from the motion of that node alone, so that it can be evaluated
            at a few nodes as well (`some_nodes.context_of_nodes`); "body" when it needs more.
    """

    title: str
    quantity: str = ""
    location: Literal["joint", "body"] = "joint"
    colours: Literal["sequential", "diverging", "status"] = "sequential"
    states: tuple[str, ...] = ()
    components: int = 1
    reach: Literal["node", "body"] = "body"

    @property
    def text(self) -> str:
        """What it is called in a formula, a file or an option: its kind."""
        return next(kind for kind, member in fields.items() if member is type(self))

    def looks_over_run(self) -> tuple["Field", ...]:
        """Return the fields whose extremes over the run it needs; such a field takes a whole run to evaluate."""
        return ()

    @abstractmethod
    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,) for a joint field, (n_nodes,) for a body field; (…, 3) for a vector.

        Raises:
            ModelError: says why there is no such value (a joint without friction, a result without time, …).
        """

    def shown(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return one number per pair or node: the value, or the length of a vector."""
        values = np.asarray(self.evaluate(context, joint, frame), float)
        return np.asarray(np.linalg.norm(values, axis=1)) if values.ndim == 2 else values
