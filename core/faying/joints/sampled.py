"""A joint with its force as the weighted sum over few of its pairs: energy-conserving sampling and weighting.

The force of a joint is a sum over its pairs, Q = Σ wᵢ (pᵢ Gnᵢ − τᵢ Gtᵢ). A few of them with other weights, wᵢ ξᵢ with
ξᵢ ≥ 0, give nearly the same sum in all states of a set (Farhat, Avery, Chapman and Cortial 2014; in joints Morsy, Kast
and Tiso 2022). It is the force of a joint with fewer pairs, and keeps the properties of such a force: its tangent
without friction is symmetric, and friction only dissipates energy. Interpolation of the pressures from few
points (DEIM) keeps neither.

The force is that of the sample; results (gaps, pressures, slip, status, history) are of all pairs at the same motion.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np

from faying.joints import kernels
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.interface import DenseRows, JointForce, JointResponse
from faying.joints.jacobian import JointJacobian
from faying.joints.pointwise import ClosedPairs, joint_size, pointwise
from faying.joints.step_mean import PairsBefore
from faying.params import Spec, parameter
from faying.records import record


class SamplingSpec(Spec):
    """A sample of a joint's pairs, weighted so that it represents all pairs in motion."""

    active: bool = parameter(
        False, title="Few pairs act",
        meaning="Whether few pairs with larger weights represent all in transients and motions, which pays in joints "
        "of thousands of pairs. All pairs act in statics, and all are shown.",
    )  # fmt: skip
    tolerance: float = parameter(
        0.001, title="Tolerance", ge=1e-6, le=0.3,
        meaning="By what share the body may deform otherwise in the states that the sample is made from, to first "
        "order; smaller takes more pairs.",
    )  # fmt: skip
    combinations: int = parameter(
        64, title="Combined loads", ge=0, le=10_000, advanced=True,
        meaning="Number of combinations of loads in these states, besides loads one by one, where no analyses are "
        "named; more of them serve motions of all kinds.",
    )  # fmt: skip
    analyses: tuple[str, ...] = parameter(
        (), title="For the loads of", choices="analysis",
        meaning="Static and transient analyses of the body whose loads, on their way and without inertia, bring these "
        "states about: far fewer pairs serve loads that are known. Without any, the sample serves loads of all kinds.",
    )  # fmt: skip


@record("joint sample", read_only=True)
class JointSample:
    """The sampled pairs of a joint and the factors of their weights.

    Attributes:
        pairs: (m,) their numbers, ascending.
        factors: (m,) ξ > 0, by which their weights are multiplied.
        n: number of pairs of the joint.
        error: relative error of the body's deformation, to first order, over all states that it was made from.
        states: number of these states.
    """

    pairs: np.ndarray
    factors: np.ndarray
    n: int
    error: float = 0.0
    states: int = 0


@dataclass(frozen=True, eq=False)
class SampledRows:
    """Gap and slip rows of the sampled pairs of a joint; attributes as of `faying.joints.interface.DenseRows`."""

    name: str
    normal: np.ndarray
    tangential: np.ndarray
    weights: np.ndarray
    initial_gaps: np.ndarray


class SampledResponse(JointResponse):
    """Response of a sampled joint: the force of the sample; pressures and friction of all pairs at the same motion.

    Attributes:
        few: response of the sampled pairs.
    """

    few: JointResponse
    _joint: "SampledJointForce"
    _state: tuple[np.ndarray, np.ndarray, float]

    def __init__(
        self, joint: "SampledJointForce", few: JointResponse, state: tuple[np.ndarray, np.ndarray, float]
    ) -> None:
        for name, value in (("few", few), ("_joint", joint), ("_state", state)):
            object.__setattr__(self, name, value)
        for name in ("force", "jacobian", "sudden", "going_on", "last"):
            object.__setattr__(self, name, getattr(few, name))

    @cached_property
    def full(self) -> JointResponse:
        """Response of the joint with all its pairs at the same motion, without its Jacobian."""
        q, history, time_step = self._state
        return self._joint.full.evaluate(q, history, time_step, jacobian=False)

    @property
    def missed_force(self) -> np.ndarray:
        """(r,) error of the sampling: the force of all pairs minus that of the sample."""
        return np.asarray(self.full.force - self.few.force)

    @property
    def full_jacobian(self) -> np.ndarray:
        """(r, r) ∂Q/∂q with all pairs; computed at each access."""
        q, history, time_step = self._state
        return np.asarray(self._joint.full.evaluate(q, history, time_step, jacobian=True).jacobian)

    # Results of all pairs: needed at few of the trial states, so they are computed on access.

    @property
    def n(self) -> int:  # type: ignore[override]
        """Number of all pairs."""
        return len(self._joint.full.rows.weights)

    @property
    def closed(self) -> ClosedPairs:  # type: ignore[override]
        """Pressures and friction stresses at all closed pairs."""
        return self.full.closed

    @property
    def gap(self) -> np.ndarray:  # type: ignore[override]
        """(n,) of all pairs."""
        return self.full.gap

    @cached_property
    def history(self) -> np.ndarray:
        """(n, h) new history of all pairs, for when the step is accepted."""
        return self._joint.remembered(*self._state)

    # Results of the sampled pairs, for time integration.

    @property
    def is_closed(self) -> np.ndarray:
        """(m,) which of the sampled pairs are closed."""
        return self.few.is_closed

    @property
    def acting_gaps(self) -> np.ndarray:
        """(m,) of the sampled pairs."""
        return self.few.gap


