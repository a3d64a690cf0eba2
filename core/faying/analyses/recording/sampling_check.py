"""Error of sampled joints, whose force is that of few weighted pairs, measured with all pairs at each frame."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from faying.joints.interface import JointResponse
from faying.joints.sampled import ActingJoint, SampledJointForce, SampledResponse

CURVE = "sampling error"


class SamplingCheck:
    """Estimates how much bodies would deform differently if all pairs of their sampled joints acted.

    At the state of a frame the forces of all pairs are out of balance by ΔQ. As contact is stiff, the force difference
    itself says little; what counts is the displacement that restores balance, here one Newton step Δq = (K − J)⁻¹ ΔQ
    with the Jacobian J of all pairs of all joints, sampled or not. The error is √(Δqᵀ K Δq) over the largest √(qᵀ K q)
    so far. Inertia and contacts between parts, which would only make Δq smaller, are left out.

    Args:
        joints: of all bodies, each with the name that it has in the run report.
    """

    def __init__(self, joints: Iterable[tuple[str, ActingJoint]]) -> None:
        samples = [(name, joint.sample) for name, joint in joints if isinstance(joint, SampledJointForce)]
        self._told = {
            name: {
                "pairs": len(sample.pairs), "of": sample.n, "states": sample.states, "tolerance": sample.error
            }
            for name, sample in samples
        }  # fmt: skip
        self._last = self._largest = self._size = 0.0

    @property
    def needs_jacobians(self) -> bool:
        """Whether `see` needs the Jacobians of responses: where some joint is sampled."""
        return bool(self._told)

    def see(self, bodies: Iterable[tuple[np.ndarray, np.ndarray, Sequence[JointResponse]]]) -> None:
        """Take a frame.

        Args:
            bodies: of each body stiffness K (r, r), coordinates q (r,) and the responses of its joints, with Jacobians
                if this `needs_jacobians`.
        """
        if not self._told:
            return
        missed = stored = 0.0
        for stiffness, q, answers in bodies:
            sampled = [answer for answer in answers if isinstance(answer, SampledResponse)]
            stored += float(q @ stiffness @ q)
            if not sampled:
                continue
            lacking = sum((answer.missed_force for answer in sampled), np.zeros(len(q)))
            tangent = stiffness - sum(
                answer.full_jacobian if isinstance(answer, SampledResponse) else answer.jacobian
                for answer in answers
            )
            change = np.linalg.lstsq(tangent, lacking, rcond=None)[0]
            missed += float(change @ stiffness @ change)
        self._size = max(self._size, stored)
        self._last = missed
        self._largest = max(self._largest, missed)

    def curves(self) -> dict[str, float]:
        """Return the error at the last frame; {} without sampled joints."""
        return {CURVE: self._ratio(self._last)} if self._told else {}

    def summary(self) -> dict[str, Any]:
        """Return the run report's numbers of pairs, and the largest error relative to the largest deformation."""
        if not self._told:
            return {}
        return {"sampling": {"error": self._ratio(self._largest), "joints": self._told}}

    def checkpoint(self) -> dict[str, float]:
        """Return the sums so far, for an interrupted run."""
        return {"last": self._last, "largest": self._largest, "size": self._size}

    def restore(self, checkpoint: dict[str, float]) -> None:
        """Restore the sums of an interrupted run."""
        self._last, self._largest, self._size = checkpoint["last"], checkpoint["largest"], checkpoint["size"]

    def _ratio(self, missed: float) -> float:
        return float(np.sqrt(missed / self._size)) if self._size else 0.0
