"""Smooth friction laws given as a rate: how the slider's stress grows with slip, integrated over a step.

All of them are independent of velocity: dτ₁/ds depends on the stress, the sticking limit and the direction of slip
alone, so a step is integrated over its slip path. The path is taken as straight, from the committed slip to the
new one. Then, whatever the law, the stress stays in the plane of two numbers, its parts along and across the
path, and its history is that of a contact that slips along a line in one direction.
"""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from faying.joints.friction_laws import Traction
from faying.joints.friction_laws._three_parameters import ThreeParameterLaw

# The stress of these laws approaches the limit without reaching it; this share counts as slipping.
SLIPPING_SHARE = 0.99
# Derivatives come from the imaginary part of f(x + i h), exact to round-off for so small an h.
_H = 1e-30


class HystereticLaw(ThreeParameterLaw):
    """A slider with a smooth hysteresis beside the sliding spring: τ = τ₁ + c₂ s, |τ₁| ≤ R_G.

    History: slider stress τ₁ (2), slip (2) and limit (1) of the committed state. When the limit falls below the
    stress, the stress is taken back to it along its own direction, slip or no slip.
    """

    history_size: ClassVar[int] = 5

    @abstractmethod
    def flow(
        self, along: np.ndarray, across: np.ndarray, travel: np.ndarray, guess: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return stress along and across a straight slip path at its end, and what may start the next solution.

        Everything is real, or complex with tiny imaginary parts that carry a derivative.

        Args:
            along, across: (n,) stress at the start of the path over the limit.
            travel: (n,) c₁ times the length of the path, over the limit.
            guess: (n,) the third answer for the same real parts; None when there is none.
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
        c2 = self.sliding_stiffness
        slider, solution = self._integrate(slip, limit, history, None)
        amount = np.sqrt(np.einsum("ij,ij->i", slider, slider))
        answer = Traction(
            stress=slider + c2 * slip,
            history=np.column_stack([slider, slip, limit]),
            slipping=amount >= SLIPPING_SHARE * limit,
        )
        if not derivatives:
            return answer
        # Three copies of every pair, with i h on slip 1, slip 2 and the limit.
        n = len(slip)
        slips, limits = np.tile(slip.astype(complex), (3, 1)), np.tile(limit.astype(complex), 3)
        slips[:n, 0] += 1j * _H
        slips[n : 2 * n, 1] += 1j * _H
        limits[2 * n :] += 1j * _H
        turned, _ = self._integrate(slips, limits, np.tile(history, (3, 1)), np.tile(solution, 3))
        change = (turned.imag / _H).reshape(3, n, 2)
        # At the very point where slip may turn there are two slopes; between them is the elastic one.
        resting = (slip == history[:, 2:4]).all(axis=1) & (limit > 0.0)
        d_slip = np.where(
            resting[:, None, None], self.slider_stiffness * np.eye(2), change[:2].transpose(1, 2, 0)
        )
        return Traction(
            answer.stress,
            answer.history,
            answer.slipping,
            d_slip + c2 * np.eye(2),
            np.ascontiguousarray(change[2]),
        )

    def _integrate(
        self, slip: np.ndarray, limit: np.ndarray, history: np.ndarray, guess: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the slider's stress (n, 2) after the step, and the solution that `flow` found."""
        start, before = history[:, :2], history[:, 4]
        path = slip - history[:, 2:4]
        length = np.sqrt(path[:, 0] ** 2 + path[:, 1] ** 2)
        moves = length.real > 0.0
        first, second = (path / np.where(moves, length, 1.0)[:, None]).T
        # A limit of zero is reached at once, whatever the law; the floor keeps its numbers finite.
        elastic = np.where(moves, self.slider_stiffness * length, 0.0)
        floor = 1e-12 * elastic.real + 1e-300
        end = np.where(limit.real > floor, limit, floor)
        # The limit that holds along the path: the mean of start and end for short paths, the end for long ones.
        late = implicit_share(elastic / end)
        middle = (1.0 - late) * before + late * end
        along, across, solution = self.flow(
            (start[:, 0] * first + start[:, 1] * second) / middle,
            (start[:, 1] * first - start[:, 0] * second) / middle,
            elastic / middle,
            guess,
        )
        arrived = middle[:, None] * np.stack(
            [along * first - across * second, along * second + across * first], axis=-1
        )
        stress = np.where(moves[:, None], arrived, start)
        amount = np.sqrt(stress[:, 0] ** 2 + stress[:, 1] ** 2)
        outside = amount.real > limit.real
        return stress * np.where(outside, limit / np.where(outside, amount, 1.0), 1.0)[:, None], solution


def implicit_share(travel: np.ndarray) -> np.ndarray:
    """Return the weight of a path's end against its start: 1/2 for a short path, 1 for an endless one.

    So the integration is of second order, and a long path forgets where it came from.
    """
    return np.asarray((1.0 + travel) / (2.0 + travel))
