"""Diagnosis of a step that does not converge: a clause for an error message, and a hint."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from faying.joints.sampled import ActingJoint

_MOST = 3  # pairs that are named
_SOFTER = (
    "Allow a larger error per step, soften the joint's contact stiffness, or choose a contact law without a "
    "corner, such as the quadratic-linear one."
)


class StepDiagnosis(NamedTuple):
    """A clause that names the cause of failed convergence, and a hint; both empty if none is found."""

    clause: str = ""
    hint: str = ""


class MovedJoint(NamedTuple):
    """A joint by its full name, its coordinates (r,), and their last correction (r,)."""

    name: str
    joint: ActingJoint
    coordinates: np.ndarray
    change: np.ndarray


def unreal_pairs(joints: Iterable[MovedJoint]) -> StepDiagnosis:
    """Return the first joint whose contact law gives no finite pressure, with its pairs; empty if there is none."""
    for name, joint, coordinates, _ in joints:
        gap = joint.rows.initial_gaps + joint.rows.normal @ coordinates
        unreal = np.flatnonzero(np.isfinite(gap) & ~np.isfinite(joint.contact_law.pressure(gap)[0]))
        if len(unreal):
            return StepDiagnosis(
                f"the contact law of joint {name!r} gives no number at {_pairs(unreal)}",
                "Look at the law's parameters or table: it must give a finite pressure for every gap.",
            )
    return StepDiagnosis()


def restless_pairs(joints: Iterable[MovedJoint]) -> StepDiagnosis:
    """Return the joint with most pairs that open or close in the last correction; empty if there is none.

    Its clause is such as "joint 'cap' opens and closes at 12 pairs (4, 17, 30, …)".
    """
    worst, most = "", 0
    for name, joint, coordinates, change in joints:
        gap = joint.rows.initial_gaps + joint.rows.normal @ coordinates
        closing = joint.contact_law.closing_gap()
        moved = joint.rows.normal @ change
        swapping = np.flatnonzero((gap < closing) != (gap + moved < closing))
        if len(swapping) > most:
            swapping = swapping[np.argsort(-np.abs(moved[swapping]), kind="stable")]
            worst, most = f"joint {name!r} opens and closes at {_pairs(swapping)}", len(swapping)
    return StepDiagnosis(worst, _SOFTER) if worst else StepDiagnosis()


def _pairs(numbers: np.ndarray) -> str:
    """Return "12 pairs (4, 17, 30, …)"."""
    listed = ", ".join(str(int(pair)) for pair in numbers[:_MOST]) + (", …" if len(numbers) > _MOST else "")
    return f"{len(numbers)} {'pair' if len(numbers) == 1 else 'pairs'} ({listed})"
