"""Safety factor against fatigue: Goodman's line in the Haigh diagram of the whole run as one cycle."""

import numpy as np

from faying.results.fields import RUN, STRENGTH, Field, FieldContext, fields
from faying.results.fields._strength import SafetyFactor, factor_of, strengths_of
from faying.results.fields.signed_von_mises import SignedVonMises
from faying.results.over_run import kept_over_run


@fields.register("fatigue_safety")
class FatigueSafety(SafetyFactor):
    """One over σ_a/σ_W + σ_m/R_m, at most 15 (Goodman 1899); compressive mean stress counts as none.

    Amplitude σ_a and mean σ_m are those of the extremes of the signed von Mises stress over the run, which is the
    same at all frames. So run one cycle of the load, after it has settled.
    """

    title = "Safety factor against fatigue (Goodman)"
    needs = (STRENGTH, RUN)

    def looks_over_run(self) -> tuple[Field, ...]:
        """Return the stress with the extremes of the cycle."""
        return (SignedVonMises(),)

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_nodes,)."""
        strengths = strengths_of(context)
        stress = kept_over_run(SignedVonMises(), context, "")
        amplitude, mean = stress.range / 2, (stress.maximum + stress.minimum) / 2
        return factor_of(amplitude / strengths[:, 2] + np.maximum(mean, 0.0) / strengths[:, 1])
