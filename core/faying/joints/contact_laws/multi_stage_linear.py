"""The multi-stage linear penalty law: straight pieces, each with a stiffness of its own."""

from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field, ValidationInfo, field_validator

from faying.joints.contact_laws import contact_laws
from faying.joints.contact_laws._penetration import PenetrationLaw
from faying.params import parameter


@contact_laws.register("multi_stage_linear")
class MultiStageLinear(PenetrationLaw):
    """Pressure in k straight pieces (thesis eq. 2.107 for k = 2).

    p = ε₀ (g₀ − g) below g₀, + (ε₁ − ε₀) (g₁ − g) below g₁, and so on; in eq. E.5 the first branch, without
    pressure, is printed for g ≥ 0 where it holds for g ≥ g₀.
    """

    title: ClassVar[str] = "Multi-stage linear penalty"
    advice: ClassVar[str] = "A soft first touch and a stiff joint behind it, each with its own stiffness."

    stiffnesses: tuple[Annotated[float, Field(gt=0.0)], ...] = parameter(
        (16_700.0, 83_300.0), title="Contact stiffnesses", quantity="contact_stiffness", min_length=1, max_length=20,
        meaning="Pressure per penetration in each stage, from the first touch on. Usually each is stiffer than the one "
        "before.",
    )  # fmt: skip
    gaps: tuple[float, ...] = parameter(
        (0.0, -1e-4), title="Gaps", quantity="length",
        meaning="Gap below which each stage begins, in descending order; pressure begins at the first.",
    )  # fmt: skip

    @field_validator("gaps")
    @classmethod
    def _descending(cls, gaps: tuple[float, ...], others: ValidationInfo) -> tuple[float, ...]:
        for above, below in pairwise(gaps):
            if not above > below:
                raise ValueError(f"have to descend, but {below:g} follows {above:g}")
        stages = len(others.data.get("stiffnesses", gaps))
        if len(gaps) != stages:
            raise ValueError(f"have to be as many as the stiffnesses, {stages}; there are {len(gaps)}")
        return gaps

    def of_penetration(self, depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (p, dp/d depth)."""
        p, slope = np.zeros_like(depth), np.zeros_like(depth)
        before = 0.0
        for stiffness, gap in zip(self.stiffnesses, self.gaps, strict=True):
            beyond = depth - (self.gaps[0] - gap)
            reached = beyond > 0.0
            p += np.where(reached, (stiffness - before) * beyond, 0.0)
            slope[reached] = stiffness
            before = stiffness
        return p, slope

    def corners(self) -> tuple[float, ...]:
        """Return the gaps below which the later stages begin."""
        return self.gaps[1:]

    def closing_gap(self) -> float:
        """Return g₀, the gap from which on there is no pressure."""
        return self.gaps[0]
