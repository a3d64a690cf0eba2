"""A bolt is tightened, to a force or by an angle, and stays at its length."""

import math
from typing import ClassVar

from pydantic import model_validator

from faying.analyses.step_kinds import Step, Tightening, step_kinds
from faying.params import parameter


@step_kinds.register("tighten")
class Tighten(Step):
    """Pulls a bolt to a tension, or turns its nut by an angle; then its length is locked.

    A locked bolt gains and loses force under what follows: loads, and other bolts. A tension of zero loosens it.
    """

    title: ClassVar[str] = "Tighten a bolt"

    bolt: str = parameter("", title="Bolt", choices="bolt", meaning="A bolt of the body or of its deck.")
    force: float = parameter(
        0.0, title="Force", quantity="force", ge=0.0,
        meaning="Tension at the end of the step. Used without an angle; zero loosens the bolt.",
    )  # fmt: skip
    angle: float = parameter(
        0.0, title="Angle", quantity="angle",
        meaning="By which the nut is turned from where it is, instead of a force; negative loosens.",
    )  # fmt: skip
    pitch: float = parameter(
        0.0, title="Pitch", quantity="length", ge=0.0,
        meaning="Of the thread: by so much a full turn shortens the bolt. Needed with an angle; 1.25 mm for M8.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _one_of_both(self) -> "Tighten":
        if self.angle and self.force:
            raise ValueError("a bolt is tightened to a force or by an angle, not both")
        if self.angle and not self.pitch:
            raise ValueError("an angle needs the pitch of the thread")
        return self

    @property
    def tightening(self) -> Tightening:
        """The bolt; an angle adds pitch × angle / 2π to the overlap at its cut."""
        overlap = self.pitch * self.angle / (2.0 * math.pi) if self.angle else None
        return Tightening(self.bolt, self.force, overlap)

    def describe(self) -> str:
        """Return what it does."""
        if self.angle:
            return f"turn {self.bolt} by {math.degrees(self.angle):.4g}°"
        return f"tighten {self.bolt}" if self.force else f"loosen {self.bolt}"
