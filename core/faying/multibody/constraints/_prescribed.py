"""What prescribed motions share."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from faying.load_histories import LoadHistory
from faying.multibody.constraints import PairConstraint
from faying.multibody.terms import ABOUT_Z, Term, along


class PrescribedMotion(PairConstraint):
    """One equation between two markers that follows a wanted motion."""

    held_by: ClassVar[str] = "start"

    @abstractmethod
    def wanted(self, time: float) -> float:
        """Return the displacement or angle at a time."""

    @abstractmethod
    def rates(self, time: float) -> tuple[float, float]:
        """Return minus the first and second derivative of the wanted motion, to the right where it has a corner."""


def motion_rates(amplitude: float, history: LoadHistory, time: float) -> tuple[float, float]:
    """Return minus the first and second derivative of a motion that follows a load history."""
    first, second = history.rates(time)
    return -amplitude * first, -amplitude * second


def speed_rates(speed: float, history: LoadHistory, time: float) -> tuple[float, float]:
    """Return minus the first and second derivative of a motion whose speed follows a load history."""
    return -speed * float(history.factor(time)), -speed * history.rates(time)[0]


def acceleration_rates(
    speed: float, acceleration: float, history: LoadHistory, time: float
) -> tuple[float, float]:
    """Return minus the first and second derivative of a motion whose acceleration follows a load history."""
    gained = acceleration * float(history.integral(time))
    return -speed - gained, -acceleration * float(history.factor(time))


class PrescribedAlong(PrescribedMotion):
    """The second marker's displacement along the first one's z axis is wanted."""

    axis_words: ClassVar[str] = "moves along"
    drives: ClassVar[str] = "force"

    def terms(self) -> tuple[Term, ...]:
        """Return the displacement."""
        return (along(2),)


class PrescribedAbout(PrescribedMotion):
    """The second marker's angle about the first one's z axis is wanted."""

    axis_words: ClassVar[str] = "turns about"
    drives: ClassVar[str] = "moment"
    turns: ClassVar[bool] = True

    def first_angles(self) -> np.ndarray:
        """Return (1,) the angle that is wanted at time zero: full turns count."""
        return np.array([self.wanted(0.0)])

    def terms(self) -> tuple[Term, ...]:
        """Return the angle."""
        return (ABOUT_Z,)
