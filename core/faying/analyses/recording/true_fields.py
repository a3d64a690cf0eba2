"""True fields: all frames of a reduced analysis as the FE model has them, stored next to its own frames."""

from faying.analyses import Analysis, BodyAnalysis, analyses
from faying.params import build, parameter

TRUE_FIELDS = " (true fields)"
"""Ending of the name under which the true fields of an analysis are computed and shown: "press (true fields)"."""

# Seconds for the first frame with its factor and the first compliances, and for each later one with what it adds, of a
# body with that many degrees of freedom, between those whose pairs open and slide little and much: 200 frames of the
# friction bar (39 510) take 20 s, of the long one (54 606) 70 s. The work of a factor grows with about this power.
_FIRST, _LATER, _DOFS, _POWER = 14.0, 0.10, 50_000, 1.4


class WithTrueFields(Analysis):
    """An analysis of a reduced body, or of a system of such, whose frames can be corrected on the FE model."""

    true_fields: bool = parameter(
        False, title="True fields", advanced=True,
        meaning="Whether all frames are corrected on the FE model after the run, of a system those of each flexible "
        "part that has contact joints and touches no other part. Pictures, films, tables and the report then show "
        "gaps, pressures and stresses of the FE model; motion and the run's own curves stay those of the reduced "
        "body. Needs the FE matrices of the body.",
    )  # fmt: skip

    def corrected(self, body: str, part: str = "") -> BodyAnalysis:
        """Return the analysis that corrects all frames; the project does not list it.

        Its name ends with `TRUE_FIELDS`: "press (true fields)", or of a part "run, rod (true fields)".

        Args:
            body: whose FE model it is.
            part: of a system, made of this body; "" for an analysis of the body itself.
        """
        words = {"name": f"{self.name}{TRUE_FIELDS}", "body": body, "corrects": self.name, "frames": ()}
        if part:
            words |= {"name": f"{self.name}, {part}{TRUE_FIELDS}", "part": part}
        found = build(analyses["part_correction" if part else "fe_correction"], words)
        assert isinstance(found, BodyAnalysis)
        return found


def estimated_seconds(n_dofs: int, n_frames: int) -> float:
    """Return about how many seconds the true fields of so many frames take on one core, within a factor of two."""
    return float((n_dofs / _DOFS) ** _POWER * (_FIRST + _LATER * n_frames))
