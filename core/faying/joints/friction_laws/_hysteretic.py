"""Smooth friction laws given as a rate: how the slider's stress grows with slip, integrated over a step.

All of them are independent of velocity: dτ₁/ds depends on the stress, the sticking limit and the direction of slip
alone, so a step is integrated over its slip path, taken as straight from the committed slip to the new one. A law
gives the change of the stress along and across such a path, both divided by the limit.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import LinearizedStep, Traction
from faying.joints.friction_laws._three_parameters import ThreeParameterLaw

# The stress of these laws approaches the limit without reaching it; this share counts as slipping.
SLIPPING_SHARE = 0.99


@dataclass(frozen=True)
class Flow:
    """Stress divided by the limit at the end of a straight slip path.

    Attributes:
        along, across: (n,) its parts along and across the path.
        gradient: (2, 3, n) their derivatives with respect to both parts at the path's start and the travel;
            None when not requested.
    """

    along: np.ndarray
    across: np.ndarray
    gradient: np.ndarray | None


class HystereticLaw(ThreeParameterLaw):
    """A slider with a smooth hysteresis in parallel to the sliding spring: τ = τ₁ + c₂ s.

    In all of them slip loses energy for any change of the limit: τ₁ · ds − τ₁ · dτ₁/c₁ ≥ 0.

    History: slider stress τ₁ (2), slip (2) and limit (1) of the committed state.
    """

    history_size: ClassVar[int] = 5
    # Whether a stress above a limit that has fallen is scaled back to it immediately, even without slip;
    # otherwise the law itself defines its return.
    returns_at_once: ClassVar[bool] = True

    @abstractmethod
    def flow(self, along: np.ndarray, across: np.ndarray, travel: np.ndarray, *, derivatives: bool) -> Flow:
        """Return the stress divided by the limit at the end of a straight slip path.

        Args:
            along, across: (n,) stress at its start, divided by the limit; may exceed it.
            travel: (n,) c₁ times the length of the path, divided by the limit.
            derivatives: whether to compute the gradient.
        """

    def traction(
        self,
        slip: np.ndarray,
        limit: np.ndarray,
        history: np.ndarray,
        time_step: float,
        *,
        derivatives: bool = True,
    ) -> Traction:
        """Return the friction stress of closed pairs; it does not depend on `time_step`."""
        answer, d_flow = self._step(slip, limit, history, derivatives=derivatives)
        if d_flow is None:
            return answer
        d_slip = d_flow[:, :, :2] + self.sliding_stiffness * np.eye(2)
        return Traction(answer.stress, answer.history, answer.slipping, d_slip, d_flow[:, :, 2])

    def linearized_step(
        self, slip: np.ndarray, limit: np.ndarray, history: np.ndarray, time_step: float
    ) -> LinearizedStep:
        """Return a step with its derivatives; the old slip counts as the start of the path."""
        answer, d_flow = self._step(slip, limit, history, derivatives=True)
        assert d_flow is not None
        by_slip, by_limit, n = d_flow[:, :, :2], d_flow[:, :, 2], len(slip)
        d_history = np.concatenate([d_flow[:, :, 3:5], -by_slip, d_flow[:, :, 5:]], axis=2)
        d_slip = by_slip + self.sliding_stiffness * np.eye(2)
        full = Traction(answer.stress, answer.history, answer.slipping, d_slip, by_limit)
        history_by_slip, history_by_limit = np.zeros((n, 5, 2)), np.zeros((n, 5))
        history_by_history = np.zeros((n, 5, 5))
        history_by_slip[:, :2], history_by_slip[:, 2:4] = by_slip, np.eye(2)
        history_by_limit[:, :2], history_by_limit[:, 4] = by_limit, 1.0
        history_by_history[:, :2] = d_history
        return LinearizedStep(full, d_history, history_by_slip, history_by_limit, history_by_history)

    def _step(
        self, slip: np.ndarray, limit: np.ndarray, history: np.ndarray, *, derivatives: bool
    ) -> tuple[Traction, np.ndarray | None]:
        """Return the answer without derivatives, and (n, 2, 6) those of the slider's stress.

        They are by the slip (2), the limit, the stress (2) and the limit at the start of the path; None if not
        requested.
        """
        c1, c2 = self.slider_stiffness, self.sliding_stiffness
        old = history.T
        # The path: its length, its direction n and, for a pair at rest, any direction.
        first, second = slip[:, 0] - old[2], slip[:, 1] - old[3]
        length = np.sqrt(first * first + second * second)
        rests = length == 0.0
        divisor = np.where(rests, 1.0, length)
        first, second = np.where(rests, 1.0, first) / divisor, second / divisor
        # The limit along the path: the mean of start and end for a short path, the end for a long one. The floor
        # replaces a limit of zero, which is reached at once.
        end = np.maximum(limit, 1e-12 * c1 * length + 1e-200)
        reach = c1 * length / end
        middle = old[4] + implicit_share(reach) * (end - old[4])
        y, x = (old[0] * first + old[1] * second) / middle, (old[1] * first - old[0] * second) / middle
        flow = self.flow(y, x, c1 * length / middle, derivatives=derivatives)
        along, across = middle * flow.along, middle * flow.across
        # Stresses that exceed a limit which has fallen.
        amount = np.sqrt(along * along + across * across)
        outside = (amount > limit) if self.returns_at_once else (limit <= 0.0)
        kept = np.where(outside, limit / np.where(outside & (amount > 0.0), amount, 1.0), 1.0)
        stress = np.stack([along * first - across * second, along * second + across * first], axis=-1)
        stress *= kept[:, None]
        answer = Traction(
            stress=stress + c2 * slip,
            history=np.column_stack([stress, slip, limit]),
            slipping=kept * amount >= SLIPPING_SHARE * limit,
        )
        if not derivatives:
            return answer, None
        assert flow.gradient is not None
        # How start and travel change with the slip along the path, the slip across it, the limit, the stress at the
        # start along and across the path, and the limit there.
        share_slope = c1 / (2.0 + reach) ** 2 * (end - old[4]) / end
        share, zero = implicit_share(reach), np.zeros_like(x)
        grow = (
            np.stack([share_slope, zero, share - share_slope * length / end, zero, zero, 1.0 - share])
            / middle
        )
        travel = c1 * length / middle
        turn = 1.0 / divisor
        change = np.stack([-y * grow, -x * grow, -travel * grow])
        change[0, 1] += x * turn
        change[1, 1] -= y * turn
        change[2, 0] += c1 / middle
        change[0, 3] += 1.0 / middle
        change[1, 4] += 1.0 / middle
        # How stress along and across changes, in the directions of the path as it was.
        d_flow = middle * (
            np.einsum("ijn,jkn->ikn", flow.gradient, change)
            + np.stack([flow.along, flow.across])[:, None] * grow
        )
        d_flow[0, 1] -= across * turn
        d_flow[1, 1] += along * turn
        # After scaling to the limit, only changes across the stress remain, and the stress follows the limit.
        unit = np.stack([along, across]) / np.where(amount > 0.0, amount, 1.0)
        d_flow = kept * (
            d_flow - np.where(outside, unit[:, None] * np.einsum("in,ikn->kn", unit, d_flow), 0.0)
        )
        d_flow[:, 2] += np.where(outside, unit, 0.0)
        # At the very point where slip may turn there are two slopes; between them is the elastic one.
        d_flow[:, :2] = np.where(rests, (limit > 0.0) * c1 * np.eye(2)[:, :, None], d_flow[:, :2])
        frame = np.stack([np.stack([first, second]), np.stack([-second, first])])
        answer_by = np.empty((len(slip), 2, 6))
        answer_by[:, :, :2] = np.einsum("ian,ijn,jbn->nab", frame, d_flow[:, :2], frame)
        answer_by[:, :, 3:5] = np.einsum("ian,ijn,jbn->nab", frame, d_flow[:, 3:5], frame)
        answer_by[:, :, 2] = np.einsum("ian,in->na", frame, d_flow[:, 2])
        answer_by[:, :, 5] = np.einsum("ian,in->na", frame, d_flow[:, 5])
        return answer, answer_by


def implicit_share(travel: np.ndarray) -> np.ndarray:
    """Return (n,) the weight of a path's end against its start: 1/2 for a short path, 1 for an infinite one.

    So the integration is of second order, and the end of a long path does not depend on its start. (Where a slipping
    pair's stress is scaled back to a limit that keeps falling it is of first order, as in Coulomb's radial return.)
    """
    return np.asarray((1.0 + travel) / (2.0 + travel))
