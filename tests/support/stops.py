"""One-sided stops as the contact of small systems, with their forces over a step."""

import numpy as np

from faying.joints.contact_laws import contact_laws
from faying.joints.step_mean import sudden_means
from faying.solvers.integrators import ContactForces

LINEAR = contact_laws["linear_penalty"](stiffness=1.0)


def stopped(gaps, rows, stiffness, before=None, law=LINEAR, told=True):
    """Return the contact of stops with gaps (m,), of which rows (m, n) are the changes.

    Args:
        gaps, rows: see above.
        stiffness: (m,) or one number by which the law's pressures are multiplied.
        before: the pairs at the start of the step.
        law: pressure over gap.
        told: whether pairs are told.
    """
    gaps, rows = np.atleast_1d(gaps), np.atleast_2d(rows)
    pressures, slopes = law.pressure(gaps)
    sudden, sudden_slopes, lasting, factor = pressures, slopes, np.zeros(len(gaps), bool), 1.0
    if before is not None:
        lasting, factor = before[0].lasting, before[0].factor
        means = sudden_means(law, before[0], gaps, pressures, slopes)
        sudden, sudden_slopes = (np.where(lasting, 0.0, x) for x in means[:2])
    changes = stiffness * np.where(lasting, factor * slopes, sudden_slopes)
    return ContactForces(
        rows.T @ (stiffness * pressures), None, rows.T @ np.diag(changes) @ rows,
        sudden=rows.T @ (stiffness * sudden), going_on=rows.T @ (stiffness * lasting * pressures),
        closed=(gaps < 0.0,) if told else None, gaps=(gaps,) if told else None,
    )  # fmt: skip