@dataclass(frozen=True, eq=False)
class SampledJointForce:
    """The force of a joint with sampled pairs alone, with the interface of `faying.joints.interface.JointForce`.

    Args:
        full: the joint with all its pairs.
        sample: the acting pairs and their weights.
    """

    full: JointForce
    sample: JointSample
    few: JointForce = field(init=False, repr=False)
    _screen: np.ndarray = field(init=False, repr=False)
    _tangential: np.ndarray = field(init=False, repr=False)
    _rounding: np.ndarray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay out the rows of the acting pairs, and those of all pairs in single precision (see `remembered`)."""
        pairs, rows = self.sample.pairs, self.full.rows
        sampled = SampledRows(
            getattr(rows, "name", ""), rows.normal[pairs], rows.tangential[pairs],
            rows.weights[pairs] * self.sample.factors, rows.initial_gaps[pairs],
        )  # fmt: skip
        object.__setattr__(self, "few", replace(self.full, rows=sampled))
        single = np.ascontiguousarray(rows.normal, np.float32)
        # Error bound of a sum of r rounded products: r eps Σ |nᵢ qᵢ|, where Σ |nᵢ qᵢ| ≤ ‖n‖ ‖q‖.
        rounding = 2.0 * (rows.normal.shape[1] + 2) * np.finfo(np.float32).eps
        object.__setattr__(self, "_screen", single)
        object.__setattr__(self, "_tangential", np.ascontiguousarray(rows.tangential, float))
        object.__setattr__(self, "_rounding", rounding * np.linalg.norm(rows.normal, axis=1))

    @property
    def rows(self) -> DenseRows:
        """Rows of all pairs."""
        return self.full.rows

    @property
    def contact_law(self) -> ContactLaw:
        """Pressure over gap."""
        return self.full.contact_law

    @property
    def friction_law(self) -> FrictionLaw | None:
        """Friction stress over slip; None for a frictionless joint."""
        return self.full.friction_law

    def initial_history(self) -> np.ndarray:
        """Return (n, h) zeros: all pairs open."""
        return self.full.initial_history()

    def lifted(self, offset: np.ndarray) -> Self:
        """Return the joint force with initial gaps reduced by an offset (n,)."""
        return replace(self, full=self.full.lifted(offset))

    def gaps(self, q: np.ndarray) -> np.ndarray:
        """Return (n,) gaps at q, positive when open."""
        return self.full.gaps(q)

    def total_slip(self, q: np.ndarray) -> np.ndarray:
        """Return (n, 2) tangential displacements since the undeformed state."""
        return self.full.total_slip(q)

    def resting_history(self, q: np.ndarray) -> np.ndarray:
        """Return (n, h) history of a body that rests at q; see `faying.joints.pointwise.resting_history`."""
        return self.full.resting_history(q)

    def evaluate(
        self,
        q: np.ndarray,
        history: np.ndarray,
        time_step: float,
        *,
        jacobian: bool,
        last: JointJacobian | None = None,
        before: PairsBefore | None = None,
    ) -> SampledResponse:
        """Return force, new history and, if requested, the Jacobian; see `JointForce.evaluate`.

        Args:
            q: (r,) coordinates.
            history: (n, h) of all pairs, committed at the last accepted step.
            time_step: time since then.
            jacobian: whether to compute ∂force/∂q.
            last: `last` of an earlier response.
            before: the acting pairs at the start of the step.
        """
        few = self.few.evaluate(
            q, history[self.sample.pairs], time_step, jacobian=jacobian, last=last, before=before
        )
        return SampledResponse(self, few, (q, history, time_step))

    def remembered(self, q: np.ndarray, history: np.ndarray, time_step: float) -> np.ndarray:
        """Return (n, h) the new history of all pairs, whether they act or not.

        The history of open pairs is zero. Gaps are first computed in single precision, which reads half as much
        memory; only pairs that may be closed, given the error of that, are evaluated.

        Args:
            q, history, time_step: as of `evaluate`.
        """
        new = np.zeros_like(history)
        law, friction, rows = self.contact_law, self.friction_law, self.full.rows
        if friction is None:
            return new
        gap = rows.initial_gaps + self._screen @ q.astype(np.float32)
        near = np.flatnonzero(gap < law.closing_gap() + self._rounding * np.linalg.norm(q))
        points = pointwise(
            law, friction, rows.initial_gaps[near] + rows.normal[near] @ q,
            lambda pairs: kernels.slips(self._tangential, near[pairs], q), history[near], time_step,
            size=joint_size(rows.weights), derivatives=False,
        )  # fmt: skip
        new[near] = points.history
        return new

    def without_friction(self) -> Self:
        """Return the same joint without friction."""
        return replace(self, full=self.full.without_friction())

    def stored_energy(self, answer: JointResponse) -> float:
        """Return the energy stored by the contact law in a response of the sample."""
        assert isinstance(answer, SampledResponse)
        return self.few.stored_energy(answer.few)

    def friction_force(self, answer: JointResponse) -> np.ndarray:
        """Return (r,) the part of friction in the generalised force of a response."""
        assert isinstance(answer, SampledResponse)
        return self.few.friction_force(answer.few)


ActingJoint = JointForce | SampledJointForce


def acting_joint(
    rows: DenseRows, contact_law: ContactLaw, friction_law: FrictionLaw | None, sample: JointSample | None
) -> ActingJoint:
    """Return a joint with all pairs acting, or those of a sample.

    Args:
        rows: gap and slip rows of all pairs.
        contact_law, friction_law: its laws; friction may be absent.
        sample: the acting pairs; None for all.
    """
    full = JointForce(rows, contact_law, friction_law)
    return full if sample is None else SampledJointForce(full, sample)
