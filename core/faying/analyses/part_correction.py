"""Corrections on the FE model of a flexible part in motion."""

from collections.abc import Sequence
from typing import Any, ClassVar

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.fe_correction import FeCorrection
from faying.analyses.statics.corrected_part import CorrectedPart
from faying.params import parameter


@analyses.register("part_correction")
class PartCorrection(FeCorrection):
    """Newton corrections of a part of a system, frame by frame of a motion, with its inertia and damping forces.

    The accelerations of the part's frame, its spin, deformation, weight and loads act on the FE model of its body, and
    the forces at its interface nodes that balance them. The results are those of the body: pressures, stresses, gaps.
    """

    title: ClassVar[str] = "Correction of a part on the FE model"
    needs_system: ClassVar[bool] = True
    follows: ClassVar[tuple[str, ...]] = ("motion",)

    part: str = parameter(
        title="Part", choices="part", min_length=1, meaning="Flexible part that is made of this body."
    )

    @classmethod
    def first_parameters(cls, followed: Sequence[str]) -> dict[str, Any] | None:
        """Return None: an action adds it, for the part whose motion is shown."""
        return None

    def corrected_body(self, body: BodyModel) -> CorrectedPart:
        """Return the unreduced body, loaded as the part is in the motion's frames."""
        return CorrectedPart(body, needed(body.start), self.part, self.most_corrections, self.accuracy)
