"""Joints of reduced bodies that are too stiff, judged by natural frequencies with sticking and sliding joints."""

from collections.abc import Iterator

import numpy as np

from faying.project.checks import CheckedProject, Finding, checks
from faying.results.verdicts import percent
from faying.units import amount

_TOO_STIFF = 0.01  # relative to a natural frequency
_LOWEST = 4  # number of compared modes


@checks.register("joint_stiffness")
def joint_stiffness(checked: CheckedProject) -> Iterator[Finding]:
    """Check the bodies whose joints were compared with those of the FE model."""
    for number, body in enumerate(checked.project.bodies):
        quality = checked.jointed.get(body.name)
        if quality is None or not len(quality.states):
            continue
        errors = np.nan_to_num(quality.errors[:, :_LOWEST])
        i, k = np.unravel_index(int(errors.argmax()), errors.shape)
        if errors[i, k] <= _TOO_STIFF:
            continue
        state = quality.states[i]
        reduced, full = (
            amount(float(each[i, k]), "frequency", 5) for each in (quality.reduced, quality.full)
        )
        sideways = " sideways" if state == "stuck" else ""
        yield Finding(
            "warning",
            ("bodies", number),
            f"With {state} joints mode {k + 1} of body {body.name!r} is {percent(float(errors[i, k]))} too high "
            f"({reduced} for {full} of the FE model): its joints are too stiff{sideways}, so that frequencies, support "
            "forces and damping by friction are those of a stiffer joint.",
            "Choose joint modes to an accuracy, or more stuck and sliding modes among them.",
        )
