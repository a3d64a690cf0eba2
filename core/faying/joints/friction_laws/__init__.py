"""Friction laws: friction stress over slip. A member is one file with a class registered under its kind.

A law declares how many history variables it needs for each contact pair; the solver owns them and commits
them only when a step is accepted. A law has no state of its own.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from faying.errors import ModelError
from faying.params import Member
from faying.registry import Registry

_DIFFERENCE = 1e-6  # step of a central difference over the largest value of the variable

friction_laws: Registry[type["FrictionLaw"]] = Registry("friction law", __name__)


@dataclass(frozen=True)
class Traction:
    """Result of a friction law for n contact pairs in two tangential directions.

    Attributes:
        stress: (n, 2) friction stress τ on the slave, against its slip: its virtual work is −τ · δs.
        history: (n, h) new history.
        slipping: (n,) True where the sticking limit is reached.
        d_slip: (n, 2, 2) ∂τ/∂s; None when the derivatives were not requested.
        d_limit: (n, 2) ∂τ/∂R_G; None if not requested.
    """

    stress: np.ndarray
    history: np.ndarray
    slipping: np.ndarray
    d_slip: np.ndarray | None = None
    d_limit: np.ndarray | None = None


@dataclass(frozen=True)
class LinearizedStep:
    """A step of a friction law with all of its derivatives, so that steps can be chained over a period.

    Attributes:
        answer: of the step, with its derivatives.
        d_history: (n, 2, h) ∂τ/∂h, by the history at the start of the step.
        history_by_slip: (n, h, 2) derivative of the new history by the slip.
        history_by_limit: (n, h) by the sticking limit.
        history_by_history: (n, h, h) by the history at the start of the step.
    """

    answer: Traction
    d_history: np.ndarray
    history_by_slip: np.ndarray
    history_by_limit: np.ndarray
    history_by_history: np.ndarray


class FrictionLaw(Member):
    """Friction stress as a function of slip, sticking limit and history; pure and vectorised."""

    history_size: ClassVar[int]

    rate_independent: ClassVar[bool] = False
    """Whether the stress depends on the path of the slip alone, not on the duration of a step."""

    stiffness_name: ClassVar[str] = ""
    """The parameter that is the stiffness of sticking, and may be None: it follows from the joint then."""

    @property
    def leaves_open(self) -> bool:
        """Whether the stiffness of sticking follows from the joint; until then there is no traction."""
        return bool(self.stiffness_name) and getattr(self, self.stiffness_name) is None

    def beside(self, stiffness: float) -> "FrictionLaw":
        """Return the law with a stiffness of sticking, if it leaves its own open.

        Args:
            stiffness: friction stress per slip, such as `faying.joints.sticking` finds it.

        Raises:
            ModelError: when a parameter that was given does not go with it.
        """
        return self.with_(**{self.stiffness_name: stiffness}) if self.leaves_open else self

    @property
    def known_stiffness(self) -> float:
        """The stiffness of sticking.

        Raises:
            ModelError: when the law leaves it open.
        """
        found = getattr(self, self.stiffness_name)
        if found is None:
            raise ModelError(
                f"{self.title}: {self.stiffness_name} is not given, and follows from the contact law only in a joint.",
                f"Give {self.stiffness_name}, or take law.beside(stiffness).",
            )
        return float(found)

    def damping_at(self, frequency: float) -> float:
        """Return the stress per slip velocity of a pair that sticks and vibrates; zero for most laws.

        Args:
            frequency: angular frequency of the vibration.
        """
        return 0.0

    @property
    def unlimited_stiffness(self) -> float:
        """Friction stress per slip in addition to the sticking limit, itself without a limit."""
        return 0.0

    @abstractmethod
    def sticking_limit(self, pressure: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (R_G, dR_G/dp) for pressures (n,)."""

    @abstractmethod
    def traction(
        self,
        slip: np.ndarray,
        limit: np.ndarray,
        history: np.ndarray,
        time_step: float,
        *,
        derivatives: bool = True,
    ) -> Traction:
        """Return the friction stress of closed pairs.

        Args:
            slip: (n, 2) slip since contact closed.
            limit: (n,) sticking limit R_G ≥ 0.
            history: (n, h) history at the last accepted step; zeros when contact has just closed.
            time_step: time since then; 0 to evaluate the committed state itself.
            derivatives: whether to compute d_slip and d_limit; most evaluations of a run need the force alone.

        Raises:
            ModelError: when the law leaves a parameter open.
        """

    def linearized_step(
        self, slip: np.ndarray, limit: np.ndarray, history: np.ndarray, time_step: float
    ) -> LinearizedStep:
        """Return a step with its derivatives by slip, limit and history; arguments and errors as of `traction`.

        By central differences. A law with closed forms returns those instead.
        """
        answer = self.traction(slip, limit, history, time_step)
        n, h = history.shape

        def slopes(change: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
            """Return the slopes (n, 2) and (n, h) along a direction in (slip, limit, history)."""
            moved = step * change
            up, down = (
                self.traction(
                    slip + sign * moved[:2], limit + sign * moved[2], history + sign * moved[3:], time_step,
                    derivatives=False,
                )
                for sign in (1.0, -1.0)
            )  # fmt: skip
            return (up.stress - down.stress) / (2.0 * step), (up.history - down.history) / (2.0 * step)

        sizes = np.concatenate(
            [
                np.full(2, np.abs(slip).max(initial=0.0)),
                [np.abs(limit).max(initial=0.0)],
                np.maximum(np.abs(history), np.abs(answer.history)).max(axis=0, initial=0.0),
            ]
        )
        steps = _DIFFERENCE * np.where(sizes > 0.0, sizes, 1.0)
        columns = [slopes(change, float(step)) for change, step in zip(np.eye(3 + h), steps, strict=True)]
        stress = np.stack([column[0] for column in columns], axis=-1)
        after = np.stack([column[1] for column in columns], axis=-1).reshape(n, h, 3 + h)
        return LinearizedStep(answer, stress[:, :, 3:], after[:, :, :2], after[:, :, 2], after[:, :, 3:])
