"""Work of friction per area in a period of vibration: where the damping comes from."""

import numpy as np

from faying.results.fields import CYCLE, Field, FieldContext, fields


@fields.register("work_per_cycle")
class WorkPerCycle(Field):
    """Work of friction per area over one period of a harmonic balance or a nonlinear mode, ∮ τ · ds."""

    title = "Work of friction per cycle"
    needs = (CYCLE,)
    quantity = "energy_per_area"

    def evaluate(self, context: FieldContext, joint: str, frame: int) -> np.ndarray:
        """Return (n_pairs,)."""
        CYCLE.require(context, joint, frame)
        found = context.frames.cycle_work(joint, frame)
        assert found is not None
        return found
