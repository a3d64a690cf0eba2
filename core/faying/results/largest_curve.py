"""The largest value of a field in a joint or body, as a curve over the run: "largest pressure in lap"."""

import re
from dataclasses import dataclass

import numpy as np

from faying.errors import ModelError, there_are
from faying.progress import Progress
from faying.results.field import Field, FieldContext

_NAME = re.compile(r"(?:(?P<part>.+)\.)?largest (?P<field>\S.*?)(?: in (?P<joint>\S.*))?")


@dataclass(frozen=True)
class LargestCurve:
    """The largest value of a field at each frame.

    Attributes:
        part: of a system; "" for an analysis of a body.
        field: kind or formula.
        joint: of a joint's field; "" for the only joint, or a field of the body.
    """

    part: str
    field: str
    joint: str = ""

    @classmethod
    def read(cls, text: str) -> "LargestCurve | None":
        """Return the curve that a name describes; None for a name of another form."""
        found = _NAME.fullmatch(text.strip())
        return None if found is None else cls(found["part"] or "", found["field"], found["joint"] or "")

    @property
    def name(self) -> str:
        """Name of the curve, as `read` understands it."""
        of_part, in_joint = (
            (f"{self.part}." if self.part else ""),
            (f" in {self.joint}" if self.joint else ""),
        )
        return f"{of_part}largest {self.field}{in_joint}"

    def values(self, field: Field, context: FieldContext, progress: Progress) -> np.ndarray:
        """Return (n_frames,) the largest number of the field at each frame, NaN where it has none.

        Args:
            field: the field itself.
            context: of the frames.
            progress: reports each frame, and cancels.

        Raises:
            ModelError: when the field is not available, or it is not said in which joint it is.
        """
        joint = self._joint_of(field, context)
        if (refusal := context.refusal(field, joint)) is not None:
            raise refusal
        found = np.full(context.frames.n_frames, np.nan)
        for frame in range(len(found)):
            progress.report(frame / len(found), f"{field.title}: frame {frame}")
            shown = field.shown(context, joint, frame)
            if np.isfinite(shown).any():
                found[frame] = np.nanmax(shown)
        return found

    def _joint_of(self, field: Field, context: FieldContext) -> str:
        joints = list(context.contact_laws)
        if field.location == "body":
            if self.joint:
                raise ModelError(f"{field.title} is a field of the body.", f"Leave out “in {self.joint}”.")
            return ""
        if self.joint in joints or (not self.joint and len(joints) == 1):
            return self.joint or joints[0]
        raise ModelError(
            f"{field.title} lives in a joint, and {self.name!r} names none of the body's.",
            there_are(self.joint, joints),
        )
